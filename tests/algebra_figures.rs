//! The figures of the layout algebra: what users ask of them, every recorded answer, bad input.
//!
//! In: `tests/data/algebra_figures.jsonl`, `tests/data/oracle/*.jsonl`, and the tables below. The
//! figures are built from keys, as a block of a book gives them.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a broken test file should stop here")]

mod common;

use common::figures::{attempt, built, fact, line, slug, spec_of_line, spec_of_record};
use common::records;
use common::snapshots::Snapshots;
use mdbook_cute::draw::target::{Labels, Theme};
use mdbook_cute::draw::{html, svg};
use mdbook_cute::expr::{Functions, Scope, report};
use mdbook_cute::figure::{Body, Built, Mark, Part, Problem, Spec, build};
use serde_json::{Value as Json, json};

/// The specs of the list.
fn listed() -> impl Iterator<Item = Spec> {
    let list = include_str!("data/algebra_figures.jsonl");
    records(list).map(|record| spec_of_record(&record))
}

fn try_build(line: &str) -> Result<Built, Vec<Problem>> {
    attempt(&spec_of_line(line))
}

fn figure(line: &str) -> Built {
    built(&spec_of_line(line))
}

fn marked(built: &Built, panel: usize, mark: Mark) -> usize {
    let Body::Grids(slices) = &built.figure.panels[panel].body else { return 0 };
    slices.iter().flat_map(|slice| &slice.grid.cells).filter(|cell| cell.mark == mark).count()
}

fn warns(built: &Built, code: &str, text: &str) {
    let notes = &built.figure.notes;
    assert!(
        notes.iter().any(|note| note.code == code && note.text.contains(text)),
        "no `{code}` with `{text}` in {notes:?}"
    );
}

#[test]
fn a_composition_that_is_no_layout_shows_both_values() {
    let built = figure("compose | A = (4,6,8):(2,3,5) | B = 6:3");
    assert_eq!(fact(&built, "result"), "(2,3):(6,3)");
    assert_eq!(fact(&built, "contract"), false);
    assert_eq!(fact(&built, "first-break"), json!({"index": 2, "want": 7, "got": 3}));
    warns(&built, "contract", "A(B(2)) is 7, C(2) is 3");
    assert_eq!(marked(&built, 2, Mark::Failing), 4);
    let Body::Grids(slices) = &built.figure.panels[2].body else { panic!("no grid") };
    let labels: Vec<String> =
        slices[0].grid.layers[0].labels.iter().map(mdbook_cute::figure::Label::to_line).collect();
    // 0,6,7,8,9,15 point by point; column-major on the 2x3 grid.
    assert_eq!(labels, ["0", "3 not 7", "6 not 9", "6", "9 not 8", "12 not 15"]);
    assert_eq!(built.figure.tables[0].rows[0], ["6:3", "4:2", "3", "6", "2:6"]);
}

#[test]
fn the_layout_to_compose_with_is_found_by_the_right_inverse() {
    figure(
        "compose | A = (8,6):(6,1) | B = composition(right_inverse(A), (8,3,2):(3,1,24)) | expect.same-as = (8,3,2):(3,1,24) | expect.b = ((2,4),3,2):((24,1),8,4)",
    );
}

#[test]
fn an_overlap_has_no_complement_and_names_the_clash() {
    let problems = try_build("complement | A = (4,3):(1,2) | cotarget = 24").unwrap_err();
    assert_eq!(problems[0].part, Part::Value(0));
    assert!(
        problems[0].diagnostic.text.contains("the offset 2 is hit by index 2 and index 4"),
        "{problems:?}"
    );
}

