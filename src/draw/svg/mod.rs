//! Pictures: a panel of a page, all panels of an MMA in a page, and a file that stands alone.
//!
//! In: a figure, the [`Plan`](super::plan::Plan) of its sizes and what it is written for. Out: `<svg>`
//! elements in one line each. Invariant: a picture has few elements, however many cells: one path for
//! each color, one for each weight of line, and in pages one element for all labels of one ink.
//! Nothing in a picture has an id.
//!
//! | file | writes |
//! |---|---|
//! | `page`, `file`, `thumbnail` | whole pictures |
//! | `picture` | what a panel shows: grids with all that follows, or bits |
//! | `fills`, `lines`, `labels`, `axes` | the colors of a grid, its lines, labels and indices |
//! | `columns` | labels of cells as columns of text |
//! | `data` | what the script of a page reads |
//! | `words`, `swatch` | lines of text and legends of a file |
//! | `paint`, `path`, `letters` | colors, path data, letters |

mod axes;
mod bits;
mod columns;
mod corner;
mod data;
mod file;
mod fills;
mod labels;
mod letters;
mod lines;
mod page;
mod paint;
mod path;
mod picture;
mod swatch;
mod thumbnail;
mod words;

pub use file::{file, image};
pub(super) use page::{push_corner, push_panel};
pub use thumbnail::push_thumbnail;
