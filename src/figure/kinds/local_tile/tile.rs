//! `local_tile`: the tiles that one block takes.
//!
//! In: the tiler and which tile. Out: A in the colors of the surviving tiles, the result, and the steps
//! from one to the other. Invariant: a coordinate of a tile that does not exist is refused.

use super::keys::{COORD, Color, PROJ, TILE_COLOR, TILER};
use super::taking::{Taken, Taking};
use crate::cute::algebra::{project_coord, project_tiler, slice, tile_at};
use crate::cute::index::{count, wide};
use crate::cute::{Coord, CoordItem, Layout, Tiler, Tree};
use crate::diagnostic::Diagnostic;
use crate::figure::canvas::limits::VALUES_CHECKED;
use crate::figure::code::snippet::Snippet;
use crate::figure::input::entry::Problem;
use crate::figure::input::keys::Keys;
use crate::figure::model::figure::{Figure, Swatch, Table};
use crate::figure::model::grid::Scale;

/// Draws what `local_tile` takes.
///
/// # Errors
/// What CuTe refuses, and tiles that do not exist.
pub(super) fn build(keys: &Keys<'_>) -> Result<Figure, Problem> {
    let taking = Taking::read(keys, &TILE_COLOR)?;
    let tiler = keys.tiler(&TILER)?;
    let coord = keys.coord(&COORD)?;
    let (applied, at) = match &taking.proj {
        None => (tiler.clone(), coord.clone()),
        Some(proj) => (
            project_tiler(&tiler, proj).map_err(|e| taking.refused(&PROJ, e))?,
            project_coord(&coord, proj).map_err(|e| taking.refused(&PROJ, e))?,
        ),
    };
    let mut taken = taking.take(&applied, &COORD, &|cut| tile_at(cut, &at))?;
    let rest = taken.zipped.domain().modes().into_iter().nth(1);
    if let Some(rest) = &rest {
        check_coord(&at, rest).map_err(|error| taking.refused(&COORD, error))?;
    }
    let kept = rest.and_then(|rest| kept(rest, &at));

    let mut notes = std::mem::take(&mut taken.notes);
    let tiles = surviving(&taken, &mut notes);
    let owned = |place: usize| {
        let tiling = taken.tiling.as_ref()?;
        let tile = tiling.tile(place)?;
        let survives = tiles.as_ref()?.binary_search(&tile).is_ok();
        survives.then(|| (tiling.fill(tile), tile))
    };
    let source = taking.panel_a(&taken, &owned, Vec::new(), &mut notes);
    let (swatch, meaning) = match (tiles.as_deref(), &taken.tiling) {
        (Some([tile]), Some(tiling)) => {
            (Swatch::Fill(Scale::Category, tiling.fill(*tile)), "the surviving tile".to_owned())
        }
        (tiles, _) => {
            let count = tiles.map_or(0, <[u32]>::len);
            let text = format!("one colour for each of {count} surviving tiles");
            (Swatch::Scale(Scale::Category), text)
        }
    };
    let source = match taking.color {
        Color::Owner => source.legend(swatch, meaning),
        Color::None => source,
    };
    let source = source.legend(Swatch::Faded, "discarded");
    let result = taking.panel_result("local_tile", &taken, &owned, &mut notes);

    let mut facts = taken.facts();
    facts.push_some("kept", kept.map(|kept| kept.to_string()));
    let mut arguments = vec![taking.operand(), Snippet::tiler(&tiler), Snippet::coord(&coord)];
    arguments.extend(taking.proj.as_ref().map(Snippet::coord));
    Snippet::cute("local_tile", &arguments).push(&mut facts);
    let printed = taking.source.printed();
    Ok(Figure {
        kind: "local-tile",
        title: format!("local_tile({printed}, {tiler}, {coord})"),
        panels: vec![source, result],
        tables: vec![steps(&taken, taking.proj.as_ref(), &applied, &at)],
        facts,
        notes,
        ..Figure::default()
    })
}

/// Refuses a coordinate of a tile that does not exist; `rest` says which there are.
fn check_coord(at: &Coord, rest: &Layout) -> Result<(), Diagnostic> {
    let entries: Vec<(&Coord, i64)> = match at {
        Tree::Leaf(_) => vec![(at, rest.size())],
        Tree::Tuple(items) => items.iter().zip(rest.modes().iter().map(Layout::size)).collect(),
    };
    for (mode, (item, tiles)) in entries.into_iter().enumerate() {
        let Tree::Leaf(CoordItem::At(at)) = item else { continue };
        if *at < 0 || *at >= tiles {
            let text =
                format!("tile {at} along mode {mode} is out of bounds: the mode has {tiles} tiles");
            let hint = format!("write 0 to {}, or `_` for all of them", tiles - 1);
            return Err(Diagnostic::error("range", text).hint(hint));
        }
    }
    Ok(())
}

/// Returns the modes behind the tile's own in the result.
fn kept(rest: Layout, at: &Coord) -> Option<Layout> {
    let at = match at {
        Tree::Tuple(items) if !rest.shape().is_leaf() => {
            let mut items = items.clone();
            items.resize(rest.rank().max(items.len()), Tree::Leaf(CoordItem::All));
            Tree::Tuple(items)
        }
        at => at.clone(),
    };
    slice(&rest.into(), &at).ok()?.plain().cloned()
}

/// Returns the tiles that the result holds, in order; a note says that there are too many.
fn surviving(taken: &Taken, notes: &mut Vec<Diagnostic>) -> Option<Vec<u32>> {
    let tiling = taken.tiling.as_ref()?;
    let tile = taken.zipped.domain().modes().first().map_or(1, Layout::size);
    let tiles = taken.reading.layout().size() / tile;
    let Some(tiles) = count(tiles, VALUES_CHECKED) else {
        let text = format!(
            "{tiles} tiles are more than the {VALUES_CHECKED} that are followed, so they are not colored"
        );
        notes.push(Diagnostic::note("unchecked", text));
        return None;
    };
    // The first element of each tile says which one it is; it is never past the end.
    let start = |number: usize| count(wide(number) * tile, taken.reading.layout().size());
    let mut tiles: Vec<u32> =
        (0..tiles).filter_map(|number| tiling.tile(taken.place(start(number)?)?)).collect();
    tiles.sort_unstable();
    tiles.dedup();
    Some(tiles)
}

fn steps(taken: &Taken, proj: Option<&Coord>, applied: &Tiler, at: &Coord) -> Table {
    let mut rows = Vec::new();
    let mut row = |step: String, gives: String| rows.push(vec![step, gives]);
    if let Some(proj) = proj {
        row(
            format!("keep the modes of tiler and coordinate that {proj} asks for"),
            format!("tiler {applied}, coordinate {at}"),
        );
    }
    row(
        format!("zipped_divide(A, {applied}): mode 0 one tile, mode 1 which tile"),
        taken.zipped.to_string(),
    );
    row(
        format!("take mode 1 at {at}; the fixed entries become the base offset"),
        format!("offset {}", taken.result.offset),
    );
    row(
        "unpack mode 0: each mode of the tile is a mode of the result, then each mode at _"
            .to_owned(),
        taken.result.layout.to_string(),
    );
    Table {
        title: "from A to the tile".to_owned(),
        head: vec!["step".to_owned(), "gives".to_owned()],
        rows,
        ..Table::default()
    }
}
