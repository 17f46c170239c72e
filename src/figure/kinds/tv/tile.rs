//! The two pictures of a TV layout: the tile with its owners, and the table that it literally is.
//!
//! In: a source and its owners. Out: panels. Invariant: both say in which direction they are read;
//! a cell shows every owner, or how many more there are.

use super::keys::{Color, FOCUS, SHOW, Show};
use super::ownership::{Owner, Ownership};
use super::source::Source;
use crate::cute::index::{at, narrow, wide};
use crate::diagnostic::Diagnostic;
use crate::figure::canvas::limits::{CELLS_DRAWN, CORNER_SIDE, GRID_SIDE, OWNERS_WRITTEN};
use crate::figure::canvas::look::Picked;
use crate::figure::canvas::panel::Sketch;
use crate::figure::canvas::sheet::Sheet;
use crate::figure::input::entry::Problem;
use crate::figure::input::keys::Keys;
use crate::figure::model::axis::Axis;
use crate::figure::model::figure::{Body, Panel, Swatch};
use crate::figure::model::grid::{Cell, Fill, Grid, Mark, Scale};
use crate::figure::model::label::Label;
use crate::hardware::units::WARP;

impl Color {
    fn fill(self, owner: Owner, source: &Source) -> Fill {
        let (thr, warp) = (i64::from(owner.thr), wide(WARP));
        match self {
            Self::Thread => Fill::thread(thr, wide(source.threads)),
            Self::Warp => Fill::shaded(thr / warp, thr % warp / 8),
            Self::Value => Fill::numbered(owner.val, wide(source.values)),
        }
    }

    fn legend(self, threads: usize) -> &'static str {
        match self {
            Self::Thread if threads <= WARP => {
                "hue: group of four threads; lightness: thread within it"
            }
            Self::Thread => "hue: group of four lanes; lightness: warp",
            Self::Warp => "hue: warp; lightness: group of eight lanes",
            Self::Value => "colour: value id",
        }
    }
}

/// Which threads stand out; all of them without a `focus`.
pub(super) struct Focus(Option<Vec<bool>>);

impl Focus {
    /// Reads threads and, as `w0`, warps.
    pub(super) fn read(keys: &Keys<'_>, threads: usize) -> Result<Self, Problem> {
        let items = keys.get(&FOCUS);
        if items.is_empty() {
            return Ok(Self(None));
        }
        let mut picked = vec![false; threads];
        for item in items {
            let refuse = |text: String| {
                let diagnostic = Diagnostic::error("focus", text).at(item.span);
                keys.problem(&FOCUS, diagnostic.hint("threads by number, warps as `w0`"))
            };
            let (number, size) = match item.text.strip_prefix(['w', 'W']) {
                Some(warp) => (warp, WARP),
                None => (item.text.trim_start_matches(['t', 'T']), 1),
            };
            let first = number.parse::<usize>().ok().and_then(|number| number.checked_mul(size));
            let first =
                first.ok_or_else(|| refuse(format!("unknown thread or warp `{}`", item.text)))?;
            if first >= threads {
                return Err(refuse(format!("`{}` is not among the {threads} threads", item.text)));
            }
            picked.iter_mut().skip(first).take(size).for_each(|picked| *picked = true);
        }
        Ok(Self(Some(picked)))
    }

    pub(super) fn has(&self, thread: i64) -> bool {
        self.0.as_ref().is_none_or(|picked| at(picked, thread) == Some(&true))
    }

    fn fades(&self, owners: &[Owner]) -> bool {
        self.0.is_some() && !owners.iter().any(|owner| self.has(owner.thr.into()))
    }
}

/// Everything that the panels of one figure share.
pub(super) struct Scene<'a> {
    pub(super) source: &'a Source,
    pub(super) owners: &'a Ownership,
    pub(super) sheet: &'a Sheet,
    pub(super) picked: &'a Picked,
    pub(super) focus: &'a Focus,
    pub(super) color: Color,
    /// Owners that a cell has by broadcast alone.
    pub(super) shared: usize,
}

