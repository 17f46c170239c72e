//! The values of a layout as a figure writes them: numbers, labels, steps of a ramp.
//!
//! In: a layout and the offset of a tensor over it. Out: the value of any index. Invariant: a layout
//! of up to [`FOLLOWED`] coordinates is walked once; of a larger one only what is drawn is
//! looked up.

use crate::cute::index::{capped, wide};
use crate::cute::int_tuple::idx2crd;
use crate::cute::{AnyLayout, IntTuple, Layout, Tree};
use crate::diagnostic::Diagnostic;
use crate::expr::Value;
use crate::figure::canvas::limits::FOLLOWED;
use crate::figure::canvas::occupancy::{Values, ends};
use crate::figure::model::grid::{Fill, Scale};
use crate::figure::model::label::Label;
use std::borrow::Cow;

/// The values of one layout.
#[derive(Clone, Debug)]
pub struct Reading {
    layout: AnyLayout,
    walked: Option<Values>,
    base: Option<IntTuple>,
    offset: Vec<i64>,
    template: IntTuple,
    range: (i64, i64),
}

impl Reading {
    /// Reads a layout; `base` is added to each value that is shown.
    ///
    /// # Errors
    /// A layout without values (integer and basis strides mixed), an offset that does not add to
    /// them, and values beyond 63 bits.
    pub fn of(layout: &AnyLayout, base: Option<&IntTuple>) -> Result<Self, Diagnostic> {
        Self::walking(layout, base, FOLLOWED)
    }

    /// As [`Self::of`], but walks layouts of up to `limit` coordinates.
    ///
    /// # Errors
    /// As [`Self::of`].
    pub fn walking(
        layout: &AnyLayout,
        base: Option<&IntTuple>,
        limit: i64,
    ) -> Result<Self, Diagnostic> {
        let template = layout.at(&IntTuple::Leaf(0))?;
        if let Some(base) = base {
            base.add(&template)?;
        }
        let cosize = layout.cosize()?;
        let walked = if layout.size() <= limit { Values::of(layout) } else { None };
        let range = walked.as_ref().map_or((0, cosize - 1), |values| values.range(0));
        Ok(Self {
            layout: layout.clone(),
            walked,
            base: base.cloned(),
            offset: base.iter().flat_map(|base| base.leaves().copied()).collect(),
            template,
            range,
        })
    }

    /// Spreads the colours over the values of some indices, where those are all that is drawn.
    pub fn narrow(&mut self, indices: impl Iterator<Item = usize>) {
        let of = |index| self.numbers(index).first().copied().unwrap_or(0);
        self.range = ends(indices.map(of)).unwrap_or(self.range);
    }

    /// Reads a plain layout.
    ///
    /// # Errors
    /// As [`Self::of`].
    pub fn plain(layout: &Layout) -> Result<Self, Diagnostic> {
        Self::of(&layout.clone().into(), None)
    }

    /// Returns the layout.
    #[must_use]
    pub const fn layout(&self) -> &AnyLayout {
        &self.layout
    }

    /// Returns the printed form, the offset of a tensor included.
    #[must_use]
    pub fn printed(&self) -> String {
        match &self.base {
            Some(base) => format!("{base} o {}", self.layout),
            None => self.layout.to_string(),
        }
    }

    /// Returns all values, unless there are too many.
    #[must_use]
    pub const fn values(&self) -> Option<&Values> {
        self.walked.as_ref()
    }

    /// Counts the values, unless there are too many to be walked.
    #[must_use]
    pub fn walked(&self) -> Option<usize> {
        self.walked.as_ref().map(Values::len)
    }

    /// Counts the coordinates, or says `usize::MAX` for more than this target can count. Only those
    /// of a layout with [`Self::values`] may be visited.
    #[must_use]
    pub fn size(&self) -> usize {
        capped(self.layout.size(), usize::MAX)
    }

