//! Which labels a grid keeps where those of single cells are too small to read.
//!
//! In: a grid, and in cells how much room a readable label takes. Out: one label for each block that
//! the figure names, the label of the first cell of every so many, or none. Invariant: no label
//! covers cells of an owner that it does not name. A backend knows its letters, so it passes in
//! which texts fit; all decisions about cells are made here.

use crate::figure::model::grid::{Block, Extent, Grid};
use crate::figure::model::label::Label;

impl Extent {
    /// Returns the blocks that share one label where a readable label takes `self`: powers of two,
    /// as most tiles are, and as tall as wide up to eight rows, so that labels do not crowd.
    #[must_use]
    pub fn sample(self) -> Self {
        let round = |n: usize| n.max(1).checked_next_power_of_two().unwrap_or(usize::MAX);
        let cols = round(self.cols);
        let rows = round(self.rows).max(cols.min(8));
        Self { rows, cols }
    }
}

/// Which labels a grid has at a size at which those of single cells cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coarse {
    /// One for each block that the figure names.
    Named,
    /// That of the first cell of every block of so many, where they all have one owner.
    Sampled(Extent),
    /// None: the labels of most cells would cover those of other owners.
    None,
}

/// A label that covers several cells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BlockLabel<'g> {
    /// The first row.
    pub row: usize,
    /// The first column.
    pub col: usize,
    /// The cells that it covers.
    pub extent: Extent,
    /// What is written.
    pub label: &'g Label,
    /// Whether most of the cells have a color of their own.
    pub colored: bool,
}

impl Coarse {
    /// Chooses the labels of a grid. `need` is the room for a readable label of a cell, and `fits`
    /// decides whether a line of text can be read on so many cells.
    #[must_use]
    pub fn of(grid: &Grid, need: Extent, fits: impl Fn(&str, Extent) -> bool) -> Self {
        let fitting = grid.blocks.iter().filter(|block| fitting(block, &fits).is_some()).count();
        if fitting * 2 > grid.blocks.len() {
            return Self::Named;
        }
        let extent = need.sample();
        let (all, torn) = samples(grid, extent).fold((0, 0), |(all, torn), at| {
            (all + 1, torn + usize::from(is_torn(grid, at, extent)))
        });
        if torn * 2 > all { Self::None } else { Self::Sampled(extent) }
    }

    /// Returns the labels in the order of their cells, row by row; those of [`Self::Named`] in the
    /// order of [`Grid::blocks`], without blocks none of whose labels fits.
    #[must_use]
    pub fn labels(self, grid: &Grid, fits: impl Fn(&str, Extent) -> bool) -> Vec<BlockLabel<'_>> {
        let at = |(row, col): (usize, usize), extent: Extent, label| {
            let colored = grid.is_colored((row, col), extent);
            BlockLabel { row, col, extent, label, colored }
        };
        match self {
            Self::Named => grid
                .blocks
                .iter()
                .filter_map(|block| {
                    Some(at((block.row, block.col), block.extent(), fitting(block, &fits)?))
                })
                .collect(),
            Self::Sampled(extent) => samples(grid, extent)
                .filter(|&place| !is_torn(grid, place, extent))
                .filter_map(|(row, col)| {
                    let label = grid.layers.first()?.labels.get(row * grid.cols + col)?;
                    let rows = extent.rows.min(grid.rows - row);
                    let cols = extent.cols.min(grid.cols - col);
                    Some(at((row, col), Extent { rows, cols }, label))
                })
                .collect(),
            Self::None => Vec::new(),
        }
    }
}

/// Describes the labels of a figure: for each panel those of its grids, or `None` where all labels
/// can be read.
#[must_use]
pub fn notice(panels: &[Option<Vec<Coarse>>]) -> String {
    let grids = || panels.iter().flatten().flatten();
    let every = grids().find_map(|coarse| match coarse {
        Coarse::Sampled(Extent { rows, cols }) => {
            Some(format!("the first cell of every {rows}×{cols} cells"))
        }
        Coarse::Named | Coarse::None => None,
    });
    let which = match (grids().any(|coarse| *coarse == Coarse::Named), every) {
        (true, None) => "one for each block".to_owned(),
        (false, Some(every)) => every,
        (true, Some(every)) => format!("one for each block, elsewhere {every}"),
        (false, None) => "at full size only".to_owned(),
    };
    let place = if panels.contains(&None) { " in large grids" } else { "" };
    format!("labels{place}: {which}")
}

/// Returns the first label of a block that fits its cells.
fn fitting<'g>(block: &'g Block, fits: &impl Fn(&str, Extent) -> bool) -> Option<&'g Label> {
    let mut text = String::new();
    block.labels.iter().find(|label| {
        text.clear();
        label.write_line(0, &mut text);
        fits(&text, block.extent())
    })
}

