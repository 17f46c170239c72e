//! What divides, products and recasts promise, checked point by point.
//!
//! In: operands and CuTe's answer. Out: the first [`Breach`]. Invariant: that of [`super::contract`]:
//! no check looks at more than [`CONTRACT_POINTS`] points.

use super::coalesce::coalesce_flat;
use super::complement::complement;
use super::composition::{compose_layouts, composition};
use super::contract::Breach;
use crate::cute::composed::AnyLayout;
use crate::cute::index::count;
use crate::cute::int_tuple::IntTuple;
use crate::cute::layout::Layout;
use crate::cute::limits::CONTRACT_POINTS;
use crate::cute::tiler::{Parts, Tiler};
use crate::cute::tree::Tree;
use std::collections::BTreeSet;

/// Checks a divide of `a`: each element of tile and rest is that of `a`, and no offset of the result
/// is one that `a` does not have.
pub(super) fn divide(a: &AnyLayout, tiler: &Tiler, divided: &AnyLayout) -> Option<Breach> {
    let mut past = None;
    if let Some(breach) = tile_and_rest(a.domain(), tiler, &mut past) {
        return Some(breach);
    }
    let past = past?;
    let (Some(of_a), Some(of_result)) =
        (count(a.size(), CONTRACT_POINTS), count(divided.size(), CONTRACT_POINTS))
    else {
        return Some(past);
    };
    let has: BTreeSet<IntTuple> = values(a, of_a).collect();
    let mut all = (0_i64..).zip(values(divided, of_result));
    all.find(|(_, value)| !has.contains(value))
        .map(|(index, value)| Breach::Leaves { index, value })
}

fn values(a: &AnyLayout, limit: usize) -> impl Iterator<Item = IntTuple> + '_ {
    a.values().into_iter().flatten().take(limit).map_while(Result::ok)
}

/// Compares `a(tile, rest)` with what CuTe composes, mode by mode, and notes the first coordinate
/// that lies past the end of a mode.
fn tile_and_rest(a: &Layout, tiler: &Tiler, past: &mut Option<Breach>) -> Option<Breach> {
    let tile = match tiler.parts().ok()? {
        Parts::Keep => return None,
        Parts::Whole(tile) => tile,
        Parts::Modes(parts) => {
            let mut modes = parts.iter().zip(a.modes());
            return modes.find_map(|(part, mode)| tile_and_rest(&mode, part, past));
        }
    };
    let rest = complement(&tile, coalesce_flat(a).ok()?.shape()).ok()?;
    let both = Layout::from_modes([tile.into_owned(), rest]).ok()?;
    let composed = compose_layouts(a, &both).ok()?;
    let places = both.values().ok()?.zip(composed.values().ok()?);
    for (index, (place, got)) in (0..CONTRACT_POINTS).zip(places) {
        if place.leaf().is_some_and(|&place| place >= a.size()) {
            past.get_or_insert(Breach::Leaves { index, value: got });
            continue;
        }
        let want = a.at(&place).ok()?;
        if !want.same_value(&got) {
            return Some(Breach::Composition { index, want, got });
        }
    }
    None
}

/// Checks a product: each copy lies where the complement of the block has the tiler's index.
pub(super) fn product(block: &Layout, tiler: &Tiler) -> Option<Breach> {
    let tiler = match tiler.parts().ok()? {
        Parts::Keep => return None,
        Parts::Whole(tiler) => tiler,
        Parts::Modes(parts) => {
            let mut modes = parts.iter().zip(block.modes());
            return modes.find_map(|(part, mode)| product(&mode, part));
        }
    };
    let room = block.size().checked_mul(tiler.cosize().ok()?)?;
    let places: AnyLayout = complement(block, &Tree::Leaf(room)).ok()?.into();
    let tiler = Tiler::Layout(tiler.into_owned());
    let copies = composition(&places, &tiler).ok()?;
    match super::contract::composition(&places, &tiler, &copies)? {
        Breach::Composition { index, want, got } => Some(Breach::Copy { index, want, got }),
        other => Some(other),
    }
}

/// Checks that a recast layout covers the bits of `a`, each as often.
pub(super) fn recast(new: i64, old: i64, a: &AnyLayout, recast: &AnyLayout) -> Option<Breach> {
    let unit = gcd(new, old);
    let (of_old, of_new) = (old / unit, new / unit);
    let limit = |layout: &AnyLayout, each: i64| {
        count(layout.size().checked_mul(each)?, CONTRACT_POINTS)
            .and_then(|_| count(layout.size(), CONTRACT_POINTS))
    };
    let (Some(in_old), Some(in_new)) = (limit(a, of_old), limit(recast, of_new)) else {
        return rounds(a.domain(), of_old, of_new).then_some(Breach::Recast { bit: None });
    };
    let covered = |layout: &AnyLayout, limit: usize, each: i64| {
        let mut units = Vec::new();
        for offset in layout.first_offsets(limit).ok()? {
            let first = offset.checked_mul(each)?;
            units.extend((0..each).map(|unit| first.saturating_add(unit)));
        }
        units.sort_unstable();
        Some(units)
    };
    let (left, right) = (covered(a, in_old, of_old)?, covered(recast, in_new, of_new)?);
    let (shorter, longer) =
        if left.len() <= right.len() { (&left, &right) } else { (&right, &left) };
    let apart = shorter.iter().zip(longer).position(|(x, y)| x != y).unwrap_or(shorter.len());
    let first = [shorter.get(apart), longer.get(apart)].into_iter().flatten().min()?;
    Some(Breach::Recast { bit: first.checked_mul(unit) })
}

/// Returns whether counting in units of `new / old` elements rounds a stride or an extent.
fn rounds(a: &Layout, old: i64, new: i64) -> bool {
    a.flat_modes().iter().any(|mode| {
        let step = mode.stride.value().abs();
        let whole = step.saturating_mul(old) % new == 0;
        let run = step == 1 && mode.shape.saturating_mul(old) % new == 0;
        mode.shape > 1 && !whole && !run
    })
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
