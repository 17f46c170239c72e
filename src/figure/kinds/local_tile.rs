//! Kind `local-tile`: the tiles that one block takes, or the elements that one thread takes.
//!
//! In: `A`, `tiler` and `coord` (op `tile`), or `A`, the threads as `tiler` and `index` (op
//! `partition`); `proj` picks the modes that apply. Out: A with what is taken in colour, the result,
//! its base offset apart, and how CuTe gets there. Invariant: a cell of the result has the colour of
//! the element of A that it is.

use crate::cute::algebra::{
    contract, dice, part_at, project_coord, project_tiler, thread_coord, tile_at, zipped_divide,
};
use crate::cute::{AnyLayout, Coord, CoordItem, IntTuple, Layout, Tensor, Tiler, Tree};
use crate::diagnostic::{Diagnostic, Level};
use crate::expr::Value;
use crate::expr::report::ints;
use crate::figure::canvas::limits::OWNERS_WRITTEN;
use crate::figure::canvas::look::{FOLD, HIGHLIGHT, Look, Picked, SHOW, room};
use crate::figure::canvas::reading::{Reading, leaf, tensor_of, unchecked};
use crate::figure::canvas::sheet::Sheet;
use crate::figure::canvas::tiling::{Form, Tiling};
use crate::figure::code::snippet::Snippet;
use crate::figure::input::entry::Problem;
use crate::figure::input::key::{Key, KeyDef, Role};
use crate::figure::input::keys::Keys;
use crate::figure::input::kind::{KindDef, OpDef, OpKey, Thumbnail, Use};
use crate::figure::input::value::{Choice, Expression, Number, NumberOr};
use crate::figure::kinds::divide::main_facts;
use crate::figure::model::figure::{Figure, Panel, Swatch, Table};
use crate::figure::model::grid::{Cell, Fill, Mark, Scale};
use crate::figure::model::label::Label;

pub(super) static DEF: KindDef = KindDef {
    name: "local-tile",
    doc: "The tile that one block or thread takes.",
    op: Some(&OpKey { doc: "`local_tile` or `local_partition`.", ops: OPS }),
    ops: OPS,
    thumbnail: Thumbnail::First,
    deep_links: &[],
};

static OPS: &[OpDef] = &[
    OpDef {
        name: "tile",
        doc: "`local_tile`: the tiles that a block takes.",
        keys: &[TAKEN, TILE],
        build: |keys| taking(keys, &TILE_COLOR)?.tile(),
        example: "A = (8,8):(8,1)\ntiler = <4,4>\ncoord = (0,_)",
    },
    OpDef {
        name: "partition",
        doc: "`local_partition`: the elements that a thread takes.",
        keys: &[TAKEN, PARTITION],
        build: |keys| taking(keys, &PART_COLOR)?.partition(),
        example: "A = (8,8):(8,1)\ntiler = (2,4):(4,1)",
    },
];

static TAKEN: &[Use] = &[
    Use::required(&A, "A = (8,8):(1,8)"),
    Use::required(&TILER, "tiler = (4,2)"),
    Use::optional(&SHOW, "show = index"),
    Use::optional(&HIGHLIGHT, "highlight = 0"),
];

static TILE: &[Use] = &[
    Use::optional(&TILE_COLOR, "color = none"),
    Use::optional(&FOLD, "fold = flat\nA = (8,8,2):(8,1,64)\ntiler = (4,4)\ncoord = (0,0)"),
    Use::required(&COORD, "coord = (1,_)"),
    Use::optional(&PROJ, "proj = (1,X,1)\ntiler = <4,2,4>\ncoord = (0,1,_)"),
];

static PARTITION: &[Use] = &[
    Use::optional(&PART_COLOR, "color = none"),
    Use::optional(&INDEX, "index = 3"),
    Use::optional(&PROJ, "proj = (1,X)\nA = 8:1"),
];

static A: Key<Expression> = Key::new("A", Expression::ANY, "The tensor or layout.");

static TILER: Key<Expression> =
    Key::new("tiler", Expression::ANY, "The tile, or the layout of the threads.");

static COORD: Key<Expression> = Key::new("coord", Expression::ANY, "Which tile; `_` keeps a mode.");

static INDEX: Key<NumberOr> =
    Key::new("index", NumberOr { default: 0, bounds: Number::ANY }, "Which thread.");

/// What colors mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Color {
    /// The tile or part that an element belongs to.
    Owner,
    None,
}

