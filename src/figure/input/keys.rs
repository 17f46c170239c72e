//! The typed values of one figure, which the kinds read.
//!
//! In: checked values from [`super::resolve::resolve`]. Out: what a key's type promises. Invariant: a
//! key is read through its definition, never through its name, so a value cannot have another type
//! than its key.

use crate::cute::{AnyLayout, Coord, IntTuple, Layout, Tiler};
use crate::diagnostic::{Diagnostic, Level};
use crate::expr::{Scope, Value};
use crate::figure::input::entry::{Entry, Part, Problem};
use crate::figure::input::key::{Key, KeyDef};
use crate::figure::input::value::{Expression, Given, Parsed, ValueType};
use std::collections::BTreeMap;

/// The typed values of one figure.
#[derive(Debug)]
pub struct Keys<'a> {
    kind: &'static str,
    entries: &'a [Entry],
    scope: Scope<'a>,
    /// Where each key stands: an index into the entries.
    at: BTreeMap<&'a str, usize>,
    values: Vec<Checked>,
}

/// The value of an entry.
#[derive(Debug)]
pub(super) struct Checked {
    /// What it is.
    pub(super) parsed: Parsed,
    /// Whether the automatic anchor is made of it, too.
    pub(super) input: bool,
    /// Whether it has no effect here: inherited from the book, for other figures.
    pub(super) idle: bool,
}

impl<'a> Keys<'a> {
    /// Starts without values; [`Self::push`] adds one per entry.
    pub(super) fn new(kind: &'static str, entries: &'a [Entry], scope: Scope<'a>) -> Self {
        Self { kind, entries, scope, at: BTreeMap::new(), values: Vec::new() }
    }

    /// Adds the value of the next entry; returns whether its key was there before.
    pub(super) fn push(&mut self, checked: Checked) -> bool {
        let index = self.values.len();
        self.values.push(checked);
        self.entries.get(index).is_some_and(|entry| self.at.insert(&entry.key, index).is_some())
    }

