//! The bits of an offset and what a swizzle does to them.
//!
//! In: a [`BitPicture`]. Out: a row of boxes, highest bit on the left, and one arrow from each bit
//! that is read to the bit it is XORed into.

use super::letters::{Ink, Writer};
use super::paint::Paint;
use super::path::{push_pair, push_rectangle};
use crate::draw::tag::Tag;
use crate::draw::target::Style;
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
    let target = style.target();
    let left = |bit: u32| x + 2 + (i64::from(bits.width) - 1 - i64::from(bit)) * BOX;
    let top = y + NUMBERS;
    let within = |bit: u32, from: u32| bit >= from && bit < from + bits.count;
    for (from, fill) in [(bits.source, Fill::Class(6)), (bits.target, Fill::Class(16))] {
        let paint = Paint::Cell(Scale::Category, fill);
        let mut path = Tag::open(out, "path").paint("fill", paint, target).data("d");
        for bit in (from..from + bits.count).filter(|&bit| bit < bits.width) {
            push_rectangle(&mut path, (left(bit), top), (BOX, BOX));
        }
    }
    Tag::open(out, "path").stroke(Paint::Text, 100, target).value("d", |path| {
        (0..bits.width).for_each(|bit| push_rectangle(path, (left(bit), top), (BOX, BOX)));
    });
    Tag::open(out, "path").stroke(Paint::Text, 120, target).value("d", |path| {
        for step in 0..bits.count {
            let middle = |bit: u32| left(bit + step) + BOX / 2;
            let depth = 9 + i64::from(step) * 6 % 20;
            push_arrow(path, (middle(bits.source), top + BOX), middle(bits.target), depth);
        }
    });

    let style = style.beside_cells();
    let ink = |paint| Ink { paint, weight: 100, zoom: 100 };
    {
        let mut numbers = Writer::open(out, ink(Paint::Text), style);
        for bit in 0..bits.width {
            numbers.centered(left(bit) + BOX / 2, y + NUMBERS / 2, &bit.to_string());
        }
    }
    let mut letters = Writer::open(out, ink(Paint::Ink(Scale::Category)), style);
    for bit in 0..bits.width {
        let letter = match (within(bit, bits.source), within(bit, bits.target)) {
            (true, _) => "Y",
            (_, true) => "Z",
            _ => continue,
        };
        letters.centered(left(bit) + BOX / 2, top + BOX / 2, letter);
    }
}

/// Appends an arrow that leaves a box downwards and enters another from below.
fn push_arrow(path: &mut String, (from, under): (i64, i64), to: i64, depth: i64) {
    path.push('M');
    push_pair(path, from, under);
    path.push('v');
    push_int(path, depth);
    path.push('H');
    push_int(path, to);
    path.push('v');
    push_int(path, -depth + 1);
    path.push_str("m-3 3l3-3 3 3");
}
