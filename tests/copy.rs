//! The recorded facts about copies, run through the figures.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test may stop at the first surprise"
)]

mod common;

use common::figures::{attempt, fact_text as fact, messages, spec};
use common::{in_parallel, optional, records, text};
use mdbook_cute::cute::Layout;
use mdbook_cute::draw::plan::Plan;
use mdbook_cute::figure::input::kind::entries;
use mdbook_cute::figure::model::coarse::Coarse;
use mdbook_cute::figure::{Body, Built, Grid, Kind, Label, Spec};
use mdbook_cute::hardware::copy::{CopyAtom, CopyRequest};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

fn draw<V: AsRef<str>>(keys: &[(&str, V)]) -> Result<Built, String> {
    attempt(&spec(Kind::parse("copy").unwrap(), keys)).map_err(|problems| messages(&problems))
}

#[test]
fn every_row_of_the_traits_is_in_the_table_and_is_drawn() {
    let mut uneven = Vec::new();
    for row in records(include_str!("data/copy_traits.jsonl")) {
        let name = text(&row, "instance");
        let built = draw(&[("atom", name.to_owned())]).unwrap_or_else(|e| panic!("{name}: {e}"));
        for (name, key) in [
            ("thr-id", "thr_id"),
            ("src-bits", "src_layout"),
            ("dst-bits", "dst_layout"),
            ("ref-bits", "ref_layout"),
            ("from", "src_space"),
            ("to", "dst_space"),
        ] {
            assert_eq!(fact(&built, name), text(&row, key), "{name} of {row}");
        }
        let val_id = built.figure.facts.get("val-id").and_then(Value::as_str);
        assert_eq!(val_id, optional(&row, "val_id"), "{row}");
        assert_eq!(built.figure.panels.len(), 2, "{name}");
        assert!(built.figure.title.contains(name.split([',', '<']).next().unwrap()), "{name}");
        let cells = |at: usize| match &built.figure.panels[at].body {
            mdbook_cute::figure::Body::Grids(slices) => slices[0].grid.cells.len(),
            mdbook_cute::figure::Body::Bits(_) => 0,
        };
        assert!(cells(0) > 0 && cells(1) > 0, "{name}");
        let atom = CopyAtom::find(&CopyRequest { name, ..CopyRequest::default() }).unwrap();
        let bits = |layout: &Layout| layout.walk().unwrap().collect::<BTreeSet<i64>>();
        let (src, dst) = (bits(&atom.in_bits.src), bits(&atom.in_bits.dst));
        if src != dst {
            let factor = dst.len() / src.len();
            let multicast = usize::try_from(atom.multicast()).unwrap();
            assert!(factor == multicast || name == "UniversalCopy<uint32_t,uint64_t>", "{name}");
            uneven.push(name.to_owned());
        }
    }
    assert_eq!(uneven.len(), 7, "{uneven:?}");
}

/// The keys of the atom of a record.
fn atom_keys(record: &Value) -> Vec<(&'static str, String)> {
    let mut keys = vec![("atom", text(record, "copy_op").to_owned())];
    for (key, from) in [
        ("dtype", "dtype"),
        ("arch", "arch"),
        ("bits", "bits"),
        ("num-matrices", "num_matrices"),
        ("unpack-bits", "unpack_bits"),
        ("repeat", "repeat"),
        ("cta-group", "cta_group"),
        ("transpose", "transpose"),
        ("pack", "pack"),
        ("red", "red"),
    ] {
        match &record[from] {
            Value::Null => {}
            Value::String(text) => keys.push((key, text.clone())),
            value => keys.push((key, value.to_string())),
        }
    }
    if let Some(attrs) = record["attrs"].as_object() {
        let attrs: Vec<String> = attrs
            .iter()
            .map(|(name, value)| format!("{name}={}", value.as_str().unwrap_or("true")))
            .collect();
        keys.push(("attrs", attrs.join(", ")));
    }
    keys
}

