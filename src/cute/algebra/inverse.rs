//! `right_inverse`, `left_inverse` and `nullspace`.
//!
//! In: a layout. Out: `R` with `A(R(i)) = i`; `L` with `L(A(i)) = i`; the coordinates that do not
//! move. Source: CuTe's functions of the same names. A coordinate layout is inverted axis by axis.

use super::coalesce::{coalesce_flat, coalesced_modes, moves};
use super::complement::axis_modes;
use crate::cute::composed::{AnyLayout, ComposedLayout, Inner};
use crate::cute::error::{Error, Result};
use crate::cute::layout::{FlatMode, Layout};
use crate::cute::stride::StrideLeaf;
use crate::cute::swizzle::Swizzle;
use crate::cute::tree::Tree;

/// A mode and the index distance between its coordinates.
#[derive(Clone, Copy)]
struct Placed {
    shape: i64,
    step: i64,
    index: i64,
}

/// Computes the longest `R` with `A(R(i)) = i` (CuTe's `right_inverse`).
///
/// # Errors
/// Overflow.
pub fn right_inverse(a: &Layout) -> Result<Layout> {
    if a.has_basis() {
        return by_axis(a, &mut |modes| Ok(run_from_one(modes)));
    }
    coalesce_flat(&Layout::from_flat(&run_from_one(&placed(&a.flat_modes())?))?)
}

/// Chains the modes that continue each other from stride 1 on.
fn run_from_one(modes: &[Placed]) -> Vec<FlatMode> {
    let mut reached = 1_i64;
    let mut out = Vec::new();
    while let Some(mode) = modes.iter().find(|mode| mode.step == reached && mode.shape > 1) {
        out.push(FlatMode { shape: mode.shape, stride: StrideLeaf::Int(mode.index) });
        match reached.checked_mul(mode.shape) {
            Some(next) => reached = next,
            None => break,
        }
    }
    out
}

/// Computes `L` with `L(A(i)) = i` (CuTe's `left_inverse`). Modes that do not move are ignored, so
/// such layouts, although not injective, are accepted.
///
/// # Errors
/// Strides of which one does not divide the next larger one.
pub fn left_inverse(a: &Layout) -> Result<Layout> {
    if a.has_basis() {
        return by_axis(a, &mut |modes| unfold(a, modes));
    }
    coalesce_flat(&Layout::from_flat(&unfold(a, &placed(&a.flat_modes())?)?)?)
}

/// Inverts a swizzled layout as CuTe C++ does: the inverse of the outer layout, with the swizzle
/// carried to its other side. The DSL has no answer.
///
/// # Errors
/// As [`right_inverse`]; an offset in the middle, whose inverse is no swizzled layout, and bits that
/// the inverse does not carry to two groups of their own.
pub fn right_inverse_swizzled(a: &ComposedLayout) -> Result<AnyLayout> {
    through_swizzle(a, right_inverse(a.outer())?)
}

/// As [`right_inverse_swizzled`], for [`left_inverse`].
///
/// # Errors
/// As [`left_inverse`] and [`right_inverse_swizzled`].
pub fn left_inverse_swizzled(a: &ComposedLayout) -> Result<AnyLayout> {
    through_swizzle(a, left_inverse(a.outer())?)
}

