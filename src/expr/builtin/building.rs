//! Layouts and tensors made from their parts.
//!
//! In: shapes, strides, orders. Out: layouts and tensors. Invariant: strides that are left out are
//! compact, first mode fastest.

use crate::cute::algebra::{
    make_fragment_like, make_identity_layout, make_layout_like, make_ordered_layout,
};
use crate::cute::{AnyLayout, ComposedLayout, Inner, Layout, Tensor, Tree};
use crate::diagnostic::Diagnostic;
use crate::expr::function::{Call, Function};
use crate::expr::value::Value;

pub(super) const FUNCTIONS: &[Function] = &[
    Function {
        name: "make_layout",
        params: &["shape", "stride?"],
        doc: "a layout of a shape and its strides; of two layouts the layout that has them as modes",
        eval: |call| {
            if let (Ok(Value::Layout(_)), true) = (call.read(0, |v| Ok(v.clone())), call.has(1)) {
                return Ok(Layout::from_modes([call.plain(0)?, call.plain(1)?])?.into());
            }
            let shape = call.shape(0)?;
            Ok(match call.optional(1, Call::stride)? {
                None => Layout::column_major(shape)?.into(),
                Some(stride) => Layout::new(shape, stride)
                    .map_err(|error| Diagnostic::from(error).at(call.span(1)))?
                    .into(),
            })
        },
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
