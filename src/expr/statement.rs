//! Statements: names given to expressions, as kernels and scripts write them.
//!
//! In: a text such as `auto A = make_layout(8); size(A)`. Out: its statements, the last of which is the
//! value. Invariant: nothing that was written is dropped: what stands in front of another statement
//! is a declaration.
//!
//! ```text
//! text        := statement { ( ';' | line end ) statement } [ ';' ]
//! statement   := [ { word } name '=' ] expr         let t = (8,8)     static constexpr auto L = ...;
//! ```

use super::lexer::{Token, is_word};
use super::parser::{Parser, is_printed_tensor};
use super::syntax::{Expr, Statement};
use crate::diagnostic::{Diagnostic, Span};

/// Parses one expression; a declaration's is its value.
///
/// # Errors
/// The first word that does not fit the grammar, and more than one statement.
pub fn parse(text: &str) -> Result<Expr, Diagnostic> {
    let mut statements = statements(text)?;
    match (statements.pop(), statements.pop()) {
        (Some(last), None) => Ok(last.expr),
        (_, Some(first)) => Err(Diagnostic::error("syntax", "expected one expression")
            .at(first.expr.span)
            .hint("remove the declaration")),
        (None, None) => Err(Diagnostic::error("syntax", "expected an expression, found nothing")),
    }
}

/// Parses all statements of a text; there is at least one.
///
/// # Errors
/// The first word that does not fit the grammar, and an expression in front of another statement.
pub fn statements(text: &str) -> Result<Vec<Statement>, Diagnostic> {
    let mut parser = Parser::at(text, skip_comments(text, 0))?;
    let mut out = Vec::new();
    loop {
        let statement = parser.statement()?;
        let named = statement.name.is_some();
        let span = statement.expr.span;
        out.push(statement);
        let ended = parser.is(';');
        if ended {
            parser.seek(skip_comments(text, parser.span.end))?;
        } else if parser.on_next_line() {
            parser.seek(skip_comments(text, parser.end))?;
        }
        if parser.token == Token::End {
            return Ok(out);
        }
        if !(ended || named && parser.on_next_line()) {
            return Err(parser.trailing());
        }
        if !named {
            return Err(Diagnostic::error(
                "syntax",
                "an expression in front of another one has no effect",
            )
            .at(span)
            .hint("give it a name, as in `auto A = ...;`, or remove it"));
        }
    }
}

impl Parser<'_> {
    fn statement(&mut self) -> Result<Statement, Diagnostic> {
        let name = declared(self.text, self.span.start);
        if let Some(name) = name {
            self.seek(name.end)?;
            // The `=`.
            self.bump()?;
        }
        let expr = self.expr()?;
        if self.is(':') && is_printed_tensor(&expr) {
            // `print_tensor` writes a colon in front of its values, which come in lines of their own.
            self.seek(self.text.len())?;
        }
        let name = name.map(|span| (self.text[span.start..span.end].to_owned(), span));
        Ok(Statement { name, expr })
    }
}

/// Words in front of a name that is declared.
const WORDS: [&str; 18] = [
    "let",
    "auto",
    "const",
    "constexpr",
    "static",
    "inline",
    "using",
    "int",
    "unsigned",
    "size_t",
    "int32_t",
    "uint32_t",
    "int64_t",
    "uint64_t",
    "Layout",
    "Tensor",
    "cute",
    "var",
];

/// Finds the name in front of the `=` of a declaration.
fn declared(text: &str, from: usize) -> Option<Span> {
    let rest = &text[from..];
    let head = rest.split('=').next().filter(|head| head.len() < rest.len())?;
    let name = head.trim_end();
    let start = name.trim_end_matches(is_word).len();
    let word = |c: char| is_word(c) || c.is_whitespace() || c == '&';
    let known = name[..start]
        .split(|c: char| c.is_whitespace() || c == '&')
        .all(|part| part.is_empty() || WORDS.contains(&part));
    let letter = name[start..].starts_with(|c: char| c.is_ascii_alphabetic());
    (known && letter && name.chars().all(word)).then(|| Span::new(from + start, from + name.len()))
}

/// Steps over blanks, `// ...` and `# ...` in front of a statement.
fn skip_comments(text: &str, from: usize) -> usize {
    let mut at = from;
    loop {
        let rest = &text[at..];
        let start = at + rest.len() - rest.trim_start().len();
        let rest = &text[start..];
        if !rest.starts_with("//") && !rest.starts_with('#') {
            return at;
        }
        at = start + rest.find('\n').unwrap_or(rest.len());
    }
}
