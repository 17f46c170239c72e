//! Kind `layout`: any layout as a grid of its values.
//!
//! In: a layout, composed layout or tensor, and what the author wants shown. Out: one panel and all
//! facts about the function. Rank 1 is a strip, rank 2 a grid with mode 0 down and mode 1 across,
//! rank 3 and more one grid for each index of the other modes, or folded into one grid with a
//! warning. Invariant: a figure that leaves out cells or facts says so in a note.

use super::axis::Axis;
use super::facts::Facts;
use super::grid::{Cell, Fill, Grid, Mark, Scale, Spot};
use super::label::Label;
use super::limits;
use super::model::{Body, Figure, Panel, Slice, Swatch};
use super::occupancy::{Occupancy, Values};
use super::resolve::Keys;
use super::snippet::Snippet;
use super::spec::Problem;
use crate::cute::algebra::{coalesce, left_inverse, right_inverse};
use crate::cute::int_tuple::idx2crd;
use crate::cute::{AnyLayout, Coord, CoordItem, IntTuple, Shape, Tensor, Tree};
use crate::diagnostic::Diagnostic;
use crate::expr::Value;
use crate::hardware::dtype::ElementType;

/// What the figure is made from.
#[derive(Clone, Debug)]
pub struct Input {
    /// The function.
    pub layout: AnyLayout,
    /// What is added to every value: the offset of a tensor.
    pub offset: Option<IntTuple>,
    /// The width of an element, where the author or a printout gave one.
    pub element_bits: Option<i64>,
    /// The sets of labels; the first is shown.
    pub show: Vec<Show>,
    /// What colours mean.
    pub color: Color,
    /// The cells to point out.
    pub highlight: Option<Coord>,
    /// How more than two modes are drawn.
    pub fold: Fold,
    /// The first line of the figure.
    pub title: Option<String>,
}

impl Input {
    /// Makes an input with everything else as an author gets it who asks for nothing.
    #[must_use]
    pub fn new(layout: impl Into<AnyLayout>) -> Self {
        Self {
            layout: layout.into(),
            offset: None,
            element_bits: None,
            show: vec![Show::Value],
            color: Color::Value,
            highlight: None,
            fold: Fold::Slices,
            title: None,
        }
    }
}

/// What a label says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Show {
    /// The value of the layout.
    Value,
    /// The one-dimensional index.
    Index,
    /// The coordinate.
    Coord,
}

/// What colours mean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Color {
    /// The value: light is small. Of a coordinate, its first axis.
    #[default]
    Value,
    /// The one-dimensional index.
    Index,
    /// The row.
    Row,
    /// The column.
    Column,
    /// Nothing.
    None,
}

