//! The operations whose answer can break their own contract, each with the breaches of its answer.
//!
//! In: the operands. Out: [`Checked`]: the value that the operation of the same name in
//! [`super`] gives, and what [`contract`] finds wrong with it. Invariant: a check never changes the
//! value, and looks at no more than [`CONTRACT_POINTS`](crate::cute::limits::CONTRACT_POINTS) points.
//!
//! Who shows a result to somebody calls the operation here; who computes on with it calls the plain
//! one. An operation whose contract [`contract`] cannot check reports no breach.

use super::contract::{self, Breach};
use super::form::Form;
use super::promise;
use crate::cute::composed::{AnyLayout, ComposedLayout};
use crate::cute::error::Result;
use crate::cute::int_tuple::{Coord, IntTuple, Shape};
use crate::cute::layout::Layout;
use crate::cute::tensor::Tensor;
use crate::cute::tiler::Tiler;
use crate::cute::tree::Tree;

/// CuTe's answer, and how it breaks the contract of its operation.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct Checked<T> {
    /// The answer, as CuTe gives it.
    pub value: T,
    /// What is wrong with it, the most general first; empty if nothing is known to be.
    pub breaches: Vec<Breach>,
}

impl<T> Checked<T> {
    /// Joins an answer and what its checks found.
    fn of(value: T, breaches: impl IntoIterator<Item = Breach>) -> Self {
        Self { value, breaches: breaches.into_iter().collect() }
    }

    /// Returns whether no breach was found.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.breaches.is_empty()
    }

    /// Turns the value into another one, with the same breaches.
    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Checked<U> {
        Checked { value: f(self.value), breaches: self.breaches }
    }
}

/// As [`super::composition`]; checks `C(i) = A(B(i))`.
///
/// # Errors
/// As the operation.
pub fn composition(a: &AnyLayout, b: &Tiler) -> Result<Checked<AnyLayout>> {
    let c = super::composition(a, b)?;
    let breach = contract::composition(a, b, &c);
    Ok(Checked::of(c, breach))
}

/// As [`super::complement`]; checks that it is disjoint from the image of `a`, and that both reach
/// the cotarget.
///
/// # Errors
/// As the operation, and a cotarget whose size overflows.
pub fn complement(a: &Layout, cotarget: &IntTuple) -> Result<Checked<Layout>> {
    let rest = super::complement(a, cotarget)?;
    let breach = contract::complement(a, cotarget.product()?, &rest);
    Ok(Checked::of(rest, breach))
}

/// As [`super::right_inverse`]; checks `A(R(i)) = i`.
///
/// # Errors
/// As the operation.
pub fn right_inverse(a: &Layout) -> Result<Checked<Layout>> {
    let inverse = super::right_inverse(a)?;
    let breach = contract::right_inverse(a, &inverse);
    Ok(Checked::of(inverse, breach))
}

/// As [`super::left_inverse`]; checks `L(A(i)) = i`.
///
/// # Errors
/// As the operation.
pub fn left_inverse(a: &Layout) -> Result<Checked<Layout>> {
    let inverse = super::left_inverse(a)?;
    let breach = contract::left_inverse(a, &inverse);
    Ok(Checked::of(inverse, breach))
}

/// As [`super::right_inverse_swizzled`]; checks `A(R(i)) = i`.
///
/// # Errors
/// As the operation.
pub fn right_inverse_swizzled(a: &ComposedLayout) -> Result<Checked<AnyLayout>> {
    let inverse = super::right_inverse_swizzled(a)?;
    let breach = contract::undoes(&inverse, &a.clone().into());
    Ok(Checked::of(inverse, breach))
}

/// As [`super::left_inverse_swizzled`]; checks `L(A(i)) = i`.
///
/// # Errors
/// As the operation.
pub fn left_inverse_swizzled(a: &ComposedLayout) -> Result<Checked<AnyLayout>> {
    let inverse = super::left_inverse_swizzled(a)?;
    let breach = contract::undoes(&a.clone().into(), &inverse);
    Ok(Checked::of(inverse, breach))
}

/// As [`super::divide`]; checks that a mode at `_` stays whole, that tile and rest have the elements of
/// `a` and reach no further, and that nothing overlaps that did not in `a`.
///
/// # Errors
/// As the operation.
pub fn divide(a: &AnyLayout, tiler: &Tiler, form: Form) -> Result<Checked<AnyLayout>> {
    let divided = super::divide(a, tiler, form)?;
    let torn = if form == Form::Logical { None } else { contract::kept_modes(tiler) };
    let breach =
        promise::divide(a, tiler, &divided).or_else(|| contract::no_overlap(&[a], &divided));
    Ok(Checked::of(divided, torn.into_iter().chain(breach)))
}

