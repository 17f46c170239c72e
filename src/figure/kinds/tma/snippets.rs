//! The code that makes a TMA atom or a partition, in C++ and in the DSL.
//!
//! In: a request, and the keys that only the code needs. Out: expressions; C++ takes a statement to
//! name the atom first. Invariant: where a language has no such operation, nothing is written for
//! it (the C++ library picks no rows and reduces by adding only).

use super::keys::{
    DILATION, FILTER_START, GMEM, LOWER_CORNER, MODE, PADDING, PADDING_UPPER, REDUCTION, SMEM,
    STRIDE, UPPER_CORNER,
};
use crate::cute::index::wide;
use crate::cute::{AnyLayout, ComposedLayout, Error, IntTuple, Layout, Tiler, Tree};
use crate::expr::Value;
use crate::figure::Snippet;
use crate::figure::input::entry::Problem;
use crate::figure::input::keys::Keys;
use crate::figure::kinds::copy::snippets::tensor_in;
use crate::hardware::atoms::TmaOperation;
use crate::hardware::copy::Space;
use crate::hardware::tma::{Mode, TmaRequest};

/// Writes the call that makes the atom.
///
/// # Errors
/// Keys that cannot be read.
pub(super) fn atom(keys: &Keys<'_>, request: &TmaRequest) -> Result<Snippet, Problem> {
    let windows = windows(request);
    // The request has the filter windows as rows; the call takes the tensor.
    let gmem = if windows { keys.plain(&GMEM)? } else { request.gmem.clone() };
    let mut arguments = vec![
        operation(keys, request)?,
        tensor_in(Space::Gmem, request.dtype, Snippet::plain(&gmem)),
        stage(keys, request)?,
        Snippet::tiler(&request.tiler),
    ];
    if windows {
        if request.mode == Mode::Im2col {
            arguments.extend(window(keys)?);
        }
        return Ok(im2col(request, &arguments));
    }
    if request.num_multicast > 1 {
        arguments.push(Snippet::int(request.num_multicast));
    }
    let name = "cute.nvgpu.cpasync.make_tiled_tma_atom";
    let mut call = Snippet::call("make_tma_atom", name, &arguments);
    if let Some(index) = request.index.as_ref().and_then(|index| Snippet::plain(index).python) {
        let pointer = "cute.make_ptr(cutlass.Int32, 0, cute.AddressSpace.gmem, assumed_align=16)";
        let rows = format!("gmem_coord_tensor=cute.make_tensor({pointer}, {index})");
        call.python = call.python.map(|python| with_keyword(&python, &rows));
    }
    if let Some(internal) = request.internal {
        let typed = format!("make_tma_atom<{}>(", internal.cxx_name());
        call.cxx = call.cxx.map(|cxx| cxx.replacen("make_tma_atom(", &typed, 1));
        let name = format!("internal_type=cutlass.{}", internal.dsl_name());
        call.python = call.python.map(|python| with_keyword(&python, &name));
    }
    Ok(call)
}

/// Writes both sides cut for one CTA: C++ gives the global side first, the DSL the shared one.
///
/// # Errors
/// Keys that cannot be read.
pub(super) fn partition(
    keys: &Keys<'_>,
    request: &TmaRequest,
    (tile, tiler): (&AnyLayout, &Tiler),
    (coord, ctas): (&IntTuple, &Layout),
) -> Result<Snippet, Problem> {
    if request.mode.picks_rows() || windows(request) {
        return Ok(Snippet::default());
    }
    let atom = atom(keys, request)?;
    let rank = match tiler {
        Tiler::Keep => 0,
        Tiler::Layout(layout) => layout.rank(),
        Tiler::Shape(shape) => shape.rank(),
        Tiler::Modes(modes) => modes.len(),
    };
    let tensor = tensor_in(Space::Smem, request.dtype, smem(request, tile));
    let modes = [tensor.clone(), Snippet::int(0), Snippet::int(wide(rank))];
    let grouped = Snippet {
        cxx: Snippet::cute(&format!("group_modes<0,{rank}>"), &[tensor]).cxx,
        python: Snippet::cute("group_modes", &modes).python,
    };
    let shape = Snippet::shape(request.gmem.shape()).cxx.unwrap_or_default();
    let coordinates = Snippet::new(format!("tma.get_tma_tensor({shape})"), "tma.tma_tensor");
    let arguments = [
        Snippet {
            cxx: Some("tma".to_owned()),
            python: atom.python.map(|atom| format!("(tma := {atom}).atom")),
        },
        Snippet::ints(coord),
        Snippet::plain(ctas),
        grouped,
        Snippet::cute("zipped_divide", &[coordinates, Snippet::tiler(tiler)]),
    ];
    let name = "cute.nvgpu.cpasync.tma_partition";
    let mut call = Snippet::call("tma_partition", name, &arguments);
    call.cxx = call.cxx.zip(atom.cxx).map(|(call, atom)| format!("auto tma = {atom}; {call}"));
    Ok(call)
}

