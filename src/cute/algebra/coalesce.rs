//! `coalesce`, `filter`, `filter_zeros` and `flatten`: the same function, written shorter.
//!
//! In: a layout, for `coalesce` also a profile of modes to keep apart. Out: a layout with the same
//! values in the same order (`filter` drops the coordinates that do not move).

use super::domain::on_domain;
use crate::cute::composed::AnyLayout;
use crate::cute::error::{Error, Result};
use crate::cute::int_tuple::IntTuple;
use crate::cute::layout::{FlatMode, Layout};
use crate::cute::tree::Tree;

/// Merges neighbouring modes that walk on where the other ends (CuTe's `coalesce`); with a profile
/// each of its leaves keeps a mode of its own.
///
/// # Errors
/// A profile with more modes than the layout.
pub fn coalesce(a: &AnyLayout, profile: Option<&IntTuple>) -> Result<AnyLayout> {
    on_domain(a, |layout| match profile {
        None => coalesce_flat(layout),
        Some(profile) => coalesce_by(layout, profile),
    })
}

pub(super) fn coalesce_flat(layout: &Layout) -> Result<Layout> {
    Layout::from_flat(&coalesced_modes(&layout.flat_modes())?)
}

/// Coalesces flat modes; empty when nothing is left but size 1.
pub(super) fn coalesced_modes(modes: &[FlatMode]) -> Result<Vec<FlatMode>> {
    let mut out: Vec<FlatMode> = Vec::with_capacity(modes.len());
    for &mode in modes {
        if mode.shape == 1 {
            continue;
        }
        if let Some(last) = out.last_mut() {
            // A span within 61 bits can still overflow one step past its end: then nothing follows.
            if last.stride.scale(last.shape).is_ok_and(|next| next == mode.stride) {
                last.shape = last.shape.checked_mul(mode.shape).ok_or(Error::overflow("a size"))?;
                continue;
            }
        }
        out.push(mode);
    }
    Ok(out)
}

pub(super) fn coalesce_by(layout: &Layout, profile: &IntTuple) -> Result<Layout> {
    let Tree::Tuple(parts) = profile else { return coalesce_flat(layout) };
    if layout.shape().is_leaf() || parts.len() > layout.rank() {
        return Err(Error::mismatch(format!(
            "the profile `{profile}` has rank {} and `{layout}` has rank {}",
            parts.len(),
            layout.rank()
        )));
    }
    let modes = layout.modes();
    let kept = modes.iter().enumerate().map(|(i, mode)| match parts.get(i) {
        Some(part) => coalesce_by(mode, part),
        None => Ok(mode.clone()),
    });
    Layout::from_modes(kept.collect::<Result<Vec<_>>>()?)
}

/// Replaces the extents of modes of stride 0 by 1 (CuTe's `filter_zeros`, which leaves a basis
/// `0@k` alone).
///
/// # Errors
/// None on valid input.
pub fn filter_zeros(a: &AnyLayout) -> Result<AnyLayout> {
    on_domain(a, filter_zeros_plain)
}

pub(super) fn filter_zeros_plain(layout: &Layout) -> Result<Layout> {
    let mut strides = layout.stride().leaves();
    let shape = layout.shape().map(&mut |&extent| {
        let still = strides.next().is_some_and(|stride| stride.is_zero());
        if still { 1 } else { extent }
    });
    Layout::new(shape, layout.stride().clone())
}

/// Drops the modes that do not move, then coalesces (CuTe's `filter`).
///
/// # Errors
/// None on valid input.
pub fn filter(a: &AnyLayout) -> Result<AnyLayout> {
    on_domain(a, |layout| coalesce_flat(&filter_zeros_plain(layout)?))
}

/// Takes the nesting away (CuTe's `flatten`).
///
/// # Errors
/// None on valid input.
pub fn flatten(a: &AnyLayout) -> Result<AnyLayout> {
    on_domain(a, |layout| Layout::new(layout.shape().flatten(), layout.stride().flatten()))
}

/// Returns whether a mode has more than one value.
pub(super) fn moves(mode: &FlatMode) -> bool {
    mode.shape > 1 && mode.stride.value() != 0
}
