//! The colours of a grid: one path for each colour, cells merged into rectangles.
//!
//! In: the cells. Out: `<path>` elements. Invariant: every cell with a colour is covered exactly
//! once. Runs of equal cells in a row become one rectangle, and equal runs below each other too.

use super::Medium;
use super::paint::Paint;
use crate::draw::glyphs::push_next;
use crate::figure::label::push_int;
use crate::figure::{Cell, Fill, Grid};

/// Classes of both scales fit below this slot; the last one is for cells that stand back.
const FADED: usize = 32;

/// Appends one path for each colour of `grid`, whose corner is at `(x, y)`.
pub(super) fn push(
    out: &mut String,
    grid: &Grid,
    x: i64,
    y: i64,
    cell: (i64, i64),
    medium: Medium,
) {
    let mut paths: Vec<String> = vec![String::new(); FADED + 1];
    let mut open: Vec<Run> = Vec::new();
    let mut next: Vec<Run> = Vec::new();
    for (row, cells) in grid.cells.chunks(grid.cols.max(1)).enumerate() {
        let mut above = open.iter().peekable();
        let mut col = 0;
        while col < cells.len() {
            let slot = slot(&cells[col]);
            let len = cells[col..].iter().take_while(|cell| self::slot(cell) == slot).count();
            if let Some(slot) = slot {
                let mut run = Run { slot, col, len, row };
                while let Some(old) = above.next_if(|old| old.col < col) {
                    old.close(&mut paths, row, x, y, cell);
                }
                if let Some(old) = above.next_if(|old| old.col == col) {
                    if old.slot == slot && old.len == len {
                        run.row = old.row;
                    } else {
                        old.close(&mut paths, row, x, y, cell);
                    }
                }
                next.push(run);
            }
            col += len;
        }
        above.for_each(|old| old.close(&mut paths, row, x, y, cell));
        std::mem::swap(&mut open, &mut next);
        next.clear();
    }
    open.iter().for_each(|run| run.close(&mut paths, grid.rows, x, y, cell));
    for (slot, path) in paths.iter().enumerate().filter(|(_, path)| !path.is_empty()) {
        out.push_str("<path");
        paint(grid, slot).push(out, "fill", medium);
        out.push_str(" d=\"");
        out.push_str(path);
        out.push_str("\"/>");
    }
}

fn slot(cell: &Cell) -> Option<usize> {
    match cell.fill {
        _ if cell.faded => Some(FADED),
        Fill::Blank => None,
        Fill::Class(class) => Some(usize::from(class).min(FADED - 1)),
    }
}

fn paint(grid: &Grid, slot: usize) -> Paint {
    match u8::try_from(slot) {
        Ok(class) if slot < FADED => Paint::Cell(grid.scale, Fill::Class(class)),
        _ => Paint::Faded,
    }
}

/// Cells of one colour next to each other, from row `row` on.
#[derive(Clone, Copy)]
struct Run {
    slot: usize,
    col: usize,
    len: usize,
    row: usize,
}

impl Run {
    /// Draws the rectangle that ends above row `end`.
    fn close(&self, paths: &mut [String], end: usize, x: i64, y: i64, (w, h): (i64, i64)) {
        let int = |n: usize| i64::try_from(n).unwrap_or(0);
        let Some(path) = paths.get_mut(self.slot) else { return };
        let width = int(self.len) * w;
        path.push('M');
        push_int(path, x + int(self.col) * w);
        push_next(path, y + int(self.row) * h);
        path.push('h');
        push_int(path, width);
        path.push('v');
        push_int(path, int(end - self.row) * h);
        path.push('h');
        push_int(path, -width);
        path.push('z');
    }
}