/// Writes `inverse o swizzle` as a swizzle after `inverse`: its groups are where `inverse` takes the
/// groups of the swizzle of `a` (C++'s `composition(Layout, Swizzle)` and `make_swizzle`).
fn through_swizzle(a: &ComposedLayout, inverse: Layout) -> Result<AnyLayout> {
    let Some(swizzle) = a.swizzle() else {
        return Err(Error::undefined(format!(
            "`{a}` has no inverse in CuTe: its inner function is a layout"
        )));
    };
    if *a.offset() != Tree::Leaf(0) {
        return Err(Error::undefined(format!(
            "the inverse of `{a}` is not a swizzled layout: it takes the offset {} away before it swizzles",
            a.offset()
        )));
    }
    if swizzle.is_identity() {
        return Ok(inverse.into());
    }
    let group = |mask: i64| match inverse.at_index(mask)? {
        Tree::Leaf(bits) => Ok(bits),
        Tree::Tuple(_) => Err(Error::undefined(format!("`{inverse}` gives coordinates"))),
    };
    let (read, changed) = (group(swizzle.source_mask())?, group(swizzle.target_mask())?);
    let refuse = || {
        Error::rule(
            "swizzle-bits",
            format!(
                "`{a}` has no inverse in CuTe: `{inverse}` takes the bits {:#b} and {:#b} of its swizzle to {read:#b} and {changed:#b}",
                swizzle.source_mask(),
                swizzle.target_mask()
            ),
        )
    };
    if read <= 0 || changed <= 0 || read.count_ones() != changed.count_ones() {
        return Err(refuse());
    }
    let (up, down) = (read.trailing_zeros(), changed.trailing_zeros());
    let shift = i64::from(up) - i64::from(down);
    let carried = Swizzle::new(read.count_ones().into(), up.min(down).into(), shift)?;
    if carried.source_mask() != read || carried.target_mask() != changed {
        return Err(refuse());
    }
    Ok(ComposedLayout::new(Inner::Swizzle(carried), Tree::Leaf(0), inverse)?.into())
}

fn unfold(a: &Layout, modes: &[Placed]) -> Result<Vec<FlatMode>> {
    let mut sorted: Vec<Placed> = modes.iter().copied().filter(|mode| mode.step != 0).collect();
    sorted.sort_by_key(|mode| mode.step);
    let mut out = Vec::with_capacity(sorted.len() + 1);
    let (mut reached, mut index) = (1_i64, 0_i64);
    for mode in &sorted {
        if mode.step < 0 || mode.step % reached != 0 || mode.step < reached {
            return Err(Error::rule(
                "divisibility",
                format!(
                    "`{a}` has no left inverse: its stride {} is not a multiple of {reached}, the stride below it",
                    mode.step
                ),
            ));
        }
        out.push(FlatMode { shape: mode.step / reached, stride: StrideLeaf::Int(index) });
        (reached, index) = (mode.step, mode.index);
    }
    if let Some(last) = sorted.last() {
        out.push(FlatMode { shape: last.shape, stride: StrideLeaf::Int(index) });
    }
    Ok(out)
}

/// Coalesces and notes where each mode starts in the index.
fn placed(modes: &[FlatMode]) -> Result<Vec<Placed>> {
    let mut index = 1_i64;
    let mut out = Vec::new();
    for mode in coalesced_modes(modes)? {
        out.push(Placed { shape: mode.shape, step: mode.stride.value(), index });
        index = index.checked_mul(mode.shape).ok_or(Error::overflow("a size"))?;
    }
    Ok(out)
}

fn by_axis(
    a: &Layout,
    invert: &mut dyn FnMut(&[Placed]) -> Result<Vec<FlatMode>>,
) -> Result<Layout> {
    let mut all = Vec::new();
    let mut index = 1_i64;
    for mode in a.flat_modes() {
        all.push((mode, index));
        index = index.checked_mul(mode.shape).ok_or(Error::overflow("a size"))?;
    }
    axis_modes(&a.axes()?.zero(), &mut Vec::new(), &mut |path| {
        let own = all.iter().filter(|(mode, _)| mode.stride.path() == Some(path) && moves(mode));
        let own: Vec<Placed> = own
            .map(|&(mode, index)| Placed { shape: mode.shape, step: mode.stride.value(), index })
            .collect();
        coalesce_flat(&Layout::from_flat(&invert(&own)?)?)
    })
}

/// Returns the layout of the coordinates that do not move: `A(N(i)) = 0` (CuTe's `nullspace`).
///
/// # Errors
/// Overflow.
pub fn nullspace(a: &Layout) -> Result<Layout> {
    let mut index = 1_i64;
    let mut out = Vec::new();
    for mode in a.flat_modes() {
        if mode.stride.value() == 0 {
            out.push(FlatMode { shape: mode.shape, stride: StrideLeaf::Int(index) });
        }
        index = index.checked_mul(mode.shape).ok_or(Error::overflow("a size"))?;
    }
    Layout::from_flat(&out)
}
