//! Lines of text around the grids: titles, layouts, legends.
//!
//! In: a line of text. Out: one `<text>`, or one path of strokes. Why both: a file whose text is
//! strokes looks the same where no font is installed.

use super::paint::Paint;
use super::{Labels, Style, push_hundredths};
use crate::draw::glyphs::{self, Pen};
use crate::draw::markup::{push_int_attr, push_text};

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
    if style.beside_cells().labels == Labels::Stroke {
        return (glyphs::width(text) + glyphs::GAP) * zoom / 100 + 1;
    }
    // A character of a monospaced font of size 11 takes 6.6, one of a bold sans about 7.2.
    let chars = i64::try_from(text.chars().count()).unwrap_or(i64::MAX / 1_000_000);
    (chars * 72 / 10 + 2) * zoom / 100
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
    if style.beside_cells().labels == Labels::Stroke {
        out.push_str("<path");
        paint.push_stroke(out, if face == Face::Bold { 150 } else { 90 }, style.medium);
        if zoom != 100 {
            out.push_str(" transform=\"scale(");
            push_hundredths(out, zoom);
            out.push_str(")\"");
        }
        out.push_str(" d=\"");
        Pen::new(out).write(x * 100 / zoom, y * 100 / zoom - glyphs::HEIGHT / 2, text);
        out.push_str("\"/>");
        return;
    }
    out.push_str("<text");
    push_int_attr(out, "x", x);
    push_int_attr(out, "y", y + 4 * zoom / 100);
    paint.push(out, "fill", style.medium);
    push_int_attr(out, "font-size", 11 * zoom / 100);
    out.push_str(match face {
        Face::Plain => " font-family=\"system-ui,sans-serif\" text-anchor=\"start\">",
        Face::Bold => {
            " font-family=\"system-ui,sans-serif\" font-weight=\"700\" text-anchor=\"start\">"
        }
        Face::Mono => " text-anchor=\"start\">",
    });
    push_text(out, text);
    out.push_str("</text>");
}
