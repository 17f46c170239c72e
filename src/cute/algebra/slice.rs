//! `slice`, `slice_and_offset` and `dice`: modes fixed at a coordinate.
//!
//! In: a layout and a coordinate with `_` for the modes to keep. Out: the kept modes and the offset
//! of the fixed ones (`dice`: the fixed modes). Source: CuTe's functions of the same names; for
//! swizzles `swizzle_layout.hpp`.

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
    Ok(cut(a, coord, Wanted::Layout)?.layout)
}

/// Keeps the modes at `_` and returns the offset of the others. Where the sliced layout is still
/// swizzled, CuTe returns the swizzled offset although the layout holds it too.
///
/// # Errors
/// A coordinate that does not fit the shape; swizzled slices that CuTe refuses.
pub fn slice_and_offset(coord: &Coord, a: &AnyLayout) -> Result<(AnyLayout, IntTuple)> {
    let cut = cut(a, coord, Wanted::Layout)?;
    Ok((cut.layout, cut.offset))
}

/// Slices a tensor: what the layout does not hold goes to the iterator, and a slice that came out
/// linear is a plain layout (CuTe's `tensor[coord]`).
///
/// # Errors
/// As [`slice_and_offset`].
pub fn slice_tensor(tensor: &Tensor, coord: &Coord) -> Result<Tensor> {
    let cut = cut(&tensor.layout, coord, Wanted::Tensor)?;
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

/// Slices a layout as [`slice`] does, over the part of the fixed offset that the result does not hold.
///
/// # Errors
/// As [`slice`].
pub(super) fn slice_over_rest(a: &AnyLayout, coord: &Coord) -> Result<Tensor> {
    let cut = cut(a, coord, Wanted::Layout)?;
    Ok(Tensor { offset: cut.step, layout: cut.layout })
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

/// What a slice is taken of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Layout,
    Tensor,
}

fn cut(a: &AnyLayout, coord: &Coord, wanted: Wanted) -> Result<Cut> {
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
    match (composed.inner(), composed.offset()) {
        (Inner::Swizzle(swizzle), Tree::Leaf(base))
            if coord.leaves().all(|item| *item == CoordItem::All) =>
        {
            let offset = Tree::Leaf(swizzle.apply(*base));
            Ok(Cut { layout: a.clone(), offset, step: still, linear: false })
        }
        (Inner::Swizzle(swizzle), Tree::Leaf(base))
            if kept.rank() == 0 && !(swizzle.is_identity() && *base == 0) =>
        {
            Err(Error::Rule {
                rule: "full-slice",
                text: format!("`{a}` cannot be sliced at `{coord}`: no mode is left to swizzle"),
                hint: Some(
                    "`crd2idx(coord, layout)` gives the offset of one coordinate".to_owned(),
                ),
            })
        }
        (Inner::Swizzle(swizzle), Tree::Leaf(_)) if kept.rank() == 0 => {
            let inner = Inner::Swizzle(*swizzle);
            let layout = ComposedLayout::new(inner, Tree::Leaf(0), kept)?.into();
            Ok(Cut { layout, offset: fixed.clone(), step: fixed, linear: true })
        }
        (Inner::Swizzle(swizzle), Tree::Leaf(base)) => {
            cut_swizzled(*swizzle, *base, (coord, domain), wanted)
        }
        (inner, offset) => {
            let composed = ComposedLayout::new(inner.clone(), offset.add(&fixed)?, kept)?;
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

/// Slices a swizzled layout as CuTe's `slice_and_offset` does. The bits of the fixed offset that the
/// swizzle reads or changes go between swizzle and layout, the others stay outside; where no kept bit
/// is XORed into another kept one the swizzle becomes strides.
///
/// Where the fixed modes do not compose with those bits, the DSL slices a layout as if all of them
/// were set, and has no answer for a tensor; there, and where the kept modes do not compose, the
/// whole offset goes to the middle, which is right for every swizzle.
fn cut_swizzled(
    swizzle: Swizzle,
    base: i64,
    (coord, domain): (&Coord, &Layout),
    wanted: Wanted,
) -> Result<Cut> {
    let kept = pick(coord, domain, Pick::Kept)?;
    let fixed = leaf(&domain.at(&zero_kept(coord, domain)?)?)?;
    let at = base.checked_add(fixed).ok_or(Error::overflow("an offset"))?;
    let offset = Tree::Leaf(swizzle.apply(at));
    let swizzled = |middle: i64, step: i64| {
        let inner = Inner::Swizzle(swizzle);
        let layout = ComposedLayout::new(inner, Tree::Leaf(middle), kept.clone())?.into();
        Ok(Cut { layout, offset: offset.clone(), step: Tree::Leaf(step), linear: false })
    };
    let bits = Bits::of(swizzle);
    let split = bits.split(&pick(coord, domain, Pick::Fixed)?, coord);
    let (middle, outside, set) = match (split, wanted) {
        (Ok((inside, outside)), _) => (base ^ inside, outside, base ^ inside),
        (Err(_), Wanted::Tensor) => return swizzled(at, 0),
        (Err(_), Wanted::Layout) => (at, 0, swizzle.source_mask() | swizzle.target_mask()),
    };
    let last = Tree::Leaf(kept.size() - 1);
    let active = bits.active().and_then(|active| leaf(&active.after(&kept)?.at(&last)?));
    let Ok(active) = active else { return swizzled(middle, outside) };
    if active & !swizzle.apply(active) != 0 {
        return swizzled(middle, outside);
    }
    let Ok(outer) = bits.strides(set).and_then(|strides| strides.after(&kept)) else {
        return swizzled(middle, outside);
    };
    let layout = ComposedLayout::new(Inner::Swizzle(Swizzle::IDENTITY), Tree::Leaf(0), outer)?;
    let step = swizzle.apply(middle).checked_add(outside).ok_or(Error::overflow("an offset"))?;
    Ok(Cut { layout: layout.into(), offset, step: Tree::Leaf(step), linear: true })
}

fn leaf(value: &IntTuple) -> Result<i64> {
    value
        .leaf()
        .copied()
        .ok_or_else(|| Error::undefined(format!("`{value}` is a coordinate, not an offset")))
}

/// The bits of an offset as a swizzle sees them, from below: left alone, the lower group, left
/// alone, the upper group, all above.
struct Bits {
    swizzle: Swizzle,
    below: u32,
    group: u32,
    between: u32,
}

/// A function of the bits of an offset.
struct Projection(Layout);

impl Projection {
    /// Composes with a layout.
    fn after(&self, layout: &Layout) -> Result<Layout> {
        compose_layouts(&self.0, layout)
    }
}

impl Bits {
    fn of(swizzle: Swizzle) -> Self {
        let between = swizzle.shift().unsigned_abs().saturating_sub(swizzle.bits());
        Self { swizzle, below: swizzle.base(), group: swizzle.bits(), between }
    }

    /// Returns the bit at which the upper group begins.
    fn upper(&self) -> u32 {
        self.below + self.group + self.between
    }

    fn projection(&self, keep: impl Fn(bool, u32) -> i64) -> Result<Projection> {
        let mode = |bits: u32, active: bool, at: u32| FlatMode {
            shape: 1_i64 << bits,
            stride: StrideLeaf::Int(keep(active, at)),
        };
        Ok(Projection(Layout::from_flat(&[
            mode(self.below, false, 0),
            mode(self.group, true, self.below),
            mode(self.between, false, self.below + self.group),
            mode(self.group, true, self.upper()),
            mode(0, false, self.upper() + self.group),
        ])?))
    }

    /// Keeps the bits that the swizzle reads or changes.
    fn active(&self) -> Result<Projection> {
        self.projection(|active, at| if active { 1 << at } else { 0 })
    }

    /// Keeps the other bits.
    fn idle(&self) -> Result<Projection> {
        self.projection(|active, at| if active { 0 } else { 1 << at })
    }

    /// Splits the offset of the fixed modes into the active bits and the rest.
    fn split(&self, fixed: &Layout, coord: &Coord) -> Result<(i64, i64)> {
        let at = Tree::flat(coord.leaves().filter_map(|item| match item {
            CoordItem::At(i) => Some(*i),
            CoordItem::All => None,
        }));
        let part = |projection: Projection| leaf(&projection.after(fixed)?.at(&at)?);
        Ok((part(self.active()?)?, part(self.idle()?)?))
    }

    /// Returns the swizzle around a fixed offset as a layout over the bits of what is added: a
    /// target goes down where its source is set at `at`, and a source takes its target along, up or
    /// down as that is clear or set.
    fn strides(&self, at: i64) -> Result<Projection> {
        let distance = self.swizzle.shift().unsigned_abs();
        let down = self.swizzle.shift() >= 0;
        let signed = |step: i64, partner: i64| if at & partner == 0 { step } else { -step };
        let bit = |lower: bool, bit: u32| {
            let step = 1_i64 << bit;
            let partner = if lower { step << distance } else { step >> distance };
            let stride = match lower == down {
                true => signed(step, partner),
                false => step + signed(partner, partner),
            };
            FlatMode { shape: 2, stride: StrideLeaf::Int(stride) }
        };
        let whole = |bits: u32, at: u32| FlatMode {
            shape: 1_i64 << bits,
            stride: StrideLeaf::Int(1_i64 << at),
        };
        let mut modes = vec![whole(self.below, 0)];
        modes.extend((self.below..self.below + self.group).map(|at| bit(true, at)));
        modes.push(whole(self.between, self.below + self.group));
        modes.extend((self.upper()..self.upper() + self.group).map(|at| bit(false, at)));
        modes.push(whole(0, self.upper() + self.group));
        Ok(Projection(Layout::from_flat(&modes)?))
    }
}
