//! Questions about a layout, and its evaluation at a coordinate.
//!
//! In: layouts, tensors, shapes and coordinates. Out: numbers, tuples, yes or no. Invariant: a
//! tensor answers for its layout.

use crate::cute::algebra::contract;
use crate::cute::index::wide;
use crate::cute::int_tuple::{idx2crd, increment_coord};
use crate::cute::{AnyLayout, Layout, Shape, StrideLeaf, Tree};
use crate::diagnostic::Diagnostic;
use crate::expr::function::{Call, Function};
use crate::expr::value::{Entry, Value};

pub(super) const FUNCTIONS: &[Function] = &[
    Function {
        name: "size",
        params: &["A", "p|mode?"],
        doc: "the number of coordinates, of the whole or of one mode",
        eval: |call| match tuple(call) {
            Some(tree) => {
                let shape = call.read(0, Value::to_ints)?;
                let path = call.optional(1, Call::modes)?.unwrap_or_default();
                match shape.at_path(&path) {
                    Some(mode) => Ok(Value::int(mode.product()?)),
                    None => Err(no_mode(&tree.to_string(), &path).at(call.span(1))),
                }
            }
            None => Ok(Value::int(part(call)?.size())),
        },
    },
    Function {
        name: "cosize",
        params: &["A", "p|mode?"],
        doc: "one past the largest offset, of the whole or of one mode",
        eval: |call| {
            let part = part(call)?;
            let past = contract::within_cosize(&part);
            if let Some(breach) = past {
                call.say(breach.into());
            }
            Ok(Value::int(part.cosize()?))
        },
    },
    Function {
        name: "rank",
        params: &["A", "p|mode?"],
        doc: "the number of modes",
        eval: |call| match tuple(call) {
            Some(tree) => {
                let path = call.optional(1, Call::modes)?.unwrap_or_default();
                match tree.at_path(&path) {
                    Some(mode) => Ok(Value::int(wide(mode.rank()))),
                    None => Err(no_mode(&tree.to_string(), &path).at(call.span(1))),
                }
            }
            None => Ok(Value::int(wide(part(call)?.rank()))),
        },
    },
    Function {
        name: "depth",
        params: &["A", "p|mode?"],
        doc: "how deep the shape nests: 0 for an integer",
        eval: |call| match tuple(call) {
            Some(tree) => {
                let path = call.optional(1, Call::modes)?.unwrap_or_default();
                match tree.at_path(&path) {
                    Some(mode) => Ok(Value::int(wide(mode.depth()))),
                    None => Err(no_mode(&tree.to_string(), &path).at(call.span(1))),
                }
            }
            None => Ok(Value::int(wide(part(call)?.depth()))),
        },
    },
    Function {
        name: "shape",
        params: &["A", "p|mode?"],
        doc: "the shape, of the whole or of one mode",
        eval: |call| Ok(Value::ints(part(call)?.shape())),
    },
    Function {
        name: "stride",
        params: &["A", "p|mode?"],
        doc: "the strides, of the whole or of one mode",
        eval: |call| match part(call)? {
            AnyLayout::Plain(layout) => Ok(Value::stride(layout.stride())),
            AnyLayout::Composed(composed) => Err(Diagnostic::error(
                "undefined",
                format!("the composed layout `{composed}` has no strides"),
            )),
        },
    },
    Function {
        name: "leading_dim",
        params: &["A"],
        doc: "the first mode of stride 1 and an extent above 1, `None` without one",
        eval: |call| {
            let layout = call.operand(0)?.layout.domain().clone();
            let mut path = Vec::new();
            if !find_one(&layout, &mut path) {
                return Ok(Value::None);
            }
            let modes: Vec<Entry> = path.iter().map(|&mode| Entry::Int(wide(mode))).collect();
            Ok(Value::Tuple(match modes[..] {
                [] => Tree::Leaf(Entry::Int(0)),
                [mode] => Tree::Leaf(mode),
                _ => Tree::flat(modes),
            }))
        },
    },
    Function {
        name: "is_congruent",
        params: &["a", "b"],
        doc: "whether both nest alike",
        eval: |call| Ok(tree(call, 0)?.is_congruent(&tree(call, 1)?).into()),
    },
    Function {
        name: "is_weakly_congruent",
        params: &["a", "b"],
        doc: "whether `b` nests like `a`, or deeper below its leaves",
        eval: |call| Ok(tree(call, 0)?.is_weakly_congruent(&tree(call, 1)?).into()),
    },
    Function {
        name: "compatible",
        params: &["a", "b"],
        doc: "whether every coordinate into `a` is one into `b`: each leaf of `a` has the size of what `b` has there",
        eval: compatible,
    },
    Function {
        name: "is_compatible",
        params: &["a", "b"],
        doc: "the same as `compatible`",
        eval: compatible,
    },
    Function {
        name: "crd2idx",
        params: &["coord", "A|layout|shape"],
        doc: "the value of a layout at a coordinate",
        eval: |call| Ok(Value::ints(&call.layout(1)?.at(&call.ints(0)?)?)),
    },
    Function {
        name: "idx2crd",
        params: &["n|idx", "shape"],
        doc: "the coordinate of an index, first mode fastest",
        eval: |call| Ok(Value::ints(&idx2crd(&call.ints(0)?, &shape(call, 1)?)?)),
    },
    Function {
        name: "increment_coord",
        params: &["coord", "shape"],
        doc: "the next coordinate, first mode fastest",
        eval: |call| Ok(Value::ints(&increment_coord(&call.ints(0)?, &shape(call, 1)?)?)),
    },
];

