//! A figure as one SVG file that explains itself: title, names, layouts, pictures, legends, notes.
//!
//! In: a figure. Out: an XML document. Invariant: colours are literal and the ground is painted, so
//! that the file looks the same in every viewer and on every page.

use super::paint::Paint;
use super::words::{self, Face};
use super::{Medium, Style, corner, heading, push_picture, size};
use crate::draw::markup::{plain, push_attr, push_int_attr};
use crate::draw::plan::{self, Plan};
use crate::figure::model::label::push_int;
use crate::figure::{Arrangement, Figure, Fill, LegendEntry, Mark, Panel, Scale, Swatch};

const MARGIN: i64 = 12;
const LINE: i64 = 17;
const GAP: i64 = 26;
/// Panels stand side by side up to this width in units.
const WIDE: i64 = 900;

/// Writes the figure as a file.
#[must_use]
pub fn file(figure: &Figure, style: Style) -> String {
    let medium = if style.medium == Medium::DarkFile { Medium::DarkFile } else { Medium::File };
    let style = Style { medium, ..style };
    let plan = Plan::natural(figure);
    let mut body = String::new();
    let mut y = MARGIN;
    let mut width = 0;
    if !figure.title.is_empty() {
        let at = (MARGIN, y + LINE / 2);
        words::push(&mut body, at, &figure.title, Face::Bold, 115, Paint::Text, style);
        width = words::width(&figure.title, 115, style);
        y += LINE + 6;
    }
    let (w, h) = if figure.arrangement == Arrangement::Corner {
        push_corner(&mut body, figure, &plan, (MARGIN, y), style)
    } else {
        push_flow(&mut body, figure, &plan, (MARGIN, y), style)
    };
    width = width.max(w);
    y += h;
    for note in &figure.notes {
        let text = plain(&format!("{}: {}", note.level, note.text));
        for line in wrapped(&text, width.max(300), style) {
            words::push(
                &mut body,
                (MARGIN, y + LINE / 2),
                &line,
                Face::Plain,
                90,
                Paint::Text,
                style,
            );
            width = width.max(words::width(&line, 90, style));
            y += LINE - 3;
        }
    }
    let size = (width + 2 * MARGIN, y + MARGIN);
    document(&body, size, &figure.title, medium)
}

fn document(body: &str, (width, height): (i64, i64), title: &str, medium: Medium) -> String {
    let mut out = String::with_capacity(body.len() + 512);
    out.push_str("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 ");
    push_int(&mut out, width);
    out.push(' ');
    push_int(&mut out, height);
    out.push('"');
    push_int_attr(&mut out, "width", width * plan::NATURAL / 1000);
    push_int_attr(&mut out, "height", height * plan::NATURAL / 1000);
    push_attr(&mut out, "aria-label", title);
    out.push_str(
        " role=\"img\" stroke-linecap=\"round\" stroke-linejoin=\"round\" text-anchor=\"middle\"",
    );
    out.push_str(
        " font-family=\"ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace\">",
    );
    out.push_str("<title>");
    crate::draw::markup::push_text(&mut out, title);
    out.push_str("</title><rect width=\"100%\" height=\"100%\"");
    Paint::Paper.push(&mut out, "fill", medium);
    out.push_str("/>");
    out.push_str(body);
    out.push_str("</svg>\n");
    out
}

/// Appends panels side by side, in as many lines as they need; returns the size of it all.
fn push_flow(
    out: &mut String,
    figure: &Figure,
    plan: &Plan,
    (left, top): (i64, i64),
    style: Style,
) -> (i64, i64) {
    let (mut x, mut y) = (left, top);
    let (mut width, mut row_height) = (0, 0);
    for (number, panel) in figure.panels.iter().enumerate() {
        let (w, h) = block_size(panel, plan, style);
        if x > left && x + w > left + WIDE {
            x = left;
            y += row_height + GAP;
            row_height = 0;
        }
        if number > 0 && x > left && figure.arrangement == Arrangement::Arrows {
            let at = (x - GAP / 2 - 5, y + h / 2);
            words::push(out, at, "→", Face::Bold, 140, Paint::Text, style);
        }
        push_block(out, panel, plan, (x, y), style);
        width = width.max(x + w - left);
        row_height = row_height.max(h);
        x += w + GAP;
    }
    (width, y + row_height - top)
}

