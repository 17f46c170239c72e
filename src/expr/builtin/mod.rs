//! The functions of this floor, one file per group of the reference.
//!
//! In: a call. Out: what the algebra answers, with a warning where the answer breaks the operation's
//! promise. Invariant: names and argument order are the CuTe DSL's.

mod algebra;
mod building;
mod comparing;
mod modes;
mod queries;
mod shaping;
mod tensors;
mod tuples;

use super::function::Function;

pub(super) use algebra::compose;

/// Returns all functions of this floor.
pub(super) fn all() -> impl Iterator<Item = Function> {
    [
        queries::FUNCTIONS,
        building::FUNCTIONS,
        shaping::FUNCTIONS,
        algebra::FUNCTIONS,
        tensors::FUNCTIONS,
        tuples::FUNCTIONS,
        tuples::MAKERS,
        tuples::CASTS,
        modes::FUNCTIONS,
        comparing::FUNCTIONS,
    ]
    .into_iter()
    .flatten()
    .copied()
}
