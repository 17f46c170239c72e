//! The colours, and the names of the CSS variables that carry them in pages.
//!
//! In: a scale and a step of it. Out: a colour. Invariants, each a test: any two of the 32
//! categories differ by 10 or more (CIE76) for a reader with ordinary vision, protanopia,
//! deuteranopia and tritanopia (Machado, Oliveira, Fernandes 2009, severity 1); text has a
//! contrast of 4.5 or more (WCAG 2) on every colour of every theme.

use crate::figure::{Fill, Scale};

/// A colour as `#rrggbb`.
pub type Hex = &'static str;

/// Colours of [`Scale::Category`]: four rows of lightness, eight columns of hue. The same in all
/// themes; text on them is [`INK`].
pub const CATEGORIES: [Hex; Fill::CATEGORIES as usize] = [
    "#e4f0ff", "#fed1bf", "#9ecea0", "#fdea81", "#f0d0ff", "#93e8db", "#f8b9c2", "#f0f6c1",
    "#8bb2dc", "#feb65d", "#c9fbde", "#d7b96d", "#eab2ff", "#52d8e0", "#ea8383", "#bfdc9e",
    "#79adfa", "#f39d80", "#a2eb8c", "#cb9e49", "#a680bc", "#28babf", "#db7aa8", "#89a861",
    "#668ed5", "#ca7a47", "#70bd9d", "#a88922", "#9583ef", "#02a09d", "#e16181", "#869060",
];

/// Text and lines on [`CATEGORIES`] in all themes, and on [`RAMP`] in light ones.
pub const INK: Hex = "#14171a";

/// Steps of [`Scale::Ramp`] on light pages, small offsets light. Text on them is [`INK`].
pub const RAMP: [Hex; Fill::RAMP as usize] = [
    "#f9f7e3", "#eaf3d7", "#daefcc", "#c6e8c6", "#b3e2c6", "#a1dbc7", "#90d4c9", "#82cdcb",
    "#77c5ce", "#6fbed0", "#69b7d2", "#65afd3", "#64a8d4", "#64a0d5", "#6499d6", "#6492d7",
];

/// Steps of [`Scale::Ramp`] on dark pages, small offsets dark. Text on them is [`RAMP_INK_DARK`].
pub const RAMP_DARK: [Hex; Fill::RAMP as usize] = [
    "#1c2741", "#192e4e", "#13365b", "#083f67", "#00486f", "#005174", "#015876", "#075d75",
    "#0e6273", "#156671", "#1c6b6d", "#236e6a", "#2a7265", "#317561", "#36795c", "#3b7c57",
];

/// Text and lines on [`RAMP_DARK`].
pub const RAMP_INK_DARK: Hex = "#f4f6f8";

/// Text beside the cells of a file, which stands on [`PAPER`].
pub const TEXT: Hex = "#1f2328";
/// The ground of a file.
pub const PAPER: Hex = "#ffffff";
/// Cells that stand back, on light pages.
pub const FADED: Hex = "#e9ebee";
/// Cells that break a contract, on light pages.
pub const FAIL: Hex = "#c2102e";
/// Cells that the author picked, on light pages.
pub const PICK: Hex = "#0a4fd0";
/// Cells that are hit twice, on light pages.
pub const TWICE: Hex = "#8a1c7c";

/// As [`FADED`], on dark pages.
pub const FADED_DARK: Hex = "#2b2f36";
/// As [`FAIL`], on dark pages.
pub const FAIL_DARK: Hex = "#ff6b7d";
/// As [`PICK`], on dark pages.
pub const PICK_DARK: Hex = "#ffd34d";
/// As [`TWICE`], on dark pages.
pub const TWICE_DARK: Hex = "#ff9df0";

/// Returns the colour of a fill on light pages; `None` where the page shows through.
#[must_use]
pub fn colour(scale: Scale, fill: Fill) -> Option<Hex> {
    let Fill::Class(class) = fill else { return None };
    match scale {
        Scale::Ramp => RAMP.get(usize::from(class)).copied(),
        Scale::Category => CATEGORIES.get(usize::from(class)).copied(),
    }
}
