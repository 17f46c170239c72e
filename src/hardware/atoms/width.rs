//! How many bits one copy moves: which widths an atom takes, and which of them C++ has a type for.
//!
//! In: a cell of the table, and the width that somebody asks for. Out: the width, or the refusal.
//! Invariant: width 0 is CuTe's placeholder layout, no width is an instruction of one size.

use crate::cute::{Error, Result};
use crate::hardware::dtype::ElementType;

/// How `bits` may be chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum BitsRule {
    Fixed,
    PowerOfTwo,
    Positive,
    Element,
    Open,
    Ignored,
    OneOf(Vec<i64>),
}

impl BitsRule {
    /// Reads a cell; `None` if it is no rule.
    pub(super) fn parse(text: &str) -> Option<Self> {
        Some(match text {
            "fixed" => Self::Fixed,
            "power" => Self::PowerOfTwo,
            "positive" => Self::Positive,
            "element" => Self::Element,
            "bulk" | "box" => Self::Open,
            "ignored" => Self::Ignored,
            list => Self::OneOf(numbers(list)?),
        })
    }

    /// Gives the width in bits; 0 is CuTe's placeholder layout, none a fixed instruction.
    ///
    /// # Errors
    /// A width that the rule excludes; `name` is the atom's.
    pub(super) fn bits(
        &self,
        asked: Option<i64>,
        dtype: ElementType,
        name: &str,
    ) -> Result<Option<i64>> {
        let element = dtype.bits();
        let refuse =
            |what: String| Err(Error::rule("copy-bits", format!("`{name}` copies {what}")));
        let one_element = || match asked {
            None | Some(0) => element,
            Some(bits) => bits,
        };
        match self {
            Self::Fixed | Self::Ignored => match asked {
                Some(bits) if *self == Self::Fixed && bits != 0 => {
                    refuse(format!("a fixed number of bits, not `bits = {bits}`"))
                }
                _ => Ok(None),
            },
            Self::PowerOfTwo if matches!(asked, None | Some(0)) => Ok(Some(0)),
            Self::PowerOfTwo | Self::Element => {
                let bits = one_element();
                if bits < 8 || bits.count_ones() != 1 {
                    return refuse(format!("8, 16, 32 ... bits (a power of two), not {bits}"));
                }
                if *self == Self::Element && bits % element != 0 {
                    return refuse(format!(
                        "whole elements: {bits} bits are not a multiple of the {element} bits of `{dtype}`"
                    ));
                }
                Ok(Some(bits))
            }
            Self::Positive => match asked {
                None => Ok(Some(element)),
                Some(bits) if bits > 0 => Ok(Some(bits)),
                Some(bits) => refuse(format!("1 bit or more, not {bits}")),
            },
            Self::Open => match asked.unwrap_or(0) {
                bits if bits < 0 => refuse(format!("a positive number of bits, not {bits}")),
                bits => Ok(Some(bits)),
            },
            Self::OneOf(list) => match asked {
                Some(bits) if !list.contains(&bits) => {
                    let list: Vec<String> = list.iter().map(ToString::to_string).collect();
                    refuse(format!("{} bits (0 is one element), not {bits}", list.join(", ")))
                }
                _ => Ok(Some(one_element())),
            },
        }
    }

    /// Returns whether code has to give the width: not where the atom takes it from the element.
    pub(super) fn is_written(&self, bits: i64) -> bool {
        match self {
            Self::Fixed | Self::Ignored => false,
            Self::OneOf(list) => list.contains(&bits),
            _ => true,
        }
    }
}

/// The widths that C++ takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Widths {
    /// There is no choice.
    Any,
    /// One of these.
    OneOf(Vec<i64>),
    /// A multiple of this many bits.
    MultipleOf(i64),
}

impl Widths {
    /// Reads a cell; `None` if it is none.
    pub(super) fn parse(text: &str) -> Option<Self> {
        match text.split_once('*') {
            Some((step, "")) => step.parse().ok().filter(|step| *step > 0).map(Self::MultipleOf),
            Some(_) => None,
            None if text.is_empty() => Some(Self::Any),
            None => numbers(text).map(Self::OneOf),
        }
    }

    pub(super) fn contains(&self, bits: i64) -> bool {
        match self {
            Self::Any => true,
            Self::OneOf(list) => list.contains(&bits),
            Self::MultipleOf(step) => bits % step == 0,
        }
    }
}

fn numbers(list: &str) -> Option<Vec<i64>> {
    list.split(' ').map(|number| number.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_rules_or_refused() {
        assert_eq!(BitsRule::parse("0 32"), Some(BitsRule::OneOf(vec![0, 32])));
        assert_eq!(BitsRule::parse("fxed"), None);
        assert!(Widths::parse("128*").is_some_and(|w| w.contains(384) && !w.contains(64)));
        assert!(Widths::parse("32 64").is_some_and(|w| w.contains(64) && !w.contains(96)));
        assert!(Widths::parse("").is_some_and(|w| w.contains(7)));
        assert_eq!(
            (Widths::parse("0*"), Widths::parse("8*8"), Widths::parse("x")),
            (None, None, None)
        );
    }
}
