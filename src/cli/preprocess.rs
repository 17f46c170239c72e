//! The preprocessor on standard input and output.
//!
//! In: the JSON that mdBook writes. Out: the book as JSON, and nothing else, on standard output.
//! Invariant: if anything is wrong, standard output stays empty and the exit code is not 0.

use super::{Outcome, say, say_at};
use crate::book::cache::file_of;
use crate::book::{Cute, preprocessor::old_host};
use anyhow::{Context, Result};
use mdbook_preprocessor::{Preprocessor, parse_input};
use std::env;
use std::io::{self, IsTerminal, Read, Write};
use std::path::PathBuf;

const HINT: &str = "this is an mdBook preprocessor: mdBook starts it and writes a book to its \
standard input\n  to build a book:  mdbook-cute build [DIR]\n  for more:         mdbook-cute --help";

pub(super) fn run() -> Result<Outcome> {
    let mut stdin = io::stdin().lock();
    if stdin.is_terminal() {
        say(HINT);
        return Ok(Outcome::Misuse);
    }
    let mut input = String::new();
    stdin.read_to_string(&mut input).context("cannot read standard input")?;
    let (context, book) = match parse_input(input.as_bytes()) {
        Ok(parsed) => parsed,
        Err(error) => {
            match old_host(&input) {
                Some(diagnostic) => say_at("", &diagnostic),
                None => say(&format!(
                    "error: standard input is not a book as mdBook 0.5 writes it: {error:#}\n{HINT}"
                )),
            }
            return Ok(Outcome::Wrong);
        }
    };
    let cache = cache_dir().and_then(|dir| file_of(&dir, &context));
    let book = Cute::new(say).cached_in(cache).run(&context, book)?;
    // As much as a pipe takes.
    let mut stdout = io::BufWriter::with_capacity(1 << 16, io::stdout().lock());
    serde_json::to_writer(&mut stdout, &book).context("cannot write the book")?;
    stdout.flush().context("cannot write the book")?;
    Ok(Outcome::Done)
}

/// Returns the directory for figures between two runs: the one that `MDBOOK_CUTE_CACHE` names, none if
/// that is empty, else a place beside what other programs keep.
fn cache_dir() -> Option<PathBuf> {
    let set = |name| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    if env::var_os("MDBOOK_CUTE_CACHE").is_some() {
        return set("MDBOOK_CUTE_CACHE");
    }
    let caches = set("XDG_CACHE_HOME")
        .or_else(|| set("LOCALAPPDATA"))
        .or_else(|| set("HOME").map(|home| home.join(".cache")));
    Some(caches?.join("mdbook-cute"))
}
