//! The code beside a figure was run in the library that it is for.
//!
//! `data/proofs.jsonl` has what each piece of code was proved to give, written by `cxx_snippets.py` and
//! `dsl_snippets.py` with CUTLASS's headers (4.2) and the CuTe DSL (4.8.1), which need no GPU but more
//! than this test may ask for. Here stands that no figure shows code without a line in that file, and
//! that the figure still says what the code was proved to give. `snippet_proofs.py` says how code is
//! proved again.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]

mod common;

use common::figures::{built, spec_of_record};
use common::renderer::Named;
use common::{records, text};
use mdbook_cute::book::Cute;
use mdbook_driver::MDBook;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

const LANGUAGES: [&str; 2] = ["cxx", "python"];

/// The proof of a piece of code in a language.
type Proofs = BTreeMap<(String, String), Value>;

fn proofs() -> Proofs {
    let mut proofs = Proofs::new();
    for line in records(include_str!("data/proofs.jsonl")) {
        let key = (text(&line, "language").to_owned(), text(&line, "code").to_owned());
        assert!(LANGUAGES.contains(&key.0.as_str()), "{line}");
        let proved = line["facts"].as_object().is_some_and(|facts| !facts.is_empty());
        let explained = line["unproved"].as_str().is_some_and(|reason| reason.len() > 20);
        assert!(proved != explained, "either proved or explained: {line}");
        assert!(proofs.insert(key, line).is_none(), "a line twice");
    }
    proofs
}

/// The facts of every figure of our book, of its gallery, and of the list of snippets.
fn figures() -> Vec<Map<String, Value>> {
    let mut book = MDBook::load(Path::new(env!("CARGO_MANIFEST_DIR")).join("book")).unwrap();
    let cute = Cute::new(|_| ());
    let catalogue = cute.catalogue();
    book.with_preprocessor(cute);
    book.preprocess_book(&Named("html")).unwrap();
    let catalogue: Value = serde_json::from_str(&catalogue.lock().unwrap().json()).unwrap();
    let shown = catalogue.as_array().unwrap().iter();
    let shown = shown.map(|figure| figure["facts"].as_object().unwrap().clone());
    let listed = records(include_str!("data/snippets.jsonl"));
    let listed = listed.map(|record| built(&spec_of_record(&record)).figure.facts.to_json());
    shown.chain(listed).collect()
}

#[test]
fn all_code_that_figures_show_was_proved() {
    let proofs = proofs();
    let mut shown = BTreeSet::new();
    let mut wrong = Vec::new();
    for facts in figures() {
        for language in LANGUAGES {
            let Some(code) = facts.get(language) else { continue };
            let key = (language.to_owned(), code.as_str().unwrap().to_owned());
            let Some(proof) = proofs.get(&key) else {
                wrong.push(format!("never proved: {language} {code}"));
                continue;
            };
            for (name, proved) in proof["facts"].as_object().into_iter().flatten() {
                if facts.get(name) != Some(proved) {
                    let now = facts.get(name).unwrap_or(&Value::Null);
                    wrong.push(format!("{language} {code}\n  proved {name} = {proved}, now {now}"));
                }
            }
            shown.insert(key);
        }
    }
    let how = "tests/snippet_proofs.py says how code is proved";
    assert!(wrong.is_empty(), "{} pieces of code; {how}\n{}", wrong.len(), wrong.join("\n"));
    let of = |language: &str| shown.iter().filter(|(of, _)| of == language).count();
    assert!(of("cxx") >= 300 && of("python") >= 300, "{} {}", of("cxx"), of("python"));
    let stale: Vec<_> = proofs.keys().filter(|key| !shown.contains(*key)).collect();
    assert!(stale.is_empty(), "code that no figure shows any more; {how}\n{stale:#?}");
}
