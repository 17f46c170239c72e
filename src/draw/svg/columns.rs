//! The labels of all cells of a grid as rows of text, for pages that have the style sheet.
//!
//! In: the labels of the first layer. Out: a `<foreignObject>` for each ink, whose text is in
//! attributes and shown by the style sheet, every character in a column of its own; why, is in
//! [`target`](crate::draw::target). Invariant: a label stands in the middle of its cell, whatever the
//! font.

use super::paint::Paint;
use super::path::push_hundredths;
use crate::cute::index::wide;
use crate::draw::markup::push_text;
use crate::draw::plan::LINE;
use crate::draw::raster::Raster;
use crate::draw::tag::Tag;
use crate::draw::target::Target;
use crate::figure::model::label::push_int;
use crate::figure::{Grid, Layer};

/// Appends the labels of all cells of `grid`.
pub(super) fn cells(out: &mut String, grid: &Grid, layer: &Layer, raster: Raster) {
    let lines = Lines::of(layer);
    let columns = Columns::of(lines.widest, raster.cell_w);
    for (part, text) in texts(grid, layer, &lines, &columns) {
        let paint = if part.colored { Paint::Ink(grid.scale) } else { Paint::Text };
        let down = wide(part.line) * LINE - (wide(part.lines) - 1) * LINE / 2;
        text.push(out, raster, &columns, down, paint);
    }
}

/// All lines of all labels in order.
struct Lines {
    text: String,
    ends: Vec<usize>,
    /// Characters of the longest.
    widest: usize,
}

impl Lines {
    fn of(layer: &Layer) -> Self {
        let mut out = Self {
            text: String::with_capacity(layer.labels.len() * 4),
            ends: Vec::with_capacity(layer.labels.len()),
            widest: 1,
        };
        for label in &layer.labels {
            for line in 0..label.lines() {
                let start = out.text.len();
                label.write_line(line, &mut out.text);
                out.widest = out.widest.max(characters(&out.text[start..]));
                out.ends.push(out.text.len());
            }
        }
        out
    }

    fn iter(&self) -> impl Iterator<Item = &str> {
        let mut start = 0;
        self.ends.iter().map(move |&end| &self.text[std::mem::replace(&mut start, end)..end])
    }
}

/// How the width of a cell is divided.
struct Columns {
    /// How many characters fit a cell.
    count: usize,
    /// Width of the cell in units.
    cell_w: i64,
}

impl Columns {
    /// The largest letters, in hundredths of a unit: as tall as strokes.
    const SIZE: i64 = 1100;
    /// Width of a character of a monospaced font, in hundredths of its size.
    const ADVANCE: i64 = 60;

    fn of(widest: usize, cell_w: i64) -> Self {
        let fit = cell_w * 10_000 / (Self::SIZE * Self::ADVANCE);
        // A column stays free, or the labels of neighbours would read as one.
        Self { count: (widest + 1).max(usize::try_from(fit).unwrap_or(1)), cell_w }
    }

    /// Size of the letters in hundredths of a unit.
    fn size(&self) -> i64 {
        (self.cell_w * 10_000 / (wide(self.count).max(1) * Self::ADVANCE)).min(Self::SIZE)
    }
}

/// Lines that are written as one text: of one ink, of labels with as many lines, the same of them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Part {
    colored: bool,
    lines: usize,
    line: usize,
}

/// Returns the text of each part that a grid has.
fn texts(grid: &Grid, layer: &Layer, lines: &Lines, columns: &Columns) -> Vec<(Part, Text)> {
    let mut texts: Vec<(Part, Text)> = Vec::new();
    let mut lines = lines.iter();
    let cells = grid.spots().zip(&grid.cells).zip(&layer.labels);
    for ((spot, cell), label) in cells {
        let colored = cell.is_colored();
        for (line, text) in lines.by_ref().take(label.lines()).enumerate() {
            let part = Part { colored, lines: label.lines(), line };
            let at = texts.iter().position(|&(other, _)| other == part).unwrap_or_else(|| {
                texts.push((part, Text::default()));
                texts.len() - 1
            });
            texts[at].1.write(text, spot.row, spot.col * columns.count, columns.count);
        }
    }
    texts.sort_by_key(|&(part, _)| part);
    texts
}

/// Labels in columns, a line for each row of cells. Those that an even number of blanks surrounds
/// stand in columns, the others half a column to the right.
#[derive(Default)]
struct Text {
    even: Half,
    odd: Half,
}

#[derive(Default)]
struct Half {
    text: String,
    row: usize,
    /// Characters that stand in the row already.
    chars: usize,
}