/// Writes a recorded tiler, `(32:1,8:1)` or an array, in the notation.
fn tiler(value: &Value) -> String {
    match value {
        Value::Array(modes) => {
            let modes: Vec<String> = modes.iter().map(tiler).collect();
            format!("<{}>", modes.join(","))
        }
        Value::String(text) if text.contains(':') && closes_at_end(text) => {
            format!("<{}>", &text[1..text.len() - 1])
        }
        Value::String(text) => text.clone(),
        _ => panic!("{value}"),
    }
}

/// Returns whether the bracket that opens the text closes at its end.
fn closes_at_end(text: &str) -> bool {
    let mut depth = 0;
    let close = text.find(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth == 0
    });
    text.starts_with('(') && close == Some(text.len() - 1)
}

/// What a tiled copy rests on besides its atom: the MMA's layouts come from the record of the
/// tiled copy itself.
fn mma_key(record: &Value) -> String {
    let keys = [
        "how",
        "copy_op",
        "dtype",
        "bits",
        "num_matrices",
        "transpose",
        "mma",
        "atom_layout",
        "perm",
    ];
    keys.iter().map(|key| record[*key].to_string()).collect()
}

/// The keys of a tiled copy; none where it rests on an MMA that no record describes.
fn tiled_keys(
    record: &Value,
    mma: &BTreeMap<String, Value>,
) -> Option<Vec<(&'static str, String)>> {
    let mut keys = atom_keys(record);
    let own = |keys: &mut Vec<(&'static str, String)>, from: &Value, names: &[&'static str]| {
        for name in names {
            match &from[*name] {
                Value::Null => {}
                value if *name == "tiler" => keys.push((name, tiler(value))),
                value => keys.push((name, value.as_str().unwrap().to_owned())),
            }
        }
    };
    let op = match optional(record, "how").unwrap_or_default() {
        "tv" => {
            own(&mut keys, record, &["thr", "val"]);
            "tv"
        }
        "raw" => {
            own(&mut keys, record, &["tv", "tiler"]);
            "tiled"
        }
        "cotiled" => {
            own(&mut keys, record, &["tv", "data"]);
            "cotiled"
        }
        how @ ("S" | "D") => {
            let base = &record["base"];
            if !base["mma"].is_null() {
                return None;
            }
            own(&mut keys, base, &["thr", "val", "tv", "tiler"]);
            keys.push(("base", text(base, "copy_op").to_owned()));
            keys.push(("base-bits", base["bits"].to_string()));
            if how == "S" { "like-s" } else { "like-d" }
        }
        _ => {
            let known = mma.get(&mma_key(record))?;
            keys.push(("tv", text(&known["layout_tv"], "str").to_owned()));
            keys.push(("tiler", tiler(&known["tiler"])));
            "tiled"
        }
    };
    keys.push(("op", op.to_owned()));
    Some(keys)
}

#[derive(Default)]
struct Outcome {
    wrong: Vec<String>,
    compared: BTreeMap<String, usize>,
    left: BTreeMap<String, usize>,
}

impl Outcome {
    fn add(&mut self, other: Self) {
        self.wrong.extend(other.wrong);
        for (sum, part) in [(&mut self.compared, other.compared), (&mut self.left, other.left)] {
            part.into_iter().for_each(|(group, count)| *sum.entry(group).or_default() += count);
        }
    }

    fn same(&mut self, id: &str, what: &str, got: &str, want: &str) {
        if got != want {
            self.wrong.push(format!("{id} {what}: {got}, recorded {want}"));
        }
    }
}

