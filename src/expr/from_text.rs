//! Values of the algebra from text and from values of the notation.
//!
//! In: an expression, or a [`Value`]. Out: the layout, tuple or tiler that it is. Invariant: what
//! `Display` prints reads back as the same value.
//!
//! ```
//! use mdbook_cute::cute::{IntTuple, Layout, Tiler};
//!
//! let layout: Layout = "(4,8):(8,1)".parse()?;
//! let tiler: Tiler = "<2, 4:2>".parse()?;
//! let shape: IntTuple = "(4,(2,3))".parse()?;
//! assert_eq!(layout.size(), 32);
//! assert_eq!((tiler.to_string(), shape.to_string()), ("<2,4:2>".into(), "(4,(2,3))".into()));
//! # Ok::<(), mdbook_cute::diagnostic::Diagnostic>(())
//! ```

use super::function::Functions;
use super::scope::Scope;
use super::value::Value;
use crate::cute::{AnyLayout, Coord, IntTuple, Layout, Tensor, Tiler};
use crate::diagnostic::Diagnostic;
use std::str::FromStr;
use std::sync::LazyLock;

static CORE: LazyLock<Functions> = LazyLock::new(Functions::core);

/// Reads a type from an expression over CuTe's own functions, and from a value.
macro_rules! read {
    ($($type:ty, $read:expr;)*) => {$(
        impl FromStr for $type {
            type Err = Diagnostic;

            fn from_str(text: &str) -> Result<Self, Diagnostic> {
                Self::try_from(&Scope::new(&CORE).evaluate(text)?.value)
            }
        }

        impl TryFrom<&Value> for $type {
            type Error = Diagnostic;

            fn try_from(value: &Value) -> Result<Self, Diagnostic> {
                $read(value)
            }
        }
    )*};
}

read! {
    AnyLayout, Value::to_layout;
    Layout, Value::to_plain;
    Tiler, Value::to_tiler;
    IntTuple, Value::to_ints;
    Coord, Value::to_coord;
    Tensor, tensor;
}

fn tensor(value: &Value) -> Result<Tensor, Diagnostic> {
    match value {
        Value::Tensor(tensor) => Ok(tensor.clone()),
        other => {
            let layout = other.to_layout()?;
            let offset = layout.domain().axes()?.zero();
            Ok(Tensor { offset, layout })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_reads_as_what_it_prints() {
        for text in ["(4,8):(8,1)", "S<3,4,3> o 0 o (8,64):(64,1)", "(4,4):(1@0,1@1)"] {
            assert_eq!(text.parse::<AnyLayout>().unwrap().to_string(), text);
        }
        assert_eq!("72 o (4,4):(16,1)".parse::<Tensor>().unwrap().to_string(), "72 o (4,4):(16,1)");
        assert_eq!("(_,3)".parse::<Coord>().unwrap().to_string(), "(_,3)");
    }

    #[test]
    fn what_is_something_else_is_refused() {
        assert!("S<3,4,3> o 0 o 64:1".parse::<Layout>().is_err());
        assert!("(4,8):(8".parse::<Layout>().is_err());
        assert!("(4,_)".parse::<IntTuple>().is_err());
    }
}
