//! The cells of a tile on paper: which row and column each has, in one grid or several.
//!
//! In: the shape of a tile. Out: a [`Frame`] that makes grids. Invariant: all panels of a figure share
//! one frame, so a cell is at the same place in each; what is not drawn is said in a note.

use super::source::Source;
use crate::cute::{Shape, Tree};
use crate::diagnostic::Diagnostic;
use crate::figure::limits::{CELLS_DRAWN, CORNER_SIDE, GRID_SIDE, SLICES_DRAWN, STRIP_COLUMNS};
use crate::figure::{Axis, Body, Cell, Grid, Label, Scale, Slice, Spot};

/// How a tile is laid out.
pub(super) struct Frame {
    /// One entry a grid: its title and the index of its first cell.
    slices: Vec<(Option<String>, usize)>,
    /// Rows and columns that are drawn.
    rows: usize,
    cols: usize,
    /// Rows of the tile, for the index of a cell.
    pitch: usize,
    /// Whether a tile of rank 1 runs along rows of this many cells.
    strip: Option<usize>,
    /// How many cells the tile has.
    cells: usize,
    axes: (Axis, Axis),
}

impl Frame {
    /// Lays out a tile for `panels` panels; the notes say what is left out.
    pub(super) fn of(source: &Source, panels: usize, flat: bool) -> (Self, Vec<Diagnostic>) {
        let extents = source.extents();
        let cells: usize = extents.iter().product();
        let modes = source.tile.modes();
        let mut notes = Vec::new();
        if extents.len() == 1 {
            let cols = if cells <= 2 * STRIP_COLUMNS { cells } else { STRIP_COLUMNS };
            let rows = cells.div_ceil(cols.max(1)).min(GRID_SIDE);
            let axes = if rows == 1 {
                (Axis::default(), Axis::of_shape(&source.tile))
            } else {
                let step = i64::try_from(cols).unwrap_or(1);
                (Axis::counting_from(0, rows, step), Axis::counting(cols))
            };
            if rows * cols < cells {
                notes.push(left_out(format!("{} of {cells} cells", rows * cols)));
            }
            let slices = vec![(None, 0)];
            let frame = Self { slices, rows, cols, pitch: 1, strip: Some(cols), cells, axes };
            return (frame, notes);
        }
        let rest: Vec<usize> = extents.get(2..).unwrap_or(&[]).to_vec();
        let copies: usize = rest.iter().product();
        let flat = flat || copies == 1;
        let (mut rows, mut cols) =
            (extents[0], if flat { extents[1] * copies } else { extents[1] });
        let across = if flat { Tree::Tuple(modes[1..].to_vec()) } else { modes[1].clone() };
        let count = if flat { 1 } else { copies };
        if count > SLICES_DRAWN {
            notes.push(left_out(format!("{SLICES_DRAWN} of {count} slices")));
        }
        let count = count.min(SLICES_DRAWN);
        let budget = CELLS_DRAWN / (panels * count).max(1);
        if rows > GRID_SIDE || cols > GRID_SIDE || rows * cols > budget {
            let side = |extent: usize| extent.min(CORNER_SIDE);
            notes.push(left_out(format!(
                "the corner of {}x{} cells; the whole is {rows}x{cols}",
                side(rows),
                side(cols)
            )));
            (rows, cols) = (side(rows), side(cols));
        }
        let plane = extents[0] * extents[1];
        let slices = (0..count)
            .map(|slice| ((!flat).then(|| slice_title(&rest, slice)), slice * plane))
            .collect();
        let axes = (axis(&modes[0], rows), axis(&across, cols));
        (Self { slices, rows, cols, pitch: extents[0], strip: None, cells, axes }, notes)
    }

    /// Returns whether rows are drawn for every row of the tile.
    fn index(&self, first: usize, spot: Spot) -> Option<usize> {
        let index = match self.strip {
            Some(cols) => spot.row * cols + spot.col,
            None => first + spot.row + self.pitch * spot.col,
        };
        (index < self.cells).then_some(index)
    }

    /// Draws the tile: `cell` and the labels of each layer are asked by the index of a cell.
    pub(super) fn body(
        &self,
        scale: Scale,
        cell: &dyn Fn(usize) -> Cell,
        layers: &[(&'static str, &dyn Fn(usize) -> Label)],
    ) -> Body {
        let grids = self.slices.iter().map(|(title, first)| {
            let at = |spot: Spot| self.index(*first, spot);
            let blank = Cell::default;
            let mut grid =
                Grid::from_fn(self.rows, self.cols, |spot| at(spot).map_or_else(blank, cell));
            for (name, label) in layers {
                grid = grid.layer(name, |spot| at(spot).map_or(Label::Blank, label));
            }
            grid.row_axis = self.axes.0.clone();
            grid.col_axis = self.axes.1.clone();
            Slice { title: title.clone(), grid: grid.scale(scale) }
        });
        Body::Grids(grids.collect())
    }
}

/// Makes the axis of a mode of which the first `drawn` indices are drawn.
fn axis(mode: &Shape, drawn: usize) -> Axis {
    let whole = mode.product().is_ok_and(|size| usize::try_from(size) == Ok(drawn));
    if whole { Axis::of_shape(mode) } else { Axis::counting(drawn) }
}

fn slice_title(rest: &[usize], slice: usize) -> String {
    let mut left = slice;
    let mut title = "(_,_".to_owned();
    for extent in rest {
        title += &format!(",{}", left % extent);
        left /= extent;
    }
    title + ")"
}

pub(super) fn left_out(what: String) -> Diagnostic {
    Diagnostic::note("left-out", format!("the figure shows {what}; facts and checks cover all"))
}
