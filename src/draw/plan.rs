//! How large things are, for all panels of a figure together.
//!
//! In: a figure. Out: one size of cells and one size of letters, and whether the labels of cells can
//! be read when the figure is as wide as the column; if not, how many cells a readable label takes.
//! Which labels there are then is decided by the figure
//! ([`Coarse`]). Invariant: one size of letters per figure,
//! taken from its longest label; small grids beside a large one keep their labels.
//!
//! Sizes are in units: a digit is 4 wide and 8 tall, the next one starts 6 further on.

use super::raster::Raster;
use crate::cute::index::{capped, wide};
use crate::figure::model::axis::{Axis, AxisLevel, Ticks};
use crate::figure::model::coarse::{BlockLabel, Coarse};
use crate::figure::model::figure::{Arrangement, Body, Figure, Panel};
use crate::figure::model::grid::{Extent, Grid};
use crate::figure::model::label::Label;

/// Width of the column of a book (thousandths of a pixel).
pub const COLUMN: i64 = 740_000;
/// Thousandths of a pixel in a unit where there is room: digits are 11 pixels tall, as in a text
/// of 15.
pub const NATURAL: i64 = 1400;
/// Thousandths of a pixel in a unit below which labels cannot be read: digits of 5.5 pixels, as in
/// a text of 7 to 8.
pub const READABLE: i64 = 680;
/// Thousandths of a pixel in a unit of the labels of blocks.
const COMFORTABLE: i64 = 950;
/// Thousandths of a pixel in a unit down to which source and destination rather stand side by side
/// than one below the other.
const SIDE_BY_SIDE: i64 = 800;
/// Thousandths of a pixel that a panel beside another takes for its words: 20 em of the style sheet.
const NARROWEST: i64 = 280_000;
/// Height in thousandths of a pixel beyond which a grid is shrunk: two screens.
const TALLEST: i64 = 1_500_000;
/// Thousandths of a pixel between two panels with an arrow: 2.4 em of the style sheet.
const ARROW: i64 = 38_000;
/// From one character to the next.
pub const CHAR: i64 = 6;
/// From one line of a label to the next.
pub const LINE: i64 = 11;
/// Blank left and right of a label, together.
const PAD: i64 = 8;
/// The smallest cell; squares of this size look calm.
const CELL: i64 = 22;
/// Half of the strongest line reaches over the edge of a grid.
pub const EDGE: i64 = 2;
/// Blank between two slices.
pub const SLICE_GAP: i64 = 18;

/// The sizes of one figure.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// Width of every cell.
    pub cell_w: i64,
    /// Height of every cell.
    pub cell_h: i64,
    /// Room for the rows of indices beside each grid; one for all, so that grids line up.
    pub left: i64,
    /// Room for the rows of indices above each grid.
    pub top: i64,
    /// Thousandths of a pixel in a unit when the figure is as wide as the column.
    pub scale: i64,
    /// What can be read at that size.
    pub detail: Detail,
    /// Whether source and destination stand side by side.
    pub pair: bool,
}

/// Which labels can be read when a figure is fitted into the column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Detail {
    /// Those of single cells.
    Full,
    /// Larger ones, which cover several cells; those of single cells when zoomed.
    Coarse {
        /// Cells that the longest label takes at that size.
        need: Extent,
        /// Size of these labels (hundredths of those of single cells).
        zoom: i64,
    },
}

impl Plan {
    /// Makes the plan of a figure in the column of a page.
    #[must_use]
    pub fn of(figure: &Figure) -> Self {
        Self::make(&figure.panels, figure.arrangement, true)
    }

    /// Returns the plan for one panel of the figure. Where one panel makes a figure so large that its
    /// labels are small or left out, a panel that is small enough by itself has them all, as large
    /// as those of blocks.
    #[must_use]
    pub fn of_panel(&self, figure: &Figure, panel: &Panel) -> Self {
        let alone = figure.panels.len() == 1 || figure.arrangement != Arrangement::Flow;
        let comfortable = self.detail == Detail::Full && self.scale >= COMFORTABLE;
        if comfortable || alone {
            return self.clone();
        }
        let own = Self::make(std::slice::from_ref(panel), figure.arrangement, true);
        match own.detail {
            Detail::Full => Self { scale: own.scale.min(COMFORTABLE), ..own },
            Detail::Coarse { .. } => self.clone(),
        }
    }

    /// Makes the plan of a figure that has all the room it wants: a file.
    #[must_use]
    pub fn natural(figure: &Figure) -> Self {
        Self::make(&figure.panels, figure.arrangement, false)
    }

