//! Picking, grouping and adding modes.
//!
//! In: a layout and mode numbers. Out: a layout of the same values where nothing was dropped.
//! Source: CuTe's `group`, `select`, `get`, `append` and `prepend`.

use super::domain::on_domain;
use super::product::pad;
use crate::cute::composed::AnyLayout;
use crate::cute::error::{Error, Result};
use crate::cute::layout::Layout;
use crate::cute::stride::StrideLeaf;

/// Groups the modes `begin..end` into one.
///
/// # Errors
/// An empty range, or one that leaves the layout.
pub fn group_modes(a: &AnyLayout, begin: usize, end: usize) -> Result<AnyLayout> {
    on_domain(a, |layout| {
        if begin >= end {
            return Err(Error::mismatch(format!(
                "the range of modes {begin}..{end} is empty: begin must be below end"
            )));
        }
        let mut modes = layout.modes();
        if end > modes.len() {
            return Err(Error::mismatch(format!(
                "the range of modes {begin}..{end} leaves `{layout}` of rank {}",
                modes.len()
            )));
        }
        let group = Layout::from_modes(modes.drain(begin..end))?;
        modes.insert(begin, group);
        Layout::from_modes(modes)
    })
}

/// Picks modes, in the order given; one may come twice.
///
/// # Errors
/// A mode that the layout does not have.
pub fn select(a: &AnyLayout, modes: &[usize]) -> Result<AnyLayout> {
    on_domain(a, |layout| {
        let picked = modes.iter().map(|&mode| layout.at_path(&[mode]));
        Layout::from_modes(picked.collect::<Result<Vec<_>>>()?)
    })
}

/// Returns what a path of modes leads to.
///
/// # Errors
/// A path that leaves the layout.
pub fn get(a: &AnyLayout, path: &[usize]) -> Result<AnyLayout> {
    on_domain(a, |layout| layout.at_path(path))
}

/// Adds `b` as last mode; with a rank, `b` fills up to it, repeated.
///
/// # Errors
/// Overflow.
pub fn append(a: &AnyLayout, b: &Layout, up_to: Option<usize>) -> Result<AnyLayout> {
    on_domain(a, |layout| {
        let missing = missing(layout, up_to);
        let added = std::iter::repeat_n(b.clone(), missing);
        extend(layout, missing, layout.modes().into_iter().chain(added))
    })
}

/// Adds `b` as first mode; with a rank, `b` fills up to it, repeated.
///
/// # Errors
/// Overflow.
pub fn prepend(a: &AnyLayout, b: &Layout, up_to: Option<usize>) -> Result<AnyLayout> {
    on_domain(a, |layout| {
        let missing = missing(layout, up_to);
        let added = std::iter::repeat_n(b.clone(), missing);
        extend(layout, missing, added.chain(layout.modes()))
    })
}

fn missing(layout: &Layout, up_to: Option<usize>) -> usize {
    up_to.map_or(1, |rank| rank.saturating_sub(layout.rank()))
}

fn extend(layout: &Layout, missing: usize, modes: impl Iterator<Item = Layout>) -> Result<Layout> {
    if missing == 0 { Ok(layout.clone()) } else { Layout::from_modes(modes) }
}

/// Adds modes `1:0` at the end up to a rank.
///
/// # Errors
/// Overflow.
pub fn append_ones(a: &AnyLayout, up_to: usize) -> Result<AnyLayout> {
    on_domain(
        a,
        |layout| {
            if layout.rank() >= up_to { Ok(layout.clone()) } else { pad(layout, up_to) }
        },
    )
}

/// Adds modes `1:0` at the front up to a rank.
///
/// # Errors
/// Overflow.
pub fn prepend_ones(a: &AnyLayout, up_to: usize) -> Result<AnyLayout> {
    prepend(a, &Layout::vector(1, StrideLeaf::ZERO)?, Some(up_to))
}
