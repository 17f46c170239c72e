//! Kind `local-tile`: the tiles that one block takes, or the elements that one thread takes.
//!
//! In: `A`, `tiler` and `coord` (op `tile`), or `A`, the threads as `tiler` and `index` (op
//! `partition`); `proj` picks the modes that apply. Out: A with what is taken in color, the result,
//! its base offset apart, and how CuTe gets there. Invariant: a cell of the result has the color of
//! the element of A that it is.
//!
//! [`taking`] has what both operations share, [`tile`] and [`partition`] one each.

mod keys;
mod partition;
mod taking;
mod tile;

use crate::figure::input::kind::{KindDef, OpDef, OpKey, Thumbnail};

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
        keys: &[keys::TAKEN, keys::TILE],
        build: tile::build,
        example: "A = (8,8):(8,1)\ntiler = <4,4>\ncoord = (0,_)",
    },
    OpDef {
        name: "partition",
        doc: "`local_partition`: the elements that a thread takes.",
        keys: &[keys::TAKEN, keys::PARTITION],
        build: partition::build,
        example: "A = (8,8):(8,1)\ntiler = (2,4):(4,1)",
    },
];
