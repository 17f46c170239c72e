//! Figures as LaTeX documents, in the spirit of CuTe's `print_latex`.
//!
//! In: a figure. Out: a document that `pdflatex` compiles as it is. Invariant: one short macro call
//! for each label and each area. Areas and lines are set by pgf's basic layer, labels as plain TeX
//! boxes over it: 128x128 labels compile in about a second, within TeX's default memory; as pgf
//! text they take minutes.

use super::markup::plain;
use super::palette;
use super::plan::{self, Plan};
use super::raster::Raster;
use crate::cute::index::wide;
use crate::figure::model::regions::{Ground, regions};
use crate::figure::{
    Axis, AxisLevel, BitPicture, Body, Figure, Fill, Grid, LegendEntry, Mark, Panel, Scale, Swatch,
};
use std::fmt::Write;

// Only what Debian's texlive-latex-base and texlive-pictures hold: no standalone.cls, and fonts
// that need not be made first. The page is cut to the picture by hand.
const PREAMBLE: &str = r"\documentclass{article}
\usepackage{pgf}
\renewcommand\familydefault{\ttdefault}
\def\at#1#2{\pgfpoint{#1bp}{-#2bp}}
\def\p#1#2#3{\rlap{\kern#1bp\raise-#2bp\hbox{\lower2.5bp#3}}}
\def\c#1#2#3{\p{#1}{#2}{\hbox to0pt{\hss#3\hss}}}
\def\l#1#2#3{\p{#1}{#2}{\hbox{#3}}}
\def\f#1#2#3#4#5{\pgfsetfillcolor{#1}\pgfpathmoveto{\at{#2}{#3}}\pgfpathlineto{\at{#4}{#3}}\pgfpathlineto{\at{#4}{#5}}\pgfpathlineto{\at{#2}{#5}}\pgfpathclose\pgfusepath{fill}}
\def\s#1#2#3#4{\pgfpathmoveto{\at{#1}{#2}}\pgfpathlineto{\at{#3}{#4}}\pgfusepath{stroke}}
";

/// Ships the picture as a page of its own size.
const POSTAMBLE: &str = r"\pdfpagewidth=\dimexpr\wd0+8bp\relax
\pdfpageheight=\dimexpr\ht0+\dp0+8bp\relax
\hoffset=\dimexpr4bp-1in\relax
\voffset=\dimexpr4bp-1in\relax
\shipout\box0
\end{document}
";

/// Writes the figure as a LaTeX document.
///
/// ```
/// use mdbook_cute::draw::tikz::tikz;
/// use mdbook_cute::expr::{Functions, Scope};
/// use mdbook_cute::figure::{Entry, Kind, Spec, build};
///
/// let spec = Spec::new(Kind::LAYOUT, vec![Entry::new("layout", "(2,3):(3,1)")]);
/// let functions = Functions::core();
/// let built = build(&spec, &Scope::new(&functions)).expect("the layout is valid");
///
/// let document = tikz(&built.figure);
/// assert!(document.starts_with("\\documentclass{article}"));
/// assert!(document.trim_end().ends_with("\\end{document}"));
/// ```
#[must_use]
pub fn tikz(figure: &Figure) -> String {
    let plan = Plan::natural(figure);
    let mut out = Picture::default();
    let mut y = 6;
    if !figure.title.is_empty() {
        out.words_at(0, y, &figure.title);
        y += 18;
    }
    for panel in &figure.panels {
        y = push_panel(&mut out, panel, &plan, y) + 20;
    }
    for note in &figure.notes {
        out.words_at(0, y, &plain(&format!("{}: {}", note.level, note.text)));
        y += 12;
    }
    out.document(y)
}

/// What has been drawn so far.
#[derive(Default)]
struct Picture {
    /// Areas and lines, calls of pgf.
    shapes: String,
    /// Labels and other texts, boxes of TeX.
    words: String,
    /// Where the rightmost part ends.
    width: i64,
}

