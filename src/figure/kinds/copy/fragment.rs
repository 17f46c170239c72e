//! Registers and tensor memory: `retile`, TMEM copies, copies from shared to tensor memory.
//!
//! In: a tiled copy and a fragment, or an atom and an accumulator. Out: the regrouped layouts as
//! facts, and the tile that the copy makes.

use super::keys::{ACC, FRAGMENT, SMEM, TILER, TMEM, TMEM_THREAD};
use super::owners::Owners;
use super::partition::number;
use super::tmem_map::TmemMap;
use super::{atom_of, snippet, snippets, tiled_copy};
use crate::cute::algebra::{filter_zeros, flat_divide, zipped_divide};
use crate::cute::index::{capped, wide};
use crate::cute::{AnyLayout, Layout, Result as CuteResult, Tensor, Tree};
use crate::diagnostic::Diagnostic;
use crate::expr::Value;
use crate::figure::canvas::limits::{STRIP_COLUMNS, VALUES_CHECKED};
use crate::figure::input::entry::Problem;
use crate::figure::input::keys::Keys;
use crate::figure::kinds::copy::first_of;
use crate::figure::model::facts::Facts;
use crate::figure::model::figure::{Arrangement, Figure, Panel, Swatch};
use crate::figure::model::grid::{Cell, Fill, Grid, Spot};
use crate::figure::model::label::Label;
use crate::hardware::copy::{Side, Space, TiledCopy, print_tiler};

/// Draws a retiled fragment.
///
/// # Errors
/// What CuTe refuses.
pub(super) fn retile(keys: &Keys<'_>) -> Result<Figure, Problem> {
    let copy = tiled_copy(keys, None)?;
    let fragment = keys.plain(&FRAGMENT)?;
    if fragment.size() > VALUES_CHECKED {
        let text = format!("a fragment of {} registers is not drawn", fragment.size());
        let hint = "a thread has at most 255 registers of 32 bits";
        return Err(keys.problem(&FRAGMENT, Diagnostic::error("size", text).hint(hint)));
    }
    let result = copy.retile(&fragment).map_err(|error| keys.problem(&FRAGMENT, error.into()))?;
    let mut figure = Figure {
        kind: "copy",
        title: format!("retile of {fragment} for {}", copy.atom().short),
        arrangement: Arrangement::Arrows,
        ..Figure::default()
    };
    for (name, layout) in [("fragment", &fragment), ("retiled", &result)] {
        let panel = registers(name, layout, &mut figure.notes);
        figure.panels.push(panel);
    }
    let facts = &mut figure.facts;
    facts.push_text("result", &result);
    facts.push("size", result.size());
    facts.push_text("fragment", &fragment);
    facts.push("tiler", print_tiler(copy.tiler()));
    facts.push_text("tv", copy.tv());
    snippets::retile(snippet(keys, &copy, None)?, &copy, &fragment).push(facts);
    Ok(figure)
}

/// Draws the registers of a thread: mode 0 down, the other modes across.
fn registers(name: &str, layout: &Layout, notes: &mut Vec<Diagnostic>) -> Panel {
    let offsets: Vec<i64> = layout.walk().into_iter().flatten().collect();
    let values = capped(layout.modes().first().map_or(1, Layout::size), offsets.len());
    let atoms = offsets.len().div_ceil(values.max(1));
    let (rows, cols) = (values.min(STRIP_COLUMNS * 4), atoms.min(STRIP_COLUMNS * 2));
    notes.extend(first_of(rows, wide(values), &format!("values of a mode of `{name}`")));
    notes.extend(first_of(cols, wide(atoms), &format!("atoms of `{name}`")));
    let high = offsets.iter().copied().max().unwrap_or(0);
    let at = |row: usize, col: usize| offsets.get(row + values * col).copied().unwrap_or(0);
    let grid = Grid::from_fn(rows, cols, |spot| Cell {
        fill: Fill::ramp(at(spot.row, spot.col), 0, high),
        ..Cell::default()
    })
    .layer("register", |spot| Label::Int(at(spot.row, spot.col)))
    .axes("value", "atom");
    let mut panel = Panel::grid(name, grid)
        .layout(layout)
        .unit("elements")
        .legend(Swatch::Text, "the register that holds each value");
    panel.badge = Some(crate::figure::Space::Rmem);
    panel
}

/// Draws a copy between registers and tensor memory.
///
/// # Errors
/// An atom that is no TMEM copy, and lanes or columns that the accumulator has not.
pub(super) fn tmem(keys: &Keys<'_>) -> Result<Figure, Problem> {
    let atom = atom_of(keys)?;
    let acc = keys.plain(if keys.has(&TMEM) { &TMEM } else { &ACC })?;
    let refuse = |error: crate::cute::Error| keys.problem(&ACC, error.into());
    let tiler = keys.read(&TILER, Value::to_tiler)?;
    let (whole, tile) = match &tiler {
        Some(tiler) => {
            let divided = flat_divide(&acc.clone().into(), tiler).map_err(refuse)?;
            let divided = divided.domain().clone();
            let rank = divided.rank() / 2;
            let tile =
                Layout::from_modes(divided.modes().into_iter().take(rank)).map_err(refuse)?;
            (divided, tile)
        }
        None => (acc.clone(), acc.clone()),
    };
    let copy = TiledCopy::tmem(atom, &tile).map_err(refuse)?;
    let loads = copy.atom().from == Space::Tmem;
    let (memory, registers) =
        if loads { (Side::Source, Side::Destination) } else { (Side::Destination, Side::Source) };
    let thread = keys.get(&TMEM_THREAD);
    let part = |side, layout: &Layout| partition(&copy, side, layout, thread);
    let in_tmem = part(memory, &whole).map_err(refuse)?;
    let compact = Layout::column_major(whole.shape().clone()).map_err(refuse)?;
    let in_registers = part(registers, &compact).map_err(refuse)?;
    let mut figure = tile_figure(&copy, &tile, registers).map_err(refuse)?;
    let facts = &mut figure.facts;
    common(facts, &copy);
    facts.push_text("result", &in_tmem.layout);
    facts.push_text("tmem", &in_tmem.layout);
    facts.push("tmem-offset", number(&in_tmem.offset));
    facts.push_text("reg", &in_registers.layout);
    facts.push("reg-offset", number(&in_registers.offset));
    let rest = whole.rank() - tile.rank();
    snippets::tmem(&copy, &acc, tiler.as_ref(), rest).push(facts);
    Ok(figure)
}

