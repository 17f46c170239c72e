//! `tma_partition`: both sides of a copy as `((one instruction, instructions), rest ...)`.
//!
//! In: an atom, both tensors, the CTA of a multicast. Out: one cell an instruction in shared memory,
//! one cell a tile in global memory with the coordinate it starts at.

use super::atom::{broken, key_of};
use super::keys::{ATOM_SMEM, ATOM_TILER, CTA_COORD, CTA_LAYOUT, SMEM, TILER};
use super::{request, smem, snippets, tiler};
use crate::cute::index::{capped, narrow, wide};
use crate::cute::int_tuple::idx2crd;
use crate::cute::{IntTuple, Layout, Tree};
use crate::diagnostic::Diagnostic;
use crate::figure::canvas::limits::{CORNER_SIDE, STRIP_COLUMNS};
use crate::figure::input::entry::Problem;
use crate::figure::input::keys::Keys;
use crate::figure::kinds::copy::first_of;
use crate::figure::model::figure::{Arrangement, Figure, Panel, Space, Swatch};
use crate::figure::model::grid::{Cell, Fill, Grid, Scale};
use crate::figure::model::label::Label;
use crate::hardware::tma::TmaAtom;
use crate::hardware::tma::atom::Component;
use crate::hardware::tma::descriptor::Descriptor;
use crate::hardware::tma::partition::{Partition, tma_partition};
use crate::hardware::tma::rules::{Alignment, rules};
use serde_json::Value as Json;

/// Draws a partition.
///
/// # Errors
/// What CuTe refuses.
pub(super) fn build(keys: &Keys<'_>) -> Result<Figure, Problem> {
    let smem_key = if keys.has(&ATOM_SMEM) { &ATOM_SMEM } else { &SMEM };
    let tiler_key = if keys.has(&ATOM_TILER) { &ATOM_TILER } else { &TILER };
    let request = request(keys, smem_key, tiler_key)?;
    let refuse = |error: crate::cute::Error| keys.problem(key_of(&error), error.into());
    let atom = TmaAtom::new(&request).map_err(refuse)?;
    let smem = smem(keys, &SMEM)?;
    let tiler = tiler(keys, &TILER, &request.gmem)?;
    let coord = keys.ints(&CTA_COORD)?;
    let ctas = keys.plain(&CTA_LAYOUT)?;
    let part = tma_partition(&atom, &smem, &tiler, &coord, &ctas).map_err(refuse)?;
    let mut figure = Figure {
        kind: "tma",
        title: format!("tma_partition for CTA {coord} of {ctas}: box {}", atom.basis),
        arrangement: Arrangement::Arrows,
        ..Figure::default()
    };
    let panels = [
        gmem_panel(&atom, &part, &mut figure.notes),
        smem_panel(&part, &smem.to_string(), &mut figure.notes),
    ];
    if request.mode.loads() {
        figure.panels.extend(panels);
    } else {
        figure.panels.extend(panels.into_iter().rev());
    }
    let descriptor = Descriptor::new(&request, &atom.basis).map_err(refuse)?;
    if !request.mode.is_im2col() {
        let alignment = Alignment { gmem: 128, smem: None };
        figure.notes.extend(broken(&rules(&request, &atom.basis, &descriptor, alignment)));
    }
    figure.notes.extend(cta_notes(&coord, &ctas, atom.elements()));
    let start: Vec<String> = part.gmem_start.iter().map(ToString::to_string).collect();
    let facts = &mut figure.facts;
    facts.push_text("smem", &part.smem);
    facts.push("gmem", atom.coordinates.print(&part.gmem));
    facts.push("gmem-offset", Json::Array(part.gmem_start.iter().map(component).collect()));
    facts.push("smem-offset", coordinate(&part.smem_offset));
    facts.push(
        "gmem-tensor",
        format!("({}) o {}", start.join(","), atom.coordinates.print(&part.gmem)),
    );
    facts.push_text("smem-in", &part.smem_in);
    let origin: crate::cute::IntTuple = Tree::flat(vec![0; atom.basis.rank()]);
    let divided = atom.coordinates.print(&part.gmem_in);
    facts.push("gmem-in-tensor", format!("{origin} o {divided}"));
    facts.push_text("basis", &atom.basis);
    snippets::partition(keys, &request, (&smem, &tiler), (&coord, &ctas))?.push(facts);
    Ok(figure)
}

/// Says what is wrong with the CTA and the number of CTAs; CuTe accepts both.
fn cta_notes(coord: &IntTuple, ctas: &Layout, elements: i64) -> Vec<Diagnostic> {
    let mut notes = Vec::new();
    let place = idx2crd(coord, ctas.shape());
    let inside = |place: &IntTuple| {
        place.leaves().zip(ctas.shape().leaves()).all(|(at, extent)| (0..*extent).contains(at))
    };
    if place.as_ref().is_ok_and(|place| !inside(place)) {
        let text = format!("`cta-coord` is {coord}, outside of the CTAs `{ctas}`");
        notes.push(Diagnostic::warning("cta-range", text));
    }
    if let Ok(count) = ctas.cosize()
        && count > 1
        && elements % count != 0
    {
        let text = format!(
            "{count} CTAs do not divide the {elements} elements of an instruction: parts start {} elements apart and leave out the rest",
            elements / count
        );
        notes.push(Diagnostic::warning("cta-divides", text));
    }
    notes
}

