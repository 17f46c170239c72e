//! What a page adds to a figure.
//!
//! In: keys of a block, and what a book knows about it. Out: one [`Setting`]. Invariant: a figure has
//! its anchor here or elsewhere, never both.

use crate::draw::target::{Host, Labels};
use crate::figure::Spec;

/// What the page adds to a figure.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Setting<'a> {
    /// Where links to the figure lead.
    pub anchor: Anchor<'a>,
    /// The block that draws it, to be copied.
    pub source: Option<&'a str>,
    /// The author's caption.
    pub caption: &'a [CaptionPart<'a>],
    /// How the facts are shown.
    pub facts: FactsTable,
    /// How wide the figure is.
    pub width: Width,
    /// How the labels of cells are written.
    pub labels: Labels,
    /// The page that the figure is part of.
    pub host: Host,
}

/// Where links to a figure lead.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Anchor<'a> {
    /// Nowhere.
    #[default]
    None,
    /// To the figure itself.
    Here {
        /// Its id on the page.
        id: &'a str,
        /// Former ids that stay alive on this page.
        former: &'a [&'a str],
    },
    /// To the same figure at another place.
    Elsewhere {
        /// The link.
        href: &'a str,
    },
}

/// A piece of a caption.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaptionPart<'a> {
    /// Literal text.
    Text(&'a str),
    /// A link.
    Link {
        /// What is shown.
        text: &'a str,
        /// Where it leads.
        href: &'a str,
    },
}

/// How the facts of a figure are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FactsTable {
    /// Unfolded.
    Open,
    /// Folded up.
    #[default]
    Closed,
    /// Not at all.
    None,
}

/// How wide a figure is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Width {
    /// As wide as the column.
    #[default]
    Full,
    /// Half as wide, so that two figures stand side by side.
    Half,
}

impl<'a> Setting<'a> {
    /// Makes the setting of a figure with an id, whose author asks for nothing.
    #[must_use]
    pub fn new(id: &'a str) -> Self {
        Self { anchor: Anchor::Here { id, former: &[] }, ..Self::default() }
    }

    /// Makes the setting that the keys `facts`, `width` and `labels` of a figure ask for.
    #[must_use]
    pub fn of_spec(spec: &Spec) -> Self {
        let word = |key| spec.get(key).map(str::trim);
        Self {
            facts: match word("facts") {
                Some("open") => FactsTable::Open,
                Some("none") => FactsTable::None,
                _ => FactsTable::Closed,
            },
            width: if word("width") == Some("half") { Width::Half } else { Width::Full },
            labels: Labels::of_spec(spec),
            ..Self::default()
        }
    }
}
