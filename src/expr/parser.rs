//! The grammar: a text becomes a syntax tree.
//!
//! In: one expression; `statement.rs` reads several. Out: an [`Expr`] or the first thing that is wrong,
//! with its place, what was expected and a hint. Invariant: the whole text is used, and nothing is guessed: what the grammar
//! does not name is an error.
//!
//! ```text
//! expr    := term { ' o ' term }
//! term    := sum [ ':' sum ]
//! sum     := product { ('+' | '-') product }
//! product := sign { ('*' | '/') sign }
//! sign    := '-' sign | postfix
//! postfix := atom { '(' args ')' | '.' name [ '(' args ')' ] | '[' args ']' }
//! ```

use super::lexer::{Token, token_at};
use super::limits::DEPTH;
use super::syntax::{Arg, Expr, ExprKind, Operator};
use crate::diagnostic::{Diagnostic, Span};

/// The position in a text while it is read; `pasted.rs` adds the printed forms.
pub(super) struct Parser<'t> {
    pub(super) text: &'t str,
    pub(super) token: Token,
    pub(super) span: Span,
    /// One past the last byte of the token before.
    pub(super) end: usize,
    depth: usize,
}

impl<'t> Parser<'t> {
    /// Starts at a byte position.
    pub(super) fn at(text: &'t str, from: usize) -> Result<Self, Diagnostic> {
        let (token, span) = token_at(text, from)?;
        if token == Token::End {
            return Err(Diagnostic::error("syntax", "expected an expression, found nothing")
                .at(span)
                .hint("write a layout, e.g. `(4,8):(8,1)`"));
        }
        Ok(Self { text, token, span, end: from, depth: 0 })
    }

    /// Steps to the next token.
    pub(super) fn bump(&mut self) -> Result<(), Diagnostic> {
        self.seek(self.span.end)
    }

    /// Goes on reading at a byte position.
    pub(super) fn seek(&mut self, at: usize) -> Result<(), Diagnostic> {
        self.end = at;
        (self.token, self.span) = token_at(self.text, at)?;
        Ok(())
    }

    pub(super) fn is(&self, mark: char) -> bool {
        self.token == Token::Mark(mark)
    }

    /// Returns whether the next token touches the one before.
    pub(super) fn touches(&self) -> bool {
        self.span.start == self.end
    }

    /// Returns whether a line ends in front of the next token.
    pub(super) fn on_next_line(&self) -> bool {
        self.text[self.end..self.span.start].contains('\n')
    }

    pub(super) fn deeper<T>(
        &mut self,
        f: impl FnOnce(&mut Self) -> Result<T, Diagnostic>,
    ) -> Result<T, Diagnostic> {
        if self.depth == DEPTH {
            return Err(Diagnostic::error(
                "depth",
                format!("brackets nest deeper than {DEPTH} levels"),
            )
            .at(self.span));
        }
        self.depth += 1;
        let result = f(self);
        self.depth -= 1;
        result
    }

    pub(super) fn expr(&mut self) -> Result<Expr, Diagnostic> {
        let first = self.term()?;
        let mut terms = vec![first];
        while self.at_compose()? {
            self.bump()?;
            terms.push(self.term()?);
        }
        if terms.len() == 1 {
            return terms.pop().ok_or_else(|| self.expected("an expression"));
        }
        let span = terms[0].span.to(terms[terms.len() - 1].span);
        Ok(Expr { kind: ExprKind::Compose(terms), span })
    }

    /// Returns whether a composition goes on; the letter needs blanks, since `4o8` could be a slip.
    pub(super) fn at_compose(&self) -> Result<bool, Diagnostic> {
        match &self.token {
            Token::Ring => Ok(true),
            Token::Name(name) if name == "o" => {
                let blank = |at: Option<char>| at.is_none_or(char::is_whitespace);
                let before = self.text[..self.span.start].chars().next_back();
                let after = self.text[self.span.end..].chars().next();
                if blank(before) && blank(after) {
                    return Ok(true);
                }
                Err(Diagnostic::error("syntax", "the `o` of a composition needs blanks around it")
                    .at(self.span)
                    .hint("write `A o B`"))
            }
            _ => Ok(false),
        }
    }

    fn term(&mut self) -> Result<Expr, Diagnostic> {
        let shape = self.sum()?;
        if !self.is(':') {
            return Ok(shape);
        }
        self.bump()?;
        let stride = self.sum()?;
        if self.is(':') && !self.ends_line() {
            return Err(Diagnostic::error("syntax", "a layout has one `:`, found another one")
                .at(self.span)
                .hint("write one shape and one stride, e.g. `(4,8):(8,1)`"));
        }
        let span = shape.span.to(stride.span);
        let kind = ExprKind::Layout { shape: Box::new(shape), stride: Some(Box::new(stride)) };
        Ok(Expr { kind, span })
    }

