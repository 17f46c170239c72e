//! The layout algebra: composition and its relatives, divides and products.
//!
//! In: layouts, tensors and tilers. Out: CuTe's answers. Invariant: each answer is checked against
//! the operation's promise, and one that breaks it carries a `contract` warning.

use crate::cute::algebra::checked::{self, Checked};
use crate::cute::algebra::{self as cute, Form};
use crate::cute::{AnyLayout, ComposedLayout, Inner, Layout, Result as CuteResult, Tiler, Tree};
use crate::diagnostic::Diagnostic;
use crate::expr::function::{Call, Function, Operand};
use crate::expr::value::Value;

pub(super) const FUNCTIONS: &[Function] = &[
    Function {
        name: "composition",
        params: &["A|lhs", "T|rhs|tiler"],
        doc: "`A(T(i))`; a shape or `<..>` acts mode by mode; A may be a swizzle",
        eval: |call| {
            if let Some(Value::Swizzle(swizzle)) = call.argument(0).map(|given| &given.value) {
                let inner = Inner::Swizzle(*swizzle);
                return Ok(AnyLayout::from(ComposedLayout::new(
                    inner,
                    Tree::Leaf(0),
                    call.plain(1)?,
                )?)
                .into());
            }
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
            if let AnyLayout::Composed(composed) = call.layout(0)? {
                return swizzled(call, &composed, checked::right_inverse_swizzled);
            }
            let inverse = checked::right_inverse(&call.plain(0)?)?;
            Ok(call.report(inverse).into())
        },
    },
    Function {
        name: "left_inverse",
        params: &["A"],
        doc: "L with `L(A(i)) = i`",
        eval: |call| {
            if let AnyLayout::Composed(composed) = call.layout(0)? {
                return swizzled(call, &composed, checked::left_inverse_swizzled);
            }
            let inverse = checked::left_inverse(&call.plain(0)?)?;
            Ok(call.report(inverse).into())
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
            let (old_bits, a) = (call.int(1)?, call.layout(2)?);
            let layout = match checked::recast_layout(new_bits, old_bits, &a) {
                Err(error) if error.code() == "swizzle-base" => {
                    let layout = checked::recast_layout_cxx(new_bits, old_bits, &a)?;
                    call.say(Diagnostic::note("cxx-only", BASE_BELOW_ZERO));
                    layout
                }
                layout => layout?,
            };
            call.element_bits = u32::try_from(new_bits).ok();
            let layout = call.report(layout);
            call.check_unit(&a, &layout);
            Ok(layout.into())
        },
    },
    Function {
        name: "logical_divide",
        params: &["A", "T|tiler"],
        doc: "each mode as (tile, rest)",
        eval: |call| divide(call, Form::Logical),
    },
    Function {
        name: "zipped_divide",
        params: &["A", "T|tiler"],
        doc: "all tiles in mode 0, all rests in mode 1",
        eval: |call| divide(call, Form::Zipped),
    },
    Function {
        name: "tiled_divide",
        params: &["A", "T|tiler"],
        doc: "all tiles in mode 0, then each rest as a mode",
        eval: |call| divide(call, Form::Tiled),
    },
    Function {
        name: "flat_divide",
        params: &["A", "T|tiler"],
        doc: "each tile as a mode, then each rest as a mode",
        eval: |call| divide(call, Form::Flat),
    },
    Function {
        name: "logical_product",
        params: &["A|block", "T|tiler"],
        doc: "each mode as (block, copies)",
        eval: |call| product(call, Form::Logical),
    },
    Function {
        name: "zipped_product",
        params: &["A|block", "T|tiler"],
        doc: "the block in mode 0, the copies in mode 1",
        eval: |call| product(call, Form::Zipped),
    },
    Function {
        name: "tiled_product",
        params: &["A|block", "T|tiler"],
        doc: "the block in mode 0, then each mode of the copies",
        eval: |call| product(call, Form::Tiled),
    },
    Function {
        name: "flat_product",
        params: &["A|block", "T|tiler"],
        doc: "each mode of the block, then each mode of the copies",
        eval: |call| product(call, Form::Flat),
    },
    Function {
        name: "blocked_product",
        params: &["A|block", "B|tiler"],
        doc: "copies side by side, mode by mode",
        eval: |call| ranked_product(call, checked::blocked_product),
    },
    Function {
        name: "raked_product",
        params: &["A|block", "B|tiler"],
        doc: "copies interleaved, mode by mode",
        eval: |call| ranked_product(call, checked::raked_product),
    },
    Function {
        name: "tile_to_shape",
        params: &["A|atom|block", "shape", "order?"],
        doc: "A repeated until it fills the shape, in an order of modes",
        eval: |call| {
            let order = call.optional(2, Call::ints)?;
            let layout = checked::tile_to_shape(&call.layout(0)?, &call.shape(1)?, order.as_ref())?;
            Ok(call.report(layout).into())
        },
    },
    Function {
        name: "make_layout_tv",
        params: &["thr", "val"],
        doc: "the tiler, and the layout (thread, value) -> tile coordinate",
        eval: |call| {
            let layouts = checked::make_layout_tv(&call.plain(0)?, &call.plain(1)?)?;
            let (tiler, layout_tv) = call.report(layouts);
            Ok(Value::Items(vec![Value::ints(&tiler), layout_tv.into()]))
        },
    },
];

const BASE_BELOW_ZERO: &str = "the swizzle's base falls below 0: C++ drops the bits below 0, as here; the DSL wraps the base to a 32-bit number";

/// Inverts a swizzled layout as C++ does.
fn swizzled(
    call: &mut Call,
    a: &ComposedLayout,
    invert: fn(&ComposedLayout) -> CuteResult<Checked<AnyLayout>>,
) -> Result<Value, Diagnostic> {
    let inverse = invert(a)?;
    call.say(Diagnostic::note(
        "cxx-only",
        "C++ inverts swizzled layouts; the DSL takes plain layouts only",
    ));
    Ok(call.report(inverse).into())
}

/// Composes and checks `C(i) = A(B(i))`.
pub(in crate::expr) fn compose(
    call: &mut Call,
    a: Operand,
    tiler: &Tiler,
) -> Result<Value, Diagnostic> {
    let layout = checked::composition(&a.layout, tiler)?;
    Ok(a.with(call.report(layout)))
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
    let rest = checked::complement(&a, &cotarget)?;
    Ok(call.report(rest).into())
}

fn divide(call: &mut Call, form: Form) -> Result<Value, Diagnostic> {
    let a = call.operand(0)?;
    let layout = checked::divide(&a.layout, &call.tiler(1)?, form)?;
    Ok(a.with(call.report(layout)))
}

fn product(call: &mut Call, form: Form) -> Result<Value, Diagnostic> {
    let a = call.operand(0)?;
    let layout = checked::product(&a.layout, &call.tiler(1)?, form)?;
    Ok(a.with(call.report(layout)))
}

fn ranked_product(
    call: &mut Call,
    operation: fn(&AnyLayout, &Layout) -> CuteResult<Checked<AnyLayout>>,
) -> Result<Value, Diagnostic> {
    let a = call.operand(0)?;
    let layout = operation(&a.layout, &call.plain(1)?)?;
    Ok(a.with(call.report(layout)))
}
