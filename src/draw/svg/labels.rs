//! What stands in the cells of a grid.
//!
//! In: the labels of the first layer, or labels that cover several cells. Out: one element for each
//! ink; [`columns`] in a page of a book. Invariant: a label stands in the middle of its cells.

use super::columns;
use super::letters::{Ink, Writer};
use super::paint::Paint;
use crate::cute::index::wide;
use crate::draw::plan::LINE;
use crate::draw::raster::Raster;
use crate::draw::target::{Letters, Style};
use crate::figure::model::coarse::BlockLabel;
use crate::figure::{Grid, Label};

/// Appends the labels of all cells of `grid`.
pub(super) fn cells(out: &mut String, grid: &Grid, raster: Raster, style: Style) {
    let Some(layer) = grid.layers.first() else { return };
    if style.letters() == Letters::Columns {
        return columns::cells(out, grid, layer, raster);
    }
    let page = style.target().is_page();
    // One path keeps a page small, but a rasteriser takes quadratic time for it.
    let image = !page && style.letters() == Letters::Stroke;
    let band = if image { 1 } else { grid.rows.max(1) };
    let mut text = String::new();
    for colored in [true, false] {
        let ink = ink(grid, colored, 100);
        for top in (0..grid.rows).step_by(band) {
            let mut writer = if page {
                // The script replaces them when the reader asks for other labels.
                Writer::of_class(out, "cute-labels", ink, style)
            } else {
                Writer::open(out, ink, style)
            };
            for row in top..(top + band).min(grid.rows) {
                let cells = row * grid.cols..(row + 1) * grid.cols;
                let labels = layer.labels.get(cells.clone()).unwrap_or_default();
                let cells = grid.cells.get(cells).unwrap_or_default();
                for (col, (cell, label)) in cells.iter().zip(labels).enumerate() {
                    if cell.is_colored() == colored {
                        write(&mut writer, label, raster.middle(row, col), 100, &mut text);
                    }
                }
            }
        }
    }
}

/// Appends labels that cover several cells, `zoom` hundredths as large as those of cells.
pub(super) fn blocks(
    out: &mut String,
    grid: &Grid,
    labels: &[BlockLabel<'_>],
    raster: Raster,
    zoom: i64,
    style: Style,
) {
    let mut text = String::new();
    for colored in [true, false] {
        let mut writer = Writer::open(out, ink(grid, colored, zoom), style);
        for label in labels.iter().filter(|label| label.colored == colored) {
            let x = raster.x(label.col) + raster.width(label.extent.cols) / 2;
            let y = raster.y(label.row) + raster.height(label.extent.rows) / 2;
            write(&mut writer, label.label, (x, y), zoom, &mut text);
        }
    }
}

/// Returns the ink of labels on cells with a color of their own, or on others.
fn ink(grid: &Grid, colored: bool, zoom: i64) -> Ink {
    let paint = if colored { Paint::Ink(grid.scale) } else { Paint::Text };
    Ink { paint, weight: 100, zoom }
}

/// Writes all lines of a label around a point; `text` is a buffer.
fn write(writer: &mut Writer<'_>, label: &Label, (x, y): (i64, i64), zoom: i64, text: &mut String) {
    let lines = label.lines();
    let first = y - (wide(lines) - 1) * LINE * zoom / 200;
    for line in 0..lines {
        text.clear();
        label.write_line(line, text);
        writer.centered(x, first + wide(line) * LINE * zoom / 100, text);
    }
}
