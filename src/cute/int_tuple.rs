//! Integer tuples: shapes, coordinates and the arithmetic on them.
//!
//! In: nested integers. Out: products, divisions, and coordinates counted up and down.
//! Source: CuTe's `int_tuple.hpp` and `stride.hpp`. Invariant: every sum and product is checked.

use super::error::{Error, Result};
use super::tree::Tree;
use std::fmt;

/// A nested tuple of integers.
pub type IntTuple = Tree<i64>;
/// The extents of a layout.
pub type Shape = IntTuple;
/// A coordinate, in which `_` keeps a whole mode.
pub type Coord = Tree<CoordItem>;

/// One entry of a coordinate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CoordItem {
    /// One place of the mode.
    At(i64),
    /// The whole mode, written `_`.
    All,
}

impl fmt::Display for CoordItem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::At(i) => i.fmt(f),
            Self::All => f.write_str("_"),
        }
    }
}

impl Coord {
    /// Returns the coordinate as integers, unless a `_` stands in it.
    #[must_use]
    pub fn to_ints(&self) -> Option<IntTuple> {
        self.try_map(&mut |item| match item {
            CoordItem::At(i) => Ok(*i),
            CoordItem::All => Err(()),
        })
        .ok()
    }
}

impl From<&IntTuple> for Coord {
    fn from(tuple: &IntTuple) -> Self {
        tuple.map(&mut |i| CoordItem::At(*i))
    }
}

impl IntTuple {
    /// Multiplies all leaves (CuTe's `size` of a shape).
    ///
    /// # Errors
    /// Overflow.
    pub fn product(&self) -> Result<i64> {
        self.leaves().try_fold(1_i64, |p, &s| p.checked_mul(s)).ok_or(Error::overflow("a size"))
    }

    /// Multiplies the leaves of each mode.
    ///
    /// # Errors
    /// Overflow.
    pub fn product_each(&self) -> Result<IntTuple> {
        match self {
            Tree::Leaf(_) => Ok(self.clone()),
            Tree::Tuple(modes) => {
                let products = modes.iter().map(IntTuple::product).collect::<Result<Vec<_>>>()?;
                Ok(Tree::flat(products))
            }
        }
    }

    /// Adds two values of a layout: integers, or coordinates mode by mode. Missing modes count as 0.
    ///
    /// # Errors
    /// An integer (other than 0) added to a coordinate, and overflow.
    pub fn add(&self, other: &Self) -> Result<Self> {
        match (self, other) {
            (Tree::Leaf(a), Tree::Leaf(b)) => {
                a.checked_add(*b).map(Tree::Leaf).ok_or(Error::overflow("an offset"))
            }
            (Tree::Tuple(a), Tree::Tuple(b)) => {
                let zero = Tree::Leaf(0);
                (0..a.len().max(b.len()))
                    .map(|i| a.get(i).unwrap_or(&zero).add(b.get(i).unwrap_or(&zero)))
                    .collect::<Result<_>>()
                    .map(Tree::Tuple)
            }
            (Tree::Leaf(0), tuple) | (tuple, Tree::Leaf(0)) => Ok(tuple.clone()),
            _ => Err(Error::mismatch(format!(
                "`{self}` and `{other}` do not add: one is an integer, the other a coordinate"
            ))),
        }
    }

    /// Whether two values of layouts are equal: axes that one of them leaves out count as 0, as
    /// they do in [`IntTuple::add`].
    #[must_use]
    pub fn same_value(&self, other: &Self) -> bool {
        match (self, other) {
            (Tree::Leaf(a), Tree::Leaf(b)) => a == b,
            (Tree::Leaf(0), tuple) | (tuple, Tree::Leaf(0)) => {
                tuple.leaves().all(|&leaf| leaf == 0)
            }
            (Tree::Tuple(a), Tree::Tuple(b)) => {
                let zero = Tree::Leaf(0);
                (0..a.len().max(b.len()))
                    .all(|i| a.get(i).unwrap_or(&zero).same_value(b.get(i).unwrap_or(&zero)))
            }
            _ => false,
        }
    }
}

