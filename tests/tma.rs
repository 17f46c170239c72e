//! The recorded facts about TMA atoms and partitions, run through the figures.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test may stop at the first surprise"
)]

mod common;

use common::figures::{attempt, fact_text as fact, messages, spec};
use common::{records, text};
use mdbook_cute::cute::{Tiler, Tree};
use mdbook_cute::figure::{Body, Built, Grid, Kind, Mark, Slice};
use mdbook_cute::hardware::atoms::printed;
use mdbook_cute::hardware::dtype::ElementType;
use mdbook_cute::hardware::tma::{Mode, TmaRequest};
use serde_json::Value;
use std::collections::BTreeMap;

fn draw<V: AsRef<str>>(keys: &[(&str, V)]) -> Result<Built, String> {
    attempt(&spec(Kind::parse("tma").unwrap(), keys)).map_err(|problems| messages(&problems))
}

fn with(keys: &[(&str, &str)]) -> Result<Built, String> {
    draw(keys)
}

fn tiler(value: &Value) -> String {
    match value {
        Value::Array(modes) => {
            format!("<{}>", modes.iter().map(tiler).collect::<Vec<_>>().join(","))
        }
        value => value.as_str().unwrap().to_owned(),
    }
}

fn keys(record: &Value) -> Vec<(&'static str, String)> {
    let mode = match text(record, "kind") {
        "g2s" => "load",
        "g2s_multicast" => "multicast",
        "s2g" => "store",
        "im2col_s2g" => "im2col-store",
        other => other,
    };
    let mut keys = vec![("mode", mode.to_owned())];
    for (key, from) in [
        ("dtype", "dtype"),
        ("arch", "arch"),
        ("gmem", "gmem"),
        ("internal-type", "internal"),
        ("num-multicast", "num_multicast"),
        ("cta-group", "cta_group"),
        ("reduction", "reduction"),
        ("index", "index"),
        ("lower-corner", "lower_corner_whd"),
        ("upper-corner", "upper_corner_whd"),
        ("padding", "lower_padding_whd"),
        ("padding-upper", "upper_padding_whd"),
        ("stride", "stride_whd"),
        ("dilation", "stride_srt"),
        ("filter-start", "lower_srt"),
        ("cta-coord", "cta_coord"),
        ("cta-layout", "cta_layout"),
        ("atom-smem", "atom_smem"),
    ] {
        match &record[from] {
            Value::Null => {}
            Value::String(text) => keys.push((key, text.clone())),
            value => keys.push((key, value.to_string())),
        }
    }
    match &record["smem"] {
        Value::String(smem) => keys.push(("smem", smem.clone())),
        object => keys.push(("smem", text(object, "str").to_owned())),
    }
    for (key, from) in [("tiler", "tiler"), ("atom-tiler", "atom_tiler")] {
        if !record[from].is_null() {
            keys.push((key, tiler(&record[from])));
        }
    }
    keys
}

/// The CTA's values of an MMA operand, by the recorded shared-memory shape `((M,K),rest M,rest K)`.
fn operand_keys(record: &Value) -> Vec<(&'static str, String)> {
    let mut keys = keys(record);
    keys.push(("dtype", text(&record["mma"], "ab_dtype").to_owned()));
    let smem = text(&record["smem"], "str");
    let shape = smem.split(" o ").last().unwrap().split(':').next().unwrap();
    let tree = printed::int_tuple(shape).unwrap();
    let size = |path: &[usize]| tree.at_path(path).unwrap().product().unwrap();
    let step = |extent: i64, size: i64, axis: i64| {
        if extent == 1 { "0".to_owned() } else { format!("{size}@{axis}") }
    };
    let inner = match tree.at_path(&[0, 0]).unwrap() {
        Tree::Leaf(_) => "1@0".to_owned(),
        Tree::Tuple(_) => format!("(1@0,{}@0)", size(&[0, 0, 0])),
    };
    let rest_m = step(size(&[1]), size(&[0, 0]), 0);
    let rest_k = step(size(&[2]), size(&[0, 1]), 1);
    let strides = format!("(({inner},1@1),{rest_m},{rest_k})");
    keys.push(("tiler", format!("{shape}:{strides}")));
    keys
}

