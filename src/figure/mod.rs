//! Floor 3: figures. Spec in; panels, facts and notes out.
//!
//! In: a [`Spec`]. Out: a [`Figure`], which the backends of floor 4 write down without
//! deciding anything. Invariant: what is left out (labels, cells, slices) is decided here, in cells,
//! and said in a note.
//!
//! | module | holds |
//! |---|---|
//! | [`input`] | what was asked: keys, their types and values, expectations |
//! | [`model`] | what is drawn |
//! | [`canvas`] | the tools of kinds: sheets, looks, readings, limits |
//! | [`code`] | the same thing as C++ and DSL text |
//! | `kinds` | one file or folder per kind |

pub mod build;
pub mod canvas;
pub mod code;
pub mod input;
mod kinds;
pub mod model;

pub use build::{Built, build};
pub use code::snippet::Snippet;
pub use input::resolve::Keys;
pub use input::spec::{Entry, Kind, Part, Problem, Spec};
pub use model::axis::{Axis, AxisLevel, Ticks};
pub use model::facts::{Fact, Facts};
pub use model::figure::{
    Arrangement, BitPicture, Body, Figure, LegendEntry, Panel, Slice, Space, Swatch, Table,
};
pub use model::grid::{Block, Cell, Extent, Fill, Grid, Mark, Scale, Spot};
pub use model::label::{Label, Layer};
