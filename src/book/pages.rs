//! The chapters of a gallery.
//!
//! In: a book and its gallery. Out: the book with a chapter for the gallery, at the draft of its name
//! or after the last numbered chapter, and one for each section below it; and what the pages of these
//! chapters are made of. Invariants: no page of the author is touched, a figure of a section is a piece
//! of its page, never looked for in text, and titles are literal.

use super::block::block_text;
use super::fallback::literal;
use super::gallery::{Gallery, Section};
use super::job::{Chapter as Pieces, Markdown, Piece};
use super::links::href;
use super::place::Page;
use crate::draw::markup::escaped;
use crate::draw::markup::{Searched, push_lines, push_words};
use crate::figure::Spec;
use mdbook_markdown::MarkdownOptions;
use mdbook_preprocessor::book::{Book, BookItem, Chapter, SectionNumber};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::slice::from_ref;

/// Puts the gallery into the book, as chapters whose text is not yet written, and returns what their
/// pages are made of.
///
/// # Errors
/// The path of a chapter that is there already.
pub(super) fn insert(
    book: &mut Book,
    gallery: &Gallery,
    options: &MarkdownOptions,
) -> Result<Vec<Pieces>, String> {
    let index = path_of(gallery, "index");
    let mut pages = vec![Pieces {
        path: index.clone(),
        pieces: vec![heading(&gallery.title, &gallery.intro, &index, options), Piece::List],
        of_gallery: true,
    }];
    let mut chapters = Vec::new();
    for (number, section) in gallery.sections.iter().enumerate() {
        let path = path_of(gallery, &section.slug);
        chapters.push(synthetic(&section.title, &path));
        let pieces = section_pieces(section, number, &path, options);
        pages.push(Pieces { path, pieces, of_gallery: true });
    }
    let taken: BTreeSet<PathBuf> =
        book.chapters().filter_map(|chapter| Some(html_of(chapter.path.as_deref()?))).collect();
    if let Some(page) = pages.iter().find(|page| taken.contains(&html_of(Path::new(&page.path)))) {
        return Err(page.path.clone());
    }
    if let Some(draft) = find_draft(&mut book.items, &gallery.title) {
        let number = draft.number.clone();
        let names = [draft.parent_names.clone(), vec![draft.name.clone()]].concat();
        draft.path = Some(PathBuf::from(&index));
        draft.source_path = None;
        draft.sub_items.splice(0..0, numbered(chapters, number.as_ref(), &names));
    } else {
        let mut chapter = synthetic(&gallery.title, &index);
        let (at, number) = place_of_own(&book.items);
        chapter.sub_items = numbered(chapters, number.as_ref(), from_ref(&gallery.title)).collect();
        chapter.number = number;
        book.items.insert(at, BookItem::Chapter(chapter));
    }
    Ok(pages)
}

/// Makes entries below a chapter of this number; those of a chapter without a number have none.
fn numbered(
    chapters: Vec<Chapter>,
    above: Option<&SectionNumber>,
    names: &[String],
) -> impl Iterator<Item = BookItem> {
    (1..).zip(chapters).map(move |(at, mut chapter)| {
        chapter.number =
            above.map(|above| above.iter().copied().chain([at]).collect::<SectionNumber>());
        chapter.parent_names = names.to_vec();
        BookItem::Chapter(chapter)
    })
}

/// Returns where a gallery without a draft goes, and its number: after the last numbered chapter, before
/// whatever closes the book.
fn place_of_own(items: &[BookItem]) -> (usize, Option<SectionNumber>) {
    let number_of = |item: &BookItem| match item {
        BookItem::Chapter(chapter) => chapter.number.as_ref()?.first().copied(),
        BookItem::Separator | BookItem::PartTitle(_) => None,
    };
    let mut numbers =
        items.iter().enumerate().filter_map(|(at, item)| Some((at, number_of(item)?)));
    match numbers.next_back() {
        Some((at, last)) => (at + 1, Some(SectionNumber::new([last.saturating_add(1)]))),
        None => (items.len(), None),
    }
}

/// Returns the path of a page of the gallery, still as Markdown.
pub(super) fn path_of(gallery: &Gallery, slug: &str) -> String {
    format!("{}/{slug}.md", gallery.slug)
}

fn html_of(path: &Path) -> PathBuf {
    path.with_extension("html")
}

