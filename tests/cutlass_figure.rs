//! Kind `cutlass`: what a block of it computes, draws and refuses.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test may stop at what it did not expect"
)]

mod common;

use common::figures::{self, spec};
use mdbook_cute::figure::{Body, Built, Kind, Mark};
use serde_json::json;

fn built(keys: &[(&str, &str)]) -> Built {
    figures::built(&spec(Kind::parse("cutlass").unwrap(), keys))
}

fn marks(built: &Built, panel: usize, mark: Mark) -> usize {
    match &built.figure.panels[panel].body {
        Body::Grids(slices) => slices
            .iter()
            .flat_map(|slice| &slice.grid.cells)
            .filter(|cell| cell.mark == mark)
            .count(),
        Body::Bits(_) => 0,
    }
}

fn refusal(keys: &[(&str, &str)]) -> String {
    let problems = figures::attempt(&spec(Kind::parse("cutlass").unwrap(), keys)).unwrap_err();
    assert_eq!(problems.len(), 1, "{problems:?}");
    problems[0].diagnostic.to_string()
}

#[test]
fn an_interleaved_matrix_has_its_facts() {
    let built = built(&[("type", "RowMajorInterleaved<4>"), ("extent", "(8,6)"), ("ldm", "24")]);
    let facts = built.figure.facts.to_json();
    assert_eq!(facts["cute"], "((4,2),6):((1,24),4)");
    assert_eq!(facts["class-rank"], 2);
    assert_eq!(facts["stride-rank"], 1);
    assert_eq!(facts["stride"], json!([24]));
    assert_eq!(facts["packed-stride"], json!([24]));
    assert_eq!(facts["capacity"], 48);
    assert_eq!(facts["has-inverse"], true);
    assert_eq!(facts["offsets"][7], 5);
    assert!(!facts.contains_key("transpose"));
    assert!(facts["python"].as_str().unwrap().starts_with("cute.make_layout(((4, 2), 6)"));
    assert!(built.warnings.is_empty());
    assert_eq!(built.figure.title, "RowMajorInterleaved<4> of 8x6, ldm 24");
}

#[test]
fn padding_up_to_the_capacity_is_drawn() {
    let padded = built(&[("type", "RowMajor"), ("extent", "(5,3)"), ("ldm", "8")]);
    assert_eq!(marks(&padded, 1, Mark::Hole), 25);
    assert_eq!(padded.figure.facts.get("transpose"), Some(&json!("ColumnMajor")));
    let short =
        built(&[("type", "AffineRank2ColumnMajor"), ("extent", "(4,8)"), ("stride", "(16,1)")]);
    assert_eq!(marks(&short, 1, Mark::Outside), 24);
    assert!(short.warnings.iter().any(|warning| warning.diagnostic.code == "cutlass-capacity"));
    let legend = |built: &Built| -> Vec<String> {
        built.figure.panels[1].legend.iter().map(|entry| entry.text.clone()).collect()
    };
    assert!(legend(&short).contains(&"not part of it".to_owned()), "grey had no meaning");
    assert!(!legend(&padded).contains(&"not part of it".to_owned()));
    let clash = built(&[("type", "RowMajor"), ("extent", "(4,8)"), ("ldm", "3")]);
    assert!(marks(&clash, 0, Mark::Twice) > 0);
}

#[test]
fn the_path_joins_cells_in_the_order_of_memory() {
    let built = built(&[("type", "ColumnMajor"), ("extent", "(2,3)"), ("path", "yes")]);
    let Body::Grids(slices) = &built.figure.panels[0].body else { panic!("no grid") };
    assert_eq!(slices[0].grid.path, [0, 3, 1, 4, 2, 5]);
}

#[test]
fn tensors_are_drawn_in_slices_and_large_ones_are_cut() {
    let nhwc = built(&[("type", "TensorNHWC"), ("extent", "(2,3,4,5)")]);
    let Body::Grids(slices) = &nhwc.figure.panels[0].body else { panic!("no grid") };
    assert_eq!(slices.len(), 6);
    assert_eq!(slices[4].title.as_deref(), Some("(1,1,_,_)"));
    let large = built(&[("type", "RowMajor"), ("extent", "(1000,1000)")]);
    assert!(large.figure.notes.iter().any(|note| note.code == "cut"));
    let huge =
        built(&[("type", "TensorNHWC"), ("extent", "(100000,1000,8,8)"), ("stride", "(8,64,64)")]);
    assert!(huge.figure.notes.iter().any(|note| note.code == "cut"));
    let volta =
        built(&[("type", "VoltaTensorOpMultiplicandCrosswise<16, 32>"), ("extent", "(32,64)")]);
    assert!(volta.figure.facts.get("cute").is_none());
    assert!(volta.figure.notes.iter().any(|note| note.code == "cutlass-cute"));
}

#[test]
fn refusals_stand_at_their_key() {
    assert!(
        refusal(&[("type", "RowMajr"), ("extent", "(8,6)")]).contains("did you mean `RowMajor`")
    );
    assert!(
        refusal(&[("type", "RowMajor"), ("extent", "(8,6,2)")])
            .contains("an extent of `RowMajor` has 2 numbers (row, column), not 3")
    );
    assert!(
        refusal(&[("type", "RowMajor"), ("extent", "(8,6)"), ("ldm", "8"), ("stride", "8")])
            .contains("give one of them")
    );
    assert!(
        refusal(&[("type", "TensorNHWC"), ("extent", "(1,2,2,4)"), ("ldm", "8")])
            .contains("`TensorNHWC::stride` has 3 numbers")
    );
    assert!(
        refusal(&[("type", "RowMajor"), ("extent", "(8,6)"), ("matrix", "row-major")])
            .contains("use `ContiguousMatrix`")
    );
    assert!(refusal(&[("type", "RowMajor")]).contains("extent"));
}
