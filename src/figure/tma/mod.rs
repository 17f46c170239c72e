//! Kind `tma`: bulk tensor copies between global and shared memory.
//!
//! In: the global tensor, the shared-memory tile with its swizzle, the CTA tiler. Out: the boxes on
//! the tile, where each part lands, the descriptor, the coordinate tensor, the rules. Invariant: a
//! broken rule of the driver is a warning beside the picture, never a missing picture.
//!
//! [`atom`] draws one CTA tile, [`partition`] both sides cut into instructions.

mod atom;
mod partition;

use super::copy::{arch, element_type, snippets};
use super::model::Figure;
use super::resolve::Keys;
use super::snippet::Snippet;
use super::spec::Problem;
use crate::cute::{AnyLayout, ComposedLayout, Error, Inner, Layout, Swizzle, Tiler, Tree};
use crate::diagnostic::Diagnostic;
use crate::expr::Value;
use crate::hardware::dtype::ElementType;
use crate::hardware::tma::descriptor::swizzle_by_name;
use crate::hardware::tma::{Mode, TmaRequest};

/// Builds the figure.
///
/// # Errors
/// Whatever CuTe refuses, at the key that it is about.
pub(super) fn build(keys: &Keys<'_>) -> Result<Figure, Problem> {
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
        dtype: element_type(keys, "dtype")?.unwrap_or(ElementType::F16),
        internal: element_type(keys, "internal-type")?,
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

/// Writes the call that makes the atom. Copies that pick rows or filter windows take arguments that
/// a figure does not know.
fn snippet(request: &TmaRequest) -> Snippet {
    let (cxx, python) = match (request.mode, request.cta_group) {
        (Mode::Load, 1) => (Some("SM90_TMA_LOAD{}"), "CopyBulkTensorTileG2SOp()"),
        (Mode::Multicast, 1) => {
            (Some("SM90_TMA_LOAD_MULTICAST{}"), "CopyBulkTensorTileG2SMulticastOp()")
        }
        (Mode::Load, _) => (
            Some("SM100_TMA_2SM_LOAD{}"),
            "CopyBulkTensorTileG2SOp(cute.nvgpu.tcgen05.CtaGroup.TWO)",
        ),
        (Mode::Multicast, _) => (
            Some("SM100_TMA_2SM_LOAD_MULTICAST{}"),
            "CopyBulkTensorTileG2SMulticastOp(cute.nvgpu.tcgen05.CtaGroup.TWO)",
        ),
        (Mode::Store, _) => (Some("SM90_TMA_STORE{}"), "CopyBulkTensorTileS2GOp()"),
        (Mode::Reduce, _) => (Some("SM90_TMA_REDUCE_ADD{}"), "CopyReduceBulkTensorTileS2GOp()"),
        (Mode::Gather4 | Mode::Scatter4 | Mode::Im2col | Mode::Im2colStore, _) => {
            return Snippet::default();
        }
    };
    let python = format!("cute.nvgpu.cpasync.{python}");
    let operation = Snippet { cxx: cxx.map(str::to_owned), python: Some(python) };
    let tensor = {
        let pointer = Snippet::new(
            format!("make_gmem_ptr<{}>(nullptr)", snippets::cxx_type(request.dtype)),
            format!(
                "cute.make_ptr(cutlass.{}, 0, cute.AddressSpace.gmem, assumed_align=16)",
                request.dtype.dsl_name()
            ),
        );
        Snippet::cute("make_tensor", &[pointer, Snippet::plain(&request.gmem)])
    };
    let mut arguments = vec![operation, tensor, smem_snippet(request)];
    arguments.push(Snippet::tiler(&request.tiler));
    if request.num_multicast > 1 {
        arguments.push(Snippet::int(request.num_multicast));
    }
    let mut call =
        Snippet::call("make_tma_atom", "cute.nvgpu.cpasync.make_tiled_tma_atom", &arguments);
    if let Some(internal) = request.internal {
        let name = snippets::cxx_type(internal);
        call.cxx =
            call.cxx.map(|c| c.replacen("make_tma_atom", &format!("make_tma_atom<{name}>"), 1));
        call.python = call.python.map(|python| {
            let call = python.strip_suffix(')').unwrap_or(&python);
            format!("{call}, internal_type=cutlass.{})", internal.dsl_name())
        });
    }
    call
}

/// Writes the tile in shared memory. A swizzle counts bytes here, for which C++ has a flag.
fn smem_snippet(request: &TmaRequest) -> Snippet {
    let mut snippet = Snippet::layout(&request.smem);
    if let (Some(swizzle), AnyLayout::Composed(composed)) = (request.smem.swizzle(), &request.smem)
    {
        let flag = format!("smem_ptr_flag_bits<{}>{{}}", request.dtype.bits());
        let parts = [
            Snippet::swizzle(swizzle),
            Snippet { cxx: Some(flag), python: None },
            Snippet::plain(composed.outer()),
        ];
        snippet.cxx = Snippet::call("make_composed_layout", "", &parts).cxx;
    }
    snippet
}
