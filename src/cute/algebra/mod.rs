//! The layout algebra: one file per operation, each named as in CuTe.
//!
//! In: layouts (plain or composed), tilers, shapes. Out: layouts, or the rule that refuses them.
//! Results equal those of the CuTe DSL, also where its answer breaks the operation's own contract:
//! [`checked`] gives the same answers with every such break, which [`contract`] finds.

mod coalesce;
mod common;
mod complement;
mod composition;
mod divide;
mod domain;
mod form;
mod inverse;
mod modes;
mod order;
mod product;
mod promise;
mod recast;
mod slice;
mod tv;
mod view;

pub mod checked;
pub mod contract;

pub use coalesce::{coalesce, filter, filter_zeros, flatten};
pub use common::{max_common_layout, max_common_vector};
pub use complement::complement;
pub use composition::{Step, compose_layouts, composition, composition_steps};
pub use divide::{divide, flat_divide, logical_divide, tile_counts, tiled_divide, zipped_divide};
pub use form::{Form, arrange, zip2_by};
pub use inverse::{
    left_inverse, left_inverse_swizzled, nullspace, right_inverse, right_inverse_swizzled,
};
pub use modes::{append, append_ones, get, group_modes, prepend, prepend_ones, select};
pub use order::{
    make_fragment_like, make_identity_layout, make_layout_like, make_ordered_layout, tile_to_shape,
};
pub use product::{
    blocked_product, flat_product, logical_product, product, raked_product, tiled_product,
    zipped_product,
};
pub use recast::{recast_layout, recast_layout_cxx};
pub use slice::{dice, slice, slice_and_offset, slice_tensor};
pub use tv::make_layout_tv;
pub use view::{
    domain_offset, local_partition, local_tile, part_at, project_coord, project_tiler,
    thread_coord, tile_at,
};
