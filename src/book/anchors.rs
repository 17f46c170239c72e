//! Anchors of a run: who has which id, where ids lead, and the links between figures and chapters.
//!
//! In: the jobs of a run with their outcomes. Out: anchors, where each id leads, and the links that lead
//! nowhere. Invariants: no two things of a book have one id; a figure whose id or links are wrong is
//! refused.

use super::catalogue::redirects;
use super::ids::{Anchor, Ids, Location, check_former};
use super::job::{Chapter, Placed};
use super::links::{self, Piece, Suggestions, no_image, page_of, pieces};
use super::order::{Fault, Order};
use super::place::Page;
use super::report::report;
use crate::diagnostic::{Diagnostic, Span};
use crate::figure::{Part, Problem};
use std::collections::{BTreeMap, HashMap};

/// Where ids lead: each id, also a former one, to a figure.
pub(super) type Homes = BTreeMap<String, Home>;

/// Where an id leads.
pub(super) struct Home {
    /// The chapter of the figure.
    pub(super) chapter: usize,
    /// The figure's present id.
    pub(super) id: Anchor,
}

/// Gives each figure its anchor. Explicit ids come first, so that an automatic one never takes theirs. A
/// figure that is at home elsewhere gets none.
pub(super) fn give_anchors(placed: &mut [Placed<'_>], chapters: &[Chapter]) {
    let mut ids = Ids::default();
    // How many figures want an id. Places are looked up, in files, only for ids that two want.
    let mut wanted: BTreeMap<String, usize> = BTreeMap::new();
    for id in placed.iter().filter_map(|placed| placed.job.order.spec.get("id")) {
        *wanted.entry(id.trim().to_owned()).or_default() += 1;
    }
    for text in chapters.iter().filter(|_| !wanted.is_empty()).flat_map(Chapter::texts) {
        for id in &text.scan.ids {
            if wanted.contains_key(&id.id) {
                let place = text.page.line(id.at);
                ids.reserve(&id.id, &format!("a heading or tag at `{place}`"));
            } else {
                ids.reserve(&id.id, "a heading");
            }
        }
    }
    for placed in placed.iter_mut() {
        let entries = &placed.job.order.spec.entries;
        let Some(entry) = entries.iter().position(|entry| entry.key == "id") else { continue };
        let id = entries[entry].value.trim();
        if id.is_empty() {
            // Refused already, as every value that is left empty.
            continue;
        }
        let owner = match wanted.get(id) {
            Some(2..) => {
                // This may end in a page.
                let place = placed.job.places().find(placed.job.order.start).in_page();
                format!("the figure at `{place}`")
            }
            _ => String::new(),
        };
        match ids.claim(id, &owner) {
            Ok(anchor) => placed.anchor = Some(anchor),
            Err(diagnostic) => placed.refuse(fault(&placed.job.order, entry, diagnostic)),
        }
    }
    for placed in placed.iter_mut() {
        if let (None, None, Ok(drawn)) = (&placed.anchor, &placed.job.home, &placed.outcome) {
            placed.anchor = Some(ids.automatic(placed.job.order.spec.kind.as_str(), &drawn.inputs));
        }
    }
}

/// Finds where every id and every former id leads, and refuses former ids that cannot lead there.
pub(super) fn find_homes(placed: &mut [Placed<'_>], chapters: &[Chapter]) -> Homes {
    let mut homes = Homes::new();
    for placed in placed.iter() {
        if let Some(id) = &placed.anchor {
            let home = Home { chapter: placed.job.chapter, id: id.clone() };
            homes.insert(id.to_string(), home);
        }
    }
    if placed.iter().all(|placed| aliases(&placed.job.order).next().is_none()) {
        return homes;
    }
    let mut former = Former::of(chapters);
    for placed in placed.iter_mut() {
        let (chapter, Some(anchor)) = (placed.job.chapter, &placed.anchor) else { continue };
        let mut faults = Vec::new();
        for alias in aliases(&placed.job.order) {
            match former.claim(&alias, chapter, anchor, &homes) {
                Ok(()) => {
                    let home = || Home { chapter, id: anchor.clone() };
                    homes.entry(alias.id.to_owned()).or_insert_with(home);
                }
                Err(diagnostic) => {
                    faults.push(fault(&placed.job.order, alias.entry, diagnostic.at(alias.span)));
                }
            }
        }
        faults.into_iter().for_each(|fault| placed.refuse(fault));
    }
    homes
}

/// Former ids while they are given out.
struct Former<'c> {
    chapters: &'c [Chapter],
    /// The chapter of each page.
    pages: HashMap<String, usize>,
    /// The ids of each chapter that are not anchors of figures, and where the headings among them are.
    taken: HashMap<(usize, String), Option<(&'c Page, usize)>>,
}

impl<'c> Former<'c> {
    fn of(chapters: &'c [Chapter]) -> Self {
        let mut taken = HashMap::new();
        for (number, chapter) in chapters.iter().enumerate() {
            for text in chapter.texts() {
                for id in &text.scan.ids {
                    taken.entry((number, id.id.clone())).or_insert(Some((&text.page, id.at)));
                }
            }
        }
        // Of two chapters with one page the first is found.
        let pages = chapters.iter().enumerate().rev();
        let pages = pages.map(|(number, chapter)| (chapter.page(), number)).collect();
        Self { chapters, pages, taken }
    }

    /// Takes a former id for a figure of `own`. It is free if nothing else on its page has it, and, unless
    /// it names a page, no figure of the book.
    fn claim(
        &mut self,
        alias: &Alias<'_>,
        own: usize,
        anchor: &Anchor,
        homes: &Homes,
    ) -> Result<(), Diagnostic> {
        check_former(alias.id)?;
        let chapter = match &alias.page {
            None => own,
            Some(page) => *self.pages.get(page).ok_or_else(|| {
                let target = format!("{}#{anchor}", self.chapters[own].page());
                self.no_page(page, alias.id, &target)
            })?,
        };
        let used = homes.get(alias.id).is_some_and(|home| {
            let exact = home.id.as_str() == alias.id;
            alias.page.is_none() || exact && home.chapter == chapter
        });
        let key = (chapter, alias.id.to_owned());
        let in_use = |by: &str| {
            Diagnostic::error("doubled-id", format!("the former id `{}` is in use{by}", alias.id))
                .hint("remove it here, or rename what has it")
        };
        match self.taken.get(&key) {
            Some(Some((page, at))) => {
                Err(in_use(&format!(": by a heading or tag at `{}`", page.line(*at))))
            }
            Some(None) => Err(in_use("")),
            None if used => Err(in_use("")),
            None => {
                self.taken.insert(key, None);
                Ok(())
            }
        }
    }

    fn no_page(&self, page: &str, id: &str, target: &str) -> Diagnostic {
        let text = format!("the book has no page `{page}`");
        let html = page_of(page);
        let hint = if html != page && self.pages.contains_key(&html) {
            format!("did you mean `{html}#{id}`?")
        } else {
            format!("if the page is gone, {}", redirects(page, id, target))
        };
        Diagnostic::error("unknown-page", text).hint(hint)
    }
}

/// Refuses figures whose captions have links that lead nowhere.
pub(super) fn check_captions(
    placed: &mut [Placed<'_>],
    homes: &Homes,
    suggestions: &mut Suggestions,
) {
    for placed in placed {
        let order = &placed.job.order;
        let entry = order.spec.entries.iter().position(|entry| entry.key == "caption");
        let Some(entry) = entry else { continue };
        let mut faults = Vec::new();
        for piece in pieces(&order.spec.entries[entry].value) {
            if let Piece::Link { id, span, .. } = piece
                && !homes.contains_key(id)
            {
                let diagnostic = suggestions.unknown_id(id, homes.keys().map(String::as_str));
                faults.push(fault(order, entry, diagnostic.at(span)));
            }
        }
        faults.into_iter().for_each(|fault| placed.refuse(fault));
    }
}

/// Returns a message for each link of a chapter that leads nowhere or wants a picture.
pub(super) fn check_links(
    chapters: &[Chapter],
    homes: &Homes,
    suggestions: &mut Suggestions,
) -> Vec<String> {
    let mut messages = Vec::new();
    for text in chapters.iter().flat_map(Chapter::texts) {
        for link in &text.scan.links {
            let diagnostic = match (link.image, homes.contains_key(&link.id)) {
                (true, _) => no_image(&link.id),
                (false, true) => continue,
                (false, false) => {
                    suggestions.unknown_id(&link.id, homes.keys().map(String::as_str))
                }
            };
            let place = text.page.text(link.range.start);
            messages.push(report(&place, link.range.len(), &diagnostic));
        }
    }
    messages
}

/// Returns the address of a figure as seen from a chapter.
pub(super) fn href(
    from: &Chapter,
    id: &str,
    homes: &Homes,
    chapters: &[Chapter],
) -> Option<String> {
    let home = homes.get(id)?;
    Some(links::href(&from.path, &chapters[home.chapter].path, home.id.as_str()))
}

/// Makes a fault of the value of an entry.
fn fault(order: &Order, entry: usize, diagnostic: Diagnostic) -> Fault {
    order.fault(Problem { part: Part::Value(entry), diagnostic })
}

/// A former anchor.
pub(super) struct Alias<'o> {
    /// The page it was on, if not the figure's own.
    pub(super) page: Option<String>,
    pub(super) id: &'o str,
    /// The entry that names it, and where in its value.
    entry: usize,
    span: Span,
}

impl Alias<'_> {
    /// Returns where the anchor was. `page` is that of its figure.
    pub(super) fn location(&self, page: &str) -> Location {
        let page = self.page.as_deref().unwrap_or(page);
        Location { page: page.to_owned(), id: self.id.to_owned() }
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
        let mut start = 0;
        list.value.split(',').filter_map(move |piece| {
            let at = start + (piece.len() - piece.trim_start().len());
            start += piece.len() + 1;
            let text = piece.trim();
            let span = Span::new(at, at + text.len());
            let (page, id) = match text.split_once('#') {
                Some((page, id)) => (page.trim_start_matches('/'), id),
                None => ("", text),
            };
            let page = (!page.is_empty()).then(|| page.to_owned());
            (!text.is_empty()).then_some(Alias { page, id, entry, span })
        })
    })
}
