//! What a thread sees of a tensor: the three levels of repetition.
//!
//! In: a tiled copy, a tensor, a side, a thread. Out: one tile with its owners, the plane with one
//! cell a tile and the coordinate to type, the untiled modes. Invariant: coordinates that the tiles
//! cover beyond the tensor are counted, and their tiles marked.

use super::keys::{ARCH, All, FRAGMENT, FROM, SIDE, TENSOR, THREAD, TO};
use super::tiled::pane;
use super::{badge, first_of, snippet, snippets, tiled_copy};
use crate::cute::algebra::{
    coalesce, composition, make_identity_layout, max_common_vector, zipped_divide,
};
use crate::cute::index::{self, capped, narrow, wide};
use crate::cute::{AnyLayout, IntTuple, Layout, Result as CuteResult, Shape, Tensor, Tiler, Tree};
use crate::diagnostic::Diagnostic;
use crate::expr::Value;
use crate::figure::canvas::limits::{CORNER_SIDE, LIST_ENTRIES, STRIP_COLUMNS, VALUES_CHECKED};
use crate::figure::input::entry::Problem;
use crate::figure::input::key::{Key, KeyDef};
use crate::figure::input::keys::Keys;
use crate::figure::input::value::{Either, Expression};
use crate::figure::model::figure::{Figure, Panel, Swatch};
use crate::figure::model::grid::{Cell, Fill, Grid, Mark, Scale, Spot};
use crate::figure::model::label::Label;
use crate::hardware::copy::{Side, Space, TiledCopy, print_tiler};
use serde_json::{Value as Json, json};

/// Draws a partition.
///
/// # Errors
/// What CuTe refuses, and a thread that the copy has not.
pub(super) fn build(keys: &Keys<'_>) -> Result<Figure, Problem> {
    let copy = tiled_copy(keys, None)?;
    let tensor = tensor(keys, &TENSOR)?;
    let side = keys.get(&SIDE);
    let (all, thread) = match keys.get(&THREAD) {
        Some(Either::Word(All)) => (true, 0),
        Some(Either::Number(thread)) => (false, thread),
        None => (false, 0),
    };
    let whose = if all { "all threads".to_owned() } else { format!("thread {thread}") };
    let part = copy.partition(side, &tensor, thread).map_err(|error| {
        let key: &dyn KeyDef = if error.code() == "thread-range" { &THREAD } else { &TENSOR };
        keys.problem(key, error.into())
    })?;
    let refuse = |error: crate::cute::Error| keys.problem(&TENSOR, error.into());
    let levels = Levels::of(&copy, &tensor).map_err(refuse)?;
    let letter = if side == Side::Source { "S" } else { "D" };
    let mut figure = Figure {
        kind: "copy",
        title: format!(
            "partition_{letter} of {tensor_text} for {whose}",
            tensor_text = tensor.layout
        ),
        ..Figure::default()
    };
    if levels.outside > 0 {
        figure.notes.push(
            Diagnostic::warning(
                "outside",
                format!(
                    "the tiles cover {} of {} coordinates: {} of them lie outside of the tensor",
                    levels.covered, levels.inside, levels.outside
                ),
            )
            .hint(format!(
                "`{}` does not divide the tensor's shape `{}`",
                print_tiler(copy.tiler()),
                tensor.layout.shape()
            )),
        );
    }
    let misfits = copy.atom().misfits(keys.get(&ARCH)).into_iter();
    figure.notes.extend(misfits.map(|(code, text)| Diagnostic::warning(code, text)));
    figure.notes.extend(width_note(&copy, side, &tensor, &part));
    panels(keys, &mut figure, &copy, side, (!all).then_some(thread), &levels);
    let facts = &mut figure.facts;
    facts.push_text("result", &part.layout);
    facts.push("size", part.layout.size());
    facts.push("rank", part.layout.rank());
    if all {
        let listed = copy.threads().min(wide(LIST_ENTRIES));
        let offsets = (0..listed)
            .map(|thread| Ok(number(&copy.partition(side, &tensor, thread)?.first()?)))
            .collect::<CuteResult<Vec<Json>>>()
            .map_err(refuse)?;
        facts.push("offsets", offsets);
        let left = copy.threads() - listed;
        facts.push_some("offsets-left", (left > 0).then_some(left));
    } else {
        facts.push("offset", number(&part.first().map_err(refuse)?));
    }
    if let Some(fragment) = keys.read(&FRAGMENT, Value::to_plain)?
        && let Some(memory) = part.layout.plain()
    {
        let vector = max_common_vector(&fragment, memory)
            .map_err(|error| keys.problem(&FRAGMENT, error.into()))?;
        facts.push_text("fragment", &fragment);
        facts.push("vector", vector);
        facts.push("vector-bits", vector.saturating_mul(copy.atom().dtype.bits()));
    }
    facts.push_text("tensor", &part);
    facts.push("tile", levels.tile);
    facts.push("rest", levels.rest);
    facts.push_some("untiled", levels.untiled);
    facts.push("outside", levels.outside);
    facts.push("tiler", print_tiler(copy.tiler()));
    facts.push("threads", copy.threads());
    if !all {
        snippets::partition(snippet(keys, &copy, None)?, side, &tensor, thread).push(facts);
    }
    Ok(figure)
}

