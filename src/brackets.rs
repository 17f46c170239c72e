//! Brackets: where a text may be cut without cutting a tuple, a call or a tiler apart.
//!
//! In: a text. Out: its pieces between separators that stand in no bracket, or how many brackets are
//! open at its end. Invariant: the pieces and the separators between them are the whole text. Which
//! bracket closes which is for the grammar to say; a closing one too many counts as none.

use std::ops::Range;

/// What a `"` means to [`pieces`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quotes {
    /// A character like any other.
    Plain,
    /// Up to the next `"` nothing is a separator or a bracket; `\` takes the meaning off a character.
    Group,
}

/// How many brackets are open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Depth(usize);

impl Depth {
    /// Reads on over a text.
    pub fn read(&mut self, text: &str) {
        text.chars().for_each(|c| self.step(c));
    }

    /// Returns whether a bracket is open.
    #[must_use]
    pub const fn is_open(self) -> bool {
        self.0 > 0
    }

    const fn step(&mut self, c: char) {
        match c {
            '(' | '[' | '<' => self.0 += 1,
            ')' | ']' | '>' => self.0 = self.0.saturating_sub(1),
            _ => {}
        }
    }
}

/// Splits at the separators that stand in no bracket; pieces are byte ranges and may be empty.
///
/// ```
/// use mdbook_cute::brackets::{Quotes, pieces};
///
/// let text = "(4,8):(8,1),2";
/// let found: Vec<&str> = pieces(text, &[','], Quotes::Plain).map(|at| &text[at]).collect();
/// assert_eq!(found, ["(4,8):(8,1)", "2"]);
/// ```
pub fn pieces<'t>(text: &'t str, separators: &'t [char], quotes: Quotes) -> Pieces<'t> {
    Pieces { text, separators, quotes, next: Some(0) }
}

/// The pieces of a text; see [`pieces`].
#[derive(Clone, Debug)]
pub struct Pieces<'t> {
    text: &'t str,
    separators: &'t [char],
    quotes: Quotes,
    /// Where the next piece starts; none after the last one.
    next: Option<usize>,
}

impl Iterator for Pieces<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        let start = self.next?;
        let mut depth = Depth::default();
        let (mut quoted, mut escaped) = (false, false);
        for (at, c) in self.text[start..].char_indices() {
            if quoted {
                match c {
                    _ if escaped => escaped = false,
                    '\\' => escaped = true,
                    '"' => quoted = false,
                    _ => {}
                }
            } else if c == '"' && self.quotes == Quotes::Group {
                quoted = true;
            } else if !depth.is_open() && self.separators.contains(&c) {
                self.next = Some(start + at + c.len_utf8());
                return Some(start..start + at);
            } else {
                depth.step(c);
            }
        }
        self.next = None;
        Some(start..self.text.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str, quotes: Quotes) -> Vec<&str> {
        pieces(text, &[',', ' '], quotes).map(|at| &text[at]).collect()
    }

    #[test]
    fn separators_in_brackets_separate_nothing() {
        for (text, expected) in [
            ("", &[""][..]),
            ("a,b", &["a", "b"]),
            (",a,", &["", "a", ""]),
            ("f(a, b)[c,d],<e,(f,g)>", &["f(a, b)[c,d]", "<e,(f,g)>"]),
            // A bracket too many closes nothing, and one too few holds the rest together.
            ("a),b", &["a)", "b"]),
            ("(a,b", &["(a,b"]),
            ("ä,ö", &["ä", "ö"]),
        ] {
            assert_eq!(split(text, Quotes::Plain), expected, "{text}");
            assert_eq!(split(text, Quotes::Group), expected, "{text}");
        }
    }

    #[test]
    fn quotes_group_where_they_mean_something() {
        let text = r#"x="a, (\" b",y"#;
        assert_eq!(split(text, Quotes::Group), [r#"x="a, (\" b""#, "y"]);
        assert_eq!(split(text, Quotes::Plain), [r#"x="a"#, "", r#"(\" b",y"#]);
    }

    #[test]
    fn depth_goes_on_over_lines() {
        let mut depth = Depth::default();
        for (line, open) in [("a = (1,", true), ("<2", true), (">)", false), ("))", false)] {
            depth.read(line);
            assert_eq!(depth.is_open(), open, "{line}");
        }
    }
}
