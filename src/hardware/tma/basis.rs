//! The TMA box: which modes of the global tensor one instruction walks, and how far.
//!
//! In: the global tensor, the inverse of the shared-memory tile, the CTA's values. Out: the box
//! `extents:bases` with the innermost dimension first. Source: CuTe's `construct_tma_gbasis`, and
//! for im2col `make_tma_atom_im2col`. Invariant: at most five dimensions, each of at most 256
//! elements, the innermost one within the span of the swizzle; of im2col two, uncut: at most 256
//! channels and 1024 pixels.

use super::request::TmaRequest;
use crate::cute::algebra::{
    coalesce, composition, make_identity_layout, recast_layout, right_inverse,
};
use crate::cute::{AnyLayout, Error, Layout, Result, StrideLeaf, Tiler, Tree};

/// The largest side of a box.
pub const MAX_BOX_SIDE: i64 = 256;
/// The most channels of one im2col instruction.
pub const MAX_CHANNELS: i64 = 256;
/// The most pixels of one im2col instruction.
pub const MAX_PIXELS: i64 = 1024;
/// The most dimensions of a box.
pub const MAX_RANK: usize = 5;

/// One dimension of the box while it grows.
struct Dimension {
    /// `(extent, basis)` of the modes in it, fastest first.
    modes: Vec<(i64, StrideLeaf)>,
    extent: i64,
    /// Distance of its first mode in global memory.
    stride: i64,
}

/// Returns the map from the CTA's values to the coordinates of the global tensor.
///
/// # Errors
/// A tiler that does not fit the tensor.
pub fn value_map(request: &TmaRequest) -> Result<Layout> {
    let identity = make_identity_layout(request.gmem.shape())?;
    plain(composition(&identity.into(), &request.tiler)?)
}

/// Returns the box of one instruction.
///
/// # Errors
/// A tile whose shape is not the tiler's; layouts that CuTe cannot compose.
pub fn gmem_basis(request: &TmaRequest) -> Result<Layout> {
    let smem = request.smem_stage()?;
    let values = value_map(request)?;
    let (tile, cta) = (smem.shape().product_each()?, values.shape().product_each()?);
    if tile != cta {
        return Err(Error::rule(
            "tma-tile-shape",
            format!(
                "the shared-memory tile `{tile}` must have the shape of the CTA tile `{cta}` (key `tiler`)"
            ),
        ));
    }
    let run = contiguous_run(&smem, &values)?;
    if request.mode.is_im2col() {
        return channels_and_pixels(run.as_ref());
    }
    let dimensions = dimensions(request, &run)?;
    with_missing_modes(request, dimensions)
}

/// Returns the modes of the global tensor along shared memory, as far as each starts at its own
/// beginning.
fn contiguous_run(smem: &Layout, values: &Layout) -> Result<Option<Layout>> {
    let inverse = right_inverse(smem)?;
    let along = composition(&values.clone().into(), &Tiler::Layout(inverse))?;
    let along = plain(coalesce(&along, None)?)?;
    let modes: Vec<_> = along
        .flat_modes()
        .into_iter()
        .take_while(|mode| mode.stride.path().is_some() && mode.stride.value() == 1)
        .collect();
    if modes.is_empty() { Ok(None) } else { Layout::from_flat(&modes).map(Some) }
}

/// Returns the box of an im2col instruction: the first two modes of the run, as they are.
fn channels_and_pixels(run: Option<&Layout>) -> Result<Layout> {
    let modes = run.map(Layout::flat_modes).unwrap_or_default();
    let [channels, pixels, ..] = modes.as_slice() else {
        return Err(Error::rule(
            "im2col-box",
            "an im2col instruction walks channels and pixels, and the shared-memory tile runs along fewer than two modes".to_owned(),
        ));
    };
    if channels.shape > MAX_CHANNELS || pixels.shape > MAX_PIXELS {
        return Err(Error::rule(
            "im2col-box",
            format!(
                "an im2col instruction moves at most {MAX_CHANNELS} channels of {MAX_PIXELS} pixels, not {} of {}",
                channels.shape, pixels.shape
            ),
        ));
    }
    Layout::from_flat(&[*channels, *pixels])
}

