//! The order of threads and values that reads a tile with the fewest sectors.
//!
//! In: the tile, its layout in global memory, and how many threads and values share it. Out: a
//! thread-value layout that walks memory in order, and `thr` and `val` for it where two of them say
//! it. Invariant: every order that is returned moves fewer bytes than the one it replaces.

use super::address::AddressMap;
use super::sectors::{Coalescing, coalescing};
use super::vector::vector_width;
use crate::cute::algebra::{compose_layouts, make_layout_tv};
use crate::cute::index::at;
use crate::cute::layout::FlatMode;
use crate::cute::{Layout, Shape, StrideLeaf, Tree};

/// Accesses of a tile in global memory that could be in a better order.
#[derive(Clone, Copy, Debug)]
pub struct WastefulLoads<'a> {
    /// The shape of the tile.
    pub tile: &'a Shape,
    /// Its layout in global memory; the same number of coordinates.
    pub layout: &'a Layout,
    /// Number of threads.
    pub threads: i64,
    /// Values of a thread.
    pub values: i64,
    /// Width of an element.
    pub element_bits: i64,
    /// Byte address of offset 0.
    pub base_bytes: i64,
    /// The widest access.
    pub max_bytes: i64,
    /// What the present order moves.
    pub present: &'a Coalescing,
}

/// A better order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadOrder {
    /// The map (thread, value) to the tile.
    pub tv: Layout,
    /// Thread and value layouts that `make_layout_tv` turns into such a map.
    pub thr_val: Option<(Layout, Layout)>,
    /// Elements of one access.
    pub elements: usize,
    /// Sectors of its worst warp-wide access.
    pub sectors: i64,
    /// The fewest sectors of that access.
    pub ideal: i64,
    /// Bytes that it moves.
    pub bytes_moved: i64,
}

/// Finds the order that moves fewest bytes; of equals the one of the widest access.
#[must_use]
pub fn order_for_loads(loads: &WastefulLoads<'_>) -> Option<ThreadOrder> {
    let cells = loads.threads.checked_mul(loads.values)?;
    let fits = loads.tile.product().ok() == Some(cells) && loads.layout.size() == cells;
    if !fits || loads.layout.has_basis() {
        return None;
    }
    let offsets: Vec<i64> = loads.layout.walk().ok()?.collect();
    let memory_order = memory_order(loads.layout)?;
    let mut width = 1;
    while width * 2 * loads.element_bits <= loads.max_bytes * 8 && loads.values % (width * 2) == 0 {
        width *= 2;
    }
    let mut best: Option<ThreadOrder> = None;
    while width >= 1 {
        let by_hand = simple(loads, width).and_then(|(thr, val)| {
            let (tiler, tv) = make_layout_tv(&thr, &val).ok()?;
            (tiler == loads.tile.product_each().ok()?)
                .then(|| loads.check(tv, Some((thr, val)), &offsets))?
        });
        let candidate = by_hand.or_else(|| {
            let rounds = loads.values / width;
            let wanted = Layout::new(
                Tree::Tuple(vec![loads.threads.into(), Tree::flat([width, rounds])]),
                Tree::Tuple(vec![
                    StrideLeaf::Int(width).into(),
                    Tree::flat([StrideLeaf::Int(1), StrideLeaf::Int(width * loads.threads)]),
                ]),
            );
            loads.check(compose_layouts(&memory_order, &wanted.ok()?).ok()?, None, &offsets)
        });
        if let Some(order) = candidate {
            let least = best.as_ref().map_or(loads.present.bytes_moved, |best| best.bytes_moved);
            if order.bytes_moved < least {
                let perfect = order.sectors == order.ideal;
                best = Some(order);
                // A narrower access cannot move less.
                if perfect {
                    break;
                }
            }
        }
        width /= 2;
    }
    best
}

impl WastefulLoads<'_> {
    fn check(
        &self,
        tv: Layout,
        thr_val: Option<(Layout, Layout)>,
        offsets: &[i64],
    ) -> Option<ThreadOrder> {
        let (threads, values) = (self.threads.try_into().ok()?, self.values.try_into().ok()?);
        if tv.size() != self.threads * self.values {
            return None;
        }
        let places = tv.walk().ok()?.map(|cell| at(offsets, cell).copied());
        let map = AddressMap::new(threads, values, self.element_bits, self.base_bytes, places);
        let map = map.ok()?;
        let width = vector_width(&map, self.max_bytes);
        let coalescing = coalescing(&map, &width);
        let worst = *coalescing.worst()?;
        Some(ThreadOrder {
            tv,
            thr_val,
            elements: width.elements,
            sectors: worst.sectors,
            ideal: worst.ideal,
            bytes_moved: coalescing.bytes_moved,
        })
    }
}

/// Returns the layout whose values are the tile's indices in the order of their offsets.
fn memory_order(layout: &Layout) -> Option<Layout> {
    let mut next = 1;
    let mut modes: Vec<(i64, FlatMode)> = Vec::new();
    for mode in layout.flat_modes() {
        if mode.shape > 1 {
            let place = FlatMode { shape: mode.shape, stride: StrideLeaf::Int(next) };
            modes.push((mode.stride.value().abs(), place));
        }
        next *= mode.shape;
    }
    modes.sort_by_key(|(stride, _)| *stride);
    let modes: Vec<FlatMode> = modes.into_iter().map(|(_, mode)| mode).collect();
    Layout::from_flat(&modes).ok()
}

/// Returns thread and value layouts of rank 2 that give each thread one access along the
/// contiguous mode and whole rows of threads, if the numbers divide.
fn simple(loads: &WastefulLoads<'_>, width: i64) -> Option<(Layout, Layout)> {
    let tile = loads.tile.product_each().ok()?;
    let extents: Vec<i64> = tile.leaves().copied().collect();
    let [rows, cols] = extents[..] else { return None };
    let unit_stride = |mode: &Layout| mode.flat_modes().iter().any(|m| m.stride.value() == 1);
    let modes = loads.layout.modes();
    let [down, across] = &modes[..] else { return None };
    let row_major = match (unit_stride(down), unit_stride(across)) {
        (true, _) => false,
        (false, true) => true,
        (false, false) => return None,
    };
    let (along, other) = if row_major { (cols, rows) } else { (rows, cols) };
    let threads_along = along / width;
    if along % width != 0 || threads_along < 1 || loads.threads % threads_along != 0 {
        return None;
    }
    let threads_other = loads.threads / threads_along;
    if other % threads_other != 0 {
        return None;
    }
    let values_other = other / threads_other;
    let pair = |along: i64, other: i64| {
        let (shape, stride) = if row_major {
            (Tree::flat([other, along]), [along, 1])
        } else {
            (Tree::flat([along, other]), [1, along])
        };
        Layout::new(shape, Tree::flat(stride.map(StrideLeaf::Int))).ok()
    };
    Some((pair(threads_along, threads_other)?, pair(width, values_other)?))
}
