//! `make_layout_tv`: who owns what, from a thread layout and a value layout.
//!
//! In: thread and value layouts. Out: the tile that they cover and the map
//! `(thread, value) -> tile coordinate`. Source: CuTe's `make_layout_tv`.

use super::composition::compose_layouts;
use super::inverse::right_inverse;
use super::product::raked_product;
use crate::cute::error::Result;
use crate::cute::int_tuple::Shape;
use crate::cute::layout::Layout;
use crate::cute::tree::Tree;

/// Returns `(tiler_mn, layout_tv)`.
///
/// # Errors
/// Products and compositions that CuTe refuses.
pub fn make_layout_tv(thr: &Layout, val: &Layout) -> Result<(Shape, Layout)> {
    let layout_mn = raked_product(&thr.clone().into(), val)?;
    let layout_mn = layout_mn.domain();
    let sizes = Layout::column_major(Tree::flat([thr.size(), val.size()]))?;
    let layout_tv = compose_layouts(&right_inverse(layout_mn)?, &sizes)?;
    Ok((layout_mn.shape().product_each()?, layout_tv))
}
