//! Figures as LaTeX, compiled: `cargo test --features tex-tests --test tex` needs `pdflatex`
//! (Debian: `texlive-latex-base texlive-pictures`).

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

mod common;

use common::figures::{built, spec_of_line};
use mdbook_cute::draw::tikz::tikz;
use std::fs;
use std::process::Command;

/// Figures of several kinds, and the size at which labels set as pgf text run for minutes.
const FIGURES: &[&str] = &[
    "layout | layout = (128,128):(128,1)",
    "layout | layout = S<3,3,3> o 0 o (8,64):(64,1)",
    "divide | op = zipped | A = (12,32):(32,1) | tiler = <3:1, 8:1>",
    "product | op = blocked | A = (2,5):(5,1) | tiler = (3,4):(1,3)",
    "tv | thr = (4,8):(8,1) | val = (2,2):(2,1)",
    "cutlass | type = RowMajorInterleaved<4> | extent = (8,6) | ldm = 28 | path = yes",
];

#[test]
fn documents_compile_to_one_page_of_the_pictures_size() {
    for (number, line) in FIGURES.iter().enumerate() {
        let built = built(&spec_of_line(line));
        let folder = tempfile::tempdir().unwrap();
        let name = format!("{number}.tex");
        fs::write(folder.path().join(&name), tikz(&built.figure)).unwrap();
        let run = Command::new("pdflatex")
            .args(["-interaction=nonstopmode", "-halt-on-error", &name])
            .current_dir(&folder)
            .output()
            .unwrap();
        let log = String::from_utf8_lossy(&run.stdout);
        assert!(run.status.success(), "{line}: {log}");
        assert!(log.contains("(1 page"), "{line}: {log}");
        if let Some(kept) = std::env::var_os("TEX_TESTS_KEEP") {
            let pdf = format!("{number}.pdf");
            fs::copy(folder.path().join(&pdf), std::path::Path::new(&kept).join(pdf)).unwrap();
        }
    }
}