#[test]
fn a_layout_and_a_shape_as_tiler_differ() {
    let layout = figure("divide | A = (12,32):(1,12) | tiler = (4,8):(1,4)");
    assert_eq!(fact(&layout, "logical"), "((4,8),12):((1,4),32)");
    assert_eq!(fact(&layout, "tiles"), 12);
    let shape = figure("divide | A = (12,32):(1,12) | tiler = (4,8) | op = zipped");
    assert_eq!(fact(&shape, "result"), "((4,8),(3,4)):((1,12),(4,96))");
    // Twelve runs of 32 offsets against twelve rectangles: the owners of row 0 differ.
    let row = |built: &Built| -> Vec<Option<u32>> {
        let Body::Grids(slices) = &built.figure.panels[0].body else { panic!("no grid") };
        slices[0].grid.cells.iter().take(10).map(|cell| cell.owner).collect()
    };
    let owners = |tiles: [u32; 10]| tiles.map(Some).to_vec();
    assert_eq!(row(&layout), owners([0, 0, 0, 1, 1, 1, 2, 2, 3, 3]));
    assert_eq!(row(&shape), owners([0, 0, 0, 0, 0, 0, 0, 0, 3, 3]));
}

#[test]
fn a_kept_mode_is_torn_by_all_but_the_logical_divide() {
    let zipped = figure("divide | A = (12,(4,8)):(7,(1,30)) | tiler = <2,_> | op = zipped");
    assert_eq!(fact(&zipped, "result"), "((2,4),(6,8)):((7,1),(14,30))");
    warns(&zipped, "contract", "mode 1, which the tiler keeps with `_`, was torn");
    let logical = figure("divide | A = (12,(4,8)):(7,(1,30)) | tiler = <2,_>");
    assert_eq!(fact(&logical, "result"), "((2,6),(4,8)):((7,14),(1,30))");
    assert!(logical.warnings.is_empty(), "{:?}", logical.warnings);
}

#[test]
fn cells_past_the_end_are_marked_counted_and_named() {
    let built = figure("divide | A = 1000:1 | tiler = 128");
    assert_eq!(fact(&built, "result"), "(128,8):(1,128)");
    assert_eq!(fact(&built, "out-of-range"), 24);
    assert_eq!(fact(&built, "first-out-of-range"), "(104,7)");
    assert_eq!(marked(&built, 1, Mark::Outside), 24);
}

#[test]
fn copies_that_overlap_are_marked_and_counted() {
    let built = figure("product | A = (16,8,8):(1,16,128) | tiler = <4:1,2:1>");
    assert_eq!(fact(&built, "result"), "((16,4),(8,2),8):((1,16),(16,1),128)");
    assert_eq!((fact(&built, "distinct"), fact(&built, "overlaps")), (json!(1073), json!(7119)));
    warns(&built, "contract", "the result overlaps");
    assert!(marked(&built, 1, Mark::Twice) > 1000);
}

#[test]
fn threads_that_share_a_part_are_shown() {
    let built = figure(
        "local-tile | op = partition | A = (128,8):(1,128) | tiler = (16,16):(1,16) | proj = <1,X> | index = 17",
    );
    assert_eq!(fact(&built, "result"), "(8,8):(16,128)");
    assert_eq!((fact(&built, "offset"), fact(&built, "sharers")), (json!(1), json!(16)));
    assert_eq!(marked(&built, 0, Mark::Picked), 16, "threads");
    assert_eq!(marked(&built, 1, Mark::Picked), 64, "elements");
}

