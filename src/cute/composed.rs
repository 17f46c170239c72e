//! Composed layouts, and the one type for "a layout of either kind".
//!
//! In: an inner function (swizzle or layout), an offset and an outer layout. Out:
//! `inner(offset + outer(c))`. Source: CuTe's `layout_composed.hpp`. Invariant: a swizzle is never
//! composed with a coordinate layout.

use super::error::{Error, Result};
use super::int_tuple::{IntTuple, Shape};
use super::layout::Layout;
use super::swizzle::Swizzle;
use super::tree::Tree;
use std::fmt;

/// What a composed layout does last.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Inner {
    /// XORs bits of the offset.
    Swizzle(Swizzle),
    /// Reads the offset as an index or a coordinate of another layout.
    Layout(Layout),
}

impl Inner {
    /// Applies the function to an offset.
    ///
    /// # Errors
    /// A coordinate given to a swizzle, and overflow.
    pub fn apply(&self, offset: &IntTuple) -> Result<IntTuple> {
        match (self, offset) {
            (Self::Swizzle(swizzle), Tree::Leaf(offset)) => Ok(Tree::Leaf(swizzle.apply(*offset))),
            (Self::Swizzle(swizzle), Tree::Tuple(_)) => Err(Error::undefined(format!(
                "`{swizzle}` permutes integer offsets, and `{offset}` is a coordinate"
            ))),
            (Self::Layout(layout), _) => layout.at(offset),
        }
    }
}

impl fmt::Display for Inner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Swizzle(swizzle) => swizzle.fmt(f),
            Self::Layout(layout) => layout.fmt(f),
        }
    }
}

/// `inner o offset o outer`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ComposedLayout {
    inner: Inner,
    offset: IntTuple,
    outer: Layout,
}

impl ComposedLayout {
    /// Joins the three parts.
    ///
    /// # Errors
    /// A swizzle over a coordinate layout or with a coordinate as offset.
    pub fn new(inner: Inner, offset: IntTuple, outer: Layout) -> Result<Self> {
        if let Inner::Swizzle(swizzle) = &inner
            && (outer.has_basis() || !offset.is_leaf())
        {
            return Err(Error::undefined(format!(
                "`{swizzle} o {offset} o {outer}` is not a layout: a swizzle permutes integer offsets"
            )));
        }
        Ok(Self { inner, offset, outer })
    }

    /// Returns what is done last.
    #[must_use]
    pub const fn inner(&self) -> &Inner {
        &self.inner
    }

    /// Returns the swizzle, if that is what is done last.
    #[must_use]
    pub const fn swizzle(&self) -> Option<Swizzle> {
        match self.inner {
            Inner::Swizzle(swizzle) => Some(swizzle),
            Inner::Layout(_) => None,
        }
    }

    /// Returns what is added before.
    #[must_use]
    pub const fn offset(&self) -> &IntTuple {
        &self.offset
    }

    /// Returns what is done first; it gives the shape.
    #[must_use]
    pub const fn outer(&self) -> &Layout {
        &self.outer
    }

    /// Returns the value of a coordinate.
    ///
    /// # Errors
    /// As [`Layout::at`].
    pub fn at(&self, coord: &IntTuple) -> Result<IntTuple> {
        self.inner.apply(&self.offset.add(&self.outer.at(coord)?)?)
    }

    /// Returns the layout of the same places in memory whose swizzle counts elements.
    ///
    /// # Errors
    /// As [`Swizzle::in_elements`].
    pub fn in_elements(&self) -> Result<Self> {
        let inner = match &self.inner {
            Inner::Swizzle(swizzle) => Inner::Swizzle(swizzle.in_elements()?),
            Inner::Layout(_) => self.inner.clone(),
        };
        Ok(Self { inner, ..self.clone() })
    }

    /// Returns the same inner function and offset over another outer layout.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn with_outer(&self, outer: Layout) -> Result<Self> {
        Self::new(self.inner.clone(), self.offset.clone(), outer)
    }
}

impl fmt::Display for ComposedLayout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} o {} o {}", self.inner, self.offset, self.outer)
    }
}

/// A layout of either kind.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum AnyLayout {
    /// Shape and stride.
    Plain(Layout),
    /// A function of a layout's values.
    Composed(ComposedLayout),
}

impl AnyLayout {
    /// Returns the plain layout, if this is one.
    #[must_use]
    pub const fn plain(&self) -> Option<&Layout> {
        match self {
            Self::Plain(layout) => Some(layout),
            Self::Composed(_) => None,
        }
    }