#[test]
fn atoms_and_partitions_are_as_recorded() {
    let (mut wrong, mut counts) = (Vec::new(), BTreeMap::<String, usize>::new());
    for record in records(include_str!("data/tma.jsonl")) {
        if record["error_type"] == "Abort" || record["api"] == true {
            continue;
        }
        let (id, op) = (text(&record, "id"), text(&record, "op"));
        let mut keys = if op == "tma_atom_mma" { operand_keys(&record) } else { keys(&record) };
        if op == "tma_partition" {
            keys.push(("op", "partition".to_owned()));
        }
        *counts.entry(format!("{op} {}", text(&record, "kind"))).or_default() += 1;
        let want = &record["result"];
        match (draw(&keys), record.get("error")) {
            (Err(_), Some(_)) => {}
            (Ok(_), Some(error)) => wrong.push(format!("{id} accepted: {error}")),
            (Err(error), None) => wrong.push(format!("{id} refused: {error}")),
            (Ok(built), None) => {
                let wrapped = |name: &str| format!("tensor<{}>", fact(&built, name));
                let pairs = if op == "tma_partition" {
                    vec![
                        (fact(&built, "smem"), text(&want["smem"], "str").to_owned()),
                        (fact(&built, "gmem"), text(&want["gmem"], "str").to_owned()),
                        (fact(&built, "gmem-offset"), want["gmem_offset"].to_string()),
                        (wrapped("gmem-tensor"), text(want, "gmem_tensor").to_owned()),
                        (wrapped("gmem-in-tensor"), text(&record, "gmem_in").to_owned()),
                    ]
                } else {
                    vec![
                        (fact(&built, "basis"), text(want, "gbasis").to_owned()),
                        (fact(&built, "copy-bits"), want["copy_bits"].to_string()),
                        (fact(&built, "tma-format"), text(want, "tma_format").to_owned()),
                        (fact(&built, "thr-id"), text(want, "thr_id").to_owned()),
                        (fact(&built, "src"), text(&want["src"], "str").to_owned()),
                        (fact(&built, "dst"), text(&want["dst"], "str").to_owned()),
                        (wrapped("coordinate-tensor"), text(want, "tma_tensor").to_owned()),
                    ]
                };
                for (got, want) in pairs {
                    if got != want {
                        wrong.push(format!("{id} {got}, recorded {want}"));
                    }
                }
            }
        }
    }
    println!("compared {counts:?}");
    assert!(wrong.is_empty(), "{}\n{}", wrong.len(), wrong.join("\n"));
    assert!(counts.values().sum::<usize>() >= 460);
}

#[test]
fn the_box_comes_from_what_both_layouts_share() {
    let case = |gmem: &str, smem: &str, tiler: &str| {
        let built =
            with(&[("dtype", "f16"), ("gmem", gmem), ("smem", smem), ("tiler", tiler)]).unwrap();
        (fact(&built, "basis"), fact(&built, "instructions"))
    };
    let k_major = case("(1024,1024):(1024,1)", "S<3,4,3> o 0 o (128,64):(64,1)", "(128,64)");
    assert_eq!(k_major, ("(64,128):(1@1,1@0)".to_owned(), "1".to_owned()));
    let atoms = |order: &str| format!("S<3,4,3> o 0 o {order}");
    let along_m = atoms("((64,4),(8,8)):((1,512),(64,2048))");
    let (basis, instructions) = case("(1024,1024):(1,1024)", &along_m, "(256,64)");
    assert_eq!((basis.as_str(), instructions.as_str()), ("(64,8):(1@0,1@1)", "32"));
    let along_k = atoms("((64,4),(8,8)):((1,4096),(64,512))");
    let (basis, instructions) = case("(1024,1024):(1,1024)", &along_k, "(256,64)");
    assert_eq!((basis.as_str(), instructions.as_str()), ("(64,64):(1@0,1@1)", "4"));
}

