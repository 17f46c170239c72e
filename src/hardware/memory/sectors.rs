//! Coalescing: what each warp-wide access of global memory moves.
//!
//! In: addresses and the width of an access. Out: sectors and lines of every issue, and how much of
//! what is moved was asked for. Invariant: `ideal <= sectors`, and `efficiency <= 1`.

use super::address::AddressMap;
use super::bytes::{ByteRange, count_distinct, distinct_blocks, distinct_bytes};
use super::vector::VectorWidth;
use crate::hardware::units::{LINE_BYTES, SECTOR_BYTES};

/// One warp-wide access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SectorIssue {
    /// The warp.
    pub warp: usize,
    /// The number of the access within the warp.
    pub issue: usize,
    /// Distinct 32-byte sectors.
    pub sectors: i64,
    /// The fewest sectors that hold as many distinct bytes.
    pub ideal: i64,
    /// Distinct 128-byte lines.
    pub lines: i64,
    /// Bytes that the active lanes ask for; lanes that ask for the same bytes count each.
    pub bytes_asked: i64,
    /// Distinct bytes among them.
    pub bytes_distinct: i64,
    /// Bytes of the sectors.
    pub bytes_moved: i64,
}

/// All warp-wide accesses of a tile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coalescing {
    /// Warp by warp, access by access; accesses without an active lane are left out.
    pub issues: Vec<SectorIssue>,
    /// Distinct bytes that the whole tile asks for.
    pub bytes_distinct: i64,
    /// Bytes that all accesses move.
    pub bytes_moved: i64,
}

impl Coalescing {
    /// Returns the access with most sectors; of equals the one that needed fewest, then the first.
    #[must_use]
    pub fn worst(&self) -> Option<&SectorIssue> {
        self.issues.iter().rev().max_by_key(|issue| (issue.sectors, -issue.ideal))
    }

    /// Returns the share of the moved bytes that was asked for, counted once over the whole tile;
    /// 1 where nothing moves.
    #[must_use]
    pub fn efficiency(&self) -> f64 {
        if self.bytes_moved == 0 {
            return 1.0;
        }
        ratio(self.bytes_distinct, self.bytes_moved)
    }

    /// Returns whether some access touches more sectors than its bytes need.
    #[must_use]
    pub fn is_wasteful(&self) -> bool {
        self.issues.iter().any(|issue| issue.sectors > issue.ideal)
    }
}

/// Divides two counts for display; both are far below 2^52.
#[expect(clippy::cast_precision_loss, reason = "counts of bytes in one tile")]
pub(super) fn ratio(part: i64, whole: i64) -> f64 {
    part as f64 / whole as f64
}

/// Counts the sectors of every warp-wide access of `width`.
#[must_use]
pub fn coalescing(map: &AddressMap, width: &VectorWidth) -> Coalescing {
    let split;
    let map = if width.bits < map.element_bits() {
        split = map.split(width.bits);
        &split
    } else {
        map
    };
    let elements = width.elements.max(1);
    let mut issues = Vec::new();
    let mut bytes_moved = 0;
    let mut ranges: Vec<ByteRange> = Vec::with_capacity(super::WARP);
    for warp in 0..map.warps() {
        for (issue, value) in (0..map.values()).step_by(elements).enumerate() {
            ranges.clear();
            let lanes = map.lanes(warp, value).flatten();
            ranges.extend(lanes.map(|at| ByteRange::of_bits(at, width.bits)));
            if ranges.is_empty() {
                continue;
            }
            let bytes_asked = ranges.iter().map(|range| range.len()).sum();
            ranges.sort_unstable();
            let sorted = || ranges.iter().copied();
            let sectors = distinct_blocks(sorted(), SECTOR_BYTES.ilog2());
            let bytes_distinct = distinct_bytes(sorted());
            bytes_moved += sectors * SECTOR_BYTES;
            issues.push(SectorIssue {
                warp,
                issue,
                sectors,
                ideal: (bytes_distinct + SECTOR_BYTES - 1) / SECTOR_BYTES,
                lines: distinct_blocks(sorted(), LINE_BYTES.ilog2()),
                bytes_asked,
                bytes_distinct,
                bytes_moved: sectors * SECTOR_BYTES,
            });
        }
    }
    let all = map.active().map(|at| ByteRange::of_bits(at, map.element_bits()));
    Coalescing { issues, bytes_distinct: count_distinct(all), bytes_moved }
}