    /// Returns the layout that gives the domain: itself, or the outer one.
    #[must_use]
    pub const fn domain(&self) -> &Layout {
        match self {
            Self::Plain(layout) => layout,
            Self::Composed(composed) => composed.outer(),
        }
    }

    /// Returns the swizzle that is applied last, if any.
    #[must_use]
    pub const fn swizzle(&self) -> Option<Swizzle> {
        match self {
            Self::Plain(_) => None,
            Self::Composed(composed) => composed.swizzle(),
        }
    }

    /// Returns the layout of the same places in memory whose values count elements; only one with a
    /// swizzle of bytes changes.
    ///
    /// # Errors
    /// As [`Swizzle::in_elements`].
    pub fn in_elements(&self) -> Result<Self> {
        match self {
            Self::Plain(_) => Ok(self.clone()),
            Self::Composed(composed) => composed.in_elements().map(Self::Composed),
        }
    }

    /// Returns the shape of the domain.
    #[must_use]
    pub const fn shape(&self) -> &Shape {
        self.domain().shape()
    }

    /// Counts the coordinates.
    #[must_use]
    pub const fn size(&self) -> i64 {
        self.domain().size()
    }

    /// Counts the top-level modes.
    #[must_use]
    pub fn rank(&self) -> usize {
        self.domain().rank()
    }

    /// Returns the nesting depth of the shape.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.domain().depth()
    }

    /// Returns CuTe's `cosize`: of a composed layout that of its outer one, whatever the swizzle
    /// does to the largest offset.
    ///
    /// # Errors
    /// As [`Layout::cosize`].
    pub fn cosize(&self) -> Result<i64> {
        self.domain().cosize()
    }

    /// Returns the value of a coordinate: natural, of the top-level modes, or one index.
    ///
    /// # Errors
    /// As [`Layout::at`].
    pub fn at(&self, coord: &IntTuple) -> Result<IntTuple> {
        match self {
            Self::Plain(layout) => layout.at(coord),
            Self::Composed(composed) => composed.at(coord),
        }
    }

    /// Returns all integer values in order; the caller has bounded the size.
    ///
    /// # Errors
    /// Values that are coordinates, and overflow in a composition.
    pub fn offsets(&self) -> Result<Vec<i64>> {
        self.first_offsets(usize::MAX)
    }

    /// Returns the first `limit` integer values in order.
    ///
    /// # Errors
    /// As [`Self::offsets`].
    pub fn first_offsets(&self, limit: usize) -> Result<Vec<i64>> {
        match self {
            Self::Plain(layout) => Ok(layout.walk()?.take(limit).collect()),
            Self::Composed(composed) => {
                if let (Inner::Swizzle(swizzle), Tree::Leaf(base)) =
                    (composed.inner(), composed.offset())
                {
                    let walk = composed.outer().walk()?.take(limit);
                    let sum = |value: i64| base.checked_add(value).map(|sum| swizzle.apply(sum));
                    return walk
                        .map(sum)
                        .collect::<Option<_>>()
                        .ok_or(Error::overflow("an offset"));
                }
                self.values()?
                    .take(limit)
                    .map(|value| match value? {
                        Tree::Leaf(offset) => Ok(offset),
                        Tree::Tuple(_) => Err(Error::undefined(format!(
                            "the values of `{self}` are coordinates, not offsets"
                        ))),
                    })
                    .collect()
            }
        }
    }

    /// Walks the values in order.
    ///
    /// # Errors
    /// As [`Layout::values`]; each value of a composition may overflow by itself.
    pub fn values(&self) -> Result<impl Iterator<Item = Result<IntTuple>> + '_> {
        let walk = self.domain().values()?;
        Ok(walk.map(move |value| match self {
            Self::Plain(_) => Ok(value),
            Self::Composed(composed) => composed.inner().apply(&composed.offset().add(&value)?),
        }))
    }
}

impl fmt::Display for AnyLayout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Plain(layout) => layout.fmt(f),
            Self::Composed(composed) => composed.fmt(f),
        }
    }
}

impl From<Layout> for AnyLayout {
    fn from(layout: Layout) -> Self {
        Self::Plain(layout)
    }
}

impl From<ComposedLayout> for AnyLayout {
    fn from(composed: ComposedLayout) -> Self {
        Self::Composed(composed)
    }
}
