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
            // Taking the last page down is none of this one's time.
            browser.open("about:blank");
            let _ = browser.screenshot();
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

/// The figures of a page of a book, with style sheet and script.
fn merged(dir: &Path) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let program = std::env::var_os("MDBOOK_CUTE")
        .map_or_else(|| root.join("target/debug/mdbook-cute"), PathBuf::from);
    let mut chapter = String::from("# Grids\n");
    for number in 0..FIGURES {
        let stride = SIDE + number;
        chapter.push_str(&format!("\n```cute layout\n({SIDE},{SIDE}):({stride},1)\n```\n"));
    }
    fs::create_dir_all(dir.join("src")).unwrap();
    fs::write(dir.join("book.toml"), "[book]\ntitle = \"Load\"\n").unwrap();
    fs::write(dir.join("src/SUMMARY.md"), "[Grids](grids.md)\n").unwrap();
    fs::write(dir.join("src/grids.md"), chapter).unwrap();
    for command in ["install", "build"] {
        let made = Command::new(&program).arg(command).arg(dir).status();
        assert!(made.expect("`cargo build` has made the program").success());
    }
    let page = fs::read_to_string(dir.join("book/grids.html")).unwrap();
    let main = page.split("<main>").nth(1).and_then(|rest| rest.split("</main>").next()).unwrap();
    let asset = |name: &str| fs::read_to_string(dir.join(name)).unwrap();
    format!(
        "<!doctype html><style>html{{font-size:62.5%}}{}</style><main style=\"width:750px\">{main}</main>\
         <script>{}</script>",
        asset("mdbook-cute.css"),
        asset("mdbook-cute.js")
    )
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
