//! Every recorded answer of the CuTe DSL that the notation can ask for, asked again.
//!
//! In: `tests/data/oracle/*.jsonl`, one record a line. Out: counts per operation; the test fails at
//! any record that differs and is not listed, with its reason, in `exceptions.jsonl`.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a broken test file should stop here")]

use mdbook_cute::cute::{AnyLayout, IntTuple, Tree};
use mdbook_cute::diagnostic::Diagnostic;
use mdbook_cute::expr::{Evaluated, Functions, Scope, Value, report};
use serde_json::{Value as Json, json};
use std::collections::{BTreeMap, BTreeSet};

const FILES: [(&str, &str); 4] = [
    ("algebra", include_str!("data/oracle/algebra.jsonl")),
    ("basis", include_str!("data/oracle/basis.jsonl")),
    ("swizzle", include_str!("data/oracle/swizzle.jsonl")),
    ("tv", include_str!("data/oracle/tv.jsonl")),
];
const EXCEPTIONS: &str = include_str!("data/oracle/exceptions.jsonl");
/// One record in this many may be answered otherwise than recorded.
const EXCEPTIONS_AT_MOST_ONE_IN: usize = 200;

#[derive(Default)]
struct Count {
    equal: usize,
    refused: usize,
    /// Records that make no statement about the algebra.
    silent: usize,
    excepted: usize,
    wrong: Vec<String>,
    /// Records that the notation has no expression for.
    inexpressible: usize,
}

#[test]
fn every_record_is_answered_as_recorded() {
    let exceptions: BTreeMap<String, String> = EXCEPTIONS
        .lines()
        .map(|line| serde_json::from_str::<Json>(line).unwrap())
        .map(|line| {
            (line["id"].as_str().unwrap().to_owned(), line["reason"].as_str().unwrap().to_owned())
        })
        .collect();
    let functions = Functions::core();
    let scope = Scope::new(&functions);
    let mut counts: BTreeMap<String, Count> = BTreeMap::new();
    let mut unused: BTreeSet<&str> = exceptions.keys().map(String::as_str).collect();
    for (file, text) in FILES {
        for line in text.lines() {
            let record: Json = serde_json::from_str(line).unwrap();
            let id = record["id"].as_str().unwrap();
            let op = record["op"].as_str().unwrap();
            let count = counts.entry(format!("{file} {op}")).or_default();
            let Some(expr) = expression(&record) else {
                count.inexpressible += 1;
                continue;
            };
            if record["api"] == json!(true) || record["error_type"] == json!("Abort") {
                count.silent += 1;
                continue;
            }
            let result = scope.statement(&expr);
            match (compare(&record, &result), record.get("error")) {
                (Ok(()), None) => count.equal += 1,
                (Ok(()), Some(_)) => count.refused += 1,
                (Err(_), _) if exceptions.contains_key(id) => {
                    unused.remove(id);
                    count.excepted += 1;
                }
                (Err(difference), _) => {
                    count.wrong.push(format!("{id}: {expr}\n      {difference}"));
                }
            }
        }
    }
    let mut total = Count::default();
    println!(
        "{:32} {:>6} {:>7} {:>6} {:>8} {:>6}",
        "operation", "equal", "refused", "silent", "excepted", "wrong"
    );
    for (op, count) in &counts {
        if count.inexpressible == 0 {
            println!(
                "{op:32} {:>6} {:>7} {:>6} {:>8} {:>6}",
                count.equal,
                count.refused,
                count.silent,
                count.excepted,
                count.wrong.len()
            );
        }
        total.equal += count.equal;
        total.refused += count.refused;
        total.silent += count.silent;
        total.excepted += count.excepted;
        total.inexpressible += count.inexpressible;
        total.wrong.extend(count.wrong.iter().cloned());
    }
    println!(
        "{:32} {:>6} {:>7} {:>6} {:>8} {:>6}",
        "all",
        total.equal,
        total.refused,
        total.silent,
        total.excepted,
        total.wrong.len()
    );
    for (op, count) in counts.iter().filter(|(_, count)| count.inexpressible > 0) {
        println!("{op:32} {:>6} records are no expression", count.inexpressible);
    }
    let examples = std::env::var("ORACLE_EXAMPLES").ok().and_then(|n| n.parse().ok()).unwrap_or(3);
    for (op, count) in &counts {
        for wrong in count.wrong.iter().take(examples) {
            println!("{op}\n  {wrong}");
        }
    }
    let asked = total.equal + total.refused + total.excepted + total.wrong.len();
    assert!(total.wrong.is_empty(), "{} of {asked} records differ", total.wrong.len());
    assert!(asked > 6500, "only {asked} records were asked for");
    assert!(total.excepted * EXCEPTIONS_AT_MOST_ONE_IN <= asked, "too many exceptions");
    assert!(unused.is_empty(), "exceptions that are none: {unused:?}");
}

