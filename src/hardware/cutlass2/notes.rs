//! What surprises people about these classes, for one object and extent.
//!
//! In: an object, an extent and how the strides were given. Out: messages, the broken contracts
//! first. Invariant: each names the class, the member and the numbers at hand.

use super::class::{Class, Matrix};
use super::inverse::Inverse;
use super::multiplicand::{Pattern, View};
use super::object::{Object, check_extent};
use super::twin::offsets;
use crate::cute::index::wide;
use crate::diagnostic::Diagnostic;
use crate::hardware::limits::TWIN_POINTS;

/// Where the strides of an object come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Given {
    /// They were written down.
    Stride,
    /// `packed(extent)` chose them.
    Packed,
}

/// Collects the notes on an object over an extent.
///
/// # Errors
/// A bad extent, and products that wrap in C++.
pub fn notes(object: &Object, extent: &[i64], given: Given) -> Result<Vec<Diagnostic>, Diagnostic> {
    let class = object.class();
    check_extent(class, extent)?;
    let mut notes = Vec::from_iter(zero_ldm(object));
    let points = extent.iter().try_fold(1_i64, |product, &n| product.checked_mul(n));
    if points.is_some_and(|points| points <= TWIN_POINTS) {
        let survey = Survey::of(object, extent)?;
        notes.extend(overlap(object, extent, given, &survey));
        notes.extend(capacity(object, extent, &survey)?);
        notes.extend(survey.lowest_note(class));
    }
    notes.extend(partial_group(object, extent));
    notes.extend(asserting_capacity(object, extent));
    notes.extend(inverse(class));
    notes.extend(packing(class, given));
    if class == Class::ContiguousMatrix && object.matrix() == Some(Matrix::ColumnMajor) {
        notes.push(Diagnostic::note(
            "cutlass-default",
            "`ContiguousMatrix` is column major here, which is also its default",
        ));
    }
    Ok(notes)
}

/// What a walk over all offsets finds.
struct Survey {
    lowest: i64,
    largest: i64,
    distinct: usize,
    /// The first coordinate whose offset was hit before, and the coordinate that hit it.
    clash: Option<(Vec<i64>, Vec<i64>, i64)>,
}

impl Survey {
    fn of(object: &Object, extent: &[i64]) -> Result<Self, Diagnostic> {
        let offsets = offsets(object, extent)?;
        let mut order: Vec<usize> = (0..offsets.len()).collect();
        // Stable: of equal offsets the earlier coordinate stays first.
        order.sort_by_key(|&at| offsets[at]);
        let repeats = order.windows(2).filter(|pair| offsets[pair[0]] == offsets[pair[1]]);
        let clash = repeats.clone().min_by_key(|pair| pair[1]);
        Ok(Self {
            lowest: order.first().map_or(0, |&at| offsets[at]),
            largest: order.last().map_or(0, |&at| offsets[at]),
            distinct: offsets.len() - repeats.count(),
            clash: clash.map(|pair| {
                (coord_at(pair[0], extent), coord_at(pair[1], extent), offsets[pair[1]])
            }),
        })
    }

    fn lowest_note(&self, class: Class) -> Option<Diagnostic> {
        (self.lowest < 0).then(|| {
            Diagnostic::warning(
                "cutlass-negative",
                format!(
                    "offsets of `{class}` go down to {}: the pointer must not be the start of the allocation",
                    self.lowest
                ),
            )
        })
    }
}

/// Returns the coordinate at a place of the enumeration that the proof of the twin uses too.
fn coord_at(place: usize, extent: &[i64]) -> Vec<i64> {
    let mut rest = wide(place);
    let digit = |&n: &i64| {
        let i = rest % n;
        rest /= n;
        i
    };
    extent.iter().map(digit).collect()
}

fn tuple(coord: &[i64]) -> String {
    let numbers: Vec<String> = coord.iter().map(i64::to_string).collect();
    format!("({})", numbers.join(","))
}

fn zero_ldm(object: &Object) -> Option<Diagnostic> {
    let class = object.class();
    let affine = matches!(
        class,
        Class::AffineRankN(_) | Class::AffineRank2ColumnMajor | Class::AffineRank2RowMajor
    );
    if affine || object.ldm() != 0 {
        return None;
    }
    let inverse =
        if class.inverse() == Inverse::Real { " and `inverse` divides by zero" } else { "" };
    Some(
        Diagnostic::warning(
            "cutlass-ldm",
            format!(
                "`{class}` with a stride of 0, which is its default: lines lie on each other, `capacity` is 0{inverse}"
            ),
        )
        .hint("missing packed default: call `packed(extent)`, or leave `ldm` out here"),
    )
}

fn overlap(object: &Object, extent: &[i64], given: Given, survey: &Survey) -> Option<Diagnostic> {
    let class = object.class();
    let (first, second, offset) = survey.clash.as_ref()?;
    if let Class::Multiplicand(multiplicand) = class
        && matches!(
            multiplicand.pattern,
            Pattern::ColumnMajorInterleaved { .. } | Pattern::RowMajorInterleaved { .. }
        )
    {
        return Some(Diagnostic::note(
            "cutlass-access",
            format!(
                "`{class}` gives one offset for each access of 16 elements: the position inside is dropped, so offsets repeat"
            ),
        ));
    }
    let reason = match (class, extent) {
        (Class::TensorNCxHWx(x), &[.., c]) if given == Given::Packed && c % x != 0 => format!(
            ": `packed` takes h*w*c as the stride of an image and does not round c = {c} up to a multiple of {x}"
        ),
        (Class::Multiplicand(_), _) => {
            ": the class expects a certain tile shape, and does not check it".to_owned()
        }
        _ => ": nothing checks the strides against the extent".to_owned(),
    };
    Some(Diagnostic::warning(
        "cutlass-overlap",
        format!(
            "coordinates {} and {} of `{class}` share offset {offset}{reason}",
            tuple(first),
            tuple(second),
        ),
    ))
}

