//! Arithmetic on shapes.
//!
//! In: integers and nested tuples. Out: the same. Source: CuTe's `int_tuple.hpp`.

use crate::cute::Tiler;
use crate::cute::algebra::tile_counts;
use crate::cute::int_tuple::{round_up, shape_div};
use crate::expr::function::Function;
use crate::expr::value::Value;

pub(super) const FUNCTIONS: &[Function] = &[
    Function {
        name: "product",
        params: &["S"],
        doc: "the product of all entries",
        eval: |call| Ok(Value::int(call.ints(0)?.product()?)),
    },
    Function {
        name: "product_each",
        params: &["S"],
        doc: "the product of each mode",
        eval: |call| Ok(Value::ints(&call.ints(0)?.product_each()?)),
    },
    Function {
        name: "shape_div",
        params: &["a", "b"],
        doc: "a divided by b, leaf by leaf; the smaller must divide the larger",
        eval: |call| Ok(Value::ints(&shape_div(&call.ints(0)?, &call.ints(1)?)?)),
    },
    Function {
        name: "ceil_div",
        params: &["a", "b"],
        doc: "a divided by b, rounded up; of a tiler, the number of tiles",
        eval: |call| {
            let by = call.read(1, |value| match value {
                Value::Tuple(_) => value.to_ints().map(Tiler::Shape),
                _ => value.to_tiler(),
            })?;
            Ok(Value::ints(&tile_counts(&call.ints(0)?, &by)?))
        },
    },
    Function {
        name: "round_up",
        params: &["a", "b"],
        doc: "a rounded up to multiples of b",
        eval: |call| Ok(Value::ints(&round_up(&call.ints(0)?, &call.ints(1)?)?)),
    },
];
