//! One panel: a shape laid out on paper, the cell and the labels of each index, and the words around
//! them.
//!
//! In: the values of a layout (or a shape, or a count of offsets), the look of the figure, and a
//! function that returns the cell of an index. Out: a [`Panel`]. Invariants: what there is no room
//! for is in the notes of the figure before the panel exists; labels are those that the author asks
//! for, unless the kind has others; lines of the legend keep the order in which they are added.
//!
//! ```text
//! Sketch::of("A o B", &result, &look)      what is laid out, and its name in notes and as title
//!     .room(room(4))                       how many cells at most
//!     .scale(scale)                        what colors mean
//!     .color_legend(Some("index"))
//!     .legend_if(broken, Swatch::Mark(Mark::Failing), "not A(B(i))")
//!     .highlight_legend(&picked)
//!     .label_legend()
//!     .draw(&cell, &mut notes)
//! ```

use crate::cute::Shape;
use crate::diagnostic::Diagnostic;
use crate::figure::canvas::limits::CELLS_DRAWN;
use crate::figure::canvas::look::{Look, Picked};
use crate::figure::canvas::reading::Reading;
use crate::figure::canvas::sheet::{Fold, Labels, Sheet};
use crate::figure::model::figure::{Body, Panel, Space, Swatch};
use crate::figure::model::grid::{Cell, Mark, Scale};
use std::borrow::Cow;

/// A panel before its cells are drawn.
#[derive(Clone)]
pub struct Sketch<'a> {
    ground: Ground<'a>,
    /// What notes call it.
    name: &'a str,
    /// The values, and the look that chooses labels among them, their indices and coordinates.
    values: Option<(&'a Reading, &'a Look)>,
    /// Sets of labels in place of those.
    labels: Vec<Labels<'a>>,
    room: usize,
    scale: Scale,
    /// The words; its body is empty.
    panel: Panel,
    /// Lines of the legend, by number, that are there only if a cell has the mark.
    of_marks: Vec<(usize, Mark)>,
}