fn push_corner(
    out: &mut String,
    figure: &Figure,
    plan: &Plan,
    (left, top): (i64, i64),
    style: Style,
) -> (i64, i64) {
    let (places, (mut width, mut height)) = corner(figure, plan);
    for (panel, (x, y)) in figure.panels.iter().zip(places) {
        let at = (left + x, top + y);
        push_head(out, panel, (at.0 + plan.left, at.1), style);
        width = width.max(x + plan.left + head_width(panel, style));
        push_picture(out, panel, plan, (at.0, at.1 + heading(plan)), style);
    }
    for panel in &figure.panels {
        if !panel.legend.is_empty() {
            height += 8;
        }
        for entry in &panel.legend {
            push_entry(out, entry, (left, top + height), style);
            width = width.max(entry_width(entry, style));
            height += LINE;
        }
    }
    (width, height)
}

/// Returns the size of a panel with its lines of text.
fn block_size(panel: &Panel, plan: &Plan, style: Style) -> (i64, i64) {
    let (w, h) = size(panel, plan);
    let texts = [head_width(panel, style)]
        .into_iter()
        .chain(panel.legend.iter().map(|entry| entry_width(entry, style)))
        .chain(
            panel.caption.iter().map(|caption| words::width(caption, 90, style).min(w.max(300))),
        );
    let width = texts.fold(w, i64::max);
    let caption =
        panel.caption.iter().flat_map(|caption| wrapped(&plain(caption), width, style)).count();
    let lines = 1 + caption + panel.legend.len();
    (width, h + i64::try_from(lines).unwrap_or(0) * LINE + 8)
}

fn push_block(out: &mut String, panel: &Panel, plan: &Plan, (x, mut y): (i64, i64), style: Style) {
    let width = block_size(panel, plan, style).0;
    push_head(out, panel, (x, y), style);
    y += LINE;
    push_picture(out, panel, plan, (x, y), style);
    y += size(panel, plan).1 + 8;
    for line in panel.caption.iter().flat_map(|caption| wrapped(&plain(caption), width, style)) {
        words::push(out, (x, y + LINE / 2), &line, Face::Plain, 90, Paint::Text, style);
        y += LINE;
    }
    for entry in &panel.legend {
        push_entry(out, entry, (x, y), style);
        y += LINE;
    }
}

fn head_parts(panel: &Panel) -> Vec<(String, Face)> {
    let mut parts = Vec::new();
    if let Some(badge) = panel.badge {
        parts.push((badge.as_str().to_owned(), Face::Plain));
    }
    if !panel.name.is_empty() {
        parts.push((panel.name.clone(), Face::Bold));
    }
    if let Some(layout) = &panel.layout {
        parts.push((layout.clone(), Face::Mono));
    }
    if let Some(unit) = panel.unit {
        parts.push((unit.to_owned(), Face::Plain));
    }
    parts
}

fn head_width(panel: &Panel, style: Style) -> i64 {
    head_parts(panel).iter().map(|(text, _)| words::width(text, 100, style) + 8).sum()
}

fn push_head(out: &mut String, panel: &Panel, (mut x, y): (i64, i64), style: Style) {
    for (text, face) in head_parts(panel) {
        words::push(out, (x, y + LINE / 2 - 2), &text, face, 100, Paint::Text, style);
        x += words::width(&text, 100, style) + 8;
    }
}

const SWATCH: i64 = 12;

fn entry_width(entry: &LegendEntry, style: Style) -> i64 {
    swatch_width(entry.swatch) + words::width(&entry.text, 90, style)
}

const fn swatch_width(swatch: Swatch) -> i64 {
    match swatch {
        Swatch::Scale(_) => 5 * SWATCH + 6,
        Swatch::Text => 0,
        _ => SWATCH + 6,
    }
}

