//! `composition`: `C(i) = A(B(i))` as a layout.
//!
//! In: `A` and a tiler `B` (a layout, a shape or tilers by mode). Out: a layout with the nesting of
//! `B`. Source: CuTe's `composition` with its weak divisibility conditions, by which some answers
//! are not the pointwise composition; [`super::contract`] tells.

use super::coalesce::coalesced_modes;
use super::domain::on_domain;
use crate::cute::composed::AnyLayout;
use crate::cute::error::{Error, Result};
use crate::cute::int_tuple::{IntTuple, ceil_div_int};
use crate::cute::layout::{FlatMode, Layout};
use crate::cute::stride::{Path, StrideLeaf};
use crate::cute::tiler::{Parts, Tiler};
use crate::cute::tree::Tree;

/// Composes a layout with a tiler (CuTe's `composition`): a layout acts on the whole domain, a
/// shape or tilers by mode act mode by mode, and the modes of `a` past the tiler's are dropped.
///
/// # Errors
/// A tiler with more modes than `a`, strides or extents that do not divide as CuTe asks.
pub fn composition(a: &AnyLayout, b: &Tiler) -> Result<AnyLayout> {
    on_domain(a, |layout| compose_tiler(layout, b))
}

pub(super) fn compose_tiler(a: &Layout, b: &Tiler) -> Result<Layout> {
    by_mode(a, b, Rest::Dropped, &mut compose_layouts)
}

/// What happens to the modes past those of a by-mode tiler.
#[derive(Clone, Copy)]
pub(super) enum Rest {
    /// They stay as they are.
    Kept,
    /// They are not part of the result.
    Dropped,
}

/// Applies `f(mode, layout)` as a tiler says: on the whole, or mode by mode.
pub(super) fn by_mode(
    a: &Layout,
    tiler: &Tiler,
    rest: Rest,
    f: &mut impl FnMut(&Layout, &Layout) -> Result<Layout>,
) -> Result<Layout> {
    let parts = match tiler.parts()? {
        Parts::Keep => return Ok(a.clone()),
        Parts::Whole(layout) => return f(a, &layout),
        Parts::Modes(parts) => parts,
    };
    if parts.len() > a.rank() {
        return Err(Error::Rule {
            rule: "tiler-rank",
            text: format!(
                "`{tiler}` does not fit `{a}`: the tiler has rank {} and the layout has rank {}",
                parts.len(),
                a.rank()
            ),
            hint: Some("a tiler by mode has at most one entry for each mode".to_owned()),
        });
    }
    let wanted = match rest {
        Rest::Kept => a.rank(),
        Rest::Dropped => parts.len(),
    };
    let modes = a.modes().into_iter().take(wanted).enumerate();
    let modes = modes.map(|(i, mode)| match parts.get(i) {
        Some(part) => by_mode(&mode, part, rest, f),
        None => Ok(mode),
    });
    Layout::from_modes(modes.collect::<Result<Vec<_>>>()?)
}

/// Composes two plain layouts, `a` after `b`.
///
/// # Errors
/// As [`composition`].
pub fn compose_layouts(a: &Layout, b: &Layout) -> Result<Layout> {
    composed_by(a, b, &mut |_| {})
}

/// What one mode of `a` contributes to one mode of `b` in [`compose_layouts`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The mode of `b`.
    pub b: FlatMode,
    /// The mode of `a`, coalesced; the last one goes on past its extent.
    pub a: FlatMode,
    /// The stride that is left for this mode of `a`: what the modes before it divided away.
    pub stride: i64,
    /// The coordinates of the mode of `b` that are still to place.
    pub rest: i64,
    /// The mode of the result, if this mode of `a` gives one.
    pub taken: Option<FlatMode>,
}

/// Returns every step that [`compose_layouts`] takes, also up to the one that it refuses.
#[must_use]
pub fn composition_steps(a: &Layout, b: &Layout) -> Vec<Step> {
    let mut steps = Vec::new();
    // A refusal is told by the composition itself; the steps before it show how it came about.
    let _ = composed_by(a, b, &mut |step| steps.push(step));
    steps
}

fn composed_by(a: &Layout, b: &Layout, record: &mut dyn FnMut(Step)) -> Result<Layout> {
    let lhs = match coprofile(b) {
        Some(profile) => extend_by(a, &profile)?,
        None => extend(a)?,
    };
    let refuse = |rule: Broken| Error::Rule {
        rule: "divisibility",
        text: format!("`{a} o {b}` is not a layout: {rule}"),
        hint: None,
    };
    compose_shape(&lhs, b, &refuse, record)
}

