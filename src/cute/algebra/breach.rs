//! How an answer breaks what its operation promises, in numbers and in words.
//!
//! In: what [`super::contract`] and [`super::checked`] find. Out: the warning's text. Invariant: a
//! breach names one place, where anybody can verify it.

use crate::cute::int_tuple::IntTuple;
use crate::diagnostic::Diagnostic;
use std::fmt;

/// The first place where an answer is not what the operation promises.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Breach {
    /// `C(i)` is not `A(B(i))`.
    Composition {
        /// The index.
        index: i64,
        /// `A(B(i))`.
        want: IntTuple,
        /// `C(i)`.
        got: IntTuple,
    },
    /// A complement's offset lies in the image.
    Clash {
        /// The index in the complement.
        index: i64,
        /// The shared offset.
        value: IntTuple,
    },
    /// Layout and complement together do not reach the cotarget.
    Short {
        /// What they reach.
        reached: i64,
        /// The cotarget.
        cotarget: i64,
    },
    /// An offset is hit by two indices although the operands are injective.
    Repeat(Repeat),
    /// An inverse is none at an index.
    Inverse {
        /// The index.
        index: i64,
        /// What came back.
        got: IntTuple,
    },
    /// A cell of the tile belongs to another thread and value than the raked product says.
    Owner {
        /// The cell of the tile, an index.
        cell: i64,
        /// The `(thread, value)` of the raked product.
        want: (i64, i64),
        /// The cell that this thread and value get in the answer.
        got: IntTuple,
    },
    /// A slice has other values than the layout that it was cut from.
    Slice {
        /// The index in the slice.
        index: i64,
        /// The layout's value.
        want: IntTuple,
        /// The slice's value.
        got: IntTuple,
    },
    /// A divide reaches an offset that the divided layout does not have.
    Leaves {
        /// The index in the result.
        index: i64,
        /// The offset.
        value: IntTuple,
    },
    /// A copy of a product does not lie where the complement of the block puts it.
    Copy {
        /// The index of the copy.
        index: i64,
        /// The offset that the complement has for it.
        want: IntTuple,
        /// The offset in the result.
        got: IntTuple,
    },
    /// A moved origin has other values than the tensor at the moved coordinates.
    Moved {
        /// The coordinate in the moved tensor.
        coord: IntTuple,
        /// The tensor's value there.
        want: IntTuple,
        /// The moved tensor's value.
        got: IntTuple,
    },
    /// A recast layout covers other bits than the layout.
    Recast {
        /// The first bit that only one of them covers; `None` if too many to list are rounded.
        bit: Option<i64>,
    },
    /// A mode is larger than the shape that was asked for.
    Larger {
        /// The mode.
        mode: usize,
        /// Its extent.
        extent: i64,
        /// The extent that was asked for.
        asked: i64,
    },
    /// A swizzle takes an offset past the cosize.
    PastCosize {
        /// The offset.
        value: i64,
        /// The cosize.
        cosize: i64,
    },
    /// A mode that the tiler keeps was torn into tile and rest.
    Torn {
        /// The mode.
        mode: usize,
    },
}

/// Two indices with one value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repeat {
    /// The shared value.
    pub value: IntTuple,
    /// The first index that has it.
    pub first: i64,
    /// The next one.
    pub second: i64,
}

impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Composition { index, want, got } => write!(
                f,
                "the result breaks C(i) = A(B(i)) at index {index}: A(B({index})) is {want}, C({index}) is {got}"
            ),
            Self::Clash { index, value } => write!(
                f,
                "the complement is not disjoint from the image: its index {index} gives {value}, which the layout hits too"
            ),
            Self::Short { reached, cotarget } => {
                write!(f, "layout and complement reach {reached} of the cotarget {cotarget}")
            }
            Self::Repeat(Repeat { value, first, second }) => {
                write!(f, "the result overlaps: {value} is hit by index {first} and index {second}")
            }
            Self::Inverse { index, got } => {
                write!(f, "the inverse does not hold at index {index}: it gives {got}")
            }
            Self::Owner { cell, want: (thr, val), got } => write!(
                f,
                "wrong owners: the raked product gives cell {cell} to thread {thr}, value {val}, but the TV layout sends them to cell {got}"
            ),
            Self::Slice { index, want, got } => write!(
                f,
                "the slice differs from the layout at its index {index}: the layout has {want}, the slice gives {got}"
            ),
            Self::Leaves { index, value } => write!(
                f,
                "the result leaves A: its index {index} gives {value}, an offset that A does not have"
            ),
            Self::Copy { index, want, got } => write!(
                f,
                "copy {index} lies at {got}; the complement of the block puts it at {want}"
            ),
            Self::Moved { coord, want, got } => write!(
                f,
                "the moved tensor is not T(c + d): at {coord} it gives {got}, where T has {want}"
            ),
            Self::Recast { bit: Some(bit) } => write!(
                f,
                "the result covers other bits than the layout, bit {bit} first: an extent or a stride was rounded"
            ),
            Self::Recast { bit: None } => f.write_str(
                "the result covers other bits than the layout: an extent or a stride was rounded",
            ),
            Self::Larger { mode, extent, asked } => write!(
                f,
                "mode {mode} of the result has {extent} coordinates; {asked} were asked for"
            ),
            Self::PastCosize { value, cosize } => write!(
                f,
                "the swizzle reaches offset {value}, past the cosize {cosize}, which counts the outer layout only"
            ),
            Self::Torn { mode } => write!(
                f,
                "mode {mode}, which the tiler keeps with `_`, was torn into tile and rest; `logical_divide` keeps it whole"
            ),
        }
    }
}

impl From<Breach> for Diagnostic {
    fn from(breach: Breach) -> Self {
        Diagnostic::warning("contract", breach.to_string())
    }
}
