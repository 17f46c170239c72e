//! What an expression can be.
//!
//! In: what the algebra computes. Out: the same under one type, its printed form, and conversions to
//! what a function wants, with the reason when they fail. Invariant: the printed form of a value
//! parses to an equal value, but for what a swizzle counts, which is not printed; only several results
//! come back as the tiler that they look like.

use crate::cute::{
    AnyLayout, Coord, CoordItem, IntTuple, Layout, OffsetUnit, Path, Stride, StrideLeaf, Swizzle,
    Tensor, Tiler, Tree,
};
use crate::diagnostic::Diagnostic;
use std::fmt;

/// One leaf of a tuple as it was written; shapes, strides, coordinates and orders look alike until
/// something wants one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Entry {
    /// An integer.
    Int(i64),
    /// A scaled basis, `2@1`.
    Basis {
        /// The scale.
        value: i64,
        /// The mode of the coordinate.
        path: Path,
    },
    /// `_`: the whole mode.
    All,
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int(value) => value.fmt(f),
            Self::Basis { value, path } => write!(f, "{value}{path}"),
            Self::All => f.write_str("_"),
        }
    }
}

/// The result of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// An integer, a shape, a stride, a coordinate or an order.
    Tuple(Tree<Entry>),
    /// Yes or no.
    Bool(bool),
    /// No answer (Python's `None`).
    None,
    /// A text, or the name of a hardware thing.
    Text(String),
    /// A swizzle alone.
    Swizzle(Swizzle),
    /// A layout of either kind.
    Layout(AnyLayout),
    /// A layout over an offset.
    Tensor(Tensor),
    /// A tiler that is not just a shape or a layout.
    Tiler(Tiler),
    /// Several results.
    Items(Vec<Value>),
    /// Named numbers: one row of a count of the hardware's. It has no spelling of its own.
    Record(Vec<(&'static str, Value)>),
}

impl Value {
    /// Makes an integer.
    #[must_use]
    pub const fn int(value: i64) -> Self {
        Self::Tuple(Tree::Leaf(Entry::Int(value)))
    }

    /// Makes a tuple of integers.
    #[must_use]
    pub fn ints(tuple: &IntTuple) -> Self {
        Self::Tuple(tuple.map(&mut |&value| Entry::Int(value)))
    }

    /// Makes a stride.
    #[must_use]
    pub fn stride(stride: &Stride) -> Self {
        Self::Tuple(stride.map(&mut |leaf| match *leaf {
            StrideLeaf::Int(value) => Entry::Int(value),
            StrideLeaf::Basis { value, path } => Entry::Basis { value, path },
        }))
    }

    /// Makes a tiler in its simplest form: a shape or a layout stays one.
    #[must_use]
    pub fn tiler(tiler: Tiler) -> Self {
        match tiler {
            Tiler::Keep => Self::Tuple(Tree::Leaf(Entry::All)),
            Tiler::Layout(layout) => Self::Layout(layout.into()),
            Tiler::Shape(shape) => Self::ints(&shape),
            Tiler::Modes(modes) => Self::Tiler(Tiler::Modes(modes)),
        }
    }

    /// Names the kind, as messages and `eval --json` do.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Tuple(Tree::Leaf(Entry::Int(_))) => "integer",
            Self::Tuple(_) => "coordinate",
            Self::Bool(_) => "boolean",
            Self::None => "none",
            Self::Text(_) => "text",
            Self::Swizzle(_) => "swizzle",
            Self::Layout(AnyLayout::Plain(_)) => "layout",
            Self::Layout(AnyLayout::Composed(_)) => "composed",
            Self::Tensor(_) => "tensor",
            Self::Tiler(_) => "tiler",
            Self::Items(_) => "items",
            Self::Record(_) => "record",
        }
    }

    /// Returns the layout of a layout or a tensor.
    #[must_use]
    pub const fn any_layout(&self) -> Option<&AnyLayout> {
        match self {
            Self::Layout(layout) | Self::Tensor(Tensor { layout, .. }) => Some(layout),
            _ => None,
        }
    }

    /// Returns the swizzle of byte addresses of a layout or tensor that knows what its swizzle counts.
    #[must_use]
    pub fn byte_swizzle(&self) -> Option<Swizzle> {
        let bytes = self.any_layout()?.swizzle()?.in_bytes().ok()?;
        matches!(bytes.unit(), OffsetUnit::Byte { .. }).then_some(bytes)
    }

    /// Reads an integer.
    ///
    /// # Errors
    /// Anything else.
    pub fn to_int(&self) -> Result<i64, Diagnostic> {
        match self {
            Self::Tuple(Tree::Leaf(Entry::Int(value))) => Ok(*value),
            _ => Err(self.mismatch("an integer")),
        }
    }

    /// Reads a nested tuple of integers: a shape, an order or a complete coordinate.
    ///
    /// # Errors
    /// `_`, a basis, or anything that is no tuple.
    pub fn to_ints(&self) -> Result<IntTuple, Diagnostic> {
        let Self::Tuple(tree) = self else { return Err(self.mismatch("a tuple of integers")) };
        tree.try_map(&mut |entry| match entry {
            Entry::Int(value) => Ok(*value),
            Entry::Basis { .. } => {
                Err(self.mismatch("a tuple of integers").hint("a basis such as `1@0` is a stride"))
            }
            Entry::All => {
                Err(self.mismatch("a tuple of integers").hint("put a number for each `_`"))
            }
        })
    }

    /// Reads the strides of a layout.
    ///
    /// # Errors
    /// `_`, or anything that is no tuple.
    pub fn to_stride(&self) -> Result<Stride, Diagnostic> {
        let Self::Tuple(tree) = self else { return Err(self.mismatch("a stride")) };
        tree.try_map(&mut |entry| match *entry {
            Entry::Int(value) => Ok(StrideLeaf::Int(value)),
            Entry::Basis { value, path } => Ok(StrideLeaf::Basis { value, path }),
            Entry::All => Err(self.mismatch("a stride").hint("put a number for each `_`")),
        })
    }

    /// Reads a coordinate, in which `_` may stand.
    ///
    /// # Errors
    /// A basis, or anything that is no tuple.
    pub fn to_coord(&self) -> Result<Coord, Diagnostic> {
        let Self::Tuple(tree) = self else {
            return match self {
                Self::None => Ok(Tree::Leaf(CoordItem::All)),
                _ => Err(self.mismatch("a coordinate")),
            };
        };
        tree.try_map(&mut |entry| match *entry {
            Entry::Int(value) => Ok(CoordItem::At(value)),
            Entry::All => Ok(CoordItem::All),
            Entry::Basis { .. } => Err(self.mismatch("a coordinate")),
        })
    }

    /// Reads a layout; a shape alone is its compact column-major layout.
    ///
    /// # Errors
    /// Anything else, and shapes that no layout can have.
    pub fn to_layout(&self) -> Result<AnyLayout, Diagnostic> {
        match self {
            Self::Layout(layout) => Ok(layout.clone()),
            Self::Tuple(_) => match self.to_ints() {
                Ok(shape) => Ok(Layout::column_major(shape)?.into()),
                Err(reason) => Err(Diagnostic { text: self.mismatch("a layout").text, ..reason }),
            },
            Self::Tensor(_) => Err(self
                .mismatch("a layout")
                .hint("a tensor is an offset and a layout; write the layout alone")),
            Self::Tiler(tiler) => Err(joined_hint(self.mismatch("one layout"), tiler)),
            _ => Err(self.mismatch("a layout")),
        }
    }

    /// Reads a layout that is not composed.
    ///
    /// # Errors
    /// As [`Self::to_layout`], and composed layouts.
    pub fn to_plain(&self) -> Result<Layout, Diagnostic> {
        match self.to_layout()? {
            AnyLayout::Plain(layout) => Ok(layout),
            AnyLayout::Composed(_) => Err(self.mismatch("a layout of shape and stride")),
        }
    }

    /// Reads a tiler: `_`, an integer, a shape, a layout, or `<...>`.
    ///
    /// # Errors
    /// Anything else.
    pub fn to_tiler(&self) -> Result<Tiler, Diagnostic> {
        match self {
            Self::None => Ok(Tiler::Keep),
            Self::Tiler(tiler) => Ok(tiler.clone()),
            Self::Layout(AnyLayout::Plain(layout)) => Ok(Tiler::Layout(layout.clone())),
            Self::Tuple(tree) => tiler_of(tree)
                .ok_or_else(|| self.mismatch("a tiler").hint("a basis such as `1@0` is a stride")),
            _ => Err(self.mismatch("a tiler").hint("write `<4,8>`, a shape or a layout")),
        }
    }

    /// Reads a text.
    ///
    /// # Errors
    /// Anything else.
    pub fn to_text(&self) -> Result<&str, Diagnostic> {
        match self {
            Self::Text(text) => Ok(text),
            _ => Err(self.mismatch("a name")),
        }
    }

    /// Says that this value is not what was wanted.
    #[must_use]
    pub fn mismatch(&self, wanted: &str) -> Diagnostic {
        let what = match self {
            Self::Tuple(Tree::Leaf(Entry::Int(_))) => "the integer",
            Self::Tuple(Tree::Leaf(_)) => "",
            Self::Tuple(_) => "the tuple",
            Self::Bool(_) | Self::None => "",
            Self::Text(_) => "the text",
            Self::Swizzle(_) => "the swizzle",
            Self::Layout(AnyLayout::Plain(_)) => "the layout",
            Self::Layout(AnyLayout::Composed(_)) => "the composed layout",
            Self::Tensor(_) => "the tensor",
            Self::Tiler(_) => "the tiler",
            Self::Items(_) => "several results,",
            Self::Record(_) => "the record",
        };
        let blank = if what.is_empty() { "" } else { " " };
        Diagnostic::error("type", format!("expected {wanted}, found {what}{blank}`{self}`"))
    }
}

