//! The products: a layout repeated as another one says.
//!
//! In: a block and a tiler. Out: logical `(block, copies)`, zipped, tiled and flat arrangements of
//! it, and blocked or raked ones that join block and copies mode by mode. Source: CuTe's
//! `logical_product` family.

use super::coalesce::coalesce_by;
use super::complement::complement;
use super::composition::{Rest, by_mode, compose_layouts};
use super::domain::on_domain;
use super::form::{Form, arrange};
use crate::cute::composed::AnyLayout;
use crate::cute::error::{Error, Result};
use crate::cute::layout::Layout;
use crate::cute::stride::StrideLeaf;
use crate::cute::tiler::Tiler;
use crate::cute::tree::Tree;

/// Repeats in any form; tilers by mode repeat mode by mode.
///
/// # Errors
/// A block that overlaps itself, and compositions that CuTe refuses; in all but the logical form also
/// a mode kept by `_` that has not two parts to tear.
pub fn product(block: &AnyLayout, tiler: &Tiler, form: Form) -> Result<AnyLayout> {
    on_domain(block, |block| {
        let logical = by_mode(block, tiler, Rest::Kept, &mut product_layouts)?;
        arrange(&logical, tiler, form)
    })
}

fn product_layouts(block: &Layout, tiler: &Layout) -> Result<Layout> {
    let room = block
        .size()
        .checked_mul(tiler.cosize()?)
        .ok_or(Error::overflow("the size of a product"))?;
    let copies = compose_layouts(&complement(block, &Tree::Leaf(room))?, tiler)?;
    Layout::from_modes([block.clone(), copies])
}

/// Repeats `block`: `(block, copies)`.
///
/// # Errors
/// As [`product`].
pub fn logical_product(block: &AnyLayout, tiler: &Tiler) -> Result<AnyLayout> {
    product(block, tiler, Form::Logical)
}

/// Repeats and gathers: mode 0 is the block, mode 1 the copies.
///
/// # Errors
/// As [`product`].
pub fn zipped_product(block: &AnyLayout, tiler: &Tiler) -> Result<AnyLayout> {
    product(block, tiler, Form::Zipped)
}

/// Repeats, the block as mode 0 and each mode of the copies a mode of its own.
///
/// # Errors
/// As [`product`].
pub fn tiled_product(block: &AnyLayout, tiler: &Tiler) -> Result<AnyLayout> {
    product(block, tiler, Form::Tiled)
}

/// Repeats, every mode of block and copies a mode of its own.
///
/// # Errors
/// As [`product`].
pub fn flat_product(block: &AnyLayout, tiler: &Tiler) -> Result<AnyLayout> {
    product(block, tiler, Form::Flat)
}

/// Repeats with each mode `(block, copies)`: copies lie side by side.
///
/// # Errors
/// As [`product`].
pub fn blocked_product(block: &AnyLayout, tiler: &Layout) -> Result<AnyLayout> {
    on_domain(block, |block| join(block, tiler, Join::Blocked))
}

/// Repeats with each mode `(copies, block)`: copies interleave.
///
/// # Errors
/// As [`product`].
pub fn raked_product(block: &AnyLayout, tiler: &Layout) -> Result<AnyLayout> {
    on_domain(block, |block| join(block, tiler, Join::Raked))
}

#[derive(Clone, Copy)]
enum Join {
    Blocked,
    Raked,
}

fn join(block: &Layout, tiler: &Layout, form: Join) -> Result<Layout> {
    let rank = block.rank().max(tiler.rank());
    let block = pad(block, rank)?;
    let tiler = pad(tiler, rank)?;
    let both = product_layouts(&block, &tiler)?.modes();
    let pairs = both[0].modes().into_iter().zip(both[1].modes()).map(|(block, copies)| {
        Layout::from_modes(match form {
            Join::Blocked => [block, copies],
            Join::Raked => [copies, block],
        })
    });
    let joined = Layout::from_modes(pairs.collect::<Result<Vec<_>>>()?)?;
    // CuTe coalesces each mode of a raked product, but leaves those of a blocked one as pairs.
    match form {
        Join::Blocked => Ok(joined),
        Join::Raked => coalesce_by(&joined, &Tree::flat(std::iter::repeat_n(1, rank))),
    }
}

/// Appends modes `1:0` up to `rank`.
pub(super) fn pad(layout: &Layout, rank: usize) -> Result<Layout> {
    let one = Layout::vector(1, StrideLeaf::ZERO)?;
    let missing = rank.saturating_sub(layout.rank());
    Layout::from_modes(layout.modes().into_iter().chain(std::iter::repeat_n(one, missing)))
}
