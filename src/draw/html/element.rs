//! The element of a figure, in two steps: what takes time, and what anchors and links change.
//!
//! In: a figure and its setting. Out: one line of HTML. Invariant: [`Parts`] depend on no anchor and
//! no link, so that they can be written before those are known.

use super::below::{push_notes, push_table};
use super::facts;
use super::panels::push_panels;
use super::setting::{Anchor, CaptionPart, Setting, Width};
use crate::draw::markup::{Searched, push_text, push_words};
use crate::draw::tag::Tag;
use crate::draw::target::{Letters, Style};
use crate::figure::{Body, Figure};

/// Writes the figure as one line of HTML.
///
/// ```
/// use mdbook_cute::draw::html::{Setting, html};
/// use mdbook_cute::expr::{Functions, Scope};
/// use mdbook_cute::figure::{Entry, Kind, Spec, build};
///
/// let spec = Spec::new(Kind::LAYOUT, vec![Entry::new("layout", "(4,8):(8,1)")]);
/// let functions = Functions::core();
/// let built = build(&spec, &Scope::new(&functions)).expect("the layout is valid");
///
/// let element = html(&built.figure, &Setting::new("row-major"));
/// assert!(element.starts_with("<figure class=\"cute\" id=\"row-major\" data-kind=\"layout\">"));
/// assert!(element.ends_with("</figure>"));
/// assert!(!element.contains('\n'));
/// ```
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
    /// Writes them. Anchor, links and width of the setting have no effect, and of the caption only
    /// whether there is one.
    #[must_use]
    pub fn of(figure: &Figure, setting: &Setting<'_>) -> Self {
        let searched = setting.host.searched();
        let style = Style::new(setting.host.into(), setting.labels);
        let mut above = String::with_capacity(4096 + bytes_of_labels(figure, style.letters()));
        if !figure.title.is_empty() {
            // A figure without a caption is found by its title.
            let searched = if setting.caption.is_empty() { Searched::Yes } else { searched };
            push_words(&mut above, searched, "div", "cute-title", &figure.title);
        }
        push_panels(&mut above, figure, style, searched);
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
        self.push(&mut out, setting);
        out
    }

    fn push(&self, out: &mut String, setting: &Setting<'_>) {
        let mut figure = Tag::open(out, "figure").set(
            "class",
            match setting.width {
                Width::Full => "cute",
                Width::Half => "cute cute-half",
            },
        );
        let former = match setting.anchor {
            Anchor::Here { id, former } => {
                figure = figure.attr("id", id);
                former
            }
            Anchor::Elsewhere { .. } | Anchor::None => &[],
        };
        figure = figure.attr("data-kind", &self.kind);
        if let Some(source) = setting.source {
            figure = figure.value("data-source", |out| push_lines(out, source));
        }
        let mut figure = figure.content();
        for id in former {
            Tag::open(&mut figure, "span").attr("id", id).content();
        }
        figure.push_str(&self.above);
        // Words stay with the picture; tables may be longer than a screen.
        push_caption(&mut figure, setting);
        figure.push_str(&self.below);
    }
}

/// About as many bytes as the labels of all cells take; growing a large string costs more than
/// filling it.
fn bytes_of_labels(figure: &Figure, letters: Letters) -> usize {
    let cells = figure.panels.iter().map(|panel| match &panel.body {
        Body::Grids(slices) => slices.iter().map(|slice| slice.grid.cells.len()).sum(),
        Body::Bits(_) => 0,
    });
    let each = match letters {
        Letters::Columns => 20,
        Letters::Stroke | Letters::Text => 100,
        Letters::None => 0,
    };
    cells.sum::<usize>() * each
}

fn push_caption(out: &mut String, setting: &Setting<'_>) {
    let mut caption = Tag::open(out, "figcaption").content();
    for part in setting.caption {
        match part {
            CaptionPart::Text(text) => push_text(&mut caption, text),
            CaptionPart::Link { text, href } => {
                Tag::open(&mut caption, "a").attr("href", href).text(text);
            }
        }
    }
    let own;
    let href = match setting.anchor {
        Anchor::Here { id, .. } => {
            own = format!("#{id}");
            &own
        }
        Anchor::Elsewhere { href } => href,
        Anchor::None => return,
    };
    caption.push(' ');
    Tag::open(&mut caption, "a")
        .set("class", "cute-link")
        .set("aria-label", "link to this figure")
        .attr("href", href)
        .text("#");
}

/// Appends lines of text to the value of an attribute; their ends become references.
fn push_lines(out: &mut String, text: &str) {
    for (number, line) in text.trim_end().lines().enumerate() {
        if number > 0 {
            out.push_str("&#10;");
        }
        push_text(out, line);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn element(setting: &Setting<'_>) -> String {
        Parts::of(&Figure { kind: "layout", ..Figure::default() }, setting).element(setting)
    }

    /// A figure that is used has no anchor of its own: two elements with one id break links.
    #[test]
    fn links_lead_to_one_place() {
        let of = |anchor| element(&Setting { anchor, ..Setting::default() });
        let here = of(Anchor::Here { id: "new", former: &["old"] });
        assert!(here.starts_with("<figure class=\"cute\" id=\"new\" data-kind=\"layout\">"));
        assert!(here.contains("<span id=\"old\"></span>"));
        assert!(here.contains("aria-label=\"link to this figure\" href=\"#new\">#</a>"));
        let elsewhere = of(Anchor::Elsewhere { href: "b.html#new" });
        assert!(!elsewhere.contains(" id="));
        assert!(elsewhere.contains("href=\"b.html#new\">#</a>"));
        assert!(!of(Anchor::None).contains("<a"));
    }

    #[test]
    fn the_source_keeps_its_lines_in_one() {
        let source =
            element(&Setting { source: Some("```cute\n\"4\":1\n```\n"), ..Setting::new("a") });
        assert!(
            source.contains(" data-source=\"```cute&#10;&quot;4&quot;:1&#10;```\">"),
            "{source}"
        );
    }
}
