//! The two pictures of a TMA copy: the tile in global memory, and the lines of shared memory.
//!
//! In: a tile. Out: a panel of the tile coloured by instruction, and one of shared memory as the
//! hardware sees it: lines of 128 bytes in chunks of 16. Invariant: a cell of one picture has the
//! label and the colour of the same elements in the other; what is left out of a long tile repeats
//! what is drawn, and the caption says how often.

use super::tile::{Tile, Unit, count};
use crate::cute::{Swizzle, Tree};
use crate::figure::canvas::limits::CELLS_DRAWN;
use crate::figure::canvas::sheet::{Fold, Sheet};
use crate::figure::model::axis::Axis;
use crate::figure::model::figure::{Body, Panel, Slice, Space, Swatch};
use crate::figure::model::grid::{Cell, Grid, Mark, Scale, Spot};
use crate::figure::model::label::Label;
use crate::hardware::tma::{TmaAtom, TmaRequest};

/// Bytes in a line of shared memory: one pass over the 32 banks.
const LINE_BYTES: i64 = 128;
/// Lines that are drawn of a tile that has more than [`ALL_LINES`]: the widest swizzle of the
/// hardware repeats after so many.
const LINES: usize = 8;
/// Lines up to which all are drawn.
const ALL_LINES: usize = 16;
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
    let shape = Tree::flat([rows, cols].map(|n| i64::try_from(n).unwrap_or(i64::MAX)));
    let sheet = Sheet::of("", &shape, Fold::Slices, CELLS_DRAWN / 2);
    let first =
        |at: usize| tile.first_of(unit, from.0 + at % rows.max(1), from.1 + at / rows.max(1));
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
            let steps = |start: usize, extent, step: usize| {
                let int = |n: usize| i64::try_from(n).unwrap_or(0);
                Axis::counting_from(int(start * step), extent, int(step))
            };
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
    let side = crate::figure::canvas::limits::GRID_SIDE;
    tile.instructions > 1
        && (rows > side || cols > side || rows.saturating_mul(cols) > CELLS_DRAWN / 2)
}

fn coordinate(tile: &Tile, index: usize) -> Label {
    let int = |n: usize| i32::try_from(n).unwrap_or(i32::MAX);
    let (row, col) = tile.coordinate(index);
    Label::Coord(int(row), int(col))
}

/// Says what labels and colours mean.
fn legend(tile: &Tile) -> String {
    let elements = tile.unit.elements();
    let label = if elements == 1 {
        "(row,column) of the tile".to_owned()
    } else {
        let bytes = count(tile.bits) * elements / 8;
        format!("(row,column) of the first of {elements} elements, {bytes} bytes")
    };
    let colour =
        if tile.instructions == 1 { "the 16 bytes that stay together" } else { "instruction" };
    format!("{label}; colour: {colour}")
}

/// Lines of shared memory that are drawn as one grid.
struct Lines {
    first: usize,
    count: usize,
    title: Option<String>,
}

/// Chooses the lines to draw.
fn lines(tile: &Tile) -> Vec<Lines> {
    let all =
        count(tile.bytes().div_euclid(LINE_BYTES)) + usize::from(tile.bytes() % LINE_BYTES > 0);
    if all <= ALL_LINES {
        return vec![Lines { first: 0, count: all, title: None }];
    }
    let line_of =
        |index: usize| count(tile.place(index).map_or(0, |(before, _)| before / (LINE_BYTES * 8)));
    let firsts: Vec<usize> = tile.starts.iter().map(|&start| line_of(start)).collect();
    let apart = firsts.iter().zip(firsts.iter().skip(1));
    let apart = apart.into_iter().all(|(this, next)| next.saturating_sub(*this) >= LINES);
    if firsts.len() < 2 || !apart {
        return vec![Lines { first: 0, count: LINES, title: None }];
    }
    let slices = firsts.iter().take(INSTRUCTIONS).enumerate();
    slices
        .map(|(number, &first)| Lines {
            first,
            count: LINES.min(all.saturating_sub(first)),
            title: Some(format!("instruction {number}")),
        })
        .collect()
}

/// Returns the first unit and the one past the last that the drawn lines hold.
fn window(tile: &Tile) -> ((usize, usize), (usize, usize)) {
    let lines = lines(tile);
    let bit = |line: usize| i64::try_from(line).unwrap_or(i64::MAX).saturating_mul(LINE_BYTES * 8);
    let shown = |after: i64| {
        lines.iter().any(|part| bit(part.first) <= after && after < bit(part.first + part.count))
    };
    let (mut from, mut to) = (tile.extents_in(tile.unit), (0, 0));
    for (index, place) in tile.places.iter().enumerate() {
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

fn line_grid(tile: &Tile, first: usize, rows: usize) -> Grid {
    let unit_bits = i64::try_from(tile.unit.elements()).unwrap_or(1).saturating_mul(tile.bits);
    let cols = count(LINE_BYTES * 8 / unit_bits).max(1);
    let mut units = vec![None; rows * cols];
    for (index, place) in tile.places.iter().enumerate() {
        let Some((before, after)) = place else { continue };
        let line = count(after / (LINE_BYTES * 8));
        if before % unit_bits == 0
            && let Some(row) = line.checked_sub(first).filter(|&row| row < rows)
            && let Some(unit) =
                units.get_mut(row * cols + count(after % (LINE_BYTES * 8) / unit_bits))
        {
            *unit = Some((index, before != after));
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
    let start = i64::try_from(first).unwrap_or(0).saturating_mul(LINE_BYTES);
    grid.row_axis = Axis::counting_from(start, rows, LINE_BYTES).titled("byte");
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
    let all = (bytes + LINE_BYTES - 1) / LINE_BYTES;
    let shown: usize = drawn.iter().map(|part| part.count).sum();
    let mut text = match drawn {
        [_] if count(all) <= shown => "lines of 128 bytes".to_owned(),
        [_] => format!("the first {shown} of {all} lines of 128 bytes"),
        parts if count(tile.instructions) > parts.len() => format!(
            "lines of 128 bytes: the first {LINES} of each of the first {} instructions of {}",
            parts.len(),
            tile.instructions
        ),
        _ => format!("lines of 128 bytes: the first {LINES} of each instruction"),
    };
    if swizzle.is_identity() {
        if count(all) > shown {
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
