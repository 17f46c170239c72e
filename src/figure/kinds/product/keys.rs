//! The keys of kind `product`.

use super::form::{FORMS, Form};
use crate::figure::canvas::look::{FOLD, HIGHLIGHT, SHOW};
use crate::figure::input::key::{Key, Role};
use crate::figure::input::kind::Use;
use crate::figure::input::value::{Choice, Expression, Word};

pub(super) static KEYS: &[Use] = &[
    Use::required(&A, "A = (2,2):(2,1)"),
    Use::required(&TILER, "tiler = (3,4):(1,3)"),
    Use::optional(&COLOR, "color = value"),
    Use::optional(&SHOW, "show = index"),
    Use::optional(&HIGHLIGHT, "highlight = 0"),
    Use::optional(&FOLD, "fold = flat\nA = (2,2,2):(1,2,4)\ntiler = 2"),
];

pub(super) static WITH_RAKED: &[Use] = &[Use::optional(&WITH, "with = raked")];
pub(super) static WITH_BLOCKED: &[Use] = &[Use::optional(&WITH, "with = blocked")];

pub(super) static A: Key<Expression> =
    Key::new("A", Expression::ANY, "The block that is repeated.");

pub(super) static TILER: Key<Expression> =
    Key::new("tiler", Expression::ANY, "How the copies are laid out.");

pub(super) static WITH: Key<Word<Form>> = Key::new("with", Word(FORMS), "A second form beside it.");

/// What colors mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Color {
    Copy,
    Value,
    None,
}

pub(super) static COLOR: Key<Choice<Color>> = Key::new(
    "color",
    Choice::of(&[("copy", Color::Copy), ("value", Color::Value), ("none", Color::None)]),
    "What the colors mean.",
)
.role(Role::Look);
