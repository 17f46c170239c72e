//! From a spec to a figure: resolve, build by kind, hold against the expectations.
//!
//! In: a [`Spec`] and the book's functions and names. Out: a [`Built`] figure, or every problem in
//! the order of the source. Invariant: a figure whose expectations fail is never returned.

use crate::diagnostic::{Diagnostic, Level};
use crate::expr::Scope;
use crate::figure::input::entry::{Part, Problem};
use crate::figure::input::expect;
use crate::figure::input::frame::TITLE;
use crate::figure::input::resolve::resolve;
use crate::figure::input::spec::Spec;
use crate::figure::kinds::{KINDS, is_input};
use crate::figure::model::figure::Figure;

/// A figure and what its makers need to know about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Built {
    /// What there is to draw and to assert.
    pub figure: Figure,
    /// The inputs in one notation, sorted by key; see [`crate::figure::Keys::inputs`].
    pub inputs: Vec<(String, String)>,
    /// Warnings that no `expect.warning` acknowledges; the notes of the figure have all.
    pub warnings: Vec<Problem>,
}

/// Builds a figure.
///
/// # Errors
/// Everything that is wrong with it, in the order of the source. With `expect.error` a refusal is
/// the figure, and its absence the error.
pub fn build(spec: &Spec, scope: &Scope<'_>) -> Result<Built, Vec<Problem>> {
    match (attempt(spec, scope), expect::wants_refusal(spec)) {
        (Ok(_), true) => Err(expect::no_refusal(spec)),
        (Err(problems), true) => {
            let missed = expect::check_refusal(spec, &problems);
            if missed.is_empty() { Ok(refused(spec, problems)) } else { Err(missed) }
        }
        (outcome, false) => outcome,
    }
}

fn attempt(spec: &Spec, scope: &Scope<'_>) -> Result<Built, Vec<Problem>> {
    let resolved = resolve(spec, scope, KINDS)?;
    let keys = resolved.keys;
    let mut figure = (resolved.op.build)(&keys).map_err(|problem| vec![problem])?;
    if let Some(title) = keys.get(&TITLE) {
        title.clone_into(&mut figure.title);
    }
    let mut warnings: Vec<Problem> = resolved.warnings;
    warnings.extend(keys.messages());
    for note in &figure.notes {
        if !warnings.iter().any(|warning| same_message(&warning.diagnostic, note)) {
            warnings.push(Problem { part: Part::Figure, diagnostic: note.clone() });
        }
    }
    figure.notes = warnings.iter().map(|warning| unplaced(&warning.diagnostic)).collect();
    let (warnings, absent) = expect::check_warnings(spec, warnings);
    let mut problems = expect::check_facts(&keys, &figure);
    problems.extend(absent);
    problems.sort_by_key(|problem| problem.part.entry());
    if problems.is_empty() {
        let inputs = keys.inputs().into_iter().map(|(key, value)| (key.to_owned(), value));
        Ok(Built { figure, inputs: inputs.collect(), warnings })
    } else {
        Err(problems)
    }
}

fn same_message(a: &Diagnostic, b: &Diagnostic) -> bool {
    a.code == b.code && a.text == b.text
}

/// Drops the span: below a figure there is no source text.
fn unplaced(diagnostic: &Diagnostic) -> Diagnostic {
    Diagnostic { span: None, ..diagnostic.clone() }
}

/// Makes the figure of a refusal that was expected: the messages, and nothing drawn.
fn refused(spec: &Spec, problems: Vec<Problem>) -> Built {
    let notes = problems
        .iter()
        .map(|problem| Diagnostic { level: Level::Error, ..unplaced(&problem.diagnostic) })
        .collect();
    let inputs = spec
        .entries
        .iter()
        .filter(|entry| !entry.key.starts_with("expect.") && is_input(&entry.key))
        .map(|entry| (entry.key.clone(), entry.value.split_whitespace().collect::<String>()))
        .collect();
    let figure = Figure {
        kind: spec.kind.as_str(),
        title: "refused".to_owned(),
        notes,
        ..Figure::default()
    };
    Built { figure, inputs, warnings: Vec::new() }
}
