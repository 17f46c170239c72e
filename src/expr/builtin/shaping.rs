//! The same function under another shape, or a part of it.
//!
//! In: layouts and tensors. Out: the same kind; a tensor keeps its offset. Invariant: shaping never
//! moves a value, except where a slice fixes a mode.

use super::compose;
use crate::cute::algebra::{self, checked};
use crate::cute::{Coord, CoordItem, Layout, Tensor, Tiler, Tree};
use crate::diagnostic::Diagnostic;
use crate::expr::function::{Call, Function};
use crate::expr::value::{Entry, Value};

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
        name: "with_shape",
        params: &["A", "shape", "more..."],
        doc: "the same function under another shape, of one tuple or of several modes",
        eval: |call| {
            let shape = match call.count() {
                0..=2 => call.shape(1)?,
                count => Tree::Tuple((1..count).map(|i| call.shape(i)).collect::<Result<_, _>>()?),
            };
            let a = call.operand(0)?;
            compose(call, a, &Tiler::Layout(Layout::column_major(shape)?))
        },
    },
    Function {
        name: "compose",
        params: &["A", "T|tiler", "more..."],
        doc: "`A.compose(T)`: `composition(A, T)`, of several tilers mode by mode",
        eval: |call| {
            let tiler = match call.count() {
                0..=2 => call.tiler(1)?,
                count => Tiler::Modes((1..count).map(|i| call.tiler(i)).collect::<Result<_, _>>()?),
            };
            let a = call.operand(0)?;
            compose(call, a, &tiler)
        },
    },
    Function {
        name: "upcast",
        params: &["A", "n"],
        doc: "the layout of the same memory in elements that are n times as wide",
        eval: |call| recast(call, |n| (n, 1)),
    },
    Function {
        name: "downcast",
        params: &["A", "n"],
        doc: "the layout of the same memory in elements of an nth of the width",
        eval: |call| recast(call, |n| (1, n)),
    },
    Function {
        name: "slice",
        params: &["A", "coord"],
        doc: "the modes at `_`; a tensor moves to the fixed coordinates; C++'s order, the coordinate first, is understood too",
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
            let (a, coord) = sliced(call);
            if let Some(tuple) = part_of_tuple(call, (a, coord), false)? {
                return Ok(tuple);
            }
            let (a, coord) = (call.operand(a)?, call.coord(coord)?);
            let layout = algebra::dice(&a.layout, &coord)?;
            Ok(a.with(layout))
        },
    },
];

/// Returns which argument is sliced and which is the coordinate: the DSL has the coordinate last, C++
/// first. Where neither is a layout, the one with `_` is the coordinate.
fn sliced(call: &Call) -> (usize, usize) {
    let layout = |i| {
        let value = call.argument(i).map(|argument| &argument.value);
        matches!(value, Some(Value::Layout(_) | Value::Tensor(_)))
    };
    let keeps = |i| match call.argument(i).map(|argument| &argument.value) {
        Some(Value::Tuple(tree)) => tree.leaves().any(|entry| *entry == Entry::All),
        Some(Value::None | Value::Tiler(_)) => true,
        _ => false,
    };
    let cxx = if layout(0) { false } else { layout(1) || (keeps(0) && !keeps(1)) };
    if cxx { (1, 0) } else { (0, 1) }
}

/// Returns the modes of a bare tuple that a coordinate keeps, or those that it fixes.
fn part_of_tuple(
    call: &Call,
    (a, coord): (usize, usize),
    kept: bool,
) -> Result<Option<Value>, Diagnostic> {
    fn modes(
        coord: &Coord,
        tree: &Tree<Entry>,
        kept: bool,
        out: &mut Vec<Tree<Entry>>,
    ) -> Result<(), Diagnostic> {
        match (coord, tree) {
            (Tree::Leaf(item), _) => {
                if (*item == CoordItem::All) == kept {
                    out.push(tree.clone());
                }
                Ok(())
            }
            (Tree::Tuple(coords), Tree::Tuple(trees)) if coords.len() == trees.len() => {
                coords.iter().zip(trees).try_for_each(|(coord, tree)| modes(coord, tree, kept, out))
            }
            _ => {
                let text = format!("the coordinate `{coord}` does not fit `{tree}`");
                Err(Diagnostic::error("mismatch", text).hint("give every mode an integer or `_`"))
            }
        }
    }
    let Some(Value::Tuple(tree)) = call.argument(a).map(|argument| &argument.value) else {
        return Ok(None);
    };
    let place = call.span(coord);
    let coord = call.coord(coord)?;
    let mut out = Vec::new();
    modes(&coord, tree, kept, &mut out).map_err(|message| message.or_at(place))?;
    Ok(Some(Value::Tuple(match (&coord, out.pop()) {
        (Tree::Leaf(_), Some(whole)) => whole,
        (_, last) => Tree::Tuple(out.into_iter().chain(last).collect()),
    })))
}

fn slice(call: &mut Call) -> Result<Value, Diagnostic> {
    let (a, coord) = sliced(call);
    if let Some(tuple) = part_of_tuple(call, (a, coord), true)? {
        return Ok(tuple);
    }
    let (a, coord) = (call.operand(a)?, call.coord(coord)?);
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

fn recast(call: &mut Call, widths: fn(i64) -> (i64, i64)) -> Result<Value, Diagnostic> {
    let n = call.int(1)?;
    if n < 1 {
        return Err(Diagnostic::error("range", format!("a factor is at least 1, not {n}"))
            .at(call.span(1))
            .hint("write 1 or more"));
    }
    let (new, old) = widths(n);
    let a = call.layout(0)?;
    let layout = checked::recast_layout(new, old, &a)?;
    let bits = call.element_bits.and_then(|bits| i64::from(bits).checked_mul(new));
    call.element_bits =
        bits.filter(|bits| bits % old == 0).and_then(|bits| u32::try_from(bits / old).ok());
    let layout = call.report(layout);
    call.check_unit(&a, &layout);
    Ok(layout.into())
}
