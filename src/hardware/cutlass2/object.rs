//! An object of a layout class: the class with its run-time strides, and its members.
//!
//! In: a class, strides (or an extent to pack) and extents. Out: what each member answers.
//! Invariant: the strides have the class's stride rank and width; arithmetic is checked where C++
//! would wrap.

use super::class::{Class, Matrix};
use super::inverse::Inverse;
use super::strided::{self, Mode};
use crate::diagnostic::Diagnostic;

/// A layout class with strides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    class: Class,
    stride: Vec<i64>,
    matrix: Matrix,
    modes: Option<Vec<Mode>>,
}

impl Object {
    /// Makes the object from its strides, as the constructors do: one number is the ldm, or the
    /// outer stride of an affine class of rank 2.
    ///
    /// # Errors
    /// A number of strides that no constructor takes, and strides that do not fit their type.
    pub fn with_stride(class: Class, stride: &[i64], matrix: Matrix) -> Result<Self, Diagnostic> {
        let stride = match (class, stride) {
            (Class::AffineRank2ColumnMajor, &[outer]) => vec![1, outer],
            (Class::AffineRank2RowMajor | Class::AffineRankN(2), &[outer]) => vec![outer, 1],
            (Class::GeneralMatrix, &[ldm]) => vec![ldm, 1],
            _ => stride.to_vec(),
        };
        if class == Class::PackedVectorLayout && stride != [1] {
            return Err(error(
                "cutlass-stride",
                "`PackedVectorLayout` has no constructor with a stride: it is always 1".to_owned(),
            )
            .hint("leave the stride out"));
        }
        if stride.len() != class.stride_rank() {
            return Err(error(
                "cutlass-stride",
                format!(
                    "`{class}::stride` has {} (`kStrideRank`), not {}",
                    counted(class.stride_rank(), "number"),
                    stride.len(),
                ),
            )
            .hint(stride_hint(class)));
        }
        if let Some(wide) =
            stride.iter().find(|&&s| class.stride_bits() == 32 && i32::try_from(s).is_err())
        {
            return Err(error(
                "cutlass-stride",
                format!("`{class}` keeps strides as 32-bit integers, and {wide} does not fit"),
            ));
        }
        if let (Class::GeneralMatrix, &[_, interleave]) = (class, stride.as_slice())
            && interleave < 1
        {
            return Err(error(
                "cutlass-stride",
                format!(
                    "`GeneralMatrix::operator()` divides by its interleave, which is {interleave}"
                ),
            )
            .hint("the second stride is the interleave: use 1 or more"));
        }
        let modes = strided::modes(class, &stride, matrix);
        Ok(Self { class, stride, matrix, modes })
    }

