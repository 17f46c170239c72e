//! Checks a [`Spec`] against the table of keys and reads its values.
//!
//! In: a spec and the names of the book. Out: [`Keys`], which the kinds ask for typed values, or
//! every problem of the spec at once, in the order of the source. Invariant: a [`Keys`] that exists
//! has no unknown, doubled or missing key and no value of the wrong type, so a kind only checks
//! what its values mean to each other.

use super::keys::{KeyType, Need, all_keys, find_key, keys_of, nearest_key};
use super::spec::{Part, Problem, Spec, nearest};
use crate::diagnostic::{Diagnostic, Span};
use std::collections::BTreeMap;

/// The typed values of one figure.
#[derive(Debug)]
pub struct Keys<'a> {
    spec: &'a Spec,
    /// Where each key stands: an index into the spec's entries.
    at: BTreeMap<&'a str, usize>,
    values: Vec<Parsed>,
}

/// A value after its type was checked.
#[derive(Clone, Debug, PartialEq)]
enum Parsed {
    Text,
    Number(i64),
    Flag(bool),
    Word(&'static str),
    List(Vec<Item>),
}

/// One piece of a list, and where it stands in the value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// The piece without blanks around it.
    pub text: String,
    /// Its bytes in the value.
    pub span: Span,
}

/// Checks a spec and reads its values.
///
/// # Errors
/// All problems, in the order of the source; missing keys come first.
pub fn resolve<'a>(spec: &'a Spec) -> Result<Keys<'a>, Vec<Problem>> {
    let mut problems = missing_keys(spec);
    let mut keys = Keys { spec, at: BTreeMap::new(), values: Vec::new() };
    for (index, entry) in spec.entries.iter().enumerate() {
        let parsed = match parse(spec, index) {
            Ok(parsed) => parsed,
            Err(problem) => {
                problems.push(problem);
                Parsed::Text
            }
        };
        keys.values.push(parsed);
        // The same expectation may stand twice (two warnings, say); a key may not.
        if keys.at.insert(&entry.key, index).is_some() && !entry.key.starts_with("expect.") {
            let text = format!("`{}` is given twice", entry.key);
            let diagnostic = Diagnostic::error("doubled-key", text).hint("remove one of the two");
            problems.push(Problem { part: Part::Key(index), diagnostic });
        }
    }
    if problems.is_empty() { Ok(keys) } else { Err(problems) }
}

fn missing_keys(spec: &Spec) -> Vec<Problem> {
    let given = |name: &str| spec.get(name).is_some();
    keys_of(spec.kind)
        .keys
        .iter()
        .filter(|key| key.need != Need::Optional && !given(key.name))
        .map(|key| Problem { part: Part::Figure, diagnostic: missing(spec, key.name) })
        .collect()
}

fn missing(spec: &Spec, name: &str) -> Diagnostic {
    let doc = find_key(spec.kind, name).map_or("", |key| key.doc);
    Diagnostic::error("missing-key", format!("`{}` needs the key `{name}`", spec.kind))
        .hint(format!("add `{name} = ...`: {}", doc.trim_end_matches('.')))
}

