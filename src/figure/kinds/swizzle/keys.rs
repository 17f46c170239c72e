//! The keys of kind `swizzle`.

use crate::figure::canvas::look::{FOLD, HIGHLIGHT, SHOW};
use crate::figure::input::key::{Key, Role};
use crate::figure::input::kind::Use;
use crate::figure::input::value::{Choice, Expression, Word};
use crate::hardware::memory::SwizzleUnit;

pub(super) static KEYS: &[Use] = &[
    Use::main(&LAYOUT, "layout = (8,8):(1,8)"),
    Use::optional(&SWIZZLE, "swizzle = S<2,0,3>"),
    Use::optional(&UNIT, "unit = byte\ndtype = f16\nlayout = (8,64):(64,1)\nswizzle = S<3,4,3>"),
    Use::optional(&COLOR, "color = value"),
    Use::optional(&SHOW, "show = index"),
    Use::optional(&HIGHLIGHT, "highlight = (0,0)"),
    Use::optional(&FOLD, "fold = flat\nlayout = (4,4,4):(1,4,16)"),
];

pub(super) static LAYOUT: Key<Expression> =
    Key::new("layout", Expression::ANY, "The layout, with or without the swizzle.");

pub(super) static SWIZZLE: Key<Expression> =
    Key::new("swizzle", Expression::ANY, "The swizzle, if the layout has none.");

pub(super) static UNIT: Key<Word<SwizzleUnit>> = Key::new(
    "unit",
    Word(&[("element", SwizzleUnit::Element), ("byte", SwizzleUnit::Byte)]),
    "What the swizzle counts; left out, elements. Where a pointer or an atom carries it, the form that is printed: left out, bytes.",
);

pub(super) static COLOR: Key<Choice<Color>> = Key::new(
    "color",
    Choice::of(&[("bits", Color::Bits), ("value", Color::Value), ("none", Color::None)]),
    "What the colors mean.",
)
.role(Role::Look);

/// What colors mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Color {
    Bits,
    Value,
    None,
}
