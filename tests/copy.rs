//! The recorded facts about copies, run through the table of atoms and the figures.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test may stop at the first surprise"
)]

use mdbook_cute::cute::{Layout, Tensor, Tiler, Tree};
use mdbook_cute::hardware::arch::Arch;
use mdbook_cute::hardware::copy::{CopyAtom, CopyRequest, Side, TiledCopy, print_tiler};
use mdbook_cute::hardware::dtype::ElementType;
use mdbook_cute::hardware::table;
use serde_json::Value;
use std::collections::BTreeMap;

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

fn layout(text: &str) -> Layout {
    if text.contains(':') {
        table::layout(text).unwrap()
    } else {
        Layout::column_major(table::int_tuple(text).unwrap()).unwrap()
    }
}

/// Splits `(a,b)` at the commas outside of inner brackets.
fn split(text: &str) -> Vec<String> {
    let inner = text.strip_prefix('(').and_then(|t| t.strip_suffix(')')).unwrap();
    let (mut depth, mut out) = (0, vec![String::new()]);
    for c in inner.chars() {
        depth += i32::from(c == '(') - i32::from(c == ')');
        if c == ',' && depth == 0 {
            out.push(String::new())
        } else {
            out.last_mut().unwrap().push(c)
        }
    }
    out
}

/// Returns whether the bracket that opens the text closes at its end.
fn closes_at_end(text: &str) -> bool {
    let mut depth = 0;
    let close = text.find(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth == 0
    });
    close == Some(text.len() - 1)
}

fn tiler(value: &Value) -> Tiler {
    match value {
        Value::Array(modes) => Tiler::Modes(modes.iter().map(tiler).collect()),
        Value::String(text) if text.contains(':') => {
            if closes_at_end(text) {
                Tiler::Modes(
                    split(text).into_iter().map(|mode| tiler(&Value::String(mode))).collect(),
                )
            } else {
                Tiler::Layout(table::layout(text).unwrap())
            }
        }
        Value::String(text) => Tiler::Shape(table::int_tuple(text).unwrap()),
        _ => panic!("{value}"),
    }
}

fn tiled(
    record: &Value,
    mma: &BTreeMap<String, Value>,
) -> Option<mdbook_cute::cute::Result<TiledCopy>> {
    let make = || -> mdbook_cute::cute::Result<Option<TiledCopy>> {
        let atom = find(record)?;
        Ok(Some(match text(record, "how") {
            "tv" => TiledCopy::from_thr_val(
                atom,
                &layout(text(record, "thr")),
                &layout(text(record, "val")),
            )?,
            "raw" => TiledCopy::new(atom, layout(text(record, "tv")), &tiler(&record["tiler"]))?,
            "cotiled" => TiledCopy::cotiled(
                atom,
                &layout(text(record, "tv")),
                &layout(text(record, "data")),
            )?,
            how @ ("S" | "D") => {
                let Some(base) = tiled(&record["base"], mma) else { return Ok(None) };
                let base = base?;
                base.like(if how == "S" { Side::Source } else { Side::Destination }, atom)?
            }
            _ => {
                let known = &mma[&mma_key(record)];
                TiledCopy::new(
                    atom,
                    layout(text(&known["layout_tv"], "str")),
                    &tiler(&known["tiler"]),
                )?
            }
        }))
    };
    let how = text(record, "how");
    if matches!(how, "A" | "B" | "C" | "C_atom") && !mma.contains_key(&mma_key(record)) {
        return None;
    }
    make().transpose()
}

fn mma_key(record: &Value) -> String {
    ["how", "copy_op", "dtype", "bits", "num_matrices", "transpose", "mma", "atom_layout", "perm"]
        .iter()
        .map(|k| record[*k].to_string())
        .collect()
}

