//! The two pictures of a TMA copy: the tile in global memory, and the lines of shared memory.
//!
//! In: a tile. Out: a panel of the tile coloured by instruction, and one of shared memory as the
//! hardware sees it: lines of 128 bytes in chunks of 16. Invariant: a cell of one picture has the
//! label and the colour of the same elements in the other; what is left out of a long tile repeats
//! what is drawn, and the caption says how often.

use super::tile::{Tile, Unit};
use crate::cute::index::{at_mut, capped, wide};
use crate::cute::int_tuple::ceil_div_int;
use crate::cute::{Swizzle, Tree};
use crate::figure::canvas::limits::{CELLS_DRAWN, GRID_SIDE};
use crate::figure::canvas::sheet::{Fold, Sheet};
use crate::figure::model::axis::Axis;
use crate::figure::model::figure::{Body, Panel, Slice, Space, Swatch};
use crate::figure::model::grid::{Cell, Grid, Mark, Scale, Spot};
use crate::figure::model::label::Label;
use crate::hardware::tma::{TmaAtom, TmaRequest};
use crate::hardware::units::LINE_BYTES;

/// Bits in a line of shared memory: one pass over the banks.
const LINE_BITS: i64 = LINE_BYTES * 8;
/// Lines that are drawn of a tile that has more than [`ALL_LINES`]: the widest swizzle of the
/// hardware repeats after so many.
const LINES: i64 = 8;
/// Lines up to which all are drawn.
const ALL_LINES: i64 = 16;
/// Instructions whose lines are drawn each.
const INSTRUCTIONS: usize = 2;

/// Draws the tile in global memory: one cell a box, or of a tile that is one box, those rows and
/// columns whose place in shared memory is drawn.
pub(super) fn gmem(request: &TmaRequest, atom: &TmaAtom, tile: &Tile) -> Panel {
    let mut caption = format!(
        "the tile in global memory; each box of {}, in the order of TMA coordinates, is one instruction",
        atom.basis.shape()
    );
    let unit = gmem_unit(tile);
    let all = tile.extents_in(unit);
    let (from, to) = if tile.instructions == 1 { window(tile) } else { ((0, 0), all) };
    let (rows, cols) = (to.0 - from.0, to.1 - from.1);
    if (rows, cols) != all {
        let last = tile.coordinate(tile.first_of(unit, to.0.max(1) - 1, to.1.max(1) - 1));
        let (row, col) = tile.coordinate(tile.first_of(unit, from.0, from.1));
        caption.push_str(&format!(
            "; drawn are rows {row} to {} and columns {col} to {}",
            last.0 + unit.down - 1,
            last.1 + unit.across - 1
        ));
    }
    let sheet = Sheet::of("", &Tree::flat([rows, cols]), Fold::Slices, CELLS_DRAWN / 2);
    let first = |cell: usize| {
        let (row, col) = (wide(cell) % rows.max(1), wide(cell) / rows.max(1));
        tile.first_of(unit, from.0 + row, from.1 + col)
    };
    let cell = |at: usize| {
        let (fill, owner) = tile.fill(first(at));
        Cell { fill, owner, ..Cell::default() }
    };
    let number = |at: usize| tile.number(first(at));
    let mut body = if tile.instructions == 1 {
        sheet.draw(Scale::Category, &cell, &[("coord", &|at| coordinate(tile, first(at)))])
    } else {
        let label = |at: usize| number(at).map_or(Label::Blank, |n| Label::Int(n.into()));
        let mut body = sheet.draw(Scale::Category, &cell, &[("instruction", &label)]);
        sheet.label_blocks(&mut body, number, |block| {
            block.first().map(|&at| label(at)).into_iter().collect()
        });
        body
    };
    if let Body::Grids(slices) = &mut body {
        for slice in slices {
            let steps =
                |start: i64, extent, step: i64| Axis::counting_from(start * step, extent, step);
            let grid = &mut slice.grid;
            grid.row_axis = steps(from.0, grid.rows, unit.down).titled("mode 0");
            grid.col_axis = steps(from.1, grid.cols, unit.across).titled("mode 1");
        }
    }
    let mut panel = Panel::new("CTA tile of", body)
        .layout(&request.gmem)
        .unit("elements")
        .caption(caption)
        .legend(
            Swatch::Text,
            if tile.instructions == 1 {
                legend(tile)
            } else {
                "number and colour: the instruction that moves the element".to_owned()
            },
        );
    panel.badge = Some(Space::Gmem);
    panel
}

