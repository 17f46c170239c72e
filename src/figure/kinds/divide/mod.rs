//! Kind `divide`: a layout and the same layout cut into tiles, in the tiles' colors.
//!
//! In: `A`, `tiler`, and the form `op`. Out: A, the tiler and the divided layout; all four forms as
//! facts. Invariant: a cell of the result has the color of the element of A that it is, and cells
//! past the end of A are marked and counted.

mod keys;
mod panels;

use crate::cute::algebra::checked::{self, Checked};
use crate::cute::algebra::contract::{self, Breach};
use crate::cute::algebra::{Form, divide};
use crate::cute::index::wide;
use crate::cute::{AnyLayout, IntTuple, Tensor, Tiler};
use crate::diagnostic::{Diagnostic, Level};
use crate::expr::report::ints;
use crate::figure::canvas::limits::TABLE_ROWS;
use crate::figure::canvas::look::{Look, coord_text};
use crate::figure::canvas::reading::{Reading, tensor_of, unchecked};
use crate::figure::canvas::tiling::Tiling;
use crate::figure::code::snippet::Snippet;
use crate::figure::input::entry::Problem;
use crate::figure::input::keys::Keys;
use crate::figure::input::kind::{DeepLink, KindDef, OpDef, OpKey, Thumbnail};
use crate::figure::model::facts::Facts;
use crate::figure::model::figure::{Figure, Table};
use keys::{A, COLOR, KEYS, OFFSETS, TILER};
use panels::Drawing;
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

/// One form of the divide: the word of the key `op`, which names the fact, too, and the function of
/// CuTe.
struct Divide {
    word: &'static str,
    name: &'static str,
    form: Form,
}

static LOGICAL: Divide = Divide { word: "logical", name: "logical_divide", form: Form::Logical };
static ZIPPED: Divide = Divide { word: "zipped", name: "zipped_divide", form: Form::Zipped };
static TILED: Divide = Divide { word: "tiled", name: "tiled_divide", form: Form::Tiled };
static FLAT: Divide = Divide { word: "flat", name: "flat_divide", form: Form::Flat };

/// Builds the figure.
///
/// # Errors
/// Divides that CuTe refuses, at `tiler`; keys that do not fit.
fn build(keys: &Keys<'_>, &Divide { name, form, .. }: &Divide) -> Result<Figure, Problem> {
    let (a, base) = keys.need(&A, tensor_of)?;
    let tiler = keys.tiler(&TILER)?;
    let look = Look::read(keys)?;

    let at_a = |error: Diagnostic| keys.problem(&A, error);
    let refused = |error: Diagnostic| keys.problem(&TILER, error);
    let source = Reading::of(&a, base.as_ref()).map_err(at_a)?;
    let Checked { value: divided, breaches } =
        checked::divide(&a, &tiler, form).map_err(|error| refused(error.into()))?;
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
    let drawing = Drawing {
        look: &look,
        color: keys.get(&COLOR),
        tiling: tiling.as_ref(),
        picked: &picked,
        source: &source,
        result: &result,
    };
    if source.values().is_none() || result.values().is_none() {
        let what = if picked.any() {
            "cells are not compared with their elements of A, nor highlighted there"
        } else {
            "cells are not compared with their elements of A"
        };
        notes.push(unchecked(divided.size().max(a.size()), what));
    }
    notes.extend(kept_mode_note(&tiler, form));
    let broken = drawing.first_break();
    let fails = broken.is_some();
    let complete = tiling.as_ref().is_none_or(|tiling| tiling.outside() == 0);
    let counts = |breach: &Breach| {
        // Past the end of A anything may be hit twice, and a note of its own counts what lies there.
        let past = matches!(breach, Breach::Repeat(_) | Breach::Leaves { .. }) && !complete;
        // Of a wrong cell the index in the whole result is known here.
        let wrong = matches!(breach, Breach::Composition { .. }) && fails;
        !past && !wrong
    };
    notes.extend(breaches.into_iter().filter(counts).map(Diagnostic::from));
    notes.extend(broken.map(Diagnostic::from));

    let mut panels = vec![drawing.source(&mut notes)];
    panels.extend(drawing.tilers(&tiler, &mut notes).map_err(refused)?);
    panels.push(drawing.result(name, fails, &mut notes));

    let mut facts = Facts::default();
    facts.push_result(result.printed(), &divided);
    for other in [&LOGICAL, &ZIPPED, &TILED, &FLAT] {
        let layout = divide(&a, &tiler, other.form).ok();
        facts.push_some(other.word, layout.map(|layout| with_base(base.as_ref(), &layout)));
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

fn with_base(base: Option<&IntTuple>, layout: &AnyLayout) -> String {
    match base {
        Some(base) => format!("{base} o {layout}"),
        None => layout.to_string(),
    }
}

/// Says which forms tear a mode that the logical one keeps; theirs is a breach.
fn kept_mode_note(tiler: &Tiler, form: Form) -> Option<Diagnostic> {
    let text = "`logical_divide` keeps the mode at `_` whole; the zipped, tiled and flat forms tear it into tile and rest";
    let keeps = form == Form::Logical && contract::kept_modes(tiler).is_some();
    keeps.then(|| Diagnostic::note("kept-mode", text))
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
    if tiling.tiles > wide(TABLE_ROWS) {
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
