//! The classes and their compile-time facts: ranks, index types, which members exist.

use super::inverse::Inverse;
use super::multiplicand::{Multiplicand, Pattern, View};
use std::fmt;

/// A layout class with its template arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// `RowMajor`.
    RowMajor,
    /// `ColumnMajor`.
    ColumnMajor,
    /// `RowMajorInterleaved<N>`: groups of N rows, column by column inside.
    RowMajorInterleaved(i64),
    /// `ColumnMajorInterleaved<N>`: groups of N columns, row by row inside.
    ColumnMajorInterleaved(i64),
    /// `ContiguousMatrix`: the major is a run-time value.
    ContiguousMatrix,
    /// `AffineRankN<R>`: one stride for each of R coordinates.
    AffineRankN(usize),
    /// `AffineRank2ColumnMajor`.
    AffineRank2ColumnMajor,
    /// `AffineRank2RowMajor`.
    AffineRank2RowMajor,
    /// `ColumnMajorBlockLinear<R, C>`: column-major tiles of R x C.
    ColumnMajorBlockLinear(i64, i64),
    /// `RowMajorBlockLinear<R, C>`: row-major tiles of R x C.
    RowMajorBlockLinear(i64, i64),
    /// `GeneralMatrix`: major and interleave are run-time values.
    GeneralMatrix,
    /// `PitchLinear`.
    PitchLinear,
    /// `TensorNHWC`.
    TensorNHWC,
    /// `TensorNCHW`.
    TensorNCHW,
    /// `TensorNCxHWx<x>`.
    TensorNCxHWx(i64),
    /// `TensorCxRSKx<x>`.
    TensorCxRSKx(i64),
    /// `TensorNDHWC`.
    TensorNDHWC,
    /// `PackedVectorLayout`.
    PackedVectorLayout,
    /// A shared memory layout of a tensor-core operand.
    Multiplicand(Multiplicand),
}

/// `cutlass::layout::Matrix`: the major of the classes that keep it as a run-time value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Matrix {
    /// `kColumnMajor`, which is the classes' default.
    #[default]
    ColumnMajor,
    /// `kRowMajor`.
    RowMajor,
}

impl Class {
    /// Counts the coordinates (`kRank`).
    #[must_use]
    pub const fn rank(self) -> usize {
        match self {
            Self::PackedVectorLayout => 1,
            Self::AffineRankN(rank) => rank,
            Self::TensorNHWC | Self::TensorNCHW | Self::TensorNCxHWx(_) | Self::TensorCxRSKx(_) => {
                4
            }
            Self::TensorNDHWC => 5,
            _ => 2,
        }
    }

    /// Counts the strides (`kStrideRank`).
    #[must_use]
    pub const fn stride_rank(self) -> usize {
        match self {
            Self::AffineRankN(rank) => rank,
            Self::AffineRank2ColumnMajor | Self::AffineRank2RowMajor | Self::GeneralMatrix => 2,
            Self::TensorNHWC | Self::TensorNCHW | Self::TensorNCxHWx(_) | Self::TensorCxRSKx(_) => {
                3
            }
            Self::TensorNDHWC => 4,
            _ => 1,
        }
    }