/// Coalesces all but keeps the last mode, where a composition runs on past the domain; a last
/// extent of 1 counts as 2, so that its stride survives (CuTe's `coalesce_x`).
fn extend(a: &Layout) -> Result<Layout> {
    let mut modes = a.flat_modes();
    let Some(mut last) = modes.pop() else { return Ok(a.clone()) };
    last.shape = last.shape.max(2);
    modes.push(last);
    Layout::from_flat(&coalesced_modes(&modes)?)
}

fn extend_by(a: &Layout, profile: &IntTuple) -> Result<Layout> {
    match profile {
        Tree::Tuple(parts) if !a.shape().is_leaf() => {
            let one = Tree::Leaf(1);
            let modes = a.modes().into_iter().enumerate();
            let modes = modes.map(|(i, mode)| extend_by(&mode, parts.get(i).unwrap_or(&one)));
            Layout::from_modes(modes.collect::<Result<Vec<_>>>()?)
        }
        _ => extend(a),
    }
}

/// The condition of a composition that does not hold.
enum Broken {
    Stride { extent: i64, stride: i64 },
    Shape { take: i64, rest: i64 },
    Basis { path: Path },
}

impl std::fmt::Display for Broken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Stride { extent, stride } => write!(
                f,
                "stride {stride} must be a multiple of extent {extent}, or smaller than it (stride divisibility)"
            ),
            Self::Shape { take, rest } => write!(
                f,
                "cannot take {take} elements: {take} does not divide the remaining {rest} (shape divisibility)"
            ),
            Self::Basis { path } => write!(f, "the first layout has no mode `1{path}`"),
        }
    }
}

/// Returns how deep the bases of `b` reach into the domain of `a`, as a profile of ones.
fn coprofile(b: &Layout) -> Option<IntTuple> {
    let axes = b.axes().ok()?;
    (!axes.is_empty()).then(|| axes.zero())
}

fn compose_shape(
    lhs: &Layout,
    b: &Layout,
    refuse: &dyn Fn(Broken) -> Error,
    record: &mut dyn FnMut(Step),
) -> Result<Layout> {
    if b.shape().is_leaf() {
        return compose_mode(lhs, b.flat_modes()[0], refuse, record);
    }
    let modes = b.modes();
    let composed = modes.iter().map(|mode| compose_shape(lhs, mode, refuse, record));
    Layout::from_modes(composed.collect::<Result<Vec<_>>>()?)
}

fn compose_mode(
    lhs: &Layout,
    b: FlatMode,
    refuse: &dyn Fn(Broken) -> Error,
    record: &mut dyn FnMut(Step),
) -> Result<Layout> {
    let extent = b.shape;
    let step = match b.stride {
        StrideLeaf::Int(step) => step,
        StrideLeaf::Basis { value, path } => {
            let modes: Vec<usize> = path.modes().collect();
            let mode = lhs.at_path(&modes).map_err(|_| refuse(Broken::Basis { path }))?;
            let b = FlatMode { shape: extent, stride: StrideLeaf::Int(value) };
            return compose_mode(&mode, b, refuse, record);
        }
    };
    if step == 0 {
        return Layout::vector(extent, StrideLeaf::ZERO);
    }
    let modes = lhs.flat_modes();
    let Some((last, body)) = modes.split_last() else {
        return Layout::vector(extent, StrideLeaf::ZERO);
    };
    let mut out: Vec<FlatMode> = Vec::new();
    let (mut rest, mut step) = (extent, step);
    for &mode in body {
        let mut taken = None;
        let (rest_before, step_before) = (rest, step);
        if step % mode.shape != 0 && step.abs() >= mode.shape {
            return Err(refuse(Broken::Stride { extent: mode.shape, stride: step }));
        }
        let available = ceil_div_int(mode.shape, step.abs());
        let next_step = ceil_div_int(step.abs(), mode.shape) * step.signum();
        if available != 1 && rest != 1 {
            let take = available.min(rest);
            if rest % take != 0 {
                return Err(refuse(Broken::Shape { take, rest }));
            }
            let mode = FlatMode { shape: take, stride: mode.stride.scale(step)? };
            out.push(mode);
            taken = Some(mode);
            rest /= take;
        }
        record(Step { b, a: mode, stride: step_before, rest: rest_before, taken });
        step = next_step;
    }
    let mut taken = None;
    if rest != 1 || out.is_empty() {
        let mode = FlatMode { shape: rest, stride: last.stride.scale(step)? };
        out.push(mode);
        taken = Some(mode);
    }
    record(Step { b, a: *last, stride: step, rest, taken });
    Layout::from_flat(&out)
}
