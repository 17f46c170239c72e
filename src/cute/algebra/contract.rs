//! What each operation promises, checked point by point.
//!
//! In: operands and CuTe's answer. Out: the first [`Breach`], if the answer breaks the promise.
//! Invariant: a check looks at no more than [`LIMIT`] points, so no input makes it slow; larger
//! domains are checked up to there.

use crate::cute::composed::AnyLayout;
use crate::cute::int_tuple::{IntTuple, idx2crd};
use crate::cute::layout::Layout;
use crate::cute::tensor::Tiler;
use crate::cute::tree::Tree;
use std::collections::HashMap;
use std::fmt;

/// The number of points that a check looks at: a 256x256 tile, well under a millisecond.
pub const LIMIT: i64 = 1 << 16;

/// The first place where an answer is not what the operation promises.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Breach {
    /// `C(i)` is not `A(B(i))`.
    Composition {
        /// The index.
        index: i64,
        /// `A(B(i))`.
        want: IntTuple,
        /// `C(i)`.
        got: IntTuple,
    },
    /// A complement's offset lies in the image.
    Clash {
        /// The index in the complement.
        index: i64,
        /// The shared offset.
        value: IntTuple,
    },
    /// Layout and complement together do not reach the cotarget.
    Short {
        /// What they reach.
        reached: i64,
        /// The cotarget.
        cotarget: i64,
    },
    /// An offset is hit by two indices although the operands are injective.
    Repeat(Repeat),
    /// An inverse is none at an index.
    Inverse {
        /// The index.
        index: i64,
        /// What came back.
        got: IntTuple,
    },
    /// A cell of the tile belongs to another thread and value than the raked product says.
    Owner {
        /// The cell of the tile, an index.
        cell: i64,
        /// The `(thread, value)` of the raked product.
        want: (i64, i64),
        /// The cell that this thread and value get in the answer.
        got: IntTuple,
    },
    /// A mode that the tiler keeps was torn into tile and rest.
    Torn {
        /// The mode.
        mode: usize,
    },
}

/// Two indices with one value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repeat {
    /// The shared value.
    pub value: IntTuple,
    /// The first index that has it.
    pub first: i64,
    /// The next one.
    pub second: i64,
}

impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Composition { index, want, got } => write!(
                f,
                "the result breaks C(i) = A(B(i)) at index {index}: A(B({index})) is {want}, C({index}) is {got}"
            ),
            Self::Clash { index, value } => write!(
                f,
                "the complement is not disjoint from the image: its index {index} gives {value}, which the layout hits too"
            ),
            Self::Short { reached, cotarget } => {
                write!(f, "layout and complement reach {reached} of the cotarget {cotarget}")
            }
            Self::Repeat(Repeat { value, first, second }) => {
                write!(f, "the result overlaps: {value} is hit by index {first} and index {second}")
            }
            Self::Inverse { index, got } => {
                write!(f, "the inverse does not hold at index {index}: it gives {got}")
            }
            Self::Owner { cell, want: (thr, val), got } => write!(
                f,
                "wrong owners: the raked product gives cell {cell} to thread {thr}, value {val}, but the TV layout sends them to cell {got}"
            ),
            Self::Torn { mode } => write!(
                f,
                "mode {mode}, which the tiler keeps with `_`, was torn into tile and rest; `logical_divide` keeps it whole"
            ),
        }
    }
}

/// Checks `c(i) = a(b(i))`; a shape or by-mode tiler is composed mode by mode.
#[must_use]
pub fn composition(a: &AnyLayout, b: &Tiler, c: &AnyLayout) -> Option<Breach> {
    match b {
        Tiler::Keep => None,
        Tiler::Layout(b) => composition_pointwise(a, b, c),
        Tiler::Shape(Tree::Leaf(extent)) => {
            composition_pointwise(a, &Layout::vector(*extent, 1).ok()?, c)
        }
        Tiler::Shape(Tree::Tuple(shapes)) => {
            by_mode(a, shapes.iter().map(|shape| Tiler::Shape(shape.clone())), c)
        }
        Tiler::Modes(modes) => by_mode(a, modes.iter().cloned(), c),
    }
}

/// Compares mode by mode; offsets of modes add up, so breaks do not hide each other.
fn by_mode(a: &AnyLayout, tilers: impl Iterator<Item = Tiler>, c: &AnyLayout) -> Option<Breach> {
    let modes = a.domain().modes().into_iter().zip(c.domain().modes());
    tilers.zip(modes).find_map(|(tiler, (a, c))| composition(&a.into(), &tiler, &c.into()))
}

fn composition_pointwise(a: &AnyLayout, b: &Layout, c: &AnyLayout) -> Option<Breach> {
    let mut inner = b.values().ok()?;
    let mut outer = c.values().ok()?;
    (0..c.size().min(LIMIT)).find_map(|index| {
        let want = a.at(&inner.next()?).ok()?;
        let got = outer.next()?.ok()?;
        (!same(&want, &got)).then_some(Breach::Composition { index, want, got })
    })
}

