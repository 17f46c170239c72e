//! What replaces a block, and what pages are made of in the end.
//!
//! In: figures with their anchors, and where ids lead. Out: the text for one renderer. Invariant: what
//! replaces a block needs no prefix in any container, and all other bytes of a chapter stay.

use super::anchors::{Homes, aliases, href};
use super::block::{block_text, fence_around};
use super::config::Mode;
use super::ids::Anchor;
use super::job::{Chapter, Drawn, Form, Job, Piece, Placed, Shown, Source};
use super::limits::BOX;
use super::links::{self, pieces};
use super::pages::{block_to_copy, source_text};
use super::report::line;
use super::splice::{error_box, one_line, splice};
use crate::draw::html::{self, CaptionPart, Parts, Setting};
use crate::draw::markup::escaped;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

/// Writes what replaces the block of a figure; nothing if the block stays.
pub(super) fn figure_text(
    placed: &Placed<'_>,
    form: Form,
    homes: &Homes,
    chapters: &[Chapter],
) -> Option<String> {
    if form.mode == Mode::Keep {
        return None;
    }
    match &placed.outcome {
        Err(_) => wrong(placed, form),
        Ok(Drawn { shown: Shown::Html(parts), .. }) => {
            let mut out = element(placed, parts, homes, chapters);
            if placed.job.is_of_gallery() {
                out.push_str(&source_text(&placed.job.order.spec, form.host.searched()));
            }
            Some(out)
        }
        Ok(Drawn { shown: Shown::Markdown(text), .. }) => Some(text.clone()),
        Ok(Drawn { shown: Shown::Block, .. }) => None,
    }
}

fn element(placed: &Placed<'_>, parts: &Parts, homes: &Homes, chapters: &[Chapter]) -> String {
    let job = &placed.job;
    let chapter = &chapters[job.chapter];
    let spec = &job.order.spec;
    let pieces = pieces(job.caption().unwrap_or_default());
    let hrefs: Vec<String> = pieces
        .iter()
        .map(|piece| match piece {
            links::Piece::Text(_) => String::new(),
            links::Piece::Link { id, .. } => href(chapter, id, homes, chapters).unwrap_or_default(),
        })
        .collect();
    let caption: Vec<_> = pieces
        .iter()
        .zip(&hrefs)
        .map(|(piece, href)| match piece {
            links::Piece::Text(text) => CaptionPart::Text(text),
            links::Piece::Link { text, .. } => CaptionPart::Link { text, href },
        })
        .collect();
    let page = chapter.page();
    let former: Vec<_> = aliases(&job.order).filter(|alias| alias.stays(&page)).collect();
    let former: Vec<&str> = former.iter().map(|alias| alias.id).collect();
    let home = job.home.as_ref().and_then(|home| href(chapter, home, homes, chapters));
    let source = source(job);
    let anchor = match (&home, &placed.anchor) {
        (Some(href), _) => html::Anchor::Elsewhere { href },
        (None, Some(anchor)) => html::Anchor::Here { id: anchor.as_str(), former: &former },
        (None, None) => html::Anchor::None,
    };
    let setting =
        Setting { anchor, source: Some(&source), caption: &caption, ..Setting::of_spec(spec) };
    one_line(parts.element(&setting))
}

/// Returns the block that draws a figure, to be copied.
fn source(job: &Job<'_>) -> String {
    match job.source {
        Source::Block { block, .. } if job.home.is_none() => {
            let fence = fence_around([block.body.as_str()].into_iter());
            format!("{fence}{}\n{}{fence}\n", block.info, block.body)
        }
        _ => block_to_copy(&job.order.spec),
    }
}

