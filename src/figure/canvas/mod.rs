//! The tools of kinds: from layouts to grids of cells.
//!
//! In: layouts and looks. Out: panels, sheets, readings, tilings, counts. Invariant: what is left out
//! is said in a note.

pub mod limits;
pub mod look;
pub mod occupancy;
pub mod panel;
pub mod reading;
pub(in crate::figure) mod rectangles;
pub mod sheet;
pub mod tiling;
