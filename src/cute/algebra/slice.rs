//! `slice`, `slice_and_offset` and `dice`: modes fixed at a coordinate.
//!
//! In: a layout and a coordinate with `_` for the modes to keep. Out: the kept modes and the offset
//! of the fixed ones (`dice`: the fixed modes). Source: CuTe's functions of the same names; for
//! swizzles `swizzle_layout.hpp`.

use super::coalesce::coalesced_modes;
use super::composition::compose_layouts;
use crate::cute::composed::{AnyLayout, ComposedLayout, Inner};
use crate::cute::error::{Error, Result};
use crate::cute::int_tuple::{Coord, CoordItem, IntTuple};
use crate::cute::layout::{FlatMode, Layout};
use crate::cute::stride::StrideLeaf;
use crate::cute::swizzle::Swizzle;
use crate::cute::tree::Tree;

/// Keeps the modes at `_`.
///
/// # Errors
/// A coordinate that does not fit the shape.
pub fn slice(a: &AnyLayout, coord: &Coord) -> Result<AnyLayout> {
    Ok(slice_and_offset(coord, a)?.0)
}

/// Keeps the modes at `_` and returns the offset of the others.
///
/// # Errors
/// A coordinate that does not fit the shape; swizzled slices that CuTe refuses.
pub fn slice_and_offset(coord: &Coord, a: &AnyLayout) -> Result<(AnyLayout, IntTuple)> {
    let domain = a.domain();
    if !coord.is_weakly_congruent(domain.shape()) && !coord.is_leaf() {
        return Err(Error::mismatch(format!(
            "the coordinate `{coord}` does not fit the shape `{}`",
            domain.shape()
        )));
    }
    let kept = pick(coord, domain, Pick::Kept)?;
    let fixed = domain.at(&zero_kept(coord, domain)?)?;
    match a {
        AnyLayout::Plain(_) => Ok((kept.into(), fixed)),
        AnyLayout::Composed(composed) => match (composed.inner(), composed.offset(), &fixed) {
            // CuTe returns the offset although the layout still holds it.
            (_, offset, _) if coord.leaves().all(|item| *item == CoordItem::All) => {
                Ok((a.clone(), offset.clone()))
            }
            (Inner::Swizzle(_), ..) if kept.rank() == 0 => Err(Error::Rule {
                rule: "full-slice",
                text: format!("`{a}` cannot be sliced at `{coord}`: no mode is left to swizzle"),
                hint: Some(
                    "`crd2idx(coord, layout)` gives the offset of one coordinate".to_owned(),
                ),
            }),
            (Inner::Swizzle(swizzle), Tree::Leaf(base), Tree::Leaf(step)) => {
                let at = base.checked_add(*step).ok_or(Error::overflow("an offset"))?;
                slice_swizzled(*swizzle, at, kept)
            }
            (inner, offset, fixed) => {
                let offset = offset.add(fixed)?;
                let composed = ComposedLayout::new(inner.clone(), offset, kept)?;
                Ok((composed.into(), Tree::Leaf(0)))
            }
        },
    }
}

/// Keeps the modes that `coord` fixes.
///
/// # Errors
/// A coordinate that does not fit the shape.
pub fn dice(a: &AnyLayout, coord: &Coord) -> Result<AnyLayout> {
    super::on_domain(a, |layout| pick(coord, layout, Pick::Fixed))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Pick {
    Kept,
    Fixed,
}

fn pick(coord: &Coord, layout: &Layout, which: Pick) -> Result<Layout> {
    let wanted = |item: &CoordItem| (*item == CoordItem::All) == (which == Pick::Kept);
    match coord {
        Tree::Leaf(item) if wanted(item) => Ok(layout.clone()),
        Tree::Leaf(_) => Layout::from_modes([]),
        Tree::Tuple(_) => {
            let mut out = Vec::new();
            collect(coord, layout, &wanted, &mut out);
            Layout::from_modes(out)
        }
    }
}

fn collect(
    coord: &Coord,
    layout: &Layout,
    wanted: &dyn Fn(&CoordItem) -> bool,
    out: &mut Vec<Layout>,
) {
    match coord {
        Tree::Leaf(item) => {
            if wanted(item) {
                out.push(layout.clone());
            }
        }
        Tree::Tuple(items) => {
            for (item, mode) in items.iter().zip(layout.modes()) {
                collect(item, &mode, wanted, out);
            }
        }
    }
}

/// Puts 0 for every `_`.
fn zero_kept(coord: &Coord, layout: &Layout) -> Result<IntTuple> {
    match coord {
        Tree::Leaf(CoordItem::At(i)) => Ok(Tree::Leaf(*i)),
        Tree::Leaf(CoordItem::All) => Ok(Tree::Leaf(0)),
        Tree::Tuple(items) => items
            .iter()
            .zip(layout.modes())
            .map(|(item, mode)| zero_kept(item, &mode))
            .collect::<Result<_>>()
            .map(Tree::Tuple),
    }
}

/// Slices a swizzled layout at the offset `at`: where no kept bit is XORed into another kept one
/// the result is linear, else the offset moves between swizzle and layout.
fn slice_swizzled(swizzle: Swizzle, at: i64, kept: Layout) -> Result<(AnyLayout, IntTuple)> {
    let free = kept
        .flat_modes()
        .iter()
        .filter(|mode| mode.shape > 1)
        .fold(0_i64, |bits, mode| bits | reach(mode));
    let (source, target) = (swizzle.source_mask(), swizzle.target_mask());
    let images = swizzle.apply(free & swizzle.source_mask()) ^ (free & swizzle.source_mask());
    if images & free != 0 && at & (source | target) == 0 {
        let composed = ComposedLayout::new(Inner::Swizzle(swizzle), Tree::Leaf(0), kept)?;
        return Ok((composed.into(), Tree::Leaf(at)));
    }
    if images & free != 0 {
        let composed = ComposedLayout::new(Inner::Swizzle(swizzle), Tree::Leaf(at), kept)?;
        return Ok((composed.into(), Tree::Leaf(0)));
    }
    let offset = swizzle.apply(at);
    let linear = linearize(swizzle, at, free)?;
    let outer = compose_layouts(&linear, &kept)?;
    let composed = ComposedLayout::new(Inner::Swizzle(Swizzle::IDENTITY), Tree::Leaf(0), outer)?;
    Ok((composed.into(), Tree::Leaf(offset)))
}

/// Returns the bits that a mode's offsets can set.
fn reach(mode: &FlatMode) -> i64 {
    let top = (mode.shape - 1).saturating_mul(mode.stride.value().abs());
    let low = mode.stride.value().trailing_zeros();
    let bits = 64 - top.leading_zeros();
    if top == 0 { 0 } else { ((1_i64 << bits.min(62)) - 1) & !((1_i64 << low.min(62)) - 1) }
}

/// Returns the swizzle around a fixed offset as a layout over the bits of what is added.
fn linearize(swizzle: Swizzle, at: i64, free: i64) -> Result<Layout> {
    let bits = 64 - free.leading_zeros();
    let origin = swizzle.apply(at);
    let modes = (0..bits.max(1)).map(|bit| {
        let stride = swizzle.apply(at ^ (1_i64 << bit)) - origin;
        FlatMode { shape: 2, stride: StrideLeaf::Int(stride) }
    });
    Layout::from_flat(&coalesced_modes(&modes.collect::<Vec<_>>())?)
}
