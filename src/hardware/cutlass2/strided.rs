//! The classes whose map is a sum of strides, at most with one coordinate split into groups.
//!
//! In: a class and its strides. Out: for each coordinate what one step of it adds. This one table
//! gives `operator()`, and the CuTe layout with it.

use super::class::{Class, Matrix};

/// What a coordinate adds to the offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mode {
    /// The step of the coordinate, or of a whole group of it.
    pub(super) stride: i64,
    /// Consecutive coordinates that make a group.
    pub(super) group: Option<Group>,
}

/// A run of coordinates with a stride of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Group {
    pub(super) size: i64,
    pub(super) stride: i64,
}

const fn whole(stride: i64) -> Mode {
    Mode { stride, group: None }
}

const fn grouped(size: i64, inner: i64, stride: i64) -> Mode {
    Mode { stride, group: Some(Group { size, stride: inner }) }
}

impl Mode {
    /// Returns the parts of the offset that a coordinate contributes, each a stride and a count.
    pub(super) fn parts(self, coord: i64) -> [(i64, i64); 2] {
        match self.group {
            None => [(self.stride, coord), (0, 0)],
            Some(group) => [(group.stride, coord % group.size), (self.stride, coord / group.size)],
        }
    }
}

/// Returns one mode for each coordinate, or nothing for the tensor-op classes.
pub(super) fn modes(class: Class, stride: &[i64], matrix: Matrix) -> Option<Vec<Mode>> {
    let ldm = stride.first().copied().unwrap_or(0);
    let step = |i: usize| stride.get(i).copied().unwrap_or(0);
    Some(match class {
        Class::RowMajor => vec![whole(ldm), whole(1)],
        Class::ColumnMajor | Class::PitchLinear => vec![whole(1), whole(ldm)],
        Class::RowMajorInterleaved(n) => vec![grouped(n, 1, ldm), whole(n)],
        Class::ColumnMajorInterleaved(n) => vec![whole(n), grouped(n, 1, ldm)],
        Class::ContiguousMatrix => match matrix {
            Matrix::ColumnMajor => vec![whole(1), whole(ldm)],
            Matrix::RowMajor => vec![whole(ldm), whole(1)],
        },
        Class::AffineRankN(_) | Class::AffineRank2ColumnMajor | Class::AffineRank2RowMajor => {
            stride.iter().map(|&stride| whole(stride)).collect()
        }
        Class::ColumnMajorBlockLinear(r, c) => {
            vec![grouped(r, 1, r * c), grouped(c, r, ldm)]
        }
        Class::RowMajorBlockLinear(r, c) => {
            vec![grouped(r, c, ldm), grouped(c, 1, r * c)]
        }
        Class::GeneralMatrix => {
            let interleave = step(1);
            let (contiguous, strided) = (whole(interleave), grouped(interleave, 1, ldm));
            match matrix {
                Matrix::ColumnMajor => vec![contiguous, strided],
                Matrix::RowMajor => vec![strided, contiguous],
            }
        }
        Class::TensorNHWC => vec![whole(step(2)), whole(step(1)), whole(step(0)), whole(1)],
        Class::TensorNCHW => vec![whole(step(2)), whole(step(0)), whole(1), whole(step(1))],
        Class::TensorNCxHWx(x) => {
            vec![whole(step(2)), whole(step(0)), whole(x), grouped(x, 1, step(1))]
        }
        Class::TensorCxRSKx(x) => {
            vec![whole(x), whole(step(1)), whole(step(0)), grouped(x, 1, step(2))]
        }
        Class::TensorNDHWC => {
            vec![whole(step(3)), whole(step(2)), whole(step(1)), whole(step(0)), whole(1)]
        }
        Class::PackedVectorLayout => vec![whole(1)],
        Class::Multiplicand(_) => return None,
    })
}
