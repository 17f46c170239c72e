//! Where a figure goes, and what follows from it for the way it is written.
//!
//! In: a kind of page, or a theme of a file, and how the author wants labels. Out: one `Style` for
//! all writers of pictures. Invariant: a target and its letters cannot contradict each other, since
//! only `Style::new` combines them.
//!
//! # Pages of a book
//!
//! [`Host::Book`] is a page of mdBook that has our style sheet and script. This is the one place for
//! what mdBook does to a figure, and for what is done about it:
//!
//! - It parses every chapter into a tree of elements and attributes, writes that tree again, and
//!   copies the page about a dozen times per build. So a picture has few elements, attributes that
//!   most elements would repeat (`fill`, `stroke`, `xmlns`, `height`) are left to the style sheet, and
//!   the labels of cells are text in columns, which takes a quarter of the bytes of strokes.
//! - Its search indexes every word outside of `<script>`, the `<text>` of pictures included, and a
//!   thousand `<text>` elements slow a page down. So labels are attributes or strokes, and words other
//!   than captions and open tables are script elements ([`Searched::No`]), which the style sheet shows
//!   and the script of the page turns into elements.
//! - Chapters pass through Handlebars, so braces are escaped in text and set apart in scripts.
//! - A figure is a block of raw HTML that starts with a comment, and such a block ends with the line
//!   that ends the comment (CommonMark, HTML blocks, condition 2). So it is one line.
//! - The page for printing holds all chapters and renames their ids, so a figure has no id but its
//!   anchor.
//! - Its column has room for pictures of 740 pixels: [`COLUMN`](super::plan::COLUMN).
//! - Its themes are `light`, `rust`, `coal`, `navy` and `ayu`. The colors of a page are CSS variables,
//!   and the tests of [`palette`](super::palette) hold `--bg` and `--fg` of its `variables.css`.
//!
//! [`Host::Page`] may lack style sheet and script, so everything is written out there.

use super::markup::Searched;
use crate::figure::Spec;

/// The page that shows the element of a figure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Host {
    /// A page that may lack our style sheet: every attribute is written out, and colors are CSS
    /// variables with fallbacks.
    #[default]
    Page,
    /// A page of a book that has our style sheet; see [the module](self).
    Book,
}

impl Host {
    /// Returns whether the search looks into words other than captions and tables.
    #[must_use]
    pub const fn searched(self) -> Searched {
        match self {
            Self::Page => Searched::Yes,
            Self::Book => Searched::No,
        }
    }
}

/// The colors of a picture that stands alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// For white paper.
    #[default]
    Light,
    /// For a dark page.
    Dark,
}

/// How the author wants the labels of cells: the key `labels`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Labels {
    /// As suits the target.
    #[default]
    Auto,
    /// As strokes: few elements, and nothing for the search index.
    Stroke,
    /// As `<text>`, which can be selected and edited; in images, which have no font, as strokes.
    Text,
    /// Not at all; indices, titles and bits stay, as strokes.
    None,
}

impl Labels {
    /// Reads the key `labels` of a figure.
    #[must_use]
    pub fn of_spec(spec: &Spec) -> Self {
        match spec.get("labels").map(str::trim) {
            Some("stroke") => Self::Stroke,
            Some("text") => Self::Text,
            Some("none") => Self::None,
            _ => Self::Auto,
        }
    }
}

/// What a picture is written for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// As [`Host::Page`].
    Page,
    /// As [`Host::Book`].
    Book,
    /// A file that stands alone: colors are written out, and the ground is painted.
    File(Theme),
    /// A file that is turned into pixels, where no font can be relied on.
    Image(Theme),
}

impl Target {
    /// Returns whether the picture is part of a page, whose script may work on it.
    pub(super) const fn is_page(self) -> bool {
        matches!(self, Self::Page | Self::Book)
    }
}

impl From<Host> for Target {
    fn from(host: Host) -> Self {
        match host {
            Host::Page => Self::Page,
            Host::Book => Self::Book,
        }
    }
}

/// How the labels of cells are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Letters {
    /// As strokes.
    Stroke,
    /// As text in attributes, each character in a column of its own, which needs the style sheet.
    Columns,
    /// As `<text>`.
    Text,
    /// Not at all.
    None,
}

/// A target and the letters that it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Style {
    target: Target,
    letters: Letters,
}

impl Style {
    /// Decides how labels are written, from the target and from what the author wants.
    pub(super) const fn new(target: Target, labels: Labels) -> Self {
        let letters = match (labels, target) {
            (Labels::None, _) => Letters::None,
            (Labels::Auto, Target::Book) => Letters::Columns,
            (Labels::Stroke, _)
            | (Labels::Auto, Target::Page)
            | (Labels::Auto | Labels::Text, Target::Image(_)) => Letters::Stroke,
            (Labels::Text, _) | (Labels::Auto, Target::File(_)) => Letters::Text,
        };
        Self { target, letters }
    }

    /// Returns what the picture is written for.
    pub(super) const fn target(self) -> Target {
        self.target
    }

    /// Returns how the labels of cells are written.
    pub(super) const fn letters(self) -> Letters {
        self.letters
    }

    /// Returns the style of what is written beside cells: text or strokes.
    pub(super) const fn beside_cells(self) -> Self {
        let letters = match self.letters {
            Letters::Text => Letters::Text,
            Letters::Stroke | Letters::Columns | Letters::None => Letters::Stroke,
        };
        Self { target: self.target, letters }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Columns without the style sheet show nothing, and `<text>` in an image has no font.
    #[test]
    fn letters_suit_the_target() {
        let targets = [
            Target::Page,
            Target::Book,
            Target::File(Theme::Light),
            Target::File(Theme::Dark),
            Target::Image(Theme::Light),
            Target::Image(Theme::Dark),
        ];
        for target in targets {
            for labels in [Labels::Auto, Labels::Stroke, Labels::Text, Labels::None] {
                let letters = Style::new(target, labels).letters();
                assert!(letters != Letters::Columns || target == Target::Book, "{target:?}");
                assert!(letters != Letters::Text || !matches!(target, Target::Image(_)));
                assert_eq!(letters == Letters::None, labels == Labels::None);
                let beside = Style::new(target, labels).beside_cells().letters();
                assert!(matches!(beside, Letters::Stroke | Letters::Text));
            }
        }
    }
}