    /// Calls `packed(extent)`.
    ///
    /// # Errors
    /// A bad extent, and strides that do not fit their type.
    pub fn packed(class: Class, extent: &[i64], matrix: Matrix) -> Result<Self, Diagnostic> {
        check_extent(class, extent)?;
        let wraps = || overflow(class, "packed");
        let product = |factors: &[i64]| {
            factors
                .iter()
                .try_fold(1_i64, |product, &factor| product.checked_mul(factor))
                // All but the affine classes pack with 32-bit coordinates.
                .filter(|&value| {
                    matches!(class, Class::AffineRankN(_)) || i32::try_from(value).is_ok()
                })
                .ok_or_else(wraps)
        };
        let stride = match (class, extent) {
            (Class::RowMajor, &[_, columns]) => vec![columns],
            (Class::ColumnMajor, &[rows, _]) => vec![rows],
            (Class::RowMajorInterleaved(n), &[_, columns]) => vec![product(&[columns, n])?],
            (Class::ColumnMajorInterleaved(n), &[rows, _]) => vec![product(&[rows, n])?],
            (Class::ContiguousMatrix | Class::GeneralMatrix, &[rows, columns]) => {
                let ldm = if matrix == Matrix::RowMajor { columns } else { rows };
                if class == Class::GeneralMatrix { vec![ldm, 1] } else { vec![ldm] }
            }
            (Class::AffineRank2ColumnMajor, &[rows, _]) => vec![1, rows],
            (Class::AffineRank2RowMajor, &[_, columns]) => vec![columns, 1],
            (Class::AffineRankN(rank), extent) => {
                (0..rank).map(|i| product(&extent[i + 1..])).collect::<Result<_, _>>()?
            }
            (Class::ColumnMajorBlockLinear(r, c), &[rows, _]) => vec![product(&[rows, r, c])?],
            (Class::RowMajorBlockLinear(r, c), &[_, columns]) => vec![product(&[columns, r, c])?],
            (Class::PitchLinear, &[contiguous, _]) => vec![contiguous],
            (Class::TensorNHWC, &[_, h, w, c]) => {
                vec![c, product(&[w, c])?, product(&[h, w, c])?]
            }
            (Class::TensorNCHW, &[_, h, w, c]) => {
                vec![w, product(&[w, h])?, product(&[h, w, c])?]
            }
            (Class::TensorNCxHWx(x), &[_, h, w, c]) => {
                vec![product(&[x, w])?, product(&[x, w, h])?, product(&[h, w, c])?]
            }
            (Class::TensorCxRSKx(x), &[n, h, w, _]) => {
                vec![product(&[x, n])?, product(&[x, n, w])?, product(&[x, n, w, h])?]
            }
            (Class::TensorNDHWC, &[_, d, h, w, c]) => {
                vec![c, product(&[w, c])?, product(&[h, w, c])?, product(&[d, h, w, c])?]
            }
            (Class::Multiplicand(multiplicand), &[a, b]) => {
                let stride = multiplicand.packed([a, b]).ok_or_else(wraps)?;
                vec![product(&[stride])?]
            }
            _ => vec![1],
        };
        Self::with_stride(class, &stride, matrix)
    }

    /// Returns the class.
    #[must_use]
    pub const fn class(&self) -> Class {
        self.class
    }

    /// Returns the major of a class that keeps one.
    #[must_use]
    pub fn matrix(&self) -> Option<Matrix> {
        self.class.has_matrix().then_some(self.matrix)
    }

    /// Calls `stride()`.
    #[must_use]
    pub fn stride(&self) -> &[i64] {
        &self.stride
    }

    /// Calls `stride(i)`.
    ///
    /// # Errors
    /// Classes without that member, and an index that is none.
    pub fn stride_at(&self, i: usize) -> Result<i64, Diagnostic> {
        let class = self.class;
        if !class.has_stride_by_index() {
            return Err(error("cutlass-member", format!("`{class}` has no member `stride(int)`"))
                .hint("`stride()` returns all of them"));
        }
        self.stride.get(i).copied().ok_or_else(|| {
            error(
                "cutlass-member",
                format!(
                    "`{class}::stride({i})` is out of range: it has {}",
                    counted(class.stride_rank(), "stride")
                ),
            )
        })
    }

    /// Calls `operator()`: the offset of a coordinate in elements. Like the class it does not look
    /// at any extent.
    ///
    /// # Errors
    /// A coordinate of another rank or below zero, and products that wrap in C++.
    pub fn offset(&self, coord: &[i64]) -> Result<i64, Diagnostic> {
        let class = self.class;
        if coord.len() != class.rank() {
            return Err(wrong_rank(class, "a coordinate", coord.len()));
        }
        if let Some(bad) = coord.iter().find(|&&i| i < 0 || i32::try_from(i).is_err()) {
            return Err(error(
                "cutlass-coord",
                format!("`{class}::operator()` takes coordinates from 0 to 2147483647, not {bad}"),
            ));
        }
        let wraps = || overflow(class, "operator()");
        let narrow = |value: &i64| !class.multiplies_in_32_bits() || i32::try_from(*value).is_ok();
        match (&self.modes, class, coord) {
            (Some(modes), ..) => {
                let mut offset = 0_i64;
                for (stride, count) in modes.iter().zip(coord).flat_map(|(mode, &i)| mode.parts(i))
                {
                    let step = stride.checked_mul(count).filter(narrow).ok_or_else(wraps)?;
                    offset = offset.checked_add(step).ok_or_else(wraps)?;
                }
                Ok(offset)
            }
            (None, Class::Multiplicand(multiplicand), &[a, b]) => {
                multiplicand.offset([a, b], self.ldm()).filter(narrow).ok_or_else(wraps)
            }
            _ => Err(wrong_rank(class, "a coordinate", coord.len())),
        }
    }