#[test]
fn a_swizzle_of_bytes_is_drawn_in_elements() {
    let half =
        figure("swizzle | layout = (8,64):(64,1) | swizzle = S<3,4,3> | dtype = f16 | unit = byte");
    assert_eq!(
        (fact(&half, "element"), fact(&half, "byte")),
        (json!("S<3,3,3>"), json!("S<3,4,3>"))
    );
    let Body::Grids(slices) = &half.figure.panels[1].body else { panic!("no grid") };
    let starts: Vec<String> = slices[0].grid.layers[0]
        .labels
        .iter()
        .step_by(64)
        .map(mdbook_cute::figure::Label::to_line)
        .collect();
    assert_eq!(starts, ["0", "72", "144", "216", "288", "360", "432", "504"]);
    assert_eq!(
        half.figure.panels[1].caption.as_deref(),
        Some("drawn in elements as S<3,3,3>; S<3,4,3> counts bytes")
    );
    let float = figure(
        "swizzle | layout = (32,8):(1,32) | swizzle = S<3,4,3> | dtype = f32 | unit = byte | show = offset",
    );
    let Body::Grids(slices) = &float.figure.panels[1].body else { panic!("no grid") };
    assert_eq!(slices[0].grid.layers[0].labels[1].to_line(), "32→36");
    // A printout's pointer counts bytes by itself; a bare one over 16 bits is doubtful.
    figure(
        "swizzle | layout = Sw<3,4,3> o smem_ptr[16b](unset) o (_8,_64):(_64,_1) | expect.element = S<3,3,3>",
    );
    let bare = figure("swizzle | layout = (8,64):(64,1) | swizzle = S<3,4,3> | dtype = f16");
    warns(&bare, "swizzle-unit", "over elements of 16 bits is `S<3,3,3>`");
}

#[test]
fn a_column_of_floats_conflicts_until_it_is_swizzled_or_padded() {
    let ways = "column-ways";
    let swizzled = figure("swizzle | layout = (32,32):(32,1) | swizzle = S<5,0,5> | dtype = f32");
    assert_eq!(fact(&swizzled, ways), json!({"before": {"4": 32}, "after": {"4": 1}}));
    let padded = figure("swizzle | layout = (32,32):(33,1) | swizzle = S<0,4,3> | dtype = f32");
    assert_eq!(fact(&padded, ways), json!({"before": {"4": 1}, "after": {"4": 1}}));
}

#[test]
fn every_figure_of_the_list_draws() {
    let mut pictures = Snapshots::of("algebra-svg", "svg");
    let mut models = Snapshots::of("algebra", "txt");
    let (mut drawn, mut small) = (0, 0);
    for spec in listed() {
        let (built, line, name) = (built(&spec), line(&spec), slug(&spec));
        assert!(!built.figure.facts.is_empty(), "{line}");
        let file = svg::file(&built.figure, Theme::Light, Labels::Auto);
        parses(&line, &file);
        if file.len() < LARGEST_SNAPSHOT {
            pictures.check(&name, &file.replace("><", ">\n<"));
            small += 1;
        }
        let facts = Json::Object(built.figure.facts.to_json());
        let notes: Vec<String> = built
            .figure
            .notes
            .iter()
            .map(|note| format!("{} [{}] {note}", note.level, note.code))
            .collect();
        let panels: Vec<Json> = built
            .figure
            .panels
            .iter()
            .map(|panel| json!({"name": panel.name, "layout": panel.layout, "cells": cells(&panel.body)}))
            .collect();
        let model = json!({"facts": facts, "notes": notes, "panels": panels});
        models.check(&name, &format!("{line}\n{}", serde_json::to_string_pretty(&model).unwrap()));
        drawn += 1;
    }
    pictures.finish();
    models.finish();
    assert!(drawn >= 55, "only {drawn} figures");
    assert!(small >= 40, "only {small} pictures");
}

/// In a figure too large for all labels, the small grids once lost theirs as well.
#[test]
fn small_grids_beside_a_large_one_keep_their_labels() {
    let built = figure("local-tile | A = (64,64):(64,1) | tiler = (4,8) | coord = (1,0)");
    let page = html::html(&built.figure, &html::Setting::new("fig"));
    let panels: Vec<&str> = page.split("<div class=\"cute-panel\">").skip(1).collect();
    let coarse: Vec<bool> = panels.iter().map(|panel| panel.contains("cute-coarse")).collect();
    assert_eq!(coarse, [true, false]);
    assert!(page.contains("in large grids: the first cell of every"));
}

