//! The units of the machine: lanes, banks, sectors, lines, accesses.
//!
//! In: nothing. Out: named numbers, the same on every NVIDIA GPU since Volta. Source: the CUDA C++
//! programming guide, and PTX on `ld`, `st` and `ldmatrix`. Invariant: what a number of these means is
//! said by its name, never by the number.

/// Lanes of a warp.
pub const WARP: usize = 32;

/// Bytes that global memory moves at least.
pub const SECTOR_BYTES: i64 = 32;

/// Bytes of a line of the caches: four sectors. Shared memory has as many in one row of its banks.
pub const LINE_BYTES: i64 = 128;

/// Banks of shared memory.
pub const BANKS: usize = 32;

/// Bytes that a bank serves in one wavefront.
pub const BANK_BYTES: i64 = 4;

/// Bytes of the widest access of one lane.
pub const ACCESS_BYTES: i64 = 16;

/// Bits of the widest access of one lane.
pub const ACCESS_BITS: i64 = ACCESS_BYTES * 8;

/// Rows of a matrix of `ldmatrix` and `stmatrix`, each of [`ACCESS_BYTES`].
pub const MATRIX_ROWS: usize = 8;
