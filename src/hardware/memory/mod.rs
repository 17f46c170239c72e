//! What the memory system makes of a thread-value layout: vector width, sectors, banks, advice.
//!
//! In: the bit address of every value of every thread ([`AddressMap`]). Out: counts a profiler would
//! show for the same access. Source: the CUDA C++ programming guide on device and shared memory, and
//! PTX `ld`, `st`, `ldmatrix`, `stmatrix`. Invariant: a warp is 32 consecutive threads, an issue is
//! one access of each of its lanes, and every count follows from the addresses alone.

mod address;
mod advice;
mod banks;
mod bytes;
mod instruction;
mod order;
mod sectors;
mod swizzle_unit;
mod vector;

pub use address::AddressMap;
pub use advice::{Advice, AdviceKind, Conflict, remove_conflicts};
pub use banks::{Banks, LaneAccess, LaneWord, Phase, bank_conflicts, lane_words};
pub use bytes::ByteRange;
pub use instruction::{Matrices, MatrixAccess, SharedInstruction};
pub use order::{ThreadOrder, WastefulLoads, order_for_loads};
pub use sectors::{Coalescing, SectorIssue, coalescing};
pub use swizzle_unit::{SwizzleUnit, element_swizzle, other_width};
pub use vector::{Obstacle, VectorWidth, vector_width};

pub use super::units::{BANK_BYTES, BANKS, LINE_BYTES, SECTOR_BYTES, WARP};
