//! `complement`: the layout that visits what another one leaves out.
//!
//! In: a layout and a cotarget (how far to go). Out: an ordered layout whose image is disjoint from
//! the first one's, so that both together reach the cotarget. Source: CuTe's `complement`.

use super::coalesce::{coalesce_flat, coalesced_modes, moves};
use crate::cute::error::{Error, Result};
use crate::cute::int_tuple::{IntTuple, ceil_div_int};
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
    let gaps = fill_axis(layout, coalesced_modes(&modes)?, None, cotarget.product()?)?;
    coalesce_flat(&Layout::from_flat(&gaps)?)
}

/// Fills the gaps of the modes that walk one axis, up to `target`.
fn fill_axis(
    layout: &Layout,
    mut modes: Vec<FlatMode>,
    axis: Option<Path>,
    target: i64,
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
    gaps.push(FlatMode { shape: ceil_div_int(target, reached).max(1), stride: leaf(reached) });
    Ok(gaps)
}

fn complement_basis(layout: &Layout, cotarget: &IntTuple) -> Result<Layout> {
    let axes = layout.axes()?;
    let mut paths: Vec<Path> = layout.stride().leaves().filter_map(|s| s.path()).collect();
    paths.sort_unstable();
    paths.dedup();
    let mut out = Vec::new();
    for path in paths {
        let modes = layout.flat_modes().into_iter();
        let modes = modes.filter(|mode| moves(mode) && mode.stride.path() == Some(path)).collect();
        let target = match cotarget {
            Tree::Leaf(all) if axes.slot(path)? == 0 => *all,
            Tree::Leaf(_) => 1,
            Tree::Tuple(_) => {
                let modes: Vec<usize> = path.modes().collect();
                match cotarget.at_path(&modes) {
                    Some(part) => part.product()?,
                    None => 1,
                }
            }
        };
        out.extend(fill_axis(layout, coalesced_modes(&modes_of(modes))?, Some(path), target)?);
    }
    Layout::from_flat(&out)
}

fn modes_of(modes: Vec<FlatMode>) -> Vec<FlatMode> {
    modes
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
