//! The lines of a grid: hairlines between cells, borders between owners, boundaries of nested
//! modes, and marks. One path for each weight.
//!
//! In: the cells and the axes. Out: `<path>` elements. Invariant: a border is drawn once, however
//! many cells it passes.

use super::paint::Paint;
use super::path::{Way, push_line, push_pair, push_rectangle, push_start};
use crate::cute::index::wide;
use crate::draw::raster::Raster;
use crate::draw::tag::{Filling, Tag};
use crate::draw::target::Target;
use crate::figure::model::borders::{Border, borders};
use crate::figure::model::label::push_int;
use crate::figure::{Extent, Grid, Mark, Scale};

/// What a path looks like.
#[derive(Clone, Copy)]
enum Look {
    /// Filled.
    Area,
    /// A line: its width in hundredths of a unit and its opacity, if it lets the ground through.
    Line(i64, &'static str),
}

/// Opens a path, which is removed if nothing is drawn.
fn open(out: &mut String, look: Look, paint: Paint, target: Target) -> Filling<'_> {
    let path = Tag::open(out, "path");
    let path = match look {
        Look::Area => path.paint("fill", paint, target),
        Look::Line(width, "") => path.stroke(paint, width, target),
        Look::Line(width, opacity) => {
            path.stroke(paint, width, target).set("stroke-opacity", opacity)
        }
    };
    path.data("d")
}

/// Appends all lines and marks of `grid`. `weight` is the width of a hairline in hundredths of a
/// unit: more when the picture is shrunk.
pub(super) fn push(out: &mut String, grid: &Grid, raster: Raster, weight: i64, target: Target) {
    let ink = ink(grid);
    {
        let mut path = open(out, Look::Line(weight / 2, ".3"), ink, target);
        separators(&mut path, grid, raster, 1..grid.rows, 1..grid.cols);
    }
    if grid.has_owners() {
        let mut path = open(out, Look::Line(weight * 5 / 4, ".85"), ink, target);
        borders(grid, |border| match border {
            Border::Above { row, from, len } => {
                let start = (raster.x(from), raster.y(row));
                push_line(&mut path, start, Way::Across, raster.width(len));
            }
            Border::Before { col, from, len } => {
                let start = (raster.x(col), raster.y(from));
                push_line(&mut path, start, Way::Down, raster.height(len));
            }
        });
    }
    let levels = grid.row_axis.levels.len().max(grid.col_axis.levels.len());
    for level in 1..levels {
        let look = Look::Line(weight * (60 + 90 * wide(level)) / 100, "");
        let mut path = open(out, look, ink, target);
        let rows = (1..grid.rows).filter(|&row| grid.row_axis.boundary(row) == level);
        let cols = (1..grid.cols).filter(|&col| grid.col_axis.boundary(col) == level);
        separators(&mut path, grid, raster, rows, cols);
    }
    {
        let mut path = open(out, Look::Line(weight, ".7"), Paint::Text, target);
        let size = (raster.width(grid.cols), raster.height(grid.rows));
        push_rectangle(&mut path, (raster.left, raster.top), size);
    }
    marks(out, grid, raster, target);
    route(out, grid, raster, target);
}

/// Appends the lines between blocks of `extent` cells.
pub(super) fn blocks(
    out: &mut String,
    grid: &Grid,
    raster: Raster,
    extent: Extent,
    weight: i64,
    target: Target,
) {
    let mut path = open(out, Look::Line(weight * 3 / 4, ".5"), ink(grid), target);
    let rows = (extent.rows..grid.rows).step_by(extent.rows.max(1));
    let cols = (extent.cols..grid.cols).step_by(extent.cols.max(1));
    separators(&mut path, grid, raster, rows, cols);
}

/// Appends lines through the whole grid, above some rows and before some columns.
fn separators(
    path: &mut String,
    grid: &Grid,
    raster: Raster,
    rows: impl Iterator<Item = usize>,
    cols: impl Iterator<Item = usize>,
) {
    let (width, height) = (raster.width(grid.cols), raster.height(grid.rows));
    rows.for_each(|row| push_line(path, (raster.left, raster.y(row)), Way::Across, width));
    cols.for_each(|col| push_line(path, (raster.x(col), raster.top), Way::Down, height));
}

