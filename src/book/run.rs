//! One run over the chapters of a book.
//!
//! 1. The gallery's names are defined.
//! 2. Every block and every figure of the gallery becomes a job.
//! 3. All figures are built and drawn, in parallel; what the last run drew is not drawn again.
//! 4. Each figure gets its anchor, and former anchors lead to it.
//! 5. Links of captions and of chapters are checked, and whether a figure can be seen at all.
//! 6. Everything that is wrong is reported, in the order of the book.
//! 7. The figures that are right are listed.
//! 8. What replaces each block is written, in parallel.
//! 9. Chapters are put together, in parallel, while the cache is written.
//!
//! In: an [`Input`]. Out: an [`Output`]. Invariants: the same book gives the same bytes and the same
//! messages in the same order, whatever the number of threads; the only threads of the crate are here.

use super::anchors::{Homes, aliases, check_captions, check_links, find_homes, give_anchors};
use super::cache::Cache;
use super::catalogue::{Catalogue, Record};
use super::config::{Config, Mode, OnFailure};
use super::gallery::Gallery;
use super::gallery_file::GalleryFile;
use super::ids::Location;
use super::job::{Chapter, Form, Job, Piece, Placed, Source};
use super::limits::bounded;
use super::links::{Suggestions, pieces, words};
use super::order::{Order, read_block};
use super::outcome::{Build, outcome};
use super::pages::{Entry, list_text};
use super::report::report;
use super::reuse::{Reused, reuse};
use super::scan::LostFootnote;
use super::write::{figure_text, moved_notes, page_text};
use crate::diagnostic::Diagnostic;
use crate::expr::{Functions, Scope};
use crate::figure::{Part, Problem};
use rayon::prelude::*;
use std::borrow::Cow;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What a run starts from.
pub(super) struct Input<'i> {
    pub(super) config: &'i Config,
    pub(super) form: Form,
    pub(super) gallery: Option<&'i GalleryFile>,
    pub(super) chapters: &'i [Chapter],
    pub(super) functions: &'i Functions,
    /// Where figures are kept between runs.
    pub(super) cache: Option<&'i Path>,
    pub(super) build: Build,
}

/// What a run ends with.
pub(super) struct Output {
    /// What there is to report, in the order of the book.
    pub(super) messages: Vec<String>,
    /// The list of the figures that are right.
    pub(super) catalogue: Catalogue,
    /// The new text of each chapter that changes, or why the book is not built.
    pub(super) contents: Result<Vec<Option<String>>, String>,
}

/// The progress callback: how many figures are built, and of how many.
pub(super) type Progress<'p> = &'p (dyn Fn(usize, usize) + Send + Sync);

/// Runs over a book.
pub(super) fn run(input: &Input<'_>, progress: Progress<'_>) -> Output {
    let Input { config, form, chapters, .. } = *input;
    let gallery = input.gallery.map(|file| &file.gallery);
    let cache = input.cache.and_then(|file| {
        Cache::read(file, form, gallery.map_or(&[], |gallery| gallery.names.as_slice()))
    });
    let mut scope = Scope::new(input.functions);

    let mut messages = define_names(input.gallery, &mut scope);
    let wrong_names = messages.len();
    let mut suggestions = Suggestions::default();
    let jobs = jobs(chapters, config, input.gallery, &mut suggestions);
    let mut placed = build_all(jobs, &scope, form, input.build, cache.as_ref(), progress);
    give_anchors(&mut placed, chapters);
    let homes = find_homes(&mut placed, chapters);
    check_captions(&mut placed, &homes, &mut suggestions);
    check_footnotes(&mut placed, form);
    let wrong_links = check_links(chapters, &homes, &mut suggestions);
    messages.extend(report_all(&placed));
    let wrong = Wrong {
        figures: wrong_names + placed.iter().filter(|placed| placed.outcome.is_err()).count(),
        links: wrong_links.len(),
    };
    messages.extend(wrong_links);
    let catalogue = Catalogue {
        records: records(&mut placed, chapters),
        pages: chapters.iter().map(Chapter::page).collect(),
        errors: wrong.figures + wrong.links,
    };
    if catalogue.errors > 0 && config.on_failure == OnFailure::Bail {
        return Output { messages, catalogue, contents: Err(wrong.text()) };
    }
    write_all(&mut placed, form, &homes, chapters);
    let lines: Vec<Cow<'_, str>> = placed.iter_mut().filter_map(|p| p.line.take()).collect();
    let (contents, ()) = rayon::join(
        || contents(&placed, form, &homes, chapters, gallery, &catalogue),
        || cache.iter().for_each(|cache| cache.write(&lines)),
    );
    Output { messages, catalogue, contents: Ok(contents) }
}

