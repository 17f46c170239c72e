//! Where each index of B leads in A.
//!
//! In: A and B. Out: B as the layout of what A is asked for, and the way back. Invariant: an index that
//! leads past the end of A, where its last mode goes on, leads to no cell.

use crate::cute::{
    IntTuple, Layout, Parts, Path, Result as CuteResult, StrideLeaf, Tiler, Tree, index,
};
use crate::figure::canvas::reading::{Reading, leaf};

/// Returns B as a layout whose values are what A is asked for: one index for a layout, a coordinate
/// for a tiler that acts by mode.
pub(super) fn asked(a: &Layout, tiler: &Tiler) -> CuteResult<Layout> {
    by_mode(a, tiler, &mut Vec::new())
}

fn by_mode(mode: &Layout, tiler: &Tiler, path: &mut Vec<usize>) -> CuteResult<Layout> {
    let parts = match tiler.parts()? {
        Parts::Keep => return on_axis(&Layout::vector(mode.size(), 1)?, path),
        Parts::Whole(layout) => return on_axis(&layout, path),
        Parts::Modes(parts) => parts,
    };
    let mut modes = Vec::new();
    for (i, (mode, part)) in mode.modes().iter().zip(parts.iter()).enumerate() {
        path.push(i);
        modes.push(by_mode(mode, part, path)?);
        path.pop();
    }
    Layout::from_modes(modes)
}

/// Makes the values of a layout steps along one mode; the empty path leaves them as they are.
fn on_axis(layout: &Layout, path: &[usize]) -> CuteResult<Layout> {
    if path.is_empty() || layout.has_basis() {
        return Ok(layout.clone());
    }
    let path = Path::new(path)?;
    let stride = layout.stride().map(&mut |leaf| StrideLeaf::Basis { value: leaf.value(), path });
    Layout::new(layout.shape().clone(), stride)
}

/// Where each index of B leads in A.
pub(super) struct Links {
    /// For each index of A the first index of B that leads there.
    pub(super) from: Vec<Option<usize>>,
    /// How many indices lead past the end of A.
    pub(super) past: usize,
}

impl Links {
    pub(super) fn of(source: &Reading, picks: &Reading) -> Self {
        if source.values().is_none() || picks.values().is_none() {
            return Self { from: Vec::new(), past: 0 };
        }
        let mut from = vec![None; source.size()];
        let mut past = 0;
        for index in 0..picks.size() {
            match place(source, picks, index).and_then(|place| from.get_mut(place)) {
                Some(first) => {
                    first.get_or_insert(index);
                }
                None => past += 1,
            }
        }
        Self { from, past }
    }
}

/// Returns the index of A that an index of B leads to; `None` past its end.
pub(super) fn place(source: &Reading, picks: &Reading, index: usize) -> Option<usize> {
    let coord = picks.layout().at(&leaf(index)).ok()?;
    index::place(linear(&coord, source.layout().shape())?, source.size())
}

/// Returns the one-dimensional index of a coordinate that may leave modes out.
fn linear(coord: &IntTuple, shape: &IntTuple) -> Option<i64> {
    match (coord, shape) {
        (Tree::Leaf(at), shape) => {
            let size = shape.product().ok()?;
            (*at >= 0 && *at < size).then_some(*at)
        }
        (Tree::Tuple(coords), Tree::Tuple(shapes)) => {
            let (mut sum, mut weight) = (0_i64, 1_i64);
            for (i, shape) in shapes.iter().enumerate() {
                if let Some(coord) = coords.get(i) {
                    sum += linear(coord, shape)? * weight;
                }
                weight *= shape.product().ok()?;
            }
            Some(sum)
        }
        (Tree::Tuple(coords), shape) => match coords.as_slice() {
            [one] => linear(one, shape),
            _ => None,
        },
    }
}
