//! Every offset of a layout in order, as an odometer over its flat modes.
//!
//! In: a valid layout. Out: its values for index 0, 1, 2, ... without a division or an allocation
//! per point. Invariant: a walk gives exactly `size` values; none overflows (see [`Layout::new`]).

use super::error::{Error, Result};
use super::int_tuple::IntTuple;
use super::layout::{FlatMode, Layout};
use super::stride::Path;
use super::tree::Tree;

impl Layout {
    /// Walks the offsets of a layout with integer strides.
    ///
    /// # Errors
    /// A coordinate layout: its values are not integers; see [`Self::values`].
    pub fn walk(&self) -> Result<Walk> {
        if self.has_basis() {
            return Err(Error::undefined(format!(
                "`{self}` is a coordinate layout: its values are coordinates, not offsets"
            )));
        }
        Ok(Walk { digits: Digit::of(&self.flat_modes()), value: 0, left: self.size() })
    }

    /// Walks the values of any layout.
    ///
    /// # Errors
    /// A layout that mixes integer and basis strides.
    pub fn values(&self) -> Result<Values> {
        let axes = self.axes()?;
        let modes = self.flat_modes();
        // A mode of one coordinate never moves, so the odometer has no digit for it.
        let moving = modes.iter().filter(|mode| mode.shape > 1);
        let slots = moving
            .map(|mode| mode.stride.path().map_or(Ok(0), |path| axes.slot(path)))
            .collect::<Result<Vec<_>>>()?;
        Ok(Values {
            digits: Digit::of(&modes).into_iter().zip(slots).collect(),
            sums: vec![0; axes.len().max(1)],
            axes,
            left: self.size(),
        })
    }

    /// Returns the axes that the layout's values have.
    ///
    /// # Errors
    /// Bases of which one is a part of the other, and integer strides beside bases.
    pub fn axes(&self) -> Result<Axes> {
        let paths: Vec<Path> = self.stride().leaves().filter_map(|stride| stride.path()).collect();
        if paths.is_empty() {
            return Ok(Axes { template: Tree::Leaf(0) });
        }
        let moves = |mode: &FlatMode| {
            mode.shape > 1 && mode.stride.path().is_none() && mode.stride.value() != 0
        };
        if let Some(mode) = self.flat_modes().iter().find(|mode| moves(mode)) {
            return Err(Error::undefined(format!(
                "`{self}` mixes the integer stride {} with basis strides: an integer and a coordinate do not add",
                mode.stride
            )));
        }
        let mut template = Tree::Leaf(None);
        for path in &paths {
            grow(&mut template, path)?;
        }
        let mut slot = 0;
        let template = template.map(&mut |_: &Option<()>| {
            slot += 1;
            slot - 1
        });
        Ok(Axes { template })
    }
}

/// The form of a layout's values: one integer, or a coordinate whose leaves are numbered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axes {
    template: Tree<usize>,
}

impl Axes {
    /// Counts the axes; 0 means that values are plain integers.
    #[must_use]
    pub fn len(&self) -> usize {
        if self.template.is_leaf() { 0 } else { self.template.leaves().count() }
    }

    /// Returns whether values are plain integers.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the origin.
    #[must_use]
    pub fn zero(&self) -> IntTuple {
        self.template.map(&mut |_| 0)
    }

    /// Gives a coordinate from one number an axis.
    #[must_use]
    pub fn coordinate(&self, sums: &[i64]) -> IntTuple {
        self.template.map(&mut |&slot| sums.get(slot).copied().unwrap_or(0))
    }

    /// Returns the number of the axis that a basis walks.
    ///
    /// # Errors
    /// A basis that does not lead to an axis.
    pub fn slot(&self, path: Path) -> Result<usize> {
        let modes: Vec<usize> = path.modes().collect();
        match self.template.at_path(&modes) {
            Some(Tree::Leaf(slot)) if !self.template.is_leaf() => Ok(*slot),
            _ => {
                Err(Error::undefined(format!("the basis `1{path}` is not an axis of this layout")))
            }
        }
    }
}

/// Makes room for `path` in a coordinate's form; `Some` marks axes that a basis ends at.
fn grow(template: &mut Tree<Option<()>>, path: &Path) -> Result<()> {
    let clash = || {
        Error::undefined(format!("the basis `1{path}` and another one lead to a mode and into it"))
    };
    let mut place = template;
    for mode in path.modes() {
        if let Tree::Leaf(end) = place {
            if end.is_some() {
                return Err(clash());
            }
            *place = Tree::Tuple(Vec::new());
        }
        let Tree::Tuple(modes) = place else { return Err(clash()) };
        while modes.len() <= mode {
            modes.push(Tree::Leaf(None));
        }
        place = &mut modes[mode];
    }
    match place {
        Tree::Leaf(end) => {
            *end = Some(());
            Ok(())
        }
        Tree::Tuple(_) => Err(clash()),
    }
}

#[derive(Clone, Copy, Debug)]
struct Digit {
    size: i64,
    at: i64,
    step: i64,
    /// What one full turn of this digit has added.
    turn: i64,
}

impl Digit {
    fn of(modes: &[FlatMode]) -> Vec<Self> {
        modes
            .iter()
            .filter(|mode| mode.shape > 1)
            .map(|mode| {
                let step = mode.stride.value();
                Self { size: mode.shape, at: 0, step, turn: step * (mode.shape - 1) }
            })
            .collect()
    }
}

/// The offsets of an integer layout in order; see [`Layout::walk`].
#[derive(Clone, Debug)]
pub struct Walk {
    digits: Vec<Digit>,
    value: i64,
    left: i64,
}

impl Iterator for Walk {
    type Item = i64;

    #[inline]
    fn next(&mut self) -> Option<i64> {
        if self.left == 0 {
            return None;
        }
        self.left -= 1;
        let value = self.value;
        for digit in &mut self.digits {
            digit.at += 1;
            if digit.at < digit.size {
                self.value += digit.step;
                break;
            }
            digit.at = 0;
            self.value -= digit.turn;
        }
        Some(value)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        match usize::try_from(self.left) {
            Ok(left) => (left, Some(left)),
            // More than a count of this target: at least its largest one, with no upper bound.
            Err(_) => (usize::MAX, None),
        }
    }
}

/// The values of any layout in order; see [`Layout::values`].
#[derive(Clone, Debug)]
pub struct Values {
    digits: Vec<(Digit, usize)>,
    sums: Vec<i64>,
    axes: Axes,
    left: i64,
}

impl Values {
    /// Returns the next value as one number an axis, without allocating.
    pub fn next_sums(&mut self, out: &mut [i64]) -> bool {
        if self.left == 0 {
            return false;
        }
        self.left -= 1;
        for (to, from) in out.iter_mut().zip(&self.sums) {
            *to = *from;
        }
        for (digit, slot) in &mut self.digits {
            digit.at += 1;
            if digit.at < digit.size {
                self.sums[*slot] += digit.step;
                break;
            }
            digit.at = 0;
            self.sums[*slot] -= digit.turn;
        }
        true
    }

    /// Returns the form of the values.
    #[must_use]
    pub const fn axes(&self) -> &Axes {
        &self.axes
    }
}

impl Iterator for Values {
    type Item = IntTuple;

    fn next(&mut self) -> Option<IntTuple> {
        let value = self.axes.coordinate(&self.sums);
        self.next_sums(&mut []).then_some(value)
    }
}
