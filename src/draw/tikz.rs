//! Figures as LaTeX documents, in the spirit of CuTe's `print_latex`.
//!
//! In: a figure. Out: a document that `pdflatex` compiles as it is. Invariant: one short macro call
//! for each label and each area, set by pgf's basic layer, so that 128x128 cells compile within
//! TeX's default memory.

use super::palette;
use super::regions::{Ground, regions};
use crate::figure::plan::{self, Plan};
use crate::figure::{Axis, AxisLevel, BitPicture, Body, Figure, Fill, Grid, Mark, Panel, Scale};
use std::fmt::Write;

const PREAMBLE: &str = r"\documentclass[border=4pt]{standalone}
\usepackage{pgf}
\usepackage[T1]{fontenc}
\renewcommand\familydefault{\ttdefault}
\def\at#1#2{\pgfpoint{#1bp}{-#2bp}}
\def\c#1#2#3{\pgftext[at=\at{#1}{#2}]{#3}}
\def\l#1#2#3{\pgftext[left,at=\at{#1}{#2}]{#3}}
\def\f#1#2#3#4#5{\pgfsetfillcolor{#1}\pgfpathmoveto{\at{#2}{#3}}\pgfpathlineto{\at{#4}{#3}}\pgfpathlineto{\at{#4}{#5}}\pgfpathlineto{\at{#2}{#5}}\pgfpathclose\pgfusepath{fill}}
\def\s#1#2#3#4{\pgfpathmoveto{\at{#1}{#2}}\pgfpathlineto{\at{#3}{#4}}\pgfusepath{stroke}}
";

/// Writes the figure as a LaTeX document.
#[must_use]
pub fn tikz(figure: &Figure) -> String {
    let plan = Plan::natural(figure);
    let mut out = String::from(PREAMBLE);
    for (letter, scale, steps) in
        [('r', Scale::Ramp, Fill::RAMP), ('c', Scale::Category, Fill::CATEGORIES)]
    {
        for step in 0..steps {
            let colour = palette::colour(scale, Fill::Class(step)).unwrap_or(palette::PAPER);
            // Writing to a String cannot fail.
            let _ =
                writeln!(out, "\\definecolor{{{letter}{step}}}{{HTML}}{{{}}}", html_colour(colour));
        }
    }
    for (name, colour) in [
        ("faded", palette::FADED),
        ("fail", palette::FAIL),
        ("pick", palette::PICK),
        ("twice", palette::TWICE),
    ] {
        let _ = writeln!(out, "\\definecolor{{{name}}}{{HTML}}{{{}}}", html_colour(colour));
    }
    out.push_str("\\begin{document}\\fontsize{8}{9}\\selectfont\\begin{pgfpicture}\n");
    let mut y = 0;
    if !figure.title.is_empty() {
        let _ = writeln!(out, "\\l{{0}}{{{y}}}{{\\bfseries {}}}", escaped(&figure.title));
        y += 18;
    }
    for panel in &figure.panels {
        y = push_panel(&mut out, panel, &plan, y) + 20;
    }
    out.push_str("\\end{pgfpicture}\\end{document}\n");
    out
}

fn html_colour(hex: &str) -> String {
    hex.trim_start_matches('#').to_uppercase()
}

/// Appends a panel from `y` on and returns where it ends.
fn push_panel(out: &mut String, panel: &Panel, plan: &Plan, mut y: i64) -> i64 {
    let badge = panel.badge.map(|badge| badge.as_str());
    let head: Vec<String> = [badge, Some(panel.name.as_str()), panel.layout.as_deref(), panel.unit]
        .into_iter()
        .flatten()
        .filter(|part| !part.is_empty())
        .map(escaped)
        .collect();
    let _ = writeln!(out, "\\l{{0}}{{{y}}}{{{}}}", head.join("\\quad "));
    y += 12;
    match &panel.body {
        Body::Bits(bits) => push_bits(out, bits, y),
        Body::Grids(slices) => {
            for slice in slices {
                if let Some(title) = &slice.title {
                    let _ = writeln!(out, "\\l{{{}}}{{{y}}}{{{}}}", plan.left, escaped(title));
                    y += 12;
                }
                push_grid(out, &slice.grid, plan, (plan.left, y + plan.top));
                y += plan.height(&slice.grid) + 10;
            }
            y
        }
    }
}

