//! The hardware's functions of the notation.
//!
//! In: calls such as `cutlass("RowMajor", (8,6), 8)`. Out: layouts of floor 0. Invariant: names are
//! those of the reference; whoever builds a scope adds them to [`crate::expr::Functions::core`].

use super::cutlass2::{Class, Matrix, Object, Twin};
use super::dtype::ElementType;
use crate::cute::algebra::checked;
use crate::diagnostic::Diagnostic;
use crate::expr::{Call, Function, Functions, Scope, Value};
use std::sync::LazyLock;

/// Returns every function that an expression may call: CuTe's and the hardware's.
#[must_use]
pub fn functions() -> Functions {
    Functions::core().with(HARDWARE.iter().copied()).with(super::memory_functions::all())
}

static ALL: LazyLock<Functions> = LazyLock::new(functions);

/// The complete table.
impl Default for Functions {
    fn default() -> Self {
        functions()
    }
}

/// The complete table of functions, and no names.
impl Default for Scope<'static> {
    fn default() -> Self {
        Self::new(&ALL)
    }
}

const HARDWARE: &[Function] = &[
    Function {
        name: "recast_layout",
        params: &["'new_bits", "'old_bits", "A"],
        doc: "the layout of the same memory in elements of another width, in bits or as types; `recast_layout<Old,New>(A)` as in C++",
        eval: |call| {
            let (new, old) = (bits(call, 0)?, bits(call, 1)?);
            recast(call, new, old, 2)
        },
    },
    Function {
        name: "recast",
        params: &["A", "'dtype"],
        doc: "a tensor or layout whose element width is known, in elements of another type",
        eval: |call| {
            let Some(old) = call.element_bits else {
                return Err(Diagnostic::error("dtype", "the width of an element is not known here")
                    .at(call.span(0))
                    .hint("write `recast_layout(new_bits, old_bits, A)`, or a pointer as in `smem_ptr[16b](unset) o A`"));
            };
            let new = bits(call, 1)?;
            recast(call, new, old.into(), 0)
        },
    },
    Function {
        name: "cutlass",
        params: &["'type", "extent", "ldm|stride?", "'matrix?"],
        doc: "The map of a CUTLASS 2.x layout class over an extent as a CuTe layout; without a stride that of `packed(extent)`.",
        eval: cutlass,
    },
];

/// Reads a width: a number of bits, or a type.
fn bits(call: &Call, i: usize) -> Result<i64, Diagnostic> {
    let bits = call.read(i, |value| match value {
        Value::Text(name) => Ok(ElementType::read(name)?.bits()),
        _ => value.to_int(),
    })?;
    match bits {
        1.. => Ok(bits),
        _ => Err(Diagnostic::error("width", format!("a width is at least 1 bit, not {bits}"))
            .at(call.span(i))
            .hint("write 1 or more, or a type such as `half_t`")),
    }
}

fn recast(call: &mut Call, new: i64, old: i64, i: usize) -> Result<Value, Diagnostic> {
    let mut a = call.operand(i)?;
    if let Some(offset) = a.offset.take() {
        a.offset = Some(offset.try_map(&mut |&offset| {
            let scaled = offset.checked_mul(old).filter(|bits| bits % new == 0);
            scaled.map(|bits| bits / new).ok_or_else(|| {
                let text =
                    format!("the offset {offset} is not a whole number of {new}-bit elements");
                Diagnostic::error("alignment", text)
                    .at(call.span(i))
                    .hint("recast the layout alone, or another offset")
            })
        })?);
    }
    let layout = checked::recast_layout(new, old, &a.layout)?;
    call.element_bits = u32::try_from(new).ok();
    let layout = call.report(layout);
    call.check_unit(&a.layout, &layout);
    Ok(a.with(layout))
}

fn cutlass(call: &mut Call) -> Result<Value, Diagnostic> {
    let name = call.text(0)?;
    let class = Class::parse(&name).map_err(|error| {
        // The span counts bytes of the name; the call knows the place of the whole argument.
        Diagnostic { span: None, ..error }.at(call.span(0))
    })?;
    let extent = flat(call, 1)?;
    let stride = call.optional(2, flat)?;
    let matrix = match call.optional(3, Call::text)?.as_deref() {
        None | Some("column-major" | "kColumnMajor") => Matrix::ColumnMajor,
        Some("row-major" | "kRowMajor") => Matrix::RowMajor,
        Some(other) => {
            let text = format!("unknown matrix order `{other}`");
            return Err(Diagnostic::error("cutlass-matrix", text)
                .hint("`\"row-major\"` or `\"column-major\"`")
                .at(call.span(3)));
        }
    };
    let object = match stride {
        Some(stride) => Object::with_stride(class, &stride, matrix)
            .map_err(|error| error.or_at(call.span(2)))?,
        None => {
            Object::packed(class, &extent, matrix).map_err(|error| error.or_at(call.span(1)))?
        }
    };
    match Twin::of(&object, &extent).map_err(|error| error.or_at(call.span(1)))? {
        Twin::Exact(layout) => Ok(layout.into()),
        Twin::Sampled { layout, extent: whole, .. } if whole == extent => Ok(layout.into()),
        Twin::Rounded { layout, extent } | Twin::Sampled { layout, extent, .. } => {
            let extent: Vec<String> = extent.iter().map(i64::to_string).collect();
            call.say(Diagnostic::note(
                "cutlass-partial",
                format!(
                    "the extent ends inside a group of `{class}`: the layout is over ({})",
                    extent.join(",")
                ),
            ));
            Ok(layout.into())
        }
        Twin::None { reason } => Err(Diagnostic::error(
            "cutlass-cute",
            format!("`{class}` has no CuTe layout here: {reason}"),
        )
        .at(call.span(0))),
    }
}

fn flat(call: &Call, i: usize) -> Result<Vec<i64>, Diagnostic> {
    Ok(call.ints(i)?.leaves().copied().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn eval(text: &str) -> Result<String, Diagnostic> {
        let functions = functions();
        Scope::new(&functions).evaluate(text).map(|evaluated| evaluated.value.to_string())
    }

    #[test]
    fn a_cutlass_class_is_a_layout_like_any_other() {
        let nested = "((4,2),6):((1,24),4)";
        assert_eq!(eval("cutlass(\"RowMajorInterleaved<4>\", (8,6), 24)").as_deref(), Ok(nested));
        assert_eq!(eval("cutlass(RowMajor, (8,6))").as_deref(), Ok("(8,6):(6,1)"));
        assert_eq!(
            eval("cutlass(\"GeneralMatrix\", (8,6), (24,4), matrix=\"row-major\")").as_deref(),
            Ok(nested)
        );
        assert_eq!(eval("coalesce(cutlass(RowMajor, (8,6)))").as_deref(), Ok("(8,6):(6,1)"));
        let error = eval("cutlass(\"RowMajr\", (8,6))").unwrap_err();
        assert!(error.to_string().contains("did you mean `RowMajor`"), "{error}");
    }
}
