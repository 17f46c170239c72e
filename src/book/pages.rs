//! The chapters of a gallery.
//!
//! In: a book and its gallery. Out: the book with a chapter for the gallery, at the draft of its name
//! or at the end, and one for each section below it. Invariants: no page of the author is touched, and
//! each figure of a section has a block in the section's text, in order.

use super::block::block_text;
use super::catalogue::Record;
use super::gallery::{Gallery, Section};
use super::links::href;
use crate::draw::markup::{LINES, Searched, escaped, push_raw, push_words};
use crate::draw::plan::Plan;
use crate::draw::svg;
use crate::figure::input::kind::Thumbnail;
use crate::figure::{Body, Figure, KINDS, Spec};
use mdbook_preprocessor::book::{Book, BookItem, Chapter, SectionNumber};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// What a chapter of the gallery is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Role {
    /// The first page, with the list of all figures.
    Index,
    /// A section: its number, and where the block of each figure starts.
    Section(usize, Vec<usize>),
}

/// A chapter of the gallery.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GalleryPage {
    /// Its path, with `/` between its parts.
    pub path: String,
    /// What it is.
    pub role: Role,
}

/// Puts the gallery into the book and says which chapters are its.
///
/// # Errors
/// The path of a chapter that is there already.
pub fn insert(book: &mut Book, gallery: &Gallery) -> Result<Vec<GalleryPage>, String> {
    let index = format!("{}/index.md", gallery.slug);
    let mut pages = vec![GalleryPage { path: index.clone(), role: Role::Index }];
    let mut chapters = Vec::new();
    for (number, section) in gallery.sections.iter().enumerate() {
        let path = format!("{}/{}.md", gallery.slug, section.slug);
        let (content, starts) = section_text(section);
        let mut chapter = synthetic(&section.title, content, &path);
        chapter.parent_names = vec![gallery.title.clone()];
        chapters.push(chapter);
        pages.push(GalleryPage { path, role: Role::Section(number, starts) });
    }
    let taken: BTreeSet<PathBuf> =
        book.chapters().filter_map(|chapter| chapter.path.clone()).collect();
    if let Some(page) = pages.iter().find(|page| {
        let same = |taken: &PathBuf| {
            taken.with_extension("html") == PathBuf::from(&page.path).with_extension("html")
        };
        taken.iter().any(same)
    }) {
        return Err(page.path.clone());
    }
    let content = format!("# {}\n\n{}", gallery.title, gallery.intro);
    if let Some(draft) = find_draft(&mut book.items, &gallery.title) {
        let names = [draft.parent_names.clone(), vec![draft.name.clone()]].concat();
        for (at, chapter) in (1..).zip(&mut chapters) {
            chapter.number = draft
                .number
                .as_ref()
                .map(|number| number.iter().copied().chain([at]).collect::<SectionNumber>());
            chapter.parent_names.clone_from(&names);
        }
        draft.content = content;
        draft.path = Some(PathBuf::from(&index));
        draft.source_path = None;
        draft.sub_items.splice(0..0, chapters.into_iter().map(BookItem::Chapter));
    } else {
        let mut chapter = synthetic(&gallery.title, content, &index);
        chapter.sub_items = chapters.into_iter().map(BookItem::Chapter).collect();
        book.items.push(BookItem::Chapter(chapter));
    }
    Ok(pages)
}

/// Makes a chapter without a file, so that nobody is sent to edit one.
fn synthetic(name: &str, content: String, path: &str) -> Chapter {
    let mut chapter = Chapter::new(name, content, path, Vec::new());
    chapter.source_path = None;
    chapter
}

fn find_draft<'b>(items: &'b mut [BookItem], title: &str) -> Option<&'b mut Chapter> {
    items.iter_mut().find_map(|item| match item {
        BookItem::Chapter(chapter) => {
            if chapter.is_draft_chapter() && chapter.name == title {
                Some(chapter)
            } else {
                find_draft(&mut chapter.sub_items, title)
            }
        }
        _ => None,
    })
}

