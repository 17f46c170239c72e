//! Kind `tv`: which thread and value own each element of a tile, and what memory makes of it.
//!
//! In: `thr` and `val`, or `tv` and `tile`; layouts of global and shared memory. Out: the tile with
//! all owners, the table (thread, value) -> coordinate, offsets coloured by access, banks, and the
//! banks of the worst access over time. Invariant: every figure says in which direction it is read.
//!
//! The parts in reading order: `source`, `ownership`, `tile`; `memory`, `gmem`, `smem`,
//! `banks`.

mod banks;
mod gmem;
mod keys;
mod memory;
mod ownership;
mod smem;
mod source;
mod tile;

use crate::cute::index::{at_mut, capped, count};
use crate::cute::{Layout, Tree};
use crate::diagnostic::Diagnostic;
use crate::figure::canvas::limits::TILE_ELEMENTS;
use crate::figure::canvas::look::{FOLD, HIGHLIGHT, Look, room};
use crate::figure::canvas::sheet::Sheet;
use crate::figure::code::snippet::Snippet;
use crate::figure::input::entry::Problem;
use crate::figure::input::keys::Keys;
use crate::figure::input::kind::{DeepLink, KindDef, OpDef, Thumbnail};
use crate::figure::model::facts::Facts;
use crate::figure::model::figure::Figure;
use gmem::Gmem;
use keys::{COLOR, SHOW, Show, THR, TILE, TV, VAL, VIEW, View};
use ownership::Ownership;
use serde_json::Value;
use smem::Smem;
use source::Source;
use tile::{Focus, Scene};

pub(super) static DEF: KindDef = KindDef {
    name: "tv",
    doc: "Which thread and value own each element of a tile, and what memory makes of it.",
    op: None,
    ops: &[OpDef {
        name: "",
        doc: "The tile by owner, with sectors of global and banks of shared memory where given.",
        keys: &[keys::KEYS],
        build,
        example: "thr = (2,4):(4,1)\nval = (1,4):(4,1)",
    }],
    thumbnail: Thumbnail::First,
    deep_links: &[
        DeepLink { word: "tv-1", op: None, keys: &[&TV, &TILE] },
        DeepLink { word: "tv-2", op: None, keys: &[&THR, &VAL] },
    ],
};

/// Builds the figure.
///
/// # Errors
/// A map that leaves the tile, layouts of memory that do not hold it, accesses that no instruction
/// makes.
fn build(keys: &Keys<'_>) -> Result<Figure, Problem> {
    let source = Source::read(keys)?;
    let focus = Focus::read(keys, source.threads)?;
    let mut notes: Vec<Diagnostic> = source.breach.iter().cloned().collect();
    let gmem = Gmem::read(keys, &source)?;
    let smem = Smem::read(keys, &source, &mut notes)?;
    let of_smem = keys.get(&SHOW).iter().any(|show| matches!(show, Show::Offset | Show::Bank));
    if of_smem && smem.is_none() {
        let text = "`show` has labels of shared memory, and `smem` is not given";
        let hint = "add `smem = ...`, or show `thread`, `value-id`, `index` or `coord`";
        return Err(keys.problem(&SHOW, Diagnostic::error("memory-missing", text).hint(hint)));
    }

    let owners = Ownership::of(&source, source.extents().iter().product());
    let view = keys.get(&VIEW);
    let on_tile = usize::from(view != View::Inverse)
        + usize::from(gmem.is_some())
        + usize::from(smem.is_some());
    let fold = keys.get(&FOLD);
    let sheet = Sheet::of("tile", &source.tile, fold, room(on_tile));
    notes.extend(sheet.notes.iter().cloned());
    let highlight = keys.read(&HIGHLIGHT, crate::expr::Value::to_coord)?;
    let look = Look { show: Vec::new(), highlight, fold };
    let picked = look.picked(keys, &source.tile)?;
    let scene = Scene {
        source: &source,
        owners: &owners,
        sheet: &sheet,
        picked: &picked,
        focus: &focus,
        color: keys.get(&COLOR),
        shared: capped(source.broadcast(), source.threads),
    };

    let mut panels = Vec::new();
    if view != View::Inverse {
        panels.push(scene.tile(keys, &mut notes));
    }
    if view != View::Tile {
        panels.push(scene.inverse(&mut notes));
    }
    if let Some(gmem) = &gmem {
        panels.push(gmem.panel(&scene, &mut notes));
    }
    if let Some(smem) = &smem {
        panels.push(smem.panel(&scene, keys, &mut notes));
        panels.extend(smem.bank_map());
    }

    let tables = [
        source.derivation(),
        gmem.as_ref().and_then(Gmem::table),
        smem.as_ref().and_then(Smem::table),
    ];
    Ok(Figure {
        kind: "tv",
        title: title(&source),
        panels,
        tables: tables.into_iter().flatten().collect(),
        facts: facts(&source, &owners, gmem.as_ref(), smem.as_ref()),
        notes,
        ..Figure::default()
    })
}

