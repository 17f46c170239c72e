//! Bank conflicts: how many wavefronts each warp-wide access of shared memory takes.
//!
//! In: addresses and what one lane does in one access. Out: the ways of every phase. Invariant: an
//! access of 16 bytes is served 8 lanes at a time, of 8 bytes 16 lanes, any other 32 lanes; lanes
//! that want the same 4-byte word of a bank count once.

use super::address::AddressMap;
use super::bytes::ByteRange;
use super::instruction::MatrixAccess;
use crate::cute::index::count;
use crate::diagnostic::Diagnostic;
use crate::hardware::units::{ACCESS_BITS, BANK_BYTES, BANKS, MATRIX_ROWS, WARP};

/// What one lane does in one access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LaneAccess {
    /// Loads or stores consecutive values.
    Vector {
        /// Consecutive value ids.
        elements: usize,
        /// The same in bits.
        bits: i64,
    },
    /// Gives the address of one 16-byte row of `ldmatrix` or `stmatrix`.
    Row {
        /// The instruction.
        matrix: MatrixAccess,
        /// Consecutive value ids that a row holds; 1 where each value is an address.
        elements: usize,
    },
}

impl LaneAccess {
    /// Returns the width in bits.
    #[must_use]
    pub const fn bits(self) -> i64 {
        match self {
            Self::Vector { bits, .. } => bits,
            Self::Row { .. } => ACCESS_BITS,
        }
    }

    /// Counts the values of a lane that one access takes.
    #[must_use]
    pub const fn elements(self) -> usize {
        match self {
            Self::Vector { elements, .. } | Self::Row { elements, .. } => elements,
        }
    }

    /// Counts the lanes that are served together.
    #[must_use]
    pub const fn lanes_per_phase(self) -> usize {
        match self.bits() {
            128 => 8,
            64 => 16,
            _ => WARP,
        }
    }

    /// Returns one past the last lane whose address counts.
    #[must_use]
    pub const fn lanes(self) -> usize {
        match self {
            Self::Vector { .. } => WARP,
            Self::Row { matrix, .. } => matrix.matrices.count() * MATRIX_ROWS,
        }
    }

    /// Reads a map as the row addresses of a matrix instruction: each value an address of its own,
    /// or blocks of values that fill a row.
    ///
    /// # Errors
    /// A row that is not 16 adjacent bytes, or does not start on a multiple of 16.
    pub fn rows(map: &AddressMap, matrix: MatrixAccess) -> Result<Self, Diagnostic> {
        let access = |elements| Self::Row { matrix, elements };
        let lanes = access(1).lanes();
        let counted = |thread: usize| thread % WARP < lanes;
        let aligned = |at: i64| at.rem_euclid(ACCESS_BITS) == 0;
        let cells = || {
            (0..map.values()).flat_map(|value| {
                (0..map.threads())
                    .filter(|&thread| counted(thread))
                    .filter_map(move |thread| map.at(thread, value).map(|at| (thread, value, at)))
            })
        };
        let Some((thread, value, at)) = cells().find(|&(.., at)| !aligned(at)) else {
            return Ok(access(1));
        };
        let fill = count(ACCESS_BITS / map.element_bits(), ACCESS_BITS)
            .filter(|&fill| fill >= 2 && map.values().is_multiple_of(fill));
        let Some(fill) = fill else {
            return Err(Diagnostic::error(
                "matrix-row",
                format!(
                    "`{matrix}` reads rows that start on a multiple of 16 bytes; value {value} of thread {thread} is at byte {}",
                    at >> 3
                ),
            )
            .hint("give one 16-byte aligned address a lane, or all values of its row"));
        };
        for (thread, value, at) in cells() {
            let broken = if value % fill == 0 {
                !aligned(at)
            } else {
                map.at(thread, value - 1) != Some(at - map.element_bits())
            };
            if broken {
                return Err(Diagnostic::error(
                    "matrix-row",
                    format!(
                        "`{matrix}` reads rows of 16 adjacent bytes; value {value} of thread {thread} is at byte {}, which {}",
                        at >> 3,
                        if value % fill == 0 {
                            "is not a multiple of 16".to_owned()
                        } else {
                            format!("does not follow value {}", value - 1)
                        }
                    ),
                ));
            }
        }
        Ok(access(fill))
    }
}

