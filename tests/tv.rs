//! Kind `tv` through its facts: recorded answers, cases from users, refusals, and sizes.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test stops at the first surprise")]

mod common;

use common::figures::{self, messages, spec};
use common::{records, text};
use mdbook_cute::figure::{Built, Figure, Kind, Problem};
use serde_json::{Value, json};

fn attempt(keys: &[(&str, &str)]) -> Result<Built, Vec<Problem>> {
    figures::attempt(&spec(Kind::parse("tv").unwrap(), keys))
}

fn figure(keys: &[(&str, &str)]) -> Figure {
    figures::built(&spec(Kind::parse("tv").unwrap(), keys)).figure
}

fn refusal(keys: &[(&str, &str)]) -> String {
    figures::refusal(&spec(Kind::parse("tv").unwrap(), keys))
}

fn fact(figure: &Figure, name: &str) -> Value {
    figure.facts.get(name).cloned().unwrap_or_else(|| panic!("no fact {name}"))
}

fn facts<const N: usize>(figure: &Figure, names: [&str; N]) -> [Value; N] {
    names.map(|name| fact(figure, name))
}

/// Returns the recorded calls of a function.
fn recorded(op: &str) -> impl Iterator<Item = Value> {
    let all = records(include_str!("data/oracle/tv.jsonl"));
    all.filter(move |record| text(record, "op") == op)
}

#[test]
fn every_recorded_make_layout_tv_is_the_same() {
    let (mut answers, mut refusals) = (0, 0);
    for record in recorded("make_layout_tv") {
        let keys = ["thr", "val"].map(|key| (key, text(&record, key)));
        if record.get("error").is_some() {
            assert!(attempt(&keys).is_err(), "{record}");
            refusals += 1;
            continue;
        }
        let figure = figure(&keys);
        assert_eq!(fact(&figure, "tv"), record["layout_tv"]["str"], "{record}");
        assert_eq!(fact(&figure, "size"), record["layout_tv"]["size"], "{record}");
        let tiler: Vec<String> =
            record["tiler_mn"].as_array().unwrap().iter().map(Value::to_string).collect();
        assert_eq!(fact(&figure, "tiler"), format!("({})", tiler.join(",")), "{record}");
        answers += 1;
    }
    assert_eq!((answers, refusals), (160, 2));
}

#[test]
fn every_recorded_make_tiled_copy_tv_is_the_same() {
    let (mut answers, mut refusals, mut differ) = (0, 0, Vec::new());
    for record in recorded("make_tiled_copy_tv") {
        let text = |field: &str| text(&record, field);
        let bits = record["bits"].to_string();
        let keys = [
            ("op", "tv"),
            ("atom", text("copy_op")),
            ("dtype", text("dtype")),
            ("bits", &bits),
            ("thr", text("thr")),
            ("val", text("val")),
        ];
        let built = figures::attempt(&spec(Kind::parse("copy").unwrap(), &keys));
        let ours =
            built.map(|built| facts(&built.figure, ["tiler", "tv", "src-tv", "dst-tv", "threads"]));
        let result = &record["result"];
        match (ours, record.get("error")) {
            (Err(_), Some(_)) => refusals += 1,
            (Ok(ours), None) => {
                let theirs = [
                    &result["tiler"],
                    &result["layout_tv"]["str"],
                    &result["layout_src_tv"]["str"],
                    &result["layout_dst_tv"]["str"],
                    &result["size"],
                ];
                if ours.iter().eq(theirs.iter().copied()) {
                    answers += 1;
                } else {
                    differ.push(format!("{}: {ours:?}, not {theirs:?}", text("id")));
                }
            }
            (ours, error) => differ.push(format!(
                "{}: {:?}, not {error:?}",
                text("id"),
                ours.map_err(|problems| messages(&problems))
            )),
        }
    }
    assert!(differ.is_empty(), "{differ:#?}");
    assert_eq!((answers, refusals), (99, 20));
}

#[test]
fn case_12_the_direction_is_stated_and_both_are_offered() {
    let figure = figure(&[("thr", "(4,32):(32,1)"), ("val", "(4,8):(8,1)"), ("view", "both")]);
    let [tiler, tv, threads, values] = facts(&figure, ["tiler", "tv", "threads", "values"]);
    assert_eq!(tiler, "(16,256)");
    assert_eq!(tv, "((32,4),(8,4)):((128,4),(16,1))");
    assert_eq!((threads, values), (json!(128), json!(32)));
    let names: Vec<&str> = figure.panels.iter().map(|panel| panel.name.as_str()).collect();
    assert_eq!(names, ["tile", "(thread, value) -> coordinate"]);
    assert!(figure.panels[0].caption.as_ref().unwrap().starts_with("Read from the tile"));
    assert_eq!(figure.tables[0].title, "How the TV layout is derived");
    assert_eq!(figure.tables[0].rows[4][1], "((32,4),(8,4)):((128,4),(16,1))");
}