impl Color {
    /// The words of the key `color`, with what they stand for.
    pub const WORDS: [(&'static str, Self); 5] = [
        ("value", Self::Value),
        ("index", Self::Index),
        ("row", Self::Row),
        ("column", Self::Column),
        ("none", Self::None),
    ];
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

/// Draws what the keys of a block ask for.
///
/// # Errors
/// A value that is no layout or tensor, and words that are none of the kind's, at their keys.
pub(super) fn build(keys: &Keys<'_>) -> Result<Figure, Problem> {
    let (layout, offset) = keys.need("layout", |value| match value {
        Value::Tensor(tensor) => Ok((tensor.layout.clone(), Some(tensor.offset.clone()))),
        value => Ok((value.to_layout()?, None)),
    })?;
    let printed_bits = keys.evaluated("layout").and_then(|evaluated| evaluated.element_bits);
    let dtype = keys.text("dtype").map(|name| dtype(keys, name)).transpose()?;
    let show = keys
        .list("show")
        .iter()
        .map(|item| match item.text.as_str() {
            "value" | "offset" => Ok(Show::Value),
            "index" => Ok(Show::Index),
            "coord" => Ok(Show::Coord),
            other => {
                let text = format!("`{other}` is no label of `layout`");
                let message = Diagnostic::error("bad-value", text).at(item.span);
                Err(keys.problem("show", message.hint("its labels are value, index, coord")))
            }
        })
        .collect::<Result<Vec<_>, _>>()?;
    let color = match keys.text("color") {
        None => Color::default(),
        Some(word) => match Color::WORDS.iter().find(|(name, _)| *name == word) {
            Some((_, color)) => *color,
            None => {
                let text =
                    format!("`color` is one of value, index, row, column, none, not `{word}`");
                return Err(keys.problem("color", Diagnostic::error("bad-value", text)));
            }
        },
    };
    let input = Input {
        layout,
        offset,
        element_bits: dtype.or(printed_bits.map(i64::from)),
        show: if show.is_empty() { vec![Show::Value] } else { show },
        color,
        highlight: keys.read("highlight", Value::to_coord)?,
        fold: if keys.word("fold") == Some("flat") { Fold::Flat } else { Fold::Slices },
        title: keys.text("title").map(str::to_owned),
    };
    figure(&input).map_err(|message| keys.problem("layout", message))
}

/// Returns the width in bits of the element type that the author names.
fn dtype(keys: &Keys<'_>, name: &str) -> Result<i64, Problem> {
    ElementType::parse(name).map(ElementType::bits).ok_or_else(|| {
        let message = Diagnostic::error("bad-value", format!("`{name}` is no element type"));
        let message = match ElementType::near(name) {
            Some(near) => message.hint(format!("did you mean `{near}`?")),
            None => message,
        };
        keys.problem("dtype", message)
    })
}

/// Draws a layout.
///
/// # Errors
/// A layout without values (integer and basis strides mixed), and offsets beyond 63 bits.
pub fn figure(input: &Input) -> Result<Figure, Diagnostic> {
    let layout = &input.layout;
    // A layout whose values do not exist is refused before anything is drawn.
    let zero = layout.at(&IntTuple::Leaf(0)).map_err(Diagnostic::from)?;
    if let Some(offset) = &input.offset {
        offset.add(&zero).map_err(Diagnostic::from)?;
    }
    layout.cosize().map_err(Diagnostic::from)?;

    let values = Values::of(layout);
    let mut notes = Vec::new();
    let occupancy = values.as_ref().and_then(Occupancy::of);
    let facts = facts(input, occupancy.as_ref());
    if occupancy.is_none() {
        notes.push(Diagnostic::note(
            "unchecked",
            format!(
                "{} coordinates are more than the {} that are checked, so holes, repeats and the contiguous run are left out",
                layout.size(),
                limits::VALUES_CHECKED
            ),
        ));
    }
    let range = values.as_ref().map_or((0, 0), |values| values.range(0));
    let mut drawing = Drawing {
        input,
        values: values.as_ref(),
        repeats: occupancy.is_some_and(|o| o.repeats > 0),
        range,
    };
    let panel = drawing.panel(&mut notes)?;
    Ok(Figure {
        kind: "layout",
        title: input.title.clone().unwrap_or_default(),
        panels: vec![panel],
        facts,
        notes,
        ..Figure::default()
    })
}

/// Returns the printed form, tensor offset included.
fn printed(input: &Input) -> String {
    match &input.offset {
        Some(offset) => format!("{offset} o {}", input.layout),
        None => input.layout.to_string(),
    }
}

fn facts(input: &Input, occupancy: Option<&Occupancy>) -> Facts {
    let layout = &input.layout;
    let mut facts = Facts::default();
    facts.push("result", printed(input));
    facts.push_text("shape", layout.shape());
    facts.push_text("stride", layout.domain().stride());
    facts.push("size", layout.size());
    facts.push_some("cosize", layout.cosize().ok());
    facts.push("rank", layout.rank());
    facts.push("depth", layout.depth());
    if let Some(occupancy) = occupancy {
        facts.push_as("injective", "injective", occupancy.injective());
        facts.push_as("bijective", "bijective onto 0..cosize", occupancy.bijective());
        facts.push_as("contiguous", "contiguous (no holes)", occupancy.holes == 0);
        facts.push_some("contiguous-run", occupancy.run);
        facts.push("holes", occupancy.holes);
        facts.push("repeats", occupancy.repeats);
        facts.push_some("first-repeat", occupancy.first_repeat_json(layout));
    }
    facts.push_some("coalesced", coalesce(layout, None).ok().map(|l| l.to_string()));
    if let Some(plain) = layout.plain() {
        facts.push_some("right-inverse", right_inverse(plain).ok().map(|l| l.to_string()));
        if occupancy.is_some_and(Occupancy::injective) {
            facts.push_some("left-inverse", left_inverse(plain).ok().map(|l| l.to_string()));
        }
    }
    facts.push_some("element-bits", input.element_bits);
    let snippet = match &input.offset {
        Some(offset) => Snippet::tensor(&Tensor { offset: offset.clone(), layout: layout.clone() }),
        None => Snippet::layout(layout),
    };
    snippet.push(&mut facts);
    facts
}

/// What the panel is drawn from.
struct Drawing<'a> {
    input: &'a Input,
    values: Option<&'a Values>,
    repeats: bool,
    /// The smallest and largest number on axis 0 among the cells that are drawn.
    range: (i64, i64),
}

/// The modes that run down and across, and those that give one slice each.
struct Modes {
    down: Shape,
    across: Shape,
    slices: Vec<Shape>,
}

impl Drawing<'_> {
    fn panel(&mut self, notes: &mut Vec<Diagnostic>) -> Result<Panel, Diagnostic> {
        let layout = &self.input.layout;
        let modes = layout.shape().modes();
        let slices = match modes {
            [] | [_] => vec![Slice { title: None, grid: self.strip(notes)? }],
            [down, across] => {
                let modes =
                    Modes { down: down.clone(), across: across.clone(), slices: Vec::new() };
                self.slices(&modes, notes)?
            }
            [down, rest @ ..] if self.input.fold == Fold::Flat => {
                notes.push(Diagnostic::warning(
                    "folded",
                    format!(
                        "{} modes are folded into two: modes 1 to {} run across",
                        modes.len(),
                        rest.len()
                    ),
                ));
                let modes = Modes {
                    down: down.clone(),
                    across: Tree::Tuple(rest.to_vec()),
                    slices: Vec::new(),
                };
                self.slices(&modes, notes)?
            }
            [down, across, rest @ ..] => {
                let modes =
                    Modes { down: down.clone(), across: across.clone(), slices: rest.to_vec() };
                self.slices(&modes, notes)?
            }
        };
        let scale = slices.first().map_or(Scale::Ramp, |slice| slice.grid.scale);
        let mut panel = Panel::new("", Body::Grids(slices)).layout(printed(self.input));
        if let Some(text) = self.colour_meaning() {
            panel = panel.legend(Swatch::Scale(scale), text);
        }
        if let [Show::Index | Show::Coord, ..] = self.input.show.as_slice() {
            let text = if self.input.show[0] == Show::Index {
                "labels: index"
            } else {
                "labels: coordinate"
            };
            panel = panel.legend(Swatch::Text, text);
        }
        if layout.depth() > 1 {
            panel = panel.legend(Swatch::Boundary, "boundary of a nested mode, indices inside out");
        }
        if self.repeats {
            panel = panel.legend(
                Swatch::Mark(Mark::Twice),
                "repeats a value that an earlier coordinate has",
            );
        }
        if let Some(coord) = &self.input.highlight {
            panel = panel.legend(Swatch::Mark(Mark::Picked), coord.to_string());
        }
        Ok(panel)
    }

