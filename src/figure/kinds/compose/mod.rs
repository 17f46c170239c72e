//! Kind `compose`: A, B and `A o B`, their cells linked by color.
//!
//! In: `A`, `B` (a layout, a tiler or a shape) and whether to draw B's complement. Out: the panels,
//! and a table of how CuTe gets to the result mode by mode. Invariant: index i has one color: in B,
//! in the result, and in A where B(i) leads; a cell where the result is not A(B(i)) is marked and
//! shows both values.

mod keys;
mod links;
mod panels;
mod steps;

use crate::cute::algebra::contract::Breach;
use crate::cute::algebra::{checked, complement};
use crate::cute::index::wide;
use crate::cute::{AnyLayout, Layout, Parts, Tiler, Tree};
use crate::diagnostic::Diagnostic;
use crate::expr::report::ints;
use crate::figure::canvas::look::Look;
use crate::figure::canvas::reading::{Reading, unchecked};
use crate::figure::code::snippet::Snippet;
use crate::figure::input::entry::Problem;
use crate::figure::input::keys::Keys;
use crate::figure::input::kind::{DeepLink, KindDef, OpDef, Thumbnail};
use crate::figure::model::facts::Facts;
use crate::figure::model::figure::Figure;
use keys::{A, B, COLOR, COMPLEMENT};
use links::{Links, asked};
use panels::Drawing;
use serde_json::json;

pub(super) static DEF: KindDef = KindDef {
    name: "compose",
    doc: "A, B and `A o B`.",
    op: None,
    ops: &[OpDef {
        name: "",
        doc: "The composition, cell by cell.",
        keys: &[keys::KEYS],
        build,
        example: "A = (4,8):(8,1)\nB = (2,4):(2,8)",
    }],
    thumbnail: Thumbnail::First,
    deep_links: &[DeepLink { word: "composition", op: None, keys: &[&A, &B] }],
};

/// Builds the figure.
///
/// # Errors
/// Compositions that CuTe refuses, at `B`, with the values that a layout would need.
fn build(keys: &Keys<'_>) -> Result<Figure, Problem> {
    let a = keys.layout(&A)?;
    let b = keys.tiler(&B)?;
    let look = Look::read(keys)?;
    let at_a = |error: Diagnostic| keys.problem(&A, error);
    let at_b = |error: Diagnostic| keys.problem(&B, error);

    let inner = asked(a.domain(), &b).map_err(|error| at_b(error.into()))?;
    let composed = checked::composition(&a, &b);
    let composed = composed.map_err(|error| at_b(with_values(error.into(), &a, &inner)))?;
    let source = Reading::of(&a, None).map_err(at_a)?;
    let picks = Reading::plain(&inner).map_err(at_b)?;
    let result = Reading::of(&composed.value, None).map_err(at_b)?;
    let picked = look.picked(keys, composed.value.shape())?;
    let links = Links::of(&source, &picks);
    let drawing = Drawing {
        look: &look,
        color: keys.get(&COLOR),
        picked: &picked,
        links: &links,
        source: &source,
        picks: &picks,
        result: &result,
        holds: composed.holds(),
    };
    let mut notes = Vec::new();
    let mut panels = vec![drawing.source(&mut notes), drawing.inner(&b, &mut notes)];
    let mut facts = Facts::default();
    facts.push_result(result.printed(), &composed.value);
    facts.push_text("a", &a);
    facts.push_text("b", &b);
    if keys.get(&COMPLEMENT) {
        let (whole, rest) = rest_of(&a, &b).map_err(at_b)?;
        panels.push(drawing.tiles(&whole, &rest, &mut notes).map_err(at_b)?);
        facts.push_text("complement", rest);
    }
    panels.push(drawing.result(&mut notes));
    facts.push("contract", composed.holds());
    for breach in &composed.breaches {
        if let Breach::Composition { index, want, got } = breach {
            let object = json!({"index": index, "want": ints(want), "got": ints(got)});
            facts.push("first-break", object);
        }
        notes.push(breach.clone().into());
    }
    let composed = composed.value;
    if links.from.is_empty() {
        notes.push(unchecked(a.size().max(composed.size()), "cells of A are not linked"));
    }
    if links.past > 0 {
        notes.push(Diagnostic::note(
            "out-of-range",
            format!(
                "{} indices of B lead past the end of A, where its last mode goes on",
                links.past
            ),
        ));
    }
    Snippet::cute("composition", &[Snippet::layout(&a), Snippet::tiler(&b)]).push(&mut facts);
    Ok(Figure {
        kind: "compose",
        title: format!("A o B = {composed}"),
        panels,
        tables: vec![steps::table(&a, &b)],
        facts,
        notes,
        ..Figure::default()
    })
}

/// Adds to a refusal what the values would be.
fn with_values(error: Diagnostic, a: &AnyLayout, inner: &Layout) -> Diagnostic {
    const SHOWN: usize = 16;
    let Ok(values) = inner.values() else { return error };
    let found: Vec<String> = values
        .take(SHOWN)
        .map_while(|index| a.at(&index).ok())
        .map(|value| value.to_string())
        .collect();
    if found.is_empty() || error.hint.is_some() {
        return error;
    }
    let more = if inner.size() > wide(SHOWN) { ", ..." } else { "" };
    error.hint(format!("point by point, A(B(i)) is {}{more}", found.join(",")))
}

/// Returns B as one layout and its complement in the size of A.
fn rest_of(a: &AnyLayout, b: &Tiler) -> Result<(Layout, Layout), Diagnostic> {
    let whole = match b.parts()? {
        Parts::Whole(layout) => layout.into_owned(),
        Parts::Keep | Parts::Modes(_) => {
            let text = format!("`{b}` acts by mode and has no complement as a whole");
            return Err(Diagnostic::error("complement", text)
                .hint("a `divide` figure shows what a tiler by mode leaves out"));
        }
    };
    let rest = complement(&whole, &Tree::Leaf(a.size()))?;
    Ok((whole, rest))
}