impl Scene<'_> {
    /// Returns owner, mark and fading of a cell; the fill is the panel's.
    pub(super) fn cell(&self, cell: usize, fill: impl Fn(&[Owner]) -> Fill) -> Cell {
        let owners = self.owners.at(cell);
        let mark = match owners.len() {
            _ if !self.source.inside(cell) => Mark::Outside,
            _ if self.picked.has(cell) => Mark::Picked,
            0 => Mark::Hole,
            count if count > self.shared => Mark::Twice,
            _ => Mark::None,
        };
        let fill = if owners.is_empty() { Fill::Blank } else { fill(owners) };
        let owner = owners.first().map(|owner| owner.thr);
        Cell { fill, owner, mark, faded: self.focus.fades(owners) }
    }

    fn owner_label(&self, cell: usize) -> Label {
        let of = |owner: &Owner| Label::Owner { thr: owner.thr, val: owner.val };
        match self.owners.at(cell) {
            [] => Label::Blank,
            [owner] => of(owner),
            owners => {
                let written = if owners.len() > OWNERS_WRITTEN { OWNERS_WRITTEN - 1 } else { 3 };
                let mut lines: Vec<Label> = owners.iter().take(written).map(of).collect();
                if owners.len() > lines.len() {
                    lines.push(Label::text(format!("+{}", owners.len() - lines.len())));
                }
                Label::Lines(lines.into_boxed_slice())
            }
        }
    }

    fn coordinate_label(&self, cell: usize) -> Label {
        let coordinate: Vec<usize> = self.source.coordinate(cell).collect();
        match coordinate[..] {
            [at] => Label::index(at),
            [row, col] => Label::coord(wide(row), wide(col)),
            ref more => {
                let more: Vec<String> = more.iter().map(usize::to_string).collect();
                Label::text(format!("({})", more.join(",")))
            }
        }
    }

    /// Draws the tile with the owners of its cells.
    pub(super) fn tile(&self, keys: &Keys<'_>, notes: &mut Vec<Diagnostic>) -> Panel {
        let first = |cell: usize| self.owners.at(cell).first().copied();
        let owner = |cell: usize| self.owner_label(cell);
        let thread = |cell: usize| first(cell).map_or(Label::Blank, |o| Label::Thread(o.thr));
        let value = |cell: usize| first(cell).map_or(Label::Blank, |o| Label::Value(o.val));
        let coord = |cell: usize| self.coordinate_label(cell);
        let mut sketch = Sketch::on("tile", self.sheet)
            .layout(&self.source.tv)
            .caption(
                "Read from the tile: each cell shows the thread T and the value V that own it. The TV layout maps the other way, (thread, value) to the cell's index.",
            )
            .scale(Scale::Category)
            .color_legend(Some(self.color.legend(self.source.threads)));
        let shown = keys.get(&SHOW);
        // What the pictures of memory show is in none of the tile.
        let of_memory = |show: &Show| matches!(show, Show::Offset | Show::Bank);
        if shown.iter().all(of_memory) {
            sketch = sketch.labels(("owner", &owner));
        }
        for show in &shown {
            sketch = match show {
                Show::Owner => sketch.labels(("owner", &owner)),
                Show::Thread => sketch.labels(("thread", &thread)),
                Show::Value => sketch.labels(("value-id", &value)),
                Show::Index => sketch.labels(("index", &Label::index)),
                Show::Coord => sketch.labels(("coord", &coord)),
                Show::Offset | Show::Bank => sketch,
            }
        }
        let fill = |owners: &[Owner]| {
            owners.first().map_or(Fill::Blank, |owner| self.color.fill(*owner, self.source))
        };
        let mut panel = self.marks(sketch).draw(&|cell| self.cell(cell, fill), notes);
        if shown.contains(&Show::Owner) {
            self.label_threads(&mut panel.body);
        }
        panel
    }

    /// Labels the cells of one thread that lie together: `T5 V0-7`.
    fn label_threads(&self, body: &mut Body) {
        let key = |cell: usize| {
            self.owners.at(cell).first().map(|owner| (owner.thr, self.owners.at(cell).len()))
        };
        self.sheet.label_blocks(body, key, |cells| {
            let owners = cells.first().map_or(&[][..], |&cell| self.owners.at(cell));
            let Some(thread) = owners.first().map(|owner| owner.thr) else { return Vec::new() };
            if owners.len() > 1 {
                return vec![
                    Label::text(format!("T{thread} +{}", owners.len() - 1)),
                    Label::Thread(thread),
                ];
            }
            let values = cells.iter().filter_map(|&cell| Some(self.owners.at(cell).first()?.val));
            let (Some(low), Some(high)) = (values.clone().min(), values.max()) else {
                return vec![Label::Thread(thread)];
            };
            vec![Label::text(format!("T{thread} V{low}-{high}")), Label::Thread(thread)]
        });
    }

    /// Adds the legend of marks that occur.
    fn marks<'s>(&self, sketch: Sketch<'s>) -> Sketch<'s> {
        let (unowned, most) = (self.owners.unowned(), self.owners.most());
        let holes = format!("no owner ({unowned} cells)");
        let several = format!("more than one owner (up to {most})");
        let shared = format!(
            "broadcast: {} threads share each cell through stride 0; borders follow the first",
            self.shared
        );
        let ends = self.source.reach() != self.source.extents();
        sketch
            .highlight_legend(self.picked)
            .legend_if(unowned > 0, Swatch::Mark(Mark::Hole), holes)
            .legend_if(most > self.shared, Swatch::Mark(Mark::Twice), several)
            .legend_if(self.shared > 1, Swatch::Text, shared)
            .legend_if(ends, Swatch::Mark(Mark::Outside), "outside of `data`")
            .legend_if(self.focus.0.is_some(), Swatch::Faded, "not in focus")
    }

    /// Draws the table (thread, value) -> coordinate.
    pub(super) fn inverse(&self, notes: &mut Vec<Diagnostic>) -> Panel {
        let (threads, values) = (self.source.threads, self.source.values);
        let too_large =
            threads > GRID_SIDE || values > GRID_SIDE || threads * values > CELLS_DRAWN / 2;
        let (rows, cols) = if too_large {
            (threads.min(CORNER_SIDE), values.min(CORNER_SIDE))
        } else {
            (threads, values)
        };
        if too_large {
            let text = format!(
                "inverse: the first {rows} of {threads} threads and {cols} of {values} values are drawn"
            );
            notes.push(Diagnostic::warning("reduced", text));
        }
        let cell_of = |thread: usize, value: usize| self.source.cells[thread + threads * value];
        let mut grid = Grid::from_fn(rows, cols, |spot| {
            let (thr, val) = (narrow(wide(spot.row)), narrow(wide(spot.col)));
            let owner = thr.zip(val).map(|(thr, val)| Owner { thr, val });
            let mark = match cell_of(spot.row, spot.col) {
                None => Mark::Outside,
                Some(cell) if self.owners.at(cell).len() > self.shared => Mark::Twice,
                Some(_) => Mark::None,
            };
            Cell {
                fill: owner.map_or(Fill::Blank, |owner| self.color.fill(owner, self.source)),
                owner: thr,
                mark,
                faded: !self.focus.has(wide(spot.row)),
            }
        })
        .layer("coord", |spot| {
            cell_of(spot.row, spot.col).map_or(Label::Blank, |cell| self.coordinate_label(cell))
        })
        .scale(Scale::Category);
        let names = |letter: char, count: usize| {
            Axis::text((0..count).map(|i| format!("{letter}{i}")).collect())
        };
        grid.row_axis = names('T', rows);
        grid.col_axis = names('V', cols);
        let panel = Panel::grid("(thread, value) -> coordinate", grid)
            .layout(&self.source.tv)
            .caption("The TV layout itself: one row a thread, one column a value, in each cell the coordinate in the tile.")
            .legend(Swatch::Scale(Scale::Category), self.color.legend(threads));
        let outside = self.source.cells.iter().filter(|cell| cell.is_none()).count();
        if outside == 0 {
            return panel;
        }
        panel.legend(Swatch::Mark(Mark::Outside), format!("outside of the tile ({outside} values)"))
    }
}
