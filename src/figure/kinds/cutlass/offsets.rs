//! The picture of the offsets: coordinates as the class names them, groups as levels of the axes.
//!
//! In: a source, its map and its twin in CuTe. Out: a panel. Invariant: (row, column) is drawn as it is
//! said, (contiguous, strided) with a line of memory across.

use super::map::{Map, coord_label, coords};
use super::source::{Source, tuple};
use crate::cute::index::{capped, wide};
use crate::figure::canvas::limits::{GRID_SIDE, STRIP_COLUMNS};
use crate::figure::model::axis::{Axis, Ticks};
use crate::figure::model::figure::{Body, LegendEntry, Panel, Slice, Swatch};
use crate::figure::model::grid::{Cell, Fill, Grid, Mark, Scale};
use crate::figure::model::label::Label;
use crate::hardware::cutlass2::{Class, Twin};

/// Which coordinates of a class run down and across.
struct Plane {
    down: usize,
    across: usize,
}

impl Plane {
    /// (row, column) is drawn as it is said; (contiguous, strided) with a line of memory across;
    /// of tensors the last two coordinates are drawn.
    fn of(class: Class) -> Option<Self> {
        let rank = class.rank();
        match class.coord_names() {
            ["contiguous", "strided"] => Some(Self { down: 1, across: 0 }),
            _ if rank < 2 => None,
            _ => Some(Self { down: rank - 2, across: rank - 1 }),
        }
    }
}

/// Draws the offset of every coordinate, one grid for each pair of the outer ones.
pub(super) fn panel(source: &Source, map: &Map, twin: &Twin, order: bool) -> Panel {
    let class = source.class();
    let body = match Plane::of(class) {
        Some(plane) => Body::Grids(slices(source, map, &plane)),
        None => Body::Grids(vec![Slice { title: None, grid: strip(map) }]),
    };
    let mut panel = Panel::new(class.to_string(), body)
        .unit("elements")
        .legend(Swatch::Scale(Scale::Ramp), format!("offset, {} to {}", map.low, map.high));
    if let Some(layout) = twin.layout() {
        panel = panel.layout(layout);
    }
    if map.hits.values().any(|&hits| hits > 1) {
        panel = panel.legend(Swatch::Mark(Mark::Twice), "an offset of several coordinates");
    }
    if let Body::Grids(slices) = &mut panel.body {
        if slices.iter().any(|slice| has_groups(&slice.grid)) {
            panel.legend.push(LegendEntry { swatch: Swatch::Boundary, text: groups_text(class) });
        }
        if order {
            for slice in slices {
                slice.grid.path = storage_order(&slice.grid);
            }
            panel = panel.legend(Swatch::Text, "line: order in memory");
        }
    }
    let points = source.extent.iter().copied().fold(1, i64::saturating_mul);
    panel.caption(match twin {
        Twin::Exact(layout) => {
            format!("the same map in CuTe: {layout}, equal at all {points} points")
        }
        Twin::Rounded { layout, extent } => format!(
            "the same map in CuTe: {layout} over {}, equal at all {} points",
            tuple(extent),
            extent.iter().product::<i64>(),
        ),
        Twin::Sampled { layout, extent, points } => format!(
            "the same map in CuTe: {layout} over {}, equal at the {points} points compared: the first ones and others evenly spread",
            tuple(extent),
        ),
        Twin::None { reason } => format!("no CuTe layout: {reason}"),
    })
}

fn has_groups(grid: &Grid) -> bool {
    grid.row_axis.levels.len() > 1 || grid.col_axis.levels.len() > 1
}

fn groups_text(class: Class) -> String {
    match class {
        Class::Multiplicand(_) => "accesses and tiles of the permutation".to_owned(),
        Class::ColumnMajorBlockLinear(r, c) | Class::RowMajorBlockLinear(r, c) => {
            format!("blocks of {r}x{c}")
        }
        Class::RowMajor
        | Class::ColumnMajor
        | Class::RowMajorInterleaved(_)
        | Class::ColumnMajorInterleaved(_)
        | Class::ContiguousMatrix
        | Class::AffineRankN(_)
        | Class::AffineRank2ColumnMajor
        | Class::AffineRank2RowMajor
        | Class::GeneralMatrix
        | Class::PitchLinear
        | Class::TensorNHWC
        | Class::TensorNCHW
        | Class::TensorNCxHWx(_)
        | Class::TensorCxRSKx(_)
        | Class::TensorNDHWC
        | Class::PackedVectorLayout => "interleaved groups".to_owned(),
    }
}