    fn colour_meaning(&self) -> Option<String> {
        let between = |(low, high): (i64, i64), what: &str| format!("{what}, {low} to {high}");
        let size = self.input.layout.size();
        Some(match (self.input.color, self.values) {
            (Color::None, _) => return None,
            (Color::Value, Some(values)) if values.arity > 1 => {
                between(self.range, "first axis of the coordinate")
            }
            (Color::Value, _) => {
                let (low, high) = self.range;
                let base = self.offset().first().copied().unwrap_or(0);
                between((low.saturating_add(base), high.saturating_add(base)), "offset")
            }
            (Color::Index, _) => between((0, size - 1), "index"),
            (Color::Row, _) => "row".to_owned(),
            (Color::Column, _) => "column".to_owned(),
        })
    }

    /// One line of cells, broken where it is longer than a page is wide.
    fn strip(&mut self, notes: &mut Vec<Diagnostic>) -> Result<Grid, Diagnostic> {
        let size = usize::try_from(self.input.layout.size()).unwrap_or(usize::MAX);
        let drawn = size.min(limits::CORNER_SIDE * limits::CORNER_SIDE);
        if drawn < size {
            notes.push(reduced(&format!("the first {drawn} of {size} cells are drawn")));
        }
        if drawn < size {
            self.narrow(0..drawn)?;
        }
        let cols = drawn.min(limits::STRIP_COLUMNS);
        let index = |spot: Spot| spot.row * cols + spot.col;
        let grid = self.grid(drawn.div_ceil(cols.max(1)), cols, &|spot| {
            (index(spot) < drawn).then(|| index(spot))
        })?;
        let step = i64::try_from(cols).unwrap_or(1);
        let rows = grid.rows;
        Ok(Grid {
            row_axis: if rows > 1 { Axis::counting_from(0, rows, step) } else { Axis::default() },
            col_axis: if rows > 1 {
                Axis::counting(cols)
            } else {
                Axis::of_shape(self.input.layout.shape())
            },
            ..grid
        })
    }