/// What is laid out.
#[derive(Clone, Copy)]
enum Ground<'a> {
    Shape(&'a Shape, Fold),
    Strip(i64),
    /// As laid out before.
    Sheet(&'a Sheet),
}

impl<'a> Sketch<'a> {
    /// Starts a panel of the values of a layout, which is printed.
    #[must_use]
    pub fn of(name: &'a str, reading: &'a Reading, look: &'a Look) -> Self {
        let ground = Ground::Shape(reading.layout().shape(), look.fold);
        let sketch = Self { values: Some((reading, look)), ..Self::new(name, ground) };
        sketch.layout(reading.printed())
    }

    /// Starts a panel of a shape, which has the labels that [`Self::labels`] adds.
    #[must_use]
    pub fn of_shape(name: &'a str, shape: &'a Shape, fold: Fold) -> Self {
        Self::new(name, Ground::Shape(shape, fold))
    }

    /// Starts a panel of the offsets `0..count` in a strip, which has the labels that
    /// [`Self::labels`] adds.
    #[must_use]
    pub fn strip(name: &'a str, count: i64) -> Self {
        Self::new(name, Ground::Strip(count))
    }

    /// Starts a panel on a sheet that was laid out before, as where several panels share it; it has
    /// the labels that [`Self::labels`] adds. The caller has taken the notes of the sheet.
    #[must_use]
    pub fn on(name: &'a str, sheet: &'a Sheet) -> Self {
        Self::new(name, Ground::Sheet(sheet))
    }

    fn new(name: &'a str, ground: Ground<'a>) -> Self {
        Self {
            ground,
            name,
            values: None,
            labels: Vec::new(),
            room: CELLS_DRAWN,
            scale: Scale::default(),
            panel: Panel::new(name, Body::Grids(Vec::new())),
            of_marks: Vec::new(),
        }
    }

    /// Draws on a sheet that was laid out for these values before, as where the colors depend on
    /// which cells there is room for. The caller has taken the notes of the sheet.
    #[must_use]
    pub const fn laid_out(mut self, sheet: &'a Sheet) -> Self {
        self.ground = Ground::Sheet(sheet);
        self
    }

    /// Sets a title other than the name in notes.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.panel.name = title.into();
        self
    }

    /// Limits the cells that are drawn; [`CELLS_DRAWN`] if nothing is said.
    #[must_use]
    pub const fn room(mut self, cells: usize) -> Self {
        self.room = cells;
        self
    }

    /// Sets the meaning of the colors.
    #[must_use]
    pub const fn scale(mut self, scale: Scale) -> Self {
        self.scale = scale;
        self
    }

    /// Adds a set of labels in place of those of the look; the first one is shown.
    #[must_use]
    pub fn labels(mut self, labels: Labels<'a>) -> Self {
        self.labels.push(labels);
        self
    }

    /// Sets the layout that is printed.
    #[must_use]
    pub fn layout(mut self, layout: impl ToString) -> Self {
        self.panel = self.panel.layout(layout);
        self
    }

    /// Sets what the labels count.
    #[must_use]
    pub fn unit(mut self, unit: &'static str) -> Self {
        self.panel = self.panel.unit(unit);
        self
    }

    /// Sets the memory.
    #[must_use]
    pub fn badge(mut self, space: Space) -> Self {
        self.panel = self.panel.badge(space);
        self
    }

    /// Sets the sentence under the picture.
    #[must_use]
    pub fn caption(mut self, caption: impl Into<String>) -> Self {
        self.panel = self.panel.caption(caption);
        self
    }

    /// Adds a line of the legend.
    #[must_use]
    pub fn legend(mut self, swatch: Swatch, text: impl Into<String>) -> Self {
        self.panel = self.panel.legend(swatch, text);
        self
    }

    /// Explains the scale of the colors, where they mean something.
    #[must_use]
    pub fn color_legend(self, meaning: Option<impl Into<String>>) -> Self {
        match meaning {
            Some(meaning) => {
                let swatch = Swatch::Scale(self.scale);
                self.legend(swatch, meaning)
            }
            None => self,
        }
    }

    /// Adds a line of the legend of something that occurs only sometimes.
    #[must_use]
    pub fn legend_if(self, occurs: bool, swatch: Swatch, text: impl Into<String>) -> Self {
        if occurs { self.legend(swatch, text) } else { self }
    }

    /// Adds a line of the legend if a cell that is drawn has the mark.
    #[must_use]
    pub fn mark_legend(mut self, mark: Mark, swatch: Swatch, text: impl Into<String>) -> Self {
        self.of_marks.push((self.panel.legend.len(), mark));
        self.legend(swatch, text)
    }

    /// Explains the boundaries of nested modes, where the values have any.
    #[must_use]
    pub fn boundary_legend(self) -> Self {
        let nested = self.values.is_some_and(|(reading, _)| reading.layout().depth() > 1);
        let text = "boundary of a nested mode (innermost index next to the cells)";
        self.legend_if(nested, Swatch::Boundary, text)
    }

    /// Explains the highlight, where there is one; [`Picked::mark`] marks the cells.
    #[must_use]
    pub fn highlight_legend(mut self, picked: &Picked) -> Self {
        self.panel = picked.legend(self.panel);
        self
    }

    /// Explains the labels of the look, unless they are values.
    #[must_use]
    pub fn label_legend(mut self) -> Self {
        if let Some((_, look)) = self.values {
            self.panel = look.label_legend(self.panel);
        }
        self
    }

    /// Draws the cells, and adds to `notes` what is folded or left out.
    #[must_use]
    pub fn draw(self, cell: &dyn Fn(usize) -> Cell, notes: &mut Vec<Diagnostic>) -> Panel {
        let sheet = match self.ground {
            Ground::Sheet(sheet) => Cow::Borrowed(sheet),
            Ground::Shape(shape, fold) => Cow::Owned(Sheet::of(self.name, shape, fold, self.room)),
            Ground::Strip(count) => Cow::Owned(Sheet::strip(self.name, count, self.room)),
        };
        if let Cow::Owned(sheet) = &sheet {
            notes.extend(sheet.notes.iter().cloned());
        }
        let body = match self.values {
            Some((reading, look)) if self.labels.is_empty() => {
                look.body(&sheet, reading, self.scale, cell)
            }
            _ => sheet.draw(self.scale, cell, &self.labels),
        };
        let Self { mut panel, of_marks, .. } = self;
        let absent = |line| of_marks.iter().any(|&(at, mark)| at == line && !has_mark(&body, mark));
        let lines = panel.legend.into_iter().enumerate();
        panel.legend = lines.filter(|(line, _)| !absent(*line)).map(|(_, entry)| entry).collect();
        panel.body = body;
        panel
    }
}

