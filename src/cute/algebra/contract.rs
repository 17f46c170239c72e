//! What each operation promises, checked point by point.
//!
//! In: operands and CuTe's answer. Out: the first [`Breach`], if the answer breaks the promise.
//! Invariant: a check looks at no more than [`CONTRACT_POINTS`] points, so no input makes it slow; larger
//! domains are checked up to there.

use crate::cute::composed::AnyLayout;
use crate::cute::index::{at, count, wide};
use crate::cute::int_tuple::{Coord, IntTuple, idx2crd};
use crate::cute::layout::Layout;
use crate::cute::limits::CONTRACT_POINTS;
use crate::cute::stride::Path;
use crate::cute::swizzle::Swizzle;
use crate::cute::tensor::Tensor;
use crate::cute::tiler::{Parts, Tiler};
use crate::cute::tree::Tree;
use crate::diagnostic::Diagnostic;
use std::fmt;

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
    /// A slice has other values than the layout that it was cut from.
    Slice {
        /// The index in the slice.
        index: i64,
        /// The layout's value.
        want: IntTuple,
        /// The slice's value.
        got: IntTuple,
    },
    /// A divide reaches an offset that the divided layout does not have.
    Leaves {
        /// The index in the result.
        index: i64,
        /// The offset.
        value: IntTuple,
    },
    /// A copy of a product does not lie where the complement of the block puts it.
    Copy {
        /// The index of the copy.
        index: i64,
        /// The offset that the complement has for it.
        want: IntTuple,
        /// The offset in the result.
        got: IntTuple,
    },
    /// A moved origin has other values than the tensor at the moved coordinates.
    Moved {
        /// The coordinate in the moved tensor.
        coord: IntTuple,
        /// The tensor's value there.
        want: IntTuple,
        /// The moved tensor's value.
        got: IntTuple,
    },
    /// A recast layout covers other bits than the layout.
    Recast {
        /// The first bit that only one of them covers; `None` if too many to list are rounded.
        bit: Option<i64>,
    },
    /// A mode is larger than the shape that was asked for.
    Larger {
        /// The mode.
        mode: usize,
        /// Its extent.
        extent: i64,
        /// The extent that was asked for.
        asked: i64,
    },
    /// A swizzle takes an offset past the cosize.
    PastCosize {
        /// The offset.
        value: i64,
        /// The cosize.
        cosize: i64,
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
            Self::Slice { index, want, got } => write!(
                f,
                "the slice differs from the layout at its index {index}: the layout has {want}, the slice gives {got}"
            ),
            Self::Leaves { index, value } => write!(
                f,
                "the result leaves A: its index {index} gives {value}, an offset that A does not have"
            ),
            Self::Copy { index, want, got } => write!(
                f,
                "copy {index} lies at {got}; the complement of the block puts it at {want}"
            ),
            Self::Moved { coord, want, got } => write!(
                f,
                "the moved tensor is not T(c + d): at {coord} it gives {got}, where T has {want}"
            ),
            Self::Recast { bit: Some(bit) } => write!(
                f,
                "the result covers other bits than the layout, bit {bit} first: an extent or a stride was rounded"
            ),
            Self::Recast { bit: None } => f.write_str(
                "the result covers other bits than the layout: an extent or a stride was rounded",
            ),
            Self::Larger { mode, extent, asked } => write!(
                f,
                "mode {mode} of the result has {extent} coordinates; {asked} were asked for"
            ),
            Self::PastCosize { value, cosize } => write!(
                f,
                "the swizzle reaches offset {value}, past the cosize {cosize}, which counts the outer layout only"
            ),
            Self::Torn { mode } => write!(
                f,
                "mode {mode}, which the tiler keeps with `_`, was torn into tile and rest; `logical_divide` keeps it whole"
            ),
        }
    }
}

impl From<Breach> for Diagnostic {
    fn from(breach: Breach) -> Self {
        Self::warning("contract", breach.to_string())
    }
}

/// Checks `c(i) = a(b(i))`; a shape or by-mode tiler is composed mode by mode.
#[must_use]
pub fn composition(a: &AnyLayout, b: &Tiler, c: &AnyLayout) -> Option<Breach> {
    match b.parts().ok()? {
        Parts::Keep => None,
        Parts::Whole(b) => composition_pointwise(a, &b, c),
        Parts::Modes(parts) => {
            // Offsets of modes add up, so breaks do not hide each other.
            let modes = a.domain().modes().into_iter().zip(c.domain().modes());
            parts
                .iter()
                .zip(modes)
                .find_map(|(part, (a, c))| composition(&a.into(), part, &c.into()))
        }
    }
}

