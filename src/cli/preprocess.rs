//! The preprocessor on standard input and output.
//!
//! In: the JSON that mdBook writes. Out: the book as JSON, and nothing else, on standard output.
//! Invariant: if anything is wrong, standard output stays empty and the exit code is not 0.

use super::{Outcome, say};
use crate::book::{Cute, preprocessor::old_host};
use anyhow::{Context, Result};
use mdbook_preprocessor::{Preprocessor, parse_input};
use std::io::{self, IsTerminal, Read, Write};

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
    let book = Cute::new(say).run(&context, book)?;
    // As much as a pipe takes.
    let mut stdout = io::BufWriter::with_capacity(1 << 16, io::stdout().lock());
    serde_json::to_writer(&mut stdout, &book).context("cannot write the book")?;
    stdout.flush().context("cannot write the book")?;
    Ok(Outcome::Done)
}
