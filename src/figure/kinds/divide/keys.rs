//! The keys of kind `divide`.

use crate::figure::canvas::look::{FOLD, HIGHLIGHT, SHOW};
use crate::figure::input::key::{Key, Role};
use crate::figure::input::kind::Use;
use crate::figure::input::value::{Choice, Expression, Flag};

pub(super) static KEYS: &[Use] = &[
    Use::required(&A, "A = (4,8):(1,4)"),
    Use::required(&TILER, "tiler = <2,2>"),
    Use::optional(&OFFSETS, "offsets = yes"),
    Use::optional(&COLOR, "color = value"),
    Use::optional(&SHOW, "show = index"),
    Use::optional(&HIGHLIGHT, "highlight = 0"),
    Use::optional(&FOLD, "fold = flat\nA = (2,3,4):(1,2,6)\ntiler = 2"),
];

pub(super) static A: Key<Expression> = Key::new("A", Expression::ANY, "The layout.");

pub(super) static TILER: Key<Expression> =
    Key::new("tiler", Expression::ANY, "The tile: layout, shape or `<a,b>` by mode.");

pub(super) static OFFSETS: Key<Flag> =
    Key::new("offsets", Flag, "Print the base offset of each tile.");

/// What colors mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Color {
    Tile,
    Value,
    None,
}

pub(super) static COLOR: Key<Choice<Color>> = Key::new(
    "color",
    Choice::of(&[("tile", Color::Tile), ("value", Color::Value), ("none", Color::None)]),
    "What the colors mean.",
)
.role(Role::Look);
