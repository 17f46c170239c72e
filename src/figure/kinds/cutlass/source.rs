//! What a `cutlass` figure is about: a layout class with its strides, over an extent.
//!
//! In: `type`, `extent`, `ldm` or `stride`, `matrix`. Out: a [`Source`]. Invariant: extent and strides
//! fit the class.

use super::keys::{EXTENT, LDM, MATRIX, STRIDE, TYPE};
use crate::cute::IntTuple;
use crate::diagnostic::Diagnostic;
use crate::expr::Value;
use crate::figure::input::entry::Problem;
use crate::figure::input::key::KeyDef;
use crate::figure::input::keys::Keys;
use crate::hardware::cutlass2::{Class, Given, Matrix, Object};

/// What the keys say.
pub(super) struct Source {
    pub(super) object: Object,
    pub(super) extent: Vec<i64>,
    pub(super) matrix: Matrix,
    pub(super) given: Given,
}

impl Source {
    pub(super) fn read(keys: &Keys<'_>) -> Result<Self, Problem> {
        let class = Class::parse(keys.get(&TYPE).unwrap_or_default())
            .map_err(|error| keys.problem(&TYPE, error))?;
        let extent = flat(&keys.ints(&EXTENT)?);
        let matrix = keys.get(&MATRIX);
        if keys.has(&MATRIX) && !class.has_matrix() {
            let text = format!("`{class}` has its order in its name, not as a `Matrix` value");
            let error = Diagnostic::error("cutlass-matrix", text)
                .hint("leave `matrix` out, or use `ContiguousMatrix`");
            return Err(keys.problem(&MATRIX, error));
        }
        let (key, stride): (&dyn KeyDef, _) =
            match (keys.get(&LDM), keys.read(&STRIDE, Value::to_ints)?) {
                (Some(_), Some(_)) => {
                    let error =
                        Diagnostic::error("cutlass-stride", "`ldm` and `stride` say the same")
                            .hint("give one of them");
                    return Err(keys.problem(&STRIDE, error));
                }
                (Some(ldm), None) => (&LDM, Some(vec![ldm])),
                (None, stride) => (&STRIDE, stride.as_ref().map(flat)),
            };
        // Called for its refusal of extents that do not fit the class.
        let packed = Object::packed(class, &extent, matrix);
        let packed = packed.map_err(|error| keys.problem(&EXTENT, error))?;
        let (object, given) = match stride {
            Some(stride) => {
                let object = Object::with_stride(class, &stride, matrix);
                (object.map_err(|error| keys.problem(key, error))?, Given::Stride)
            }
            None => (packed, Given::Packed),
        };
        Ok(Self { object, extent, matrix, given })
    }

    pub(super) const fn class(&self) -> Class {
        self.object.class()
    }

    pub(super) fn title(&self) -> String {
        let class = self.class();
        let extent: Vec<String> = self.extent.iter().map(i64::to_string).collect();
        let stride = match self.object.stride() {
            [ldm] if class != Class::PackedVectorLayout => format!(", ldm {ldm}"),
            [_] => String::new(),
            strides => format!(", stride {}", tuple(strides)),
        };
        let matrix = match self.object.matrix() {
            Some(Matrix::RowMajor) => ", kRowMajor",
            Some(Matrix::ColumnMajor) => ", kColumnMajor",
            None => "",
        };
        format!("{class} of {}{stride}{matrix}", extent.join("x"))
    }
}

fn flat(tuple: &IntTuple) -> Vec<i64> {
    tuple.leaves().copied().collect()
}

/// Writes a coordinate or an extent.
pub(super) fn tuple(numbers: &[i64]) -> String {
    let numbers: Vec<String> = numbers.iter().map(i64::to_string).collect();
    format!("({})", numbers.join(","))
}