/// Returns what is drawn as one cell of the tile.
fn gmem_unit(tile: &Tile) -> Unit {
    if tile.instructions == 1 { tile.unit } else { tile.instruction_box() }
}

/// Returns whether some parts of the tile are in no picture although they are no repetition.
pub(super) fn is_reduced(tile: &Tile) -> bool {
    let (rows, cols) = tile.extents_in(gmem_unit(tile));
    tile.instructions > 1
        && (rows.max(cols) > wide(GRID_SIDE) || rows.saturating_mul(cols) > wide(CELLS_DRAWN / 2))
}

fn coordinate(tile: &Tile, index: i64) -> Label {
    let (row, col) = tile.coordinate(index);
    Label::coord(row, col)
}

/// Says what labels and colours mean.
fn legend(tile: &Tile) -> String {
    let elements = tile.unit.elements();
    let label = if elements == 1 {
        "(row,column) of the tile".to_owned()
    } else {
        let bytes = tile.bits * elements / 8;
        format!("(row,column) of the first of {elements} elements, {bytes} bytes")
    };
    let colour =
        if tile.instructions == 1 { "the 16 bytes that stay together" } else { "instruction" };
    format!("{label}; colour: {colour}")
}

/// Lines of shared memory that are drawn as one grid.
struct Lines {
    first: i64,
    count: i64,
    title: Option<String>,
}

/// Chooses the lines to draw.
fn lines(tile: &Tile) -> Vec<Lines> {
    let all = ceil_div_int(tile.bytes(), LINE_BYTES);
    if all <= ALL_LINES {
        return vec![Lines { first: 0, count: all, title: None }];
    }
    let line_of = |index: i64| tile.place(index).map_or(0, |(before, _)| before / LINE_BITS);
    let firsts: Vec<i64> = tile.starts.iter().map(|&start| line_of(start)).collect();
    let apart = firsts.iter().zip(firsts.iter().skip(1));
    let apart = apart.into_iter().all(|(this, next)| next - this >= LINES);
    if firsts.len() < 2 || !apart {
        return vec![Lines { first: 0, count: LINES, title: None }];
    }
    let slices = firsts.iter().take(INSTRUCTIONS).enumerate();
    slices
        .map(|(number, &first)| Lines {
            first,
            count: LINES.min(all - first),
            title: Some(format!("instruction {number}")),
        })
        .collect()
}

/// Returns the first unit and the one past the last that the drawn lines hold.
fn window(tile: &Tile) -> ((i64, i64), (i64, i64)) {
    let lines = lines(tile);
    let shown = |after: i64| {
        lines
            .iter()
            .any(|part| (part.first..part.first + part.count).contains(&(after / LINE_BITS)))
    };
    let (mut from, mut to) = (tile.extents_in(tile.unit), (0, 0));
    for (index, place) in (0_i64..).zip(&tile.places) {
        if place.is_some_and(|(_, after)| shown(after)) {
            let (row, col) = tile.coordinate(index);
            let (row, col) = (row / tile.unit.down, col / tile.unit.across);
            from = (from.0.min(row), from.1.min(col));
            to = (to.0.max(row + 1), to.1.max(col + 1));
        }
    }
    if to == (0, 0) { ((0, 0), (0, 0)) } else { (from, to) }
}