static TILE_COLOR: Key<Choice<Color>> = Key::new(
    "color",
    Choice::of(&[("tile", Color::Owner), ("none", Color::None)]),
    "What the colors mean.",
)
.role(Role::Look);

static PART_COLOR: Key<Choice<Color>> = Key::new(
    "color",
    Choice::of(&[("part", Color::Owner), ("none", Color::None)]),
    "What the colors mean.",
)
.role(Role::Look);

static PROJ: Key<Expression> =
    Key::new("proj", Expression::ANY, "Which modes of the tiler apply, e.g. `(1,X,1)`.");

/// Threads whose places are compared: the most that a block can have, four times.
const THREADS_COMPARED: i64 = 4096;

/// Reads what both operations start from.
fn taking<'k, 'a>(
    keys: &'k Keys<'a>,
    color: &Key<Choice<Color>>,
) -> Result<Taking<'k, 'a>, Problem> {
    let (a, base) = keys.need(&A, tensor_of)?;
    let zero = a.at(&leaf(0)).map_err(|error| keys.problem(&A, error.into()))?;
    let offset = base.clone().unwrap_or_else(|| zero.map(&mut |_| 0));
    let look = Look::read(keys)?;
    let source = Reading::of(&a, base.as_ref()).map_err(|error| keys.problem(&A, error))?;
    Ok(Taking {
        keys,
        color: keys.get(color),
        look,
        source,
        tensor: Tensor { offset, layout: a },
        proj: keys.read(&PROJ, projection)?,
    })
}

/// Reads `(1,X,1)` or `<1,X,1>`.
fn projection(value: &Value) -> Result<Coord, Diagnostic> {
    fn of(tiler: &Tiler) -> Option<Coord> {
        match tiler {
            Tiler::Keep => Some(Tree::Leaf(CoordItem::All)),
            Tiler::Shape(shape) => Some(shape.into()),
            Tiler::Layout(_) => None,
            Tiler::Modes(modes) => modes.iter().map(of).collect::<Option<_>>().map(Tree::Tuple),
        }
    }
    match value {
        Value::Tiler(tiler) => of(tiler).ok_or_else(|| value.mismatch("a projection")),
        value => value.to_coord(),
    }
}

/// What both operations start from.
struct Taking<'k, 'a> {
    keys: &'k Keys<'a>,
    look: Look,
    color: Color,
    source: Reading,
    tensor: Tensor,
    proj: Option<Coord>,
}

/// What was taken.
struct Taken {
    /// A cut by `zipped_divide`.
    zipped: AnyLayout,
    result: Tensor,
    reading: Reading,
    tiling: Option<Tiling>,
    /// For each index of the result the index in each cut mode of A.
    places: Option<Reading>,
    picked: Picked,
    notes: Vec<Diagnostic>,
}

impl Taking<'_, '_> {
    fn shade(&self, fill: Fill) -> Fill {
        match self.color {
            Color::Owner => fill,
            Color::None => Fill::Blank,
        }
    }

    fn refused(&self, key: &dyn KeyDef, error: impl Into<Diagnostic>) -> Problem {
        self.keys.problem(key, error.into())
    }

    /// Cuts A, picks from it with `pick`, and follows the indices through the same steps.
    fn take(
        &self,
        tiler: &Tiler,
        key: &dyn KeyDef,
        pick: &dyn Fn(&Tensor) -> crate::cute::Result<Tensor>,
    ) -> Result<Taken, Problem> {
        let layout = &self.tensor.layout;
        let zipped = zipped_divide(layout, tiler).map_err(|e| self.refused(&TILER, e))?;
        let cut = Tensor { offset: self.tensor.offset.clone(), layout: zipped.clone() };
        let result = pick(&cut).map_err(|e| self.refused(key, e))?;
        let reading = Reading::of(&result.layout, Some(&result.offset))
            .map_err(|error| self.refused(key, error))?;
        let picked = self.look.picked(self.keys, result.layout.shape())?;
        let mut notes = Vec::new();
        let tiling = match Tiling::of(layout.domain(), tiler, Form::Zipped) {
            Ok(tiling) => Some(tiling),
            Err(note) if note.level == Level::Note => {
                notes.push(note);
                None
            }
            Err(error) => return Err(self.refused(&TILER, error)),
        };
        let breach = contract::kept_modes(tiler);
        notes.extend(breach.map(|breach| Diagnostic::warning("contract", breach.to_string())));
        let mut places = None;
        if let Some(tiling) = &tiling {
            let layout = tiling.places();
            let offset = layout.at(&leaf(0)).map_err(|e| self.refused(key, e))?;
            let index = Tensor { offset: offset.map(&mut |_| 0), layout: layout.clone() };
            if let Ok(index) = pick(&index) {
                let values = Reading::of(&index.layout, Some(&index.offset));
                let values = values.map_err(|error| self.refused(key, error))?;
                places = Some(values).filter(|values| values.size() == reading.size());
            }
        }
        let mut taken = Taken { zipped, result, reading, tiling, places, picked, notes };
        let outside = taken.followed().filter(|&index| taken.is_outside(index)).count();
        if outside > 0 {
            let text = format!(
                "{outside} of {} coordinates of the result lie past the end of A; a kernel needs a predicate for them",
                taken.reading.size()
            );
            taken.notes.push(Diagnostic::note("out-of-range", text));
        }
        Ok(taken)
    }

