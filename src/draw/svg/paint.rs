//! How colours are written: as CSS variables with fallbacks in pages, as themselves in files.
//!
//! In: a meaning. Out: the value of a `fill` or `stroke` attribute. Why: a page has five themes
//! and is printed; a file has to look right in every viewer, and some draw `var()` black.

use super::{Medium, push_hundredths};
use crate::draw::palette;
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

impl Paint {
    /// Appends ` name="colour"`.
    pub(super) fn push(self, out: &mut String, name: &str, medium: Medium) {
        out.push(' ');
        out.push_str(name);
        out.push_str("=\"");
        self.push_value(out, medium);
        out.push('"');
    }

    /// Appends the colour.
    pub(super) fn push_value(self, out: &mut String, medium: Medium) {
        match medium {
            Medium::File => out.push_str(self.literal()),
            Medium::DarkFile => out.push_str(self.dark()),
            Medium::Page | Medium::Book => self.push_variable(out, medium),
        }
    }

    /// Appends the attributes of a line; `width` is in hundredths of a unit. A book's style sheet says
    /// that nothing is filled and that lines are as text.
    pub(super) fn push_stroke(self, out: &mut String, width: i64, medium: Medium) {
        if medium != Medium::Book {
            out.push_str(" fill=\"none\"");
        }
        if medium != Medium::Book || self != Self::Text {
            self.push(out, "stroke", medium);
        }
        if width != 100 {
            out.push_str(" stroke-width=\"");
            push_hundredths(out, width);
            out.push('"');
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

    fn push_variable(self, out: &mut String, medium: Medium) {
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
        if medium != Medium::Book {
            out.push(',');
            out.push_str(self.literal());
        }
        out.push(')');
    }
}