fn slices(built: &Built, panel: usize) -> &[Slice] {
    match &built.figure.panels[panel].body {
        Body::Grids(slices) => slices,
        Body::Bits(_) => panic!("no grid"),
    }
}

fn label(grid: &Grid, row: usize, col: usize) -> String {
    grid.layers[0].labels[row * grid.cols + col].to_line()
}

/// A tile of 128x64 was a strip of stripes once: one period of the swizzle in chunks of 16 bytes
/// says all.
#[test]
fn a_long_tile_shows_one_period_of_its_swizzle() {
    let built = with(&[
        ("dtype", "f16"),
        ("gmem", "(1024,1024):(1024,1)"),
        ("smem", "(128,64):(64,1)"),
        ("swizzle", "128B"),
        ("tiler", "(128,64)"),
    ])
    .unwrap();
    let (gmem, smem) = (&slices(&built, 0)[0].grid, &slices(&built, 1)[0].grid);
    assert_eq!((gmem.rows, gmem.cols, smem.rows, smem.cols), (8, 8, 8, 8));
    for (row, col) in (0..8).flat_map(|row| (0..8).map(move |col| (row, col))) {
        assert_eq!(label(gmem, row, col), format!("({row},{})", 8 * col));
        assert_eq!(label(smem, row, col), format!("({row},{})", 8 * (col ^ row)));
        assert_eq!(smem.cells[row * 8 + col].mark == Mark::Moved, row > 0);
    }
    let caption = built.figure.panels[1].caption.as_deref().unwrap();
    assert!(caption.contains("the first 8 of 128 lines"), "{caption}");
    assert!(caption.contains("repeats every 1024 bytes, 16 times"), "{caption}");
}

#[test]
fn each_box_of_a_tile_is_a_cell() {
    let built = with(&[
        ("dtype", "f16"),
        ("gmem", "(1024,1024):(1,1024)"),
        ("smem", "S<3,4,3> o 0 o ((64,4),(8,8)):((1,4096),(64,512))"),
        ("tiler", "(256,64)"),
    ])
    .unwrap();
    let gmem = &slices(&built, 0)[0].grid;
    assert_eq!((gmem.rows, gmem.cols), (4, 1));
    assert_eq!((0..4).map(|row| label(gmem, row, 0)).collect::<String>(), "0123");
    let smem = slices(&built, 1);
    assert_eq!(smem.len(), 2);
    // The second box starts at row 64; its column 1 is in line 1, chunks swapped by the swizzle.
    assert_eq!(smem[1].title.as_deref(), Some("instruction 1"));
    assert_eq!(
        (label(&smem[1].grid, 0, 0), label(&smem[1].grid, 1, 0)),
        ("(64,0)".to_owned(), "(72,1)".to_owned())
    );
}

/// Elements that no 16 bytes hold in a run along one mode are drawn one by one.
#[test]
fn a_narrow_tile_is_drawn_element_by_element() {
    let built = with(&[
        ("dtype", "f16"),
        ("gmem", "(64,64):(64,1)"),
        ("smem", "(8,3):(3,1)"),
        ("tiler", "(8,3)"),
    ])
    .unwrap();
    let (gmem, smem) = (&slices(&built, 0)[0].grid, &slices(&built, 1)[0].grid);
    assert_eq!((gmem.rows, gmem.cols, smem.cols), (8, 3, 64));
    assert_eq!((label(smem, 0, 4), label(smem, 0, 24)), ("(1,1)".to_owned(), String::new()));
}