    fn make(panels: &[Panel], arrangement: Arrangement, fitted: bool) -> Self {
        let grids = || {
            panels.iter().flat_map(|panel| match &panel.body {
                Body::Grids(slices) => slices.as_slice(),
                Body::Bits(_) => &[],
            })
        };
        let (mut width, mut lines, mut cols) = (0, 1, 1);
        let (mut left, mut top) = (0, 0);
        for slice in grids() {
            let (w, l) = label_extent(&slice.grid);
            width = width.max(w);
            lines = lines.max(l);
            cols = cols.max(slice.grid.cols);
            left = left.max(axis_width(&slice.grid.row_axis, slice.grid.rows));
            top = top.max(axis_height(&slice.grid.col_axis));
        }
        let cell_h = if lines > 1 { lines * LINE + 9 } else { CELL };
        let cell_w =
            if cols > 32 { (width + PAD).max(cell_h.min(CELL)) } else { (width + PAD).max(cell_h) };
        let mut plan =
            Self { cell_w, cell_h, left, top, scale: NATURAL, detail: Detail::Full, pair: false };
        let mut widest = grids().map(|slice| plan.width(&slice.grid)).max().unwrap_or(1);
        let tallest = grids().map(|slice| plan.height(&slice.grid)).max().unwrap_or(1);
        if arrangement == Arrangement::Corner {
            let first = grids().next().map_or(0, |slice| plan.width(&slice.grid));
            let rest = grids().skip(1).map(|slice| plan.width(&slice.grid)).max().unwrap_or(0);
            widest = first + SLICE_GAP + rest;
        }
        plan.pair = fitted && plan.fit_pair(panels, arrangement, tallest);
        if fitted && !plan.pair {
            plan.fit((widest, tallest), width);
        }
        plan
    }

    /// Shrinks source and destination until they stand side by side, where that can be read well;
    /// returns whether it can.
    fn fit_pair(&mut self, panels: &[Panel], arrangement: Arrangement, tallest: i64) -> bool {
        let width = |panel: &Panel| match &panel.body {
            Body::Grids(slices) => match slices.as_slice() {
                [slice] => Some(self.width(&slice.grid)),
                _ => None,
            },
            Body::Bits(_) => None,
        };
        let [first, second] = panels else { return false };
        let (Some(first), Some(second)) = (width(first), width(second)) else { return false };
        let both = room((COLUMN - ARROW, first + second), tallest);
        let beside_words = (COLUMN - ARROW - NARROWEST) / first.max(second).max(1);
        let scale = both.min(beside_words);
        if arrangement != Arrangement::Arrows || scale < SIDE_BY_SIDE {
            return false;
        }
        self.scale = NATURAL.min(scale);
        true
    }

    /// Shrinks the figure into the column and onto two screens, and measures what can still be read.
    fn fit(&mut self, (widest, tallest): (i64, i64), label: i64) {
        self.scale = NATURAL.min(room((COLUMN, widest), tallest));
        if self.scale >= READABLE {
            return;
        }
        // The rows of indices grow with the larger letters, which shrinks the cells a little more.
        let cells = widest - self.left;
        let zoom = |scale: i64| COMFORTABLE * 100 / scale.max(1);
        let first = zoom(self.scale);
        self.left = self.left * first / 100;
        self.top = self.top * first / 100;
        self.scale = room((COLUMN, cells + self.left), tallest);
        let zoom = zoom(self.scale);
        let cells = |label: i64, cell: i64| {
            usize::try_from((label * zoom / 100 + cell - 1) / cell.max(1)).unwrap_or(1)
        };
        let need = Extent {
            rows: cells(2 * LINE, self.cell_h),
            cols: cells(label + 2 * PAD, self.cell_w),
        };
        self.detail = Detail::Coarse { need, zoom };
    }

    /// Returns which labels a grid has when it is fitted into the column; `None` for all of them.
    #[must_use]
    pub fn coarse(&self, grid: &Grid) -> Option<Coarse> {
        match self.detail {
            Detail::Full => None,
            Detail::Coarse { need, .. } => {
                Some(Coarse::of(grid, need, |text, extent| self.fits(text, extent)))
            }
        }
    }

