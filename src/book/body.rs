//! Reads the body of a block: lines with keys, comments, and the main input.
//!
//! In: the text between the fences and the kind. Out: the entries, each with its place. Invariant:
//! every line is a comment, belongs to one key, or belongs to the main input.

use super::text::{EntryMap, TextMap};
use crate::brackets::Depth;
use crate::figure::input::value::Form;
use crate::figure::{Entry, Kind};

/// What a body says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Body {
    /// The keys in order; the main input comes under the kind's main key, in the place of its first
    /// line.
    pub entries: Vec<(Entry, EntryMap)>,
    /// The main input of a kind that has no main key.
    pub stray: Option<(String, TextMap)>,
}

/// A value in the making.
struct Value {
    key: String,
    key_map: TextMap,
    text: String,
    map: TextMap,
    depth: Depth,
}

/// Reads the body of a block.
#[must_use]
pub fn read_body(body: &str, kind: Kind) -> Body {
    let mut values: Vec<Value> = Vec::new();
    let mut main: Option<usize> = None;
    // The value that an open bracket keeps open.
    let mut current: Option<usize> = None;
    for (index, line) in body.lines().enumerate() {
        let number = index + 1;
        if line.starts_with('#') {
            continue;
        }
        if let Some(at) = current {
            let value = &mut values[at];
            append(value, line, number, 0);
            current = value.depth.is_open().then_some(at);
            continue;
        }
        if let Some((key, value_at)) = key_of(line) {
            let value = Value {
                key_map: TextMap::at(number, line.len() - line.trim_start().len()),
                map: TextMap::default(),
                text: String::new(),
                depth: Depth::default(),
                key,
            };
            values.push(value);
            let at = values.len() - 1;
            append(&mut values[at], &line[value_at..], number, value_at);
            current =
                (spans_lines(kind, &values[at].key) && values[at].depth.is_open()).then_some(at);
            continue;
        }
        if line.trim().is_empty() && main.is_none() {
            continue;
        }
        let at = *main.get_or_insert_with(|| {
            values.push(Value {
                key: kind.main_key().unwrap_or_default().to_owned(),
                key_map: TextMap::at(number, 0),
                text: String::new(),
                map: TextMap::default(),
                depth: Depth::default(),
            });
            values.len() - 1
        });
        append(&mut values[at], line, number, 0);
        current = values[at].depth.is_open().then_some(at);
    }
    let mut out = Body::default();
    for value in values {
        let text = value.text.trim_end().to_owned();
        if value.key.is_empty() {
            out.stray = Some((text, value.map));
        } else {
            let map = EntryMap { key: value.key_map, value: value.map };
            out.entries.push((Entry::new(value.key, text), map));
        }
    }
    out
}

/// Adds a line, or the rest of one, to a value.
fn append(value: &mut Value, piece: &str, line: usize, column: usize) {
    if !value.text.is_empty() {
        value.text.push('\n');
    }
    let blanks = if value.text.is_empty() { piece.len() - piece.trim_start().len() } else { 0 };
    value.map.push(value.text.len(), line, column + blanks);
    value.text.push_str(&piece[blanks..]);
    value.depth.read(piece);
}

/// Returns whether an open bracket carries a key's value on to the next line.
fn spans_lines(kind: Kind, key: &str) -> bool {
    key.starts_with("let ")
        || key == "expect.same-as"
        || kind.key(key).is_some_and(|key| matches!(key.form(), Form::Expression | Form::List))
}

/// Splits `name = value` and returns the name and where the value starts.
fn key_of(line: &str) -> Option<(String, usize)> {
    let at = line.find('=')?;
    if line[at + 1..].starts_with('=') {
        return None;
    }
    let left = line[..at].trim();
    let (prefix, name) = match left.strip_prefix("let").map(|rest| (rest, rest.trim_start())) {
        Some((rest, name)) if rest.len() > name.len() => ("let ", name),
        _ => ("", left),
    };
    let starts = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let is_key = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    (starts && name.chars().all(is_key)).then(|| (format!("{prefix}{name}"), at + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(body: &str, kind: Kind) -> Vec<(String, String)> {
        let body = read_body(body, kind);
        body.entries.into_iter().map(|(entry, _)| (entry.key, entry.value)).collect()
    }

    fn pairs(list: &[(&str, &str)]) -> Vec<(String, String)> {
        list.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn keys_comments_and_main_input_are_told_apart() {
        let body = "# a comment\nlet tile = (8,8)\n\n(4,8):\n(8,1)\nexpect.size = 32\ncaption = a (b = c\n";
        assert_eq!(
            entries(body, Kind::LAYOUT),
            pairs(&[
                ("let tile", "(8,8)"),
                ("layout", "(4,8):\n(8,1)"),
                ("expect.size", "32"),
                ("caption", "a (b = c"),
            ])
        );
    }

    #[test]
    fn an_open_bracket_goes_on() {
        let body = "A = make_layout((4,8),\n  stride = (8,1))\ntiler = <2:1,\n# why\n 4:1>\n";
        assert_eq!(
            entries(body, Kind::parse("divide").unwrap()),
            pairs(&[("A", "make_layout((4,8),\n  stride = (8,1))"), ("tiler", "<2:1,\n 4:1>")])
        );
        let main = "cute.make_layout((4,8),\n  stride = (8,1))\n";
        assert_eq!(entries(main, Kind::LAYOUT), pairs(&[("layout", main.trim_end())]));
    }

    #[test]
    fn places_lead_back_to_the_line() {
        let body = read_body("# c\n  A =  (4,\n8)\n", Kind::parse("compose").unwrap());
        let (entry, map) = &body.entries[0];
        assert_eq!(entry.value, "(4,\n8)");
        let key = map.key.find(0);
        assert_eq!((key.line, key.column), (2, 2));
        let four = map.value.find(1);
        assert_eq!((four.line, four.column), (2, 8));
        let eight = map.value.find(4);
        assert_eq!((eight.line, eight.column), (3, 0));
    }

    #[test]
    fn a_kind_without_main_input_reports_it() {
        assert!(read_body("(4,8)\n", Kind::parse("divide").unwrap()).stray.is_some());
    }
}
