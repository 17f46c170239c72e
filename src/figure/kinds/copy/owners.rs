//! Cells that threads own: from a TV layout to a grid with every owner of every cell.
//!
//! In: a map (thread, value) to a flat index, and where an index lies in the picture. Out: a grid.
//! Invariant: no owner is dropped silently: what a label has no room for is counted in it.

use crate::cute::Layout;
use crate::cute::index::{capped, narrow, place, wide};
use crate::diagnostic::Diagnostic;
use crate::figure::canvas::limits::{CELLS_DRAWN, CORNER_SIDE, GRID_SIDE, OWNERS_WRITTEN};
use crate::figure::canvas::occupancy::ends;
use crate::figure::canvas::rectangles::rectangles;
use crate::figure::model::grid::{Block, Cell, Fill, Grid, Mark, Scale, Spot};
use crate::figure::model::label::Label;

/// One thread's claim to a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Owner {
    pub(super) thr: u32,
    pub(super) val: u32,
}

/// All owners of all cells of a picture.
pub(super) struct Owners {
    pub(super) rows: usize,
    pub(super) cols: usize,
    /// Row by row.
    cells: Vec<Vec<Owner>>,
    /// Whether rows or columns were left out.
    pub(super) cut: bool,
}

impl Owners {
    /// Collects the owners in a picture of `rows` by `cols`; `spot` gives row and column of an index.
    pub(super) fn of(
        tv: &Layout,
        rows: i64,
        cols: i64,
        spot: impl Fn(i64) -> Option<(i64, i64)>,
    ) -> Self {
        let cut =
            rows.max(cols) > wide(GRID_SIDE) || rows.saturating_mul(cols) > wide(CELLS_DRAWN / 2);
        let side = if cut { CORNER_SIDE } else { GRID_SIDE };
        let (rows, cols) = (capped(rows, side), capped(cols, side));
        let mut cells = vec![Vec::new(); rows * cols];
        let threads = tv.modes().first().map_or(1, Layout::size);
        for (number, index) in (0_i64..).zip(tv.walk().into_iter().flatten()) {
            let at = spot(index).and_then(|(row, col)| place(row, rows).zip(place(col, cols)));
            let cell = at.and_then(|(row, col)| cells.get_mut(row * cols + col));
            let owner = narrow(number % threads).zip(narrow(number / threads));
            if let (Some(cell), Some((thr, val))) = (cell, owner) {
                cell.push(Owner { thr, val });
            }
        }
        Self { rows, cols, cells, cut }
    }

    /// Says which cells are drawn, if not all.
    pub(super) fn cut_note(&self) -> Option<Diagnostic> {
        let text = || format!("only a corner of {} by {} cells is drawn", self.rows, self.cols);
        self.cut.then(|| Diagnostic::note("cut", text()))
    }

    pub(super) fn at(&self, spot: Spot) -> &[Owner] {
        self.cells.get(spot.row * self.cols + spot.col).map_or(&[], Vec::as_slice)
    }

    /// Counts cells that nobody owns.
    pub(super) fn holes(&self) -> usize {
        self.cells.iter().filter(|owners| owners.is_empty()).count()
    }

    /// Counts cells with several owners.
    pub(super) fn shared(&self) -> usize {
        self.cells.iter().filter(|owners| owners.len() > 1).count()
    }

    /// Draws the cells: `fill` colours by the first owner.
    pub(super) fn grid(&self, fill: impl Fn(Owner) -> Fill) -> Grid {
        let mut grid = Grid::from_fn(self.rows, self.cols, |spot| match self.at(spot) {
            [] => Cell { mark: Mark::Hole, ..Cell::default() },
            [first, rest @ ..] => Cell {
                fill: fill(*first),
                owner: Some(first.thr),
                mark: if rest.is_empty() { Mark::None } else { Mark::Twice },
                ..Cell::default()
            },
        })
        .scale(Scale::Category)
        .layer("thread", |spot| self.label(spot));
        grid.blocks = self.blocks();
        grid
    }

    fn first(&self, row: usize, col: usize) -> Option<Owner> {
        self.at(Spot { row, col, index: 0 }).first().copied()
    }

    /// Names the rectangles of cells with one first owner: `T5 V0-7` where it fits, else `T5`.
    fn blocks(&self) -> Vec<Block> {
        let thread = |row, col| self.first(row, col).map(|owner| owner.thr);
        rectangles(self.rows, self.cols, thread)
            .filter_map(|block| Some(Block { labels: self.block_labels(&block)?, ..block }))
            .collect()
    }

    fn block_labels(&self, block: &Block) -> Option<Vec<Label>> {
        let thr = self.first(block.row, block.col)?.thr;
        let values = block.places().filter_map(|(row, col)| self.first(row, col));
        let (low, high) = ends(values.map(|owner| owner.val.into()))?;
        let others = self.at(Spot { row: block.row, col: block.col, index: 0 }).len() - 1;
        let full = match others {
            0 if low < high => format!("T{thr} V{low}-{high}"),
            0 => format!("T{thr} V{low}"),
            _ => format!("T{thr} +{others}"),
        };
        Some(vec![Label::text(full), Label::Thread(thr)])
    }

    fn label(&self, spot: Spot) -> Label {
        let owners = self.at(spot);
        let written = |owner: &Owner| Label::Owner { thr: owner.thr, val: owner.val };
        match owners {
            [] => Label::Blank,
            [owner] => written(owner),
            _ if owners.len() <= OWNERS_WRITTEN => {
                Label::Lines(owners.iter().map(written).collect())
            }
            _ => {
                let shown = owners.iter().take(OWNERS_WRITTEN - 1).map(written);
                let rest = format!("+{}", owners.len() - (OWNERS_WRITTEN - 1));
                Label::Lines(shown.chain([Label::text(rest)]).collect())
            }
        }
    }
}
