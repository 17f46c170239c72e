//! The keys of kind `compose`.

use crate::figure::canvas::look::{FOLD, HIGHLIGHT, SHOW};
use crate::figure::input::key::{Key, Role};
use crate::figure::input::kind::Use;
use crate::figure::input::value::{Choice, Expression, Flag};

pub(super) static KEYS: &[Use] = &[
    Use::main(&A, "A = (4,8):(1,4)"),
    Use::required(&B, "B = 8:2"),
    Use::optional(&COMPLEMENT, "complement = yes"),
    Use::optional(&COLOR, "color = value"),
    Use::optional(&SHOW, "show = index"),
    Use::optional(&HIGHLIGHT, "highlight = (0,0)"),
    Use::optional(&FOLD, "fold = flat\nA = (2,3,4):(1,2,6)\nB = 2:1"),
];

pub(super) static A: Key<Expression> = Key::new("A", Expression::ANY, "The outer layout.");

pub(super) static B: Key<Expression> =
    Key::new("B", Expression::ANY, "What it is composed with: layout, tiler or shape.");

pub(super) static COMPLEMENT: Key<Flag> =
    Key::new("complement", Flag, "Also draw the complement of B in A's size.");

pub(super) static COLOR: Key<Choice<Color>> = Key::new(
    "color",
    Choice::of(&[("index", Color::Index), ("value", Color::Value), ("none", Color::None)]),
    "What the colors mean.",
)
.role(Role::Look);

/// What colors mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Color {
    Index,
    Value,
    None,
}
