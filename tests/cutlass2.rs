//! The CUTLASS 2.x layout classes against values printed by CUTLASS 4.7's own headers
//! (`tests/data/cutlass2_layouts.jsonl`, one record a line).

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test may stop at what it did not expect"
)]

mod common;

use common::laws::{Case, law};
use common::records;
use mdbook_cute::hardware::cutlass2::{Class, Given, Inverse, Matrix, Object, Twin, notes};
use proptest::prelude::*;
use serde_json::Value;

fn ints(value: &Value) -> Vec<i64> {
    value.as_array().unwrap().iter().map(|n| n.as_i64().unwrap()).collect()
}

/// Makes the object that a record describes.
fn object_of(record: &Value) -> Object {
    let class = Class::parse(record["layout"].as_str().unwrap()).unwrap();
    let ctor = record["ctor"].as_str().unwrap();
    let matrix = if ctor.contains("kRowMajor") { Matrix::RowMajor } else { Matrix::ColumnMajor };
    let extent = ints(&record["extent"]);
    let numbers: Vec<i64> = ctor
        .split(|c: char| !c.is_ascii_digit() && c != '-')
        .filter_map(|word| word.parse().ok())
        .collect();
    match ctor {
        "packed(extent)" | "packed(extent, kColumnMajor)" | "packed(extent, kRowMajor)" => {
            Object::packed(class, &extent, matrix)
        }
        "default constructor" => Object::with_stride(class, &vec![0; class.stride_rank()], matrix),
        // These two take their strides from the record: the layout_factory and the interleave of
        // `GeneralMatrix::packed` are no members of the objects modelled here.
        _ if ctor.contains("factory") || ctor.starts_with("packed") => {
            Object::with_stride(class, &ints(&record["stride"]), matrix)
        }
        _ => Object::with_stride(class, &numbers, matrix),
    }
    .unwrap()
}

fn coords(extent: &[i64]) -> Vec<Vec<i64>> {
    extent.iter().fold(vec![vec![]], |all, &n| {
        all.into_iter()
            .flat_map(|head| (0..n).map(move |i| [head.clone(), vec![i]].concat()))
            .collect()
    })
}

#[test]
fn every_record_matches_member_by_member() {
    let mut twins = 0;
    let mut rounded = 0;
    let mut without = Vec::new();
    let mut seen = 0;
    for record in records(include_str!("data/cutlass2_layouts.jsonl")) {
        seen += 1;
        let text = record["layout"].as_str().unwrap();
        let class = Class::parse(text).unwrap();
        assert_eq!(class.to_string(), text);
        assert!(record["source"].as_str().unwrap().ends_with(class.header()), "{text}");
        if record["kind"] == "layout_transpose" {
            let transposed = record["transposed"].as_str().map(str::to_owned);
            assert_eq!(class.transpose().map(|class| class.to_string()), transposed, "{text}");
            continue;
        }
        let extent = ints(&record["extent"]);
        let object = object_of(&record);
        let what = format!("case {} {text} {}", record["case"], record["ctor"]);
        assert_eq!(class.rank() as i64, record["rank"].as_i64().unwrap(), "{what}");
        assert_eq!(class.stride_rank() as i64, record["stride_rank"].as_i64().unwrap(), "{what}");
        let names: Vec<&str> = record["coord_order"].as_str().map_or_else(
            || {
                record["coord_order"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|n| n.as_str().unwrap())
                    .collect()
            },
            |names| names.split(',').collect(),
        );
        assert_eq!(class.coord_names(), names, "{what}");
        assert_eq!(object.stride(), ints(&record["stride"]), "{what}: stride");
        let packed = Object::packed(class, &extent, Matrix::ColumnMajor).unwrap();
        assert_eq!(packed.stride(), ints(&record["packed_stride"]), "{what}: packed");
        let capacity = record["capacity"].as_i64().unwrap();
        assert_eq!(object.capacity(&extent).unwrap(), capacity, "{what}: capacity");

        let all = coords(&extent);
        let offsets: Vec<i64> = all.iter().map(|coord| object.offset(coord).unwrap()).collect();
        assert_eq!(offsets, ints(&record["offsets"]), "{what}: operator()");
        check_inverse(&object, &record, &what);
        notes(&object, &extent, Given::Stride).unwrap();

        match Twin::of(&object, &extent).unwrap() {
            Twin::None { .. } => without.push(what),
            twin => {
                let layout = twin.layout().unwrap();
                for (coord, offset) in all.iter().zip(&offsets) {
                    let point =
                        mdbook_cute::cute::Tree::flat(coord.iter().copied()).unwrap_single();
                    assert_eq!(
                        layout.at(&point).unwrap().leaf(),
                        Some(offset),
                        "{what}: {layout} at {coord:?}"
                    );
                }
                twins += 1;
                rounded += usize::from(matches!(twin, Twin::Rounded { .. }));
            }
        }
    }
    println!("{seen} records, {twins} CuTe twins ({rounded} of them over a rounded extent)");
    println!("without a twin: {without:#?}");
    assert_eq!(seen, 259);
    assert!(without.iter().all(|what| what.contains("Crosswise")), "{without:#?}");
}

