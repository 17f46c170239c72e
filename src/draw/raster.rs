//! Where the cells of a grid lie in a picture.
//!
//! In: the corner of the first cell and the size of a cell. Out: coordinates in units. Invariant: all
//! lines, areas and labels of a grid take their coordinates from one [`Raster`].

use crate::cute::index::wide;

/// The raster of a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Raster {
    /// The left edge of the first column.
    pub(super) left: i64,
    /// The top edge of the first row.
    pub(super) top: i64,
    /// Width of a cell.
    pub(super) cell_w: i64,
    /// Height of a cell.
    pub(super) cell_h: i64,
}

impl Raster {
    /// Returns the left edge of a column.
    pub(super) fn x(self, col: usize) -> i64 {
        self.left + self.width(col)
    }

    /// Returns the top edge of a row.
    pub(super) fn y(self, row: usize) -> i64 {
        self.top + self.height(row)
    }

    /// Returns the width of so many columns.
    pub(super) fn width(self, cols: usize) -> i64 {
        wide(cols) * self.cell_w
    }

    /// Returns the height of so many rows.
    pub(super) fn height(self, rows: usize) -> i64 {
        wide(rows) * self.cell_h
    }

    /// Returns the middle of a cell.
    pub(super) fn middle(self, row: usize, col: usize) -> (i64, i64) {
        (self.x(col) + self.cell_w / 2, self.y(row) + self.cell_h / 2)
    }
}
