//! Beyond CuTe: are two layouts the same function, and which layout gives a wanted function?
//!
//! In: two layouts. Out: yes or no with the first difference, or the layout `C` with `A o C` =
//! wanted. Invariant: an answer was checked at every index, up to [`COMPARED`].

use crate::cute::algebra::{compose_layouts, left_inverse, right_inverse};
use crate::cute::{AnyLayout, IntTuple, Layout, StrideLeaf, Tensor, Tree};
use crate::diagnostic::Diagnostic;
use crate::expr::function::{Call, Function};
use crate::expr::limits::{COMPARED, LOOKED_UP};
use std::collections::HashMap;

pub(super) const FUNCTIONS: &[Function] = &[
    Function {
        name: "equal",
        params: &["A", "B"],
        doc: "whether both are the same function of the index, and where they first differ",
        eval: |call| {
            let (a, b) = (call.tensor(0)?, call.tensor(1)?);
            if a.layout.size() != b.layout.size() {
                call.say(Diagnostic::note(
                    "first-difference",
                    format!("the sizes differ: {} and {}", a.layout.size(), b.layout.size()),
                ));
                return Ok(false.into());
            }
            let difference = first_difference(&a, &b)?;
            if let Some((index, left, right)) = &difference {
                call.say(Diagnostic::note(
                    "first-difference",
                    format!("they differ first at index {index}: {left} and {right}"),
                ));
            } else {
                partial(call, a.layout.size());
            }
            Ok(difference.is_none().into())
        },
    },
    Function {
        name: "solve",
        params: &["A", "wanted"],
        doc: "the layout C with `A(C(i)) = wanted(i)`, where one exists",
        eval: |call| {
            let (a, wanted) = (call.layout(0)?, call.plain(1)?);
            let solution = solve(&a, &wanted)?;
            partial(call, wanted.size());
            Ok(solution.into())
        },
    },
];

fn partial(call: &mut Call, size: i64) {
    if size > COMPARED {
        call.say(Diagnostic::note(
            "partial-check",
            format!("compared at the first {COMPARED} of {size} indices"),
        ));
    }
}

/// Returns the first index at which two tensors of one size differ, with both values.
fn first_difference(
    a: &Tensor,
    b: &Tensor,
) -> Result<Option<(i64, IntTuple, IntTuple)>, Diagnostic> {
    let (left, right) = (a.layout.values()?, b.layout.values()?);
    for (index, (left, right)) in (0..COMPARED).zip(left.zip(right)) {
        let (left, right) = (a.offset.add(&left?)?, b.offset.add(&right?)?);
        if !left.same_value(&right) {
            return Ok(Some((index, left, right)));
        }
    }
    Ok(None)
}

fn solve(a: &AnyLayout, wanted: &Layout) -> Result<Layout, Diagnostic> {
    if let AnyLayout::Plain(plain) = a {
        let through = |inverse: Layout| compose_layouts(&inverse, wanted).ok();
        let candidates = [right_inverse(plain), left_inverse(plain)];
        for candidate in candidates.into_iter().flatten().filter_map(through) {
            if holds(a, &candidate, wanted)? {
                return Ok(candidate);
            }
        }
    }
    let found = Preimages::of(a)?.layout(wanted)?;
    if holds(a, &found, wanted)? {
        return Ok(found);
    }
    Err(Diagnostic::error(
        "no-solution",
        format!(
            "the indices at which `{a}` has the values of `{wanted}` form no layout of shape `{}`",
            wanted.shape()
        ),
    ))
}

/// Checks `a(c(i)) = wanted(i)`, with no index of `c` outside of the domain of `a`.
fn holds(a: &AnyLayout, c: &Layout, wanted: &Layout) -> Result<bool, Diagnostic> {
    let (Ok(indices), values) = (c.values(), wanted.values()?) else { return Ok(false) };
    for (_, (index, want)) in (0..COMPARED).zip(indices.zip(values)) {
        if let Tree::Leaf(index) = index
            && !(0..a.size()).contains(&index)
        {
            return Ok(false);
        }
        match a.at(&index) {
            Ok(got) if got.same_value(&want) => {}
            _ => return Ok(false),
        }
    }
    Ok(true)
}

/// The first index of each value of a layout.
struct Preimages {
    first: HashMap<IntTuple, i64>,
    complete: bool,
    text: String,
}

impl Preimages {
    fn of(a: &AnyLayout) -> Result<Self, Diagnostic> {
        let mut first = HashMap::new();
        for (index, value) in (0..LOOKED_UP).zip(a.values()?) {
            first.entry(value?).or_insert(index);
        }
        Ok(Self { first, complete: a.size() <= LOOKED_UP, text: a.to_string() })
    }

    /// Reads strides off the indices of the first step along each mode.
    fn layout(&self, wanted: &Layout) -> Result<Layout, Diagnostic> {
        for (at, value) in (0..LOOKED_UP).zip(wanted.values()?) {
            self.index(at, &value)?;
        }
        let mut step = 1_i64;
        let stride = wanted.shape().try_map(&mut |&extent| {
            let stride = if extent == 1 { 0 } else { self.index(step, &wanted.at_index(step)?)? };
            step *= extent;
            Ok::<_, Diagnostic>(StrideLeaf::Int(stride))
        })?;
        Ok(Layout::new(wanted.shape().clone(), stride)?)
    }

    fn index(&self, at: i64, value: &IntTuple) -> Result<i64, Diagnostic> {
        self.first.get(value).copied().ok_or_else(|| {
            let text = &self.text;
            match self.complete {
                true => Diagnostic::error(
                    "no-solution",
                    format!("`{text}` never has the value {value}, which is wanted at index {at}"),
                ),
                false => Diagnostic::error(
                    "size",
                    format!("`{text}` has more than {LOOKED_UP} indices; the value {value} is not among them"),
                ),
            }
        })
    }
}
