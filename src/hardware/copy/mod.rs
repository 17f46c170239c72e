//! Copies: what tiles copy atoms over threads and data.
//!
//! In: an atom of [`super::atoms`], TV layouts, tilers, tensors. Out: the layouts that CuTe's
//! `Copy_Atom` and `TiledCopy` give.

pub mod tiled;

pub use super::atoms::{CopyAtom, CopyRequest, Ends, Space};
pub use tiled::{Side, TiledCopy, print_tiler};
