//! `facts`: figures as JSON lines in, what they computed as JSON lines out.
//!
//! In: one figure a line, with the keys of a block. Out: one object a line. Invariant: a wrong
//! figure does not stop the next one.

use super::spec::from_json;
use super::{Outcome, say};
use crate::draw::json;
use crate::expr::Scope;
use crate::figure::{Part, Problem, Spec, build};
use crate::hardware::functions::functions;
use anyhow::{Context, Result};
use serde_json::{Map, Value as Json, json};
use std::io::{self, BufRead, IsTerminal, Write};

/// Compute figures and print their facts as JSON, one object per line
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:
  echo '{\"kind\": \"layout\", \"layout\": \"(4,8):(8,1)\"}' | mdbook-cute facts")]
pub(super) struct Args {}

pub(super) fn run(_: &Args) -> Result<Outcome> {
    if io::stdin().is_terminal() {
        say("nothing to compute: write one figure per line to standard input\n  \
             echo '{\"kind\": \"layout\", \"layout\": \"(4,8):(8,1)\"}' | mdbook-cute facts");
        return Ok(Outcome::Misuse);
    }
    let functions = functions();
    let scope = Scope::new(&functions);
    let mut out = io::BufWriter::new(io::stdout().lock());
    let mut outcome = Outcome::Done;
    for line in io::stdin().lock().lines() {
        let line = line.context("cannot read standard input")?;
        if line.trim().is_empty() {
            continue;
        }
        let object = match from_json(&line) {
            Ok(spec) => facts(&spec, &scope),
            Err(diagnostic) => {
                let spec = Spec::new(crate::figure::Kind::LAYOUT, Vec::new());
                Err(error(&spec, &Problem { part: Part::Figure, diagnostic }))
            }
        };
        let object = object.unwrap_or_else(|error| {
            outcome = Outcome::Wrong;
            error
        });
        serde_json::to_writer(&mut out, &object)?;
        writeln!(out)?;
    }
    out.flush()?;
    Ok(outcome)
}

fn facts(spec: &Spec, scope: &Scope<'_>) -> Result<Json, Json> {
    match build(spec, scope) {
        Ok(built) => Ok(json::json(&built.figure, spec.get("id").map(str::trim))),
        Err(problems) => Err(problems.first().map_or(Json::Null, |first| error(spec, first))),
    }
}

fn error(spec: &Spec, problem: &Problem) -> Json {
    let mut out = Map::new();
    out.insert("error".to_owned(), problem.diagnostic.text.clone().into());
    let (key, span) = problem.key_and_span(&spec.entries);
    if let Some(key) = key {
        out.insert("key".to_owned(), key.into());
    }
    if let Some(span) = span {
        out.insert("span".to_owned(), json!([span.start, span.end]));
    }
    out.insert("code".to_owned(), problem.diagnostic.code.into());
    if let Some(hint) = &problem.diagnostic.hint {
        out.insert("hint".to_owned(), hint.clone().into());
    }
    Json::Object(out)
}
