//! From a job to its outcome: the figure is built and drawn.
//!
//! In: a job, the names of the book, and how figures are written. Out: the figure, or what is wrong with
//! it; all of a figure that takes time is done here. Invariant: a figure that panics is an error of its
//! own job and of no other.

use super::block::block_text;
use super::catalogue::computed;
use super::config::Mode;
use super::fallback;
use super::job::{Drawn, Form, Job, Outcome, Shown, Source};
use super::links::{pieces, words};
use super::order::Fault;
use crate::diagnostic::Diagnostic;
use crate::draw::html::{CaptionPart, Parts, Setting};
use crate::draw::plan::Plan;
use crate::draw::svg;
use crate::expr::Scope;
use crate::figure::input::kind::Thumbnail;
use crate::figure::{Body, Built, Figure, KINDS, Part, Problem, Spec};
use std::any::Any;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Builds a figure; [`crate::figure::build()`] but in tests.
pub(super) type Build = fn(&Spec, &Scope<'_>) -> Result<Built, Vec<Problem>>;

/// Builds and draws the figure of a job.
pub(super) fn outcome(job: &Job<'_>, scope: &Scope<'_>, form: Form, build: Build) -> Outcome {
    // Everything that is borrowed here is only read, so a panic leaves nothing half done.
    let attempt = AssertUnwindSafe(|| attempt(job, scope, form, build));
    let outcome = catch_unwind(attempt).unwrap_or_else(|panic| Err(vec![panicked(job, &*panic)]));
    match (outcome, job.source) {
        (Err(_), Source::Block { page, block, .. }) if !block.closed => Err(vec![never_closed(
            job,
            page.content().get(block.range.clone()).unwrap_or_default(),
        )]),
        (outcome, _) => outcome,
    }
}

/// Reports that a block goes on to the end of its container. Whatever is wrong in it is a consequence: text
/// of the chapter that was read as input.
fn never_closed(job: &Job<'_>, block: &str) -> Fault {
    let sign = block.chars().next().unwrap_or('`');
    let fence: String = block.chars().take_while(|c| *c == sign).collect();
    let diagnostic = Diagnostic::error("open-fence", "the block is never closed")
        .hint(format!("add a line `{fence}` at its end, indented like its first line"));
    job.order.fault(Problem { part: Part::Figure, diagnostic })
}

fn attempt(job: &Job<'_>, scope: &Scope<'_>, form: Form, build: Build) -> Outcome {
    let order = &job.order;
    if !order.faults.is_empty() {
        return Err(order.faults.clone());
    }
    let faults = |problems: Vec<Problem>| -> Vec<Fault> {
        problems.into_iter().map(|problem| order.fault(problem)).collect()
    };
    let mut built = build(&order.spec, scope).map_err(faults)?;
    let warnings = faults(std::mem::take(&mut built.warnings));
    Ok(Drawn { warnings, ..draw(&built, job, form) })
}

fn panicked(job: &Job<'_>, panic: &(dyn Any + Send)) -> Fault {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    let text = text.and_then(|text| text.lines().next()).unwrap_or("no message");
    let diagnostic =
        Diagnostic::error("panic", format!("a fault of mdbook-cute stopped this figure: {text}"))
            .hint("the other figures are not affected; please report the block with this message");
    job.order.fault(Problem { part: Part::Figure, diagnostic })
}

fn draw(built: &Built, job: &Job<'_>, form: Form) -> Drawn {
    let figure = &built.figure;
    let spec = &job.order.spec;
    let caption = job.caption();
    let words = || caption.map(|caption| words(&pieces(caption)));
    let shown = match form.mode {
        Mode::Html => {
            let caption: Vec<CaptionPart<'_>> =
                caption.map(CaptionPart::Text).into_iter().collect();
            let host = form.host;
            let setting = Setting { host, caption: &caption, ..Setting::of_spec(spec) };
            Shown::Html(Parts::of(figure, &setting))
        }
        Mode::Image => Shown::Markdown(in_block(job, |content, range, _| {
            fallback::image(content, range, figure, words().as_deref())
        })),
        Mode::Text => Shown::Markdown(in_block(job, |content, range, closed| {
            fallback::text(content, range, closed, figure, words().as_deref())
        })),
        Mode::Keep => Shown::Block,
    };
    Drawn {
        inputs: built.inputs.clone(),
        title: figure.title.clone(),
        computed: computed(spec.kind, built),
        shown,
        thumbnail: (form.mode == Mode::Html && job.is_of_gallery()).then(|| thumbnail(figure)),
        warnings: Vec::new(),
    }
}

/// Calls `write` with the Markdown that holds the block of a job, where it is, and whether it is closed. A
/// figure of the gallery is a block by itself.
fn in_block(job: &Job<'_>, write: impl FnOnce(&str, &Range<usize>, bool) -> String) -> String {
    match job.source {
        Source::Block { page, block, .. } => write(page.content(), &block.range, block.closed),
        Source::Gallery { .. } => {
            let text = block_text(&job.order.spec);
            write(&text, &(0..text.trim_end().len()), true)
        }
    }
}

/// Draws the panel of a figure that tells it from its neighbours, small and without labels: the
/// result where the operands look alike, else the first.
fn thumbnail(figure: &Figure) -> String {
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
