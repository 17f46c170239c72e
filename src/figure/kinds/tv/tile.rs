//! The two pictures of a TV layout: the tile with its owners, and the table that it literally is.
//!
//! In: a source and its owners. Out: panels. Invariant: both say in which direction they are read;
//! a cell shows every owner, or how many more there are.

use super::keys::{Color, FOCUS, SHOW, Show};
use super::ownership::{Owner, Ownership};
use super::source::Source;
use crate::diagnostic::Diagnostic;
use crate::figure::canvas::limits::{CELLS_DRAWN, CORNER_SIDE, GRID_SIDE, OWNERS_WRITTEN};
use crate::figure::canvas::look::Picked;
use crate::figure::canvas::sheet::{Labels, Sheet};
use crate::figure::input::entry::Problem;
use crate::figure::input::keys::Keys;
use crate::figure::model::axis::Axis;
use crate::figure::model::figure::{Body, Panel, Swatch};
use crate::figure::model::grid::{Cell, Fill, Grid, Mark, Scale};
use crate::figure::model::label::Label;

impl Color {
    fn fill(self, owner: Owner, source: &Source) -> Fill {
        let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        match self {
            Self::Thread => Fill::thread(owner.thr, count(source.threads)),
            Self::Warp => Fill::hue(owner.thr / 32, owner.thr % 32 / 8),
            Self::Value => Fill::tile(owner.val, count(source.values)),
        }
    }

    fn legend(self, threads: usize) -> &'static str {
        match self {
            Self::Thread if threads <= 32 => {
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
                Some(warp) => (warp, 32),
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

    pub(super) fn has(&self, thread: usize) -> bool {
        self.0.as_ref().is_none_or(|picked| picked.get(thread).copied().unwrap_or(false))
    }

    fn fades(&self, owners: &[Owner]) -> bool {
        self.0.is_some()
            && !owners.iter().any(|owner| usize::try_from(owner.thr).is_ok_and(|t| self.has(t)))
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
        let number = |at: usize| i32::try_from(at).unwrap_or(i32::MAX);
        let coordinate: Vec<usize> = self.source.coordinate(cell).collect();
        match coordinate[..] {
            [at] => Label::Int(i64::from(number(at))),
            [row, col] => Label::Coord(number(row), number(col)),
            ref more => {
                let more: Vec<String> = more.iter().map(usize::to_string).collect();
                Label::text(format!("({})", more.join(",")))
            }
        }
    }

    /// Draws the tile with the owners of its cells.
    pub(super) fn tile(&self, keys: &Keys<'_>) -> Panel {
        let first = |cell: usize| self.owners.at(cell).first().copied();
        let owner = |cell: usize| self.owner_label(cell);
        let thread = |cell: usize| first(cell).map_or(Label::Blank, |o| Label::Thread(o.thr));
        let value = |cell: usize| first(cell).map_or(Label::Blank, |o| Label::Value(o.val));
        let index = |cell: usize| Label::Int(i64::try_from(cell).unwrap_or(i64::MAX));
        let coord = |cell: usize| self.coordinate_label(cell);
        let mut layers: Vec<Labels<'_>> = Vec::new();
        let shown = keys.get(&SHOW);
        for show in &shown {
            match show {
                Show::Owner => layers.push(("owner", &owner)),
                Show::Thread => layers.push(("thread", &thread)),
                Show::Value => layers.push(("value-id", &value)),
                Show::Index => layers.push(("index", &index)),
                Show::Coord => layers.push(("coord", &coord)),
                // What the pictures of memory show.
                Show::Offset | Show::Bank => {}
            }
        }
        if layers.is_empty() {
            layers.push(("owner", &owner));
        }
        let fill = |owners: &[Owner]| {
            owners.first().map_or(Fill::Blank, |owner| self.color.fill(*owner, self.source))
        };
        let mut body = self.sheet.draw(Scale::Category, &|cell| self.cell(cell, fill), &layers);
        if shown.contains(&Show::Owner) {
            self.label_threads(&mut body);
        }
        let panel = Panel::new("tile", body)
            .layout(&self.source.tv)
            .caption(
                "Read from the tile: each cell shows the thread T and the value V that own it. The TV layout maps the other way, (thread, value) to the cell's index.",
            )
            .legend(Swatch::Scale(Scale::Category), self.color.legend(self.source.threads));
        self.marks(panel)
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
    pub(super) fn marks(&self, panel: Panel) -> Panel {
        let mut panel = self.picked.legend(panel);
        if self.owners.unowned() > 0 {
            let text = format!("no owner ({} cells)", self.owners.unowned());
            panel = panel.legend(Swatch::Mark(Mark::Hole), text);
        }
        if self.owners.most() > self.shared {
            let text = format!("more than one owner (up to {})", self.owners.most());
            panel = panel.legend(Swatch::Mark(Mark::Twice), text);
        }
        if self.shared > 1 {
            let text = format!(
                "broadcast: {} threads share each cell through stride 0; borders follow the first",
                self.shared
            );
            panel = panel.legend(Swatch::Text, text);
        }
        if self.source.reach() != self.source.extents() {
            panel = panel.legend(Swatch::Mark(Mark::Outside), "outside of `data`");
        }
        if self.focus.0.is_some() {
            panel = panel.legend(Swatch::Faded, "not in focus");
        }
        panel
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
        let number = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        let cell_of = |thread: usize, value: usize| self.source.cells[thread + threads * value];
        let mut grid = Grid::from_fn(rows, cols, |spot| {
            let owner = Owner { thr: number(spot.row), val: number(spot.col) };
            let mark = match cell_of(spot.row, spot.col) {
                None => Mark::Outside,
                Some(cell) if self.owners.at(cell).len() > self.shared => Mark::Twice,
                Some(_) => Mark::None,
            };
            Cell {
                fill: self.color.fill(owner, self.source),
                owner: Some(owner.thr),
                mark,
                faded: !self.focus.has(spot.row),
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
