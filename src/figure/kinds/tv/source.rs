//! What a `tv` figure is about: the map (thread, value) to a tile, given or derived.
//!
//! In: `thr` and `val`, or `tv` and `tile`; `data`. Out: a [`Source`]. Invariant: a `tv` that leaves
//! its tile is refused; what `make_layout_tv` derives may leave it, against its own contract, and then
//! carries a warning.

use super::keys::{DATA, THR, TILE, TV, VAL};
use crate::cute::algebra::{checked, compose_layouts, raked_product, right_inverse};
use crate::cute::index::{capped, count, place};
use crate::cute::{Layout, Shape, Tree};
use crate::diagnostic::Diagnostic;
use crate::expr::Value;
use crate::figure::canvas::limits::TILE_ELEMENTS;
use crate::figure::input::entry::Problem;
use crate::figure::input::keys::Keys;
use crate::figure::model::figure::Table;

/// A thread-value layout over a tile.
pub(super) struct Source {
    /// The map (thread, value) to the index of a cell.
    pub(super) tv: Layout,
    /// The tile, with its nesting.
    pub(super) tile: Shape,
    /// The cell of each thread and value, threads fastest; none outside of the tile.
    pub(super) cells: Vec<Option<usize>>,
    pub(super) threads: usize,
    pub(super) values: usize,
    /// The map from a cell to its owner, where one layout says it.
    pub(super) layout_mn: Option<Layout>,
    /// The layouts it was derived from.
    pub(super) thr_val: Option<(Layout, Layout)>,
    /// The larger shape that the tile repeats over.
    pub(super) data: Option<Shape>,
    /// The extents of the tile, and of the part of it inside of `data`, one a mode.
    extents: Vec<usize>,
    reach: Vec<usize>,
    /// What breaks `make_layout_tv`'s promise.
    pub(super) breach: Option<Diagnostic>,
}

impl Source {
    pub(super) fn read(keys: &Keys<'_>) -> Result<Self, Problem> {
        let by_parts = keys.has(&THR) || keys.has(&VAL);
        if by_parts {
            if let Some(key) = [&TV, &TILE].into_iter().find(|key| keys.has(*key)) {
                let text =
                    format!("`{}` does not go with `thr` and `val`, which give it", key.name);
                let hint = "give `thr` and `val`, or `tv` and `tile`";
                return Err(keys.problem(key, Diagnostic::error("tv-source", text).hint(hint)));
            }
            return Self::derived(keys, keys.plain(&THR)?, keys.plain(&VAL)?);
        }
        if !keys.has(&TV) {
            return Err(keys.missing(&THR));
        }
        let tv = keys.need(&TV, thread_values)?;
        let tile = match keys.read(&TILE, tile_shape)? {
            Some(tile) => tile,
            None => match keys.read(&TV, tiler_of_pair)?.flatten() {
                Some(tile) => tile,
                None => return Err(keys.missing(&TILE)),
            },
        };
        let inverse = right_inverse(&tv).ok().filter(|inverse| inverse.size() == tv.size());
        let layout_mn = inverse.and_then(|inverse| {
            let tile = Layout::column_major(tile.product_each().ok()?).ok()?;
            (tile.size() == inverse.size()).then(|| compose_layouts(&inverse, &tile).ok())?
        });
        Self::check(keys, tv, tile, layout_mn, false)
    }

    fn derived(keys: &Keys<'_>, thr: Layout, val: Layout) -> Result<Self, Problem> {
        let refused = |error| keys.problem(&THR, Diagnostic::from(error));
        let derived = checked::make_layout_tv(&thr, &val).map_err(refused)?;
        let (tile, tv) = derived.value;
        let layout_mn = raked_product(&thr.clone().into(), &val).map_err(refused)?;
        let breach = derived.breaches.into_iter().next().map(|breach| {
            Diagnostic::from(breach)
                .hint("CuTe derives this layout without a word; choose `thr` and `val` that tile")
        });
        let broken = breach.is_some();
        let mut source = Self::check(keys, tv, tile, layout_mn.plain().cloned(), broken)?;
        source.breach = breach;
        source.thr_val = Some((thr, val));
        Ok(source)
    }

