//! One run over the chapters of a book.
//!
//! 1. Every block and every figure of the gallery becomes a job: an [`Order`], or a list of faults.
//! 2. All figures are built and drawn, in parallel; the only threads of the crate are here.
//! 3. Each figure gets its anchor, and links are led to it ([`super::anchors`]).
//! 4. Elements are put together, again in parallel, and take the place of their blocks.
//!
//! Invariant: the same book gives the same bytes and the same messages in the same order, whatever
//! the number of threads.

use super::anchors::aliases;
use super::cache::{self, Cache, Lines};
use super::catalogue::{Catalogue, Record};
use super::config::{Config, Mode, OnFailure};
use super::drawn::Drawn;
use super::gallery::Gallery;
use super::links::{Piece, page_of, pieces};
use super::order::{Fault, Order, read_block};
use super::pages::{Entry, Role, block_to_copy, index_text};
use super::place::{Page, Place, locate, locate_in_file};
use super::preprocessor::{Found, GallerySource};
use super::report::report;
use super::reuse::{Reused, reuse};
use super::scan::Block;
use super::splice::splice;
use super::text::BlockPos;
use super::write::Written;
use crate::draw::target::Host;
use crate::expr::{Functions, Scope};
use crate::figure::build;
use mdbook_preprocessor::errors::{Error, Result};
use rayon::prelude::*;
use std::borrow::Cow;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Takes messages.
pub(super) type Say<'s> = &'s (dyn Fn(&str) + Send + Sync);

/// One run over a book.
pub(super) struct Run<'f> {
    pub(super) config: Config,
    pub(super) mode: Mode,
    pub(super) style: Host,
    scope: Scope<'f>,
    pub(super) source_dir: PathBuf,
    gallery: Option<GallerySource>,
    pub(super) chapters: Vec<Found>,
}

/// A figure on its way.
pub(super) struct Job<'r> {
    pub(super) chapter: usize,
    /// The block's number in its chapter, from 1.
    number: usize,
    pub(super) page: &'r Page,
    pub(super) block: &'r Block,
    pub(super) order: Order,
    /// Whether the order stands in the gallery's file and not in the block.
    pub(super) of_gallery: bool,
    /// The id of the figure that a block uses.
    pub(super) home: Option<String>,
}

/// What became of a job.
pub(super) struct Done {
    /// The figure, if it is right.
    pub(super) drawn: Option<Drawn>,
    /// What is wrong, or what is to be said.
    pub(super) faults: Vec<Fault>,
}

impl<'f> Run<'f> {
    pub(super) fn new(
        config: Config,
        mode: Mode,
        style: Host,
        functions: &'f Functions,
        source_dir: PathBuf,
        gallery: Option<GallerySource>,
        chapters: Vec<Found>,
    ) -> Self {
        Self { config, mode, style, scope: Scope::new(functions), source_dir, gallery, chapters }
    }

