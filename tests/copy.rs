//! The recorded facts about copies, run through the table of atoms and the figures.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test may stop at the first surprise"
)]

use mdbook_cute::hardware::arch::Arch;
use mdbook_cute::hardware::copy::{CopyAtom, CopyRequest};
use mdbook_cute::hardware::dtype::ElementType;
use serde_json::Value;

fn records(text: &str) -> impl Iterator<Item = Value> + '_ {
    text.lines().map(|line| serde_json::from_str(line).unwrap())
}

fn text<'a>(record: &'a Value, key: &str) -> &'a str {
    record[key].as_str().unwrap_or_default()
}

#[test]
fn every_row_of_the_traits_is_in_the_table() {
    for row in records(include_str!("data/copy_traits.jsonl")) {
        let name = text(&row, "instance");
        let atom = CopyAtom::find(&CopyRequest { name, ..CopyRequest::default() })
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(atom.thr_id.to_string(), text(&row, "thr_id"), "{name}");
        assert_eq!(atom.in_bits.src.to_string(), text(&row, "src_layout"), "{name}");
        assert_eq!(atom.in_bits.dst.to_string(), text(&row, "dst_layout"), "{name}");
        assert_eq!(atom.in_bits.reference.to_string(), text(&row, "ref_layout"), "{name}");
        assert_eq!(atom.from.name(), text(&row, "src_space"), "{name}");
        assert_eq!(atom.to.name(), text(&row, "dst_space"), "{name}");
        let val_id = atom.val_id.map(|layout| layout.to_string()).unwrap_or_default();
        assert_eq!(val_id, text(&row, "val_id"), "{name}");
    }
}

fn find(record: &Value) -> mdbook_cute::cute::Result<CopyAtom> {
    let mut params = Vec::new();
    for key in ["num_matrices", "unpack_bits", "repeat", "cta_group"] {
        if let Some(n) = record[key].as_i64() {
            params.push((key, n.to_string()));
        }
    }
    for key in ["transpose", "pack"] {
        if record[key].as_bool() == Some(true) {
            params.push((key, "true".to_owned()));
        }
    }
    if let Some(red) = record["red"].as_str() {
        params.push(("red", red.to_owned()));
    }
    let attrs = record["attrs"].as_object().into_iter().flatten();
    CopyAtom::find(&CopyRequest {
        name: text(record, "copy_op"),
        params,
        attrs: attrs.map(|(name, value)| (name.clone(), value.to_string())).collect(),
        dtype: ElementType::parse(text(record, "dtype")),
        bits: record["bits"].as_i64(),
        arch: Arch::parse(text(record, "arch")),
    })
}

#[test]
fn atoms_are_as_recorded() {
    let mut wrong = Vec::new();
    for record in records(include_str!("data/copy.jsonl")) {
        if record["op"] != "copy_atom" || record["api"] == true {
            continue;
        }
        let id = text(&record, "id");
        match (find(&record), record.get("error")) {
            (Ok(atom), None) => {
                let want = &record["result"];
                for (got, want) in [
                    (&atom.thr_id, text(want, "thr_id")),
                    (&atom.values.src, text(&want["src"], "str")),
                    (&atom.values.dst, text(&want["dst"], "str")),
                ] {
                    if got.to_string() != want {
                        wrong.push(format!("{id} {got} {want} {}", record["copy_op"]));
                    }
                }
            }
            (Err(_), Some(_)) => {}
            (Ok(atom), Some(error)) => wrong.push(format!("{id} accepted {} {error}", atom.name)),
            (Err(error), None) => wrong.push(format!("{id} {error}")),
        }
    }
    assert!(wrong.is_empty(), "{} {wrong:#?}", wrong.len());
}