/// Writes a record's question in the notation.
fn expression(record: &Json) -> Option<String> {
    let text = |key: &str| tiler(&record[key]);
    let optional =
        |key: &str| record.get(key).map_or(String::new(), |value| format!(", {}", tiler(value)));
    let path = |key: &str| format!("({},)", list(&record[key]));
    let op = record["op"].as_str().unwrap();
    let tensor = || match record.get("iter") {
        Some(iter) => format!("make_tensor({}, {})", tiler(iter), text("a")),
        None => text("a"),
    };
    Some(match op {
        "layout" => text("a"),
        "make_layout" | "make_identity_layout" | "make_identity_tensor" => {
            format!("{op}({})", text("shape"))
        }
        "size" | "cosize" | "rank" => match record.get("mode") {
            Some(_) => format!("{op}({}, {})", text("a"), path("mode")),
            None => format!("{op}({})", text("a")),
        },
        "depth" | "leading_dim" | "filter" | "filter_zeros" | "flatten" | "nullspace"
        | "right_inverse" | "left_inverse" | "make_layout_like" | "make_fragment_like"
        | "product" | "product_each" => format!("{op}({})", text("a")),
        "coalesce" => format!("coalesce({}{})", text("a"), optional("profile")),
        "composition"
        | "logical_divide"
        | "zipped_divide"
        | "tiled_divide"
        | "flat_divide"
        | "logical_product"
        | "zipped_product"
        | "tiled_product"
        | "flat_product"
        | "blocked_product"
        | "raked_product"
        | "max_common_layout"
        | "max_common_vector"
        | "shape_div"
        | "ceil_div"
        | "round_up"
        | "is_congruent"
        | "is_weakly_congruent" => {
            format!("{op}({}, {})", text("a"), text("b"))
        }
        "complement" => format!("complement({}, {})", text("a"), text("cotarget")),
        "crd2idx" => format!("crd2idx({}, {})", text("coord"), text("a")),
        "crd2idx_shape" => format!("crd2idx({}, {})", text("coord"), text("shape")),
        "idx2crd" => format!("idx2crd({}, {})", text("idx"), text("shape")),
        "increment_coord" => format!("increment_coord({}, {})", text("coord"), text("shape")),
        "slice" | "dice" => format!("{op}({}, {})", text("a"), text("coord")),
        "slice_and_offset" => format!("slice_and_offset({}, {})", text("coord"), text("a")),
        "local_tile" => format!(
            "local_tile({}, {}, {}{})",
            tensor(),
            text("tiler"),
            text("coord"),
            optional("proj")
        ),
        "local_partition" => {
            format!("local_partition({}, {}, {})", tensor(), text("tiler"), text("index"))
        }
        "domain_offset" => format!("domain_offset({}, {})", text("coord"), tensor()),
        "group_modes" => format!("group_modes({}, {}, {})", text("a"), text("begin"), text("end")),
        "select" | "get" => format!("{op}({}, {})", text("a"), path("modes")),
        "append" | "prepend" => {
            format!("{op}({}, {}{})", text("a"), text("b"), optional("up_to_rank"))
        }
        "append_ones" | "prepend_ones" => format!("{op}({}, {})", text("a"), text("up_to_rank")),
        "recast_layout" => {
            format!("recast_layout({}, {}, {})", text("new_bits"), text("old_bits"), text("a"))
        }
        "make_ordered_layout" => format!("{op}({}, {})", text("shape"), text("order")),
        "tile_to_shape" => {
            format!("tile_to_shape({}, {}, {})", text("a"), text("shape"), text("order"))
        }
        "make_tensor" => tensor(),
        "tensor_composition"
        | "tensor_logical_divide"
        | "tensor_zipped_divide"
        | "tensor_tiled_divide"
        | "tensor_flat_divide" => {
            format!("{}({}, {})", op.trim_start_matches("tensor_"), tensor(), text("b"))
        }
        "tensor_slice" => format!("slice({}, {})", tensor(), text("coord")),
        "tensor_coalesce" => format!("coalesce({}{})", tensor(), optional("profile")),
        "tensor_group_modes" => {
            format!("group_modes({}, {}, {})", tensor(), text("begin"), text("end"))
        }
        "swizzle_apply" => {
            format!("S<{}> o 0 o {}:1", record["swizzle"].as_str().unwrap(), 1_u64 << 40)
        }
        "make_layout_tv" => format!("make_layout_tv({}, {})", text("thr"), text("val")),
        _ => return None,
    })
}