    /// Returns the new text of each chapter that changes, and fills the catalogue. Figures that stand
    /// in the file `cache` are not built again.
    pub(super) fn contents(
        mut self,
        say: Say<'_>,
        progress: Progress<'_>,
        cache: Option<&Path>,
        catalogue: &mut Catalogue,
    ) -> Result<Vec<Option<String>>> {
        let wrong_names = self.define_names(say);
        let run = &self;
        let jobs = run.jobs();
        let built = AtomicUsize::new(0);
        let cache = cache.and_then(|file| Cache::read(file, run.mode, run.style, run.gallery()));
        let kept = cache.as_ref().map(Cache::lines);
        let (mut done, lines): (Vec<Done>, Vec<_>) = jobs
            .par_iter()
            .map(|job| {
                let done = run.recall(job, kept.as_ref());
                progress(built.fetch_add(1, Ordering::Relaxed) + 1, jobs.len());
                done
            })
            .unzip();
        let ids = run.give_ids(&jobs, &mut done);
        let homes = run.find_homes(&jobs, &mut done, &ids);
        for (job, done) in jobs.iter().zip(&mut done) {
            run.check_caption(job, done, &homes);
        }
        let mut errors = wrong_names + run.tell(&jobs, &done, say);
        let links = run.check_links(&homes, say);
        errors += links;
        catalogue.errors = errors;
        run.fill(catalogue, &jobs, &mut done, &ids);
        if errors > 0 && run.config.on_failure == OnFailure::Bail {
            let text = match (errors, links) {
                (1, 0) => "1 figure is wrong".to_owned(),
                (1, _) => "1 link is wrong".to_owned(),
                (_, 0) => format!("{errors} figures are wrong"),
                _ => format!("{errors} figures and links are wrong"),
            };
            return Err(Error::msg(format!(
                "{text}; nothing was built (`on-failure = \"continue\"` shows a box instead)"
            )));
        }
        let write = |at: usize| {
            let written = Written { job: &jobs[at], done: &done[at], id: ids[at].as_deref() };
            run.write(&written, &homes)
        };
        let (edits, indexed): (Vec<Option<String>>, _) = rayon::join(
            || (0..jobs.len()).into_par_iter().map(write).collect(),
            || run.index(&jobs, &done, catalogue),
        );
        let mut of_chapter: Vec<Vec<(Range<usize>, String)>> =
            run.chapters.iter().map(|_| Vec::new()).collect();
        for (job, edit) in jobs.iter().zip(edits) {
            of_chapter[job.chapter].extend(edit.map(|edit| (job.block.range.clone(), edit)));
        }
        run.lead_links(&homes, &mut of_chapter);
        run.leave_notes(&jobs, &ids, &mut of_chapter);
        let texts = of_chapter.par_iter_mut().zip(&run.chapters).map(|(edits, chapter)| {
            if let (Some(Role::Index), Some(text)) =
                (chapter.gallery.as_ref().map(|page| &page.role), &indexed)
            {
                return Some(text.clone());
            }
            edits.sort_by_key(|(range, _)| range.start);
            (!edits.is_empty()).then(|| splice(&chapter.page.content, edits))
        });
        let lines: Vec<_> = lines.into_iter().flatten().collect();
        let write = || cache.iter().for_each(|cache| cache.write(&lines));
        Ok(rayon::join(|| texts.collect(), write).0)
    }

    fn gallery(&self) -> Option<&Gallery> {
        self.gallery.as_ref().map(|source| &source.gallery)
    }

    /// Gives the gallery's names to every expression; returns how many are wrong.
    fn define_names(&mut self, say: Say<'_>) -> usize {
        let Some(source) = &self.gallery else { return 0 };
        let mut wrong = 0;
        for name in &source.gallery.names {
            let value = self.scope.evaluate(&name.entry.value);
            let outcome = match value {
                Ok(value) => self
                    .scope
                    .define(&name.entry.key, value)
                    .map_err(|diagnostic| (&name.map.key, diagnostic)),
                Err(diagnostic) => Err((&name.map.value, diagnostic)),
            };
            if let Err((map, diagnostic)) = outcome {
                let span = diagnostic.span.unwrap_or_default();
                let place = locate_in_file(&source.path, &source.text, map.find(span.start));
                say(&report(&place, span.end.saturating_sub(span.start), &diagnostic));
                wrong += 1;
            }
        }
        wrong
    }

