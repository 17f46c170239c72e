//! The picture of memory: what is stored at each offset, what is padding, what lies past the capacity.
//!
//! In: a source, its map, the capacity. Out: a panel, unless it is too large or offsets are negative.

use super::map::{Map, coord_label, coords};
use super::source::{Source, tuple};
use crate::cute::index::{count, wide};
use crate::figure::canvas::limits::{MEMORY_CELLS, STRIP_COLUMNS};
use crate::figure::model::axis::Axis;
use crate::figure::model::figure::{Panel, Swatch};
use crate::figure::model::grid::{Cell, Fill, Grid, Mark};
use crate::figure::model::label::Label;
use std::collections::BTreeMap;

/// Draws memory from offset 0 to the capacity, in lines of one stride: what is stored where, and
/// what is padding.
pub(super) fn panel(source: &Source, map: &Map, capacity: i64) -> Option<Panel> {
    let end = capacity.max(map.high.checked_add(1)?);
    let cells = count(end, MEMORY_CELLS).filter(|&cells| cells > 0)?;
    if map.cut || map.low < 0 {
        return None;
    }
    let line = line_length(source, cells);
    let mut stored: BTreeMap<i64, Vec<Vec<i64>>> = BTreeMap::new();
    for (coord, &offset) in coords(&map.extent).zip(&map.offsets) {
        stored.entry(offset).or_default().push(coord);
    }
    let rows = cells.div_ceil(line);
    let offset_at = |row: usize, col: usize| wide(row * line + col);
    let mut grid = Grid::from_fn(rows, line, |spot| {
        let offset = offset_at(spot.row, spot.col);
        let hits = stored.get(&offset).map_or(0, Vec::len);
        Cell {
            fill: if hits > 0 { Fill::ramp(offset, map.low, map.high) } else { Fill::Blank },
            mark: match hits {
                _ if offset >= end => Mark::None,
                0 if offset >= capacity => Mark::None,
                0 => Mark::Hole,
                _ if offset >= capacity => Mark::Outside,
                1 => Mark::None,
                _ => Mark::Twice,
            },
            faded: offset >= end || (hits == 0 && offset >= capacity),
            ..Cell::default()
        }
    })
    .layer("coord", |spot| {
        match stored.get(&offset_at(spot.row, spot.col)).map(Vec::as_slice) {
            None => Label::Blank,
            Some([coord]) => coord_label(coord),
            Some([first, ..]) => Label::text(format!("{}+", tuple(first))),
            Some([]) => Label::Blank,
        }
    });
    grid.row_axis = Axis::counting_from(0, rows, wide(line)).titled("offset");
    let padding = grid.cells.iter().filter(|cell| cell.mark == Mark::Hole).count();
    let outside = grid.cells.iter().filter(|cell| cell.mark == Mark::Outside).count();
    let unused = grid.cells.iter().any(|cell| cell.faded);
    let mut panel = Panel::grid("memory", grid)
        .caption(format!("offsets 0 to {} in lines of {line}; labels are coordinates", end - 1))
        .legend(Swatch::Text, format!("capacity {capacity}"));
    if padding > 0 {
        panel = panel.legend(Swatch::Mark(Mark::Hole), format!("padding: {padding} elements"));
    }
    if outside > 0 {
        let text = format!("past the capacity: {outside} elements");
        panel = panel.legend(Swatch::Mark(Mark::Outside), text);
    }
    if unused {
        panel = panel.legend(Swatch::Faded, "not part of it");
    }
    Some(panel)
}

/// One stride a line where that can be drawn: the longest one within a strip, else the shortest.
fn line_length(source: &Source, cells: usize) -> usize {
    let mut strides: Vec<usize> = source
        .object
        .stride()
        .iter()
        .filter_map(|&stride| count(stride, wide(2 * STRIP_COLUMNS)))
        .filter(|&stride| stride > 1)
        .collect();
    strides.sort_unstable();
    let longest = strides.iter().rfind(|&&stride| stride <= STRIP_COLUMNS);
    longest.or(strides.first()).copied().unwrap_or(STRIP_COLUMNS).min(cells).max(1)
}
