//! The layout algebra: composition and its relatives, divides and products.
//!
//! In: layouts, tensors and tilers. Out: CuTe's answers. Invariant: each answer is checked against
//! the operation's promise, and one that breaks it carries a `contract` warning.

use crate::cute::algebra::{self as cute, contract};
use crate::cute::{AnyLayout, Layout, Result as CuteResult, Tiler, Tree};
use crate::diagnostic::Diagnostic;
use crate::expr::function::{Call, Function, Operand};
use crate::expr::value::Value;

pub(super) const FUNCTIONS: &[Function] = &[
    Function {
        name: "composition",
        params: &["A|lhs", "T|rhs|tiler"],
        doc: "`A(T(i))`; a shape or `<..>` acts mode by mode",
        eval: |call| {
            let a = call.operand(0)?;
            let tiler = call.tiler(1)?;
            compose(call, a, &tiler)
        },
    },
    Function {
        name: "complement",
        params: &["A", "cotarget?"],
        doc: "the offsets that A leaves out, up to the cotarget",
        eval: complement,
    },
    Function {
        name: "right_inverse",
        params: &["A"],
        doc: "R with `A(R(i)) = i`",
        eval: |call| {
            let a = call.plain(0)?;
            let inverse = cute::right_inverse(&a)?;
            call.check(contract::right_inverse(&a, &inverse));
            Ok(inverse.into())
        },
    },
    Function {
        name: "left_inverse",
        params: &["A"],
        doc: "L with `L(A(i)) = i`",
        eval: |call| {
            let a = call.plain(0)?;
            let inverse = cute::left_inverse(&a)?;
            call.check(contract::left_inverse(&a, &inverse));
            Ok(inverse.into())
        },
    },
    Function {
        name: "nullspace",
        params: &["A"],
        doc: "the indices that A sends to 0 through strides of 0",
        eval: |call| Ok(cute::nullspace(&call.plain(0)?)?.into()),
    },
    Function {
        name: "max_common_layout",
        params: &["A", "B"],
        doc: "the largest layout that walks both in one contiguous run",
        eval: |call| Ok(cute::max_common_layout(&call.plain(0)?, &call.plain(1)?)?.into()),
    },
    Function {
        name: "max_common_vector",
        params: &["A", "B"],
        doc: "how many elements one access can move from A to B",
        eval: |call| Ok(Value::int(cute::max_common_vector(&call.plain(0)?, &call.plain(1)?)?)),
    },
    Function {
        name: "recast_layout",
        params: &["new_bits", "old_bits", "A"],
        doc: "the layout of the same memory in elements of another width",
        eval: |call| {
            let new_bits = call.int(0)?;
            let layout = cute::recast_layout(new_bits, call.int(1)?, &call.layout(2)?)?;
            call.element_bits = u32::try_from(new_bits).ok();
            Ok(layout.into())
        },
    },
    Function {
        name: "logical_divide",
        params: &["A", "T|tiler"],
        doc: "each mode as (tile, rest)",
        eval: |call| divide(call, cute::logical_divide, false),
    },
    Function {
        name: "zipped_divide",
        params: &["A", "T|tiler"],
        doc: "all tiles in mode 0, all rests in mode 1",
        eval: |call| divide(call, cute::zipped_divide, true),
    },
    Function {
        name: "tiled_divide",
        params: &["A", "T|tiler"],
        doc: "all tiles in mode 0, then each rest as a mode",
        eval: |call| divide(call, cute::tiled_divide, true),
    },
    Function {
        name: "flat_divide",
        params: &["A", "T|tiler"],
        doc: "each tile as a mode, then each rest as a mode",
        eval: |call| divide(call, cute::flat_divide, true),
    },
    Function {
        name: "logical_product",
        params: &["A|block", "T|tiler"],
        doc: "each mode as (block, copies)",
        eval: |call| product(call, cute::logical_product),
    },
    Function {
        name: "zipped_product",
        params: &["A|block", "T|tiler"],
        doc: "the block in mode 0, the copies in mode 1",
        eval: |call| product(call, cute::zipped_product),
    },
    Function {
        name: "tiled_product",
        params: &["A|block", "T|tiler"],
        doc: "the block in mode 0, then each mode of the copies",
        eval: |call| product(call, cute::tiled_product),
    },
    Function {
        name: "flat_product",
        params: &["A|block", "T|tiler"],
        doc: "each mode of the block, then each mode of the copies",
        eval: |call| product(call, cute::flat_product),
    },
    Function {
        name: "blocked_product",
        params: &["A|block", "B|tiler"],
        doc: "copies side by side, mode by mode",
        eval: |call| ranked_product(call, cute::blocked_product),
    },
    Function {
        name: "raked_product",
        params: &["A|block", "B|tiler"],
        doc: "copies interleaved, mode by mode",
        eval: |call| ranked_product(call, cute::raked_product),
    },
    Function {
        name: "tile_to_shape",
        params: &["A|atom|block", "shape", "order?"],
        doc: "A repeated until it fills the shape, in an order of modes",
        eval: |call| {
            let order = call.optional(2, Call::ints)?;
            let layout = cute::tile_to_shape(&call.layout(0)?, &call.shape(1)?, order.as_ref())?;
            Ok(layout.into())
        },
    },
    Function {
        name: "make_layout_tv",
        params: &["thr", "val"],
        doc: "the tiler, and the layout (thread, value) -> tile coordinate",
        eval: |call| {
            let (thr, val) = (call.plain(0)?, call.plain(1)?);
            let (tiler, layout_tv) = cute::make_layout_tv(&thr, &val)?;
            call.check(contract::layout_tv(&thr, &val, &layout_tv));
            Ok(Value::Items(vec![Value::ints(&tiler), layout_tv.into()]))
        },
    },
];

