//! Kind `layout`: any layout as a grid of its values.
//!
//! In: a layout, composed layout or tensor, and what the author wants shown. Out: one panel and all
//! facts about the function. Rank 1 is a strip, rank 2 a grid with mode 0 down and mode 1 across,
//! rank 3 and more one grid for each index of the other modes, or folded into one grid with a
//! warning. Invariant: a figure that leaves out cells or facts says so in a note.

use crate::cute::algebra::{coalesce, left_inverse, right_inverse};
use crate::cute::index::wide;
use crate::cute::{AnyLayout, IntTuple, OffsetUnit, Tensor};
use crate::diagnostic::Diagnostic;
use crate::figure::canvas::limits::{CELLS_DRAWN, VALUES_CHECKED};
use crate::figure::canvas::look::{FOLD, HIGHLIGHT, Look, Picked, SHOW};
use crate::figure::canvas::occupancy::{Occupancy, Values};
use crate::figure::canvas::panel::Sketch;
use crate::figure::canvas::reading::{Reading, tensor_of};
use crate::figure::canvas::sheet::Sheet;
use crate::figure::code::snippet::Snippet;
use crate::figure::input::entry::Problem;
use crate::figure::input::frame::DTYPE;
use crate::figure::input::key::{Key, Role};
use crate::figure::input::keys::Keys;
use crate::figure::input::kind::{DeepLink, KindDef, OpDef, Thumbnail, Use};
use crate::figure::input::value::{Choice, Expression};
use crate::figure::model::facts::Facts;
use crate::figure::model::figure::{Body, Figure, Panel, Slice, Swatch};
use crate::figure::model::grid::{Cell, Extent, Fill, Mark, Scale, Spot};
use crate::hardware::dtype::ElementType;

pub(super) static DEF: KindDef = KindDef {
    name: "layout",
    doc: "Any layout, composed layout or coordinate layout.",
    op: None,
    ops: &[OpDef {
        name: "",
        doc: "The layout as a grid of its values.",
        keys: &[KEYS],
        build,
        example: "layout = (4,8):(8,1)",
    }],
    thumbnail: Thumbnail::First,
    deep_links: &[DeepLink { word: "layout", op: None, keys: &[&LAYOUT] }],
};

static KEYS: &[Use] = &[
    Use::main(&LAYOUT, "layout = (4,8):(1,4)"),
    Use::optional(&COLOR, "color = index"),
    Use::optional(&SHOW, "show = index"),
    Use::optional(&HIGHLIGHT, "highlight = (0,0)"),
    Use::optional(&FOLD, "fold = flat\nlayout = (2,3,4):(1,2,6)"),
];

static LAYOUT: Key<Expression> = Key::new("layout", Expression::ANY, "What to draw.");

static COLOR: Key<Choice<Color>> = Key::new(
    "color",
    Choice::of(&[
        ("value", Color::Value),
        ("index", Color::Index),
        ("row", Color::Row),
        ("column", Color::Column),
        ("none", Color::None),
    ]),
    "What the colors mean.",
)
.role(Role::Look);

/// What colors mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Color {
    /// The value: light is small. Of a coordinate, its first axis.
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

/// Draws what the keys of a block ask for.
///
/// # Errors
/// A value that is no layout or tensor, words that are none of the kind's, a layout without values
/// (integer and basis strides mixed), and offsets beyond 63 bits, at their keys.
fn build(keys: &Keys<'_>) -> Result<Figure, Problem> {
    let (layout, offset) = keys.need(&LAYOUT, tensor_of)?;
    let printed_bits = keys.get(&LAYOUT).and_then(|evaluated| evaluated.element_bits);
    let dtype = keys.get(&DTYPE);
    let look = Look::read(keys)?;
    let color = keys.get(&COLOR);
    let reading = Reading::walking(&layout, offset.as_ref(), VALUES_CHECKED)
        .map_err(|error| keys.problem(&LAYOUT, error))?;
    let unit =
        drawn_unit(&layout, offset.as_ref()).map_err(|error| keys.problem(&LAYOUT, error))?;
    let input = Input {
        reading,
        offset,
        unit,
        element_bits: dtype.map(ElementType::bits).or(printed_bits.map(i64::from)),
        color,
        picked: look.picked(keys, layout.shape())?,
        look,
    };
    Ok(input.figure())
}

