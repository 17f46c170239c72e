//! Shared-memory atoms against what CuTe's headers and the DSL gave.

use crate::common::{records, text};
use crate::text::tuple;
use mdbook_cute::cute::Swizzle;
use mdbook_cute::cute::algebra::{recast_layout, tile_to_shape};
use mdbook_cute::expr::{Functions, Scope};
use mdbook_cute::hardware::dtype::ElementType;
use mdbook_cute::hardware::smem_atoms::{Major, SmemAtom, SmemAtomKind, tile_to_mma_shape};
use serde_json::Value;

const HEADERS: &str = include_str!("../data/smem_atoms.jsonl");
const DSL: &str = include_str!("../data/smem_layouts.jsonl");

#[test]
fn every_atom_of_the_headers_is_the_same_in_every_form() {
    let mut count = 0;
    for record in records(HEADERS) {
        let name = text(&record, "name");
        let element = ElementType::parse(text(&record, "type")).unwrap();
        let by_name = SmemAtom::parse(&format!("{name}<{}>", text(&record, "type"))).unwrap();
        let atom = SmemAtom::new(SmemAtomKind::parse(name).unwrap(), element).unwrap();
        assert_eq!(atom, by_name);
        assert_eq!(atom.cxx_form(), text(&record, "element_form"), "{record}");
        assert_eq!(atom.layout.to_string(), text(&record, "element_layout"), "{record}");
        assert_eq!(element.bits(), record["type_bits"].as_i64().unwrap());
        let bms = [atom.swizzle.bits(), atom.swizzle.base(), atom.swizzle.shift().unsigned_abs()];
        assert_eq!(Value::from(bms.to_vec()), record["element_swizzle_printed"], "{record}");
        assert_eq!(atom.kind.major == Major::K, text(&record, "major") == "K");
        if let Some(form) = record["position_independent_form"].as_str() {
            let ours = atom.in_elements().unwrap();
            assert_eq!(ours.to_string(), form.replace("Sw<", "S<"), "{record}");
            if let Some(offsets) = record["element_offsets"].as_array() {
                let theirs: Vec<i64> = offsets.iter().map(|at| at.as_i64().unwrap()).collect();
                assert_eq!(ours.offsets().unwrap(), theirs, "{name} of {element}");
            }
        }
        count += 1;
    }
    assert_eq!(count, 248);
}

#[test]
fn every_shared_memory_layout_of_the_dsl_is_the_same() {
    let mut seen = [0; 5];
    let functions = Functions::core();
    let scope = Scope::new(&functions);
    for record in records(DSL) {
        let expected = &record["result"]["str"];
        let element = || ElementType::parse(text(&record, "dtype")).unwrap();
        match text(&record, "op") {
            "smem_layout_atom" => {
                let kind = SmemAtomKind::parse(text(&record, "kind")).unwrap();
                let atom = SmemAtom::new(kind, element()).unwrap().as_printed().unwrap();
                assert_eq!(atom.to_string(), text(&record["atom"], "str"), "{record}");
                if let Some(shape) = record["shape"].as_str() {
                    let order = tuple(text(&record, "order"));
                    let tiled = tile_to_shape(&atom, &tuple(shape), Some(&order)).unwrap();
                    assert_eq!(tiled.to_string(), *expected, "{record}");
                }
                seen[0] += 1;
            }
            "tile_to_mma_shape" => {
                let kind = SmemAtomKind::parse(text(&record, "kind")).unwrap();
                let atom = SmemAtom::new(kind, element()).unwrap().as_printed().unwrap();
                let (shape, order) = (tuple(text(&record, "shape")), tuple(text(&record, "order")));
                let ours = tile_to_mma_shape(&atom, &shape, Some(&order));
                match record.get("error") {
                    Some(_) => assert!(ours.is_err(), "{record}"),
                    None => assert_eq!(ours.unwrap().to_string(), *expected, "{record}"),
                }
                seen[1] += 1;
            }
            op @ ("sm90_smem_layout" | "sm90_smem_layout_epi") => {
                // The DSL's helpers: the widest atom that divides the contiguous extent, repeated.
                let tile: Vec<i64> = tuple(text(&record, "tile")).leaves().copied().collect();
                let (rows, cols) = match record["operand"].as_str() {
                    Some("a") => (tile[0], tile[2]),
                    Some(_) => (tile[1], tile[2]),
                    None => (tile[0], tile[1]),
                };
                let row_major = text(&record, "major") == "ROW_MAJOR";
                let (major, extent) = if row_major { (Major::K, cols) } else { (Major::Mn, rows) };
                let kind = SmemAtomKind::widest(major, element(), extent);
                let atom = SmemAtom::new(kind, element()).unwrap().as_printed().unwrap();
                let stages = record["stages"].as_i64().unwrap();
                let shape = tuple(&format!("({rows},{cols},{stages})"));
                let order = tuple(if row_major { "(0,1,2)" } else { "(1,0,2)" });
                let ours = tile_to_shape(&atom, &shape, Some(&order)).unwrap();
                assert_eq!(ours.to_string(), *expected, "{record}");
                seen[if op == "sm90_smem_layout" { 2 } else { 3 }] += 1;
            }
            "smem_tensor" => {
                let (a, _) = scope.layout(text(&record, "a")).unwrap();
                // A swizzle over offset 0 goes into the pointer.
                let identity = a.swizzle().is_some_and(Swizzle::is_identity);
                let a = if identity { a.domain().clone().into() } else { a };
                // The DSL prints a negative S without its `>`.
                let plain = |text: &str| text.replace('>', "");
                let expected = |field: &str| plain(text(&record[field], "str"));
                assert_eq!(plain(&a.to_string()), expected("layout"));
                let new = ElementType::parse(text(&record, "recast")).unwrap();
                let ours = recast_layout(new.bits(), element().bits(), &a).unwrap();
                assert_eq!(plain(&ours.to_string()), expected("recast_layout"), "{record}");
                seen[4] += 1;
            }
            op => panic!("unknown record {op}"),
        }
    }
    assert_eq!(seen, [165, 20, 36, 11, 38]);
}

#[test]
fn a_wrong_name_is_answered_with_the_nearest() {
    let error = SmemAtomKind::parse("K_SW12").unwrap_err();
    assert!(
        error.text.starts_with("unknown shared-memory atom `K_SW12`; expected one of MN_INTER")
    );
    assert!(error.hint.unwrap().contains("K_SW128"));
    let error = SmemAtom::parse("Layout_K_SW128_Atom<haft_t>").unwrap_err();
    assert_eq!(error.hint.as_deref(), Some("did you mean `half_t`?"));
    assert!(SmemAtom::parse("Layout_K_SW128_Atom").is_err());
    assert!(SmemAtom::parse("Layout_K_SW128_Atom<half_t,2>").is_err());
    assert!(SmemAtom::parse("Layout_K_SW128_SpAtom<half_t,2>").is_ok());
    // Rows of 128 bits do not hold a whole number of 6-bit elements.
    assert!(SmemAtom::new(SmemAtomKind::parse("K_INTER").unwrap(), ElementType::E3m2).is_err());
}
