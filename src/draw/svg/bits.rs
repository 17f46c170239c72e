//! The bits of an offset and what a swizzle does to them.
//!
//! In: a [`BitPicture`]. Out: a row of boxes, highest bit on the left, and one arrow from each bit
//! that is read to the bit it is XORed into.

use super::lines::rectangle;
use super::paint::Paint;
use super::{Labels, Style};
use crate::draw::glyphs::{self, Pen};
use crate::draw::markup::push_text;
use crate::figure::model::label::push_int;
use crate::figure::{BitPicture, Fill, Scale};

const BOX: i64 = 20;
const NUMBERS: i64 = 14;
/// Room below the boxes for the arrows.
const ARROWS: i64 = 34;

/// Returns the size of the picture.
pub(super) fn size(bits: &BitPicture) -> (i64, i64) {
    (i64::from(bits.width) * BOX + 4, NUMBERS + BOX + ARROWS)
}

/// Appends the picture with its corner at `(x, y)`.
pub(super) fn push(out: &mut String, bits: &BitPicture, (x, y): (i64, i64), style: Style) {
    let left = |bit: u32| x + 2 + (i64::from(bits.width) - 1 - i64::from(bit)) * BOX;
    let top = y + NUMBERS;
    let within = |bit: u32, from: u32| bit >= from && bit < from + bits.count;
    for (from, fill) in [(bits.source, Fill::Class(6)), (bits.target, Fill::Class(16))] {
        let boxes: Vec<u32> = (from..from + bits.count).filter(|&bit| bit < bits.width).collect();
        if boxes.is_empty() {
            continue;
        }
        out.push_str("<path");
        Paint::Cell(Scale::Category, fill).push(out, "fill", style.medium);
        out.push_str(" d=\"");
        for bit in boxes {
            rectangle(out, (left(bit), top), (BOX, BOX));
        }
        out.push_str("\"/>");
    }
    out.push_str("<path");
    Paint::Text.push_stroke(out, 100, style.medium);
    out.push_str(" d=\"");
    (0..bits.width).for_each(|bit| rectangle(out, (left(bit), top), (BOX, BOX)));
    out.push_str("\"/><path");
    Paint::Text.push_stroke(out, 120, style.medium);
    out.push_str(" d=\"");
    for step in 0..bits.count {
        let from = left(bits.source + step) + BOX / 2;
        let to = left(bits.target + step) + BOX / 2;
        let under = top + BOX;
        let depth = 9 + i64::from(step) * 6 % 20;
        out.push('M');
        push_pair(out, from, under);
        out.push('v');
        push_int(out, depth);
        out.push('H');
        push_int(out, to);
        out.push('v');
        push_int(out, -depth + 1);
        out.push_str("m-3 3l3-3 3 3");
    }
    out.push_str("\"/>");

    let mut on_page = Vec::new();
    let mut on_fill = Vec::new();
    for bit in 0..bits.width {
        let centre = left(bit) + BOX / 2;
        on_page.push((centre, y + NUMBERS / 2, bit.to_string()));
        let letter = match (within(bit, bits.source), within(bit, bits.target)) {
            (true, _) => "Y",
            (_, true) => "Z",
            _ => continue,
        };
        on_fill.push((centre, top + BOX / 2, letter.to_owned()));
    }
    texts(out, &on_page, Paint::Text, style);
    texts(out, &on_fill, Paint::Ink(Scale::Category), style);
}

fn texts(out: &mut String, texts: &[(i64, i64, String)], paint: Paint, style: Style) {
    match style.beside_cells().labels {
        Labels::None => {}
        Labels::Stroke | Labels::Columns => {
            out.push_str("<path");
            paint.push_stroke(out, 100, style.medium);
            out.push_str(" d=\"");
            let mut pen = Pen::new(out);
            texts.iter().for_each(|(x, y, text)| pen.write_centred(*x, *y, text));
            out.push_str("\"/>");
        }
        Labels::Text => {
            out.push_str("<g");
            paint.push(out, "fill", style.medium);
            out.push_str(" font-size=\"11\">");
            for (x, y, text) in texts {
                out.push_str("<text x=\"");
                push_int(out, *x);
                out.push_str("\" y=\"");
                push_int(out, y + 4);
                out.push_str("\">");
                push_text(out, text);
                out.push_str("</text>");
            }
            out.push_str("</g>");
        }
    }
}

fn push_pair(out: &mut String, x: i64, y: i64) {
    push_int(out, x);
    glyphs::push_next(out, y);
}