/// As [`super::product`]; checks that the copies lie where the complement of the block has them, and
/// that nothing overlaps if block and tiler do not.
///
/// # Errors
/// As the operation.
pub fn product(block: &AnyLayout, tiler: &Tiler, form: Form) -> Result<Checked<AnyLayout>> {
    let repeated = super::product(block, tiler, form)?;
    let tilers: Vec<AnyLayout> = tiler.layouts().into_iter().map(|l| l.clone().into()).collect();
    let operands: Vec<&AnyLayout> = std::iter::once(block).chain(&tilers).collect();
    let breach = promise::product(block.domain(), tiler)
        .or_else(|| contract::no_overlap(&operands, &repeated));
    Ok(Checked::of(repeated, breach))
}

/// As [`super::blocked_product`]; checks what [`product`] does.
///
/// # Errors
/// As the operation.
pub fn blocked_product(block: &AnyLayout, tiler: &Layout) -> Result<Checked<AnyLayout>> {
    joined(block, tiler, super::blocked_product)
}

/// As [`super::raked_product`]; checks what [`product`] does.
///
/// # Errors
/// As the operation.
pub fn raked_product(block: &AnyLayout, tiler: &Layout) -> Result<Checked<AnyLayout>> {
    joined(block, tiler, super::raked_product)
}

fn joined(
    block: &AnyLayout,
    tiler: &Layout,
    operation: fn(&AnyLayout, &Layout) -> Result<AnyLayout>,
) -> Result<Checked<AnyLayout>> {
    let repeated = operation(block, tiler)?;
    let breach = promise::product(block.domain(), &Tiler::Layout(tiler.clone()))
        .or_else(|| contract::no_overlap(&[block, &tiler.clone().into()], &repeated));
    Ok(Checked::of(repeated, breach))
}

/// As [`super::tile_to_shape`]; checks that the result has the extents of `shape`, that nothing overlaps
/// that did not in `block`, and that no swizzle reaches past the cosize.
///
/// # Errors
/// As the operation.
pub fn tile_to_shape(
    block: &AnyLayout,
    shape: &Shape,
    order: Option<&IntTuple>,
) -> Result<Checked<AnyLayout>> {
    let tiled = super::tile_to_shape(block, shape, order)?;
    let breach = contract::extents(shape, &tiled)
        .or_else(|| contract::no_overlap(&[block], &tiled))
        .or_else(|| contract::within_cosize(&tiled));
    Ok(Checked::of(tiled, breach))
}

/// As [`super::make_layout_tv`]; checks that every cell has the thread and value of the raked
/// product.
///
/// # Errors
/// As the operation.
pub fn make_layout_tv(thr: &Layout, val: &Layout) -> Result<Checked<(Shape, Layout)>> {
    let (tile, tv) = super::make_layout_tv(thr, val)?;
    let breach = contract::layout_tv(thr, val, &tv);
    Ok(Checked::of((tile, tv), breach))
}

/// As [`super::recast_layout`]; checks that the result covers the bits of `a`.
///
/// # Errors
/// As the operation.
pub fn recast_layout(new_bits: i64, old_bits: i64, a: &AnyLayout) -> Result<Checked<AnyLayout>> {
    let recast = super::recast_layout(new_bits, old_bits, a)?;
    let breach = promise::recast(new_bits, old_bits, a, &recast);
    Ok(Checked::of(recast, breach))
}

/// As [`super::recast_layout_cxx`]; checks what [`recast_layout`] does.
///
/// # Errors
/// As the operation.
pub fn recast_layout_cxx(
    new_bits: i64,
    old_bits: i64,
    a: &AnyLayout,
) -> Result<Checked<AnyLayout>> {
    let recast = super::recast_layout_cxx(new_bits, old_bits, a)?;
    let breach = promise::recast(new_bits, old_bits, a, &recast);
    Ok(Checked::of(recast, breach))
}

/// As [`super::slice`]; checks that the values, with the offset left out of it, are those of `a`.
///
/// # Errors
/// As the operation.
pub fn slice(a: &AnyLayout, coord: &Coord) -> Result<Checked<AnyLayout>> {
    let over = super::slice::slice_over_rest(a, coord)?;
    let breach = moved(a, coord, &over);
    Ok(Checked::of(over.layout, breach))
}

