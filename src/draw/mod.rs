//! Floor 4: backends. A [`Figure`](crate::figure::Figure) in, text of one format out.
//!
//! In: the figure model. Out: markup for pages, files, terminals, papers and scripts. Invariant: a
//! backend decides how large things are and how they look, never which cells or labels are shown; the
//! same figure gives the same bytes.
//!
//! | module | writes |
//! |---|---|
//! | [`html`] | the `<figure>` element of a page, in one line |
//! | [`svg`] | the pictures: within a page, or a file that stands alone |
//! | [`text`] | what `print_layout` would print, for terminals and other renderers |
//! | [`tikz`] | a LaTeX document |
//! | [`json`] | the object that scripts read |
//!
//! [`target`] holds where a figure goes and what follows from it, [`plan`] the sizes, [`palette`] the
//! colors, [`glyphs`] the single-stroke letters, [`markup`] the escaping.
//!
//! From the keys of a block to a picture:
//!
//! ```
//! use mdbook_cute::draw::svg;
//! use mdbook_cute::draw::target::{Labels, Theme};
//! use mdbook_cute::expr::{Functions, Scope};
//! use mdbook_cute::figure::{Entry, Kind, Spec, build};
//!
//! let layout = Entry::new("layout", "((2,2),3):((1,6),2)");
//! let spec = Spec::new(Kind::LAYOUT, vec![layout, Entry::new("title", "Nested")]);
//! let functions = Functions::core();
//! let built = build(&spec, &Scope::new(&functions)).expect("the layout is valid");
//!
//! let picture = svg::file(&built.figure, Theme::Dark, Labels::Auto);
//! assert!(picture.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
//! assert!(picture.contains("<title>Nested</title>"));
//! // The largest offset: 1*1 + 1*6 + 2*2.
//! assert!(picture.contains(">11</text>"));
//! ```

pub mod glyphs;
pub mod html;
pub mod json;
pub mod limits;
pub mod markup;
pub mod palette;
pub mod plan;
mod raster;
pub mod svg;
mod tag;
pub mod target;
pub mod text;
pub mod tikz;
