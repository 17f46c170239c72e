//! The pictures of a composition: A, B, B with its complement, `A o B`.
//!
//! In: the values of all three and where each index of B leads. Out: panels. Invariant: an index has one
//! color in all of them.

use super::keys::Color;
use super::links::{Links, place};
use crate::cute::algebra::contract;
use crate::cute::index::{narrow, wide};
use crate::cute::{IntTuple, Layout, Tiler};
use crate::diagnostic::Diagnostic;
use crate::figure::canvas::look::{Look, Picked, room};
use crate::figure::canvas::panel::Sketch;
use crate::figure::canvas::reading::{Reading, leaf};
use crate::figure::model::figure::{Panel, Swatch};
use crate::figure::model::grid::{Cell, Fill, Mark, Scale};
use crate::figure::model::label::Label;

/// What the panels of one figure share.
pub(super) struct Drawing<'a> {
    pub(super) look: &'a Look,
    pub(super) color: Color,
    pub(super) picked: &'a Picked,
    pub(super) links: &'a Links,
    pub(super) source: &'a Reading,
    pub(super) picks: &'a Reading,
    pub(super) result: &'a Reading,
    /// Whether the result is known to be `A(B(i))` everywhere.
    pub(super) holds: bool,
}

/// What `A(B(i))` is, and what the result has instead.
type Wrong = (IntTuple, IntTuple);

impl Drawing<'_> {
    fn scale(&self) -> Scale {
        let few = self.result.size() <= usize::from(Fill::CATEGORIES);
        match self.color {
            Color::Index if few => Scale::Category,
            Color::Index | Color::None => Scale::Ramp,
            Color::Value => self.source.scale(),
        }
    }

    /// Returns the color of index `index` of the result.
    fn fill(&self, index: usize) -> Fill {
        match (self.color, self.scale()) {
            (Color::Index, Scale::Category) => Fill::numbered(wide(index), Fill::CATEGORIES.into()),
            (Color::Index, Scale::Ramp) => Fill::ramp(wide(index), 0, self.last()),
            (Color::Value, _) => place(self.source, self.picks, index)
                .map_or(Fill::Blank, |place| self.source.fill(place)),
            (Color::None, _) => Fill::Blank,
        }
    }

    /// Returns the last index of the result.
    fn last(&self) -> i64 {
        self.result.layout().size() - 1
    }

    /// Returns the cell of an index in any panel.
    fn cell(&self, index: usize, mark: Mark) -> Cell {
        Cell {
            fill: self.fill(index),
            owner: narrow(wide(index)),
            mark: self.picked.mark(index, mark),
            faded: false,
        }
    }

    pub(super) fn source(&self, notes: &mut Vec<Diagnostic>) -> Panel {
        let from = &self.links.from;
        let cell = |place: usize| match from.get(place).copied().flatten() {
            Some(index) => self.cell(index, Mark::None),
            None => {
                let faded = !from.is_empty() && self.color != Color::None;
                Cell { faded, ..Cell::default() }
            }
        };
        let missed = from.iter().any(Option::is_none) && self.color != Color::None;
        Sketch::of("A", self.source, self.look)
            .room(room(4))
            .scale(self.scale())
            .legend_if(missed, Swatch::Faded, "B does not lead here")
            .draw(&cell, notes)
    }

    pub(super) fn inner(&self, b: &Tiler, notes: &mut Vec<Diagnostic>) -> Panel {
        let cell = |index: usize| {
            let inside = place(self.source, self.picks, index).is_some();
            self.cell(index, if inside { Mark::None } else { Mark::Outside })
        };
        let asked = if self.picks.has_offsets() { "index" } else { "coordinate" };
        Sketch::of("B", self.picks, self.look)
            .room(room(4))
            .scale(self.scale())
            .layout(b)
            .caption(format!("labels: the {asked} that A is asked for"))
            .legend_if(self.links.past > 0, Swatch::Mark(Mark::Outside), "past the end of A")
            .draw(&cell, notes)
    }

    /// Draws B and its complement: one column for each tile, the first of them B itself.
    pub(super) fn tiles(
        &self,
        whole: &Layout,
        rest: &Layout,
        notes: &mut Vec<Diagnostic>,
    ) -> Result<Panel, Diagnostic> {
        let both = Layout::from_modes([whole.clone(), rest.clone()])?;
        let reading = Reading::plain(&both)?;
        let cell = |index: usize| {
            if wide(index) < whole.size() {
                Cell { mark: Mark::Picked, ..self.cell(index, Mark::None) }
            } else {
                Cell::default()
            }
        };
        let text = format!("the first tile, B itself; {rest} says where the others start");
        let sketch = Sketch::of("B and its complement", &reading, self.look)
            .title("(B, complement)")
            .room(room(4))
            .scale(self.scale())
            .legend(Swatch::Mark(Mark::Picked), text);
        Ok(sketch.draw(&cell, notes))
    }

    pub(super) fn result(&self, notes: &mut Vec<Diagnostic>) -> Panel {
        let wrong = self.wrong();
        let failing = |index: usize| wrong.get(index).and_then(Option::as_ref);
        let cell = |index: usize| {
            self.cell(index, if failing(index).is_some() { Mark::Failing } else { Mark::None })
        };
        let label = |index: usize| match failing(index) {
            Some((want, got)) => {
                let lines = [Label::text(got.to_string()), Label::text(format!("not {want}"))];
                Label::Lines(Box::new(lines))
            }
            None => self.result.label(index),
        };
        let fails = wrong.iter().any(Option::is_some);
        let sketch = Sketch::of("A o B", self.result, self.look).room(room(4)).scale(self.scale());
        let sketch = if fails { sketch.labels(("value", &label)) } else { sketch };
        let meaning = match self.color {
            Color::Index => Some(format!(
                "index i, 0 to {}: the same in B, in A at B(i), and here",
                self.last()
            )),
            Color::Value => Some(self.source.fill_meaning()),
            Color::None => None,
        };
        let not = "not A(B(i)): what CuTe's layout gives, and what A(B(i)) is";
        sketch
            .color_legend(meaning)
            .legend_if(fails, Swatch::Mark(Mark::Failing), not)
            .highlight_legend(self.picked)
            .label_legend()
            .draw(&cell, notes)
    }

    /// Returns for each index of the result what is wrong there; nothing where the result holds, or has
    /// more cells than are drawn.
    fn wrong(&self) -> Vec<Option<Wrong>> {
        if self.holds || self.result.values().is_none() || self.result.size() > room(4) {
            return Vec::new();
        }
        (0..self.result.size()).map(|index| self.wrong_at(index)).collect()
    }

    fn wrong_at(&self, index: usize) -> Option<Wrong> {
        let asked = self.picks.layout().at(&leaf(index)).ok()?;
        let a = self.source.layout();
        let want = a.at(&contract::completed(&asked, a.shape())).ok()?;
        let got = self.result.layout().at(&leaf(index)).ok()?;
        (!got.same_value(&want)).then_some((want, got))
    }
}