fn set_op(keys: &mut Vec<(&'static str, String)>, op: &str) {
    keys.retain(|(key, _)| *key != "op");
    keys.push(("op", op.to_owned()));
}

fn check(record: &Value, mma: &BTreeMap<String, Value>, out: &mut Outcome) {
    let (id, op) = (text(record, "id"), text(record, "op"));
    let group = format!("{op} {}", optional(record, "how").unwrap_or_default());
    let keys = match op {
        "copy_atom" => Some(atom_keys(record)),
        "tmem_copy" => tmem_keys(record),
        "s2t_copy" => Some(s2t_keys(record)),
        _ => tiled_keys(record, mma),
    };
    let Some(mut keys) = keys else {
        *out.left.entry(group).or_default() += 1;
        return;
    };
    *out.compared.entry(group).or_default() += 1;
    if op == "partition" {
        set_op(&mut keys, "partition");
        keys.push(("tensor", text(record, "a").to_owned()));
        keys.push(("side", text(record, "side").to_owned()));
        keys.push(("thread", "all".to_owned()));
    }
    if op == "retile" {
        set_op(&mut keys, "retile");
        keys.push(("fragment", text(&record["fragment"]["layout"], "str").to_owned()));
    }
    let want = &record["result"];
    match (draw(&keys), record.get("error")) {
        (Err(_), Some(_)) => {}
        (Ok(_), Some(error)) => out.wrong.push(format!("{id} accepted: {error}")),
        (Err(error), None) => out.wrong.push(format!("{id} refused: {error}")),
        (Ok(built), None) => {
            let pairs: Vec<(&str, &Value)> = match op {
                "copy_atom" => vec![("src", &want["src"]), ("dst", &want["dst"])],
                "tiled_copy" => vec![
                    ("tv", &want["layout_tv"]),
                    ("src-tv", &want["layout_src_tv"]),
                    ("dst-tv", &want["layout_dst_tv"]),
                ],
                "partition" | "retile" => vec![("result", &want["layout"])],
                _ => {
                    let tiled = &want["tiled_copy"];
                    out.same(id, "tiler", &fact(&built, "tiler"), text(tiled, "tiler"));
                    let mut pairs = vec![
                        ("tv", &tiled["layout_tv"]),
                        ("src-tv", &tiled["layout_src_tv"]),
                        ("dst-tv", &tiled["layout_dst_tv"]),
                    ];
                    if op == "s2t_copy" {
                        pairs.push(("smem", &want["partition_S"]["layout"]));
                        pairs.push(("tmem", &want["partition_D"]["layout"]));
                    } else {
                        pairs.push(("tmem", &want["tmem_partition"]["layout"]));
                        if want["reg_partition"].is_object() {
                            pairs.push(("reg", &want["reg_partition"]["layout"]));
                        }
                    }
                    pairs
                }
            };
            for (name, want) in pairs {
                out.same(id, name, &fact(&built, name), text(want, "str"));
            }
            match op {
                "copy_atom" => {
                    out.same(id, "thr-id", &fact(&built, "thr-id"), text(want, "thr_id"));
                }
                "tiled_copy" => {
                    out.same(id, "tiler", &fact(&built, "tiler"), text(want, "tiler"));
                    out.same(id, "threads", &fact(&built, "threads"), &want["size"].to_string());
                }
                "partition" => {
                    let offsets = built.figure.facts.get("offsets").unwrap();
                    for pair in want["offsets"].as_array().unwrap() {
                        let thread = usize::try_from(pair[0].as_i64().unwrap()).unwrap();
                        out.same(id, "offset", &offsets[thread].to_string(), &pair[1].to_string());
                    }
                }
                _ => {}
            }
        }
    }
}

/// The accumulator of a TMEM copy: recorded, or for a refused one that of its MMA's shape, which
/// the accepted records of the same shape give.
fn tmem_keys(record: &Value) -> Option<Vec<(&'static str, String)>> {
    let shape = |text: &str| -> Vec<i64> {
        text.trim_matches(['(', ')']).split(',').map(|n| n.parse().unwrap()).collect()
    };
    let (m, n) = (shape(text(record, "shape"))[0], shape(text(record, "shape"))[1]);
    let acc = match (m, record["mma"]["cta_group"].as_i64().unwrap()) {
        (64, 1) => format!("(((16,4),{n}),1,1):(((65536,2097152),1),0,0)"),
        (128, 2) => format!("((64,({},2)),1,1):((65536,(1,4194304)),0,0)", n / 2),
        _ => format!("((128,{n}),1,1):((65536,1),0,0)"),
    };
    let mut keys = atom_keys(record);
    keys.push(("op", "tmem".to_owned()));
    if record["epi"].is_string() {
        assert!(m == 128 && record["mma"]["cta_group"] == 1);
        keys.push(("acc", format!("(128,{n}):(65536,1)")));
        keys.push(("tiler", text(record, "epi").to_owned()));
    } else {
        let recorded = optional(&record["result"]["acc"], "type");
        if let Some(recorded) = recorded.and_then(|text| text.split('"').nth(1)) {
            assert_eq!(acc, recorded);
        }
        keys.push(("acc", acc));
    }
    Some(keys)
}

fn s2t_keys(record: &Value) -> Vec<(&'static str, String)> {
    let mut keys = atom_keys(record);
    keys.push(("op", "s2t".to_owned()));
    keys.push(("smem", text(&record["smem"], "str").to_owned()));
    keys.push(("tmem", text(&record["tmem"], "str").to_owned()));
    keys
}

#[test]
fn copies_are_as_recorded() {
    let all: Vec<Value> = records(include_str!("data/copy.jsonl")).collect();
    let mut mma = BTreeMap::new();
    for record in &all {
        if record["op"] == "tiled_copy" && record["result"].is_object() {
            mma.insert(mma_key(record), record["result"].clone());
        }
    }
    let about: Vec<&Value> =
        all.iter().filter(|r| r["api"] != true && r["error_type"] != "Abort").collect();
    let mut out = Outcome::default();
    for one in in_parallel(&about, |record| {
        let mut out = Outcome::default();
        check(record, &mma, &mut out);
        out
    }) {
        out.add(one);
    }
    println!("compared {:?}\nrest on an MMA {:?}", out.compared, out.left);
    assert!(out.wrong.is_empty(), "{}\n{}", out.wrong.len(), out.wrong.join("\n"));
    assert!(out.compared.values().sum::<usize>() >= 1200);
}

fn with(keys: &[(&str, &str)]) -> Result<Built, String> {
    draw(keys)
}

#[test]
fn a_tiled_copy_repeats_over_a_tensor() {
    let copy = [
        ("atom", "CopyUniversalOp"),
        ("bits", "128"),
        ("dtype", "f16"),
        ("thr", "(16,16):(1,16)"),
        ("val", "(8,1):(1,8)"),
    ];
    let tiled = with(&[&copy[..], &[("op", "tv")]].concat()).unwrap();
    assert_eq!(fact(&tiled, "tiler"), "(128:1,16:1)");
    assert_eq!(fact(&tiled, "tv"), "(256,8):(8,1)");
    let part = [("op", "partition"), ("tensor", "(128,32):(1,128)"), ("thread", "0")];
    let part = with(&[&copy[..], &part].concat()).unwrap();
    assert_eq!(fact(&part, "result"), "((8,1),1,2):((1,0),0,2048)");
}

/// Case 14: the widest copy between registers and memory belongs to both layouts.
#[test]
fn the_vector_width_belongs_to_a_pair() {
    let case = |tensor: &str| {
        let built = with(&[
            ("op", "partition"),
            ("atom", "CopyUniversalOp"),
            ("bits", "32"),
            ("dtype", "f32"),
            ("tv", "(1,16):(0,1)"),
            ("tiler", "(4,4)"),
            ("tensor", tensor),
            ("fragment", "(4,4):(1,4)"),
        ])
        .unwrap();
        (fact(&built, "vector"), fact(&built, "vector-bits"))
    };
    assert_eq!(case("(4,4):(1,128)"), ("4".to_owned(), "128".to_owned()));
    assert_eq!(case("(4,4):(128,1)"), ("1".to_owned(), "32".to_owned()));
}

fn grid(built: &Built, panel: usize) -> &Grid {
    match &built.figure.panels[panel].body {
        Body::Grids(slices) => &slices[0].grid,
        Body::Bits(_) => panic!("no grid"),
    }
}

fn labels(grid: &Grid) -> Vec<String> {
    grid.layers[0].labels.iter().map(Label::to_line).collect()
}

/// Nobody stands back where everybody is meant; once thread 0 stood out.
#[test]
fn all_threads_of_a_partition_are_equal() {
    let copy = [
        ("op", "partition"),
        ("atom", "CopyUniversalOp"),
        ("bits", "16"),
        ("thr", "(4,2):(1,4)"),
        ("val", "1:0"),
        ("tensor", "(8,4):(1,8)"),
    ];
    let faded = |thread: &str| {
        let built = with(&[&copy[..], &[("thread", thread)]].concat()).unwrap();
        grid(&built, 0).cells.iter().filter(|cell| cell.faded).count()
    };
    assert_eq!((faded("all"), faded("3")), (0, 7));
}

/// The long coordinates of the plane made the cells of the tile wide, and its labels small.
#[test]
fn each_panel_of_a_partition_has_letters_of_a_good_size() {
    let built = with(&[
        ("op", "partition"),
        ("atom", "CopyUniversalOp"),
        ("bits", "32"),
        ("dtype", "f16"),
        ("tv", "((8,4),(2,2)):((16,2),(8,1))"),
        ("tiler", "(8,16)"),
        ("tensor", "(16,32,3):(1,16,512)"),
    ])
    .unwrap();
    let plan = Plan::of(&built.figure);
    for panel in &built.figure.panels {
        assert!(plan.of_panel(&built.figure, panel).scale >= 900, "{}", panel.name);
    }
}

/// What is not drawn is said; once tiles past the 64th, and marks of long modes, went missing.
#[test]
fn a_partition_says_what_it_leaves_out() {
    let notes = |tiler: &str, tensor: &str| {
        let built = with(&[
            ("op", "partition"),
            ("atom", "UniversalCopy<T>"),
            ("bits", "16"),
            ("dtype", "f16"),
            ("tv", "(4,2):(2,1)"),
            ("tiler", tiler),
            ("tensor", tensor),
        ]);
        let notes = built.unwrap().figure.notes;
        notes.iter().map(|note| format!("{} {}", note.code, note.text)).collect::<String>()
    };
    assert_eq!(notes("(4,2)", "(64,64):(1,64)"), "");
    assert!(notes("(4,2)", "(400,64):(1,400)").contains("first 64 of 100 tiles of mode 0"));
    let long = notes("(4,2)", "(2000003,2):(1,2000003)");
    assert!(long.contains("unchecked") && long.contains("(2000004)"), "{long}");
    // Memory ran out once.
    assert!(notes("(1099511627776,2)", "(64,64):(1,64)").contains("unchecked"));
}

/// The name of the plain copy that stands in for a missing `base` was refused once.
#[test]
fn a_copy_follows_another_without_a_base() {
    let built = with(&[
        ("op", "like-s"),
        ("atom", "CopyUniversalOp"),
        ("bits", "32"),
        ("dtype", "f16"),
        ("tv", "((4,8),(2,2)):((32,1),(16,8))"),
        ("tiler", "(16,8)"),
    ]);
    assert_eq!(fact(&built.unwrap(), "tiler"), "(16:1,8:1)");
}

/// A tile of an accumulator was one column of 4096 cells once.
#[test]
fn tensor_memory_is_drawn_lane_by_lane() {
    let built = with(&[
        ("op", "tmem"),
        ("atom", "tcgen05.ld.32x32b.x32"),
        ("dtype", "f32"),
        ("acc", "((128,64),1,1):((65536,1),0,0)"),
    ])
    .unwrap();
    let grid = grid(&built, 0);
    assert_eq!((grid.rows, grid.cols), (128, 32));
    let labels = labels(grid);
    for (place, label) in labels.iter().enumerate() {
        // Lane l is thread l, column c its value c.
        assert_eq!(*label, format!("T{} V{}", place / 32, place % 32));
    }
    assert_eq!(grid.row_axis.levels[1].run, 32, "the lanes of one warp");
    // At the size of readable labels it would be four screens tall.
    let plan = Plan::of(&built.figure);
    assert_eq!(plan.coarse(grid), Some(Coarse::Named));
    assert!(plan.height(grid) * plan.scale / 1000 <= 1700, "{plan:?}");
}

/// CuTe's traits do not say that the instruction transposes.
#[test]
fn movmatrix_says_that_it_transposes() {
    let built = with(&[("atom", "SM75_U32x1_MOVM_T"), ("dtype", "f16")]).unwrap();
    assert_eq!(fact(&built, "src-bits"), fact(&built, "dst-bits"));
    let note = built.figure.notes.iter().find(|note| note.code == "transposes").unwrap();
    assert!(note.text.contains("`(32,32):(32,1)`"), "{}", note.text);
}

#[test]
fn ldmatrix_has_two_maps() {
    let atom = [("atom", "SM75_U32x4_LDSM_N"), ("dtype", "f16")];
    let built = with(&atom).unwrap();
    assert_eq!(fact(&built, "src"), "(32,8):(8,1)");
    assert_eq!(fact(&built, "dst"), "(32,(2,4)):(2,(1,64))");
    for name in [
        "ldmatrix.x4",
        "LdMatrix8x8x16bOp num_matrices=4",
        "warp.LdMatrix8x8x16bOp(num_matrices=4)",
    ] {
        let same = with(&[("atom", name), ("dtype", "f16")]).unwrap();
        assert_eq!(fact(&same, "atom"), "SM75_U32x4_LDSM_N", "{name}");
    }
    assert!(with(&[("atom", "ldmatrix.x3")]).unwrap_err().contains("`ldmatrix.x"));
}

#[test]
fn bad_copies_name_the_rule_and_the_numbers() {
    let refused = |entries: &[(&str, &str)], part: &str| {
        let error = with(entries).unwrap_err();
        assert!(error.contains(part), "{error}");
    };
    refused(
        &[("atom", "CopyG2ROp"), ("dtype", "f64"), ("bits", "32")],
        "32 bits are not a multiple of the 64 bits",
    );
    refused(&[("atom", "LdRed32x32bOp"), ("repeat", "2"), ("dtype", "f16")], "not `f16`");
    refused(&[("atom", "LdMatrix16x8x8bOp"), ("num-matrices", "2")], "only with `transpose`");
    refused(&[("atom", "ldmatrix.x4"), ("from", "gmem")], "copies from smem");
    refused(&[("atom", "tcgen05.ld.32x32b.x1"), ("arch", "sm_90a")], "not sm_90a");
    let copy = [
        ("op", "partition"),
        ("atom", "CopyUniversalOp"),
        ("bits", "16"),
        ("thr", "4:1"),
        ("val", "1:0"),
    ];
    refused(&[&copy[..], &[("tensor", "(8,2):(1,8)"), ("thread", "4")]].concat(), "threads 0 to 3");
}

#[test]
fn a_tiler_that_does_not_divide_counts_what_lies_outside() {
    let built = with(&[
        ("op", "partition"),
        ("atom", "CopyUniversalOp"),
        ("bits", "16"),
        ("dtype", "f16"),
        ("thr", "(4,2):(1,4)"),
        ("val", "1:0"),
        ("tensor", "(10,4):(1,10)"),
    ])
    .unwrap();
    assert_eq!(fact(&built, "outside"), "8");
    let note = built.figure.notes.iter().find(|note| note.code == "outside").unwrap();
    assert!(note.text.contains("48") && note.text.contains("40"), "{}", note.text);
}

#[test]
fn the_presets_of_the_browser_tool_are_drawn() {
    let atoms: &[(&str, &str, &str)] = &[
        ("CopyUniversalOp", "half_t", "128"),
        ("CopyUniversalOp", "half_t", "64"),
        ("CopyUniversalOp", "float", "128"),
        ("CopyUniversalOp", "int8_t", "8"),
        ("CopyG2SOp", "half_t", "128"),
        ("CopyG2SOp", "float", "64"),
        ("CopyG2ROp", "half_t", "128"),
        ("CopyG2ROp", "float", "32"),
        ("CopyR2GOp", "float", "128"),
        ("CopyS2ROp", "half_t", "128"),
        ("CopyR2SOp", "half_t", "64"),
        ("ldmatrix.x4", "half_t", ""),
        ("ldmatrix.x2", "half_t", ""),
        ("ldmatrix.x1", "half_t", ""),
        ("ldmatrix.x4.trans", "half_t", ""),
        ("ldmatrix.x1", "int8_t", ""),
        ("ldmatrix.x4.trans", "float", ""),
        ("ldmatrix.16x8x8b.x2.trans", "int8_t", ""),
        ("ldmatrix.16x8x8b.x4.trans", "int8_t", ""),
        ("ldmatrix.16x16x8b.x1.trans", "int8_t", ""),
    ];
    for (atom, dtype, bits) in atoms {
        let mut keys = vec![("atom", *atom), ("dtype", *dtype)];
        if !bits.is_empty() {
            keys.push(("bits", *bits));
        }
        with(&keys).unwrap_or_else(|error| panic!("{atom} {dtype}: {error}"));
    }
    let half = "((8,4),(2,2)):((16,2),(8,1))";
    let wide = "((8,16),8):((128,1),16)";
    let tiled = [
        ("CopyUniversalOp", "half_t", "32", half, "(8,16)"),
        ("CopyG2SOp", "half_t", "128", wide, "(16,64)"),
        (
            "CopyUniversalOp",
            "half_t",
            "32",
            "((4,8,2,2),((2,2,2),(1,1))):((64,1,16,0),((32,8,256),(0,0)))",
            "(32,16)",
        ),
        ("CopyUniversalOp", "float", "128", "(256,4):(4,1)", "(128,8)"),
    ];
    for (atom, dtype, bits, tv, tiler) in tiled {
        let built = with(&[
            ("op", "tiled"),
            ("atom", atom),
            ("dtype", dtype),
            ("bits", bits),
            ("tv", tv),
            ("tiler", tiler),
        ]);
        let built = built.unwrap_or_else(|error| panic!("{tv}: {error}"));
        assert_eq!(fact(&built, "covers"), "true", "{tv}");
    }
    let pairs = [
        ("(16,8):(8,1)", "(1,8):(1,1)", "half_t", "128"),
        ("(32,8):(1,32)", "(4,1):(1,1)", "float", "128"),
        ("(4,8):(8,1)", "(2,4):(4,1)", "half_t", "16"),
        ("(4,8):(8,1)", "(2,4):(4,1)", "half_t", "128"),
    ];
    for (thr, val, dtype, bits) in pairs {
        with(&[
            ("op", "tv"),
            ("atom", "CopyUniversalOp"),
            ("dtype", dtype),
            ("bits", bits),
            ("thr", thr),
            ("val", val),
        ])
        .unwrap_or_else(|error| panic!("{thr} {val}: {error}"));
    }
    for (tv, tiler, tensor) in [
        (half, "(8,16)", "(16,32):(1,16)"),
        (half, "(8,16)", "(8,16):(1,8)"),
        (half, "(8,16)", "(16,32):(32,1)"),
        (half, "(8,16)", "(16,32,3):(1,16,512)"),
        (half, "(8,16)", "(16,32,4,3):(1,16,512,2048)"),
        (wide, "(16,64)", "(16,64):(64,1)"),
        (wide, "(16,64)", "(128,256):(256,1)"),
        ("((4,4),4):((4,16),1)", "<4:1,16:2>", "(4,32):(1,4)"),
    ] {
        with(&[
            ("op", "partition"),
            ("atom", "CopyUniversalOp"),
            ("dtype", "half_t"),
            ("bits", "32"),
            ("tv", tv),
            ("tiler", tiler),
            ("tensor", tensor),
            ("thread", "5"),
        ])
        .unwrap_or_else(|error| panic!("{tensor}: {error}"));
    }
}

/// A row of shared memory reaches its lanes whole: bits of an element are no neighbours in the
/// traits, which number the lanes first. What each lane gets is what the instruction is named
/// after: `4x32` all warps alike, `0213` warps 0 and 2 alike, `0123` warps 0 and 1.
#[test]
fn rows_arrive_in_tensor_memory_as_they_were() {
    type Row = fn(usize) -> Option<usize>;
    let shapes: [(&str, usize, usize, Row); 6] = [
        ("128dp256bit", 128, 32, Some),
        ("128dp128bit", 128, 16, Some),
        ("4dp256bit", 4, 32, |lane| (lane % 32 == 0).then_some(lane / 32)),
        ("4x32dp128bit", 32, 16, |lane| Some(lane % 32)),
        ("2x64dp128bitlw0213", 64, 16, |lane| Some(lane % 64)),
        ("2x64dp128bitlw0123", 64, 16, |lane| Some(lane % 32 + lane / 64 * 32)),
    ];
    for (shape, rows, bytes, row_of) in shapes {
        for ctas in ["1cta", "2cta"] {
            let name = format!("SM100_UTCCP_{shape}_{ctas}");
            let built = with(&[("atom", &name), ("dtype", "u8")]).unwrap();
            let (source, target) = (grid(&built, 0), grid(&built, 1));
            assert_eq!((source.rows, source.cols), (rows, bytes), "{name}");
            assert_eq!(target.cols, bytes, "{name}");
            let numbers = labels(source);
            for (place, got) in labels(target).chunks(bytes).enumerate() {
                let mut lane = String::new();
                target.row_axis.levels[0].write_tick(place, &mut lane);
                let row = row_of(lane.parse().unwrap()).unwrap();
                assert_eq!(&numbers[row * bytes..(row + 1) * bytes], got, "{name} lane {lane}");
            }
            // Lanes that nothing arrives at are left out.
            let lanes = (0..128).filter(|&lane| row_of(lane).is_some()).count();
            assert_eq!(target.rows, lanes, "{name}");
        }
    }
    let drawn = records(include_str!("data/copy_traits.jsonl"));
    let all = drawn.filter(|row| text(row, "op").starts_with("SM100_UTCCP"));
    assert_eq!(all.count(), 2 * shapes.len(), "shapes of the traits");
}

/// CuTe's `copy` refuses tensors that an atom cannot read at its width, and the hardware atoms that it
/// has not; the figures were silent.
#[test]
fn what_the_copy_cannot_do_is_a_warning() {
    let codes = |lines: &str| {
        let spec = Spec::new(Kind::parse("copy").unwrap(), entries(lines));
        let built = attempt(&spec).unwrap();
        built.figure.notes.iter().map(|note| note.code).collect::<Vec<_>>()
    };
    let part = |tensor: &str, bits: i64| {
        codes(&format!(
            "op = partition\natom = SM80_CP_ASYNC_CACHEALWAYS<T>\nbits = {bits}\ndtype = f16\nthr = (16,8):(8,1)\nval = (1,8)\ntensor = {tensor}"
        ))
    };
    assert!(part("(128,128):(128,1)", 128).is_empty());
    assert_eq!(part("(128,128):(1,128)", 128), ["copy-width"]);
    assert_eq!(part("(128,128):(130,1)", 128), ["copy-align"]);
    assert!(part("(128,128):(130,1)", 32).is_empty());
    assert_eq!(part("(128,128):(128,1)", 16), ["copy-bits"]);
    assert!(codes("atom = SM90_U32x4_STSM_N\narch = sm_80").contains(&"copy-arch"));
    assert!(!codes("atom = SM90_U32x4_STSM_N\narch = sm_90").contains(&"copy-arch"));
    assert!(codes("atom = SM80_CP_ASYNC_CACHEALWAYS<T>\nbits = 256").contains(&"copy-bits"));
}
