//! The lines of a grid: hairlines between cells, borders between owners, boundaries of nested
//! modes, and marks. One path for each weight.
//!
//! In: the cells and the axes. Out: `<path>` elements. Invariant: a border is drawn once, however
//! many cells it passes.

use super::Medium;
use super::paint::Paint;
use crate::draw::glyphs::push_next;
use crate::figure::model::label::push_int;
use crate::figure::{Cell, Fill, Grid, Mark, Scale};

/// What a path looks like.
#[derive(Clone, Copy)]
enum Look {
    /// Filled.
    Area,
    /// A line: its width in hundredths of a unit and its opacity, if it lets the ground through.
    Line(i64, &'static str),
}

/// Path data made of straight segments.
#[derive(Default)]
struct Segments(String);

impl Segments {
    fn line(&mut self, x: i64, y: i64, direction: char, len: i64) {
        start(&mut self.0, x, y);
        self.0.push(direction);
        push_int(&mut self.0, len);
    }

    /// Ends the path as an element.
    fn push(self, out: &mut String, look: Look, paint: Paint, medium: Medium) {
        if self.0.is_empty() {
            return;
        }
        out.push_str("<path");
        match look {
            Look::Area => paint.push(out, "fill", medium),
            Look::Line(width, opacity) => {
                paint.push_stroke(out, width, medium);
                if !opacity.is_empty() {
                    out.push_str(" stroke-opacity=\"");
                    out.push_str(opacity);
                    out.push('"');
                }
            }
        }
        out.push_str(" d=\"");
        out.push_str(&self.0);
        out.push_str("\"/>");
    }
}

fn int(n: usize) -> i64 {
    i64::try_from(n).unwrap_or(0)
}

/// Appends all lines and marks of `grid`, whose corner is at `(x, y)`. `weight` is the width of a
/// hairline in hundredths of a unit: more when the picture is shrunk.
pub(super) fn push(
    out: &mut String,
    grid: &Grid,
    (x, y): (i64, i64),
    (w, h): (i64, i64),
    weight: i64,
    medium: Medium,
) {
    let (width, height) = (int(grid.cols) * w, int(grid.rows) * h);
    let ink = ink(grid);

    let mut hair = Segments(String::with_capacity(16 * (grid.rows + grid.cols)));
    for row in 1..grid.rows {
        hair.line(x, y + int(row) * h, 'h', width);
    }
    for col in 1..grid.cols {
        hair.line(x + int(col) * w, y, 'v', height);
    }
    hair.push(out, Look::Line(weight / 2, ".3"), ink, medium);

    let mut border = Segments::default();
    owner_borders(&mut border, grid, (x, y), (w, h));
    border.push(out, Look::Line(weight * 5 / 4, ".85"), ink, medium);

    let levels = grid.row_axis.levels.len().max(grid.col_axis.levels.len());
    for level in 1..levels {
        let mut lines = Segments::default();
        for row in (1..grid.rows).filter(|&row| grid.row_axis.boundary(row) == level) {
            lines.line(x, y + int(row) * h, 'h', width);
        }
        for col in (1..grid.cols).filter(|&col| grid.col_axis.boundary(col) == level) {
            lines.line(x + int(col) * w, y, 'v', height);
        }
        lines.push(out, Look::Line(weight * (60 + 90 * int(level)) / 100, ""), ink, medium);
    }

    let mut frame = Segments::default();
    rectangle(&mut frame.0, (x, y), (width, height));
    frame.push(out, Look::Line(weight, ".7"), Paint::Text, medium);

    marks(out, grid, (x, y), (w, h), medium);
    path(out, grid, (x, y), (w, h), medium);
}

/// Joins the middles of the cells of [`Grid::path`]; a dot stands where it starts.
fn path(out: &mut String, grid: &Grid, (x, y): (i64, i64), (w, h): (i64, i64), medium: Medium) {
    let mut middles = grid.path.iter().filter(|_| grid.cols > 0).map(|&cell| {
        (x + int(cell % grid.cols) * w + w / 2, y + int(cell / grid.cols) * h + h / 2)
    });
    let Some(start) = middles.next() else { return };
    let mut dot = Segments::default();
    dot.line(start.0, start.1, 'h', 0);
    let mut line = Segments::default();
    line.0.push('M');
    push_pair(&mut line.0, start.0, start.1);
    line.0.push('l');
    let mut at = start;
    for (number, middle) in middles.enumerate() {
        if number > 0 {
            line.0.push(' ');
        }
        push_pair(&mut line.0, middle.0 - at.0, middle.1 - at.1);
        at = middle;
    }
    if at != start || grid.path.len() > 1 {
        line.push(out, Look::Line(130, ".6"), Paint::Pick(grid.scale), medium);
    }
    dot.push(out, Look::Line(500, ".4"), Paint::Pick(grid.scale), medium);
}

/// Appends the lines between blocks of `rows` by `cols` cells.
pub(super) fn blocks(
    out: &mut String,
    grid: &Grid,
    (x, y): (i64, i64),
    (w, h): (i64, i64),
    (rows, cols): (usize, usize),
    weight: i64,
    medium: Medium,
) {
    let mut lines = Segments::default();
    for row in (rows..grid.rows).step_by(rows.max(1)) {
        lines.line(x, y + int(row) * h, 'h', int(grid.cols) * w);
    }
    for col in (cols..grid.cols).step_by(cols.max(1)) {
        lines.line(x + int(col) * w, y, 'v', int(grid.rows) * h);
    }
    lines.push(out, Look::Line(weight * 3 / 4, ".5"), ink(grid), medium);
}

/// Returns the colour of lines on a grid: that which shows on most of its cells.
fn ink(grid: &Grid) -> Paint {
    let coloured = grid.cells.iter().filter(|cell| is_coloured(cell)).count();
    if coloured * 2 > grid.cells.len() { Paint::Ink(grid.scale) } else { Paint::Text }
}

/// Draws a line wherever two touching cells have different owners.
fn owner_borders(out: &mut Segments, grid: &Grid, (x, y): (i64, i64), (w, h): (i64, i64)) {
    let differ =
        |a: Option<&Cell>, b: Option<&Cell>| a.zip(b).is_some_and(|(a, b)| a.owner != b.owner);
    if grid.cells.iter().all(|cell| cell.owner.is_none()) {
        return;
    }
    for row in 1..grid.rows {
        runs(
            grid.cols,
            |col| differ(grid.cell(row - 1, col), grid.cell(row, col)),
            |from, len| {
                out.line(x + int(from) * w, y + int(row) * h, 'h', int(len) * w);
            },
        );
    }
    for col in 1..grid.cols {
        runs(
            grid.rows,
            |row| differ(grid.cell(row, col - 1), grid.cell(row, col)),
            |from, len| {
                out.line(x + int(col) * w, y + int(from) * h, 'v', int(len) * h);
            },
        );
    }
}

/// Gives every longest run of places for which `holds` is true.
fn runs(extent: usize, holds: impl Fn(usize) -> bool, mut emit: impl FnMut(usize, usize)) {
    let mut from = None;
    for at in 0..=extent {
        match (from, at < extent && holds(at)) {
            (None, true) => from = Some(at),
            (Some(start), false) => {
                emit(start, at - start);
                from = None;
            }
            _ => {}
        }
    }
}

/// Draws what is out of the ordinary: a stroke through holes, a cross over cells outside, a corner
/// for cells hit twice or moved, a frame within cells that fail or were picked.
fn marks(out: &mut String, grid: &Grid, (x, y): (i64, i64), (w, h): (i64, i64), medium: Medium) {
    if grid.cells.iter().all(|cell| cell.mark == Mark::None) {
        return;
    }
    let at = |mark: Mark, coloured: bool| {
        let marked = grid
            .spots()
            .zip(&grid.cells)
            .filter(move |(_, cell)| cell.mark == mark && is_coloured(cell) == coloured);
        marked.map(move |(spot, _)| (x + int(spot.col) * w, y + int(spot.row) * h))
    };
    let corner = w.min(h) * 2 / 5;
    let shape = |mark: Mark, coloured: bool| {
        let mut lines = Segments::default();
        for (x, y) in at(mark, coloured) {
            let path = &mut lines.0;
            match mark {
                Mark::None => {}
                Mark::Hole | Mark::Outside => {
                    start(path, x, y + h);
                    path.push('l');
                    push_pair(path, w, -h);
                    if mark == Mark::Outside {
                        path.push('m');
                        push_pair(path, -w, 0);
                        path.push('l');
                        push_pair(path, w, h);
                    }
                }
                Mark::Twice => {
                    start(path, x + w - corner, y);
                    path.push('h');
                    push_int(path, corner);
                    path.push('v');
                    push_int(path, corner);
                    path.push('z');
                }
                Mark::Moved => {
                    start(path, x, y + h - corner * 3 / 4);
                    path.push('v');
                    push_int(path, corner * 3 / 4);
                    path.push('h');
                    push_int(path, corner * 3 / 4);
                    path.push('z');
                }
                Mark::Failing | Mark::Picked => {
                    rectangle(path, (x + 1, y + 1), (w - 2, h - 2));
                }
            }
        }
        lines
    };
    for coloured in [true, false] {
        // Categories are the same in all themes; where the page shows through, so does its theme.
        let (scale, ink) = if coloured {
            (grid.scale, Paint::Ink(grid.scale))
        } else {
            (Scale::Ramp, Paint::Text)
        };
        let (thin, frame) = (Look::Line(60, ".45"), Look::Line(220, ""));
        let mut push = |mark, look, paint| shape(mark, coloured).push(out, look, paint, medium);
        push(Mark::Hole, thin, ink);
        push(Mark::Outside, thin, ink);
        push(Mark::Twice, Look::Area, Paint::Twice(scale));
        push(Mark::Moved, Look::Area, ink);
        push(Mark::Failing, frame, Paint::Fail(scale));
        push(Mark::Picked, frame, Paint::Pick(scale));
    }
}

/// Returns whether a cell has a colour of its own; else the page shows through, or a ground that
/// follows its theme.
pub(super) fn is_coloured(cell: &Cell) -> bool {
    cell.fill != Fill::Blank && !cell.faded
}

/// Appends a rectangle with its corner at `(x, y)`.
pub(super) fn rectangle(path: &mut String, (x, y): (i64, i64), (width, height): (i64, i64)) {
    start(path, x, y);
    path.push('h');
    push_int(path, width);
    path.push('v');
    push_int(path, height);
    path.push('h');
    push_int(path, -width);
    path.push('z');
}

/// Puts the pen down at `(x, y)`.
fn start(path: &mut String, x: i64, y: i64) {
    path.push('M');
    push_pair(path, x, y);
}

fn push_pair(path: &mut String, x: i64, y: i64) {
    push_int(path, x);
    push_next(path, y);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In dark themes the corner of a moved cell without colour was dark on dark.
    #[test]
    fn marks_on_the_page_follow_its_theme() {
        let drawn = |mark: Mark, fill: Fill| {
            let cell = Cell { mark, fill, ..Cell::default() };
            let grid = Grid::from_fn(1, 1, |_| cell).scale(Scale::Category);
            let mut out = String::new();
            marks(&mut out, &grid, (0, 0), (20, 20), Medium::Page);
            out
        };
        for mark in [Mark::Moved, Mark::Outside] {
            assert!(drawn(mark, Fill::Blank).contains("currentColor"));
            assert!(drawn(mark, Fill::Class(0)).contains("--cute-ink-c"));
        }
        for mark in [Mark::Twice, Mark::Failing, Mark::Picked] {
            assert!(drawn(mark, Fill::Blank).contains("var(--cute-"));
            assert!(!drawn(mark, Fill::Class(0)).contains("var(--cute-"));
        }
    }
}