/// Divides rounding up; `b` must be positive.
#[must_use]
pub const fn ceil_div_int(a: i64, b: i64) -> i64 {
    let q = a / b;
    if a % b != 0 && (a > 0) == (b > 0) { q + 1 } else { q }
}

/// Divides one shape by another, as CuTe's `shape_div`: `a / b` where it divides, 1 where `b` is a
/// multiple of `a`; a tuple by an integer divides leaf by leaf from the left.
///
/// # Errors
/// Leaves of which neither divides the other; ranks that differ.
pub fn shape_div(a: &Shape, b: &Shape) -> Result<Shape> {
    let refuse =
        || Error::rule("divisibility", format!("`{a}` and `{b}` do not divide each other"));
    match (a, b) {
        (Tree::Tuple(xs), Tree::Tuple(ys)) => {
            if xs.len() != ys.len() {
                return Err(Error::mismatch(format!(
                    "`{a}` has rank {} and `{b}` has rank {}",
                    xs.len(),
                    ys.len()
                )));
            }
            xs.iter().zip(ys).map(|(x, y)| shape_div(x, y)).collect::<Result<_>>().map(Tree::Tuple)
        }
        (Tree::Tuple(xs), Tree::Leaf(_)) => {
            let mut rest = b.clone();
            let mut out = Vec::with_capacity(xs.len());
            for x in xs {
                out.push(shape_div(x, &rest)?);
                rest = shape_div(&rest, &Tree::Leaf(x.product()?))?;
            }
            Ok(Tree::Tuple(out))
        }
        (Tree::Leaf(_), Tree::Tuple(_)) => shape_div(a, &Tree::Leaf(b.product()?)),
        (&Tree::Leaf(x), &Tree::Leaf(y)) => {
            // Checked: the least integer divided by -1 does not fit.
            if let (Some(quotient), Some(0)) = (x.checked_div(y), x.checked_rem(y)) {
                Ok(Tree::Leaf(quotient))
            } else if y != 0 && y.checked_rem(x) == Some(0) {
                Ok(Tree::Leaf(x.signum() * y.signum()))
            } else {
                Err(refuse())
            }
        }
    }
}

/// Counts the tiles of shape `b` that cover `a`, mode by mode of `b` (CuTe DSL's `ceil_div`); modes
/// past those of `b` are kept, and below a leaf of `b` only the size of `a` counts.
///
/// # Errors
/// A divisor of more modes than the shape, or one that is not positive.
pub fn ceil_div(a: &Shape, b: &Shape) -> Result<Shape> {
    match (a, b) {
        (Tree::Tuple(xs), Tree::Tuple(ys)) if ys.len() <= xs.len() => xs
            .iter()
            .enumerate()
            .map(|(i, x)| ys.get(i).map_or_else(|| Ok(x.clone()), |y| ceil_div(x, y)))
            .collect::<Result<_>>()
            .map(Tree::Tuple),
        (_, &Tree::Leaf(y)) => Ok(Tree::Leaf(ceil_div_int(a.product()?, positive(y)?))),
        _ => {
            Err(Error::mismatch(format!("`{b}` has more modes than `{a}`, which it should divide")))
        }
    }
}

/// Divides a shape by another rounding up, leaf by leaf; an integer divides a tuple from the left.
///
/// # Errors
/// A tuple divisor where the shape is an integer, and a divisor that is not positive.
pub(crate) fn shape_ceil_div(a: &Shape, b: &Shape) -> Result<Shape> {
    match (a, b) {
        (Tree::Tuple(xs), Tree::Tuple(ys)) => {
            if ys.len() > xs.len() {
                return Err(Error::mismatch(format!(
                    "`{b}` has rank {}, more than `{a}` with rank {}",
                    ys.len(),
                    xs.len()
                )));
            }
            xs.iter()
                .enumerate()
                .map(|(i, x)| ys.get(i).map_or_else(|| Ok(x.clone()), |y| shape_ceil_div(x, y)))
                .collect::<Result<_>>()
                .map(Tree::Tuple)
        }
        (Tree::Tuple(xs), Tree::Leaf(_)) => {
            let mut rest = b.product()?;
            let mut out = Vec::with_capacity(xs.len());
            for x in xs {
                out.push(shape_ceil_div(x, &Tree::Leaf(rest))?);
                rest = ceil_div_int(rest, positive(x.product()?)?);
            }
            Ok(Tree::Tuple(out))
        }
        (Tree::Leaf(_), Tree::Tuple(_)) => shape_ceil_div(a, &Tree::Leaf(b.product()?)),
        (&Tree::Leaf(x), &Tree::Leaf(y)) => Ok(Tree::Leaf(ceil_div_int(x, positive(y)?))),
    }
}

