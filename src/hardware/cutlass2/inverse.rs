//! Whether a class of CUTLASS 2.x can be inverted.
//!
//! In: nothing. Out: the words for what its member `inverse` does. Source: the headers of
//! `include/cutlass/layout`. Invariant: a member that is missing is not one that returns the origin.

/// What calling `inverse` of a class does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Inverse {
    /// It inverts the map.
    Real,
    /// It returns the origin whatever the offset.
    Stub,
    /// It is declared but does not compile: it calls an `inverse` that the base class lacks.
    Uncompilable,
    /// The class has no such member.
    None,
}
