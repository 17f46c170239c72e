//! Kind `cutlass`: a layout class of CUTLASS 2.x over an extent, and the same map in CuTe's terms.
//!
//! In: `type`, `extent`, `ldm` or `stride` (neither: those of `packed(extent)`), `matrix`, `path`.
//! Out: the offset of every coordinate, memory up to the capacity with its padding, and the class's
//! own numbers. Invariant: nothing is put right: where the class contradicts itself, the picture and
//! a note show it.

mod facts;
mod keys;
mod map;
mod memory;
mod offsets;
mod source;

use crate::figure::input::entry::Problem;
use crate::figure::input::keys::Keys;
use crate::figure::input::kind::{KindDef, OpDef, Thumbnail};
use crate::figure::model::figure::Figure;
use crate::hardware::cutlass2::{Twin, notes};
use keys::{EXTENT, KEYS, PATH};
use map::Map;
use source::Source;

pub(super) static DEF: KindDef = KindDef {
    name: "cutlass",
    doc: "The matrix and tensor layouts of CUTLASS 2.x.",
    op: None,
    ops: &[OpDef {
        name: "",
        doc: "The offsets of the elements, the order in memory, and the same map in CuTe's notation.",
        keys: &[KEYS],
        build,
        example: "type = RowMajor\nextent = (4,6)",
    }],
    thumbnail: Thumbnail::First,
    deep_links: &[],
};

/// Builds the figure.
///
/// # Errors
/// A class, extent or stride that does not fit together, at its key.
fn build(keys: &Keys<'_>) -> Result<Figure, Problem> {
    let source = Source::read(keys)?;
    let at_extent = |error| keys.problem(&EXTENT, error);
    let map = Map::of(&source).map_err(at_extent)?;
    let twin = Twin::of(&source.object, &source.extent).map_err(at_extent)?;
    let capacity = source.object.capacity(&source.extent).map_err(at_extent)?;

    let mut figure = Figure {
        kind: "cutlass",
        title: source.title(),
        notes: notes(&source.object, &source.extent, source.given).map_err(at_extent)?,
        ..Figure::default()
    };
    figure.notes.extend(facts::twin_note(source.class(), &twin));
    figure.notes.extend(map.cut_note(source.class()));
    let order = keys.get(&PATH);
    figure.panels.push(offsets::panel(&source, &map, &twin, order));
    figure.panels.extend(memory::panel(&source, &map, capacity));
    facts::push(&mut figure.facts, &source, &map, &twin, capacity).map_err(at_extent)?;
    Ok(figure)
}
