//! From a spec to HTML, for plain layouts of three sizes, beside a loop that writes as many bytes.
//!
//! Targets on one core: 8x8 in 0.02 ms, 64x64 in 1 ms, 128x128 in 4 ms, and at most 5 times the
//! plain loop.
#![allow(clippy::expect_used, reason = "a bench may stop at the first surprise")]

use mdbook_cute::draw::target::{Host, Labels, Theme};
use mdbook_cute::draw::{html, svg};
use mdbook_cute::expr::{Functions, Scope};
use mdbook_cute::figure::{Entry, Figure, Kind, Spec, build};
use std::hint::black_box;

fn main() {
    divan::main();
}

const SIDES: [u32; 3] = [8, 64, 128];

fn spec(side: u32) -> Spec {
    let layout = format!("({side},{side}):({side},1)");
    Spec::new(Kind::LAYOUT, vec![Entry::new("layout", layout)])
}

fn figure(side: u32) -> Figure {
    let functions = Functions::core();
    build(&spec(side), &Scope::new(&functions)).expect("a plain layout is a figure").figure
}

/// What a page of a book with the style sheet holds.
fn page(figure: &Figure) -> String {
    let setting = html::Setting::new("cute-layout-00000000");
    html::html(figure, &html::Setting { host: Host::Book, ..setting })
}

#[divan::bench(args = SIDES)]
fn spec_to_html(bencher: divan::Bencher<'_, '_>, side: u32) {
    let functions = Functions::core();
    let scope = Scope::new(&functions);
    let spec = spec(side);
    bencher.bench(|| {
        let built = build(black_box(&spec), &scope).expect("a plain layout is a figure");
        page(&built.figure)
    });
}

#[divan::bench(args = SIDES)]
fn spec_to_figure(bencher: divan::Bencher<'_, '_>, side: u32) {
    let functions = Functions::core();
    let scope = Scope::new(&functions);
    let spec = spec(side);
    bencher.bench(|| build(black_box(&spec), &scope).expect("a plain layout is a figure"));
}

#[divan::bench(args = SIDES)]
fn figure_to_html(bencher: divan::Bencher<'_, '_>, side: u32) {
    let figure = figure(side);
    bencher.bench(|| page(black_box(&figure)));
}

#[divan::bench(args = SIDES)]
fn figure_to_file(bencher: divan::Bencher<'_, '_>, side: u32) {
    let figure = figure(side);
    bencher.bench(|| svg::file(black_box(&figure), Theme::Light, Labels::Auto));
}

/// The least that anybody who writes these bytes has to do: a label a cell, number by number.
#[divan::bench(args = SIDES)]
fn plain_loop_of_as_many_bytes(bencher: divan::Bencher<'_, '_>, side: u32) {
    use std::fmt::Write;
    let bytes = page(&figure(side)).len();
    bencher.bench(|| {
        let mut out = String::new();
        let mut cell = 0_u32;
        while out.len() < bytes {
            let (x, y) = (cell % side * 30, cell / side * 22);
            write!(out, "<text x=\"{x}\" y=\"{y}\">{cell}</text>").expect("a string takes all");
            cell = black_box(cell + 1);
        }
        out
    });
}
