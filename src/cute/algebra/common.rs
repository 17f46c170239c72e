//! `max_common_layout` and `max_common_vector`: what two layouts walk in the same order.
//!
//! In: two layouts. Out: the longest layout (or number of elements) that both map to the same
//! consecutive offsets. Source: CuTe's functions of the same names.

use super::coalesce::coalesce_flat;
use super::composition::compose_layouts;
use super::inverse::right_inverse;
use crate::cute::error::Result;
use crate::cute::layout::{FlatMode, Layout};
use crate::cute::stride::StrideLeaf;

/// Returns the layout of the indices on which `a` and `b` agree and are contiguous.
///
/// # Errors
/// A composition that CuTe refuses.
pub fn max_common_layout(a: &Layout, b: &Layout) -> Result<Layout> {
    let inverse = right_inverse(b)?;
    match shared_run(a, &inverse)? {
        Some(run) => compose_layouts(&inverse, &Layout::vector(run.shape, run.stride)?),
        None => Layout::vector(1, StrideLeaf::ZERO),
    }
}

/// Counts the elements that `a` and `b` both hold contiguously.
///
/// # Errors
/// A composition that CuTe refuses.
pub fn max_common_vector(a: &Layout, b: &Layout) -> Result<i64> {
    Ok(shared_run(a, &right_inverse(b)?)?.map_or(1, |run| run.shape))
}

fn shared_run(a: &Layout, inverse: &Layout) -> Result<Option<FlatMode>> {
    let common = coalesce_flat(&compose_layouts(a, inverse)?)?;
    let first = common.flat_modes()[0];
    Ok((first.stride == StrideLeaf::Int(1)).then_some(first))
}
