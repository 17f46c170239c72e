//! How the coordinates of a shape lie on paper: a strip, a grid, or one grid a slice.
//!
//! In: the shape of a domain, and how many cells there is room for. Out: pages whose spots know
//! their one-dimensional index. Rank 1 runs across, rank 2 has mode 0 down and mode 1 across, and
//! more modes give one page for each of their indices or fold into the columns. Invariant: what is
//! not drawn is said in [`Sheet::notes`].

use crate::cute::index::{capped, wide};
use crate::cute::int_tuple::idx2crd;
use crate::cute::{IntTuple, Shape, Tree};
use crate::diagnostic::Diagnostic;
use crate::figure::canvas::limits;
use crate::figure::canvas::rectangles::rectangles;
use crate::figure::model::axis::Axis;
use crate::figure::model::figure::{Body, Slice};
use crate::figure::model::grid::{Block, Cell, Extent, Grid, Scale, Spot};
use crate::figure::model::label::Label;

/// The pages of one panel.
#[derive(Clone, Debug)]
pub struct Sheet {
    pages: Vec<Page>,
    /// Folding, and whatever was left out.
    pub notes: Vec<Diagnostic>,
}

/// How more than two modes are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fold {
    /// One grid for each index of the modes after the second.
    #[default]
    Slices,
    /// All modes after the first run across one grid.
    Flat,
}

#[derive(Clone, Debug)]
struct Page {
    title: Option<String>,
    rows: usize,
    cols: usize,
    /// The index of the first spot, and the steps from there.
    first: i64,
    down: i64,
    across: i64,
    /// One past the last index.
    end: i64,
    row_axis: Axis,
    col_axis: Axis,
}

/// One set of labels: what they are, and the label of each index.
pub type Labels<'a> = (&'static str, &'a dyn Fn(usize) -> Label);

impl Sheet {
    /// Lays out a shape for a panel called `name`, with room for `cells` cells.
    #[must_use]
    pub fn of(name: &str, shape: &Shape, fold: Fold, cells: usize) -> Self {
        let mut notes = Vec::new();
        let pages = match shape.modes() {
            [] | [_] => vec![strip(name, shape, cells, &mut notes)],
            [down, rest @ ..] if rest.len() > 1 && fold == Fold::Flat => {
                let text = format!(
                    "{} modes are folded into two, modes 1 to {} run across",
                    rest.len() + 1,
                    rest.len()
                );
                notes.push(about(name, "folded", &text));
                grids(name, down, &Tree::Tuple(rest.to_vec()), &[], cells, &mut notes)
            }
            [down, across, rest @ ..] => grids(name, down, across, rest, cells, &mut notes),
        };
        Self { pages, notes }
    }

    /// Lays out `count` offsets from 0 on as a strip.
    #[must_use]
    pub fn strip(name: &str, count: i64, cells: usize) -> Self {
        let mut notes = Vec::new();
        let pages = vec![strip(name, &Tree::Leaf(count), cells, &mut notes)];
        Self { pages, notes }
    }

    /// Draws the pages: a cell and its labels for each index; the first set of labels is shown.
    #[must_use]
    pub fn draw(&self, scale: Scale, cell: &dyn Fn(usize) -> Cell, labels: &[Labels<'_>]) -> Body {
        let slices = self.pages.iter().map(|page| {
            let mut grid = Grid::from_fn(page.rows, page.cols, |spot| {
                page.index(spot).map_or_else(Cell::default, cell)
            })
            .scale(scale);
            for (name, label) in labels {
                grid = grid.layer(name, |spot| page.index(spot).map_or(Label::Blank, label));
            }
            grid.row_axis = page.row_axis.clone();
            grid.col_axis = page.col_axis.clone();
            Slice { title: page.title.clone(), grid }
        });
        Body::Grids(slices.collect())
    }

    /// Finds the blocks of cells with one key, each as large as it can be to the right and then
    /// down, page by page; cells without a key are in none. `labels` is asked with the indices of a
    /// block, row by row.
    pub fn label_blocks<K: PartialEq>(
        &self,
        body: &mut Body,
        key: impl Fn(usize) -> Option<K>,
        labels: impl Fn(&[usize]) -> Vec<Label>,
    ) {
        let Body::Grids(slices) = body else { return };
        for (page, slice) in self.pages.iter().zip(slices) {
            slice.grid.blocks = page.blocks(&key, &labels);
        }
    }

    /// Returns the extent of the largest page.
    #[must_use]
    pub fn extent(&self) -> Extent {
        let most = |of: fn(&Page) -> usize| self.pages.iter().map(of).max().unwrap_or(0);
        Extent { rows: most(|page| page.rows), cols: most(|page| page.cols) }
    }

    /// Returns whether there was no room for some cells.
    #[must_use]
    pub fn is_reduced(&self) -> bool {
        self.notes.iter().any(|note| note.code == "reduced")
    }

    /// Visits the index of every cell that is drawn, page by page and row by row.
    pub fn cells(&self) -> impl Iterator<Item = Option<usize>> + '_ {
        self.pages.iter().flat_map(|page| {
            let spots = (0..page.rows).flat_map(|row| (0..page.cols).map(move |col| (row, col)));
            spots.map(|(row, col)| page.index(Spot { row, col, index: 0 }))
        })
    }
}

