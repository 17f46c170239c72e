//! Cells in rows and columns: colour, owner, mark and labels of each.
//!
//! In: an extent and a closure that knows each cell. Out: a [`Grid`]. Invariant: `cells` and the
//! labels of every layer are row by row and exactly `rows * cols` long.

use crate::cute::index::wide;
use crate::figure::model::axis::Axis;
use crate::figure::model::label::{Label, Layer};
use crate::hardware::units::WARP;

/// A table of cells with its axes and one or more sets of labels.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    /// How many rows.
    pub rows: usize,
    /// How many columns.
    pub cols: usize,
    /// The cells, row by row.
    pub cells: Vec<Cell>,
    /// What the numbers of [`Fill::Class`] mean.
    pub scale: Scale,
    /// The sets of labels; the first is the one that is shown.
    pub layers: Vec<Layer>,
    /// What is written instead where the labels of single cells would be too small to read.
    pub blocks: Vec<Block>,
    /// The axis that runs down (one index a row).
    pub row_axis: Axis,
    /// The axis that runs across (one index a column).
    pub col_axis: Axis,
    /// Cells, counted row by row, that a line joins in this order; empty for none.
    pub path: Vec<usize>,
}

/// Cells that belong together, labelled as one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The first row.
    pub row: usize,
    /// The first column.
    pub col: usize,
    /// How many rows.
    pub rows: usize,
    /// How many columns.
    pub cols: usize,
    /// One line each, the most telling first; the first that fits is written.
    pub labels: Vec<Label>,
}

/// An extent in cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// How many rows.
    pub rows: usize,
    /// How many columns.
    pub cols: usize,
}

impl Block {
    /// Returns how many cells it has down and across.
    #[must_use]
    pub const fn extent(&self) -> Extent {
        Extent { rows: self.rows, cols: self.cols }
    }

    /// Visits rows and columns of its cells, row by row.
    pub fn places(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let (left, right) = (self.col, self.col + self.cols);
        (self.row..self.row + self.rows)
            .flat_map(move |row| (left..right).map(move |col| (row, col)))
    }
}

/// Everything about one cell but its labels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    /// Its colour.
    pub fill: Fill,
    /// Whose it is (thread, tile, copy ...): lines between different owners are stronger, and
    /// cells of one owner light up together in all panels of the figure.
    pub owner: Option<u32>,
    /// What is out of the ordinary about it.
    pub mark: Mark,
    /// Whether it stands back.
    pub faded: bool,
}

impl Cell {
    /// Returns whether it has a color of its own. On other cells the page shows through, or a ground
    /// that follows the theme of the page.
    #[must_use]
    pub fn is_colored(&self) -> bool {
        self.fill != Fill::Blank && !self.faded
    }
}

/// The colour of a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fill {
    /// The page shows through.
    #[default]
    Blank,
    /// A colour of the grid's [`Scale`].
    Class(u8),
}

/// The meaning of colours: one in each figure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scale {
    /// [`Fill::RAMP`] even steps from small to large.
    #[default]
    Ramp,
    /// [`Fill::CATEGORIES`] colours that differ for every reader: eight hues, four lightnesses.
    Category,
}

/// What is out of the ordinary about a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mark {
    /// Nothing.
    #[default]
    None,
    /// Nobody owns it, or nothing maps there.
    Hole,
    /// It lies past the end of the tensor.
    Outside,
    /// More than one coordinate, value or copy hits it.
    Twice,
    /// A swizzle moved it.
    Moved,
    /// It breaks the contract that the figure checks.
    Failing,
    /// The author highlighted it.
    Picked,
}

impl Fill {
    /// Steps of [`Scale::Ramp`].
    pub const RAMP: u8 = 16;
    /// Colours of [`Scale::Category`].
    pub const CATEGORIES: u8 = 32;

    /// Returns the step of [`Scale::Ramp`] for `value` between `low` and `high` (inclusive).
    #[must_use]
    pub fn ramp(value: i64, low: i64, high: i64) -> Self {
        let last = high.abs_diff(low);
        let at = if high < low { 0 } else { value.clamp(low, high).abs_diff(low) };
        // Wide division is slow, and only offsets beyond 2^59 need it.
        let steps = u64::from(Self::RAMP);
        let step = match (at.checked_mul(steps), last.checked_add(1)) {
            // Most layouts span a power of two, and a division takes longer than the rest of a cell.
            (Some(scaled), Some(span)) if span.is_power_of_two() => scaled >> span.trailing_zeros(),
            (Some(scaled), Some(span)) => scaled / span,
            _ => at / (last / steps + 1),
        };
        Self::Class(step.min(steps - 1).to_le_bytes()[0])
    }