fn slices(source: &Source, map: &Map, plane: &Plane) -> Vec<Slice> {
    let rank = map.extent.len();
    let outer: Vec<i64> = map
        .extent
        .iter()
        .enumerate()
        .map(|(i, &n)| if i == plane.down || i == plane.across { 1 } else { n })
        .collect();
    coords(&outer)
        .map(|base| {
            let title = (rank > 2).then(|| {
                let parts: Vec<String> = base
                    .iter()
                    .enumerate()
                    .map(|(i, at)| {
                        let free = i == plane.down || i == plane.across;
                        if free { "_".to_owned() } else { at.to_string() }
                    })
                    .collect();
                format!("({})", parts.join(","))
            });
            Slice { title, grid: grid(source, map, plane, &base) }
        })
        .collect()
}

fn grid(source: &Source, map: &Map, plane: &Plane, base: &[i64]) -> Grid {
    let side = |i: usize| map.extent.get(i).map_or(1, |&n| capped(n, GRID_SIDE));
    let coord = |row: usize, col: usize| {
        let mut coord = base.to_vec();
        for (i, at) in [(plane.down, row), (plane.across, col)] {
            if let Some(place) = coord.get_mut(i) {
                *place = wide(at);
            }
        }
        coord
    };
    let (rows, cols) = (side(plane.down), side(plane.across));
    let names = source.class().coord_names();
    let mut grid = Grid::from_fn(rows, cols, |spot| map.cell(&coord(spot.row, spot.col)))
        .layer("offset", |spot| Label::Int(map.offset(&coord(spot.row, spot.col))))
        .layer("coord", |spot| coord_label(&coord(spot.row, spot.col)));
    grid.row_axis = axis(source, plane.down, rows).titled(names[plane.down]);
    grid.col_axis = axis(source, plane.across, cols).titled(names[plane.across]);
    grid
}

/// Makes the axis of a coordinate, with a level for its groups.
fn axis(source: &Source, coord: usize, extent: usize) -> Axis {
    let mut axis = Axis::counting(extent);
    let mut run = 1;
    for group in source.object.groups(coord) {
        // One as long as the axis is no level of it, nor is a longer one.
        let group = capped(group, extent);
        if group > run && group < extent {
            let count = extent.div_ceil(group);
            axis = axis.level(group, Ticks::Counting { start: 0, extent: count, step: 1 });
            run = group;
        }
    }
    axis
}

/// Draws a vector.
fn strip(map: &Map) -> Grid {
    let cols = map.offsets.len().min(STRIP_COLUMNS);
    let rows = map.offsets.len().div_ceil(cols.max(1));
    let at = |row: usize, col: usize| map.offsets.get(row * cols + col).copied();
    let mut grid = Grid::from_fn(rows, cols, |spot| match at(spot.row, spot.col) {
        Some(offset) => Cell { fill: Fill::ramp(offset, map.low, map.high), ..Cell::default() },
        None => Cell { faded: true, ..Cell::default() },
    })
    .layer("offset", |spot| at(spot.row, spot.col).map_or(Label::Blank, Label::Int));
    if rows > 1 {
        grid.row_axis = Axis::counting_from(0, rows, wide(cols));
    } else {
        grid.row_axis = Axis::default();
    }
    grid
}

/// Sorts the cells of a grid by the offset that their first layer shows.
fn storage_order(grid: &Grid) -> Vec<usize> {
    let mut order: Vec<(i64, usize)> = grid
        .layers
        .first()
        .into_iter()
        .flat_map(|layer| layer.labels.iter().enumerate())
        .filter_map(|(cell, label)| {
            let Label::Int(offset) = label else { return None };
            Some((*offset, cell))
        })
        .collect();
    order.sort_unstable();
    order.into_iter().map(|(_, cell)| cell).collect()
}
