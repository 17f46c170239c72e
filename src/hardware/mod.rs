//! Floor 2: what the hardware fixes: element types, atoms, tiled copies, memory.
//!
//! In: names of types and instructions, and layouts. Out: the layouts and rules that CuTe's tables
//! give. Invariant: numbers come from tables in data files; a new instruction is a new row.

pub mod arch;
pub mod atoms;
pub mod copy;
pub mod cutlass2;
pub mod dtype;
pub mod functions;
pub mod limits;
pub mod memory;
mod memory_functions;
pub mod smem_atoms;
pub mod tma;
pub mod units;