    fn slices(
        &mut self,
        modes: &Modes,
        notes: &mut Vec<Diagnostic>,
    ) -> Result<Vec<Slice>, Diagnostic> {
        let extent = |shape: &Shape| {
            usize::try_from(shape.product().unwrap_or(i64::MAX)).unwrap_or(usize::MAX)
        };
        let (all_rows, all_cols) = (extent(&modes.down), extent(&modes.across));
        let too_large = all_rows > limits::GRID_SIDE
            || all_cols > limits::GRID_SIDE
            || all_rows * all_cols > limits::CELLS_DRAWN;
        let side = if too_large { limits::CORNER_SIDE } else { usize::MAX };
        let (rows, cols) = (all_rows.min(side), all_cols.min(side));
        if too_large {
            notes.push(reduced(&format!(
                "the first {rows} of {all_rows} rows and {cols} of {all_cols} columns are drawn"
            )));
        }
        if too_large {
            self.narrow((0..cols).flat_map(|col| (0..rows).map(move |row| row + all_rows * col)))?;
        }
        let rest: Shape = Tree::Tuple(modes.slices.clone());
        let all = if modes.slices.is_empty() { 1 } else { extent(&rest) };
        let count =
            all.min(limits::SLICES_DRAWN).min((limits::CELLS_DRAWN / (rows * cols).max(1)).max(1));
        if count < all {
            notes.push(reduced(&format!("the first {count} of {all} slices are drawn")));
        }
        (0..count)
            .map(|slice| {
                let base = slice * all_rows * all_cols;
                let grid =
                    self.grid(rows, cols, &|spot| Some(base + spot.row + all_rows * spot.col))?;
                let grid = Grid {
                    row_axis: Axis::of_shape(&modes.down).truncated(rows),
                    col_axis: Axis::of_shape(&modes.across).truncated(cols),
                    ..grid
                };
                Ok(Slice { title: slice_title(&rest, slice, &modes.slices), grid })
            })
            .collect()
    }

