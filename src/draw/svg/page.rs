//! Pictures of a page.
//!
//! In: a panel, or the three panels of an MMA. Out: one `<svg>`. Invariant: its width is that of the
//! column at most; the style sheet reads two more widths from it, `--cute-z`, that when zoomed, and
//! `--cute-m`, the one below which labels could not be read.

use super::corner::corner;
use super::paint::Paint;
use super::picture::{heading, push_picture, push_view_box, size};
use super::words::{self, Face};
use crate::draw::plan::{self, Detail, Plan};
use crate::draw::tag::{Element, Tag};
use crate::draw::target::{Style, Target};
use crate::figure::model::label::push_int;
use crate::figure::{Body, Figure, Panel};

/// Appends the picture of one panel.
pub(in crate::draw) fn push_panel(
    out: &mut String,
    panel: &Panel,
    name: &str,
    plan: &Plan,
    style: Style,
) {
    // Bits fit the column at any size of the grids beside them.
    let scale = match panel.body {
        Body::Grids(_) => plan.scale,
        Body::Bits(_) => plan::NATURAL,
    };
    let mut svg = open(out, size(panel, plan), name, plan, scale, style.target());
    push_picture(&mut svg, panel, plan, (0, 0), style);
}

/// Appends the three panels of an MMA in one picture.
pub(in crate::draw) fn push_corner(out: &mut String, figure: &Figure, plan: &Plan, style: Style) {
    let (places, size) = corner(figure, plan);
    let mut svg = open(out, size, &figure.title, plan, plan.scale, style.target());
    for (panel, (x, y)) in figure.panels.iter().zip(places) {
        let head = heading(plan);
        let name = panel.badge.map_or_else(
            || panel.name.clone(),
            |badge| format!("{} ({})", panel.name, badge.as_str()),
        );
        let at = (x + plan.left, y + head / 2);
        words::push(&mut svg, at, &name, Face::Bold, plan.zoom(), Paint::Text, style);
        push_picture(&mut svg, panel, plan, (x, y + head), style);
    }
}

/// Opens an `<svg>`.
fn open<'a>(
    out: &'a mut String,
    (width, height): (i64, i64),
    name: &str,
    plan: &Plan,
    scale: i64,
    target: Target,
) -> Element<'a> {
    let pixels = |units: i64, scale: i64| (units * scale + 999) / 1000;
    let book = target == Target::Book;
    let mut svg = Tag::open(out, "svg").set("role", "img");
    if !book {
        svg = svg.set("xmlns", "http://www.w3.org/2000/svg");
    }
    svg = svg
        .attr("aria-label", name)
        .value("viewBox", |out| push_view_box(out, (width, height)))
        .int("width", pixels(width, scale));
    if !book {
        svg = svg.int("height", pixels(height, scale));
    }
    svg = svg.value("style", |out| {
        out.push_str("--cute-z:");
        push_int(out, pixels(width, plan::NATURAL));
        out.push_str("px");
        if plan.detail == Detail::Full {
            out.push_str(";--cute-m:");
            push_int(out, pixels(width, scale.min(plan::READABLE)));
            out.push_str("px");
        }
    });
    if !book {
        svg = svg
            .set("stroke-linecap", "round")
            .set("stroke-linejoin", "round")
            .set("text-anchor", "middle");
    }
    svg.content()
}