/// How many things are wrong.
struct Wrong {
    figures: usize,
    links: usize,
}

impl Wrong {
    fn text(&self) -> String {
        let count = self.figures + self.links;
        let text = match (count, self.links) {
            (1, 0) => "1 figure failed".to_owned(),
            (1, _) => "1 link is broken".to_owned(),
            (_, 0) => format!("{count} figures failed"),
            _ => format!("{count} figures and links failed"),
        };
        format!("{text}; the book was not built (`on-failure = \"continue\"` shows a box instead)")
    }
}

/// Step 1: gives the gallery's names to every expression; returns a message for each that is wrong.
fn define_names(file: Option<&GalleryFile>, scope: &mut Scope<'_>) -> Vec<String> {
    let Some(file) = file else { return Vec::new() };
    let mut messages = Vec::new();
    for name in &file.gallery.names {
        let outcome = match scope.evaluate(&name.entry.value) {
            Ok(value) => scope
                .define(&name.entry.key, value)
                .map_err(|diagnostic| (&name.map.key, diagnostic)),
            Err(diagnostic) => Err((&name.map.value, diagnostic)),
        };
        if let Err((map, diagnostic)) = outcome {
            let span = diagnostic.span.unwrap_or_default();
            let place = file.place(map.find(span.start));
            messages.push(report(&place, span.end.saturating_sub(span.start), &diagnostic));
        }
    }
    messages
}

/// Step 2: lists all figures in the order of the book.
fn jobs<'r>(
    chapters: &'r [Chapter],
    config: &Config,
    file: Option<&'r GalleryFile>,
    suggestions: &mut Suggestions,
) -> Vec<Job<'r>> {
    let mut jobs = Vec::new();
    let gallery = file.map(|file| &file.gallery);
    for (chapter, found) in chapters.iter().enumerate() {
        let mut number = 0;
        for (piece, found) in found.pieces.iter().enumerate() {
            let mut push = |source: Source<'r>, order: Order, size: usize, home: Option<String>| {
                let order = bounded(order, size);
                jobs.push(Job { chapter, piece, source, order, home });
            };
            match (found, file) {
                (Piece::Markdown(text), _) => {
                    for block in &text.scan.blocks {
                        number += 1;
                        if let Some(order) = read_block(block, &config.defaults) {
                            let Reused { order, home } = reuse(order, gallery, suggestions);
                            let source = Source::Block { page: &text.page, block, number };
                            push(source, order, block.info.len() + block.body.len(), home);
                        }
                    }
                }
                (Piece::Figure { section, order }, Some(file)) => {
                    let source = Source::Gallery { file, section: *section };
                    push(source, order.as_ref().clone(), 0, None);
                }
                (Piece::Figure { .. } | Piece::List, _) => {}
            }
        }
    }
    jobs
}

/// Step 3: builds and draws all figures.
fn build_all<'r>(
    jobs: Vec<Job<'r>>,
    scope: &Scope<'_>,
    form: Form,
    build: Build,
    cache: Option<&'r Cache>,
    progress: Progress<'_>,
) -> Vec<Placed<'r>> {
    let kept = cache.map(Cache::lines);
    let (built, all) = (AtomicUsize::new(0), jobs.len());
    let place = |job: Job<'r>| {
        let build = || outcome(&job, scope, form, build);
        let (outcome, line) = match &kept {
            Some(kept) => kept.outcome(&job, build),
            None => (build(), None),
        };
        progress(built.fetch_add(1, Ordering::Relaxed) + 1, all);
        Placed { job, outcome, line, anchor: None, text: None }
    };
    jobs.into_par_iter().map(place).collect()
}

