//! Words of the notation.
//!
//! In: a text and a byte position. Out: the token that starts there, with its span, or the reason
//! why nothing can start there. Invariant: a token is never split from letters or digits that touch
//! it, so `4x`, `1.5` and `2^3` are refused here instead of being read as something shorter.

use crate::diagnostic::{Diagnostic, Span};

/// One word of the notation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    /// `4`, `-1`, `_4`, `_-1`.
    Int(i64),
    /// `size`, `cute.size`, `cute::Int`, `o`.
    Name(String),
    /// `"..."` or `'...'`.
    Text(String),
    /// `_`.
    Keep,
    /// `?`.
    Unknown,
    /// The ring operator, U+2218; the letter `o` is a [`Token::Name`].
    Ring,
    /// One of `( ) < > [ ] { } , : ; . = @ + - * /`.
    Mark(char),
    /// The end of the text.
    End,
}

impl Token {
    /// Returns the token as messages quote it.
    pub(crate) fn quoted(&self, text: &str, span: Span) -> String {
        match self {
            Self::End => "the end".to_owned(),
            _ => format!("`{}`", text.get(span.start..span.end).unwrap_or_default()),
        }
    }
}

/// Reads the token at or after `from`.
pub(crate) fn token_at(text: &str, from: usize) -> Result<(Token, Span), Diagnostic> {
    let rest = text.get(from..).unwrap_or_default();
    let start = from + (rest.len() - rest.trim_start().len());
    let rest = rest.trim_start();
    let Some(first) = rest.chars().next() else {
        return Ok((Token::End, Span::new(text.len(), text.len())));
    };
    let mark = |token| Ok((token, Span::new(start, start + first.len_utf8())));
    match first {
        '(' | ')' | '<' | '>' | '[' | ']' | '{' | '}' | ',' | ':' | ';' | '.' | '=' | '@' | '+'
        | '*' | '/' => mark(Token::Mark(first)),
        '?' => mark(Token::Unknown),
        '\u{2218}' => mark(Token::Ring),
        '"' | '\'' => quoted_text(rest, start, first),
        // The sign of a literal; the parser takes it for an operator behind a value.
        '-' if !rest[1..].starts_with(|c: char| c.is_ascii_digit()) => mark(Token::Mark('-')),
        '0'..='9' | '-' => integer(rest, start, rest),
        '_' => match rest[1..].chars().next() {
            Some('0'..='9' | '-') => integer(rest, start, &rest[1..]),
            Some(next) if is_word(next) => Ok(name(rest, start)),
            _ => mark(Token::Keep),
        },
        _ if first.is_ascii_alphabetic() => Ok(name(rest, start)),
        _ => Err(stray(first).at(Span::new(start, start + first.len_utf8()))),
    }
}

/// Returns whether a character can go on in a name or a number.
pub(crate) const fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

fn integer(rest: &str, start: usize, digits: &str) -> Result<(Token, Span), Diagnostic> {
    let prefix = rest.len() - digits.len();
    let sign = usize::from(digits.starts_with('-'));
    let body = &digits[sign..];
    let run = body.find(|c: char| !is_word(c) && c != '.').unwrap_or(body.len());
    let span = Span::new(start, start + prefix + sign + run);
    let written = &rest[..prefix + sign + run];
    let number = &body[..run];
    if number.is_empty() {
        return Err(stray('-').at(Span::new(start, start + prefix + 1)));
    }
    if number.bytes().all(|b| b.is_ascii_digit()) {
        return match digits[..sign + run].parse() {
            Ok(value) => Ok((Token::Int(value), span)),
            Err(_) => {
                Err(Diagnostic::error("overflow", format!("`{written}` does not fit into 64 bits"))
                    .at(span))
            }
        };
    }
    let message = if number.contains('.') {
        Diagnostic::error("syntax", format!("invalid integer `{written}`"))
            .hint("shapes, strides and offsets are integers")
    } else if number.starts_with("0x") {
        Diagnostic::error("syntax", format!("`{written}` is hexadecimal, expected an integer"))
            .hint("addresses stand in a pointer, as in `smem_ptr[16b](0x400)`; elsewhere write decimals")
    } else {
        Diagnostic::error("syntax", format!("`{written}` is neither an integer nor a name"))
            .hint("separate the number from what follows it")
    };
    Err(message.at(span))
}

fn name(rest: &str, start: usize) -> (Token, Span) {
    let mut end = 0;
    loop {
        end += rest[end..].find(|c: char| !is_word(c)).unwrap_or(rest.len() - end);
        // `cute.size` and `cute::size` are one word; the dot or the colons need a name behind them.
        let joint = ["::", "."].into_iter().find(|joint| {
            rest[end..].strip_prefix(joint).is_some_and(|behind| {
                behind.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            })
        });
        match joint {
            Some(joint) => end += joint.len(),
            None => break,
        }
    }
    (Token::Name(rest[..end].to_owned()), Span::new(start, start + end))
}

fn quoted_text(rest: &str, start: usize, quote: char) -> Result<(Token, Span), Diagnostic> {
    let mut out = String::new();
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => {
                out.push(c);
                escaped = false;
            }
            '\\' => escaped = true,
            _ if c == quote => {
                return Ok((Token::Text(out), Span::new(start, start + at + quote.len_utf8())));
            }
            _ => out.push(c),
        }
    }
    Err(Diagnostic::error("syntax", "the text is never closed")
        .at(Span::new(start, start + 1))
        .hint(format!("add {quote} at its end")))
}

fn stray(c: char) -> Diagnostic {
    let message = Diagnostic::error("syntax", format!("unexpected `{}`", c.escape_debug()));
    match c {
        '^' | '%' => message.hint("arithmetic has `+`, `-`, `*` and `/`: write the number"),
        '-' => message.hint("a `-` stands in front of a digit here, as in `_-1`"),
        _ => message.hint("an expression is made of integers, names, brackets, `:` and `o`"),
    }
}
