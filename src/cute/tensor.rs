//! Tensors: an offset and a layout over it.
//!
//! In: what a pointer or an iterator contributes, and a layout over it. Out: values that include
//! the offset. Source: CuTe's `tensor_impl.hpp`, with a counting iterator for the engine.

use super::composed::{AnyLayout, ComposedLayout, Inner};
use super::error::Result;
use super::int_tuple::IntTuple;
use super::swizzle::OffsetUnit;
use super::tree::Tree;
use std::fmt;

/// `offset o layout`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Tensor {
    /// The value of the iterator: an integer or a coordinate.
    pub offset: IntTuple,
    /// What is added to it.
    pub layout: AnyLayout,
}

impl Tensor {
    /// Returns the value of a coordinate, offset included.
    ///
    /// # Errors
    /// As [`AnyLayout::at`].
    pub fn at(&self, coord: &IntTuple) -> Result<IntTuple> {
        self.offset.add(&self.layout.at(coord)?)
    }

    /// Returns the tensor of the same places in memory whose values count elements. A swizzle of
    /// bytes permutes whole addresses, so the offset in front of one goes under it.
    ///
    /// # Errors
    /// As [`super::Swizzle::in_elements`], and overflow.
    pub fn in_elements(&self) -> Result<Self> {
        if let AnyLayout::Composed(composed) = &self.layout
            && let Some(swizzle) = composed.swizzle()
            && let OffsetUnit::Byte { .. } = swizzle.unit()
            && self.offset.is_leaf()
        {
            let inner = Inner::Swizzle(swizzle.in_elements()?);
            let offset = self.offset.add(composed.offset())?;
            let layout = ComposedLayout::new(inner, offset, composed.outer().clone())?;
            return Ok(Self { offset: Tree::Leaf(0), layout: layout.into() });
        }
        Ok(self.clone())
    }

    /// Returns the value of the first coordinate: where the tensor begins, which is [`Self::offset`]
    /// unless the layout holds an offset of its own.
    ///
    /// # Errors
    /// As [`AnyLayout::at`].
    pub fn first(&self) -> Result<IntTuple> {
        self.at(&IntTuple::Leaf(0))
    }
}

impl fmt::Display for Tensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} o {}", self.offset, self.layout)
    }
}