    /// CuTe cuts tensors here; a layout alone is one that counts from 0.
    fn operand(&self) -> Snippet {
        Snippet::tensor(&self.tensor)
    }

    fn tile(&self) -> Result<Figure, Problem> {
        let tiler = self.keys.tiler(&TILER)?;
        let coord = self.keys.coord(&COORD)?;
        let (applied, at) = match &self.proj {
            None => (tiler.clone(), coord.clone()),
            Some(proj) => (
                project_tiler(&tiler, proj).map_err(|e| self.refused(&PROJ, e))?,
                project_coord(&coord, proj).map_err(|e| self.refused(&PROJ, e))?,
            ),
        };
        let mut taken = self.take(&applied, &COORD, &|cut| tile_at(cut, &at))?;
        let outermost = taken.zipped.domain().modes();
        self.check_coord(&at, outermost.get(1))?;
        let kept = self.kept(&taken, &at);

        let mut notes = std::mem::take(&mut taken.notes);
        let tiles = self.taken_tiles(&taken);
        let count = tiles.as_ref().map_or(0, Vec::len);
        let tile_fill = |place: usize| {
            let tiling = taken.tiling.as_ref()?;
            let tile = tiling.tile(place)?;
            let alive = tiles.as_ref()?.binary_search(&tile).is_ok();
            alive.then(|| (tiling.fill(tile), tile))
        };
        let source = self.panel_a(&taken, &tile_fill, &mut notes);
        let swatch = match (tiles.as_deref(), &taken.tiling) {
            (Some([tile]), Some(tiling)) => Swatch::Fill(Scale::Category, tiling.fill(*tile)),
            _ => Swatch::Scale(Scale::Category),
        };
        let meaning = match count {
            1 => "the surviving tile".to_owned(),
            count => format!("one colour for each of {count} surviving tiles"),
        };
        let source = match self.color {
            Color::Owner => source.legend(swatch, meaning),
            Color::None => source,
        };
        let source = source.legend(Swatch::Faded, "discarded");
        let result = self.panel_result("local_tile", &taken, &tile_fill, &mut notes);

        let mut facts = main_facts(&taken.result.layout.to_string(), &taken.result.layout);
        facts.push("offset", ints(&taken.result.offset));
        self.parts(&taken, &mut facts);
        facts.push_some("kept", kept.map(|kept| kept.to_string()));
        let mut arguments = vec![self.operand(), Snippet::tiler(&tiler), Snippet::coord(&coord)];
        arguments.extend(self.proj.as_ref().map(Snippet::coord));
        Snippet::cute("local_tile", &arguments).push(&mut facts);
        let printed = self.source.printed();
        Ok(Figure {
            kind: "local-tile",
            title: format!("local_tile({printed}, {tiler}, {coord})"),
            panels: vec![source, result],
            tables: vec![self.steps(&taken, &applied, &at)],
            facts,
            notes,
            ..Figure::default()
        })
    }

