//! The run of a book as plain data: chapters, jobs, and what becomes of them.
//!
//! In: nothing; the other files of the run fill these types and read them. Invariant: a job knows its
//! place in the book by number (chapter and piece), never by a position in text.

use super::catalogue::Computed;
use super::config::Mode;
use super::gallery_file::GalleryFile;
use super::ids::Anchor;
use super::links::page_of;
use super::order::{Fault, Order};
use super::place::{BlockPlaces, Page, Place};
use super::scan::{Block, Scan, scan_chapter};
use super::text::BlockPos;
use crate::draw::html::Parts;
use crate::draw::target::Host;
use mdbook_markdown::MarkdownOptions;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// How figures are written for one renderer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Form {
    /// What replaces a block.
    pub(super) mode: Mode,
    /// How pictures of pages are written.
    pub(super) host: Host,
}

/// A chapter that has a page.
pub(super) struct Chapter {
    /// The path of its page in the site, still as Markdown, with `/` between its parts.
    pub(super) path: String,
    /// What the page is made of, in order.
    pub(super) pieces: Vec<Piece>,
    /// Whether the page is one of the gallery, whose text nobody has written yet.
    pub(super) of_gallery: bool,
}

impl Chapter {
    /// Returns its page in the site, e.g. `gallery/layouts.html`.
    pub(super) fn page(&self) -> String {
        page_of(&self.path)
    }

    /// Visits the Markdown of the author.
    pub(super) fn texts(&self) -> impl Iterator<Item = &Markdown> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Markdown(text) => Some(&**text),
            Piece::Figure { .. } | Piece::List => None,
        })
    }
}

/// A piece of a page. A chapter of the author's is one piece of Markdown.
pub(super) enum Piece {
    /// Markdown, which may hold blocks.
    Markdown(Box<Markdown>),
    /// A figure of the gallery, and the number of its section.
    Figure { section: usize, order: Box<Order> },
    /// The list of all figures of the gallery.
    List,
}

/// Markdown and what was found in it.
pub(super) struct Markdown {
    pub(super) page: Page,
    pub(super) scan: Scan,
}

impl Markdown {
    /// Scans a page with the options of the book.
    pub(super) fn of(page: Page, options: &MarkdownOptions) -> Self {
        let scan = scan_chapter(page.content(), options);
        Self { page: page.with_blocks(&scan.blocks), scan }
    }
}

/// A figure to build.
pub(super) struct Job<'r> {
    /// The number of its chapter.
    pub(super) chapter: usize,
    /// The number of the piece of the chapter that it belongs to.
    pub(super) piece: usize,
    pub(super) source: Source<'r>,
    pub(super) order: Order,
    /// The id of the gallery's figure that a block uses.
    pub(super) home: Option<String>,
}

/// Where a job was found.
#[derive(Clone, Copy)]
pub(super) enum Source<'r> {
    /// A block of a chapter; `number` is the block's in the chapter, from 1.
    Block { page: &'r Page, block: &'r Block, number: usize },
    /// A figure of the gallery's file, and the number of its section.
    Gallery { file: &'r GalleryFile, section: usize },
}

impl Job<'_> {
    /// Returns whether the figure is at home in the gallery.
    pub(super) const fn is_of_gallery(&self) -> bool {
        matches!(self.source, Source::Gallery { .. })
    }

    /// Returns the author's caption.
    pub(super) fn caption(&self) -> Option<&str> {
        self.order.spec.get("caption").map(str::trim).filter(|caption| !caption.is_empty())
    }

    /// Returns the places of the author's file that faults of the job lead to.
    pub(super) fn places(&self) -> Places<'_> {
        match self.source {
            Source::Block { page, block, number } => Places::Block(page.block(block, number)),
            Source::Gallery { file, .. } => Places::Gallery(file),
        }
    }
}

/// The places of one job.
pub(super) enum Places<'r> {
    Block(BlockPlaces<'r>),
    Gallery(&'r GalleryFile),
}

impl Places<'_> {
    pub(super) fn find(&self, pos: BlockPos) -> Place {
        match self {
            Self::Block(block) => block.find(pos),
            Self::Gallery(file) => file.place(pos),
        }
    }
}

/// What becomes of a job: the figure, or what is wrong with it, in the order of the source.
pub(super) type Outcome = Result<Drawn, Vec<Fault>>;

/// A figure that is built and drawn. For HTML it depends on the order, the names of the gallery and the
/// style alone, never on the rest of the book.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Drawn {
    /// The inputs, which an automatic anchor is made of.
    pub(super) inputs: Vec<(String, String)>,
    /// The title, which replaces a missing caption in lists.
    pub(super) title: String,
    /// What scripts read of it.
    pub(super) computed: Computed,
    /// What replaces the block.
    pub(super) shown: Shown,
    /// The small picture in the list of the gallery.
    pub(super) thumbnail: Option<String>,
    /// What the author is warned of. Figures with warnings are not kept between runs.
    #[serde(skip)]
    pub(super) warnings: Vec<Fault>,
}

/// What replaces a block.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Shown {
    /// An element, as soon as its anchor is known.
    Html(Parts),
    /// Markdown.
    Markdown(String),
    /// The block itself.
    Block,
}

/// A job on its way through the run: each step fills in what it finds.
pub(super) struct Placed<'r> {
    pub(super) job: Job<'r>,
    pub(super) outcome: Outcome,
    /// Its line in the cache, if it is worth keeping.
    pub(super) line: Option<Cow<'r, str>>,
    /// Its anchor. A figure that is at home elsewhere has none, nor has one without inputs.
    pub(super) anchor: Option<Anchor>,
    /// What replaces the block; nothing if the block stays.
    pub(super) text: Option<String>,
}

impl Placed<'_> {
    /// Returns what there is to report, in order.
    pub(super) fn faults(&self) -> &[Fault] {
        match &self.outcome {
            Ok(drawn) => &drawn.warnings,
            Err(faults) => faults,
        }
    }

    /// Refuses a figure, also one that is right by itself.
    pub(super) fn refuse(&mut self, fault: Fault) {
        let mut faults = match &mut self.outcome {
            Ok(drawn) => std::mem::take(&mut drawn.warnings),
            Err(faults) => std::mem::take(faults),
        };
        faults.push(fault);
        self.outcome = Err(faults);
    }
}
