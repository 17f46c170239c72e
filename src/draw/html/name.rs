//! The accessible name of a picture.
//!
//! In: a panel and its figure. Out: words that stand for the picture. Invariant: never empty for a
//! figure that has a kind.

use crate::figure::{Body, Figure, Panel};

/// Describes in words what a picture shows.
#[must_use]
pub fn accessible_name(panel: &Panel, figure: &Figure) -> String {
    let mut name = String::new();
    let mut add = |part: &str| {
        if !part.is_empty() {
            if !name.is_empty() {
                name.push(' ');
            }
            name.push_str(part);
        }
    };
    add(if figure.title.is_empty() { figure.kind } else { &figure.title });
    add(&panel.name);
    add(panel.layout.as_deref().unwrap_or(""));
    match &panel.body {
        Body::Grids(slices) => {
            if let Some(slice) = slices.first() {
                add(&format!("grid of {} by {}", slice.grid.rows, slice.grid.cols));
            }
            if slices.len() > 1 {
                add(&format!("{} slices", slices.len()));
            }
        }
        Body::Bits(_) => add("bits of an offset"),
    }
    name
}
