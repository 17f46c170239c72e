//! Kind `divide`: a layout and the same layout cut into tiles, in the tiles' colours.
//!
//! In: `A`, `tiler`, and the form `op`. Out: A, the tiler and the divided layout; all four forms as
//! facts. Invariant: a cell of the result has the colour of the element of A that it is, and cells
//! past the end of A are marked and counted.

use crate::cute::algebra::contract::{self, Breach};
use crate::cute::algebra::{flat_divide, logical_divide, tiled_divide, zipped_divide};
use crate::cute::{AnyLayout, IntTuple, Result as CuteResult, Tensor, Tiler, Tree};
use crate::diagnostic::{Diagnostic, Level};
use crate::expr::report::ints;
use crate::figure::canvas::limits::TABLE_ROWS;
use crate::figure::canvas::look::{FOLD, HIGHLIGHT, Look, Picked, SHOW, coord_text, room};
use crate::figure::canvas::reading::{Reading, leaf, tensor_of, unchecked};
use crate::figure::canvas::sheet::Sheet;
use crate::figure::canvas::tiling::{Cut, Form, Tiling};
use crate::figure::code::snippet::Snippet;
use crate::figure::input::entry::Problem;
use crate::figure::input::key::{Key, Role};
use crate::figure::input::keys::Keys;
use crate::figure::input::kind::{DeepLink, KindDef, OpDef, OpKey, Thumbnail, Use};
use crate::figure::input::value::{Choice, Expression, Flag};
use crate::figure::model::facts::Facts;
use crate::figure::model::figure::{Figure, Panel, Swatch, Table};
use crate::figure::model::grid::{Cell, Fill, Mark, Scale};
use crate::figure::model::label::Label;
use serde_json::Value as Json;

pub(super) static DEF: KindDef = KindDef {
    name: "divide",
    doc: "A layout cut into tiles.",
    op: Some(&OpKey { doc: "The form.", ops: OPS }),
    ops: OPS,
    thumbnail: Thumbnail::First,
    deep_links: &[
        DeepLink { word: "logical_divide", op: Some("logical"), keys: &[&A, &TILER] },
        DeepLink { word: "zipped_divide", op: Some("zipped"), keys: &[&A, &TILER] },
        DeepLink { word: "tiled_divide", op: Some("tiled"), keys: &[&A, &TILER] },
        DeepLink { word: "flat_divide", op: Some("flat"), keys: &[&A, &TILER] },
    ],
};

static OPS: &[OpDef] = &[
    OpDef {
        name: "logical",
        doc: "Each mode becomes (tile, rest).",
        keys: &[KEYS],
        build: |keys| build(keys, &LOGICAL),
        example: "A = (4,8):(8,1)\ntiler = <2,4>",
    },
    OpDef {
        name: "zipped",
        doc: "All tile modes first, then all rests: (tile, rest).",
        keys: &[KEYS],
        build: |keys| build(keys, &ZIPPED),
        example: "A = (4,8):(8,1)\ntiler = <2,4>",
    },
    OpDef {
        name: "tiled",
        doc: "The tile, then one mode per rest.",
        keys: &[KEYS],
        build: |keys| build(keys, &TILED),
        example: "A = (4,8):(8,1)\ntiler = <2,4>",
    },
    OpDef {
        name: "flat",
        doc: "Every mode of the tile, then every rest, side by side.",
        keys: &[KEYS],
        build: |keys| build(keys, &FLAT),
        example: "A = (4,8):(8,1)\ntiler = <2,4>",
    },
];

static KEYS: &[Use] = &[
    Use::required(&A, "A = (4,8):(1,4)"),
    Use::required(&TILER, "tiler = <2,2>"),
    Use::optional(&OFFSETS, "offsets = yes"),
    Use::optional(&COLOR, "color = value"),
    Use::optional(&SHOW, "show = index"),
    Use::optional(&HIGHLIGHT, "highlight = 0"),
    Use::optional(&FOLD, "fold = flat\nA = (2,3,4):(1,2,6)\ntiler = 2"),
];

static A: Key<Expression> = Key::new("A", Expression::ANY, "The layout.");

static TILER: Key<Expression> =
    Key::new("tiler", Expression::ANY, "The tile: layout, shape or `<a,b>` by mode.");

static OFFSETS: Key<Flag> = Key::new("offsets", Flag, "Print the base offset of each tile.");

static COLOR: Key<Choice<Color>> = Key::new(
    "color",
    Choice::of(&[("tile", Color::Tile), ("value", Color::Value), ("none", Color::None)]),
    "What the colors mean.",
)
.role(Role::Look);

/// One form of the divide.
struct Divide {
    word: &'static str,
    form: Form,
    name: &'static str,
    operation: fn(&AnyLayout, &Tiler) -> CuteResult<AnyLayout>,
}

