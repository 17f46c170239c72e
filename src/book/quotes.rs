//! Values in quotes, which mean the same in an info string and in a body.
//!
//! In: a value as it is written, and where it stands. Out: the text between the quotes. Invariant: `\"` and
//! `\\` are the only escapes, and every byte of the text leads back to the byte that it is written as.

use super::text::TextMap;

/// What a value in quotes holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Quoted {
    /// It does not start with a quote.
    Plain,
    /// As a whole it is one quoted string: the text, and where it stands.
    Text(String, TextMap),
    /// Text follows the closing quote, from this byte on.
    Followed(usize),
    /// The closing quote is missing.
    Open,
}

/// Reads a value; `map` leads its bytes back to the block.
pub(super) fn read_quoted(raw: &str, map: &TextMap) -> Quoted {
    if !raw.starts_with('"') {
        return Quoted::Plain;
    }
    let mut text = String::new();
    let mut places = TextMap::default();
    let mut push = |from: usize, at: usize| {
        let pos = map.find(at);
        places.push(from, pos.line, pos.column);
    };
    push(0, 1);
    let mut chars = raw.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        match c {
            '"' if at + 1 == raw.len() => return Quoted::Text(text, places),
            '"' => return Quoted::Followed(at + 1),
            '\\' if raw[at + 1..].starts_with(['"', '\\']) => {
                if let Some((next, c)) = chars.next() {
                    push(text.len(), next);
                    text.push(c);
                }
            }
            '\n' => {
                text.push(c);
                push(text.len(), at + 1);
            }
            _ => text.push(c),
        }
    }
    Quoted::Open
}

/// Returns a text in quotes, as [`read_quoted`] reads it.
pub(super) fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_value_that_is_one_string_loses_its_quotes() {
        let read = |raw| read_quoted(raw, &TextMap::at(0, 0));
        for (raw, text) in [("\"\"", ""), ("\"a \\\"b\\\" \\\\ \\n\"", "a \"b\" \\ \\n")] {
            assert!(matches!(read(raw), Quoted::Text(found, _) if found == text), "{raw}");
        }
        assert_eq!(read("a \"b\""), Quoted::Plain);
        assert_eq!(read("\"a\" and \"b\""), Quoted::Followed(3));
        assert_eq!(read("\"a"), Quoted::Open);
        assert_eq!(read("\"a\\\""), Quoted::Open);
    }

    #[test]
    fn what_is_put_in_quotes_is_read_back() {
        for text in ["", "\"a\"", "a\\", "\\\"\n(4,\n8)"] {
            let found = read_quoted(&quoted(text), &TextMap::at(0, 0));
            assert!(matches!(found, Quoted::Text(found, _) if found == text), "{text}");
        }
    }
}