/// Composes and checks `C(i) = A(B(i))`.
pub(in crate::expr) fn compose(
    call: &mut Call,
    a: Operand,
    tiler: &Tiler,
) -> Result<Value, Diagnostic> {
    let layout = cute::composition(&a.layout, tiler)?;
    call.check(contract::composition(&a.layout, tiler, &layout));
    Ok(a.with(layout))
}

fn complement(call: &mut Call) -> Result<Value, Diagnostic> {
    let a = call.plain(0)?;
    let cotarget = match call.argument(1).filter(|_| call.has(1)) {
        None => Tree::Leaf(a.cosize()?),
        Some(argument) => match &argument.value {
            // Of a layout as cotarget only the shape counts.
            Value::Layout(layout) => layout.shape().clone(),
            _ => call.ints(1)?,
        },
    };
    let complement = cute::complement(&a, &cotarget)?;
    call.check(contract::complement(&a, cotarget.product()?, &complement));
    Ok(complement.into())
}

fn divide(
    call: &mut Call,
    operation: fn(&AnyLayout, &Tiler) -> CuteResult<AnyLayout>,
    zips: bool,
) -> Result<Value, Diagnostic> {
    let a = call.operand(0)?;
    let tiler = call.tiler(1)?;
    let layout = operation(&a.layout, &tiler)?;
    if zips {
        call.check(contract::kept_modes(&tiler));
    }
    call.check(contract::no_overlap(&[&a.layout], &layout));
    Ok(a.with(layout))
}

fn product(
    call: &mut Call,
    operation: fn(&AnyLayout, &Tiler) -> CuteResult<AnyLayout>,
) -> Result<Value, Diagnostic> {
    let a = call.operand(0)?;
    let tiler = call.tiler(1)?;
    let layout = operation(&a.layout, &tiler)?;
    let tilers: Vec<AnyLayout> = tiler.layouts().into_iter().map(|l| l.clone().into()).collect();
    let operands: Vec<&AnyLayout> = std::iter::once(&a.layout).chain(&tilers).collect();
    call.check(contract::no_overlap(&operands, &layout));
    Ok(a.with(layout))
}

fn ranked_product(
    call: &mut Call,
    operation: fn(&AnyLayout, &Layout) -> CuteResult<AnyLayout>,
) -> Result<Value, Diagnostic> {
    let a = call.operand(0)?;
    let b = call.plain(1)?;
    let layout = operation(&a.layout, &b)?;
    call.check(contract::no_overlap(&[&a.layout, &b.into()], &layout));
    Ok(a.with(layout))
}
