//! Floor 4: backends. A [`Figure`](crate::figure::Figure) in, text of one format out.
//!
//! In: the figure model. Out: markup for pages, files, terminals, papers and scripts. Invariant: a
//! backend writes down what the model holds and decides nothing about what is shown; the same
//! figure gives the same bytes.
//!
//! | module | writes |
//! |---|---|
//! | [`html`] | the `<figure>` element of a page, in one line |
//! | [`svg`] | the pictures: within a page, or a file that stands alone |
//! | [`text`] | what `print_layout` would print, for terminals and other renderers |
//! | [`tikz`] | a LaTeX document |
//! | [`json`] | the object that scripts read |
//!
//! [`palette`] holds the colours, [`glyphs`] the single-stroke letters, [`markup`] the escaping.

mod facts;
pub mod glyphs;
pub mod html;
pub mod json;
mod legend;
pub mod limits;
pub mod markup;
pub mod palette;
pub mod plan;
mod regions;
pub mod svg;
pub mod text;
pub mod tikz;