fn tiler_of(tree: &Tree<Entry>) -> Option<Tiler> {
    let shape = tree.try_map(&mut |entry| match entry {
        Entry::Int(value) => Ok(*value),
        _ => Err(()),
    });
    if let Ok(shape) = shape {
        return Some(Tiler::Shape(shape));
    }
    match tree {
        Tree::Leaf(Entry::All) => Some(Tiler::Keep),
        Tree::Leaf(_) => None,
        Tree::Tuple(modes) => modes.iter().map(tiler_of).collect::<Option<_>>().map(Tiler::Modes),
    }
}

/// Offers the layout that somebody meant who wrote a `:` for each mode.
fn joined_hint(message: Diagnostic, tiler: &Tiler) -> Diagnostic {
    let Tiler::Modes(modes) = tiler else { return message };
    let layouts: Option<Vec<Layout>> = modes
        .iter()
        .map(|mode| match mode {
            Tiler::Layout(layout) => Some(layout.clone()),
            Tiler::Shape(shape) => Layout::column_major(shape.clone()).ok(),
            _ => None,
        })
        .collect();
    match layouts.and_then(|layouts| Layout::from_modes(layouts).ok()) {
        Some(layout) => message.hint(format!(
            "a `:` inside brackets makes a tiler; a layout has one `:`, as in `{layout}`"
        )),
        None => message.hint("a `:` inside brackets makes a tiler; a layout has one `:`"),
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tuple(tree) => tree.fmt(f),
            Self::Bool(value) => value.fmt(f),
            Self::None => f.write_str("None"),
            Self::Text(text) => {
                write!(f, "\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
            }
            Self::Swizzle(swizzle) => swizzle.fmt(f),
            Self::Layout(layout) => layout.fmt(f),
            Self::Tensor(tensor) => tensor.fmt(f),
            Self::Tiler(tiler) => tiler.fmt(f),
            Self::Items(items) => {
                f.write_str("(")?;
                for (i, item) in items.iter().enumerate() {
                    if i > 0 {
                        f.write_str(",")?;
                    }
                    item.fmt(f)?;
                }
                f.write_str(")")
            }
            Self::Record(fields) => {
                f.write_str("{")?;
                for (i, (name, value)) in fields.iter().enumerate() {
                    let comma = if i > 0 { "," } else { "" };
                    write!(f, "{comma}{name}={value}")?;
                }
                f.write_str("}")
            }
        }
    }
}

impl From<AnyLayout> for Value {
    fn from(layout: AnyLayout) -> Self {
        Self::Layout(layout)
    }
}

impl From<Layout> for Value {
    fn from(layout: Layout) -> Self {
        Self::Layout(layout.into())
    }
}

impl From<Tensor> for Value {
    fn from(tensor: Tensor) -> Self {
        Self::Tensor(tensor)
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<i64> for Value {
    fn from(value: i64) -> Self {
        Self::int(value)
    }
}