    /// Returns whether nothing stands behind the next token in its line: values follow a printed
    /// tensor in lines of their own.
    fn ends_line(&self) -> bool {
        let rest = &self.text[self.span.end..];
        rest.split('\n').next().unwrap_or_default().trim().is_empty()
    }

    fn sum(&mut self) -> Result<Expr, Diagnostic> {
        let first = self.product()?;
        let mut rest = Vec::new();
        loop {
            let operator = match &self.token {
                Token::Mark('+') => Operator::Add,
                Token::Mark('-') => Operator::Subtract,
                // Behind a value the sign of a literal is an operator.
                Token::Int(_) if self.text[self.span.start..].starts_with('-') => {
                    self.seek(self.span.start + 1)?;
                    rest.push((Operator::Subtract, self.product()?));
                    continue;
                }
                _ => return Ok(joined(first, rest)),
            };
            self.bump()?;
            rest.push((operator, self.product()?));
        }
    }

    fn product(&mut self) -> Result<Expr, Diagnostic> {
        let first = self.sign()?;
        let mut rest = Vec::new();
        loop {
            let operator = match &self.token {
                Token::Mark('*') => Operator::Multiply,
                Token::Mark('/') => Operator::Divide,
                _ => return Ok(joined(first, rest)),
            };
            self.bump()?;
            // Python's `//` is the same where nothing is left over.
            if operator == Operator::Divide && self.is('/') && self.touches() {
                self.bump()?;
            }
            rest.push((operator, self.sign()?));
        }
    }

    fn sign(&mut self) -> Result<Expr, Diagnostic> {
        if !self.is('-') {
            return self.postfix();
        }
        let sign = self.span;
        self.bump()?;
        let operand = self.deeper(Self::sign)?;
        let minus_one = Expr { kind: ExprKind::Int(-1), span: sign };
        Ok(joined(minus_one, vec![(Operator::Multiply, operand)]))
    }

    fn postfix(&mut self) -> Result<Expr, Diagnostic> {
        let mut expr = self.atom()?;
        let mut calls = 0;
        loop {
            let called = self.is('(') && is_callable(&expr.kind);
            let method = self.is('.') && self.touches();
            let indexed = self.is('[') && self.touches() && is_callable(&expr.kind);
            if !called && !method && !indexed {
                return Ok(expr);
            }
            calls += 1;
            if self.depth + calls > DEPTH {
                return Err(Diagnostic::error(
                    "depth",
                    format!("more than {DEPTH} calls in a row"),
                )
                .at(self.span));
            }
            let start = expr.span.start;
            let (callee, args) = if called {
                (expr, self.arguments()?)
            } else if method {
                self.method(expr)?
            } else {
                self.index(expr)?
            };
            let span = Span::new(start, self.end);
            expr = Expr { kind: ExprKind::Call { callee: Box::new(callee), args }, span };
        }
    }

    /// Reads `.with_shape(S)` or `.shape` behind a value: a call whose first argument is the value.
    fn method(&mut self, value: Expr) -> Result<(Expr, Vec<Arg>), Diagnostic> {
        self.bump()?;
        let (Token::Name(name), true) = (&self.token, self.touches()) else {
            return Err(self.expected("the name of a function behind the `.`"));
        };
        let (name, span) = method_at(name, self.span);
        self.seek(span.end)?;
        if !METHODS.contains(&name.as_str()) {
            return Err(Diagnostic::error("name", format!("unknown method `.{name}`"))
                .at(span)
                .hint(if COPIES.contains(&name.as_str()) {
                    "the parts of a copy are drawn by a `copy` block with `op = partition` or `op = retile`"
                } else {
                    "write it as a function, e.g. `size(A)` or `A.with_shape((4,8))`"
                }));
        }
        let mut args = vec![Arg { keyword: None, expr: value }];
        if self.is('(') {
            args.extend(self.arguments()?);
        }
        Ok((Expr { kind: ExprKind::Name(name), span }, args))
    }

    /// Reads `[0]` behind a value: the mode of a tuple.
    fn index(&mut self, value: Expr) -> Result<(Expr, Vec<Arg>), Diagnostic> {
        let start = self.span.start;
        let (items, _) = self.list('[', ']', Self::argument_value)?;
        let span = Span::new(start, self.end);
        let modes = Expr { kind: ExprKind::Tuple { items, certain: true }, span };
        let args = [value, modes].map(|expr| Arg { keyword: None, expr });
        Ok((Expr { kind: ExprKind::Name("get".to_owned()), span }, args.into()))
    }

    pub(super) fn arguments(&mut self) -> Result<Vec<Arg>, Diagnostic> {
        self.list('(', ')', Self::argument).map(|(args, _)| args)
    }

