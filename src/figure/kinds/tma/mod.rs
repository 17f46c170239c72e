//! Kind `tma`: bulk tensor copies between global and shared memory.
//!
//! In: the global tensor, the shared-memory tile with its swizzle, the CTA tiler. Out: the boxes on
//! the tile, where each part lands, the descriptor, the coordinate tensor, the rules. Invariant: a
//! broken rule of the driver is a warning beside the picture, never a missing picture.
//!
//! [`atom`] draws one CTA tile, whose elements [`tile`] follows and [`panels`] arranges, [`partition`]
//! both sides cut into instructions; [`snippets`] writes the code that makes the same.

mod atom;
mod panels;
mod partition;
mod snippets;
mod tile;

use crate::cute::{AnyLayout, ComposedLayout, Error, Inner, Layout, Swizzle, Tiler, Tree};
use crate::diagnostic::Diagnostic;
use crate::expr::Value;
use crate::figure::input::resolve::Keys;
use crate::figure::input::spec::Problem;
use crate::figure::kinds::copy::arch;
use crate::figure::model::figure::Figure;
use crate::hardware::dtype::ElementType;
use crate::hardware::tma::descriptor::swizzle_by_name;
use crate::hardware::tma::{Mode, TmaRequest};

/// Builds the figure.
///
/// # Errors
/// Whatever CuTe refuses, at the key that it is about.
pub(in crate::figure) fn build(keys: &Keys<'_>) -> Result<Figure, Problem> {
    match keys.word("op") {
        Some("partition") => partition::build(keys),
        _ => atom::build(keys),
    }
}

/// Reads the request of an atom; `smem_key` and `tiler_key` name its tile.
fn request(keys: &Keys<'_>, smem_key: &str, tiler_key: &str) -> Result<TmaRequest, Problem> {
    let mode = keys.word("mode").and_then(Mode::parse).unwrap_or(Mode::Load);
    let gmem = keys.plain("gmem")?;
    let smem = smem(keys, smem_key)?;
    let tiler = tiler(keys, tiler_key, &gmem)?;
    Ok(TmaRequest {
        mode,
        dtype: keys.element_type("dtype")?.unwrap_or(ElementType::F16),
        internal: keys.element_type("internal-type")?,
        gmem: if matches!(mode, Mode::Im2col | Mode::Im2colStore) {
            rows_of(keys, &gmem)?
        } else {
            gmem
        },
        smem,
        tiler,
        num_multicast: keys.number("num-multicast").unwrap_or(1),
        cta_group: keys.number("cta-group").unwrap_or(1),
        index: keys.read("index", Value::to_plain)?,
        arch: arch(keys)?,
    })
}

/// Reads the shared-memory layout; its swizzle may stand in a key of its own, and counts bytes.
fn smem(keys: &Keys<'_>, key: &str) -> Result<AnyLayout, Problem> {
    let layout = keys.layout(key)?;
    let carried = keys.evaluated(key).and_then(|evaluated| evaluated.byte_swizzle);
    let named = match keys.word("swizzle") {
        Some(word) => {
            swizzle_by_name(word).map_err(|error| keys.problem("swizzle", error.into()))?
        }
        None => None,
    };
    let own = carried.or(layout.swizzle());
    let swizzle = match (named, own) {
        (Some(named), Some(own)) if named != own => {
            let text = format!("`swizzle` says `{named}`, and `{key}` carries `{own}`");
            let error = Diagnostic::error("tma-swizzle", text).hint("leave one of them out");
            return Err(keys.problem("swizzle", error));
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
fn tiler(keys: &Keys<'_>, key: &str, gmem: &Layout) -> Result<Tiler, Problem> {
    Ok(keys.read(key, Value::to_tiler)?.unwrap_or_else(|| Tiler::Shape(gmem.shape().clone())))
}

/// Reads an activation tensor `((W,H,..,N),C)` as the matrix of its positions and channels.
fn rows_of(keys: &Keys<'_>, gmem: &Layout) -> Result<Layout, Problem> {
    let refuse = |error: Error| keys.problem("gmem", error.into());
    match gmem.modes().as_slice() {
        [positions, channels] => {
            let step = positions.flat_modes().first().map_or(0.into(), |mode| mode.stride);
            let rows = Layout::vector(positions.size(), step).map_err(refuse)?;
            Layout::from_modes([rows, channels.clone()]).map_err(refuse)
        }
        _ => Err(keys.problem(
            "gmem",
            Diagnostic::error(
                "im2col-shape",
                format!("im2col reads a tensor `((W,H,..,N),C)`, not `{}`", gmem.shape()),
            ),
        )),
    }
}