/// Writes a tiler, or any other input, in the notation.
fn tiler(value: &Json) -> String {
    match value {
        Json::Null => "_".to_owned(),
        Json::Array(modes) => {
            format!("<{}>", modes.iter().map(tiler).collect::<Vec<_>>().join(","))
        }
        Json::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn list(values: &Json) -> String {
    values.as_array().unwrap().iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}

fn compare(record: &Json, result: &Result<Evaluated, Diagnostic>) -> Result<(), String> {
    let evaluated = match (result, record.get("error")) {
        (Err(_), Some(_)) => return Ok(()),
        (Ok(ours), Some(error)) => {
            return Err(format!("ours {}, CuTe refuses: {error}", ours.value));
        }
        (Err(error), None) => {
            return Err(format!("ours refuses: {error}; CuTe: {}", brief(record)));
        }
        (Ok(evaluated), None) => evaluated,
    };
    let value = &evaluated.value;
    if let Some(want) = record.get("value") {
        let json = report::object("", result, 0);
        return same("value", &json["value"], want);
    }
    if let Some(pairs) = record.get("values") {
        let Value::Layout(layout) = value else { return Err(format!("{value}")) };
        same("bms", &bms(layout), &record["bms"])?;
        return pairs.as_array().unwrap().iter().try_for_each(|pair| {
            let got = layout.at(&Tree::Leaf(pair[0].as_i64().unwrap()));
            same("value", &report::ints(&got.map_err(|e| e.to_string())?), &pair[1])
        });
    }
    match value {
        Value::Items(items) if record.get("layout_tv").is_some() => {
            let [Value::Tuple(_), Value::Layout(layout)] = &items[..] else {
                return Err(format!("{value}"));
            };
            let tiler = items[0].to_ints().map_err(|e| e.text)?;
            same("tiler", &report::ints(&tiler), &record["tiler_mn"])?;
            compare_layout(layout, &record["layout_tv"])
        }
        Value::Items(items) => {
            let [Value::Layout(layout), offset] = &items[..] else {
                return Err(format!("{value}"));
            };
            compare_layout(layout, &record["result"])?;
            same("offset", &report::ints(&offset.to_ints().map_err(|e| e.text)?), &record["offset"])
        }
        Value::Tensor(tensor) => {
            let want = &record["result"];
            same("tensor", &json!(format!("tensor<{value}>")), &want["tensor"])?;
            same("offset", &report::ints(&tensor.offset), &want["offset"])?;
            compare_layout(&tensor.layout, &want["layout"])
        }
        Value::Layout(layout) => {
            compare_layout(layout, &record["result"])?;
            let json = report::object("", result, 0);
            ["shape", "stride"].iter().try_for_each(|key| match (record.get(key), json.get(key)) {
                (Some(want @ (Json::Array(_) | Json::Number(_))), Some(got)) => {
                    same(key, got, want)
                }
                _ => Ok(()),
            })
        }
        other => Err(format!("ours {other}; CuTe: {}", brief(record))),
    }
}

fn compare_layout(layout: &AnyLayout, want: &Json) -> Result<(), String> {
    same("str", &json!(layout.to_string()), &json!(printed(want)))?;
    same("size", &json!(layout.size()), &want["size"])?;
    same("rank", &json!(layout.rank()), &want["rank"])?;
    if let Some(depth) = want.get("depth") {
        same("depth", &json!(layout.depth()), depth)?;
    }
    if let Some(cosize) = want.get("cosize") {
        same("cosize", &json!(layout.cosize().map_err(|e| e.to_string())?), cosize)?;
    }
    if want.get("bms").is_some() {
        same("bms", &bms(layout), &want["bms"])?;
    }
    let at = |index: i64| layout.at(&Tree::Leaf(index)).map_err(|e| e.to_string());
    if let Some(values) = want.get("vals") {
        let ours = layout.values().map_err(|e| e.to_string())?;
        let ours: Vec<IntTuple> = ours.collect::<Result<_, _>>().map_err(|e| e.to_string())?;
        same("vals", &ours.iter().map(report::ints).collect(), values)?;
        // The walk and the evaluation of single points must agree too.
        for (index, value) in (0..).zip(&ours) {
            same("at", &report::ints(&at(index)?), &report::ints(value))?;
        }
    }
    if let Some(samples) = want.get("samples") {
        for pair in samples.as_array().unwrap() {
            same("sample", &report::ints(&at(pair[0].as_i64().unwrap())?), &pair[1])?;
        }
    }
    match want.get("vals_error") {
        Some(error) if layout.values().is_ok() => Err(format!("has values, CuTe refuses: {error}")),
        _ => Ok(()),
    }
}

fn bms(layout: &AnyLayout) -> Json {
    layout.swizzle().map_or(Json::Null, |s| json!([s.bits(), s.base(), s.shift()]))
}

/// Returns the recorded printout, with the `>` that CuTe loses behind a negative shift.
fn printed(want: &Json) -> String {
    let text = want["str"].as_str().unwrap_or_default();
    match text.split_once(" o ") {
        Some((swizzle, rest)) if swizzle.starts_with("S<") && !swizzle.ends_with('>') => {
            format!("{swizzle}> o {rest}")
        }
        _ => text.to_owned(),
    }
}

fn same(what: &str, got: &Json, want: &Json) -> Result<(), String> {
    if got == want {
        Ok(())
    } else {
        Err(format!("{what}: ours {}, CuTe {}", brief(got), brief(want)))
    }
}

fn brief(value: &Json) -> String {
    let text = value.get("result").and_then(|r| r.get("str")).unwrap_or(value).to_string();
    text.chars().take(160).collect()
}
