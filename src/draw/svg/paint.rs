//! How colours are written: as CSS variables with fallbacks in pages, as themselves in files.
//!
//! In: a meaning. Out: the value of a `fill` or `stroke` attribute. Why: a page has five themes
//! and is printed; a file has to look right in every viewer, and some draw `var()` black.

use super::path::push_hundredths;
use crate::draw::palette;
use crate::draw::tag::Tag;
use crate::draw::target::{Target, Theme};
use crate::figure::model::label::push_int;
use crate::figure::{Fill, Scale};

/// A colour by its meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Paint {
    /// The colour of a cell.
    Cell(Scale, Fill),
    /// Text and lines on cells of a scale.
    Ink(Scale),
    /// Text and lines on the page.
    Text,
    /// The ground of a file.
    Paper,
    /// The ground of cells that stand back.
    Faded,
    /// Marks on cells of a scale.
    Fail(Scale),
    /// Marks on cells of a scale.
    Pick(Scale),
    /// Marks on cells of a scale.
    Twice(Scale),
}

impl Tag<'_> {
    /// Adds an attribute that is a color.
    #[inline]
    pub(super) fn paint(self, name: &str, paint: Paint, target: Target) -> Self {
        self.value(name, |out| paint.push(out, target))
    }

    /// Adds the attributes of a line; `width` is in hundredths of a unit. The style sheet of a book
    /// defaults to no fill and to lines in the color of text.
    pub(super) fn stroke(mut self, paint: Paint, width: i64, target: Target) -> Self {
        if target != Target::Book {
            self = self.set("fill", "none");
        }
        if target != Target::Book || paint != Paint::Text {
            self = self.paint("stroke", paint, target);
        }
        if width != 100 {
            self = self.value("stroke-width", |out| push_hundredths(out, width));
        }
        self
    }

    /// Adds a scale in hundredths, unless it changes nothing.
    pub(super) fn zoom(self, zoom: i64) -> Self {
        if zoom == 100 {
            return self;
        }
        self.value("transform", |out| {
            out.push_str("scale(");
            push_hundredths(out, zoom);
            out.push(')');
        })
    }
}

impl Paint {
    /// Appends the color.
    pub(super) fn push(self, out: &mut String, target: Target) {
        match target {
            Target::File(Theme::Light) | Target::Image(Theme::Light) => {
                out.push_str(self.literal());
            }
            Target::File(Theme::Dark) | Target::Image(Theme::Dark) => out.push_str(self.dark()),
            Target::Page | Target::Book => self.push_variable(out, target),
        }
    }

    fn literal(self) -> &'static str {
        match self {
            Self::Cell(scale, fill) => palette::colour(scale, fill).unwrap_or("none"),
            Self::Ink(_) => palette::INK,
            Self::Text => palette::TEXT,
            Self::Paper => palette::PAPER,
            Self::Faded => palette::FADED,
            Self::Fail(_) => palette::FAIL,
            Self::Pick(_) => palette::PICK,
            Self::Twice(_) => palette::TWICE,
        }
    }

    fn dark(self) -> &'static str {
        match self {
            Self::Cell(Scale::Ramp, Fill::Class(class)) => {
                palette::RAMP_DARK.get(usize::from(class)).copied().unwrap_or("none")
            }
            Self::Ink(Scale::Ramp) => palette::RAMP_INK_DARK,
            Self::Text => palette::TEXT_DARK,
            Self::Paper => palette::PAPER_DARK,
            Self::Faded => palette::FADED_DARK,
            Self::Fail(Scale::Ramp) => palette::FAIL_DARK,
            Self::Pick(Scale::Ramp) => palette::PICK_DARK,
            Self::Twice(Scale::Ramp) => palette::TWICE_DARK,
            // Categories look the same on every ground, and so do the marks on them.
            _ => self.literal(),
        }
    }

    fn push_variable(self, out: &mut String, target: Target) {
        let name = match self {
            Self::Text => return out.push_str("currentColor"),
            // Categories look the same in all themes, and so do the marks on them.
            Self::Fail(Scale::Category)
            | Self::Pick(Scale::Category)
            | Self::Twice(Scale::Category) => {
                return out.push_str(self.literal());
            }
            Self::Cell(_, Fill::Blank) | Self::Paper => return out.push_str("none"),
            Self::Cell(Scale::Ramp, _) => "r",
            Self::Cell(Scale::Category, _) => "c",
            Self::Ink(Scale::Ramp) => "ink-r",
            Self::Ink(Scale::Category) => "ink-c",
            Self::Faded => "faded",
            Self::Fail(Scale::Ramp) => "fail",
            Self::Pick(Scale::Ramp) => "pick",
            Self::Twice(Scale::Ramp) => "twice",
        };
        out.push_str("var(--cute-");
        out.push_str(name);
        if let Self::Cell(_, Fill::Class(class)) = self {
            push_int(out, class.into());
        }
        if target != Target::Book {
            out.push(',');
            out.push_str(self.literal());
        }
        out.push(')');
    }
}
