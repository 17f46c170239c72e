//! Parts of a tensor: tiles, a thread's share, a moved origin.
//!
//! In: tensors (a layout alone counts from 0). Out: tensors, whose offset is that of the part.

use crate::cute::algebra::checked;
use crate::expr::function::{Call, Function};

pub(super) const FUNCTIONS: &[Function] = &[
    Function {
        name: "local_tile",
        params: &["A|input", "T|tiler", "coord", "proj?"],
        doc: "the tile at a coordinate; `proj` picks the modes of tiler and coordinate",
        eval: |call| {
            let proj = call.optional(3, Call::coord)?;
            let (tensor, tiler) = (call.tensor(0)?, call.tiler(1)?);
            let tile = checked::local_tile(&tensor, &tiler, &call.coord(2)?, proj.as_ref())?;
            let tile = call.report(tile);
            call.check_unit(&tensor.layout, &tile.layout);
            Ok(tile.into())
        },
    },
    Function {
        name: "local_partition",
        params: &["A|target", "T|tiler", "n|index", "proj?"],
        doc: "the elements of one thread; `proj` picks the modes of the threads",
        eval: |call| {
            let proj = call.optional(3, Call::coord)?;
            let (tensor, threads) = (call.tensor(0)?, call.plain(1)?);
            let part = checked::local_partition(&tensor, &threads, call.int(2)?, proj.as_ref())?;
            let part = call.report(part);
            call.check_unit(&tensor.layout, &part.layout);
            Ok(part.into())
        },
    },
    Function {
        name: "domain_offset",
        params: &["coord", "A|tensor"],
        doc: "the same tensor with its origin moved to a coordinate",
        eval: |call| {
            let moved = checked::domain_offset(&call.ints(0)?, &call.tensor(1)?)?;
            Ok(call.report(moved).into())
        },
    },
];