#[test]
fn a_broken_rule_is_named_beside_the_picture() {
    let broken = |gmem: &str, smem: &str, tiler: &str, name: &str, number: &str| {
        let built =
            with(&[("dtype", "f16"), ("gmem", gmem), ("smem", smem), ("tiler", tiler)]).unwrap();
        let rules = built.figure.facts.get("rules").unwrap().as_array().unwrap();
        let rule = rules.iter().find(|rule| rule["rule"] == name).unwrap();
        assert_eq!(rule["ok"], false, "{name}");
        assert!(text(rule, "text").contains(number), "{rule}");
        assert_eq!(fact(&built, "rules-ok"), "false");
        assert_eq!(built.figure.panels.len(), 2);
        assert!(built.figure.notes.iter().any(|note| note.code == "tma-rule"));
        assert!(!built.figure.tables.iter().any(|table| table.folded), "{name}");
    };
    // Rules that all hold take one line; the reader opens them.
    let sound = with(&[
        ("dtype", "f16"),
        ("gmem", "(64,64):(64,1)"),
        ("smem", "(8,64):(64,1)"),
        ("tiler", "(8,64)"),
    ]);
    let folded: Vec<String> =
        sound.unwrap().figure.tables.into_iter().filter(|t| t.folded).map(|t| t.title).collect();
    assert_eq!(folded, ["rules of the tensor map: all 14 hold"]);
    broken("(1000,1001):(1001,1)", "(8,64):(64,1)", "(8,64)", "stride-multiple", "2002 bytes");
    let rank6 = "(2,2,2,2,2,64):(2048,1024,512,256,128,1)";
    broken(rank6, "(1,1,1,1,1,64):(64,64,64,64,64,1)", "(1,1,1,1,1,64)", "rank", "6 modes");
    broken("(64,64):(64,1)", "S<3,3,3> o 0 o (8,64):(64,1)", "(8,64)", "swizzle-mode", "S<3,3,3>");
    broken("(64,64):(1,64)", "(8,64):(64,1)", "(8,64)", "majorness", "stride 64");
    // "strides of 2 bytes are multiples of 16" stood there once.
    broken("(64,64):(1,64)", "(8,64):(64,1)", "(8,64)", "stride-multiple", "2 bytes");
    broken("(64,64):(64,1)", "(8,4):(4,1)", "(8,4)", "inner-box-multiple", "8 bytes");
    let ok = with(&[
        ("gmem", "(1000,1001):(1001,1)"),
        ("smem", "(8,64):(64,1)"),
        ("tiler", "(8,64)"),
        ("expect.rules-ok", "yes"),
    ]);
    assert!(ok.is_err());
}

/// What the DSL 4.8.1 makes of filters that no record has: windows, filter, and the step from one
/// window to the next.
#[test]
fn im2col_counts_windows_as_the_dsl() {
    let case = |lower: &str, upper: &str, padding: &str, stride: &str| {
        let built = with(&[
            ("mode", "im2col"),
            ("dtype", "f16"),
            ("gmem", "((8,16,1),128):((128,1024,16384),1)"),
            ("smem", "S<3,4,3> o 0 o (64,64):(64,1)"),
            ("tiler", "(64,64)"),
            ("lower-corner", lower),
            ("upper-corner", upper),
            ("padding", padding),
            ("stride", stride),
        ])?;
        let tensor = fact(&built, "coordinate-tensor");
        let (_, inner) = tensor.split_once(" o ").unwrap();
        Ok::<_, String>(inner.split(" o ").next().unwrap().to_owned())
    };
    for (lower, upper, padding, stride, want) in [
        ("(-1,-1)", "(0,0)", "(0,0)", "(2,2)", "((5,9,1),(128,1,1)):((2@0@1,2@1@1,1@2)"),
        ("(-1,-1)", "(0,0)", "(0,0)", "(3,2)", "((3,9,1),(128,1,1)):((3@0@1,2@1@1,1@2)"),
        ("(0,0)", "(0,0)", "(0,0)", "(2,2)", "((4,8,1),(128,1,1)):((2@0@1,2@1@1,1@2)"),
        ("(-1,-1)", "(-1,-1)", "(0,0)", "(3,3)", "((3,6,1),(128,2,2)):((3@0@1,3@1@1,1@2)"),
        ("(-1,-1)", "(0,0)", "(1,1)", "(1,1)", "((9,17,1),(128,2,2)):((1@0@1,1@1@1,1@2)"),
        ("(-1,-1)", "(0,0)", "(2,3)", "(1,1)", "((9,17,1),(128,3,4)):((1@0@1,1@1@1,1@2)"),
        ("(-1,-1)", "(0,0)", "(0,0)", "(9,9)", "((1,2,1),(128,1,1)):((9@0@1,9@1@1,1@2)"),
        ("(-9,0)", "(0,0)", "(0,0)", "(1,1)", "((17,16,1),(128,1,1)):((1@0@1,1@1@1,1@2)"),
    ] {
        let got = case(lower, upper, padding, stride).unwrap();
        assert_eq!(got, format!("{want},(1@0,1@0@3,1@1@3))"), "{lower} {upper} {padding} {stride}");
    }
    for (lower, upper, stride, part) in [
        ("(-1,-1)", "(0,0)", "(0,1)", "0 apart, not 1 or more"),
        ("(-1,-1)", "(0,0)", "(-1,1)", "-1 apart"),
        ("(-1,-1)", "(0,0)", "(2,2,2)", "3 numbers, and the tensor has 2 spatial modes"),
        ("(-1,-1)", "(-20,0)", "(1,1)", "no window"),
        ("(-1,-1)", "(200,0)", "(1,1)", "-199 positions"),
    ] {
        let error = case(lower, upper, "(0,0)", stride).unwrap_err();
        assert!(error.contains(part), "{error}");
    }
}