fn title(source: &Source) -> String {
    let plural = |count: usize| if count == 1 { "" } else { "s" };
    let extents: Vec<String> = source.extents().iter().map(usize::to_string).collect();
    format!(
        "{} thread{} x {} value{} over a tile of {}",
        source.threads,
        plural(source.threads),
        source.values,
        plural(source.values),
        extents.join("x")
    )
}

fn facts(source: &Source, owners: &Ownership, gmem: Option<&Gmem>, smem: Option<&Smem>) -> Facts {
    let mut facts = Facts::default();
    facts.push_result(&source.tv, &source.tv.clone().into());
    facts.push_text("tiler", &source.tile);
    facts.push_text("tv", &source.tv);
    facts.push_some("layout-mn", source.layout_mn.as_ref().map(ToString::to_string));
    facts.push("threads", source.threads);
    facts.push("values", source.values);
    facts.push_as("covered", "cells with an owner", owners.covered());
    facts.push_as("unowned", "cells without an owner", owners.unowned());
    facts.push_as("max-owners", "most owners of a cell", owners.most());
    facts.push_as("unique", "one owner a cell", owners.most() <= 1);
    facts.push_as(
        "broadcast",
        "threads that share an element through stride 0",
        source.broadcast(),
    );
    if let Some((thr, val)) = &source.thr_val {
        facts.push_as("thr-compact", "thr is compact", is_compact(thr));
        facts.push_as("val-compact", "val is compact", is_compact(val));
    }
    facts.push_some("rounds", source.rounds());
    if let Some(gmem) = gmem {
        gmem.facts(&mut facts);
    }
    if let Some(smem) = smem {
        smem.facts(&mut facts);
    }
    let advice: Vec<Value> = gmem
        .and_then(Gmem::advice)
        .into_iter()
        .chain(smem.into_iter().flat_map(Smem::advice))
        .collect();
    if gmem.is_some() || smem.is_some() {
        facts.push("advice", advice);
    }
    snippet(source).push(&mut facts);
    facts
}

/// Returns whether a layout reaches 0 to its size - 1, each once.
fn is_compact(layout: &Layout) -> bool {
    let (Ok(mut walk), Some(size)) = (layout.walk(), count(layout.size(), TILE_ELEMENTS)) else {
        return false;
    };
    let mut seen = vec![false; size];
    walk.all(|offset| at_mut(&mut seen, offset).is_some_and(|seen| !std::mem::replace(seen, true)))
}

fn snippet(source: &Source) -> Snippet {
    match &source.thr_val {
        Some((thr, val)) => {
            let arguments = [Snippet::plain(thr), Snippet::plain(val)];
            // C++ has no function for what `make_tiled_copy` does first.
            let raked = Snippet::cute("raked_product", &arguments).cxx;
            let sizes = Snippet::shape(&Tree::flat([thr.size(), val.size()])).cxx;
            Snippet {
                cxx: raked
                    .zip(sizes)
                    .map(|(raked, sizes)| format!("right_inverse({raked}).with_shape({sizes})")),
                python: Snippet::cute("make_layout_tv", &arguments).python,
            }
        }
        None => Snippet::plain(&source.tv),
    }
}
