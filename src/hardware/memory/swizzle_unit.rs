//! What a swizzle counts: elements, or bytes of the address.
//!
//! In: a swizzle, its unit and an element width. Out: the swizzle of element offsets. Source: CuTe's
//! `recast_layout`; shared-memory pointers carry byte swizzles. Invariant: widths are powers of two,
//! or the two units are no swizzles of each other.

use crate::cute::{OffsetUnit, Result, Swizzle};

/// The unit that an author gives a swizzle of an unstated one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SwizzleUnit {
    /// Elements, as in a composition with an integer offset.
    Element,
    /// Bytes, as carried by a shared-memory pointer.
    Byte,
}

/// Returns the swizzle of element offsets that `swizzle` is for elements of `element_bits`, if it
/// counts `unit`. Whoever wrote the swizzle gave the unit: a swizzle that knows its own is not one
/// for this function but for [`Swizzle::in_elements`].
///
/// # Errors
/// A byte swizzle over elements whose width is no power of two, or so wide that `M` falls below 0.
pub fn element_swizzle(swizzle: Swizzle, unit: SwizzleUnit, element_bits: i64) -> Result<Swizzle> {
    // A width that no `u32` holds is as little a power of two as 0.
    let bits = u32::try_from(element_bits).unwrap_or(0);
    let unit = match unit {
        SwizzleUnit::Element => OffsetUnit::Element { bits },
        SwizzleUnit::Byte => OffsetUnit::Byte { element_bits: bits },
    };
    swizzle.counting(unit).in_elements()
}