    /// Follows every thread and value to its cell.
    fn check(
        keys: &Keys<'_>,
        tv: Layout,
        tile: Shape,
        layout_mn: Option<Layout>,
        may_leave: bool,
    ) -> Result<Self, Problem> {
        let key = if keys.has(&TV) { &TV } else { &THR };
        let refuse = |diagnostic| keys.problem(key, diagnostic);
        let [thr, val] = tv.modes().try_into().map_err(|modes: Vec<Layout>| {
            let text = format!(
                "`{tv}` has {} mode{}; a TV layout has two: threads, then values",
                modes.len(),
                if modes.len() == 1 { "" } else { "s" }
            );
            refuse(Diagnostic::error("tv-rank", text).hint("e.g. `((4,8),2):((16,1),8)`"))
        })?;
        let size = tile.product().map_err(|error| refuse(error.into()))?;
        let followed =
            |size: i64| count(size, TILE_ELEMENTS).filter(|_| tv.size() <= TILE_ELEMENTS);
        let (Some(threads), Some(values), Some(size)) =
            (followed(thr.size()), followed(val.size()), followed(size))
        else {
            let text = format!(
                "{} threads of {} values over {size} cells: a figure follows at most {TILE_ELEMENTS}",
                thr.size(),
                val.size()
            );
            let hint = "draw one tile; `data` names the larger shape that it repeats over";
            return Err(refuse(Diagnostic::error("size", text).hint(hint)));
        };
        let cells = indices(&tv, &tile).map_err(|error| refuse(error.into()))?;
        let outside = |&cell: &i64| place(cell, size).is_none();
        if let Some(at) = cells.iter().position(outside).filter(|_| !may_leave) {
            let reach = |mode: &Layout| indices(mode, &tile).ok()?.into_iter().max();
            let reach = |mode: &Layout| reach(mode).unwrap_or_default();
            let text = format!(
                "thread {}, value {} of `{tv}` is at index {}, but the tile `{tile}` has {size} cells: mode 0 (threads) reaches {}, mode 1 (values) reaches {}",
                at % threads,
                at / threads,
                cells[at],
                reach(&thr),
                reach(&val)
            );
            let hint = "a larger tile, or strides that stay inside of it";
            return Err(refuse(Diagnostic::error("tv-outside", text).hint(hint)));
        }
        let data = keys
            .read(&DATA, |value| value.to_layout()?.shape().product_each().map_err(Into::into))?;
        if let Some(data) = data.as_ref().filter(|data| data.rank() != tile.rank()) {
            let text = format!(
                "`{data}` has rank {} and the tile `{tile}` has rank {}",
                data.rank(),
                tile.rank()
            );
            return Err(keys.problem(&DATA, Diagnostic::error("data-rank", text)));
        }
        let cells = cells.into_iter().map(|cell| place(cell, size)).collect();
        let extents: Vec<usize> =
            tile.modes().iter().map(|mode| extent_within(mode, size)).collect();
        let reach = match &data {
            Some(data) => {
                let modes = data.modes().iter().zip(&extents);
                modes.map(|(mode, &extent)| extent_within(mode, extent)).collect()
            }
            None => extents.clone(),
        };
        Ok(Self {
            tv,
            tile,
            cells,
            threads,
            values,
            layout_mn,
            thr_val: None,
            data,
            extents,
            reach,
            breach: None,
        })
    }

    /// Returns the extents of the tile, one a mode.
    pub(super) fn extents(&self) -> &[usize] {
        &self.extents
    }

    /// Returns how much of each mode lies inside of `data`.
    pub(super) fn reach(&self) -> &[usize] {
        &self.reach
    }

