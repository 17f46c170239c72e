//! The same map as a CuTe layout, proved at every point, or in a large extent at many.
//!
//! In: an object and an extent. Out: a layout whose modes are the class's coordinates (grouped ones
//! nested), composed with a swizzle where the class permutes by XOR; or the reason why there is
//! none. Invariant: what is returned equals `operator()` at every coordinate of its shape; only
//! [`Twin::Sampled`] was compared at fewer.

use super::class::Class;
use super::object::{Object, check_extent};
use super::strided::Mode;
use crate::cute::index::{count, wide};
use crate::cute::layout::FlatMode;
use crate::cute::{
    AnyLayout, ComposedLayout, Inner, IntTuple, Layout, Shape, Stride, StrideLeaf, Swizzle, Tree,
};
use crate::diagnostic::Diagnostic;
use crate::hardware::limits::{TWIN_POINTS, TWIN_SAMPLES};

/// A CuTe layout for the map of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Twin {
    /// The layout has the extent asked for.
    Exact(AnyLayout),
    /// A tile or group is partial: the layout covers the extent rounded up to whole ones.
    Rounded {
        /// The layout over the rounded extent.
        layout: AnyLayout,
        /// The rounded extent, in the class's order.
        extent: Vec<i64>,
    },
    /// The extent is too large to compare every point. The layout is the class's own sum of strides.
    Sampled {
        /// The layout, over whole groups.
        layout: AnyLayout,
        /// Its extent, in the class's order.
        extent: Vec<i64>,
        /// How many points were compared: the first ones and others evenly spread.
        points: usize,
    },
    /// There is no such layout.
    None {
        /// Why not.
        reason: &'static str,
    },
}

impl Twin {
    /// The limit of a figure that names it: [`TWIN_POINTS`].
    pub const MAX_POINTS: i64 = TWIN_POINTS;

    /// Finds and proves the layout.
    ///
    /// # Errors
    /// A bad extent, and products that wrap in C++.
    pub fn of(object: &Object, extent: &[i64]) -> Result<Self, Diagnostic> {
        check_extent(object.class(), extent)?;
        let rounded = round_up(object, extent);
        let points = rounded.iter().try_fold(1_i64, |product, &n| product.checked_mul(n));
        if points.is_none_or(|points| points > TWIN_POINTS) {
            return Ok(sampled(object, rounded));
        }
        if let Some(layout) = find(object, extent)? {
            return Ok(Self::Exact(layout));
        }
        if rounded != extent
            && let Some(layout) = find(object, &rounded)?
        {
            return Ok(Self::Rounded { layout, extent: rounded });
        }
        Ok(Self::None {
            reason: "no shape, strides and single swizzle give these offsets at every point",
        })
    }

    /// Returns the layout, if there is one.
    #[must_use]
    pub const fn layout(&self) -> Option<&AnyLayout> {
        match self {
            Self::Exact(layout) | Self::Rounded { layout, .. } | Self::Sampled { layout, .. } => {
                Some(layout)
            }
            Self::None { .. } => None,
        }
    }
}

/// Rounds extents up to whole groups or tiles. A partial group that is the only one is left.
fn round_up(object: &Object, extent: &[i64]) -> Vec<i64> {
    let tile: Vec<i64> = match (object.modes(), object.class()) {
        (Some(modes), _) => modes
            .iter()
            .zip(extent)
            .map(|(mode, &n)| {
                mode.group.map_or(1, |group| if n > group.size { group.size } else { 1 })
            })
            .collect(),
        (None, Class::Multiplicand(multiplicand)) => multiplicand.tile().to_vec(),
        (None, _) => vec![1; extent.len()],
    };
    extent.iter().zip(tile).map(|(&n, tile)| n.saturating_add(tile - 1) / tile * tile).collect()
}

/// Finds a layout with exactly this extent.
fn find(object: &Object, extent: &[i64]) -> Result<Option<AnyLayout>, Diagnostic> {
    let table = offsets(object, extent)?;
    let agrees = |layout: &AnyLayout| layout.offsets().is_ok_and(|offsets| offsets == table);
    if let Some(modes) = object.modes() {
        let layout = of_modes(modes, extent).map(AnyLayout::Plain);
        return Ok(layout.filter(agrees));
    }
    if let Some(layout) = nested(&table, extent, Swizzle::IDENTITY) {
        return Ok(Some(AnyLayout::Plain(layout)));
    }
    for swizzle in swizzles() {
        // A swizzle is its own inverse.
        if let Some(outer) = nested(&table, extent, swizzle) {
            let composed = ComposedLayout::new(Inner::Swizzle(swizzle), Tree::Leaf(0), outer);
            return Ok(composed.ok().map(AnyLayout::Composed).filter(agrees));
        }
    }
    Ok(None)
}

