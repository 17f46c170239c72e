//! A panel as a small picture for lists: its colors, without labels, lines and indices.
//!
//! In: a panel and the plan of its figure. Out: one `<svg>` in one line, with literal colors.
//! Invariant: one path for each color and one for all frames, for a list has a hundred of them.

use super::fills;
use super::paint::Paint;
use super::path::push_rectangle;
use super::picture::{places, push_view_box};
use crate::draw::plan::Plan;
use crate::draw::tag::Tag;
use crate::draw::target::{Target, Theme};
use crate::figure::{Body, Panel};

/// Room for half a line.
const EDGE: i64 = 2;

/// Appends the picture of the grids of `panel`, if it has any.
pub fn push_thumbnail(out: &mut String, panel: &Panel, plan: &Plan) {
    let Body::Grids(slices) = &panel.body else { return };
    let plan = Plan { left: EDGE, top: EDGE, ..plan.clone() };
    let (places, size) = places(slices, &plan);
    let mut svg = Tag::open(out, "svg")
        .value("viewBox", |out| push_view_box(out, size))
        .int("width", size.0)
        .int("height", size.1)
        .content();
    let mut frames = String::new();
    for (slice, (x, y)) in slices.iter().zip(places) {
        let raster = plan.raster((x + EDGE, y + EDGE));
        fills::push(&mut svg, &slice.grid, raster, Target::File(Theme::Light));
        let size = (raster.width(slice.grid.cols), raster.height(slice.grid.rows));
        push_rectangle(&mut frames, (raster.left, raster.top), size);
    }
    // The frames follow the theme of the page.
    Tag::open(&mut svg, "path")
        .stroke(Paint::Text, 100, Target::Page)
        .value("d", |out| out.push_str(&frames));
}
