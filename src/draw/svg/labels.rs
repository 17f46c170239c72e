//! What stands in the cells and beside the grid.
//!
//! In: the labels of the first layer and the axes. Out: one path for each ink, or `<text>`
//! elements. Invariant: labels are centred in their cells by arithmetic, not by attributes that
//! some renderers ignore.

use super::paint::Paint;
use super::{Labels, Style, push_hundredths};
use crate::draw::glyphs::{self, Pen};
use crate::draw::markup::{push_int_attr, push_text};
use crate::figure::label::push_int;
use crate::figure::plan::{self, LEVEL_HEIGHT, LINE};
use crate::figure::{Axis, Fill, Grid, Plan};

/// Appends the labels of all cells of `grid`, whose corner is at `(x, y)`.
pub(super) fn cells(out: &mut String, grid: &Grid, plan: &Plan, (x, y): (i64, i64), style: Style) {
    blocks(out, grid, plan, (x, y), (1, 1), 100, style);
}

/// Appends the label of the first cell of every block of `rows` by `cols`, `zoom` hundredths as
/// large as those of cells.
pub(super) fn blocks(
    out: &mut String,
    grid: &Grid,
    plan: &Plan,
    (x, y): (i64, i64),
    (rows, cols): (usize, usize),
    zoom: i64,
    style: Style,
) {
    let Some(layer) = grid.layers.first() else { return };
    let mut on_page = Writer::new(style, zoom, 0);
    let mut on_fill = Writer::new(style, zoom, grid.cells.len() * 48 / (rows * cols).max(1));
    let mut text = String::new();
    for row in (0..grid.rows).step_by(rows.max(1)) {
        for col in (0..grid.cols).step_by(cols.max(1)) {
            let at = row * grid.cols + col;
            let (Some(cell), Some(label)) = (grid.cells.get(at), layer.labels.get(at)) else {
                continue;
            };
            let coloured = cell.fill != Fill::Blank && !cell.faded;
            let writer = if coloured { &mut on_fill } else { &mut on_page };
            // Half a block, or what is left of it at the edge.
            let half_w = int(cols.min(grid.cols - col)) * plan.cell_w / 2;
            let half_h = int(rows.min(grid.rows - row)) * plan.cell_h / 2;
            let cx = x + int(col) * plan.cell_w + half_w;
            let lines = int(label.lines());
            let first = y + int(row) * plan.cell_h + half_h - (lines - 1) * LINE * zoom / 200;
            for line in 0..label.lines() {
                text.clear();
                label.write_line(line, &mut text);
                writer.centred(cx, first + int(line) * LINE * zoom / 100, &text);
            }
        }
    }
    on_fill.push(out, Paint::Ink(grid.scale), 100);
    on_page.push(out, Paint::Text, 100);
}

/// Appends the rows of indices beside and above `grid`, whose corner is at `(x, y)`, `zoom`
/// hundredths as large as the labels of cells.
pub(super) fn axes(
    out: &mut String,
    grid: &Grid,
    plan: &Plan,
    (x, y): (i64, i64),
    zoom: i64,
    style: Style,
) {
    let mut inner = Writer::new(style, zoom, 0);
    let mut outer = Writer::new(style, zoom, 0);
    let mut brackets = String::new();
    let mut text = String::new();

    let mut right = x - plan::EDGE;
    for (number, level) in grid.row_axis.levels.iter().enumerate() {
        let width = plan::level_width(level, grid.rows) * zoom / 100;
        let centre = right - width / 2;
        let run = int(level.run) * plan.cell_h;
        let every = every(LINE * zoom / 100, run);
        let writer = if number == 0 { &mut inner } else { &mut outer };
        for at in (0..grid.rows.div_ceil(level.run)).step_by(every) {
            text.clear();
            level.write_tick(at, &mut text);
            let top = y + int(at) * run;
            let end = (top + run).min(y + int(grid.rows) * plan.cell_h);
            writer.centred(centre, (top + end) / 2, &text);
            if number > 0 {
                bracket(&mut brackets, (right, top + 2), 'v', end - top - 4);
            }
        }
        right -= width;
    }
    let mut bottom = y - plan::EDGE;
    let height = LEVEL_HEIGHT * zoom / 100;
    for (number, level) in grid.col_axis.levels.iter().enumerate() {
        let run = int(level.run) * plan.cell_w;
        let widest = (plan::level_width(level, grid.cols) - 4) * zoom / 100;
        let every = every(widest, run);
        let writer = if number == 0 { &mut inner } else { &mut outer };
        for at in (0..grid.cols.div_ceil(level.run)).step_by(every) {
            text.clear();
            level.write_tick(at, &mut text);
            let left = x + int(at) * run;
            let end = (left + run).min(x + int(grid.cols) * plan.cell_w);
            writer.centred((left + end) / 2, bottom - height / 2, &text);
            if number > 0 {
                bracket(&mut brackets, (left + 2, bottom), 'h', end - left - 4);
            }
        }
        bottom -= height;
    }
    titles(&mut outer, grid, (right, bottom), (x, y), plan, zoom);
    inner.push(out, Paint::Text, 90);
    outer.push(out, Paint::Text, 130);
    if !brackets.is_empty() {
        out.push_str("<path fill=\"none\"");
        Paint::Text.push(out, "stroke", style.medium);
        out.push_str(" stroke-width=\".7\" stroke-opacity=\".6\" d=\"");
        out.push_str(&brackets);
        out.push_str("\"/>");
    }
}