    /// Returns the numbers of a value, without the offset of a tensor.
    #[must_use]
    pub fn numbers(&self, index: usize) -> Cow<'_, [i64]> {
        if let Some(values) = &self.walked {
            return Cow::Borrowed(values.get(index));
        }
        let value = self.layout.at(&leaf(index)).unwrap_or(IntTuple::Leaf(0));
        Cow::Owned(value.leaves().copied().collect())
    }

    /// Returns the numbers of a value with the offset of a tensor.
    #[must_use]
    pub fn shifted(&self, index: usize) -> Vec<i64> {
        let base = |axis: usize| self.offset.get(axis).copied().unwrap_or(0);
        let numbers = self.numbers(index);
        numbers.iter().enumerate().map(|(axis, &n)| n.saturating_add(base(axis))).collect()
    }

    /// Returns the value with the offset of a tensor.
    #[must_use]
    pub fn value(&self, index: usize) -> Option<IntTuple> {
        let value = self.layout.at(&leaf(index)).ok()?;
        match &self.base {
            Some(base) => base.add(&value).ok(),
            None => Some(value),
        }
    }

    /// Writes a value, the offset of a tensor included.
    #[must_use]
    pub fn label(&self, index: usize) -> Label {
        value_label(&self.numbers(index), &self.offset, &self.template)
    }

    /// Writes the coordinate of an index.
    #[must_use]
    pub fn coord_label(&self, index: usize) -> Label {
        match idx2crd(&leaf(index), self.layout.shape()) {
            Ok(coord) => Label::text(coord.to_string()),
            Err(_) => Label::Blank,
        }
    }

    /// Returns the colour of a value: a step of the ramp for offsets; for coordinates the first
    /// axis, a colour of its own for each of a few.
    #[must_use]
    pub fn fill(&self, index: usize) -> Fill {
        let number = self.numbers(index).first().copied().unwrap_or(0);
        match self.scale() {
            Scale::Ramp => Fill::ramp(number, self.range.0, self.range.1),
            Scale::Category => Fill::numbered(number - self.range.0, Fill::CATEGORIES.into()),
        }
    }

    /// Returns the scale of [`Self::fill`].
    #[must_use]
    pub fn scale(&self) -> Scale {
        let few = self.range.1.saturating_sub(self.range.0) < i64::from(Fill::CATEGORIES);
        if few && !self.template.is_leaf() { Scale::Category } else { Scale::Ramp }
    }

    /// Says what [`Self::fill`] means.
    #[must_use]
    pub fn fill_meaning(&self) -> String {
        let base = self.offset.first().copied().unwrap_or(0);
        let (low, high) = (self.range.0.saturating_add(base), self.range.1.saturating_add(base));
        let what = if self.template.is_leaf() { "offset" } else { "first axis of the coordinate" };
        format!("{what}, {low} to {high}")
    }

    /// Returns whether values are offsets, not coordinates.
    #[must_use]
    pub const fn has_offsets(&self) -> bool {
        self.template.is_leaf()
    }
}

/// Writes the numbers of a value, plus those of an offset, in the form of `template`.
fn value_label(value: &[i64], offset: &[i64], template: &IntTuple) -> Label {
    let sum = |axis: usize| {
        let base = offset.get(axis).copied().unwrap_or(0);
        value.get(axis).copied().unwrap_or(0).saturating_add(base)
    };
    match (template, value.len()) {
        (Tree::Leaf(_), _) => Label::Int(sum(0)),
        (Tree::Tuple(modes), 2) if modes.iter().all(Tree::is_leaf) => Label::coord(sum(0), sum(1)),
        (tuple, _) => {
            let mut axis = 0;
            let value = tuple.map(&mut |_| {
                axis += 1;
                sum(axis - 1)
            });
            Label::text(value.to_string())
        }
    }
}

/// Reads a layout, or a tensor as its layout and offset.
///
/// # Errors
/// Anything else.
pub fn tensor_of(value: &Value) -> Result<(AnyLayout, Option<IntTuple>), Diagnostic> {
    match value {
        Value::Tensor(tensor) => Ok((tensor.layout.clone(), Some(tensor.offset.clone()))),
        value => Ok((value.to_layout()?, None)),
    }
}

/// Says that a layout has more coordinates than are checked.
#[must_use]
pub fn unchecked(size: i64, what: &str) -> Diagnostic {
    Diagnostic::note("unchecked", format!("more than {FOLLOWED} coordinates ({size}): {what}"))
}

/// Writes an index as the coordinate that the algebra takes.
#[must_use]
pub fn leaf(index: usize) -> IntTuple {
    IntTuple::Leaf(wide(index))
}
