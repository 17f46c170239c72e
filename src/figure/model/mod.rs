//! What is drawn: figures, grids, labels, axes and facts. No pixels.
//!
//! In: what the kinds compute. Out: plain data that every backend writes down.

pub mod axis;
pub mod borders;
pub mod coarse;
pub mod facts;
pub mod figure;
pub mod grid;
pub mod label;
pub mod regions;
