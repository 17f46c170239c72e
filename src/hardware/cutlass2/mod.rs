//! The layout classes of CUTLASS 2.x (`cutlass::layout::*`), member by member.
//!
//! In: a class name with template arguments, strides and an extent. Out: what the class's own
//! `operator()`, `stride`, `packed`, `capacity` and `inverse` answer, the same map in CuTe's terms,
//! and notes on what surprises. Source: `include/cutlass/layout/{matrix,pitch_linear,tensor,vector,
//! tensor_op_multiplicand_sm70,sm75,sm80}.h` of CUTLASS 4.7. Invariant: numbers are the class's,
//! also where they contradict each other (a capacity below the largest offset); a member that the
//! class does not have is an error that names both.
//!
//! In reading order: [`Class`] (names and constants), [`Object`] (a class with strides), the maps
//! (`strided`, `multiplicand`), [`Twin`] (the CuTe layout), [`notes`].

mod class;
mod inverse;
mod multiplicand;
mod name;
mod notes;
mod object;
mod strided;
mod twin;

pub use class::{Class, Matrix};
pub use inverse::Inverse;
pub use multiplicand::{Multiplicand, Pattern, View};
pub use notes::{Given, notes};
pub use object::Object;
pub use twin::Twin;
