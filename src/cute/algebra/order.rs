//! Layouts from shapes: ordered, identity, like another one, tiled to a shape.
//!
//! In: shapes, orders, layouts. Out: compact layouts (and `tile_to_shape`'s tiling). Source: CuTe's
//! `make_ordered_layout`, `make_layout_like`, `make_fragment_like`, `make_identity_layout` and
//! `tile_to_shape`.

use super::domain::on_domain;
use super::product::{blocked_product, pad};
use crate::cute::composed::AnyLayout;
use crate::cute::error::{Error, Result};
use crate::cute::int_tuple::{IntTuple, Shape, ceil_div};
use crate::cute::layout::Layout;
use crate::cute::stride::{Path, Stride, StrideLeaf};
use crate::cute::tree::Tree;

/// Makes the compact layout whose strides grow with `order`; modes of equal order share a stride, as in
/// CuTe, and a shape nested deeper than the order is column-major inside.
///
/// # Errors
/// An order that is not weakly congruent to the shape.
pub fn make_ordered_layout(shape: &Shape, order: &IntTuple) -> Result<Layout> {
    if !order.is_weakly_congruent(shape) {
        return Err(Error::mismatch(format!(
            "the order `{order}` does not fit the shape `{shape}`: it needs an entry for each mode"
        )));
    }
    let mut parts = Vec::new();
    spread(order, shape, &mut parts)?;
    let mut strides = Vec::new();
    for &(order, part, _) in &parts {
        let mut below = parts.iter().filter(|(other, ..)| *other < order);
        let mut next = below
            .try_fold(1_i64, |product, (.., size)| product.checked_mul(*size))
            .ok_or(Error::overflow("a stride"))?;
        for &extent in part.leaves() {
            strides.push(if extent == 1 { 0 } else { next });
            next = next.checked_mul(extent).ok_or(Error::overflow("a stride"))?;
        }
    }
    with_strides(shape, strides)
}

/// Lists what each order stands for, with its size.
fn spread<'a>(
    order: &IntTuple,
    shape: &'a Shape,
    out: &mut Vec<(i64, &'a Shape, i64)>,
) -> Result<()> {
    match order {
        Tree::Leaf(order) => out.push((*order, shape, shape.product()?)),
        Tree::Tuple(orders) => {
            for (order, shape) in orders.iter().zip(shape.modes()) {
                spread(order, shape, out)?;
            }
        }
    }
    Ok(())
}

fn with_strides(shape: &Shape, strides: Vec<i64>) -> Result<Layout> {
    let mut strides = strides.into_iter();
    let stride = shape.map(&mut |_| StrideLeaf::Int(strides.next().unwrap_or_default()));
    Layout::new(shape.clone(), stride)
}

/// Makes the compact layout of the same shape whose strides are ordered as those of `a`, signs
/// included; modes that do not move keep stride 0, and modes of equal stride share one. Source:
/// CuTe's `make_layout_like`, which is [`make_ordered_layout`] of the shape without the modes that do
/// not move.
///
/// # Errors
/// Coordinate layouts, whose strides have no order.
pub fn make_layout_like(a: &Layout) -> Result<Layout> {
    if a.has_basis() {
        return Err(Error::undefined(format!(
            "`{a}` is a coordinate layout: its strides have no order to follow"
        )));
    }
    let moving = super::coalesce::filter_zeros_plain(a)?;
    let order = a.stride().map(&mut |stride| stride.value());
    let compact = make_ordered_layout(moving.shape(), &order)?;
    Layout::new(a.shape().clone(), compact.stride().clone())
}

/// Makes the layout of registers for a tensor like `a`: mode 0 contiguous (without the parts that
/// do not move), the others after it, ordered as in `a`.
///
/// # Errors
/// Overflow.
pub fn make_fragment_like(a: &AnyLayout) -> Result<Layout> {
    let layout = a.domain();
    let modes = layout.modes();
    let (Some((first, rest)), false) = (modes.split_first(), layout.has_basis()) else {
        return Layout::column_major(layout.shape().clone());
    };
    if rest.is_empty() {
        return Layout::column_major(layout.shape().clone());
    }
    let still = super::coalesce::filter_zeros_plain(first)?;
    let block = Layout::new(
        first.shape().clone(),
        Layout::column_major(still.shape().clone())?.stride().clone(),
    )?;
    let rest = Layout::from_modes(rest.iter().cloned())?;
    let order = rest.stride().map(&mut |stride| stride.value().abs());
    let rest = make_ordered_layout(rest.shape(), &order)?;
    let after = still.size();
    let stride = rest.stride().try_map(&mut |stride| stride.scale(after))?;
    let rest = Layout::new(rest.shape().clone(), stride)?;
    Layout::from_modes(std::iter::once(block).chain(rest.modes()))
}

/// Makes the layout whose value at a coordinate is the coordinate.
///
/// # Errors
/// A shape nested too deeply for a basis.
pub fn make_identity_layout(shape: &Shape) -> Result<Layout> {
    fn bases(shape: &Shape, path: &mut Vec<usize>) -> Result<Stride> {
        match shape {
            Tree::Leaf(_) if path.is_empty() => Ok(Tree::Leaf(StrideLeaf::Int(1))),
            Tree::Leaf(_) => Ok(Tree::Leaf(StrideLeaf::Basis { value: 1, path: Path::new(path)? })),
            Tree::Tuple(modes) => {
                let mut out = Vec::with_capacity(modes.len());
                for (i, mode) in modes.iter().enumerate() {
                    path.push(i);
                    out.push(bases(mode, path)?);
                    path.pop();
                }
                Ok(Tree::Tuple(out))
            }
        }
    }
    Layout::new(shape.clone(), bases(shape, &mut Vec::new())?)
}

/// Repeats `block` until it covers `shape`, copies in the order given (column-major if not).
///
/// # Errors
/// A block of more modes than the shape, and products that CuTe refuses.
pub fn tile_to_shape(
    block: &AnyLayout,
    shape: &Shape,
    order: Option<&IntTuple>,
) -> Result<AnyLayout> {
    let rank = shape.rank();
    if block.rank() > rank {
        return Err(Error::mismatch(format!(
            "the block `{block}` has rank {} and the target shape `{shape}` has rank {rank}",
            block.rank()
        )));
    }
    let padded = on_domain(block, |block| pad(block, rank))?;
    let target = shape.clone().wrap().product_each()?;
    let copies = ceil_div(&target, &padded.shape().product_each()?)?;
    let tiler = match order {
        Some(order) => make_ordered_layout(&copies, &order.clone().wrap())?,
        None => Layout::column_major(copies)?,
    };
    blocked_product(&padded, &tiler)
}
