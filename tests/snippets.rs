//! The code that figures give: which operations have it, in which language.
//!
//! What the code prints is compared by `dsl_snippets.py` and `cxx_snippets.py`, which need the
//! libraries; here stands what a reader of the facts finds.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test may stop at the first surprise"
)]

mod common;

use common::figures::{built, refusal, spec_of_line, spec_of_record};
use common::records;
use mdbook_cute::figure::Spec;
use serde_json::Value;

/// Builds a figure and returns its code in C++ and Python.
fn code(spec: &Spec) -> [Option<String>; 2] {
    let facts = built(spec).figure.facts;
    ["cxx", "python"].map(|name| facts.get(name).and_then(Value::as_str).map(str::to_owned))
}

fn lines() -> impl Iterator<Item = Value> {
    records(include_str!("data/snippets.jsonl"))
}

#[test]
fn every_listed_figure_has_code_where_the_library_has_the_call() {
    for keys in lines() {
        let [cxx, python] = code(&spec_of_record(&keys));
        assert!(python.is_some(), "{keys:?}");
        let text = |key: &str| keys.get(key).and_then(Value::as_str).unwrap_or_default();
        // Operations of the DSL only; CuTe C++ 4.2 picks no rows and reduces by adding only.
        let dsl_only = ["CopyG2SOp", "CopyG2ROp", "CopyR2GOp", "CopyDsmemStoreOp", "LdRed32x32bOp"];
        let none = (dsl_only.contains(&text("atom")) && cxx.is_none())
            || ["gather4", "scatter4"].contains(&text("mode"))
            || !["", "add"].contains(&text("reduction"));
        assert_eq!(cxx.is_none(), none, "{keys:?}: {cxx:?}");
    }
}

/// Each operation of copies and of TMA had to be written by itself: none may fall back to nothing.
#[test]
fn operations_of_copies_and_tma_have_their_own_calls() {
    let wanted = [
        ("op", "cotiled", "make_cotiled_copy(", "cute.make_cotiled_copy("),
        ("op", "like-d", "make_tiled_copy_D(", "cute.make_tiled_copy_D("),
        ("op", "retile", ".retile_", ".retile(cute.make_rmem_tensor("),
        ("op", "tmem", "make_tmem_copy(", "cute.nvgpu.tcgen05.make_tmem_copy("),
        ("op", "s2t", "make_utccp_copy(", "cute.nvgpu.tcgen05.make_s2t_copy("),
        ("op", "partition", "partition", "partition"),
        ("mode", "im2col", "make_im2col_tma_copy(", "cute.nvgpu.cpasync.make_im2col_tma_atom("),
    ];
    for (key, value, cxx, python) in wanted {
        let found: Vec<_> = lines().filter(|keys| keys.get(key) == Some(&value.into())).collect();
        assert!(!found.is_empty(), "{value}");
        for keys in found {
            let code = code(&spec_of_record(&keys));
            assert!(code[0].as_ref().is_none_or(|code| code.contains(cxx)), "{code:?}");
            assert!(code[1].as_ref().is_some_and(|code| code.contains(python)), "{code:?}");
        }
    }
}

fn one(line: &str) -> [Option<String>; 2] {
    code(&spec_of_line(line))
}

/// `like-s` without `base` looked for an atom `UniversalCopy<T>`, which there is not.
#[test]
fn a_copy_like_another_needs_no_name_for_the_other() {
    let [cxx, python] = one(
        "copy | op = like-s | atom = UniversalCopy<uint32_t> | dtype = f16 | thr = (4,8):(8,1) | val = (1,4):(4,1)",
    );
    assert!(cxx.unwrap().contains("UniversalCopy<uint_bit_t<64>>"));
    assert!(python.unwrap().contains("num_bits_per_copy=64"));
}

/// C++ refuses a type that would join the bits of two threads, and a staged tile; each was written.
#[test]
fn code_that_does_not_compile_is_not_written() {
    let [cxx, python] = one("copy | atom = SM75_U16x8_LDSM_T | dtype = f32");
    assert!(cxx.is_none() && python.is_some());
    // C++ has no `cp.async` of 2 bytes and no type of 24 bits.
    for bits in ["16", "24"] {
        let line = format!("copy | atom = CopyG2SOp | dtype = f16 | bits = {bits}");
        assert!(one(&line)[0].is_none(), "{bits}");
    }
    let [cxx, python] = one(
        "tma | gmem = (64,64):(64,1) | smem = (32,32,3):(32,1,1024) | tiler = (32,32) | dtype = f16",
    );
    assert!(cxx.unwrap().contains("make_layout(make_shape(Int<32>{}, Int<32>{}), make_stride("));
    assert!(python.unwrap().contains("(32, 32, 3)"));
}

/// The operation of a reducing store was read by nobody: all figures said that it adds.
#[test]
fn a_reducing_store_says_what_it_does() {
    let line = |reduction: &str| {
        format!(
            "tma | mode = reduce | reduction = {reduction} | gmem = (64,64):(64,1) | smem = (32,32):(32,1) | tiler = (32,32) | dtype = f16"
        )
    };
    let [cxx, python] = one(&line("max"));
    assert!(cxx.is_none());
    assert!(python.unwrap().contains("S2GOp(cute.ReductionKind.MAX)"));
    assert_eq!(
        refusal(&spec_of_line(&line("most"))),
        "`reduction` is one of add, min, max, inc, dec, and, or, xor, not `most`"
    );
}
