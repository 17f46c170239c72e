//! A figure that is built and drawn, before anybody knows its anchor.
//!
//! In: a figure, and where and how it is to stand. Out: all of it that takes time. Invariant: for HTML
//! it depends on the order, the names of the gallery and the host alone, never on the rest of the book.

use super::catalogue::{Computed, computed};
use super::config::Mode;
use super::fallback;
use super::links::{pieces, words};
use super::pages::thumbnail;
use super::run::Job;
use crate::draw::html::{CaptionPart, Parts, Setting};
use crate::draw::target::Host;
use crate::figure::Built;
use serde::{Deserialize, Serialize};

/// A figure that is built and drawn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Drawn {
    /// The inputs, which an automatic anchor is made of.
    pub(super) inputs: Vec<(String, String)>,
    /// The title, which stands for a caption in lists.
    pub(super) title: String,
    /// What scripts read of it.
    pub(super) computed: Computed,
    /// What stands in place of the block.
    pub(super) shown: Shown,
    /// The small picture in the list of the gallery.
    pub(super) thumbnail: Option<String>,
}

/// What stands in place of a block.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Shown {
    /// An element, as soon as its anchor is known.
    Html(Parts),
    /// Markdown.
    Markdown(String),
    /// The block itself.
    Block,
}

impl Drawn {
    /// Draws a figure.
    pub(super) fn of(built: &Built, job: &Job<'_>, mode: Mode, host: Host) -> Self {
        let figure = &built.figure;
        let spec = &job.order.spec;
        let caption = caption_of(job);
        let words = || caption.map(|caption| words(&pieces(caption)));
        let (content, range) = (&job.page.content, &job.block.range);
        let shown = match mode {
            Mode::Html => {
                let caption: Vec<CaptionPart<'_>> =
                    caption.map(CaptionPart::Text).into_iter().collect();
                let setting = Setting { host, caption: &caption, ..Setting::of_spec(spec) };
                Shown::Html(Parts::of(figure, &setting))
            }
            Mode::Image => {
                Shown::Markdown(fallback::image(content, range, figure, words().as_deref()))
            }
            Mode::Text => {
                Shown::Markdown(fallback::text(content, range, figure, words().as_deref()))
            }
            Mode::Keep => Shown::Block,
        };
        Self {
            inputs: built.inputs.clone(),
            title: figure.title.clone(),
            computed: computed(spec.kind, built),
            shown,
            thumbnail: (mode == Mode::Html && job.of_gallery).then(|| thumbnail(figure)),
        }
    }
}

/// Returns the author's caption.
pub(super) fn caption_of<'j>(job: &'j Job<'_>) -> Option<&'j str> {
    job.order.spec.get("caption").map(str::trim).filter(|caption| !caption.is_empty())
}
