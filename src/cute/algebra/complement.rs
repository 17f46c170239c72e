//! `complement`: the layout that visits what another one leaves out.
//!
//! In: a layout and a cotarget (how far to go). Out: an ordered layout whose image is disjoint from
//! the first one's, so that both together reach the cotarget. Source: CuTe's `complement`.

use super::coalesce::{coalesce_flat, coalesced_modes, moves};
use crate::cute::error::{Error, Result};
use crate::cute::int_tuple::{IntTuple, shape_ceil_div};
use crate::cute::layout::{FlatMode, Layout};
use crate::cute::stride::{Path, StrideLeaf};
use crate::cute::tree::Tree;

/// Computes CuTe's `complement(layout, cotarget)`.
///
/// A tuple cotarget is a shape: for integer strides only its size counts, for a coordinate layout
/// each mode bounds its axis.
///
/// # Errors
/// A layout that hits an offset twice (CuTe's answer has a mode of size 0), and overflow.
pub fn complement(layout: &Layout, cotarget: &IntTuple) -> Result<Layout> {
    if layout.has_basis() {
        return complement_basis(layout, cotarget);
    }
    let modes: Vec<FlatMode> = layout.flat_modes().into_iter().filter(moves).collect();
    let gaps = fill_axis(layout, coalesced_modes(&modes)?, None, cotarget)?;
    coalesce_flat(&Layout::from_flat(&gaps)?)
}

/// Fills the gaps of the modes that walk one axis, up to `target`.
fn fill_axis(
    layout: &Layout,
    mut modes: Vec<FlatMode>,
    axis: Option<Path>,
    target: &IntTuple,
) -> Result<Vec<FlatMode>> {
    let leaf = |value| match axis {
        None => StrideLeaf::Int(value),
        Some(path) => StrideLeaf::Basis { value, path },
    };
    if let Some(mode) = modes.iter().find(|mode| mode.stride.value() < 0) {
        return Err(Error::rule(
            "negative-stride",
            format!("`{layout}` has no complement: its stride {} is negative", mode.stride),
        ));
    }
    modes.sort_by_key(|mode| mode.stride.value());
    let mut gaps = Vec::with_capacity(modes.len() + 1);
    let mut reached = 1_i64;
    for mode in &modes {
        let gap = mode.stride.value() / reached;
        if gap == 0 {
            return Err(overlap(layout));
        }
        gaps.push(FlatMode { shape: gap, stride: leaf(reached) });
        reached = mode
            .stride
            .value()
            .checked_mul(mode.shape)
            .ok_or(Error::overflow("a complement's stride"))?;
    }
    let rest = shape_ceil_div(target, &Tree::Leaf(reached))?.product()?;
    gaps.push(FlatMode { shape: rest.max(1), stride: leaf(reached) });
    Ok(gaps)
}

/// Fills each axis by itself; the result has a mode for each axis, nested as the coordinates are.
fn complement_basis(layout: &Layout, cotarget: &IntTuple) -> Result<Layout> {
    let axes = layout.axes()?.zero();
    let form = match cotarget {
        Tree::Leaf(_) => axes,
        Tree::Tuple(_) => axes.add(&cotarget.repeat_like(&0)).unwrap_or(axes),
    };
    let mut first = true;
    axis_modes(&form, &mut Vec::new(), &mut |path| {
        let own = layout.flat_modes().into_iter();
        let own = own.filter(|mode| moves(mode) && mode.stride.path() == Some(path));
        let target = match cotarget {
            Tree::Leaf(_) if std::mem::take(&mut first) => cotarget.clone(),
            Tree::Leaf(_) => Tree::Leaf(1),
            Tree::Tuple(_) => {
                let modes: Vec<usize> = path.modes().collect();
                cotarget.at_path(&modes).cloned().unwrap_or(Tree::Leaf(1))
            }
        };
        let own = coalesced_modes(&own.collect::<Vec<_>>())?;
        let gaps = fill_axis(layout, own, Some(path), &target)?;
        let filled = coalesced_modes(&gaps)?;
        // An axis without gaps keeps its basis, so that the result still says which axis it is.
        if filled.is_empty() {
            Layout::from_flat(&gaps[gaps.len() - 1..])
        } else {
            Layout::from_flat(&filled)
        }
    })
}

/// Builds a layout of the nesting of `form`, with `f(path)` for each of its axes.
pub(super) fn axis_modes(
    form: &IntTuple,
    path: &mut Vec<usize>,
    f: &mut dyn FnMut(Path) -> Result<Layout>,
) -> Result<Layout> {
    match form {
        Tree::Leaf(_) => f(Path::new(path)?),
        Tree::Tuple(parts) => {
            let mut modes = Vec::with_capacity(parts.len());
            for (i, part) in parts.iter().enumerate() {
                path.push(i);
                modes.push(axis_modes(part, path, f)?);
                path.pop();
            }
            Layout::from_modes(modes)
        }
    }
}

/// Names two coordinates that share an offset.
fn overlap(layout: &Layout) -> Error {
    let clash = super::contract::first_repeat(&layout.clone().into());
    let text = match clash {
        Some(repeat) => format!(
            "`{layout}` has no complement: the offset {} is hit by index {} and index {}",
            repeat.value, repeat.first, repeat.second
        ),
        None => format!("`{layout}` has no complement: two of its modes interleave"),
    };
    Error::Rule {
        rule: "overlap",
        text,
        hint: Some("CuTe's answer has a mode of size 0, which every later use refuses".to_owned()),
    }
}