/// Says where memory has other offsets than the ones drawn: a swizzle of bytes is drawn as CuTe
/// evaluates it, over the numbers of elements.
fn drawn_unit(
    layout: &AnyLayout,
    offset: Option<&IntTuple>,
) -> Result<Option<Diagnostic>, Diagnostic> {
    let Some(swizzle) = layout.swizzle() else { return Ok(None) };
    let OffsetUnit::Byte { element_bits } = swizzle.unit() else { return Ok(None) };
    if swizzle.in_elements()?.permutes_like(swizzle) {
        return Ok(None);
    }
    let memory = match offset {
        None => layout.in_elements()?,
        Some(offset) => {
            let layout = layout.clone();
            Tensor { offset: offset.clone(), layout }.in_elements()?.layout
        }
    };
    let text = format!(
        "`{swizzle}` counts bytes and is drawn over the numbers of elements, as CuTe evaluates it; in memory the offsets of {element_bits}-bit elements are those of `{memory}`"
    );
    Ok(Some(Diagnostic::note("swizzle-unit", text)))
}

/// What the figure is made from.
struct Input {
    reading: Reading,
    /// What to say about what the values count.
    unit: Option<Diagnostic>,
    /// What is added to every value: the offset of a tensor.
    offset: Option<IntTuple>,
    /// The width of an element, where the author or a printout gave one.
    element_bits: Option<i64>,
    look: Look,
    picked: Picked,
    color: Color,
}

impl Input {
    fn figure(mut self) -> Figure {
        let mut notes: Vec<_> = self.unit.take().into_iter().collect();
        let occupancy = self.reading.values().and_then(Occupancy::of);
        if occupancy.is_none() {
            notes.push(Diagnostic::note(
                "unchecked",
                format!(
                    "{} coordinates are more than the {VALUES_CHECKED} that are checked, so holes, repeats and the contiguous run are left out",
                    self.reading.size(),
                ),
            ));
        }
        let facts = self.facts(occupancy.as_ref());
        let repeats = occupancy.is_some_and(|occupancy| occupancy.repeats > 0);
        let panel = self.panel(repeats, &mut notes);
        Figure { kind: "layout", panels: vec![panel], facts, notes, ..Figure::default() }
    }

    fn facts(&self, occupancy: Option<&Occupancy>) -> Facts {
        let layout = self.reading.layout();
        let mut facts = Facts::default();
        facts.push("result", self.reading.printed());
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
        facts.push_some("element-bits", self.element_bits);
        let snippet = match &self.offset {
            Some(offset) => {
                Snippet::tensor(&Tensor { offset: offset.clone(), layout: layout.clone() })
            }
            None => Snippet::layout(layout),
        };
        snippet.push(&mut facts);
        facts
    }

    fn panel(&mut self, repeats: bool, notes: &mut Vec<Diagnostic>) -> Panel {
        let shape = self.reading.layout().shape();
        let sheet = Sheet::of("", shape, self.look.fold, CELLS_DRAWN);
        notes.extend(sheet.notes.iter().cloned());
        if sheet.is_reduced() {
            self.reading.narrow(sheet.cells().flatten());
        }
        let seen = self.reading.values().filter(|_| repeats).map(later_hits);
        let last = self.reading.layout().size() - 1;
        let cell = |index: usize| {
            let repeated = seen.as_ref().is_some_and(|seen| seen.get(index) == Some(&true));
            let fill = match self.color {
                Color::Value => self.reading.fill(index),
                Color::Index => Fill::ramp(wide(index), 0, last),
                // Which row and column a cell stands in is known once the grid is there.
                Color::Row | Color::Column => Fill::Class(0),
                Color::None => Fill::Blank,
            };
            let otherwise = if repeated { Mark::Twice } else { Mark::None };
            Cell { fill, mark: self.picked.mark(index, otherwise), ..Cell::default() }
        };
        let Extent { rows, cols } = sheet.extent();
        let (scale, meaning) = match self.color {
            Color::Value => (self.reading.scale(), Some(self.reading.fill_meaning())),
            Color::Index => (Scale::Ramp, Some(format!("index, 0 to {last}"))),
            Color::Row => (scale_of_lines(rows), Some("row".to_owned())),
            Color::Column => (scale_of_lines(cols), Some("column".to_owned())),
            Color::None => (Scale::Ramp, None),
        };
        let twice = "repeats a value that an earlier coordinate has";
        let mut panel = Sketch::of("", &self.reading, &self.look)
            .laid_out(&sheet)
            .scale(scale)
            .color_legend(meaning)
            .label_legend()
            .boundary_legend()
            .legend_if(repeats, Swatch::Mark(Mark::Twice), twice)
            .highlight_legend(&self.picked)
            .draw(&cell, notes);
        match self.color {
            Color::Row => color_lines(&mut panel.body, rows, |spot| spot.row),
            Color::Column => color_lines(&mut panel.body, cols, |spot| spot.col),
            Color::Value | Color::Index | Color::None => {}
        }
        panel
    }
}