    /// Calls `capacity(extent)`: how many elements the class says it needs.
    ///
    /// # Errors
    /// A bad extent, and products that wrap in C++.
    pub fn capacity(&self, extent: &[i64]) -> Result<i64, Diagnostic> {
        let class = self.class;
        check_extent(class, extent)?;
        let step = |i: usize| self.stride.get(i).copied().unwrap_or(0);
        let groups = |extent: i64, size: i64| extent.saturating_add(size - 1) / size;
        let ldm = self.ldm();
        let (count, stride) = match (class, extent) {
            (Class::RowMajor | Class::AffineRank2RowMajor, &[rows, _]) => (rows, ldm),
            (Class::ColumnMajor | Class::PitchLinear, &[_, columns]) => (columns, ldm),
            (Class::AffineRank2ColumnMajor, &[_, columns]) => (columns, step(1)),
            (Class::RowMajorInterleaved(n) | Class::RowMajorBlockLinear(n, _), &[rows, _]) => {
                (groups(rows, n), ldm)
            }
            (
                Class::ColumnMajorInterleaved(n) | Class::ColumnMajorBlockLinear(_, n),
                &[_, columns],
            ) => (groups(columns, n), ldm),
            (Class::ContiguousMatrix, &[rows, columns]) => {
                (if self.matrix == Matrix::RowMajor { rows } else { columns }, ldm)
            }
            (Class::GeneralMatrix, &[rows, columns]) => {
                let strided = if self.matrix == Matrix::RowMajor { rows } else { columns };
                (groups(strided, step(1)), ldm)
            }
            (Class::AffineRankN(_), extent) => {
                // The first of the largest strides decides, whatever its extent.
                let largest = (0..self.stride.len())
                    .fold(0, |best, i| if self.stride[i] > self.stride[best] { i } else { best });
                (extent[largest], step(largest))
            }
            (Class::TensorNHWC | Class::TensorNCHW | Class::TensorNCxHWx(_), &[n, ..]) => {
                (n, step(2))
            }
            (Class::TensorCxRSKx(x), &[.., c]) => (c / x, step(2)),
            (Class::TensorNDHWC, &[n, ..]) => (n, step(3)),
            (Class::Multiplicand(multiplicand), &[a, b]) => {
                (multiplicand.capacity([a, b], 1).unwrap_or(0), ldm)
            }
            (_, &[extent, ..]) => (extent, 1),
            (_, &[]) => (0, 1),
        };
        count
            .checked_mul(stride)
            .filter(|value| !class.multiplies_in_32_bits() || i32::try_from(*value).is_ok())
            .ok_or_else(|| overflow(class, "capacity"))
    }

    /// Calls `inverse(offset)`: the coordinate that the class says is stored there.
    ///
    /// # Errors
    /// Classes without that member, and a division by a stride of 0.
    pub fn inverse(&self, offset: i64) -> Result<Vec<i64>, Diagnostic> {
        let class = self.class;
        match class.inverse() {
            Inverse::Real => self.real_inverse(offset).ok_or_else(|| {
                error("cutlass-inverse", format!("`{class}::inverse` divides by a stride of 0"))
                    .hint("the default ldm is 0: give `ldm`, or let `packed(extent)` choose it")
            }),
            Inverse::Stub => Ok(vec![0; class.rank()]),
            Inverse::Uncompilable => Err(error(
                "cutlass-member",
                format!(
                    "`{class}::inverse` is declared but does not compile: its base class has no `inverse`"
                ),
            )),
            Inverse::None => {
                Err(error("cutlass-member", format!("`{class}` has no member `inverse`")))
            }
        }
    }

