//! Tuples made from their parts, and arithmetic on shapes.
//!
//! In: integers and nested tuples. Out: the same. Source: CuTe's `int_tuple.hpp`.

use crate::cute::algebra::tile_counts;
use crate::cute::int_tuple::{round_up, shape_div};
use crate::cute::{Path, Tiler, Tree};
use crate::diagnostic::Diagnostic;
use crate::expr::function::{Call, Function};
use crate::expr::value::{Entry, Value};

/// The functions of C++ that only make a tuple.
macro_rules! tuples {
    ($($name:literal $doc:literal)*) => {
        &[$(Function { name: $name, params: &["modes..."], doc: $doc, eval: tuple }),*]
    };
}

pub(super) const MAKERS: &[Function] = tuples! {
    "make_shape" "the tuple of its arguments, in C++ a shape"
    "make_stride" "the tuple of its arguments, in C++ a stride"
    "make_coord" "the tuple of its arguments, in C++ a coordinate"
    "make_step" "the tuple of its arguments, in C++ the modes of a projection"
    "make_tuple" "the tuple of its arguments"
    "make_arithmetic_tuple" "the tuple of its arguments"
};

macro_rules! casts {
    ($($name:literal $type:ty;)*) => {
        &[$(Function {
            name: $name,
            params: &["n"],
            doc: "the integer itself, where the type can hold it",
            eval: |call| cast(call, $name, |n| <$type>::try_from(n).is_ok()),
        }),*]
    };
}

pub(super) const CASTS: &[Function] = casts! {
    "Int8" i8; "Int16" i16; "Int32" i32; "Int64" i64;
    "Uint8" u8; "Uint16" u16; "Uint32" u32; "Uint64" u64;
};

pub(super) const FUNCTIONS: &[Function] = &[
    Function {
        name: "make_tile",
        params: &["modes..."],
        doc: "the tiler that acts mode by mode, `<a,b>`",
        eval: |call| {
            let tuple = (0..call.count()).all(|i| {
                matches!(call.argument(i), Some(argument) if matches!(argument.value, Value::Tuple(_)))
            });
            if tuple {
                return self::tuple(call);
            }
            let modes = (0..call.count()).map(|i| call.tiler(i));
            Ok(Value::Tiler(Tiler::Modes(modes.collect::<Result<_, _>>()?)))
        },
    },
    Function {
        name: "E",
        params: &["p|mode"],
        doc: "the basis of a mode: `E(1)` is `1@1`",
        eval: |call| {
            let modes = call.modes(0)?;
            if modes.is_empty() {
                return Ok(Value::int(1));
            }
            Ok(Value::Tuple(Tree::Leaf(Entry::Basis { value: 1, path: Path::new(&modes)? })))
        },
    },
    Function {
        name: "make_inttuple_iter",
        params: &["coord"],
        doc: "the offset of a tensor: a coordinate that counts from there",
        eval: |call| Ok(Value::ints(&call.ints(0)?)),
    },
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

fn tuple(call: &mut Call) -> Result<Value, Diagnostic> {
    let modes = (0..call.count()).map(|i| {
        call.read(i, |value| match value {
            Value::Tuple(tree) => Ok(tree.clone()),
            Value::None => Ok(Tree::Leaf(Entry::All)),
            _ => Err(value.mismatch("an integer or a tuple")),
        })
    });
    Ok(Value::Tuple(Tree::Tuple(modes.collect::<Result<_, _>>()?)))
}

fn cast(call: &Call, name: &str, holds: fn(i64) -> bool) -> Result<Value, Diagnostic> {
    let n = call.int(0)?;
    if holds(n) {
        return Ok(Value::int(n));
    }
    Err(Diagnostic::error("overflow", format!("`{name}` cannot hold {n}"))
        .at(call.span(0))
        .hint("choose a wider type"))
}