/// Joins the middles of the cells of [`Grid::path`]; a dot stands where it starts.
fn route(out: &mut String, grid: &Grid, raster: Raster, target: Target) {
    if grid.cols == 0 {
        return;
    }
    let mut middles =
        grid.path.iter().map(|&cell| raster.middle(cell / grid.cols, cell % grid.cols));
    let Some(start) = middles.next() else { return };
    let pick = Paint::Pick(grid.scale);
    if grid.path.len() > 1 {
        let mut path = open(out, Look::Line(130, ".6"), pick, target);
        push_start(&mut path, start.0, start.1);
        path.push('l');
        let mut at = start;
        for (number, middle) in middles.enumerate() {
            if number > 0 {
                path.push(' ');
            }
            push_pair(&mut path, middle.0 - at.0, middle.1 - at.1);
            at = middle;
        }
    }
    push_line(&mut open(out, Look::Line(500, ".4"), pick, target), start, Way::Across, 0);
}

/// Returns the color of lines on a grid: that which shows on most of its cells.
fn ink(grid: &Grid) -> Paint {
    if grid.is_colored((0, 0), grid.extent()) { Paint::Ink(grid.scale) } else { Paint::Text }
}

/// Draws what is out of the ordinary: a stroke through holes, a cross over cells outside, a corner
/// for cells hit twice or moved, a frame within cells that fail or were picked.
fn marks(out: &mut String, grid: &Grid, raster: Raster, target: Target) {
    if grid.cells.iter().all(|cell| cell.mark == Mark::None) {
        return;
    }
    let (thin, frame) = (Look::Line(60, ".45"), Look::Line(220, ""));
    for colored in [true, false] {
        // Categories are the same in all themes; where the page shows through, so does its theme.
        let (scale, ink) =
            if colored { (grid.scale, Paint::Ink(grid.scale)) } else { (Scale::Ramp, Paint::Text) };
        for (mark, look, paint) in [
            (Mark::Hole, thin, ink),
            (Mark::Outside, thin, ink),
            (Mark::Twice, Look::Area, Paint::Twice(scale)),
            (Mark::Moved, Look::Area, ink),
            (Mark::Failing, frame, Paint::Fail(scale)),
            (Mark::Picked, frame, Paint::Pick(scale)),
        ] {
            let mut path = open(out, look, paint, target);
            for (spot, cell) in grid.spots().zip(&grid.cells) {
                if cell.mark == mark && cell.is_colored() == colored {
                    let corner = (raster.x(spot.col), raster.y(spot.row));
                    shape(&mut path, mark, corner, (raster.cell_w, raster.cell_h));
                }
            }
        }
    }
}

/// Appends the shape of a mark on one cell.
fn shape(path: &mut String, mark: Mark, (x, y): (i64, i64), (w, h): (i64, i64)) {
    let corner = w.min(h) * 2 / 5;
    match mark {
        Mark::None => {}
        Mark::Hole | Mark::Outside => {
            push_start(path, x, y + h);
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
            push_start(path, x + w - corner, y);
            path.push('h');
            push_int(path, corner);
            path.push('v');
            push_int(path, corner);
            path.push('z');
        }
        Mark::Moved => {
            push_start(path, x, y + h - corner * 3 / 4);
            path.push('v');
            push_int(path, corner * 3 / 4);
            path.push('h');
            push_int(path, corner * 3 / 4);
            path.push('z');
        }
        Mark::Failing | Mark::Picked => {
            push_rectangle(path, (x + 1, y + 1), (w - 2, h - 2));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::{Cell, Fill};

    /// In dark themes the corner of a moved cell without color was dark on dark.
    #[test]
    fn marks_on_the_page_follow_its_theme() {
        let drawn = |mark: Mark, fill: Fill| {
            let cell = Cell { mark, fill, ..Cell::default() };
            let grid = Grid::from_fn(1, 1, |_| cell).scale(Scale::Category);
            let mut out = String::new();
            let raster = Raster { left: 0, top: 0, cell_w: 20, cell_h: 20 };
            marks(&mut out, &grid, raster, Target::Page);
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
