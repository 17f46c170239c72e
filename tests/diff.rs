//! Kind `diff` against its definition, by code of its own.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]

use mdbook_cute::cute::{Layout, Tree};
use mdbook_cute::expr::Scope;
use mdbook_cute::figure::input::kind::entries;
use mdbook_cute::figure::{Built, Kind, Spec, build};
use mdbook_cute::hardware::functions::functions;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeSet;

fn diff(a: &str, b: &str) -> Result<Built, String> {
    let functions = functions();
    let lines = format!("A = {a}\nB = {b}");
    let spec = Spec::new(Kind::parse("diff").unwrap(), entries(&lines));
    build(&spec, &Scope::new(&functions)).map_err(|problems| problems[0].diagnostic.to_string())
}

fn fact(built: &Built, name: &str) -> Value {
    built.figure.facts.get(name).cloned().unwrap_or_default()
}

/// Returns the offset of an index, colexicographically.
fn offset(modes: &[(i64, i64)], mut index: i64) -> i64 {
    let mut offset = 0;
    for (extent, stride) in modes {
        offset += index % extent * stride;
        index /= extent;
    }
    offset
}

fn layout(modes: &[(i64, i64)]) -> Layout {
    let shape = Tree::flat(modes.iter().map(|mode| mode.0));
    Layout::new(shape, Tree::flat(modes.iter().map(|mode| mode.1.into()))).unwrap()
}

fn modes() -> impl Strategy<Value = Vec<(i64, i64)>> {
    prop::collection::vec((prop::sample::select(vec![1_i64, 2, 3, 4]), -9_i64..20), 1..4)
}

proptest! {
    #[test]
    fn facts_are_those_of_the_functions(a in modes(), b in modes(), same in any::<bool>()) {
        let b = if same { a.clone() } else { b };
        let size = |modes: &[(i64, i64)]| modes.iter().map(|mode| mode.0).product::<i64>();
        let found = diff(&layout(&a).to_string(), &layout(&b).to_string());
        if size(&a) != size(&b) {
            prop_assert!(found.unwrap_err().contains("only layouts of one size"));
            return Ok(());
        }
        let found = found.unwrap();
        let values = |modes: &[(i64, i64)]| -> Vec<i64> {
            (0..size(modes)).map(|index| offset(modes, index)).collect()
        };
        let (va, vb) = (values(&a), values(&b));
        let differing: Vec<usize> = (0..va.len()).filter(|&index| va[index] != vb[index]).collect();
        let set = |values: &[i64]| values.iter().copied().collect::<BTreeSet<_>>();
        prop_assert_eq!(fact(&found, "equal"), json!(differing.is_empty()));
        prop_assert_eq!(fact(&found, "differences"), json!(differing.len()));
        prop_assert_eq!(fact(&found, "same-image"), json!(set(&va) == set(&vb)));
        if let Some(&first) = differing.first() {
            let object = fact(&found, "first-difference");
            prop_assert_eq!(&object["index"], &json!(first));
            prop_assert_eq!(&object["a"], &json!(va[first]));
            prop_assert_eq!(&object["b"], &json!(vb[first]));
        }
    }
}

#[test]
fn tensors_compare_with_their_offsets_and_coordinates_with_coordinates() {
    assert_eq!(fact(&diff("3 o (4):(1)", "(4):(1)").unwrap(), "differences"), json!(4));
    let coordinates = diff("(2,2):(1@0,1@1)", "(2,2):(1@1,1@0)").unwrap();
    assert_eq!(fact(&coordinates, "differences"), json!(2));
    assert_eq!(fact(&coordinates, "first-difference")["a"], json!([1, 0]));
    assert!(diff("(4,8):(1@0,1@1)", "(4,8)").unwrap_err().contains("no value in common"));
}

/// More coordinates than are followed: the figure reports that it compared nothing.
#[test]
fn what_is_too_large_to_compare_is_reported() {
    let built = diff("(4096,4096)", "(4096,4096):(4096,1)").unwrap();
    assert_eq!(fact(&built, "equal"), Value::Null);
    assert!(built.figure.notes.iter().any(|note| note.code == "unchecked"));
}
