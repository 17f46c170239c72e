//! Links to figures: from pages to pages, and in captions.
//!
//! In: the paths of chapters, and the text of a caption. Out: relative addresses, and the pieces of a
//! caption. Invariant: an address names the chapter's Markdown file, which mdBook turns into the
//! page; so the print page finds it too.

use super::limits::SUGGESTIONS;
use crate::diagnostic::{Diagnostic, Span};
use crate::suggest::nearest;

/// Returns the address of an anchor as seen from a chapter. Paths have `/` between their parts.
#[must_use]
pub fn href(from: &str, to: &str, id: &str) -> String {
    if from == to {
        return format!("#{id}");
    }
    let from: Vec<&str> = from.split('/').collect();
    let to: Vec<&str> = to.split('/').collect();
    let folders = from.len() - 1;
    let shared =
        from[..folders].iter().zip(&to[..to.len() - 1]).take_while(|(a, b)| a == b).count();
    let mut out = "../".repeat(folders - shared);
    for (number, part) in to[shared..].iter().enumerate() {
        if number > 0 {
            out.push('/');
        }
        push_part(&mut out, part);
    }
    out.push('#');
    out.push_str(id);
    out
}

/// Appends a file name; what Markdown or an address would take for its own is encoded.
fn push_part(out: &mut String, part: &str) {
    for c in part.chars() {
        match c {
            ' ' | '(' | ')' | '<' | '>' | '%' | '#' | '?' | '"' => {
                out.push_str(&format!("%{:02X}", u32::from(c)));
            }
            c => out.push(c),
        }
    }
}

/// Returns the page that mdBook makes of a chapter.
#[must_use]
pub fn page_of(path: &str) -> String {
    match path.strip_suffix(".md") {
        Some(stem) => format!("{stem}.html"),
        None => match path.rsplit_once('.') {
            Some((stem, extension)) if !extension.contains('/') => format!("{stem}.html"),
            _ => format!("{path}.html"),
        },
    }
}

/// A piece of a caption.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece<'c> {
    /// Literal text.
    Text(&'c str),
    /// `[text](cute:ID)`.
    Link {
        /// What is shown.
        text: &'c str,
        /// The id.
        id: &'c str,
        /// Where the id stands in the caption.
        span: Span,
    },
}

/// Returns a caption without its links.
#[must_use]
pub fn words(pieces: &[Piece<'_>]) -> String {
    let text = |piece: &Piece<'_>| match *piece {
        Piece::Text(text) | Piece::Link { text, .. } => text.to_owned(),
    };
    pieces.iter().map(text).collect()
}

/// Takes a caption apart. Only links to figures are links; all else is literal.
#[must_use]
pub fn pieces(caption: &str) -> Vec<Piece<'_>> {
    const MIDDLE: &str = "](cute:";
    let mut out = Vec::new();
    let mut done = 0;
    let mut from = 0;
    while let Some(found) = caption[from..].find(MIDDLE) {
        let middle = from + found;
        let id_at = middle + MIDDLE.len();
        from = id_at;
        let opening = caption[done..middle].rfind('[').map(|at| done + at);
        let closing = caption[id_at..].find(')').map(|at| id_at + at);
        let (Some(opening), Some(closing)) = (opening, closing) else { continue };
        if opening > done {
            out.push(Piece::Text(&caption[done..opening]));
        }
        out.push(Piece::Link {
            text: &caption[opening + 1..middle],
            id: &caption[id_at..closing],
            span: Span::new(id_at, closing),
        });
        done = closing + 1;
        from = done;
    }
    if done < caption.len() {
        out.push(Piece::Text(&caption[done..]));
    }
    out
}

/// Looks for ids that unknown ones were meant to be, as long as it is worth the time: it takes one
/// comparison for each id of the book.
#[derive(Debug)]
pub struct Suggestions {
    left: usize,
}

impl Default for Suggestions {
    fn default() -> Self {
        Self { left: SUGGESTIONS }
    }
}

impl Suggestions {
    /// Says that no figure has this id.
    #[must_use]
    pub fn unknown_id<'a>(&mut self, id: &str, known: impl Iterator<Item = &'a str>) -> Diagnostic {
        let diagnostic = Diagnostic::error("unknown-id", format!("no figure has the id `{id}`"));
        let near = if self.left > 0 { nearest(id, known) } else { None };
        self.left = self.left.saturating_sub(1);
        match near {
            Some(near) => diagnostic.hint(format!("did you mean `{near}`?")),
            None => diagnostic.hint("give the figure `id=...`; ids are unique over the book"),
        }
    }
}

/// Says that a figure cannot be shown as an image.
#[must_use]
pub fn no_image(id: &str) -> Diagnostic {
    Diagnostic::error("image-link", format!("a figure is not an image: `cute:{id}` shows nothing"))
        .hint(format!(
            "write `[text](cute:{id})` to link to it, or a block with `use={id}` to draw a figure of the gallery"
        ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_relative() {
        for (from, to, expected) in [
            ("a.md", "a.md", "#x"),
            ("a.md", "b.md", "b.md#x"),
            ("s/a.md", "s/b.md", "b.md#x"),
            ("s/a.md", "b.md", "../b.md#x"),
            ("a.md", "s/t/b c(1).md", "s/t/b%20c%281%29.md#x"),
            ("s/t/a.md", "s/u/b.md", "../u/b.md#x"),
            ("s/a.md", "s.md", "../s.md#x"),
        ] {
            assert_eq!(href(from, to, "x"), expected, "{from} {to}");
        }
        assert_eq!(page_of("s/a.md"), "s/a.html");
        assert_eq!(page_of("s.t/a"), "s.t/a.html");
    }

    #[test]
    fn only_links_to_figures_are_links() {
        let link =
            |text, id, from: usize| Piece::Link { text, id, span: Span::new(from, from + 1) };
        assert_eq!(
            pieces("a [b](cute:c), [d](x.md) [e](cute:f)"),
            [
                Piece::Text("a "),
                link("b", "c", 11),
                Piece::Text(", [d](x.md) "),
                link("e", "f", 34),
            ]
        );
        for text in ["", "](cute:x)", "[a](cute:x", "[a](cutex)"] {
            let expected: Vec<_> =
                (!text.is_empty()).then_some(Piece::Text(text)).into_iter().collect();
            assert_eq!(pieces(text), expected, "{text}");
        }
        assert_eq!(pieces("ä[ö](cute:c)"), [Piece::Text("ä"), link("ö", "c", 12)]);
    }
}
