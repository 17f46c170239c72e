//! `install`: makes a book ready for figures.
//!
//! In: a book's directory. Out: `book.toml` with what a figure needs, the style sheet and the script,
//! and on standard output what was done. Invariant: a file that its owner changed is never replaced
//! unless asked for, and a second run changes nothing.

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
    let mut out = io::stdout().lock();
    for line in &installed.done {
        writeln!(out, "{line}")?;
    }
    if !installed.done.is_empty() {
        fs::write(&config, installed.text)
            .with_context(|| format!("cannot write `{}`", config.display()))?;
    }
    let mut outcome = Outcome::Done;
    let mut changed = !installed.done.is_empty();
    for asset in ASSETS {
        match place(asset, &args.dir, args.force)? {
            Placed::Written(line) => {
                changed = true;
                writeln!(out, "{line}")?;
            }
            Placed::Current => {}
            Placed::Kept => {
                outcome = Outcome::Wrong;
                let text = "the file was changed by hand and is kept";
                let diagnostic = Diagnostic::warning("asset", text)
                    .hint("`mdbook-cute install --force` replaces it");
                say_at(&args.dir.join(asset.name).display().to_string(), &diagnostic);
            }
        }
    }
    if !installed.done.is_empty() {
        writeln!(
            out,
            "next: write a ```cute block into a chapter, then `mdbook-cute build --open`"
        )?;
    }
    if !changed && outcome == Outcome::Done {
        writeln!(out, "nothing to do: the book is ready")?;
    }
    Ok(outcome)
}

enum Placed {
    Written(String),
    Current,
    Kept,
}

fn place(asset: &Asset, dir: &Path, force: bool) -> Result<Placed> {
    let path = dir.join(asset.name);
    let verb = match fs::read_to_string(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => "wrote",
        Err(error) => {
            return Err(error).with_context(|| format!("cannot read `{}`", path.display()));
        }
        Ok(file) => match asset.state(&file) {
            State::Current => return Ok(Placed::Current),
            State::Old => "upgraded",
            State::Edited if force => "replaced",
            State::Edited => return Ok(Placed::Kept),
        },
    };
    fs::write(&path, asset.text()).with_context(|| format!("cannot write `{}`", path.display()))?;
    Ok(Placed::Written(format!("{verb} `{}`", path.display())))
}
