//! One key of a kind: its name, the type of its value, its default and its meaning.
//!
//! In: the text that an author wrote. Out: a checked value, typed by the key it is read through.
//! Invariant: whatever lists, checks or reads a key goes through its one definition, so the reference,
//! the messages and the kinds cannot disagree.

use crate::diagnostic::Diagnostic;
use crate::figure::input::value::{Form, Parsed, ValueType};
use std::fmt;

/// A key whose value is a `V`.
#[derive(Clone, Copy, Debug)]
pub struct Key<V> {
    /// What an author writes.
    pub name: &'static str,
    /// What its value may be.
    pub value: V,
    /// What the key is for.
    pub role: Role,
    /// What it means, as a sentence for the reference.
    pub doc: &'static str,
}

/// What a key is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It changes what is computed or drawn, and the automatic anchor.
    Input,
    /// As an input, but also a property of the surroundings (the element type, the target): accepted
    /// where it has no effect.
    Context,
    /// It changes how a figure looks; the automatic anchor stays.
    Look,
    /// It names or describes the figure; every kind takes it.
    Frame,
}

impl<V: Copy> Key<V> {
    /// Defines an input.
    pub const fn new(name: &'static str, value: V, doc: &'static str) -> Self {
        Self { name, value, role: Role::Input, doc }
    }

    /// Returns the key in another role.
    #[must_use]
    pub const fn role(self, role: Role) -> Self {
        Self { name: self.name, value: self.value, role, doc: self.doc }
    }
}

/// A key of any type, for lists of keys.
pub trait KeyDef: Sync + fmt::Debug {
    /// Returns what an author writes.
    fn name(&self) -> &'static str;
    /// Returns what it means, as a sentence.
    fn doc(&self) -> &'static str;
    /// Returns what it is for.
    fn role(&self) -> Role;
    /// Returns the type of its value.
    fn form(&self) -> Form;
    /// Returns the words that are allowed, where they are known.
    fn words(&self) -> Vec<&'static str>;
    /// Returns the value that leaving the key out stands for, where there is one.
    fn default(&self) -> Option<String>;
    /// Checks a value that is no expression.
    ///
    /// # Errors
    /// A value of another type, or a word that is not in the list.
    fn check(&self, value: &str) -> Result<Parsed, Diagnostic>;
}

impl<V: ValueType> KeyDef for Key<V> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn doc(&self) -> &'static str {
        self.doc
    }

    fn role(&self) -> Role {
        self.role
    }

    fn form(&self) -> Form {
        self.value.form()
    }

    fn words(&self) -> Vec<&'static str> {
        self.value.words()
    }

    fn default(&self) -> Option<String> {
        self.value.default()
    }

    fn check(&self, value: &str) -> Result<Parsed, Diagnostic> {
        self.value.check(self.name, value)
    }
}
