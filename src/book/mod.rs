//! Floor 5: a book in, the same book with figures out.
//!
//! In reading order: [`scan`] finds the blocks of a chapter; [`info`] and [`body`] read one, and
//! [`order`] makes a spec of it; [`ids`] gives anchors; [`splice`] and [`fallback`] write what stands
//! in place of a block; [`place`] and [`report`] lead messages back to the author's file; [`config`]
//! is what the author sets; [`preprocessor`] puts all of it together.

pub mod body;
pub mod config;
pub mod fallback;
pub mod ids;
pub mod info;
pub mod order;
pub mod place;
pub mod preprocessor;
pub mod report;
pub mod scan;
pub mod splice;
pub mod text;

pub use preprocessor::Cute;
