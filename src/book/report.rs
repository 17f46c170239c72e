//! Writes a message with its place, its line and a caret.
//!
//! In: a place and a message. Out: text whose first line starts with `path:line:column`, so that
//! editors and CI logs make it a link. Invariant: one such line a message.

use super::place::Place;
use crate::diagnostic::{Diagnostic, Level};
use annotate_snippets::{AnnotationKind, Group, Renderer, Snippet};

/// Writes a message that covers `length` bytes from its place on.
#[must_use]
pub fn report(place: &Place, length: usize, diagnostic: &Diagnostic) -> String {
    let level = match diagnostic.level {
        Level::Error => annotate_snippets::Level::ERROR,
        Level::Warning => annotate_snippets::Level::WARNING,
        Level::Note => annotate_snippets::Level::NOTE,
    };
    let from = place.column;
    let to = (from + length).min(place.text.len()).max(from);
    let to = (to..=place.text.len()).find(|&at| place.text.is_char_boundary(at)).unwrap_or(from);
    let snippet = Snippet::source(place.text.as_str())
        .line_start(place.line())
        .line_numbering(place.is_exact())
        .annotation(AnnotationKind::Primary.span(from..to));
    let title = level.clone().primary_title(diagnostic.text.as_str()).id(diagnostic.code);
    let mut group = Group::with_title(title).element(snippet);
    if let Some(hint) = &diagnostic.hint {
        group = group.element(annotate_snippets::Level::HELP.message(hint.as_str()));
    }
    let rendered = Renderer::plain().render(&[group]);
    let rendered: Vec<_> = rendered.lines().map(str::trim_end).collect();
    format!("{place}: {}\n", rendered.join("\n"))
}

/// Writes a message in one line, as the box in the page shows it.
#[must_use]
pub fn line(place: &Place, diagnostic: &Diagnostic) -> String {
    format!("{}: {}: {diagnostic}", place.in_page(), diagnostic.level)
}
