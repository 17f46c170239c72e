//! What removes bank conflicts: the smallest padding and the swizzles, found by trying them.
//!
//! In: a shared-memory layout, who accesses which of its coordinates, and the access. Out: layouts
//! that the same model calls free of conflicts, with their cost. Invariant: candidates come in a
//! fixed order within fixed bounds, keep the width of the access and its alignment, and nothing is
//! returned that was not checked.

use super::address::AddressMap;
use super::banks::{LaneAccess, bank_conflicts, is_conflict_free};
use super::vector::vector_width;
use crate::cute::{AnyLayout, ComposedLayout, Inner, Layout, StrideLeaf, Swizzle, Tree};
use crate::hardware::limits::{PADDED_ACCESSES, SWIZZLE_BITS, SWIZZLES_OFFERED, TRIED};
use crate::hardware::units::{ACCESS_BITS, WARP};

/// An access with conflicts.
#[derive(Clone, Copy, Debug)]
pub struct Conflict<'a> {
    /// The layout of shared memory, without a swizzle.
    pub layout: &'a Layout,
    /// For threads, then values: the index of the layout's coordinate, if it is accessed.
    pub indices: &'a [Option<usize>],
    /// Number of threads.
    pub threads: usize,
    /// Values of a thread.
    pub values: usize,
    /// Width of an element.
    pub element_bits: i64,
    /// Byte address of offset 0.
    pub base_bytes: i64,
    /// What a lane does in one access.
    pub access: LaneAccess,
    /// Whether the tile has to stay without holes (TMA and WGMMA write and read dense tiles).
    pub dense: bool,
}

/// A layout without conflicts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advice {
    /// What was done.
    pub kind: AdviceKind,
    /// The layout to use instead.
    pub layout: AnyLayout,
    /// Wavefronts of its worst warp-wide access.
    pub wavefronts: usize,
    /// Bytes of shared memory that it takes more.
    pub cost_bytes: i64,
}

/// How the layout was changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AdviceKind {
    /// Rows lie further apart.
    Padding {
        /// Elements added to a row.
        elements: i64,
    },
    /// Offsets are permuted.
    Swizzle(Swizzle),
}

/// Finds the smallest padding (unless the tile must stay dense), then swizzles.
#[must_use]
pub fn remove_conflicts(conflict: &Conflict<'_>) -> Vec<Advice> {
    let Some(offsets) = offsets(conflict.layout) else { return Vec::new() };
    let mut advice = Vec::new();
    if !conflict.dense {
        advice.extend(padding(conflict));
    }
    advice.extend(swizzles(conflict, &offsets));
    advice
}

fn offsets(layout: &Layout) -> Option<Vec<i64>> {
    if layout.size() > TRIED {
        return None;
    }
    Some(layout.walk().ok()?.collect())
}

impl Conflict<'_> {
    /// Returns whether the first access of the first warp is free of conflicts: most candidates fail
    /// there already.
    fn first_is_free(&self, offset: &impl Fn(usize) -> Option<i64>) -> bool {
        let (threads, values) =
            (self.threads.min(WARP), self.access.elements().clamp(1, self.values.max(1)));
        let cells =
            (0..values).flat_map(|value| (0..threads).map(move |thread| (thread, value))).map(
                |(thread, value)| self.indices.get(thread + self.threads * value)?.and_then(offset),
            );
        AddressMap::new(threads, values, self.element_bits, self.base_bytes, cells)
            .is_ok_and(|map| is_conflict_free(&map, self.access))
    }

    /// Returns the addresses under other offsets of the same coordinates.
    fn map(&self, offset: impl Fn(usize) -> Option<i64>) -> Option<AddressMap> {
        let cells = self.indices.iter().map(|index| index.and_then(&offset));
        AddressMap::new(self.threads, self.values, self.element_bits, self.base_bytes, cells).ok()
    }

    /// Returns the wavefronts of the worst access if there are no conflicts and the access stays
    /// possible.
    fn check(&self, offset: impl Fn(usize) -> Option<i64>) -> Option<usize> {
        if !self.first_is_free(&offset) {
            return None;
        }
        let map = self.map(offset)?;
        let banks = bank_conflicts(&map, self.access);
        if !banks.is_conflict_free() {
            return None;
        }
        let possible = match self.access {
            LaneAccess::Vector { elements, .. } => {
                vector_width(&map, self.access.bits() / 8).elements >= elements
            }
            LaneAccess::Row { matrix, elements } => {
                matches!(LaneAccess::rows(&map, matrix), Ok(rows) if rows.elements() == elements)
            }
        };
        possible.then_some(banks.wavefronts)
    }

    fn bytes(&self, elements: i64) -> i64 {
        elements.saturating_mul(self.element_bits).saturating_add(7).div_euclid(8)
    }
}

