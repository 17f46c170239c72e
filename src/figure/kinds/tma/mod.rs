//! Kind `tma`: bulk tensor copies between global and shared memory.
//!
//! In: the global tensor, the shared-memory tile with its swizzle, the CTA tiler. Out: the boxes on
//! the tile, where each part lands, the descriptor, the coordinate tensor, the rules. Invariant: a
//! broken rule of the driver is a warning beside the picture, never a missing picture.
//!
//! [`atom`] draws one CTA tile, whose elements [`tile`] follows and [`panels`] arranges, [`partition`]
//! both sides cut into instructions; [`snippets`] writes the code that makes the same.

mod atom;
mod keys;
mod panels;
mod partition;
mod snippets;
mod tile;

use crate::cute::{AnyLayout, ComposedLayout, Error, Inner, Layout, Swizzle, Tiler, Tree};
use crate::diagnostic::Diagnostic;
use crate::expr::Value;
use crate::figure::input::entry::Problem;
use crate::figure::input::key::Key;
use crate::figure::input::keys::Keys;
use crate::figure::input::kind::{KindDef, OpDef, OpKey, Thumbnail};
use crate::figure::input::value::Expression;
use crate::hardware::tma::descriptor::swizzle_by_name;
use crate::hardware::tma::{Mode, TmaRequest};
use keys::{ARCH, CTA_GROUP, DTYPE, GMEM, INDEX, INTERNAL_TYPE, MODE, NUM_MULTICAST, SWIZZLE};

pub(super) static DEF: KindDef = KindDef {
    name: "tma",
    doc: "TMA copies: the box, its landing in shared memory, the descriptor, the rules.",
    op: Some(&OpKey { doc: "What is asked about the copy.", ops: OPS }),
    ops: OPS,
    thumbnail: Thumbnail::First,
    deep_links: &[],
};

static OPS: &[OpDef] = &[
    OpDef {
        name: "atom",
        doc: "The instructions of one CTA tile, the descriptor and its rules.",
        keys: &[keys::COPY_KEYS, keys::ATOM_KEYS],
        build: atom::build,
        example: "gmem = (128,128):(128,1)\nsmem = (64,32):(32,1)\ntiler = (64,32)",
    },
    OpDef {
        name: "partition",
        doc: "Both sides cut into instructions for one CTA: `tma_partition`.",
        keys: &[keys::COPY_KEYS, keys::PARTITION_KEYS],
        build: partition::build,
        example: "gmem = (128,128):(128,1)\nsmem = (64,32):(32,1)\ntiler = (64,32)",
    },
];

/// Reads the request of an atom; `smem_key` and `tiler_key` name its tile.
fn request(
    keys: &Keys<'_>,
    smem_key: &Key<Expression>,
    tiler_key: &Key<Expression>,
) -> Result<TmaRequest, Problem> {
    let mode = keys.get(&MODE);
    let gmem = keys.plain(&GMEM)?;
    let smem = smem(keys, smem_key)?;
    let tiler = tiler(keys, tiler_key, &gmem)?;
    Ok(TmaRequest {
        mode,
        dtype: keys.get(&DTYPE),
        internal: keys.get(&INTERNAL_TYPE),
        gmem: if matches!(mode, Mode::Im2col | Mode::Im2colStore) {
            rows_of(keys, &gmem)?
        } else {
            gmem
        },
        smem,
        tiler,
        num_multicast: keys.get(&NUM_MULTICAST),
        cta_group: keys.get(&CTA_GROUP),
        index: keys.read(&INDEX, Value::to_plain)?,
        arch: keys.get(&ARCH),
    })
}

/// Reads the shared-memory layout; its swizzle may stand in a key of its own, and counts bytes.
fn smem(keys: &Keys<'_>, key: &Key<Expression>) -> Result<AnyLayout, Problem> {
    let layout = keys.layout(key)?;
    let carried = keys.get(key).and_then(|evaluated| evaluated.value.byte_swizzle());
    let named = match keys.get(&SWIZZLE) {
        Some(word) => {
            swizzle_by_name(word).map_err(|error| keys.problem(&SWIZZLE, error.into()))?
        }
        None => None,
    };
    let own = carried.or(layout.swizzle());
    let swizzle = match (named, own) {
        (Some(named), Some(own)) if !named.permutes_like(own) => {
            let text = format!("`swizzle` says `{named}`, and `{}` carries `{own}`", key.name);
            let error = Diagnostic::error("tma-swizzle", text).hint("leave one of them out");
            return Err(keys.problem(&SWIZZLE, error));
        }
        (named, own) => named.or(own),
    };
    if layout.plain().is_none() && layout.swizzle().is_none() {
        return Ok(layout);
    }
    let outer = layout.domain().clone();
    match swizzle {
        None => Ok(outer.into()),
        Some(swizzle) => swizzled(swizzle, outer).map_err(|error| keys.problem(key, error.into())),
    }
}

fn swizzled(swizzle: Swizzle, outer: Layout) -> Result<AnyLayout, Error> {
    Ok(ComposedLayout::new(Inner::Swizzle(swizzle), Tree::Leaf(0), outer)?.into())
}

/// Reads the CTA tiler; left out, the tile is the whole tensor.
fn tiler(keys: &Keys<'_>, key: &Key<Expression>, gmem: &Layout) -> Result<Tiler, Problem> {
    Ok(keys.read(key, Value::to_tiler)?.unwrap_or_else(|| Tiler::Shape(gmem.shape().clone())))
}

/// Reads an activation tensor `((W,H,..,N),C)` as the matrix of its positions and channels.
fn rows_of(keys: &Keys<'_>, gmem: &Layout) -> Result<Layout, Problem> {
    let refuse = |error: Error| keys.problem(&GMEM, error.into());
    match gmem.modes().as_slice() {
        modes @ [_, _] => {
            let each = modes.iter().map(|mode| {
                let step = mode.flat_modes().first().map_or(0.into(), |mode| mode.stride);
                Layout::vector(mode.size(), step)
            });
            let each = each.collect::<Result<Vec<_>, _>>().map_err(refuse)?;
            Layout::from_modes(each).map_err(refuse)
        }
        _ => Err(keys.problem(
            &GMEM,
            Diagnostic::error(
                "im2col-shape",
                format!("im2col reads a tensor `((W,H,..,N),C)`, not `{}`", gmem.shape()),
            ),
        )),
    }
}
