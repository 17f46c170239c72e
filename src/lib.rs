//! CuTe layouts as figures: an mdBook preprocessor and a library.
//!
//! The house has floors; each imports only floors below it.
//!
//! | floor | module | holds |
//! |---|---|---|
//! | 0 | [`cute`], [`diagnostic`] | the layout algebra, and the one type of message |
//! | 1 | [`expr`] | the notation: from text to layouts, with messages that point at the place |
//! | 2 | [`hardware`] | element types, atoms, memory |
//! | 3 | [`figure`] | one file per kind of figure: what to draw and to assert |
//! | 4 | [`draw`] | backends: pages, pictures, text, LaTeX, JSON |
//! | 5 | `book` | the preprocessor: Markdown in, Markdown with figures out |
//! | 6 | `cli` | the command line |
//!
//! ```
//! use mdbook_cute::draw::text::text;
//! use mdbook_cute::expr::Scope;
//! use mdbook_cute::figure::{Entry, Kind, Spec, build};
//! use mdbook_cute::hardware::functions::functions;
//!
//! let functions = functions();
//! let spec = Spec::new(Kind::Layout, vec![Entry::new("layout", "(2,4):(4,1)")]);
//! let built = build(&spec, &Scope::new(&functions)).unwrap();
//! assert!(text(&built.figure).contains("1 | 4 | 5 | 6 | 7 |"));
//! ```

#![forbid(unsafe_code)]

pub mod cute;
pub mod diagnostic;
pub mod draw;
pub mod expr;
pub mod figure;
pub mod hardware;

#[cfg(feature = "book")]
pub mod book;
#[cfg(feature = "cli")]
pub mod cli;
