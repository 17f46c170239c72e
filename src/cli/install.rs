//! `install`: makes a book ready for figures.
//!
//! In: a book's directory. Out: `book.toml` with what a figure needs, the style sheet and the script,
//! and on standard output what was done. Invariants: a file that its owner changed is never replaced
//! unless asked for, a second run changes nothing, and a run that fails changes nothing either.

use super::staged::Staged;
use super::{Outcome, no_book, say_at};
use crate::book::assets::{ASSETS, Asset, State};
use crate::book::install::install;
use crate::diagnostic::Diagnostic;
use anyhow::{Context, Result, bail};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Make a book ready: edit its book.toml, add the style sheet and the script
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The book's directory, the one with book.toml
    #[arg(default_value = ".")]
    dir: PathBuf,
    /// Replace a style sheet or script that was changed by hand
    #[arg(long)]
    force: bool,
}

pub(super) fn run(args: &Args) -> Result<Outcome> {
    let config = args.dir.join("book.toml");
    if !config.exists() {
        bail!(no_book(&args.dir));
    }
    let text = fs::read_to_string(&config)
        .with_context(|| format!("cannot read `{}`", config.display()))?;
    let gallery = args.dir.join("gallery.toml").exists().then_some("gallery.toml");
    let installed = install(&text, gallery).map_err(anyhow::Error::msg)?;
    let mut done = installed.done.clone();
    let mut staged = Vec::new();
    let mut outcome = Outcome::Done;
    for asset in ASSETS {
        let path = args.dir.join(asset.name);
        match plan(asset, &path, args.force)? {
            Plan::Write(verb) => {
                staged.push(Staged::write(&path, &asset.text())?);
                done.push(format!("{verb} `{}`", path.display()));
            }
            Plan::Nothing => {}
            Plan::Keep => {
                outcome = Outcome::Wrong;
                let diagnostic =
                    Diagnostic::warning("asset", "the file was changed by hand and is kept")
                        .hint("`mdbook-cute install --force` replaces it");
                say_at(&path.display().to_string(), &diagnostic);
            }
        }
    }
    if !installed.done.is_empty() {
        staged.push(Staged::write(&config, &installed.text)?);
    }
    staged.into_iter().try_for_each(Staged::commit)?;
    let mut out = io::stdout().lock();
    for line in &done {
        writeln!(out, "{line}")?;
    }
    if !installed.done.is_empty() {
        writeln!(
            out,
            "next: write a ```cute block into a chapter, then `mdbook-cute build --open`"
        )?;
    }
    if done.is_empty() && outcome == Outcome::Done {
        writeln!(out, "nothing to do: the book is ready")?;
    }
    Ok(outcome)
}

/// What is to be done about a file.
enum Plan {
    /// Write it; the verb says how it was done.
    Write(&'static str),
    Nothing,
    /// Leave it as its owner changed it.
    Keep,
}

fn plan(asset: &Asset, path: &Path, force: bool) -> Result<Plan> {
    Ok(match fs::read_to_string(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Plan::Write("wrote"),
        Err(error) => {
            return Err(error).with_context(|| format!("cannot read `{}`", path.display()));
        }
        Ok(file) => match asset.state(&file) {
            State::Current => Plan::Nothing,
            State::Old => Plan::Write("upgraded"),
            State::Edited if force => Plan::Write("replaced"),
            State::Edited => Plan::Keep,
        },
    })
}
