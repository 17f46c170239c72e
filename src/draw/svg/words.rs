//! Lines of text around the grids: titles, layouts, legends.
//!
//! In: a line of text. Out: one `<text>`, or one path of strokes: a file whose text is strokes looks
//! the same where no font is installed.

use super::paint::Paint;
use crate::cute::index::wide;
use crate::draw::glyphs::{self, Pen};
use crate::draw::tag::Tag;
use crate::draw::target::{Letters, Style};

/// How a line of text looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Face {
    /// Prose.
    Plain,
    /// Names.
    Bold,
    /// Layouts.
    Mono,
}

/// Returns how wide a line is at `zoom` hundredths of the size of labels; of text, whose font only
/// the viewer knows, about how wide.
pub(super) fn width(text: &str, zoom: i64, style: Style) -> i64 {
    if style.beside_cells().letters() == Letters::Stroke {
        return (glyphs::width(text) + glyphs::GAP) * zoom / 100 + 1;
    }
    // A character of a monospaced font of size 11 takes 6.6, one of a bold sans about 7.2.
    (wide(text.chars().count()) * 72 / 10 + 2) * zoom / 100
}

/// Appends `text` with its left end at `x` and its vertical middle at `y`.
pub(super) fn push(
    out: &mut String,
    (x, y): (i64, i64),
    text: &str,
    face: Face,
    zoom: i64,
    paint: Paint,
    style: Style,
) {
    if text.is_empty() {
        return;
    }
    if style.beside_cells().letters() == Letters::Stroke {
        let weight = if face == Face::Bold { 150 } else { 90 };
        Tag::open(out, "path").stroke(paint, weight, style.target()).zoom(zoom).value("d", |out| {
            Pen::new(out).write(x * 100 / zoom, y * 100 / zoom - glyphs::HEIGHT / 2, text);
        });
        return;
    }
    let mut tag = Tag::open(out, "text")
        .int("x", x)
        .int("y", y + 4 * zoom / 100)
        .paint("fill", paint, style.target())
        .int("font-size", 11 * zoom / 100);
    if face != Face::Mono {
        tag = tag.set("font-family", "system-ui,sans-serif");
    }
    if face == Face::Bold {
        tag = tag.set("font-weight", "700");
    }
    tag.set("text-anchor", "start").text(text);
}

/// Breaks a text at blanks into lines of about `width` units.
pub(super) fn wrapped(text: &str, width: i64, zoom: i64, style: Style) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line)
                if self::width(line, zoom, style) + self::width(word, zoom, style) < width =>
            {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}