/// Beyond 65,536 coordinates checks and marks were once left out in silence.
#[test]
fn what_is_too_large_to_be_followed_says_what_is_missing() {
    for (line, missing) in [
        ("divide | A = (512,512):(512,1) | tiler = <8,8>", "not compared"),
        ("divide | A = (512,512):(512,1) | tiler = <8,8> | highlight = (0,_)", "nor highlighted"),
        (
            "local-tile | A = (512,512):(512,1) | tiler = (64,64) | coord = (1,0) | highlight = (0,_)",
            "the highlight is not shown in A",
        ),
        ("compose | A = (512,512):(512,1) | B = (256,512):(2,512)", "are not linked"),
        ("swizzle | layout = (2048,1024):(1024,1) | swizzle = S<3,0,3>", "are not counted"),
    ] {
        warns(&figure(line), "unchecked", missing);
    }
}

/// Every surviving tile was looked at, of which there may be more than anybody can wait for.
#[test]
fn more_tiles_than_are_followed_are_not_colored_and_a_note_says_so() {
    let a = "local-tile | A = (1048576,1048576):(1,1048576)";
    let built = figure(&format!("{a} | tiler = <1,1> | coord = (_,_)"));
    warns(&built, "unchecked", "1099511627776 tiles are more than the 1048576 that are followed");
    let built = figure(&format!("{a} | tiler = <65536,65536> | coord = (1,_)"));
    assert_eq!(fact(&built, "kept"), "(16):(68719476736)");
    assert!(!built.figure.notes.iter().any(|note| note.code == "unchecked"));
}

/// Pictures beyond this many bytes show nothing that smaller ones do not.
const LARGEST_SNAPSHOT: usize = 16 * 1024;

/// Whether a file is well-formed, as large as it says, and nothing of it lies outside.
fn parses(line: &str, file: &str) {
    let document = roxmltree::Document::parse(file).unwrap_or_else(|e| panic!("{line}: {e}"));
    let root = document.root_element();
    let side = |name: &str| root.attribute(name).unwrap().parse::<f64>().unwrap();
    let view = root.attribute("viewBox").unwrap().split(' ').map(|n| n.parse::<f64>().unwrap());
    let view: Vec<f64> = view.collect();
    let zoom = side("width") / view[2];
    assert_eq!(view[..2], [0.0, 0.0], "{line}");
    // Both sides are whole numbers of pixels.
    let pixel = 1.0 + view[3] / view[2];
    assert!((side("height") - zoom * view[3]).abs() < pixel, "{line}: the picture is squeezed");
    #[cfg(feature = "png")]
    {
        let tree = resvg::usvg::Tree::from_str(file, &resvg::usvg::Options::default());
        let tree = tree.unwrap_or_else(|e| panic!("{line}: {e}"));
        let drawn = tree.root().abs_bounding_box();
        let over = [
            -drawn.left(),
            -drawn.top(),
            drawn.right() - tree.size().width(),
            drawn.bottom() - tree.size().height(),
        ];
        assert!(
            over.iter().all(|&pixels| pixels < 0.01),
            "{line}: {drawn:?} is more than {:?}",
            tree.size()
        );
    }
}

/// Writes the cells of each slice as one line a row: colour, owner, mark, first label.
fn cells(body: &Body) -> Json {
    let Body::Grids(slices) = body else { return json!("bits") };
    let row = |slice: &mdbook_cute::figure::Slice, row: usize| {
        let grid = &slice.grid;
        let cell = |col: usize| {
            let cell = grid.cell(row, col).unwrap();
            let fill = match cell.fill {
                mdbook_cute::figure::Fill::Blank => "-".to_owned(),
                mdbook_cute::figure::Fill::Class(class) => class.to_string(),
            };
            let mark = match cell.mark {
                Mark::None => "",
                Mark::Hole => "h",
                Mark::Outside => "x",
                Mark::Twice => "2",
                Mark::Moved => "m",
                Mark::Failing => "!",
                Mark::Picked => "*",
            };
            let label = grid.layers[0].labels[row * grid.cols + col].to_line();
            let faded = if cell.faded { "~" } else { "" };
            format!("{label}#{fill}{faded}{mark}")
        };
        (0..grid.cols.min(16)).map(cell).collect::<Vec<_>>().join(" ")
    };
    let slice = |slice: &mdbook_cute::figure::Slice| -> Vec<String> {
        (0..slice.grid.rows.min(16)).map(|r| row(slice, r)).collect()
    };
    json!(slices.iter().take(4).map(slice).collect::<Vec<_>>())
}