#[test]
fn tiled_copies_are_as_recorded() {
    let all: Vec<Value> = records(include_str!("data/copy.jsonl")).collect();
    let mut mma = BTreeMap::new();
    for r in &all {
        if r["op"] == "tiled_copy" && r["result"].is_object() {
            mma.insert(mma_key(r), r["result"].clone());
        }
    }
    let (mut wrong, mut counts, mut left) =
        (Vec::new(), BTreeMap::<String, usize>::new(), BTreeMap::<String, usize>::new());
    for record in &all {
        let op = text(record, "op");
        if !matches!(op, "tiled_copy" | "partition" | "retile") {
            continue;
        }
        let id = text(record, "id");
        let key = format!("{op} {}", text(record, "how"));
        let Some(copy) = tiled(record, &mma) else {
            *left.entry(key).or_default() += 1;
            continue;
        };
        *counts.entry(key).or_default() += 1;
        let mut same = |what: &str, got: String, want: &str| {
            if got != want {
                wrong.push(format!("{id} {what} {got} {want}"));
            }
        };
        match (copy, record.get("error")) {
            (Err(_), Some(_)) => {}
            (Err(error), None) => same("error", error.to_string(), ""),
            (Ok(copy), None) => {
                let want = &record["result"];
                match op {
                    "tiled_copy" => {
                        same("tiler", print_tiler(copy.tiler()), text(want, "tiler"));
                        same("tv", copy.tv().to_string(), text(&want["layout_tv"], "str"));
                        same(
                            "src",
                            copy.side_tv(Side::Source).to_string(),
                            text(&want["layout_src_tv"], "str"),
                        );
                        same(
                            "dst",
                            copy.side_tv(Side::Destination).to_string(),
                            text(&want["layout_dst_tv"], "str"),
                        );
                    }
                    "partition" => {
                        let side =
                            if record["side"] == "S" { Side::Source } else { Side::Destination };
                        let tensor = Tensor {
                            offset: Tree::Leaf(0),
                            layout: layout(text(record, "a")).into(),
                        };
                        for pair in want["offsets"].as_array().unwrap() {
                            let part =
                                copy.partition(side, &tensor, pair[0].as_i64().unwrap()).unwrap();
                            same(
                                "offset",
                                part.offset.to_string(),
                                &pair[1].to_string().replace('[', "(").replace(']', ")"),
                            );
                            same("layout", part.layout.to_string(), text(&want["layout"], "str"));
                        }
                    }
                    _ => {
                        let got = copy
                            .retile(&layout(text(&record["fragment"]["layout"], "str")))
                            .map_or_else(|e| e.to_string(), |l| l.to_string());
                        same("retile", got, text(&want["layout"], "str"));
                    }
                }
            }
            (Ok(_), Some(error)) => same("accepted", error.to_string(), ""),
        }
    }
    println!("compared {counts:?}; left {left:?}");
    assert!(wrong.is_empty(), "{} {wrong:#?}", wrong.len());
}

fn quoted(value: &Value) -> String {
    text(value, "type").split('"').nth(1).unwrap_or_default().to_owned()
}

#[test]
fn tmem_copies_are_as_recorded() {
    let mut wrong = Vec::new();
    for record in records(include_str!("data/copy.jsonl")) {
        let op = text(&record, "op");
        if !matches!(op, "tmem_copy" | "s2t_copy") {
            continue;
        }
        let id = text(&record, "id");
        let atom = find(&record).unwrap();
        let want = &record["result"];
        let mut same = |what: &str, got: String, want: &str| {
            if got != want {
                wrong.push(format!("{id} {what}\n   {got}\n   {want}"));
            }
        };
        let load = text(&record, "copy_op").starts_with("Ld");
        let (copy, mem) = if op == "tmem_copy" {
            let acc = quoted(&want["acc"]);
            if acc.is_empty() {
                continue;
            }
            let whole = layout(&acc);
            let tile = if record["epi"].is_string() {
                Layout::from_modes(whole.modes().into_iter().take(2)).unwrap()
            } else {
                whole.clone()
            };
            (TiledCopy::tmem(atom, &tile), whole)
        } else {
            let tmem = layout(text(&record["tmem"], "str"));
            (TiledCopy::s2t(atom, &tmem), tmem)
        };
        let copy = match copy {
            Ok(copy) => copy,
            Err(error) => {
                same("error", error.to_string(), "");
                continue;
            }
        };
        let tc = &want["tiled_copy"];
        same("tiler", print_tiler(copy.tiler()), text(tc, "tiler"));
        same("tv", copy.tv().to_string(), text(&tc["layout_tv"], "str"));
        same("src", copy.side_tv(Side::Source).to_string(), text(&tc["layout_src_tv"], "str"));
        same("dst", copy.side_tv(Side::Destination).to_string(), text(&tc["layout_dst_tv"], "str"));
        let part = |side, layout: &Layout| {
            copy.partition(
                side,
                &Tensor { offset: Tree::Leaf(0), layout: layout.clone().into() },
                0,
            )
            .map_or_else(|e| e.to_string(), |t| t.layout.to_string())
        };
        let zeros = |l: &Layout| {
            mdbook_cute::cute::algebra::filter_zeros(&l.clone().into()).unwrap().domain().clone()
        };
        if op == "tmem_copy" {
            let (m, r) = if load {
                (Side::Source, Side::Destination)
            } else {
                (Side::Destination, Side::Source)
            };
            same("tmem", part(m, &mem), text(&want["tmem_partition"]["layout"], "str"));
            if want["reg_partition"].is_object() {
                let compact = Layout::column_major(mem.shape().clone()).unwrap();
                same("reg", part(r, &compact), text(&want["reg_partition"]["layout"], "str"));
            }
        } else {
            same(
                "S",
                part(Side::Source, &zeros(&layout(text(&record["smem"], "str")))),
                text(&want["partition_S"]["layout"], "str"),
            );
            same(
                "D",
                part(Side::Destination, &zeros(&mem)),
                text(&want["partition_D"]["layout"], "str"),
            );
        }
    }
    assert!(wrong.is_empty(), "{} {}", wrong.len(), wrong.join("\n"));
}
