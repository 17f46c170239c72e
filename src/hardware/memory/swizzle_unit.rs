//! What a swizzle counts: elements, or bytes of the address.
//!
//! In: a swizzle, its unit and an element width. Out: the swizzle of element offsets. Source: CuTe's
//! `recast_layout`; shared-memory pointers carry byte swizzles. Invariant: widths are powers of two,
//! or the two units are no swizzles of each other.

use crate::cute::{Error, Result, Swizzle};

/// The unit that a swizzle counts in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SwizzleUnit {
    /// Elements, as in a composition with an integer offset.
    Element,
    /// Bytes, as carried by a shared-memory pointer.
    Byte,
}

/// Returns the swizzle of element offsets that `swizzle`, counted in `unit`, is for elements of
/// `element_bits`.
///
/// # Errors
/// A byte swizzle over elements whose width is no power of two, or so wide that `M` falls below 0.
pub fn element_swizzle(swizzle: Swizzle, unit: SwizzleUnit, element_bits: i64) -> Result<Swizzle> {
    if unit == SwizzleUnit::Element || swizzle.is_identity() {
        return Ok(swizzle);
    }
    let Some(bits) = u64::try_from(element_bits).ok().filter(|bits| bits.is_power_of_two()) else {
        return Err(Error::rule(
            "swizzle-unit",
            format!(
                "`{swizzle}` counts bytes and cannot be counted in elements of {element_bits} bits: the width is not a power of two"
            ),
        ));
    };
    swizzle.recast(bits.ilog2().cast_signed() - 3)
}
