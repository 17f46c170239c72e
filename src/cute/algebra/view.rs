//! Views of a tensor: a tile of it, one thread's share of it, an offset into it.
//!
//! In: a tensor, a tiler or a thread layout, a coordinate. Out: a tensor with its own offset.
//! Source: CuTe's `local_tile`, `local_partition` and `domain_offset`.

use super::divide::zipped_divide;
use super::slice::{dice, slice_tensor};
use crate::cute::composed::AnyLayout;
use crate::cute::error::{Error, Result};
use crate::cute::int_tuple::{Coord, CoordItem, IntTuple};
use crate::cute::layout::Layout;
use crate::cute::tensor::Tensor;
use crate::cute::tiler::Tiler;
use crate::cute::tree::Tree;

/// Cuts a tensor into tiles and picks the tile at `coord` (`_` keeps all tiles of a mode); `proj`
/// picks the modes of tiler and coordinate that this tensor has.
///
/// # Errors
/// Divisions that CuTe refuses, and a coordinate that does not fit the tiles.
pub fn local_tile(
    tensor: &Tensor,
    tiler: &Tiler,
    coord: &Coord,
    proj: Option<&Coord>,
) -> Result<Tensor> {
    let (tiler, coord) = match proj {
        None => (tiler.clone(), coord.clone()),
        Some(proj) => (project_tiler(tiler, proj)?, project_coord(coord, proj)?),
    };
    let layout = zipped_divide(&tensor.layout, &tiler)?;
    tile_at(&Tensor { offset: tensor.offset.clone(), layout }, &coord)
}

/// Picks tiles of a tensor that [`zipped_divide`] has cut: all of mode 0, mode 1 at `coord`, which
/// keeps the modes that it leaves out.
///
/// # Errors
/// A coordinate that does not fit the tiles.
pub fn tile_at(tiled: &Tensor, coord: &Coord) -> Result<Tensor> {
    let ranks = mode_ranks(&tiled.layout);
    let coord = match coord {
        Tree::Leaf(_) => coord.clone(),
        Tree::Tuple(items) => {
            let mut items = items.clone();
            items.resize(ranks.1.max(items.len()), Tree::Leaf(CoordItem::All));
            Tree::Tuple(items)
        }
    };
    take(tiled, Tree::Tuple(vec![keep(ranks.0), coord]))
}

/// Returns the elements that thread `index` of the thread layout `tile` gets.
///
/// # Errors
/// Divisions that CuTe refuses.
pub fn local_partition(
    tensor: &Tensor,
    tile: &Layout,
    index: i64,
    proj: Option<&Coord>,
) -> Result<Tensor> {
    let tile = match proj {
        None => tile.clone(),
        Some(proj) => dice(&tile.clone().into(), proj)?.domain().clone(),
    };
    let shape = tile.shape().product_each()?;
    let layout = zipped_divide(&tensor.layout, &Tiler::Shape(shape))?;
    let tiled = Tensor { offset: tensor.offset.clone(), layout };
    part_at(&tiled, &thread_coord(&tile, index)?)
}

/// Picks one place of every tile of a tensor that [`zipped_divide`] has cut.
///
/// # Errors
/// A coordinate that does not fit the tile.
pub fn part_at(tiled: &Tensor, place: &IntTuple) -> Result<Tensor> {
    let rest = keep(mode_ranks(&tiled.layout).1);
    take(tiled, Tree::Tuple(vec![Coord::from(place), rest]))
}

/// Moves the origin of a tensor to `coord`.
///
/// # Errors
/// A coordinate that does not fit the shape.
pub fn domain_offset(coord: &IntTuple, tensor: &Tensor) -> Result<Tensor> {
    Ok(Tensor { offset: tensor.at(coord)?, layout: tensor.layout.clone() })
}

/// Returns where thread `index` stands: `(index / stride) % shape` in each mode, CuTe's
/// `get_flat_coord`.
///
/// # Errors
/// Overflow.
pub fn thread_coord(tile: &Layout, index: i64) -> Result<IntTuple> {
    let each = tile.modes().into_iter().map(|mode| {
        let mut place = 0_i64;
        let mut weight = 1_i64;
        for flat in mode.flat_modes() {
            let step = flat.stride.value();
            let digit = if step == 0 { 0 } else { (index / step) % flat.shape };
            place = digit
                .checked_mul(weight)
                .and_then(|digit| place.checked_add(digit))
                .ok_or(Error::overflow("a coordinate"))?;
            weight = weight.checked_mul(flat.shape).ok_or(Error::overflow("a size"))?;
        }
        Ok(Tree::Leaf(place))
    });
    let each = each.collect::<Result<Vec<_>>>()?;
    Ok(if tile.shape().is_leaf() {
        each.into_iter().next().unwrap_or(Tree::Leaf(0))
    } else {
        Tree::Tuple(each)
    })
}

fn mode_ranks(tiled: &AnyLayout) -> (usize, usize) {
    let modes = tiled.shape().modes();
    let rank = |i: usize| modes.get(i).map_or(1, Tree::rank);
    (rank(0), rank(1))
}

fn keep(rank: usize) -> Coord {
    Tree::flat(std::iter::repeat_n(CoordItem::All, rank))
}

fn take(tiled: &Tensor, coord: Coord) -> Result<Tensor> {
    let fit = |part: &Coord, mode: &IntTuple| match part {
        Tree::Tuple(items) if mode.is_leaf() && items.len() == 1 => items[0].clone(),
        part => part.clone(),
    };
    let parts = coord.modes().iter().zip(tiled.layout.shape().modes());
    let coord = Tree::Tuple(parts.map(|(part, mode)| fit(part, mode)).collect());
    slice_tensor(tiled, &coord)
}

/// Keeps the modes of a tiler that `proj` asks for.
///
/// # Errors
/// A projection of another rank.
pub fn project_tiler(tiler: &Tiler, proj: &Coord) -> Result<Tiler> {
    match tiler {
        Tiler::Shape(shape) => {
            let parts = wanted(proj, shape.modes())?;
            Ok(Tiler::Shape(Tree::Tuple(parts)))
        }
        Tiler::Modes(modes) => Ok(Tiler::Modes(wanted(proj, modes)?)),
        Tiler::Layout(layout) => {
            Ok(Tiler::Layout(dice(&layout.clone().into(), proj)?.domain().clone()))
        }
        Tiler::Keep => Ok(Tiler::Keep),
    }
}

/// Keeps the entries of a coordinate that `proj` asks for.
///
/// # Errors
/// A projection of another rank.
pub fn project_coord(coord: &Coord, proj: &Coord) -> Result<Coord> {
    Ok(match coord {
        Tree::Leaf(_) => coord.clone(),
        Tree::Tuple(items) => Tree::Tuple(wanted(proj, items)?),
    })
}

/// Keeps the entries at which `proj` holds a number (CuTe's `Step<_1,X,_1>`).
fn wanted<T: Clone>(proj: &Coord, items: &[T]) -> Result<Vec<T>> {
    if proj.rank() != items.len() {
        return Err(Error::mismatch(format!(
            "the projection `{proj}` has rank {}, but there are {} modes to project",
            proj.rank(),
            items.len()
        )));
    }
    let picked = proj.modes().iter().zip(items);
    Ok(picked
        .filter(|(proj, _)| !matches!(proj, Tree::Leaf(CoordItem::All)))
        .map(|(_, item)| item.clone())
        .collect())
}