    pub(super) fn scope_mut(&mut self) -> &mut Scope<'a> {
        &mut self.scope
    }

    /// Returns the word of the kind.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        self.kind
    }

    /// Returns what the author wrote, in the order of the source.
    #[must_use]
    pub const fn entries(&self) -> &'a [Entry] {
        self.entries
    }

    /// Returns the functions and names that the figure's expressions see: the book's, its `let`
    /// lines and its own keys.
    #[must_use]
    pub const fn scope(&self) -> &Scope<'a> {
        &self.scope
    }

    fn given(&self, name: &str) -> Option<Given<'_>> {
        let &at = self.at.get(name)?;
        let checked = self.values.get(at).filter(|checked| !checked.idle)?;
        Some(Given { text: self.entries.get(at)?.value.trim(), parsed: &checked.parsed })
    }

    /// Returns whether a key was given.
    #[must_use]
    pub fn has(&self, key: &dyn KeyDef) -> bool {
        self.given(key.name()).is_some()
    }

    /// Returns the value of a key, or what leaving it out stands for.
    #[must_use]
    pub fn get<V: ValueType>(&self, key: &Key<V>) -> V::Out<'_> {
        key.value.read(self.given(key.name))
    }

    /// Returns a value as written, without blanks around it.
    #[must_use]
    pub fn written(&self, key: &dyn KeyDef) -> Option<&str> {
        self.given(key.name()).map(|given| given.text)
    }

    /// Reads an expression as what the kind needs, e.g. `keys.read(&PROJ, Value::to_coord)`.
    ///
    /// # Errors
    /// A value that is something else, at its place.
    pub fn read<T>(
        &self,
        key: &Key<Expression>,
        convert: impl FnOnce(&Value) -> Result<T, Diagnostic>,
    ) -> Result<Option<T>, Problem> {
        let read = match (self.get(key), key.value.default) {
            (Some(evaluated), _) => convert(&evaluated.value).map(Some),
            (None, Some(default)) => {
                self.scope.evaluate(default).and_then(|found| convert(&found.value)).map(Some)
            }
            (None, None) => Ok(None),
        };
        read.map_err(|diagnostic| self.problem(key, diagnostic))
    }

    /// Reads an expression that must be there.
    ///
    /// # Errors
    /// As [`Self::read`], and a missing key.
    pub fn need<T>(
        &self,
        key: &Key<Expression>,
        convert: impl FnOnce(&Value) -> Result<T, Diagnostic>,
    ) -> Result<T, Problem> {
        self.read(key, convert)?.ok_or_else(|| self.missing(key))
    }

    /// Reads a layout of either kind that must be there; a shape is its compact layout.
    ///
    /// # Errors
    /// As [`Self::need`].
    pub fn layout(&self, key: &Key<Expression>) -> Result<AnyLayout, Problem> {
        self.need(key, Value::to_layout)
    }

    /// Reads a layout of shape and stride that must be there.
    ///
    /// # Errors
    /// As [`Self::need`].
    pub fn plain(&self, key: &Key<Expression>) -> Result<Layout, Problem> {
        self.need(key, Value::to_plain)
    }

    /// Reads a tiler that must be there.
    ///
    /// # Errors
    /// As [`Self::need`].
    pub fn tiler(&self, key: &Key<Expression>) -> Result<Tiler, Problem> {
        self.need(key, Value::to_tiler)
    }

    /// Reads a shape, or another complete tuple of integers, that must be there.
    ///
    /// # Errors
    /// As [`Self::need`].
    pub fn ints(&self, key: &Key<Expression>) -> Result<IntTuple, Problem> {
        self.need(key, Value::to_ints)
    }

    /// Reads a coordinate, in which `_` may stand, that must be there.
    ///
    /// # Errors
    /// As [`Self::need`].
    pub fn coord(&self, key: &Key<Expression>) -> Result<Coord, Problem> {
        self.need(key, Value::to_coord)
    }

    /// Returns the messages of evaluation in order, each at its key; the same warning of a key and of
    /// one that uses it comes once.
    #[must_use]
    pub fn messages(&self) -> Vec<Problem> {
        let mut out: Vec<Problem> = Vec::new();
        for (index, value) in self.values.iter().enumerate() {
            let Parsed::Expression(evaluated) = &value.parsed else { continue };
            for message in &evaluated.messages {
                let known = |old: &Problem| {
                    old.diagnostic.code == message.code && old.diagnostic.text == message.text
                };
                if !out.iter().any(known) && message.level != Level::Error {
                    out.push(Problem { part: Part::Value(index), diagnostic: message.clone() });
                }
            }
        }
        out
    }

    /// Returns the inputs in one notation, sorted by key: what an automatic id is made of, and
    /// what an old link is compared with. Captions, labels, colors and expectations are not in it.
    #[must_use]
    pub fn inputs(&self) -> Vec<(&'a str, String)> {
        self.at
            .iter()
            .filter_map(|(&key, &at)| {
                let checked = self.values.get(at).filter(|checked| checked.input)?;
                Some((key, canonical(&checked.parsed, &self.entries.get(at)?.value)))
            })
            .collect()
    }

    /// Puts a message at the value of a key. A span in the message counts bytes of that value.
    #[must_use]
    pub fn problem(&self, key: &dyn KeyDef, diagnostic: Diagnostic) -> Problem {
        let part = self.at.get(key.name()).map_or(Part::Figure, |&at| Part::Value(at));
        Problem { part, diagnostic }
    }

    /// Reports that a key is needed here.
    #[must_use]
    pub fn missing(&self, key: &dyn KeyDef) -> Problem {
        Problem { part: Part::Figure, diagnostic: missing(self.kind, key) }
    }
}

/// Reports that a figure needs a key.
pub(super) fn missing(kind: &str, key: &dyn KeyDef) -> Diagnostic {
    let name = key.name();
    Diagnostic::error("missing-key", format!("`{kind}` needs the key `{name}`"))
        .hint(format!("add `{name} = ...`: {}", key.doc().trim_end_matches('.')))
}

/// Writes a value so that two ways of writing the same one agree. Automatic anchors are hashes of it:
/// it never changes.
fn canonical(value: &Parsed, text: &str) -> String {
    match value {
        Parsed::Expression(evaluated) => match evaluated.element_bits {
            Some(bits) => format!("{} [{bits}b]", evaluated.value),
            None => evaluated.value.to_string(),
        },
        Parsed::Number(number) => number.to_string(),
        Parsed::Flag(flag) => flag.to_string(),
        Parsed::List(items) => {
            items.iter().map(|item| item.text.as_str()).collect::<Vec<_>>().join(",")
        }
        Parsed::Text | Parsed::Word(_) | Parsed::Element(_) | Parsed::Arch(_) => {
            text.split_whitespace().collect::<Vec<_>>().join(" ")
        }
    }
}