#[test]
fn case_13_a_tile_that_is_smaller_than_the_data_takes_rounds() {
    let figure = figure(&[
        ("thr", "(16,16):(1,16)"),
        ("val", "(8,1):(1,8)"),
        ("data", "(128,32):(1,128)"),
        ("gmem", "(128,32):(1,128)"),
        ("dtype", "f16"),
    ]);
    let names = ["tiler", "tv", "rounds", "gmem-vector-bits", "sectors", "sectors-ideal"];
    assert_eq!(
        facts(&figure, names),
        [json!("(128,16)"), json!("(256,8):(8,1)"), json!(2), json!(128), json!(16), json!(16)]
    );
}

#[test]
fn case_14_the_width_belongs_to_a_pair() {
    let width = |gmem: &str| {
        let entries = [("tv", "(1,(4,4)):(0,(1,4))"), ("tile", "(4,4)"), ("gmem", gmem)];
        fact(&figure(&[&entries[..], &[("dtype", "f32")]].concat()), "gmem-vector")
    };
    assert_eq!((width("(4,4):(1,128)"), width("(4,4):(128,1)")), (json!(4), json!(1)));
}

#[test]
fn case_15_transpose_through_shared_memory() {
    let ways = |smem: &str| {
        let lanes = [("tv", "(32,1):(1,0)"), ("tile", "(32,1)"), ("dtype", "f32")];
        let figure = figure(&[&lanes[..], &[("smem", smem), ("smem-unit", "element")]].concat());
        facts(&figure, ["max-ways", "wavefronts", "conflict-free"])
    };
    assert_eq!(ways("(32,32):(32,1)"), [json!(32), json!(32), json!(false)]);
    assert_eq!(ways("(32,32):(33,1)"), [json!(1), json!(1), json!(true)]);
    assert_eq!(ways("S<5,0,5> o 0 o (32,32):(32,1)"), [json!(1), json!(1), json!(true)]);
}

#[test]
fn case_16_stores_of_16_bytes() {
    let stores = |tv: &str| {
        figure(&[
            ("tv", tv),
            ("tile", "(16,32)"),
            ("smem", "(16,32):(32,1)"),
            ("dtype", "f16"),
            ("smem-direction", "store"),
        ])
    };
    // Lane l writes row l % 16, chunk l / 16.
    let a = stores("((16,2),8):((1,128),16)");
    let names = ["smem-vector-bits", "max-ways", "wavefronts", "wavefronts-ideal"];
    assert_eq!(facts(&a, names), [json!(128), json!(4), json!(16), json!(4)]);
    assert_eq!(fact(&a, "phases").as_array().unwrap().len(), 4);
    let advice = fact(&a, "advice");
    assert_eq!(advice[0]["kind"], "padding");
    assert_eq!(advice[0]["layout"], "(16,32):(40,1)");
    assert_eq!((&advice[0]["wavefronts"], &advice[0]["cost"]), (&json!(4), &json!(15 * 16)));
    assert_eq!(advice[1]["kind"], "swizzle");
    // The advice, taken, is free of conflicts.
    for advice in advice.as_array().unwrap() {
        let better = figure(&[
            ("tv", "((16,2),8):((1,128),16)"),
            ("tile", "(16,32)"),
            ("smem", advice["layout"].as_str().unwrap()),
            ("dtype", "f16"),
            ("smem-unit", "element"),
            ("expect.conflict-free", "yes"),
        ]);
        assert_eq!(fact(&better, "wavefronts"), advice["wavefronts"]);
    }
    // Lane l writes row l / 4, chunk l % 4.
    let b = stores("((4,8),8):((128,1),16)");
    assert_eq!(facts(&b, names), [json!(128), json!(1), json!(4), json!(4)]);
}

