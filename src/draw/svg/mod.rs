//! Pictures: a panel within a page, a whole figure within a page, and a file that stands alone.
//!
//! In: a figure and its [`Plan`]. Out: `<svg>` elements in one line each. Invariant: a picture has
//! few elements, however many cells: one path for each colour, one for each weight of line, and in
//! pages one element for all labels of one ink. Nothing in a picture has an id.

mod bits;
mod columns;
mod data;
mod file;
mod fills;
mod labels;
mod lines;
mod paint;
mod thumbnail;
mod words;

use super::markup::{Searched, push_attr, push_int_attr};
use crate::draw::plan::Detail;
use crate::draw::plan::{self, Coarse, Plan, SLICE_GAP};
use crate::figure::input::spec::Spec;
use crate::figure::model::label::push_int;
use crate::figure::{Body, Figure, Grid, Panel, Slice};
use paint::Paint;
use words::Face;

pub use file::file;
pub use thumbnail::push_thumbnail;

/// Where a picture stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Medium {
    /// Within a page: colours are CSS variables with fallbacks.
    Page,
    /// Within a page that has the style sheet, which says what most lines look like: mdBook takes
    /// apart and puts together every attribute on each build.
    Book,
    /// In a file: colours are written out, on white.
    File,
    /// As [`Self::File`], on a dark ground.
    DarkFile,
}

impl Medium {
    /// Whether the picture stands within a page, where a script may answer for it.
    const fn is_page(self) -> bool {
        matches!(self, Self::Page | Self::Book)
    }
}

/// How labels are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Labels {
    /// As strokes: few elements, and nothing for the search index.
    Stroke,
    /// Those of cells as text in attributes, a character in a column, which takes a quarter of the
    /// bytes and needs the style sheet; the others as strokes.
    Columns,
    /// As `<text>`: can be selected and edited.
    Text,
    /// Not at all; indices, titles and bits stay, as strokes.
    None,
}

/// How a picture is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Where it stands.
    pub medium: Medium,
    /// How its labels are written.
    pub labels: Labels,
}

impl Style {
    /// Pages that may have no style sheet.
    pub const PAGE: Self = Self { medium: Medium::Page, labels: Labels::Stroke };
    /// Pages of a book that has the style sheet.
    pub const BOOK: Self = Self { medium: Medium::Book, labels: Labels::Columns };
    /// Files unless the author asks for strokes.
    pub const FILE: Self = Self { medium: Medium::File, labels: Labels::Text };
    /// Files that are turned into images, where no font can be relied on.
    pub const IMAGE: Self = Self { medium: Medium::File, labels: Labels::Stroke };

    /// Returns how what stands beside cells is written.
    #[must_use]
    pub(super) fn beside_cells(self) -> Self {
        match self.labels {
            Labels::None | Labels::Columns => Self { labels: Labels::Stroke, ..self },
            Labels::Stroke | Labels::Text => self,
        }
    }

    /// Whether mdBook's search looks into words beside the picture, but for captions and tables.
    #[must_use]
    pub const fn searched(self) -> Searched {
        match self.medium {
            Medium::Book => Searched::No,
            Medium::Page | Medium::File | Medium::DarkFile => Searched::Yes,
        }
    }

    /// Writes labels as the key `labels` of a figure asks for.
    #[must_use]
    pub fn with_labels(self, spec: &Spec) -> Self {
        let labels = match spec.get("labels").map(str::trim) {
            Some("stroke") => Labels::Stroke,
            Some("text") => Labels::Text,
            Some("none") => Labels::None,
            _ => self.labels,
        };
        Self { labels, ..self }
    }
}

/// Appends the picture of one panel as an `<svg>` of a page.
pub fn push_panel(out: &mut String, panel: &Panel, name: &str, plan: &Plan, style: Style) {
    let (width, height) = size(panel, plan);
    // Bits fit the column at any size of the grids beside them.
    let scale = match panel.body {
        Body::Grids(_) => plan.scale,
        Body::Bits(_) => plan::NATURAL,
    };
    open(out, (width, height), name, plan, scale, style.medium);
    push_picture(out, panel, plan, (0, 0), style);
    out.push_str("</svg>");
}

