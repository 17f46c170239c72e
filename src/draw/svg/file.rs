//! A figure as one SVG file that explains itself: title, names, layouts, pictures, legends, notes.
//!
//! In: a figure. Out: an XML document. Invariant: colors are literal and the ground is painted, so
//! that the file looks the same in every viewer and on every page.

use super::corner::corner;
use super::paint::Paint;
use super::picture::{heading, push_picture, push_view_box, size};
use super::swatch::{LINE, entry_width, push_entry};
use super::words::{self, Face, wrapped};
use crate::cute::index::wide;
use crate::draw::markup::plain;
use crate::draw::plan::{self, Plan};
use crate::draw::tag::Tag;
use crate::draw::target::{Labels, Style, Target, Theme};
use crate::figure::{Arrangement, Figure, Panel, Space};

const MARGIN: i64 = 12;
const GAP: i64 = 26;
/// Panels stand side by side up to this width in units.
const WIDE: i64 = 900;
/// Captions and notes are broken at this width at least.
const NARROW: i64 = 300;
/// Size of captions and notes in hundredths of the labels of cells.
const SMALL: i64 = 90;

/// Writes the figure as a file.
///
/// ```
/// use mdbook_cute::draw::svg;
/// use mdbook_cute::draw::target::{Labels, Theme};
/// use mdbook_cute::expr::{Functions, Scope};
/// use mdbook_cute::figure::{Entry, Kind, Spec, build};
///
/// let spec = Spec::new(Kind::LAYOUT, vec![Entry::new("layout", "(2,3):(3,1)")]);
/// let functions = Functions::core();
/// let built = build(&spec, &Scope::new(&functions)).expect("the layout is valid");
///
/// let file = svg::file(&built.figure, Theme::Light, Labels::Auto);
/// assert!(file.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 "));
/// // The offset of the coordinate (1,2) is 1*3 + 2*1.
/// assert!(file.contains(">5</text>"));
/// ```
#[must_use]
pub fn file(figure: &Figure, theme: Theme, labels: Labels) -> String {
    document(figure, Style::new(Target::File(theme), labels))
}

/// Writes the figure as a file that is turned into pixels: it needs no font, so labels that are
/// wanted are strokes.
#[must_use]
pub fn image(figure: &Figure, theme: Theme, labels: Labels) -> String {
    document(figure, Style::new(Target::Image(theme), labels))
}

fn document(figure: &Figure, style: Style) -> String {
    let mut body = String::new();
    let (width, height) = push_body(&mut body, figure, style);
    let mut out = String::with_capacity(body.len() + 512);
    {
        let mut svg = Tag::open(&mut out, "svg")
            .set("xmlns", "http://www.w3.org/2000/svg")
            .value("viewBox", |out| push_view_box(out, (width, height)))
            .int("width", width * plan::NATURAL / 1000)
            .int("height", height * plan::NATURAL / 1000)
            .attr("aria-label", &figure.title)
            .set("role", "img")
            .set("stroke-linecap", "round")
            .set("stroke-linejoin", "round")
            .set("text-anchor", "middle")
            .set("font-family", FONTS)
            .content();
        Tag::open(&mut svg, "title").text(&figure.title);
        Tag::open(&mut svg, "rect").set("width", "100%").set("height", "100%").paint(
            "fill",
            Paint::Paper,
            style.target(),
        );
        svg.push_str(&body);
    }
    out.push('\n');
    out
}

/// Monospaced fonts; a viewer takes the first that it has.
const FONTS: &str = "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace";

/// Appends title, panels and notes; returns the size of the document.
fn push_body(out: &mut String, figure: &Figure, style: Style) -> (i64, i64) {
    let plan = Plan::natural(figure);
    let mut y = MARGIN;
    let mut width = 0;
    if !figure.title.is_empty() {
        let at = (MARGIN, y + LINE / 2);
        words::push(out, at, &figure.title, Face::Bold, 115, Paint::Text, style);
        width = words::width(&figure.title, 115, style);
        y += LINE + 6;
    }
    let (w, h) = match figure.arrangement {
        Arrangement::Corner => push_corner(out, figure, &plan, (MARGIN, y), style),
        Arrangement::Flow | Arrangement::Arrows => {
            push_flow(out, figure, &plan, (MARGIN, y), style)
        }
    };
    width = width.max(w);
    y += h;
    for note in &figure.notes {
        let text = plain(&format!("{}: {}", note.level, note.text));
        for line in wrapped(&text, width.max(NARROW), SMALL, style) {
            let at = (MARGIN, y + LINE / 2);
            words::push(out, at, &line, Face::Plain, SMALL, Paint::Text, style);
            width = width.max(words::width(&line, SMALL, style));
            y += LINE - 3;
        }
    }
    (width + 2 * MARGIN, y + MARGIN)
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
    let caption = panel.caption.iter();
    let texts = [head_width(panel, style)]
        .into_iter()
        .chain(panel.legend.iter().map(|entry| entry_width(entry, style)))
        .chain(caption.map(|text| words::width(text, SMALL, style).min(w.max(NARROW))));
    let width = texts.fold(w, i64::max);
    let lines = 1 + caption_lines(panel, width, style).count() + panel.legend.len();
    (width, h + wide(lines) * LINE + 8)
}

fn push_block(out: &mut String, panel: &Panel, plan: &Plan, (x, mut y): (i64, i64), style: Style) {
    let width = block_size(panel, plan, style).0;
    push_head(out, panel, (x, y), style);
    y += LINE;
    push_picture(out, panel, plan, (x, y), style);
    y += size(panel, plan).1 + 8;
    for line in caption_lines(panel, width, style) {
        words::push(out, (x, y + LINE / 2), &line, Face::Plain, SMALL, Paint::Text, style);
        y += LINE;
    }
    for entry in &panel.legend {
        push_entry(out, entry, (x, y), style);
        y += LINE;
    }
}

fn caption_lines(panel: &Panel, width: i64, style: Style) -> impl Iterator<Item = String> {
    let wrap = move |caption: &String| wrapped(&plain(caption), width, SMALL, style);
    panel.caption.iter().flat_map(wrap)
}

fn head_parts(panel: &Panel) -> Vec<(&str, Face)> {
    [
        (panel.badge.map(Space::as_str), Face::Plain),
        (Some(panel.name.as_str()).filter(|name| !name.is_empty()), Face::Bold),
        (panel.layout.as_deref(), Face::Mono),
        (panel.unit, Face::Plain),
    ]
    .into_iter()
    .filter_map(|(text, face)| Some((text?, face)))
    .collect()
}

fn head_width(panel: &Panel, style: Style) -> i64 {
    head_parts(panel).iter().map(|(text, _)| words::width(text, 100, style) + 8).sum()
}

fn push_head(out: &mut String, panel: &Panel, (mut x, y): (i64, i64), style: Style) {
    for (text, face) in head_parts(panel) {
        words::push(out, (x, y + LINE / 2 - 2), text, face, 100, Paint::Text, style);
        x += words::width(text, 100, style) + 8;
    }
}
