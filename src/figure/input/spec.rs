//! What an author asked for: a kind and its keys, before anybody knows whether they make sense.
//!
//! In: a block of a chapter, a figure of `gallery.toml` or a JSON line, taken apart by the floors
//! above. Out: a [`Spec`] for [`crate::figure::build()`]. Invariant: entries stand in the order of the source,
//! so a [`Problem`] that names an entry can be placed by whoever made the spec.

use crate::diagnostic::{Diagnostic, Span};
use crate::figure::input::keys::KINDS;
use std::fmt;

pub use crate::suggest::nearest;

/// The kinds of figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Any layout as a grid.
    Layout,
    /// Threads and values over a tile.
    Tv,
    /// `A o B`.
    Compose,
    /// The complement of a layout.
    Complement,
    /// The divides.
    Divide,
    /// The products.
    Product,
    /// `local_tile` and `local_partition`.
    LocalTile,
    /// Before and after a swizzle.
    Swizzle,
    /// Copy atoms, tiled copies, partitions.
    Copy,
    /// TMA atoms and partitions.
    Tma,
    /// The matrix layouts of CUTLASS 2.x.
    Cutlass,
}

impl Kind {
    /// Returns the word an author writes.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        KINDS.iter().find(|row| row.kind == self).map_or("layout", |row| row.name)
    }

    /// Finds a kind by its word.
    ///
    /// # Errors
    /// An unknown word; the hint has the nearest one.
    pub fn parse(word: &str) -> Result<Self, Diagnostic> {
        if let Some(row) = KINDS.iter().find(|row| row.name == word) {
            return Ok(row.kind);
        }
        let names: Vec<_> = KINDS.iter().map(|row| row.name).collect();
        let text = format!("`{word}` is not yet a kind; kinds are {}", names.join(", "));
        let diagnostic = Diagnostic::error("unknown-kind", text);
        Err(match nearest(word, names) {
            Some(name) => diagnostic.hint(format!("did you mean `{name}`?")),
            None => diagnostic,
        })
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One key and its value, as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The key: a name of the kind's table, `expect.NAME` or `let NAME`.
    pub key: String,
    /// The value, without quotes. A list of TOML or JSON is joined by commas.
    pub value: String,
}

impl Entry {
    /// Makes an entry.
    #[must_use]
    pub fn new(key: impl Into<String>, value: impl Into<String>) -> Self {
        Self { key: key.into(), value: value.into() }
    }
}

/// A figure as it was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec {
    /// What to draw.
    pub kind: Kind,
    /// The keys in the order of the source.
    pub entries: Vec<Entry>,
}

impl Spec {
    /// Makes a spec.
    #[must_use]
    pub fn new(kind: Kind, entries: Vec<Entry>) -> Self {
        Self { kind, entries }
    }

    /// Returns the text of a key that stands exactly as written, e.g. `id`.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&str> {
        self.entries.iter().find(|entry| entry.key == key).map(|entry| entry.value.as_str())
    }
}

/// Which text a problem's span counts in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The figure as a whole.
    Figure,
    /// The key of the entry with this index.
    Key(usize),
    /// The value of the entry with this index.
    Value(usize),
}

impl Part {
    /// Returns the index of the entry, by which problems are put in the order of the source.
    #[must_use]
    pub const fn entry(self) -> Option<usize> {
        match self {
            Self::Figure => None,
            Self::Key(at) | Self::Value(at) => Some(at),
        }
    }
}

/// A message about a spec. Its span counts bytes of the key or value that `part` names; without a
/// span it is about all of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// What the message is about.
    pub part: Part,
    /// What is wrong.
    pub diagnostic: Diagnostic,
}

impl Problem {
    /// Returns the key and the span in characters of its value, as `facts` prints them.
    #[must_use]
    pub fn key_and_span<'a>(&self, spec: &'a Spec) -> (Option<&'a str>, Option<Span>) {
        match self.part {
            Part::Figure => (None, None),
            Part::Key(at) => (spec.entries.get(at).map(|entry| entry.key.as_str()), None),
            Part::Value(at) => match spec.entries.get(at) {
                Some(Entry { key, value }) => {
                    let whole = Span::new(0, value.len());
                    let span = self.diagnostic.span.unwrap_or(whole).in_chars(value);
                    (Some(key), Some(span))
                }
                None => (None, None),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_kind_lists_the_kinds_and_names_the_nearest() {
        let error = Kind::parse("mma").unwrap_err();
        assert!(error.text.starts_with("`mma` is not yet a kind; kinds are layout, tv, "));
        assert_eq!(
            Kind::parse("layuot").unwrap_err().hint.as_deref(),
            Some("did you mean `layout`?")
        );
        assert_eq!(Kind::parse("local-tile").unwrap().as_str(), "local-tile");
        assert_eq!(
            Kind::parse("local_tile").unwrap_err().hint.as_deref(),
            Some("did you mean `local-tile`?")
        );
    }
}