/// Appends the three panels of an MMA in one picture: B above, A on the left, C in the corner.
pub fn push_corner(out: &mut String, figure: &Figure, plan: &Plan, style: Style) {
    let (places, size) = corner(figure, plan);
    open(out, size, &figure.title, plan, plan.scale, style.medium);
    for (panel, (x, y)) in figure.panels.iter().zip(places) {
        let head = heading(plan);
        let name = panel.badge.map_or_else(
            || panel.name.clone(),
            |badge| format!("{} ({})", panel.name, badge.as_str()),
        );
        words::push(
            out,
            (x + plan.left, y + head / 2),
            &name,
            Face::Bold,
            plan.zoom(),
            Paint::Text,
            style,
        );
        push_picture(out, panel, plan, (x, y + head), style);
    }
    out.push_str("</svg>");
}

/// Height of a line of text above a picture.
fn heading(plan: &Plan) -> i64 {
    18 * plan.zoom() / 100
}

/// Returns the corners of A, B and C with their headings, and the size of it all. Panels after the
/// third stand below.
fn corner(figure: &Figure, plan: &Plan) -> (Vec<(i64, i64)>, (i64, i64)) {
    let sizes: Vec<(i64, i64)> = figure
        .panels
        .iter()
        .map(|panel| size(panel, plan))
        .map(|(w, h)| (w, h + heading(plan)))
        .collect();
    let of = |at: usize| sizes.get(at).copied().unwrap_or((0, 0));
    let (a, b, c) = (of(0), of(1), of(2));
    let gap = SLICE_GAP * plan.zoom() / 100;
    let mut places = vec![(0, b.1 + gap), (a.0 + gap, 0), (a.0 + gap, b.1 + gap)];
    let mut width = a.0 + gap + b.0.max(c.0);
    let mut bottom = b.1 + gap + a.1.max(c.1);
    for &(w, h) in sizes.iter().skip(3) {
        places.push((0, bottom + gap));
        bottom += gap + h;
        width = width.max(w);
    }
    (places, (width, bottom))
}

/// Opens an `<svg>`. Its width is that of the column at most; `--cute-z` is its width when zoomed
/// and `--cute-m` the one below which labels could not be read.
fn open(
    out: &mut String,
    (width, height): (i64, i64),
    name: &str,
    plan: &Plan,
    scale: i64,
    medium: Medium,
) {
    let pixels = |scale: i64| (width * scale + 999) / 1000;
    out.push_str("<svg role=\"img\"");
    if medium != Medium::Book {
        out.push_str(" xmlns=\"http://www.w3.org/2000/svg\"");
    }
    push_attr(out, "aria-label", name);
    out.push_str(" viewBox=\"0 0 ");
    push_int(out, width);
    out.push(' ');
    push_int(out, height);
    out.push('"');
    push_int_attr(out, "width", pixels(scale));
    if medium != Medium::Book {
        push_int_attr(out, "height", (height * scale + 999) / 1000);
    }
    out.push_str(" style=\"--cute-z:");
    push_int(out, pixels(plan::NATURAL));
    out.push_str("px");
    if plan.detail == Detail::Full {
        out.push_str(";--cute-m:");
        push_int(out, pixels(scale.min(plan::READABLE)));
        out.push_str("px");
    }
    out.push_str(match medium {
        Medium::Book => "\">",
        _ => "\" stroke-linecap=\"round\" stroke-linejoin=\"round\" text-anchor=\"middle\">",
    });
}

/// Returns the size of a panel's picture.
fn size(panel: &Panel, plan: &Plan) -> (i64, i64) {
    match &panel.body {
        Body::Bits(picture) => bits::size(picture),
        Body::Grids(slices) => places(slices, plan).1,
    }
}

