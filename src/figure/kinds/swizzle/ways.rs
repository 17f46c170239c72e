//! Bank conflicts of a tile that a warp reads along its rows or its columns.
//!
//! In: a layout in shared memory and an element width. Out: for accesses of 4, 8 and 16 bytes the
//! most wavefronts of a phase. 32 lanes take consecutive chunks along the axis, then go on in the
//! next line. Invariant: a width has no entry where a chunk is not contiguous in memory.

use crate::cute::index::{count, wide};
use crate::cute::{AnyLayout, IntTuple, Layout, Tree};
use crate::hardware::memory::{AddressMap, LaneAccess, WARP, bank_conflicts};
use serde_json::{Map, Value};

/// Which way the lanes go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Axis {
    /// Along mode 1.
    Row,
    /// Along mode 0.
    Column,
}

/// Returns the ways by the width of an access in bytes.
pub(super) fn of(layout: &AnyLayout, element_bits: i64, axis: Axis) -> Map<String, Value> {
    let widths = [4_i64, 8, 16];
    let entry =
        |bytes: i64| Some((bytes.to_string(), ways(layout, element_bits, axis, bytes)?.into()));
    widths.into_iter().filter_map(entry).collect()
}

fn ways(layout: &AnyLayout, element_bits: i64, axis: Axis, bytes: i64) -> Option<usize> {
    let bits = bytes * 8;
    if element_bits < 1 || bits % element_bits != 0 {
        return None;
    }
    let chunk = bits / element_bits;
    let modes = layout.domain().modes();
    let rows = modes.first()?.size();
    let cols = modes.get(1).map_or(1, Layout::size);
    // A vector is one row.
    let (rows, cols) = if modes.len() == 1 { (1, rows) } else { (rows, cols) };
    let (along, lines) = match axis {
        Axis::Row => (cols, rows),
        Axis::Column => (rows, cols),
    };
    let chunks = along / chunk;
    if along % chunk != 0 {
        return None;
    }
    let mut lanes = Vec::new();
    for lane in 0..wide(WARP).min(chunks.checked_mul(lines)?) {
        let (line, at) = (lane / chunks, lane % chunks * chunk);
        let offset = |step: i64| {
            let (row, col) = match axis {
                Axis::Row => (line, at + step),
                Axis::Column => (at + step, line),
            };
            offset_at(layout, row + rows * col)
        };
        let first = offset(0)?;
        let contiguous = (1..chunk).all(|step| offset(step) == Some(first + step));
        if !contiguous || first % chunk != 0 {
            return None;
        }
        lanes.push(first);
    }
    let values = count(chunk, bits)?;
    let places = (0..chunk).flat_map(|step| lanes.iter().map(move |first| Some(first + step)));
    let map = AddressMap::new(lanes.len(), values, element_bits, 0, places).ok()?;
    Some(bank_conflicts(&map, LaneAccess::Vector { elements: values, bits }).max_ways)
}

/// Returns the value at an index as an integer.
fn offset_at(layout: &AnyLayout, index: i64) -> Option<i64> {
    match layout.at(&IntTuple::Leaf(index)) {
        Ok(Tree::Leaf(offset)) => Some(offset),
        _ => None,
    }
}
