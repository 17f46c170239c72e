//! The preprocessor: a book with blocks in, a book with figures out.
//!
//! In: what mdBook hands over. Out: the book, and its [`Catalogue`] for the commands that want one.
//! Chapters of the gallery join first, then every chapter is scanned in the order of the summary, and
//! the run does the rest. Invariant: without a block, a link and a gallery a book comes back as it was.

use super::assets::page_style;
use super::catalogue::Catalogue;
use super::config::{Config, markdown_options};
use super::gallery_file::GalleryFile;
use super::job::{Chapter as Pieces, Form, Markdown, Piece};
use super::pages;
use super::paths::{FileName, shown, slashed};
use super::place::Page;
use super::report::{remark, report};
use super::run::{Input, run};
use crate::diagnostic::Diagnostic;
use crate::hardware::functions::functions;
use mdbook_preprocessor::book::{Book, BookItem, Chapter};
use mdbook_preprocessor::errors::{Error, Result};
use mdbook_preprocessor::{MDBOOK_VERSION, Preprocessor, PreprocessorContext};
use std::collections::BTreeMap;
use std::env;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// The preprocessor `cute`.
pub struct Cute {
    /// Takes what there is to say to the author, a message at a time.
    say: Box<dyn Fn(&str) + Send + Sync>,
    /// Progress callback: (built, total).
    progress: Box<dyn Fn(usize, usize) + Send + Sync>,
    /// Where figures are kept between runs.
    cache: Option<PathBuf>,
    /// What messages name files relative to.
    working_dir: Option<PathBuf>,
    catalogue: Arc<Mutex<Catalogue>>,
}

impl Cute {
    /// Makes a preprocessor whose messages go to `say`.
    pub fn new(say: impl Fn(&str) + Send + Sync + 'static) -> Self {
        Self {
            say: Box::new(say),
            progress: Box::new(|_, _| ()),
            cache: None,
            working_dir: env::current_dir().ok(),
            catalogue: Arc::default(),
        }
    }

    /// Names files in messages relative to a directory, not to the one that the process works in.
    #[must_use]
    pub fn relative_to(mut self, working_dir: impl Into<PathBuf>) -> Self {
        self.working_dir = Some(working_dir.into());
        self
    }

    /// Also tells `progress` after each figure how many of how many are built.
    #[must_use]
    pub fn on_progress(mut self, progress: impl Fn(usize, usize) + Send + Sync + 'static) -> Self {
        self.progress = Box::new(progress);
        self
    }

    /// Keeps figures in a file from one run over a book to the next. A file that cannot be read or
    /// written is none. Files of the same directory and extension that are a month old are removed.
    #[must_use]
    pub fn cached_in(mut self, file: Option<PathBuf>) -> Self {
        self.cache = file;
        self
    }

    /// Returns what will hold the list of figures after the run over a book.
    #[must_use]
    pub fn catalogue(&self) -> Arc<Mutex<Catalogue>> {
        Arc::clone(&self.catalogue)
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
        let gallery = config.gallery.as_deref();
        let gallery = gallery.map(|path| self.gallery(context, path)).transpose()?;
        let gallery_pages = match (&gallery, &config.gallery) {
            (Some(file), Some(path)) => {
                pages::insert(&mut book, &file.gallery, &markdown_options(&context.config))
                    .map_err(|page| Error::msg(taken(&page, &self.shown(context, path))))?
            }
            _ => Vec::new(),
        };
        let source_dir = self.shown(context, &context.config.book.src);
        let chapters = chapters(&book, context, &source_dir, gallery_pages);
        self.check_order(&config, &chapters);
        let form = Form { mode: config.mode(&context.renderer), host: page_style(context) };
        let input = Input {
            config: &config,
            form,
            gallery: gallery.as_ref(),
            chapters: &chapters,
            functions: &functions(),
            cache: self.cache.as_deref(),
            build: crate::figure::build,
        };
        let output = run(&input, &self.progress);
        output.messages.iter().for_each(|message| (self.say)(message));
        // Nobody panics while holding the lock; a poisoned one still holds a list.
        *self.catalogue.lock().unwrap_or_else(PoisonError::into_inner) = output.catalogue;
        let mut contents = output.contents.map_err(Error::msg)?.into_iter();
        for_each_chapter(&mut book.items, &mut |chapter| {
            if let Some(Some(content)) = contents.next() {
                chapter.content = content;
            }
        });
        Ok(book)
    }
}