    /// Draws cells whose one-dimensional indices `index` gives.
    fn grid(
        &self,
        rows: usize,
        cols: usize,
        index: &dyn Fn(Spot) -> Option<usize>,
    ) -> Result<Grid, Diagnostic> {
        let looked_up = self.look_up(rows, cols, index)?;
        let values = |spot: Spot| looked_up.get(spot.row * cols + spot.col).map(Vec::as_slice);
        let value = |spot: Spot| match (self.values, index(spot)) {
            (Some(all), Some(index)) => Some(all.get(index)),
            (None, Some(_)) => values(spot),
            (_, None) => None,
        };
        let painter = self.painter(rows, cols);
        let seen = self.first_hits();
        let mut grid = Grid::from_fn(rows, cols, |spot| {
            let Some(index) = index(spot) else { return Cell::default() };
            let repeated = seen.as_ref().is_some_and(|seen| seen.get(index) == Some(&true));
            let picked = self.input.highlight.is_some() && self.is_highlighted(index);
            Cell {
                fill: painter.fill(value(spot).unwrap_or(&[]), index, spot),
                mark: match (picked, repeated) {
                    (true, _) => Mark::Picked,
                    (_, true) => Mark::Twice,
                    _ => Mark::None,
                },
                ..Cell::default()
            }
        })
        .scale(painter.scale);
        let offset = self.offset();
        let template = self.template();
        for show in &self.input.show {
            grid = match show {
                Show::Value => grid.layer("value", |spot| {
                    value(spot).map_or(Label::Blank, |value| value_label(value, &offset, &template))
                }),
                Show::Index => grid.layer("index", |spot| {
                    index(spot)
                        .map_or(Label::Blank, |i| Label::Int(i64::try_from(i).unwrap_or(i64::MAX)))
                }),
                Show::Coord => grid.layer("coord", |spot| {
                    index(spot).map_or(Label::Blank, |index| self.coord_label(index))
                }),
            };
        }
        Ok(grid)
    }

    /// Evaluates the cells one by one where not all values were walked.
    fn look_up(
        &self,
        rows: usize,
        cols: usize,
        index: &dyn Fn(Spot) -> Option<usize>,
    ) -> Result<Vec<Vec<i64>>, Diagnostic> {
        if self.values.is_some() {
            return Ok(Vec::new());
        }
        let spots = (0..rows)
            .flat_map(|row| (0..cols).map(move |col| Spot { row, col, index: row + rows * col }));
        spots.map(|spot| self.evaluate(index(spot).unwrap_or(0))).collect()
    }

    fn painter(&self, rows: usize, cols: usize) -> Painter {
        let int = |n: usize| i64::try_from(n).unwrap_or(i64::MAX);
        let arity = self.values.map_or(1, |values| values.arity);
        let (range, distinct) = match self.input.color {
            Color::Value => (self.range, arity > 1),
            Color::Index => ((0, self.input.layout.size() - 1), false),
            Color::Row => ((0, int(rows) - 1), true),
            Color::Column => ((0, int(cols) - 1), true),
            Color::None => ((0, 0), false),
        };
        let few = range.1.saturating_sub(range.0) < i64::from(Fill::CATEGORIES);
        let scale = if distinct && few { Scale::Category } else { Scale::Ramp };
        Painter { color: self.input.color, range, scale }
    }

    /// Narrows the range of colours to the cells that are drawn, where those are not all.
    fn narrow(&mut self, indices: impl Iterator<Item = usize>) -> Result<(), Diagnostic> {
        let mut range: Option<(i64, i64)> = None;
        for index in indices {
            let number = match self.values {
                Some(values) => values.get(index).first().copied(),
                None => self.evaluate(index)?.first().copied(),
            };
            let number = number.unwrap_or(0);
            let (low, high) = range.unwrap_or((number, number));
            range = Some((low.min(number), high.max(number)));
        }
        self.range = range.unwrap_or(self.range);
        Ok(())
    }

    fn evaluate(&self, index: usize) -> Result<Vec<i64>, Diagnostic> {
        let index = IntTuple::Leaf(i64::try_from(index).unwrap_or(i64::MAX));
        let value = self.input.layout.at(&index).map_err(Diagnostic::from)?;
        Ok(value.leaves().copied().collect())
    }

