//! How large an expression and its result may be, and why not larger.
//!
//! In: nothing. Out: named numbers. Invariant: no text makes the parser recurse past the stack or a
//! value fill the memory.

/// How deep brackets and calls may nest: deeper than any kernel's layouts, and shallow enough that
/// walking a tree never exhausts a thread's stack.
pub const DEPTH: usize = 64;

/// Leaves of a tuple: `let` lines could double one each, and a figure of more would be no figure.
pub const LEAVES: usize = 1 << 16;

/// The largest rank that a function may be asked for: far beyond any kernel, and small enough that a
/// slip of the pen does not fill the memory.
pub const RANK: usize = 1024;

/// Indices at which two layouts are compared: a 1024x1024 tile, a few milliseconds.
pub const COMPARED: i64 = 1 << 20;

/// Indices that `solve` looks values up among. Each is hashed as a coordinate, which takes most of a
/// microsecond: a line of `eval` should not take a second.
pub const LOOKED_UP: i64 = 1 << 16;
