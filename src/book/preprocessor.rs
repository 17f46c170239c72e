//! The preprocessor: a book with blocks in, a book with figures out.
//!
//! 1. Every chapter is scanned in the order of the summary ([`super::scan`]).
//! 2. Every block becomes an [`Order`], or a list of faults.
//! 3. The figures of the whole book are built, in parallel and in order; the only threads of the
//!    crate are here.
//! 4. Each figure gets its anchor ([`super::ids`]).
//! 5. Elements are written, again in parallel, and put in the place of their blocks.
//!
//! Invariant: the same book gives the same bytes and the same messages in the same order, whatever
//! the number of threads; without a block it comes back as it was.

use super::config::{Config, Mode, OnFailure, markdown_options};
use super::fallback;
use super::ids::Ids;
use super::order::{Fault, Order, read_block};
use super::place::{Page, Place, locate, locate_byte};
use super::report::{line, report};
use super::scan::{Block, Scan, scan_chapter};
use super::splice::{error_box, one_line, splice};
use super::text::BlockPos;
use crate::diagnostic::Diagnostic;
use crate::draw::html::{CaptionPart, FactsTable, Setting, html};
use crate::expr::Scope;
use crate::figure::{Built, Part, Problem, build};
use crate::hardware::functions::functions;
use mdbook_preprocessor::book::{Book, BookItem, Chapter};
use mdbook_preprocessor::errors::{Error, Result};
use mdbook_preprocessor::{MDBOOK_VERSION, Preprocessor, PreprocessorContext};
use rayon::prelude::*;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// The preprocessor `cute`.
pub struct Cute {
    /// Takes what there is to say to the author, a message at a time.
    say: Box<dyn Fn(&str) + Send + Sync>,
}

impl Cute {
    /// Makes a preprocessor whose messages go to `say`.
    pub fn new(say: impl Fn(&str) + Send + Sync + 'static) -> Self {
        Self { say: Box::new(say) }
    }
}

impl Preprocessor for Cute {
    fn name(&self) -> &str {
        "cute"
    }

    /// Answers without looking at anything: mdBook takes any failure for "no" and builds the book
    /// without figures. `mdbook test` needs none.
    fn supports_renderer(&self, renderer: &str) -> Result<bool> {
        Ok(renderer != "test")
    }

    fn run(&self, context: &PreprocessorContext, mut book: Book) -> Result<Book> {
        self.check_version(&context.mdbook_version);
        let config = Config::read(&context.config)?;
        if context.renderer == "test" {
            return Ok(book);
        }
        let chapters = scan_book(&book, context);
        self.check_order(&config, &chapters);
        let source_dir = context.root.join(&context.config.book.src);
        let functions = functions();
        let run = Run {
            mode: config.mode(&context.renderer),
            scope: Scope::new(&functions),
            source_dir,
            config,
            chapters,
        };
        let mut contents = run.contents(&self.say)?.into_iter();
        for_each_chapter(&mut book.items, &mut |chapter| {
            if let Some(Some(content)) = contents.next() {
                chapter.content = content;
            }
        });
        Ok(book)
    }
}

impl Cute {
    /// Warns about a host of another minor version; a version that cannot be read is one too.
    fn check_version(&self, version: &str) {
        let minor = |version: &str| {
            let mut parts = version.split('.').map(|part| part.parse::<u32>().ok());
            Some((parts.next()??, parts.next()??))
        };
        if minor(version).is_none() || minor(version) != minor(MDBOOK_VERSION) {
            (self.say)(&format!(
                "warning: this is mdbook-cute for mdBook {MDBOOK_VERSION}, but the book is built by \
                 mdBook `{version}`; figures may be wrong"
            ));
        }
    }

    /// Warns when includes come in behind us.
    fn check_order(&self, config: &Config, chapters: &[Found]) {
        let late = chapters.iter().find(|chapter| chapter.page.content.contains("{{#include"));
        if let (Some(late), false) = (late, config.after.iter().any(|name| name == "links")) {
            (self.say)(&format!(
                "warning: {}: the chapter still has an include, whose blocks will not become \
                 figures; write `after = [\"links\", \"index\"]` in `[preprocessor.cute]` of book.toml",
                late.page.path
            ));
        }
    }
}

/// A chapter and what was found in it.
struct Found {
    page: Page,
    scan: Scan,
}

