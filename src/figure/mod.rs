//! Floor 3: figures. Spec in; panels, facts and notes out.
//!
//! In: a [`Spec`]. Out: a [`Figure`], which the backends of floor 4 write down without
//! deciding anything. Invariant: what is left out (labels, cells, slices) is decided here, in cells,
//! and said in a note.
//!
//! ```
//! use mdbook_cute::expr::{Functions, Scope};
//! use mdbook_cute::figure::{Entry, Kind, Spec, build};
//!
//! let functions = Functions::core();
//! let keys = [("A", "(4,8):(8,1)"), ("tiler", "<2,4>"), ("expect.tiles", "4")];
//! let entries = keys.map(|(key, value)| Entry::new(key, value)).to_vec();
//! let built = build(&Spec::new(Kind::parse("divide").unwrap(), entries), &Scope::new(&functions)).unwrap();
//! assert_eq!(built.figure.facts.get("size"), Some(&32.into()));
//! assert_eq!(built.figure.panels.len(), 2);
//! ```
//!
//! | module | holds |
//! |---|---|
//! | [`input`] | what was asked: keys, their types and values, expectations |
//! | [`model`] | what is drawn |
//! | [`canvas`] | the tools of kinds: panels, sheets, looks, readings, limits |
//! | [`code`] | the same thing as C++ and DSL text |
//! | `kinds` | one file or folder per kind |

mod build;
pub mod canvas;
pub mod code;
pub mod input;
mod kinds;
pub mod model;

pub use build::{Built, build};
pub use code::snippet::Snippet;
pub use input::entry::{Entry, Part, Problem};
pub use input::keys::Keys;
pub use input::kind::Kind;
pub use input::spec::Spec;
pub use kinds::{KINDS, is_input};
pub use model::axis::{Axis, AxisLevel, Ticks};
pub use model::facts::{Fact, Facts};
pub use model::figure::{
    Arrangement, BitPicture, Body, Figure, LegendEntry, Panel, Slice, Space, Swatch, Table,
};
pub use model::grid::{Block, Cell, Extent, Fill, Grid, Mark, Scale, Spot};
pub use model::label::{Label, Layer};