    /// For each index whether its value was hit before; only where any was.
    fn first_hits(&self) -> Option<Vec<bool>> {
        let values = self.values.filter(|_| self.repeats)?;
        let count = values.flat.len() / values.arity.max(1);
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by(|&a, &b| values.get(a).cmp(values.get(b)).then(a.cmp(&b)));
        let mut seen = vec![false; count];
        for pair in order.windows(2) {
            if values.get(pair[0]) == values.get(pair[1]) {
                seen[pair[1]] = true;
            }
        }
        Some(seen)
    }

    fn is_highlighted(&self, index: usize) -> bool {
        let index = IntTuple::Leaf(i64::try_from(index).unwrap_or(i64::MAX));
        match (&self.input.highlight, idx2crd(&index, self.input.layout.shape())) {
            (Some(wanted), Ok(coord)) => covers(wanted, &coord, self.input.layout.shape()),
            _ => false,
        }
    }

    fn coord_label(&self, index: usize) -> Label {
        let index = IntTuple::Leaf(i64::try_from(index).unwrap_or(i64::MAX));
        match idx2crd(&index, self.input.layout.shape()) {
            Ok(coord) => Label::text(coord.to_string()),
            Err(_) => Label::Blank,
        }
    }

    fn offset(&self) -> Vec<i64> {
        self.input.offset.iter().flat_map(|offset| offset.leaves().copied()).collect()
    }

    /// The form of a value: leaves are numbered from left to right.
    fn template(&self) -> IntTuple {
        self.input.layout.at(&IntTuple::Leaf(0)).unwrap_or(IntTuple::Leaf(0))
    }
}

struct Painter {
    color: Color,
    range: (i64, i64),
    scale: Scale,
}

impl Painter {
    fn fill(&self, value: &[i64], index: usize, spot: Spot) -> Fill {
        let int = |n: usize| i64::try_from(n).unwrap_or(i64::MAX);
        let number = match self.color {
            Color::None => return Fill::Blank,
            Color::Value => value.first().copied().unwrap_or(0),
            Color::Index => int(index),
            Color::Row => int(spot.row),
            Color::Column => int(spot.col),
        };
        match self.scale {
            Scale::Ramp => Fill::ramp(number, self.range.0, self.range.1),
            Scale::Category => {
                let id = u32::try_from(number - self.range.0).unwrap_or(0);
                Fill::tile(id, Fill::CATEGORIES.into())
            }
        }
    }
}

pub(super) fn value_label(value: &[i64], offset: &[i64], template: &IntTuple) -> Label {
    let sum = |axis: usize| {
        let base = offset.get(axis).copied().unwrap_or(0);
        value.get(axis).copied().unwrap_or(0).saturating_add(base)
    };
    match (template, value.len()) {
        (Tree::Leaf(_), _) => Label::Int(sum(0)),
        (Tree::Tuple(modes), 2) if modes.iter().all(Tree::is_leaf) => {
            match (i32::try_from(sum(0)), i32::try_from(sum(1))) {
                (Ok(a), Ok(b)) => Label::Coord(a, b),
                _ => Label::text(format!("({},{})", sum(0), sum(1))),
            }
        }
        (tuple, _) => {
            let mut axis = 0;
            let value = tuple.map(&mut |_| {
                axis += 1;
                sum(axis - 1)
            });
            Label::text(value.to_string())
        }
    }
}

/// Returns whether `wanted`, in which `_` stands for everything and an integer may stand for a
/// nested coordinate, covers `coord` of `shape`.
#[must_use]
pub fn covers(wanted: &Coord, coord: &IntTuple, shape: &Shape) -> bool {
    match (wanted, coord, shape) {
        (Tree::Leaf(CoordItem::All), _, _) => true,
        (Tree::Leaf(CoordItem::At(wanted)), Tree::Leaf(coord), _) => wanted == coord,
        (Tree::Leaf(CoordItem::At(wanted)), tuple @ Tree::Tuple(_), shape) => {
            idx2crd(&IntTuple::Leaf(*wanted), shape).is_ok_and(|split| split == *tuple)
        }
        (Tree::Tuple(wanted), Tree::Tuple(coords), Tree::Tuple(shapes)) => {
            wanted.len() == coords.len()
                && wanted.iter().zip(coords).zip(shapes).all(|((w, c), s)| covers(w, c, s))
        }
        (Tree::Tuple(wanted), coord, shape) => match wanted.as_slice() {
            [one] => covers(one, coord, shape),
            _ => false,
        },
    }
}

