//! Tilers: what cuts a layout into tiles, on the whole domain or mode by mode.
//!
//! In: an integer, a shape, a layout, or tilers by mode. Out: what the tiler does to a mode
//! ([`Tiler::parts`]), so that every walk of a tiler follows one rule. Source: CuTe's `composition`
//! and `logical_divide`, which take `n` as `make_layout(n)` and a tuple as one tiler per mode.

use super::error::Result;
use super::int_tuple::{Coord, CoordItem, Shape};
use super::layout::Layout;
use super::tree::Tree;
use std::borrow::Cow;
use std::fmt;

/// What cuts a layout into tiles.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Tiler {
    /// `_`: keeps the mode.
    Keep,
    /// Acts on the whole domain.
    Layout(Layout),
    /// A shape: an integer `n` acts as a layout, a tuple acts by mode.
    Shape(Shape),
    /// `<a,b>`: acts by mode.
    Modes(Vec<Tiler>),
}

/// What a tiler does to a mode; see [`Tiler::parts`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Parts<'t> {
    /// It keeps the mode.
    Keep,
    /// It acts on the whole mode, as this layout.
    Whole(Cow<'t, Layout>),
    /// Its entries act on the modes of the mode, first on first; further modes have no entry.
    Modes(Cow<'t, [Tiler]>),
}

impl Tiler {
    /// Returns what the tiler does to a mode: the step of every walk of a tiler. An integer `n` is
    /// the layout `n:1` (`1:0` for 1), as in CuTe.
    ///
    /// # Errors
    /// An extent below 1.
    pub fn parts(&self) -> Result<Parts<'_>> {
        Ok(match self {
            Self::Keep => Parts::Keep,
            Self::Layout(layout) => Parts::Whole(Cow::Borrowed(layout)),
            Self::Shape(extent @ Tree::Leaf(_)) => {
                Parts::Whole(Cow::Owned(Layout::column_major(extent.clone())?))
            }
            Self::Shape(Tree::Tuple(modes)) => Parts::Modes(shapes(modes)),
            Self::Modes(modes) => Parts::Modes(Cow::Borrowed(modes)),
        })
    }

    /// Returns the entries of a tiler that acts mode by mode; `None` if it keeps a mode or acts on
    /// the whole.
    #[must_use]
    pub fn by_mode(&self) -> Option<Cow<'_, [Self]>> {
        match self {
            Self::Modes(modes) => Some(Cow::Borrowed(modes)),
            Self::Shape(Tree::Tuple(modes)) => Some(shapes(modes)),
            Self::Keep | Self::Layout(_) | Self::Shape(Tree::Leaf(_)) => None,
        }
    }

    /// Counts the modes as CuTe's `rank` does; 0 for `_`.
    #[must_use]
    pub fn rank(&self) -> usize {
        match self {
            Self::Keep => 0,
            Self::Layout(layout) => layout.rank(),
            Self::Shape(shape) => shape.rank(),
            Self::Modes(modes) => modes.len(),
        }
    }

    /// Returns the nesting depth, that of a layout in it included.
    #[must_use]
    pub fn depth(&self) -> usize {
        match self {
            Self::Keep => 0,
            Self::Layout(layout) => layout.depth(),
            Self::Shape(shape) => shape.depth(),
            Self::Modes(modes) => 1 + modes.iter().map(Self::depth).max().unwrap_or(0),
        }
    }

    /// Returns the layouts that were written as such, from left to right.
    #[must_use]
    pub fn layouts(&self) -> Vec<&Layout> {
        match self {
            Self::Keep | Self::Shape(_) => Vec::new(),
            Self::Layout(layout) => vec![layout],
            Self::Modes(modes) => modes.iter().flat_map(Self::layouts).collect(),
        }
    }

    /// Returns the elements of a tile along each mode; `None` if a mode is kept.
    #[must_use]
    pub fn extents(&self) -> Option<Shape> {
        match self {
            Self::Keep => None,
            Self::Layout(layout) => Some(Tree::Leaf(layout.size())),
            Self::Shape(shape) => Some(shape.clone()),
            Self::Modes(modes) => {
                modes.iter().map(Self::extents).collect::<Option<_>>().map(Tree::Tuple)
            }
        }
    }

    /// Reads `<1,X>` as the coordinate `(1,_)`; `None` if a layout is part of it.
    #[must_use]
    pub fn to_coord(&self) -> Option<Coord> {
        match self {
            Self::Keep => Some(Tree::Leaf(CoordItem::All)),
            Self::Layout(_) => None,
            Self::Shape(shape) => Some(shape.into()),
            Self::Modes(modes) => {
                modes.iter().map(Self::to_coord).collect::<Option<_>>().map(Tree::Tuple)
            }
        }
    }
}

/// Returns each mode of a shape as a tiler of its own.
fn shapes(modes: &[Shape]) -> Cow<'_, [Tiler]> {
    modes.iter().cloned().map(Tiler::Shape).collect()
}

impl fmt::Display for Tiler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Keep => f.write_str("_"),
            Self::Layout(layout) => layout.fmt(f),
            Self::Shape(shape) => shape.fmt(f),
            Self::Modes(modes) => {
                f.write_str("<")?;
                for (i, mode) in modes.iter().enumerate() {
                    if i > 0 {
                        f.write_str(",")?;
                    }
                    mode.fmt(f)?;
                }
                f.write_str(">")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

    use super::*;

    #[test]
    fn a_tuple_acts_by_mode_and_everything_else_on_the_whole() {
        let layout = Layout::vector(4, 2).unwrap();
        let whole = |tiler: &Tiler| match tiler.parts().unwrap() {
            Parts::Whole(layout) => layout.to_string(),
            other => panic!("{tiler}: {other:?}"),
        };
        assert_eq!(whole(&Tiler::Layout(layout.clone())), "4:2");
        assert_eq!(whole(&Tiler::Shape(Tree::Leaf(8))), "8:1");
        assert_eq!(whole(&Tiler::Shape(Tree::Leaf(1))), "1:0");
        assert!(Tiler::Shape(Tree::Leaf(0)).parts().is_err());

        let mixed = Tiler::Modes(vec![Tiler::Layout(layout), Tiler::Keep]);
        let shape = Tiler::Shape(Tree::Tuple(vec![Tree::Leaf(8), Tree::flat([2, 3])]));
        for (tiler, parts) in [(&mixed, ["4:2", "_"]), (&shape, ["8", "(2,3)"])] {
            let Parts::Modes(modes) = tiler.parts().unwrap() else { panic!("{tiler}") };
            assert_eq!(modes.iter().map(ToString::to_string).collect::<Vec<_>>(), parts);
        }
        assert_eq!(Tiler::Keep.parts().unwrap(), Parts::Keep);
    }
}
