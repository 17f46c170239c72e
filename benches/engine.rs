//! How fast the engine is: reading, composing, walking a domain, and the oracle's questions at once.

#![allow(clippy::unwrap_used, reason = "a bench that cannot run should stop")]

use divan::{Bencher, black_box, counter::ItemsCount};
use mdbook_cute::cute::algebra::composition;
use mdbook_cute::cute::{AnyLayout, Tiler};
use mdbook_cute::expr::{Functions, Scope, parse, report};

fn main() {
    divan::main();
}

fn layout(text: &str) -> AnyLayout {
    let functions = Functions::core();
    Scope::new(&functions).layout(text).unwrap().0
}

#[divan::bench(args = [
    "(4,8):(8,1)",
    "Sw<3,4,3> o smem_ptr[16b](unset) o ((_8,_16),(_64,_1)):((_64,_512),(_1,_0))",
    "zipped_divide(composition(((4,8),(2,2,2)):((32,1),(16,8,128)), <4,8>), (2,2))",
])]
fn read(text: &str) {
    black_box(parse(black_box(text))).unwrap();
}

#[divan::bench(args = ["4:2", "(4,8):(8,1)", "((2,2),(4,4)):((1,64),(4,256))"])]
fn compose(bencher: Bencher<'_, '_>, tiler: &str) {
    let a = layout("((8,16),(64,2)):((64,512),(1,8192))");
    let AnyLayout::Plain(b) = layout(tiler) else { return };
    let b = Tiler::Layout(b);
    bencher.bench_local(|| composition(black_box(&a), black_box(&b)));
}

#[divan::bench(args = [
    "(64,64):(64,1)",
    "S<3,4,3> o 0 o (64,64):(64,1)",
    "(1000,1000):(1000,1)",
    "((10,100),(10,100)):((1,1000),(10,10000))",
    "S<3,4,3> o 0 o (1000,1000):(1000,1)",
])]
fn offsets(bencher: Bencher<'_, '_>, text: &str) {
    let a = layout(text);
    bencher
        .counter(ItemsCount::new(usize::try_from(a.size()).unwrap()))
        .bench_local(|| black_box(&a).offsets());
}

#[divan::bench(args = ["(64,64):(1@0,1@1)", "(1000,1000):(1@0,1@1)"])]
fn coordinates(bencher: Bencher<'_, '_>, text: &str) {
    let AnyLayout::Plain(a) = layout(text) else { return };
    bencher.counter(ItemsCount::new(usize::try_from(a.size()).unwrap())).bench_local(|| {
        let mut values = black_box(&a).values().unwrap();
        let mut sums = [0; 2];
        let mut total = 0;
        while values.next_sums(&mut sums) {
            total += sums[0] + sums[1];
        }
        total
    });
}

/// The layouts of the oracle: each read, divided, composed with itself and reported as JSON.
#[divan::bench]
fn oracle(bencher: Bencher<'_, '_>) {
    let expressions: Vec<String> = [
        include_str!("../tests/data/oracle/algebra.jsonl"),
        include_str!("../tests/data/oracle/basis.jsonl"),
        include_str!("../tests/data/oracle/swizzle.jsonl"),
    ]
    .into_iter()
    .flat_map(str::lines)
    .filter_map(question)
    .collect();
    let functions = Functions::core();
    bencher.counter(ItemsCount::new(expressions.len())).bench_local(|| {
        let scope = Scope::new(&functions);
        expressions
            .iter()
            .map(|text| report::object(text, &scope.statement(text), 512).to_string().len())
            .sum::<usize>()
    });
}

/// Writes a record with the operands `a` and `b` as a call; other records are the layout `a`.
fn question(line: &str) -> Option<String> {
    let record: serde_json::Value = serde_json::from_str(line).ok()?;
    let (op, a) = (record["op"].as_str()?, record["a"].as_str()?);
    let functions = Functions::core();
    let call = match (record["b"].as_str(), functions.get(op)) {
        (Some(b), Some(function)) if function.params.len() >= 2 => format!("{op}({a}, {b})"),
        (None, Some(function)) if function.params.len() == 1 => format!("{op}({a})"),
        _ => a.to_owned(),
    };
    Some(call)
}
