//! The `<figure>` element of a page: pictures, legends, caption, notes, tables, facts.
//!
//! In: a figure and what the page knows about it (id, caption). Out: one line of HTML. Invariants:
//! no line break, every text escaped, and no id but the figure's own, so that mdBook's print page
//! can rename it.

use super::facts;
use super::legend::push_foot;
use super::markup::{Searched, push_attr, push_prose, push_text, push_words};
use super::svg::{self, Labels, Style};
use crate::diagnostic::Level;
use crate::draw::plan::{Coarse, Detail, Plan};
use crate::figure::input::spec::Spec;
use crate::figure::{Arrangement, Body, Figure, Panel, Table};

/// What the page adds to a figure.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting<'a> {
    /// The anchor; empty for a figure that is at home elsewhere.
    pub id: &'a str,
    /// Where the figure is at home, if not here.
    pub home: Option<&'a str>,
    /// Former anchors on this page.
    pub aliases: &'a [&'a str],
    /// The block that draws it, to be copied.
    pub source: Option<&'a str>,
    /// The author's caption.
    pub caption: &'a [CaptionPart<'a>],
    /// How the facts are shown.
    pub facts: FactsTable,
    /// Whether two such figures stand side by side.
    pub half: bool,
    /// How the pictures are written.
    pub style: Style,
}

impl<'a> Setting<'a> {
    /// Makes the setting of a figure whose author asks for nothing.
    #[must_use]
    pub const fn new(id: &'a str) -> Self {
        Self {
            id,
            home: None,
            aliases: &[],
            source: None,
            caption: &[],
            facts: FactsTable::Closed,
            half: false,
            style: Style::PAGE,
        }
    }
}

/// A piece of a caption.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaptionPart<'a> {
    /// Literal text.
    Text(&'a str),
    /// A link.
    Link {
        /// What is shown.
        text: &'a str,
        /// Where it leads.
        href: &'a str,
    },
}

/// How the facts of a figure are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FactsTable {
    /// Unfolded.
    Open,
    /// Folded up.
    #[default]
    Closed,
    /// Not at all.
    None,
}

impl<'a> Setting<'a> {
    /// Makes the setting that the keys `facts`, `width` and `labels` of a figure ask for.
    #[must_use]
    pub fn of_spec(id: &'a str, spec: &Spec) -> Self {
        let word = |key| spec.get(key).map(str::trim);
        Self {
            facts: match word("facts") {
                Some("open") => FactsTable::Open,
                Some("none") => FactsTable::None,
                _ => FactsTable::Closed,
            },
            half: word("width") == Some("half"),
            style: Style::PAGE.with_labels(spec),
            ..Self::new(id)
        }
    }
}

/// Writes the figure as one line of HTML.
#[must_use]
pub fn html(figure: &Figure, setting: &Setting<'_>) -> String {
    Parts::of(figure, setting).element(setting)
}

/// What an element holds whatever anchors and links the figure has: all that takes time to write.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Parts {
    /// The figure's kind.
    kind: String,
    /// What stands above the caption: title and panels.
    above: String,
    /// What stands below it: notes, tables and facts.
    below: String,
}

impl Parts {
    /// Writes them. Of the setting it looks at the style, at the way the facts are shown and at whether
    /// there is a caption.
    #[must_use]
    pub fn of(figure: &Figure, setting: &Setting<'_>) -> Self {
        let style = setting.style;
        let searched = style.searched();
        let mut above = String::with_capacity(4096 + bytes_of_labels(figure, style.labels));
        if !figure.title.is_empty() {
            // A figure without a caption is found by its title.
            let searched = if setting.caption.is_empty() { Searched::Yes } else { searched };
            push_words(&mut above, searched, "div", "cute-title", &figure.title);
        }
        push_panels(&mut above, figure, style);
        let mut below = String::new();
        push_notes(&mut below, figure, searched);
        for table in &figure.tables {
            push_table(&mut below, table, searched);
        }
        facts::push(&mut below, &figure.facts, setting.facts, searched);
        Self { kind: figure.kind.to_owned(), above, below }
    }

    /// Writes the element around them.
    #[must_use]
    pub fn element(&self, setting: &Setting<'_>) -> String {
        let mut out = String::with_capacity(1024 + self.above.len() + self.below.len());
        out.push_str("<figure class=\"cute");
        if setting.half {
            out.push_str(" cute-half");
        }
        out.push('"');
        if !setting.id.is_empty() {
            push_attr(&mut out, "id", setting.id);
        }
        push_attr(&mut out, "data-kind", &self.kind);
        if let Some(source) = setting.source {
            push_source(&mut out, source);
        }
        out.push('>');
        for alias in setting.aliases {
            out.push_str("<span");
            push_attr(&mut out, "id", alias);
            out.push_str("></span>");
        }
        out.push_str(&self.above);
        // Words stay with the picture; tables may be longer than a screen.
        push_caption(&mut out, setting);
        out.push_str(&self.below);
        out.push_str("</figure>");
        out
    }
}