impl Text {
    /// Writes `label` into the middle of `count` columns from `column` on.
    fn write(&mut self, label: &str, row: usize, column: usize, count: usize) {
        let chars = characters(label);
        let blanks = count.saturating_sub(chars);
        let half = if blanks.is_multiple_of(2) { &mut self.even } else { &mut self.odd };
        for _ in half.row..row {
            half.text.push_str("&#10;");
            half.chars = 0;
        }
        half.row = row;
        let from = column + blanks / 2;
        push_blanks(&mut half.text, from.saturating_sub(half.chars));
        push_text(&mut half.text, label);
        half.chars = from + chars;
    }

    /// Appends the text `down` units below the first row of cells.
    fn push(&self, out: &mut String, raster: Raster, columns: &Columns, down: i64, paint: Paint) {
        // No decimals in the corner: over five hundred columns they would add up to a cell. Placed by
        // attributes, not by a margin: WebKit drops the one above.
        let mut object = Tag::open(out, "foreignObject")
            .int("x", raster.left)
            .int("y", raster.top + down)
            .content();
        let mut span = Tag::open(&mut object, "span").value("style", |out| {
            out.push_str("--p:calc(");
            push_int(out, columns.cell_w);
            out.push_str("px/");
            push_int(out, wide(columns.count));
            out.push_str(");line-height:");
            push_int(out, raster.cell_h);
            out.push_str("px;font-size:");
            push_hundredths(out, columns.size());
            out.push_str("px");
            if paint != Paint::Text {
                out.push_str(";color:");
                paint.push(out, Target::Book);
            }
        });
        for (name, half) in [("data-even", &self.even), ("data-odd", &self.odd)] {
            if !half.text.is_empty() {
                span = span.value(name, |out| out.push_str(&half.text));
            }
        }
        span.content();
    }
}

/// Counts the characters of a label, of which most are ASCII.
fn characters(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.chars().count() }
}

fn push_blanks(out: &mut String, mut count: usize) {
    const BLANKS: &str = "                                ";
    while let Some(rest) = count.checked_sub(BLANKS.len()) {
        out.push_str(BLANKS);
        count = rest;
    }
    out.push_str(&BLANKS[..count]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::{Cell, Fill, Label};

    /// Reads `text` back: each word and twice the column that its middle stands in, row by row.
    fn words(half: &Half, odd: usize) -> Vec<(usize, usize, String)> {
        let mut out = Vec::new();
        for (row, line) in half.text.split("&#10;").enumerate() {
            let mut at = 0;
            for word in line.split(' ') {
                if !word.is_empty() {
                    out.push((row, 2 * at + word.chars().count() + odd, word.to_owned()));
                }
                at += word.chars().count() + 1;
            }
        }
        out
    }

    #[test]
    fn every_label_stands_in_the_middle_of_its_cell() {
        let labels: [&dyn Fn(usize) -> Label; 4] = [
            &|at| Label::Int(i64::try_from(at * at * at).unwrap_or(0) - 20),
            &|at| Label::Coord(1, i32::try_from(at * at).unwrap_or(0)),
            &|at| Label::Owner { thr: 7, val: u32::try_from(at).unwrap_or(0) },
            &|at| if at % 3 == 0 { Label::Blank } else { Label::text("mm") },
        ];
        for (label, cell_w) in labels.into_iter().flat_map(|label| [22, 30, 47].map(|w| (label, w)))
        {
            let fill = |at: usize| if at.is_multiple_of(2) { Fill::Class(0) } else { Fill::Blank };
            let grid = Grid::from_fn(3, 9, |spot| Cell {
                fill: fill(spot.row * 9 + spot.col),
                ..Cell::default()
            })
            .layer("value", |spot| label(spot.row * 9 + spot.col));
            let layer = grid.layers.first().unwrap();
            let lines = Lines::of(layer);
            let columns = Columns::of(lines.widest, cell_w);
            assert!(columns.count > lines.widest, "labels of neighbours touch");
            let mut found = Vec::new();
            for (part, text) in texts(&grid, layer, &lines, &columns) {
                for (row, middle, word) in
                    words(&text.even, 0).into_iter().chain(words(&text.odd, 1))
                {
                    let col = middle / 2 / columns.count;
                    assert_eq!(middle, (2 * col + 1) * columns.count, "{word} in {row}, {col}");
                    assert_eq!(grid.cell(row, col).unwrap().is_colored(), part.colored);
                    found.push((row * 9 + col, part.line, word));
                }
            }
            found.sort();
            let expected = (0..27).flat_map(|at| {
                let label = label(at);
                (0..label.lines()).map(move |line| {
                    let mut text = String::new();
                    label.write_line(line, &mut text);
                    (at, line, text)
                })
            });
            assert_eq!(found, expected.filter(|(.., text)| !text.is_empty()).collect::<Vec<_>>());
        }
    }
}
