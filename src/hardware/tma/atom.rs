//! TMA atoms: the box, who takes part, and the tensor of coordinates that instructions get.
//!
//! In: a checked [`TmaRequest`]. Out: what CuTe's `make_tiled_tma_atom` returns. Invariant: the
//! coordinate tensor has the global tensor's shape, and a coordinate has one number for each
//! dimension of the box.

use super::basis::gmem_basis;
use super::descriptor::{Descriptor, gcd};
use super::request::{Mode, TmaRequest};
use crate::cute::int_tuple::idx2crd;
use crate::cute::{Error, IntTuple, Layout, Path, Result, StrideLeaf, Tree};
use std::fmt::{self, Write};

/// A TMA copy atom.
#[derive(Clone, Debug)]
pub struct TmaAtom {
    /// The box: extents and the modes of the global tensor that they walk, innermost first.
    pub basis: Layout,
    /// Bits that one instruction moves.
    pub copy_bits: i64,
    /// CTA of the instruction to index.
    pub thr_id: Layout,
    /// (CTA, value) to element; source and destination agree.
    pub values: Layout,
    /// Coordinates of the global tensor's elements.
    pub coordinates: Coordinates,
}

/// The tensor of TMA coordinates.
#[derive(Clone, Debug)]
pub struct Coordinates {
    /// The layout, in which strides that CuTe knows only at run time are stand-ins.
    pub layout: Layout,
    /// The same layout with the run-time strides as the descriptor gives them.
    pub at_run_time: Layout,
    stand_ins: Vec<i64>,
}

/// One number of a coordinate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Component {
    /// Known when CuTe traces.
    Known(i64),
    /// Known at run time only.
    RunTime {
        /// What it is a multiple of.
        divisor: i64,
    },
}

impl fmt::Display for Component {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Known(value) => write!(f, "{value}"),
            Self::RunTime { divisor: 1 } => f.write_str("?"),
            Self::RunTime { divisor } => write!(f, "?{{div={divisor}}}"),
        }
    }
}

impl Component {
    /// Follows the DSL: a sum is a multiple of what all its terms are multiples of.
    fn plus(self, other: Self) -> Option<Self> {
        match (self, other) {
            (Self::Known(a), Self::Known(b)) => a.checked_add(b).map(Self::Known),
            (Self::RunTime { divisor: a }, Self::RunTime { divisor: b } | Self::Known(b))
            | (Self::Known(a), Self::RunTime { divisor: b }) => {
                Some(Self::RunTime { divisor: gcd(a, b).abs().max(1) })
            }
        }
    }
}

/// Returns the `n`-th prime above a million, which stands for a stride known at run time: no
/// multiple of one is a multiple of another below their product, so printing finds them again.
fn stand_in(n: usize) -> i64 {
    let is_prime = |p: &i64| (3..=p.isqrt()).step_by(2).all(|d| p % d != 0);
    (1_000_003_i64..).step_by(2).filter(is_prime).nth(n).unwrap_or(i64::MAX)
}

impl TmaAtom {
    /// Makes the atom.
    ///
    /// # Errors
    /// Whatever CuTe refuses: see [`TmaRequest::check`] and [`gmem_basis`].
    pub fn new(request: &TmaRequest) -> Result<Self> {
        request.check()?;
        let mut basis = gmem_basis(request)?;
        let mut elements = basis.size();
        if request.mode.picks_rows() {
            (basis, elements) = four_rows(&basis)?;
        }
        let copy_bits =
            elements.checked_mul(request.internal_bits()).ok_or(Error::overflow("a size"))?;
        let per_cta = copy_bits / request.dtype.bits();
        let (thr_id, values) = if request.cta_group == 2 {
            (Layout::vector(2, 1)?, Layout::new(Tree::flat([2, per_cta]), pair(per_cta, 1))?)
        } else {
            (Layout::vector(1, 0)?, Layout::new(Tree::flat([1, per_cta]), pair(0, 1))?)
        };
        let coordinates = Coordinates::new(request, &basis)?;
        Ok(Self { basis, copy_bits, thr_id, values, coordinates })
    }

    /// Counts the elements that one instruction moves for one CTA.
    #[must_use]
    pub fn elements(&self) -> i64 {
        self.values.modes().get(1).map_or(1, Layout::size)
    }
}

fn pair(first: i64, second: i64) -> Tree<StrideLeaf> {
    Tree::flat([StrideLeaf::Int(first), StrideLeaf::Int(second)])
}

