//! What stands in the cells and beside the grid.
//!
//! In: the labels of the first layer and the axes. Out: one path for each ink, or `<text>`
//! elements; [`columns`] where a page has the style sheet. Invariant: labels are centred in their
//! cells by arithmetic, not by attributes that some renderers ignore.

use super::lines::is_coloured;
use super::paint::Paint;
use super::{Labels, Style, columns, push_hundredths};
use crate::draw::glyphs::{self, Pen};
use crate::draw::markup::{push_int_attr, push_text};
use crate::draw::plan::Plan;
use crate::draw::plan::{self, LEVEL_HEIGHT, LINE};
use crate::figure::model::label::push_int;
use crate::figure::{Axis, Grid};

/// Appends the labels of all cells of `grid`, whose corner is at `(x, y)`.
pub(super) fn cells(out: &mut String, grid: &Grid, plan: &Plan, (x, y): (i64, i64), style: Style) {
    if style.labels == Labels::Columns {
        columns::cells(out, grid, plan, (x, y));
    } else {
        blocks(out, grid, plan, (x, y), (1, 1), 100, style);
    }
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
    let mut text = String::new();
    // One path keeps a page small, but a rasteriser takes quadratic time for it.
    let image = !style.medium.is_page() && style.labels == Labels::Stroke;
    let band = if image { rows.max(1) } else { grid.rows.max(1) };
    let bands = (0..grid.rows).step_by(band).map(|top| top..(top + band).min(grid.rows));
    for (coloured, band) in
        [true, false].into_iter().flat_map(|c| bands.clone().map(move |b| (c, b)))
    {
        let paint = if coloured { Paint::Ink(grid.scale) } else { Paint::Text };
        let mut writer = Writer::open(out, paint, 100, zoom, style);
        if (rows, cols) == (1, 1) && style.medium.is_page() {
            // The script replaces them when the reader asks for other labels.
            writer.attribute(" class=\"cute-labels\"");
        }
        for row in band.step_by(rows.max(1)) {
            for col in (0..grid.cols).step_by(cols.max(1)) {
                let at = row * grid.cols + col;
                let Some(label) = layer.labels.get(at) else { continue };
                if (rows, cols) != (1, 1) && grid.is_torn((row, col), (rows, cols)) {
                    continue;
                }
                if on_colour(grid, (row, rows), (col, cols)) != coloured {
                    continue;
                }
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
        writer.close();
    }
}

/// Appends one label for each block of cells that the figure names.
pub(super) fn named_blocks(
    out: &mut String,
    grid: &Grid,
    plan: &Plan,
    (x, y): (i64, i64),
    zoom: i64,
    style: Style,
) {
    let mut text = String::new();
    for coloured in [true, false] {
        let paint = if coloured { Paint::Ink(grid.scale) } else { Paint::Text };
        let mut writer = Writer::open(out, paint, 100, zoom, style);
        for block in &grid.blocks {
            if on_colour(grid, (block.row, block.rows), (block.col, block.cols)) != coloured {
                continue;
            }
            let Some(label) = plan.block_label(block) else { continue };
            text.clear();
            label.write_line(0, &mut text);
            let cx = x + int(2 * block.col + block.cols) * plan.cell_w / 2;
            let cy = y + int(2 * block.row + block.rows) * plan.cell_h / 2;
            writer.centred(cx, cy, &text);
        }
        writer.close();
    }
}

/// Whether most cells of a block have a colour, so that a label across it needs the ink of colours.
fn on_colour(grid: &Grid, (top, rows): (usize, usize), (left, cols): (usize, usize)) -> bool {
    if (rows, cols) == (1, 1) {
        return grid.cell(top, left).is_some_and(is_coloured);
    }
    let row = |row: usize| (left..left + cols).filter_map(move |col| grid.cell(row, col));
    let votes = (top..top + rows).flat_map(row).map(|cell| if is_coloured(cell) { 1 } else { -1 });
    votes.sum::<i32>() > 0
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
    let style = style.beside_cells();
    let mut inner_out = String::with_capacity(128 + 32 * (grid.rows + grid.cols));
    let mut outer_out = String::new();
    let mut inner = Writer::open(&mut inner_out, Paint::Text, 90, zoom, style);
    let mut outer = Writer::open(&mut outer_out, Paint::Text, 130, zoom, style);
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
    inner.close();
    outer.close();
    out.push_str(&inner_out);
    out.push_str(&outer_out);
    if !brackets.is_empty() {
        out.push_str("<path");
        Paint::Text.push_stroke(out, 70, style.medium);
        out.push_str(" stroke-opacity=\".6\" d=\"");
        out.push_str(&brackets);
        out.push_str("\"/>");
    }
}

fn titles(
    writer: &mut Writer<'_>,
    grid: &Grid,
    (right, bottom): (i64, i64),
    (x, y): (i64, i64),
    plan: &Plan,
    zoom: i64,
) {
    let half = LEVEL_HEIGHT * zoom / 200;
    if let Some(title) = title(&grid.col_axis) {
        // A name that is wider than its grid ends with the picture.
        let width = glyphs::width(title) * zoom / 100;
        let end = x - plan.left + plan.width(grid);
        let centre = x + int(grid.cols) * plan.cell_w / 2;
        writer.centred(centre.min(end - width / 2 - 2), bottom - half, title);
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

/// Writes labels of one ink and one size as one element.
struct Writer<'a> {
    out: &'a mut String,
    /// Where the element starts; one without labels is taken back.
    start: usize,
    /// Where its labels start.
    labels: usize,
    /// Where the pen was lifted.
    at: (i64, i64),
    zoom: i64,
    style: Style,
}

impl<'a> Writer<'a> {
    /// Opens the element. `weight` is the width of a stroke, `zoom` the size, in hundredths.
    fn open(out: &'a mut String, paint: Paint, weight: i64, zoom: i64, style: Style) -> Self {
        let start = out.len();
        match style.labels {
            Labels::None => {}
            Labels::Stroke | Labels::Columns => {
                out.push_str("<path");
                paint.push_stroke(out, weight, style.medium);
                if zoom != 100 {
                    out.push_str(" transform=\"scale(");
                    push_hundredths(out, zoom);
                    out.push_str(")\"");
                }
                out.push_str(" d=\"");
            }
            Labels::Text => {
                out.push_str("<g");
                paint.push(out, "fill", style.medium);
                push_int_attr(out, "font-size", 11 * zoom / 100);
                if weight > 100 {
                    out.push_str(" font-weight=\"600\"");
                }
                out.push('>');
            }
        }
        let labels = out.len();
        Self { out, start, labels, at: (0, 0), zoom: zoom.max(1), style }
    }

    /// Gives the element, which is still empty, an attribute: ` name="value"`.
    fn attribute(&mut self, text: &str) {
        let tag = match self.style.labels {
            Labels::None => return,
            Labels::Stroke | Labels::Columns => "<path",
            Labels::Text => "<g",
        };
        let at = self.start + tag.len();
        self.out.insert_str(at, text);
        self.labels += text.len();
    }

    /// Writes one line of text around a point.
    fn centred(&mut self, x: i64, y: i64, text: &str) {
        match self.style.labels {
            Labels::None => {}
            Labels::Stroke | Labels::Columns => {
                let (x, y) = if self.zoom == 100 {
                    (x, y)
                } else {
                    (x * 100 / self.zoom, y * 100 / self.zoom)
                };
                let mut pen = Pen::from(self.out, self.at);
                pen.write_centred(x, y, text);
                self.at = pen.lift();
            }
            Labels::Text => {
                self.out.push_str("<text");
                push_int_attr(self.out, "x", x);
                // Half the height of capitals: what `dy=".35em"` would add.
                push_int_attr(self.out, "y", y + 4 * self.zoom / 100);
                self.out.push('>');
                push_text(self.out, text);
                self.out.push_str("</text>");
            }
        }
    }

    /// Closes the element, or takes it back if it has no labels.
    fn close(self) {
        if self.out.len() == self.labels {
            self.out.truncate(self.start);
            return;
        }
        match self.style.labels {
            Labels::None => {}
            Labels::Stroke | Labels::Columns => self.out.push_str("\"/>"),
            Labels::Text => self.out.push_str("</g>"),
        }
    }
}
