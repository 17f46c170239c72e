//! The syntax tree of an expression.
//!
//! In: nothing; the parser builds it. Out: what was written, each node with the bytes it stands in.
//! Invariant: no tree is deeper than [`DEPTH`](super::limits::DEPTH).

use crate::diagnostic::Span;

/// A piece of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it stands.
    pub span: Span,
}

/// What a piece of an expression is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExprKind {
    /// `4`.
    Int(i64),
    /// `2@1@0`.
    Basis {
        /// The scale.
        value: i64,
        /// The modes, outermost first.
        modes: Vec<usize>,
    },
    /// `_`, `None` or `X`.
    Keep,
    /// A name, without a leading `cute.` or `cute::`.
    Name(String),
    /// `"..."`.
    Text(String),
    /// `S<3,4,3>`.
    Swizzle {
        /// `B`.
        bits: i64,
        /// `M`.
        base: i64,
        /// `S`.
        shift: i64,
    },
    /// `(a,b)`.
    Tuple {
        /// The elements.
        items: Vec<Expr>,
        /// Whether a comma stands behind the last one, or the brackets only make sense as a tuple.
        certain: bool,
    },
    /// `<a,b>`.
    Tiler(Vec<Expr>),
    /// `shape:stride`; without a stride the compact column-major layout of the shape.
    Layout {
        /// The shape.
        shape: Box<Expr>,
        /// The stride.
        stride: Option<Box<Expr>>,
    },
    /// `a + b - c` or `a * b / c`: operators of one rank, from left to right.
    Arithmetic {
        /// The first operand.
        first: Box<Expr>,
        /// The others, each with the operator in front of it.
        rest: Vec<(Operator, Expr)>,
    },
    /// `a o b o c`: at least two terms.
    Compose(Vec<Expr>),
    /// `f(a,b)` or a layout applied to a coordinate.
    Call {
        /// The function or the layout.
        callee: Box<Expr>,
        /// What stands in the brackets.
        args: Vec<Arg>,
    },
    /// A pasted pointer.
    Pointer(Pointer),
    /// `counting_iter(3)` or `ArithTuple(0,1)`: an offset.
    Offset(Box<Expr>),
}

/// An operator of arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// `+`.
    Add,
    /// `-`.
    Subtract,
    /// `*`.
    Multiply,
    /// `/`, also written `//`; it leaves no rest.
    Divide,
}

impl Operator {
    /// Returns the sign.
    #[must_use]
    pub const fn sign(self) -> char {
        match self {
            Self::Add => '+',
            Self::Subtract => '-',
            Self::Multiply => '*',
            Self::Divide => '/',
        }
    }
}

/// One of the statements of a text: `auto L = make_layout(4);`, or an expression alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// The name that gets the value, if it is a declaration.
    pub name: Option<(String, Span)>,
    /// The value.
    pub expr: Expr,
}

/// One argument of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arg {
    /// The name in front of `=`, if it is a keyword argument.
    pub keyword: Option<(String, Span)>,
    /// The value.
    pub expr: Expr,
}

/// What a printed pointer says about the elements behind it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pointer {
    /// The width of an element in bits, a fraction for sparse types.
    pub bits: Option<u32>,
    /// The address in bits; absent for `unset`.
    pub address: Option<u128>,
    /// The swizzle that the pointer carries, in bytes: `B`, `M`, `S`.
    pub swizzle: Option<(i64, i64, i64)>,
}

impl Expr {
    /// Returns whether this is an integer, or `2*4` and the like.
    fn is_arithmetic(&self) -> bool {
        match &self.kind {
            ExprKind::Int(_) => true,
            ExprKind::Arithmetic { first, rest } => {
                first.is_arithmetic() && rest.iter().all(|(_, side)| side.is_arithmetic())
            }
            _ => false,
        }
    }

    /// Returns whether this is a shape written out: integers in brackets, nothing else.
    #[must_use]
    pub fn is_shape(&self) -> bool {
        match &self.kind {
            ExprKind::Int(_) => true,
            ExprKind::Tuple { items, .. } => {
                items.iter().all(|item| item.is_arithmetic() || item.is_shape())
            }
            _ => false,
        }
    }
}
