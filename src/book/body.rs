//! Reads the body of a block: lines with keys, comments, and the main input.
//!
//! In: the text between the fences and the kind. Out: the entries, each with its place. Invariants:
//! every line is a comment, belongs to one key, or belongs to the main input; a value that as a whole is
//! one quoted string is the text in the quotes, as in the info string.

use super::quotes::{Quoted, read_quoted};
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
    /// Lines that start with a key and a colon, as no input does: the key, and where it stands.
    pub colons: Vec<(String, TextMap)>,
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
    let mut colons = Vec::new();
    // The value that an open bracket keeps open.
    let mut current: Option<usize> = None;
    for (index, line) in body.lines().enumerate() {
        let number = index + 1;
        if line.trim_start().starts_with('#') {
            continue;
        }
        if let Some(at) = current {
            let value = &mut values[at];
            append(value, without_comment(line), number, 0);
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
            let written = &line[value_at..];
            let written = match has_comments(kind, &values[at].key) {
                true => without_comment(written),
                false => written,
            };
            append(&mut values[at], written, number, value_at);
            current =
                (spans_lines(kind, &values[at].key) && values[at].depth.is_open()).then_some(at);
            continue;
        }
        if line.trim().is_empty() && main.is_none() {
            continue;
        }
        if let Some(key) = key_with_colon(line, kind) {
            let column = line.len() - line.trim_start().len();
            colons.push((key.to_owned(), TextMap::at(number, column)));
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
        append(&mut values[at], without_comment(line), number, 0);
        current = values[at].depth.is_open().then_some(at);
    }
    let mut out = Body { colons, ..Body::default() };
    for value in values {
        let text = value.text.trim_end();
        let (text, map) = match read_quoted(text, &value.map) {
            Quoted::Text(text, map) => (text, map),
            // Quotes inside of a text are a part of it.
            Quoted::Plain | Quoted::Followed(_) | Quoted::Open => (text.to_owned(), value.map),
        };
        if value.key.is_empty() {
            out.stray = Some((text, map));
        } else {
            let map = EntryMap { key: value.key_map, value: map };
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

/// Returns the key of a line `key: value`. A name before a colon may be the shape of a layout, so only words
/// that are keys of the kind count, and of a kind with a main input none that has one letter.
fn key_with_colon(line: &str, kind: Kind) -> Option<&str> {
    let (name, _) = line.split_once(':')?;
    let name = name.trim();
    let long = name.len() > 1 || kind.main_key().is_none();
    (long && (kind.key(name).is_some() || name.starts_with("expect."))).then_some(name)
}

/// Returns whether ` # ` starts a comment in the value of a key: literal text keeps it, also where the text
/// is what a message is expected to contain.
fn has_comments(kind: Kind, key: &str) -> bool {
    let text = kind.key(key).is_some_and(|key| key.form() == Form::Text);
    !text && key != "expect.error"
}

/// Returns a line without the comment at its end: from a `#` on that has a blank on both sides and stands
/// neither in quotes nor in brackets.
fn without_comment(line: &str) -> &str {
    let mut depth = Depth::default();
    let (mut quoted, mut escaped, mut blank) = (false, false, false);
    for (at, c) in line.char_indices() {
        if quoted {
            quoted = escaped || c != '"';
            escaped = c == '\\' && !escaped;
        } else if c == '#' && blank && !depth.is_open() && line[at + 1..].starts_with([' ', '\t']) {
            return line[..at].trim_end();
        } else if c == '"' {
            quoted = true;
        } else {
            depth.read(c.encode_utf8(&mut [0; 4]));
        }
        blank = matches!(c, ' ' | '\t');
    }
    line
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
    // The label of a fact in a table has blanks, and is refused with its name.
    let label = name.starts_with("expect.");
    let is_key = |c: char| label || c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
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

    /// Quotes mean nothing else in a body than in the info string: an alias in quotes, as a message wrote it,
    /// became an id with quotes in it.
    #[test]
    fn a_value_in_quotes_is_what_stands_in_them() {
        let body = "A = \"(4,8)\"\ncaption = \"a \\\"b\\\" # c\"\naliases = \"x\"\ntitle = \"a\" and \"b\"\n";
        assert_eq!(
            entries(body, Kind::parse("divide").unwrap()),
            pairs(&[
                ("A", "(4,8)"),
                ("caption", "a \"b\" # c"),
                ("aliases", "x"),
                ("title", "\"a\" and \"b\""),
            ])
        );
        let read = read_body(body, Kind::parse("divide").unwrap());
        let place = |entry: usize, byte| read.entries[entry].1.value.find(byte).column;
        assert_eq!((place(0, 0), place(0, 2)), (5, 7));
        assert_eq!(place(1, 2), body.lines().nth(1).unwrap().find("\"b").unwrap());
        assert_eq!(place(1, 3), body.lines().nth(1).unwrap().find('b').unwrap());
    }

    /// A comment that is indented or ends a line was a part of the value and failed with an unrelated hint.
    #[test]
    fn comments_may_be_indented_and_end_a_line() {
        let body = "  # a\nlet n = 4 # rows\nexpect.size = 32 # all\n\t# b\n(4,8): # c\n  # d\n(8,1)\ncaption = a # b\n";
        assert_eq!(
            entries(body, Kind::LAYOUT),
            pairs(&[
                ("let n", "4"),
                ("expect.size", "32"),
                ("layout", "(4,8):\n(8,1)"),
                ("caption", "a # b"),
            ])
        );
        for (line, kept) in [
            ("4 #x", "4 #x"),
            ("4# x", "4# x"),
            ("\"a # b\" # c", "\"a # b\""),
            ("(4 # 8)", "(4 # 8)"),
        ] {
            assert_eq!(without_comment(line), kept);
        }
    }

    #[test]
    fn a_kind_without_main_input_reports_it() {
        assert!(read_body("(4,8)\n", Kind::parse("divide").unwrap()).stray.is_some());
    }
}