/// Makes a chapter without a file, so that nobody is sent to edit one.
fn synthetic(name: &str, path: &str) -> Chapter {
    let mut chapter = Chapter::new(name, String::new(), path, Vec::new());
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

fn section_pieces(
    section: &Section,
    number: usize,
    path: &str,
    options: &MarkdownOptions,
) -> Vec<Piece> {
    let figures = section.figures.iter();
    let figures =
        figures.map(|order| Piece::Figure { section: number, order: Box::new(order.clone()) });
    std::iter::once(heading(&section.title, &section.intro, path, options)).chain(figures).collect()
}

/// Makes the start of a page; what follows is apart from it.
fn heading(title: &str, intro: &str, path: &str, options: &MarkdownOptions) -> Piece {
    let mut content = format!("# {}\n\n", literal(title));
    if !intro.trim().is_empty() {
        content.push_str(intro.trim_end());
        content.push_str("\n\n");
    }
    // There is no file to look into.
    Piece::Markdown(Box::new(Markdown::of(Page::new(title, path, content, ""), options)))
}

/// Returns the block of a figure for somebody else's book: without the anchors of this one.
pub(super) fn block_to_copy(spec: &Spec) -> String {
    let own = |key: &str| matches!(key, "id" | "aliases");
    let entries = spec.entries.iter().filter(|entry| !own(&entry.key));
    block_text(&Spec::new(spec.kind, entries.cloned().collect()))
}

/// Writes the source of a figure for readers to copy, as Markdown. In a book it stands in a script element
/// like facts: the search finds the figure by its caption.
pub(super) fn source_text(spec: &Spec, searched: Searched) -> String {
    let mut out = "\n\n<details class=\"cute-source\"><summary>".to_owned();
    push_words(&mut out, searched, "span", "cute-text", "Block");
    out.push_str("</summary>\n\n");
    let block = block_to_copy(spec);
    push_lines(&mut out, searched, |lines| match searched {
        // Markdown within the element is not read, and a blank line would end it.
        Searched::Yes => {
            for line in block.lines() {
                lines.text(line);
                lines.next_line();
            }
        }
        Searched::No => lines.source(&block),
    });
    out.push_str("\n\n</details>\n");
    out
}

/// A figure in the list of the gallery.
pub(super) struct Entry<'r> {
    /// Its id.
    pub(super) id: &'r str,
    /// Its caption in words.
    pub(super) caption: String,
    /// Its small picture.
    pub(super) picture: &'r str,
}

/// Writes the list of the gallery's figures, the entries by section: a small picture, the anchor and the
/// caption of each, and the `script` of the catalogue. Renderers that take no raw HTML have none, and get
/// no pictures. `searched` is about captions and anchors.
pub(super) fn list_text(
    gallery: &Gallery,
    entries: &[Vec<Entry<'_>>],
    script: Option<&str>,
    searched: Searched,
) -> String {
    let from = path_of(gallery, "index");
    let mut out = String::new();
    if gallery.figures().next().is_none() {
        out.push_str("*There are no figures yet.*\n\n");
    }
    for (section, figures) in gallery.sections.iter().zip(entries) {
        out.push_str(&format!("## {}\n\n", literal(&section.title)));
        if figures.is_empty() {
            continue;
        }
        if script.is_some() {
            out.push_str("<!--cute--><ul class=\"cute-index\">");
        }
        let path = path_of(gallery, &section.slug);
        for Entry { id, caption, picture } in figures {
            let href = href(&from, &path, id);
            if script.is_some() {
                out.push_str(&format!(
                    "<li><a href=\"{}\"><span class=\"cute-thumb\" aria-hidden=\"true\">{picture}</span>",
                    escaped(&href),
                ));
                // The search leads to the figure itself.
                push_words(&mut out, searched, "span", "cute-text", caption);
                out.push_str("</a> ");
                push_words(&mut out, searched, "span", "cute-mono", id);
                out.push_str("</li>");
            } else {
                out.push_str(&format!("- [{}]({href}) `{id}`\n", literal(caption)));
            }
        }
        out.push_str(if script.is_some() { "</ul>\n\n" } else { "\n" });
    }
    if let Some(script) = script {
        out.push_str(&format!("<!--cute-->{script}\n"));
    }
    out
}