#[test]
fn case_17_sectors() {
    let sectors = |thr: &str| {
        let figure = figure(&[
            ("thr", thr),
            ("val", "(4,1):(1,4)"),
            ("gmem", "(128,64):(1,128)"),
            ("dtype", "f32"),
        ]);
        let first = &fact(&figure, "issues")[0];
        assert_eq!((&first["warp"], &first["bytes-asked"]), (&json!(0), &json!(512)));
        [&first["sectors"], &first["ideal"], &first["bytes-moved"]].map(Clone::clone)
    };
    assert_eq!(sectors("(32,8):(1,32)"), [json!(16), json!(16), json!(512)]);
    assert_eq!(sectors("(8,32):(1,8)"), [json!(16), json!(16), json!(512)]);
    assert_eq!(sectors("(8,32):(32,1)"), [json!(32), json!(16), json!(1024)]);
}

/// One object for each of half a million accesses took 2.4 GB, and 82 MB of JSON.
#[test]
fn lists_of_accesses_end_and_the_rest_is_counted() {
    let figure = figure(&[
        ("thr", "1:0"),
        ("val", "5000:1"),
        ("gmem", "5000:33"),
        ("smem", "5000:33"),
        ("dtype", "f64"),
    ]);
    for (list, left) in [("issues", "issues-left"), ("phases", "phases-left")] {
        assert_eq!(fact(&figure, list).as_array().map(Vec::len), Some(4096), "{list}");
        assert_eq!(fact(&figure, left), json!(904));
    }
}

/// Elements of 256 bits in accesses of one byte were sixteen million phases of half a million values.
#[test]
fn elements_in_more_pieces_than_are_followed_are_refused() {
    let wide = "recast_layout(65536, 65536, 4096:33)";
    for keys in [
        [("thr", "1:0"), ("val", "4096:1"), ("gmem", wide), ("gmem-base", "0")],
        [("thr", "1:0"), ("val", "4096:1"), ("smem", wide), ("smem-width", "128")],
    ] {
        let text = refusal(&keys);
        assert!(text.contains("2097152 accesses; at most 1048576 are followed"), "{text}");
    }
}

#[test]
fn case_18_the_unit_of_a_swizzle() {
    let rows = |smem: &str, more: &[(&str, &str)]| {
        let lanes = [("tv", "(8,8):(1,8)"), ("tile", "(8,8)"), ("smem", smem)];
        figure(&[&lanes[..], more].concat())
    };
    let codes = |figure: &Figure| figure.notes.iter().map(|n| n.code).collect::<Vec<_>>();
    // A pointer counts bytes: its width is kept and nothing is left to ask.
    let pointer = rows("Sw<3,4,3> o smem_ptr[16b](unset) o (_8,_64):(_64,_1)", &[]);
    assert_eq!(facts(&pointer, ["max-ways", "wavefronts"]), [json!(1), json!(1)]);
    assert!(
        !pointer.notes.iter().any(|note| note.level == mdbook_cute::diagnostic::Level::Warning)
    );
    // Bare, it counts elements; both readings are given.
    let bare = rows("S<3,4,3> o 0 o (8,64):(64,1)", &[("dtype", "f16")]);
    assert_eq!(fact(&bare, "max-ways"), 2);
    assert_eq!(codes(&bare), ["swizzle-unit"]);
    assert!(bare.notes[0].text.contains("elements it gives 2-way conflicts, counted in bytes no"));
    let unit = |unit| [("dtype", "f16"), ("smem-unit", unit)];
    let bytes = rows("S<3,4,3> o 0 o (8,64):(64,1)", &unit("byte"));
    assert_eq!((fact(&bytes, "max-ways"), codes(&bytes)), (json!(1), vec![]));
    let elements = rows("S<3,4,3> o 0 o (8,64):(64,1)", &unit("element"));
    assert_eq!((fact(&elements, "max-ways"), codes(&elements)), (json!(2), vec![]));
    // The same by a key, and by name.
    let key = [("dtype", "f16"), ("smem-unit", "byte"), ("smem-swizzle", "S<3,4,3>")];
    assert_eq!(fact(&rows("(8,64):(64,1)", &key), "max-ways"), 1);
    assert_eq!(fact(&rows("Layout_K_SW128_Atom<half_t>", &[]), "max-ways"), 1);
}

#[test]
fn a_perfect_read_of_16_bytes_is_free_of_conflicts() {
    let figure = figure(&[
        ("tv", "(32,8):(8,1)"),
        ("tile", "(256)"),
        ("smem", "(256):(1)"),
        ("dtype", "f16"),
        ("expect.conflict-free", "yes"),
        ("expect.wavefronts", "4"),
        ("expect.max-ways", "1"),
        ("expect.smem-vector-bits", "128"),
    ]);
    assert!(figure.panels[1].caption.as_ref().unwrap().contains("No conflicts"));
    assert_eq!(figure.panels[2].name, "banks over time");
}