fn composition_pointwise(a: &AnyLayout, b: &Layout, c: &AnyLayout) -> Option<Breach> {
    if let (Some(indexer), Ok(inner), Ok(outer)) =
        (Indexer::new(a), b.walk(), c.first_offsets(points(c)?))
    {
        let broken = inner.zip(&outer).position(|(index, &got)| indexer.at(index) != Some(got))?;
        return breach_at(a, b, c, wide(broken));
    }
    (0..c.size().min(CONTRACT_POINTS)).find_map(|index| breach_at(a, b, c, index))
}

/// Counts the points of a layout that are looked at.
fn points(layout: &AnyLayout) -> Option<usize> {
    count(layout.size().min(CONTRACT_POINTS), CONTRACT_POINTS)
}

fn breach_at(a: &AnyLayout, b: &Layout, c: &AnyLayout, index: i64) -> Option<Breach> {
    let want = a.at(&b.at_index(index).ok()?).ok()?;
    let got = c.at(&Tree::Leaf(index)).ok()?;
    (!want.same_value(&got)).then_some(Breach::Composition { index, want, got })
}

/// Evaluates a layout of integers at any index without allocating.
struct Indexer {
    modes: Vec<(i64, i64)>,
    swizzle: Option<(Swizzle, i64)>,
}

impl Indexer {
    fn new(a: &AnyLayout) -> Option<Self> {
        let swizzle = match a {
            AnyLayout::Plain(_) => None,
            AnyLayout::Composed(composed) => {
                Some((composed.swizzle()?, *composed.offset().leaf()?))
            }
        };
        let domain = a.domain();
        let modes = domain.flat_modes();
        let modes = modes.iter().map(|mode| (mode.shape, mode.stride.value())).collect();
        (!domain.has_basis()).then_some(Self { modes, swizzle })
    }

    /// The last mode goes on past the end, as in `crd2idx`.
    fn at(&self, index: i64) -> Option<i64> {
        let (last, body) = self.modes.split_last()?;
        let mut rest = index;
        let mut sum = 0_i64;
        for (shape, stride) in body {
            sum = sum.checked_add((rest % shape).checked_mul(*stride)?)?;
            rest /= shape;
        }
        sum = sum.checked_add(rest.checked_mul(last.1)?)?;
        match self.swizzle {
            None => Some(sum),
            Some((swizzle, base)) => Some(swizzle.apply(base.checked_add(sum)?)),
        }
    }
}

/// Finds the first value that two indices share.
#[must_use]
pub fn first_repeat(a: &AnyLayout) -> Option<Repeat> {
    if steps_over(a.domain()) && !matches!(a, AnyLayout::Composed(c) if c.swizzle().is_none()) {
        return None;
    }
    let mut keyed: Vec<(IntTuple, i64)> = Vec::new();
    let mut sorted: Vec<(i64, i64)> = match a.first_offsets(points(a)?) {
        Ok(offsets) => offsets.into_iter().zip(0..).collect(),
        Err(_) => {
            for (index, value) in (0..CONTRACT_POINTS).zip(a.values().ok()?) {
                keyed.push((value.ok()?, index));
            }
            keyed.sort_unstable();
            let ranks = keyed.iter().scan((0_i64, None), |(rank, last), (value, index)| {
                if last.is_some_and(|last| last != value) {
                    *rank += 1;
                }
                *last = Some(value);
                Some((*rank, *index))
            });
            ranks.collect()
        }
    };
    sorted.sort_unstable();
    let clashes = sorted.windows(2).filter(|pair| pair[0].0 == pair[1].0);
    let (first, second) = clashes.map(|pair| (pair[0].1, pair[1].1)).min_by_key(|pair| pair.1)?;
    Some(Repeat { value: a.at(&Tree::Leaf(second)).ok()?, first, second })
}

