//! Swizzles: an XOR of some bits of an offset into others.
//!
//! In: `B, M, S` as in CuTe's `Swizzle<B,M,S>`, and what the offsets count. Out: the permuted offset.
//! Source: CuTe's `swizzle.hpp`; `pointer_flagged.hpp` for swizzles of byte addresses. Invariant: all
//! bits that take part lie below bit 62.

use super::error::{Error, Result};
use std::fmt;

/// What the offsets count that a swizzle permutes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OffsetUnit {
    /// Nothing said so: the swizzle permutes the numbers that it is given.
    Unstated,
    /// Elements of a known width.
    Element {
        /// Their width.
        bits: u32,
    },
    /// Bytes of an address, as a shared-memory pointer carries it; the layout under the swizzle
    /// still counts elements.
    Byte {
        /// The width of those elements.
        element_bits: u32,
    },
}

impl OffsetUnit {
    /// Returns the width of the elements of the layout under the swizzle, where it is known.
    #[must_use]
    pub const fn element_bits(self) -> Option<u32> {
        match self {
            Self::Unstated => None,
            Self::Element { bits: width } | Self::Byte { element_bits: width } => Some(width),
        }
    }

    fn recast(self, log2: i32) -> Self {
        if log2 == 0 {
            return self;
        }
        let Self::Element { bits } = self else { return Self::Unstated };
        let width = match log2 {
            0.. => bits.checked_mul(1_u32.checked_shl(log2.unsigned_abs()).unwrap_or(0)),
            _ => bits.checked_shr(log2.unsigned_abs()),
        };
        match width {
            Some(bits) if bits > 0 => Self::Element { bits },
            _ => Self::Unstated,
        }
    }
}

/// `Swizzle<B,M,S>`: XOR `B` bits at `M + max(S,0)` into the `B` bits at `M - min(S,0)`. Swizzles of
/// different units are different values even if they permute numbers alike; see
/// [`Self::permutes_like`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Swizzle {
    bits: u32,
    base: u32,
    shift: i32,
    unit: OffsetUnit,
}

impl Swizzle {
    /// The swizzle that moves nothing, as CuTe spells it.
    pub const IDENTITY: Self = Self { bits: 0, base: 4, shift: 3, unit: OffsetUnit::Unstated };
    /// Bits above this one are out of reach: an offset has 63 bits and a sign.
    const TOP: u32 = 62;

    /// Makes a swizzle of an unstated unit; as in CuTe, `|S| < B` and `B = 0` give
    /// [`Self::IDENTITY`].
    ///
    /// # Errors
    /// A negative `B` or `M`, and bits beyond 62.
    pub fn new(bits: i64, base: i64, shift: i64) -> Result<Self> {
        let refuse = |text: String| Error::rule("swizzle", text);
        let (Ok(b), Ok(m), Ok(s)) =
            (u32::try_from(bits), u32::try_from(base), i32::try_from(shift))
        else {
            return Err(refuse(format!(
                "invalid swizzle `S<{bits},{base},{shift}>`: B and M are 0 or more"
            )));
        };
        let top = u64::from(b) + u64::from(m) + u64::from(s.unsigned_abs());
        if top > u64::from(Self::TOP) {
            return Err(refuse(format!(
                "`S<{bits},{base},{shift}>` reaches bit {top}; offsets have {} bits",
                Self::TOP
            )));
        }
        if b == 0 || s.unsigned_abs() < b {
            return Ok(Self::IDENTITY);
        }
        Ok(Self { bits: b, base: m, shift: s, unit: OffsetUnit::Unstated })
    }

    /// Returns `B`, the number of bits.
    #[must_use]
    pub const fn bits(self) -> u32 {
        self.bits
    }

    /// Returns `M`, the number of low bits left alone.
    #[must_use]
    pub const fn base(self) -> u32 {
        self.base
    }

    /// Returns `S`, the distance of the two groups; negative goes up.
    #[must_use]
    pub const fn shift(self) -> i32 {
        self.shift
    }

    /// Returns what the offsets count.
    #[must_use]
    pub const fn unit(self) -> OffsetUnit {
        self.unit
    }