fn section_text(section: &Section) -> (String, Vec<usize>) {
    let mut out = format!("# {}\n\n", section.title);
    if !section.intro.trim().is_empty() {
        out.push_str(section.intro.trim_end());
        out.push_str("\n\n");
    }
    let mut starts = Vec::new();
    for order in &section.figures {
        starts.push(out.len());
        out.push_str(&block_text(&order.spec));
        out.push('\n');
    }
    (out, starts)
}

/// Returns the block of a figure for somebody else's book: without the anchors of this one.
#[must_use]
pub fn block_to_copy(spec: &Spec) -> String {
    let own = |key: &str| matches!(key, "id" | "aliases");
    let entries = spec.entries.iter().filter(|entry| !own(&entry.key));
    block_text(&Spec::new(spec.kind, entries.cloned().collect()))
}

/// Writes the source of a figure for readers to copy, as Markdown. It stands in a script element like
/// facts: the search finds the figure by its caption.
#[must_use]
pub fn source_text(spec: &Spec, searched: Searched) -> String {
    let mut out = "\n\n<details class=\"cute-source\"><summary>".to_owned();
    push_words(&mut out, searched, "span", "cute-text", "Block");
    out.push_str("</summary>\n\n");
    out.push_str(LINES);
    out.push('\n');
    for line in block_to_copy(spec).lines() {
        push_raw(&mut out, line);
        out.push('\n');
    }
    out.push_str("</script>\n\n</details>\n");
    out
}

/// A figure in the list of the gallery.
pub struct Entry<'r> {
    /// What is known about it.
    pub record: &'r Record,
    /// Its [`thumbnail`].
    pub picture: &'r str,
}

/// Writes the list of the gallery's figures: a small picture, the anchor and the caption of each, and
/// the `script` of the catalogue. Renderers that take no raw HTML have none, and get no pictures.
/// `searched` is about captions and anchors.
#[must_use]
pub fn index_text(
    gallery: &Gallery,
    from: &str,
    entries: &[Vec<Entry<'_>>],
    script: Option<&str>,
    searched: Searched,
) -> String {
    let mut out = format!("# {}\n\n", gallery.title);
    if !gallery.intro.trim().is_empty() {
        out.push_str(gallery.intro.trim_end());
        out.push_str("\n\n");
    }
    for (section, figures) in gallery.sections.iter().zip(entries) {
        out.push_str(&format!("## {}\n\n", section.title));
        if script.is_some() {
            out.push_str("<!--cute--><ul class=\"cute-index\">");
        }
        for Entry { record, picture } in figures {
            let path = format!("{}/{}.md", gallery.slug, section.slug);
            let href = href(from, &path, &record.id);
            let caption = record.json["caption"].as_str().unwrap_or_default();
            if script.is_some() {
                out.push_str(&format!(
                    "<li><a href=\"{}\"><span class=\"cute-thumb\" aria-hidden=\"true\">{picture}</span>",
                    escaped(&href),
                ));
                // The search leads to the figure itself.
                push_words(&mut out, searched, "span", "cute-text", caption);
                out.push_str("</a> ");
                push_words(&mut out, searched, "span", "cute-mono", &record.id);
                out.push_str("</li>");
            } else {
                let caption = caption.replace(['[', ']', '\n', '<'], " ");
                out.push_str(&format!("- [{caption}]({href}) `{}`\n", record.id));
            }
        }
        out.push_str(if script.is_some() { "</ul>\n\n" } else { "\n" });
    }
    if let Some(script) = script {
        out.push_str(&format!("<!--cute-->{script}\n"));
    }
    out
}

/// Draws the panel of a figure that tells it from its neighbours, small and without labels: the
/// result where the operands look alike, else the first.
#[must_use]
pub fn thumbnail(figure: &Figure) -> String {
    let mut grids = figure.panels.iter().filter(|panel| matches!(panel.body, Body::Grids(_)));
    let chosen = KINDS.iter().find(|kind| kind.name == figure.kind).map(|kind| kind.thumbnail);
    let panel = match chosen {
        Some(Thumbnail::Result) => grids.next_back(),
        Some(Thumbnail::First) | None => grids.next(),
    };
    let mut out = String::new();
    if let Some(panel) = panel {
        svg::push_thumbnail(&mut out, panel, &Plan::natural(figure));
    }
    out
}