fn taken(page: &str, gallery: &str) -> String {
    format!(
        "the page `{page}` of the gallery is a chapter of the book already; choose another `slug` in `{gallery}`, \
         or make the chapter a draft, `- [Gallery]()`, which the gallery takes the place of"
    )
}

impl Cute {
    /// Reads the gallery. A file that is wrong in form is always an error.
    fn gallery(&self, context: &PreprocessorContext, path: &Path) -> Result<GalleryFile> {
        let shown = self.shown(context, path);
        let bytes = std::fs::read(context.root.join(path)).map_err(|error| {
            Error::msg(format!("cannot read the gallery `{shown}` that book.toml names: {error}"))
        })?;
        let name = FileName { in_messages: shown.clone(), in_pages: slashed(path) };
        let file = GalleryFile::read(name, bytes).map_err(|faults| {
            for (place, fault) in &faults {
                (self.say)(&report(place, fault.length, &fault.diagnostic));
            }
            Error::msg(format!("the gallery `{shown}` has errors"))
        })?;
        if file.gallery.figures().next().is_none() {
            let diagnostic = Diagnostic::warning("gallery", "the gallery has no figures").hint(
                "a page is `[[section]]` with a `slug`, a figure on it `[[section.figure]]` below",
            );
            (self.say)(&remark(&shown, &diagnostic));
        }
        Ok(file)
    }

    /// Returns a path of the book as messages name it.
    fn shown(&self, context: &PreprocessorContext, path: &Path) -> String {
        shown(&context.root.join(path), self.working_dir.as_deref())
    }

    /// Warns about a host of another minor version; a version that cannot be read is one too.
    fn check_version(&self, version: &str) {
        let minor = |version: &str| {
            let mut parts = version.split('.').map(|part| part.parse::<u32>().ok());
            Some((parts.next()??, parts.next()??))
        };
        if minor(version).is_none() || minor(version) != minor(MDBOOK_VERSION) {
            let text = format!(
                "this is mdbook-cute for mdBook {MDBOOK_VERSION}, but the book is built by mdBook `{version}`; \
                 figures may be wrong"
            );
            (self.say)(&remark("", &Diagnostic::warning("host", text)));
        }
    }

    /// Warns when includes come in behind us.
    fn check_order(&self, config: &Config, chapters: &[Pieces]) {
        let mut pages = chapters.iter().flat_map(Pieces::texts).map(|text| &text.page);
        let late = pages.find(|page| page.content().contains("{{#include"));
        if let (Some(late), false) = (late, config.after.iter().any(|name| name == "links")) {
            let text = "the chapter still has an include, whose blocks will not become figures";
            let diagnostic = Diagnostic::warning("order", text).hint(
                "write `after = [\"links\", \"index\"]` in `[preprocessor.cute]` of book.toml",
            );
            (self.say)(&remark(late.path(), &diagnostic));
        }
    }
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

/// Scans the chapters of a book; `shown` is its source directory as messages name it. Those of the
/// gallery are scanned already.
fn chapters(
    book: &Book,
    context: &PreprocessorContext,
    shown: &str,
    gallery: Vec<Pieces>,
) -> Vec<Pieces> {
    let options = markdown_options(&context.config);
    let source_dir = &context.config.book.src;
    let mut gallery: BTreeMap<String, Pieces> =
        gallery.into_iter().map(|page| (page.path.clone(), page)).collect();
    book.chapters()
        .map(|chapter| {
            let path = chapter.path.as_deref().map(slashed).unwrap_or_default();
            if let Some(page) = gallery.remove(&path) {
                return page;
            }
            let source = chapter.source_path.as_deref().or(chapter.path.as_deref());
            let source = source.unwrap_or(Path::new(""));
            let name = FileName {
                in_messages: slashed(&Path::new(shown).join(source)),
                in_pages: slashed(&source_dir.join(source)),
            };
            let file = context.root.join(source_dir).join(source);
            let page = Page::new(&chapter.name, name, &chapter.content, file);
            let piece = Piece::Markdown(Box::new(Markdown::of(page, &options)));
            Pieces { path, pieces: vec![piece], of_gallery: false }
        })
        .collect()
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
