//! The pictures of a divide: A, the tiler, the divided layout.
//!
//! In: the values of A and of the result, and which tile each element of A is in. Out: panels.
//! Invariant: a cell of the result is drawn as the element of A that it is.

use super::keys::Color;
use crate::cute::algebra::contract::Breach;
use crate::cute::index::wide;
use crate::cute::{Tiler, Tree};
use crate::diagnostic::Diagnostic;
use crate::figure::canvas::look::{Look, Picked, room};
use crate::figure::canvas::panel::Sketch;
use crate::figure::canvas::reading::{Reading, leaf};
use crate::figure::canvas::tiling::{Cut, Tiling};
use crate::figure::model::figure::{Panel, Swatch};
use crate::figure::model::grid::{Cell, Fill, Mark, Scale};
use crate::figure::model::label::Label;

/// What the panels of one figure share.
pub(super) struct Drawing<'a> {
    pub(super) look: &'a Look,
    pub(super) color: Color,
    pub(super) tiling: Option<&'a Tiling>,
    pub(super) picked: &'a Picked,
    /// A.
    pub(super) source: &'a Reading,
    pub(super) result: &'a Reading,
}

impl Drawing<'_> {
    /// Returns the cell of an element of A.
    fn cell(&self, place: usize) -> Cell {
        let owner = self.tiling.and_then(|tiling| tiling.tile(place));
        let fill = match self.color {
            Color::Tile => {
                self.tiling.zip(owner).map_or(Fill::Blank, |(tiling, tile)| tiling.fill(tile))
            }
            Color::Value => self.source.fill(place),
            Color::None => Fill::Blank,
        };
        Cell { fill, owner, ..Cell::default() }
    }

    fn scale(&self) -> Scale {
        match self.color {
            Color::Value => self.source.scale(),
            Color::Tile | Color::None => Scale::Category,
        }
    }

    /// Says what a color means.
    fn meaning(&self) -> Option<String> {
        match self.color {
            Color::Tile => self.tiling.map(Tiling::meaning),
            Color::Value => Some(self.source.fill_meaning()),
            Color::None => None,
        }
    }

    pub(super) fn source(&self, notes: &mut Vec<Diagnostic>) -> Panel {
        let lit = self.lit();
        let cell = |index: usize| {
            let lit = lit.get(index) == Some(&true);
            let mark = if lit { Mark::Picked } else { Mark::None };
            Cell { mark, ..self.cell(index) }
        };
        Sketch::of("A", self.source, self.look)
            .room(room(2))
            .scale(self.scale())
            .color_legend(self.meaning())
            .label_legend()
            .draw(&cell, notes)
    }

    /// Returns which elements of A the highlighted cells of the result are.
    fn lit(&self) -> Vec<bool> {
        let (Some(tiling), true) = (self.tiling, self.picked.any()) else { return Vec::new() };
        if self.source.values().is_none() || self.result.values().is_none() {
            return Vec::new();
        }
        let mut lit = vec![false; self.source.size()];
        for index in (0..self.result.size()).filter(|&index| self.picked.has(index)) {
            if let Some(place) = tiling.place(index).and_then(|place| lit.get_mut(place)) {
                *place = true;
            }
        }
        lit
    }

    /// Draws the tiler: its indices where it is one layout, what it picks along each mode where it
    /// acts by mode and picks more than neighbours.
    pub(super) fn tilers(
        &self,
        tiler: &Tiler,
        notes: &mut Vec<Diagnostic>,
    ) -> Result<Vec<Panel>, Diagnostic> {
        let Some(tiling) = self.tiling else { return Ok(Vec::new()) };
        if let Tiler::Layout(tile) = tiler {
            let reading = Reading::plain(tile)?;
            let fill = match self.color {
                Color::Tile => tiling.fill(0),
                Color::Value | Color::None => Fill::Blank,
            };
            let cell = |_: usize| Cell { fill, owner: Some(0), ..Cell::default() };
            let sketch = Sketch::of("tiler", &reading, self.look)
                .room(room(8))
                .scale(Scale::Category)
                .caption("the indices of A that are tile 0");
            return Ok(vec![sketch.draw(&cell, notes)]);
        }
        let strided = tiling.cuts.iter().any(|cut| !cut.consecutive);
        let several = tiling.cuts.iter().filter(|cut| cut.tiler.is_some()).count() > 1;
        if !strided || !several || self.color != Color::Tile {
            return Ok(Vec::new());
        }
        let cuts = tiling.cuts.iter().enumerate();
        Ok(cuts.filter_map(|(mode, cut)| along(tiling, mode, cut, notes)).collect())
    }

    /// Draws the divided layout; `fails` says whether a cell has not the value of its element of A.
    pub(super) fn result(&self, name: &str, fails: bool, notes: &mut Vec<Diagnostic>) -> Panel {
        let cell = |index: usize| {
            let Some(tiling) = self.tiling else { return Cell::default() };
            let Some(place) = tiling.place(index) else {
                let mark = self.picked.mark(index, Mark::Outside);
                return Cell { mark, ..Cell::default() };
            };
            let wrong = self.result.numbers(index) != self.source.numbers(place);
            let mark = self.picked.mark(index, if wrong { Mark::Failing } else { Mark::None });
            Cell { mark, ..self.cell(place) }
        };
        let outside = self.tiling.is_some_and(|tiling| tiling.outside() > 0);
        let not = "not the element of A that it should be";
        Sketch::of("result", self.result, self.look)
            .title(name)
            .room(room(2))
            .scale(self.scale())
            .color_legend(self.meaning())
            .legend_if(outside, Swatch::Mark(Mark::Outside), "past the end of A")
            .legend_if(fails, Swatch::Mark(Mark::Failing), not)
            .boundary_legend()
            .highlight_legend(self.picked)
            .label_legend()
            .draw(&cell, notes)
    }

    /// Finds the first cell of the result that has not the value of its element of A.
    pub(super) fn first_break(&self) -> Option<Breach> {
        let tiling = self.tiling?;
        self.result.values()?;
        (0..self.result.size()).find_map(|index| {
            let place = tiling.place(index)?;
            (self.result.numbers(index) != self.source.numbers(place)).then(|| {
                let value = |reading: &Reading, index| reading.layout().at(&leaf(index));
                Breach::Composition {
                    index: wide(index),
                    want: value(self.source, place).unwrap_or(Tree::Leaf(0)),
                    got: value(self.result, index).unwrap_or(Tree::Leaf(0)),
                }
            })
        })
    }
}

/// Draws which indices of one mode go to which tile along it.
fn along(tiling: &Tiling, mode: usize, cut: &Cut, notes: &mut Vec<Diagnostic>) -> Option<Panel> {
    let tiler = cut.tiler.as_ref()?;
    let name = format!("mode {mode} by {tiler}");
    let fill = |rest| tiling.fill_along(mode, rest);
    let cell =
        |index: usize| Cell { fill: cut.rest(index).map_or(Fill::Blank, fill), ..Cell::default() };
    let tile = |index: usize| cut.rest(index).map_or(Label::Blank, |rest| Label::Int(rest.into()));
    let text = format!("labels: which of {} tiles along mode {mode}", cut.rests);
    let sketch = Sketch::strip(&name, cut.size).room(room(16)).scale(Scale::Category);
    Some(sketch.labels(("tile", &tile)).legend(Swatch::Text, text).draw(&cell, notes))
}