#[test]
fn a_layout_that_breaks_its_own_contract_is_a_warning() {
    let built = attempt(&[("thr", "(4,2):(1,0)"), ("val", "(1,4)")]).unwrap();
    let codes: Vec<&str> = built.warnings.iter().map(|w| w.diagnostic.code).collect();
    assert_eq!(codes, ["contract"]);
    let said = [("thr", "(4,2):(1,0)"), ("val", "(1,4)"), ("expect.warning", "contract")];
    assert!(attempt(&said).unwrap().warnings.is_empty());
}

#[test]
fn owners_are_all_counted() {
    // Two warps own every cell: thread stride 0.
    let shared = figure(&[
        ("tv", "((4,8,2,2),((2,2),(2,1))):((64,1,0,8),((32,256),(16,0)))"),
        ("tile", "(32,16)"),
    ]);
    let names = ["covered", "unowned", "max-owners", "broadcast"];
    assert_eq!(facts(&shared, names), [json!(512), json!(0), json!(2), json!(2)]);
    let holes = figure(&[("tv", "(4,2):(1,8)"), ("tile", "(4,4)")]);
    assert_eq!(facts(&holes, names), [json!(8), json!(8), json!(1), json!(1)]);
    let twice = figure(&[("tv", "(4,2):(1,1)"), ("tile", "(5,1)")]);
    assert_eq!(facts(&twice, names), [json!(5), json!(0), json!(2), json!(1)]);
    let grid = |figure: &Figure| match &figure.panels[0].body {
        mdbook_cute::figure::Body::Grids(slices) => slices[0].grid.clone(),
        mdbook_cute::figure::Body::Bits(_) => panic!("a tile is a grid"),
    };
    use mdbook_cute::figure::Mark;
    let marks: Vec<Mark> = grid(&twice).cells.iter().map(|cell| cell.mark).collect();
    assert_eq!(marks, [Mark::None, Mark::Twice, Mark::Twice, Mark::Twice, Mark::None]);
    assert_eq!(grid(&holes).cells[1].mark, Mark::Hole);
    assert_eq!(grid(&shared).cells[0].mark, Mark::None);
    let label = grid(&shared).layers[0].labels[0].to_line();
    assert_eq!(label, "T0V0 T32V0");
}

#[test]
fn matrix_instructions_read_the_map_as_addresses() {
    let rows = [("tv", "(32,8):(1,32)"), ("tile", "(32,8)"), ("dtype", "f16")];
    let of = |smem: &str, instruction: &str| {
        let more = [("smem", smem), ("smem-instruction", instruction)];
        facts(&figure(&[&rows[..], &more].concat()), ["max-ways", "wavefronts", "wavefronts-ideal"])
    };
    assert_eq!(of("(32,64):(64,1)", "ldmatrix.x4"), [json!(8), json!(32), json!(4)]);
    assert_eq!(of("(32,64):(64,1)", "ldmatrix.x1"), [json!(8), json!(8), json!(1)]);
    assert_eq!(of("(32,64):(72,1)", "stmatrix.x4"), [json!(1), json!(4), json!(4)]);
    let atom = "tile_to_shape(Layout_K_SW128_Atom<half_t>, (32,64))";
    assert_eq!(of(atom, "ldmatrix.x4"), [json!(1), json!(4), json!(4)]);
}