/// Tries to lay rows `1, 2, ...` accesses further apart; of equal paddings the cheapest.
fn padding(conflict: &Conflict<'_>) -> Option<Advice> {
    let flat = conflict.layout.flat_modes();
    let mut pitches: Vec<i64> =
        flat.iter().filter(|mode| mode.shape > 1).map(|mode| mode.stride.value()).collect();
    pitches.sort_unstable();
    pitches.dedup();
    if pitches.first().is_some_and(|&pitch| pitch < 0) {
        return None;
    }
    let footprint = conflict.layout.cosize().ok()?;
    for elements in 1..=PADDED_ACCESSES * ACCESS_BITS / conflict.element_bits {
        if elements * conflict.element_bits % conflict.access.bits().max(1) != 0 {
            continue;
        }
        let best = pitches
            .iter()
            .filter_map(|&pitch| padded(conflict.layout, pitch, elements))
            .filter_map(|layout| {
                let offsets = offsets(&layout)?;
                let wavefronts = conflict.check(|index| offsets.get(index).copied())?;
                let cost_bytes = conflict.bytes(layout.cosize().ok()? - footprint);
                let layout = AnyLayout::Plain(layout);
                let kind = AdviceKind::Padding { elements };
                Some(Advice { kind, layout, wavefronts, cost_bytes })
            })
            .min_by_key(|advice| advice.cost_bytes);
        if best.is_some() {
            return best;
        }
    }
    None
}

/// Lays rows of `pitch` further apart, if what lies below `pitch` is a row: all wider strides are
/// multiples of it, and all narrower modes fit into it.
fn padded(layout: &Layout, pitch: i64, elements: i64) -> Option<Layout> {
    let mut below = 1;
    for mode in layout.flat_modes() {
        let stride = mode.stride.value();
        if stride < pitch {
            below += (mode.shape - 1) * stride;
        } else if stride % pitch != 0 {
            return None;
        }
    }
    if pitch < 2 || below > pitch {
        return None;
    }
    let wider = pitch.checked_add(elements)?;
    let stride = layout
        .stride()
        .try_map(&mut |stride| match stride.value() {
            value if value < pitch => Some(*stride).ok_or(()),
            value => (value / pitch).checked_mul(wider).map(StrideLeaf::Int).ok_or(()),
        })
        .ok()?;
    Layout::new(layout.shape().clone(), stride).ok()
}

/// Tries swizzles: fewest bits first, then the smallest `M`, then the nearest source bits.
fn swizzles(conflict: &Conflict<'_>, offsets: &[i64]) -> Vec<Advice> {
    let Some(highest) = offsets.iter().max() else { return Vec::new() };
    let Ok(footprint) = conflict.layout.cosize() else { return Vec::new() };
    let top = i64::from(i64::BITS - highest.leading_zeros());
    let lowest = conflict.access.bits() / conflict.element_bits.max(1);
    let lowest = i64::from(lowest.max(1).ilog2());
    let mut found = Vec::new();
    for bits in 1..=SWIZZLE_BITS {
        for base in lowest..=top {
            for shift in bits..=top - base - bits {
                for shift in [shift, -shift] {
                    let Ok(swizzle) = Swizzle::new(bits, base, shift) else { continue };
                    let swizzled = |index| offsets.get(index).map(|&at| swizzle.apply(at));
                    let Some(wavefronts) = conflict.check(swizzled) else { continue };
                    let reach = offsets.iter().map(|&at| swizzle.apply(at)).max().unwrap_or(0) + 1;
                    let cost_bytes = conflict.bytes((reach - footprint).max(0));
                    let inner = Inner::Swizzle(swizzle);
                    let outer = conflict.layout.clone();
                    let Ok(layout) = ComposedLayout::new(inner, Tree::Leaf(0), outer) else {
                        continue;
                    };
                    let layout = AnyLayout::Composed(layout);
                    let kind = AdviceKind::Swizzle(swizzle);
                    found.push(Advice { kind, layout, wavefronts, cost_bytes });
                    if found.len() == SWIZZLES_OFFERED {
                        return found;
                    }
                }
            }
        }
    }
    found
}
