//! Floor 5: a book in, the same book with figures out.
//!
//! In reading order: [`scan`] finds the blocks of a chapter; [`info`] and [`body`] read one, and
//! [`order`] makes a spec of it; `run` builds all figures, `drawn` is one and [`cache`] keeps them;
//! `anchors` and [`ids`] give anchors; `write`, [`splice`] and [`fallback`] write what stands in place
//! of a block; [`place`] and [`report`] lead messages back to the author's file; [`config`]
//! is what the author sets; [`preprocessor`] puts all of it together. [`block`] writes a figure as a
//! block, and [`deep_link`] reads the links of the browser tool.

mod anchors;
pub mod assets;
pub mod block;
pub mod body;
pub mod cache;
pub mod catalogue;
pub mod config;
pub mod deep_link;
mod drawn;
pub mod fallback;
pub mod gallery;
mod hex;
pub mod ids;
pub mod info;
pub mod install;
pub mod links;
pub mod order;
pub mod pages;
pub mod place;
pub mod preprocessor;
pub mod reference;
pub mod report;
pub mod reuse;
mod run;
pub mod scan;
pub mod splice;
pub mod text;
mod write;

pub use preprocessor::Cute;