impl Picture {
    /// Sets a text with its left end at `x` and its middle at `y`.
    fn words_at(&mut self, x: i64, y: i64, text: &str) {
        let _ = writeln!(self.words, "\\l{{{x}}}{{{y}}}{{{}}}%", escaped(text));
        // A character of cmtt8 is 4.25 wide.
        self.width = self.width.max(x + wide(text.chars().count()) * 17 / 4 + 1);
    }

    /// Sets a text with its middle at a point.
    fn label_at(&mut self, x: i64, y: i64, text: &str) {
        let _ = writeln!(self.words, "\\c{{{x}}}{{{y}}}{{{}}}%", escaped(text));
    }

    fn fill(&mut self, colour: &str, (left, top): (i64, i64), (right, bottom): (i64, i64)) {
        let _ = writeln!(self.shapes, "\\f{{{colour}}}{{{left}}}{{{top}}}{{{right}}}{{{bottom}}}");
        self.width = self.width.max(right);
    }

    fn line(&mut self, from: (i64, i64), to: (i64, i64)) {
        let _ = writeln!(self.shapes, "\\s{{{}}}{{{}}}{{{}}}{{{}}}", from.0, from.1, to.0, to.1);
        self.width = self.width.max(from.0).max(to.0);
    }

    /// Puts the words over the shapes, on a page of the picture's size.
    fn document(&self, height: i64) -> String {
        let mut out = String::from(PREAMBLE);
        for (letter, scale, steps) in
            [('r', Scale::Ramp, Fill::RAMP), ('c', Scale::Category, Fill::CATEGORIES)]
        {
            for step in 0..steps {
                let colour = palette::colour(scale, Fill::Class(step)).unwrap_or(palette::PAPER);
                define(&mut out, &format!("{letter}{step}"), colour);
            }
        }
        define(&mut out, "faded", palette::FADED);
        define(&mut out, "fail", palette::FAIL);
        define(&mut out, "pick", palette::PICK);
        define(&mut out, "twice", palette::TWICE);
        out.push_str(
            "\\begin{document}\\setbox0\\hbox{\\fontsize{8}{9}\\selectfont\\begin{pgfpicture}\n",
        );
        out.push_str(&self.shapes);
        let width = self.width;
        let _ = writeln!(
            out,
            "\\pgfresetboundingbox\\pgfpathmoveto{{\\at{{0}}{{0}}}}\\pgfpathlineto{{\\at{{{width}}}{{{height}}}}}\\pgfusepath{{use as bounding box}}\\pgfsetbaseline{{0bp}}"
        );
        let _ = writeln!(out, "\\end{{pgfpicture}}\\kern-{width}bp");
        out.push_str(&self.words);
        let _ = writeln!(out, "\\kern{width}bp}}");
        out.push_str(POSTAMBLE);
        out
    }
}

// Writing to a String cannot fail; its results are dropped throughout.
fn define(out: &mut String, name: &str, colour: &str) {
    let _ = writeln!(out, "\\definecolor{{{name}}}{{HTML}}{{{}}}", html_colour(colour));
}

fn html_colour(hex: &str) -> String {
    hex.trim_start_matches('#').to_uppercase()
}

/// Appends a panel from `y` on and returns where it ends.
fn push_panel(out: &mut Picture, panel: &Panel, plan: &Plan, mut y: i64) -> i64 {
    let badge = panel.badge.map(crate::figure::Space::as_str);
    let head: Vec<&str> = [badge, Some(panel.name.as_str()), panel.layout.as_deref(), panel.unit]
        .into_iter()
        .flatten()
        .filter(|part| !part.is_empty())
        .collect();
    out.words_at(0, y, &head.join("  "));
    y += 12;
    match &panel.body {
        Body::Bits(bits) => y = push_bits(out, bits, y),
        Body::Grids(slices) => {
            for slice in slices {
                if let Some(title) = &slice.title {
                    out.words_at(plan.left, y, title);
                    y += 12;
                }
                push_grid(out, &slice.grid, plan.raster((plan.left, y + plan.top)));
                y += plan.height(&slice.grid) + 10;
            }
        }
    }
    if let Some(caption) = &panel.caption {
        out.words_at(0, y, &plain(caption));
        y += 12;
    }
    for entry in &panel.legend {
        push_entry(out, entry, y);
        y += 12;
    }
    y
}

