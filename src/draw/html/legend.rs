//! What stands below a panel: its own words and the legend of its colours and marks.
//!
//! In: a panel. Out: elements of a page. Invariant: every colour and every mark has words beside it.

use crate::draw::markup::{Searched, push_words};
use crate::draw::palette;
use crate::draw::tag::Tag;
use crate::figure::model::label::push_int;
use crate::figure::{Body, Fill, LegendEntry, Mark, Panel, Scale, Swatch};

/// Appends what stands below a panel.
pub(super) fn push_foot(out: &mut String, panel: &Panel, searched: Searched) {
    if let Some(caption) = &panel.caption {
        push_words(out, searched, "div", "cute-note", caption);
    }
    if panel.legend.is_empty() {
        return;
    }
    // Categories look the same in all themes, and so do the marks on them.
    let category = match &panel.body {
        Body::Grids(slices) => slices.iter().any(|slice| slice.grid.scale == Scale::Category),
        Body::Bits(_) => false,
    };
    let class = if category { "cute-legend cute-categories" } else { "cute-legend" };
    let mut legend = Tag::open(out, "div").set("class", class).content();
    for entry in &panel.legend {
        let mut span = Tag::open(&mut legend, "span").content();
        push_swatch(&mut span, entry);
        push_words(&mut span, searched, "span", "cute-text", &entry.text);
    }
}

fn push_swatch(out: &mut String, entry: &LegendEntry) {
    let class = match entry.swatch {
        Swatch::Text => return,
        Swatch::Fill(scale, Fill::Class(class)) => {
            Tag::open(out, "i")
                .value("style", |out| {
                    out.push_str("background:");
                    push_variable(out, scale, class);
                })
                .content();
            return;
        }
        Swatch::Scale(scale) => {
            Tag::open(out, "i")
                .set("class", "cute-scale")
                .value("style", |out| push_gradient(out, scale))
                .content();
            return;
        }
        Swatch::Fill(_, Fill::Blank) => "cute-blank",
        Swatch::Faded => "cute-faded",
        Swatch::Border => "cute-border",
        Swatch::Boundary => "cute-boundary",
        Swatch::Mark(mark) => match mark {
            Mark::None => "cute-blank",
            Mark::Hole => "cute-hole",
            Mark::Outside => "cute-outside",
            Mark::Twice => "cute-twice",
            Mark::Moved => "cute-moved",
            Mark::Failing => "cute-fail",
            Mark::Picked => "cute-pick",
        },
    };
    Tag::open(out, "i").set("class", class).content();
}

/// Appends the colors of a scale from left to right.
fn push_gradient(out: &mut String, scale: Scale) {
    out.push_str("background:linear-gradient(90deg");
    for step in 0..8 {
        let class = match scale {
            Scale::Ramp => step * 2 + step / 7,
            Scale::Category => step,
        };
        out.push(',');
        push_variable(out, scale, class);
        if scale == Scale::Category {
            // Hard stops: eight bands.
            let percent = |n: u8| i64::from(n) * 25 / 2;
            out.push(' ');
            push_int(out, percent(step));
            out.push_str("% ");
            push_int(out, percent(step + 1));
            out.push('%');
        }
    }
    out.push(')');
}

fn push_variable(out: &mut String, scale: Scale, class: u8) {
    out.push_str(match scale {
        Scale::Ramp => "var(--cute-r",
        Scale::Category => "var(--cute-c",
    });
    push_int(out, class.into());
    out.push(',');
    out.push_str(palette::colour(scale, Fill::Class(class)).unwrap_or("none"));
    out.push(')');
}
