//! The kinds of figures, one file or folder per kind.

pub(super) mod complement;
pub(super) mod compose;
pub(super) mod copy;
pub(super) mod cutlass;
pub(super) mod divide;
pub(super) mod layout;
pub(super) mod local_tile;
pub(super) mod product;
pub(super) mod swizzle;
pub(super) mod tma;
pub(super) mod tv;