/// Appends one line of a legend: a square, if there is a colour to show, and the text.
fn push_entry(out: &mut Picture, entry: &LegendEntry, y: i64) {
    let colours: Vec<String> = match entry.swatch {
        Swatch::Scale(Scale::Ramp) => (0..Fill::RAMP).map(|step| format!("r{step}")).collect(),
        Swatch::Scale(Scale::Category) => (0..8).map(|hue| format!("c{hue}")).collect(),
        Swatch::Fill(scale, Fill::Class(class)) => {
            vec![format!("{}{class}", if scale == Scale::Ramp { 'r' } else { 'c' })]
        }
        Swatch::Mark(mark) => mark_color(mark).map(str::to_owned).into_iter().collect(),
        Swatch::Faded => vec!["faded".to_owned()],
        Swatch::Fill(_, Fill::Blank) | Swatch::Border | Swatch::Boundary | Swatch::Text => vec![],
    };
    let width = if colours.len() > 1 { 3 } else { 8 };
    let mut x = 0;
    for colour in colours {
        out.fill(&colour, (x, y - 4), (x + width, y + 4));
        x += width;
    }
    out.words_at(if x > 0 { x + 5 } else { 0 }, y, &entry.text);
}

fn push_grid(out: &mut Picture, grid: &Grid, raster: Raster) {
    let letter = if grid.scale == Scale::Ramp { 'r' } else { 'c' };
    regions(grid, |region| {
        let name = match region.ground {
            Ground::Class(class) => format!("{letter}{class}"),
            Ground::Faded => "faded".to_owned(),
        };
        let corner = (raster.x(region.col), raster.y(region.row));
        out.fill(&name, corner, (raster.x(region.col + region.cols), raster.y(region.end)));
    });
    push_lines(out, grid, raster);
    for (spot, cell) in grid.spots().zip(&grid.cells) {
        if let Some(color) = mark_color(cell.mark) {
            let (left, top) = (raster.x(spot.col), raster.y(spot.row));
            out.fill(color, (left, top), (left + 4, top + 4));
        }
    }
    if let Some(layer) = grid.layers.first() {
        let mut text = String::new();
        for (spot, label) in grid.spots().zip(&layer.labels) {
            let lines = wide(label.lines());
            let (x, y) = raster.middle(spot.row, spot.col);
            for line in 0..label.lines() {
                text.clear();
                label.write_line(line, &mut text);
                out.label_at(x, y + (2 * wide(line) - lines + 1) * plan::LINE / 2, &text);
            }
        }
    }
    push_path(out, grid, raster);
    push_axes(out, grid, raster);
}

/// Appends the lines between cells, and the stronger ones between the runs of nested modes.
fn push_lines(out: &mut Picture, grid: &Grid, raster: Raster) {
    let (left, top) = (raster.left, raster.top);
    let (right, bottom) = (raster.x(grid.cols), raster.y(grid.rows));
    let across = |out: &mut Picture, row| out.line((left, raster.y(row)), (right, raster.y(row)));
    let down = |out: &mut Picture, col| out.line((raster.x(col), top), (raster.x(col), bottom));
    out.shapes.push_str("\\pgfsetlinewidth{.2bp}\n");
    (0..=grid.rows).for_each(|row| across(out, row));
    (0..=grid.cols).for_each(|col| down(out, col));
    out.shapes.push_str("\\pgfsetlinewidth{1.2bp}\n");
    let rows = (1..grid.rows).filter(|&row| grid.row_axis.boundary(row) > 0);
    rows.for_each(|row| across(out, row));
    let cols = (1..grid.cols).filter(|&col| grid.col_axis.boundary(col) > 0);
    cols.for_each(|col| down(out, col));
}