fn compatible(call: &mut Call) -> Result<Value, Diagnostic> {
    fn fits(a: &Shape, b: &Shape) -> Result<bool, Diagnostic> {
        match (a, b) {
            (Tree::Leaf(extent), _) => Ok(*extent == b.product()?),
            (Tree::Tuple(_), Tree::Leaf(_)) => Ok(false),
            (Tree::Tuple(a), Tree::Tuple(b)) => {
                if a.len() != b.len() {
                    return Ok(false);
                }
                for (a, b) in a.iter().zip(b) {
                    if !fits(a, b)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
        }
    }
    Ok(fits(&shape(call, 0)?, &shape(call, 1)?)?.into())
}

/// Returns the first argument where it is a bare tuple.
fn tuple(call: &Call) -> Option<Tree<Entry>> {
    match call.argument(0).map(|argument| &argument.value) {
        Some(Value::Tuple(tree)) => Some(tree.clone()),
        _ => None,
    }
}

/// Returns the layout, or the mode of it that the second argument names.
fn part(call: &Call) -> Result<AnyLayout, Diagnostic> {
    let layout = call.operand(0)?.layout;
    match call.optional(1, Call::modes)? {
        None => Ok(layout),
        Some(path) => crate::cute::algebra::get(&layout, &path)
            .map_err(|e| Diagnostic::from(e).at(call.span(1))),
    }
}

/// Reads the nesting of a tuple, a layout's or a tensor's shape.
fn tree(call: &Call, i: usize) -> Result<Tree<Entry>, Diagnostic> {
    call.read(i, |value| match value {
        Value::Tuple(tree) => Ok(tree.clone()),
        Value::Tensor(tensor) => Ok(tensor.layout.shape().map(&mut |&extent| Entry::Int(extent))),
        _ => Ok(value.to_layout()?.shape().map(&mut |&extent| Entry::Int(extent))),
    })
}

/// Reads a shape, or takes the shape of a layout.
fn shape(call: &Call, i: usize) -> Result<Shape, Diagnostic> {
    match call.argument(i).map(|argument| &argument.value) {
        Some(Value::Layout(layout)) => Ok(layout.shape().clone()),
        Some(Value::Tensor(tensor)) => Ok(tensor.layout.shape().clone()),
        _ => call.shape(i),
    }
}

/// Finds the first mode of stride 1 that has more than one coordinate.
fn find_one(layout: &Layout, path: &mut Vec<usize>) -> bool {
    if layout.shape().is_leaf() {
        return layout.size() > 1 && layout.stride().leaf() == Some(&StrideLeaf::Int(1));
    }
    layout.modes().iter().enumerate().any(|(i, mode)| {
        path.push(i);
        let found = find_one(mode, path);
        if !found {
            path.pop();
        }
        found
    })
}

fn no_mode(whole: &str, path: &[usize]) -> Diagnostic {
    let path = path.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
    Diagnostic::error("mismatch", format!("`{whole}` has no mode [{path}]"))
}
