//! Swizzles: an XOR of some bits of an offset into others.
//!
//! In: `B, M, S` as in CuTe's `Swizzle<B,M,S>`. Out: the permuted offset. Source: CuTe's
//! `swizzle.hpp`. Invariant: all bits that take part lie below bit 62.

use super::error::{Error, Result};
use std::fmt;

/// `Swizzle<B,M,S>`: XOR `B` bits at `M + max(S,0)` into the `B` bits at `M - min(S,0)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Swizzle {
    bits: u32,
    base: u32,
    shift: i32,
}

impl Swizzle {
    /// The swizzle that moves nothing, as CuTe spells it.
    pub const IDENTITY: Self = Self { bits: 0, base: 4, shift: 3 };
    /// Bits above this one are out of reach: an offset has 63 bits and a sign.
    const TOP: u32 = 62;

    /// Makes a swizzle; as in CuTe, `|S| < B` and `B = 0` give [`Self::IDENTITY`].
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
        Ok(Self { bits: b, base: m, shift: s })
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
    /// units; negative `log2` makes units smaller.
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
        Ok(if self.is_identity() { Self { base, ..self } } else { recast })
    }
}

impl fmt::Display for Swizzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "S<{},{},{}>", self.bits, self.base, self.shift)
    }
}