fn check_inverse(object: &Object, record: &Value, what: &str) {
    let kind = record["inverse_kind"].as_str().unwrap();
    match kind {
        "stub_returns_origin" => {
            assert_eq!(object.class().inverse(), Inverse::Stub, "{what}");
            assert_eq!(object.inverse(7).unwrap(), vec![0; object.class().rank()], "{what}");
        }
        "real" => {
            assert_eq!(object.class().inverse(), Inverse::Real, "{what}");
            for (offset, coord) in (0..).zip(record["inverse"].as_array().unwrap()) {
                assert_eq!(
                    object.inverse(offset).unwrap(),
                    ints(coord),
                    "{what}: inverse({offset})"
                );
            }
        }
        // `none` is also recorded where a default-constructed object would divide by zero.
        "none" => {
            let refusal = object.inverse(0);
            let stub = object.class().inverse() == Inverse::Stub;
            assert!(refusal.is_err() || stub, "{what}: {refusal:?}");
        }
        _ => assert_ne!(object.class().inverse(), Inverse::Real, "{what}"),
    }
}

fn twin(text: &str, extent: &[i64], stride: Option<&[i64]>) -> String {
    let class = Class::parse(text).unwrap();
    let object = match stride {
        Some(stride) => Object::with_stride(class, stride, Matrix::ColumnMajor).unwrap(),
        None => Object::packed(class, extent, Matrix::ColumnMajor).unwrap(),
    };
    match Twin::of(&object, extent).unwrap() {
        Twin::Exact(layout) => layout.to_string(),
        Twin::Rounded { layout, extent } => format!("{layout} over {extent:?}"),
        Twin::Sampled { layout, extent, points } => format!("{layout} over {extent:?} at {points}"),
        Twin::None { reason } => reason.to_owned(),
    }
}

/// A million points took 90 ms, twice what a figure may take; beyond them there was no layout.
#[test]
fn a_large_extent_is_compared_at_some_points() {
    assert_eq!(
        twin("RowMajor", &[1, 1_000_000], None),
        "(1,1000000):(1000000,1) over [1, 1000000] at 16256"
    );
    assert_eq!(twin("RowMajor", &[512, 512], None), "(512,512):(512,1)");
    let partial = twin("RowMajorInterleaved<4>", &[1001, 1000], Some(&[4000]));
    assert!(partial.contains(" over [1004, 1000] at "), "{partial}");
    assert!(
        twin("TensorOpMultiplicandCongruous<16,64>", &[6400, 8000], None).contains("too large")
    );
}

