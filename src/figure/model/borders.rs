//! The lines between cells of different owners, as few as possible.
//!
//! In: a grid. Out: lines along the edges of cells. Invariant: every edge between two owners is
//! covered exactly once, and no two lines of one row or column of edges touch.

use crate::figure::model::grid::{Cell, Grid};

/// A line between owners, in cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Border {
    /// Above `len` cells of a row.
    Above {
        /// The row below the line.
        row: usize,
        /// The first column.
        from: usize,
        /// How many columns.
        len: usize,
    },
    /// On the left of `len` cells of a column.
    Before {
        /// The column on the right of the line.
        col: usize,
        /// The first row.
        from: usize,
        /// How many rows.
        len: usize,
    },
}

/// Passes every line of `grid` to `emit`: those across first, from the top down.
pub fn borders(grid: &Grid, mut emit: impl FnMut(Border)) {
    let differ =
        |a: Option<&Cell>, b: Option<&Cell>| a.zip(b).is_some_and(|(a, b)| a.owner != b.owner);
    for row in 1..grid.rows {
        runs(
            grid.cols,
            |col| differ(grid.cell(row - 1, col), grid.cell(row, col)),
            |from, len| emit(Border::Above { row, from, len }),
        );
    }
    for col in 1..grid.cols {
        runs(
            grid.rows,
            |row| differ(grid.cell(row, col - 1), grid.cell(row, col)),
            |from, len| emit(Border::Before { col, from, len }),
        );
    }
}

/// Passes every longest run of places for which `holds` is true to `emit`.
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_edge_between_owners_is_covered_once() {
        let owner = |row: usize, col: usize| u32::try_from(row / 2 * 7 + col * col / 3).ok();
        let grid = Grid::from_fn(5, 6, |spot| Cell {
            owner: owner(spot.row, spot.col).filter(|owner| owner % 5 > 0),
            ..Cell::default()
        });
        let mut covered = BTreeSet::new();
        borders(&grid, |border| match border {
            Border::Above { row, from, len } => {
                (from..from + len).for_each(|col| assert!(covered.insert((true, row, col))));
            }
            Border::Before { col, from, len } => {
                (from..from + len).for_each(|row| assert!(covered.insert((false, row, col))));
            }
        });
        let owner = |row, col| grid.cell(row, col).unwrap().owner;
        let mut expected = BTreeSet::new();
        for spot in grid.spots() {
            let (row, col) = (spot.row, spot.col);
            if row > 0 && owner(row - 1, col) != owner(row, col) {
                expected.insert((true, row, col));
            }
            if col > 0 && owner(row, col - 1) != owner(row, col) {
                expected.insert((false, row, col));
            }
        }
        assert!(expected.len() > 10);
        assert_eq!(covered, expected);
    }

    #[test]
    fn a_straight_line_is_one() {
        let grid = Grid::from_fn(4, 8, |spot| Cell {
            owner: u32::try_from(spot.row / 2).ok(),
            ..Cell::default()
        });
        let mut lines = Vec::new();
        borders(&grid, |border| lines.push(border));
        assert_eq!(lines, [Border::Above { row: 2, from: 0, len: 8 }]);
    }
}