/// The lanes of one access that are served together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Phase {
    /// The warp.
    pub warp: usize,
    /// The number of the access within the warp.
    pub issue: usize,
    /// The number of the group of lanes within the access.
    pub phase: usize,
    /// Distinct words that the busiest bank has to give: the wavefronts of this phase.
    pub ways: usize,
    /// The busiest bank; of equals the lowest.
    pub bank: usize,
    /// The lanes that want something of that bank, lane 0 in the lowest bit.
    pub lanes: u32,
}

impl Phase {
    /// Lists the lanes that want something of the busiest bank.
    pub fn lanes(&self) -> impl Iterator<Item = usize> + '_ {
        (0..WARP).filter(|lane| self.lanes >> lane & 1 == 1)
    }
}

/// The verdict on all warp-wide accesses of a tile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Banks {
    /// Warp by warp, access by access, phase by phase; phases without an active lane are left out.
    pub phases: Vec<Phase>,
    /// The most ways of a phase; 0 where nothing is accessed.
    pub max_ways: usize,
    /// Wavefronts of the worst warp-wide access.
    pub wavefronts: usize,
    /// The fewest wavefronts of that access: its phases.
    pub wavefronts_ideal: usize,
    /// Wavefronts of all accesses together.
    pub wavefronts_total: usize,
    /// Two neighbouring lanes that ask for the same address in an access of 8 or 16 bytes, which
    /// hardware may serve at once.
    pub mergeable: Option<(usize, usize)>,
}

impl Banks {
    /// Returns whether no bank has to answer twice in a phase.
    #[must_use]
    pub const fn is_conflict_free(&self) -> bool {
        self.max_ways <= 1
    }

    /// Returns the phases of the worst warp-wide access.
    #[must_use]
    pub fn worst(&self) -> &[Phase] {
        let mut best: &[Phase] = &[];
        let mut most = (0, 0);
        for access in self.phases.chunk_by(|a, b| (a.warp, a.issue) == (b.warp, b.issue)) {
            let count = (access.iter().map(|phase| phase.ways).sum::<usize>(), WARP - access.len());
            if count > most {
                (most, best) = (count, access);
            }
        }
        best
    }
}

/// Counts the ways of every phase.
#[must_use]
pub fn bank_conflicts(map: &AddressMap, access: LaneAccess) -> Banks {
    let split = map.split(access.bits());
    let mut counter = Counter::default();
    let mut phases = Vec::new();
    let mut mergeable = None;
    for_each_phase(&split, access, |warp, issue, phase, lanes| {
        let (ways, bank, mask) = counter.count(lanes, access.bits());
        phases.push(Phase { warp, issue, phase, ways, bank, lanes: mask });
        if mergeable.is_none() && access.lanes_per_phase() < WARP {
            mergeable = merge(lanes).map(|(a, b)| (warp * WARP + a, warp * WARP + b));
        }
        true
    });
    let mut banks = Banks {
        max_ways: phases.iter().map(|phase| phase.ways).max().unwrap_or(0),
        wavefronts: 0,
        wavefronts_ideal: 0,
        wavefronts_total: phases.iter().map(|phase| phase.ways).sum(),
        phases,
        mergeable,
    };
    let worst = banks.worst();
    (banks.wavefronts, banks.wavefronts_ideal) =
        (worst.iter().map(|phase| phase.ways).sum(), worst.len());
    banks
}

/// Returns whether every phase takes one wavefront; stops at the first that does not.
pub(super) fn is_conflict_free(map: &AddressMap, access: LaneAccess) -> bool {
    let split = map.split(access.bits());
    let mut counter = Counter::default();
    for_each_phase(&split, access, |_, _, _, lanes| counter.count(lanes, access.bits()).0 <= 1)
}

