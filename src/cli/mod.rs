//! Floor 6: the command line. One file per subcommand; without one, the preprocessor.
//!
//! In: arguments, standard input, files. Out: standard output for results, standard error for
//! messages, and an exit code: 0 it worked, 1 the input is wrong, 2 the call is wrong. Invariant:
//! what only books need (threads, logging, mdBook) starts only for a book.

mod build;
mod check;
mod eval;
mod facts;
mod install;
mod key;
mod preprocess;
mod render;
mod spec;
mod staged;

use crate::book::report::remark;
use crate::diagnostic::Diagnostic;
use anyhow::{Context, Result, bail};
use clap::{Parser, Subcommand};
use mdbook_driver::MDBook;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

/// Draws and checks CuTe layouts in mdBook chapters and on the command line.
///
/// Without a command it is the mdBook preprocessor: it reads a book from standard input and writes
/// it with figures to standard output.
#[derive(Debug, Parser)]
#[command(name = "mdbook-cute", version, max_term_width = 100, after_help = EXAMPLES)]
struct Args {
    #[command(subcommand)]
    command: Option<Command>,
}

const EXAMPLES: &str = "Examples:
  mdbook-cute build book --open
  mdbook-cute eval 'zipped_divide((12,32):(1,12), <4,8>)'
  mdbook-cute render layout '(4,8):(8,1)' -o layout.svg
  echo '{\"kind\": \"layout\", \"layout\": \"(4,8):(8,1)\"}' | mdbook-cute facts

In a book, book.toml:
  [preprocessor.cute]
  after = [\"links\", \"index\"]";

#[derive(Debug, Subcommand)]
enum Command {
    /// Report whether a renderer is supported (called by mdBook)
    Supports(SupportsArgs),
    Build(build::Args),
    Check(check::Args),
    Eval(eval::Args),
    Facts(facts::Args),
    Install(install::Args),
    Key(key::Args),
    Render(render::Args),
}

/// The question mdBook asks.
#[derive(Debug, clap::Args)]
struct SupportsArgs {
    /// The renderer, e.g. `html`
    renderer: String,
}

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    /// Everything asked for was done.
    Done,
    /// The input is wrong, and the user was told.
    Wrong,
    /// The call is wrong, and the user was told.
    Misuse,
}

/// Runs the program.
#[must_use]
pub fn run() -> ExitCode {
    let outcome = match Args::parse().command {
        None => preprocess::run(),
        // mdBook takes every failure here for "no" and leaves the figures out without a word.
        Some(Command::Supports(args)) => {
            Ok(if args.renderer == "test" { Outcome::Wrong } else { Outcome::Done })
        }
        Some(Command::Build(args)) => build::run(&args),
        Some(Command::Check(args)) => check::run(&args),
        Some(Command::Eval(args)) => eval::run(&args),
        Some(Command::Facts(args)) => facts::run(&args),
        Some(Command::Install(args)) => install::run(&args),
        Some(Command::Key(args)) => key::run(&args),
        Some(Command::Render(args)) => render::run(&args),
    };
    match outcome {
        Ok(Outcome::Done) => ExitCode::SUCCESS,
        Ok(Outcome::Wrong) => ExitCode::FAILURE,
        Ok(Outcome::Misuse) => ExitCode::from(2),
        // `mdbook-cute eval ... | head` is no failure.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            say(&format!("error: {error:#}"));
            ExitCode::FAILURE
        }
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let pipe = |error: &io::Error| error.kind() == io::ErrorKind::BrokenPipe;
    error.chain().any(|cause| cause.downcast_ref::<io::Error>().is_some_and(pipe))
}

/// Loads the book in a directory.
fn load_book(dir: &Path) -> Result<MDBook> {
    if !dir.join("book.toml").exists() && !dir.join("src/SUMMARY.md").exists() {
        bail!(no_book(dir));
    }
    MDBook::load(dir).with_context(|| format!("cannot load the book in `{}`", dir.display()))
}

/// Reports what to do without a book; mdBook itself need not be installed.
fn no_book(dir: &Path) -> String {
    format!(
        "missing book in `{}`: name the directory of its book.toml, or make one with `mdbook init` \
         or by writing `book.toml` and `src/SUMMARY.md`",
        dir.display()
    )
}

/// Writes a message about `place`, or about the call, in the form that all messages have.
fn say_at(place: &str, diagnostic: &Diagnostic) {
    say(&remark(place, diagnostic));
}

/// Writes a message to standard error; nobody can be told if that fails.
fn say(message: &str) {
    let _ = writeln!(io::stderr().lock(), "{}", printable(message.trim_end()));
}

/// Returns a text without the characters by which a terminal is controlled, or text is made to look other
/// than it is: what it quotes may come from anybody.
fn printable(text: &str) -> String {
    let unsafe_here = |c: char| {
        c.is_control() && !matches!(c, '\n' | '\t')
            || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    text.chars().map(|c| if unsafe_here(c) { char::REPLACEMENT_CHARACTER } else { c }).collect()
}
