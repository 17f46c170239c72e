//! CuTe layouts as figures: an mdBook preprocessor and a library.
//!
//! The house has floors; each imports only floors below it.
//!
//! | floor | module | holds |
//! |---|---|---|
//! | 2 | [`hardware`] | element types, atoms, copies, memory |
//! | 0 | [`cute`], [`diagnostic`] | the layout algebra, and the one type of message |

#![forbid(unsafe_code)]

pub mod cute;
pub mod diagnostic;
pub mod hardware;
