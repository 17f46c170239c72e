//! Operations that look at the domain of a layout only.
//!
//! In: a layout of either kind. Out: the same kind. Invariant: what a composed layout applies after its
//! outer layout stays.

use crate::cute::composed::AnyLayout;
use crate::cute::error::Result;
use crate::cute::layout::Layout;

/// Applies an operation on the domain: to a plain layout itself, to a composed one's outer layout.
pub(super) fn on_domain(
    a: &AnyLayout,
    f: impl FnOnce(&Layout) -> Result<Layout>,
) -> Result<AnyLayout> {
    match a {
        AnyLayout::Plain(layout) => Ok(f(layout)?.into()),
        AnyLayout::Composed(composed) => Ok(composed.with_outer(f(composed.outer())?)?.into()),
    }
}