    /// Returns the colour of thread `thr` of `threads`. Up to one warp: hue by group of four
    /// lanes, lightness by lane within it. Beyond: hue by group of four lanes, lightness by warp.
    #[must_use]
    pub fn thread(thr: impl Into<i64>, threads: i64) -> Self {
        let (thr, warp) = (thr.into(), wide(WARP));
        let tint = if threads <= warp { thr } else { thr / warp };
        Self::shaded(thr / 4, tint)
    }

    /// Returns the colour of tile, copy or bank `id`. Up to 32 all differ; beyond, the prime
    /// period keeps neighbours apart in grids of tiles whose width is a power of two.
    #[must_use]
    pub fn numbered(id: impl Into<i64>, count: i64) -> Self {
        let all = i64::from(Self::CATEGORIES);
        let id = id.into().rem_euclid(if count <= all { all } else { all - 1 });
        Self::shaded(id % 8, id / 8)
    }

    /// Returns hue `hue` modulo 8 in lightness `tint` modulo 4.
    #[must_use]
    pub fn shaded(hue: impl Into<i64>, tint: impl Into<i64>) -> Self {
        // Below 32, so the lowest byte has all of it.
        let class = tint.into().rem_euclid(4) * 8 + hue.into().rem_euclid(8);
        Self::Class(class.to_le_bytes()[0])
    }
}

/// Where a cell is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spot {
    /// The row.
    pub row: usize,
    /// The column.
    pub col: usize,
    /// CuTe's one-dimensional index: `row + rows * col`.
    pub index: usize,
}

impl Grid {
    /// Makes a grid of `rows` by `cols` with plain axes, asking `cell` for each place.
    #[must_use]
    pub fn from_fn(rows: usize, cols: usize, cell: impl FnMut(Spot) -> Cell) -> Self {
        Self {
            rows,
            cols,
            cells: at_all_spots(rows, cols, cell),
            scale: Scale::default(),
            layers: Vec::new(),
            blocks: Vec::new(),
            row_axis: Axis::counting(rows),
            col_axis: Axis::counting(cols),
            path: Vec::new(),
        }
    }

    /// Sets the meaning of the colours.
    #[must_use]
    pub fn scale(mut self, scale: Scale) -> Self {
        self.scale = scale;
        self
    }

    /// Adds a set of labels; the first one added is shown.
    #[must_use]
    pub fn layer(mut self, name: &'static str, label: impl FnMut(Spot) -> Label) -> Self {
        self.layers.push(Layer { name, labels: at_all_spots(self.rows, self.cols, label) });
        self
    }

    /// Names what runs down and across.
    #[must_use]
    pub fn axes(mut self, down: impl Into<String>, across: impl Into<String>) -> Self {
        self.row_axis.title = Some(down.into());
        self.col_axis.title = Some(across.into());
        self
    }

    /// Visits all places, row by row.
    pub fn spots(&self) -> impl Iterator<Item = Spot> + use<> {
        spots(self.rows, self.cols)
    }

    /// Returns the cell at a row and a column.
    #[must_use]
    pub fn cell(&self, row: usize, col: usize) -> Option<&Cell> {
        if col >= self.cols { None } else { self.cells.get(row * self.cols + col) }
    }

    /// Returns whether most cells of a block have a color of their own, so that what is drawn across
    /// it needs the ink of colors; cells past the edge do not count.
    #[must_use]
    pub fn is_colored(&self, (top, left): (usize, usize), extent: Extent) -> bool {
        let right = (left + extent.cols).min(self.cols);
        let (mut all, mut colored) = (0, 0);
        for row in top..(top + extent.rows).min(self.rows) {
            let start = row * self.cols;
            let cells = self.cells.get(start + left..start + right).unwrap_or_default();
            all += cells.len();
            colored += cells.iter().filter(|cell| cell.is_colored()).count();
        }
        colored * 2 > all
    }

    /// Returns whether any cell has an owner.
    #[must_use]
    pub fn has_owners(&self) -> bool {
        self.cells.iter().any(|cell| cell.owner.is_some())
    }

    /// Returns the extent of the whole grid.
    #[must_use]
    pub const fn extent(&self) -> Extent {
        Extent { rows: self.rows, cols: self.cols }
    }

    /// Returns the cell at a row and a column, to change it.
    pub fn cell_mut(&mut self, row: usize, col: usize) -> Option<&mut Cell> {
        if col >= self.cols { None } else { self.cells.get_mut(row * self.cols + col) }
    }
}

/// Collects what `of` gives for each place, row by row; room for all of it is known from the start.
fn at_all_spots<T>(rows: usize, cols: usize, mut of: impl FnMut(Spot) -> T) -> Vec<T> {
    let mut all = Vec::with_capacity(rows.saturating_mul(cols));
    for row in 0..rows {
        all.extend((0..cols).map(|col| of(Spot { row, col, index: row + rows * col })));
    }
    all
}

fn spots(rows: usize, cols: usize) -> impl Iterator<Item = Spot> {
    (0..rows)
        .flat_map(move |row| (0..cols).map(move |col| Spot { row, col, index: row + rows * col }))
}