    fn argument(&mut self) -> Result<Arg, Diagnostic> {
        if let Token::Name(name) = &self.token {
            let (name, span) = (name.clone(), self.span);
            if token_at(self.text, span.end)?.0 == Token::Mark('=') {
                self.bump()?;
                self.bump()?;
                return Ok(Arg { keyword: Some((name, span)), expr: self.argument_value()? });
            }
        }
        Ok(Arg { keyword: None, expr: self.argument_value()? })
    }

    /// An expression, or a list in square brackets, as Python writes mode paths.
    fn argument_value(&mut self) -> Result<Expr, Diagnostic> {
        if !self.is('[') {
            return self.expr();
        }
        let start = self.span.start;
        let (items, _) = self.list('[', ']', Self::argument_value)?;
        let span = Span::new(start, self.end);
        Ok(Expr { kind: ExprKind::Tuple { items, certain: true }, span })
    }

    /// Reads `open a,b,... close`; the flag says whether a comma stands in front of the end.
    pub(super) fn list<T>(
        &mut self,
        open: char,
        close: char,
        item: impl FnMut(&mut Self) -> Result<T, Diagnostic>,
    ) -> Result<(Vec<T>, bool), Diagnostic> {
        let opened = self.span;
        if !self.is(open) {
            return Err(self.expected(&format!("`{open}`")));
        }
        self.deeper(|parser| {
            parser.bump()?;
            parser.items(opened, (open, close), item)
        })
    }

    /// Reads `a,b,... close` behind the bracket that opened the list.
    pub(super) fn items<T>(
        &mut self,
        opened: Span,
        (open, close): (char, char),
        mut item: impl FnMut(&mut Self) -> Result<T, Diagnostic>,
    ) -> Result<(Vec<T>, bool), Diagnostic> {
        let parser = self;
        {
            let mut items = Vec::new();
            loop {
                if parser.is(close) {
                    let trailing = !items.is_empty();
                    parser.bump()?;
                    return Ok((items, trailing));
                }
                if parser.token == Token::End {
                    return Err(unclosed(open, close, opened));
                }
                items.push(item(parser)?);
                if parser.is(close) {
                    parser.bump()?;
                    return Ok((items, false));
                }
                if parser.token == Token::End {
                    return Err(unclosed(open, close, opened));
                }
                if !parser.is(',') && parser.on_next_line() {
                    return Err(unclosed(open, close, opened).hint(format!(
                        "add `{close}`, or `,` where the list goes on in the next line"
                    )));
                }
                if !parser.is(',') {
                    return Err(parser.expected(&format!("`,` or `{close}`")));
                }
                parser.bump()?;
            }
        }
    }

    fn atom(&mut self) -> Result<Expr, Diagnostic> {
        let start = self.span.start;
        let kind = match &self.token {
            Token::Int(value) => {
                let value = *value;
                self.bump()?;
                self.skip_braces()?;
                self.basis(value)?
            }
            Token::Keep => {
                self.bump()?;
                ExprKind::Keep
            }
            Token::Text(text) => {
                let kind = ExprKind::Text(text.clone());
                self.bump()?;
                kind
            }
            Token::Mark('(') => {
                let (items, certain) = self.list('(', ')', Self::expr)?;
                ExprKind::Tuple { certain: certain || items.is_empty(), items }
            }
            Token::Mark('<') => ExprKind::Tiler(self.list('<', '>', Self::expr)?.0),
            Token::Unknown => return Err(self.dynamic()),
            Token::Name(name) => {
                let name = name.clone();
                self.named(&name)?
            }
            _ => return Err(self.expected("a layout, a tuple, an integer or a name")),
        };
        Ok(Expr { kind, span: Span::new(start, self.end) })
    }

    fn basis(&mut self, value: i64) -> Result<ExprKind, Diagnostic> {
        let mut modes = Vec::new();
        while self.is('@') {
            self.bump()?;
            let Token::Int(mode) = self.token else {
                return Err(self.expected("the mode of a basis, as in `1@0`"));
            };
            let Ok(mode) = usize::try_from(mode) else {
                return Err(self.expected("a mode of 0 or more"));
            };
            if modes.len() == DEPTH {
                return Err(
                    Diagnostic::error("depth", "the basis names too many modes").at(self.span)
                );
            }
            modes.push(mode);
            self.bump()?;
        }
        modes.reverse();
        Ok(if modes.is_empty() { ExprKind::Int(value) } else { ExprKind::Basis { value, modes } })
    }

    fn dynamic(&self) -> Diagnostic {
        Diagnostic::error(
            "dynamic",
            "a value is needed here: `?` is only known when the kernel runs",
        )
        .at(self.span)
        .hint("put a number in its place")
    }