/// Merges modes that follow each other in global memory into dimensions of the box, and cuts the
/// first one that is too long.
fn dimensions(request: &TmaRequest, run: &Option<Layout>) -> Result<Vec<Dimension>> {
    let Some(run) = run else { return Ok(Vec::new()) };
    let strides = composition(&request.gmem.clone().into(), &Tiler::Layout(run.clone()))?;
    // One basis a mode, so each of them reads one mode of the tensor or its parts.
    let strides = recast_layout(request.internal_bits(), request.dtype.bits(), &strides)?;
    let bases = composition(
        &make_identity_layout(request.gmem.shape())?.into(),
        &Tiler::Layout(run.clone()),
    )?;
    let mut out: Vec<Dimension> = Vec::new();
    for (mode, basis) in strides.domain().flat_modes().iter().zip(bases.domain().flat_modes()) {
        if mode.shape == 1 {
            continue;
        }
        let stride = mode.stride.value();
        let limit = |place: usize| if place == 0 { inner_limit(request) } else { MAX_BOX_SIDE };
        let last = out.len().saturating_sub(1);
        if let Some(dimension) = out.last_mut() {
            let follows = dimension.extent.checked_mul(dimension.stride) == Some(stride);
            let merged = dimension.extent.checked_mul(mode.shape);
            if let (true, Some(merged)) = (follows, merged.filter(|&n| n <= limit(last))) {
                dimension.extent = merged;
                dimension.modes.push((mode.shape, basis.stride));
                continue;
            }
        }
        let whole = mode.shape <= limit(out.len());
        let extent = if whole { mode.shape } else { largest_divisor(mode.shape, limit(out.len())) };
        out.push(Dimension { modes: vec![(extent, basis.stride)], extent, stride });
        if !whole {
            break;
        }
    }
    Ok(out)
}

/// Returns how many elements the innermost side may have: what the swizzle spans.
fn inner_limit(request: &TmaRequest) -> i64 {
    let swizzle = request.swizzle();
    if swizzle.is_identity() {
        return MAX_BOX_SIDE;
    }
    let span_bits = 8_i64 << (swizzle.bits() + swizzle.base()).min(40);
    let bits = if request.format().unpacks() { 8 } else { request.internal_bits() };
    (span_bits / bits).clamp(1, MAX_BOX_SIDE)
}

fn largest_divisor(n: i64, limit: i64) -> i64 {
    (1..=limit).rev().find(|d| n % d == 0).unwrap_or(1)
}

/// Appends the modes of the tensor that the box does not walk, with one element each, and groups
/// what is beyond the fourth dimension.
fn with_missing_modes(request: &TmaRequest, dimensions: Vec<Dimension>) -> Result<Layout> {
    let mut out: Vec<(Tree<i64>, Tree<StrideLeaf>)> = Vec::new();
    for dimension in &dimensions {
        let (extents, bases): (Vec<_>, Vec<_>) = dimension.modes.iter().copied().unzip();
        let side = match dimension.modes.as_slice() {
            [(extent, basis)] => (Tree::Leaf(*extent), Tree::Leaf(*basis)),
            _ => (Tree::flat(extents), Tree::flat(bases)),
        };
        out.push(side);
    }
    let walked: Vec<StrideLeaf> =
        dimensions.iter().flat_map(|d| d.modes.iter().map(|(_, basis)| *basis)).collect();
    let identity = make_identity_layout(request.gmem.shape())?;
    for (mode, basis) in request.gmem.flat_modes().iter().zip(identity.flat_modes()) {
        if mode.shape > 1 && !mode.stride.is_zero() && !walked.contains(&basis.stride) {
            out.push((Tree::Leaf(1), Tree::Leaf(basis.stride)));
        }
    }
    if out.len() > MAX_RANK - 1 {
        let (shapes, strides) = out.split_off(MAX_RANK - 1).into_iter().unzip();
        out.push((Tree::Tuple(shapes), Tree::Tuple(strides)));
    }
    let (shapes, strides) = out.into_iter().unzip();
    Layout::new(Tree::Tuple(shapes), Tree::Tuple(strides))
}

fn plain(layout: AnyLayout) -> Result<Layout> {
    match layout {
        AnyLayout::Plain(layout) => Ok(layout),
        AnyLayout::Composed(composed) => Err(Error::undefined(format!(
            "`{composed}` is composed; a layout of shape and stride is wanted"
        ))),
    }
}
