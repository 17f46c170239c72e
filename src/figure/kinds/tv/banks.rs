//! The two pictures of shared memory: banks on the tile, and the banks of one access over time.
//!
//! In: a verdict. Out: panels. Invariant: the bank of a cell is that of its first byte; the map shows
//! the worst warp-wide access, one row a wavefront, and every lane of it.

use super::keys::{SHOW, Show};
use super::ownership::Owner;
use super::smem::Smem;
use super::tile::Scene;
use crate::cute::index::{capped, narrow, place, wide};
use crate::diagnostic::Diagnostic;
use crate::figure::canvas::panel::Sketch;
use crate::figure::canvas::sheet::Labels;
use crate::figure::input::keys::Keys;
use crate::figure::model::axis::{Axis, Ticks};
use crate::figure::model::figure::{Panel, Space, Swatch};
use crate::figure::model::grid::{Block, Cell, Fill, Grid, Mark, Scale};
use crate::figure::model::label::Label;
use crate::hardware::memory::{LaneWord, lane_words};
use crate::hardware::units::{BANK_BYTES, BANKS, WARP};

impl Smem {
    /// Draws the tile with the bank of each cell.
    pub(super) fn panel(
        &self,
        scene: &Scene<'_>,
        keys: &Keys<'_>,
        notes: &mut Vec<Diagnostic>,
    ) -> Panel {
        let colliding = self.colliding(scene);
        let address = |cell: usize| {
            let owner = scene.owners.at(cell).first()?;
            let thread = place(owner.thr.into(), self.map.threads())?;
            self.map.at(thread, place(owner.val.into(), self.map.values())?)
        };
        let bank = |cell: usize| address(cell).map(bank_of_bit);
        let fill_of = |cell: usize| {
            bank(cell).map_or(Fill::Blank, |bank| Fill::numbered(wide(bank), wide(BANKS)))
        };
        let cell = |index: usize| {
            let mut cell = scene.cell(index, |_: &[Owner]| fill_of(index));
            if let (Some(filter), Some(bank)) = (&self.filter, bank(index)) {
                cell.faded |= !filter.get(bank).copied().unwrap_or(false);
            }
            if colliding.get(index).copied().unwrap_or(false) && cell.mark == Mark::None {
                cell.mark = Mark::Failing;
            }
            cell
        };
        let banks = |cell: usize| bank(cell).map_or(Label::Blank, Label::index);
        let bits = self.memory.element_bits;
        let base = self.memory.base_bytes.saturating_mul(8);
        let offsets = |cell: usize| {
            address(cell).map_or(Label::Blank, |at| Label::Int((at - base).div_euclid(bits)))
        };
        let by_offset = keys.get(&SHOW).contains(&Show::Offset);
        let layer: Labels<'_> = if by_offset { ("offset", &offsets) } else { ("bank", &banks) };
        let text = if by_offset {
            "colour: bank of the first byte; numbers: offset in elements"
        } else {
            "colour and number: bank of the first byte (32 banks of 4 bytes)"
        };
        let collide = colliding.contains(&true);
        let mut panel = Sketch::on("shared memory", scene.sheet)
            .labels(layer)
            .layout(self.title())
            .unit("elements")
            .badge(Space::Smem)
            .caption(self.summary())
            .scale(Scale::Category)
            .color_legend(Some(text))
            .legend_if(collide, Swatch::Mark(Mark::Failing), "collide in the worst phase")
            .legend_if(self.filter.is_some(), Swatch::Faded, "other banks than `smem-bank`")
            .draw(&cell, notes);
        if !by_offset {
            // One block an access of a thread.
            let elements = wide(self.access.elements().max(1));
            let access = |owner: &Owner| (owner.thr, i64::from(owner.val) / elements);
            let key = |cell: usize| scene.owners.at(cell).first().map(access);
            scene.sheet.label_blocks(&mut panel.body, key, |cells| {
                let banks: Vec<usize> = cells.iter().filter_map(|&cell| bank(cell)).collect();
                match (banks.first(), banks.last()) {
                    (Some(first), Some(last)) if first != last => {
                        vec![Label::text(format!("{first}-{last}")), Label::index(*first)]
                    }
                    (first, _) => first.copied().map(Label::index).into_iter().collect(),
                }
            });
        }
        panel
    }

