//! The rows of indices beside and above a grid, and the names of its axes.
//!
//! In: the axes of a grid. Out: one element for the indices of single cells, one for those of outer
//! levels and the names, one path for the brackets over the runs of outer levels. Invariant: indices
//! do not touch; where there is no room for all, every second, fourth and so on is written.

use super::letters::{Ink, Writer};
use super::paint::Paint;
use super::path::{Way, push_line};
use crate::cute::index::wide;
use crate::draw::glyphs;
use crate::draw::plan::{self, LEVEL_HEIGHT, LINE, Plan};
use crate::draw::raster::Raster;
use crate::draw::tag::Tag;
use crate::draw::target::Style;
use crate::figure::{AxisLevel, Grid};

/// Appends the indices and names of both axes, `zoom` hundredths as large as the labels of cells.
pub(super) fn push(
    out: &mut String,
    grid: &Grid,
    plan: &Plan,
    raster: Raster,
    zoom: i64,
    style: Style,
) {
    let style = style.beside_cells();
    let (down, right) = bands_down(grid, raster, zoom);
    let (across, bottom) = bands_across(grid, raster, zoom);
    let ink = |weight| Ink { paint: Paint::Text, weight, zoom };
    let mut text = String::new();
    {
        let mut inner = Writer::open(out, ink(90), style);
        for band in down.iter().take(1).chain(across.iter().take(1)) {
            band.write(raster, &mut inner, &mut text);
        }
    }
    let outer = || down.iter().skip(1).chain(across.iter().skip(1));
    {
        let mut writer = Writer::open(out, ink(130), style);
        outer().for_each(|band| band.write(raster, &mut writer, &mut text));
        names(&mut writer, grid, (right, bottom), plan, raster, zoom);
    }
    if outer().next().is_some() {
        let brackets = Tag::open(out, "path").stroke(Paint::Text, 70, style.target());
        let mut brackets = brackets.set("stroke-opacity", ".6").data("d");
        outer().for_each(|band| band.bracket(raster, &mut brackets));
    }
}

/// One row of indices.
struct Band<'g> {
    level: &'g AxisLevel,
    /// The way along which the indices run.
    way: Way,
    /// Cells along the axis.
    extent: usize,
    /// The edge towards the cells.
    edge: i64,
    /// The line through the middles of the indices.
    middle: i64,
    /// Room that an index takes along the axis.
    need: i64,
}

impl Band<'_> {
    /// Passes every index that is written to `emit`: its number, and where its run starts and ends.
    fn visit(&self, raster: Raster, mut emit: impl FnMut(usize, i64, i64)) {
        let (start, cell) = match self.way {
            Way::Across => (raster.left, raster.cell_w),
            Way::Down => (raster.top, raster.cell_h),
        };
        let run = wide(self.level.run) * cell;
        let end = start + wide(self.extent) * cell;
        let need = usize::try_from((self.need + run - 1) / run.max(1)).unwrap_or(1);
        for number in self.level.shown(self.extent, need) {
            let from = start + wide(number) * run;
            emit(number, from, (from + run).min(end));
        }
    }

    /// Writes the indices; `text` is a buffer.
    fn write(&self, raster: Raster, writer: &mut Writer<'_>, text: &mut String) {
        self.visit(raster, |number, from, to| {
            text.clear();
            self.level.write_tick(number, text);
            match self.way {
                Way::Across => writer.centered((from + to) / 2, self.middle, text),
                Way::Down => writer.centered(self.middle, (from + to) / 2, text),
            }
        });
    }

    /// Draws a line along the run of each index.
    fn bracket(&self, raster: Raster, path: &mut String) {
        self.visit(raster, |_, from, to| {
            let start = match self.way {
                Way::Across => (from + 2, self.edge),
                Way::Down => (self.edge, from + 2),
            };
            push_line(path, start, self.way, to - from - 4);
        });
    }
}

/// Returns the indices that run down, innermost first, and where they end on the left.
fn bands_down(grid: &Grid, raster: Raster, zoom: i64) -> (Vec<Band<'_>>, i64) {
    let mut right = raster.left - plan::EDGE;
    let mut bands = Vec::with_capacity(grid.row_axis.levels.len());
    for level in &grid.row_axis.levels {
        let width = plan::level_width(level, grid.rows) * zoom / 100;
        bands.push(Band {
            level,
            way: Way::Down,
            extent: grid.rows,
            edge: right,
            middle: right - width / 2,
            need: LINE * zoom / 100,
        });
        right -= width;
    }
    (bands, right)
}

/// Returns the indices that run across, innermost first, and where they end at the top.
fn bands_across(grid: &Grid, raster: Raster, zoom: i64) -> (Vec<Band<'_>>, i64) {
    let mut bottom = raster.top - plan::EDGE;
    let height = LEVEL_HEIGHT * zoom / 100;
    let mut bands = Vec::with_capacity(grid.col_axis.levels.len());
    for level in &grid.col_axis.levels {
        bands.push(Band {
            level,
            way: Way::Across,
            extent: grid.cols,
            edge: bottom,
            middle: bottom - height / 2,
            need: (plan::level_width(level, grid.cols) - 4) * zoom / 100,
        });
        bottom -= height;
    }
    (bands, bottom)
}

/// Writes the names of both axes beyond their indices.
fn names(
    writer: &mut Writer<'_>,
    grid: &Grid,
    (right, bottom): (i64, i64),
    plan: &Plan,
    raster: Raster,
    zoom: i64,
) {
    let half = LEVEL_HEIGHT * zoom / 200;
    let width = |name: &str| glyphs::width(name) * zoom / 100;
    if let Some(name) = &grid.col_axis.title {
        // A name that is wider than its grid ends with the picture.
        let end = raster.left - plan.left + plan.width(grid);
        let center = raster.left + raster.width(grid.cols) / 2;
        writer.centered(center.min(end - width(name) / 2 - 2), bottom - half, name);
    }
    if let Some(name) = &grid.row_axis.title {
        let width = width(name);
        // Beside the rows where it is short, else above them, over the indices.
        if width <= LEVEL_HEIGHT * zoom / 100 {
            writer.centered(right - half, raster.top + raster.height(grid.rows) / 2, name);
        } else {
            let center = (raster.left - width / 2 - 4).max(width / 2);
            writer.centered(center, raster.top - plan::EDGE - half, name);
        }
    }
}
