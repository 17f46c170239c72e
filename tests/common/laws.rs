//! Laws: what has to hold for random cases.
//!
//! A law that passes over most of its cases proves little and stays green; so each counts the cases
//! that it was about and asks for a floor.

use proptest::prelude::*;
use proptest::test_runner::{Config, TestCaseError, TestRunner};
use std::cell::Cell;

/// What a law makes of one case.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Case {
    /// The law held where it had something to compare.
    Held,
    /// The case is none of its business, an operation that refuses it for example.
    PassedOver,
}

pub(crate) type Outcome = Result<Case, TestCaseError>;

/// Tries a law on `cases` random cases, at least `floor` of which it has to be about.
pub(crate) fn law<S: Strategy>(
    cases: u32,
    floor: u32,
    strategy: S,
    test: impl Fn(S::Value) -> Outcome,
) {
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    let held = Cell::new(0);
    let result = TestRunner::new(config).run(&strategy, |value| {
        held.set(held.get() + u32::from(test(value)? == Case::Held));
        Ok(())
    });
    if let Err(error) = result {
        panic!("{error}");
    }
    println!("{} of {cases} cases, at least {floor}", held.get());
    assert!(held.get() >= floor, "only {} of {cases} cases say anything", held.get());
}
