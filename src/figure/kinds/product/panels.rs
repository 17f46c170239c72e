//! The pictures of a product: the block, the tiler, one or two results.
//!
//! In: the block and the products. Out: panels. Invariant: a copy has the same color in all of them.

use super::keys::Color;
use super::repeated::Repeated;
use crate::cute::index::{narrow, wide};
use crate::cute::{AnyLayout, Parts, Tiler};
use crate::diagnostic::Diagnostic;
use crate::figure::canvas::look::{Look, Picked, room};
use crate::figure::canvas::panel::Sketch;
use crate::figure::canvas::reading::Reading;
use crate::figure::model::figure::{Panel, Swatch};
use crate::figure::model::grid::{Cell, Fill, Mark, Scale};

/// What the panels of one figure share.
pub(super) struct Drawing<'a> {
    pub(super) look: &'a Look,
    pub(super) color: Color,
    pub(super) copies: i64,
}

impl Drawing<'_> {
    /// Returns the cell of a copy.
    fn cell(&self, copy: Option<u32>) -> Cell {
        let fill = match self.color {
            Color::Copy => copy.map_or(Fill::Blank, |copy| Fill::numbered(copy, self.copies)),
            Color::Value | Color::None => Fill::Blank,
        };
        Cell { fill, owner: copy, ..Cell::default() }
    }

    pub(super) fn block(
        &self,
        block: &AnyLayout,
        notes: &mut Vec<Diagnostic>,
    ) -> Result<Panel, Diagnostic> {
        let reading = Reading::of(block, None)?;
        let sketch = Sketch::of("block", &reading, self.look).title("A, the block");
        Ok(sketch.room(room(4)).scale(Scale::Category).draw(&|_| self.cell(Some(0)), notes))
    }

    /// Draws the tiler, one cell a copy; `None` where it acts by mode.
    pub(super) fn tiler(
        &self,
        tiler: &Tiler,
        notes: &mut Vec<Diagnostic>,
    ) -> Result<Option<Panel>, Diagnostic> {
        let Parts::Whole(layout) = tiler.parts()? else { return Ok(None) };
        let reading = Reading::plain(&layout)?;
        let sketch = Sketch::of("tiler", &reading, self.look)
            .room(room(4))
            .scale(Scale::Category)
            .layout(tiler)
            .caption("where each copy goes, in blocks");
        Ok(Some(sketch.draw(&|index| self.cell(narrow(wide(index))), notes)))
    }

    /// Draws one of `sides` results that stand side by side.
    pub(super) fn result(
        &self,
        product: &Repeated,
        picked: Option<&Picked>,
        sides: usize,
        notes: &mut Vec<Diagnostic>,
    ) -> Panel {
        let reading = &product.reading;
        let shared: &[bool] = product.shared.as_ref().map_or(&[], |shared| &shared.cells);
        let cell = |index: usize| {
            let twice = shared.get(index) == Some(&true);
            let mark = if twice { Mark::Twice } else { Mark::None };
            let mark = picked.map_or(mark, |picked| picked.mark(index, mark));
            let cell = self.cell(product.copy(index));
            let fill = match self.color {
                Color::Value => reading.fill(index),
                Color::Copy | Color::None => cell.fill,
            };
            Cell { fill, mark, ..cell }
        };
        let (scale, meaning) = match self.color {
            Color::Copy => (Scale::Category, Some(self.copies_meaning())),
            Color::Value => (reading.scale(), Some(reading.fill_meaning())),
            Color::None => (Scale::Category, None),
        };
        let twice = "shares its offset with another cell";
        let sketch = Sketch::of(product.form.function(), reading, self.look)
            .room(room(2 * sides))
            .scale(scale)
            .color_legend(meaning)
            .legend_if(!shared.is_empty(), Swatch::Mark(Mark::Twice), twice)
            .boundary_legend();
        let sketch = match picked {
            Some(picked) => sketch.highlight_legend(picked),
            None => sketch,
        };
        sketch.label_legend().draw(&cell, notes)
    }

    fn copies_meaning(&self) -> String {
        let repeating = if self.copies > Fill::CATEGORIES.into() { ", repeating" } else { "" };
        format!("one colour for each of {} copies{repeating}", self.copies)
    }
}
