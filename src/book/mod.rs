//! Floor 5: a book in, the same book with figures out.
//!
//! In reading order: [`preprocessor`] is what mdBook calls, and `run` lists the steps of one run over a
//! book; `job` is the data that the steps pass on. [`scan`] finds the blocks of a chapter; [`info`] and
//! [`body`] read one, with `quotes`, and [`order`] makes a spec of it; `outcome` builds and draws one figure, and
//! [`cache`] keeps figures in `private` files; `anchors` and [`ids`] give anchors; `write`, [`splice`] and [`fallback`]
//! write what replaces a block; [`gallery`], [`gallery_file`] and `pages` are the chapters of a gallery; [`paths`],
//! [`place`] and [`report`] lead messages back to the author's file; [`config`] is what the author sets. [`block`]
//! writes a figure as a block, and [`deep_link`] reads the links of the browser tool.
//!
//! No two files import each other, not even through others: a test draws the graph.

mod anchors;
pub mod assets;
pub mod block;
pub mod body;
pub mod cache;
pub mod catalogue;
pub mod config;
pub mod deep_link;
pub mod fallback;
pub mod gallery;
pub mod gallery_file;
mod hex;
pub mod ids;
pub mod info;
pub mod install;
mod job;
pub mod limits;
pub mod links;
pub mod order;
mod outcome;
mod pages;
pub mod paths;
pub mod place;
pub mod preprocessor;
mod private;
mod quotes;
pub mod reference;
pub mod report;
mod reuse;
mod run;
pub mod scan;
pub mod splice;
pub mod text;
mod toml_text;
mod write;

pub use preprocessor::Cute;
