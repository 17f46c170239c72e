//! Floor 0: CuTe's layout algebra, pure and exact.
//!
//! In: int tuples, layouts, swizzles, tensors. Out: the same, as CuTe answers, or an [`Error`].
//! Invariant: every [`Layout`] that exists is valid (congruent, all sizes positive, size and span
//! within 63 bits), so walking one never overflows.
//!
//! ```
//! use mdbook_cute::cute::algebra::composition;
//! use mdbook_cute::cute::{Layout, Tiler, Tree};
//!
//! let rows = Layout::new(Tree::flat([4, 8]), Tree::flat([8.into(), 1.into()]))?;
//! let down = Tiler::Layout(Layout::vector(4, 1)?);
//! assert_eq!(composition(&rows.into(), &down)?.to_string(), "4:8");
//! # Ok::<(), mdbook_cute::cute::Error>(())
//! ```
//!
//! The modules in reading order: [`index`], [`tree`], [`int_tuple`], [`stride`], [`layout`], [`walk`],
//! [`swizzle`], [`composed`], [`tensor`], [`tiler`]; then the algebra.

pub mod algebra;
pub mod composed;
mod error;
pub mod index;
pub mod int_tuple;
pub mod layout;
pub mod limits;
pub mod stride;
pub mod swizzle;
pub mod tensor;
pub mod tiler;
pub mod tree;
pub mod walk;

pub use composed::{AnyLayout, ComposedLayout, Inner};
pub use error::{Error, Result};
pub use int_tuple::{Coord, CoordItem, IntTuple, Shape};
pub use layout::Layout;
pub use stride::{Path, Stride, StrideLeaf};
pub use swizzle::{OffsetUnit, Swizzle};
pub use tensor::Tensor;
pub use tiler::{Parts, Tiler};
pub use tree::Tree;
