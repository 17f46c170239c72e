//! Picking, grouping, adding and replacing modes.
//!
//! In: layouts and tensors, or tuples of integers. Out: the same kind; a tensor keeps its offset.
//! Invariant: a bare tuple stays one, as in the DSL: `get((4,8),0)` is 4.

use crate::cute::algebra;
use crate::cute::{AnyLayout, Layout, Tree};
use crate::diagnostic::Diagnostic;
use crate::expr::function::{Call, Function};
use crate::expr::value::{Entry, Value};
use std::ops::Range;

pub(super) const FUNCTIONS: &[Function] = &[
    Function {
        name: "group_modes",
        params: &["A", "begin", "end"],
        doc: "modes `begin..end` as one nested mode",
        eval: |call| {
            if let Some(mut modes) = modes(call) {
                let range = range(call, modes.len())?;
                let group = Tree::Tuple(modes.drain(range.clone()).collect());
                modes.insert(range.start, group);
                return Ok(Value::Tuple(Tree::Tuple(modes)));
            }
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
            let picked = call.modes(1)?;
            if let Some(modes) = modes(call) {
                let pick = |mode: &usize| modes.get(*mode).cloned().ok_or_else(|| absent(call, 1));
                return Ok(Value::Tuple(Tree::Tuple(
                    picked.iter().map(pick).collect::<Result<_, _>>()?,
                )));
            }
            let a = call.operand(0)?;
            let layout = algebra::select(&a.layout, &picked)?;
            Ok(a.with(layout))
        },
    },
    Function {
        name: "take",
        params: &["A", "begin", "end"],
        doc: "the modes `begin..end`",
        eval: |call| {
            if let Some(mut modes) = modes(call) {
                let range = range(call, modes.len())?;
                return Ok(Value::Tuple(Tree::Tuple(modes.drain(range).collect())));
            }
            let a = call.operand(0)?;
            let range = range(call, a.layout.rank())?;
            let layout = algebra::select(&a.layout, &range.collect::<Vec<_>>())?;
            Ok(a.with(layout))
        },
    },
    Function {
        name: "get",
        params: &["A", "p|mode"],
        doc: "the mode at a path",
        eval: |call| {
            let path = call.modes(1)?;
            if let Some(Value::Tuple(tree)) = call.argument(0).map(|argument| &argument.value) {
                let mode = tree.at_path(&path).cloned();
                return mode.map(Value::Tuple).ok_or_else(|| absent(call, 1));
            }
            let a = call.operand(0)?;
            let layout = algebra::get(&a.layout, &path)?;
            Ok(a.with(layout))
        },
    },
    Function {
        name: "layout",
        params: &["A", "p|mode?"],
        doc: "the layout of a tensor, or the mode of it at a path",
        eval: |call| {
            let layout = call.operand(0)?.layout;
            let path = call.optional(1, Call::modes)?.unwrap_or_default();
            Ok(algebra::get(&layout, &path)?.into())
        },
    },
    Function {
        name: "replace",
        params: &["A", "B", "n"],
        doc: "the layout or tuple with another mode n",
        eval: |call| {
            let n = call.index(2)?;
            if let Some(mut modes) = modes(call) {
                let by = leaf_or_tuple(call, 1)?;
                *modes.get_mut(n).ok_or_else(|| absent(call, 2))? = by;
                return Ok(Value::Tuple(Tree::Tuple(modes)));
            }
            let (a, by) = (call.operand(0)?, call.plain(1)?);
            let AnyLayout::Plain(plain) = &a.layout else {
                let text = format!("the composed layout `{}` keeps its modes", a.layout);
                return Err(Diagnostic::error("undefined", text)
                    .at(call.span(0))
                    .hint("replace the mode of the layout inside"));
            };
            let mut modes = plain.modes();
            *modes.get_mut(n).ok_or_else(|| absent(call, 2))? = by;
            let layout = Layout::from_modes(modes)?;
            Ok(a.with(layout.into()))
        },
    },
    Function {
        name: "append",
        params: &["A", "B", "n|up_to_rank?"],
        doc: "B as further mode, repeated up to rank n",
        eval: |call| {
            let n = call.optional(2, Call::index)?;
            if let (Some(mut modes), true) = (modes(call), is_tuple(call, 1)) {
                let by = leaf_or_tuple(call, 1)?;
                let missing = n.map_or(1, |rank| rank.saturating_sub(modes.len()));
                modes.extend(std::iter::repeat_n(by, missing));
                return Ok(Value::Tuple(Tree::Tuple(modes)));
            }
            let a = call.operand(0)?;
            let layout = algebra::append(&a.layout, &call.plain(1)?, n)?;
            Ok(a.with(layout))
        },
    },
    Function {
        name: "prepend",
        params: &["A", "B", "n|up_to_rank?"],
        doc: "B as mode in front, repeated up to rank n",
        eval: |call| {
            let n = call.optional(2, Call::index)?;
            if let (Some(modes), true) = (modes(call), is_tuple(call, 1)) {
                let by = leaf_or_tuple(call, 1)?;
                let missing = n.map_or(1, |rank| rank.saturating_sub(modes.len()));
                let all = std::iter::repeat_n(by, missing).chain(modes).collect();
                return Ok(Value::Tuple(Tree::Tuple(all)));
            }
            let a = call.operand(0)?;
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
];

fn is_tuple(call: &Call, i: usize) -> bool {
    matches!(call.argument(i), Some(argument) if matches!(argument.value, Value::Tuple(_)))
}

/// Returns the modes of the first argument where it is a bare tuple; an integer is one mode.
fn modes(call: &Call) -> Option<Vec<Tree<Entry>>> {
    match call.argument(0).map(|argument| &argument.value) {
        Some(Value::Tuple(tree)) => Some(tree.modes().to_vec()),
        _ => None,
    }
}

fn leaf_or_tuple(call: &Call, i: usize) -> Result<Tree<Entry>, Diagnostic> {
    call.read(i, |value| match value {
        Value::Tuple(tree) => Ok(tree.clone()),
        _ => Err(value.mismatch("an integer or a tuple")),
    })
}

/// Reads the second and third argument as a range of modes.
fn range(call: &Call, rank: usize) -> Result<Range<usize>, Diagnostic> {
    let (begin, end) = (call.index(1)?, call.index(2)?);
    if begin >= end || end > rank {
        return Err(Diagnostic::error(
            "mismatch",
            format!("the range of modes {begin}..{end} is empty or leaves the rank {rank}"),
        )
        .at(call.span(2))
        .hint(format!("begin is below end, and end at most {rank}")));
    }
    Ok(begin..end)
}

fn absent(call: &Call, i: usize) -> Diagnostic {
    let argument =
        |i: usize| call.argument(i).map_or_else(String::new, |argument| argument.value.to_string());
    Diagnostic::error("mismatch", format!("`{}` has no mode {}", argument(0), argument(i)))
        .at(call.span(i))
        .hint("modes are counted from 0")
}
