//! What a layout does to its codomain: which offsets it hits, how often, and in which order.
//!
//! In: values in index order. Out: holes, repeats, the first clash, the contiguous run. Invariant:
//! `distinct + repeats` is the number of values, `distinct + holes` the length of the range.

use crate::cute::index::{at_mut, count, wide};
use crate::cute::{AnyLayout, IntTuple};
use crate::figure::canvas::limits::VALUES_CHECKED;
use serde_json::{Value, json};

/// The values of a layout in index order, one number an axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Values {
    /// Numbers in one value: 1 for offsets.
    pub arity: usize,
    /// All values, one after the other.
    pub flat: Vec<i64>,
}

impl Values {
    /// Walks a layout; `None` when it has more values than are checked, or mixed ones.
    #[must_use]
    pub fn of(layout: &AnyLayout) -> Option<Self> {
        let count = count(layout.size(), VALUES_CHECKED)?;
        if let Ok(flat) = layout.offsets() {
            return Some(Self { arity: 1, flat });
        }
        if let Some(plain) = layout.plain() {
            let mut values = plain.values().ok()?;
            let arity = values.axes().len();
            let mut flat = vec![0; arity * count];
            flat.chunks_mut(arity.max(1)).for_each(|chunk| {
                values.next_sums(chunk);
            });
            return Some(Self { arity, flat });
        }
        let mut flat = Vec::new();
        let mut arity = 0;
        for value in layout.values().ok()? {
            let value: IntTuple = value.ok()?;
            let before = flat.len();
            flat.extend(value.leaves());
            arity = flat.len() - before;
        }
        (flat.len() == arity * count).then_some(Self { arity, flat })
    }

    /// Counts the values.
    #[must_use]
    pub fn len(&self) -> usize {
        self.flat.len() / self.arity.max(1)
    }

    /// Returns whether there are none, as of an empty coordinate.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the numbers of one value.
    #[must_use]
    pub fn get(&self, index: usize) -> &[i64] {
        self.flat.get(index * self.arity..(index + 1) * self.arity).unwrap_or(&[])
    }

    /// Returns the smallest and largest number on an axis.
    #[must_use]
    pub fn range(&self, axis: usize) -> (i64, i64) {
        let numbers = self.flat.iter().copied();
        let range = match self.arity {
            1 => ends(numbers),
            arity => ends(numbers.skip(axis).step_by(arity.max(1))),
        };
        range.unwrap_or((0, 0))
    }
}

/// Returns the smallest and the largest of some numbers.
pub(in crate::figure) fn ends(numbers: impl Iterator<Item = i64>) -> Option<(i64, i64)> {
    numbers.fold(None, |range, number| {
        let (low, high) = range.unwrap_or((number, number));
        Some((number.min(low), number.max(high)))
    })
}

/// How the values of a layout lie in its codomain: from 0 (or the smallest offset, if that is
/// negative) to the largest one; on every axis for coordinates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Occupancy {
    /// Offsets that nothing maps to.
    pub holes: i64,
    /// Coordinates that hit an offset that an earlier one has hit.
    pub repeats: i64,
    /// The first such coordinate: the two indices.
    pub first_repeat: Option<(usize, usize)>,
    /// How many values from the first on count up by one; `None` for coordinates.
    pub run: Option<i64>,
    /// Whether the smallest offset is 0 on every axis.
    pub from_zero: bool,
}

impl Occupancy {
    /// Counts hits; `None` when the codomain is more than 16 times what is checked.
    #[must_use]
    pub fn of(values: &Values) -> Option<Self> {
        let ranges: Vec<(i64, i64)> = (0..values.arity)
            .map(|axis| values.range(axis))
            .map(|(low, high)| (low.min(0), high.max(0)))
            .collect();
        let mut length = 1_i64;
        for (low, high) in &ranges {
            length = length.checked_mul(high.checked_sub(*low)?.checked_add(1)?)?;
        }
        let mut first = vec![0_u32; count(length, VALUES_CHECKED * 16)?];
        let mut repeats = 0;
        let mut first_repeat = None;
        for (index, value) in values.flat.chunks(values.arity.max(1)).enumerate() {
            let place = at_mut(&mut first, linear(value, &ranges))?;
            if *place == 0 {
                *place = u32::try_from(index + 1).ok()?;
            } else {
                repeats += 1;
                let earlier = usize::try_from(*place - 1).ok()?;
                first_repeat.get_or_insert((earlier, index));
            }
        }
        let distinct = wide(values.len()) - repeats;
        let run = (values.arity == 1).then(|| {
            let pairs = values.flat.windows(2);
            1 + wide(pairs.take_while(|pair| pair[1] == pair[0] + 1).count())
        });
        Some(Self {
            holes: length - distinct,
            repeats,
            first_repeat,
            run,
            from_zero: ranges.iter().all(|range| range.0 == 0),
        })
    }

    /// Returns whether no offset is hit twice.
    #[must_use]
    pub const fn injective(&self) -> bool {
        self.repeats == 0
    }

    /// Returns whether the offsets are exactly those from 0 to the largest, each once.
    #[must_use]
    pub const fn bijective(&self) -> bool {
        self.repeats == 0 && self.holes == 0 && self.from_zero
    }

    /// Returns the clash as the JSON object of the facts: indices, coordinates, common value.
    #[must_use]
    pub fn first_repeat_json(&self, layout: &AnyLayout) -> Option<Value> {
        let (first, second) = self.first_repeat?;
        let coord = |index: usize| {
            let index = IntTuple::Leaf(wide(index));
            crate::cute::int_tuple::idx2crd(&index, layout.shape()).ok().map(|c| c.to_string())
        };
        let value = layout.at(&IntTuple::Leaf(wide(second))).ok()?;
        Some(json!({
            "first": first,
            "second": second,
            "first-coord": coord(first)?,
            "second-coord": coord(second)?,
            "value": match &value {
                IntTuple::Leaf(value) => json!(value),
                tuple @ IntTuple::Tuple(_) => json!(tuple.to_string()),
            },
        }))
    }
}

fn linear(value: &[i64], ranges: &[(i64, i64)]) -> i64 {
    let mut place = 0_i64;
    let mut weight = 1_i64;
    for (number, (low, high)) in value.iter().zip(ranges) {
        place += (number - low) * weight;
        weight *= high - low + 1;
    }
    place
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests may stop at the first surprise")]

    use super::*;
    use crate::cute::{Layout, Tree};

    fn occupancy(shape: &[i64], stride: &[i64]) -> Occupancy {
        let stride = Tree::flat(stride.iter().map(|&s| s.into()));
        let layout = Layout::new(Tree::flat(shape.iter().copied()), stride).unwrap();
        Occupancy::of(&Values::of(&layout.into()).unwrap()).unwrap()
    }

    #[test]
    fn holes_and_repeats_are_counted() {
        let holes = occupancy(&[4, 4], &[1, 8]);
        assert_eq!((holes.holes, holes.repeats, holes.injective()), (12, 0, true));
        assert!(!holes.bijective());
        let broadcast = occupancy(&[4, 2], &[1, 0]);
        assert_eq!((broadcast.holes, broadcast.repeats), (0, 4));
        assert_eq!(broadcast.first_repeat, Some((0, 4)));
        assert_eq!(broadcast.run, Some(4));
        assert!(occupancy(&[8, 8], &[8, 1]).bijective());
    }

    #[test]
    fn a_reversed_mode_is_no_bijection_onto_its_codomain() {
        let reversed = occupancy(&[4], &[-1]);
        assert_eq!((reversed.holes, reversed.injective(), reversed.bijective()), (0, true, false));
    }
}