static LOGICAL: Divide = Divide {
    word: "logical",
    form: Form::Logical,
    name: "logical_divide",
    operation: logical_divide,
};

static ZIPPED: Divide =
    Divide { word: "zipped", form: Form::Zipped, name: "zipped_divide", operation: zipped_divide };

static TILED: Divide =
    Divide { word: "tiled", form: Form::Tiled, name: "tiled_divide", operation: tiled_divide };

static FLAT: Divide =
    Divide { word: "flat", form: Form::Flat, name: "flat_divide", operation: flat_divide };

/// What colours mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Color {
    Tile,
    Value,
    None,
}

/// Builds the figure.
///
/// # Errors
/// Divides that CuTe refuses, at `tiler`; keys that do not fit.
fn build(keys: &Keys<'_>, divide: &Divide) -> Result<Figure, Problem> {
    let (a, base) = keys.need(&A, tensor_of)?;
    let tiler = keys.tiler(&TILER)?;
    let look = Look::read(keys)?;
    let color = keys.get(&COLOR);
    let &Divide { form, name, operation, .. } = divide;

    let at_a = |error: Diagnostic| keys.problem(&A, error);
    let refused = |error: Diagnostic| keys.problem(&TILER, error);
    let source = Reading::of(&a, base.as_ref()).map_err(at_a)?;
    let divided = operation(&a, &tiler).map_err(|error| refused(error.into()))?;
    let result = Reading::of(&divided, base.as_ref()).map_err(refused)?;
    let mut notes = Vec::new();
    let tiling = match Tiling::of(a.domain(), &tiler, form) {
        Ok(tiling) => Some(tiling),
        Err(note) if note.level == Level::Note => {
            notes.push(note);
            None
        }
        Err(error) => return Err(refused(error)),
    };
    let picked = look.picked(keys, divided.shape())?;
    let drawing = Drawing { look: &look, color, tiling: tiling.as_ref(), picked: &picked };
    let broken = drawing.first_break(&source, &result);
    if source.values().is_none() || result.values().is_none() {
        let what = if picked.any() {
            "cells are not compared with their elements of A, nor highlighted there"
        } else {
            "cells are not compared with their elements of A"
        };
        notes.push(unchecked(divided.size().max(a.size()), what));
    }
    // Past the end of A anything may be hit twice.
    let complete = tiling.as_ref().is_none_or(|tiling| tiling.outside() == 0);
    let overlap = if complete { contract::no_overlap(&[&a], &divided) } else { None };
    notes.extend(contract_notes(&tiler, form, overlap.into_iter().chain(broken)));

    let mut panels = vec![drawing.source(&source, &result, &mut notes)];
    panels.extend(drawing.tilers(&tiler, &mut notes).map_err(refused)?);
    panels.push(drawing.result(name, &result, &source, &mut notes));

    let mut facts = main_facts(&result.printed(), &divided);
    for divide in [&LOGICAL, &ZIPPED, &TILED, &FLAT] {
        let layout = (divide.operation)(&a, &tiler).ok();
        facts.push_some(divide.word, layout.map(|layout| with_base(base.as_ref(), &layout)));
    }
    let mut tables = Vec::new();
    if let Some(tiling) = &tiling {
        let offsets = tile_offsets(tiling, &source);
        facts.push("tiles", tiling.tiles);
        if let Some(offsets) = &offsets {
            facts.push("tile-offsets", offsets.iter().map(|(_, o)| ints(o)).collect::<Vec<Json>>());
        }
        let outside = tiling.outside();
        facts.push("out-of-range", outside);
        let first = tiling.first_outside().map(|index| coord_text(index, divided.shape()));
        if outside > 0 {
            notes.push(outside_note(outside, &divided, first.as_deref()));
        }
        facts.push_some("first-out-of-range", first);
        if keys.get(&OFFSETS) {
            match &offsets {
                Some(offsets) => tables.push(offset_table(offsets)),
                None => notes.push(unlisted(tiling.tiles)),
            }
        }
    }
    let operand = match &base {
        Some(base) => Snippet::tensor(&Tensor { offset: base.clone(), layout: a.clone() }),
        None => Snippet::layout(&a),
    };
    Snippet::cute(name, &[operand, Snippet::tiler(&tiler)]).push(&mut facts);
    Ok(Figure {
        kind: "divide",
        title: format!("{name}({}, {tiler})", source.printed()),
        panels,
        tables,
        facts,
        notes,
        ..Figure::default()
    })
}

/// Returns the facts that every kind with one main result has.
pub(super) fn main_facts(printed: &str, layout: &AnyLayout) -> Facts {
    let mut facts = Facts::default();
    facts.push("result", printed);
    facts.push("size", layout.size());
    facts.push_some("cosize", layout.cosize().ok());
    facts.push("rank", layout.rank());
    facts.push("depth", layout.depth());
    facts
}