    /// Returns the labels that cover several cells.
    #[must_use]
    pub fn coarse_labels<'g>(&self, coarse: Coarse, grid: &'g Grid) -> Vec<BlockLabel<'g>> {
        coarse.labels(grid, |text, extent| self.fits(text, extent))
    }

    /// Returns whether a line of text can be read on so many cells, as large as labels that cover
    /// several.
    fn fits(&self, text: &str, extent: Extent) -> bool {
        let room = |cells: usize, cell: i64| wide(cells) * cell * 100 / self.zoom().max(1);
        text_width(text) + 4 <= room(extent.cols, self.cell_w)
            && LINE <= room(extent.rows, self.cell_h)
    }

    /// Returns the width of a grid with its axis.
    #[must_use]
    pub fn width(&self, grid: &Grid) -> i64 {
        let cells = self.left + wide(grid.cols) * self.cell_w + EDGE;
        let title = grid.col_axis.title.as_deref().map_or(0, title_width);
        cells.max(title * self.zoom() / 100)
    }

    /// Returns the height of a grid with its axis.
    #[must_use]
    pub fn height(&self, grid: &Grid) -> i64 {
        self.top + wide(grid.rows) * self.cell_h + EDGE
    }

    /// Returns where the cells of a grid lie whose first cell has its corner at `(x, y)`.
    pub(super) const fn raster(&self, (x, y): (i64, i64)) -> Raster {
        Raster { left: x, top: y, cell_w: self.cell_w, cell_h: self.cell_h }
    }

    /// Counts the slices of this width that stand side by side.
    #[must_use]
    pub fn slices_per_row(&self, width: i64, slices: usize) -> usize {
        let room = COLUMN / self.scale.clamp(1, 1000);
        let fit = (room + SLICE_GAP) / (width + SLICE_GAP).max(1);
        capped(fit, slices).max(1)
    }

    /// Returns the size of letters beside the grids in hundredths of those in cells.
    #[must_use]
    pub const fn zoom(&self) -> i64 {
        match self.detail {
            Detail::Full => 100,
            Detail::Coarse { zoom, .. } => zoom,
        }
    }
}

/// Returns thousandths of a pixel for each unit of something so wide, in that much room, and so tall.
fn room((room, wide): (i64, i64), tall: i64) -> i64 {
    (room / wide.max(1)).min(TALLEST / tall.max(1))
}

/// Returns the width of the longest label line that is shown, and the most lines of a label.
fn label_extent(grid: &Grid) -> (i64, i64) {
    let Some(layer) = grid.layers.first() else { return (0, 1) };
    let (mut width, mut lines) = (0, 1);
    let mut text = String::new();
    for label in &layer.labels {
        match label {
            Label::Int(value) => width = width.max(int_width(*value)),
            label => {
                for line in 0..label.lines() {
                    text.clear();
                    label.write_line(line, &mut text);
                    width = width.max(text_width(&text));
                }
                lines = lines.max(wide(label.lines()));
            }
        }
    }
    (width, lines)
}

fn int_width(value: i64) -> i64 {
    let digits = value.unsigned_abs().checked_ilog10().unwrap_or(0) + 1;
    i64::from(digits) * CHAR - 2 + if value < 0 { CHAR - 1 } else { 0 }
}

fn text_width(text: &str) -> i64 {
    let width = |c| CHAR + if matches!(c, '→' | 'W' | 'm' | 'w') { 2 } else { 0 };
    text.chars().map(width).sum::<i64>() - 2
}

/// Returns the width of one row of indices that run down, with its blank.
#[must_use]
pub fn level_width(level: &AxisLevel, extent: usize) -> i64 {
    let widest = match &level.ticks {
        Ticks::Counting { start, extent: turn, step } => {
            let last = wide((*turn).min(extent.div_ceil(level.run)).saturating_sub(1));
            int_width(*start).max(int_width(start.saturating_add(step.saturating_mul(last))))
        }
        Ticks::Text(labels) => labels.iter().map(|label| text_width(label)).max().unwrap_or(0),
    };
    widest + PAD
}

/// Height of one row of indices that run across, with its blank.
pub const LEVEL_HEIGHT: i64 = 14;

/// Returns the width of the name of an axis, with its blank.
fn title_width(title: &str) -> i64 {
    text_width(title) + PAD
}

fn axis_width(axis: &Axis, extent: usize) -> i64 {
    let levels = axis.levels.iter().map(|level| level_width(level, extent)).sum::<i64>();
    // A short name stands beside the indices, a long one above them.
    let width = match &axis.title {
        Some(title) if text_width(title) > LEVEL_HEIGHT => levels.max(title_width(title)),
        Some(_) => levels + LEVEL_HEIGHT,
        None => levels,
    };
    width + EDGE
}

fn axis_height(axis: &Axis) -> i64 {
    let title = if axis.title.is_some() { LEVEL_HEIGHT } else { 0 };
    wide(axis.levels.len()) * LEVEL_HEIGHT + title + EDGE
}
