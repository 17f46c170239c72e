//! Strides: integers and scaled bases.
//!
//! In: what one step along a mode adds to the offset. Out: the same as text and as arithmetic.
//! Invariant: a [`Path`] is never empty and at most [`Path::MAX_DEPTH`] long. A scaled basis prints
//! its path innermost first (`2@1@0` is `2 * E<0,1>`), as CuTe does.

use super::error::{Error, Result};
use super::tree::Tree;
use std::fmt;

/// The strides of a layout: congruent with its shape.
pub type Stride = Tree<StrideLeaf>;

/// One stride.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum StrideLeaf {
    /// A distance in elements; may be zero or negative.
    Int(i64),
    /// `value * E<path>`: steps of `value` along one mode of a coordinate.
    Basis {
        /// The scale.
        value: i64,
        /// The mode of the coordinate.
        path: Path,
    },
}

impl StrideLeaf {
    /// The stride of a mode that does not move.
    pub const ZERO: Self = Self::Int(0);

    /// Returns the distance, or the scale of a basis.
    #[must_use]
    pub const fn value(self) -> i64 {
        match self {
            Self::Int(value) | Self::Basis { value, .. } => value,
        }
    }

    /// Returns the mode of the coordinate that this stride walks, if it is a basis.
    #[must_use]
    pub const fn path(self) -> Option<Path> {
        match self {
            Self::Int(_) => None,
            Self::Basis { path, .. } => Some(path),
        }
    }

    /// Returns the same stride with another distance or scale.
    #[must_use]
    pub const fn with_value(self, value: i64) -> Self {
        match self {
            Self::Int(_) => Self::Int(value),
            Self::Basis { path, .. } => Self::Basis { value, path },
        }
    }

    /// Multiplies the distance or scale.
    ///
    /// # Errors
    /// Overflow.
    pub fn scale(self, factor: i64) -> Result<Self> {
        let value = self.value().checked_mul(factor).ok_or(Error::overflow("a stride"))?;
        Ok(self.with_value(value))
    }

    /// Returns whether the mode does not move at all: the integer 0 (CuTe keeps `0@1` apart).
    #[must_use]
    pub const fn is_zero(self) -> bool {
        matches!(self, Self::Int(0))
    }
}

impl fmt::Display for StrideLeaf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.value())?;
        match self.path() {
            Some(path) => path.fmt(f),
            None => Ok(()),
        }
    }
}

/// The place of a mode in a coordinate, outermost mode first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Path {
    modes: [u8; Self::MAX_DEPTH],
    len: u8,
}

impl Path {
    /// The deepest path; CuTe kernels stop at three.
    pub const MAX_DEPTH: usize = 7;

    /// Makes a path, outermost mode first.
    ///
    /// # Errors
    /// A path that is empty, longer than [`Self::MAX_DEPTH`], or has a mode above 255.
    pub fn new(modes: &[usize]) -> Result<Self> {
        if modes.is_empty() || modes.len() > Self::MAX_DEPTH {
            return Err(Error::rule(
                "basis-depth",
                format!("a basis names 1 to {} modes, not {}", Self::MAX_DEPTH, modes.len()),
            ));
        }
        let mut path = Self { modes: [0; Self::MAX_DEPTH], len: 0 };
        for &mode in modes {
            path.modes[usize::from(path.len)] = u8::try_from(mode).map_err(|_| {
                Error::rule("basis-mode", format!("mode {mode} of a basis is above 255"))
            })?;
            path.len += 1;
        }
        Ok(path)
    }

    /// Returns the modes, outermost first.
    pub fn modes(&self) -> impl DoubleEndedIterator<Item = usize> + ExactSizeIterator + '_ {
        self.modes[..usize::from(self.len)].iter().map(|&mode| usize::from(mode))
    }

    /// Returns whether this path leads to `other` or to something that holds it.
    #[must_use]
    pub fn is_prefix_of(&self, other: &Self) -> bool {
        self.len <= other.len && self.modes().eq(other.modes().take(usize::from(self.len)))
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.modes().rev().try_for_each(|mode| write!(f, "@{mode}"))
    }
}

impl fmt::Debug for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
