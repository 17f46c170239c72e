//! What stands in the place of a block.
//!
//! In: a figure, its anchor and where links lead. Out: the text for one renderer. Invariant: it needs
//! no prefix in any container.

use super::anchors::{Homes, aliases};
use super::config::Mode;
use super::drawn::{Drawn, Shown, caption_of};
use super::links::{Piece, pieces};
use super::pages::source_text;
use super::report::line;
use super::run::{Done, Job, Run};
use super::splice::{error_box, one_line};
use crate::draw::html::{Anchor, CaptionPart, Parts, Setting};
use crate::draw::markup::escaped;

/// A figure with all that is known about it.
pub(super) struct Written<'r> {
    pub(super) job: &'r Job<'r>,
    pub(super) done: &'r Done,
    pub(super) id: Option<&'r str>,
}

impl Run<'_> {
    /// Writes what stands in place of a block.
    pub(super) fn write(&self, written: &Written<'_>, homes: &Homes) -> Option<String> {
        if self.mode == Mode::Keep {
            return None;
        }
        Some(match &written.done.drawn {
            None => self.write_wrong(written),
            Some(Drawn { shown: Shown::Html(parts), .. }) => {
                let mut out = self.element(written, parts, homes);
                if written.job.of_gallery {
                    out.push_str(&source_text(&written.job.order.spec, self.style.searched()));
                }
                out
            }
            Some(Drawn { shown: Shown::Markdown(text), .. }) => text.clone(),
            Some(Drawn { shown: Shown::Block, .. }) => return None,
        })
    }

    fn element(&self, written: &Written<'_>, parts: &Parts, homes: &Homes) -> String {
        let Written { job, id, .. } = written;
        let found = &self.chapters[job.chapter];
        let spec = &job.order.spec;
        let pieces = pieces(caption_of(job).unwrap_or_default());
        let hrefs: Vec<String> = pieces
            .iter()
            .map(|piece| match piece {
                Piece::Text(_) => String::new(),
                Piece::Link { id, .. } => self.href(&found.path, id, homes).unwrap_or_default(),
            })
            .collect();
        let caption: Vec<_> = pieces
            .iter()
            .zip(&hrefs)
            .map(|(piece, href)| match piece {
                Piece::Text(text) => CaptionPart::Text(text),
                Piece::Link { text, .. } => CaptionPart::Link { text, href },
            })
            .collect();
        let page = super::links::page_of(&found.path);
        let former: Vec<_> = aliases(&job.order).filter(|alias| alias.stays(&page)).collect();
        let former: Vec<&str> = former.iter().map(|alias| alias.id).collect();
        let home = job.home.as_ref().and_then(|home| self.href(&found.path, home, homes));
        let source = Self::source(job);
        let anchor = match (&home, id) {
            (Some(href), _) => Anchor::Elsewhere { href },
            (None, Some(id)) => Anchor::Here { id, former: &former },
            (None, None) => Anchor::None,
        };
        let setting =
            Setting { anchor, source: Some(&source), caption: &caption, ..Setting::of_spec(spec) };
        one_line(parts.element(&setting))
    }

    /// Writes what stands in place of a block that is wrong.
    fn write_wrong(&self, written: &Written<'_>) -> String {
        let Written { job, done, id } = written;
        let messages: Vec<_> = done
            .faults
            .iter()
            .map(|fault| line(&self.place(job, fault.pos), &fault.diagnostic))
            .collect();
        match self.mode {
            Mode::Html => {
                let source = format!("{}\n{}", job.block.info, job.block.body);
                error_box(*id, &messages, source.trim_end())
            }
            _ => job.page.content[job.block.range.clone()].to_owned(),
        }
    }
}

/// Writes the note on a page that a figure has left, under the figure's former anchor.
pub(super) fn moved_note(id: &str, href: &str) -> String {
    format!(
        "\n\n<!--cute--><p class=\"cute-note\" id=\"{}\">A figure that was here <a href=\"{}\">has moved</a>.</p>\n",
        escaped(id),
        escaped(href)
    )
}
