//! The definition of a kind of figure: everything that anybody needs to know about it.
//!
//! In: what the file of a kind writes down. Out: keys and their conditions for the resolver, words for
//! the reference, forms for deep links, examples for tests and readers. Invariant: a key that an
//! operation lists has an effect on it, which its witness proves; a key that it does not list is
//! refused.

use crate::diagnostic::Diagnostic;
use crate::figure::input::entry::{Entry, Problem};
use crate::figure::input::frame::FRAME;
use crate::figure::input::key::{KeyDef, Role};
use crate::figure::input::keys::Keys;
use crate::figure::input::value::{Form, Parsed};
use crate::figure::model::figure::Figure;
use std::fmt;
use std::ops::Deref;

/// A kind of figure.
#[derive(Clone, Copy)]
pub struct Kind(pub &'static KindDef);

/// What a kind is.
#[derive(Debug)]
pub struct KindDef {
    /// What an author writes.
    pub name: &'static str,
    /// What it draws, as a sentence.
    pub doc: &'static str,
    /// The key `op`, where there is more than one operation.
    pub op: Option<&'static OpKey>,
    /// What can be drawn; the first is the default.
    pub ops: &'static [OpDef],
    /// Which picture stands for the figure where there is room for one.
    pub thumbnail: Thumbnail,
    /// The links of the browser tool that lead here.
    pub deep_links: &'static [DeepLink],
}

/// One thing that a kind can draw.
#[derive(Debug)]
pub struct OpDef {
    /// The word of the key `op`; empty where the kind draws one thing.
    pub name: &'static str,
    /// What it draws, as a sentence.
    pub doc: &'static str,
    /// The keys that have an effect, in groups that operations may share.
    pub keys: &'static [&'static [Use]],
    /// Builds the figure.
    pub build: Build,
    /// The body of a block that draws it, without `op`: one `key = value` per line.
    pub example: &'static str,
}

/// Builds a figure from the values of its keys.
pub type Build = fn(&Keys<'_>) -> Result<Figure, Problem>;

/// How an operation takes a key.
#[derive(Clone, Copy, Debug)]
pub struct Use {
    /// The key.
    pub key: &'static dyn KeyDef,
    /// Whether it must be given.
    pub need: Need,
    /// A line that changes the outcome of the example; lines after it are further keys that this
    /// needs, or, without a value, keys of the example that it excludes.
    pub witness: &'static str,
    /// What must hold for the key to have an effect.
    pub when: &'static [When],
}

/// Whether a key must be given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// May be left out.
    Optional,
    /// Must be given.
    Required,
    /// Must be given, and is what a body without keys gives.
    Main,
}

/// What must hold for a key to have an effect.
#[derive(Clone, Copy, Debug)]
pub enum When {
    /// Another key has one of these words, given or by default.
    Is(&'static dyn KeyDef, &'static [&'static str]),
    /// Another key is given; the code of the refusal.
    Given(&'static dyn KeyDef, &'static str),
    /// Another key is not given.
    Absent(&'static dyn KeyDef),
}

/// The key that chooses the operation.
#[derive(Debug)]
pub struct OpKey {
    /// What is chosen, as a sentence.
    pub doc: &'static str,
    /// The operations.
    pub ops: &'static [OpDef],
}

/// Which panel stands for a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thumbnail {
    /// The first one.
    First,
    /// The last one: the operands look alike.
    Result,
}

/// A form of link of the browser tool.
#[derive(Debug)]
pub struct DeepLink {
    /// The word that the link starts with.
    pub word: &'static str,
    /// The operation.
    pub op: Option<&'static str>,
    /// The keys that its arguments give, in order.
    pub keys: &'static [&'static dyn KeyDef],
}

impl KindDef {
    /// Returns every key of the kind once: `op`, its own in order, then those of every kind.
    pub fn keys(&self) -> impl Iterator<Item = &'static dyn KeyDef> {
        let mut own: Vec<&'static dyn KeyDef> = Vec::new();
        own.extend(self.op.map(|op| -> &'static dyn KeyDef { op }));
        own.extend(self.own_keys());
        let common = FRAME.iter().copied();
        let common: Vec<_> =
            common.filter(|key| !own.iter().any(|own| own.name() == key.name())).collect();
        own.into_iter().chain(common)
    }

    /// Returns the kind's own keys once, in order, without `op`.
    #[must_use]
    pub fn own_keys(&self) -> Vec<&'static dyn KeyDef> {
        let mut own: Vec<&'static dyn KeyDef> = Vec::new();
        for used in self.ops.iter().flat_map(OpDef::uses) {
            if !own.iter().any(|key| key.name() == used.key.name()) {
                own.push(used.key);
            }
        }
        own
    }

    /// Returns how each operation that takes a key takes it.
    pub fn uses_of(&self, name: &str) -> impl Iterator<Item = &'static Use> {
        self.ops.iter().filter_map(move |op| op.takes(name))
    }