    /// Returns for each cell whether it is accessed by a lane that collides in the worst phase.
    fn colliding(&self, scene: &Scene<'_>) -> Vec<bool> {
        let cells = scene.source.extents().iter().product();
        let mut colliding = vec![false; cells];
        let worst = self.banks.worst().iter().max_by_key(|phase| (phase.ways, WARP - phase.phase));
        let Some(phase) = worst.filter(|phase| phase.ways > 1) else { return colliding };
        let elements = self.access.elements();
        // An element that is cut into several accesses has one cell.
        let pieces = (self.memory.element_bits / self.access.bits()).max(1);
        let first = wide(phase.issue) / pieces * wide(elements);
        let first = capped(first, scene.source.values);
        for lane in phase.lanes() {
            let thread = phase.warp * WARP + lane;
            for value in first..(first + elements).min(scene.source.values) {
                let at = thread + scene.source.threads * value;
                if let Some(&Some(cell)) = scene.source.cells.get(at) {
                    colliding[cell] = true;
                }
            }
        }
        colliding
    }

    /// Draws the worst warp-wide access: rows are wavefronts, columns are banks.
    pub(super) fn bank_map(&self) -> Option<Panel> {
        let phases = self.banks.worst();
        let first = phases.first()?;
        let mut rows: Vec<[Vec<LaneWord>; BANKS]> = Vec::new();
        let mut names = Vec::new();
        for phase in phases {
            let from = rows.len();
            for word in lane_words(&self.map, self.access, phase) {
                let bank = word.bank();
                // A word that is waited for by another lane already is served with it.
                let known = rows[from..]
                    .iter()
                    .position(|row| row[bank].first().is_some_and(|other| other.word == word.word));
                let free = || rows[from..].iter().position(|row| row[bank].is_empty());
                let at = match known.or_else(free) {
                    Some(at) => from + at,
                    None => {
                        rows.push(Default::default());
                        rows.len() - 1
                    }
                };
                rows[at][bank].push(word);
            }
            for wavefront in 0..rows.len() - from {
                names.push(if wavefront == 0 {
                    format!("phase {} #0", phase.phase)
                } else {
                    format!("#{wavefront}")
                });
            }
        }
        let thread = |word: &LaneWord| wide(first.warp * WARP + word.lane);
        let mut grid = Grid::from_fn(rows.len(), BANKS, |spot| {
            let Some(word) = rows[spot.row][spot.col].first() else { return Cell::default() };
            let shown = self.filter.as_ref().is_none_or(|filter| filter[spot.col]);
            Cell {
                fill: Fill::thread(wide(word.lane), wide(WARP)),
                owner: narrow(thread(word)),
                mark: Mark::None,
                faded: !shown,
            }
        })
        .layer("thread", |spot| match rows[spot.row][spot.col].as_slice() {
            [] => Label::Blank,
            [word] => Label::thread(thread(word)),
            [word, more @ ..] => Label::text(format!("T{} +{}", thread(word), more.len())),
        })
        .scale(Scale::Category);
        // Neighbouring banks of one lane are one block.
        for (row, banks) in rows.iter().enumerate() {
            let mut col = 0;
            for run in banks.chunk_by(|a, b| a.first().map(|w| w.lane) == b.first().map(|w| w.lane))
            {
                if let Some(word) = run.first().and_then(|words| words.first()) {
                    let labels = vec![Label::thread(thread(word))];
                    grid.blocks.push(Block { row, col, rows: 1, cols: run.len(), labels });
                }
                col += run.len();
            }
        }
        grid.row_axis = Axis::text(names);
        grid.col_axis = Axis::counting(BANKS).titled("bank");
        // A line between phases, where they are equally long.
        let ways = phases.iter().map(|phase| phase.ways).max().unwrap_or(1);
        if ways > 1 && phases.iter().all(|phase| phase.ways == ways) && phases.len() > 1 {
            grid.row_axis = grid.row_axis.level(ways, Ticks::Text(Vec::new()));
        }
        let caption = format!(
            "Banks of warp {}, issue {}: each row is one wavefront, {} lane{} are served together in a phase. A bank gives one word a wavefront; \"+n\" counts lanes that share the word.",
            first.warp,
            first.issue,
            self.access.lanes_per_phase(),
            if self.access.lanes_per_phase() == 1 { "" } else { "s" }
        );
        Some(
            Panel::grid("banks over time", grid)
                .badge(Space::Smem)
                .caption(caption)
                .legend(Swatch::Scale(Scale::Category), "thread that gets the word"),
        )
    }
}

fn bank_of_bit(bit: i64) -> usize {
    LaneWord { lane: 0, word: bit.div_euclid(BANK_BYTES * 8) }.bank()
}