#[test]
fn every_recorded_answer_is_the_figures() {
    const FILES: [&str; 3] = [
        include_str!("data/oracle/algebra.jsonl"),
        include_str!("data/oracle/basis.jsonl"),
        include_str!("data/oracle/swizzle.jsonl"),
    ];
    let exceptions = include_str!("data/oracle/exceptions.jsonl");
    let functions = Functions::core();
    let scope = Scope::new(&functions);
    let (mut equal, mut wrong) = (0, Vec::new());
    for line in FILES.iter().flat_map(|text| text.lines()) {
        let record: Json = serde_json::from_str(line).unwrap();
        let Some(line) = question(&record) else { continue };
        let id = record["id"].as_str().unwrap();
        if record.get("api").is_some()
            || record["error_type"] == json!("Abort")
            || exceptions.contains(&format!("\"{id}\""))
        {
            continue;
        }
        match (build(&spec_of_line(&line), &scope), record.get("error")) {
            (Ok(built), None) => match differs(&built, &record, &scope) {
                None => equal += 1,
                Some(text) => wrong.push(format!("{id} {line}: {text}")),
            },
            (Err(_), Some(_)) => equal += 1,
            (Ok(built), Some(error)) => {
                wrong.push(format!(
                    "{id} {line}: drawn as {:?}, CuTe: {error}",
                    built.figure.facts.get("result")
                ));
            }
            (Err(problems), None) => {
                wrong.push(format!("{id} {line}: {}", problems[0].diagnostic));
            }
        }
    }
    let shown: Vec<&String> = wrong.iter().take(20).collect();
    assert!(wrong.is_empty(), "{} of {} differ: {shown:#?}", wrong.len(), wrong.len() + equal);
    assert!(equal > 1500, "only {equal} records were asked for");
}

fn question(record: &Json) -> Option<String> {
    let text = |key: &str| notation(&record[key]);
    let a = || match record.get("iter") {
        Some(iter) => format!("make_tensor({}, {})", notation(iter), text("a")),
        None => text("a"),
    };
    let optional = |key: &str| {
        record.get(key).map_or(String::new(), |v| format!(" | {key} = {}", notation(v)))
    };
    let op = record["op"].as_str()?;
    let word = op.split('_').next()?;
    Some(match op {
        "composition" => format!("compose | A = {} | B = {}", text("a"), text("b")),
        "complement" => format!("complement | A = {} | cotarget = {}", text("a"), text("cotarget")),
        "logical_divide" | "zipped_divide" | "tiled_divide" | "flat_divide" => {
            format!("divide | op = {word} | A = {} | tiler = {}", text("a"), text("b"))
        }
        "logical_product" | "zipped_product" | "tiled_product" | "flat_product"
        | "blocked_product" | "raked_product" => {
            format!("product | op = {word} | A = {} | tiler = {}", text("a"), text("b"))
        }
        "local_tile" => format!(
            "local-tile | A = {} | tiler = {} | coord = {}{}",
            a(),
            text("tiler"),
            text("coord"),
            optional("proj")
        ),
        "local_partition" => format!(
            "local-tile | op = partition | A = {} | tiler = {} | index = {}",
            a(),
            text("tiler"),
            text("index")
        ),
        _ => return None,
    })
}

