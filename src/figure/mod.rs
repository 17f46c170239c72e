//! Floor 3: figures. One file per kind: spec in, panels, facts and notes out.
//!
//! In: a [`spec::Spec`]. Out: what there is to draw and to assert, without markup. A new kind is one
//! file here, one row in [`keys::KINDS`] and one arm in `build`.

pub mod keys;
pub mod resolve;
pub mod spec;

pub use resolve::Keys;
pub use spec::{Entry, Kind, Place, Problem, Spec};
