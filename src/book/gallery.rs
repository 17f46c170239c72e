//! The gallery of a book as data.
//!
//! In: nothing; the reader of `gallery.toml` fills it. Out: a title, names for the whole book, sections, and
//! figures in them. Invariant: a figure is found by its id or by its numbers, never by a position in text.

use super::order::Order;
use super::text::EntryMap;
use crate::figure::Entry;
use std::collections::HashMap;

/// A gallery as it is written.
#[derive(Clone, Debug, Default)]
pub struct Gallery {
    /// The name of its entry in the summary, and the heading of its first page; literal, in one line.
    pub title: String,
    /// The folder of its pages.
    pub slug: String,
    /// Markdown under the heading.
    pub intro: String,
    /// Names that every expression of the book sees, in order.
    pub names: Vec<Name>,
    /// Its pages.
    pub sections: Vec<Section>,
    /// Section and number of the first figure with each id.
    by_id: HashMap<String, (usize, usize)>,
}

/// A name for the whole book.
#[derive(Clone, Debug)]
pub struct Name {
    /// The name and its expression.
    pub entry: Entry,
    /// Where they stand.
    pub map: EntryMap,
}

/// One page of figures.
#[derive(Clone, Debug, Default)]
pub struct Section {
    /// The file name of the page.
    pub slug: String,
    /// Its heading; literal, in one line.
    pub title: String,
    /// Markdown under the heading.
    pub intro: String,
    /// What it shows.
    pub figures: Vec<Order>,
}

impl Gallery {
    /// Makes a gallery without pages.
    #[must_use]
    pub fn named(title: &str, slug: &str) -> Self {
        Self { title: title.to_owned(), slug: slug.to_owned(), ..Self::default() }
    }

    /// Indexes the figures by their ids.
    #[must_use]
    pub fn indexed(mut self) -> Self {
        for (section, page) in self.sections.iter().enumerate() {
            for (number, order) in page.figures.iter().enumerate() {
                if let Some(id) = order.spec.get("id") {
                    self.by_id.entry(id.trim().to_owned()).or_insert((section, number));
                }
            }
        }
        self
    }

    /// Finds a figure by its id.
    #[must_use]
    pub fn figure(&self, id: &str) -> Option<&Order> {
        let (section, number) = *self.by_id.get(id)?;
        self.sections.get(section)?.figures.get(number)
    }

    /// Visits all figures in order.
    pub fn figures(&self) -> impl Iterator<Item = &Order> {
        self.sections.iter().flat_map(|section| &section.figures)
    }
}
