//! A question to the table of copy atoms.
//!
//! In: what an author or a caller knows about an atom. Out: the same, as one value. Invariant: nothing in
//! it is checked yet.

use crate::hardware::arch::Arch;
use crate::hardware::dtype::ElementType;

/// A question to the table of copy atoms.
#[derive(Clone, Debug, Default)]
pub struct CopyRequest<'a> {
    /// The atom in any spelling: the C++ operation, alone or in `Copy_Atom<...>` or
    /// `Copy_Traits<...>`; the DSL's operation with its parameters as code or as words, alone or in
    /// `make_copy_atom(...)`; a short form.
    pub name: &'a str,
    /// Parameters of a DSL operation beside those in the name: `num_matrices`, `transpose`,
    /// `unpack_bits`, `repeat`, `pack`, `red`, `cta_group`; a flag that is set has the value `true`.
    pub params: Vec<(&'static str, String)>,
    /// Further keywords of the DSL: `memory_order=ACQUIRE` ...
    pub attrs: Vec<(String, String)>,
    /// The element type.
    pub dtype: Option<ElementType>,
    /// `num_bits_per_copy`, or the bits of one TMA instruction.
    pub bits: Option<i64>,
    /// The compilation target.
    pub arch: Option<Arch>,
}