impl Page {
    fn blocks<K: PartialEq>(
        &self,
        key: &impl Fn(usize) -> Option<K>,
        labels: &impl Fn(&[usize]) -> Vec<Label>,
    ) -> Vec<Block> {
        let at = |row, col| self.index(Spot { row, col, index: 0 });
        let key = |row, col| at(row, col).and_then(key);
        let mut blocks = Vec::new();
        let mut indices = Vec::new();
        let mut covered = 0;
        for block in rectangles(self.rows, self.cols, key) {
            indices.clear();
            indices.extend(block.places().filter_map(|(row, col)| at(row, col)));
            covered += block.rows * block.cols;
            blocks.push(Block { labels: labels(&indices), ..block });
            // Blocks of single cells say no more than the cells do.
            if blocks.len() > limits::BLOCKS_TRIED && covered < 2 * blocks.len() {
                return Vec::new();
            }
        }
        blocks
    }

    fn index(&self, spot: Spot) -> Option<usize> {
        let index = self.first + wide(spot.row) * self.down + wide(spot.col) * self.across;
        // Pages end before the first index that is no place; see `reach`.
        usize::try_from(index).ok().filter(|_| index < self.end)
    }
}

/// One line, broken where it is longer than a page is wide.
fn strip(name: &str, shape: &Shape, cells: usize, notes: &mut Vec<Diagnostic>) -> Page {
    let size = extent(shape);
    let side = limits::CORNER_SIDE * limits::CORNER_SIDE;
    let drawn = capped(size, cells.min(side));
    if wide(drawn) < size {
        notes.push(reduced(name, &format!("the first {drawn} of {size} cells are drawn")));
    }
    let cols = drawn.clamp(1, limits::STRIP_COLUMNS);
    let rows = drawn.div_ceil(cols);
    Page {
        title: None,
        rows,
        cols,
        first: 0,
        down: wide(cols),
        across: 1,
        end: wide(drawn),
        row_axis: if rows > 1 { Axis::counting_from(0, rows, wide(cols)) } else { Axis::default() },
        col_axis: if rows > 1 { Axis::counting(cols) } else { Axis::of_shape(shape) },
    }
}

/// One grid for each index of the modes in `rest`.
fn grids(
    name: &str,
    down: &Shape,
    across: &Shape,
    rest: &[Shape],
    cells: usize,
    notes: &mut Vec<Diagnostic>,
) -> Vec<Page> {
    let (all_rows, all_cols) = (extent(down), extent(across));
    let page = all_rows.saturating_mul(all_cols);
    let too_large = all_rows.max(all_cols) > wide(limits::GRID_SIDE) || page > wide(cells);
    let side = if too_large { limits::CORNER_SIDE } else { limits::GRID_SIDE };
    let rows = capped(all_rows, side);
    let cols = capped(all_cols.min(reach(wide(rows) - 1, all_rows)), side);
    if too_large || wide(cols) < all_cols {
        let text = format!(
            "the first {rows} of {all_rows} rows and {cols} of {all_cols} columns are drawn"
        );
        notes.push(reduced(name, &text));
    }
    let outer: Shape = Tree::Tuple(rest.to_vec());
    let all = if rest.is_empty() { 1 } else { extent(&outer) };
    let room = (cells / (rows * cols).max(1)).max(1);
    let count = capped(all.min(reach(page - 1, page)), limits::SLICES_DRAWN.min(room));
    if wide(count) < all {
        notes.push(reduced(name, &format!("the first {count} of {all} slices are drawn")));
    }
    (0..count)
        .map(|slice| Page {
            title: (!rest.is_empty()).then(|| slice_title(&outer, slice)),
            rows,
            cols,
            first: wide(slice) * page,
            down: 1,
            across: all_rows,
            end: i64::MAX,
            row_axis: Axis::of_shape(down).truncated(rows),
            col_axis: Axis::of_shape(across).truncated(cols),
        })
        .collect()
}

fn slice_title(outer: &Shape, slice: usize) -> String {
    let index = IntTuple::Leaf(wide(slice));
    let coord = idx2crd(&index, outer).unwrap_or(index);
    let picks: Vec<String> = coord.modes().iter().map(ToString::to_string).collect();
    format!("(_,_,{})", picks.join(","))
}

/// Counts the multiples of `step`, from 0 on, that added to the index `inner` give a place in memory:
/// more than a layout has, but for targets of 32 bits.
fn reach(inner: i64, step: i64) -> i64 {
    ((wide(usize::MAX) - inner) / step.max(1)).saturating_add(1)
}

/// Counts the coordinates of a shape; one that overflows is of no layout, and too large to draw.
fn extent(shape: &Shape) -> i64 {
    shape.product().unwrap_or(i64::MAX)
}

fn reduced(name: &str, text: &str) -> Diagnostic {
    about(name, "reduced", text)
}

/// Warns of something about a panel, which a figure of one panel does not name.
fn about(name: &str, code: &'static str, text: &str) -> Diagnostic {
    let name = if name.is_empty() { String::new() } else { format!("{name}: ") };
    Diagnostic::warning(code, format!("{name}{text}"))
}