/// Returns whether each mode steps over everything that the smaller ones reach: then no value comes
/// twice, and nothing has to be counted.
fn steps_over(layout: &Layout) -> bool {
    let mut modes: Vec<(Option<Path>, i64, i64)> = layout
        .flat_modes()
        .iter()
        .filter(|mode| mode.shape > 1)
        .map(|mode| (mode.stride.path(), mode.stride.value().abs(), mode.shape))
        .collect();
    modes.sort_unstable();
    let mut axis = None;
    let mut reach = 0_i64;
    modes.iter().all(|&(path, step, shape)| {
        if axis != Some(path) {
            (axis, reach) = (Some(path), 0);
        }
        let over = step > reach;
        // The whole span is within 61 bits; see `Layout::new`.
        reach += step * (shape - 1);
        over
    })
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
    (0..r.size().min(CONTRACT_POINTS)).find_map(|index| {
        let got = a.at(&values.next()?).ok()?;
        let want = if got.is_leaf() {
            Tree::Leaf(index)
        } else {
            idx2crd(&Tree::Leaf(index), r.shape()).ok()?
        };
        let holds = match (&got, a.has_basis()) {
            (_, true) => got.leaves().filter(|&&x| x != 0).eq(want.leaves().filter(|&&x| x != 0)),
            _ => got.same_value(&want),
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
    (0..a.size().min(CONTRACT_POINTS)).find_map(|index| {
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

/// Checks that a slice of `a` at `coord`, plus what it moved out of the layout, has the values of
/// `a`.
#[must_use]
pub fn slice(a: &AnyLayout, coord: &Coord, sliced: &Tensor) -> Option<Breach> {
    let domain = a.domain();
    let kept = super::slice::slice(&domain.clone().into(), coord).ok()?;
    let fixed = super::slice::slice_and_offset(coord, &domain.clone().into()).ok()?.1;
    let mut inner = kept.values().ok()?;
    (0..kept.size().min(CONTRACT_POINTS)).find_map(|index| {
        let outer = fixed.add(&inner.next()?.ok()?).ok()?;
        let want = match a {
            AnyLayout::Plain(_) => outer,
            AnyLayout::Composed(composed) => {
                composed.inner().apply(&composed.offset().add(&outer).ok()?).ok()?
            }
        };
        let got = sliced.at(&Tree::Leaf(index)).ok()?;
        (!want.same_value(&got)).then_some(Breach::Slice { index, want, got })
    })
}

/// Checks `after(before(i)) = i`.
#[must_use]
pub fn undoes(before: &AnyLayout, after: &AnyLayout) -> Option<Breach> {
    let mut values = before.values().ok()?;
    (0..before.size().min(CONTRACT_POINTS)).find_map(|index| {
        let got = after.at(&values.next()?.ok()?).ok()?;
        (got != Tree::Leaf(index)).then_some(Breach::Inverse { index, got })
    })
}

/// Checks that a swizzle takes no offset past the cosize.
#[must_use]
pub fn within_cosize(a: &AnyLayout) -> Option<Breach> {
    a.swizzle()?;
    let cosize = a.cosize().ok()?;
    let value = a.first_offsets(points(a)?).ok()?.into_iter().max()?;
    (value >= cosize).then_some(Breach::PastCosize { value, cosize })
}

/// Checks that each mode has the extent that was asked for.
#[must_use]
pub fn extents(asked: &IntTuple, result: &AnyLayout) -> Option<Breach> {
    let asked = asked.clone().wrap();
    let modes = asked.modes().iter().zip(result.domain().modes()).enumerate();
    modes.into_iter().find_map(|(mode, (asked, got))| {
        let (asked, extent) = (asked.product().ok()?, got.size());
        (extent > asked).then_some(Breach::Larger { mode, extent, asked })
    })
}

/// Checks `moved(c) = tensor(c + d)` at the coordinates for which the tensor has `c + d`.
#[must_use]
pub fn domain_offset(tensor: &Tensor, d: &IntTuple, moved: &Tensor) -> Option<Breach> {
    tensor.layout.swizzle()?;
    let shape = tensor.layout.shape();
    let d = digits(d, shape)?;
    (0..tensor.layout.size().min(CONTRACT_POINTS)).find_map(|index| {
        let coord = idx2crd(&Tree::Leaf(index), shape).ok()?;
        let there = coord.add(&d).ok()?;
        if there.leaves().zip(shape.leaves()).any(|(at, extent)| at >= extent) {
            return None;
        }
        let (want, got) = (tensor.at(&there).ok()?, moved.at(&coord).ok()?);
        (!want.same_value(&got)).then_some(Breach::Moved { coord, want, got })
    })
}

/// Writes a coordinate as one number for each extent.
fn digits(coord: &IntTuple, shape: &IntTuple) -> Option<IntTuple> {
    match (coord, shape) {
        (Tree::Leaf(_), Tree::Leaf(_)) => Some(coord.clone()),
        (Tree::Leaf(_), Tree::Tuple(_)) => idx2crd(coord, shape).ok(),
        (Tree::Tuple(coords), Tree::Tuple(shapes)) if coords.len() == shapes.len() => {
            let digits = coords.iter().zip(shapes).map(|(coord, shape)| digits(coord, shape));
            digits.collect::<Option<_>>().map(Tree::Tuple)
        }
        _ => None,
    }
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
    let owners = layout_mn.first_offsets(points(&layout_mn)?).ok()?;
    // The index of (thread, value) in the TV layout is the owner's number.
    let cells: Vec<i64> =
        (0..CONTRACT_POINTS).zip(layout_tv.walk().ok()?).map(|(_, cell)| cell).collect();
    owners.iter().zip(0_i64..).find_map(|(&owner, cell)| {
        let (thread, value) = (owner % threads, owner / threads);
        let got = match at(&cells, owner) {
            Some(&got) => Tree::Leaf(got),
            None => layout_tv.at(&Tree::flat([thread, value])).ok()?,
        };
        (got != Tree::Leaf(cell)).then_some(Breach::Owner { cell, want: (thread, value), got })
    })
}
