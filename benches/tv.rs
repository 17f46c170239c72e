//! How long a `tv` figure takes with both checks, and its parts: `cargo bench --bench tv`.
#![allow(missing_docs, clippy::unwrap_used, reason = "a bench stops at the first surprise")]

use mdbook_cute::draw::html::{Setting, html};
use mdbook_cute::expr::Scope;
use mdbook_cute::figure::{Entry, Kind, Spec, build};
use mdbook_cute::hardware::functions::functions;
use mdbook_cute::hardware::memory::{
    AddressMap, LaneAccess, bank_conflicts, coalescing, vector_width,
};

fn main() {
    divan::main();
}

fn spec(entries: &[(&str, &str)]) -> Spec {
    Spec::new(
        Kind::parse("tv").unwrap(),
        entries.iter().map(|(key, value)| Entry::new(*key, *value)).collect(),
    )
}

/// 1024 threads of 16 values on 128x128, free of conflicts; 128-bit accesses.
const WIDE: &[(&str, &str)] = &[
    ("thr", "(128,8):(8,1)"),
    ("val", "(1,16):(16,1)"),
    ("gmem", "(128,128):(128,1)"),
    ("smem", "S<3,3,4> o 0 o (128,128):(128,1)"),
    ("dtype", "f16"),
];

/// The same tile element by element, with conflicts and a search for advice.
const NARROW: &[(&str, &str)] = &[
    ("tv", "(1024,16):(1,1024)"),
    ("tile", "(128,128)"),
    ("gmem", "(128,128):(128,1)"),
    ("smem", "(128,128):(128,1)"),
    ("dtype", "f16"),
];

#[divan::bench(args = [WIDE, NARROW])]
fn figure_with_both_checks(bencher: divan::Bencher<'_, '_>, entries: &[(&str, &str)]) {
    let functions = functions();
    let scope = Scope::new(&functions);
    let spec = spec(entries);
    bencher.bench(|| build(&spec, &scope).unwrap());
}

#[divan::bench(args = [WIDE, NARROW])]
fn element_of_a_page(bencher: divan::Bencher<'_, '_>, entries: &[(&str, &str)]) {
    let functions = functions();
    let built = build(&spec(entries), &Scope::new(&functions)).unwrap();
    bencher.bench(|| html(&built.figure, &Setting::new("id")));
}

#[divan::bench(args = [1, 8])]
fn checks_alone(bencher: divan::Bencher<'_, '_>, vector: i64) {
    let (threads, values) = (1024_i64, 16);
    let offsets = (0..values).flat_map(|v| (0..threads).map(move |t| (t, v)));
    let offsets = offsets.map(|(t, v)| Some(v % vector + vector * (t + threads * (v / vector))));
    let map = AddressMap::new(1024, 16, 16, 0, offsets).unwrap();
    bencher.bench(|| {
        let width = vector_width(&map, 16);
        let access = LaneAccess::Vector { elements: width.elements, bits: width.bits };
        (coalescing(&map, &width), bank_conflicts(&map, access))
    });
}
