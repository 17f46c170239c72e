//! The code that builds what a figure shows: CuTe C++ and the CuTe DSL.
//!
//! In: layouts, tilers and coordinates of floor 0, and calls over them. Out: one expression in each
//! language, as the facts `cxx` and `python`. Invariant: the Python text, run with
//! `import cutlass.cute as cute` inside a `@cute.jit` function, prints the layout that the figure
//! shows (`tests/dsl_snippets.py` checks it); C++ uses static integers throughout.

use crate::cute::{
    AnyLayout, Coord, CoordItem, Inner, IntTuple, Layout, Path, StrideLeaf, Swizzle, Tensor, Tiler,
    Tree,
};
use crate::figure::model::facts::Facts;
use crate::figure::model::label::push_int;

/// One expression in both languages; a language that cannot say it has none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Snippet {
    /// CuTe C++, with `using namespace cute`.
    pub cxx: Option<String>,
    /// CuTe DSL.
    pub python: Option<String>,
}

impl Snippet {
    /// Makes a snippet from the text of both languages.
    #[must_use]
    pub fn new(cxx: impl Into<String>, python: impl Into<String>) -> Self {
        Self { cxx: Some(cxx.into()), python: Some(python.into()) }
    }

    /// Writes a layout of either kind.
    #[must_use]
    pub fn layout(layout: &AnyLayout) -> Self {
        match layout {
            AnyLayout::Plain(layout) => Self::plain(layout),
            AnyLayout::Composed(composed) => {
                let inner = match composed.inner() {
                    Inner::Swizzle(swizzle) => Self::swizzle(*swizzle),
                    Inner::Layout(layout) => Self::plain(layout),
                };
                let parts = [inner, Self::ints(composed.offset()), Self::plain(composed.outer())];
                Self::call("make_composed_layout", "cute.make_composed_layout", &parts)
            }
        }
    }

    /// Writes a layout of shape and stride.
    #[must_use]
    pub fn plain(layout: &Layout) -> Self {
        Self::new(
            format!(
                "make_layout({}, {})",
                cxx_tree(layout.shape(), "make_shape", push_cxx_int),
                cxx_tree(layout.stride(), "make_stride", push_cxx_stride),
            ),
            format!(
                "cute.make_layout({}, stride={})",
                python_tree(layout.shape(), push_python_int),
                python_tree(layout.stride(), push_python_stride),
            ),
        )
    }

    /// Writes a tensor over a counting iterator.
    #[must_use]
    pub fn tensor(tensor: &Tensor) -> Self {
        let layout = Self::layout(&tensor.layout);
        let offset = Self::ints(&tensor.offset);
        let iterator =
            Self::call_each(Some("make_inttuple_iter"), None, std::slice::from_ref(&offset));
        Self {
            cxx: call(Some("make_tensor"), &[iterator.cxx, layout.cxx]),
            python: call(Some("cute.make_tensor"), &[offset.python, layout.python]),
        }
    }

    /// Writes a swizzle.
    #[must_use]
    pub fn swizzle(swizzle: Swizzle) -> Self {
        let (b, m, s) = (swizzle.bits(), swizzle.base(), swizzle.shift());
        Self::new(format!("Swizzle<{b},{m},{s}>{{}}"), format!("cute.make_swizzle({b}, {m}, {s})"))
    }

    /// Writes an integer, a shape or a complete coordinate.
    #[must_use]
    pub fn ints(tuple: &IntTuple) -> Self {
        Self::new(cxx_tree(tuple, "make_tuple", push_cxx_int), python_tree(tuple, push_python_int))
    }

    /// Writes a shape: as [`Self::ints`], with C++'s `make_shape`.
    #[must_use]
    pub fn shape(shape: &IntTuple) -> Self {
        Self::new(cxx_tree(shape, "make_shape", push_cxx_int), python_tree(shape, push_python_int))
    }

    /// Writes an integer.
    #[must_use]
    pub fn int(value: i64) -> Self {
        Self::ints(&Tree::Leaf(value))
    }