/// Draws a copy from shared to tensor memory.
///
/// # Errors
/// An atom that does not reach tensor memory, and addresses that the tensor has not.
pub(super) fn s2t(keys: &Keys<'_>) -> Result<Figure, Problem> {
    let atom = atom_of(keys)?;
    let (smem, tmem) = (keys.plain(&SMEM)?, keys.plain(&TMEM)?);
    let refuse = |error: crate::cute::Error| keys.problem(&TMEM, error.into());
    let copy = TiledCopy::s2t(atom, &tmem).map_err(refuse)?;
    let still = |layout: &Layout| -> CuteResult<Layout> {
        Ok(filter_zeros(&AnyLayout::from(layout.clone()))?.domain().clone())
    };
    let part = |side, layout: &Layout| partition(&copy, side, &still(layout)?, 0);
    let source = part(Side::Source, &smem).map_err(|error| keys.problem(&SMEM, error.into()))?;
    let target = part(Side::Destination, &tmem).map_err(refuse)?;
    let mut figure =
        tile_figure(&copy, &still(&tmem).map_err(refuse)?, Side::Destination).map_err(refuse)?;
    let facts = &mut figure.facts;
    common(facts, &copy);
    facts.push_text("result", &target.layout);
    facts.push_text("smem", &source.layout);
    facts.push_text("tmem", &target.layout);
    snippets::s2t(&copy, &tmem).push(facts);
    Ok(figure)
}

fn partition(copy: &TiledCopy, side: Side, layout: &Layout, thread: i64) -> CuteResult<Tensor> {
    let tensor = Tensor { offset: Tree::Leaf(0), layout: layout.clone().into() };
    copy.partition(side, &tensor, thread)
}

fn common(facts: &mut Facts, copy: &TiledCopy) {
    facts.push_text("atom", &copy.atom().name);
    facts.push("tiler", print_tiler(copy.tiler()));
    facts.push("threads", copy.threads());
    facts.push_text("tv", copy.tv());
    facts.push_text("src-tv", copy.side_tv(Side::Source));
    facts.push_text("dst-tv", copy.side_tv(Side::Destination));
}

/// Draws one tile of a copy to or from tensor memory, lane by lane; `registers` is the side of the
/// threads.
fn tile_figure(copy: &TiledCopy, tensor: &Layout, registers: Side) -> CuteResult<Figure> {
    let zipped = zipped_divide(&tensor.clone().into(), copy.tiler())?;
    let bits = copy.atom().dtype.bits();
    let one = zipped.domain().at_path(&[0])?;
    let map = TmemMap::of(one.walk()?.map(|address| address.saturating_mul(bits)), bits);
    let (mut grid, owners, mut caption) = map.held_by(copy.side_tv(registers), copy.threads());
    let alone = copy.threads() == 1;
    if alone {
        number_values(&mut grid, &owners);
        caption = "the label is the value of the copy that arrives".to_owned();
    }
    let tiles = zipped.domain().at_path(&[1])?.size();
    if tiles > 1 {
        caption = format!("the first of {tiles} tiles: {caption}");
    }
    let mut panel = Panel::grid("one tile", grid)
        .layout(tensor)
        .unit("elements")
        .caption(caption)
        .legend(Swatch::Text, if alone { "V value" } else { "T thread, V value" });
    panel.badge = Some(crate::figure::Space::Tmem);
    let mut figure = Figure {
        kind: "copy",
        title: format!("{} on tiles of {}", copy.atom().short, print_tiler(copy.tiler())),
        panels: vec![panel],
        ..Figure::default()
    };
    figure.notes.extend(owners.cut_note());
    Ok(figure)
}

/// Numbers and colours the values of a copy that one thread starts.
fn number_values(grid: &mut Grid, owners: &Owners) {
    let value = |spot: Spot| owners.at(spot).first().map(|owner| owner.val);
    let high = grid.spots().filter_map(value).max().unwrap_or(0);
    let (rows, cols) = (grid.row_axis.clone(), grid.col_axis.clone());
    *grid = Grid::from_fn(grid.rows, grid.cols, |spot| Cell {
        fill: value(spot).map_or(Fill::Blank, |val| Fill::ramp(val.into(), 0, high.into())),
        ..Cell::default()
    })
    .layer("value-id", |spot| value(spot).map_or(Label::Blank, Label::Value));
    (grid.row_axis, grid.col_axis) = (rows, cols);
}