    fn real_inverse(&self, offset: i64) -> Option<Vec<i64>> {
        let ldm = self.ldm();
        let (outer, inner) = (offset.checked_div(ldm)?, offset.checked_rem(ldm)?);
        Some(match self.class {
            Class::RowMajor => vec![outer, inner],
            Class::RowMajorInterleaved(n) => {
                vec![outer.checked_mul(n)?.checked_add(inner % n)?, inner / n]
            }
            Class::ColumnMajorInterleaved(n) => {
                vec![inner / n, outer.checked_mul(n)?.checked_add(inner % n)?]
            }
            Class::TensorNHWC => {
                let (image_stride, line_stride) = (self.stride.get(2)?, self.stride.get(1)?);
                let image = offset.checked_rem(*image_stride)?;
                let line = image.checked_rem(*line_stride)?;
                vec![
                    offset.checked_div(*image_stride)?,
                    image.checked_div(*line_stride)?,
                    line.checked_div(ldm)?,
                    line.checked_rem(ldm)?,
                ]
            }
            _ => vec![inner, outer],
        })
    }

    /// Returns the sizes of the groups that coordinate `i` is split into, innermost first: the group
    /// of an interleaved class, the access and the tile of a tensor-op class.
    #[must_use]
    pub fn groups(&self, i: usize) -> Vec<i64> {
        match (&self.modes, self.class) {
            (Some(modes), _) => modes
                .get(i)
                .and_then(|mode| mode.group)
                .map(|group| group.size)
                .into_iter()
                .collect(),
            (None, Class::Multiplicand(multiplicand)) => multiplicand.groups(i),
            (None, _) => Vec::new(),
        }
    }

    /// Returns the sum-of-strides form, which the tensor-op classes do not have.
    pub(super) fn modes(&self) -> Option<&[Mode]> {
        self.modes.as_deref()
    }

    /// Returns the first stride.
    pub(super) fn ldm(&self) -> i64 {
        self.stride.first().copied().unwrap_or(0)
    }
}

/// Refuses extents that the class cannot be called with.
pub(super) fn check_extent(class: Class, extent: &[i64]) -> Result<(), Diagnostic> {
    if extent.len() != class.rank() {
        return Err(wrong_rank(class, "an extent", extent.len()));
    }
    match extent.iter().find(|&&n| n < 1 || i32::try_from(n).is_err()) {
        Some(bad) => Err(error(
            "cutlass-extent",
            format!("an extent of `{class}` is 1 to 2147483647, not {bad}"),
        )),
        None => Ok(()),
    }
}

fn wrong_rank(class: Class, what: &str, got: usize) -> Diagnostic {
    error(
        "cutlass-extent",
        format!(
            "{what} of `{class}` has {} ({}), not {got}",
            counted(class.rank(), "number"),
            class.coord_names().join(", "),
        ),
    )
}

fn stride_hint(class: Class) -> String {
    match class {
        Class::TensorNHWC | Class::TensorNCxHWx(_) => {
            "the strides are those of w, h and n, in this order".to_owned()
        }
        Class::TensorNCHW => "the strides are those of h, c and n, in this order".to_owned(),
        Class::TensorCxRSKx(_) => {
            "the strides are those of w, h and the group of c, in this order".to_owned()
        }
        Class::TensorNDHWC => "the strides are those of w, h, d and n, in this order".to_owned(),
        Class::GeneralMatrix => "the strides are the ldm and the interleave".to_owned(),
        Class::AffineRank2ColumnMajor | Class::AffineRank2RowMajor => {
            "the strides are those of the row and of the column".to_owned()
        }
        _ if class.stride_rank() == 1 => "it is the ldm".to_owned(),
        _ => "one for each coordinate".to_owned(),
    }
}

fn counted(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

fn overflow(class: Class, member: &str) -> Diagnostic {
    let bits = if class.multiplies_in_32_bits() || member == "packed" { 32 } else { 64 };
    error("overflow", format!("a product in `{class}::{member}` does not fit into {bits} bits"))
}

fn error(code: &'static str, text: String) -> Diagnostic {
    Diagnostic::error(code, text)
}
