//! The forms of the product, and which copy each of their indices is in.
//!
//! In: the block and the tiler. Out: the product, and the layout from an index of it to the number of
//! its copy. Invariant: an index means the same coordinate in both.

use crate::cute::algebra::checked::{self, Checked};
use crate::cute::algebra::{Form as Arrangement, arrange, blocked_product, product, raked_product};
use crate::cute::{AnyLayout, Error, Layout, Parts, Result as CuteResult, StrideLeaf, Tiler};
use crate::figure::input::value::Words;

/// A form of the product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Block and copies in the order of a divide's tile and rest.
    Arranged(Arrangement),
    /// Copies side by side.
    Blocked,
    /// Copies interleaved.
    Raked,
}

/// The words of the keys `op` and `with`, which name the facts, too.
pub(super) static FORMS: Words<Form> = &[
    ("logical", Form::LOGICAL),
    ("zipped", Form::ZIPPED),
    ("tiled", Form::TILED),
    ("flat", Form::FLAT),
    ("blocked", Form::Blocked),
    ("raked", Form::Raked),
];

impl Form {
    pub(super) const LOGICAL: Self = Self::Arranged(Arrangement::Logical);
    pub(super) const ZIPPED: Self = Self::Arranged(Arrangement::Zipped);
    pub(super) const TILED: Self = Self::Arranged(Arrangement::Tiled);
    pub(super) const FLAT: Self = Self::Arranged(Arrangement::Flat);

    /// Returns the function of CuTe.
    pub(super) const fn function(self) -> &'static str {
        match self {
            Self::Arranged(Arrangement::Logical) => "logical_product",
            Self::Arranged(Arrangement::Zipped) => "zipped_product",
            Self::Arranged(Arrangement::Tiled) => "tiled_product",
            Self::Arranged(Arrangement::Flat) => "flat_product",
            Self::Blocked => "blocked_product",
            Self::Raked => "raked_product",
        }
    }

    /// Repeats the block.
    pub(super) fn multiply(self, block: &AnyLayout, tiler: &Tiler) -> CuteResult<AnyLayout> {
        match self {
            Self::Arranged(form) => product(block, tiler, form),
            Self::Blocked => blocked_product(block, &self.whole(tiler)?),
            Self::Raked => raked_product(block, &self.whole(tiler)?),
        }
    }

    /// Repeats the block, and tells how the result breaks its contract.
    pub(super) fn checked(
        self,
        block: &AnyLayout,
        tiler: &Tiler,
    ) -> CuteResult<Checked<AnyLayout>> {
        match self {
            Self::Arranged(form) => checked::product(block, tiler, form),
            Self::Blocked => checked::blocked_product(block, &self.whole(tiler)?),
            Self::Raked => checked::raked_product(block, &self.whole(tiler)?),
        }
    }

    /// Returns the layout that gives the number of the copy for each index of the product.
    pub(super) fn copies(self, block: &Layout, tiler: &Tiler) -> CuteResult<Layout> {
        match self {
            Self::Arranged(form) => arrange(&by_mode(block, tiler, &mut 1)?, tiler, form),
            Self::Blocked => joined(block, &self.whole(tiler)?, |block, copies| [block, copies]),
            Self::Raked => joined(block, &self.whole(tiler)?, |block, copies| [copies, block]),
        }
    }

    /// Returns the tiler as one layout, a shape as its compact one.
    fn whole(self, tiler: &Tiler) -> CuteResult<Layout> {
        match tiler {
            Tiler::Layout(layout) => Ok(layout.clone()),
            Tiler::Shape(shape) => Layout::column_major(shape.clone()),
            Tiler::Keep | Tiler::Modes(_) => Err(Error::undefined(format!(
                "a {} takes one layout, not the tilers `{tiler}` by mode",
                self.function().replace('_', " ")
            ))),
        }
    }
}

/// Returns `(block, copies)` with the number of the copy as value, mode by mode as the tiler says.
fn by_mode(block: &Layout, tiler: &Tiler, weight: &mut i64) -> CuteResult<Layout> {
    let still =
        || Layout::new(block.shape().clone(), block.stride().repeat_like(&StrideLeaf::ZERO));
    let parts = match tiler.parts()? {
        Parts::Keep => return still(),
        Parts::Whole(layout) => return Layout::from_modes([still()?, counting(&layout, weight)?]),
        Parts::Modes(parts) => parts,
    };
    let modes = block.modes().into_iter().enumerate();
    let modes = modes.map(|(i, mode)| by_mode(&mode, parts.get(i).unwrap_or(&Tiler::Keep), weight));
    Layout::from_modes(modes.collect::<CuteResult<Vec<_>>>()?)
}

/// Returns a layout of the same shape that counts up in steps of `weight`, which grows by its size.
fn counting(layout: &Layout, weight: &mut i64) -> CuteResult<Layout> {
    let compact = Layout::column_major(layout.shape().clone())?;
    let stride = compact.stride().try_map(&mut |leaf| leaf.scale(*weight))?;
    *weight = weight.saturating_mul(layout.size());
    Layout::new(layout.shape().clone(), stride)
}

/// Joins block and copies in each mode, in an order.
fn joined(
    block: &Layout,
    tiler: &Layout,
    order: fn(Layout, Layout) -> [Layout; 2],
) -> CuteResult<Layout> {
    let one = Layout::vector(1, StrideLeaf::ZERO)?;
    let (blocks, tilers) = (block.modes(), tiler.modes());
    let mut weight = 1;
    let modes = (0..blocks.len().max(tilers.len())).map(|i| {
        let block = Layout::vector(blocks.get(i).unwrap_or(&one).size(), StrideLeaf::ZERO)?;
        let size = tilers.get(i).unwrap_or(&one).size();
        let copies = counting(&Layout::vector(size, 1)?, &mut weight)?;
        Layout::from_modes(order(block, copies))
    });
    Layout::from_modes(modes.collect::<CuteResult<Vec<_>>>()?)
}