#[test]
fn the_presets_of_the_browser_tool_are_drawn() {
    for (dtype, gmem, swizzle, smem, tiler) in [
        ("uint128_t", "(16,16):(16,1)", "128B", "(8,8):(8,1)", "(8,8)"),
        ("float", "(32,64):(64,1)", "128B", "(8,32):(32,1)", "(8,32)"),
        ("float", "(32,64):(64,1)", "none", "(8,32):(32,1)", "(8,32)"),
        ("half_t", "(32,128):(128,1)", "128B", "(8,64):(64,1)", "(8,64)"),
        ("half_t", "(8,8):(8,1)", "none", "(1,8):(8,1)", "(1,8)"),
        ("half_t", "(256,128):(128,1)", "128B", "(64,64):(64,1)", "(64,64)"),
        ("float", "(32,64):(64,1)", "128B", "(8,64):(64,1)", "(8,64)"),
        ("float", "(32,64):(64,1)", "none", "(8,32):(1,8)", "(8,32)"),
        ("float", "(32,64):(64,1)", "none", "(8,32):(32,1)", "<8:2,32>"),
    ] {
        let built = with(&[
            ("dtype", dtype),
            ("gmem", gmem),
            ("swizzle", swizzle),
            ("smem", smem),
            ("tiler", tiler),
        ]);
        let built = built.unwrap_or_else(|error| panic!("{gmem} {smem}: {error}"));
        assert_eq!(built.figure.panels.len(), 2, "{gmem}");
        let parts = with(&[
            ("op", "partition"),
            ("dtype", dtype),
            ("gmem", gmem),
            ("swizzle", swizzle),
            ("smem", smem),
            ("tiler", tiler),
        ]);
        parts.unwrap_or_else(|error| panic!("{gmem} {smem}: {error}"));
    }
}

/// An instruction moves every other row, and they are packed in shared memory; the figure listed the
/// strides and drew the whole box.
#[test]
fn traversal_strides_pass_over_rows() {
    let case = |strides: &str| {
        with(&[
            ("dtype", "f16"),
            ("gmem", "(64,64):(64,1)"),
            ("smem", "(8,64):(64,1)"),
            ("tiler", "(8,64)"),
            ("element-strides", strides),
        ])
    };
    let built = case("(1,2)").unwrap();
    assert_eq!(fact(&built, "box"), "(64,8)");
    assert_eq!(fact(&built, "moved-box"), "[64,4]");
    assert_eq!(fact(&built, "bytes-per-instruction"), "512");
    let smem = &slices(&built, 1)[0].grid;
    assert_eq!(smem.rows, 4);
    assert_eq!((label(smem, 1, 0), label(smem, 3, 1)), ("(2,0)".into(), "(6,8)".into()));
    // The driver ignores the stride of the innermost dimension.
    assert_eq!(fact(&case("(2,1)").unwrap(), "bytes-per-instruction"), "1024");
    assert_eq!(slices(&case("(1,3)").unwrap(), 1)[0].grid.rows, 3);
    assert!(case("(1,2,1)").unwrap_err().contains("3 numbers, and the box has 2 dimensions"));
}

