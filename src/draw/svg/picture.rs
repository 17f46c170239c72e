//! What a panel shows: its grids, one after the other, or the bits of an offset.
//!
//! In: a panel and the sizes of its figure. Out: groups of elements within an `<svg>`. Invariant: a
//! grid in a page carries what the script needs to find its cells, and a grid whose labels are small
//! carries both those of cells and those that cover several.

use super::words::{self, Face};
use super::{axes, bits, data, fills, labels, lines};
use crate::cute::index::wide;
use crate::draw::plan::{Detail, Plan, SLICE_GAP};
use crate::draw::raster::Raster;
use crate::draw::svg::paint::Paint;
use crate::draw::tag::Tag;
use crate::draw::target::Style;
use crate::figure::model::coarse::Coarse;
use crate::figure::model::label::push_int;
use crate::figure::{Body, Grid, Panel, Slice};

/// Returns the size of a panel's picture.
pub(super) fn size(panel: &Panel, plan: &Plan) -> (i64, i64) {
    match &panel.body {
        Body::Bits(picture) => bits::size(picture),
        Body::Grids(slices) => places(slices, plan).1,
    }
}

/// Height of a line of text above a picture.
pub(super) fn heading(plan: &Plan) -> i64 {
    18 * plan.zoom() / 100
}

/// Returns the corners of the slices with their titles, and the size of it all.
pub(super) fn places(slices: &[Slice], plan: &Plan) -> (Vec<(i64, i64)>, (i64, i64)) {
    let width = slices.iter().map(|slice| plan.width(&slice.grid)).max().unwrap_or(0);
    let per_row = plan.slices_per_row(width, slices.len());
    let mut places = Vec::with_capacity(slices.len());
    let (mut top, mut extent) = (0, (0, 0));
    for row in slices.chunks(per_row) {
        let mut x = 0;
        let mut height = 0;
        for slice in row {
            places.push((x, top));
            extent.0 = extent.0.max(x + plan.width(&slice.grid));
            x += width + SLICE_GAP;
            let title = if slice.title.is_some() { heading(plan) } else { 0 };
            height = height.max(title + plan.height(&slice.grid));
        }
        extent.1 = top + height;
        top += height + SLICE_GAP;
    }
    (places, extent)
}

/// Appends the value of the attribute `viewBox`.
pub(super) fn push_view_box(out: &mut String, (width, height): (i64, i64)) {
    out.push_str("0 0 ");
    push_int(out, width);
    out.push(' ');
    push_int(out, height);
}

/// Appends what a panel shows, with its corner at `(x, y)`.
pub(super) fn push_picture(
    out: &mut String,
    panel: &Panel,
    plan: &Plan,
    (x, y): (i64, i64),
    style: Style,
) {
    match &panel.body {
        Body::Bits(picture) => bits::push(out, picture, (x, y), style),
        Body::Grids(slices) => {
            for (slice, (dx, dy)) in slices.iter().zip(places(slices, plan).0) {
                let (x, mut y) = (x + dx, y + dy);
                if let Some(title) = &slice.title {
                    let at = (x + plan.left, y + heading(plan) / 2);
                    words::push(out, at, title, Face::Mono, plan.zoom(), Paint::Text, style);
                    y += heading(plan);
                }
                let raster = plan.raster((x + plan.left, y + plan.top));
                push_grid(out, &slice.grid, plan, raster, style);
            }
        }
    }
}

/// Appends one grid.
fn push_grid(out: &mut String, grid: &Grid, plan: &Plan, raster: Raster, style: Style) {
    let target = style.target();
    let mut group = Tag::open(out, "g");
    if target.is_page() {
        group = group
            .set("class", "cute-grid")
            .value("data-grid", |out| push_geometry(out, grid, raster))
            .raw(|out| data::push(out, grid));
    }
    let mut group = group.content();
    fills::push(&mut group, grid, raster, target);
    lines::push(&mut group, grid, raster, plan.zoom(), target);
    let (Detail::Coarse { zoom, .. }, Some(coarse)) = (plan.detail, plan.coarse(grid)) else {
        labels::cells(&mut group, grid, raster, style);
        return axes::push(&mut group, grid, plan, raster, 100, style);
    };
    {
        let mut fine = Tag::open(&mut group, "g").set("class", "cute-fine").content();
        labels::cells(&mut fine, grid, raster, style);
        axes::push(&mut fine, grid, plan, raster, 100, style);
    }
    let mut group = Tag::open(&mut group, "g").set("class", "cute-coarse").content();
    if let Coarse::Sampled(extent) = coarse {
        lines::blocks(&mut group, grid, raster, extent, zoom, target);
    }
    if coarse != Coarse::None {
        labels::blocks(&mut group, grid, &plan.coarse_labels(coarse, grid), raster, zoom, style);
    }
    axes::push(&mut group, grid, plan, raster, zoom, style);
}

/// Appends where the cells of a grid lie: corner, size of a cell, rows and columns.
fn push_geometry(out: &mut String, grid: &Grid, raster: Raster) {
    let Raster { left, top, cell_w, cell_h } = raster;
    let numbers = [left, top, cell_w, cell_h, wide(grid.rows), wide(grid.cols)];
    for (at, number) in numbers.into_iter().enumerate() {
        if at > 0 {
            out.push(' ');
        }
        push_int(out, number);
    }
}