fn push_grid(out: &mut String, grid: &Grid, plan: &Plan, (x, y): (i64, i64)) {
    let (w, h) = (plan.cell_w, plan.cell_h);
    let at_x = |col: usize| x + int(col) * w;
    let at_y = |row: usize| y + int(row) * h;
    let letter = if grid.scale == Scale::Ramp { 'r' } else { 'c' };
    regions(grid, |region| {
        let name = match region.ground {
            Ground::Class(class) => format!("{letter}{class}"),
            Ground::Faded => "faded".to_owned(),
        };
        let (left, right) = (at_x(region.col), at_x(region.col + region.cols));
        let (top, bottom) = (at_y(region.row), at_y(region.end));
        let _ = writeln!(out, "\\f{{{name}}}{{{left}}}{{{top}}}{{{right}}}{{{bottom}}}");
    });
    out.push_str("\\pgfsetlinewidth{.2bp}\n");
    let (right, bottom) = (at_x(grid.cols), at_y(grid.rows));
    for row in 0..=grid.rows {
        let _ = writeln!(out, "\\s{{{x}}}{{{0}}}{{{right}}}{{{0}}}", at_y(row));
    }
    for col in 0..=grid.cols {
        let _ = writeln!(out, "\\s{{{0}}}{{{y}}}{{{0}}}{{{bottom}}}", at_x(col));
    }
    out.push_str("\\pgfsetlinewidth{1.2bp}\n");
    for row in (1..grid.rows).filter(|&row| grid.row_axis.boundary(row) > 0) {
        let _ = writeln!(out, "\\s{{{x}}}{{{0}}}{{{right}}}{{{0}}}", at_y(row));
    }
    for col in (1..grid.cols).filter(|&col| grid.col_axis.boundary(col) > 0) {
        let _ = writeln!(out, "\\s{{{0}}}{{{y}}}{{{0}}}{{{bottom}}}", at_x(col));
    }
    for (spot, cell) in grid.spots().zip(&grid.cells) {
        if let Some(colour) = mark_colour(cell.mark) {
            let (left, top) = (at_x(spot.col), at_y(spot.row));
            let _ =
                writeln!(out, "\\f{{{colour}}}{{{left}}}{{{top}}}{{{}}}{{{}}}", left + 4, top + 4);
        }
    }
    out.push_str("\\pgfsetfillcolor{black}\n");
    if let Some(layer) = grid.layers.first() {
        for (spot, label) in grid.spots().zip(&layer.labels) {
            let lines = int(label.lines());
            let middle = at_y(spot.row) + h / 2;
            let mut text = String::new();
            for line in 0..label.lines() {
                text.clear();
                label.write_line(line, &mut text);
                let y = middle + (2 * int(line) - lines + 1) * plan::LINE / 2;
                let _ =
                    writeln!(out, "\\c{{{}}}{{{y}}}{{{}}}", at_x(spot.col) + w / 2, escaped(&text));
            }
        }
    }
    let mut bottom = y;
    for level in &grid.col_axis.levels {
        ticks(level, grid.cols, |text, from, to| {
            let _ =
                writeln!(out, "\\c{{{}}}{{{}}}{{{text}}}", (at_x(from) + at_x(to)) / 2, bottom - 7);
        });
        bottom -= plan::LEVEL_HEIGHT;
    }
    let mut right = x;
    for level in &grid.row_axis.levels {
        let width = plan::level_width(level, grid.rows);
        ticks(level, grid.rows, |text, from, to| {
            let _ = writeln!(
                out,
                "\\c{{{}}}{{{}}}{{{text}}}",
                right - width / 2,
                (at_y(from) + at_y(to)) / 2
            );
        });
        right -= width;
    }
    titles(out, &grid.row_axis, &grid.col_axis, (right, bottom));
}

fn titles(out: &mut String, down: &Axis, across: &Axis, (right, bottom): (i64, i64)) {
    let names: Vec<String> =
        [&down.title, &across.title].into_iter().flatten().map(|title| escaped(title)).collect();
    if !names.is_empty() {
        let _ = writeln!(out, "\\l{{{right}}}{{{}}}{{{}}}", bottom - 4, names.join(" by "));
    }
}

fn ticks(level: &AxisLevel, extent: usize, mut emit: impl FnMut(&str, usize, usize)) {
    for number in 0..extent.div_ceil(level.run.max(1)) {
        let mut text = String::new();
        level.write_tick(number, &mut text);
        let from = number * level.run;
        emit(&escaped(&text), from, (from + level.run).min(extent));
    }
}

const fn mark_colour(mark: Mark) -> Option<&'static str> {
    match mark {
        Mark::None => None,
        Mark::Hole | Mark::Outside => Some("faded"),
        Mark::Twice => Some("twice"),
        Mark::Moved => Some("black"),
        Mark::Failing => Some("fail"),
        Mark::Picked => Some("pick"),
    }
}

fn push_bits(out: &mut String, bits: &BitPicture, y: i64) -> i64 {
    for bit in 0..bits.width {
        let x = i64::from(bits.width - 1 - bit) * 20;
        let within = |from: u32| bit >= from && bit < from + bits.count;
        let letter = if within(bits.source) {
            "Y"
        } else if within(bits.target) {
            "Z"
        } else {
            "$\\cdot$"
        };
        let _ = writeln!(
            out,
            "\\c{{{}}}{{{y}}}{{{bit}}}\\c{{{}}}{{{}}}{{{letter}}}",
            x + 10,
            x + 10,
            y + 14
        );
    }
    y + 28
}

fn int(n: usize) -> i64 {
    i64::try_from(n).unwrap_or(0)
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