    /// Returns the coordinate of a cell, one number a mode.
    pub(super) fn coordinate(&self, cell: usize) -> impl Iterator<Item = usize> + '_ {
        let mut rest = cell;
        self.extents.iter().map(move |extent| {
            let at = rest % extent;
            rest /= extent;
            at
        })
    }

    /// Returns how often the tile has to be laid to cover `data`.
    pub(super) fn rounds(&self) -> Option<i64> {
        let data = self.data.as_ref()?;
        let tile = self.tile.clone().wrap().product_each().ok()?;
        data.clone().wrap().leaves().zip(tile.leaves()).try_fold(1_i64, |rounds, (&all, &one)| {
            rounds.checked_mul(all.checked_add(one - 1)? / one)
        })
    }

    /// Returns whether a cell lies inside of `data`.
    pub(super) fn inside(&self, cell: usize) -> bool {
        self.data.is_none() || self.coordinate(cell).zip(&self.reach).all(|(at, reach)| at < *reach)
    }

    /// Counts the threads that share each element through thread modes of stride 0.
    pub(super) fn broadcast(&self) -> i64 {
        let Ok(threads) = self.tv.at_path(&[0]) else { return 1 };
        let still = threads.flat_modes().into_iter().filter(|mode| mode.stride.value() == 0);
        still.map(|mode| mode.shape).product()
    }

    /// Shows how `make_layout_tv` gets from `thr` and `val` to the TV layout.
    pub(super) fn derivation(&self) -> Option<Table> {
        let (thr, val) = self.thr_val.as_ref()?;
        let layout_mn = self.layout_mn.as_ref()?;
        let row = |step: &str, result: String, says: &str| vec![step.into(), result, says.into()];
        let inverse = right_inverse(layout_mn).ok()?;
        Some(Table {
            title: "How the TV layout is derived".into(),
            head: vec!["step".into(), "result".into(), "maps".into()],
            rows: vec![
                row("thr", thr.to_string(), "a place of the thread grid to its thread"),
                row("val", val.to_string(), "a place of the value block to its value"),
                row(
                    "raked_product(thr, val)",
                    layout_mn.to_string(),
                    "a cell of the tile to thread + threads x value",
                ),
                row("right_inverse", inverse.to_string(), "thread + threads x value to a cell"),
                row(
                    &format!("composed with ({},{})", self.threads, self.values),
                    self.tv.to_string(),
                    "(thread, value) to a cell",
                ),
            ],
            ..Table::default()
        })
    }
}

/// Counts the coordinates of a mode, of which only the first `limit` are asked for.
fn extent_within(mode: &Shape, limit: usize) -> usize {
    // A size that overflows is beyond any limit.
    capped(mode.product().unwrap_or(i64::MAX), limit)
}

/// Returns the cells of a map to a tile in order; coordinates count as indices of the tile.
fn indices(map: &Layout, tile: &Shape) -> crate::cute::Result<Vec<i64>> {
    if !map.has_basis() {
        return Ok(map.walk()?.collect());
    }
    let places = Layout::column_major(tile.clone())?;
    let index = |coord: crate::cute::IntTuple| match places.at(&coord)? {
        Tree::Leaf(index) => Ok(index),
        Tree::Tuple(_) => Ok(-1),
    };
    map.values()?.map(index).collect()
}

/// Reads a TV layout, alone or as the second of the results of `make_layout_tv`.
fn thread_values(value: &Value) -> Result<Layout, Diagnostic> {
    match value {
        Value::Items(items) if items.len() == 2 => items[1].to_plain(),
        _ => value.to_plain(),
    }
}

fn tiler_of_pair(value: &Value) -> Result<Option<Shape>, Diagnostic> {
    match value {
        Value::Items(items) if items.len() == 2 => items[0].to_ints().map(Some),
        _ => Ok(None),
    }
}

/// Reads a shape, or the shape of a layout.
fn tile_shape(value: &Value) -> Result<Shape, Diagnostic> {
    value.to_layout().map(|layout| layout.shape().clone())
}
