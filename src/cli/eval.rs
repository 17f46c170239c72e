//! `eval`: expressions in, results out.
//!
//! In: expressions as arguments or one a line on standard input. Out: a result a line, as text or
//! JSON. A declaration (`let A = ...`, `auto A = ...;`) holds for what follows. Invariant: a wrong
//! expression does not stop the next one.

use super::{Outcome, say};
use crate::diagnostic::Diagnostic;
use crate::expr::report::{DEFAULT_VALUES, caret, object};
use crate::expr::{Evaluated, Scope};
use crate::hardware::functions::functions;
use anyhow::{Context, Result};
use std::io::{self, BufRead, IsTerminal, Write};

/// Evaluate expressions of the notation
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  mdbook-cute eval '(4,8):(8,1)' 'complement((2,2):(1,4), 16)'
  mdbook-cute eval 'let A = (4,8):(8,1)' 'size(A)' 'auto B = make_layout(Int<8>{}); A(3)'
  mdbook-cute eval --json --values 8 < expressions.txt")]
pub(super) struct Args {
    /// Print one JSON object per line
    #[arg(long)]
    json: bool,
    /// How many values to list in JSON
    #[arg(long, value_name = "N", default_value_t = DEFAULT_VALUES)]
    values: usize,
    /// Expressions (default: read from standard input, one per line)
    #[arg(value_name = "EXPR")]
    expressions: Vec<String>,
}

pub(super) fn run(args: &Args) -> Result<Outcome> {
    let functions = functions();
    let mut scope = Scope::new(&functions);
    let mut out = io::BufWriter::new(io::stdout().lock());
    let mut outcome = Outcome::Done;
    let mut one = |text: &str, place: &str| -> Result<()> {
        let result = scope.execute(text);
        if result.is_err() {
            outcome = Outcome::Wrong;
        }
        if args.json {
            serde_json::to_writer(&mut out, &object(text, &result, args.values))?;
            writeln!(out)?;
        } else {
            write_text(&mut out, text, place, &result)?;
        }
        Ok(())
    };
    if !args.expressions.is_empty() {
        for text in &args.expressions {
            one(text, "expression")?;
        }
    } else if io::stdin().is_terminal() {
        say("nothing to evaluate: give an expression, or one per line on standard input\n  \
             mdbook-cute eval '(4,8):(8,1)'");
        return Ok(Outcome::Misuse);
    } else {
        for (index, line) in io::stdin().lock().split(b'\n').enumerate() {
            // Bytes that are no UTF-8 become characters that no expression has: they fail as a
            // line, not as a stream.
            let line = line.context("cannot read standard input")?;
            let line = String::from_utf8_lossy(&line);
            if !line.trim().is_empty() {
                one(line.trim(), &format!("line {}", index + 1))?;
            }
        }
    }
    out.flush()?;
    Ok(outcome)
}

/// Writes a result; messages go to standard error, behind what was written so far.
fn write_text(
    out: &mut impl Write,
    text: &str,
    place: &str,
    result: &Result<Evaluated, Diagnostic>,
) -> Result<()> {
    let messages = match result {
        Ok(evaluated) => {
            writeln!(out, "{}", evaluated.value)?;
            evaluated.messages.as_slice()
        }
        Err(error) => std::slice::from_ref(error),
    };
    if !messages.is_empty() {
        out.flush()?;
    }
    for message in messages {
        say(&caret(message, place, text));
    }
    Ok(())
}