/// Narrows the box to one row; an instruction moves four of them.
fn four_rows(basis: &Layout) -> Result<(Layout, i64)> {
    let modes = basis.modes();
    let rows = modes.iter().skip(1).map(|mode| {
        let stride = mode.flat_modes().first().map_or(StrideLeaf::ZERO, |m| m.stride);
        Layout::vector(1, stride)
    });
    let inner = modes.first().cloned().ok_or_else(|| Error::undefined("a box of rank 0"))?;
    let elements = inner.size().checked_mul(4).ok_or(Error::overflow("a size"))?;
    let basis =
        Layout::from_modes(std::iter::once(Ok(inner)).chain(rows).collect::<Result<Vec<_>>>()?)?;
    Ok((basis, elements))
}

impl Coordinates {
    fn new(request: &TmaRequest, basis: &Layout) -> Result<Self> {
        let descriptor = Descriptor::new(request, basis)?;
        let dimensions = basis.stride().modes();
        let mut stand_ins = Vec::new();
        let mut known = Vec::new();
        let mut real = Vec::new();
        let identity = crate::cute::algebra::make_identity_layout(request.gmem.shape())?;
        for (mode, own) in request.gmem.flat_modes().iter().zip(identity.flat_modes()) {
            let walks = |dimension: &Tree<StrideLeaf>| dimension.leaves().any(|&b| b == own.stride);
            let found = dimensions.iter().position(walks);
            let Some(at) = found.filter(|_| mode.shape > 1) else {
                known.push(StrideLeaf::ZERO);
                real.push(StrideLeaf::ZERO);
                continue;
            };
            let path = Path::new(&[at])?;
            let step = |value| StrideLeaf::Basis { value, path };
            if at == 0 {
                let scaled = mode.stride.value().checked_mul(request.dtype.bits());
                let value = scaled.ok_or(Error::overflow("a stride"))? / request.internal_bits();
                known.push(step(value));
                real.push(step(value));
            } else if dimensions[at].leaves().count() == 1 {
                known.push(step(1));
                real.push(step(1));
            } else {
                let stand_in = stand_in(stand_ins.len());
                stand_ins.push(stand_in);
                known.push(step(stand_in));
                real.push(step(descriptor.coordinate_step(at, mode.stride.value(), request)?));
            }
        }
        let shape = match (&request.index, request.mode) {
            (Some(index), Mode::Gather4 | Mode::Scatter4)
                if index.shape().is_congruent(request.gmem.shape()) =>
            {
                index.shape().clone()
            }
            _ => request.gmem.shape().clone(),
        };
        let refill = |strides: Vec<StrideLeaf>| {
            let mut next = strides.into_iter();
            let stride = shape.map(&mut |_| next.next().unwrap_or(StrideLeaf::ZERO));
            Layout::new(shape.clone(), stride)
        };
        Ok(Self { layout: refill(known)?, at_run_time: refill(real)?, stand_ins })
    }

    /// Prints a layout over these coordinates: `?@1` where a stride is known at run time only, and
    /// `?{div=4}@1` where it is a multiple of one.
    #[must_use]
    pub fn print(&self, layout: &Layout) -> String {
        let strides = layout.stride().map(&mut |&stride| self.print_stride(stride));
        format!("{}:{strides}", layout.shape())
    }

    fn print_stride(&self, stride: StrideLeaf) -> String {
        let mut text = self.component(stride.value()).to_string();
        if let Some(path) = stride.path() {
            // Writing to a String cannot fail.
            let _ = write!(text, "{path}");
        }
        text
    }

    fn component(&self, value: i64) -> Component {
        match self.stand_ins.iter().find(|&&prime| value != 0 && value % prime == 0) {
            Some(prime) => Component::RunTime { divisor: value / prime },
            None => Component::Known(value),
        }
    }

    /// Returns where a layout over these coordinates has `coord`, one number per dimension.
    ///
    /// # Errors
    /// A coordinate that does not fit the layout, and overflow.
    pub fn at(
        &self,
        layout: &Layout,
        coord: &IntTuple,
        dimensions: usize,
    ) -> Result<Vec<Component>> {
        let mut sum = vec![Component::Known(0); dimensions];
        let places = idx2crd(coord, layout.shape())?;
        for (&place, stride) in places.leaves().zip(layout.stride().leaves()) {
            let term = place.checked_mul(stride.value()).ok_or(Error::overflow("a coordinate"))?;
            let dimension = stride.path().and_then(|path| path.modes().next()).unwrap_or(0);
            if term != 0
                && let Some(number) = sum.get_mut(dimension)
            {
                let next = number.plus(self.component(term));
                *number = next.ok_or(Error::overflow("a coordinate"))?;
            }
        }
        Ok(sum)
    }

    /// Returns whether some stride is known at run time only.
    #[must_use]
    pub fn has_run_time_strides(&self) -> bool {
        !self.stand_ins.is_empty()
    }
}