    fn jobs(&self) -> Vec<Job<'_>> {
        let mut jobs = Vec::new();
        for (chapter, found) in self.chapters.iter().enumerate() {
            for (index, block) in found.scan.blocks.iter().enumerate() {
                let (page, number) = (&found.page, index + 1);
                if let Some(order) = self.gallery_order(found, block) {
                    let order = order.clone();
                    jobs.push(Job {
                        chapter,
                        number,
                        page,
                        block,
                        order,
                        of_gallery: true,
                        home: None,
                    });
                } else if let Some(order) = read_block(block, &self.config.defaults) {
                    let Reused { order, home } = reuse(order, self.gallery());
                    jobs.push(Job { chapter, number, page, block, order, of_gallery: false, home });
                }
            }
        }
        jobs
    }

    /// Returns the gallery's figure whose block this is.
    fn gallery_order(&self, found: &Found, block: &Block) -> Option<&Order> {
        let Role::Section(number, starts) = &found.gallery.as_ref()?.role else { return None };
        let at = starts.iter().position(|start| *start == block.range.start)?;
        self.gallery()?.sections.get(*number)?.figures.get(at)
    }

    /// Returns a figure of the last run, or builds it; and its line for the next run.
    fn recall<'c>(&self, job: &Job<'_>, kept: Option<&Lines<'c>>) -> (Done, Option<Cow<'c, str>>) {
        // A block that is badly written has to be told again; its keys alone may be those of a good one.
        let Some(kept) = kept.filter(|_| job.order.faults.is_empty()) else {
            return (self.build(job), None);
        };
        let key = kept.key(job);
        if let Some((drawn, line)) = kept.find(&key) {
            return (Done { drawn: Some(drawn), faults: Vec::new() }, Some(line));
        }
        let done = self.build(job);
        let quiet = done.drawn.as_ref().filter(|_| done.faults.is_empty());
        let line = quiet.and_then(|drawn| cache::line(&key, drawn));
        (done, line)
    }

    fn build(&self, job: &Job<'_>) -> Done {
        let order = &job.order;
        if !order.faults.is_empty() {
            return Done { drawn: None, faults: order.faults.clone() };
        }
        match build(&order.spec, &self.scope) {
            Ok(built) => {
                let warnings = built.warnings.iter().cloned();
                let faults = warnings.map(|problem| order.fault(problem)).collect();
                Done { drawn: Some(Drawn::of(&built, job, self.mode, self.style)), faults }
            }
            Err(problems) => Done {
                drawn: None,
                faults: problems.into_iter().map(|problem| order.fault(problem)).collect(),
            },
        }
    }

    pub(super) fn place(&self, job: &Job<'_>, pos: BlockPos) -> Place {
        match &self.gallery {
            Some(source) if job.of_gallery => locate_in_file(&source.path, &source.text, pos),
            _ => locate(job.page, &self.source_dir, job.block, job.number, pos),
        }
    }

    /// Says everything in the order of the book and counts the figures that are wrong.
    fn tell(&self, jobs: &[Job<'_>], done: &[Done], say: Say<'_>) -> usize {
        for (job, done) in jobs.iter().zip(done) {
            for fault in &done.faults {
                let place = self.place(job, fault.pos);
                say(&report(&place, fault.length, &fault.diagnostic));
            }
        }
        done.iter().filter(|done| done.drawn.is_none()).count()
    }

    /// Lists all figures that are right.
    fn fill(
        &self,
        catalogue: &mut Catalogue,
        jobs: &[Job<'_>],
        done: &mut [Done],
        ids: &[Option<String>],
    ) {
        catalogue.pages = self.chapters.iter().map(|found| page_of(&found.path)).collect();
        let record = |((job, done), id): ((&Job<'_>, &mut Done), &Option<String>)| {
            let (drawn, id) = (done.drawn.as_mut()?, id.as_ref()?);
            let page = page_of(&self.chapters[job.chapter].path);
            let caption = job.order.spec.get("caption").map(plain_caption);
            let caption = caption.as_deref().unwrap_or(&drawn.title);
            let computed = std::mem::take(&mut drawn.computed);
            let mut record = Record::new(id, page.clone(), job.order.spec.kind, caption, computed);
            record.aliases = aliases(&job.order).map(|alias| alias.anchor(&page)).collect();
            Some(record)
        };
        catalogue.records = jobs.iter().zip(done).zip(ids).filter_map(record).collect();
    }

    /// Writes the gallery's first page.
    fn index(&self, jobs: &[Job<'_>], done: &[Done], catalogue: &Catalogue) -> Option<String> {
        let gallery = self.gallery()?;
        let mut entries: Vec<Vec<Entry<'_>>> =
            gallery.sections.iter().map(|_| Vec::new()).collect();
        let mut records = catalogue.records.iter();
        for (job, done) in jobs.iter().zip(done) {
            let Some(drawn) = done.drawn.as_ref().filter(|_| job.home.is_none()) else { continue };
            let record = records.next()?;
            let role = self.chapters[job.chapter].gallery.as_ref().map(|page| &page.role);
            if let (Some(Role::Section(number, _)), true) = (role, job.of_gallery) {
                let picture = drawn.thumbnail.as_deref().unwrap_or_default();
                entries[*number].push(Entry { record, picture });
            }
        }
        let from = format!("{}/index.md", gallery.slug);
        let script = (self.mode == Mode::Html).then(|| catalogue.script());
        Some(index_text(gallery, &from, &entries, script.as_deref(), self.style.searched()))
    }

    /// Returns the block that draws a figure, to be copied.
    pub(super) fn source(job: &Job<'_>) -> String {
        if job.of_gallery || job.home.is_some() {
            return block_to_copy(&job.order.spec);
        }
        let fence = super::block::fence_around([job.block.body.as_str()].into_iter());
        format!("{fence}{}\n{}{fence}\n", job.block.info, job.block.body)
    }
}

/// Is told how many of how many figures are built.
pub(super) type Progress<'p> = &'p (dyn Fn(usize, usize) + Send + Sync);

/// Returns a caption as it reads: links are their texts.
fn plain_caption(caption: &str) -> String {
    pieces(caption.trim())
        .into_iter()
        .map(|piece| match piece {
            Piece::Text(text) | Piece::Link { text, .. } => text,
        })
        .collect()
}