/// Returns the corners of the slices with their titles, and the size of it all.
fn places(slices: &[Slice], plan: &Plan) -> (Vec<(i64, i64)>, (i64, i64)) {
    let width = slices.iter().map(|slice| plan.width(&slice.grid)).max().unwrap_or(0);
    let a_row = plan.slices_a_row(width, slices.len());
    let mut places = Vec::with_capacity(slices.len());
    let (mut top, mut extent) = (0, (0, 0));
    for row in slices.chunks(a_row) {
        let mut x = 0;
        let mut height = 0;
        for slice in row {
            places.push((x, top));
            extent.0 = extent.0.max(x + plan.width(&slice.grid));
            x += width + SLICE_GAP;
            let title = if slice.title.is_some() { heading(plan) } else { 0 };
            height = height.max(title + plan.height(&slice.grid));
        }
        extent.1 = top + height;
        top += height + SLICE_GAP;
    }
    (places, extent)
}

/// Appends what a panel shows, with its corner at `(x, y)`.
fn push_picture(out: &mut String, panel: &Panel, plan: &Plan, (x, y): (i64, i64), style: Style) {
    match &panel.body {
        Body::Bits(picture) => bits::push(out, picture, (x, y), style),
        Body::Grids(slices) => {
            for (slice, (dx, dy)) in slices.iter().zip(places(slices, plan).0) {
                let (x, mut y) = (x + dx, y + dy);
                if let Some(title) = &slice.title {
                    let middle = y + heading(plan) / 2;
                    let at = (x + plan.left, middle);
                    words::push(out, at, title, Face::Mono, plan.zoom(), Paint::Text, style);
                    y += heading(plan);
                }
                push_grid(out, &slice.grid, plan, (x + plan.left, y + plan.top), style);
            }
        }
    }
}

/// Appends one grid whose first cell has its corner at `(x, y)`.
fn push_grid(out: &mut String, grid: &Grid, plan: &Plan, (x, y): (i64, i64), style: Style) {
    let cell = (plan.cell_w, plan.cell_h);
    out.push_str("<g");
    if style.medium.is_page() {
        out.push_str(" class=\"cute-grid\" data-grid=\"");
        for (at, n) in
            [x, y, cell.0, cell.1, to_i64(grid.rows), to_i64(grid.cols)].iter().enumerate()
        {
            if at > 0 {
                out.push(' ');
            }
            push_int(out, *n);
        }
        out.push('"');
        data::push(out, grid);
    }
    out.push('>');
    fills::push(out, grid, (x, y), cell, style.medium);
    lines::push(out, grid, (x, y), cell, plan.zoom(), style.medium);
    match plan.detail {
        Detail::Full => {
            labels::cells(out, grid, plan, (x, y), style);
            labels::axes(out, grid, plan, (x, y), 100, style);
        }
        Detail::Blocks { rows, cols, zoom } => {
            out.push_str("<g class=\"cute-fine\">");
            labels::cells(out, grid, plan, (x, y), style);
            labels::axes(out, grid, plan, (x, y), 100, style);
            out.push_str("</g><g class=\"cute-coarse\">");
            match plan.coarse(grid) {
                Coarse::Named => labels::named_blocks(out, grid, plan, (x, y), zoom, style),
                Coarse::Sampled => {
                    lines::blocks(out, grid, (x, y), cell, (rows, cols), zoom, style.medium);
                    labels::blocks(out, grid, plan, (x, y), (rows, cols), zoom, style);
                }
                Coarse::None => {}
            }
            labels::axes(out, grid, plan, (x, y), zoom, style);
            out.push_str("</g>");
        }
    }
    out.push_str("</g>");
}

/// Appends a number of hundredths as a decimal.
pub(crate) fn push_hundredths(out: &mut String, hundredths: i64) {
    let (whole, part) = (hundredths / 100, hundredths % 100);
    if whole != 0 || part == 0 {
        push_int(out, whole);
    }
    if part != 0 {
        out.push('.');
        if part < 10 {
            out.push('0');
        }
        push_int(out, if part % 10 == 0 { part / 10 } else { part });
    }
}

fn to_i64(n: usize) -> i64 {
    i64::try_from(n).unwrap_or(0)
}