    /// Writes a coordinate, in which `_` may stand.
    #[must_use]
    pub fn coord(coord: &Coord) -> Self {
        let item = |all: &'static str, int: fn(&mut String, &i64)| {
            move |out: &mut String, item: &CoordItem| match item {
                CoordItem::At(value) => int(out, value),
                CoordItem::All => out.push_str(all),
            }
        };
        Self::new(
            cxx_tree(coord, "make_coord", item("_", push_cxx_int)),
            python_tree(coord, item("None", push_python_int)),
        )
    }

    /// Writes a tiler.
    #[must_use]
    pub fn tiler(tiler: &Tiler) -> Self {
        match tiler {
            Tiler::Keep => Self::new("_", "None"),
            Tiler::Layout(layout) => Self::plain(layout),
            Tiler::Shape(shape) => Self::shape(shape),
            Tiler::Modes(modes) => {
                let modes: Vec<Self> = modes.iter().map(Self::tiler).collect();
                let python: Option<Vec<String>> =
                    modes.iter().map(|mode| mode.python.clone()).collect();
                let cxx: Vec<Option<String>> = modes.into_iter().map(|mode| mode.cxx).collect();
                Self {
                    cxx: call(Some("make_tile"), &cxx),
                    python: python.map(|m| python_tuple(&m)),
                }
            }
        }
    }

    /// Writes a call whose arguments are the same in both languages.
    #[must_use]
    pub fn call(cxx: &str, python: &str, arguments: &[Self]) -> Self {
        Self::call_each(Some(cxx), Some(python), arguments)
    }

    /// Writes a call of a function of CuTe that both languages spell alike.
    #[must_use]
    pub fn cute(name: &str, arguments: &[Self]) -> Self {
        Self::call(name, &format!("cute.{name}"), arguments)
    }

    /// Writes a call in the languages that have the function.
    #[must_use]
    pub fn call_each(cxx: Option<&str>, python: Option<&str>, arguments: &[Self]) -> Self {
        let side = |pick: fn(&Self) -> Option<String>| -> Vec<Option<String>> {
            arguments.iter().map(pick).collect()
        };
        Self {
            cxx: call(cxx, &side(|argument| argument.cxx.clone())),
            python: call(python, &side(|argument| argument.python.clone())),
        }
    }

    /// Adds the facts `cxx` and `python`.
    pub fn push(self, facts: &mut Facts) {
        if let Some(cxx) = self.cxx {
            facts.push_as("cxx", "CuTe C++", cxx);
        }
        if let Some(python) = self.python {
            facts.push_as("python", "CuTe DSL", python);
        }
    }
}

fn call(name: Option<&str>, arguments: &[Option<String>]) -> Option<String> {
    let arguments: Option<Vec<&str>> = arguments.iter().map(Option::as_deref).collect();
    Some(format!("{}({})", name?, arguments?.join(", ")))
}

fn push_cxx_int(out: &mut String, value: &i64) {
    out.push_str("Int<");
    push_int(out, *value);
    out.push_str(">{}");
}

fn push_python_int(out: &mut String, value: &i64) {
    push_int(out, *value);
}

fn push_cxx_stride(out: &mut String, stride: &StrideLeaf) {
    push_stride(out, *stride, push_cxx_int, |out, path| {
        let modes: Vec<String> = path.modes().map(|mode| mode.to_string()).collect();
        out.push_str(&format!("E<{}>{{}}", modes.join(",")));
    });
}

fn push_python_stride(out: &mut String, stride: &StrideLeaf) {
    push_stride(out, *stride, push_python_int, |out, path| {
        let modes: Vec<String> = path.modes().map(|mode| mode.to_string()).collect();
        out.push_str(&match modes.as_slice() {
            [mode] => format!("cute.E({mode})"),
            modes => format!("cute.E([{}])", modes.join(", ")),
        });
    });
}

fn push_stride(
    out: &mut String,
    stride: StrideLeaf,
    int: impl Fn(&mut String, &i64),
    basis: impl Fn(&mut String, Path),
) {
    match stride {
        StrideLeaf::Int(value) => int(out, &value),
        StrideLeaf::Basis { value, path } => {
            if value != 1 {
                int(out, &value);
                out.push_str(" * ");
            }
            basis(out, path);
        }
    }
}

fn cxx_tree<T>(tree: &Tree<T>, make: &str, leaf: impl Fn(&mut String, &T)) -> String {
    let mut out = String::with_capacity(64);
    push_tree(&mut out, tree, make, &leaf);
    out
}

