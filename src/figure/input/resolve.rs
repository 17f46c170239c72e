//! Checks a [`Spec`] against the table of keys and reads its values.
//!
//! In: a spec and the scope of the book: functions and names. Expressions are evaluated in the order
//! of the source; each names itself for the ones behind it. Out: [`Keys`], which the kinds ask for typed values, or
//! every problem of the spec at once, in the order of the source. Invariant: a [`Keys`] that exists
//! has no unknown, doubled or missing key and no value of the wrong type, so a kind only checks
//! what its values mean to each other.

use crate::cute::{AnyLayout, Coord, IntTuple, Layout, Tiler};
use crate::diagnostic::{Diagnostic, Level, Span};
use crate::expr::{Evaluated, Scope, Value};
use crate::figure::input::keys::{Key, KeyType, Need, all_keys, find_key, keys_of, nearest_key};
use crate::figure::input::spec::{Part, Problem, Spec, nearest};
use crate::hardware::dtype::ElementType;
use std::collections::{BTreeMap, BTreeSet};

/// The typed values of one figure.
#[derive(Debug)]
pub struct Keys<'a> {
    spec: &'a Spec,
    scope: Scope<'a>,
    /// Where each key stands: an index into the spec's entries.
    at: BTreeMap<&'a str, usize>,
    values: Vec<Parsed>,
}

