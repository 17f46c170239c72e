//! TMA: bulk tensor copies between global and shared memory.
//!
//! In: the global tensor, the shared-memory tile and its swizzle, the CTA tiler. Out: the box that
//! one instruction moves, the coordinate tensor, the descriptor, the rules, the partition.
//!
//! The modules in reading order: [`request`], [`mod@format`], [`basis`], [`atom`], [`descriptor`],
//! [`rules`], [`partition`], [`im2col`].

pub mod atom;
pub mod basis;
pub mod descriptor;
pub mod format;
pub mod im2col;
pub mod partition;
pub mod request;
pub mod rules;

pub use atom::TmaAtom;
pub use request::{Mode, TmaRequest};
