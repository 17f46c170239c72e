//! Cells of one colour as few rectangles.
//!
//! In: a grid. Out: rectangles of cells. Invariant: every cell with a colour is covered exactly
//! once, by its own colour. Runs of equal cells in a row become one rectangle, and equal runs
//! below each other too; every backend that paints areas uses it.

use crate::figure::model::grid::{Cell, Fill, Grid};

/// What a rectangle is filled with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ground {
    /// A colour of the grid's scale.
    Class(u8),
    /// The ground of cells that stand back.
    Faded,
}

impl Ground {
    fn of(cell: &Cell) -> Option<Self> {
        match cell.fill {
            _ if cell.faded => Some(Self::Faded),
            Fill::Blank => None,
            Fill::Class(class) => Some(Self::Class(class)),
        }
    }
}

/// Cells `row..end` by `col..col + cols` of one colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    /// What it is filled with.
    pub ground: Ground,
    /// The first row.
    pub row: usize,
    /// One past the last row.
    pub end: usize,
    /// The first column.
    pub col: usize,
    /// How many columns.
    pub cols: usize,
}

/// Gives every rectangle of `grid` once, those that end in an earlier row first.
pub fn regions(grid: &Grid, mut emit: impl FnMut(Region)) {
    let mut open: Vec<Region> = Vec::new();
    let mut next: Vec<Region> = Vec::new();
    for (row, cells) in grid.cells.chunks(grid.cols.max(1)).enumerate() {
        let mut close = |region: &Region| emit(Region { end: row, ..*region });
        let mut above = open.iter().peekable();
        let mut col = 0;
        while col < cells.len() {
            let ground = Ground::of(&cells[col]);
            let cols = cells[col..].iter().take_while(|cell| Ground::of(cell) == ground).count();
            if let Some(ground) = ground {
                let mut region = Region { ground, row, end: row, col, cols };
                while let Some(old) = above.next_if(|old| old.col < col) {
                    close(old);
                }
                if let Some(old) = above.next_if(|old| old.col == col) {
                    if old.ground == ground && old.cols == cols {
                        region.row = old.row;
                    } else {
                        close(old);
                    }
                }
                next.push(region);
            }
            col += cols;
        }
        above.for_each(&mut close);
        std::mem::swap(&mut open, &mut next);
        next.clear();
    }
    open.iter().for_each(|region| emit(Region { end: grid.rows, ..*region }));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cell_is_covered_once_by_its_own_colour() {
        let grid = Grid::from_fn(7, 9, |spot| {
            let class = u8::try_from((spot.row / 2 * 3 + spot.col / 4) % 5).unwrap();
            let fill = if class == 4 { Fill::Blank } else { Fill::Class(class) };
            Cell { fill, faded: spot.row == spot.col, ..Cell::default() }
        });
        let mut covered = vec![None; grid.cells.len()];
        regions(&grid, |region| {
            for row in region.row..region.end {
                for col in region.col..region.col + region.cols {
                    let place = &mut covered[row * grid.cols + col];
                    assert_eq!(*place, None, "row {row}, column {col}");
                    *place = Some(region.ground);
                }
            }
        });
        let wanted: Vec<_> = grid.cells.iter().map(Ground::of).collect();
        assert_eq!(covered, wanted);
    }

    #[test]
    fn one_colour_is_one_rectangle() {
        let cell = Cell { fill: Fill::Class(1), ..Cell::default() };
        let mut count = 0;
        regions(&Grid::from_fn(8, 8, |_| cell), |_| count += 1);
        assert_eq!(count, 1);
    }
}
