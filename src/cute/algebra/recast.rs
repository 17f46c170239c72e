//! `recast_layout`: the same bytes counted in elements of another width.
//!
//! In: the widths in bits and a layout of old elements. Out: a layout of new elements. Source:
//! CuTe's `recast_layout`, `upcast` and `downcast`.

use crate::cute::composed::{AnyLayout, ComposedLayout, Inner};
use crate::cute::error::{Error, Result};
use crate::cute::int_tuple::{IntTuple, ceil_div_int};
use crate::cute::layout::{FlatMode, Layout};
use crate::cute::stride::StrideLeaf;
use crate::cute::swizzle::Swizzle;
use crate::cute::tree::Tree;

/// Recasts a layout of elements of `old_bits` to elements of `new_bits`.
///
/// # Errors
/// Widths below 1, strides that the ratio does not divide, coordinate layouts between different
/// widths, and a swizzle whose base would fall below 0 (CuTe wraps it to a 32-bit number).
pub fn recast_layout(new_bits: i64, old_bits: i64, a: &AnyLayout) -> Result<AnyLayout> {
    if new_bits < 1 || old_bits < 1 {
        return Err(Error::rule(
            "width",
            format!("invalid width of {} bits", new_bits.min(old_bits)),
        ));
    }
    let common = gcd(new_bits, old_bits);
    let (up, down) = (new_bits / common, old_bits / common);
    match a {
        AnyLayout::Plain(layout) => Ok(recast_plain(layout, up, down)?.into()),
        AnyLayout::Composed(composed) => {
            let inner = match composed.inner() {
                Inner::Swizzle(swizzle) => Inner::Swizzle(recast_swizzle(*swizzle, up, down)?),
                Inner::Layout(layout) => Inner::Layout(recast_plain(layout, up, down)?),
            };
            let offset = recast_offset(composed.offset(), up, down)?;
            let outer = recast_plain(composed.outer(), up, down)?;
            Ok(ComposedLayout::new(inner, offset, outer)?.into())
        }
    }
}

/// As [`recast_layout`], with C++'s answer for a swizzle whose base would fall below 0: the bits below
/// 0 are dropped.
///
/// # Errors
/// As [`recast_layout`], but for such a base.
pub fn recast_layout_cxx(new_bits: i64, old_bits: i64, a: &AnyLayout) -> Result<AnyLayout> {
    let recast = recast_layout(new_bits, old_bits, a);
    let (Err(error), AnyLayout::Composed(composed)) = (&recast, a) else { return recast };
    let (Some(swizzle), "swizzle-base") = (composed.swizzle(), error.code()) else { return recast };
    let common = gcd(new_bits, old_bits);
    let (up, down) = (new_bits / common, old_bits / common);
    let base = i64::from(swizzle.base()) - i64::from(log2(up));
    let bits = (i64::from(swizzle.bits()) + base.min(0)).max(0);
    let base = base.max(0) + i64::from(log2(down));
    let inner = Inner::Swizzle(Swizzle::new(bits, base, swizzle.shift().into())?);
    let offset = recast_offset(composed.offset(), up, down)?;
    Ok(ComposedLayout::new(inner, offset, recast_plain(composed.outer(), up, down)?)?.into())
}

fn recast_plain(layout: &Layout, up: i64, down: i64) -> Result<Layout> {
    if up == 1 && down == 1 {
        return Ok(layout.clone());
    }
    if layout.has_basis() {
        return Err(Error::undefined(format!(
            "`{layout}` cannot be recast: its values are coordinates, which have no width"
        )));
    }
    let layout = if up == 1 { layout.clone() } else { map_modes(layout, &|m| upcast(m, up))? };
    if down == 1 { Ok(layout) } else { map_modes(&layout, &|m| downcast(m, down)) }
}

fn map_modes(layout: &Layout, f: &dyn Fn(FlatMode) -> Result<FlatMode>) -> Result<Layout> {
    let modes = layout.flat_modes().into_iter().map(f).collect::<Result<Vec<_>>>()?;
    let mut shapes = modes.iter().map(|mode| mode.shape);
    let mut strides = modes.iter().map(|mode| mode.stride);
    let shape = layout.shape().map(&mut |&extent| shapes.next().unwrap_or(extent));
    let stride = layout.stride().map(&mut |&stride| strides.next().unwrap_or(stride));
    Layout::new(shape, stride)
}

fn upcast(mode: FlatMode, n: i64) -> Result<FlatMode> {
    let step = mode.stride.value();
    if step == 0 {
        return Ok(mode);
    }
    let shape = ceil_div_int(mode.shape, ceil_div_int(n, step.abs()));
    let stride = step.signum() * ceil_div_int(step.abs(), n);
    Ok(FlatMode { shape, stride: StrideLeaf::Int(stride) })
}

fn downcast(mode: FlatMode, n: i64) -> Result<FlatMode> {
    if mode.stride.value().abs() == 1 {
        let shape = mode.shape.checked_mul(n).ok_or(Error::overflow("a size"))?;
        return Ok(FlatMode { shape, ..mode });
    }
    Ok(FlatMode { stride: mode.stride.scale(n)?, ..mode })
}

fn recast_offset(offset: &IntTuple, up: i64, down: i64) -> Result<IntTuple> {
    match offset {
        Tree::Leaf(value) => {
            let scaled = value.checked_mul(down).ok_or(Error::overflow("an offset"))?;
            if scaled % up != 0 {
                return Err(Error::rule(
                    "divisibility",
                    format!("the offset {value} falls between two of the new elements"),
                ));
            }
            Ok(Tree::Leaf(scaled / up))
        }
        Tree::Tuple(_) => Ok(offset.clone()),
    }
}

fn recast_swizzle(swizzle: Swizzle, up: i64, down: i64) -> Result<Swizzle> {
    swizzle.recast(log2(up) - log2(down))
}

/// Returns how far a factor moves the bits of an offset: CuTe ignores one that is no power of two.
fn log2(n: i64) -> i32 {
    if n.count_ones() == 1 { n.trailing_zeros().cast_signed() } else { 0 }
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
