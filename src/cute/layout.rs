//! Layouts: functions from coordinates to offsets, given by a shape and congruent strides.
//!
//! In: shape and stride. Out: sizes, ranks, modes, and the offset of a coordinate. Source: CuTe's
//! `layout.hpp`. Invariant: shape and stride are congruent, every extent is positive, and neither
//! the size nor any offset inside the domain leaves 63 bits.

use super::error::{Error, Result};
use super::int_tuple::{IntTuple, Shape, idx2crd};
use super::stride::{Stride, StrideLeaf};
use super::tree::Tree;
use std::fmt;

/// A layout `shape:stride`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Layout {
    shape: Shape,
    stride: Stride,
    size: i64,
}

/// One integer mode of a flattened layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FlatMode {
    /// The extent, positive.
    pub shape: i64,
    /// The stride.
    pub stride: StrideLeaf,
}

impl Layout {
    /// Joins a shape and its strides.
    ///
    /// # Errors
    /// Nesting that differs, extents below 1, and numbers beyond 63 bits.
    pub fn new(shape: Shape, stride: Stride) -> Result<Self> {
        if !shape.is_congruent(&stride) {
            return Err(Error::mismatch(incongruence(&shape, &stride)));
        }
        if let Some(extent) = shape.leaves().find(|&&extent| extent < 1) {
            return Err(Error::rule(
                "positive-extent",
                format!("the shape `{shape}` has an extent of {extent}; extents are 1 or more"),
            ));
        }
        let size = shape.product()?;
        let mut span = 0_i64;
        for (&extent, stride) in shape.leaves().zip(stride.leaves()) {
            let reach = (extent - 1).checked_mul(stride.value()).and_then(i64::checked_abs);
            span = reach
                .and_then(|reach| span.checked_add(reach))
                .ok_or(Error::overflow("the span of a layout"))?;
        }
        if span > i64::MAX / 4 {
            return Err(Error::overflow("the span of a layout"));
        }
        Ok(Self { shape, stride, size })
    }

    /// Makes the layout with compact strides, first mode fastest (CuTe's `make_layout(shape)`).
    /// Extents of 1 get stride 0.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn column_major(shape: Shape) -> Result<Self> {
        let mut next = 1_i64;
        let stride = shape.try_map(&mut |&extent| {
            let stride = StrideLeaf::Int(if extent == 1 { 0 } else { next });
            next = next.checked_mul(extent).ok_or(Error::overflow("a stride"))?;
            Ok::<_, Error>(stride)
        })?;
        Self::new(shape, stride)
    }

    /// Makes the layout of one integer mode, `extent:stride`.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn vector(extent: i64, stride: impl Into<StrideLeaf>) -> Result<Self> {
        Self::new(Tree::Leaf(extent), Tree::Leaf(stride.into()))
    }

    /// Joins layouts as the modes of one.
    ///
    /// # Errors
    /// Numbers beyond 63 bits.
    pub fn from_modes(modes: impl IntoIterator<Item = Layout>) -> Result<Self> {
        let (shapes, strides) = modes.into_iter().map(|m| (m.shape, m.stride)).unzip();
        Self::new(Tree::Tuple(shapes), Tree::Tuple(strides))
    }

    /// Makes a flat layout of integer modes; one mode gives no tuple, none gives `1:0`.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn from_flat(modes: &[FlatMode]) -> Result<Self> {
        match modes {
            [] => Self::vector(1, StrideLeaf::ZERO),
            [mode] => Self::vector(mode.shape, mode.stride),
            _ => Self::new(
                Tree::flat(modes.iter().map(|mode| mode.shape)),
                Tree::flat(modes.iter().map(|mode| mode.stride)),
            ),
        }
    }

    /// Returns the shape.
    #[must_use]
    pub const fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Returns the strides.
    #[must_use]
    pub const fn stride(&self) -> &Stride {
        &self.stride
    }

    /// Counts the coordinates.
    #[must_use]
    pub const fn size(&self) -> i64 {
        self.size
    }

    /// Counts the top-level modes.
    #[must_use]
    pub fn rank(&self) -> usize {
        self.shape.rank()
    }

    /// Returns the nesting depth of the shape.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.shape.depth()
    }

    /// Returns the top-level modes as layouts; an integer layout is its own only mode.
    #[must_use]
    pub fn modes(&self) -> Vec<Self> {
        self.shape
            .modes()
            .iter()
            .zip(self.stride.modes())
            .map(|(shape, stride)| Self::part(shape.clone(), stride.clone()))
            .collect()
    }

    /// Returns what a path of modes leads to.
    ///
    /// # Errors
    /// A path that leaves the layout.
    pub fn at_path(&self, path: &[usize]) -> Result<Self> {
        match (self.shape.at_path(path), self.stride.at_path(path)) {
            (Some(shape), Some(stride)) => Ok(Self::part(shape.clone(), stride.clone())),
            _ => Err(Error::mismatch(format!("`{self}` has no mode {}", mode_path(path)))),
        }
    }

    /// Wraps a piece of a valid layout, which is valid by itself.
    fn part(shape: Shape, stride: Stride) -> Self {
        let size = shape.leaves().product();
        Self { shape, stride, size }
    }

    /// Returns all integer modes from left to right.
    #[must_use]
    pub fn flat_modes(&self) -> Vec<FlatMode> {
        self.shape
            .leaves()
            .zip(self.stride.leaves())
            .map(|(&shape, &stride)| FlatMode { shape, stride })
            .collect()
    }

    /// Returns whether offsets are coordinates: some stride is a scaled basis.
    #[must_use]
    pub fn has_basis(&self) -> bool {
        self.stride.leaves().any(|stride| stride.path().is_some())
    }

    /// Returns one past the largest offset, strides taken positive (CuTe's `cosize`); of a
    /// coordinate layout the product over the axes.
    ///
    /// # Errors
    /// A layout that mixes integer and basis strides, and overflow.
    pub fn cosize(&self) -> Result<i64> {
        let axes = self.axes()?;
        let mut reach = vec![1_i64; axes.len().max(1)];
        for mode in self.flat_modes() {
            let axis = match mode.stride.path() {
                Some(path) => axes.slot(path)?,
                None => 0,
            };
            // The span is within 61 bits (see `new`), so this cannot overflow.
            reach[axis] += (mode.shape - 1) * mode.stride.value().abs();
        }
        reach
            .iter()
            .try_fold(1_i64, |product, &extent| product.checked_mul(extent))
            .ok_or(Error::overflow("a cosize"))
    }

    /// Returns the offset of a coordinate: natural, of the top-level modes, or one index. Modes
    /// are not bounds-checked; the last one of a split index takes the rest (CuTe's `crd2idx`).
    ///
    /// # Errors
    /// A coordinate whose nesting does not fit, and overflow.
    pub fn at(&self, coord: &IntTuple) -> Result<IntTuple> {
        let mut out = self.axes()?.zero();
        self.accumulate(coord, &self.shape, &self.stride, &mut out)?;
        Ok(out)
    }

    /// Returns the offset of the `index`-th coordinate; see [`Self::at`].
    ///
    /// # Errors
    /// Overflow.
    pub fn at_index(&self, index: i64) -> Result<IntTuple> {
        self.at(&Tree::Leaf(index))
    }

    fn accumulate(
        &self,
        coord: &IntTuple,
        shape: &Shape,
        stride: &Stride,
        out: &mut IntTuple,
    ) -> Result<()> {
        match (coord, shape, stride) {
            (Tree::Leaf(i), Tree::Leaf(_), Tree::Leaf(stride)) => add_step(out, *stride, *i),
            (Tree::Leaf(_), Tree::Tuple(_), _) => {
                self.accumulate(&idx2crd(coord, shape)?, shape, stride, out)
            }
            (Tree::Tuple(coords), Tree::Tuple(shapes), Tree::Tuple(strides))
                if coords.len() == shapes.len() =>
            {
                for ((coord, shape), stride) in coords.iter().zip(shapes).zip(strides) {
                    self.accumulate(coord, shape, stride, out)?;
                }
                Ok(())
            }
            _ => Err(Error::mismatch(format!(
                "the coordinate `{coord}` does not fit the shape `{shape}`"
            ))),
        }
    }
}

