//! Any kind and keys are a figure whose work and output are bounded, or problems.
//!
//! The first line of the input is the kind, the others are `key = value`: what a JSON line of `facts`
//! or a block holds. Time and memory are limited by the flags of the run.

#![no_main]

use libfuzzer_sys::fuzz_target;
use mdbook_cute::draw::json::json;
use mdbook_cute::draw::target::{Labels, Theme};
use mdbook_cute::draw::{svg, text, tikz};
use mdbook_cute::expr::{Functions, Scope};
use mdbook_cute::figure::{Spec, build};
use mdbook_cute::hardware::functions::functions;
use std::sync::LazyLock;

static FUNCTIONS: LazyLock<Functions> = LazyLock::new(functions);

/// Entries of the longest list of a fact, and bytes of all that is written of a figure as JSON: some
/// lists of the longest.
const ENTRIES: usize = 4096;
const BYTES: usize = 4 << 20;

fuzz_target!(|input: &str| {
    let (kind, lines) = input.split_once('\n').unwrap_or((input, ""));
    let Ok(spec) = Spec::read(kind.trim(), lines) else { return };
    match build(&spec, &Scope::new(&FUNCTIONS)) {
        Err(problems) => assert!(!problems.is_empty()),
        Ok(built) => {
            for fact in built.figure.facts.iter() {
                assert!(
                    fact.value.as_array().is_none_or(|list| list.len() <= ENTRIES),
                    "{}",
                    fact.name
                );
            }
            let written = json(&built.figure, None).to_string();
            assert!(written.len() <= BYTES, "{} bytes of JSON", written.len());
            assert!(!svg::file(&built.figure, Theme::Light, Labels::Auto).is_empty());
            assert!(!text::text(&built.figure).is_empty());
            assert!(!tikz::tikz(&built.figure).is_empty());
        }
    }
});
