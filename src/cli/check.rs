//! `check`: is the book right, and does every published anchor still lead somewhere.
//!
//! In: a book's directory. Out: messages on standard error and an exit code for CI. Invariant: nothing
//! is written unless `--update` or `--json` says so.

use super::staged::Staged;
use super::{Outcome, load_book, say, say_at};
use crate::book::Cute;
use crate::book::assets::{ASSETS, State};
use crate::book::catalogue::{Catalogue, Lock};
use crate::diagnostic::{Diagnostic, Level};
use anyhow::{Context, Result};
use mdbook_driver::config::Config;
use mdbook_renderer::{RenderContext, Renderer};
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::PoisonError;
use walkdir::WalkDir;

/// Check figures, links, published anchors and installed files of a book
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The book's directory, the one with book.toml
    #[arg(default_value = ".")]
    dir: PathBuf,
    /// Add new anchors to anchors.lock
    #[arg(long)]
    update: bool,
    /// Write the list of all figures as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

pub(super) fn run(args: &Args) -> Result<Outcome> {
    super::build::log_to_stderr();
    let mut book = load_book(&args.dir)?;
    let cute = Cute::new(say);
    let shared = cute.catalogue();
    book.with_preprocessor(cute);
    let outcome = book.preprocess_book(&Html);
    let catalogue = shared.lock().unwrap_or_else(PoisonError::into_inner).clone();
    if let Err(error) = outcome {
        say(&format!("error: {error:#}"));
        return Ok(Outcome::Wrong);
    }
    let mut wrong = catalogue.errors;
    wrong += check_assets(&book.root, &book.build_dir_for("html"));
    wrong += check_named(&book.root, &book.config)?;
    wrong +=
        check_lock(&lock_path(&book.root, &book.config)?, &book.config, &catalogue, args.update)?;
    if let Some(path) = &args.json {
        fs::write(path, catalogue.json())
            .with_context(|| format!("cannot write `{}`", path.display()))?;
    }
    if wrong > 0 {
        return Ok(Outcome::Wrong);
    }
    match catalogue.records.len() {
        1 => writeln!(io::stdout().lock(), "1 figure checked, no errors")?,
        count => writeln!(io::stdout().lock(), "{count} figures checked, no errors")?,
    }
    Ok(Outcome::Done)
}

/// Stands for mdBook's own renderer, so that the preprocessors do what they do for it.
struct Html;

impl Renderer for Html {
    fn name(&self) -> &str {
        "html"
    }

    fn render(&self, _: &RenderContext) -> Result<()> {
        Ok(())
    }
}

/// Reports installed files, wherever in the book they stand; returns how many are an error. A file that
/// was changed by hand is its owner's business.
fn check_assets(root: &Path, build_dir: &Path) -> usize {
    let entries = WalkDir::new(root)
        .sort_by_file_name()
        .into_iter()
        .filter_entry(|entry| {
            let hidden = entry.depth() > 0 && entry.file_name().to_string_lossy().starts_with('.');
            !hidden && entry.path() != build_dir && entry.file_name() != "target"
        })
        .flatten();
    let mut wrong = 0;
    for entry in entries {
        let Some(asset) = ASSETS.iter().find(|asset| entry.file_name() == asset.name) else {
            continue;
        };
        let diagnostic = match fs::read_to_string(entry.path()).map(|file| asset.state(&file)) {
            Ok(State::Current) => continue,
            Ok(State::Old) => Diagnostic::error("asset", "the file is of another version")
                .hint("run `mdbook-cute install` there"),
            Ok(State::Edited) => {
                let text = "the file was changed by hand; new versions leave it as it is";
                Diagnostic::note("asset", text).hint("`mdbook-cute install --force` replaces it")
            }
            Err(error) => Diagnostic::error("asset", format!("cannot read the file: {error}"))
                .hint("remove it, then run `mdbook-cute install` there"),
        };
        say_at(&entry.path().display().to_string(), &diagnostic);
        wrong += usize::from(diagnostic.level == Level::Error);
    }
    wrong
}

/// Reports style sheets and scripts that book.toml names and that are not there; returns how many. mdBook
/// finds out only when it writes the site.
fn check_named(root: &Path, config: &Config) -> Result<usize> {
    let mut missing = 0;
    for list in ["additional-css", "additional-js"] {
        let named: Vec<PathBuf> = config.get(&format!("output.html.{list}"))?.unwrap_or_default();
        for path in named.iter().filter(|path| !root.join(path).exists()) {
            let text = format!("missing file: `{list}` in book.toml names it");
            let ours = ASSETS.iter().any(|asset| root.join(path) == root.join(asset.name));
            let diagnostic = Diagnostic::error("asset", text).hint(if ours {
                "`mdbook-cute install` writes it"
            } else {
                "write the file, or remove the name"
            });
            say_at(&root.join(path).display().to_string(), &diagnostic);
            missing += 1;
        }
    }
    Ok(missing)
}

/// Returns where the lock is: beside the gallery, or beside book.toml.
fn lock_path(root: &Path, config: &Config) -> Result<PathBuf> {
    let gallery: Option<PathBuf> = config.get("preprocessor.cute.gallery")?;
    let beside = root.join(gallery.unwrap_or_else(|| PathBuf::from("book.toml")));
    Ok(beside.with_file_name("anchors.lock"))
}

fn check_lock(path: &Path, config: &Config, catalogue: &Catalogue, update: bool) -> Result<usize> {
    let text = match fs::read_to_string(path) {
        Ok(text) => Some(text),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => {
            return Err(error).with_context(|| format!("cannot read `{}`", path.display()));
        }
    };
    let mut lock = text.as_deref().map(Lock::read).unwrap_or_default();
    let redirects: BTreeMap<String, String> =
        config.get("output.html.redirect")?.unwrap_or_default();
    let redirects: Vec<String> = redirects.into_keys().collect();
    let lost = lock.lost(catalogue, &redirects);
    for lost in &lost {
        let text = format!("the published anchor `{}` would disappear", lost.anchor);
        let hint = format!(
            "{}\nto retire it, remove the line `{}` from `{}`",
            lost.remedy,
            lost.anchor,
            path.display()
        );
        say_at("", &Diagnostic::error("lost-anchor", text).hint(hint));
    }
    let new = lock.add(catalogue);
    if update && new > 0 {
        Staged::write(path, &lock.text())?.commit()?;
        writeln!(io::stdout().lock(), "anchors added to `{}`: {new}", path.display())?;
    } else if new > 0 && text.is_some() {
        let text = format!("anchors not in the lock yet: {new}");
        let diagnostic =
            Diagnostic::note("new-anchor", text).hint("`mdbook-cute check --update` adds them");
        say_at(&path.display().to_string(), &diagnostic);
    }
    Ok(lost.len())
}
