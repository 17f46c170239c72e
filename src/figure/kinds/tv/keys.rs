//! The keys of kind `tv`.
//!
//! Invariant: a key that is about one memory has an effect only where that memory's layout is given.

use crate::figure::canvas::look::{FOLD, HIGHLIGHT};
use crate::figure::input::key::{Key, Role};
use crate::figure::input::kind::{Use, When};
use crate::figure::input::value::{
    Choice, Element, Expression, List, Number, NumberOr, Several, Word,
};
use crate::hardware::memory::{Matrices, MatrixAccess, SharedInstruction, SwizzleUnit};

pub(super) static KEYS: &[Use] = &[
    Use::optional(&THR, "thr = (4,2):(2,1)"),
    Use::optional(&VAL, "val = (2,2):(1,2)"),
    Use::optional(&TV, "tv = (8,4):(1,8)\ntile = (4,8)\nthr =\nval ="),
    Use::optional(&TILE, "tile = (8,4)\ntv = (8,4):(1,8)\nthr =\nval ="),
    Use::optional(&FOCUS, "focus = 3"),
    Use::optional(&VIEW, "view = inverse"),
    Use::optional(&DATA, "data = (7,6)"),
    Use::optional(&GMEM, "gmem = (2,16):(16,1)\ndtype = f16"),
    Use::optional(&GMEM_DTYPE, "gmem-dtype = f64\ngmem = (2,16):(16,1)\ndtype = f16")
        .when(GMEM_ONLY),
    Use::optional(&GMEM_BASE, "gmem-base = 8\ngmem = (2,16):(16,1)\ndtype = f16").when(GMEM_ONLY),
    Use::optional(
        &GMEM_MAX_BYTES,
        "gmem-max-bytes = 32\ngmem = (2,16):(16,1)\ndtype = f64\nval = (1,4):(4,1)",
    )
    .when(GMEM_ONLY),
    Use::optional(&SMEM, "smem = (2,16):(16,1)\ndtype = f16"),
    Use::optional(&SMEM_DTYPE, "smem-dtype = f64\nsmem = (2,16):(16,1)\ndtype = f16")
        .when(SMEM_ONLY),
    Use::optional(&SMEM_BASE, "smem-base = 4\nsmem = (2,16):(16,1)\ndtype = f16").when(SMEM_ONLY),
    Use::optional(&SMEM_SWIZZLE, "smem-swizzle = S<1,1,3>\nsmem = (2,16):(16,1)\ndtype = f16")
        .when(SMEM_ONLY),
    Use::optional(&SMEM_UNIT, "smem-unit = byte\nsmem = S<1,4,1> o 0 o (2,16):(16,1)\ndtype = f16")
        .when(SMEM_ONLY),
    Use::optional(&SMEM_WIDTH, "smem-width = 16\nsmem = (2,16):(16,1)\ndtype = f16")
        .when(SMEM_ONLY),
    Use::optional(
        &SMEM_DIRECTION,
        "smem-direction = store\nthr = 32:1\nval = 1:1\nsmem = 32:0\ndtype = f64",
    )
    .when(SMEM_ONLY),
    Use::optional(
        &SMEM_INSTRUCTION,
        "smem-instruction = ldmatrix.x1\nthr = (8,1)\nval = (1,8)\nsmem = (8,8):(8,1)\ndtype = f16",
    )
    .when(SMEM_ONLY),
    Use::optional(&SMEM_BANK, "smem-bank = 3\nsmem = (2,16):(16,1)\ndtype = f16").when(SMEM_ONLY),
    Use::optional(&COLOR, "color = value"),
    Use::optional(&SHOW, "show = index"),
    Use::optional(&HIGHLIGHT, "highlight = (0,0)"),
    Use::optional(&FOLD, "fold = flat\nthr = (2,2,2):(1,2,4)\nval = 1:1"),
];

static GMEM_ONLY: &[When] = &[When::Given(&GMEM, "memory-missing")];
static SMEM_ONLY: &[When] = &[When::Given(&SMEM, "memory-missing")];

pub(super) static THR: Key<Expression> =
    Key::new("thr", Expression::ANY, "The layout of the threads; goes with `val`.");

pub(super) static VAL: Key<Expression> =
    Key::new("val", Expression::ANY, "The layout of one thread's values.");

pub(super) static TV: Key<Expression> =
    Key::new("tv", Expression::ANY, "The map (thread, value) to tile; goes with `tile`.");

pub(super) static TILE: Key<Expression> =
    Key::new("tile", Expression::ANY, "The shape of the tile.");

pub(super) static FOCUS: Key<List> =
    Key::new("focus", List, "Threads, or warps as `w0`; the others fade.");