fn titles(
    writer: &mut Writer,
    grid: &Grid,
    (right, bottom): (i64, i64),
    (x, y): (i64, i64),
    plan: &Plan,
    zoom: i64,
) {
    let half = LEVEL_HEIGHT * zoom / 200;
    if let Some(title) = title(&grid.col_axis) {
        writer.centred(x + int(grid.cols) * plan.cell_w / 2, bottom - half, title);
    }
    if let Some(title) = title(&grid.row_axis) {
        let width = glyphs::width(title) * zoom / 100;
        // Beside the rows where it is short, else above them, over the indices.
        if width <= LEVEL_HEIGHT * zoom / 100 {
            writer.centred(right - half, y + int(grid.rows) * plan.cell_h / 2, title);
        } else {
            writer.centred((x - width / 2 - 4).max(width / 2), y - plan::EDGE - half, title);
        }
    }
}

fn title(axis: &Axis) -> Option<&str> {
    axis.title.as_deref()
}

/// Returns how many runs lie from one index that is written to the next, so that they do not touch.
fn every(need: i64, run: i64) -> usize {
    let runs = (need + run - 1) / run.max(1);
    usize::try_from(runs).unwrap_or(1).max(1).next_power_of_two()
}

fn bracket(path: &mut String, (x, y): (i64, i64), direction: char, len: i64) {
    path.push('M');
    push_int(path, x);
    glyphs::push_next(path, y);
    path.push(direction);
    push_int(path, len);
}

fn int(n: usize) -> i64 {
    i64::try_from(n).unwrap_or(0)
}

/// Collects labels of one ink and one size.
struct Writer {
    style: Style,
    zoom: i64,
    pen: Pen,
    texts: String,
}

impl Writer {
    fn new(style: Style, zoom: i64, bytes: usize) -> Self {
        let (strokes, texts) = match style.labels {
            Labels::Stroke => (bytes * 2, 0),
            Labels::Text => (0, bytes),
            Labels::None => (0, 0),
        };
        Self {
            style,
            zoom: zoom.max(1),
            pen: Pen::with_capacity(strokes),
            texts: String::with_capacity(texts),
        }
    }

    /// Writes one line of text around a point.
    fn centred(&mut self, x: i64, y: i64, text: &str) {
        match self.style.labels {
            Labels::None => {}
            Labels::Stroke if self.zoom == 100 => self.pen.write_centred(x, y, text),
            Labels::Stroke => {
                self.pen.write_centred(x * 100 / self.zoom, y * 100 / self.zoom, text);
            }
            Labels::Text => {
                self.texts.push_str("<text");
                push_int_attr(&mut self.texts, "x", x);
                // Half the height of capitals: what `dy=".35em"` would add.
                push_int_attr(&mut self.texts, "y", y + 4 * self.zoom / 100);
                self.texts.push('>');
                push_text(&mut self.texts, text);
                self.texts.push_str("</text>");
            }
        }
    }

    /// Ends the labels as one element. `weight` is the width of a stroke in hundredths.
    fn push(self, out: &mut String, paint: Paint, weight: i64) {
        let path = self.pen.into_path();
        if !path.is_empty() {
            out.push_str("<path fill=\"none\"");
            paint.push(out, "stroke", self.style.medium);
            out.push_str(" stroke-width=\"");
            push_hundredths(out, weight);
            out.push('"');
            if self.zoom != 100 {
                out.push_str(" transform=\"scale(");
                push_hundredths(out, self.zoom);
                out.push_str(")\"");
            }
            out.push_str(" d=\"");
            out.push_str(&path);
            out.push_str("\"/>");
        }
        if !self.texts.is_empty() {
            out.push_str("<g");
            paint.push(out, "fill", self.style.medium);
            push_int_attr(out, "font-size", 11 * self.zoom / 100);
            if weight > 100 {
                out.push_str(" font-weight=\"600\"");
            }
            out.push('>');
            out.push_str(&self.texts);
            out.push_str("</g>");
        }
    }
}
