//! Anchors of a run: who has which id, where ids lead, and the links between figures and chapters.
//!
//! In: the jobs of a run and what became of them. Out: ids, addresses in the place of `cute:ID`, notes
//! where figures used to be. Invariants: no two things of a book have one id; a figure whose id or links
//! are wrong is taken back.

use super::config::Mode;
use super::ids::Ids;
use super::links::{Piece, href, no_image, page_of, pieces, unknown_id};
use super::order::Order;
use super::place::{locate_byte, locate_text};
use super::report::report;
use super::run::{Done, Job, Run, Say};
use super::write::moved_note;
use crate::diagnostic::Diagnostic;
use crate::figure::{Part, Problem};
use std::collections::BTreeMap;
use std::ops::Range;

/// Where anchors are: the id, also a former one, to the chapter and the present id.
pub(super) type Homes = BTreeMap<String, (usize, String)>;

impl Run<'_> {
    /// Gives explicit ids first, so that an automatic one never takes theirs. A figure that is at home
    /// elsewhere gets none.
    pub(super) fn give_ids(&self, jobs: &[Job<'_>], done: &mut [Done]) -> Vec<Option<String>> {
        let mut ids = Ids::default();
        // How many figures want an id. Places are looked up, in files, only for ids that two want.
        let mut wanted: BTreeMap<&str, usize> = BTreeMap::new();
        for id in jobs.iter().filter_map(|job| job.order.spec.get("id")) {
            *wanted.entry(id.trim()).or_default() += 1;
        }
        for chapter in self.chapters.iter().filter(|_| !wanted.is_empty()) {
            for id in &chapter.scan.ids {
                if wanted.contains_key(id.id.as_str()) {
                    let place = locate_byte(&chapter.page, &self.source_dir, id.at);
                    ids.reserve(&id.id, &format!("a heading or tag at `{place}`"));
                } else {
                    ids.reserve(&id.id, "a heading");
                }
            }
        }
        let mut given: Vec<Option<String>> = vec![None; jobs.len()];
        for (at, job) in jobs.iter().enumerate() {
            let entries = &job.order.spec.entries;
            let Some(index) = entries.iter().position(|entry| entry.key == "id") else { continue };
            let id = entries[index].value.trim();
            if id.is_empty() {
                // Refused already, as every value that is left empty.
                continue;
            }
            let owner = match wanted.get(id) {
                Some(2..) => format!("the figure at `{}`", self.place(job, job.order.start)),
                _ => String::new(),
            };
            match ids.claim(id, &owner) {
                Ok(()) => given[at] = Some(id.to_owned()),
                Err(diagnostic) => refuse(job, &mut done[at], index, diagnostic),
            }
        }
        for (at, job) in jobs.iter().enumerate() {
            if given[at].is_none() && job.home.is_none() {
                let inputs = done[at].drawn.as_ref().map(|drawn| drawn.inputs.as_slice());
                let kind = job.order.spec.kind.as_str();
                given[at] = inputs.map(|inputs| ids.automatic(kind, inputs));
            }
        }
        given
    }

    /// Finds where every id and every former id leads, and refuses a former id that is in use.
    pub(super) fn find_homes(
        &self,
        jobs: &[Job<'_>],
        done: &mut [Done],
        ids: &[Option<String>],
    ) -> Homes {
        let mut homes = Homes::new();
        for (job, id) in jobs.iter().zip(ids) {
            if let Some(id) = id {
                homes.insert(id.clone(), (job.chapter, id.clone()));
            }
        }
        for (at, job) in jobs.iter().enumerate() {
            let Some(id) = &ids[at] else { continue };
            for alias in aliases(&job.order) {
                let taken = match &alias.page {
                    None => homes.contains_key(alias.id),
                    Some(_) => homes.get(alias.id).is_some_and(|(chapter, _)| {
                        Some(page_of(&self.chapters[*chapter].path)) == alias.page
                    }),
                };
                if taken {
                    let text = format!("the former id `{}` is in use", alias.id);
                    let diagnostic = Diagnostic::error("doubled-id", text)
                        .hint("remove it here, or rename the figure that has it");
                    refuse(job, &mut done[at], alias.entry, diagnostic);
                } else {
                    homes.entry(alias.id.to_owned()).or_insert((job.chapter, id.clone()));
                }
            }
        }
        homes
    }

    /// Refuses links in captions that lead nowhere.
    pub(super) fn check_caption(&self, job: &Job<'_>, done: &mut Done, homes: &Homes) {
        let entries = &job.order.spec.entries;
        let Some(index) = entries.iter().position(|entry| entry.key == "caption") else { return };
        for piece in pieces(&entries[index].value) {
            if let Piece::Link { id, span, .. } = piece
                && !homes.contains_key(id)
            {
                let diagnostic = unknown_id(id, homes.keys().map(String::as_str)).at(span);
                refuse(job, done, index, diagnostic);
            }
        }
    }

    /// Says which links of chapters lead nowhere or want a picture, and counts them.
    pub(super) fn check_links(&self, homes: &Homes, say: Say<'_>) -> usize {
        let mut wrong = 0;
        for found in &self.chapters {
            for link in &found.scan.links {
                let diagnostic = match (link.image, homes.contains_key(&link.id)) {
                    (true, _) => no_image(&link.id),
                    (false, true) => continue,
                    (false, false) => unknown_id(&link.id, homes.keys().map(String::as_str)),
                };
                let place = locate_text(&found.page, &self.source_dir, link.range.start);
                say(&report(&place, link.range.len(), &diagnostic));
                wrong += 1;
            }
        }
        wrong
    }

    /// Puts addresses in the place of `cute:ID`.
    pub(super) fn lead_links(&self, homes: &Homes, edits: &mut [Vec<(Range<usize>, String)>]) {
        for (found, edits) in self.chapters.iter().zip(edits) {
            for link in found.scan.links.iter().filter(|link| !link.image) {
                if let Some(href) = self.href(&found.path, &link.id, homes) {
                    edits.push((link.range.clone(), href));
                }
            }
        }
    }

    /// Returns the address of a figure as seen from a chapter.
    pub(super) fn href(&self, from: &str, id: &str, homes: &Homes) -> Option<String> {
        let (chapter, id) = homes.get(id)?;
        Some(href(from, &self.chapters[*chapter].path, id))
    }

    /// Leaves a note on the pages where figures used to be.
    pub(super) fn leave_notes(
        &self,
        jobs: &[Job<'_>],
        ids: &[Option<String>],
        edits: &mut [Vec<(Range<usize>, String)>],
    ) {
        if self.mode != Mode::Html {
            return;
        }
        for (job, id) in jobs.iter().zip(ids) {
            let Some(id) = id else { continue };
            for alias in aliases(&job.order) {
                let Some(page) = &alias.page else { continue };
                let old = self.chapters.iter().position(|found| page_of(&found.path) == *page);
                let Some(old) = old.filter(|old| *old != job.chapter) else { continue };
                let from = &self.chapters[old];
                let to = href(&from.path, &self.chapters[job.chapter].path, id);
                let end = from.page.content.len();
                edits[old].push((end..end, moved_note(alias.id, &to)));
            }
        }
    }
}

/// Takes a figure back because of one of its entries.
fn refuse(job: &Job<'_>, done: &mut Done, entry: usize, diagnostic: Diagnostic) {
    done.faults.push(job.order.fault(Problem { part: Part::Value(entry), diagnostic }));
    done.drawn = None;
}

/// A former anchor.
pub(super) struct Alias<'o> {
    /// The page it was on, if not the figure's own.
    page: Option<String>,
    pub(super) id: &'o str,
    /// The entry that names it.
    entry: usize,
}

impl Alias<'_> {
    /// Returns the anchor as `page#id`. `page` is that of its figure.
    pub(super) fn anchor(&self, page: &str) -> String {
        format!("{}#{}", self.page.as_deref().unwrap_or(page), self.id)
    }

    /// Returns whether the anchor stays on the page of its figure.
    pub(super) fn stays(&self, page: &str) -> bool {
        self.page.as_deref().is_none_or(|own| own == page)
    }
}

/// Returns the former anchors of a figure.
pub(super) fn aliases(order: &Order) -> impl Iterator<Item = Alias<'_>> {
    let entries = order.spec.entries.iter().enumerate().filter(|(_, entry)| entry.key == "aliases");
    entries.flat_map(|(entry, list)| {
        list.value.split(',').map(str::trim).filter(|text| !text.is_empty()).map(move |text| {
            match text.split_once('#') {
                Some((page, id)) if !page.is_empty() => {
                    Alias { page: Some(page.trim_start_matches('/').to_owned()), id, entry }
                }
                Some((_, id)) => Alias { page: None, id, entry },
                None => Alias { page: None, id: text, entry },
            }
        })
    })
}