fn with_base(base: Option<&IntTuple>, layout: &AnyLayout) -> String {
    match base {
        Some(base) => format!("{base} o {layout}"),
        None => layout.to_string(),
    }
}

fn contract_notes(
    tiler: &Tiler,
    form: Form,
    breaches: impl Iterator<Item = Breach>,
) -> Vec<Diagnostic> {
    let warn = |breach: Breach| Diagnostic::warning("contract", breach.to_string());
    let torn = contract::kept_modes(tiler).map(|breach| match form {
        Form::Logical => Diagnostic::note(
            "kept-mode",
            "`logical_divide` keeps the mode at `_` whole; the zipped, tiled and flat forms tear it into tile and rest",
        ),
        _ => warn(breach),
    });
    torn.into_iter().chain(breaches.map(warn)).collect()
}

fn outside_note(outside: i64, divided: &AnyLayout, first: Option<&str>) -> Diagnostic {
    let first = first.map_or(String::new(), |first| format!(", the first of them {first}"));
    Diagnostic::note(
        "out-of-range",
        format!(
            "{outside} of {} coordinates lie past the end of A{first}; a kernel needs a predicate for them",
            divided.size()
        ),
    )
}

/// Returns each tile's number and where it starts, if there are few enough to list.
fn tile_offsets(tiling: &Tiling, source: &Reading) -> Option<Vec<(i64, IntTuple)>> {
    if tiling.tiles > i64::try_from(TABLE_ROWS).unwrap_or(i64::MAX) {
        return None;
    }
    let offset = |tile: i64| source.value(tiling.start(tile)?);
    (0..tiling.tiles).map(|tile| Some((tile, offset(tile)?))).collect()
}

fn offset_table(offsets: &[(i64, IntTuple)]) -> Table {
    Table {
        title: "where each tile starts".to_owned(),
        head: vec!["tile".to_owned(), "base offset".to_owned()],
        rows: offsets.iter().map(|(t, offset)| vec![t.to_string(), offset.to_string()]).collect(),
        ..Table::default()
    }
}

fn unlisted(tiles: i64) -> Diagnostic {
    Diagnostic::warning(
        "reduced",
        format!(
            "{tiles} tiles are more than the {TABLE_ROWS} rows of a table, so their base offsets are left out"
        ),
    )
}

struct Drawing<'a> {
    look: &'a Look,
    color: Color,
    tiling: Option<&'a Tiling>,
    picked: &'a Picked,
}

