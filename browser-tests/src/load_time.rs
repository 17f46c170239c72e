//! How long a page of 20 labelled grids of 64 by 64 takes to load, against the same page with one
//! `<rect>` and one `<text>` a cell. Both are measured in one run; `benches/load-time.sh` starts it.
//!
//! In: the program `mdbook-cute` (`MDBOOK_CUTE`, or the debug build). Out: both times and their ratio.
//! Exit code 1: the page takes more than an eighth of the other's time.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a measurement that cannot go on panics"
)]

use browser_tests::Browser;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;

const FIGURES: usize = 20;
const SIDE: usize = 64;
const ROUNDS: usize = 3;

fn main() -> ExitCode {
    let dir = std::env::temp_dir().join(format!("cute-load-time-{}", std::process::id()));
    fs::create_dir_all(&dir).unwrap();
    fs::write(dir.join("merged.html"), merged(&dir)).unwrap();
    fs::write(dir.join("cells.html"), cells()).unwrap();
    let browser = Browser::start(1280, 900, &dir);
    let mut best = [f64::INFINITY; 2];
    for _ in 0..ROUNDS {
        for (best, page) in best.iter_mut().zip(["merged.html", "cells.html"]) {
            let start = Instant::now();
            browser.open(&format!("file://{}", dir.join(page).display()));
            // The picture of the window exists once everything is laid out and painted.
            let _ = browser.screenshot();
            *best = (start.elapsed().as_secs_f64() * 1000.0).min(*best);
        }
    }
    let nodes = |page: &str| {
        browser.open(&format!("file://{}", dir.join(page).display()));
        browser.run("return document.querySelectorAll('svg *').length")
    };
    let [merged, cells] = best;
    println!("merged paths   {merged:8.0} ms   {} nodes", nodes("merged.html"));
    println!("rect and text  {cells:8.0} ms   {} nodes", nodes("cells.html"));
    println!("ratio          1 : {:.1}", cells / merged);
    drop(browser);
    fs::remove_dir_all(&dir).unwrap();
    if merged * 8.0 <= cells { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The page as the book would have it: figures, style sheet and script.
fn merged(dir: &Path) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let program = std::env::var_os("MDBOOK_CUTE")
        .map_or_else(|| root.join("target/debug/mdbook-cute"), PathBuf::from);
    let asset = |name: &str| fs::read_to_string(root.join("assets").join(name)).unwrap();
    let mut out = format!(
        "<!doctype html><style>html{{font-size:62.5%}}{}</style>",
        asset("mdbook-cute.css")
    );
    out.push_str("<main style=\"width:750px\">");
    for number in 0..FIGURES {
        let file = dir.join(format!("{number}.html"));
        let layout = format!("({SIDE},{SIDE}):({},1)", SIDE + number);
        let made = Command::new(&program)
            .args(["render", "layout", &layout, "-o"])
            .arg(&file)
            .status()
            .expect("`cargo build` has made the program");
        assert!(made.success());
        out.push_str(&fs::read_to_string(file).unwrap());
    }
    out.push_str(&format!("</main><script>{}</script>", asset("mdbook-cute.js")));
    out
}

fn cells() -> String {
    let mut out = String::from("<!doctype html><main style=\"width:750px\">");
    for number in 0..FIGURES {
        out.push_str("<svg viewBox=\"0 0 2048 2048\" width=\"740\">");
        for row in 0..SIDE {
            for col in 0..SIDE {
                let (x, y) = (col * 32, row * 32);
                let value = row * (SIDE + number) + col;
                out.push_str(&format!(
                    "<rect x=\"{x}\" y=\"{y}\" width=\"32\" height=\"32\" fill=\"hsl({} 60% 80%)\" stroke=\"#000\"/>\
                     <text x=\"{}\" y=\"{}\" font-size=\"11\" text-anchor=\"middle\">{value}</text>",
                    value % 360,
                    x + 16,
                    y + 20
                ));
            }
        }
        out.push_str("</svg>");
    }
    out.push_str("</main>");
    out
}
