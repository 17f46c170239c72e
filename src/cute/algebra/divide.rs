//! The divides: a layout cut into tiles, in four arrangements.
//!
//! In: a layout and a tiler. Out: logical `((tile,rest) by mode)`, zipped `((tiles),(rests))`,
//! tiled `((tiles),rest,...)`, flat `(tile,...,rest,...)`. Source: CuTe's `logical_divide` family.

use super::coalesce::coalesce_flat;
use super::complement::complement;
use super::composition::{Rest, by_mode, compose_layouts};
use super::domain::on_domain;
use super::form::{Form, arrange};
use crate::cute::composed::AnyLayout;
use crate::cute::error::{Error, Result};
use crate::cute::int_tuple::{Shape, ceil_div};
use crate::cute::layout::Layout;
use crate::cute::tiler::Tiler;
use crate::cute::tree::Tree;

/// Divides in any form.
///
/// # Errors
/// A tiler with more modes than `a`, one that overlaps, and compositions that CuTe refuses; in all
/// but the logical form also a mode kept by `_` that has not two parts to tear.
pub fn divide(a: &AnyLayout, tiler: &Tiler, form: Form) -> Result<AnyLayout> {
    on_domain(a, |layout| arrange(&divided(layout, tiler)?, tiler, form))
}

fn divided(a: &Layout, tiler: &Tiler) -> Result<Layout> {
    by_mode(a, tiler, Rest::Kept, &mut |mode, tile| {
        // Not the size: CuTe rounds up extent by extent, so a tile that does not divide an inner
        // extent pushes the remaining ones whole.
        let rest = complement(tile, coalesce_flat(mode)?.shape())?;
        let both = Layout::from_modes([tile.clone(), rest])?;
        compose_layouts(mode, &both)
    })
}

/// Counts the tiles that cover a shape: the shape of mode 1 of [`zipped_divide`] (CuTe DSL's
/// `ceil_div`).
///
/// # Errors
/// A tiler of more modes than the shape, and one that overlaps or keeps a mode.
pub fn tile_counts(shape: &Shape, tiler: &Tiler) -> Result<Shape> {
    match tiler {
        Tiler::Keep => Err(Error::undefined("`_` has no extent to divide by")),
        Tiler::Shape(by) => ceil_div(shape, by),
        Tiler::Layout(tile) => {
            let rest = complement(tile, &Tree::Leaf(shape.product()?))?;
            Ok(rest.shape().clone())
        }
        Tiler::Modes(parts) => {
            let modes = shape.clone().wrap().into_modes();
            if parts.len() > modes.len() {
                return Err(Error::mismatch(format!(
                    "`{tiler}` does not fit `{shape}`: the tiler has rank {} and the shape has rank {}",
                    parts.len(),
                    modes.len()
                )));
            }
            let counts = modes.into_iter().enumerate().map(|(i, mode)| match parts.get(i) {
                Some(part) => tile_counts(&mode, part),
                None => Ok(mode),
            });
            counts.collect::<Result<_>>().map(Tree::Tuple)
        }
    }
}

/// Divides mode by mode, `(tile, rest)` in place of each divided mode.
///
/// # Errors
/// As [`divide`].
pub fn logical_divide(a: &AnyLayout, tiler: &Tiler) -> Result<AnyLayout> {
    divide(a, tiler, Form::Logical)
}

/// Divides and gathers: mode 0 is the tile, mode 1 the rest.
///
/// # Errors
/// As [`divide`].
pub fn zipped_divide(a: &AnyLayout, tiler: &Tiler) -> Result<AnyLayout> {
    divide(a, tiler, Form::Zipped)
}

/// Divides, the tile as mode 0 and each rest a mode of its own.
///
/// # Errors
/// As [`divide`].
pub fn tiled_divide(a: &AnyLayout, tiler: &Tiler) -> Result<AnyLayout> {
    divide(a, tiler, Form::Tiled)
}

/// Divides, every tile mode and every rest a mode of its own.
///
/// # Errors
/// As [`divide`].
pub fn flat_divide(a: &AnyLayout, tiler: &Tiler) -> Result<AnyLayout> {
    divide(a, tiler, Form::Flat)
}