impl Drawing<'_> {
    /// Returns the colour and owner of an element of A.
    fn cell(&self, source: &Reading, place: usize) -> Cell {
        let owner = self.tiling.and_then(|tiling| tiling.tile(place));
        let fill = match (self.color, self.tiling, owner) {
            (Color::Tile, Some(tiling), Some(tile)) => tiling.fill(tile),
            (Color::Value, ..) => source.fill(place),
            _ => Fill::Blank,
        };
        Cell { fill, owner, ..Cell::default() }
    }

    fn scale(&self, source: &Reading) -> Scale {
        if self.color == Color::Value { source.scale() } else { Scale::Category }
    }

    fn legend(&self, panel: Panel, source: &Reading) -> Panel {
        match (self.color, self.tiling) {
            (Color::Tile, Some(tiling)) => {
                panel.legend(Swatch::Scale(Scale::Category), tiling.meaning())
            }
            (Color::Value, _) => panel.legend(Swatch::Scale(source.scale()), source.fill_meaning()),
            _ => panel,
        }
    }

    fn source(&self, source: &Reading, result: &Reading, notes: &mut Vec<Diagnostic>) -> Panel {
        let layout = source.layout();
        let sheet = Sheet::of("A", layout.shape(), self.look.fold, room(2));
        notes.extend(sheet.notes.iter().cloned());
        let lit = self.lit(source, result);
        let cell = |index: usize| {
            let lit = lit.get(index) == Some(&true);
            let mark = if lit { Mark::Picked } else { Mark::None };
            Cell { mark, ..self.cell(source, index) }
        };
        let body = self.look.body(&sheet, source, self.scale(source), &cell);
        let panel = Panel::new("A", body).layout(source.printed());
        self.look.label_legend(self.legend(panel, source))
    }

    /// Returns which elements of A the highlighted cells of the result are.
    fn lit(&self, source: &Reading, result: &Reading) -> Vec<bool> {
        let (Some(tiling), true) = (self.tiling, self.picked.any()) else { return Vec::new() };
        if source.values().is_none() || result.values().is_none() {
            return Vec::new();
        }
        let mut lit = vec![false; source.size()];
        for index in (0..result.size()).filter(|&index| self.picked.has(index)) {
            if let Some(place) = tiling.place(index).and_then(|place| lit.get_mut(place)) {
                *place = true;
            }
        }
        lit
    }

    /// Draws the tiler: its indices where it is one layout, what it picks along each mode where it
    /// acts by mode and picks more than neighbours.
    fn tilers(&self, tiler: &Tiler, notes: &mut Vec<Diagnostic>) -> Result<Vec<Panel>, Diagnostic> {
        let Some(tiling) = self.tiling else { return Ok(Vec::new()) };
        if let Tiler::Layout(tile) = tiler {
            let reading = Reading::plain(tile)?;
            let sheet = Sheet::of("tiler", tile.shape(), self.look.fold, room(8));
            notes.extend(sheet.notes.iter().cloned());
            let first = match self.color {
                Color::Tile => tiling.fill(0),
                _ => Fill::Blank,
            };
            let cell = |_: usize| Cell { fill: first, owner: Some(0), ..Cell::default() };
            let body = self.look.body(&sheet, &reading, Scale::Category, &cell);
            let panel = Panel::new("tiler", body).layout(tile);
            return Ok(vec![panel.caption("the indices of A that are tile 0")]);
        }
        let strided = tiling.cuts.iter().any(|cut| !cut.consecutive);
        let several = tiling.cuts.iter().filter(|cut| cut.tiler.is_some()).count() > 1;
        if !strided || !several || self.color != Color::Tile {
            return Ok(Vec::new());
        }
        let cuts = tiling.cuts.iter().enumerate();
        Ok(cuts.filter_map(|(k, cut)| self.mode(tiling, k, cut, notes)).collect())
    }

    /// Draws which indices of one mode go to which tile along it.
    fn mode(
        &self,
        tiling: &Tiling,
        k: usize,
        cut: &Cut,
        notes: &mut Vec<Diagnostic>,
    ) -> Option<Panel> {
        let tiler = cut.tiler.as_ref()?;
        let name = format!("mode {k} by {tiler}");
        let sheet = Sheet::strip(&name, cut.size, room(16));
        notes.extend(sheet.notes.iter().cloned());
        let cell = |index: usize| Cell {
            fill: cut.rest(index).map_or(Fill::Blank, |rest| tiling.fill_along(k, rest)),
            ..Cell::default()
        };
        let rest =
            |index: usize| cut.rest(index).map_or(Label::Blank, |rest| Label::Int(i64::from(rest)));
        let body = sheet.draw(Scale::Category, &cell, &[("tile", &rest)]);
        let text = format!("labels: which of {} tiles along mode {k}", cut.rests);
        Some(Panel::new(name, body).legend(Swatch::Text, text))
    }

    fn result(
        &self,
        name: &str,
        result: &Reading,
        source: &Reading,
        notes: &mut Vec<Diagnostic>,
    ) -> Panel {
        let shape = result.layout().shape();
        let sheet = Sheet::of("result", shape, self.look.fold, room(2));
        notes.extend(sheet.notes.iter().cloned());
        let cell = |index: usize| {
            let Some(tiling) = self.tiling else { return Cell::default() };
            let Some(place) = tiling.place(index) else {
                let mark = self.picked.mark(index, Mark::Outside);
                return Cell { mark, ..Cell::default() };
            };
            let wrong = result.numbers(index) != source.numbers(place);
            let mark = self.picked.mark(index, if wrong { Mark::Failing } else { Mark::None });
            Cell { mark, ..self.cell(source, place) }
        };
        let body = self.look.body(&sheet, result, self.scale(source), &cell);
        let mut panel = self.legend(Panel::new(name, body).layout(result.printed()), source);
        if self.tiling.is_some_and(|tiling| tiling.outside() > 0) {
            panel = panel.legend(Swatch::Mark(Mark::Outside), "past the end of A");
        }
        if self.first_break(source, result).is_some() {
            panel =
                panel.legend(Swatch::Mark(Mark::Failing), "not the element of A that it should be");
        }
        if shape.depth() > 1 {
            panel = panel.legend(
                Swatch::Boundary,
                "boundary of a nested mode (innermost index next to the cells)",
            );
        }
        self.look.label_legend(self.picked.legend(panel))
    }

    /// Finds the first cell of the result that has not the value of its element of A.
    fn first_break(&self, source: &Reading, result: &Reading) -> Option<Breach> {
        let tiling = self.tiling?;
        result.values()?;
        (0..result.size()).find_map(|index| {
            let place = tiling.place(index)?;
            (result.numbers(index) != source.numbers(place)).then(|| Breach::Composition {
                index: i64::try_from(index).unwrap_or(i64::MAX),
                want: source.layout().at(&leaf(place)).unwrap_or(Tree::Leaf(0)),
                got: result.layout().at(&leaf(index)).unwrap_or(Tree::Leaf(0)),
            })
        })
    }
}
