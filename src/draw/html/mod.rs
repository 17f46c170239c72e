//! The `<figure>` element of a page.
//!
//! In: a figure and what the page knows about it (anchor, caption). Out: one line of HTML. Invariants:
//! no line break, every text escaped, and no id but the figure's own anchors; the reasons are in
//! [`target`](super::target).
//!
//! | file | writes |
//! |---|---|
//! | `element` | the element and its parts |
//! | `panels` | panels with their heads, and what is offered where labels are small |
//! | `legend` | what stands below a panel |
//! | `below` | notes and tables |
//! | `facts` | what is folded below a figure |

mod below;
mod element;
mod facts;
mod legend;
mod name;
mod panels;
mod setting;

pub use element::{Parts, html};
pub use name::accessible_name;
pub use setting::{Anchor, CaptionPart, FactsTable, Setting, Width};