fn push_panels(out: &mut String, figure: &Figure, style: Style) {
    let plan = Plan::of(figure);
    let plans: Vec<Plan> = figure.panels.iter().map(|panel| plan.of_panel(figure, panel)).collect();
    push_zoom(out, figure, &plan, &plans, style);
    out.push_str(match figure.arrangement {
        Arrangement::Flow => "<div class=\"cute-panels\">",
        Arrangement::Arrows if plan.pair => "<div class=\"cute-panels cute-arrows cute-pair\">",
        Arrangement::Arrows => "<div class=\"cute-panels cute-arrows\">",
        Arrangement::Corner => "<div class=\"cute-panels cute-corner\">",
    });
    if figure.arrangement == Arrangement::Corner {
        push_corner(out, figure, &plan, style);
    } else {
        for (panel, plan) in figure.panels.iter().zip(&plans) {
            push_panel(out, panel, figure, plan, style);
        }
    }
    out.push_str("</div>");
}

/// Offers the full size of a figure that is too large for all labels, and says which it has.
fn push_zoom(out: &mut String, figure: &Figure, plan: &Plan, plans: &[Plan], style: Style) {
    let Detail::Blocks { rows, cols, .. } = plan.detail else { return };
    let all = style.labels != Labels::None;
    out.push_str("<label class=\"cute-zoom\"><input type=\"checkbox\"> ");
    let offer = if all { "full size with all labels" } else { "full size" };
    push_words(out, style.searched(), "span", "cute-text", offer);
    out.push_str("</label>");
    if !all {
        return;
    }
    let mut text = "labels".to_owned();
    let coarse = || {
        let panels = figure.panels.iter().zip(plans);
        panels.filter(|(_, plan)| plan.detail != Detail::Full).map(|(panel, _)| panel)
    };
    if coarse().count() < figure.panels.len() {
        text.push_str(" in large grids");
    }
    let grids = coarse().flat_map(|panel| match &panel.body {
        Body::Grids(slices) => slices.as_slice(),
        Body::Bits(_) => &[],
    });
    let kinds: Vec<Coarse> = grids.map(|slice| plan.coarse(&slice.grid)).collect();
    let every = format!("the first cell of every {rows}×{cols} cells");
    text.push_str(": ");
    text.push_str(&match (kinds.contains(&Coarse::Named), kinds.contains(&Coarse::Sampled)) {
        (true, false) => "one for each block".to_owned(),
        (false, true) => every,
        (true, true) => format!("one for each block, elsewhere {every}"),
        (false, false) => "at full size only".to_owned(),
    });
    push_words(out, style.searched(), "small", "cute-coarse", &text);
}

/// About as many bytes as the labels of all cells take; growing a large string costs more than
/// filling it.
fn bytes_of_labels(figure: &Figure, labels: Labels) -> usize {
    let cells = figure.panels.iter().map(|panel| match &panel.body {
        Body::Grids(slices) => slices.iter().map(|slice| slice.grid.cells.len()).sum(),
        Body::Bits(_) => 0,
    });
    let each = match labels {
        Labels::Columns => 20,
        Labels::Stroke | Labels::Text => 100,
        Labels::None => 0,
    };
    cells.sum::<usize>() * each
}

fn push_panel(out: &mut String, panel: &Panel, figure: &Figure, plan: &Plan, style: Style) {
    out.push_str("<div class=\"cute-panel\">");
    push_head(out, panel, style.searched());
    out.push_str("<div class=\"cute-view\">");
    svg::push_panel(out, panel, &accessible_name(panel, figure), plan, style);
    out.push_str("</div>");
    push_foot(out, panel, style.searched());
    out.push_str("</div>");
}

fn push_corner(out: &mut String, figure: &Figure, plan: &Plan, style: Style) {
    out.push_str("<div class=\"cute-panel\">");
    figure.panels.iter().for_each(|panel| push_head(out, panel, style.searched()));
    out.push_str("<div class=\"cute-view\">");
    svg::push_corner(out, figure, plan, style);
    out.push_str("</div>");
    figure.panels.iter().for_each(|panel| push_foot(out, panel, style.searched()));
    out.push_str("</div>");
}

