//! Tensors (an offset and a layout) and tilers.
//!
//! In: what a pointer or an iterator contributes, and a layout over it. Out: values that include
//! the offset. Source: CuTe's `tensor_impl.hpp`, with a counting iterator for the engine.

use super::composed::AnyLayout;
use super::error::Result;
use super::int_tuple::{IntTuple, Shape};
use super::layout::Layout;
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
}

impl fmt::Display for Tensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} o {}", self.offset, self.layout)
    }
}

/// What cuts a layout into tiles.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Tiler {
    /// `_`: keeps the mode.
    Keep,
    /// Acts on the whole domain.
    Layout(Layout),
    /// A shape: an integer `n` acts as `n:1`, a tuple acts by mode.
    Shape(Shape),
    /// `<a,b>`: acts by mode.
    Modes(Vec<Tiler>),
}

impl fmt::Display for Tiler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Keep => f.write_str("_"),
            Self::Layout(layout) => layout.fmt(f),
            Self::Shape(shape) => shape.fmt(f),
            Self::Modes(modes) => {
                f.write_str("<")?;
                for (i, mode) in modes.iter().enumerate() {
                    if i > 0 {
                        f.write_str(",")?;
                    }
                    mode.fmt(f)?;
                }
                f.write_str(">")
            }
        }
    }
}
