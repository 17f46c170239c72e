//! Kind `product`: a block repeated, in one color for each copy.
//!
//! In: the block `A`, the `tiler` that says where copies go, the form `op` and maybe a second one
//! `with`. Out: block, tiler and results; every form as a fact. Invariant: a copy has the same
//! color in every panel, and cells that share an offset with another one are marked and counted.

mod form;
mod keys;
mod panels;
mod repeated;

use crate::diagnostic::Diagnostic;
use crate::figure::canvas::look::Look;
use crate::figure::canvas::reading::unchecked;
use crate::figure::code::snippet::Snippet;
use crate::figure::input::entry::Problem;
use crate::figure::input::keys::Keys;
use crate::figure::input::kind::{DeepLink, KindDef, OpDef, OpKey, Thumbnail};
use crate::figure::model::facts::Facts;
use crate::figure::model::figure::Figure;
use form::{FORMS, Form};
use keys::{A, COLOR, KEYS, TILER, WITH, WITH_BLOCKED, WITH_RAKED};
use panels::Drawing;
use repeated::Repeated;

pub(super) static DEF: KindDef = KindDef {
    name: "product",
    doc: "A layout repeated.",
    op: Some(&OP),
    ops: OPS,
    thumbnail: Thumbnail::Result,
    deep_links: &[
        DeepLink { word: "logical_product", op: Some("logical"), keys: &[&A, &TILER] },
        DeepLink { word: "zipped_product", op: Some("zipped"), keys: &[&A, &TILER] },
        DeepLink { word: "tiled_product", op: Some("tiled"), keys: &[&A, &TILER] },
        DeepLink { word: "flat_product", op: Some("flat"), keys: &[&A, &TILER] },
        DeepLink { word: "blocked_product", op: Some("blocked"), keys: &[&A, &TILER] },
        DeepLink { word: "raked_product", op: Some("raked"), keys: &[&A, &TILER] },
    ],
};

static OP: OpKey = OpKey { doc: "The form.", ops: OPS };

static OPS: &[OpDef] = &[
    OpDef {
        name: "logical",
        doc: "The block, then the layout of its copies.",
        keys: &[KEYS, WITH_RAKED],
        build: |keys| build(keys, Form::LOGICAL),
        example: "A = (2,2):(1,2)\ntiler = (3,4):(4,1)",
    },
    OpDef {
        name: "zipped",
        doc: "As logical, with one mode for the block and one for the copies.",
        keys: &[KEYS, WITH_RAKED],
        build: |keys| build(keys, Form::ZIPPED),
        example: "A = (2,2):(1,2)\ntiler = (3,4):(4,1)",
    },
    OpDef {
        name: "tiled",
        doc: "The block, then one mode per mode of the tiler.",
        keys: &[KEYS, WITH_RAKED],
        build: |keys| build(keys, Form::TILED),
        example: "A = (2,2):(1,2)\ntiler = (3,4):(4,1)",
    },
    OpDef {
        name: "flat",
        doc: "Every mode of the block, then every mode of the tiler.",
        keys: &[KEYS, WITH_RAKED],
        build: |keys| build(keys, Form::FLAT),
        example: "A = (2,2):(1,2)\ntiler = (3,4):(4,1)",
    },
    OpDef {
        name: "blocked",
        doc: "Copies side by side, mode by mode.",
        keys: &[KEYS, WITH_RAKED],
        build: |keys| build(keys, Form::Blocked),
        example: "A = (2,2):(1,2)\ntiler = (3,4):(4,1)",
    },
    OpDef {
        name: "raked",
        doc: "Copies interleaved, mode by mode.",
        keys: &[KEYS, WITH_BLOCKED],
        build: |keys| build(keys, Form::Raked),
        example: "A = (2,2):(1,2)\ntiler = (3,4):(4,1)",
    },
];

/// Builds the figure.
///
/// # Errors
/// Products that CuTe refuses, at `tiler`; keys that do not fit.
fn build(keys: &Keys<'_>, form: Form) -> Result<Figure, Problem> {
    let block = keys.layout(&A)?;
    let tiler = keys.tiler(&TILER)?;
    let look = Look::read(keys)?;
    let with = keys.get(&WITH).filter(|with| *with != form);

    let main = Repeated::of(keys, &OP, &block, &tiler, form)?;
    let second = with.map(|with| Repeated::of(keys, &WITH, &block, &tiler, with)).transpose()?;
    let picked = look.picked(keys, main.reading.layout().shape())?;
    let drawing = Drawing { look: &look, color: keys.get(&COLOR), copies: main.copies };
    let at_a = |error: Diagnostic| keys.problem(&A, error);
    let at_tiler = |error: Diagnostic| keys.problem(&TILER, error);
    let mut notes = Vec::new();

    let mut panels = vec![drawing.block(&block, &mut notes).map_err(at_a)?];
    panels.extend(drawing.tiler(&tiler, &mut notes).map_err(at_tiler)?);
    let sides = 1 + usize::from(second.is_some());
    panels.push(drawing.result(&main, Some(&picked), sides, &mut notes));
    if let Some(second) = &second {
        panels.push(drawing.result(second, None, sides, &mut notes));
    }
    for product in [Some(&main), second.as_ref()].into_iter().flatten() {
        notes.extend(product.messages());
    }

    let mut facts = Facts::default();
    facts.push_result(main.reading.printed(), main.reading.layout());
    for (word, form) in FORMS {
        let layout = form.multiply(&block, &tiler).ok();
        facts.push_some(word, layout.map(|layout| layout.to_string()));
    }
    facts.push("copies", main.copies);
    match &main.shared {
        Some(shared) => {
            facts.push("distinct", shared.distinct);
            facts.push("overlaps", main.reading.layout().size() - shared.distinct);
        }
        None => notes.push(unchecked(main.reading.layout().size(), "overlaps are not counted")),
    }
    let name = main.form.function();
    Snippet::cute(name, &[Snippet::layout(&block), Snippet::tiler(&tiler)]).push(&mut facts);
    Ok(Figure {
        kind: "product",
        title: match &second {
            Some(second) => format!("{name} and {} of {block} and {tiler}", second.form.function()),
            None => format!("{name}({block}, {tiler})"),
        },
        panels,
        facts,
        notes,
        ..Figure::default()
    })
}