/// Says where the values of one instruction do not follow each other in memory, or do not start on
/// a multiple of its width: CuTe's `copy` refuses such a tensor.
fn width_note(copy: &TiledCopy, side: Side, tensor: &Tensor, part: &Tensor) -> Option<Diagnostic> {
    let atom = copy.atom();
    let (end, values) = match side {
        Side::Source => (atom.from, atom.values.src.size()),
        Side::Destination => (atom.to, atom.values.dst.size()),
    };
    let memory = part.layout.plain()?;
    let flat = memory.flat_modes();
    let apart = flat.iter().any(|mode| mode.stride.path().is_some());
    if atom.thr_id.size() != 1 || values <= 1 || apart || matches!(end, Space::Rmem | Space::Tmem) {
        return None;
    }
    let first = coalesce(&memory.modes().first()?.clone().into(), None).ok()?;
    let run = first.plain()?.flat_modes().into_iter().find(|mode| mode.shape > 1)?;
    let (bits, name) = (values.saturating_mul(atom.dtype.bits()), &atom.short);
    if run.stride.value() != 1 || run.shape % values != 0 {
        let found = if run.stride.value() == 1 { run.shape } else { 1 };
        let text = format!(
            "`{name}` moves {values} values at once, {bits} bits, and in this tensor {found} of a thread's values follow each other: CuTe's `copy` refuses it"
        );
        return Some(Diagnostic::warning("copy-width", text));
    }
    let crooked = |n: i64| n % values != 0;
    let step = flat.iter().filter(|mode| mode.shape > 1).map(|mode| mode.stride.value());
    let step = step.filter(|&step| step != 1).find(|&step| crooked(step));
    let start = || {
        (0..copy.threads()).find_map(|thread| {
            let start = copy.partition(side, tensor, thread).ok()?.offset;
            start.leaf().copied().filter(|&start| crooked(start)).map(|start| (thread, start))
        })
    };
    let text = match step {
        Some(step) => format!("stride {step} of this tensor is not a multiple of that"),
        None => {
            let (thread, start) = start()?;
            format!("the values of thread {thread} start at {start}, no multiple of that")
        }
    };
    let text = format!("`{name}` moves {values} values at once, {bits} bits, and {text}");
    Some(Diagnostic::warning("copy-align", text))
}

/// Writes an offset as a number, or a coordinate as nested arrays.
pub(super) fn number(offset: &IntTuple) -> Json {
    match offset {
        Tree::Leaf(value) => json!(value),
        Tree::Tuple(modes) => Json::Array(modes.iter().map(number).collect()),
    }
}

/// Reads a tensor; a layout starts at offset 0, a coordinate layout at the origin.
pub(super) fn tensor(keys: &Keys<'_>, key: &Key<Expression>) -> Result<Tensor, Problem> {
    let evaluated = keys.get(key).ok_or_else(|| keys.missing(key))?;
    if let Value::Tensor(tensor) = &evaluated.value {
        return Ok(tensor.clone());
    }
    let layout = keys.layout(key)?;
    let origin = match layout.domain().axes() {
        Ok(axes) => axes.zero(),
        Err(error) => return Err(keys.problem(key, error.into())),
    };
    Ok(Tensor { offset: origin, layout })
}

/// The three levels of a tensor under a tiler.
struct Levels {
    /// Mode 0 of the zipped divide.
    tile: String,
    /// How the tiles of the plane lie.
    rest: String,
    /// The modes that the tiler leaves alone.
    untiled: Option<String>,
    /// Tiles in each tiled mode.
    tiles: Vec<i64>,
    /// The untiled modes' extents.
    stages: Vec<i64>,
    /// For each tiled mode, the number of each tile's coordinates that lie outside.
    past: Vec<Vec<i64>>,
    /// The extent of a tiled mode that is too long to be followed.
    unmarked: Option<i64>,
    covered: i64,
    inside: i64,
    outside: i64,
}

