//! The keys of kind `cutlass`.

use crate::figure::input::key::Key;
use crate::figure::input::kind::Use;
use crate::figure::input::value::{Choice, Expression, Flag, Number, Text};
use crate::hardware::cutlass2::Matrix;

pub(super) static KEYS: &[Use] = &[
    Use::main(&TYPE, "type = ColumnMajor"),
    Use::required(&EXTENT, "extent = (3,5)"),
    Use::optional(&LDM, "ldm = 8"),
    Use::optional(&STRIDE, "stride = 8"),
    Use::optional(&MATRIX, "matrix = row-major\ntype = ContiguousMatrix"),
    Use::optional(&PATH, "path = yes"),
];

pub(super) static TYPE: Key<Text> =
    Key::new("type", Text, "The class, e.g. `RowMajorInterleaved<4>`.");

pub(super) static EXTENT: Key<Expression> =
    Key::new("extent", Expression::ANY, "The extent, e.g. `(8,6)`.");

pub(super) static LDM: Key<Number> = Key::new("ldm", Number::ANY, "The leading dimension.");

pub(super) static STRIDE: Key<Expression> =
    Key::new("stride", Expression::ANY, "The stride, where it is more than one number.");

pub(super) static MATRIX: Key<Choice<Matrix>> = Key::new(
    "matrix",
    Choice::of(&[("column-major", Matrix::ColumnMajor), ("row-major", Matrix::RowMajor)]),
    "The order of a `ContiguousMatrix`.",
);

pub(super) static PATH: Key<Flag> =
    Key::new("path", Flag, "Draw the order of the storage as a path.");
