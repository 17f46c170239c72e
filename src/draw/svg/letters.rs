//! Short texts of one ink and one size as one element.
//!
//! In: lines of text and their middles. Out: one path of strokes, or one group of `<text>`. Invariant:
//! texts are centered by arithmetic, not by attributes that some renderers ignore, and an element
//! without texts does not exist.

use super::paint::Paint;
use crate::draw::glyphs::Pen;
use crate::draw::markup::{push_int_attr, push_text};
use crate::draw::tag::{Filling, Tag};
use crate::draw::target::{Letters, Style};

/// What the texts of one element have in common.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ink {
    /// Their color.
    pub(super) paint: Paint,
    /// Width of a stroke in hundredths of a unit.
    pub(super) weight: i64,
    /// Their size in hundredths of the labels of cells.
    pub(super) zoom: i64,
}

/// Writes texts into one element.
pub(super) struct Writer<'a> {
    /// Nothing where no labels are wanted.
    text: Option<Filling<'a>>,
    letters: Letters,
    /// Where the pen was lifted.
    at: (i64, i64),
    zoom: i64,
}

impl<'a> Writer<'a> {
    /// Opens the element.
    pub(super) fn open(out: &'a mut String, ink: Ink, style: Style) -> Self {
        Self::begin(out, None, ink, style)
    }

    /// Opens the element with a class.
    pub(super) fn of_class(
        out: &'a mut String,
        class: &'static str,
        ink: Ink,
        style: Style,
    ) -> Self {
        Self::begin(out, Some(class), ink, style)
    }

    fn begin(out: &'a mut String, class: Option<&'static str>, ink: Ink, style: Style) -> Self {
        let Ink { paint, weight, zoom } = ink;
        let (letters, target) = (style.letters(), style.target());
        let text = match letters {
            Letters::None => None,
            Letters::Stroke | Letters::Columns => {
                let path = classed(Tag::open(out, "path"), class);
                Some(path.stroke(paint, weight, target).zoom(zoom).data("d"))
            }
            Letters::Text => {
                let group = classed(Tag::open(out, "g"), class).paint("fill", paint, target);
                let group = group.int("font-size", 11 * zoom / 100);
                let bold = weight > 100;
                let group = if bold { group.set("font-weight", "600") } else { group };
                Some(group.filling())
            }
        };
        Self { text, letters, at: (0, 0), zoom: zoom.max(1) }
    }

    /// Writes one line of text around a point.
    pub(super) fn centered(&mut self, x: i64, y: i64, line: &str) {
        let Some(out) = &mut self.text else { return };
        if self.letters == Letters::Text {
            out.push_str("<text");
            push_int_attr(out, "x", x);
            // Half the height of capitals: what `dy=".35em"` would add.
            push_int_attr(out, "y", y + 4 * self.zoom / 100);
            out.push('>');
            push_text(out, line);
            out.push_str("</text>");
            return;
        }
        let (x, y) = match self.zoom {
            100 => (x, y),
            zoom => (x * 100 / zoom, y * 100 / zoom),
        };
        let mut pen = Pen::from(out, self.at);
        pen.write_centred(x, y, line);
        self.at = pen.lift();
    }
}

fn classed<'a>(tag: Tag<'a>, class: Option<&'static str>) -> Tag<'a> {
    match class {
        Some(class) => tag.set("class", class),
        None => tag,
    }
}
