//! The colours of a grid: one path for each colour.
//!
//! In: the cells. Out: `<path>` elements, in the order of the scale, which have one rectangle for
//! each region.

use super::Medium;
use super::paint::Paint;
use crate::draw::glyphs::push_next;
use crate::draw::regions::{Ground, regions};
use crate::figure::label::push_int;
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
    let mut paths: Vec<(Ground, String)> = Vec::new();
    regions(grid, |region| {
        let at = paths.binary_search_by(|(ground, _)| ground.cmp(&region.ground));
        let at = at.unwrap_or_else(|at| {
            paths.insert(at, (region.ground, String::new()));
            at
        });
        let path = &mut paths[at].1;
        let width = int(region.cols) * w;
        path.push('M');
        push_int(path, x + int(region.col) * w);
        push_next(path, y + int(region.row) * h);
        path.push('h');
        push_int(path, width);
        path.push('v');
        push_int(path, int(region.end - region.row) * h);
        path.push('h');
        push_int(path, -width);
        path.push('z');
    });
    for (ground, path) in &paths {
        let paint = match *ground {
            Ground::Class(class) => Paint::Cell(grid.scale, Fill::Class(class)),
            Ground::Faded => Paint::Faded,
        };
        out.push_str("<path");
        paint.push(out, "fill", medium);
        out.push_str(" d=\"");
        out.push_str(path);
        out.push_str("\"/>");
    }
}