const fn windows(request: &TmaRequest) -> bool {
    matches!(request.mode, Mode::Im2col | Mode::Im2colStore)
}

/// Writes the operation.
fn operation(keys: &Keys<'_>, request: &TmaRequest) -> Result<Snippet, Problem> {
    let refuse = |error: Error| keys.problem(&MODE, error.into());
    let reduction = keys.get(&REDUCTION).word();
    let found = TmaOperation::find(request.mode, request.cta_group, reduction).map_err(refuse)?;
    Ok(found.map_or_else(Snippet::default, |operation| Snippet {
        cxx: operation.cxx.map(|cxx| format!("{cxx}{{}}")),
        python: Some(operation.dsl),
    }))
}

/// Writes the tile that one stage holds: C++ takes no others.
fn stage(keys: &Keys<'_>, request: &TmaRequest) -> Result<Snippet, Problem> {
    let one = request.smem_stage().and_then(|layout| {
        Ok(match &request.smem {
            AnyLayout::Plain(_) => layout.into(),
            AnyLayout::Composed(all) => {
                ComposedLayout::new(all.inner().clone(), all.offset().clone(), layout)?.into()
            }
        })
    });
    let one = one.map_err(|error: Error| keys.problem(&SMEM, error.into()))?;
    let python = smem(request, &request.smem).python;
    Ok(Snippet { cxx: smem(request, &one).cxx, python })
}

/// Writes a tile in shared memory. A swizzle counts bytes here, for which C++ has a flag.
fn smem(request: &TmaRequest, layout: &AnyLayout) -> Snippet {
    let mut snippet = Snippet::layout(layout);
    if let (Some(swizzle), AnyLayout::Composed(composed)) = (layout.swizzle(), layout) {
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

/// Reads what the descriptor of an im2col load takes of the filter: corners, padding at both ends,
/// steps, start and dilation of the filter.
fn window(keys: &Keys<'_>) -> Result<Vec<Snippet>, Problem> {
    let (lower, upper) = (keys.ints(&LOWER_CORNER)?, keys.ints(&UPPER_CORNER)?);
    let all = |n: i64| Tree::flat(vec![n; lower.rank()]);
    let padding = keys.read(&PADDING, Value::to_ints)?.unwrap_or_else(|| all(0));
    let stride = keys.read(&STRIDE, Value::to_ints)?.unwrap_or_else(|| all(1));
    let above = keys.read(&PADDING_UPPER, Value::to_ints)?.unwrap_or_else(|| padding.clone());
    let start = keys.read(&FILTER_START, Value::to_ints)?.unwrap_or_else(|| all(0));
    let dilation = keys.read(&DILATION, Value::to_ints)?.unwrap_or_else(|| all(1));
    let arguments = [lower.clone(), upper, padding, above, stride, start, dilation];
    Ok(arguments.iter().map(Snippet::shape).collect())
}

fn im2col(request: &TmaRequest, arguments: &[Snippet]) -> Snippet {
    let python = "cute.nvgpu.cpasync.make_im2col_tma_atom";
    let call = Snippet::call("make_im2col_tma_copy", python, arguments);
    Snippet {
        // C++ takes the element type of the tensor, the DSL takes no tile without a swizzle.
        cxx: call.cxx.filter(|_| request.internal.is_none()),
        python: call.python.filter(|_| request.smem.plain().is_none()).map(|call| {
            match request.internal {
                Some(internal) => {
                    with_keyword(&call, &format!("internal_type=cutlass.{}", internal.dsl_name()))
                }
                None => call,
            }
        }),
    }
}

/// Adds an argument by name at the end of a call.
fn with_keyword(call: &str, argument: &str) -> String {
    format!("{}, {argument})", call.strip_suffix(')').unwrap_or(call))
}