#[test]
fn twins_are_written_as_a_person_would() {
    assert_eq!(twin("RowMajorInterleaved<4>", &[8, 6], Some(&[24])), "((4,2),6):((1,24),4)");
    assert_eq!(
        twin("RowMajorInterleaved<4>", &[5, 3], Some(&[40])),
        "((4,2),3):((1,40),4) over [8, 3]"
    );
    assert_eq!(twin("RowMajor", &[5, 3], Some(&[20])), "(5,3):(20,1)");
    assert_eq!(twin("TensorNHWC", &[2, 3, 4, 5], None), "(2,3,4,5):(60,20,5,1)");
    assert_eq!(twin("TensorNCxHWx<4>", &[2, 3, 4, 8], None), "(2,3,4,(4,2)):(96,16,4,(1,48))");
    assert_eq!(twin("PackedVectorLayout", &[5], None), "5:1");
    assert_eq!(
        twin("TensorOpMultiplicandCongruous<16, 64>", &[64, 8], None),
        "S<3,3,3> o 0 o (64,8):(1,64)"
    );
    assert_eq!(
        twin("TensorOpMultiplicandCrosswise<16, 32>", &[32, 16], None),
        "S<2,3,3> o 0 o (32,16):(1,32)"
    );
}

#[test]
fn every_class_name_is_read_back() {
    for name in Class::names() {
        let text = ["", "<4>", "<16>", "<16, 32>", "<2, 2>"]
            .iter()
            .map(|arguments| format!("cutlass::layout::{name}{arguments}"))
            .find(|text| Class::parse(text).is_ok())
            .unwrap_or_else(|| panic!("no arguments fit {name}"));
        let class = Class::parse(&text).unwrap();
        assert_eq!(Class::parse(&class.to_string()), Ok(class));
    }
}

#[test]
fn refusals_name_the_class_and_the_member() {
    let parse = |text: &str| Class::parse(text).unwrap_err().to_string();
    assert_eq!(
        parse("RowMajorInterleave<4>"),
        "unknown layout class `RowMajorInterleave` of CUTLASS 2.x (did you mean `RowMajorInterleaved`?)"
    );
    assert!(parse("RowMajorInterleaved").contains("takes 1 template argument (Interleave), not 0"));
    assert!(parse("RowMajor<4>").contains("takes no template arguments"));
    assert!(parse("RowMajorInterleaved<0>").contains("does not compile"));
    assert!(parse("TensorOpMultiplicandCongruous<16,128>").contains("longer than one line"));
    assert!(parse("TensorNWC").contains("has no `operator()`"));

    let object = |text: &str, stride: &[i64]| {
        Object::with_stride(Class::parse(text).unwrap(), stride, Matrix::ColumnMajor)
    };
    let nchw = object("TensorNCHW", &[8, 40, 400]).unwrap();
    assert_eq!(nchw.inverse(0).unwrap_err().text, "`TensorNCHW` has no member `inverse`");
    assert_eq!(nchw.stride_at(0).unwrap_err().text, "`TensorNCHW` has no member `stride(int)`");
    assert_eq!(
        object("RowMajor", &[0]).unwrap().inverse(1).unwrap_err().text,
        "`RowMajor::inverse` divides by a stride of 0"
    );
    assert!(
        object("TensorOpMultiplicandCongruous<16,64>", &[64])
            .unwrap()
            .inverse(0)
            .unwrap_err()
            .text
            .contains("does not compile")
    );
    assert!(object("TensorNHWC", &[1, 2]).unwrap_err().text.contains("has 3 numbers"));
    let wide = object("TensorNHWC", &[1 << 20, 1 << 20, 1 << 20]).unwrap();
    assert_eq!(
        wide.offset(&[4096, 0, 0, 0]).unwrap_err().text,
        "a product in `TensorNHWC::operator()` does not fit into 32 bits"
    );
}

