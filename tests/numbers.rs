//! Expressions with the value that CuTe gives them, and what is said about it.
//!
//! In: `tests/data/algebra_*.jsonl`, one `expr` per line with its `result`, and with `says` where the
//! value carries messages: their codes. Out: nothing.

#![allow(clippy::unwrap_used, reason = "a broken data file should stop here")]

mod common;

use common::{records, text};
use mdbook_cute::expr::{Functions, Scope};
use serde_json::json;

fn check(data: &str) {
    let functions = Functions::core();
    let scope = Scope::new(&functions);
    let mut wrong = Vec::new();
    for record in records(data) {
        let expr = text(&record, "expr");
        let evaluated = match scope.statement(expr) {
            Ok(evaluated) => evaluated,
            Err(error) => {
                wrong.push(format!("{expr}: {error}"));
                continue;
            }
        };
        let got = evaluated.value.to_string();
        if got != text(&record, "result") {
            wrong.push(format!("{expr}\n  is {got}\n  right {}", record["result"]));
        }
        let codes: Vec<_> = evaluated.messages.iter().map(|message| message.code).collect();
        if record.get("says").is_some_and(|says| *says != json!(codes)) {
            wrong.push(format!("{expr} says {codes:?}, right {}", record["says"]));
        }
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn slices_of_swizzled_layouts_are_those_of_the_dsl() {
    check(include_str!("data/algebra_slices.jsonl"));
}

#[test]
fn numbers_are_those_of_cute_and_broken_contracts_are_told() {
    check(include_str!("data/algebra_numbers.jsonl"));
}