    /// Returns the swizzle of the same bits of offsets that count `unit`.
    #[must_use]
    pub const fn counting(self, unit: OffsetUnit) -> Self {
        Self { unit, ..self }
    }

    /// Returns whether both do the same to every number, whatever it counts.
    #[must_use]
    pub fn permutes_like(self, other: Self) -> bool {
        self == other.counting(self.unit)
    }

    /// Returns the swizzle of element offsets; one that does not count bytes is returned as it is.
    ///
    /// # Errors
    /// Elements whose width is no power of two, or so wide that `M` falls below 0.
    pub fn in_elements(self) -> Result<Self> {
        let OffsetUnit::Byte { element_bits: bits } = self.unit else { return Ok(self) };
        let log2 = self.bytes_log2(bits)?;
        Ok(self.moved(log2)?.counting(OffsetUnit::Element { bits }))
    }

    /// Returns the swizzle of byte addresses; one of an unstated unit is returned as it is.
    ///
    /// # Errors
    /// Elements whose width is no power of two, or so narrow that `M` falls below 0.
    pub fn in_bytes(self) -> Result<Self> {
        let OffsetUnit::Element { bits } = self.unit else { return Ok(self) };
        let log2 = self.bytes_log2(bits)?;
        Ok(self.moved(-log2)?.counting(OffsetUnit::Byte { element_bits: bits }))
    }

    /// Returns the binary logarithm of the bytes of an element of `bits`.
    fn bytes_log2(self, bits: u32) -> Result<i32> {
        if self.is_identity() || bits.is_power_of_two() {
            return Ok(bits.max(1).ilog2().cast_signed() - 3);
        }
        Err(Error::rule(
            "swizzle-unit",
            format!(
                "`{self}` cannot be converted between bytes and elements of {bits} bits: the width is not a power of two"
            ),
        ))
    }

    /// Returns the swizzle with its base moved down by `log2`; the identity stays as it is.
    fn moved(self, log2: i32) -> Result<Self> {
        if self.is_identity() { Ok(self) } else { self.recast(log2) }
    }

    /// Returns whether nothing moves.
    #[must_use]
    pub const fn is_identity(self) -> bool {
        self.bits == 0
    }

    /// Returns the mask of the bits that are read.
    #[must_use]
    pub const fn source_mask(self) -> i64 {
        let up = if self.shift > 0 { self.shift.unsigned_abs() } else { 0 };
        ((1 << self.bits) - 1) << (self.base + up)
    }

    /// Returns the mask of the bits that are changed.
    #[must_use]
    pub const fn target_mask(self) -> i64 {
        let up = if self.shift < 0 { self.shift.unsigned_abs() } else { 0 };
        ((1 << self.bits) - 1) << (self.base + up)
    }

    /// Applies the swizzle; it is its own inverse.
    #[must_use]
    #[inline]
    pub const fn apply(self, offset: i64) -> i64 {
        let picked = offset & self.source_mask();
        offset
            ^ if self.shift >= 0 {
                picked >> self.shift.unsigned_abs()
            } else {
                picked << self.shift.unsigned_abs()
            }
    }

    /// Returns the swizzle that does to units of `2^log2` old units what this one does to old
    /// units; negative `log2` makes units smaller. Elements become wider or narrower with it. The unit
    /// of a swizzle of bytes is lost: CuTe moves its base although a byte stays a byte.
    ///
    /// # Errors
    /// A base that would fall below 0.
    pub fn recast(self, log2: i32) -> Result<Self> {
        let moved = i64::from(self.base) - i64::from(log2);
        let Ok(base) = u32::try_from(moved) else {
            return Err(Error::rule(
                "swizzle-base",
                format!(
                    "`{self}` cannot be recast: its base M would become {moved}; M is 0 or more"
                ),
            ));
        };
        let recast = Self::new(self.bits.into(), moved, self.shift.into())?;
        // CuTe moves the base of the identity too.
        let recast = if self.is_identity() { Self { base, ..self } } else { recast };
        Ok(recast.counting(self.unit.recast(log2)))
    }
}

impl fmt::Display for Swizzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "S<{},{},{}>", self.bits, self.base, self.shift)
    }
}
