//! Layouts from shapes: ordered, identity, like another one, tiled to a shape.
//!
//! In: shapes, orders, layouts. Out: compact layouts (and `tile_to_shape`'s tiling). Source: CuTe's
//! `make_ordered_layout`, `make_layout_like`, `make_fragment_like`, `make_identity_layout` and
//! `tile_to_shape`.

use super::on_domain;
use super::product::{blocked_product, pad};
use crate::cute::composed::AnyLayout;
use crate::cute::error::{Error, Result};
use crate::cute::int_tuple::{IntTuple, Shape, ceil_div};
use crate::cute::layout::Layout;
use crate::cute::stride::{Path, Stride, StrideLeaf};
use crate::cute::tree::Tree;

/// Makes the compact layout whose strides grow with `order`; equal orders grow from left to right,
/// and a shape nested deeper than the order is column-major inside.
///
/// # Errors
/// An order that is not weakly congruent to the shape.
pub fn make_ordered_layout(shape: &Shape, order: &IntTuple) -> Result<Layout> {
    if !order.is_weakly_congruent(shape) {
        return Err(Error::mismatch(format!(
            "the order `{order}` does not fit the shape `{shape}`: it needs an entry for each mode"
        )));
    }
    let mut orders = Vec::new();
    spread(order, shape, &mut orders);
    compact_by(shape, &orders)
}

fn spread(order: &IntTuple, shape: &Shape, out: &mut Vec<i64>) {
    match (order, shape) {
        (Tree::Leaf(order), _) => out.extend(shape.leaves().map(|_| *order)),
        (Tree::Tuple(orders), _) => {
            for (order, shape) in orders.iter().zip(shape.modes()) {
                spread(order, shape, out);
            }
        }
    }
}

/// Gives strides in the order of `keys`; extents of 1 get stride 0.
fn compact_by<K: Ord>(shape: &Shape, keys: &[K]) -> Result<Layout> {
    let extents: Vec<i64> = shape.leaves().copied().collect();
    let mut places: Vec<usize> = (0..extents.len()).collect();
    places.sort_by(|&a, &b| keys[a].cmp(&keys[b]));
    let mut strides = vec![0_i64; extents.len()];
    let mut next = 1_i64;
    for place in places {
        strides[place] = if extents[place] == 1 { 0 } else { next };
        next = next.checked_mul(extents[place]).ok_or(Error::overflow("a stride"))?;
    }
    let mut strides = strides.into_iter();
    Layout::new(
        shape.clone(),
        shape.map(&mut |_| StrideLeaf::Int(strides.next().unwrap_or_default())),
    )
}

/// Makes the compact layout of the same shape whose strides are ordered as those of `a`; modes that
/// do not move keep stride 0.
///
/// # Errors
/// Coordinate layouts, whose strides have no order.
pub fn make_layout_like(a: &Layout) -> Result<Layout> {
    if a.has_basis() {
        return Err(Error::undefined(format!(
            "`{a}` is a coordinate layout: its strides have no order to follow"
        )));
    }
    let modes = a.flat_modes();
    let mut places: Vec<usize> = (0..modes.len()).collect();
    places.sort_by_key(|&place| modes[place].stride.value().abs());
    let mut strides = vec![0_i64; modes.len()];
    let mut next = 1_i64;
    for place in places {
        let mode = modes[place];
        if mode.stride.value() != 0 && mode.shape != 1 {
            strides[place] = next;
            next = next.checked_mul(mode.shape).ok_or(Error::overflow("a stride"))?;
        }
    }
    let mut strides = strides.into_iter();
    let stride = a.shape().map(&mut |_| StrideLeaf::Int(strides.next().unwrap_or_default()));
    Layout::new(a.shape().clone(), stride)
}

/// Makes the layout of registers for a tensor like `a`: mode 0 contiguous, the others ordered as in
/// `a`.
///
/// # Errors
/// Overflow.
pub fn make_fragment_like(a: &AnyLayout) -> Result<Layout> {
    let layout = a.domain();
    if layout.has_basis() {
        return Layout::column_major(layout.shape().clone());
    }
    make_layout_like(layout)
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
