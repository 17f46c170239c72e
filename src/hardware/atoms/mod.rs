//! Atoms: the instructions that CuTe names, as tables.
//!
//! In: `copy.txt`, one row per copy atom, and `keywords.txt`, the keywords of the DSL's operations.
//! Out: [`CopyAtom`], found by any spelling, and how code writes it. Invariant: a new instruction is
//! a new row; no program text knows an instruction by its name.
//!
//! The modules in reading order: `table` reads any of the tables, `keyword` and `copy_row` give
//! their rows types, `spelling` takes apart what somebody wrote, `find` looks it up, [`copy`] makes
//! the atom, with `width` for its bits, and `code` writes it. [`printed`] reads the layouts in the
//! cells.
//!
//! # Names
//! `SM75_U32x4_LDSM_N`, `cute::SM75_U32x4_LDSM_N`, `Copy_Atom<SM75_U32x4_LDSM_N, half_t>`,
//! `Copy_Traits<...>`, `LdMatrix8x8x16bOp(num_matrices=4)` with or without its module and with
//! arguments by place or by name, `make_copy_atom(...)` around it, and `ldmatrix.x4` are one atom.
//! `cp.async` is `cp.async.ca`, the DSL's default, and `cp.async.16` is that of 16 bytes;
//! `DefaultCopy` and `AutoVectorizingCopy` are what the C++ headers define them as. A name that
//! several atoms share, as `ldmatrix` alone, is refused with their short forms: PTX has no default
//! there either.

mod code;
pub mod copy;
mod copy_row;
mod find;
mod keyword;
pub mod printed;
mod request;
mod space;
mod spelling;
mod table;
mod width;

pub use code::TmaOperation;
pub use copy::{CopyAtom, Ends};
pub use request::CopyRequest;
pub use space::Space;
