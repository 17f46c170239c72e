//! Any text is an expression or a refusal with a place inside of it, and what prints reads back.
//!
//! Run with `cargo +nightly fuzz run expression -- -dict=fuzz/notation.dict`.

#![no_main]

use libfuzzer_sys::fuzz_target;
use mdbook_cute::expr::{Functions, Scope, Value, report};

fuzz_target!(|text: &str| {
    let functions = Functions::core();
    let scope = Scope::new(&functions);
    let result = scope.statement(text);
    let _ = report::object(text, &result, 16);
    match &result {
        Err(error) => {
            let span = error.span.expect("every refusal has a place");
            assert!(span.start <= span.end && text.get(span.start..span.end).is_some());
            let _ = report::caret(error, "line 1", text);
        }
        Ok(evaluated) => {
            let printed = evaluated.value.to_string();
            let layout = matches!(
                evaluated.value,
                Value::Layout(_) | Value::Tensor(_) | Value::Tiler(_) | Value::Tuple(_)
            );
            // CuTe recasts an identity swizzle to a base that it does not keep when it is written.
            if layout && !printed.contains("S<0,") {
                let again = scope.evaluate(&printed).expect("what prints reads back");
                assert_eq!(again.value.to_string(), printed);
            }
        }
    }
});
