//! What each operation promises, checked point by point.
//!
//! In: operands and CuTe's answer. Out: the first [`Breach`], if the answer breaks the promise.
//! Invariant: a check looks at no more than [`CONTRACT_POINTS`] points, so no input makes it slow; larger
//! domains are checked up to there.

pub use super::breach::{Breach, Repeat};
use crate::cute::composed::AnyLayout;
use crate::cute::index::{at, count, wide};
use crate::cute::int_tuple::{Coord, IntTuple, Shape, idx2crd};
use crate::cute::layout::Layout;
use crate::cute::limits::CONTRACT_POINTS;
use crate::cute::stride::Path;
use crate::cute::swizzle::Swizzle;
use crate::cute::tensor::Tensor;
use crate::cute::tiler::{Parts, Tiler};
use crate::cute::tree::Tree;

/// Checks `c(i) = a(b(i))`; a shape or by-mode tiler is composed mode by mode.
#[must_use]
pub fn composition(a: &AnyLayout, b: &Tiler, c: &AnyLayout) -> Option<Breach> {
    if let Parts::Whole(b) = b.parts().ok()? {
        let index = first_break(a, &b, c)?;
        return breach_at(a, &b.at_index(index).ok()?, c, index);
    }
    let (coord, index) = first_broken_mode(a.domain(), b, c.domain())?;
    breach_at(a, &coord, c, index)
}

/// Finds the first index of `c` at which a mode breaks, and the coordinate of `a` that it asks for. All
/// other modes are at 0 there. Offsets of modes add up, so breaks do not hide each other.
fn first_broken_mode(a: &Layout, b: &Tiler, c: &Layout) -> Option<(IntTuple, i64)> {
    let parts = match b.parts().ok()? {
        Parts::Keep => return None,
        Parts::Whole(b) => {
            let index = first_break(&a.clone().into(), &b, &c.clone().into())?;
            return Some((b.at_index(index).ok()?, index));
        }
        Parts::Modes(parts) => parts,
    };
    let modes = a.modes().into_iter().zip(c.modes());
    let mut step = 1;
    for (mode, (part, (a, c))) in parts.iter().zip(modes).enumerate() {
        if let Some((coord, index)) = first_broken_mode(&a, part, &c) {
            let mut coords = vec![Tree::Leaf(0); mode];
            coords.push(coord);
            return Some((Tree::Tuple(coords), index * step));
        }
        step *= c.size();
    }
    None
}

/// Finds the first index at which `c(i)` is not `a(b(i))`.
fn first_break(a: &AnyLayout, b: &Layout, c: &AnyLayout) -> Option<i64> {
    if let (Some(indexer), Ok(inner), Ok(outer)) =
        (Indexer::new(a), b.walk(), c.first_offsets(points(c)?))
    {
        let broken = inner.zip(&outer).position(|(index, &got)| indexer.at(index) != Some(got));
        return broken.map(wide);
    }
    (0..c.size().min(CONTRACT_POINTS)).find(|&index| {
        b.at_index(index).is_ok_and(|coord| breach_at(a, &coord, c, index).is_some())
    })
}

/// Counts the points of a layout that are looked at.
fn points(layout: &AnyLayout) -> Option<usize> {
    count(layout.size().min(CONTRACT_POINTS), CONTRACT_POINTS)
}

/// Compares `c` at an index with `a` at a coordinate, which may leave modes out.
fn breach_at(a: &AnyLayout, coord: &IntTuple, c: &AnyLayout, index: i64) -> Option<Breach> {
    let want = a.at(&completed(coord, a.shape())).ok()?;
    let got = c.at(&Tree::Leaf(index)).ok()?;
    (!want.same_value(&got)).then_some(Breach::Composition { index, want, got })
}

/// Completes a coordinate with zeros for the modes that it leaves out, as the values of a coordinate
/// layout and by-mode tilers do.
#[must_use]
pub fn completed(coord: &IntTuple, shape: &Shape) -> IntTuple {
    match (coord, shape) {
        (Tree::Tuple(coords), Tree::Tuple(shapes)) => {
            let zero = Tree::Leaf(0);
            let modes = shapes.iter().enumerate();
            Tree::Tuple(modes.map(|(i, s)| completed(coords.get(i).unwrap_or(&zero), s)).collect())
        }
        (Tree::Tuple(coords), Tree::Leaf(_)) => match coords.as_slice() {
            [one] => completed(one, shape),
            _ => coord.clone(),
        },
        (Tree::Leaf(_), _) => coord.clone(),
    }
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