    pub(super) fn expected(&self, what: &str) -> Diagnostic {
        if self.token == Token::Unknown {
            return self.dynamic();
        }
        let found = self.token.quoted(self.text, self.span);
        let message =
            Diagnostic::error("syntax", format!("expected {what}, found {found}")).at(self.span);
        match &self.token {
            Token::End => message.hint(self.missing_end()),
            Token::Mark('{' | '}' | '[') => message.hint("tuples are written in round brackets"),
            Token::Mark(',' | ':' | '=' | '+' | '*' | '/') => {
                message.hint("a value is missing in front of it")
            }
            Token::Mark(';') => {
                message.hint("entries are separated by commas; a `;` ends a statement")
            }
            Token::Mark('.') => {
                message.hint("a `.` stands between a value and a function, as in `A.with_shape(S)`")
            }
            Token::Mark(')' | '>' | ']') => {
                message.hint("a value is missing, or a bracket too many")
            }
            Token::Int(_) | Token::Mark('(' | '<') => {
                message.hint("a comma or an opening bracket may be missing in front of it")
            }
            _ => message,
        }
    }

    /// Says what belongs behind the end of the text.
    fn missing_end(&self) -> &'static str {
        let before = self.text[..self.span.start].trim_end();
        match before.chars().next_back() {
            Some(':') => "a stride belongs behind the `:`, e.g. `(4,8):(8,1)`",
            Some('o' | '\u{2218}') => "a layout belongs behind the `o`, as in `A o B`",
            Some('@') => "the mode belongs behind the `@`, e.g. `1@0`",
            Some('=') => "a value belongs behind the `=`",
            _ => "the text ends too early; write what is missing",
        }
    }

    pub(super) fn trailing(&self) -> Diagnostic {
        let found = self.token.quoted(self.text, self.span);
        let message = match &self.token {
            Token::Mark(close @ (')' | '>' | ']')) => {
                Diagnostic::error("syntax", format!("this `{close}` closes nothing"))
                    .hint("remove it, or open a bracket in front")
            }
            Token::Unknown => return self.dynamic(),
            Token::Mark(':') => {
                Diagnostic::error("syntax", "a layout has one `:`, found another one")
                    .hint("write one shape and one stride, e.g. `(4,8):(8,1)`")
            }
            Token::Mark(',') => Diagnostic::error("syntax", "unexpected `,` after the expression")
                .hint("put the list into brackets, e.g. `(4,8)`"),
            Token::Mark('=') => Diagnostic::error("syntax", "unexpected `=` after the expression")
                .hint("`name = value` stands in a call, as in `size(A, mode=[0])`"),
            _ => Diagnostic::error(
                "syntax",
                format!("unexpected {found} after the expression, expected `:`, ` o ` or the end"),
            )
            .hint("put a list into brackets, e.g. `(4,8)`; compose two layouts with `A o B`"),
        };
        message.at(self.span)
    }
}

pub(super) fn is_printed_tensor(expr: &Expr) -> bool {
    let printed = |term: &Expr| matches!(term.kind, ExprKind::Pointer(_) | ExprKind::Offset(_));
    matches!(&expr.kind, ExprKind::Compose(terms) if terms.first().is_some_and(printed))
}

fn joined(first: Expr, rest: Vec<(Operator, Expr)>) -> Expr {
    match rest.last() {
        None => first,
        Some((_, last)) => {
            let span = first.span.to(last.span);
            Expr { kind: ExprKind::Arithmetic { first: Box::new(first), rest }, span }
        }
    }
}

/// What may stand behind a `.`: the member functions of CuTe's layouts and tensors.
pub(super) const METHODS: [&str; 9] =
    ["with_shape", "compose", "shape", "stride", "layout", "size", "rank", "depth", "cosize"];

/// Members of tiled copies and of their slices.
const COPIES: [&str; 7] = [
    "get_slice",
    "get_thread_slice",
    "retile",
    "partition_S",
    "partition_D",
    "retile_S",
    "retile_D",
];

/// Returns the first part of a dotted name, with its place.
fn method_at(name: &str, span: Span) -> (String, Span) {
    let first = name.split('.').next().unwrap_or(name);
    (first.to_owned(), Span::new(span.start, span.start + first.len()))
}

fn is_callable(kind: &ExprKind) -> bool {
    matches!(
        kind,
        ExprKind::Name(_)
            | ExprKind::Tuple { .. }
            | ExprKind::Call { .. }
            | ExprKind::Swizzle { .. }
            | ExprKind::Layout { .. }
    )
}

pub(super) fn unclosed(open: char, close: char, at: Span) -> Diagnostic {
    Diagnostic::error("syntax", format!("the `{open}` is never closed"))
        .at(at)
        .hint(format!("add `{close}`"))
}