    /// Refuses a coordinate of a tile that does not exist.
    fn check_coord(&self, at: &Coord, rest: Option<&Layout>) -> Result<(), Problem> {
        let Some(rest) = rest else { return Ok(()) };
        let entries: Vec<(&Coord, i64)> = match at {
            Tree::Leaf(_) => vec![(at, rest.size())],
            Tree::Tuple(items) => items.iter().zip(rest.modes().iter().map(Layout::size)).collect(),
        };
        for (mode, (item, tiles)) in entries.into_iter().enumerate() {
            let Tree::Leaf(CoordItem::At(at)) = item else { continue };
            if *at < 0 || *at >= tiles {
                let text = format!(
                    "tile {at} along mode {mode} is out of bounds: the mode has {tiles} tiles"
                );
                let diagnostic = Diagnostic::error("range", text);
                let hint = format!("write 0 to {}, or `_` for all of them", tiles - 1);
                return Err(self.keys.problem(&COORD, diagnostic.hint(hint)));
            }
        }
        Ok(())
    }

    /// Returns the modes behind the tile's own in the result.
    fn kept(&self, taken: &Taken, at: &Coord) -> Option<Layout> {
        let modes = taken.zipped.domain().modes();
        let rest = modes.get(1)?;
        let at = match at {
            Tree::Tuple(items) if !rest.shape().is_leaf() => {
                let mut items = items.clone();
                items.resize(rest.rank().max(items.len()), Tree::Leaf(CoordItem::All));
                Tree::Tuple(items)
            }
            at => at.clone(),
        };
        let kept = crate::cute::algebra::slice(&rest.clone().into(), &at).ok()?;
        kept.plain().cloned()
    }

    fn parts(&self, taken: &Taken, facts: &mut crate::figure::model::facts::Facts) {
        let modes = taken.zipped.domain().modes();
        facts.push_some("tile", modes.first().map(Layout::to_string));
        facts.push_some("rest", modes.get(1).map(Layout::to_string));
    }

    /// Returns the tiles that the result holds, in order.
    fn taken_tiles(&self, taken: &Taken) -> Option<Vec<u32>> {
        let tiling = taken.tiling.as_ref()?;
        // The first element of each tile says which one it is; it is never past the end.
        let modes = taken.zipped.domain().modes();
        let step = usize::try_from(modes.first()?.size()).ok()?;
        let starts = (0..taken.reading.size()).step_by(step.max(1));
        let mut tiles: Vec<u32> = starts
            .filter_map(|index| taken.place(index))
            .filter_map(|place| tiling.tile(place))
            .collect();
        tiles.sort_unstable();
        tiles.dedup();
        Some(tiles)
    }

    fn steps(&self, taken: &Taken, applied: &Tiler, at: &Coord) -> Table {
        let row = |step: String, gives: String| vec![step, gives];
        let mut rows = Vec::new();
        if let Some(proj) = &self.proj {
            rows.push(row(
                format!("keep the modes of tiler and coordinate that {proj} asks for"),
                format!("tiler {applied}, coordinate {at}"),
            ));
        }
        rows.push(row(
            format!("zipped_divide(A, {applied}): mode 0 one tile, mode 1 which tile"),
            taken.zipped.to_string(),
        ));
        rows.push(row(
            format!("take mode 1 at {at}; the fixed entries become the base offset"),
            format!("offset {}", taken.result.offset),
        ));
        rows.push(row(
            "unpack mode 0: each mode of the tile is a mode of the result, then each mode at _"
                .to_owned(),
            taken.result.layout.to_string(),
        ));
        Table {
            title: "from A to the tile".to_owned(),
            head: vec!["step".to_owned(), "gives".to_owned()],
            rows,
            ..Table::default()
        }
    }

    fn panel_a(
        &self,
        taken: &Taken,
        fill: &dyn Fn(usize) -> Option<(Fill, u32)>,
        notes: &mut Vec<Diagnostic>,
    ) -> Panel {
        let sheet = Sheet::of("A", self.source.layout().shape(), self.look.fold, room(2));
        notes.extend(sheet.notes.iter().cloned());
        let lights = taken.picked.any() && self.source.values().is_some();
        if taken.picked.any() && !lights {
            let size = self.source.layout().size();
            notes.push(unchecked(size, "the highlight is not shown in A"));
        }
        let mut lit = vec![false; if lights { self.source.size() } else { 0 }];
        for index in taken.followed() {
            if let Some(lit) = taken.place(index).and_then(|place| lit.get_mut(place)) {
                *lit |= taken.picked.has(index);
            }
        }
        let cell = |place: usize| {
            let mark = if lit.get(place) == Some(&true) { Mark::Picked } else { Mark::None };
            match fill(place) {
                Some((fill, owner)) => {
                    Cell { fill: self.shade(fill), owner: Some(owner), mark, faded: false }
                }
                None => Cell { mark, faded: true, ..Cell::default() },
            }
        };
        let body = self.look.body(&sheet, &self.source, Scale::Category, &cell);
        self.look.label_legend(Panel::new("A", body).layout(self.source.printed()))
    }

