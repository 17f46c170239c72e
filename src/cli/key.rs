//! `key`: a deep link of the browser tool becomes a block.
//!
//! In: links. Out: blocks to paste, on standard output. Invariant: what is printed draws the figure
//! that the link showed, or the link is refused.

use super::{Outcome, printable, say_at};
use crate::book::block::block_text;
use crate::book::deep_link::spec_of;
use crate::expr::Scope;
use crate::figure::build;
use crate::hardware::functions::functions;
use anyhow::Result;
use std::io::{self, Write};

/// Turn deep links of the browser tool into blocks
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:
  mdbook-cute key '?key=tv-2-(2,3):(3,1)-(2,2):(2,1)'")]
pub(super) struct Args {
    /// Links: whole addresses, `?key=...`, or the text after `key=`
    #[arg(required = true)]
    links: Vec<String>,
}

pub(super) fn run(args: &Args) -> Result<Outcome> {
    let functions = functions();
    let scope = Scope::new(&functions);
    let mut outcome = Outcome::Done;
    let mut out = io::stdout().lock();
    for (number, link) in args.links.iter().enumerate() {
        match spec_of(link) {
            Ok(spec) => {
                if number > 0 {
                    writeln!(out)?;
                }
                write!(out, "{}", printable(&block_text(&spec)))?;
                // The block is what was asked for even if it is wrong; its author should know.
                for problem in build(&spec, &scope).err().into_iter().flatten() {
                    outcome = Outcome::Wrong;
                    say_at(link, &problem.diagnostic);
                }
            }
            Err(diagnostic) => {
                outcome = Outcome::Wrong;
                say_at(link, &diagnostic);
            }
        }
    }
    Ok(outcome)
}