fn slice_title(rest: &Shape, slice: usize, modes: &[Shape]) -> Option<String> {
    if modes.is_empty() {
        return None;
    }
    let index = IntTuple::Leaf(i64::try_from(slice).ok()?);
    let coord = idx2crd(&index, rest).ok()?;
    let picks: Vec<String> = coord.modes().iter().map(ToString::to_string).collect();
    Some(format!("(_,_,{})", picks.join(",")))
}

fn reduced(text: &str) -> Diagnostic {
    Diagnostic::warning("reduced", text)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests may stop at the first surprise")]

    use super::*;
    use crate::cute::{ComposedLayout, Inner, Layout, Path, StrideLeaf, Swizzle};
    use serde_json::json;

    fn flat(shape: &[i64], stride: &[i64]) -> Layout {
        let stride = Tree::flat(stride.iter().map(|&s| StrideLeaf::Int(s)));
        Layout::new(Tree::flat(shape.iter().copied()), stride).unwrap()
    }

    fn identity(rows: i64, cols: i64) -> Layout {
        let axis = |mode| StrideLeaf::Basis { value: 1, path: Path::new(&[mode]).unwrap() };
        Layout::new(Tree::flat([rows, cols]), Tree::flat([axis(0), axis(1)])).unwrap()
    }

    fn grids(figure: &Figure) -> Vec<&Grid> {
        let Body::Grids(slices) = &figure.panels[0].body else { return Vec::new() };
        slices.iter().map(|slice| &slice.grid).collect()
    }

    fn shown(grid: &Grid) -> Vec<String> {
        grid.layers[0].labels.iter().map(Label::to_line).collect()
    }

    #[test]
    fn mode_0_runs_down_and_mode_1_across() {
        let figure = figure(&Input::new(flat(&[2, 3], &[3, 1]))).unwrap();
        let grid = grids(&figure)[0];
        assert_eq!((grid.rows, grid.cols), (2, 3));
        assert_eq!(shown(grid), ["0", "1", "2", "3", "4", "5"]);
    }

    #[test]
    fn facts_of_a_layout_with_holes_and_one_with_repeats() {
        let facts = figure(&Input::new(flat(&[4, 8], &[2, 16]))).unwrap().facts;
        for (name, value) in [
            ("result", json!("(4,8):(2,16)")),
            ("shape", json!("(4,8)")),
            ("stride", json!("(2,16)")),
            ("size", json!(32)),
            ("cosize", json!(119)),
            ("rank", json!(2)),
            ("depth", json!(1)),
            ("injective", json!(true)),
            ("bijective", json!(false)),
            ("holes", json!(87)),
            ("repeats", json!(0)),
            ("contiguous", json!(false)),
            ("contiguous-run", json!(1)),
        ] {
            assert_eq!(facts.get(name), Some(&value), "{name}");
        }
        let facts = figure(&Input::new(flat(&[4, 8], &[1, 0]))).unwrap().facts;
        assert_eq!(facts.get("repeats"), Some(&json!(28)));
        let first = facts.get("first-repeat").unwrap();
        assert_eq!(first["second-coord"], json!("(0,1)"));
        assert_eq!(facts.get("left-inverse"), None);
    }

    #[test]
    fn repeats_are_marked_but_not_the_first_hit() {
        let figure = figure(&Input::new(flat(&[4, 2], &[1, 0]))).unwrap();
        let marks: Vec<Mark> = grids(&figure)[0].cells.iter().map(|cell| cell.mark).collect();
        assert_eq!(marks[..2], [Mark::None, Mark::Twice]);
    }

    #[test]
    fn rank_3_gives_slices_or_is_folded_with_a_warning() {
        let mut input = Input::new(flat(&[4, 4, 3], &[4, 1, 16]));
        let sliced = figure(&input).unwrap();
        assert_eq!(grids(&sliced).len(), 3);
        assert_eq!(shown(grids(&sliced)[2])[0], "32");
        assert!(sliced.notes.is_empty());
        input.fold = Fold::Flat;
        let folded = figure(&input).unwrap();
        assert_eq!((grids(&folded)[0].rows, grids(&folded)[0].cols), (4, 12));
        assert_eq!(folded.notes[0].code, "folded");
    }

    #[test]
    fn rank_1_is_a_strip_that_breaks_at_32() {
        let figure = figure(&Input::new(Layout::vector(100, 2).unwrap())).unwrap();
        let grid = grids(&figure)[0];
        assert_eq!((grid.rows, grid.cols), (4, 32));
        assert_eq!(shown(grid)[33], "66");
        assert_eq!(shown(grid)[127], "");
    }

    #[test]
    fn values_of_coordinate_layouts_and_swizzles() {
        let figure_of = |input: &Input| figure(input).unwrap();
        let coordinates = figure_of(&Input::new(identity(4, 8)));
        assert_eq!(shown(grids(&coordinates)[0])[9], "(1,1)");
        assert_eq!(grids(&coordinates)[0].scale, Scale::Category);
        let swizzle = Inner::Swizzle(Swizzle::new(3, 0, 3).unwrap());
        let composed = ComposedLayout::new(swizzle, Tree::Leaf(0), flat(&[8, 8], &[8, 1])).unwrap();
        let swizzled = figure_of(&Input::new(composed));
        assert_eq!(shown(grids(&swizzled)[0])[8..11], ["9", "8", "11"]);
        assert_eq!(swizzled.facts.get("bijective"), Some(&json!(true)));
    }

    #[test]
    fn a_tensor_shows_its_offset() {
        let mut input = Input::new(flat(&[4, 4], &[16, 1]));
        input.offset = Some(Tree::Leaf(72));
        let figure = figure(&input).unwrap();
        assert_eq!(figure.facts.get("result"), Some(&json!("72 o (4,4):(16,1)")));
        assert_eq!(shown(grids(&figure)[0])[..2], ["72", "73"]);
    }

    #[test]
    fn a_highlight_takes_whole_modes_and_indices_of_nested_ones() {
        let shape = Tree::Tuple(vec![Tree::flat([2, 2]), Tree::Leaf(4)]);
        let mut input = Input::new(Layout::column_major(shape).unwrap());
        let at = |i| Tree::Leaf(CoordItem::At(i));
        input.highlight = Some(Tree::Tuple(vec![at(3), Tree::Leaf(CoordItem::All)]));
        let figure = figure(&input).unwrap();
        let picked = |row: usize| grids(&figure)[0].cell(row, 1).unwrap().mark == Mark::Picked;
        assert_eq!([0, 1, 2, 3].map(picked), [false, false, false, true]);
    }

    #[test]
    fn a_million_cells_give_a_corner_and_say_so() {
        let large = figure(&Input::new(flat(&[1024, 1024], &[1024, 1]))).unwrap();
        assert_eq!((grids(&large)[0].rows, grids(&large)[0].cols), (64, 64));
        assert_eq!(large.notes[0].code, "reduced");
        assert_eq!(large.facts.get("bijective"), Some(&json!(true)));
        // Beyond what is checked the facts of the values are left out, and the figure says so.
        let huge = figure(&Input::new(flat(&[1 << 20, 1 << 20], &[1 << 20, 1]))).unwrap();
        assert_eq!(huge.facts.get("holes"), None);
        assert!(huge.notes.iter().any(|note| note.code == "unchecked"));
        assert_eq!(shown(grids(&huge)[0])[64], "1048576");
    }
}