/// Compares values; a coordinate may be written with fewer axes where the rest are 0.
fn same(a: &IntTuple, b: &IntTuple) -> bool {
    match (a, b) {
        (Tree::Leaf(a), Tree::Leaf(b)) => a == b,
        (Tree::Leaf(0), tuple) | (tuple, Tree::Leaf(0)) => tuple.leaves().all(|&leaf| leaf == 0),
        (Tree::Tuple(a), Tree::Tuple(b)) => {
            let zero = Tree::Leaf(0);
            (0..a.len().max(b.len()))
                .all(|i| same(a.get(i).unwrap_or(&zero), b.get(i).unwrap_or(&zero)))
        }
        _ => false,
    }
}

/// Finds the first value that two indices share.
#[must_use]
pub fn first_repeat(a: &AnyLayout) -> Option<Repeat> {
    let mut seen = HashMap::new();
    let limit = usize::try_from(LIMIT).unwrap_or(usize::MAX);
    for (value, second) in a.values().ok()?.take(limit).zip(0_i64..) {
        let value = value.ok()?;
        if let Some(&first) = seen.get(&value) {
            return Some(Repeat { value, first, second });
        }
        seen.insert(value, second);
    }
    None
}

/// Checks that `complement` is disjoint from the image of `a` (offset 0 apart), and that both
/// together reach the cotarget.
#[must_use]
pub fn complement(a: &Layout, cotarget: i64, complement: &Layout) -> Option<Breach> {
    let both = Layout::from_modes([filtered(a)?, complement.clone()]).ok()?;
    if let Some(repeat) = first_repeat(&both.clone().into()) {
        let index = repeat.second / filtered(a)?.size().max(1);
        return Some(Breach::Clash { index, value: repeat.value });
    }
    let reached = both.size();
    (!a.has_basis() && reached < cotarget).then_some(Breach::Short { reached, cotarget })
}

fn filtered(a: &Layout) -> Option<Layout> {
    super::coalesce::filter_zeros_plain(a).and_then(|a| super::coalesce::coalesce_flat(&a)).ok()
}

/// Checks `a(r(i)) = i`.
#[must_use]
pub fn right_inverse(a: &Layout, r: &Layout) -> Option<Breach> {
    let mut values = r.values().ok()?;
    (0..r.size().min(LIMIT)).find_map(|index| {
        let got = a.at(&values.next()?).ok()?;
        let want = if got.is_leaf() {
            Tree::Leaf(index)
        } else {
            idx2crd(&Tree::Leaf(index), r.shape()).ok()?
        };
        let holds = match (&got, a.has_basis()) {
            (_, true) => got.leaves().filter(|&&x| x != 0).eq(want.leaves().filter(|&&x| x != 0)),
            _ => same(&got, &want),
        };
        (!holds).then_some(Breach::Inverse { index, got })
    })
}

/// Checks `l(a(i)) = i`, for layouts of integers.
#[must_use]
pub fn left_inverse(a: &Layout, l: &Layout) -> Option<Breach> {
    if a.has_basis() {
        return None;
    }
    let mut values = a.walk().ok()?;
    (0..a.size().min(LIMIT)).find_map(|index| {
        let got = l.at_index(values.next()?).ok()?;
        (got != Tree::Leaf(index)).then_some(Breach::Inverse { index, got })
    })
}

/// Checks that a divide or product of an injective layout has no overlap.
#[must_use]
pub fn no_overlap(operands: &[&AnyLayout], result: &AnyLayout) -> Option<Breach> {
    let repeat = first_repeat(result)?;
    let clean = operands.iter().all(|operand| first_repeat(operand).is_none());
    clean.then_some(Breach::Repeat(repeat))
}

/// Returns the first mode that a zipped, tiled or flat divide tears although `_` keeps it.
#[must_use]
pub fn kept_modes(tiler: &Tiler) -> Option<Breach> {
    match tiler {
        Tiler::Modes(modes) => {
            modes.iter().position(|mode| *mode == Tiler::Keep).map(|mode| Breach::Torn { mode })
        }
        _ => None,
    }
}

/// Checks that the cell of every thread and value is the one of the raked product `layout_mn`.
#[must_use]
pub fn layout_tv(thr: &Layout, val: &Layout, layout_tv: &Layout) -> Option<Breach> {
    let layout_mn = super::product::raked_product(&thr.clone().into(), val).ok()?;
    let threads = thr.size();
    let cells = layout_mn.offsets().ok()?;
    let limit = usize::try_from(LIMIT).unwrap_or(usize::MAX);
    cells.iter().take(limit).zip(0_i64..).find_map(|(&owner, cell)| {
        let (thread, value) = (owner % threads, owner / threads);
        let got = layout_tv.at(&Tree::flat([thread, value])).ok()?;
        (got != Tree::Leaf(cell)).then_some(Breach::Owner { cell, want: (thread, value), got })
    })
}