/// Reads one value by the type of its key.
fn parse(spec: &Spec, index: usize) -> Result<Parsed, Problem> {
    let entry = &spec.entries[index];
    let value = entry.value.as_str();
    if entry.key.starts_with("expect.") {
        return Ok(Parsed::Text);
    }
    if let Some(name) = entry.key.strip_prefix("let ") {
        return if is_name(name) {
            Ok(Parsed::Text)
        } else {
            let text = format!("`{name}` is no name");
            let hint = "letters, digits and `_`, not starting with a digit";
            let diagnostic = Diagnostic::error("bad-name", text).hint(hint);
            Err(Problem { part: Part::Key(index), diagnostic })
        };
    }
    let Some(key) = find_key(spec.kind, &entry.key) else {
        return Err(Problem { part: Part::Key(index), diagnostic: unknown_key(spec, &entry.key) });
    };
    let wrong = |diagnostic| Problem { part: Part::Value(index), diagnostic };
    match key.kind {
        KeyType::Expression | KeyType::Text => Ok(Parsed::Text),
        KeyType::Name if value.trim().is_empty() => {
            let text = format!("`{}` is empty; a name is expected", entry.key);
            Err(wrong(Diagnostic::error("bad-value", text)))
        }
        KeyType::Name => Ok(Parsed::Text),
        KeyType::Number => number(&entry.key, value).map(Parsed::Number).map_err(wrong),
        KeyType::NumberOr(words) => match words.iter().find(|word| **word == value.trim()) {
            Some(word) => Ok(Parsed::Word(word)),
            None => number(&entry.key, value)
                .map(Parsed::Number)
                .map_err(|error| wrong(error.hint(format!("or one of {}", words.join(", "))))),
        },
        KeyType::Flag => match value.trim() {
            "yes" | "true" => Ok(Parsed::Flag(true)),
            "no" | "false" => Ok(Parsed::Flag(false)),
            other => {
                let text = format!("`{}` is yes or no, not `{other}`", entry.key);
                Err(wrong(Diagnostic::error("bad-value", text)))
            }
        },
        KeyType::Word(words) => word(&entry.key, value, words).map(Parsed::Word).map_err(wrong),
        KeyType::List(words) => {
            let items = split_list(value);
            if !words.is_empty() {
                for item in &items {
                    word(&entry.key, &item.text, words)
                        .map_err(|error| wrong(error.at(item.span)))?;
                }
            }
            Ok(Parsed::List(items))
        }
    }
}

fn unknown_key(spec: &Spec, name: &str) -> Diagnostic {
    let text = format!("`{name}` is no key of `{}`", spec.kind);
    let diagnostic = Diagnostic::error("unknown-key", text);
    match nearest_key(spec.kind, name) {
        Some(near) => diagnostic.hint(format!("did you mean `{near}`?")),
        None => {
            let own: Vec<_> = all_keys(spec.kind).map(|key| key.name).collect();
            diagnostic.hint(format!("its keys are {}", own.join(", ")))
        }
    }
}

fn number(key: &str, value: &str) -> Result<i64, Diagnostic> {
    value.trim().parse().map_err(|_| {
        let text = format!("`{key}` is a number, not `{}`", value.trim());
        Diagnostic::error("bad-value", text)
    })
}

fn word(
    key: &str,
    value: &str,
    words: &'static [&'static str],
) -> Result<&'static str, Diagnostic> {
    let value = value.trim();
    words.iter().find(|word| **word == value).copied().ok_or_else(|| {
        let text = format!("`{key}` is one of {}, not `{value}`", words.join(", "));
        let diagnostic = Diagnostic::error("bad-value", text);
        match nearest(value, words.iter().copied()) {
            Some(near) => diagnostic.hint(format!("did you mean `{near}`?")),
            None => diagnostic,
        }
    })
}

/// Splits at commas outside brackets and drops empty pieces.
fn split_list(value: &str) -> Vec<Item> {
    let mut items = Vec::new();
    let mut depth = 0_usize;
    let mut start = 0;
    let mut push = |start: usize, end: usize| {
        let piece = &value[start..end];
        let text = piece.trim();
        if !text.is_empty() {
            let from = start + (piece.len() - piece.trim_start().len());
            let span = Span::new(from, from + text.len());
            items.push(Item { text: text.to_owned(), span });
        }
    };
    for (at, c) in value.char_indices() {
        match c {
            '(' | '[' | '<' => depth += 1,
            ')' | ']' | '>' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                push(start, at);
                start = at + 1;
            }
            _ => {}
        }
    }
    push(start, value.len());
    items
}

/// Returns whether a word can be a name of the notation.
#[must_use]
pub fn is_name(word: &str) -> bool {
    let mut chars = word.chars();
    chars.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && word != "_"
        && chars.all(|c| c.is_ascii_alphanumeric() || c == '_')
}