impl Levels {
    fn of(copy: &TiledCopy, tensor: &Tensor) -> CuteResult<Self> {
        let zipped = zipped_divide(&tensor.layout, copy.tiler())?;
        let modes = zipped.domain().modes();
        let text = |layout: &Layout| match &tensor.layout {
            AnyLayout::Plain(_) => layout.to_string(),
            AnyLayout::Composed(composed) => composed
                .with_outer(layout.clone())
                .map_or_else(|_| layout.to_string(), |c| c.to_string()),
        };
        let tiled = copy.tiler().by_mode().map_or(1, |parts| parts.len());
        let rests = modes.get(1).map(Layout::modes).unwrap_or_default();
        let join = |modes: &[Layout]| Layout::from_modes(modes.iter().cloned());
        let (plane, stages) = rests.split_at(tiled.min(rests.len()));
        let extents: Vec<i64> = plane.iter().map(Layout::size).collect();
        let (past, unmarked) = past(copy.tiler(), tensor.layout.shape(), &extents)?;
        let (covered, inside) = (zipped.size(), tensor.layout.size());
        Ok(Self {
            tile: modes.first().map(text).unwrap_or_default(),
            rest: text(&join(plane)?),
            untiled: if stages.is_empty() { None } else { Some(text(&join(stages)?)) },
            tiles: extents,
            stages: stages.iter().map(Layout::size).collect(),
            past,
            unmarked,
            covered,
            inside,
            outside: covered - inside,
        })
    }

    /// Counts the coordinates outside of a tile of the plane, per untiled coordinate.
    fn outside_of(&self, tile: &[i64], at: &[i64]) -> i64 {
        let size: i64 = tile.iter().product();
        let kept: i64 = tile
            .iter()
            .enumerate()
            .map(|(mode, extent)| {
                let at = at.get(mode).copied().unwrap_or(0);
                let past = self.past.get(mode).and_then(|past| index::at(past, at));
                extent - past.copied().unwrap_or(0)
            })
            .product();
        size - kept
    }
}

/// Counts, for each tiled mode and each of its tiles, the coordinates past the mode's end, and says
/// how many a mode has that is too long to be followed.
fn past(tiler: &Tiler, shape: &Shape, tiles: &[i64]) -> CuteResult<(Vec<Vec<i64>>, Option<i64>)> {
    let parts = tiler.by_mode();
    let whole = [shape.clone()];
    let pairs: Vec<(&Tiler, &Shape)> = match &parts {
        Some(parts) => parts.iter().zip(shape.modes()).collect(),
        None => vec![(tiler, &whole[0])],
    };
    let (mut out, mut too_long) = (Vec::new(), None);
    for ((part, mode), &count) in pairs.into_iter().zip(tiles) {
        let extent = mode.product()?;
        let line = Layout::vector(extent, 1)?;
        let cut = zipped_divide(&line.into(), &flat_tiler(part, mode)?)?;
        if cut.size().max(extent) > VALUES_CHECKED {
            too_long = Some(cut.size().max(extent));
            out.push(Vec::new());
            continue;
        }
        let indices = cut.offsets()?;
        let per_tile = indices.len() / capped(count, indices.len()).max(1);
        let outside = |tile: &[i64]| tile.iter().filter(|&&index| index >= extent).count();
        out.push(indices.chunks(per_tile.max(1)).map(|tile| wide(outside(tile))).collect());
    }
    Ok((out, too_long))
}

/// Returns a mode's tiler as one layout over the mode's index.
fn flat_tiler(part: &Tiler, mode: &Shape) -> CuteResult<Tiler> {
    if let Tiler::Layout(_) = part {
        return Ok(part.clone());
    }
    let _ = make_identity_layout(&Tree::Tuple(vec![mode.clone()]))?;
    let index = Layout::column_major(mode.clone())?;
    let tile = composition(&index.into(), part)?;
    Ok(Tiler::Layout(tile.domain().clone()))
}

fn panels(
    keys: &Keys<'_>,
    figure: &mut Figure,
    copy: &TiledCopy,
    side: Side,
    thread: Option<i64>,
    levels: &Levels,
) {
    let (mut grid, owners) = pane(copy, side);
    let mine = thread.and_then(narrow);
    let spots: Vec<_> = grid.spots().collect();
    for spot in spots {
        let owned = |mine| owners.at(spot).iter().any(|owner| owner.thr == mine);
        if let Some(cell) = grid.cell_mut(spot.row, spot.col) {
            cell.faded = mine.is_some_and(|mine| !owned(mine));
        }
    }
    let (key, end) = match side {
        Side::Source => (&FROM, copy.atom().from),
        Side::Destination => (&TO, copy.atom().to),
    };
    let mut tile = Panel::grid("one tile", grid)
        .layout(&levels.tile)
        .unit("elements")
        .legend(Swatch::Text, "T thread, V value");
    if let Some(thread) = thread {
        tile = tile
            .caption(format!("what each thread owns; thread {thread} stands out"))
            .legend(Swatch::Faded, "other threads");
    } else {
        tile = tile.caption("what each thread owns");
    }
    tile.badge = badge(keys, key, end);
    figure.panels.push(tile);
    figure.notes.extend(owners.cut_note());
    let panel = plane(copy, levels, &mut figure.notes);
    figure.panels.push(panel);
    if !levels.stages.is_empty() {
        let panel = stages(levels, &mut figure.notes);
        figure.panels.push(panel);
    }
}