fn component(number: &Component) -> Json {
    match number {
        Component::Known(value) => Json::from(*value),
        Component::RunTime { .. } => Json::from(number.to_string()),
    }
}

fn coordinate(offset: &crate::cute::IntTuple) -> Json {
    match offset {
        Tree::Leaf(value) => Json::from(*value),
        Tree::Tuple(modes) => Json::Array(modes.iter().map(coordinate).collect()),
    }
}

/// Counts the instructions of a tile: the second part of mode 0.
fn instructions(layout: &Layout) -> i64 {
    layout.at_path(&[0, 1]).map_or(1, |mode| mode.size())
}

fn smem_panel(part: &Partition, smem: &str, notes: &mut Vec<Diagnostic>) -> Panel {
    let iterations = instructions(&part.smem);
    let stages: i64 = part.smem.modes().iter().skip(1).map(Layout::size).product();
    let (rows, cols) = (capped(stages, CORNER_SIDE), capped(iterations, CORNER_SIDE));
    notes.extend(first_of(rows, stages, "stages"));
    notes.extend(first_of(cols, iterations, "instructions of a tile"));
    let offset = |stage: usize, iteration: usize| {
        let rest = part.smem.rank().saturating_sub(1);
        let first = Tree::Tuple(vec![Tree::Leaf(0), Tree::Leaf(wide(iteration))]);
        let mut place = wide(stage);
        let mut coord = vec![first];
        for mode in part.smem.modes().iter().skip(1).take(rest) {
            coord.push(Tree::Leaf(place % mode.size()));
            place /= mode.size();
        }
        match part.smem.at(&Tree::Tuple(coord)) {
            Ok(Tree::Leaf(offset)) => Label::Int(offset),
            Ok(Tree::Tuple(_)) | Err(_) => Label::Blank,
        }
    };
    let grid = Grid::from_fn(rows.max(1), cols.max(1), |spot| {
        let number = wide(spot.col);
        let fill = Fill::numbered(number, iterations);
        Cell { fill, owner: narrow(number), ..Cell::default() }
    })
    .scale(Scale::Category)
    .layer("offset", |spot| offset(spot.row, spot.col))
    .axes("stage", "instruction");
    let mut panel = Panel::grid("tAsA", grid)
        .layout(&part.smem)
        .unit("elements")
        .caption(format!(
            "{smem}; one cell an instruction, labelled with its first offset before the swizzle"
        ))
        .legend(Swatch::Text, "colour: instruction within the tile");
    panel.badge = Some(Space::Smem);
    panel
}

fn gmem_panel(atom: &TmaAtom, part: &Partition, notes: &mut Vec<Diagnostic>) -> Panel {
    let rests = part.gmem.at_path(&[1]).map(|rest| rest.modes()).unwrap_or_default();
    let extent = |at: usize| rests.get(at).map_or(1, Layout::size);
    let rows = capped(extent(0), CORNER_SIDE);
    let all_cols = (1..rests.len()).map(extent).fold(1, i64::saturating_mul);
    let cols = capped(all_cols, CORNER_SIDE);
    notes.extend(first_of(rows, extent(0), "tiles of mode 0"));
    notes.extend(first_of(cols, all_cols, "tiles of the other modes"));
    let start = |row: usize, col: usize| {
        let mut place = wide(col);
        let mut coord = vec![Tree::Leaf(wide(row))];
        for mode in 1..rests.len() {
            coord.push(Tree::Leaf(place % extent(mode)));
            place /= extent(mode);
        }
        let coord = if rests.len() == 1 { coord.remove(0) } else { Tree::Tuple(coord) };
        let rest = part.gmem.at_path(&[1]).and_then(|rest| rest.at(&coord));
        rest.and_then(|rest| part.gmem_offset.add(&rest)).ok()
    };
    let runtime = atom.coordinates.has_run_time_strides();
    let grid = Grid::from_fn(rows.max(1), cols, |spot| {
        let number = wide(spot.row + rows * spot.col);
        let fill = Fill::numbered(number, wide(rows * cols));
        Cell { fill, owner: narrow(number), ..Cell::default() }
    })
    .scale(Scale::Category)
    .layer("coord", |spot| match start(spot.row, spot.col) {
        Some(coord) if !runtime => Label::text(coord.to_string()),
        _ => Label::text(format!("({},{})", spot.row, spot.col)),
    })
    .axes(
        "tile of mode 0",
        if rests.len() > 2 { "tiles of the other modes" } else { "tile of mode 1" },
    );
    let per = instructions(&part.gmem).min(wide(STRIP_COLUMNS * CORNER_SIDE));
    let mut panel = Panel::grid("tAgA", grid)
        .layout(atom.coordinates.print(&part.gmem))
        .caption(format!("one cell a tile, {per} instruction{} each; the label is the TMA coordinate that it starts at", if per == 1 { "" } else { "s" }));
    panel.badge = Some(Space::Gmem);
    panel
}
