//! What was asked: a spec, the keys it may have, and what its author expects.
//!
//! In: entries as text. Out: typed values, or every problem at its place.

pub mod expect;
pub mod keys;
pub mod resolve;
pub mod spec;