/// Draws shared memory after the swizzle.
pub(super) fn smem(request: &TmaRequest, tile: &Tile) -> Panel {
    let lines = lines(tile);
    let caption = caption(request.swizzle(), tile, &lines);
    let slices = lines
        .into_iter()
        .map(|part| Slice { grid: line_grid(tile, part.first, part.count), title: part.title });
    let mut panel = Panel::new("shared memory", Body::Grids(slices.collect()))
        .layout(&request.smem)
        .unit("elements")
        .caption(caption)
        .legend(Swatch::Text, legend(tile));
    if tile.moved > 0 {
        panel = panel.legend(Swatch::Mark(Mark::Moved), "moved by the swizzle");
    }
    panel.badge = Some(Space::Smem);
    panel
}

fn line_grid(tile: &Tile, first: i64, lines: i64) -> Grid {
    let unit_bits = tile.unit.elements() * tile.bits;
    let cols = capped(LINE_BITS / unit_bits, GRID_SIDE).max(1);
    let rows = capped(lines, GRID_SIDE);
    let mut units = vec![None; rows * cols];
    for (index, place) in (0_i64..).zip(&tile.places) {
        let Some((before, after)) = place else { continue };
        let (line, unit) = (after / LINE_BITS - first, after % LINE_BITS / unit_bits);
        if before % unit_bits == 0
            && unit < wide(cols)
            && let Some(slot) = at_mut(&mut units, line * wide(cols) + unit)
        {
            *slot = Some((index, before != after));
        }
    }
    let at = |spot: Spot| units.get(spot.row * cols + spot.col).copied().flatten();
    let mut grid = Grid::from_fn(rows, cols, |spot| match at(spot) {
        None => Cell::default(),
        Some((index, moved)) => {
            let (fill, owner) = tile.fill(index);
            Cell { fill, owner, mark: if moved { Mark::Moved } else { Mark::None }, faded: false }
        }
    })
    .scale(Scale::Category)
    .layer("coord", |spot| at(spot).map_or(Label::Blank, |(index, _)| coordinate(tile, index)));
    grid.row_axis = Axis::counting_from(first * LINE_BYTES, rows, LINE_BYTES).titled("byte");
    grid.col_axis = if unit_bits % 8 == 0 {
        Axis::counting_from(0, cols, unit_bits / 8).titled("byte of the line")
    } else {
        Axis::counting(cols).titled("element of the line")
    };
    grid
}

/// Says which lines are drawn, how often the swizzle repeats in the tile, and what it moves.
fn caption(swizzle: Swizzle, tile: &Tile, drawn: &[Lines]) -> String {
    let bytes = tile.bytes();
    let all = ceil_div_int(bytes, LINE_BYTES);
    let shown: i64 = drawn.iter().map(|part| part.count).sum();
    let mut text = match drawn {
        [_] if all <= shown => format!("lines of {LINE_BYTES} bytes"),
        [_] => format!("the first {shown} of {all} lines of {LINE_BYTES} bytes"),
        parts if tile.instructions > wide(parts.len()) => format!(
            "lines of {LINE_BYTES} bytes: the first {LINES} of each of the first {} instructions of {}",
            parts.len(),
            tile.instructions
        ),
        _ => format!("lines of {LINE_BYTES} bytes: the first {LINES} of each instruction"),
    };
    if swizzle.is_identity() {
        if all > shown {
            text.push_str("; the others follow in the same order");
        }
        return text;
    }
    let mask = swizzle.source_mask() | swizzle.target_mask();
    let period = mask.checked_ilog2().and_then(|top| 1_i64.checked_shl(top + 1));
    if let Some(period) = period.filter(|&period| period > 0 && bytes > period) {
        let times = if bytes % period == 0 {
            format!("{} times", bytes / period)
        } else {
            format!("{} times and a part", bytes / period)
        };
        text.push_str(&format!(
            "; the pattern of the swizzle repeats every {period} bytes, {times} in this tile"
        ));
    }
    text.push_str(&format!(
        "; {} of {} elements moved by `{swizzle}` in bytes",
        tile.moved,
        tile.places.iter().flatten().count()
    ));
    text
}
