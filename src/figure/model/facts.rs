//! What a figure computed, under stable names.
//!
//! In: values as a kind finds them. Out: rows of the facts table and the members of the JSON
//! object that scripts and `expect.NAME` read. Invariant: names are kebab-case, never repeat, and
//! keep the order in which they were added; a list that grows with the input ends at [`LIST_ENTRIES`].

use crate::cute::AnyLayout;
use crate::figure::canvas::limits::LIST_ENTRIES;
use serde_json::{Map, Value};
use std::borrow::Cow;

/// One computed value.
#[derive(Clone, Debug, PartialEq)]
pub struct Fact {
    /// The stable kebab-case name.
    pub name: &'static str,
    /// What a reader is shown instead of the name.
    pub label: Cow<'static, str>,
    /// The value: text in the DSL's notation, number, boolean, array or object.
    pub value: Value,
}

/// The computed values of a figure in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Facts(Vec<Fact>);

impl Facts {
    /// Adds a value; its label is the name with blanks. A name that is there already is replaced.
    pub fn push(&mut self, name: &'static str, value: impl Into<Value>) {
        let label =
            if name.contains('-') { name.replace('-', " ").into() } else { Cow::Borrowed(name) };
        self.push_as(name, label, value);
    }

    /// Adds a value that exists only sometimes; absent means "does not apply".
    pub fn push_some(&mut self, name: &'static str, value: Option<impl Into<Value>>) {
        if let Some(value) = value {
            self.push(name, value);
        }
    }

    /// Adds a value with its own label.
    pub fn push_as(
        &mut self,
        name: &'static str,
        label: impl Into<Cow<'static, str>>,
        value: impl Into<Value>,
    ) {
        let fact = Fact { name, label: label.into(), value: value.into() };
        match self.0.iter_mut().find(|old| old.name == name) {
            Some(old) => *old = fact,
            None => self.0.push(fact),
        }
    }

    /// Adds a list, which ends at [`LIST_ENTRIES`]: the number of entries that are left out is the fact
    /// `left`, named `NAME-left`.
    pub fn push_list<V: Into<Value>>(
        &mut self,
        name: &'static str,
        left: &'static str,
        label: impl Into<Cow<'static, str>>,
        entries: impl ExactSizeIterator<Item = V>,
    ) {
        let label = label.into();
        let more = entries.len().saturating_sub(LIST_ENTRIES);
        let list: Vec<Value> = entries.take(LIST_ENTRIES).map(Into::into).collect();
        let left_label = format!("{label}, left out here");
        self.push_as(name, label, list);
        if more > 0 {
            self.push_as(left, left_label, more);
        }
    }

    /// Adds what every figure with one main result tells of it: how it is printed, its sizes, its
    /// nesting.
    pub fn push_result(&mut self, printed: impl ToString, layout: &AnyLayout) {
        self.push_text("result", printed);
        self.push("size", layout.size());
        self.push_some("cosize", layout.cosize().ok());
        self.push("rank", layout.rank());
        self.push("depth", layout.depth());
    }

    /// Adds the printed form of a layout, tiler, shape or coordinate.
    pub fn push_text(&mut self, name: &'static str, value: impl ToString) {
        self.push(name, value.to_string());
    }

    /// Returns the value of a name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.0.iter().find(|fact| fact.name == name).map(|fact| &fact.value)
    }

    /// Visits the values in order.
    pub fn iter(&self) -> impl Iterator<Item = &Fact> {
        self.0.iter()
    }

    /// Returns whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the object that scripts read.
    #[must_use]
    pub fn to_json(&self) -> Map<String, Value> {
        self.0.iter().map(|fact| (fact.name.to_owned(), fact.value.clone())).collect()
    }
}

impl Fact {
    /// Returns the value as a reader sees it: text bare, numbers and booleans as words, the rest
    /// as JSON.
    #[must_use]
    pub fn text(&self) -> Cow<'_, str> {
        plain(&self.value)
    }
}

/// Writes a value as a reader sees it; see [`Fact::text`].
#[must_use]
pub fn plain(value: &Value) -> Cow<'_, str> {
    match value {
        Value::String(text) => text.into(),
        Value::Bool(true) => "yes".into(),
        Value::Bool(false) => "no".into(),
        value => value.to_string().into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_ends_at_its_limit_and_the_rest_is_counted() {
        for (entries, listed, left) in [
            (0, 0, None),
            (LIST_ENTRIES, LIST_ENTRIES, None),
            (LIST_ENTRIES + 3, LIST_ENTRIES, Some(3)),
        ] {
            let mut facts = Facts::default();
            facts.push_list("rows", "rows-left", "rows", 0..entries);
            let list = facts.get("rows").and_then(Value::as_array).unwrap();
            assert_eq!(list.len(), listed);
            assert!(list.iter().enumerate().all(|(at, entry)| *entry == at));
            assert_eq!(facts.get("rows-left"), left.map(Value::from).as_ref());
        }
    }
}
