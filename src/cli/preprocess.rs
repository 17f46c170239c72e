//! The preprocessor on standard input and output.
//!
//! In: the JSON that mdBook writes. Out: the book as JSON, and nothing else, on standard output.
//! Invariant: if anything is wrong, standard output stays empty and the exit code is not 0.

use super::{Outcome, say};
use crate::book::cache::EXTENSION;
use crate::book::{Cute, preprocessor::old_host};
use anyhow::{Context, Result};
use mdbook_preprocessor::{Preprocessor, PreprocessorContext, parse_input};
use std::env;
use std::hash::{DefaultHasher, Hash, Hasher};
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
                Some(diagnostic) => say(&format!("error: {diagnostic}")),
                None => say(&format!(
                    "error: standard input is no book as mdBook 0.5 writes it: {error:#}\n{HINT}"
                )),
            }
            return Ok(Outcome::Wrong);
        }
    };
    let book = Cute::new(say).cached_in(cache_file(&context)).run(&context, book)?;
    // As much as a pipe takes.
    let mut stdout = io::BufWriter::with_capacity(1 << 16, io::stdout().lock());
    serde_json::to_writer(&mut stdout, &book).context("cannot write the book")?;
    stdout.flush().context("cannot write the book")?;
    Ok(Outcome::Done)
}

/// Returns where the figures of a book are kept between two runs for one renderer: in the directory
/// that `MDBOOK_CUTE_CACHE` names, nowhere if that is empty, else with what other programs keep.
fn cache_file(context: &PreprocessorContext) -> Option<PathBuf> {
    let set = |name| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let dir = match env::var_os("MDBOOK_CUTE_CACHE") {
        Some(_) => set("MDBOOK_CUTE_CACHE")?,
        None => set("XDG_CACHE_HOME")
            .or_else(|| set("LOCALAPPDATA"))
            .or_else(|| set("HOME").map(|home| home.join(".cache")))?
            .join("mdbook-cute"),
    };
    let mut hash = DefaultHasher::new();
    (context.root.canonicalize().ok()?, &context.renderer).hash(&mut hash);
    Some(dir.join(format!("{:016x}.{EXTENSION}", hash.finish())))
}