#[test]
fn surprises_become_notes() {
    let codes = |text: &str, extent: &[i64], stride: Option<&[i64]>| -> Vec<&'static str> {
        let class = Class::parse(text).unwrap();
        let (object, given) = match stride {
            Some(stride) => {
                (Object::with_stride(class, stride, Matrix::ColumnMajor).unwrap(), Given::Stride)
            }
            None => (Object::packed(class, extent, Matrix::ColumnMajor).unwrap(), Given::Packed),
        };
        notes(&object, extent, given).unwrap().iter().map(|note| note.code).collect()
    };
    assert_eq!(codes("RowMajor", &[4, 8], Some(&[8])), [""; 0]);
    assert_eq!(codes("RowMajor", &[4, 8], Some(&[0])), ["cutlass-ldm", "cutlass-overlap"]);
    assert_eq!(codes("RowMajor", &[4, 8], Some(&[3])), ["cutlass-overlap", "cutlass-capacity"]);
    assert_eq!(
        codes("RowMajorInterleaved<4>", &[5, 3], Some(&[40])),
        ["cutlass-padding", "cutlass-partial"]
    );
    assert_eq!(
        codes("AffineRank2ColumnMajor", &[4, 8], Some(&[16, 1])),
        ["cutlass-capacity", "cutlass-inverse"]
    );
    assert_eq!(
        codes("TensorNCxHWx<4>", &[2, 3, 4, 5], None),
        [
            "cutlass-overlap",
            "cutlass-capacity",
            "cutlass-partial",
            "cutlass-inverse",
            "cutlass-packed"
        ]
    );
    assert!(codes("TensorNHWC", &[2, 3, 4, 5], Some(&[4, 16, 48])).contains(&"cutlass-assert"));
}

/// `inverse` undoes `operator()` wherever the class has a real one and lines do not overlap.
#[test]
fn a_real_inverse_returns_the_coordinate() {
    let sizes = (1_i64..20, 1_i64..20, 1_i64..9, 0_i64..5, 0_i64..20, 0_i64..20);
    law(256, 256, sizes, |(rows, columns, n, pad, row, column)| {
        let (row, column) = (row % rows, column % columns);
        for (class, line) in [
            (Class::RowMajor, columns),
            (Class::ColumnMajor, rows),
            (Class::PitchLinear, rows),
            (Class::RowMajorInterleaved(n), columns * n),
            (Class::ColumnMajorInterleaved(n), rows * n),
        ] {
            let object = Object::with_stride(class, &[line + pad], Matrix::ColumnMajor).unwrap();
            let offset = object.offset(&[row, column]).unwrap();
            prop_assert_eq!(object.inverse(offset).unwrap(), vec![row, column]);
            prop_assert!(offset < object.capacity(&[rows, columns]).unwrap());
        }
        Ok(Case::Held)
    });
}

/// No text makes the parser panic, and what it accepts prints itself.
#[test]
fn any_text_is_parsed_or_refused() {
    let name = prop_oneof![
        prop::sample::select(Class::names()),
        "[A-Za-z0-9]{0,12}(Interleaved|Congruous|N)?",
    ];
    let arguments =
        prop_oneof![Just(String::new()), "<(4|8|16|32)(, ?(2|4|32|64))?>", "[<>, 0-9-]{0,10}"];
    law(512, 25, ("(cutlass::)?(layout::)?", name, arguments), |(scope, name, arguments)| {
        let Ok(class) = Class::parse(&format!("{scope}{name}{arguments}")) else {
            return Ok(Case::PassedOver);
        };
        prop_assert_eq!(Class::parse(&class.to_string()), Ok(class));
        Ok(Case::Held)
    });
}

/// The sm_75 patterns permute: every element of a whole tile gets an offset of its own.
#[test]
fn multiplicands_of_whole_tiles_do_not_collide() {
    let sizes = (prop::sample::select(vec![4_i64, 8, 16, 32]), 0_u32..3, 1_i64..3);
    law(256, 256, sizes, |(bits, log2, stages)| {
        let crosswise = (1024 / bits) >> log2;
        let name = format!("TensorOpMultiplicandCrosswise<{bits}, {crosswise}>");
        let class = Class::parse(&name).unwrap();
        let extent = [crosswise * stages, 32];
        let object = Object::packed(class, &extent, Matrix::ColumnMajor).unwrap();
        let mut offsets: Vec<i64> =
            coords(&extent).iter().map(|c| object.offset(c).unwrap()).collect();
        offsets.sort_unstable();
        let all: Vec<i64> = (0..extent[0] * extent[1]).collect();
        prop_assert_eq!(offsets, all);
        Ok(Case::Held)
    });
}
