//! What the names of an expression mean.
//!
//! In: a table of functions and the values that names were given (`let`, earlier keys, the book's
//! `[names]`). Out: the value of an expression with everything there is to say about it. Invariant:
//! evaluating never changes a scope.

use super::evaluator::Evaluator;
use super::function::Functions;
use super::statement::statements;
use super::syntax::{Expr, Statement};
use super::value::Value;
use crate::cute::AnyLayout;
use crate::diagnostic::{Diagnostic, Span};
use std::collections::BTreeMap;

/// The value of an expression, and what was learned on the way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evaluated {
    /// The value.
    pub value: Value,
    /// The width of an element in bits, where a pasted pointer names it.
    pub element_bits: Option<u32>,
    /// Warnings and notes, each once, in the order of evaluation.
    pub messages: Vec<Diagnostic>,
}

impl Evaluated {
    /// Wraps a value about which nothing else is known.
    #[must_use]
    pub const fn of(value: Value) -> Self {
        Self { value, element_bits: None, messages: Vec::new() }
    }
}

/// The functions and names that an expression sees.
#[derive(Clone, Debug)]
pub struct Scope<'f> {
    functions: &'f Functions,
    names: BTreeMap<String, Evaluated>,
}

impl<'f> Scope<'f> {
    /// Makes a scope without names.
    #[must_use]
    pub const fn new(functions: &'f Functions) -> Self {
        Self { functions, names: BTreeMap::new() }
    }

    /// Returns the table of functions.
    #[must_use]
    pub const fn functions(&self) -> &'f Functions {
        self.functions
    }

    /// Returns what a name was given.
    #[must_use]
    pub fn name(&self, name: &str) -> Option<&Evaluated> {
        self.names.get(name)
    }

    /// Visits all names in alphabetical order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.keys().map(String::as_str)
    }

    /// Gives a value to a name; a name that had one gets the new one.
    ///
    /// # Errors
    /// What is no name: it needs a letter first, then letters, digits and `_`, and must not be a
    /// word of the notation.
    pub fn define(&mut self, name: &str, value: Evaluated) -> Result<(), Diagnostic> {
        let letter = name.starts_with(|c: char| c.is_ascii_alphabetic());
        if !letter || !name.chars().all(super::lexer::is_word) {
            return Err(Diagnostic::error("name", format!("invalid name `{name}`"))
                .hint("a name is a letter followed by letters, digits and `_`"));
        }
        if matches!(name, "o" | "X" | "None" | "Underscore") {
            return Err(Diagnostic::error("name", format!("`{name}` is a word of the notation"))
                .hint("choose another name"));
        }
        self.names.insert(name.to_owned(), value);
        Ok(())
    }

    /// Evaluates an expression; declarations in front of it hold for the text only.
    ///
    /// # Errors
    /// What the grammar, a function or the algebra refuses, with its place in `text`.
    pub fn evaluate(&self, text: &str) -> Result<Evaluated, Diagnostic> {
        self.last_of(statements(text)?).map(|(_, evaluated)| evaluated)
    }

    /// Evaluates statements and returns the last one with its value.
    fn last_of(
        &self,
        mut statements: Vec<Statement>,
    ) -> Result<(Statement, Evaluated), Diagnostic> {
        let nothing = || Diagnostic::error("syntax", "expected an expression, found nothing");
        let last = statements.pop().ok_or_else(nothing)?;
        if statements.is_empty() {
            let evaluated = Evaluator::new(self).run(&last.expr)?;
            return Ok((last, evaluated));
        }
        let mut scope = self.clone();
        let mut messages = Vec::new();
        for Statement { name, expr } in statements {
            let mut evaluated = Evaluator::new(&scope).run(&expr)?;
            messages.append(&mut evaluated.messages);
            if let Some((name, span)) = name {
                scope.define(&name, evaluated).map_err(|message| message.or_at(span))?;
            }
        }
        let mut evaluated = Evaluator::new(&scope).run(&last.expr)?;
        messages.append(&mut evaluated.messages);
        Ok((last, Evaluated { messages, ..evaluated }))
    }

    /// Evaluates an expression where a layout is wanted; a shape alone is its compact column-major
    /// layout.
    ///
    /// # Errors
    /// As [`Self::evaluate`], and values that are no layout.
    pub fn layout(&self, text: &str) -> Result<(AnyLayout, Evaluated), Diagnostic> {
        let evaluated = self.evaluate(text)?;
        let whole = Span::new(0, text.len());
        let layout = evaluated.value.to_layout().map_err(|message| message.or_at(whole))?;
        Ok((layout, evaluated))
    }

    /// Evaluates an expression that stands alone, as on the command line: there, a shape written
    /// out is a layout.
    ///
    /// # Errors
    /// As [`Self::evaluate`].
    pub fn statement(&self, text: &str) -> Result<Evaluated, Diagnostic> {
        let (statement, evaluated) = self.last_of(statements(text)?)?;
        shown(&statement, evaluated)
    }

    /// As [`Self::statement`], and gives the values of declarations to their names.
    ///
    /// # Errors
    /// As [`Self::evaluate`], and names that [`Self::define`] refuses.
    pub fn execute(&mut self, text: &str) -> Result<Evaluated, Diagnostic> {
        let mut statements = statements(text)?;
        let mut messages = Vec::new();
        loop {
            let rest = statements.split_off(1.min(statements.len()));
            let (statement, mut evaluated) = self.last_of(statements)?;
            messages.append(&mut evaluated.messages);
            if let Some((name, span)) = &statement.name {
                self.define(name, evaluated.clone()).map_err(|message| message.or_at(*span))?;
            }
            if rest.is_empty() {
                let evaluated = shown(&statement, evaluated)?;
                return Ok(Evaluated { messages, ..evaluated });
            }
            statements = rest;
        }
    }
}

/// Takes a shape that stands alone for its layout; a name may be given to a shape.
fn shown(statement: &Statement, mut evaluated: Evaluated) -> Result<Evaluated, Diagnostic> {
    let Statement { name: None, expr } = statement else { return Ok(evaluated) };
    if expr.is_shape() {
        evaluated.value = layout_of(expr, &evaluated)?.into();
    }
    Ok(evaluated)
}

fn layout_of(expr: &Expr, evaluated: &Evaluated) -> Result<AnyLayout, Diagnostic> {
    evaluated.value.to_layout().map_err(|message| message.or_at(expr.span))
}
