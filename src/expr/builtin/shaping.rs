//! The same function under another shape, or a part of it.
//!
//! In: layouts and tensors. Out: the same kind; a tensor keeps its offset. Invariant: shaping never
//! moves a value, except where a slice fixes a mode.

use crate::cute::algebra::{self, checked};
use crate::cute::{CoordItem, Tensor};
use crate::diagnostic::Diagnostic;
use crate::expr::function::{Call, Function};
use crate::expr::value::Value;

pub(super) const FUNCTIONS: &[Function] = &[
    Function {
        name: "coalesce",
        params: &["A", "profile|target_profile?"],
        doc: "the same function with as few modes as possible, mode by mode with a profile",
        eval: |call| {
            let profile = call.optional(1, |call, i| {
                // Only the nesting of a profile counts; `_` is as good as any number.
                let profile = call.coord(i)?;
                Ok(profile.map(&mut |item| match item {
                    CoordItem::At(value) => *value,
                    CoordItem::All => 1,
                }))
            })?;
            let a = call.operand(0)?;
            let layout = algebra::coalesce(&a.layout, profile.as_ref())?;
            Ok(a.with(layout))
        },
    },
    Function {
        name: "filter",
        params: &["A"],
        doc: "the layout without modes of stride 0, coalesced",
        eval: |call| {
            let a = call.operand(0)?;
            let layout = algebra::filter(&a.layout)?;
            Ok(a.with(layout))
        },
    },
    Function {
        name: "filter_zeros",
        params: &["A"],
        doc: "the layout with extent 1 for modes of stride 0",
        eval: |call| {
            let a = call.operand(0)?;
            let layout = algebra::filter_zeros(&a.layout)?;
            Ok(a.with(layout))
        },
    },
    Function {
        name: "flatten",
        params: &["A"],
        doc: "all modes side by side; a tuple is flattened too",
        eval: |call| {
            if let Some(Value::Tuple(tree)) = call.argument(0).map(|argument| &argument.value) {
                return Ok(Value::Tuple(tree.flatten()));
            }
            let a = call.operand(0)?;
            let layout = algebra::flatten(&a.layout)?;
            Ok(a.with(layout))
        },
    },
    Function {
        name: "group_modes",
        params: &["A", "begin", "end"],
        doc: "modes `begin..end` as one nested mode",
        eval: |call| {
            let a = call.operand(0)?;
            let layout = algebra::group_modes(&a.layout, call.index(1)?, call.index(2)?)?;
            Ok(a.with(layout))
        },
    },
    Function {
        name: "select",
        params: &["A", "p|mode"],
        doc: "the modes of the given numbers",
        eval: |call| {
            let a = call.operand(0)?;
            let layout = algebra::select(&a.layout, &call.modes(1)?)?;
            Ok(a.with(layout))
        },
    },
    Function {
        name: "get",
        params: &["A", "p|mode"],
        doc: "the mode at a path",
        eval: |call| {
            let a = call.operand(0)?;
            let layout = algebra::get(&a.layout, &call.modes(1)?)?;
            Ok(a.with(layout))
        },
    },
    Function {
        name: "append",
        params: &["A", "B", "n|up_to_rank?"],
        doc: "B as further mode, repeated up to rank n",
        eval: |call| {
            let a = call.operand(0)?;
            let n = call.optional(2, Call::index)?;
            let layout = algebra::append(&a.layout, &call.plain(1)?, n)?;
            Ok(a.with(layout))
        },
    },
    Function {
        name: "prepend",
        params: &["A", "B", "n|up_to_rank?"],
        doc: "B as mode in front, repeated up to rank n",
        eval: |call| {
            let a = call.operand(0)?;
            let n = call.optional(2, Call::index)?;
            let layout = algebra::prepend(&a.layout, &call.plain(1)?, n)?;
            Ok(a.with(layout))
        },
    },
    Function {
        name: "append_ones",
        params: &["A", "n|up_to_rank"],
        doc: "modes `1:0` behind, up to rank n",
        eval: |call| {
            let a = call.operand(0)?;
            let layout = algebra::append_ones(&a.layout, call.index(1)?)?;
            Ok(a.with(layout))
        },
    },
    Function {
        name: "prepend_ones",
        params: &["A", "n|up_to_rank"],
        doc: "modes `1:0` in front, up to rank n",
        eval: |call| {
            let a = call.operand(0)?;
            let layout = algebra::prepend_ones(&a.layout, call.index(1)?)?;
            Ok(a.with(layout))
        },
    },
    Function {
        name: "slice",
        params: &["A", "coord"],
        doc: "the modes at `_`; a tensor moves to the fixed coordinates",
        eval: |call| slice(call),
    },
    Function {
        name: "slice_",
        params: &["A", "coord"],
        doc: "the DSL's spelling of `slice`",
        eval: |call| slice(call),
    },
    Function {
        name: "slice_and_offset",
        params: &["coord", "A"],
        doc: "the modes at `_`, and the offset of the fixed coordinates",
        eval: |call| {
            let a = call.operand(1)?;
            let slice = checked::slice_and_offset(&call.coord(0)?, &a.layout)?;
            let (layout, moved) = call.report(slice);
            call.check_unit(&a.layout, &layout);
            Ok(Value::Items(vec![a.with(layout), Value::ints(&moved)]))
        },
    },
    Function {
        name: "dice",
        params: &["A", "coord"],
        doc: "the modes that the coordinate fixes",
        eval: |call| {
            let a = call.operand(0)?;
            let layout = algebra::dice(&a.layout, &call.coord(1)?)?;
            Ok(a.with(layout))
        },
    },
];

fn slice(call: &mut Call) -> Result<Value, Diagnostic> {
    let a = call.operand(0)?;
    let coord = call.coord(1)?;
    match a.offset {
        None => {
            let layout = checked::slice(&a.layout, &coord)?;
            let layout = call.report(layout);
            call.check_unit(&a.layout, &layout);
            Ok(layout.into())
        }
        Some(offset) => {
            let tensor = Tensor { offset, layout: a.layout };
            let part = checked::slice_tensor(&tensor, &coord)?;
            let part = call.report(part);
            call.check_unit(&tensor.layout, &part.layout);
            Ok(part.into())
        }
    }
}