/// Adds `index` steps of `stride` to a value.
fn add_step(out: &mut IntTuple, stride: StrideLeaf, index: i64) -> Result<()> {
    let step = stride.value().checked_mul(index).ok_or(Error::overflow("an offset"))?;
    let mut place = out;
    if let Some(path) = stride.path() {
        for mode in path.modes() {
            place = match place {
                Tree::Tuple(modes) if mode < modes.len() => &mut modes[mode],
                _ => return Err(Error::undefined("a basis leads outside of the coordinate")),
            };
        }
    }
    match place {
        Tree::Leaf(value) => {
            *value = value.checked_add(step).ok_or(Error::overflow("an offset"))?;
            Ok(())
        }
        Tree::Tuple(_) if step == 0 => Ok(()),
        Tree::Tuple(_) => Err(Error::undefined(
            "a layout cannot mix integer strides with basis strides: an integer and a coordinate do not add",
        )),
    }
}

fn incongruence(shape: &Shape, stride: &Stride) -> String {
    match (shape, stride) {
        (Tree::Tuple(shapes), Tree::Tuple(strides)) if shapes.len() == strides.len() => {
            let at = shapes.iter().zip(strides).position(|(a, b)| !a.is_congruent(b));
            let at = at.unwrap_or(0);
            format!(
                "shape and stride differ in mode {at}: {}",
                incongruence(&shapes[at], &strides[at])
            )
        }
        _ => format!(
            "the shape `{shape}` has rank {} and the stride `{stride}` has rank {}{}",
            shape.rank(),
            stride.rank(),
            if shape.rank() == stride.rank() { ", but only one of them is a tuple" } else { "" },
        ),
    }
}

/// Writes a path of modes as CuTe's `mode=[...]`.
pub(crate) fn mode_path(path: &[usize]) -> String {
    format!("{path:?}").replace(' ', "")
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.shape, self.stride)
    }
}

impl From<i64> for StrideLeaf {
    fn from(value: i64) -> Self {
        Self::Int(value)
    }
}