/// A partition checked no rule at all.
#[test]
fn a_partition_warns_as_the_atom_does() {
    let notes = |keys: &[(&str, &str)]| {
        let mut all = vec![("op", "partition"), ("mode", "multicast"), ("dtype", "f16")];
        all.extend(keys);
        let built = with(&all).unwrap();
        built.figure.notes.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    };
    let tile = [("smem", "(64,64):(64,1)"), ("tiler", "(64,64)")];
    let case = |gmem: &'static str, keys: &[(&'static str, &'static str)]| {
        notes(&[&tile[..], &[("gmem", gmem)], keys].concat())
    };
    assert!(case("(128,1001):(1001,1)", &[]).contains("2002 bytes"));
    let outside = [("num-multicast", "4"), ("cta-coord", "5"), ("cta-layout", "4")];
    assert!(case("(128,128):(128,1)", &outside).contains("outside of the CTAs"));
    let three = [("num-multicast", "3"), ("cta-layout", "3")];
    assert!(case("(128,128):(128,1)", &three).contains("3 CTAs do not divide the 4096 elements"));
    let many = [
        ("gmem", "(64,64):(64,1)"),
        ("smem", "(1,32):(32,1)"),
        ("tiler", "(1,32)"),
        ("num-multicast", "64"),
        ("cta-layout", "64"),
    ];
    assert!(notes(&many).contains("multicast: 64 CTAs share the box"));
}

/// The map of an im2col copy is made by a call of its own.
#[test]
fn im2col_has_the_arguments_of_its_own_call() {
    let built = with(&[
        ("mode", "im2col"),
        ("dtype", "f16"),
        ("gmem", "((8,16,4),128):((128,1024,16384),1)"),
        ("smem", "S<3,4,3> o 0 o (64,64):(64,1)"),
        ("tiler", "(64,64)"),
        ("lower-corner", "(-1,-200)"),
        ("upper-corner", "(-1,-1)"),
        ("stride", "(1,2)"),
    ])
    .unwrap();
    let map = built.figure.facts.get("descriptor").unwrap();
    assert_eq!(map["tensorRank"], 4);
    assert_eq!(map["globalDim"].to_string(), "[128,8,16,4]");
    assert_eq!(map["globalStrides"].to_string(), "[256,2048,32768]");
    assert_eq!(map["pixelBoxLowerCorner"].to_string(), "[-1,-200]");
    assert_eq!(map["pixelBoxUpperCorner"].to_string(), "[-1,-1]");
    assert_eq!((&map["channelsPerPixel"], &map["pixelsPerColumn"]), (&64.into(), &64.into()));
    assert_eq!(map["elementStrides"].to_string(), "[1,1,2,1]");
    assert!(map.get("boxDim").is_none());
    let broken: Vec<_> = built.figure.notes.iter().map(ToString::to_string).collect();
    assert_eq!(broken.len(), 1, "{broken:?}");
    assert!(broken[0].contains("each number is -128 to 127"), "{broken:?}");
}

/// The operations of the DSL that store take no CTA group; the library drew one all the same.
#[test]
fn what_does_not_load_has_no_cta_group() {
    for mode in ["store", "reduce", "im2col-store"] {
        let mut request = TmaRequest {
            mode: Mode::parse(mode).unwrap(),
            dtype: ElementType::F16,
            internal: None,
            gmem: printed::layout("(64,64):(64,1)").unwrap(),
            smem: printed::layout("(8,64):(64,1)").unwrap().into(),
            tiler: Tiler::Shape(Tree::flat([8, 64])),
            num_multicast: 1,
            cta_group: 1,
            index: None,
            arch: None,
        };
        request.check().unwrap();
        request.cta_group = 2;
        assert!(request.check().unwrap_err().to_string().contains("no CTA group"), "{mode}");
    }
}
