//! The offset of every coordinate of a class that is drawn.
//!
//! In: a source. Out: a [`Map`]. Invariant: coordinates come in lexicographic order, and a note says
//! which of them are left out.

use super::source::{Source, tuple};
use crate::cute::index::{at, wide};
use crate::diagnostic::Diagnostic;
use crate::figure::canvas::limits::{CELLS_DRAWN, CORNER_SIDE, GRID_SIDE, SLICES_DRAWN};
use crate::figure::model::grid::{Cell, Fill, Mark};
use crate::figure::model::label::Label;
use crate::hardware::cutlass2::Class;
use std::collections::BTreeMap;

/// The offsets of the coordinates that are drawn.
pub(super) struct Map {
    /// The extent that is drawn.
    pub(super) extent: Vec<i64>,
    /// Whether that is less than what was asked for.
    pub(super) cut: bool,
    /// Offset of each coordinate in lexicographic order.
    pub(super) offsets: Vec<i64>,
    pub(super) low: i64,
    pub(super) high: i64,
    /// How many coordinates have an offset.
    pub(super) hits: BTreeMap<i64, usize>,
}

impl Map {
    pub(super) fn of(source: &Source) -> Result<Self, Diagnostic> {
        let (extent, cut) = drawn(&source.extent);
        let offsets: Vec<i64> =
            coords(&extent).map(|coord| source.object.offset(&coord)).collect::<Result<_, _>>()?;
        let mut hits = BTreeMap::new();
        for &offset in &offsets {
            *hits.entry(offset).or_insert(0) += 1;
        }
        let low = hits.keys().next().copied().unwrap_or(0);
        let high = hits.keys().next_back().copied().unwrap_or(0);
        Ok(Self { extent, cut, offsets, low, high, hits })
    }

    pub(super) fn cut_note(&self, class: Class) -> Option<Diagnostic> {
        self.cut.then(|| {
            Diagnostic::note(
                "cut",
                format!(
                    "only the first {} coordinates of `{class}` are drawn",
                    tuple(&self.extent)
                ),
            )
        })
    }

    /// Returns the offset of a coordinate that is drawn.
    pub(super) fn offset(&self, coord: &[i64]) -> i64 {
        let place = coord.iter().zip(&self.extent).fold(0, |place, (&i, &n)| place * n + i);
        at(&self.offsets, place).copied().unwrap_or(0)
    }

    pub(super) fn cell(&self, coord: &[i64]) -> Cell {
        let offset = self.offset(coord);
        let shared = self.hits.get(&offset).is_some_and(|&hits| hits > 1);
        Cell {
            fill: Fill::ramp(offset, self.low, self.high),
            mark: if shared { Mark::Twice } else { Mark::None },
            ..Cell::default()
        }
    }
}

/// Cuts an extent down to what a page can hold: the corner of the last two coordinates, and the
/// first slices of the others.
fn drawn(extent: &[i64]) -> (Vec<i64>, bool) {
    let cells = extent.iter().try_fold(1_i64, |product, &n| product.checked_mul(n));
    let sides = extent.iter().rev().take(2).all(|&n| n <= wide(GRID_SIDE));
    let outer = extent.iter().rev().skip(2).copied().fold(1, i64::saturating_mul);
    let few = outer <= wide(SLICES_DRAWN);
    if sides && few && cells.is_some_and(|cells| cells <= wide(CELLS_DRAWN / 2)) {
        return (extent.to_vec(), false);
    }
    let mut slices = wide(SLICES_DRAWN);
    let rank = extent.len();
    let mut cut = vec![1; rank];
    for (i, (&n, cut)) in extent.iter().zip(&mut cut).enumerate().rev() {
        *cut = if i + 2 >= rank {
            n.min(wide(CORNER_SIDE))
        } else {
            let taken = n.min(slices);
            slices = (slices / taken).max(1);
            taken
        };
    }
    (cut, true)
}

/// Lists coordinates in lexicographic order.
pub(super) fn coords(extent: &[i64]) -> impl Iterator<Item = Vec<i64>> + '_ {
    let size: i64 = extent.iter().product();
    (0..size).map(|index| {
        let mut rest = index;
        let mut coord: Vec<i64> = extent
            .iter()
            .rev()
            .map(|&n| {
                let i = rest % n;
                rest /= n;
                i
            })
            .collect();
        coord.reverse();
        coord
    })
}

/// Writes a coordinate as the label of a cell.
pub(super) fn coord_label(coord: &[i64]) -> Label {
    match *coord {
        [at] => Label::Int(at),
        [row, col] => Label::coord(row, col),
        _ => Label::text(tuple(coord)),
    }
}
