//! The pictures of a swizzle: the cells before and after, and the bits of an offset.
//!
//! In: the values before and after. Out: panels. Invariant: a color follows the offset, so that a cell
//! that moved has the color of where it went.

use super::keys::Color;
use super::units::Units;
use crate::cute::Swizzle;
use crate::diagnostic::Diagnostic;
use crate::figure::canvas::limits::{ARROW_COLUMNS, ARROWS};
use crate::figure::canvas::look::{Look, Picked, Show, room};
use crate::figure::canvas::panel::Sketch;
use crate::figure::canvas::reading::Reading;
use crate::figure::model::figure::{BitPicture, Body, Panel, Swatch};
use crate::figure::model::grid::{Cell, Fill, Mark, Scale};
use crate::figure::model::label::Label;

/// What the panels of one figure share.
pub(super) struct Drawing<'a> {
    pub(super) look: &'a Look,
    pub(super) color: Color,
    pub(super) units: &'a Units,
    pub(super) picked: &'a Picked,
}

impl Drawing<'_> {
    /// Returns whether a color is that of the bits which the swizzle changes: of one that changes none
    /// it is a step of the ramp.
    fn colors_bits(&self) -> bool {
        match self.color {
            Color::Bits => !self.units.element.is_identity(),
            Color::Value | Color::None => false,
        }
    }

    fn fill(&self, offset: i64, (low, high): (i64, i64)) -> Fill {
        match self.color {
            Color::None => Fill::Blank,
            Color::Bits | Color::Value if self.colors_bits() => {
                let mask = self.units.element.target_mask();
                let chunk = (offset & mask) >> mask.trailing_zeros();
                Fill::numbered(chunk, Fill::CATEGORIES.into())
            }
            Color::Bits | Color::Value => Fill::ramp(offset, low, high),
        }
    }

    /// Says what a color means.
    fn meaning(&self, (low, high): (i64, i64)) -> Option<String> {
        match self.color {
            Color::None => None,
            Color::Bits | Color::Value if self.colors_bits() => {
                let swizzle = self.units.element;
                let from = swizzle.target_mask().trailing_zeros();
                let to = from + swizzle.bits() - 1;
                Some(format!("bits {from} to {to} of the offset, which the swizzle changes"))
            }
            Color::Bits | Color::Value => Some(format!("offset, {low} to {high}")),
        }
    }

    /// Draws the cells; with the offsets of before, those that moved are marked.
    pub(super) fn panel(
        &self,
        name: &str,
        reading: &Reading,
        before: Option<&Reading>,
        notes: &mut Vec<Diagnostic>,
    ) -> Panel {
        let number =
            |reading: &Reading, index: usize| reading.numbers(index).first().copied().unwrap_or(0);
        let range = before.or(Some(reading)).and_then(Reading::values).map_or_else(
            || (0, reading.layout().cosize().unwrap_or(1) - 1),
            |values| values.range(0),
        );
        let is_moved = |index: usize| {
            before.is_some_and(|before| number(before, index) != number(reading, index))
        };
        let cell = |index: usize| {
            let mark = if is_moved(index) { Mark::Moved } else { Mark::None };
            let fill = self.fill(number(reading, index), range);
            Cell { fill, mark: self.picked.mark(index, mark), ..Cell::default() }
        };
        let scale = if self.colors_bits() { Scale::Category } else { Scale::Ramp };
        let plain = |index: usize| reading.label(index);
        let arrow = |index: usize| match before.filter(|_| is_moved(index)) {
            Some(before) => {
                Label::Arrow { from: number(before, index), to: number(reading, index) }
            }
            None => reading.label(index),
        };
        let mut sketch =
            Sketch::of(name, reading, self.look).room(room(2)).scale(scale).unit("elements");
        if before.is_some() {
            sketch = sketch.caption(self.units.caption()).mark_legend(
                Mark::Moved,
                Swatch::Mark(Mark::Moved),
                "moved",
            );
            if self.has_arrows(reading) {
                let text = "a→b: a is the offset before, b after";
                sketch = sketch.labels(("value", &arrow)).labels(("offset", &plain)).mark_legend(
                    Mark::Moved,
                    Swatch::Text,
                    text,
                );
            }
        }
        sketch
            .color_legend(self.meaning(range))
            .highlight_legend(self.picked)
            .label_legend()
            .draw(&cell, notes)
    }

    /// Returns whether labels say where a cell came from.
    fn has_arrows(&self, reading: &Reading) -> bool {
        let cols = reading.layout().shape().mode(1).and_then(|mode| mode.product().ok());
        self.look.show.first() == Some(&Show::Value)
            && reading.layout().size() <= ARROWS
            && cols.is_none_or(|cols| cols <= ARROW_COLUMNS)
    }

    /// Draws the bits of an offset in elements, and in bytes where they differ.
    pub(super) fn bit_panels(&self, before: &Reading) -> Vec<Panel> {
        let element = Some((self.units.element, "elements"));
        let byte = self.units.byte.filter(|byte| !byte.permutes_like(self.units.element));
        let drawn = element.into_iter().chain(byte.map(|byte| (byte, "bytes")));
        let last = before.layout().cosize().unwrap_or(1).saturating_sub(1);
        drawn
            .filter(|(swizzle, _)| !swizzle.is_identity())
            .map(|(swizzle, unit)| bit_panel(swizzle, unit, last))
            .collect()
    }
}

fn bit_panel(swizzle: Swizzle, unit: &'static str, last: i64) -> Panel {
    let top = 64 - (swizzle.source_mask() | swizzle.target_mask()).leading_zeros();
    let width = top.max(64 - last.leading_zeros()).min(32.max(top));
    let picture = BitPicture {
        width,
        count: swizzle.bits(),
        source: swizzle.source_mask().trailing_zeros(),
        target: swizzle.target_mask().trailing_zeros(),
        unit,
    };
    Panel::new(format!("bits of the offset in {unit}"), Body::Bits(picture))
        .layout(swizzle)
        .caption(format!(
            "each of {} bits from bit {} on is XORed into the bit below the arrow, from bit {} on",
            picture.count, picture.source, picture.target
        ))
}