/// Rounds a shape up to multiples of another.
///
/// # Errors
/// As [`ceil_div`], and overflow.
pub fn round_up(a: &Shape, b: &Shape) -> Result<Shape> {
    match (a, b) {
        (Tree::Tuple(xs), Tree::Tuple(ys)) if ys.len() <= xs.len() => xs
            .iter()
            .enumerate()
            .map(|(i, x)| ys.get(i).map_or_else(|| Ok(x.clone()), |y| round_up(x, y)))
            .collect::<Result<_>>()
            .map(Tree::Tuple),
        (&Tree::Leaf(x), &Tree::Leaf(y)) => ceil_div_int(x, positive(y)?)
            .checked_mul(y)
            .map(Tree::Leaf)
            .ok_or(Error::overflow("a shape")),
        _ => Err(Error::mismatch(format!(
            "`{a}` cannot be rounded up to `{b}`: their nesting differs"
        ))),
    }
}

fn positive(divisor: i64) -> Result<i64> {
    if divisor > 0 {
        Ok(divisor)
    } else {
        Err(Error::rule("divisor", format!("the divisor {divisor} is not positive")))
    }
}

/// Splits an index into a coordinate of `shape`, first mode fastest; the last mode takes what is
/// left, so an index past the end goes on there (CuTe's `idx2crd`). A tuple index splits by mode.
///
/// # Errors
/// A tuple index whose nesting does not fit the shape.
pub fn idx2crd(index: &IntTuple, shape: &Shape) -> Result<IntTuple> {
    match (index, shape) {
        (Tree::Leaf(_), Tree::Leaf(_)) => Ok(index.clone()),
        (&Tree::Leaf(i), Tree::Tuple(modes)) => {
            let mut rest = i;
            let mut out = Vec::with_capacity(modes.len());
            for (at, mode) in modes.iter().enumerate() {
                let size = mode.product()?;
                let here = if at + 1 == modes.len() { rest } else { rest % size };
                rest /= size;
                out.push(idx2crd(&Tree::Leaf(here), mode)?);
            }
            Ok(Tree::Tuple(out))
        }
        (Tree::Tuple(is), Tree::Tuple(modes)) if is.len() == modes.len() => {
            is.iter().zip(modes).map(|(i, m)| idx2crd(i, m)).collect::<Result<_>>().map(Tree::Tuple)
        }
        _ => Err(Error::mismatch(format!("the index `{index}` does not fit the shape `{shape}`"))),
    }
}

/// Counts a coordinate up by one, first mode fastest; past the end it starts again at 0 in all
/// modes but the last top-level one (CuTe's `increment`).
///
/// # Errors
/// A coordinate whose nesting differs from the shape's.
pub fn increment_coord(coord: &IntTuple, shape: &Shape) -> Result<IntTuple> {
    if !coord.is_congruent(shape) {
        return Err(Error::mismatch(format!(
            "the coordinate `{coord}` and the shape `{shape}` are not congruent"
        )));
    }
    let sizes: Vec<i64> = shape.leaves().copied().collect();
    let mut digits: Vec<i64> = coord.leaves().copied().collect();
    for (i, digit) in digits.iter_mut().enumerate() {
        *digit = digit.checked_add(1).ok_or(Error::overflow("a coordinate"))?;
        if *digit < sizes[i] || i + 1 == sizes.len() {
            break;
        }
        *digit = 0;
    }
    let mut next = digits.into_iter();
    Ok(coord.map(&mut |_| next.next().unwrap_or(0)))
}
