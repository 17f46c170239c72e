//! CuTe layouts as figures: compute a layout, check claims about it, and draw it.
//!
//! The numbers are those of CuTe and its DSL. A figure is what a kind (`layout`, `divide`, `tv`, `copy`,
//! ...) computes from keys; a backend writes it as SVG, HTML, text, LaTeX or JSON. A claim that does
//! not hold, or a value that CuTe refuses, is an error with its place.
//!
//! ```
//! use mdbook_cute::draw::svg;
//! use mdbook_cute::draw::target::{Labels, Theme};
//! use mdbook_cute::expr::Scope;
//! use mdbook_cute::figure::{Problem, Spec, build};
//!
//! fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     let spec = Spec::read(
//!         "divide",
//!         "op = zipped
//!          A = (12,32):(32,1)
//!          tiler = <3, 8>
//!          expect.tiles = 16",
//!     )?;
//!     let built = build(&spec, &Scope::default()).map_err(|problems| first(problems))?;
//!     let file = std::env::temp_dir().join("divide.svg");
//!     std::fs::write(&file, svg::file(&built.figure, Theme::Light, Labels::Auto))?;
//!     println!("{}: {}", file.display(), built.figure.title);
//!     Ok(())
//! }
//!
//! fn first(mut problems: Vec<Problem>) -> Problem {
//!     problems.swap_remove(0)
//! }
//! ```
//!
//! The algebra alone needs no figure:
//!
//! ```
//! use mdbook_cute::cute::Layout;
//! use mdbook_cute::cute::algebra::compose_layouts;
//!
//! let rows: Layout = "(4,8):(8,1)".parse()?;
//! let column = compose_layouts(&rows, &"4:1".parse()?)?;
//! assert_eq!(column.to_string(), "4:8");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The house has floors; each imports only floors below it.
//!
//! | floor | module | holds |
//! |---|---|---|
//! | 0 | [`cute`], [`diagnostic`], [`suggest`], [`brackets`] | the layout algebra, the one type of message, near names, pieces of a text |
//! | 1 | [`expr`] | the notation: from text to layouts, with messages that point at the place |
//! | 2 | [`hardware`] | element types, atoms, memory |
//! | 3 | [`figure`] | one file per kind of figure: what to draw and to assert |
//! | 4 | [`draw`] | backends: pages, pictures, text, LaTeX, JSON |
//! | 5 | `book` | the preprocessor: Markdown in, Markdown with figures out |
//! | 6 | `cli` | the command line |
//!
//! Floors 0 to 4 are pure functions without files, clocks or threads; with `default-features = false` they
//! are the whole crate. `book` and `cli` serve the program: they are not part of the stable interface.

#![forbid(unsafe_code)]

pub mod brackets;
pub mod cute;
pub mod diagnostic;
pub mod draw;
pub mod expr;
pub mod figure;
pub mod hardware;
pub mod suggest;

#[cfg(feature = "book")]
pub mod book;
#[cfg(feature = "cli")]
pub mod cli;
