//! How much this floor computes at most, and why not more.
//!
//! In: nothing. Out: named numbers. Invariant: whoever stops at one of them says so, or returns
//! nothing rather than a part.

/// Addresses that one call of the notation looks at, so that no expression runs for long.
pub const ADDRESSES: i64 = 1 << 20;

/// Bits of the widest element, far beyond any type: an element is cut into accesses, and as many
/// addresses fit into memory.
pub const ELEMENT_BITS: i64 = 1 << 16;

/// The widest span of memory that is ticked off byte by byte: a bit for each takes 512 KiB. Wider
/// ones are sorted.
pub const BYTES_TICKED: i64 = 1 << 22;

/// Coordinates of the largest layout that a candidate without conflicts is tried on; shared memory
/// holds fewer elements than this.
pub const TRIED: i64 = 1 << 20;

/// Accesses of 16 bytes that padding adds to a row: as many as the banks hold side by side.
pub const PADDED_ACCESSES: i64 = 8;

/// Bits of a swizzle against conflicts: 3 already spread over the eight 16-byte groups of the banks.
pub const SWIZZLE_BITS: i64 = 3;

/// Swizzles against conflicts that are offered: as many as a person compares.
pub const SWIZZLES_OFFERED: usize = 4;

/// Coordinates of a CUTLASS 2.x layout that are compared one by one with its CuTe twin: a proof past
/// this takes longer than a figure may.
pub const TWIN_POINTS: i64 = 1 << 18;

/// Coordinates that are compared of a larger extent.
pub const TWIN_SAMPLES: i64 = 1 << 14;

/// The highest rank of an `AffineRankN`; CUTLASS uses up to 6.
pub const AFFINE_RANK: i64 = 8;
