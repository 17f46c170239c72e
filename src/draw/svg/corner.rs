//! The corner arrangement of an MMA: B above, A on the left, C in the corner.
//!
//! In: three panels and their sizes. Out: where each stands. Invariant: rows of A and C, and columns
//! of B and C, line up, for all panels have cells of one size.

use super::picture::{heading, size};
use crate::draw::plan::{Plan, SLICE_GAP};
use crate::figure::Figure;

/// Returns the corners of A, B and C with their headings, and the size of it all. Panels after the
/// third stand below.
pub(super) fn corner(figure: &Figure, plan: &Plan) -> (Vec<(i64, i64)>, (i64, i64)) {
    let sizes: Vec<(i64, i64)> = figure
        .panels
        .iter()
        .map(|panel| size(panel, plan))
        .map(|(w, h)| (w, h + heading(plan)))
        .collect();
    let of = |at: usize| sizes.get(at).copied().unwrap_or((0, 0));
    let (a, b, c) = (of(0), of(1), of(2));
    let gap = SLICE_GAP * plan.zoom() / 100;
    let mut places = vec![(0, b.1 + gap), (a.0 + gap, 0), (a.0 + gap, b.1 + gap)];
    let mut width = a.0 + gap + b.0.max(c.0);
    let mut bottom = b.1 + gap + a.1.max(c.1);
    for &(w, h) in sizes.iter().skip(3) {
        places.push((0, bottom + gap));
        bottom += gap + h;
        width = width.max(w);
    }
    (places, (width, bottom))
}