    /// Finds a key of any operation.
    #[must_use]
    pub fn key(&self, name: &str) -> Option<&'static dyn KeyDef> {
        self.keys_named(name).next()
    }

    /// Returns the definitions of a key, which may differ between operations.
    pub fn keys_named(&self, name: &str) -> impl Iterator<Item = &'static dyn KeyDef> {
        let op = self.op.map(|op| -> &'static dyn KeyDef { op });
        let own = self.ops.iter().flat_map(OpDef::uses).map(|used| used.key);
        op.into_iter().chain(own).chain(FRAME.iter().copied()).filter(move |key| key.name() == name)
    }

    /// Returns whether a word alone means `yes`.
    #[must_use]
    pub fn is_flag(&self, name: &str) -> bool {
        self.key(name).is_some_and(|key| key.form() == Form::Flag)
    }

    /// Returns the key that a body without keys gives, where the kind has one.
    #[must_use]
    pub fn main_key(&self) -> Option<&'static str> {
        let mut uses = self.ops.iter().flat_map(OpDef::uses);
        uses.find(|used| used.need == Need::Main).map(|used| used.key.name())
    }

    /// Returns the operation of a word.
    #[must_use]
    pub fn op_named(&self, word: &str) -> Option<&'static OpDef> {
        self.ops.iter().find(|op| op.name == word)
    }

    /// Returns the words of the operations that take a key.
    #[must_use]
    pub fn ops_with(&self, key: &str) -> Vec<&'static str> {
        self.ops.iter().filter(|op| op.takes(key).is_some()).map(|op| op.name).collect()
    }
}

impl OpDef {
    /// Returns the keys that have an effect.
    pub fn uses(&self) -> impl Iterator<Item = &'static Use> + use<> {
        self.keys.iter().flat_map(|group| group.iter())
    }

    /// Returns how the operation takes a key.
    #[must_use]
    pub fn takes(&self, key: &str) -> Option<&'static Use> {
        self.uses().find(|used| used.key.name() == key)
    }

    /// Returns the example as entries, without `op`.
    #[must_use]
    pub fn example_entries(&self) -> Vec<Entry> {
        entries(self.example)
    }
}

/// Reads `key = value` lines.
#[must_use]
pub fn entries(lines: &str) -> Vec<Entry> {
    let pairs = lines.lines().filter_map(|line| line.split_once('='));
    pairs.map(|(key, value)| Entry::new(key.trim(), value.trim())).collect()
}

impl Use {
    /// Takes a key that may be left out.
    #[must_use]
    pub const fn optional(key: &'static dyn KeyDef, witness: &'static str) -> Self {
        Self { key, need: Need::Optional, witness, when: &[] }
    }

    /// Takes a key that must be given.
    #[must_use]
    pub const fn required(key: &'static dyn KeyDef, witness: &'static str) -> Self {
        Self { key, need: Need::Required, witness, when: &[] }
    }

    /// Takes the key that a body without keys gives.
    #[must_use]
    pub const fn main(key: &'static dyn KeyDef, witness: &'static str) -> Self {
        Self { key, need: Need::Main, witness, when: &[] }
    }

    /// Adds what must hold for the key to have an effect.
    #[must_use]
    pub const fn when(self, when: &'static [When]) -> Self {
        Self { key: self.key, need: self.need, witness: self.witness, when }
    }
}

impl When {
    /// Returns the refusal of the key `name`, if the condition does not hold. `given` finds the text
    /// of a key.
    #[must_use]
    pub fn unmet<'e>(
        &self,
        name: &str,
        given: impl Fn(&str) -> Option<&'e str>,
    ) -> Option<Diagnostic> {
        let idle = |why: String| {
            Diagnostic::error("unused-key", format!("`{name}` has no effect {why}"))
                .hint(format!("remove `{name}`"))
        };
        match self {
            Self::Is(key, words) => {
                let switch = key.name();
                let found = given(switch).map(|text| text.trim().to_owned()).or(key.default());
                let meets = found.is_some_and(|found| words.contains(&found.as_str()));
                let list: Vec<_> =
                    words.iter().map(|word| format!("`{switch} = {word}`")).collect();
                let wanted = list.join(" or ");
                (!meets).then(|| idle(format!("without {wanted}")))
            }
            Self::Given(key, code) => {
                let key = key.name();
                let text = || format!("`{name}` requires `{key}`");
                let hint = format!("add `{key} = ...`, or remove `{name}`");
                given(key).is_none().then(|| Diagnostic::error(code, text()).hint(hint))
            }
            Self::Absent(key) => {
                given(key.name()).is_some().then(|| idle(format!("beside `{}`", key.name())))
            }
        }
    }
}

impl KeyDef for OpKey {
    fn name(&self) -> &'static str {
        "op"
    }

    fn doc(&self) -> &'static str {
        self.doc
    }

    fn role(&self) -> Role {
        Role::Input
    }

    fn form(&self) -> Form {
        Form::Word
    }

    fn words(&self) -> Vec<&'static str> {
        self.ops.iter().map(|op| op.name).collect()
    }

    fn default(&self) -> Option<String> {
        self.ops.first().map(|op| op.name.to_owned())
    }

    fn check(&self, value: &str) -> Result<Parsed, Diagnostic> {
        crate::figure::input::value::one_of(self.name(), value, &self.words()).map(Parsed::Word)
    }
}

impl Deref for Kind {
    type Target = KindDef;

    fn deref(&self) -> &KindDef {
        self.0
    }
}

impl Kind {
    /// Returns the word an author writes.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        self.0.name
    }
}

impl PartialEq for Kind {
    fn eq(&self, other: &Self) -> bool {
        self.0.name == other.0.name
    }
}

impl Eq for Kind {}

impl fmt::Debug for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Kind({})", self.0.name)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
