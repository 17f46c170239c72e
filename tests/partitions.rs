//! Partitions of swizzled tensors: what the DSL prints, and who owns which offset.
//!
//! In: `tests/data/partitions.jsonl`, one printed partition per line. Out: nothing. The law counts the
//! offsets of each thread from the arrangement of threads and values alone.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a broken test should stop here")]

mod common;

use common::laws::{Case, law};
use common::{records, text};
use mdbook_cute::cute::{AnyLayout, Layout, Tensor, Tree};
use mdbook_cute::expr::{Functions, Scope, Value};
use mdbook_cute::hardware::copy::{CopyAtom, CopyRequest, Side, TiledCopy};
use mdbook_cute::hardware::dtype::ElementType;
use proptest::prelude::*;

fn layout(text: &str) -> AnyLayout {
    let functions = Functions::core();
    match Scope::new(&functions).statement(text).unwrap().value {
        Value::Layout(layout) => layout,
        other => panic!("{text}: {other}"),
    }
}

fn plain(text: &str) -> Layout {
    layout(text).plain().unwrap().clone()
}

fn copy(bits: i64, thr: &Layout, val: &Layout) -> TiledCopy {
    let dtype = ElementType::parse("f32");
    let request =
        CopyRequest { name: "universal", dtype, bits: Some(bits), ..CopyRequest::default() };
    TiledCopy::from_thr_val(CopyAtom::find(&request).unwrap(), thr, val).unwrap()
}

#[test]
fn partitions_are_as_the_dsl_prints_them() {
    for row in records(include_str!("data/partitions.jsonl")) {
        let tiled = copy(
            row["bits"].as_i64().unwrap(),
            &plain(text(&row, "thr")),
            &plain(text(&row, "val")),
        );
        let side = if row["side"] == "S" { Side::Source } else { Side::Destination };
        let tensor = Tensor { offset: Tree::Leaf(0), layout: layout(text(&row, "tensor")) };
        let part = tiled.partition(side, &tensor, row["thread"].as_i64().unwrap());
        assert_eq!(part.unwrap().to_string(), text(&row, "partition"), "{row}");
    }
}

/// A power of two up to `1 << top`.
fn power(top: u32) -> impl Strategy<Value = i64> {
    (0..=top).prop_map(|bits| 1_i64 << bits)
}

#[test]
fn every_thread_sees_the_offsets_of_its_elements() {
    let arrangement = (power(2), power(2), power(1), power(2), any::<bool>());
    let tensor = (1_i64..4, 0_i64..5, 0_i64..2, any::<bool>(), power(2), power(1), any::<bool>());
    law(
        60,
        60,
        (arrangement, tensor),
        |((tm, tn, vm, vn, row), (b, m, more, up, cm, cn, major))| {
            let (rows, cols) = (tm * vm * cm, tn * vn * cn);
            let shift = (b + more) * if up { -1 } else { 1 };
            let (down, right) = if major { (cols, 1) } else { (1, rows) };
            let thr = plain(&format!(
                "({tm},{tn}):({})",
                if row { format!("{tn},1") } else { format!("1,{tm}") }
            ));
            let val = plain(&format!("({vm},{vn}):({vn},1)"));
            let swizzled =
                layout(&format!("S<{b},{m},{shift}> o 0 o ({rows},{cols}):({down},{right})"));
            let swizzle = swizzled.swizzle().unwrap();
            let tensor = Tensor { offset: Tree::Leaf(0), layout: swizzled };
            let tiled = copy(32, &thr, &val);
            for thread in 0..tm * tn {
                let (i, j) =
                    if row { (thread / tn, thread % tn) } else { (thread % tm, thread / tm) };
                let mut owned = Vec::new();
                for r in (0..rows).filter(|r| r / vm % tm == i) {
                    for c in (0..cols).filter(|c| c / vn % tn == j) {
                        owned.push(swizzle.apply(r * down + c * right));
                    }
                }
                let part = tiled.partition(Side::Source, &tensor, thread).unwrap();
                let mut seen = Vec::new();
                for index in 0..part.layout.size() {
                    seen.push(*part.at(&Tree::Leaf(index)).unwrap().leaf().unwrap());
                }
                prop_assert_eq!(part.first().unwrap(), Tree::Leaf(seen[0]));
                let begins = swizzle.apply(i * vm * down + j * vn * right);
                prop_assert_eq!(seen[0], begins, "{} of thread {}", part, thread);
                seen.sort_unstable();
                owned.sort_unstable();
                prop_assert_eq!(
                    &seen,
                    &owned,
                    "{} of thread {} in {}",
                    part,
                    thread,
                    tensor.layout
                );
            }
            Ok(Case::Held)
        },
    );
}
