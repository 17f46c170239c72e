//! Copies: atoms, and what tiles them over threads and data.
//!
//! In: an atom's name and parameters, TV layouts, tilers, tensors. Out: the layouts that CuTe's
//! `Copy_Atom` and `TiledCopy` give.

pub mod atom;
pub mod tiled;

pub use atom::{CopyAtom, CopyRequest, Ends, Space};
pub use tiled::{Side, TiledCopy, print_tiler};