/// Compares the layout of a class that is a sum of strides at some points.
fn sampled(object: &Object, extent: Vec<i64>) -> Twin {
    let Some(layout) = object.modes().and_then(|modes| of_modes(modes, &extent)) else {
        return Twin::None { reason: "the extent is too large to compare every point" };
    };
    let first = (TWIN_SAMPLES / 2).min(layout.size());
    // Odd, so that it meets every row of extents that are powers of two.
    let step = (layout.size() / first) | 1;
    let spread = || std::iter::successors(Some(first), move |index| index.checked_add(step));
    let indices = || (0..first).chain(spread().take_while(|&index| index < layout.size()));
    let agrees = |index: i64| {
        let mut rest = index;
        let coord = extent.iter().map(|&n| {
            let i = rest % n;
            rest /= n;
            i
        });
        let offset = object.offset(&coord.collect::<Vec<_>>()).ok();
        offset.is_some() && layout.at_index(index).ok().and_then(|at| at.leaf().copied()) == offset
    };
    if !indices().all(agrees) {
        return Twin::None {
            reason: "offsets of this extent wrap in C++, or are no sum of strides",
        };
    }
    Twin::Sampled { points: indices().count(), layout: layout.into(), extent }
}

/// Returns the offsets of an extent, first coordinate fastest, as CuTe enumerates.
pub(super) fn offsets(object: &Object, extent: &[i64]) -> Result<Vec<i64>, Diagnostic> {
    let size = extent.iter().product();
    let mut coord = vec![0; extent.len()];
    let mut table = Vec::new();
    for _ in 0..size {
        table.push(object.offset(&coord)?);
        for (i, &n) in coord.iter_mut().zip(extent) {
            *i += 1;
            if *i < n {
                break;
            }
            *i = 0;
        }
    }
    Ok(table)
}

/// Writes a sum of strides as a layout: a grouped coordinate becomes a nested mode.
fn of_modes(modes: &[Mode], extent: &[i64]) -> Option<Layout> {
    let modes = modes.iter().zip(extent).map(|(mode, &n)| match mode.group {
        Some(group) if group.size == 1 => Some(vec![(n, mode.stride)]),
        Some(group) if n <= group.size => Some(vec![(n, group.stride)]),
        Some(group) if n % group.size == 0 => {
            Some(vec![(group.size, group.stride), (n / group.size, mode.stride)])
        }
        Some(_) => None,
        None => Some(vec![(n, mode.stride)]),
    });
    layout_of(modes.collect::<Option<Vec<_>>>()?)
}

/// Reads shape and strides off a table of swizzled offsets, or finds that they are no sum over the
/// coordinates.
fn nested(table: &[i64], extent: &[i64], swizzle: Swizzle) -> Option<Layout> {
    if table.first() != Some(&0) {
        return None;
    }
    // The steps over the table are the table's own: those of a mapped one would compute all between.
    let swizzled = |offset: &i64| swizzle.apply(*offset);
    let mut step = 1_usize;
    let mut modes = Vec::new();
    for &n in extent {
        let n = count(n, TWIN_POINTS)?;
        let axis: Vec<i64> = table.iter().step_by(step).take(n).map(swizzled).collect();
        modes.push(axis_modes(axis)?);
        step = step.checked_mul(n)?;
    }
    let layout = layout_of(modes)?;
    let same = layout.walk().ok()?.eq(table.iter().map(swizzled));
    same.then_some(layout)
}

/// Splits the values along one coordinate into runs of equal steps, the innermost first.
fn axis_modes(mut axis: Vec<i64>) -> Option<Vec<(i64, i64)>> {
    let mut modes = Vec::new();
    while let [first, second, ..] = axis[..] {
        let stride = second - first;
        let run = axis
            .iter()
            .zip(0_i64..)
            .take_while(|&(&value, i)| stride.checked_mul(i) == Some(value - first))
            .count();
        if !axis.len().is_multiple_of(run) {
            return None;
        }
        modes.push((wide(run), stride));
        axis = axis.into_iter().step_by(run).collect();
    }
    if modes.is_empty() {
        modes.push((1, 0));
    }
    Some(modes)
}

fn layout_of(modes: Vec<Vec<(i64, i64)>>) -> Option<Layout> {
    let branch = |leaves: Vec<FlatMode>| -> (Shape, Stride) {
        let shape: IntTuple = Tree::flat(leaves.iter().map(|leaf| leaf.shape));
        let stride = Tree::flat(leaves.iter().map(|leaf| leaf.stride));
        (shape.unwrap_single(), stride.unwrap_single())
    };
    let (shapes, strides): (Vec<Shape>, Vec<Stride>) = modes
        .into_iter()
        .map(|leaves| {
            let leaf = |(shape, stride)| FlatMode { shape, stride: StrideLeaf::Int(stride) };
            branch(leaves.into_iter().map(leaf).collect())
        })
        .unzip();
    let shape = Tree::Tuple(shapes).unwrap_single();
    let stride = Tree::Tuple(strides).unwrap_single();
    Layout::new(shape, stride).ok()
}

/// Enumerates the swizzles that the tensor-op headers can need: at most 8 lanes, a row of memory up
/// to 2^16 elements.
fn swizzles() -> impl Iterator<Item = Swizzle> {
    (1..=3).flat_map(|bits| {
        (0..=8).flat_map(move |base| {
            (bits..=16).filter_map(move |shift| Swizzle::new(bits, base, shift).ok())
        })
    })
}
