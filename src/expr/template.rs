//! Calls with template arguments: `get<0>(x)`, `group_modes<0,2>(x)`, `recast_layout<half_t,float>(L)`.
//!
//! In: what stands in `<>` and in `()`. Out: the call that the notation has for it, in which the
//! template arguments are keywords. Source: CuTe's C++ headers.

use super::syntax::{Arg, Expr, ExprKind};
use crate::diagnostic::{Diagnostic, Span};

/// How a function takes its template arguments.
#[derive(Clone, Copy, Debug)]
pub(super) struct Template {
    /// The name in C++.
    cxx: &'static str,
    /// The name here.
    name: &'static str,
    takes: Takes,
    /// The keyword of the first argument in `()`, where it is not the first parameter here.
    first: Option<&'static str>,
}

#[derive(Clone, Copy, Debug)]
enum Takes {
    /// Modes, as one argument of this name.
    Modes(&'static str),
    /// As many as there are names, each of its own.
    Each(&'static [&'static str]),
}

const fn modes(name: &'static str) -> Template {
    Template { cxx: name, name, takes: Takes::Modes("mode"), first: None }
}

const fn each(name: &'static str, keywords: &'static [&'static str]) -> Template {
    Template { cxx: name, name, takes: Takes::Each(keywords), first: None }
}

const TEMPLATES: [Template; 19] = [
    modes("get"),
    modes("layout"),
    modes("size"),
    modes("cosize"),
    modes("rank"),
    modes("depth"),
    modes("shape"),
    modes("stride"),
    modes("select"),
    each("group_modes", &["begin", "end"]),
    Template { cxx: "group", ..each("group_modes", &["begin", "end"]) },
    each("take", &["begin", "end"]),
    each("replace", &["n"]),
    each("append", &["up_to_rank"]),
    each("prepend", &["up_to_rank"]),
    each("upcast", &["n"]),
    each("downcast", &["n"]),
    each("recast", &["dtype"]),
    // In C++ the old type comes first, in the DSL the new width.
    Template { first: Some("A"), ..each("recast_layout", &["old_bits", "new_bits"]) },
];

/// Types that C++ code writes with a blank in front of `<`, besides the functions above.
const TYPES: [&str; 16] = [
    "Layout",
    "Shape",
    "Stride",
    "Coord",
    "Step",
    "Tile",
    "IntTuple",
    "tuple",
    "Int",
    "C",
    "E",
    "Swizzle",
    "Sw",
    "ComposedLayout",
    "ArithmeticTuple",
    "smem_ptr_flag_bits",
];

/// Returns whether a name with `<` behind a blank is a template.
pub(super) fn is_template(name: &str) -> bool {
    TYPES.contains(&name) || name.starts_with("Layout_") || Template::of(name).is_some()
}

impl Template {
    /// Finds a function by its name in C++.
    pub(super) fn of(name: &str) -> Option<Self> {
        TEMPLATES.iter().find(|template| template.cxx == name).copied()
    }

    /// Makes the call.
    ///
    /// # Errors
    /// A number of template arguments that the function does not have.
    pub(super) fn call(
        self,
        at: Span,
        (items, span): (Vec<Expr>, Span),
        mut args: Vec<Arg>,
    ) -> Result<ExprKind, Diagnostic> {
        let keyword =
            |name: &str, expr: Expr| Arg { keyword: Some((name.to_owned(), expr.span)), expr };
        if let (Some(name), Some(first)) = (self.first, args.first_mut())
            && first.keyword.is_none()
        {
            first.keyword = Some((name.to_owned(), first.expr.span));
        }
        match self.takes {
            Takes::Modes(name) => {
                let path = Expr { kind: ExprKind::Tuple { items, certain: true }, span };
                args.push(keyword(name, path));
            }
            Takes::Each(names) if names.len() == items.len() => {
                args.extend(names.iter().zip(items).map(|(name, item)| keyword(name, item)));
            }
            Takes::Each(names) => {
                let plural = if names.len() == 1 { "" } else { "s" };
                return Err(Diagnostic::error(
                    "arguments",
                    format!("`{}<...>` takes {} template argument{plural}", self.cxx, names.len()),
                )
                .at(span)
                .hint(format!(
                    "as in `{}<{}>(A)`",
                    self.cxx,
                    ["0", "0,1"][names.len().min(2) - 1]
                )));
            }
        }
        let callee = Expr { kind: ExprKind::Name(self.name.to_owned()), span: at };
        Ok(ExprKind::Call { callee: Box::new(callee), args })
    }
}
