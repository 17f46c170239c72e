//! What a figure is, before anybody writes it down: panels, tables, facts and notes.
//!
//! In: what a kind computed. Out: the one value every backend reads. Invariant: a figure holds no
//! markup, and nothing in it depends on the backend, the theme or the width of a page.

use crate::diagnostic::Diagnostic;
use crate::figure::model::facts::Facts;
use crate::figure::model::grid::{Fill, Grid, Mark, Scale};

/// One figure: what is drawn, what was computed, and what has to be said about it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figure {
    /// The block kind, e.g. `layout`.
    pub kind: &'static str,
    /// The first line of the picture and the accessible name: what is drawn, in words.
    pub title: String,
    /// The pictures, in reading order.
    pub panels: Vec<Panel>,
    /// How the panels stand together.
    pub arrangement: Arrangement,
    /// Tables that are part of the explanation (steps, inverse table), not facts.
    pub tables: Vec<Table>,
    /// What was computed, under stable names.
    pub facts: Facts,
    /// Warnings and notes: broken contracts, folding, whatever was left out.
    pub notes: Vec<Diagnostic>,
}

/// How the panels of a figure stand together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Arrangement {
    /// Side by side, wrapping where the column is narrow.
    #[default]
    Flow,
    /// Side by side with an arrow from each panel to the next (SRC -> DST).
    Arrows,
    /// Three panels A, B, C of an MMA: B above, A on the left, C in the corner, so that K and N
    /// line up.
    Corner,
}

/// One picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    /// The short name readers call it by: `A`, `A o B`, `SRC`.
    pub name: String,
    /// The printed layout that is drawn.
    pub layout: Option<String>,
    /// What labels count: `elements`, `bytes`.
    pub unit: Option<&'static str>,
    /// The memory that the cells are places of.
    pub badge: Option<Space>,
    /// One sentence under the picture.
    pub caption: Option<String>,
    /// What is drawn.
    pub body: Body,
    /// What the colours, borders and marks of this picture mean.
    pub legend: Vec<LegendEntry>,
}

impl Panel {
    /// Makes a panel of one grid.
    #[must_use]
    pub fn grid(name: impl Into<String>, grid: Grid) -> Self {
        Self::new(name, Body::Grids(vec![Slice { title: None, grid }]))
    }

    /// Makes a panel.
    #[must_use]
    pub fn new(name: impl Into<String>, body: Body) -> Self {
        Self {
            name: name.into(),
            layout: None,
            unit: None,
            badge: None,
            caption: None,
            body,
            legend: Vec::new(),
        }
    }

    /// Adds the printed layout.
    #[must_use]
    pub fn layout(mut self, layout: impl ToString) -> Self {
        self.layout = Some(layout.to_string());
        self
    }

    /// Adds what the labels count.
    #[must_use]
    pub fn unit(mut self, unit: &'static str) -> Self {
        self.unit = Some(unit);
        self
    }

    /// Adds the memory.
    #[must_use]
    pub fn badge(mut self, space: Space) -> Self {
        self.badge = Some(space);
        self
    }

    /// Adds a sentence under the picture.
    #[must_use]
    pub fn caption(mut self, caption: impl Into<String>) -> Self {
        self.caption = Some(caption.into());
        self
    }

    /// Adds one line of the legend.
    #[must_use]
    pub fn legend(mut self, swatch: Swatch, text: impl Into<String>) -> Self {
        self.legend.push(LegendEntry { swatch, text: text.into() });
        self
    }
}

/// A memory of the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    /// Global memory.
    Gmem,
    /// Shared memory.
    Smem,
    /// Registers.
    Rmem,
    /// Tensor memory.
    Tmem,
}

impl Space {
    /// Returns the name as CuTe writes it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Gmem => "GMEM",
            Self::Smem => "SMEM",
            Self::Rmem => "RMEM",
            Self::Tmem => "TMEM",
        }
    }
}

/// What a panel draws.
#[derive(Clone, Debug, PartialEq)]
pub enum Body {
    /// One grid, or the slices of a layout of rank 3 and more in order.
    Grids(Vec<Slice>),
    /// The bits of an offset, and which of them a swizzle XORs into which.
    Bits(BitPicture),
}

/// One grid of several.
#[derive(Clone, Debug, PartialEq)]
pub struct Slice {
    /// Which slice: `(_,_,2)`.
    pub title: Option<String>,
    /// Its cells.
    pub grid: Grid,
}

/// A swizzle seen as bits: `count` bits at `source` are XORed into those at `target`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BitPicture {
    /// Bits drawn, highest on the left.
    pub width: u32,
    /// `B`: how many bits take part.
    pub count: u32,
    /// The lowest bit that is read.
    pub source: u32,
    /// The lowest bit that is changed.
    pub target: u32,
    /// What bit 0 counts: `elements`, `bytes`.
    pub unit: &'static str,
}

/// One line of a legend.
#[derive(Clone, Debug, PartialEq)]
pub struct LegendEntry {
    /// What it looks like.
    pub swatch: Swatch,
    /// What it means.
    pub text: String,
}

/// The picture before a legend's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Swatch {
    /// One colour.
    Fill(Scale, Fill),
    /// The whole of a scale from left to right.
    Scale(Scale),
    /// The look of a marked cell.
    Mark(Mark),
    /// The line between owners or tiles.
    Border,
    /// The line between the runs of a nested mode.
    Boundary,
    /// The look of a cell that stands back.
    Faded,
    /// None: a sentence about the labels.
    Text,
}

/// A table of the explanation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// What the rows are.
    pub title: String,
    /// The names of the columns.
    pub head: Vec<String>,
    /// The rows, each as long as `head`.
    pub rows: Vec<Vec<String>>,
    /// Whether a page shows only the title until the reader asks: nothing in it is out of the
    /// ordinary.
    pub folded: bool,
}