/// As [`super::slice_and_offset`]; checks that the pair adds up: that the offset plus the layout's
/// value is the value of `a`.
///
/// # Errors
/// As the operation.
pub fn slice_and_offset(coord: &Coord, a: &AnyLayout) -> Result<Checked<(AnyLayout, IntTuple)>> {
    let (layout, offset) = super::slice_and_offset(coord, a)?;
    let pair = Tensor { offset, layout };
    let breach = moved(a, coord, &pair);
    Ok(Checked::of((pair.layout, pair.offset), breach))
}

/// As [`super::slice_tensor`]; checks that the values are those of `tensor`.
///
/// # Errors
/// As the operation.
pub fn slice_tensor(tensor: &Tensor, coord: &Coord) -> Result<Checked<Tensor>> {
    let sliced = super::slice_tensor(tensor, coord)?;
    let origin = Tensor { offset: Tree::Leaf(0), layout: tensor.layout.clone() };
    let breach = super::slice_tensor(&origin, coord)
        .ok()
        .and_then(|sliced| moved(&tensor.layout, coord, &sliced));
    Ok(Checked::of(sliced, breach))
}

/// Finds the first value that a slice has moved; only a composed layout can have one.
fn moved(a: &AnyLayout, coord: &Coord, sliced: &Tensor) -> Option<Breach> {
    let AnyLayout::Composed(composed) = a else { return None };
    composed.swizzle()?;
    contract::slice(a, coord, sliced)
}

/// As [`super::local_tile`]; checks what [`divide`] does.
///
/// # Errors
/// As the operation.
pub fn local_tile(
    tensor: &Tensor,
    tiler: &Tiler,
    coord: &Coord,
    proj: Option<&Coord>,
) -> Result<Checked<Tensor>> {
    let tile = super::local_tile(tensor, tiler, coord, proj)?;
    let tiler = match proj {
        None => tiler.clone(),
        Some(proj) => super::project_tiler(tiler, proj)?,
    };
    let divided = divide(&tensor.layout, &tiler, Form::Zipped)?;
    Ok(Checked::of(tile, divided.breaches))
}

/// As [`super::local_partition`]; checks what [`divide`] does.
///
/// # Errors
/// As the operation.
pub fn local_partition(
    tensor: &Tensor,
    tile: &Layout,
    index: i64,
    proj: Option<&Coord>,
) -> Result<Checked<Tensor>> {
    let part = super::local_partition(tensor, tile, index, proj)?;
    let tile = match proj {
        None => tile.clone(),
        Some(proj) => super::dice(&tile.clone().into(), proj)?.domain().clone(),
    };
    let tiler = Tiler::Shape(tile.shape().product_each()?);
    let divided = divide(&tensor.layout, &tiler, Form::Zipped)?;
    Ok(Checked::of(part, divided.breaches))
}

/// As [`super::domain_offset`]; checks that the tensor's value at `c` is that of `tensor` at
/// `c + coord`.
///
/// # Errors
/// As the operation.
pub fn domain_offset(coord: &IntTuple, tensor: &Tensor) -> Result<Checked<Tensor>> {
    let moved = super::domain_offset(coord, tensor)?;
    let breach = contract::domain_offset(tensor, coord, &moved);
    Ok(Checked::of(moved, breach))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

    use super::*;

    fn flat<const N: usize>(shape: [i64; N], stride: [i64; N]) -> Layout {
        Layout::new(Tree::flat(shape), Tree::flat(stride.map(Into::into))).unwrap()
    }

    #[test]
    fn a_breach_names_index_wanted_and_found() {
        let a: AnyLayout = flat([4, 3], [3, 1]).into();
        let by = |stride| Tiler::Layout(Layout::vector(6, stride).unwrap());
        assert!(composition(&a, &by(2)).unwrap().holds());
        let checked = composition(&a, &by(3)).unwrap();
        assert_eq!(checked.value.to_string(), "(2,3):(9,1)");
        let (want, got) = (Tree::Leaf(7), Tree::Leaf(1));
        assert_eq!(checked.breaches, [Breach::Composition { index: 2, want, got }]);
    }

    #[test]
    fn a_kept_mode_is_torn_in_all_forms_but_the_logical_one() {
        let a: AnyLayout =
            Layout::from_modes([flat([4, 2], [1, 4]), flat([4, 3], [8, 32])]).unwrap().into();
        let tiler = Tiler::Modes(vec![Tiler::Keep, Tiler::Shape(Tree::Leaf(4))]);
        for form in [Form::Logical, Form::Zipped, Form::Tiled, Form::Flat] {
            let checked = divide(&a, &tiler, form).unwrap();
            let torn = checked.breaches.contains(&Breach::Torn { mode: 0 });
            assert_eq!(torn, form != Form::Logical, "{form:?}: {checked:?}");
        }
    }
}