/// Visits chapters with a page, a parent before its children.
fn for_each_chapter(items: &mut [BookItem], visit: &mut impl FnMut(&mut Chapter)) {
    for item in items {
        if let BookItem::Chapter(chapter) = item {
            if !chapter.is_draft_chapter() {
                visit(chapter);
            }
            for_each_chapter(&mut chapter.sub_items, visit);
        }
    }
}

fn scan_book(book: &Book, context: &PreprocessorContext) -> Vec<Found> {
    let options = markdown_options(&context.config);
    book.chapters()
        .map(|chapter| {
            let path = chapter.source_path.as_ref().or(chapter.path.as_ref());
            let page = Page {
                name: chapter.name.clone(),
                path: path.map(|path| slashed(path)).unwrap_or_default(),
                content: chapter.content.clone(),
            };
            let scan = scan_chapter(&page.content, &options);
            Found { page, scan }
        })
        .collect()
}

fn slashed(path: &Path) -> String {
    let parts = path.components().map(|part| part.as_os_str().to_string_lossy());
    parts.collect::<Vec<_>>().join("/")
}

/// One run over a book.
struct Run<'f> {
    config: Config,
    mode: Mode,
    scope: Scope<'f>,
    source_dir: PathBuf,
    chapters: Vec<Found>,
}

/// A block on its way.
struct Job<'r> {
    chapter: usize,
    /// The block's number in its chapter, from 1.
    number: usize,
    page: &'r Page,
    block: &'r Block,
    order: Order,
}

/// What became of a block.
struct Done {
    /// The figure, if it is right.
    built: Option<Built>,
    /// What is wrong, or what is to be said.
    faults: Vec<Fault>,
}

