//! The recorded facts about TMA atoms and partitions.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test may stop at the first surprise"
)]

use mdbook_cute::cute::{
    AnyLayout, ComposedLayout, Inner, IntTuple, Layout, Result, Swizzle, Tiler, Tree,
};
use mdbook_cute::hardware::arch::Arch;
use mdbook_cute::hardware::dtype::ElementType;
use mdbook_cute::hardware::table;
use mdbook_cute::hardware::tma::{Mode, TmaAtom, TmaRequest, im2col, partition::tma_partition};
use serde_json::Value;
use std::collections::BTreeMap;

fn text<'a>(record: &'a Value, key: &str) -> &'a str {
    record[key].as_str().unwrap_or_default()
}

fn layout(text: &str) -> Layout {
    if text.contains(':') {
        table::layout(text).unwrap()
    } else {
        Layout::column_major(table::int_tuple(text).unwrap()).unwrap()
    }
}

fn any(text: &str) -> AnyLayout {
    let parts: Vec<&str> = text.split(" o ").collect();
    let [inner, _, outer] = parts.as_slice() else { return layout(text).into() };
    let inner = match inner.strip_prefix("S<") {
        Some(bms) => {
            let n: Vec<i64> =
                bms.trim_end_matches('>').split(',').map(|n| n.parse().unwrap()).collect();
            Inner::Swizzle(Swizzle::new(n[0], n[1], n[2]).unwrap())
        }
        None => Inner::Layout(layout(inner)),
    };
    ComposedLayout::new(inner, Tree::Leaf(0), layout(outer)).unwrap().into()
}

fn tiler(value: &Value) -> Tiler {
    match value {
        Value::Array(modes) => Tiler::Modes(modes.iter().map(tiler).collect()),
        Value::String(text) if text.contains(':') => Tiler::Layout(layout(text)),
        Value::String(text) => Tiler::Shape(table::int_tuple(text).unwrap()),
        _ => panic!("{value}"),
    }
}

fn mode(kind: &str) -> Mode {
    match kind {
        "g2s" => Mode::Load,
        "g2s_multicast" => Mode::Multicast,
        "s2g" => Mode::Store,
        "im2col_s2g" => Mode::Im2colStore,
        other => Mode::parse(other).unwrap(),
    }
}

fn request(record: &Value) -> TmaRequest {
    let of_atom = |key: &str, other: &str| {
        if record[other].is_null() { record[key].clone() } else { record[other].clone() }
    };
    TmaRequest {
        mode: mode(text(record, "kind")),
        dtype: ElementType::parse(text(record, "dtype")).unwrap(),
        internal: record["internal"].as_str().map(|t| ElementType::parse(t).unwrap()),
        gmem: layout(text(record, "gmem")),
        smem: any(of_atom("smem", "atom_smem").as_str().unwrap()),
        tiler: tiler(&of_atom("tiler", "atom_tiler")),
        num_multicast: record["num_multicast"].as_i64().unwrap_or(1),
        cta_group: record["cta_group"].as_i64().unwrap_or(1),
        index: record["index"].as_str().map(layout),
        arch: Arch::parse(text(record, "arch")),
    }
}

fn check_atom(record: &Value, wrong: &mut Vec<String>) {
    let id = text(record, "id");
    let im2col = text(record, "kind").starts_with("im2col");
    let corner = |key: &str| record[key].as_str().map(|t| table::int_tuple(t).unwrap());
    let made = || -> Result<(TmaRequest, TmaAtom, String)> {
        let mut request = request(record);
        let mut tensor = None;
        if im2col {
            let (lower, upper) = (corner("lower_corner_whd"), corner("upper_corner_whd"));
            if request.mode == Mode::Im2col && lower.is_none() {
                return Err(mdbook_cute::cute::Error::Undefined { text: "corners".into() });
            }
            tensor = Some(
                im2col::coordinates(&request.gmem, lower.as_ref(), upper.as_ref())?.to_string(),
            );
            let modes = request.gmem.modes();
            request.gmem = Layout::from_modes([
                layout(&format!("{}:{}", modes[0].size(), modes[0].flat_modes()[0].stride.value())),
                modes[1].clone(),
            ])?;
        }
        let atom = TmaAtom::new(&request)?;
        let zeros = Tree::flat(vec![0; atom.basis.rank()]);
        let printed = tensor.unwrap_or_else(|| {
            format!("{zeros} o {}", atom.coordinates.print(&atom.coordinates.layout))
        });
        Ok((request, atom, printed))
    };
    match (made(), record.get("error")) {
        (Err(_), Some(_)) => {}
        (Ok(_), Some(error)) => wrong.push(format!("{id} accepted {error}")),
        (Err(error), None) => wrong.push(format!("{id} {error}")),
        (Ok((request, atom, tensor)), None) => {
            let want = &record["result"];
            for (got, want) in [
                (atom.basis.to_string(), text(want, "gbasis").to_owned()),
                (atom.copy_bits.to_string(), want["copy_bits"].to_string()),
                (request.format().name.to_owned(), text(want, "tma_format").to_owned()),
                (atom.thr_id.to_string(), text(want, "thr_id").to_owned()),
                (atom.values.to_string(), text(&want["src"], "str").to_owned()),
                (format!("tensor<{tensor}>"), text(want, "tma_tensor").to_owned()),
            ] {
                if got != want {
                    wrong.push(format!("{id} {got} <> {want}"));
                }
            }
        }
    }
}

#[test]
fn atoms_and_partitions_are_as_recorded() {
    let (mut wrong, mut counts) = (Vec::new(), BTreeMap::<String, usize>::new());
    for line in include_str!("data/tma.jsonl").lines() {
        let record: Value = serde_json::from_str(line).unwrap();
        if record["error_type"] == "Abort" || record["api"] == true {
            continue;
        }
        let op = text(&record, "op");
        if op == "tma_atom_mma" {
            continue;
        }
        *counts.entry(format!("{op} {}", text(&record, "kind"))).or_default() += 1;
        if op == "tma_atom" {
            check_atom(&record, &mut wrong);
            continue;
        }
        let id = text(&record, "id");
        let made = || -> Result<_> {
            let request = request(&record);
            let atom = TmaAtom::new(&request)?;
            let coord: IntTuple = record["cta_coord"]
                .as_str()
                .map_or(Tree::Leaf(0), |t| table::int_tuple(t).unwrap());
            let ctas = record["cta_layout"].as_str().map_or_else(|| layout("1:0"), layout);
            let part = tma_partition(
                &atom,
                &any(text(&record, "smem")),
                &tiler(&record["tiler"]),
                &coord,
                &ctas,
            )?;
            Ok((atom, part))
        };
        match made() {
            Err(error) => wrong.push(format!("{id} {error}")),
            Ok((atom, part)) => {
                let want = &record["result"];
                for (got, want) in [
                    (part.smem.to_string(), text(&want["smem"], "str").to_owned()),
                    (
                        format!(
                            "tensor<{} o {}>",
                            part.gmem_offset,
                            atom.coordinates.print(&part.gmem)
                        ),
                        text(want, "gmem_tensor").to_owned(),
                    ),
                ] {
                    if got != want {
                        wrong.push(format!(
                            "{id} {got} <> {want}   G {} S {} T {}",
                            record["gmem"], record["smem"], record["tiler"]
                        ));
                    }
                }
            }
        }
    }
    println!("{counts:?}");
    assert!(wrong.is_empty(), "{}\n{}", wrong.len(), wrong.join("\n"));
}