fn has_mark(body: &Body, mark: Mark) -> bool {
    match body {
        Body::Grids(slices) => {
            slices.iter().any(|slice| slice.grid.cells.iter().any(|cell| cell.mark == mark))
        }
        Body::Bits(_) => false,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

    use super::*;
    use crate::cute::Layout;
    use crate::cute::index::wide;
    use crate::figure::canvas::look::Show;
    use crate::figure::model::figure::Slice;
    use crate::figure::model::grid::Fill;
    use crate::figure::model::label::Label;

    fn look(show: &[Show]) -> Look {
        Look { show: show.to_vec(), highlight: None, fold: Fold::Slices }
    }

    fn reading(shape: Shape) -> Reading {
        Reading::plain(&Layout::column_major(shape).unwrap()).unwrap()
    }

    fn shape(extents: &[i64]) -> Shape {
        Shape::Tuple(extents.iter().copied().map(Shape::Leaf).collect())
    }

    fn slices(panel: &Panel) -> &[Slice] {
        match &panel.body {
            Body::Grids(slices) => slices,
            Body::Bits(_) => &[],
        }
    }

    fn first_labels(panel: &Panel) -> Vec<(&'static str, String)> {
        let layers = &slices(panel)[0].grid.layers;
        layers.iter().map(|layer| (layer.name, layer.labels[1].to_line())).collect()
    }

    fn legend(panel: &Panel) -> Vec<&str> {
        panel.legend.iter().map(|entry| entry.text.as_str()).collect()
    }

    fn blank(_: usize) -> Cell {
        Cell::default()
    }

    #[test]
    fn values_have_the_labels_of_the_look_and_the_printed_layout() {
        let reading = reading(shape(&[2, 3]));
        let look = look(&[Show::Coord, Show::Value]);
        let mut notes = Vec::new();
        let cell = |index| Cell { fill: Fill::numbered(wide(index), 6), ..blank(0) };
        let panel = Sketch::of("A", &reading, &look)
            .scale(Scale::Category)
            .unit("elements")
            .draw(&cell, &mut notes);
        assert_eq!((panel.name.as_str(), panel.layout.as_deref()), ("A", Some("(2,3):(1,2)")));
        assert_eq!(panel.unit, Some("elements"));
        let grid = &slices(&panel)[0].grid;
        assert_eq!((grid.rows, grid.cols, grid.scale), (2, 3, Scale::Category));
        // The second cell of the first row has index 2.
        assert_eq!(grid.cells[1].fill, cell(2).fill);
        let labels = [("coord", "(0,1)".to_owned()), ("value", "2".to_owned())];
        assert_eq!(first_labels(&panel), labels);
        assert_eq!(notes, []);
    }

    #[test]
    fn labels_of_a_kind_replace_those_of_the_look() {
        let reading = reading(shape(&[2, 3]));
        let look = look(&[Show::Index]);
        let thread = |index: usize| Label::thread(wide(index));
        let panel = Sketch::of("A", &reading, &look)
            .labels(("thread", &thread))
            .draw(&blank, &mut Vec::new());
        assert_eq!(first_labels(&panel), [("thread", "T2".to_owned())]);
    }

    #[test]
    fn the_legend_keeps_its_order() {
        let nested = Shape::Tuple(vec![shape(&[2, 2]), Shape::Leaf(3)]);
        let (nested, flat) = (reading(nested), reading(shape(&[4, 3])));
        let look = look(&[Show::Index]);
        let drawn = |reading| {
            Sketch::of("A", reading, &look)
                .scale(Scale::Category)
                .color_legend(Some("offset"))
                .color_legend(None::<&str>)
                .legend_if(true, Swatch::Mark(Mark::Twice), "twice")
                .legend_if(false, Swatch::Mark(Mark::Failing), "wrong")
                .boundary_legend()
                .label_legend()
                .draw(&blank, &mut Vec::new())
        };
        let boundary = "boundary of a nested mode (innermost index next to the cells)";
        assert_eq!(legend(&drawn(&nested)), ["offset", "twice", boundary, "labels: index"]);
        assert_eq!(legend(&drawn(&flat)), ["offset", "twice", "labels: index"]);
    }

    /// A swatch that no cell has is noise.
    #[test]
    fn marks_are_explained_where_a_cell_has_them() {
        let reading = reading(shape(&[4, 3]));
        let look = look(&[Show::Value]);
        let drawn = |moved: usize| {
            let cell = |index: usize| Cell {
                mark: if index < moved { Mark::Moved } else { Mark::None },
                ..blank(0)
            };
            let panel = Sketch::of("A", &reading, &look)
                .mark_legend(Mark::Moved, Swatch::Mark(Mark::Moved), "moved")
                .legend(Swatch::Scale(Scale::Ramp), "offset")
                .mark_legend(Mark::Moved, Swatch::Text, "a→b")
                .mark_legend(Mark::Hole, Swatch::Mark(Mark::Hole), "hole")
                .draw(&cell, &mut Vec::new());
            legend(&panel).join(", ")
        };
        assert_eq!(drawn(1), "moved, offset, a→b");
        assert_eq!(drawn(0), "offset");
    }

    /// What is not drawn is said once, under the name of the panel in notes.
    #[test]
    fn what_there_is_no_room_for_is_in_the_notes() {
        let reading = reading(shape(&[128, 128]));
        let look = look(&[Show::Value]);
        let mut notes = Vec::new();
        let panel = Sketch::of("result", &reading, &look)
            .title("zipped_divide")
            .room(100)
            .draw(&blank, &mut notes);
        assert_eq!(panel.name, "zipped_divide");
        assert_eq!(slices(&panel)[0].grid.cells.len(), 64 * 64);
        let text = "result: the first 64 of 128 rows and 64 of 128 columns are drawn";
        assert_eq!(notes.iter().map(|note| note.text.as_str()).collect::<Vec<_>>(), [text]);

        let sheet = Sheet::of("result", reading.layout().shape(), Fold::Slices, 100);
        let mut notes = Vec::new();
        let again = Sketch::of("result", &reading, &look).laid_out(&sheet).draw(&blank, &mut notes);
        assert_eq!(again.body, panel.body);
        assert_eq!(notes, [], "whoever laid the sheet out has its notes");
    }

    #[test]
    fn strips_shapes_and_shared_sheets_have_the_labels_that_are_added() {
        let labels: Labels<'_> = ("value", &Label::index);
        let all = shape(&[2, 3]);
        let sheet = Sheet::of("", &all, Fold::Slices, 6);
        for (sketch, second) in [
            (Sketch::strip("a", 6), "1"),
            (Sketch::of_shape("a", &all, Fold::Slices), "2"),
            (Sketch::on("a", &sheet), "2"),
        ] {
            assert_eq!(slices(&sketch.clone().draw(&blank, &mut Vec::new()))[0].grid.layers, []);
            let panel = sketch.labels(labels).label_legend().draw(&blank, &mut Vec::new());
            assert_eq!(first_labels(&panel), [("value", second.to_owned())]);
            assert_eq!((panel.layout, panel.legend), (None, Vec::new()));
        }
    }
}
