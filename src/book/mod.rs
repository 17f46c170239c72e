//! Floor 5: a book in, the same book with figures out.
//!
//! In reading order: [`scan`] finds the blocks of a chapter, [`info`] and [`body`] read one,
//! [`place`] leads a message back to `path:line:col`.

pub mod body;
pub mod info;
pub mod scan;
pub mod text;