fn capacity(
    object: &Object,
    extent: &[i64],
    survey: &Survey,
) -> Result<Option<Diagnostic>, Diagnostic> {
    let class = object.class();
    let capacity = object.capacity(extent)?;
    if object.ldm() == 0 && capacity == 0 {
        return Ok(None);
    }
    if capacity <= survey.largest {
        let reason = match class {
            Class::AffineRank2ColumnMajor => {
                "it is columns x the column's stride, whatever the row's"
            }
            Class::AffineRank2RowMajor => "it is rows x the row's stride, whatever the column's",
            Class::TensorCxRSKx(_) => "it counts whole groups of c only",
            Class::TensorNCxHWx(_) => "it is n x the stride of an image",
            Class::Multiplicand(_) => "it does not know where the permutation puts elements",
            _ => "the stride is smaller than what one line needs",
        };
        return Ok(Some(Diagnostic::warning(
            "cutlass-capacity",
            format!(
                "`{class}::capacity` of {} is {capacity}, and the largest offset is {}: {reason}",
                tuple(extent),
                survey.largest,
            ),
        )));
    }
    let used = wide(survey.distinct);
    Ok((capacity > used).then(|| {
        Diagnostic::note(
            "cutlass-padding",
            format!(
                "`{class}::capacity` of {} is {capacity}: {} of these elements are padding",
                tuple(extent),
                capacity.saturating_sub(used),
            ),
        )
    }))
}

fn partial_group(object: &Object, extent: &[i64]) -> Option<Diagnostic> {
    let class = object.class();
    let modes = object.modes()?;
    let (mode, (&n, name)) = modes
        .iter()
        .zip(extent.iter().zip(class.coord_names()))
        .find(|(mode, (n, _))| mode.group.is_some_and(|group| *n % group.size != 0))?;
    let size = mode.group?.size;
    Some(Diagnostic::note(
        "cutlass-partial",
        format!(
            "{n} is not a multiple of {size}: the last group of the {name} of `{class}` is partial. `operator()` does not look at the extent, so coordinates past it are valid inside the group"
        ),
    ))
}

/// `TensorNHWC` and `TensorNDHWC` assert in debug builds that extents fit the strides.
fn asserting_capacity(object: &Object, extent: &[i64]) -> Option<Diagnostic> {
    let class = object.class();
    if !matches!(class, Class::TensorNHWC | Class::TensorNDHWC) {
        return None;
    }
    let strides = object.stride();
    let names = class.coord_names();
    let needs = std::iter::once(1).chain(strides.iter().copied());
    let inner = extent.iter().zip(names).skip(1).rev();
    let (((n, name), need), stride) = inner
        .zip(needs)
        .zip(strides)
        .find(|(((n, _), need), stride)| n.saturating_mul(*need) > **stride)?;
    Some(Diagnostic::warning(
        "cutlass-assert",
        format!(
            "`{class}::capacity` stops at an assertion in debug builds: {n} steps of {need} along {name} do not fit into the next stride, {stride}"
        ),
    ))
}

fn inverse(class: Class) -> Option<Diagnostic> {
    let text = match class.inverse() {
        Inverse::Real => return None,
        Inverse::Stub => {
            format!("`{class}::inverse` is a stub: it returns the origin for every offset")
        }
        Inverse::Uncompilable => {
            format!("`{class}::inverse` is declared but does not compile: its base class has none")
        }
        Inverse::None => format!("`{class}` has no member `inverse`"),
    };
    Some(Diagnostic::note("cutlass-inverse", text))
}

fn packing(class: Class, given: Given) -> Option<Diagnostic> {
    if given != Given::Packed {
        return None;
    }
    let text = match class {
        Class::ColumnMajorBlockLinear(r, c) => {
            format!(
                "`{class}::packed` takes rows x {} as ldm, larger than the rows x {c} that are needed",
                r * c
            )
        }
        Class::RowMajorBlockLinear(r, c) => {
            format!(
                "`{class}::packed` takes columns x {} as ldm, larger than the columns x {r} that are needed",
                r * c
            )
        }
        Class::Multiplicand(multiplicand)
            if matches!(multiplicand.pattern, Pattern::Crosswise64b | Pattern::Crosswise128x4) =>
        {
            let which =
                if multiplicand.view == View::PitchLinear { "contiguous" } else { "strided" };
            format!(
                "`{class}::packed` takes the {which} extent as stride; the base class takes the contiguous one, its wrappers the strided one"
            )
        }
        Class::PackedVectorLayout => return None,
        _ => format!("no stride was given: these are the strides of `{class}::packed(extent)`"),
    };
    Some(Diagnostic::note("cutlass-packed", text))
}
