//! Floor 3: figures. One file per kind: spec in, panels, facts and notes out.
//!
//! In: a [`spec::Spec`]. Out: a [`Figure`], which the backends of floor 4 write down without
//! deciding anything. A new kind is one file here, one row in [`keys::KINDS`] and one arm in
//! `build`. Invariant: what is left out (labels, cells, slices) is decided here and said in a note.
//!
//! The model in reading order: [`model`], [`grid`], [`label`], [`axis`], [`facts`], [`limits`],
//! [`plan`].

pub mod axis;
pub mod build;
mod complement;
mod compose;
mod copy;
mod cutlass;
mod divide;
pub mod expect;
pub mod facts;
pub mod grid;
pub mod keys;
pub mod label;
pub mod layout;
pub mod limits;
mod local_tile;
pub mod look;
pub mod model;
pub mod occupancy;
pub mod plan;
mod product;
pub mod reading;
mod rectangles;
pub mod resolve;
pub mod sheet;
pub mod snippet;
pub mod spec;
mod swizzle;
pub mod tiling;
mod tma;
mod tv;

pub use axis::{Axis, AxisLevel, Ticks};
pub use build::{Built, build};
pub use facts::{Fact, Facts};
pub use grid::{Block, Cell, Fill, Grid, Mark, Scale, Spot};
pub use label::{Label, Layer};
pub use model::{
    Arrangement, BitPicture, Body, Figure, LegendEntry, Panel, Slice, Space, Swatch, Table,
};
pub use plan::{Coarse, Detail, Plan};
pub use resolve::Keys;
pub use snippet::Snippet;
pub use spec::{Entry, Kind, Part, Problem, Spec};
