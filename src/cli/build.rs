//! `build`: mdBook in-process, so that a book needs no other install.
//!
//! In: a book's directory. Out: its site with the list of all figures, `figures.json`, and where the
//! first page is. Invariant: our preprocessor in this process takes the place of the one that
//! `book.toml` names.

use super::{Outcome, load_book, say, say_at};
use crate::book::Cute;
use crate::diagnostic::Diagnostic;
use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressStyle};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::PoisonError;
use tracing_subscriber::EnvFilter;

/// Build a book with mdBook, no other install needed
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The book's directory, the one with book.toml
    #[arg(default_value = ".")]
    dir: PathBuf,
    /// Open the first page in a browser
    #[arg(long, short)]
    open: bool,
}

/// Below this number of figures a book is built before anybody could read a bar.
const LONG_BOOK: usize = 100;

pub(super) fn run(args: &Args) -> Result<Outcome> {
    log_to_stderr();
    let mut book = load_book(&args.dir)?;
    // Hidden unless standard error is a terminal.
    let bar = ProgressBar::no_length();
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} figures") {
        bar.set_style(style);
    }
    let (told, shown) = (bar.clone(), bar.clone());
    let cute =
        Cute::new(move |message| told.suspend(|| say(message))).on_progress(move |done, of| {
            if of >= LONG_BOOK {
                shown.set_length(of.try_into().unwrap_or(u64::MAX));
                shown.set_position(done.try_into().unwrap_or(u64::MAX));
                if done == of {
                    shown.finish_and_clear();
                }
            }
        });
    let shared = cute.catalogue();
    book.with_preprocessor(cute);
    book.build()?;
    let site = book.build_dir_for("html");
    let page = site.join("index.html");
    if page.exists() {
        let catalogue = shared.lock().unwrap_or_else(PoisonError::into_inner);
        if !catalogue.records.is_empty() {
            write_list(&site.join("figures.json"), &catalogue.json())?;
        }
        writeln!(io::stdout().lock(), "{}", page.display())?;
        if args.open {
            opener::open(&page).with_context(|| format!("cannot open `{}`", page.display()))?;
        }
    }
    Ok(Outcome::Done)
}

/// Writes the list of figures, unless mdBook has put a file of the author's there: it empties the site
/// before it builds.
fn write_list(path: &Path, json: &str) -> Result<()> {
    if path.exists() {
        let diagnostic = Diagnostic::warning(
            "file",
            "the book has a file of its own in place of the list of figures",
        )
        .hint("rename it, or write the list with `mdbook-cute check --json FILE`");
        say_at(&path.display().to_string(), &diagnostic);
        return Ok(());
    }
    fs::write(path, json).with_context(|| format!("cannot write `{}`", path.display()))
}

/// Shows what mdBook has to say; standard output is for results.
pub(super) fn log_to_stderr() {
    let filter = EnvFilter::try_from_env("MDBOOK_LOG").unwrap_or_else(|_| EnvFilter::new("warn"));
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(io::stderr)
        .without_time()
        .with_target(false)
        .init();
}
