//! From the keys of a figure to the figure.

use mdbook_cute::expr::{Functions, Scope};
use mdbook_cute::figure::{Built, Entry, Kind, Problem, Spec, build};
use mdbook_cute::hardware::functions::functions;
use serde_json::Value as Json;
use std::sync::LazyLock;

/// All functions that a book has.
static FUNCTIONS: LazyLock<Functions> = LazyLock::new(functions);

/// Makes a spec of pairs, for keys that a test computes.
pub(crate) fn spec<K: AsRef<str>, V: AsRef<str>>(kind: Kind, keys: &[(K, V)]) -> Spec {
    let entry = |(key, value): &(K, V)| Entry::new(key.as_ref(), value.as_ref());
    Spec::new(kind, keys.iter().map(entry).collect())
}

/// Reads `divide | A = (4,8) | tiler = (2,4)`.
pub(crate) fn spec_of_line(line: &str) -> Spec {
    let mut parts = line.split(" | ");
    let kind = Kind::parse(parts.next().unwrap().trim()).unwrap();
    let entry = |part: &str| {
        let (key, value) = part.split_once('=').unwrap_or_else(|| panic!("{line}: `{part}`"));
        Entry::new(key.trim(), value.trim())
    };
    Spec::new(kind, parts.map(entry).collect())
}

/// Reads `{"kind": "divide", "A": "(4,8)", "tiler": "(2,4)"}`.
pub(crate) fn spec_of_record(record: &Json) -> Spec {
    let keys = record.as_object().unwrap();
    let kind = Kind::parse(keys["kind"].as_str().unwrap()).unwrap();
    let entries = keys.iter().filter(|(key, _)| *key != "kind").map(|(key, value)| {
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        Entry::new(key.clone(), text)
    });
    Spec::new(kind, entries.collect())
}

/// Builds a figure.
pub(crate) fn attempt(spec: &Spec) -> Result<Built, Vec<Problem>> {
    build(spec, &Scope::new(&FUNCTIONS))
}

/// Builds a figure that must be right.
pub(crate) fn built(spec: &Spec) -> Built {
    attempt(spec).unwrap_or_else(|problems| panic!("{}: {}", line(spec), messages(&problems)))
}

/// Returns the messages of a figure that must be refused.
pub(crate) fn refusal(spec: &Spec) -> String {
    match attempt(spec) {
        Ok(built) => panic!("{} was built: {:?}", line(spec), built.figure.facts),
        Err(problems) => messages(&problems),
    }
}

/// Writes problems with their hints in one line.
pub(crate) fn messages(problems: &[Problem]) -> String {
    problems.iter().map(|p| p.diagnostic.to_string()).collect::<Vec<_>>().join("; ")
}

/// Returns a fact that a figure must have.
pub(crate) fn fact(built: &Built, name: &str) -> Json {
    let found = built.figure.facts.get(name).cloned();
    found.unwrap_or_else(|| panic!("no fact `{name}` in {:?}", built.figure.facts))
}

/// Returns a fact that a figure must have as text.
pub(crate) fn fact_text(built: &Built, name: &str) -> String {
    match fact(built, name) {
        Json::String(text) => text,
        other => other.to_string(),
    }
}

/// Writes a spec in one line.
pub(crate) fn line(spec: &Spec) -> String {
    let keys = spec.entries.iter().map(|entry| format!(" | {} = {}", entry.key, entry.value));
    format!("{}{}", spec.kind, keys.collect::<String>())
}

/// Names a figure by its spec in letters that every file system takes: `divide-A-4.4_1.4-tiler-2.2`.
pub(crate) fn slug(spec: &Spec) -> String {
    let mut slug = spec.kind.to_string();
    for entry in &spec.entries {
        let value = entry.value.chars().filter_map(|c| match c {
            ':' => Some('_'),
            ',' => Some('.'),
            c if c.is_ascii_alphanumeric() || "@-_".contains(c) => Some(c),
            _ => None,
        });
        slug.push_str(&format!("-{}-{}", entry.key, value.collect::<String>()));
    }
    slug
}
