//! Layouts and tensors made from their parts.
//!
//! In: shapes, strides, orders. Out: layouts and tensors. Invariant: strides that are left out are
//! compact, first mode fastest.

use crate::cute::algebra::{
    make_fragment_like, make_identity_layout, make_layout_like, make_ordered_layout,
};
use crate::cute::{AnyLayout, ComposedLayout, Inner, Layout, Shape, Swizzle, Tensor, Tree};
use crate::diagnostic::Diagnostic;
use crate::expr::function::{Call, Function};
use crate::expr::value::Value;

pub(super) const FUNCTIONS: &[Function] = &[
    Function {
        name: "make_layout",
        params: &["shape", "stride?", "layouts..."],
        doc: "a layout of a shape and its strides, or `LayoutLeft` or `LayoutRight` for those; of layouts the layout that has them as modes",
        eval: make_layout,
    },
    Function {
        name: "LayoutLeft",
        params: &[],
        doc: "compact strides, first mode fastest, for `make_layout`",
        eval: |_| Ok(Value::Text("LayoutLeft".to_owned())),
    },
    Function {
        name: "LayoutRight",
        params: &[],
        doc: "compact strides, last mode fastest, for `make_layout`",
        eval: |_| Ok(Value::Text("LayoutRight".to_owned())),
    },
    Function {
        name: "GenColMajor",
        params: &[],
        doc: "the older name of `LayoutLeft`",
        eval: |_| Ok(Value::Text("LayoutLeft".to_owned())),
    },
    Function {
        name: "GenRowMajor",
        params: &[],
        doc: "the older name of `LayoutRight`",
        eval: |_| Ok(Value::Text("LayoutRight".to_owned())),
    },
    Function {
        name: "make_swizzle",
        params: &["b", "m", "s"],
        doc: "the swizzle `S<b,m,s>`",
        eval: |call| Ok(Value::Swizzle(Swizzle::new(call.int(0)?, call.int(1)?, call.int(2)?)?)),
    },
    Function {
        name: "make_ordered_layout",
        params: &["shape", "order"],
        doc: "a compact layout whose modes are laid out in the order of the numbers",
        eval: |call| Ok(make_ordered_layout(&call.shape(0)?, &call.ints(1)?)?.into()),
    },
    Function {
        name: "make_layout_like",
        params: &["A"],
        doc: "a compact layout in the order of the strides of A",
        eval: |call| Ok(make_layout_like(call.operand(0)?.layout.domain())?.into()),
    },
    Function {
        name: "make_fragment_like",
        params: &["A"],
        doc: "the layout of a register fragment for A",
        eval: |call| Ok(make_fragment_like(&call.operand(0)?.layout)?.into()),
    },
    Function {
        name: "make_identity_layout",
        params: &["shape"],
        doc: "the layout whose values are its own coordinates",
        eval: |call| Ok(make_identity_layout(&call.shape(0)?)?.into()),
    },
    Function {
        name: "make_identity_tensor",
        params: &["shape"],
        doc: "the tensor of coordinates",
        eval: |call| {
            let shape = call.shape(0)?;
            let layout: AnyLayout = make_identity_layout(&shape)?.into();
            Ok(Tensor { offset: shape.map(&mut |_| 0), layout }.into())
        },
    },
    Function {
        name: "make_composed_layout",
        params: &["inner", "offset", "A|outer"],
        doc: "`inner(offset + A(c))`, with a swizzle or a layout inside",
        eval: |call| {
            let inner = call.read(0, |value| match value {
                Value::Swizzle(swizzle) => Ok(Inner::Swizzle(*swizzle)),
                _ => value.to_plain().map(Inner::Layout),
            })?;
            let composed = ComposedLayout::new(inner, call.ints(1)?, call.plain(2)?)?;
            Ok(AnyLayout::from(composed).into())
        },
    },
    Function {
        name: "make_tensor",
        params: &["offset|iterator", "A|layout"],
        doc: "a layout over an offset",
        eval: |call| {
            let tensor = Tensor { offset: call.ints(0)?, layout: call.layout(1)? };
            // The offset must be of the kind of the layout's values.
            tensor.at(&Tree::Leaf(0))?;
            Ok(tensor.into())
        },
    },
];

fn make_layout(call: &mut Call) -> Result<Value, Diagnostic> {
    if let Some(Value::Layout(_)) = call.argument(0).map(|argument| &argument.value) {
        let modes = (0..call.count()).map(|i| call.plain(i));
        return Ok(Layout::from_modes(modes.collect::<Result<Vec<_>, _>>()?)?.into());
    }
    if call.count() > 2 {
        return Err(Diagnostic::error("arguments", "a layout has one shape and one stride")
            .at(call.span(2))
            .hint("only layouts are joined; write the first as a layout, e.g. `make_layout(8)`"));
    }
    let shape = call.shape(0)?;
    if let Some(Value::Text(order)) = call.argument(1).map(|argument| &argument.value) {
        return Ok(match order.as_str() {
            "LayoutLeft" => Layout::column_major(shape)?.into(),
            "LayoutRight" => row_major(&shape)?.into(),
            _ => {
                let text = format!("expected a stride, found the text \"{order}\"");
                return Err(Diagnostic::error("type", text)
                    .at(call.span(1))
                    .hint("write the strides, `LayoutLeft` or `LayoutRight`"));
            }
        });
    }
    Ok(match call.optional(1, Call::stride)? {
        None => Layout::column_major(shape)?.into(),
        Some(stride) => Layout::new(shape, stride)
            .map_err(|error| Diagnostic::from(error).at(call.span(1)))?
            .into(),
    })
}

/// Makes the layout with compact strides, last mode fastest, also inside of nested modes.
fn row_major(shape: &Shape) -> Result<Layout, Diagnostic> {
    let left = Layout::column_major(mirrored(shape))?;
    Ok(Layout::new(shape.clone(), mirrored(left.stride()))?)
}

fn mirrored<T: Clone>(tree: &Tree<T>) -> Tree<T> {
    match tree {
        Tree::Leaf(leaf) => Tree::Leaf(leaf.clone()),
        Tree::Tuple(modes) => Tree::Tuple(modes.iter().rev().map(mirrored).collect()),
    }
}