fn notation(value: &Json) -> String {
    match value {
        Json::Null => "_".to_owned(),
        Json::Array(modes) => {
            format!("<{}>", modes.iter().map(notation).collect::<Vec<_>>().join(","))
        }
        Json::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Compares the printed result, its sizes, the offset and the values.
fn differs(built: &Built, record: &Json, scope: &Scope<'_>) -> Option<String> {
    let facts = &built.figure.facts;
    let mut want = &record["result"];
    if let Some(offset) = want.get("offset") {
        if facts.get("offset") != Some(offset) {
            return Some(format!("offset {:?}, not {offset}", facts.get("offset")));
        }
        want = &want["layout"];
    }
    let (Some(printed), Some(recorded)) =
        (facts.get("result").and_then(Json::as_str), want["str"].as_str())
    else {
        return Some(format!("result {:?}, recorded {want}", facts.get("result")));
    };
    // The DSL loses a bracket behind a negative shift.
    let whole = |text: &str| text.replace("> o", " o");
    if whole(printed) != whole(recorded) {
        return Some(format!("`{printed}`, not `{recorded}`"));
    }
    for name in ["size", "rank", "depth", "cosize"] {
        if want.get(name).is_some_and(|value| facts.get(name) != Some(value)) {
            return Some(format!("{name} {:?}, not {}", facts.get(name), want[name]));
        }
    }
    let object = report::object(printed, &scope.statement(printed), 512);
    match want.get("vals") {
        Some(values) if object["values"] != *values => Some(format!("values {}", object["values"])),
        _ => None,
    }
}

#[test]
fn bad_input_is_refused_at_its_place_with_a_hint() {
    #[rustfmt::skip]
    let table: &[(&str, Part, &str)] = &[
        ("compose | A = (4,4):(4,1)", Part::Figure, "`compose` needs the key `B`"),
        ("compose | A = (4,4):(4,1) | B = <2,2,2>", Part::Value(1), "rank 3"),
        ("compose | A = (5,3):(1,7) | B = 4:2", Part::Value(1), "point by point, A(B(i)) is 0,2,4,8"),
        ("compose | A = S<3,3,3> | B = 4", Part::Value(0), "expected a layout"),
        ("compose | A = 8:1 | B = <2> | complement = yes", Part::Value(1), "acts by mode"),
        ("compose | A = 8:1 | B = 2 | complement = maybe", Part::Value(2), "yes or no"),
        ("compose | A = 8:1 | B = 2 | color = red", Part::Value(2), "index, value, none"),
        ("compose | A = 8:1 | B = 2 | B = 3", Part::Key(2), "given twice"),
        ("complement | A = <2,3>", Part::Value(0), "one layout"),
        ("complement | A = 4:-1 | cotarget = 8", Part::Value(0), "negative"),
        ("complement | A = 4:2 | cotarget = 0", Part::Value(1), "not positive"),
        ("complement | A = 4:2 | cotarget = S<3,3,3>", Part::Value(1), "tuple of integers"),
        ("divide | A = (8,8) | tiler = S<3,3,3>", Part::Value(1), "expected a tiler"),
        ("divide | A = (8,8) | tiler = <2,2,2>", Part::Value(1), "rank 3"),
        ("divide | A = (8,8) | tiler = 4 | op = diced", Part::Value(2), "logical, zipped, tiled, flat"),
        ("divide | A = (8,8) | tiler = 4 | highlight = (9,9)", Part::Value(2), "not a coordinate of the shape"),
        ("divide | A = (8,8) | tiler = 4 | show = thread", Part::Value(2), "value, index, coord"),
        ("divide | A = (8,8) | tile = 4", Part::Figure, "needs the key `tiler`"),
        ("product | A = (4,3):(1,2) | tiler = 2:1", Part::Value(1), "offset 2 is hit by index 2 and index 4"),
        ("product | A = 4:1 | tiler = <2> | op = raked", Part::Value(2), "takes one layout"),
        ("product | A = 4:1 | tiler = 2 | with = racked", Part::Value(2), "did you mean `raked`?"),
        ("local-tile | A = (8,8) | tiler = (4,4)", Part::Figure, "needs the key `coord`"),
        ("local-tile | A = (8,8) | tiler = (4,4) | coord = (5,1)", Part::Value(2), "tile 5 along mode 0 is out of bounds"),
        ("local-tile | A = (8,8) | tiler = (4,4) | coord = (0,0) | index = 3", Part::Key(3), "op = partition"),
        ("local-tile | A = (8,8) | tiler = (4,4) | coord = (0,0) | proj = (1,_,1)", Part::Value(3), "rank 3"),
        ("local-tile | op = partition | A = (8,8) | tiler = (4,4) | index = 16", Part::Value(3), "thread 16 is out of bounds"),
        ("local-tile | op = partition | A = (8,8) | tiler = (4,4) | index = one", Part::Value(3), "is a number"),
        ("swizzle | layout = (8,8):(8,1)", Part::Value(0), "missing swizzle"),
        ("swizzle | layout = (8,8):(8,1) | swizzle = 3", Part::Value(1), "expected a swizzle"),
        ("swizzle | layout = S<3,3,3> o 0 o 64:1 | swizzle = S<3,3,3>", Part::Value(1), "already"),
        ("swizzle | layout = (8,8):(1@0,1@1) | swizzle = S<3,3,3>", Part::Value(0), "integer offsets"),
        ("swizzle | layout = 64:1 | swizzle = S<3,3,3> | unit = byte", Part::Value(2), "width of an element"),
        ("swizzle | layout = 64:1 | swizzle = S<3,3,3> | unit = bit", Part::Value(2), "element, byte"),
        ("swizzle | layout = 64:1 | swizzle = S<3,3,3> | dtype = f17", Part::Value(2), "did you mean `f16`?"),
    ];
    for (line, part, text) in table {
        let problems = try_build(line).err().unwrap_or_else(|| panic!("{line} draws"));
        assert!(
            problems.iter().any(|p| p.part == *part && p.diagnostic.to_string().contains(text)),
            "{line}: {problems:#?}"
        );
    }
}

#[test]
fn a_color_that_is_like_none_is_not_corrected() {
    // The first word of the list was offered for anything.
    let problems = try_build("divide | A = (8,8) | tiler = 4 | color = zzz").unwrap_err();
    assert!(problems[0].diagnostic.text.contains("tile, value, none"), "{problems:#?}");
    assert_eq!(problems[0].diagnostic.hint, None);
    let problems = try_build("divide | A = (8,8) | tiler = 4 | color = vlaue").unwrap_err();
    assert_eq!(problems[0].diagnostic.hint.as_deref(), Some("did you mean `value`?"));
}

#[test]
fn a_million_cells_are_reduced_and_say_so() {
    for line in [
        "divide | A = (1024,1024):(1024,1) | tiler = (128,64) | op = zipped",
        "product | A = (64,64):(1,64) | tiler = (16,16):(16,1)",
        "compose | A = (1024,1024):(1,1024) | B = (512,2048):(1,512)",
        "local-tile | A = (4096,4096):(4096,1) | tiler = (128,64) | coord = (3,_)",
        "swizzle | layout = (1024,1024):(1024,1) | swizzle = S<3,3,3> | dtype = f16",
        "complement | A = (512,512):(1,1024) | cotarget = 1048576",
    ] {
        let built = figure(line);
        warns(&built, "reduced", "are drawn");
        let cells: usize = built
            .figure
            .panels
            .iter()
            .filter_map(|panel| match &panel.body {
                Body::Grids(slices) => {
                    Some(slices.iter().map(|s| s.grid.cells.len()).sum::<usize>())
                }
                Body::Bits(_) => None,
            })
            .sum();
        assert!(cells <= mdbook_cute::figure::canvas::limits::CELLS_DRAWN, "{line}: {cells} cells");
    }
}

#[test]
fn the_bytes_are_the_same_from_any_thread() {
    let specs: Vec<Spec> = listed().collect();
    let write = |spec: &Spec| svg::file(&built(spec).figure, Theme::Light, Labels::Auto);
    let alone: Vec<String> = specs.iter().map(write).collect();
    let together: Vec<Vec<String>> = std::thread::scope(|scope| {
        let parts = specs.chunks(specs.len().div_ceil(8));
        let threads: Vec<_> =
            parts.map(|part| scope.spawn(move || part.iter().map(write).collect())).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(together.concat() == alone);
}