/// Which pictures of the map are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum View {
    Tile,
    Inverse,
    Both,
}

pub(super) static VIEW: Key<Choice<View>> = Key::new(
    "view",
    Choice::of(&[("tile", View::Tile), ("inverse", View::Inverse), ("both", View::Both)]),
    "The tile, the table (thread, value) to coordinate, or both.",
);

pub(super) static DATA: Key<Expression> =
    Key::new("data", Expression::ANY, "A larger shape that the tile repeats over.");

pub(super) static GMEM: Key<Expression> =
    Key::new("gmem", Expression::ANY, "The layout in global memory, in elements.");

pub(super) static GMEM_DTYPE: Key<Element> =
    Key::new("gmem-dtype", Element, "Its element type, if not `dtype`.");

pub(super) static GMEM_BASE: Key<NumberOr> =
    Key::new("gmem-base", NumberOr { default: 0, bounds: Number::ANY }, "Its address in bytes.");

pub(super) static GMEM_MAX_BYTES: Key<Choice<i64>> = Key::new(
    "gmem-max-bytes",
    Choice::of(&[("16", 16), ("32", 32)]),
    "The widest access of one thread, in bytes.",
);

pub(super) static SMEM: Key<Expression> =
    Key::new("smem", Expression::ANY, "The layout in shared memory, in elements.");

pub(super) static SMEM_DTYPE: Key<Element> =
    Key::new("smem-dtype", Element, "Its element type, if not `dtype`.");

pub(super) static SMEM_BASE: Key<NumberOr> =
    Key::new("smem-base", NumberOr { default: 0, bounds: Number::ANY }, "Its address in bytes.");

pub(super) static SMEM_SWIZZLE: Key<Expression> =
    Key::new("smem-swizzle", Expression::ANY, "A swizzle applied after `smem`.");

pub(super) static SMEM_UNIT: Key<Word<SwizzleUnit>> = Key::new(
    "smem-unit",
    Word(&[("element", SwizzleUnit::Element), ("byte", SwizzleUnit::Byte)]),
    "What the swizzle counts; left out, elements, with a warning where bytes give another verdict.",
);

pub(super) static SMEM_WIDTH: Key<Number> =
    Key::new("smem-width", Number::ANY, "The access width in bits, if not derived.");

/// Which way an access goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    Load,
    Store,
}

pub(super) static SMEM_DIRECTION: Key<Choice<Direction>> = Key::new(
    "smem-direction",
    Choice::of(&[("load", Direction::Load), ("store", Direction::Store)]),
    "Loads or stores.",
);

const fn matrix(store: bool, matrices: Matrices) -> SharedInstruction {
    SharedInstruction::Matrix(MatrixAccess { store, matrices })
}

pub(super) static SMEM_INSTRUCTION: Key<Choice<SharedInstruction>> = Key::new(
    "smem-instruction",
    Choice::of(&[
        ("lds", SharedInstruction::Load),
        ("sts", SharedInstruction::Store),
        ("ldmatrix.x1", matrix(false, Matrices::X1)),
        ("ldmatrix.x2", matrix(false, Matrices::X2)),
        ("ldmatrix.x4", matrix(false, Matrices::X4)),
        ("stmatrix.x1", matrix(true, Matrices::X1)),
        ("stmatrix.x2", matrix(true, Matrices::X2)),
        ("stmatrix.x4", matrix(true, Matrices::X4)),
    ]),
    "The instruction; with a matrix instruction `tv` maps lanes to row addresses.",
);

pub(super) static SMEM_BANK: Key<List> = Key::new("smem-bank", List, "Show only these banks.");

/// What colors mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Color {
    Thread,
    Warp,
    Value,
}

pub(super) static COLOR: Key<Choice<Color>> = Key::new(
    "color",
    Choice::of(&[("thread", Color::Thread), ("warp", Color::Warp), ("value", Color::Value)]),
    "What the colors mean.",
)
.role(Role::Look);

/// What a label of the tile, or of shared memory, is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Show {
    Owner,
    Thread,
    Value,
    Index,
    Coord,
    Offset,
    Bank,
}

pub(super) static SHOW: Key<Several<Show>> = Key::new(
    "show",
    Several(&[
        ("owner", Show::Owner),
        ("thread", Show::Thread),
        ("value-id", Show::Value),
        ("value", Show::Value),
        ("index", Show::Index),
        ("coord", Show::Coord),
        ("offset", Show::Offset),
        ("bank", Show::Bank),
    ]),
    "What the labels of the cells are; `offset` and `bank` are those of shared memory.",
)
.role(Role::Look);
