//! Writes a message with its place, its line and a caret.
//!
//! In: a message and where it belongs. Out: text whose first line is `PLACE: error[code]: text`, so that
//! editors and CI logs make the place a link; what to type follows as `= help:`. Invariant: every message
//! that is a [`Diagnostic`] has this form, with or without a line to show.

use super::place::{Excerpt, Place};
use crate::diagnostic::{Diagnostic, Level};
use annotate_snippets::{Annotation, AnnotationKind, Group, Renderer, Snippet};

/// Writes a message that covers `length` bytes from its place on.
#[must_use]
pub fn report(place: &Place, length: usize, diagnostic: &Diagnostic) -> String {
    let Excerpt { text, at: from, .. } = &place.excerpt;
    let to = (from + length).min(text.len());
    let to = (to..=text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(*from);
    let snippet = Snippet::source(text.as_str())
        .line_start(place.line())
        .line_numbering(place.is_exact())
        .annotation(AnnotationKind::Primary.span(*from..to));
    format!("{place}: {}\n", rendered(diagnostic, Some(snippet)))
}

/// Writes a message without a line to show, about `place` or, if that is empty, about the call as a whole.
#[must_use]
pub fn remark(place: &str, diagnostic: &Diagnostic) -> String {
    let separator = if place.is_empty() { "" } else { ": " };
    format!("{place}{separator}{}\n", rendered(diagnostic, None))
}

fn rendered<'d>(
    diagnostic: &'d Diagnostic,
    snippet: Option<Snippet<'d, Annotation<'d>>>,
) -> String {
    let level = match diagnostic.level {
        Level::Error => annotate_snippets::Level::ERROR,
        Level::Warning => annotate_snippets::Level::WARNING,
        Level::Note => annotate_snippets::Level::NOTE,
    };
    let title = level.primary_title(diagnostic.text.as_str()).id(diagnostic.code);
    let mut group = Group::with_title(title);
    group = group.elements(snippet);
    if let Some(hint) = &diagnostic.hint {
        group = group.element(annotate_snippets::Level::HELP.message(hint.as_str()));
    }
    let text = Renderer::plain().render(&[group]);
    text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
}

/// Writes a message in one line, as the box in the page shows it.
#[must_use]
pub fn line(place: &Place, diagnostic: &Diagnostic) -> String {
    format!("{}: {}: {diagnostic}", place.in_page(), diagnostic.level)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_have_one_form() {
        let diagnostic = Diagnostic::error("unknown-id", "no figure has the id `x`");
        let place = Place::in_file(&"a.md".into(), 2, "see [x](cute:x)", 8);
        assert_eq!(remark("", &diagnostic), "error[unknown-id]: no figure has the id `x`\n");
        let diagnostic = diagnostic.hint("first\nsecond");
        let help = "  |\n  = help: first\n          second\n";
        assert_eq!(
            report(&place, 6, &diagnostic),
            format!(
                "a.md:3:9: error[unknown-id]: no figure has the id `x`\n  |\n3 | see [x](cute:x)\n  |         ^^^^^^\n{help}"
            )
        );
        assert_eq!(
            remark("book.toml", &diagnostic),
            "book.toml: error[unknown-id]: no figure has the id `x`\n |\n = help: first\n         second\n"
        );
    }
}
