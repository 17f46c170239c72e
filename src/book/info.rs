//! Reads the info string of a block: `cute`, a kind, keys and flags.
//!
//! In: the raw line behind the fence. Out: the kind and the entries, each with its place, or what
//! is wrong with it. Invariant: the line is read raw, so a backslash means what this grammar says
//! and not what Markdown makes of it.

use super::quotes::{Quoted, read_quoted};
use super::text::{BlockPos, EntryMap, TextMap};
use crate::brackets::{Quotes, pieces};
use crate::diagnostic::Diagnostic;
use crate::figure::{Entry, Kind};

/// What an info string says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// The kind, if one is named.
    pub kind: Option<Kind>,
    /// `ignore` stands in it: the block is left alone.
    pub ignore: bool,
    /// The keys and flags in order.
    pub entries: Vec<(Entry, EntryMap)>,
    /// What is wrong, in order.
    pub errors: Vec<(BlockPos, Diagnostic)>,
}

/// Reads an info string that starts with the word `cute`.
#[must_use]
pub fn read_info(info: &str) -> Info {
    let mut out = Info::default();
    let mut first = true;
    for word in pieces(info, &[' ', '\t', ','], Quotes::Group) {
        let text = &info[word.clone()];
        if word.start == 0 || text.is_empty() {
            continue;
        }
        match key_of(text) {
            Some((key, value_at)) => {
                let at = word.start + value_at;
                match unquote(&text[value_at..], at) {
                    Ok((value, map)) => {
                        let key_map = TextMap::at(0, word.start);
                        let entry_map = EntryMap { key: key_map, value: map };
                        out.entries.push((Entry::new(key, value), entry_map));
                    }
                    Err(diagnostic) => {
                        out.errors.push((BlockPos { line: 0, column: at }, diagnostic));
                    }
                }
            }
            None if text == "ignore" => out.ignore = true,
            None if first && !is_flag(Kind::LAYOUT, text) => match Kind::parse(text) {
                Ok(kind) => out.kind = Some(kind),
                Err(diagnostic) => {
                    out.errors.push((BlockPos { line: 0, column: word.start }, diagnostic));
                }
            },
            None => {
                let map = TextMap::at(0, word.start);
                let map = EntryMap { key: map.clone(), value: map };
                let kind = out.kind.unwrap_or(Kind::LAYOUT);
                if is_flag(kind, text) {
                    out.entries.push((Entry::new(text, "yes"), map));
                } else {
                    let text = format!("`{text}` is neither `key=value` nor a flag of `{kind}`");
                    let diagnostic = Diagnostic::error("unknown-key", text)
                        .hint("no blanks around `=`; a value with blanks or commas goes in quotes");
                    out.errors.push((BlockPos { line: 0, column: word.start }, diagnostic));
                }
            }
        }
        first = false;
    }
    out
}

fn is_flag(kind: Kind, word: &str) -> bool {
    kind.is_flag(word)
}

/// Splits `key=value` and returns the key and where the value starts.
fn key_of(word: &str) -> Option<(&str, usize)> {
    let at = word.find('=')?;
    let key = &word[..at];
    let is_key = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    (!key.is_empty() && key.chars().all(is_key)).then_some((key, at + 1))
}

/// Takes the quotes off a value that has them; `at` is where it starts in the info string.
fn unquote(raw: &str, at: usize) -> Result<(String, TextMap), Diagnostic> {
    let map = TextMap::at(0, at);
    match read_quoted(raw, &map) {
        Quoted::Plain => Ok((raw.to_owned(), map)),
        Quoted::Text(text, map) => Ok((text, map)),
        Quoted::Followed(from) => {
            let rest = raw.get(from..).unwrap_or_default();
            Err(Diagnostic::error("bad-quote", format!("`{rest}` follows a closing quote"))
                .hint("put a blank behind the quote, or `\\\"` for a quote in the text"))
        }
        Quoted::Open => {
            let text = format!("`{raw}` has no closing quote");
            Err(Diagnostic::error("bad-quote", text).hint("add `\"`"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(info: &str) -> Vec<(String, String)> {
        let info = read_info(info);
        assert_eq!(info.errors, [], "{info:?}");
        info.entries.into_iter().map(|(entry, _)| (entry.key, entry.value)).collect()
    }

    #[test]
    fn separators_stand_outside_brackets_and_quotes() {
        assert_eq!(
            entries(
                "cute divide op=zipped,A=(12, 32):(32,1)\ttiler=<3:1, 8:1> caption=\"a, \\\"b\\\" \\\\ \\n\" offsets"
            ),
            [
                ("op", "zipped"),
                ("A", "(12, 32):(32,1)"),
                ("tiler", "<3:1, 8:1>"),
                ("caption", "a, \"b\" \\ \\n"),
                ("offsets", "yes"),
            ]
            .map(|(key, value)| (key.to_owned(), value.to_owned()))
        );
    }

    #[test]
    fn the_kind_may_be_left_out() {
        assert_eq!(read_info("cute").kind, None);
        assert_eq!(read_info("cute,tv").kind, Some(Kind::parse("tv").unwrap()));
        assert_eq!(read_info("cute id=x").kind, None);
        assert!(read_info("cute,ignore").ignore);
        assert!(read_info("cute layout ignore").ignore);
    }

    #[test]
    fn places_lead_back_through_escapes() {
        let line = "cute caption=\"a\\\"bc\"";
        let info = read_info(line);
        let (entry, map) = &info.entries[0];
        assert_eq!(entry.value, "a\"bc");
        assert_eq!(&line[map.value.find(0).column..][..1], "a");
        assert_eq!(&line[map.value.find(1).column..][..1], "\"");
        assert_eq!(&line[map.value.find(3).column..][..1], "c");
    }

    #[test]
    fn wrong_words_and_quotes_are_errors() {
        for (info, expected) in [
            ("cute gemm", "unknown figure kind `gemm`"),
            ("cute layout wide", "`wide` is neither"),
            ("cute caption=\"a", "`\"a` has no closing quote"),
            ("cute caption=\"a\"b", "`b` follows a closing quote"),
        ] {
            let errors = read_info(info).errors;
            assert_eq!(errors.len(), 1, "{info}");
            assert!(errors[0].1.text.starts_with(expected), "{:?}", errors[0]);
        }
    }
}
