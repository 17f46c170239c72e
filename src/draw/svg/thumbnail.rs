//! A panel as a small picture for lists: its colours, without labels, lines and indices.
//!
//! In: a panel and the plan of its figure. Out: one `<svg>` in one line, with literal colours.
//! Invariant: one path for each colour and one for all frames, for a list has a hundred of them.

use super::paint::Paint;
use super::{Medium, fills, lines, places, to_i64};
use crate::draw::markup::push_int_attr;
use crate::draw::plan::Plan;
use crate::figure::model::label::push_int;
use crate::figure::{Body, Panel};

/// Room for half a line.
const EDGE: i64 = 2;

/// Appends the picture of the grids of `panel`, if it has any.
pub fn push_thumbnail(out: &mut String, panel: &Panel, plan: &Plan) {
    let Body::Grids(slices) = &panel.body else { return };
    let plan = Plan { left: EDGE, top: EDGE, ..plan.clone() };
    let (places, (width, height)) = places(slices, &plan);
    out.push_str("<svg viewBox=\"0 0 ");
    push_int(out, width);
    out.push(' ');
    push_int(out, height);
    out.push('"');
    push_int_attr(out, "width", width);
    push_int_attr(out, "height", height);
    out.push('>');
    let cell = (plan.cell_w, plan.cell_h);
    let mut frames = String::new();
    for (slice, (x, y)) in slices.iter().zip(places) {
        let corner = (x + EDGE, y + EDGE);
        fills::push(out, &slice.grid, corner, cell, Medium::File);
        let size = (to_i64(slice.grid.cols) * cell.0, to_i64(slice.grid.rows) * cell.1);
        lines::rectangle(&mut frames, corner, size);
    }
    out.push_str("<path fill=\"none\"");
    Paint::Text.push(out, "stroke", Medium::Page);
    out.push_str(" d=\"");
    out.push_str(&frames);
    out.push_str("\"/></svg>");
}