/// Says in words what a picture shows.
pub(crate) fn accessible_name(panel: &Panel, figure: &Figure) -> String {
    let mut name = String::new();
    let mut add = |part: &str| {
        if !part.is_empty() {
            if !name.is_empty() {
                name.push(' ');
            }
            name.push_str(part);
        }
    };
    add(if figure.title.is_empty() { figure.kind } else { &figure.title });
    add(&panel.name);
    add(panel.layout.as_deref().unwrap_or(""));
    match &panel.body {
        Body::Grids(slices) => {
            if let Some(slice) = slices.first() {
                add(&format!("grid of {} by {}", slice.grid.rows, slice.grid.cols));
            }
            if slices.len() > 1 {
                add(&format!("{} slices", slices.len()));
            }
        }
        Body::Bits(_) => add("bits of an offset"),
    }
    name
}

fn push_head(out: &mut String, panel: &Panel, searched: Searched) {
    out.push_str("<div class=\"cute-head\">");
    let mut part = |tag, class, text: &str| push_words(out, searched, tag, class, text);
    if let Some(badge) = panel.badge {
        part("span", "cute-badge", badge.as_str());
    }
    if !panel.name.is_empty() {
        part("b", "cute-name", &panel.name);
    }
    if let Some(layout) = &panel.layout {
        part("span", "cute-mono", layout);
    }
    if let Some(unit) = panel.unit {
        part("small", "cute-unit", unit);
    }
    out.push_str("</div>");
}

fn push_caption(out: &mut String, setting: &Setting<'_>) {
    out.push_str("<figcaption>");
    for part in setting.caption {
        match part {
            CaptionPart::Text(text) => push_text(out, text),
            CaptionPart::Link { text, href } => {
                out.push_str("<a");
                push_attr(out, "href", href);
                out.push('>');
                push_text(out, text);
                out.push_str("</a>");
            }
        }
    }
    let own = format!("#{}", setting.id);
    let href = setting.home.unwrap_or(&own);
    if href != "#" {
        out.push_str(" <a class=\"cute-link\" aria-label=\"link to this figure\"");
        push_attr(out, "href", href);
        out.push_str(">#</a>");
    }
    out.push_str("</figcaption>");
}

/// Appends the block as an attribute; its line ends become references.
fn push_source(out: &mut String, source: &str) {
    out.push_str(" data-source=\"");
    for (number, line) in source.trim_end().lines().enumerate() {
        if number > 0 {
            out.push_str("&#10;");
        }
        push_text(out, line);
    }
    out.push('"');
}

fn push_notes(out: &mut String, figure: &Figure, searched: Searched) {
    for note in &figure.notes {
        let class = match note.level {
            Level::Note => "cute-note",
            Level::Warning => "cute-note cute-warning",
            Level::Error => "cute-note cute-error",
        };
        out.push_str("<div");
        push_attr(out, "class", class);
        push_attr(out, "data-code", note.code);
        out.push('>');
        push_words(out, searched, "b", "cute-name", &format!("{}:", note.level.as_str()));
        out.push(' ');
        let text = match &note.hint {
            Some(hint) => &format!("{} ({hint})", note.text),
            None => &note.text,
        };
        push_words(out, searched, "span", "cute-text", text);
        out.push_str("</div>");
    }
}

fn push_table(out: &mut String, table: &Table, searched: Searched) {
    if table.folded {
        out.push_str("<details class=\"cute-facts\"><summary>");
        push_words(out, searched, "span", "cute-text", &table.title);
        out.push_str("</summary>");
        if searched == Searched::No {
            // Nobody looks for what is folded up.
            facts::push_lines(out, table);
            return out.push_str("</details>");
        }
    }
    out.push_str("<div class=\"cute-table\"><table>");
    if !table.title.is_empty() && !table.folded {
        element(out, "caption", &table.title);
    }
    out.push_str("<thead><tr>");
    table.head.iter().for_each(|name| element(out, "th", name));
    out.push_str("</tr></thead><tbody>");
    for row in &table.rows {
        out.push_str("<tr>");
        for cell in row {
            out.push_str("<td>");
            push_prose(out, cell);
            out.push_str("</td>");
        }
        out.push_str("</tr>");
    }
    out.push_str("</tbody></table></div>");
    if table.folded {
        out.push_str("</details>");
    }
}

/// Appends an element that holds only text.
fn element(out: &mut String, tag: &str, text: &str) {
    out.push('<');
    out.push_str(tag);
    out.push('>');
    push_text(out, text);
    out.push_str("</");
    out.push_str(tag);
    out.push('>');
}
