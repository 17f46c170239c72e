//! The keys of kind `local-tile`.

use crate::figure::canvas::look::{FOLD, HIGHLIGHT, SHOW};
use crate::figure::input::key::{Key, Role};
use crate::figure::input::kind::Use;
use crate::figure::input::value::{Choice, Expression, Number, NumberOr};

pub(super) static TAKEN: &[Use] = &[
    Use::required(&A, "A = (8,8):(1,8)"),
    Use::required(&TILER, "tiler = (4,2)"),
    Use::optional(&SHOW, "show = index"),
    Use::optional(&HIGHLIGHT, "highlight = 0"),
];

pub(super) static TILE: &[Use] = &[
    Use::optional(&TILE_COLOR, "color = none"),
    Use::optional(&FOLD, "fold = flat\nA = (8,8,2):(8,1,64)\ntiler = (4,4)\ncoord = (0,0)"),
    Use::required(&COORD, "coord = (1,_)"),
    Use::optional(&PROJ, "proj = (1,X,1)\ntiler = <4,2,4>\ncoord = (0,1,_)"),
];

pub(super) static PARTITION: &[Use] = &[
    Use::optional(&PART_COLOR, "color = none"),
    Use::optional(&INDEX, "index = 3"),
    Use::optional(&PROJ, "proj = (1,X)\nA = 8:1"),
];

pub(super) static A: Key<Expression> = Key::new("A", Expression::ANY, "The tensor or layout.");

pub(super) static TILER: Key<Expression> =
    Key::new("tiler", Expression::ANY, "The tile, or the layout of the threads.");

pub(super) static COORD: Key<Expression> =
    Key::new("coord", Expression::ANY, "Which tile; `_` keeps a mode.");

pub(super) static INDEX: Key<NumberOr> =
    Key::new("index", NumberOr { default: 0, bounds: Number::ANY }, "Which thread.");

/// What colors mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Color {
    /// The tile or part that an element belongs to.
    Owner,
    None,
}

pub(super) static TILE_COLOR: Key<Choice<Color>> = Key::new(
    "color",
    Choice::of(&[("tile", Color::Owner), ("none", Color::None)]),
    "What the colors mean.",
)
.role(Role::Look);

pub(super) static PART_COLOR: Key<Choice<Color>> = Key::new(
    "color",
    Choice::of(&[("part", Color::Owner), ("none", Color::None)]),
    "What the colors mean.",
)
.role(Role::Look);

pub(super) static PROJ: Key<Expression> =
    Key::new("proj", Expression::ANY, "Which modes of the tiler apply, e.g. `(1,X,1)`.");