/// Draws one cell a tile, with the coordinate that picks it out of the partition.
fn plane(copy: &TiledCopy, levels: &Levels, notes: &mut Vec<Diagnostic>) -> Panel {
    let extent = |at: usize| levels.tiles.get(at).copied().unwrap_or(1);
    let rows = extent(0);
    let cols = (1..levels.tiles.len()).map(extent).fold(1, i64::saturating_mul);
    let (shown_rows, shown_cols) = (capped(rows, CORNER_SIDE), capped(cols, CORNER_SIDE));
    notes.extend(first_of(shown_rows, rows, "tiles of mode 0"));
    notes.extend(first_of(shown_cols, cols, "tiles of the other modes"));
    if levels.outside > 0
        && let Some(extent) = levels.unmarked
    {
        let text = format!(
            "more than {VALUES_CHECKED} coordinates in a mode ({extent}): tiles that are out of bounds are not marked"
        );
        notes.push(Diagnostic::note("unchecked", text));
    }
    let tile: Vec<i64> =
        copy.tile_shape().modes().iter().map(|m| m.product().unwrap_or(1)).collect();
    let stages: String = levels.stages.iter().map(|_| ",_").collect();
    let place = |spot: Spot| {
        let mut rest = wide(spot.col);
        let mut at = vec![wide(spot.row)];
        for mode in 1..levels.tiles.len() {
            at.push(rest % extent(mode));
            rest /= extent(mode);
        }
        at
    };
    let total = rows.saturating_mul(cols);
    let grid = Grid::from_fn(shown_rows, shown_cols, |spot| {
        let outside = levels.outside_of(&tile, &place(spot));
        let mark = if outside > 0 { Mark::Outside } else { Mark::None };
        let id = wide(spot.row) + rows * wide(spot.col);
        Cell { fill: Fill::numbered(id, total), owner: narrow(id), mark, faded: false }
    })
    .scale(Scale::Category)
    .layer("coord", |spot| {
        let at = place(spot);
        let text: Vec<String> = at.iter().map(ToString::to_string).collect();
        let coord = Label::text(format!("(_,{}{stages})", text.join(",")));
        match levels.outside_of(&tile, &at) {
            0 => coord,
            n => Label::Lines(Box::new([coord, Label::text(format!("{n} out"))])),
        }
    })
    .axes(
        "tile of mode 0",
        if levels.tiles.len() > 2 { "tiles of the other modes" } else { "tile of mode 1" },
    );
    let mut panel = Panel::grid("all tiles", grid)
        .layout(&levels.rest)
        .caption("one cell a tile: the coordinate of the partition that picks it");
    if levels.outside > 0 {
        panel = panel.legend(Swatch::Mark(Mark::Outside), "partly outside of the tensor");
    }
    panel
}

/// Draws the untiled modes: the k loop, stages, batches.
fn stages(levels: &Levels, notes: &mut Vec<Diagnostic>) -> Panel {
    let count: i64 = levels.stages.iter().product();
    let shown = capped(count, STRIP_COLUMNS * 4);
    notes.extend(first_of(shown, count, "coordinates of the untiled modes"));
    let cols = shown.clamp(1, STRIP_COLUMNS);
    let ones = ",_".repeat(levels.tiles.len());
    let number = |spot: Spot| wide(spot.row * cols + spot.col);
    let grid = Grid::from_fn(shown.div_ceil(cols), cols, |spot| {
        let at = number(spot);
        let fill = if at < wide(shown) { Fill::numbered(at, count) } else { Fill::Blank };
        Cell { fill, ..Cell::default() }
    })
    .scale(Scale::Category)
    .layer("coord", |spot| {
        let mut rest = number(spot);
        if rest >= wide(shown) {
            return Label::Blank;
        }
        let mut at = Vec::new();
        for extent in &levels.stages {
            at.push((rest % extent).to_string());
            rest /= extent;
        }
        Label::text(format!("(_{ones},{})", at.join(",")))
    });
    Panel::grid("untiled modes", grid)
        .layout(levels.untiled.clone().unwrap_or_default())
        .caption("modes that the tiler leaves alone: the loop over k, stages, batches")
}
