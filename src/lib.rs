//! CuTe layouts as figures: an mdBook preprocessor and a library.
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