/// Returns the scale of the colors of rows or columns: a color each for a few.
fn scale_of_lines(lines: usize) -> Scale {
    if lines <= usize::from(Fill::CATEGORIES) { Scale::Category } else { Scale::Ramp }
}

/// Gives every cell that has a color the one of its row or column, of `lines`.
fn color_lines(body: &mut Body, lines: usize, line: impl Fn(Spot) -> usize) {
    let Body::Grids(slices) = body else { return };
    for Slice { grid, .. } in slices {
        for (spot, cell) in grid.spots().zip(&mut grid.cells) {
            let line = wide(line(spot));
            cell.fill = match (cell.fill, grid.scale) {
                (Fill::Blank, _) => Fill::Blank,
                (Fill::Class(_), Scale::Category) => Fill::numbered(line, Fill::CATEGORIES.into()),
                (Fill::Class(_), Scale::Ramp) => Fill::ramp(line, 0, wide(lines) - 1),
            };
        }
    }
}

/// For each index whether its value was hit before.
fn later_hits(values: &Values) -> Vec<bool> {
    let count = values.flat.len() / values.arity.max(1);
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|&a, &b| values.get(a).cmp(values.get(b)).then(a.cmp(&b)));
    let mut seen = vec![false; count];
    for pair in order.windows(2) {
        if values.get(pair[0]) == values.get(pair[1]) {
            seen[pair[1]] = true;
        }
    }
    seen
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests may stop at the first surprise")]

    use crate::expr::{Functions, Scope};
    use crate::figure::build::build;
    use crate::figure::input::entry::Entry;
    use crate::figure::input::kind::Kind;
    use crate::figure::input::spec::Spec;
    use crate::figure::model::figure::{Body, Figure, Swatch};
    use crate::figure::model::grid::{Fill, Grid, Mark, Scale};
    use crate::figure::model::label::Label;
    use serde_json::json;

    fn figure(layout: &str, keys: &[(&str, &str)]) -> Figure {
        let keys = [("layout", layout)].into_iter().chain(keys.iter().copied());
        let entries = keys.map(|(key, value)| Entry::new(key, value)).collect();
        let functions = Functions::core();
        build(&Spec::new(Kind::LAYOUT, entries), &Scope::new(&functions)).unwrap().figure
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
        let figure = figure("(2,3):(3,1)", &[]);
        let grid = grids(&figure)[0];
        assert_eq!((grid.rows, grid.cols), (2, 3));
        assert_eq!(shown(grid), ["0", "1", "2", "3", "4", "5"]);
    }

    #[test]
    fn rows_have_colors_of_their_own_while_there_are_enough() {
        for (layout, scale, fills) in [
            ("(32,2):(2,1)", Scale::Category, [Fill::numbered(0, 32), Fill::numbered(31, 32)]),
            ("(33,2):(2,1)", Scale::Ramp, [Fill::Class(0), Fill::Class(Fill::RAMP - 1)]),
        ] {
            let figure = figure(layout, &[("color", "row")]);
            let grid = grids(&figure)[0];
            let ends = grid.cells.first().zip(grid.cells.last()).unwrap();
            assert_eq!(([ends.0.fill, ends.1.fill], grid.scale), (fills, scale), "{layout}");
            assert_eq!(figure.panels[0].legend[0].swatch, Swatch::Scale(scale), "{layout}");
        }
    }

    #[test]
    fn facts_of_a_layout_with_holes_and_one_with_repeats() {
        let facts = figure("(4,8):(2,16)", &[]).facts;
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
        let facts = figure("(4,8):(1,0)", &[]).facts;
        assert_eq!(facts.get("repeats"), Some(&json!(28)));
        let first = facts.get("first-repeat").unwrap();
        assert_eq!(first["second-coord"], json!("(0,1)"));
        assert_eq!(facts.get("left-inverse"), None);
    }

    #[test]
    fn repeats_are_marked_but_not_the_first_hit() {
        let figure = figure("(4,2):(1,0)", &[]);
        let marks: Vec<Mark> = grids(&figure)[0].cells.iter().map(|cell| cell.mark).collect();
        assert_eq!(marks[..2], [Mark::None, Mark::Twice]);
    }

    #[test]
    fn rank_3_gives_slices_or_is_folded_with_a_warning() {
        let sliced = figure("(4,4,3):(4,1,16)", &[]);
        assert_eq!(grids(&sliced).len(), 3);
        assert_eq!(shown(grids(&sliced)[2])[0], "32");
        assert!(sliced.notes.is_empty());
        let folded = figure("(4,4,3):(4,1,16)", &[("fold", "flat")]);
        assert_eq!((grids(&folded)[0].rows, grids(&folded)[0].cols), (4, 12));
        assert_eq!(folded.notes[0].code, "folded");
    }

    #[test]
    fn rank_1_is_a_strip_that_breaks_at_32() {
        let figure = figure("100:2", &[]);
        let grid = grids(&figure)[0];
        assert_eq!((grid.rows, grid.cols), (4, 32));
        assert_eq!(shown(grid)[33], "66");
        assert_eq!(shown(grid)[127], "");
    }

    #[test]
    fn values_of_coordinate_layouts_and_swizzles() {
        let coordinates = figure("(4,8):(1@0,1@1)", &[]);
        assert_eq!(shown(grids(&coordinates)[0])[9], "(1,1)");
        assert_eq!(grids(&coordinates)[0].scale, Scale::Category);
        let swizzled = figure("S<3,0,3> o 0 o (8,8):(8,1)", &[]);
        assert_eq!(shown(grids(&swizzled)[0])[8..11], ["9", "8", "11"]);
        assert_eq!(swizzled.facts.get("bijective"), Some(&json!(true)));
    }

    #[test]
    fn a_tensor_shows_its_offset() {
        let figure = figure("72 o (4,4):(16,1)", &[]);
        assert_eq!(figure.facts.get("result"), Some(&json!("72 o (4,4):(16,1)")));
        assert_eq!(shown(grids(&figure)[0])[..2], ["72", "73"]);
    }

    #[test]
    fn a_highlight_takes_whole_modes_and_indices_of_nested_ones() {
        let figure = figure("((2,2),4):((1,2),4)", &[("highlight", "(3,_)")]);
        let picked = |row: usize| grids(&figure)[0].cell(row, 1).unwrap().mark == Mark::Picked;
        assert_eq!([0, 1, 2, 3].map(picked), [false, false, false, true]);
    }

    #[test]
    fn a_million_cells_give_a_corner_and_say_so() {
        let large = figure("(1024,1024):(1024,1)", &[]);
        assert_eq!((grids(&large)[0].rows, grids(&large)[0].cols), (64, 64));
        assert_eq!(large.notes[0].code, "reduced");
        assert_eq!(large.facts.get("bijective"), Some(&json!(true)));
        // Beyond what is checked the facts of the values are left out, and the figure says so.
        let huge = figure("(1048576,1048576):(1048576,1)", &[]);
        assert_eq!(huge.facts.get("holes"), None);
        assert!(huge.notes.iter().any(|note| note.code == "unchecked"));
        assert_eq!(shown(grids(&huge)[0])[64], "1048576");
    }
}
