//! Figures as plain text, in the form of CuTe's `print_layout`.
//!
//! In: a figure. Out: lines for a terminal, or for a renderer that shows no pictures. Invariant:
//! the same cells and labels as in the picture; colours are left out, marks are written as signs.

use super::markup::plain;
use crate::figure::{Axis, BitPicture, Body, Figure, Grid, Mark, Panel};
use std::fmt::Write;

/// Writes the figure as text.
///
/// ```
/// use mdbook_cute::draw::text;
/// use mdbook_cute::expr::{Functions, Scope};
/// use mdbook_cute::figure::{Entry, Kind, Spec, build};
///
/// let spec = Spec::new(Kind::LAYOUT, vec![Entry::new("layout", "(2,3):(3,1)")]);
/// let functions = Functions::core();
/// let built = build(&spec, &Scope::new(&functions)).expect("the layout is valid");
///
/// let text = text::text(&built.figure);
/// let rows = "\
/// 0 | 0 | 1 | 2 |
///   +---+---+---+
/// 1 | 3 | 4 | 5 |
/// ";
/// assert!(text.contains(rows), "{text}");
/// ```
#[must_use]
pub fn text(figure: &Figure) -> String {
    let mut out = String::new();
    if !figure.title.is_empty() {
        line(&mut out, &figure.title);
        out.push('\n');
    }
    for panel in &figure.panels {
        push_panel(&mut out, panel);
    }
    for table in &figure.tables {
        push_table(&mut out, &table.title, &table.head, &table.rows);
    }
    for fact in figure.facts.iter() {
        // Writing to a String cannot fail.
        let _ = writeln!(out, "{}: {}", fact.label, fact.text());
    }
    for note in &figure.notes {
        let _ = writeln!(out, "{}: {}", note.level, plain(&note.to_string()));
    }
    out
}

fn line(out: &mut String, text: &str) {
    out.push_str(text);
    out.push('\n');
}

fn push_panel(out: &mut String, panel: &Panel) {
    let badge = panel.badge.map(crate::figure::Space::as_str);
    let head: Vec<&str> = [badge, Some(panel.name.as_str()), panel.layout.as_deref(), panel.unit]
        .into_iter()
        .flatten()
        .filter(|part| !part.is_empty())
        .collect();
    line(out, &head.join("  "));
    match &panel.body {
        Body::Grids(slices) => {
            for slice in slices {
                slice.title.iter().for_each(|title| line(out, title));
                push_grid(out, &slice.grid);
            }
        }
        Body::Bits(bits) => push_bits(out, bits),
    }
    panel.caption.iter().for_each(|caption| line(out, &plain(caption)));
    out.push('\n');
}

fn push_grid(out: &mut String, grid: &Grid) {
    let label = |at: usize| {
        let text = grid.layers.first().and_then(|layer| layer.labels.get(at));
        let sign = grid.cells.get(at).map_or("", |cell| sign(cell.mark));
        format!("{}{sign}", text.map(crate::figure::Label::to_line).unwrap_or_default())
    };
    let labels: Vec<String> = (0..grid.cells.len()).map(label).collect();
    let levels = levels(&grid.col_axis, grid.cols);
    let width = labels.iter().chain(levels.iter().flatten()).map(|text| text.chars().count());
    let width = width.max().unwrap_or(1).max(1);
    let rows = row_indices(&grid.row_axis, grid.rows);
    let margin = rows.iter().map(|row| row.chars().count()).max().unwrap_or(0) + 1;

    for level in levels.iter().rev() {
        let cells: Vec<String> = level.iter().map(|text| format!(" {text:>width$} ")).collect();
        line(out, format!("{:margin$} {}", "", cells.join(" ")).trim_end());
    }
    let rule =
        format!("{:margin$}+{}", "", format!("{}+", "-".repeat(width + 2)).repeat(grid.cols));
    line(out, &rule);
    for (row, cells) in labels.chunks(grid.cols.max(1)).enumerate() {
        let index = rows.get(row).map_or("", String::as_str);
        let cells: Vec<String> = cells.iter().map(|text| format!(" {text:>width$} ")).collect();
        line(out, &format!("{index:>at$} |{}|", cells.join("|"), at = margin - 1));
        line(out, &rule);
    }
}

const fn sign(mark: Mark) -> &'static str {
    match mark {
        Mark::None => "",
        Mark::Hole => "-",
        Mark::Outside => "x",
        Mark::Twice => "*",
        Mark::Moved => "~",
        Mark::Failing => "!",
        Mark::Picked => "<",
    }
}

/// Returns the indices of each level, innermost first, one text a cell.
fn levels(axis: &Axis, extent: usize) -> Vec<Vec<String>> {
    let level_texts = |level: &crate::figure::AxisLevel| {
        (0..extent)
            .map(|at| {
                let mut text = String::new();
                if at % level.run == 0 {
                    level.write_tick(at / level.run, &mut text);
                }
                text
            })
            .collect()
    };
    axis.levels.iter().map(level_texts).collect()
}

/// Returns the indices of each row, outermost level first.
fn row_indices(axis: &Axis, extent: usize) -> Vec<String> {
    let levels = levels(axis, extent);
    (0..extent)
        .map(|row| {
            let mut parts: Vec<&str> = levels
                .iter()
                .rev()
                .filter_map(|level| level.get(row).map(String::as_str))
                .collect();
            parts.retain(|part| !part.is_empty());
            parts.join(" ")
        })
        .collect()
}

fn push_bits(out: &mut String, bits: &BitPicture) {
    let within = |bit: u32, from: u32| bit >= from && bit < from + bits.count;
    let row: String = (0..bits.width)
        .rev()
        .map(|bit| match (within(bit, bits.source), within(bit, bits.target)) {
            (true, _) => 'Y',
            (_, true) => 'Z',
            _ => '.',
        })
        .collect();
    let _ = writeln!(
        out,
        "bits {} to 0 of the offset in {}: {row} (Z becomes Z xor Y)",
        bits.width.saturating_sub(1),
        bits.unit
    );
}

fn push_table(out: &mut String, title: &str, head: &[String], rows: &[Vec<String>]) {
    if !title.is_empty() {
        line(out, title);
    }
    let width = |col: usize| {
        let cells = rows.iter().filter_map(|row| row.get(col)).chain(head.get(col));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..head.len()).map(width).collect();
    for row in std::iter::once(head).chain(rows.iter().map(Vec::as_slice)) {
        let cells: Vec<String> =
            row.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}")).collect();
        line(out, cells.join("  ").trim_end());
    }
    out.push('\n');
}