/// Step 5: refuses figures in footnotes that mdBook leaves out of the page; links to them would be dead.
fn check_footnotes(placed: &mut [Placed<'_>], form: Form) {
    for placed in placed.iter_mut().filter(|_| form.mode == Mode::Html) {
        let Source::Block { block, .. } = placed.job.source else { continue };
        let Some(LostFootnote { name, doubled }) = &block.lost else { continue };
        let (why, hint) = if *doubled {
            ("is defined a second time", "give the footnote another name".to_owned())
        } else {
            ("has no reference", format!("write `[^{name}]` in the text"))
        };
        let text =
            format!("the figure is part of a footnote that mdBook leaves out: `[^{name}]` {why}");
        let diagnostic = Diagnostic::error("footnote", text)
            .hint(format!("{hint}, or move the block out of the footnote"));
        placed.refuse(placed.job.order.fault(Problem { part: Part::Figure, diagnostic }));
    }
}

/// Step 6: reports everything that there is to say about figures.
fn report_all(placed: &[Placed<'_>]) -> Vec<String> {
    let mut messages = Vec::new();
    for placed in placed.iter().filter(|placed| !placed.faults().is_empty()) {
        let places = placed.job.places();
        for fault in placed.faults() {
            messages.push(report(&places.find(fault.pos), fault.length, &fault.diagnostic));
        }
    }
    messages
}

/// Step 7: lists the figures that are right, each at its home.
fn records(placed: &mut [Placed<'_>], chapters: &[Chapter]) -> Vec<Record> {
    let record = |placed: &mut Placed<'_>| {
        let caption = words_of(placed)?;
        let Placed { job, outcome: Ok(drawn), anchor: Some(anchor), .. } = placed else {
            return None;
        };
        let page = chapters[job.chapter].page();
        let at = Location { page: page.clone(), id: anchor.to_string() };
        let computed = std::mem::take(&mut drawn.computed);
        let mut record = Record::new(at, job.order.spec.kind, &caption, computed);
        record.aliases = aliases(&job.order).map(|alias| alias.location(&page)).collect();
        Some(record)
    };
    placed.iter_mut().filter_map(record).collect()
}

/// Returns the caption of a figure that is right, as it reads: links are their texts.
fn words_of(placed: &Placed<'_>) -> Option<String> {
    let drawn = placed.outcome.as_ref().ok()?;
    let caption = placed.job.order.spec.get("caption").map(str::trim);
    Some(caption.map_or_else(|| drawn.title.clone(), |caption| words(&pieces(caption))))
}

/// Step 8: writes what replaces each block.
fn write_all(placed: &mut [Placed<'_>], form: Form, homes: &Homes, chapters: &[Chapter]) {
    placed.par_iter_mut().for_each(|placed| {
        placed.text = figure_text(placed, form, homes, chapters);
    });
}

/// Step 9: puts the chapters together; a chapter that stays as it is has no new text.
fn contents(
    placed: &[Placed<'_>],
    form: Form,
    homes: &Homes,
    chapters: &[Chapter],
    gallery: Option<&Gallery>,
    catalogue: &Catalogue,
) -> Vec<Option<String>> {
    let notes = match form.mode {
        Mode::Html => moved_notes(placed, chapters),
        Mode::Image | Mode::Text | Mode::Keep => Default::default(),
    };
    let list = || gallery.map(|gallery| list(placed, form, gallery, catalogue)).unwrap_or_default();
    let mut rest = placed;
    let of_chapter: Vec<&[Placed<'_>]> = (0..chapters.len())
        .map(|chapter| {
            let end = rest.partition_point(|placed| placed.job.chapter <= chapter);
            let (own, later) = rest.split_at(end);
            rest = later;
            own
        })
        .collect();
    let chapters_with_figures = chapters.par_iter().zip(of_chapter).enumerate();
    chapters_with_figures
        .map(|(number, (chapter, own))| {
            page_text(chapter, own, homes, chapters, list, notes.get(&number))
        })
        .collect()
}

/// Writes the list of the gallery's figures that are right.
fn list(placed: &[Placed<'_>], form: Form, gallery: &Gallery, catalogue: &Catalogue) -> String {
    let mut entries: Vec<Vec<Entry<'_>>> = gallery.sections.iter().map(|_| Vec::new()).collect();
    for placed in placed {
        if let (Source::Gallery { section, .. }, Some(caption), Some(anchor), Ok(drawn)) =
            (placed.job.source, words_of(placed), &placed.anchor, &placed.outcome)
            && let Some(entries) = entries.get_mut(section)
        {
            let picture = drawn.thumbnail.as_deref().unwrap_or_default();
            entries.push(Entry { id: anchor.as_str(), caption, picture });
        }
    }
    let script = (form.mode == Mode::Html).then(|| catalogue.script());
    list_text(gallery, &entries, script.as_deref(), form.host.searched())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::job::Markdown;
    use crate::book::place::Page;
    use crate::draw::target::Host;
    use crate::figure::{Built, Problem, Spec, build};
    use crate::hardware::functions::functions;

    const FORM: Form = Form { mode: Mode::Html, host: Host::Page };

    fn chapter(path: &str, content: &str) -> Chapter {
        let page = Page::new("A", path, content, "");
        let text = Box::new(Markdown::of(page, &Default::default()));
        Chapter { path: path.to_owned(), pieces: vec![Piece::Markdown(text)], of_gallery: false }
    }

    fn run_over(chapters: &[Chapter], on_failure: OnFailure, build: Build) -> Output {
        let mut config = Config::default();
        config.on_failure = on_failure;
        let functions = functions();
        let (gallery, cache) = (None, None);
        let input = Input {
            config: &config,
            form: FORM,
            gallery,
            chapters,
            functions: &functions,
            cache,
            build,
        };
        run(&input, &|_, _| ())
    }

    /// Builds all figures but those with a certain title.
    fn fragile(spec: &Spec, scope: &Scope<'_>) -> Result<Built, Vec<Problem>> {
        assert!(spec.get("title") != Some("fragile"), "index out of bounds\nand more");
        build(spec, scope)
    }

    #[test]
    fn a_panic_costs_one_figure() {
        let block = "```cute id=ID title=TITLE\n(4,8)\n```\n\n";
        let block = |id, title| block.replace("ID", id).replace("TITLE", title);
        let texts = [block("a", "x") + &block("b", "fragile"), block("c", "fragile")];
        let chapters = texts.map(|text| chapter("a.md", &text));
        let output = run_over(&chapters, OnFailure::Continue, fragile);
        assert_eq!(output.messages.len(), 2, "{:?}", output.messages);
        for (message, start) in output.messages.iter().zip(["block 2", "block 1"]) {
            let expected = format!(
                "chapter `A` (a.md), {start}, info line: error[panic]: a fault of mdbook-cute stopped this \
                 figure: index out of bounds\n"
            );
            assert!(message.starts_with(&expected), "{message}");
        }
        let pages = output.contents.unwrap();
        let page = pages[0].as_deref().unwrap();
        assert!(page.contains("<figure class=\"cute\" id=\"a\""), "{page}");
        assert!(page.contains("<figure class=\"cute cute-error\" id=\"b\""), "{page}");
        assert_eq!((output.catalogue.records.len(), output.catalogue.errors), (1, 2));

        let output = run_over(&chapters, OnFailure::Bail, fragile);
        assert!(output.contents.unwrap_err().starts_with("2 figures failed"));
    }

    #[test]
    fn chapters_without_figures_stay_and_links_lead_from_page_to_page() {
        let chapters = [
            chapter("a.md", "# A\n\n[x](y.md)\n"),
            chapter("b.md", "[b](cute:b)\n"),
            chapter("s/c.md", "```cute id=b\n4:1\n```\n"),
        ];
        let output = run_over(&chapters, OnFailure::Bail, build);
        assert_eq!(output.messages, [""; 0]);
        let contents = output.contents.unwrap();
        assert_eq!(contents[0], None);
        assert_eq!(contents[1].as_deref(), Some("[b](s/c.md#b)\n"));
        assert_eq!(output.catalogue.pages, ["a.html", "b.html", "s/c.html"]);
    }

    /// A similar id for each of many wrong links takes as long as the square of their number.
    #[test]
    fn similar_ids_are_looked_up_for_some_links() {
        let links = "[x](cute:fig-2) ".repeat(30);
        let chapters = [chapter("a.md", &format!("{links}\n\n```cute id=fig-1\n4:1\n```\n"))];
        let output = run_over(&chapters, OnFailure::Bail, build);
        let hints = |hint: &str| output.messages.iter().filter(|m| m.contains(hint)).count();
        assert_eq!((hints("did you mean `fig-1`?"), hints("give the figure `id=...`")), (20, 10));
        assert!(output.contents.unwrap_err().starts_with("30 figures and links failed"));
    }

    /// A caption of 10 MB made a page of 70 MB, wrong or not.
    #[test]
    fn a_figure_that_is_too_large_is_one_short_box() {
        let caption = "x".repeat(100_000);
        let text =
            format!("[l](cute:a)\n\n```cute id=a nothing=1\n4:1\ncaption = {caption}\n```\n");
        let output = run_over(&[chapter("a.md", &text)], OnFailure::Continue, build);
        assert_eq!(output.messages.len(), 1, "{:?}", output.messages);
        assert!(output.messages[0].contains("error[size]: a figure of"), "{:?}", output.messages);
        let page = output.contents.unwrap().remove(0).unwrap();
        assert!(page.len() < 6000 && page.contains("id=\"a\"") && page.contains("](#a)"), "{page}");
    }
}