/// Writes what replaces a block that is wrong.
fn wrong(placed: &Placed<'_>, form: Form) -> Option<String> {
    if form.mode != Mode::Html {
        return None;
    }
    let places = placed.job.places();
    let faults = placed.faults().iter();
    let messages: Vec<_> =
        faults.map(|fault| line(&places.find(fault.pos), &fault.diagnostic)).collect();
    let source = match placed.job.source {
        Source::Block { block, .. } => format!("{}\n{}", block.info, block.body),
        Source::Gallery { .. } => inside_fences(&block_text(&placed.job.order.spec)).to_owned(),
    };
    let mut source = source.trim_end().to_owned();
    if let Some(end) = (0..=BOX).rev().find(|&end| source.is_char_boundary(end))
        && end < source.len()
    {
        source.truncate(end);
        source.push_str("\n...");
    }
    let id = placed.anchor.as_ref().map(Anchor::as_str);
    Some(error_box(id, &messages, &source))
}

fn inside_fences(block: &str) -> &str {
    block.trim().trim_matches('`')
}

/// Replaces what is replaced on the page of a chapter; nothing if the page stays as it is. `placed` are
/// the figures of the chapter, in order; `list` writes the list of the gallery, `notes` come last.
pub(super) fn page_text(
    chapter: &Chapter,
    placed: &[Placed<'_>],
    homes: &Homes,
    chapters: &[Chapter],
    list: impl Fn() -> String,
    notes: Option<&String>,
) -> Option<String> {
    let mut out = String::new();
    let mut changed = chapter.of_gallery;
    let mut rest = placed;
    for (number, piece) in chapter.pieces.iter().enumerate() {
        let end = rest.partition_point(|placed| placed.job.piece <= number);
        let (own, later) = rest.split_at(end);
        rest = later;
        match piece {
            Piece::Markdown(text) => {
                let figures = own.iter().filter_map(|placed| match placed.job.source {
                    Source::Block { block, .. } => {
                        Some((block.range.clone(), Cow::Borrowed(placed.text.as_deref()?)))
                    }
                    Source::Gallery { .. } => None,
                });
                let links = text.scan.links.iter().filter(|link| !link.image);
                let links = links.filter_map(|link| {
                    let href = href(chapter, &link.id, homes, chapters)?;
                    Some((link.range.clone(), Cow::Owned(href)))
                });
                let mut edits: Vec<(Range<usize>, Cow<'_, str>)> = figures.chain(links).collect();
                edits.sort_by_key(|(range, _)| range.start);
                changed |= !edits.is_empty();
                out.push_str(&splice(text.page.content(), &edits));
            }
            Piece::Figure { order, .. } => {
                match own.first().and_then(|placed| placed.text.as_deref()) {
                    Some(text) => out.push_str(text),
                    None => out.push_str(block_text(&order.spec).trim_end()),
                }
                out.push_str("\n\n");
            }
            Piece::List => out.push_str(&list()),
        }
    }
    if let Some(notes) = notes {
        out.push_str(notes);
        changed = true;
    }
    changed.then_some(out)
}

/// Writes the notes on pages that figures have left, under the figures' former anchors, by chapter.
pub(super) fn moved_notes(placed: &[Placed<'_>], chapters: &[Chapter]) -> BTreeMap<usize, String> {
    let mut notes: BTreeMap<usize, String> = BTreeMap::new();
    let of_page: BTreeMap<String, usize> =
        chapters.iter().enumerate().rev().map(|(at, chapter)| (chapter.page(), at)).collect();
    for placed in placed {
        let Some(anchor) = &placed.anchor else { continue };
        for alias in aliases(&placed.job.order) {
            let old = alias.page.as_ref().and_then(|page| of_page.get(page)).copied();
            let Some(old) = old.filter(|old| *old != placed.job.chapter) else { continue };
            let to = &chapters[placed.job.chapter].path;
            let href = links::href(&chapters[old].path, to, anchor.as_str());
            notes.entry(old).or_default().push_str(&moved_note(alias.id, &href));
        }
    }
    notes
}

fn moved_note(id: &str, href: &str) -> String {
    format!(
        "\n\n<!--cute--><p class=\"cute-note\" id=\"{}\">This figure <a href=\"{}\">has moved</a>.</p>\n",
        escaped(id),
        escaped(href)
    )
}