/// A word of shared memory that a lane wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaneWord {
    /// The lane of the warp.
    pub lane: usize,
    /// The word, in units of 4 bytes.
    pub word: i64,
}

impl LaneWord {
    /// Returns the bank that gives it.
    #[must_use]
    pub fn bank(self) -> usize {
        bank_of(self.word)
    }
}

/// Lists what the lanes of a phase want, lane by lane.
#[must_use]
pub fn lane_words(map: &AddressMap, access: LaneAccess, phase: &Phase) -> Vec<LaneWord> {
    let split = map.split(access.bits());
    let first = phase.issue.saturating_mul(access.elements().max(1));
    let group = access.lanes_per_phase();
    split
        .lanes(phase.warp, first)
        .take(access.lanes())
        .enumerate()
        .filter(|(lane, _)| lane / group == phase.phase)
        .filter_map(|(lane, at)| at.map(|at| (lane, at)))
        .flat_map(|(lane, at)| words(at, access.bits()).map(move |word| LaneWord { lane, word }))
        .collect()
}

/// Calls `f` with the active lanes of every phase until it returns false.
fn for_each_phase(
    map: &AddressMap,
    access: LaneAccess,
    mut f: impl FnMut(usize, usize, usize, &[(usize, i64)]) -> bool,
) -> bool {
    let group = access.lanes_per_phase();
    let mut lanes: Vec<(usize, i64)> = Vec::with_capacity(WARP);
    for warp in 0..map.warps() {
        for (issue, value) in (0..map.values()).step_by(access.elements().max(1)).enumerate() {
            let addresses = map.lanes(warp, value).take(access.lanes()).enumerate();
            lanes.clear();
            lanes.extend(addresses.filter_map(|(lane, at)| at.map(|at| (lane, at))));
            for served in lanes.chunk_by(|a, b| a.0 / group == b.0 / group) {
                let phase = served.first().map_or(0, |(lane, _)| lane / group);
                if !f(warp, issue, phase, served) {
                    return false;
                }
            }
        }
    }
    true
}

/// Finds two lanes that differ in bit 0 or bit 1 of their number and ask for the same address.
fn merge(lanes: &[(usize, i64)]) -> Option<(usize, usize)> {
    lanes.iter().find_map(|&(lane, at)| {
        [1, 2].into_iter().find_map(|bit| {
            let other = lane ^ bit;
            (other > lane && lanes.contains(&(other, at))).then_some((lane, other))
        })
    })
}

/// Returns the words, in units of [`BANK_BYTES`], that `bits` at the bit address `at` lie in.
fn words(at: i64, bits: i64) -> std::ops::RangeInclusive<i64> {
    let bytes = ByteRange::of_bits(at, bits);
    bytes.start.div_euclid(BANK_BYTES)..=(bytes.end - 1).div_euclid(BANK_BYTES)
}

/// Returns the bank of a word.
fn bank_of(word: i64) -> usize {
    // The lowest byte has the five bits that count.
    usize::from(word.to_le_bytes()[0]) % BANKS
}

/// The distinct words of each bank in one phase; kept between phases for its memory.
#[derive(Default)]
struct Counter {
    words: [Vec<i64>; BANKS],
    lanes: [u32; BANKS],
}

impl Counter {
    /// Returns the ways, the busiest bank and the lanes that want something of it.
    fn count(&mut self, lanes: &[(usize, i64)], bits: i64) -> (usize, usize, u32) {
        self.words.iter_mut().for_each(Vec::clear);
        self.lanes = [0; BANKS];
        for &(lane, at) in lanes {
            for word in words(at, bits) {
                let bank = bank_of(word);
                self.lanes[bank] |= 1 << lane;
                let seen = &mut self.words[bank];
                if !seen.contains(&word) {
                    seen.push(word);
                }
            }
        }
        let mut busiest = 0;
        for bank in 1..BANKS {
            if self.words[bank].len() > self.words[busiest].len() {
                busiest = bank;
            }
        }
        (self.words[busiest].len(), busiest, self.lanes[busiest])
    }
}
