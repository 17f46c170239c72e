//! The divides: a layout cut into tiles, in four arrangements.
//!
//! In: a layout and a tiler. Out: logical `((tile,rest) by mode)`, zipped `((tiles),(rests))`,
//! tiled `((tiles),rest,...)`, flat `(tile,...,rest,...)`. Source: CuTe's `logical_divide` family.

use super::coalesce::coalesce_flat;
use super::complement::complement;
use super::composition::{Rest, by_mode, compose_layouts};
use super::on_domain;
use crate::cute::composed::AnyLayout;
use crate::cute::error::{Error, Result};
use crate::cute::layout::Layout;
use crate::cute::tiler::Tiler;

/// Divides mode by mode, `(tile, rest)` in place of each divided mode.
///
/// # Errors
/// A tiler with more modes than `a`, one that overlaps, and compositions that CuTe refuses.
pub fn logical_divide(a: &AnyLayout, tiler: &Tiler) -> Result<AnyLayout> {
    on_domain(a, |layout| divide(layout, tiler))
}

fn divide(a: &Layout, tiler: &Tiler) -> Result<Layout> {
    by_mode(a, tiler, Rest::Kept, &mut |mode, tile| {
        // Not the size: CuTe rounds up extent by extent, so a tile that does not divide an inner
        // extent pushes the remaining ones whole.
        let rest = complement(tile, coalesce_flat(mode)?.shape())?;
        let both = Layout::from_modes([tile.clone(), rest])?;
        compose_layouts(mode, &both)
    })
}

/// Divides and gathers: mode 0 is the tile, mode 1 the rest.
///
/// # Errors
/// As [`logical_divide`], and a mode kept by `_` that has not two parts to tear.
pub fn zipped_divide(a: &AnyLayout, tiler: &Tiler) -> Result<AnyLayout> {
    on_domain(a, |layout| zip2_by(&divide(layout, tiler)?, tiler))
}

/// Divides, the tile as mode 0 and each rest a mode of its own.
///
/// # Errors
/// As [`zipped_divide`].
pub fn tiled_divide(a: &AnyLayout, tiler: &Tiler) -> Result<AnyLayout> {
    on_domain(a, |layout| spread_rest(&zip2_by(&divide(layout, tiler)?, tiler)?))
}

/// Divides, every tile mode and every rest a mode of its own.
///
/// # Errors
/// As [`zipped_divide`].
pub fn flat_divide(a: &AnyLayout, tiler: &Tiler) -> Result<AnyLayout> {
    on_domain(a, |layout| spread_both(&zip2_by(&divide(layout, tiler)?, tiler)?))
}

/// Gathers the first parts of all modes into mode 0 and the second parts into mode 1 (CuTe's
/// `zip2_by`); modes past the tiler's go to the second part.
///
/// # Errors
/// A mode kept by `_` that has not two parts.
pub fn zip2_by(layout: &Layout, tiler: &Tiler) -> Result<Layout> {
    let Some(parts) = tiler.by_mode() else {
        if layout.shape().is_leaf() || layout.rank() != 2 {
            return Err(Error::Rule {
                rule: "kept-mode",
                text: format!(
                    "the mode `{layout}` that the tiler keeps has no two parts to put into tile and rest"
                ),
                hint: Some("`logical_divide` keeps a mode whole".to_owned()),
            });
        }
        return Ok(layout.clone());
    };
    let modes = layout.modes();
    let (mut firsts, mut seconds) = (Vec::new(), Vec::new());
    for (i, mode) in modes.iter().enumerate() {
        match parts.get(i) {
            Some(part) => {
                let pair = zip2_by(mode, part)?.modes();
                firsts.push(pair[0].clone());
                seconds.push(pair[1].clone());
            }
            None => seconds.push(mode.clone()),
        }
    }
    Layout::from_modes([Layout::from_modes(firsts)?, Layout::from_modes(seconds)?])
}

/// Turns `(tile, (rest, ...))` into `(tile, rest, ...)`.
pub(super) fn spread_rest(zipped: &Layout) -> Result<Layout> {
    let modes = zipped.modes();
    Layout::from_modes(std::iter::once(modes[0].clone()).chain(modes[1].modes()))
}

/// Turns `((tile, ...), (rest, ...))` into `(tile, ..., rest, ...)`.
pub(super) fn spread_both(zipped: &Layout) -> Result<Layout> {
    Layout::from_modes(zipped.modes().iter().flat_map(Layout::modes))
}