fn push_entry(out: &mut String, entry: &LegendEntry, (x, y): (i64, i64), style: Style) {
    let top = y + (LINE - SWATCH) / 2;
    let mut square = |x: i64, width: i64, paint: Paint, stroke: &str| {
        out.push_str("<rect");
        push_int_attr(out, "x", x);
        push_int_attr(out, "y", top);
        push_int_attr(out, "width", width);
        push_int_attr(out, "height", SWATCH);
        if stroke.is_empty() {
            paint.push(out, "fill", style.medium);
        } else {
            out.push_str(" fill=\"none\"");
            paint.push(out, "stroke", style.medium);
            out.push_str(stroke);
        }
        out.push_str("/>");
    };
    match entry.swatch {
        Swatch::Text => {}
        Swatch::Fill(scale, fill) => square(x, SWATCH, Paint::Cell(scale, fill), ""),
        Swatch::Faded => square(x, SWATCH, Paint::Faded, ""),
        Swatch::Scale(scale) => {
            let (steps, count) = match scale {
                Scale::Ramp => (Fill::RAMP, 15),
                Scale::Category => (8, 8),
            };
            for step in 0..steps {
                let width = 5 * SWATCH / count;
                square(
                    x + i64::from(step) * 5 * SWATCH / i64::from(steps),
                    width,
                    Paint::Cell(scale, Fill::Class(step)),
                    "",
                );
            }
        }
        Swatch::Border => square(x, SWATCH, Paint::Text, " stroke-width=\"1.3\""),
        Swatch::Boundary => square(x, SWATCH, Paint::Text, " stroke-width=\"2\""),
        Swatch::Mark(mark) => match mark {
            Mark::Failing => square(x, SWATCH, Paint::Fail(Scale::Ramp), " stroke-width=\"2.2\""),
            Mark::Picked => square(x, SWATCH, Paint::Pick(Scale::Ramp), " stroke-width=\"2.2\""),
            Mark::Twice | Mark::Moved => {
                square(x, SWATCH, Paint::Cell(Scale::Category, Fill::Class(0)), "");
                push_corner_of(out, mark, (x, top), style);
            }
            Mark::Hole | Mark::Outside | Mark::None => {
                square(x, SWATCH, Paint::Text, " stroke-width=\".6\"");
                push_strokes(out, mark, (x, top), style);
            }
        },
    }
    let at = (x + swatch_width(entry.swatch), y + LINE / 2);
    words::push(out, at, &plain(&entry.text), Face::Plain, 90, Paint::Text, style);
}

/// Draws the strokes through a hole or a cell outside.
fn push_strokes(out: &mut String, mark: Mark, (x, y): (i64, i64), style: Style) {
    let strokes = match mark {
        Mark::Hole => "l12-12",
        Mark::Outside => "l12-12m-12 0l12 12",
        _ => return,
    };
    out.push_str("<path fill=\"none\"");
    Paint::Text.push(out, "stroke", style.medium);
    out.push_str(" stroke-width=\".6\" d=\"M");
    push_int(out, x);
    out.push(' ');
    push_int(out, y + SWATCH);
    out.push_str(strokes);
    out.push_str("\"/>");
}

/// Fills the corner that tells a cell that was moved, or reached twice.
fn push_corner_of(out: &mut String, mark: Mark, (x, y): (i64, i64), style: Style) {
    let (corner, paint) = match mark {
        Mark::Twice => ((x + SWATCH / 4, y, "h9v9z"), Paint::Twice(Scale::Category)),
        _ => ((x, y + SWATCH / 4, "v9h9z"), Paint::Ink(Scale::Category)),
    };
    out.push_str("<path");
    paint.push(out, "fill", style.medium);
    out.push_str(" d=\"M");
    push_int(out, corner.0);
    out.push(' ');
    push_int(out, corner.1);
    out.push_str(corner.2);
    out.push_str("\"/>");
}

/// Breaks a text at blanks into lines of about `width` units.
fn wrapped(text: &str, width: i64, style: Style) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if words::width(line, 90, style) + words::width(word, 90, style) < width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}
