//! What becomes of a swizzle's unit.
//!
//! In: a layout and what an operation made of it. Out: a warning where a swizzle of bytes was taken over
//! the numbers of elements for good. Invariant: the result is CuTe's, with or without a warning.

use crate::cute::{AnyLayout, OffsetUnit};
use crate::diagnostic::Diagnostic;

/// Warns if `a` has a swizzle of bytes and `result`, which an operation made of it, has none: CuTe has
/// resolved it into strides, or moved its base, as if it counted elements.
pub(super) fn lost(a: &AnyLayout, result: &AnyLayout) -> Option<Diagnostic> {
    let swizzle = a.swizzle()?;
    let OffsetUnit::Byte { element_bits } = swizzle.unit() else { return None };
    let kept = result.swizzle().is_some_and(|found| found.unit() == swizzle.unit());
    let elements = swizzle.in_elements().ok()?;
    if kept || elements.permutes_like(swizzle) {
        return None;
    }
    let text = format!(
        "`{swizzle}` counts bytes, and CuTe takes it over the numbers of {element_bits}-bit elements here: the result no longer gives the places in memory"
    );
    Some(Diagnostic::warning("swizzle-unit", text).hint(format!(
        "start from the layout in elements, `{elements} o 0 o ...` (in C++ that is what `Layout_K_SW128_Atom<T>` means)"
    )))
}