/// Joins the middles of the cells of [`Grid::path`].
fn push_path(out: &mut Picture, grid: &Grid, raster: Raster) {
    if grid.path.len() < 2 || grid.cols == 0 {
        return;
    }
    out.shapes.push_str("\\begin{pgfscope}\\pgfsetstrokecolor{pick}\\pgfsetstrokeopacity{.6}\n");
    let middle = |cell: usize| raster.middle(cell / grid.cols, cell % grid.cols);
    for pair in grid.path.windows(2) {
        out.line(middle(pair[0]), middle(pair[1]));
    }
    out.shapes.push_str("\\end{pgfscope}\n");
}

/// Appends the indices beside and above the cells, and the names of both axes.
fn push_axes(out: &mut Picture, grid: &Grid, raster: Raster) {
    let mut bottom = raster.top;
    for level in &grid.col_axis.levels {
        ticks(level, grid.cols, |text, from, to| {
            out.label_at((raster.x(from) + raster.x(to)) / 2, bottom - 7, text);
        });
        bottom -= plan::LEVEL_HEIGHT;
    }
    let mut right = raster.left;
    for level in &grid.row_axis.levels {
        let width = plan::level_width(level, grid.rows);
        ticks(level, grid.rows, |text, from, to| {
            out.label_at(right - width / 2, (raster.y(from) + raster.y(to)) / 2, text);
        });
        right -= width;
    }
    titles(out, &grid.row_axis, &grid.col_axis, (right, bottom));
}

fn titles(out: &mut Picture, down: &Axis, across: &Axis, (right, bottom): (i64, i64)) {
    let names: Vec<&str> =
        [&down.title, &across.title].into_iter().flatten().map(String::as_str).collect();
    if !names.is_empty() {
        out.words_at(right, bottom - 4, &names.join(" by "));
    }
}

fn ticks(level: &AxisLevel, extent: usize, mut emit: impl FnMut(&str, usize, usize)) {
    for number in 0..extent.div_ceil(level.run.max(1)) {
        let mut text = String::new();
        level.write_tick(number, &mut text);
        let from = number * level.run;
        emit(&text, from, (from + level.run).min(extent));
    }
}

const fn mark_color(mark: Mark) -> Option<&'static str> {
    match mark {
        Mark::None => None,
        Mark::Hole | Mark::Outside => Some("faded"),
        Mark::Twice => Some("twice"),
        Mark::Moved => Some("black"),
        Mark::Failing => Some("fail"),
        Mark::Picked => Some("pick"),
    }
}

fn push_bits(out: &mut Picture, bits: &BitPicture, y: i64) -> i64 {
    for bit in 0..bits.width {
        let x = i64::from(bits.width - 1 - bit) * 20;
        let within = |from: u32| bit >= from && bit < from + bits.count;
        let letter = if within(bits.source) {
            "Y"
        } else if within(bits.target) {
            "Z"
        } else {
            "."
        };
        out.label_at(x + 10, y, &bit.to_string());
        out.label_at(x + 10, y + 14, letter);
    }
    y + 28
}

/// Writes any text so that TeX sets it as it is.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\textbackslash{}"),
            '{' | '}' | '$' | '&' | '#' | '%' | '_' => {
                out.push('\\');
                out.push(c);
            }
            '~' => out.push_str("\\textasciitilde{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '<' => out.push_str("\\textless{}"),
            '>' => out.push_str("\\textgreater{}"),
            '→' => out.push_str("$\\to$"),
            '×' => out.push_str("$\\times$"),
            '…' => out.push_str("\\dots{}"),
            c if c.is_ascii() && !c.is_control() => out.push(c),
            _ => out.push('?'),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_leave_its_group() {
        assert_eq!(escaped(r"\input{x}%_"), r"\textbackslash{}input\{x\}\%\_");
    }
}
