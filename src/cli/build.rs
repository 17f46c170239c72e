//! `build`: mdBook in-process, so that a book needs no other install.
//!
//! In: a book's directory. Out: its site, and where the first page is. Invariant: our preprocessor
//! in this process takes the place of the one that `book.toml` names.

use super::{Outcome, say};
use crate::book::Cute;
use anyhow::{Context, Result};
use mdbook_driver::MDBook;
use std::io::{self, Write};
use std::path::PathBuf;
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

pub(super) fn run(args: &Args) -> Result<Outcome> {
    let filter = EnvFilter::try_from_env("MDBOOK_LOG").unwrap_or_else(|_| EnvFilter::new("warn"));
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(io::stderr)
        .without_time()
        .with_target(false)
        .init();
    let mut book = MDBook::load(&args.dir)
        .with_context(|| format!("cannot load the book in `{}`", args.dir.display()))?;
    book.with_preprocessor(Cute::new(say));
    book.build()?;
    let page = book.build_dir_for("html").join("index.html");
    if page.exists() {
        writeln!(io::stdout().lock(), "{}", page.display())?;
        if args.open {
            opener::open(&page).with_context(|| format!("cannot open `{}`", page.display()))?;
        }
    }
    Ok(Outcome::Done)
}
