//! What was asked: a spec, the keys it may have, and what its author expects.
//!
//! In: entries as text. Out: typed values, or every problem at its place.

pub mod entry;
pub mod expect;
pub mod frame;
pub mod key;
pub mod keys;
pub mod kind;
pub mod resolve;
pub mod spec;
pub mod value;
