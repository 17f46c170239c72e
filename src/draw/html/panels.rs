//! The panels of a figure with their heads, and what a page offers where labels are small.
//!
//! In: a figure and the style of its pictures. Out: elements of a page. Invariant: where labels are
//! left out, the page describes which there are and offers the size at which there are all.

use super::legend::push_foot;
use super::name::accessible_name;
use crate::draw::markup::{Searched, push_words};
use crate::draw::plan::{Detail, Plan};
use crate::draw::svg;
use crate::draw::tag::Tag;
use crate::draw::target::{Letters, Style};
use crate::figure::model::coarse::{Coarse, notice};
use crate::figure::{Arrangement, Body, Figure, Panel};

/// Appends all panels.
pub(super) fn push_panels(out: &mut String, figure: &Figure, style: Style, searched: Searched) {
    let plan = Plan::of(figure);
    let plans: Vec<Plan> = figure.panels.iter().map(|panel| plan.of_panel(figure, panel)).collect();
    if plan.detail != Detail::Full {
        push_zoom(out, figure, &plans, style, searched);
    }
    let class = match figure.arrangement {
        Arrangement::Flow => "cute-panels",
        Arrangement::Arrows if plan.pair => "cute-panels cute-arrows cute-pair",
        Arrangement::Arrows => "cute-panels cute-arrows",
        Arrangement::Corner => "cute-panels cute-corner",
    };
    let mut panels = Tag::open(out, "div").set("class", class).content();
    if figure.arrangement == Arrangement::Corner {
        push_corner(&mut panels, figure, &plan, style, searched);
    } else {
        for (panel, plan) in figure.panels.iter().zip(&plans) {
            push_panel(&mut panels, panel, figure, plan, style, searched);
        }
    }
}

/// Offers the full size of a figure that is too large for all labels, and describes which it has.
fn push_zoom(out: &mut String, figure: &Figure, plans: &[Plan], style: Style, searched: Searched) {
    let all = style.letters() != Letters::None;
    {
        let mut label = Tag::open(out, "label").set("class", "cute-zoom").content();
        label.push_str("<input type=\"checkbox\"> ");
        let offer = if all { "full size with all labels" } else { "full size" };
        push_words(&mut label, searched, "span", "cute-text", offer);
    }
    if all {
        let panels = figure.panels.iter().zip(plans);
        let labels: Vec<_> = panels.map(|(panel, plan)| coarse_labels(panel, plan)).collect();
        push_words(out, searched, "small", "cute-coarse", &notice(&labels));
    }
}

/// Returns which labels the grids of a panel have, unless they have all.
fn coarse_labels(panel: &Panel, plan: &Plan) -> Option<Vec<Coarse>> {
    let slices = match &panel.body {
        Body::Grids(slices) => slices.as_slice(),
        Body::Bits(_) => &[],
    };
    match plan.detail {
        Detail::Full => None,
        Detail::Coarse { .. } => {
            Some(slices.iter().filter_map(|slice| plan.coarse(&slice.grid)).collect())
        }
    }
}

fn push_panel(
    out: &mut String,
    panel: &Panel,
    figure: &Figure,
    plan: &Plan,
    style: Style,
    searched: Searched,
) {
    let mut div = Tag::open(out, "div").set("class", "cute-panel").content();
    push_head(&mut div, panel, searched);
    {
        let mut view = Tag::open(&mut div, "div").set("class", "cute-view").content();
        svg::push_panel(&mut view, panel, &accessible_name(panel, figure), plan, style);
    }
    push_foot(&mut div, panel, searched);
}

fn push_corner(out: &mut String, figure: &Figure, plan: &Plan, style: Style, searched: Searched) {
    let mut div = Tag::open(out, "div").set("class", "cute-panel").content();
    figure.panels.iter().for_each(|panel| push_head(&mut div, panel, searched));
    {
        let mut view = Tag::open(&mut div, "div").set("class", "cute-view").content();
        svg::push_corner(&mut view, figure, plan, style);
    }
    figure.panels.iter().for_each(|panel| push_foot(&mut div, panel, searched));
}

fn push_head(out: &mut String, panel: &Panel, searched: Searched) {
    let mut head = Tag::open(out, "div").set("class", "cute-head").content();
    let mut part = |tag, class, text: &str| push_words(&mut head, searched, tag, class, text);
    if let Some(badge) = panel.badge {
        part("span", "cute-badge", badge.as_str());
    }
    if !panel.name.is_empty() {
        part("b", "cute-name", &panel.name);
    }
    if let Some(layout) = &panel.layout {
        part("span", "cute-mono", layout);
    }
    if let Some(unit) = panel.unit {
        part("small", "cute-unit", unit);
    }
}
