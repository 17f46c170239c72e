//! The notation from text to value: pasted forms, refusals, and what holds for every text.
//!
//! In: `tests/data/pasted.jsonl` (a text, its printed value, element width and byte swizzle) and
//! `tests/data/refused.jsonl` (a text, the place and the words of its refusal).

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a broken test file should stop here")]

mod common;

use common::laws::{Case, law};
use common::{records, text};
use mdbook_cute::expr::{Evaluated, Functions, Scope, Value, report};
use proptest::prelude::*;
use serde_json::json;
use std::cell::Cell;

fn evaluate(text: &str) -> Result<Evaluated, mdbook_cute::diagnostic::Diagnostic> {
    Scope::new(&Functions::core()).statement(text)
}

fn printed(text: &str) -> String {
    match evaluate(text) {
        Ok(evaluated) => evaluated.value.to_string(),
        Err(error) => panic!("{text}: {error}"),
    }
}

#[test]
fn printed_forms_paste_as_they_are() {
    for record in records(include_str!("data/pasted.jsonl")) {
        let text = text(&record, "text");
        let evaluated = evaluate(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(json!(evaluated.value.to_string()), record["is"], "{text}");
        assert_eq!(json!(evaluated.element_bits), record["bits"], "{text}");
        assert_eq!(
            json!(evaluated.value.byte_swizzle().map(|s| s.to_string())),
            record["bytes"],
            "{text}"
        );
    }
}

/// Calls as C++ and the DSL write them; `cxx_snippets.py` and `dsl_snippets.py` prove the file.
#[test]
fn calls_of_both_languages_give_what_the_libraries_print() {
    let functions = mdbook_cute::hardware::functions::functions();
    for record in records(include_str!("data/calls.jsonl")) {
        let facts = &record["facts"];
        let code = facts["cxx"].as_str().or(facts["python"].as_str()).expect("a piece of code");
        let value = Scope::new(&functions).evaluate(code).map(|evaluated| evaluated.value);
        let value = value.unwrap_or_else(|error| panic!("{code}: {error}"));
        assert_eq!(json!(value.to_string()), facts["result"], "{code}");
    }
}

/// The code beside every figure of the book, of its gallery and of the list of snippets.
#[test]
fn code_of_figures_reads_back() {
    let functions = mdbook_cute::hardware::functions::functions();
    let (mut read, mut copies) = (0, 0);
    for proof in records(include_str!("data/proofs.jsonl")) {
        let facts = &proof["facts"];
        let Some(result) = facts["result"].as_str() else { continue };
        let code = text(&proof, "code");
        if code.contains("tiled_copy") || code.contains("tmem_copy") {
            copies += 1;
            continue;
        }
        let value = Scope::new(&functions).evaluate(code).map(|evaluated| evaluated.value);
        let value = value.unwrap_or_else(|error| panic!("{code}: {error}")).to_string();
        // A tensor prints its offset in front, and a TV layout comes with its tiler.
        let wanted = value == result
            || value.ends_with(&format!(" o {result}"))
            || value.ends_with(&format!(",{result})"));
        assert!(wanted, "{code}: {value}, the figure has {result}");
        read += 1;
    }
    assert_eq!((read, copies), (488, 4));
}

#[test]
fn refusals_point_at_the_place() {
    for record in records(include_str!("data/refused.jsonl")) {
        let says = text(&record, "says");
        let text = text(&record, "text");
        let error = match evaluate(text) {
            Err(error) => error,
            Ok(evaluated) => panic!("{text} gives {}", evaluated.value),
        };
        assert!(error.text.contains(says), "{text}: {}", error.text);
        let span = error.span.unwrap_or_else(|| panic!("{text}: no place"));
        assert!(span.start <= span.end && span.end <= text.len(), "{text}: {span:?}");
        if let Some(at) = record.get("at") {
            let span = span.in_chars(text);
            assert_eq!(json!([span.start, span.end]), *at, "{text}: {}", error.text);
        }
        if let Some(hint) = record.get("hints") {
            let given = error.hint.clone().unwrap_or_default();
            assert!(given.contains(hint.as_str().unwrap()), "{text}: {given}");
        }
        assert!(!error.text.ends_with('.'), "{}", error.text);
        assert!(error.code != "syntax" || error.hint.is_some(), "{text}: no hint");
    }
}

#[test]
fn nesting_has_a_limit() {
    for (open, close) in [("(", ")"), ("<", ">"), ("size(", ")"), ("Int<", ">")] {
        let text = format!("{}4{}", open.repeat(100_000), close.repeat(100_000));
        let error = evaluate(&text).unwrap_err();
        assert_eq!(error.code, "depth");
    }
    let calls = format!("(4:1){}", "(0)".repeat(100_000));
    assert_eq!(evaluate(&calls).unwrap_err().code, "depth");
    let fine =
        format!("{}4{}:{}1{}", "(".repeat(60), ")".repeat(60), "(".repeat(60), ")".repeat(60));
    assert!(evaluate(&fine).is_ok());
}

#[test]
fn names_carry_what_is_known_about_them() {
    let functions = Functions::core();
    let mut scope = Scope::new(&functions);
    let smem = "Sw<3,4,3> o smem_ptr[16b](unset) o (_8,_64):(_64,_1)";
    scope.define("A", scope.evaluate(smem).unwrap()).unwrap();
    scope.define("bad", scope.evaluate("S<3,4,2>").unwrap()).unwrap();
    let tile = scope.evaluate("(4,64)").unwrap();
    scope.define("tile", tile).unwrap();
    let divided = scope.evaluate("flat_divide(A, tile)").unwrap();
    assert_eq!(divided.element_bits, Some(16));
    assert_eq!(divided.value.to_string(), "S<3,3,3> o 0 o (4,64,2,1):(64,1,256,0)");
    let bad = scope.evaluate("bad o (8,8)").unwrap();
    assert_eq!(bad.messages[0].code, "swizzle-identity");
    assert!(scope.define("o", Evaluated::of(Value::None)).is_err());
    assert!(scope.define("4x", Evaluated::of(Value::None)).is_err());
    let error = scope.evaluate("size(til)").unwrap_err();
    assert_eq!(error.hint.as_deref(), Some("did you mean `tile`?"));
}

#[test]
fn names_cannot_grow_without_end() {
    let functions = Functions::core();
    let mut scope = Scope::new(&functions);
    scope.define("a", scope.evaluate("(1,1)").unwrap()).unwrap();
    let grown = (0..100).find_map(|_| {
        match scope.evaluate("(a,a)") {
            Ok(twice) => scope.define("a", twice).unwrap(),
            Err(error) => return Some(error),
        }
        None
    });
    assert_eq!(grown.unwrap().code, "size");
    assert!(evaluate("append_ones(4:1, 1000000000000)").is_err());
}

#[test]
fn a_message_shows_the_place() {
    let text = "zipped_divide((4,8):((8,1),2), <2,2>)";
    let shown = report::caret(&evaluate(text).unwrap_err(), "line 1", text);
    assert!(shown.contains("line 1:1:21"), "{shown}");
    assert!(shown.contains("^^^^^^^^^"), "{shown}");
}

/// Cases 1 to 10 of the requirements that users of layout tools write down.
mod cases {
    use super::*;

    fn warnings(text: &str) -> Vec<String> {
        let messages = evaluate(text).unwrap_or_else(|error| panic!("{text}: {error}")).messages;
        messages.into_iter().map(|message| message.text).collect()
    }

    #[test]
    fn rank_three_evaluates_at_coordinates_and_indices() {
        let values = [("(1,2,3)", 23), ("(0,1,0)", 4), ("5", 20), ("23", 23)];
        for (coord, value) in values {
            let text = format!("crd2idx({coord}, (2,3,4):(12,4,1))");
            assert_eq!(printed(&text), value.to_string());
        }
    }

    #[test]
    fn coordinate_layouts_have_coordinates_as_values() {
        let tma = "(((128,64),2,3,1):((1@0,1@1),64@1,1@2,1@3))((5,6),1,2,0)";
        assert_eq!(printed(tma), "(5,70,2,0)");
    }

    #[test]
    fn a_composition_that_is_no_layout_draws_a_warning() {
        let evaluated = evaluate("composition((4,6,8):(2,3,5), 6:3)").unwrap();
        assert_eq!(evaluated.value.to_string(), "(2,3):(6,3)");
        let warning = &evaluated.messages[0];
        assert_eq!(warning.code, "contract");
        assert!(warning.text.contains("at index 2"), "{}", warning.text);
        let a = "((4,6,8):(2,3,5))";
        let table: Vec<String> = (0..6).map(|i| printed(&format!("{a}((6:3)({i}))"))).collect();
        assert_eq!(table, ["0", "6", "7", "8", "9", "15"]);
    }

    #[test]
    fn the_least_integer_divided_by_minus_one_is_refused() {
        // The remainder, not only the quotient, overflowed here and stopped the program.
        for text in ["shape_div(-9223372036854775808, -1)", "shape_div(-1, -9223372036854775808)"] {
            let refused = evaluate(text).unwrap_err();
            assert!(refused.text.contains("do not divide each other"), "{}", refused.text);
        }
        assert!(evaluate("shape_div(4, 0)").is_err());
    }

    #[test]
    fn solve_finds_the_layout_to_compose_with() {
        let text = "solve((8,6):(6,1), (8,3,2):(3,1,24))";
        assert_eq!(printed(text), "((2,4),3,2):((24,1),8,4)");
        let inverse = "composition(right_inverse((8,6):(6,1)), (8,3,2):(3,1,24))";
        assert_eq!(printed(inverse), printed(text));
        let same = format!("equal((8,6):(6,1) o ({}), (8,3,2):(3,1,24))", printed(text));
        assert_eq!(printed(&same), "true");
        assert!(evaluate("solve((8,6):(12,1), 4:3)").unwrap_err().text.contains("index 2"));
    }

    #[test]
    fn the_complement_of_an_overlap_names_the_clash() {
        let error = evaluate("complement((4,3):(1,2), 24)").unwrap_err();
        assert!(error.text.contains("offset 2 is hit by index 2 and index 4"), "{error}");
    }

    #[test]
    fn a_layout_tiler_and_a_shape_tiler_differ() {
        let a = "(12,32):(1,12)";
        let by_layout = printed(&format!("logical_divide({a}, (4,8):(1,4))"));
        assert_eq!(by_layout, "((4,8),12):((1,4),32)");
        let by_shape = printed(&format!("zipped_divide({a}, (4,8))"));
        assert_eq!(by_shape, "((4,8),(3,4)):((1,12),(4,96))");
    }

    #[test]
    fn a_kept_mode_that_is_torn_draws_a_warning() {
        let zipped = "zipped_divide((12,(4,8)):(7,(1,30)), <2,_>)";
        assert_eq!(printed(zipped), "((2,4),(6,8)):((7,1),(14,30))");
        assert!(warnings(zipped)[0].contains("mode 1"));
        let logical = "logical_divide((12,(4,8)):(7,(1,30)), <2,_>)";
        assert_eq!(printed(logical), "((2,6),(4,8)):((7,14),(1,30))");
        assert!(warnings(logical).is_empty());
    }

    #[test]
    fn uneven_tiles_round_up() {
        assert_eq!(printed("logical_divide(1000:1, 128)"), "(128,8):(1,128)");
        assert_eq!(printed("idx2crd(1000, (128,8))"), "(104,7)");
    }

    #[test]
    fn a_product_that_overlaps_draws_a_warning() {
        let text = "logical_product((16,8,8):(1,16,128), <4:1,2:1>)";
        assert_eq!(printed(text), "((16,4),(8,2),8):((1,16),(16,1),128)");
        assert!(warnings(text)[0].contains("overlaps"));
    }

    #[test]
    fn equality_names_the_first_difference() {
        let text = "equal((4,4):(1,4), (4,4):(4,1))";
        assert_eq!(printed(text), "false");
        assert!(warnings(text)[0].contains("index 1: 1 and 4"));
        assert_eq!(printed("equal((2,2):(1,2), 4:1)"), "true");
    }

    #[test]
    fn a_pointer_swizzle_counts_bytes() {
        let half = "Sw<3,4,3>_smem_ptr[16b](0x400) o (8,64):(64,1)";
        let rows: Vec<String> = (0..8).map(|row| printed(&format!("({half})({row},0)"))).collect();
        assert_eq!(rows, ["0", "72", "144", "216", "288", "360", "432", "504"]);
        let float = "Sw<3,4,3>_smem_ptr[32b](0x400) o (32,8):(1,32)";
        assert_eq!(printed(&format!("({float})(0,1)")), "36");
        let elements = "S<3,4,3> o 0 o (8,64):(64,1)";
        let rows: Vec<String> =
            (0..8).map(|row| printed(&format!("({elements})({row},0)"))).collect();
        assert_eq!(rows, ["0", "64", "144", "208", "288", "352", "432", "496"]);
    }
}

fn int_tuple(depth: u32) -> impl Strategy<Value = String> {
    let leaf = (-9_i64..200).prop_map(|value| value.to_string());
    leaf.prop_recursive(depth, 12, 4, |inner| {
        prop::collection::vec(inner, 0..4).prop_map(|modes| format!("({})", modes.join(",")))
    })
}

/// A shape with a stride of the same nesting, as text.
fn layout() -> impl Strategy<Value = String> {
    let leaf = (
        1_i64..9,
        prop_oneof![
            (-4_i64..40).prop_map(|stride| stride.to_string()),
            (0_i64..9, 0_usize..3).prop_map(|(value, mode)| format!("{value}@{mode}")),
        ],
    );
    let leaf = leaf.prop_map(|(shape, stride)| (shape.to_string(), stride));
    leaf.prop_recursive(3, 8, 3, |inner| {
        prop::collection::vec(inner, 0..4).prop_map(|modes| {
            let (shapes, strides): (Vec<_>, Vec<_>) = modes.into_iter().unzip();
            (format!("({})", shapes.join(",")), format!("({})", strides.join(",")))
        })
    })
    .prop_map(|(shape, stride)| format!("{shape}:{stride}"))
}

fn printable() -> impl Strategy<Value = String> {
    prop_oneof![
        layout(),
        (0_u32..4, 0_u32..6, -6_i32..6, 0_i64..99, layout())
            .prop_map(|(b, m, s, offset, layout)| format!("S<{b},{m},{s}> o {offset} o {layout}")),
        (0_i64..99, layout()).prop_map(|(offset, layout)| format!("{offset} o {layout}")),
        (layout(), layout()).prop_map(|(a, b)| format!("<{a},_,{b},4>")),
        (layout(), 0_i64..9, layout()).prop_map(|(a, offset, b)| format!("{a} o {offset} o {b}")),
        int_tuple(3).prop_map(|tuple| format!("flatten({tuple})")),
        (layout(), layout()).prop_map(|(a, b)| format!("make_layout_tv({a}, {b})")),
    ]
}

/// Pieces of the notation, so that random texts get past the first character.
fn soup() -> impl Strategy<Value = String> {
    let pieces = vec![
        "(",
        ")",
        "<",
        ">",
        "[",
        "]",
        "{",
        "}",
        "{}",
        ",",
        ":",
        "=",
        "@",
        "?",
        "_",
        " o ",
        "o",
        "\u{2218}",
        "0",
        "1",
        "2",
        "4",
        "-3",
        "_8",
        "_-1",
        "64",
        "9223372036854775807",
        "1@0",
        "1.5",
        "0x400",
        "S<3,4,3>",
        "Sw<",
        "Int<",
        "E<",
        "Layout<",
        "Shape<",
        "tensor<",
        "ptr<f16, smem>",
        "smem_ptr[16b](unset)",
        "_smem_ptr[8b](0x7)",
        "counting_iter(",
        "ArithTuple(",
        "None",
        "X",
        "size(",
        "composition(",
        "complement(",
        "zipped_divide(",
        "raked_product(",
        "coalesce(",
        "right_inverse(",
        "left_inverse(",
        "slice(",
        "local_tile(",
        "recast_layout(",
        "solve(",
        "shape_div(",
        "-9223372036854775808",
        "make_layout_tv(",
        "tile_to_shape(",
        "idx2crd(",
        "append(",
        "cute.",
        "cute::",
        "\"",
        "'",
        "\\",
        "\n",
        "\u{e9}",
        "4:1",
        "(4,8):(8,1)",
        "mode=",
        "stride=",
        "get(",
        "group_modes(",
        "tensor(raw_ptr(0x4: f32) o ",
        "Tensor<0x4@gmem o ",
        "make_layout(",
        "upcast<2>(",
        "get<0>(",
        "auto a = ",
        ".shape",
        ";",
        " - ",
        "/",
        "*",
        "+",
    ];
    prop::collection::vec(prop::sample::select(pieces), 0..24).prop_map(|pieces| pieces.concat())
}

/// Random cases of each law.
const CASES: u32 = 2000;

/// Whatever a value prints is an expression of the same value.
#[test]
fn a_printed_value_reads_back() {
    law(CASES, 1200, printable(), |text| {
        let Ok(first) = evaluate(&text) else { return Ok(Case::PassedOver) };
        let printed = first.value.to_string();
        let again = Scope::new(&Functions::core()).evaluate(&printed);
        prop_assert!(again.is_ok(), "{text} prints {printed}: {again:?}");
        // Several results print as a tuple, which reads back as a tiler.
        if matches!(first.value, Value::Items(_)) {
            return Ok(Case::PassedOver);
        }
        prop_assert_eq!(again.unwrap().value, first.value);
        Ok(Case::Held)
    });
}

/// Any text gives a result or a refusal with a place inside of it, never a panic.
#[test]
fn any_text_gives_a_result_or_a_place() {
    let accepted = Cell::new(0);
    law(CASES, 1900, soup(), |text| {
        let result = evaluate(&text);
        let _ = report::object(&text, &result, 16);
        let Err(error) = &result else {
            accepted.set(accepted.get() + 1);
            return Ok(Case::PassedOver);
        };
        let span = error.span.expect("every refusal has a place");
        prop_assert!(span.start <= span.end && span.end <= text.len());
        prop_assert!(text.is_char_boundary(span.start) && text.is_char_boundary(span.end));
        let _ = report::caret(error, "line 1", &text);
        Ok(Case::Held)
    });
    assert!(accepted.get() >= 3, "{} texts have a value", accepted.get());
}

#[test]
fn any_characters_give_a_result_or_a_place() {
    law(CASES, 1900, "\\PC{0,40}", |text| {
        let result = evaluate(&text);
        let _ = report::object(&text, &result, 16);
        Ok(if result.is_err() { Case::Held } else { Case::PassedOver })
    });
}