    /// Names the coordinates in the class's order.
    #[must_use]
    pub const fn coord_names(self) -> &'static [&'static str] {
        match self {
            Self::PackedVectorLayout => &["i"],
            Self::AffineRankN(rank) => {
                let names: &[&str] = &["0", "1", "2", "3", "4", "5", "6", "7"];
                names.split_at(if rank < names.len() { rank } else { names.len() }).0
            }
            Self::TensorNHWC | Self::TensorNCHW | Self::TensorNCxHWx(_) | Self::TensorCxRSKx(_) => {
                &["n", "h", "w", "c"]
            }
            Self::TensorNDHWC => &["n", "d", "h", "w", "c"],
            Self::PitchLinear
            | Self::Multiplicand(Multiplicand { view: View::PitchLinear, .. }) => {
                &["contiguous", "strided"]
            }
            _ => &["row", "column"],
        }
    }

    /// Returns the width of a stride in bits: 64 in `matrix.h` (but for `GeneralMatrix`) and
    /// `pitch_linear.h`, 32 in all other headers.
    #[must_use]
    pub const fn stride_bits(self) -> u32 {
        match self {
            Self::GeneralMatrix
            | Self::TensorNHWC
            | Self::TensorNCHW
            | Self::TensorNCxHWx(_)
            | Self::TensorCxRSKx(_)
            | Self::TensorNDHWC
            | Self::PackedVectorLayout
            | Self::Multiplicand(_) => 32,
            _ => 64,
        }
    }

    /// Returns whether `operator()` and `capacity` multiply in 32 bits, so that large tensors wrap.
    #[must_use]
    pub const fn multiplies_in_32_bits(self) -> bool {
        self.stride_bits() == 32 && !matches!(self, Self::GeneralMatrix | Self::PackedVectorLayout)
    }

    /// Returns the index types as the class declares them.
    #[must_use]
    pub fn index_types(self) -> String {
        format!(
            "Index = int32_t, LongIndex = int64_t, Stride = Coord<{}, int{}_t>",
            self.stride_rank(),
            self.stride_bits(),
        )
    }

    /// Returns whether `stride(int)` exists beside `stride()`.
    #[must_use]
    pub const fn has_stride_by_index(self) -> bool {
        !matches!(
            self,
            Self::TensorNHWC
                | Self::TensorNCHW
                | Self::TensorNCxHWx(_)
                | Self::TensorCxRSKx(_)
                | Self::TensorNDHWC
                | Self::PackedVectorLayout
                | Self::Multiplicand(_)
        )
    }

    /// Returns whether the major is a run-time value ([`Matrix`]).
    #[must_use]
    pub const fn has_matrix(self) -> bool {
        matches!(self, Self::ContiguousMatrix | Self::GeneralMatrix)
    }

    /// Returns what the class's `inverse` does.
    #[must_use]
    pub const fn inverse(self) -> Inverse {
        match self {
            Self::RowMajor
            | Self::ColumnMajor
            | Self::RowMajorInterleaved(_)
            | Self::ColumnMajorInterleaved(_)
            | Self::PitchLinear
            | Self::TensorNHWC => Inverse::Real,
            Self::ContiguousMatrix
            | Self::AffineRankN(_)
            | Self::AffineRank2ColumnMajor
            | Self::AffineRank2RowMajor
            | Self::ColumnMajorBlockLinear(..)
            | Self::RowMajorBlockLinear(..) => Inverse::Stub,
            Self::GeneralMatrix
            | Self::TensorNCHW
            | Self::TensorNCxHWx(_)
            | Self::TensorCxRSKx(_)
            | Self::TensorNDHWC
            | Self::PackedVectorLayout => Inverse::None,
            Self::Multiplicand(multiplicand) => multiplicand.inverse(),
        }
    }

    /// Returns `LayoutTranspose<Class>::type`, which only two classes have.
    #[must_use]
    pub const fn transpose(self) -> Option<Self> {
        match self {
            Self::RowMajor => Some(Self::ColumnMajor),
            Self::ColumnMajor => Some(Self::RowMajor),
            _ => None,
        }
    }

    /// Returns the header below `include/cutlass/layout/` that defines the class.
    #[must_use]
    pub const fn header(self) -> &'static str {
        match self {
            Self::PitchLinear => "pitch_linear.h",
            Self::TensorNHWC
            | Self::TensorNCHW
            | Self::TensorNCxHWx(_)
            | Self::TensorCxRSKx(_)
            | Self::TensorNDHWC => "tensor.h",
            Self::PackedVectorLayout => "vector.h",
            Self::Multiplicand(multiplicand) => match multiplicand.pattern {
                Pattern::VoltaCongruous { .. }
                | Pattern::VoltaBCongruous { .. }
                | Pattern::VoltaCrosswise { .. } => "tensor_op_multiplicand_sm70.h",
                Pattern::Congruous64b
                | Pattern::Crosswise64b
                | Pattern::Congruous128b
                | Pattern::Crosswise128x4 => "tensor_op_multiplicand_sm80.h",
                _ => "tensor_op_multiplicand_sm75.h",
            },
            _ => "matrix.h",
        }
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, arguments) = self.spelling();
        f.write_str(&name)?;
        if arguments.is_empty() {
            return Ok(());
        }
        let arguments: Vec<String> = arguments.iter().map(i64::to_string).collect();
        write!(f, "<{}>", arguments.join(", "))
    }
}
