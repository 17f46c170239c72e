//! How much a page shows of what a figure has, and why not more.
//!
//! In: nothing. Out: named numbers. Invariant: what is left out is counted, and the JSON has it.

/// Rows of one fact that a page shows: a hundred accesses say no more than these.
pub const FACT_ROWS: usize = 64;

/// Cells along a side of the largest block that labels are merged into: more than a grid has.
pub const BLOCK_SIDE: usize = 1 << 16;
