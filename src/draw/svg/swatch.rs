//! One line of a legend in a file: a swatch and its meaning.
//!
//! In: an entry of a legend. Out: a square, or the squares of a scale, and a line of text. Invariant:
//! a swatch looks like the cells that it explains.

use super::paint::Paint;
use super::path::push_pair;
use super::words::{self, Face};
use crate::draw::markup::plain;
use crate::draw::tag::Tag;
use crate::draw::target::{Style, Target};
use crate::figure::{Fill, LegendEntry, Mark, Scale, Swatch};

/// Height of the line.
pub(super) const LINE: i64 = 17;
/// Side of a swatch.
const SIDE: i64 = 12;
/// Size of the words in hundredths of the labels of cells.
const SIZE: i64 = 90;

/// Returns the width of an entry.
pub(super) fn entry_width(entry: &LegendEntry, style: Style) -> i64 {
    swatch_width(entry.swatch) + words::width(&entry.text, SIZE, style)
}

const fn swatch_width(swatch: Swatch) -> i64 {
    match swatch {
        Swatch::Scale(_) => 5 * SIDE + 6,
        Swatch::Text => 0,
        _ => SIDE + 6,
    }
}

/// Appends an entry with its corner at `(x, y)`.
pub(super) fn push_entry(out: &mut String, entry: &LegendEntry, (x, y): (i64, i64), style: Style) {
    push_swatch(out, entry.swatch, (x, y + (LINE - SIDE) / 2), style.target());
    let at = (x + swatch_width(entry.swatch), y + LINE / 2);
    words::push(out, at, &plain(&entry.text), Face::Plain, SIZE, Paint::Text, style);
}

fn push_swatch(out: &mut String, swatch: Swatch, (x, y): (i64, i64), target: Target) {
    let mut square = |x: i64, width: i64, edge: Option<&'static str>, paint: Paint| {
        let rect =
            Tag::open(out, "rect").int("x", x).int("y", y).int("width", width).int("height", SIDE);
        match edge {
            None => rect.paint("fill", paint, target),
            Some(width) => {
                rect.set("fill", "none").paint("stroke", paint, target).set("stroke-width", width)
            }
        };
    };
    match swatch {
        Swatch::Text => {}
        Swatch::Fill(scale, fill) => square(x, SIDE, None, Paint::Cell(scale, fill)),
        Swatch::Faded => square(x, SIDE, None, Paint::Faded),
        Swatch::Scale(scale) => {
            let (steps, count) = match scale {
                Scale::Ramp => (Fill::RAMP, 15),
                Scale::Category => (8, 8),
            };
            for step in 0..steps {
                let x = x + i64::from(step) * 5 * SIDE / i64::from(steps);
                square(x, 5 * SIDE / count, None, Paint::Cell(scale, Fill::Class(step)));
            }
        }
        Swatch::Border => square(x, SIDE, Some("1.3"), Paint::Text),
        Swatch::Boundary => square(x, SIDE, Some("2"), Paint::Text),
        Swatch::Mark(Mark::Failing) => square(x, SIDE, Some("2.2"), Paint::Fail(Scale::Ramp)),
        Swatch::Mark(Mark::Picked) => square(x, SIDE, Some("2.2"), Paint::Pick(Scale::Ramp)),
        Swatch::Mark(Mark::Twice) => {
            square(x, SIDE, None, Paint::Cell(Scale::Category, Fill::Class(0)));
            let corner = (x + SIDE / 4, y);
            push_corner(out, corner, "h9v9z", Paint::Twice(Scale::Category), target);
        }
        Swatch::Mark(Mark::Moved) => {
            square(x, SIDE, None, Paint::Cell(Scale::Category, Fill::Class(0)));
            let corner = (x, y + SIDE / 4);
            push_corner(out, corner, "v9h9z", Paint::Ink(Scale::Category), target);
        }
        Swatch::Mark(Mark::None) => square(x, SIDE, Some(".6"), Paint::Text),
        Swatch::Mark(Mark::Hole) => {
            square(x, SIDE, Some(".6"), Paint::Text);
            push_strokes(out, (x, y + SIDE), "l12-12", target);
        }
        Swatch::Mark(Mark::Outside) => {
            square(x, SIDE, Some(".6"), Paint::Text);
            push_strokes(out, (x, y + SIDE), "l12-12m-12 0l12 12", target);
        }
    }
}

/// Draws the strokes through a hole or a cell outside.
fn push_strokes(out: &mut String, (x, y): (i64, i64), strokes: &str, target: Target) {
    Tag::open(out, "path")
        .set("fill", "none")
        .paint("stroke", Paint::Text, target)
        .set("stroke-width", ".6")
        .value("d", |path| {
            path.push('M');
            push_pair(path, x, y);
            path.push_str(strokes);
        });
}

/// Fills the corner that marks a cell that was moved, or reached twice.
fn push_corner(out: &mut String, (x, y): (i64, i64), shape: &str, paint: Paint, target: Target) {
    Tag::open(out, "path").paint("fill", paint, target).value("d", |path| {
        path.push('M');
        push_pair(path, x, y);
        path.push_str(shape);
    });
}
