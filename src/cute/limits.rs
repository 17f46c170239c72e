//! How much the algebra looks at, beyond what an answer needs, and why not more.
//!
//! In: nothing. Out: named numbers. Invariant: an answer never depends on them, only what is found
//! out about it.

/// Points at which a contract is checked: a 256x256 tile, well under a millisecond.
pub const CONTRACT_POINTS: i64 = 1 << 16;
