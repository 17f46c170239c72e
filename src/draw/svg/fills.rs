//! The colours of a grid: one path for each colour.
//!
//! In: the cells. Out: `<path>` elements, in the order of the scale, which have one rectangle for
//! each region.

use super::Medium;
use super::lines::rectangle;
use super::paint::Paint;
use crate::draw::regions::{Ground, regions};
use crate::figure::{Fill, Grid};

/// Appends one path for each colour of `grid`, whose corner is at `(x, y)`.
pub(super) fn push(
    out: &mut String,
    grid: &Grid,
    (x, y): (i64, i64),
    (w, h): (i64, i64),
    medium: Medium,
) {
    let int = |n: usize| i64::try_from(n).unwrap_or(0);
    let mut areas = Vec::new();
    regions(grid, |region| areas.push(region));
    areas.sort_by_key(|region| region.ground);
    for areas in areas.chunk_by(|a, b| a.ground == b.ground) {
        let Some(first) = areas.first() else { continue };
        let paint = match first.ground {
            Ground::Class(class) => Paint::Cell(grid.scale, Fill::Class(class)),
            Ground::Faded => Paint::Faded,
        };
        out.push_str("<path");
        paint.push(out, "fill", medium);
        out.push_str(" d=\"");
        for region in areas {
            let corner = (x + int(region.col) * w, y + int(region.row) * h);
            rectangle(out, corner, (int(region.cols) * w, int(region.end - region.row) * h));
        }
        out.push_str("\"/>");
    }
}