    fn panel_result(
        &self,
        name: &str,
        taken: &Taken,
        fill: &dyn Fn(usize) -> Option<(Fill, u32)>,
        notes: &mut Vec<Diagnostic>,
    ) -> Panel {
        let layout = &taken.result.layout;
        let sheet = Sheet::of("result", layout.shape(), self.look.fold, room(2));
        notes.extend(sheet.notes.iter().cloned());
        let cell = |index: usize| {
            let place = taken.place(index);
            let mark = if taken.is_outside(index) { Mark::Outside } else { Mark::None };
            let mark = taken.picked.mark(index, mark);
            match place.and_then(fill) {
                Some((fill, owner)) => {
                    Cell { fill: self.shade(fill), owner: Some(owner), mark, faded: false }
                }
                None => Cell { mark, ..Cell::default() },
            }
        };
        let body = self.look.body(&sheet, &taken.reading, Scale::Category, &cell);
        let panel = Panel::new(name, body)
            .layout(layout)
            .caption(format!("base offset {}, which the labels include", taken.result.offset));
        let panel = if taken.followed().any(|index| taken.is_outside(index)) {
            panel.legend(Swatch::Mark(Mark::Outside), "past the end of A")
        } else {
            panel
        };
        self.look.label_legend(taken.picked.legend(panel))
    }

    fn partition(&self) -> Result<Figure, Problem> {
        let threads = self.keys.plain(&TILER)?;
        let index = self.keys.get(&INDEX);
        if index < 0 || index >= threads.size() {
            let text = format!(
                "thread {index} is out of bounds: `{threads}` has {} threads",
                threads.size()
            );
            let diagnostic = Diagnostic::error("range", text);
            let hint = format!("write 0 to {}", threads.size() - 1);
            return Err(self.keys.problem(&INDEX, diagnostic.hint(hint)));
        }
        let kept = match &self.proj {
            None => threads.clone(),
            Some(proj) => dice(&threads.clone().into(), proj)
                .map_err(|e| self.refused(&PROJ, e))?
                .domain()
                .clone(),
        };
        let shape = kept.shape().product_each().map_err(|e| self.refused(&TILER, e))?;
        let at = thread_coord(&kept, index).map_err(|e| self.refused(&TILER, e))?;
        let mut taken =
            self.take(&Tiler::Shape(shape.clone()), &TILER, &|cut| part_at(cut, &at))?;
        let slices = u32::try_from(shape.product().unwrap_or(1)).unwrap_or(u32::MAX);
        let compared = threads.size().min(THREADS_COMPARED);
        let slice_of = |thread: i64| position(&thread_coord(&kept, thread).ok()?, &shape);
        let own = slice_of(index);
        let sharing: Vec<i64> = (0..compared).filter(|&thread| slice_of(thread) == own).collect();

        let mut notes = std::mem::take(&mut taken.notes);
        let mut facts = main_facts(&taken.result.layout.to_string(), &taken.result.layout);
        facts.push("offset", ints(&taken.result.offset));
        self.parts(&taken, &mut facts);
        if compared == threads.size() {
            facts.push("sharers", sharing.len());
        }
        let mut arguments =
            vec![self.operand(), Snippet::layout(&threads.clone().into()), thread_index(index)];
        arguments.extend(self.proj.as_ref().map(Snippet::coord));
        Snippet::cute("local_partition", &arguments).push(&mut facts);

        let fill = |place: usize| {
            let slice = taken.tiling.as_ref()?.position(place)?;
            Some((Fill::tile(slice, slices), slice))
        };
        let mut panels = vec![self.panel_threads(&threads, &slice_of, own, slices, &mut notes)?];
        let mine: Vec<usize> = taken.followed().filter_map(|index| taken.place(index)).collect();
        let source = self.panel_a(&taken, &fill, &mut notes);
        panels.push(outline(source, &mine, self.source.layout(), self.look.fold));
        let name = format!("local_partition of thread {index}");
        panels.push(self.panel_result(&name, &taken, &fill, &mut notes));
        let printed = self.source.printed();
        Ok(Figure {
            kind: "local-tile",
            title: format!("local_partition({printed}, {threads}, {index})"),
            panels,
            tables: vec![sharers_table(&sharing, threads.size(), index)],
            facts,
            notes,
            ..Figure::default()
        })
    }

