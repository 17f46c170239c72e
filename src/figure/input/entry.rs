//! One line of what an author wrote, and a message about it.
//!
//! In: a block of a chapter, a figure of `gallery.toml` or a JSON line, taken apart by the floors
//! above. Out: entries for [`super::spec::Spec`]. Invariant: a [`Problem`] that names an entry can be
//! placed by whoever made the entry.

use crate::diagnostic::{Diagnostic, Span};
use std::fmt;

/// One key and its value, as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The key: a name of the kind's table, `expect.NAME` or `let NAME`.
    pub key: String,
    /// The value, without quotes. A list of TOML or JSON is joined by commas.
    pub value: String,
    /// Where it comes from.
    pub origin: Origin,
}

/// Where an entry comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The figure itself: a key without effect is an error.
    Written,
    /// The defaults of the book: a key without effect is left out.
    Inherited,
}

impl Entry {
    /// Makes an entry.
    #[must_use]
    pub fn new(key: impl Into<String>, value: impl Into<String>) -> Self {
        Self { key: key.into(), value: value.into(), origin: Origin::Written }
    }

    /// Returns the entry as one that a figure takes from the defaults of its book.
    #[must_use]
    pub fn inherited(mut self) -> Self {
        self.origin = Origin::Inherited;
        self
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
    pub fn key_and_span<'a>(&self, entries: &'a [Entry]) -> (Option<&'a str>, Option<Span>) {
        match self.part {
            Part::Figure => (None, None),
            Part::Key(at) => (entries.get(at).map(|entry| entry.key.as_str()), None),
            Part::Value(at) => match entries.get(at) {
                Some(Entry { key, value, .. }) => {
                    let whole = Span::new(0, value.len());
                    let span = self.diagnostic.span.unwrap_or(whole).in_chars(value);
                    (Some(key), Some(span))
                }
                None => (None, None),
            },
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.diagnostic.fmt(f)
    }
}

impl std::error::Error for Problem {}
