//! What a swizzle counts: elements, or bytes of the address.
//!
//! In: a swizzle, its unit and an element width. Out: the swizzle of element offsets, and a warning
//! where two widths meet. Source: CuTe's `recast_layout`; shared-memory pointers carry byte swizzles.
//! Invariant: widths are powers of two, or the two units have no swizzle in common.

use crate::cute::{OffsetUnit, Result, Swizzle};
use crate::diagnostic::Diagnostic;

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

/// Warns if elements of `element_bits` are accessed through a swizzle made for another width.
#[must_use]
pub fn other_width(swizzle: Swizzle, element_bits: i64) -> Option<Diagnostic> {
    let bits = swizzle.unit().element_bits().map(i64::from)?;
    let text = format!(
        "the layout under `{swizzle}` counts elements of {bits} bits, and elements of {element_bits} bits are accessed"
    );
    (bits != element_bits).then(|| {
        Diagnostic::warning("dtype", text).hint("use one width, or `recast_layout` between the two")
    })
}