    fn panel_threads(
        &self,
        threads: &Layout,
        slice_of: &dyn Fn(i64) -> Option<u32>,
        own: Option<u32>,
        slices: u32,
        notes: &mut Vec<Diagnostic>,
    ) -> Result<Panel, Problem> {
        let reading = Reading::plain(threads).map_err(|error| self.refused(&TILER, error))?;
        let sheet = Sheet::of("threads", threads.shape(), self.look.fold, room(4));
        notes.extend(sheet.notes.iter().cloned());
        let thread = |index: usize| reading.numbers(index).first().copied().unwrap_or(0);
        let cell = |index: usize| {
            let slice = slice_of(thread(index));
            let mark = if slice == own { Mark::Picked } else { Mark::None };
            let fill = slice.map_or(Fill::Blank, |slice| self.shade(Fill::tile(slice, slices)));
            Cell { fill, owner: slice, mark, faded: false }
        };
        let label = |index: usize| Label::Thread(u32::try_from(thread(index)).unwrap_or(0));
        let body = sheet.draw(Scale::Category, &cell, &[("thread", &label)]);
        let mut panel = Panel::new("threads", body).layout(threads);
        if self.color == Color::Owner {
            panel = panel.legend(
                Swatch::Scale(Scale::Category),
                format!("one colour for each of {slices} parts"),
            );
        }
        Ok(panel.legend(Swatch::Mark(Mark::Picked), "these threads get the same part"))
    }
}

/// Marks what the thread gets in the picture of A.
fn outline(
    mut panel: Panel,
    mine: &[usize],
    a: &AnyLayout,
    fold: crate::figure::canvas::sheet::Fold,
) -> Panel {
    let sheet = Sheet::of("A", a.shape(), fold, room(2));
    let mut own = vec![false; mine.iter().max().map_or(0, |max| max + 1)];
    mine.iter().for_each(|&place| own[place] = true);
    if let crate::figure::model::figure::Body::Grids(slices) = &mut panel.body {
        let cells = slices.iter_mut().flat_map(|slice| slice.grid.cells.iter_mut());
        for (cell, index) in cells.zip(sheet.cells()) {
            if index.is_some_and(|index| own.get(index) == Some(&true)) {
                cell.mark = Mark::Picked;
            }
        }
    }
    panel.legend(Swatch::Mark(Mark::Picked), "the part of this thread")
}

fn sharers_table(sharing: &[i64], threads: i64, index: i64) -> Table {
    let shown: Vec<String> =
        sharing.iter().take(OWNERS_WRITTEN * 8).map(ToString::to_string).collect();
    let more = sharing.len().saturating_sub(shown.len());
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    Table {
        title: format!("who gets the same part as thread {index}"),
        head: vec!["threads".to_owned(), "of".to_owned(), "which".to_owned()],
        rows: vec![vec![
            sharing.len().to_string(),
            threads.to_string(),
            format!("{}{more}", shown.join(", ")),
        ]],
        ..Table::default()
    }
}

impl Taken {
    /// Returns the index of A of an index of the result; `None` past its end.
    fn place(&self, index: usize) -> Option<usize> {
        self.tiling.as_ref()?.place_of(&self.places.as_ref()?.shifted(index))
    }

    fn is_outside(&self, index: usize) -> bool {
        self.places.is_some() && self.place(index).is_none()
    }

    /// Visits the indices of the result, unless there are too many to follow.
    fn followed(&self) -> std::ops::Range<usize> {
        0..if self.reading.values().is_some() { self.reading.size() } else { 0 }
    }
}

/// Returns the one-dimensional index of a flat coordinate.
fn position(coord: &IntTuple, shape: &IntTuple) -> Option<u32> {
    let mut weight = 1_i64;
    let mut sum = 0_i64;
    for (at, extent) in coord.leaves().zip(shape.leaves()) {
        sum = sum.checked_add(at.checked_mul(weight)?)?;
        weight = weight.checked_mul(*extent)?;
    }
    u32::try_from(sum).ok()
}

/// Writes the index of a thread, for which the DSL wants an integer type of its own.
fn thread_index(index: i64) -> Snippet {
    Snippet::new(index.to_string(), format!("cutlass.Int32({index})"))
}