impl<'a> Keys<'a> {
    /// Returns the spec that was resolved.
    #[must_use]
    pub const fn spec(&self) -> &'a Spec {
        self.spec
    }

    fn parsed(&self, name: &str) -> Option<&Parsed> {
        self.at.get(name).map(|&at| &self.values[at])
    }

    /// Returns whether a key was given.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.at.contains_key(name)
    }

    /// Returns a text or a name as written, without blanks around it.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<&'a str> {
        self.at.get(name).map(|&at| self.spec.entries[at].value.trim())
    }

    /// Returns a word of the table.
    #[must_use]
    pub fn word(&self, name: &str) -> Option<&'static str> {
        match self.parsed(name) {
            Some(Parsed::Word(word)) => Some(word),
            _ => None,
        }
    }

    /// Returns a number.
    #[must_use]
    pub fn number(&self, name: &str) -> Option<i64> {
        match self.parsed(name) {
            Some(Parsed::Number(number)) => Some(*number),
            _ => None,
        }
    }

    /// Returns a flag.
    #[must_use]
    pub fn flag(&self, name: &str) -> Option<bool> {
        match self.parsed(name) {
            Some(Parsed::Flag(flag)) => Some(*flag),
            _ => None,
        }
    }

    /// Returns the pieces of a list; empty when the key is absent.
    #[must_use]
    pub fn list(&self, name: &str) -> &[Item] {
        match self.parsed(name) {
            Some(Parsed::List(items)) => items,
            _ => &[],
        }
    }

    /// Puts a message at the value of a key. A span in the message counts bytes of that value.
    #[must_use]
    pub fn problem(&self, name: &str, diagnostic: Diagnostic) -> Problem {
        let part = self.at.get(name).map_or(Part::Figure, |&at| Part::Value(at));
        Problem { part, diagnostic }
    }

    /// Says that a key is needed here.
    #[must_use]
    pub fn missing(&self, name: &str) -> Problem {
        Problem { part: Part::Figure, diagnostic: missing(self.spec, name) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::spec::{Entry, Kind};
    use super::*;

    fn spec(kind: Kind, entries: &[(&str, &str)]) -> Spec {
        Spec::new(kind, entries.iter().map(|(key, value)| Entry::new(*key, *value)).collect())
    }

    #[test]
    fn all_problems_come_at_once_in_order() {
        let spec = spec(
            Kind::Divide,
            &[("op", "ziped"), ("titel", "x"), ("A", "4:1"), ("A", "5:1"), ("offsets", "maybe")],
        );
        let problems = resolve(&spec).unwrap_err();
        let texts: Vec<_> = problems.iter().map(|p| p.diagnostic.to_string()).collect();
        assert_eq!(
            texts,
            [
                "`divide` needs the key `tiler` (add `tiler = ...`: The tile: layout, shape or `<a,b>` by mode)",
                "`op` is one of logical, zipped, tiled, flat, not `ziped` (did you mean `zipped`?)",
                "`titel` is no key of `divide` (did you mean `title`?)",
                "`A` is given twice (remove one of the two)",
                "`offsets` is yes or no, not `maybe`",
            ]
        );
    }

    #[test]
    fn values_are_read_by_type() {
        let spec = spec(
            Kind::Tv,
            &[
                ("gmem-base", " 128 "),
                ("focus", "w0, 5 ,(1,2)"),
                ("view", "both"),
                ("show", "value"),
            ],
        );
        let keys = resolve(&spec).unwrap();
        assert_eq!(keys.number("gmem-base"), Some(128));
        let focus: Vec<_> = keys.list("focus").iter().map(|item| item.text.as_str()).collect();
        assert_eq!(focus, ["w0", "5", "(1,2)"]);
        assert_eq!(keys.list("focus")[1].span, Span::new(4, 5));
        assert_eq!(keys.word("view"), Some("both"));
        assert!(keys.list("aliases").is_empty());
    }

    #[test]
    fn a_bad_piece_of_a_list_is_pointed_at() {
        let spec = spec(Kind::Layout, &[("layout", "4:1"), ("show", "value, cord")]);
        let problems = resolve(&spec).unwrap_err();
        assert_eq!(problems[0].diagnostic.span, Some(Span::new(7, 11)));
        assert_eq!(problems[0].key_and_span(&spec), (Some("show"), Some(Span::new(7, 11))));
    }
}
