//! Ranges of bytes and their union.
//!
//! In: what single accesses ask for. Out: how many distinct bytes, sectors or lines that is.
//! Invariant: `start <= end`; an access of part of a byte asks for the whole byte.

use crate::cute::index::{at_mut, count};
use crate::hardware::limits::BYTES_TICKED;

/// The bytes `start..end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ByteRange {
    /// The first byte.
    pub start: i64,
    /// One past the last byte.
    pub end: i64,
}

impl ByteRange {
    /// Returns the bytes that hold `len` bits at the bit address `at`.
    #[must_use]
    pub const fn of_bits(at: i64, len: i64) -> Self {
        Self { start: at >> 3, end: (at + len + 7) >> 3 }
    }

    /// Counts the bytes.
    #[must_use]
    pub const fn len(self) -> i64 {
        self.end - self.start
    }

    /// Returns whether no byte is asked for.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.end <= self.start
    }
}

/// Counts the distinct bytes of ranges that are sorted by their start.
pub(super) fn distinct_bytes(sorted: impl IntoIterator<Item = ByteRange>) -> i64 {
    let mut reached = i64::MIN;
    let mut bytes = 0;
    for range in sorted {
        if range.end > reached {
            bytes += range.end - range.start.max(reached);
            reached = range.end;
        }
    }
    bytes
}

/// Counts the distinct blocks of `2^log2` bytes that ranges sorted by their start touch.
pub(super) fn distinct_blocks(sorted: impl IntoIterator<Item = ByteRange>, log2: u32) -> i64 {
    distinct_bytes(
        sorted.into_iter().filter(|range| !range.is_empty()).map(|range| ByteRange {
            start: range.start >> log2,
            end: ((range.end - 1) >> log2) + 1,
        }),
    )
}

/// Counts the distinct bytes of ranges in any order.
pub(super) fn count_distinct(ranges: impl Iterator<Item = ByteRange> + Clone) -> i64 {
    let low = ranges.clone().map(|range| range.start).min().unwrap_or(0);
    let high = ranges.clone().map(|range| range.end).max().unwrap_or(0);
    let span = high.saturating_sub(low);
    let Some(words) = count(span / 64 + 1, BYTES_TICKED / 64) else {
        let mut sorted: Vec<ByteRange> = ranges.collect();
        sorted.sort_unstable();
        return distinct_bytes(sorted);
    };
    let mut ticks = vec![0_u64; words];
    for range in ranges {
        for byte in range.start - low..range.end - low {
            if let Some(tick) = at_mut(&mut ticks, byte / 64) {
                *tick |= 1 << (byte % 64);
            }
        }
    }
    ticks.iter().map(|tick| i64::from(tick.count_ones())).sum()
}
