//! What a copy from shared to tensor memory (`tcgen05.cp`) moves: rows, each to one or more lanes.
//!
//! In: an atom and the addresses of its bits. Out: which element arrives where. Invariant: bits are
//! followed, not values: a row runs over the second mode of `val_id`, so that the bits of one
//! element are no neighbours in it.

use super::tmem_map::LANE_BITS;
use crate::cute::index::{at, capped, wide};
use crate::cute::{Layout, Result as CuteResult};
use crate::figure::canvas::limits::GRID_SIDE;
use crate::figure::model::grid::{Cell, Fill, Grid, Spot};
use crate::figure::model::label::Label;
use crate::hardware::copy::CopyAtom;
use std::collections::{BTreeMap, BTreeSet};

/// Rows of one width and the lanes that they reach.
pub(super) struct CopiedRows {
    rows: i64,
    /// Elements of a row.
    cols: i64,
    /// Lane, element within it, and the source element, counted row by row.
    pub(super) arrivals: Vec<(i64, i64, i64)>,
}

impl CopiedRows {
    /// Follows the first bit of every element. Bits are numbered as `val_id` does: first the row,
    /// then the bit within it, then blocks of more rows.
    pub(super) fn of(atom: &CopyAtom, val_id: &Layout) -> CuteResult<Self> {
        let bits = atom.dtype.bits().max(1);
        let modes = val_id.modes();
        let size = |at: usize| modes.get(at).map_or(1, |mode: &Layout| mode.size()).max(1);
        let (lanes, width) = (size(0), size(1));
        let row_of = |bit: i64| bit % lanes + bit / (lanes * width) * lanes;
        let addresses: Vec<i64> = val_id.walk()?.collect();
        let sources: Vec<i64> = atom.in_bits.src.walk()?.collect();
        let targets: Vec<i64> = atom.in_bits.dst.walk()?.collect();
        let used: BTreeSet<i64> = sources.iter().map(|&bit| row_of(bit)).collect();
        let rank: BTreeMap<i64, i64> = used.iter().copied().zip(0..).collect();
        let per_row = (width / bits).max(1);
        let mut arrivals = Vec::new();
        let threads = capped(atom.thr_id.size(), sources.len()).max(1);
        for (source, target) in sources.iter().zip(&targets).step_by(threads) {
            let Some(address) = at(&addresses, *target) else { continue };
            let within = address % LANE_BITS;
            if within % bits == 0 {
                let row = rank.get(&row_of(*source)).copied().unwrap_or(0);
                let element = row * per_row + source / lanes % width / bits;
                arrivals.push((address / LANE_BITS, within / bits, element));
            }
        }
        Ok(Self { rows: wide(used.len()).max(1), cols: per_row, arrivals })
    }

    /// Counts the lanes, and the elements of a lane, up to the last that something arrives at.
    pub(super) fn reached(&self) -> (i64, i64) {
        let ends = self.arrivals.iter().map(|(lane, element, _)| (lane + 1, element + 1));
        ends.fold((1, 1), |(lanes, elements), end| (lanes.max(end.0), elements.max(end.1)))
    }

    pub(super) fn count(&self) -> i64 {
        self.rows * self.cols
    }

    /// Draws the rows in shared memory.
    pub(super) fn source(&self, bits: i64) -> (Grid, Option<String>) {
        let index = |spot: Spot| wide(spot.row) * self.cols + wide(spot.col);
        // Of no instruction a row has more elements, nor are there more rows.
        let (rows, cols) = (capped(self.rows, GRID_SIDE), capped(self.cols, GRID_SIDE));
        let grid = Grid::from_fn(rows, cols, |spot| Cell {
            fill: Fill::ramp(index(spot), 0, self.count() - 1),
            ..Cell::default()
        })
        .layer("index", |spot| Label::Int(index(spot)))
        .axes("row", "element");
        let width = bits * self.cols;
        let caption = format!("{} rows of {width} bits; elements count row by row", self.rows);
        (grid, Some(caption))
    }
}
