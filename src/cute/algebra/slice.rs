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
use crate::cute::tensor::Tensor;
use crate::cute::tree::Tree;

/// Keeps the modes at `_`.
///
/// # Errors
/// A coordinate that does not fit the shape.
pub fn slice(a: &AnyLayout, coord: &Coord) -> Result<AnyLayout> {
    Ok(cut(a, coord)?.layout)
}

/// Keeps the modes at `_` and returns the offset of the others. Where the sliced layout is still
/// swizzled, CuTe returns the swizzled offset although the layout holds it too.
///
/// # Errors
/// A coordinate that does not fit the shape; swizzled slices that CuTe refuses.
pub fn slice_and_offset(coord: &Coord, a: &AnyLayout) -> Result<(AnyLayout, IntTuple)> {
    let cut = cut(a, coord)?;
    Ok((cut.layout, cut.offset))
}

/// Slices a tensor: what the layout does not hold goes to the iterator, and a slice that came out
/// linear is a plain layout (CuTe's `tensor[coord]`).
///
/// # Errors
/// As [`slice_and_offset`].
pub fn slice_tensor(tensor: &Tensor, coord: &Coord) -> Result<Tensor> {
    let cut = cut(&tensor.layout, coord)?;
    let layout = match cut.layout {
        AnyLayout::Composed(composed)
            if cut.linear && composed.swizzle().is_some_and(Swizzle::is_identity) =>
        {
            composed.outer().clone().into()
        }
        layout => layout,
    };
    Ok(Tensor { offset: tensor.offset.add(&cut.step)?, layout })
}

/// A slice, and where its fixed offset went.
struct Cut {
    layout: AnyLayout,
    /// The offset as CuTe's `slice_and_offset` returns it.
    offset: IntTuple,
    /// The part of it that `layout` does not hold.
    step: IntTuple,
    /// Whether a swizzle was resolved into strides.
    linear: bool,
}

fn cut(a: &AnyLayout, coord: &Coord) -> Result<Cut> {
    let domain = a.domain();
    if !coord.is_weakly_congruent(domain.shape()) && !coord.is_leaf() {
        return Err(Error::mismatch(format!(
            "the coordinate `{coord}` does not fit the shape `{}`",
            domain.shape()
        )));
    }
    let kept = pick(coord, domain, Pick::Kept)?;
    let fixed = domain.at(&zero_kept(coord, domain)?)?;
    let still = Tree::Leaf(0);
    let AnyLayout::Composed(composed) = a else {
        return Ok(Cut { layout: kept.into(), offset: fixed.clone(), step: fixed, linear: false });
    };
    match (composed.inner(), composed.offset(), &fixed) {
        (Inner::Swizzle(swizzle), Tree::Leaf(base), _)
            if coord.leaves().all(|item| *item == CoordItem::All) =>
        {
            let offset = Tree::Leaf(swizzle.apply(*base));
            Ok(Cut { layout: a.clone(), offset, step: still, linear: false })
        }
        (Inner::Swizzle(_), ..) if kept.rank() == 0 => Err(Error::Rule {
            rule: "full-slice",
            text: format!("`{a}` cannot be sliced at `{coord}`: no mode is left to swizzle"),
            hint: Some("`crd2idx(coord, layout)` gives the offset of one coordinate".to_owned()),
        }),
        (Inner::Swizzle(swizzle), Tree::Leaf(base), Tree::Leaf(step)) => {
            let rest = pick(coord, domain, Pick::Fixed)?;
            let known = known_bits(*swizzle, &rest, coord)?;
            cut_swizzled(*swizzle, Fixed { base: *base, step: *step, known }, kept)
        }
        (inner, offset, fixed) => {
            let composed = ComposedLayout::new(inner.clone(), offset.add(fixed)?, kept)?;
            Ok(Cut { layout: composed.into(), offset: still.clone(), step: still, linear: false })
        }
    }
}

/// Keeps the modes that `coord` fixes.
///
/// # Errors
/// A coordinate that does not fit the shape.
pub fn dice(a: &AnyLayout, coord: &Coord) -> Result<AnyLayout> {
    super::domain::on_domain(a, |layout| pick(coord, layout, Pick::Fixed))
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

/// What the fixed coordinates contribute to a swizzled slice.
struct Fixed {
    /// The offset in the middle of the composed layout.
    base: i64,
    /// The offset of the fixed modes.
    step: i64,
    /// The bits of `step` that take part in the swizzle, as far as CuTe can tell; see
    /// [`known_bits`].
    known: Option<i64>,
}

/// Slices a swizzled layout: where no kept bit is XORed into another kept one the result is linear,
/// else the fixed offset moves between swizzle and layout, unless it takes no part in the swizzle.
fn cut_swizzled(swizzle: Swizzle, fixed: Fixed, kept: Layout) -> Result<Cut> {
    let free = kept
        .flat_modes()
        .iter()
        .filter(|mode| mode.shape > 1)
        .fold(0_i64, |bits, mode| bits | reach(mode));
    let (source, target) = (swizzle.source_mask(), swizzle.target_mask());
    let at = fixed.base.checked_add(fixed.step).ok_or(Error::overflow("an offset"))?;
    let offset = Tree::Leaf(swizzle.apply(at));
    let images = swizzle.apply(free & source) ^ (free & source);
    if images & free != 0 {
        let apart = fixed.step & (source | target) == 0;
        let (middle, step) = if apart { (fixed.base, fixed.step) } else { (at, 0) };
        let layout = ComposedLayout::new(Inner::Swizzle(swizzle), Tree::Leaf(middle), kept)?;
        return Ok(Cut { layout: layout.into(), offset, step: Tree::Leaf(step), linear: false });
    }
    let bits = match fixed.known {
        Some(bits) => (fixed.base & (source | target)) | bits,
        None => source | target,
    };
    let outer = compose_layouts(&linearize(swizzle, bits & !free, free)?, &kept)?;
    let layout = ComposedLayout::new(Inner::Swizzle(Swizzle::IDENTITY), Tree::Leaf(0), outer)?;
    Ok(Cut { layout: layout.into(), offset: offset.clone(), step: offset, linear: true })
}

/// Returns the bits of the fixed offset that the swizzle reads or changes. CuTe finds them by
/// composing a mask with the fixed modes; where it refuses that composition, it takes all of them
/// as set, whatever the coordinate.
fn known_bits(swizzle: Swizzle, fixed: &Layout, coord: &Coord) -> Result<Option<i64>> {
    let low = swizzle.base();
    let gap = swizzle.shift().unsigned_abs().saturating_sub(swizzle.bits());
    let mode =
        |bits: u32, stride: i64| FlatMode { shape: 1_i64 << bits, stride: StrideLeaf::Int(stride) };
    let upper = low + swizzle.bits() + gap;
    let mask = Layout::from_flat(&[
        mode(low, 0),
        mode(swizzle.bits(), 1_i64 << low),
        mode(gap, 0),
        mode(swizzle.bits(), 1_i64 << upper),
        mode(1, 0),
    ])?;
    let Ok(masked) = compose_layouts(&mask, fixed) else { return Ok(None) };
    let at = Tree::flat(coord.leaves().filter_map(|item| match item {
        CoordItem::At(i) => Some(*i),
        CoordItem::All => None,
    }));
    match masked.at(&at) {
        Ok(Tree::Leaf(bits)) => Ok(Some(bits)),
        _ => Ok(None),
    }
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