#[test]
fn refusals_name_the_mode_and_the_numbers() {
    let tv = |tv, tile| refusal(&[("tv", tv), ("tile", tile)]);
    assert_eq!(
        tv("(32,4):(4,1)", "(8,8)"),
        "thread 16, value 0 of `(32,4):(4,1)` is at index 64, but the tile `(8,8)` has 64 cells: mode 0 (threads) reaches 124, mode 1 (values) reaches 3 (a larger tile, or strides that stay inside of it)"
    );
    assert!(
        tv("(4,2):(-1,8)", "(4,4)").contains("thread 1, value 0 of `(4,2):(-1,8)` is at index -1")
    );
    assert!(
        tv("(1024,1024):(1,1024)", "(1024,1024)")
            .contains("a figure follows at most 524288 (draw one tile")
    );
    assert!(tv("32:1", "(4,8)").contains("`32:1` has 1 mode; a TV layout has two"));
    assert!(refusal(&[("tv", "(4,4):(1,4)")]).contains("needs the key `tile`"));
    assert!(refusal(&[("tile", "(4,4)")]).contains("needs the key `thr`"));
    assert!(refusal(&[("thr", "(4,4)")]).contains("needs the key `val`"));
    assert!(refusal(&[("thr", "4"), ("val", "2"), ("tile", "8")]).contains("does not go with"));
    let memory = |entries: &[(&str, &str)]| {
        refusal(&[&[("tv", "(8,8):(1,8)"), ("tile", "(8,8)")][..], entries].concat())
    };
    assert_eq!(
        memory(&[("gmem", "(8,4):(4,1)"), ("dtype", "f16")]),
        "`(8,4):(4,1)` does not fit the tile: mode 1 has 4 coordinates, the tile `(8,8)` needs 8 (a layout of the tile, or of a tensor that holds it)"
    );
    assert!(memory(&[("smem", "32:1"), ("dtype", "f16")]).contains("rank 1 and 32 coordinates"));
    assert!(memory(&[("gmem", "(8,8)")]).contains("`gmem` needs the width of an element"));
    assert!(memory(&[("gmem", "(8,8)"), ("dtype", "f17")]).contains("unknown element type `f17`"));
    assert!(memory(&[("smem-base", "16")]).contains("`smem-base` requires `smem`"));
    assert!(memory(&[("focus", "w1")]).contains("`w1` is not among the 8 threads"));
    assert!(memory(&[("focus", "x")]).contains("unknown thread or warp `x`"));
    let wide = [("smem", "(8,8):(9,1)"), ("dtype", "f32"), ("smem-width", "128")];
    assert_eq!(
        memory(&wide),
        "an access of 128 bits is not possible here: value 0 of thread 1 starts at byte 36, no multiple of 8 (the widest access is 32 bits)"
    );
    let bank = [("smem", "(8,8)"), ("dtype", "f32"), ("smem-bank", "3,32")];
    assert_eq!(memory(&bank), "unknown bank `32`; expected 0 to 31");
    let matrix = [("smem", "(8,8):(9,1)"), ("dtype", "f16"), ("smem-instruction", "ldmatrix.x1")];
    assert!(memory(&matrix).contains("`ldmatrix.x1` reads rows of 16 adjacent bytes"));
}

#[test]
fn a_coordinate_layout_is_a_map_to_the_tile_too() {
    let plain = figure(&[("tv", "((4,8),2):((2,16),1)"), ("tile", "(8,16)")]);
    let basis = figure(&[("tv", "((4,8),2):((2@0,2@1),1@0)"), ("tile", "(8,16)")]);
    assert_eq!(plain.panels[0].body, basis.panels[0].body);
}

#[test]
fn the_examples_that_readers_know_draw_without_a_warning() {
    let tile = |thr, val| {
        let figure = figure(&[("thr", thr), ("val", val), ("view", "both")]);
        assert!(figure.notes.is_empty(), "{:?}", figure.notes);
        let [tiler, unique, unowned] = facts(&figure, ["tiler", "unique", "unowned"]);
        assert_eq!((unique, unowned), (json!(true), json!(0)));
        tiler
    };
    assert_eq!(tile("(2,3):(3,1)", "(2,2):(2,1)"), "(4,6)");
    assert_eq!(tile("(4,4):(1,4)", "(2,2):(1,2)"), "(8,8)");
    assert_eq!(tile("(4,8):(8,1)", "(2,2):(2,1)"), "(8,16)");
    assert_eq!(tile("(8,4):(1,8)", "(2,2):(1,2)"), "(16,8)");
    assert_eq!(tile("(16,2):(1,16)", "(2,2):(1,2)"), "(32,4)");
}

#[test]
fn pictures_stay_small() {
    use mdbook_cute::draw::html::{Setting, html};
    use mdbook_cute::draw::svg::file;
    use mdbook_cute::draw::target::{Labels, Theme};
    let tile = figure(&[("thr", "(16,8):(8,1)"), ("val", "(1,8):(8,1)")]);
    let cells = 16 * 64;
    let text = file(&tile, Theme::Light, Labels::Auto).len() / cells;
    assert!(text <= 110, "{text} bytes a cell as text in a file");
    // The page has the labels of single cells and, fitted to the column, those of blocks.
    let page = html(&tile, &Setting::new("id")).len() / cells;
    assert!(page <= 190, "{page} bytes a cell as strokes in a page");
}