/// A value after its type was checked.
#[derive(Clone, Debug, PartialEq)]
enum Parsed {
    Text,
    Expression(Box<Evaluated>),
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
pub fn resolve<'a>(spec: &'a Spec, scope: &Scope<'a>) -> Result<Keys<'a>, Vec<Problem>> {
    let mut problems = missing_keys(spec);
    let mut keys = Keys { spec, scope: scope.clone(), at: BTreeMap::new(), values: Vec::new() };
    let mut failed: BTreeSet<&str> = BTreeSet::new();
    for (index, entry) in spec.entries.iter().enumerate() {
        let parsed = match parse(spec, index, &mut keys.scope) {
            Ok(parsed) => parsed,
            Err(problem) => {
                // A name whose own value was refused is no second fault.
                let follows = problem.diagnostic.code == "name"
                    && failed.iter().any(|name| has_word(&entry.value, name));
                if !follows {
                    problems.push(problem);
                }
                failed.insert(entry.key.strip_prefix("let ").unwrap_or(&entry.key));
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
fn parse(spec: &Spec, index: usize, scope: &mut Scope<'_>) -> Result<Parsed, Problem> {
    let entry = &spec.entries[index];
    let value = entry.value.as_str();
    let wrong = |diagnostic| Problem { part: Part::Value(index), diagnostic };
    if entry.key.starts_with("expect.") {
        return Ok(Parsed::Text);
    }
    if let Some(name) = entry.key.strip_prefix("let ") {
        let evaluated = scope.evaluate(value).map_err(wrong)?;
        return match scope.define(name, evaluated.clone()) {
            Ok(()) => Ok(Parsed::Expression(Box::new(evaluated))),
            Err(diagnostic) => Err(Problem { part: Part::Key(index), diagnostic }),
        };
    }
    let Some(key) = find_key(spec.kind, &entry.key) else {
        return Err(Problem { part: Part::Key(index), diagnostic: unknown_key(spec, &entry.key) });
    };
    if key.kind == KeyType::Expression {
        let evaluated = scope.evaluate(value).map_err(wrong)?;
        // Keys with a hyphen are no names of the notation; they are just not defined.
        let _ = scope.define(key.name, evaluated.clone());
        return Ok(Parsed::Expression(Box::new(evaluated)));
    }
    check(key, value).map_err(wrong)
}

/// Reads a value that is no expression.
fn check(key: &Key, value: &str) -> Result<Parsed, Diagnostic> {
    match key.kind {
        KeyType::Expression | KeyType::Text => Ok(Parsed::Text),
        KeyType::Name if value.trim().is_empty() => {
            let text = format!("`{}` is empty; a name is expected", key.name);
            Err(Diagnostic::error("bad-value", text))
        }
        KeyType::Name => Ok(Parsed::Text),
        KeyType::Number => number(key.name, value).map(Parsed::Number),
        KeyType::NumberOr(words) => match words.iter().find(|word| **word == value.trim()) {
            Some(word) => Ok(Parsed::Word(word)),
            None => number(key.name, value)
                .map(Parsed::Number)
                .map_err(|error| error.hint(format!("or one of {}", words.join(", ")))),
        },
        KeyType::Flag => match value.trim() {
            "yes" | "true" => Ok(Parsed::Flag(true)),
            "no" | "false" => Ok(Parsed::Flag(false)),
            other => {
                let text = format!("`{}` is yes or no, not `{other}`", key.name);
                Err(Diagnostic::error("bad-value", text))
            }
        },
        KeyType::Word(words) => word(key.name, value, words).map(Parsed::Word),
        KeyType::List(words) => {
            let items = split_list(value);
            if !words.is_empty() {
                for item in &items {
                    word(key.name, &item.text, words).map_err(|error| error.at(item.span))?;
                }
            }
            Ok(Parsed::List(items))
        }
    }
}

/// Checks a value that stands in no figure, as the defaults of a book do.
///
/// # Errors
/// Values that no figure could take.
pub fn check_value(key: &Key, value: &str) -> Result<(), Diagnostic> {
    check(key, value).map(|_| ())
}

/// Returns whether a word stands in a text by itself.
fn has_word(text: &str, word: &str) -> bool {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').any(|piece| piece == word)
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

impl<'a> Keys<'a> {
    /// Returns the spec that was resolved.
    #[must_use]
    pub const fn spec(&self) -> &'a Spec {
        self.spec
    }

    /// Returns the functions and names that the figure's expressions see: the book's, its `let`
    /// lines and its own keys.
    #[must_use]
    pub const fn scope(&self) -> &Scope<'a> {
        &self.scope
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

    /// Returns the element type that a text names.
    ///
    /// # Errors
    /// A name that is no type, at its key.
    pub fn element_type(&self, name: &str) -> Result<Option<ElementType>, Problem> {
        let ty = self.text(name).map(ElementType::read).transpose();
        ty.map_err(|error| self.problem(name, error))
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

    /// Returns an expression's value with what is known about it: element width, byte swizzle,
    /// warnings. [`crate::figure::build()`] adds the warnings to the notes of the figure.
    #[must_use]
    pub fn evaluated(&self, name: &str) -> Option<&Evaluated> {
        match self.parsed(name) {
            Some(Parsed::Expression(evaluated)) => Some(evaluated),
            _ => None,
        }
    }

    /// Reads an expression as what the kind wants, e.g. `keys.read("proj", Value::to_coord)`.
    ///
    /// # Errors
    /// A value that is something else, at its place.
    pub fn read<T>(
        &self,
        name: &str,
        convert: impl FnOnce(&Value) -> Result<T, Diagnostic>,
    ) -> Result<Option<T>, Problem> {
        self.evaluated(name)
            .map(|evaluated| convert(&evaluated.value))
            .transpose()
            .map_err(|diagnostic| self.problem(name, diagnostic))
    }

    /// Reads an expression that must be there.
    ///
    /// # Errors
    /// As [`Self::read`], and a missing key.
    pub fn need<T>(
        &self,
        name: &str,
        convert: impl FnOnce(&Value) -> Result<T, Diagnostic>,
    ) -> Result<T, Problem> {
        self.read(name, convert)?.ok_or_else(|| self.missing(name))
    }

    /// Reads a layout of either kind that must be there; a shape is its compact layout.
    ///
    /// # Errors
    /// As [`Self::need`].
    pub fn layout(&self, name: &str) -> Result<AnyLayout, Problem> {
        self.need(name, Value::to_layout)
    }

    /// Reads a layout of shape and stride that must be there.
    ///
    /// # Errors
    /// As [`Self::need`].
    pub fn plain(&self, name: &str) -> Result<Layout, Problem> {
        self.need(name, Value::to_plain)
    }

    /// Reads a tiler that must be there.
    ///
    /// # Errors
    /// As [`Self::need`].
    pub fn tiler(&self, name: &str) -> Result<Tiler, Problem> {
        self.need(name, Value::to_tiler)
    }

    /// Reads a shape, or another complete tuple of integers, that must be there.
    ///
    /// # Errors
    /// As [`Self::need`].
    pub fn ints(&self, name: &str) -> Result<IntTuple, Problem> {
        self.need(name, Value::to_ints)
    }

    /// Reads a coordinate, in which `_` may stand, that must be there.
    ///
    /// # Errors
    /// As [`Self::need`].
    pub fn coord(&self, name: &str) -> Result<Coord, Problem> {
        self.need(name, Value::to_coord)
    }

    /// Returns what evaluating the keys gave to say, in order, each at its key; the same warning
    /// of a key and of one that uses it comes once.
    #[must_use]
    pub fn messages(&self) -> Vec<Problem> {
        let mut out: Vec<Problem> = Vec::new();
        for (index, value) in self.values.iter().enumerate() {
            let Parsed::Expression(evaluated) = value else { continue };
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
    /// what an old link is compared with. Captions, labels, colours and expectations are not in it.
    #[must_use]
    pub fn inputs(&self) -> Vec<(&'a str, String)> {
        let own = keys_of(self.spec.kind).keys.iter().map(|key| key.name);
        let mut inputs: Vec<_> = own
            .chain(["dtype"])
            .filter_map(|name| {
                let (&key, &at) = self.at.get_key_value(name)?;
                Some((key, canonical(&self.values[at], &self.spec.entries[at].value)))
            })
            .collect();
        inputs.sort();
        inputs
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

/// Writes a value so that two ways of writing the same one agree.
fn canonical(value: &Parsed, text: &str) -> String {
    match value {
        Parsed::Expression(evaluated) => match evaluated.element_bits {
            Some(bits) => format!("{} [{bits}b]", evaluated.value),
            None => evaluated.value.to_string(),
        },
        Parsed::Number(number) => number.to_string(),
        Parsed::Flag(flag) => flag.to_string(),
        Parsed::Word(word) => (*word).to_owned(),
        Parsed::List(items) => {
            items.iter().map(|item| item.text.as_str()).collect::<Vec<_>>().join(",")
        }
        Parsed::Text => text.split_whitespace().collect::<Vec<_>>().join(" "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::Functions;
    use crate::figure::input::spec::{Entry, Kind};

    fn spec(kind: Kind, entries: &[(&str, &str)]) -> Spec {
        Spec::new(kind, entries.iter().map(|(key, value)| Entry::new(*key, *value)).collect())
    }

    #[test]
    fn all_problems_come_at_once_in_order() {
        let spec = spec(
            Kind::Divide,
            &[("op", "ziped"), ("titel", "x"), ("A", "4:1"), ("A", "5:1"), ("offsets", "maybe")],
        );
        let functions = Functions::core();
        let problems = resolve(&spec, &Scope::new(&functions)).unwrap_err();
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
        let functions = Functions::core();
        let keys = resolve(&spec, &Scope::new(&functions)).unwrap();
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
        let functions = Functions::core();
        let problems = resolve(&spec, &Scope::new(&functions)).unwrap_err();
        assert_eq!(problems[0].diagnostic.span, Some(Span::new(7, 11)));
        assert_eq!(problems[0].key_and_span(&spec), (Some("show"), Some(Span::new(7, 11))));
    }

    #[test]
    fn earlier_keys_and_let_lines_are_names() {
        let spec = spec(
            Kind::Divide,
            &[("let t", "<2:1, 4:1>"), ("A", "(4,8)"), ("tiler", "t"), ("offsets", "no")],
        );
        let functions = Functions::core();
        let keys = resolve(&spec, &Scope::new(&functions)).unwrap();
        assert_eq!(keys.tiler("tiler").unwrap().to_string(), "<2:1,4:1>");
        assert_eq!(
            keys.inputs(),
            [
                ("A", "(4,8)".to_owned()),
                ("offsets", "false".to_owned()),
                ("tiler", "<2:1,4:1>".to_owned())
            ]
        );
    }

    #[test]
    fn a_name_whose_value_was_refused_is_no_second_fault() {
        let spec = spec(
            Kind::Divide,
            &[("let t", "<2:1, 4:1"), ("A", "(4,8)"), ("tiler", "composition(A, t)")],
        );
        let functions = Functions::core();
        let problems = resolve(&spec, &Scope::new(&functions)).unwrap_err();
        assert_eq!(problems.len(), 1, "{problems:?}");
        assert_eq!(problems[0].part, Part::Value(0));
    }
}
