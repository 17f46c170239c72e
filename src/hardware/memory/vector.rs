//! The widest vector access that a thread-value layout allows.
//!
//! In: addresses and the widest access of the machine. Out: elements per access and what keeps it
//! from being wider. Invariant: every aligned block of that many value ids is, in every thread,
//! ascending and adjacent in memory, and starts on a multiple of its own size.

use super::address::AddressMap;
use crate::cute::index::count;
use crate::hardware::limits::ELEMENT_BITS;
use std::fmt;

/// The width of one access of one thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VectorWidth {
    /// Consecutive value ids of one access.
    pub elements: usize,
    /// The same in bits; a part of an element where one element is wider than any access.
    pub bits: i64,
    /// Why twice as many do not go.
    pub obstacle: Obstacle,
}

impl VectorWidth {
    /// Returns whether an access is a whole number of bytes, as every instruction needs.
    #[must_use]
    pub const fn is_addressable(&self) -> bool {
        self.bits % 8 == 0
    }

    /// Counts the accesses that a thread makes for all its values.
    #[must_use]
    pub fn issues(&self, map: &AddressMap) -> usize {
        let accesses = map.values().div_ceil(self.elements.max(1));
        match count(map.element_bits() / self.bits.max(1), ELEMENT_BITS) {
            Some(pieces) if self.elements == 1 => accesses * pieces.max(1),
            _ => accesses,
        }
    }
}

/// What keeps an access from being twice as wide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// It would be wider than any instruction.
    Widest {
        /// Bytes of the widest instruction.
        bytes: i64,
    },
    /// Elements fill no access, however many: accesses are powers of two of bytes.
    Width {
        /// Bits of an element.
        bits: i64,
    },
    /// The number of values is no multiple of it.
    Values {
        /// Values of a thread.
        values: usize,
        /// Elements of the access that does not divide them.
        elements: usize,
    },
    /// A value does not follow the one before it.
    Gap {
        /// The first such thread.
        thread: usize,
        /// The value after which memory does not go on.
        value: usize,
    },
    /// An access would not start on a multiple of its size.
    Misaligned {
        /// The first such thread.
        thread: usize,
        /// The first value of the access.
        value: usize,
        /// The byte at which it would start.
        byte: i64,
        /// The bytes that it would have to start on a multiple of.
        size: i64,
    },
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Width { bits } => {
                write!(
                    f,
                    "elements of {bits} bits fill no access, which are 1, 2, 4, 8 or 16 bytes"
                )
            }
            Self::Widest { bytes } => write!(f, "{bytes} bytes is the widest access"),
            Self::Values { values, elements } => {
                write!(f, "a thread's {values} values are no multiple of {elements}")
            }
            Self::Gap { thread, value } => write!(
                f,
                "value {} of thread {thread} does not follow value {value} in memory",
                value + 1
            ),
            Self::Misaligned { thread, value, byte, size } => write!(
                f,
                "value {value} of thread {thread} starts at byte {byte}, no multiple of {size}"
            ),
        }
    }
}

/// Finds the widest access of at most `max_bytes`.
#[must_use]
pub fn vector_width(map: &AddressMap, max_bytes: i64) -> VectorWidth {
    let one = map.element_bits();
    let widest = Obstacle::Widest { bytes: max_bytes };
    let most = max_bytes.saturating_mul(8);
    if one > most && most > 0 && one % most == 0 {
        return VectorWidth { elements: 1, bits: most, obstacle: widest };
    }
    if one.count_ones() != 1 {
        return VectorWidth { elements: 1, bits: one, obstacle: Obstacle::Width { bits: one } };
    }
    let mut elements = 1;
    let mut bits = one;
    let mut addressable = VectorWidth { elements, bits, obstacle: widest };
    let obstacle = loop {
        let (next, next_bits) = (elements * 2, bits.saturating_mul(2));
        if next_bits > most {
            break widest;
        }
        if !map.values().is_multiple_of(next) || map.values() == 0 {
            break Obstacle::Values { values: map.values(), elements: next };
        }
        if let Some(obstacle) = doubling_obstacle(map, elements, next_bits) {
            break obstacle;
        }
        (elements, bits) = (next, next_bits);
        if bits % 8 == 0 {
            addressable = VectorWidth { elements, bits, obstacle: widest };
        }
    };
    VectorWidth { obstacle, ..addressable }
}

/// Returns what keeps blocks of `half` values, known to be whole, from pairing up.
fn doubling_obstacle(map: &AddressMap, half: usize, bits: i64) -> Option<Obstacle> {
    for start in (0..map.values()).step_by(half * 2) {
        let value = start + half - 1;
        if let Some(thread) = map.first_gap(value) {
            return Some(Obstacle::Gap { thread, value });
        }
        if let Some(thread) = map.first_misaligned(start, bits) {
            let byte = map.at(thread, start).unwrap_or(0) >> 3;
            // A block below one byte may start anywhere that its size divides; say so in bytes.
            let size = bits.div_euclid(8).max(1);
            return Some(Obstacle::Misaligned { thread, value: start, byte, size });
        }
    }
    None
}