fn python_tree<T>(tree: &Tree<T>, leaf: impl Fn(&mut String, &T)) -> String {
    cxx_tree(tree, "", leaf)
}

/// Writes the calls of `make` that nest like the tree; without a name tuples as Python's, in which
/// a single item needs its comma.
fn push_tree<T>(out: &mut String, tree: &Tree<T>, make: &str, leaf: &impl Fn(&mut String, &T)) {
    match tree {
        Tree::Leaf(value) => leaf(out, value),
        Tree::Tuple(modes) => {
            out.push_str(make);
            out.push('(');
            for (number, mode) in modes.iter().enumerate() {
                if number > 0 {
                    out.push_str(", ");
                }
                push_tree(out, mode, make, leaf);
            }
            out.push_str(if make.is_empty() && modes.len() == 1 { ",)" } else { ")" });
        }
    }
}

/// Writes a tuple; one of a single item needs its comma.
fn python_tuple(items: &[String]) -> String {
    match items {
        [item] => format!("({item},)"),
        items => format!("({})", items.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

    use super::*;
    use crate::expr::{Functions, Scope, Value};

    fn value(text: &str) -> Value {
        let functions = Functions::core();
        Scope::new(&functions).evaluate(text).unwrap().value
    }

    fn layout(text: &str) -> (String, String) {
        let snippet = Snippet::layout(&value(text).to_layout().unwrap());
        (snippet.cxx.unwrap(), snippet.python.unwrap())
    }

    #[test]
    fn layouts_of_every_kind_are_written() {
        let (cxx, python) = layout("((4,2),6):((1,24),4)");
        assert_eq!(
            cxx,
            "make_layout(make_shape(make_shape(Int<4>{}, Int<2>{}), Int<6>{}), make_stride(make_stride(Int<1>{}, Int<24>{}), Int<4>{}))"
        );
        assert_eq!(python, "cute.make_layout(((4, 2), 6), stride=((1, 24), 4))");
        assert_eq!(layout("8:1").0, "make_layout(Int<8>{}, Int<1>{})");
        assert_eq!(layout("(8):(-1)").1, "cute.make_layout((8,), stride=(-1,))");
        let (cxx, python) = layout("(4,8):(2@0,1@1@0)");
        assert!(cxx.ends_with("make_stride(Int<2>{} * E<0>{}, E<0,1>{}))"), "{cxx}");
        assert!(python.ends_with("stride=(2 * cute.E(0), cute.E([0, 1])))"), "{python}");
        let (cxx, python) = layout("S<3,4,3> o 0 o (8,64):(64,1)");
        assert!(cxx.starts_with("make_composed_layout(Swizzle<3,4,3>{}, Int<0>{}, make_layout("));
        assert!(python.starts_with("cute.make_composed_layout(cute.make_swizzle(3, 4, 3), 0, "));
    }

    #[test]
    fn tilers_coordinates_and_calls_are_written() {
        let tiler = Snippet::tiler(&value("<3:1,_>").to_tiler().unwrap());
        assert_eq!(tiler.cxx.as_deref(), Some("make_tile(make_layout(Int<3>{}, Int<1>{}), _)"));
        assert_eq!(tiler.python.as_deref(), Some("(cute.make_layout(3, stride=1), None)"));
        let coord = Snippet::coord(&value("(1,_)").to_coord().unwrap());
        assert_eq!(coord.cxx.as_deref(), Some("make_coord(Int<1>{}, _)"));
        assert_eq!(coord.python.as_deref(), Some("(1, None)"));
        let divide = Snippet::cute("logical_divide", &[coord, Snippet::int(4)]);
        assert_eq!(divide.python.as_deref(), Some("cute.logical_divide((1, None), 4)"));
        let Value::Tensor(tensor) = value("(2,2) o (4,4):(1@0,1@1)") else { unreachable!() };
        let tensor = Snippet::tensor(&tensor);
        assert_eq!(
            tensor.python.as_deref(),
            Some(
                "cute.make_tensor((2, 2), cute.make_layout((4, 4), stride=(cute.E(0), cute.E(1))))"
            )
        );
        let mut facts = Facts::default();
        Snippet { cxx: None, python: Some("x".to_owned()) }.push(&mut facts);
        assert!(facts.get("cxx").is_none());
    }
}