impl Run<'_> {
    /// Returns the new text of each chapter that has blocks.
    fn contents(&self, say: &(dyn Fn(&str) + Send + Sync)) -> Result<Vec<Option<String>>> {
        let jobs = self.jobs();
        if jobs.is_empty() {
            return Ok(Vec::new());
        }
        let mut done: Vec<Done> = jobs.par_iter().map(|job| self.build(job)).collect();
        let ids = self.give_ids(&jobs, &mut done);
        let errors = self.tell(&jobs, &done, say);
        if errors > 0 && self.config.on_failure == OnFailure::Bail {
            let text = if errors == 1 {
                "1 figure is wrong".to_owned()
            } else {
                format!("{errors} figures are wrong")
            };
            return Err(Error::msg(format!(
                "{text}; nothing was built (`on-failure = \"continue\"` shows a box instead)"
            )));
        }
        let edits: Vec<Option<String>> = (0..jobs.len())
            .into_par_iter()
            .map(|at| self.write(&jobs[at], &done[at], &ids[at]))
            .collect();
        let mut of_chapter: Vec<Vec<(Range<usize>, String)>> =
            self.chapters.iter().map(|_| Vec::new()).collect();
        for (job, edit) in jobs.iter().zip(edits) {
            of_chapter[job.chapter].extend(edit.map(|edit| (job.block.range.clone(), edit)));
        }
        Ok(of_chapter
            .iter()
            .zip(&self.chapters)
            .map(|(edits, chapter)| {
                (!edits.is_empty()).then(|| splice(&chapter.page.content, edits))
            })
            .collect())
    }

    fn jobs(&self) -> Vec<Job<'_>> {
        let mut jobs = Vec::new();
        for (chapter, found) in self.chapters.iter().enumerate() {
            for (index, block) in found.scan.blocks.iter().enumerate() {
                if let Some(order) = read_block(block, &self.config.defaults) {
                    let (page, number) = (&found.page, index + 1);
                    jobs.push(Job { chapter, number, page, block, order });
                }
            }
        }
        jobs
    }

    fn build(&self, job: &Job<'_>) -> Done {
        let order = &job.order;
        if !order.faults.is_empty() {
            return Done { built: None, faults: order.faults.clone() };
        }
        match build(&order.spec, &self.scope) {
            Ok(built) => {
                let warnings = built.warnings.iter().cloned();
                let faults = warnings.map(|problem| order.fault(problem)).collect();
                Done { built: Some(built), faults }
            }
            Err(problems) => Done {
                built: None,
                faults: problems.into_iter().map(|problem| order.fault(problem)).collect(),
            },
        }
    }

    fn place(&self, job: &Job<'_>, pos: BlockPos) -> Place {
        locate(job.page, &self.source_dir, job.block, job.number, pos)
    }

    /// Gives explicit ids first, so that an automatic one never takes theirs.
    fn give_ids(&self, jobs: &[Job<'_>], done: &mut [Done]) -> Vec<Option<String>> {
        let mut ids = Ids::default();
        let explicit = jobs.iter().any(|job| job.order.spec.get("id").is_some());
        for chapter in self.chapters.iter().filter(|_| explicit) {
            for id in &chapter.scan.ids {
                // The place is looked up only for the few ids that a figure wants.
                if jobs.iter().any(|job| job.order.spec.get("id") == Some(&id.id)) {
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
            let owner = format!("the figure at `{}`", self.place(job, BlockPos::default()));
            match ids.claim(id, &owner) {
                Ok(()) => given[at] = Some(id.to_owned()),
                Err(diagnostic) => {
                    let problem = Problem { part: Part::Value(index), diagnostic };
                    done[at].faults.push(job.order.fault(problem));
                    done[at].built = None;
                }
            }
        }
        for (at, job) in jobs.iter().enumerate() {
            if given[at].is_none() {
                let inputs = done[at].built.as_ref().map(|built| built.inputs.as_slice());
                let kind = job.order.spec.kind.as_str();
                given[at] = inputs.map(|inputs| ids.automatic(kind, inputs));
            }
        }
        given
    }

    /// Says everything in the order of the book and counts the figures that are wrong.
    fn tell(&self, jobs: &[Job<'_>], done: &[Done], say: &(dyn Fn(&str) + Send + Sync)) -> usize {
        for (job, done) in jobs.iter().zip(done) {
            for fault in &done.faults {
                let place = self.place(job, fault.pos);
                say(&report(&place, fault.length, &fault.diagnostic));
            }
        }
        done.iter().filter(|done| done.built.is_none()).count()
    }

    /// Writes what stands in place of a block.
    fn write(&self, job: &Job<'_>, done: &Done, id: &Option<String>) -> Option<String> {
        let content = &job.page.content;
        let range = &job.block.range;
        if self.mode == Mode::Keep {
            return None;
        }
        let Some(built) = &done.built else {
            return Some(self.write_wrong(job, done, id.as_deref()));
        };
        let spec = &job.order.spec;
        let caption = spec.get("caption").map(str::trim).filter(|caption| !caption.is_empty());
        Some(match self.mode {
            Mode::Html => {
                let parts: Vec<_> = caption.map(CaptionPart::Text).into_iter().collect();
                let setting = Setting {
                    caption: &parts,
                    facts: match spec.get("facts").map(str::trim) {
                        Some("open") => FactsTable::Open,
                        Some("none") => FactsTable::None,
                        _ => FactsTable::Closed,
                    },
                    half: spec.get("width").map(str::trim) == Some("half"),
                    ..Setting::new(id.as_deref().unwrap_or_default())
                };
                one_line(&html(&built.figure, &setting))
            }
            Mode::Image => fallback::image(content, range, &built.figure, caption),
            Mode::Text | Mode::Keep => fallback::text(content, range, &built.figure, caption),
        })
    }

    /// Writes what stands in place of a block that is wrong.
    fn write_wrong(&self, job: &Job<'_>, done: &Done, id: Option<&str>) -> String {
        let messages: Vec<_> = done
            .faults
            .iter()
            .map(|fault| line(&self.place(job, fault.pos), &fault.diagnostic))
            .collect();
        match self.mode {
            Mode::Html => {
                let source = format!("{}\n{}", job.block.info, job.block.body);
                error_box(id, &messages, source.trim_end())
            }
            _ => job.page.content[job.block.range.clone()].to_owned(),
        }
    }
}

/// Says what is wrong with an input that mdBook 0.4 wrote, if it is one.
#[must_use]
pub fn old_host(input: &str) -> Option<Diagnostic> {
    let json: serde_json::Value = serde_json::from_str(input).ok()?;
    json.get(1)?.get("sections")?;
    Some(
        Diagnostic::error("host", "this program needs mdBook 0.5 or newer")
            .hint("the book was written by mdBook 0.4; update it with `cargo install mdbook`"),
    )
}