/// Visits the first cell of every block of `extent`, row by row.
fn samples(grid: &Grid, extent: Extent) -> impl Iterator<Item = (usize, usize)> + use<> {
    let cols = grid.cols;
    let tops = (0..grid.rows).step_by(extent.rows.max(1));
    tops.flat_map(move |row| (0..cols).step_by(extent.cols.max(1)).map(move |col| (row, col)))
}

/// Returns whether the label of the first cell of a block would be wrong for others of it: it names
/// an owner, and they have several.
fn is_torn(grid: &Grid, (top, left): (usize, usize), extent: Extent) -> bool {
    let label = grid.layers.first().and_then(|layer| layer.labels.get(top * grid.cols + left));
    if !label.is_some_and(Label::names_owner) {
        return false;
    }
    let owner = |row, col| grid.cell(row, col).and_then(|cell| cell.owner);
    let first = owner(top, left);
    let mut rows = top..(top + extent.rows).min(grid.rows);
    rows.any(|row| (left..(left + extent.cols).min(grid.cols)).any(|col| owner(row, col) != first))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::model::grid::{Cell, Fill};

    const NEED: Extent = Extent { rows: 1, cols: 3 };

    /// Eight by eight cells; each run of `run` columns has one owner.
    fn owned(run: usize) -> Grid {
        let owner = |col: usize| u32::try_from(col / run).unwrap();
        Grid::from_fn(8, 8, |spot| Cell { owner: Some(owner(spot.col)), ..Cell::default() })
            .layer("thread", |spot| Label::Thread(owner(spot.col)))
    }

    fn block(row: usize, col: usize, labels: &[&str]) -> Block {
        let labels = labels.iter().map(|text| Label::text(*text)).collect();
        Block { row, col, rows: 1, cols: 4, labels }
    }

    /// Letters as wide as a cell.
    fn fits(text: &str, extent: Extent) -> bool {
        text.len() <= extent.cols
    }

    #[test]
    fn samples_are_powers_of_two_and_not_flat() {
        for (need, sample) in
            [((1, 1), (1, 1)), ((1, 3), (4, 4)), ((5, 2), (8, 2)), ((1, 9), (8, 16))]
        {
            let extent = |(rows, cols)| Extent { rows, cols };
            assert_eq!(extent(need).sample(), extent(sample), "{need:?}");
        }
    }

    /// "T0" over cells of other threads would be wrong.
    #[test]
    fn a_label_covers_the_cells_of_one_owner() {
        let sampled = Coarse::Sampled(Extent { rows: 4, cols: 4 });
        assert_eq!(Coarse::of(&owned(4), NEED, fits), sampled);
        assert_eq!(Coarse::of(&owned(3), NEED, fits), Coarse::None);
        let texts = |grid: &Grid| -> Vec<(usize, usize, String)> {
            let labels = sampled.labels(grid, fits);
            labels.iter().map(|label| (label.row, label.col, label.label.to_line())).collect()
        };
        let all = [(0, 0, "T0"), (0, 4, "T1"), (4, 0, "T0"), (4, 4, "T1")];
        assert_eq!(texts(&owned(4)), all.map(|(row, col, text)| (row, col, text.to_owned())));
        assert_eq!(texts(&owned(3)), []);
    }

    #[test]
    fn named_blocks_come_first_if_most_of_them_have_a_label_that_fits() {
        let mut grid = owned(4);
        grid.blocks = vec![block(0, 0, &["T0 V0-3", "T0"]), block(0, 4, &["thread"])];
        assert!(matches!(Coarse::of(&grid, NEED, fits), Coarse::Sampled(_)));
        grid.blocks.push(block(1, 0, &["T0"]));
        assert_eq!(Coarse::of(&grid, NEED, fits), Coarse::Named);
        let labels = Coarse::Named.labels(&grid, fits);
        let places: Vec<_> = labels.iter().map(|label| (label.row, label.col)).collect();
        assert_eq!(places, [(0, 0), (1, 0)]);
        assert_eq!(labels[0].label.to_line(), "T0");
    }

    #[test]
    fn a_block_has_the_color_of_most_of_its_cells() {
        let colored = |count: usize| {
            let mut grid = owned(8);
            let cells = grid.cells.iter_mut().filter(|cell| cell.owner.is_some());
            cells.take(count).for_each(|cell| cell.fill = Fill::Class(0));
            Coarse::Sampled(Extent { rows: 8, cols: 8 }).labels(&grid, fits)[0].colored
        };
        assert!(colored(33) && !colored(32));
    }

    #[test]
    fn the_notice_covers_every_panel() {
        let sampled = Coarse::Sampled(Extent { rows: 4, cols: 8 });
        for (panels, text) in [
            (vec![Some(vec![Coarse::Named])], "labels: one for each block"),
            (vec![Some(vec![sampled])], "labels: the first cell of every 4×8 cells"),
            (vec![Some(vec![Coarse::None]), None], "labels in large grids: at full size only"),
            (
                vec![Some(vec![sampled, Coarse::Named])],
                "labels: one for each block, elsewhere the first cell of every 4×8 cells",
            ),
        ] {
            assert_eq!(notice(&panels), text);
        }
    }
}
