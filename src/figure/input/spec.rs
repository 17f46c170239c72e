//! What an author asked for: a kind and its keys, before anybody knows whether they make sense.
//!
//! In: entries of a block, a gallery or a JSON line. Out: a [`Spec`] for [`crate::figure::build()`].
//! Invariant: entries stand in the order of the source.

use crate::figure::input::entry::Entry;
use crate::figure::input::kind::Kind;

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
