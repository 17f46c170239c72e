//! What a swizzle counts is kept with it: every shared-memory atom means the same places in memory,
//! however it is spelled, whatever was made of it, and whichever figure looks at it.
//!
//! The places are computed here from the hardware's rule alone: the swizzle of the atom's name permutes
//! byte addresses.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]

mod common;

use common::figures::{attempt, built, fact, fact_text, messages, spec};
use common::in_parallel;
use mdbook_cute::cute::{AnyLayout, Layout, OffsetUnit, Tensor, Tree};
use mdbook_cute::expr::{Evaluated, Scope, Value};
use mdbook_cute::figure::Kind;
use mdbook_cute::hardware::dtype::ElementType;
use mdbook_cute::hardware::functions::functions;
use mdbook_cute::hardware::smem_atoms::{SmemAtom, SmemAtomKind, Spelling};
use serde_json::{Value as Json, json};

fn evaluate(text: &str) -> Evaluated {
    Scope::new(&functions()).evaluate(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Returns the element offsets in memory of a layout or a tensor.
fn places(value: &Value) -> Vec<i64> {
    let tensor = match value {
        Value::Tensor(tensor) => tensor.clone(),
        _ => Tensor { offset: Tree::Leaf(0), layout: value.to_layout().unwrap() },
    };
    let tensor = tensor.in_elements().unwrap();
    let origin = *tensor.offset.leaf().unwrap();
    tensor.layout.offsets().unwrap().into_iter().map(|at| at + origin).collect()
}

/// An atom of one element type.
struct Case {
    atom: SmemAtom,
    /// The width that its layout counts: of sparse atoms half of the stored one.
    bits: i64,
}

impl Case {
    fn name(&self) -> String {
        format!("{} of {}", self.atom.kind.name(), self.atom.element)
    }

    /// Returns where the elements are by the hardware's rule: the swizzle XORs bits of the byte address.
    fn places(&self) -> Vec<i64> {
        let swizzle = self.atom.swizzle;
        let (b, m, s) = (swizzle.bits(), swizzle.base(), swizzle.shift().unsigned_abs());
        let mask = ((1_i64 << b) - 1) << (m + s);
        let layout = AnyLayout::from(self.atom.layout.clone());
        let offsets = layout.offsets().unwrap().into_iter();
        offsets
            .map(|offset| {
                let bit = offset * self.bits;
                let byte = (bit / 8) ^ (((bit / 8) & mask) >> s);
                (byte * 8 + bit % 8) / self.bits
            })
            .collect()
    }

    /// Returns what people write for this atom: names, and what C++ and the DSL print.
    fn spellings(&self) -> Vec<String> {
        let atom = &self.atom;
        let (kind, element) = (atom.kind, atom.element);
        let cxx = element.aliases().first().copied().unwrap_or(element.name());
        let sparsity = if kind.sparse { ",2" } else { "" };
        let (b, m, s) = (atom.swizzle.bits(), atom.swizzle.base(), atom.swizzle.shift());
        let layout = &atom.layout;
        let mut spellings = Vec::new();
        let of_name = |kind: SmemAtomKind| match kind.spelling {
            Spelling::Dsl => vec![
                format!("smem_atom({}, {element})", kind.name()),
                format!("smem_atom(\"{}\", dtype={})", kind.name(), element.dsl_name()),
            ],
            Spelling::Cxx => vec![
                format!("{}<{cxx}{sparsity}>", kind.name()),
                format!("GMMA::{}<cutlass::{cxx}{sparsity}>{{}}", kind.name()),
                format!("smem_atom({}<{cxx}{sparsity}>)", kind.name()),
            ],
        };
        spellings.extend(of_name(kind));
        let twin = |other: &SmemAtomKind| {
            *other != kind
                && SmemAtom::new(*other, element)
                    .is_ok_and(|other| other.layout == *layout && other.swizzle == atom.swizzle)
        };
        spellings.extend(SmemAtomKind::all().filter(twin).flat_map(of_name));
        spellings.push(atom.cxx_form());
        if !kind.sparse {
            let bits = self.bits;
            spellings.push(format!("Sw<{b},{m},{s}>_smem_ptr[{bits}b](0x1000) o {layout}"));
            spellings.push(format!(
                "ComposedLayout<Swizzle<{b},{m},{s}>,smem_ptr_flag_bits<{bits}>,{layout}>"
            ));
            if element.bits() == 16 {
                spellings.push(format!(
                    "tensor<ptr<{element}, smem, align<1024>, S<{b},{m},{s}>> o {layout}>"
                ));
            }
        }
        spellings
    }

    /// Returns the thread-value layout in which thread `i` has 16 bytes, or less, of row `i`.
    fn rows(&self) -> (String, String) {
        let sizes: Vec<i64> = self.atom.layout.modes().iter().map(Layout::size).collect();
        let (rows, cols) = (sizes[0].min(sizes[1]), sizes[0].max(sizes[1]));
        let (thread, value) = if sizes[0] == rows { (1, rows) } else { (cols, 1) };
        let held = cols.min(128 / self.bits);
        (format!("({rows},{held}):({thread},{value})"), format!("({},{})", sizes[0], sizes[1]))
    }
}

fn cases() -> Vec<Case> {
    use ElementType::{Bf16, E2m1, E4m3, F16, F32, F64};
    SmemAtomKind::all()
        .flat_map(|kind| [E2m1, E4m3, F16, Bf16, F32, F64].map(|element| (kind, element)))
        .filter_map(|(kind, element)| SmemAtom::new(kind, element).ok())
        .map(|atom| {
            let bits = atom.element.bits() / if atom.kind.sparse { 2 } else { 1 };
            Case { atom, bits }
        })
        .collect()
}

/// Goes through all atoms and spellings.
fn everywhere(each: impl Fn(&Case, &str) + Sync) {
    let cases = cases();
    assert!(cases.len() > 100);
    in_parallel(&cases, |case| {
        for spelling in case.spellings() {
            each(case, &spelling);
        }
    });
}

fn figure(kind: &str, keys: &[(&str, &str)]) -> mdbook_cute::figure::Built {
    built(&spec(Kind::parse(kind).unwrap(), keys))
}

#[test]
fn every_spelling_is_at_the_same_places() {
    everywhere(|case, spelling| {
        let evaluated = evaluate(spelling);
        assert_eq!(places(&evaluated.value), case.places(), "{}: {spelling}", case.name());
        let swizzle = evaluated.value.to_layout().unwrap().swizzle();
        if let Some(swizzle) = swizzle {
            let bits = u32::try_from(case.bits).ok();
            assert_eq!(swizzle.unit().element_bits(), bits, "{spelling}");
            assert_eq!(evaluated.value.byte_swizzle(), Some(case.atom.swizzle), "{spelling}");
        }
    });
}

#[test]
fn layout_draws_the_places_or_names_them() {
    everywhere(|case, spelling| {
        let built = figure("layout", &[("layout", spelling)]);
        let drawn = evaluate(&fact_text(&built, "result")).value.to_layout().unwrap();
        let drawn = drawn.offsets().unwrap();
        if drawn == case.places() {
            return;
        }
        let note = built
            .figure
            .notes
            .iter()
            .find(|note| note.code == "swizzle-unit" && note.text.contains("in memory"))
            .unwrap_or_else(|| panic!("{spelling} is drawn elsewhere without a note"));
        let memory = note.text.rsplit('`').nth(1).unwrap();
        assert_eq!(places(&evaluate(memory).value), case.places(), "{spelling}: {memory}");
    });
}

#[test]
fn swizzle_draws_the_places_whichever_unit_it_prints() {
    everywhere(|case, spelling| {
        // In C++ rows of 16 bytes are a plain layout.
        if evaluate(spelling).value.to_layout().unwrap().swizzle().is_none() {
            assert!(case.atom.swizzle.is_identity());
            return;
        }
        for unit in [None, Some("byte"), Some("element")] {
            let mut keys = vec![("layout", spelling)];
            keys.extend(unit.map(|unit| ("unit", unit)));
            let built = figure("swizzle", &keys);
            assert_eq!(fact_text(&built, "byte"), case.atom.swizzle.to_string(), "{spelling}");
            let drawn = evaluate(&fact_text(&built, "result"));
            assert_eq!(places(&drawn.value), case.places(), "{spelling} {unit:?}");
        }
    });
}

#[test]
fn tv_and_bank_conflicts_count_the_same_banks() {
    everywhere(|case, spelling| {
        let (tv, tile) = case.rows();
        let facts = |keys: &[(&str, &str)]| -> Vec<Json> {
            let built =
                figure("tv", &[&[("tv", tv.as_str()), ("tile", tile.as_str())], keys].concat());
            ["max-ways", "wavefronts", "phases", "smem-vector"]
                .map(|name| fact(&built, name))
                .into()
        };
        // The hardware's own view: addresses of the plain layout, their bytes permuted.
        let (plain, swizzle) = (case.atom.layout.to_string(), case.atom.swizzle.to_string());
        let width = ElementType::ALL.iter().find(|ty| ty.bits() == case.bits);
        let Some(width) = width.map(ToString::to_string) else { return };
        let right = facts(&[
            ("smem", &plain),
            ("smem-swizzle", &swizzle),
            ("smem-unit", "byte"),
            ("dtype", &width),
        ]);
        for unit in ["", "byte", "element"] {
            let mut keys = vec![("smem", spelling), ("dtype", &width)];
            if !unit.is_empty() {
                keys.push(("smem-unit", unit));
            }
            assert_eq!(facts(&keys), right, "{}: {spelling} {unit}", case.name());
        }
        let call = evaluate(&format!("bank_conflicts({tv}, {spelling}, {width})"));
        let Value::Items(phases) = call.value else { panic!("{}", call.value) };
        let ways = |phase: &Value| match phase {
            Value::Record(fields) => {
                fields.iter().find(|(name, _)| *name == "ways").unwrap().1.clone()
            }
            _ => panic!("{phase}"),
        };
        let worst = phases.iter().map(|phase| ways(phase).to_int().unwrap()).max();
        assert_eq!(json!(worst), right[0], "{spelling}");
    });
}

#[test]
fn tma_loads_the_same_boxes() {
    let dtypes = ["f16", "bf16", "f32", "f64"];
    everywhere(|case, spelling| {
        let dtype = case.atom.element.name();
        if case.atom.kind.sparse || !dtypes.contains(&dtype) {
            return;
        }
        let sizes: Vec<i64> = case.atom.layout.modes().iter().map(Layout::size).collect();
        let tile = format!("({},{})", sizes[0] * 2, sizes[1] * 2);
        let gmem = match sizes[0] < sizes[1] {
            true => "(4096,4096):(4096,1)",
            false => "(4096,4096):(1,4096)",
        };
        let facts = |atom: &str| {
            let smem = format!("tile_to_shape({atom}, {tile})");
            let keys = [
                ("op", "atom"),
                ("dtype", dtype),
                ("gmem", gmem),
                ("smem", &smem),
                ("tiler", &tile),
            ];
            let built = attempt(&spec(Kind::parse("tma").unwrap(), &keys))
                .unwrap_or_else(|problems| panic!("{smem}: {}", messages(&problems)));
            ["box", "instructions", "byte-swizzle", "rules"].map(|name| fact(&built, name))
        };
        // Where nothing is stated, shared memory of a TMA counts bytes.
        let right = facts(&format!("{} o 0 o {}", case.atom.swizzle, case.atom.layout));
        assert_eq!(facts(spelling), right, "{}: {spelling}", case.name());
    });
}

/// Operations that keep a swizzle, on an atom of K in halves.
const OPERATIONS: &[&str] = &[
    "tile_to_shape(A, (64,128))",
    "tile_to_shape(A, (64,128,3), (1,0,2))",
    "tile_to_mma_shape(A, ((16,16),4,2,3), (0,1,2))",
    "coalesce(A)",
    "coalesce(tile_to_shape(A, (64,128)), (1,1))",
    "group_modes(tile_to_shape(A, (64,128,3)), 0, 2)",
    "select(A, (1,0))",
    "get(A, 1)",
    "flatten(tile_to_shape(A, (64,128)))",
    "composition(A, <4,8>)",
    "composition(A, (8,8):(1,64))",
    "logical_divide(A, <4,8>)",
    "zipped_divide(A, <4,8>)",
    "tiled_divide(A, <4,8>)",
    "logical_product(A, 2:1)",
    "append_ones(A, 3)",
    "local_tile(tile_to_shape(A, (64,128)), (16,64), (1,_))",
    "local_tile(tile_to_shape(A, (64,128,3)), (64,64,1), (0,1,2))",
    "slice(tile_to_shape(A, (64,128,3)), (_,_,2))",
    "tile_to_shape(A, (64,128,3))(_,_,1)",
    "make_tensor(8192, A)",
    "recast_layout(16, 16, A)",
];

#[test]
fn operations_keep_the_unit() {
    for operation in OPERATIONS {
        let of = |atom: &str| {
            let functions = functions();
            let mut scope = Scope::new(&functions);
            scope.define("A", evaluate(atom)).unwrap();
            scope.evaluate(operation).unwrap_or_else(|error| panic!("{operation}: {error}"))
        };
        let (bytes, elements) = (of("smem_atom(K_SW128, f16)"), of("Layout_K_SW128_Atom<half_t>"));
        let unit = |found: &Evaluated| found.value.any_layout().unwrap().swizzle().unwrap().unit();
        assert_eq!(unit(&bytes), OffsetUnit::Byte { element_bits: 16 }, "{operation}");
        assert_eq!(unit(&elements), OffsetUnit::Element { bits: 16 }, "{operation}");
        assert_eq!(places(&bytes.value), places(&elements.value), "{operation}");
    }
}

#[test]
fn a_slice_that_resolves_a_swizzle_of_bytes_warns() {
    let warns = |text: &str| evaluate(text).messages.iter().any(|m| m.text.contains("no longer"));
    // One row: its elements are a permutation that the DSL takes over element numbers.
    for text in [
        "slice(smem_atom(K_SW128, f16), (1,_))",
        "smem_atom(K_SW128, f16)(1,_)",
        "slice_and_offset((1,_), smem_atom(K_SW128, f16))",
        "local_tile(smem_atom(K_SW128, f16), (1,64), (1,0))",
        "recast_layout(8, 16, smem_atom(K_SW128, f16))",
    ] {
        assert!(warns(text), "{text}");
        let cxx = text.replace("smem_atom(K_SW128, f16)", "Layout_K_SW128_Atom<half_t>");
        assert!(!warns(&cxx), "{cxx}");
    }
    // Over bytes both readings are one.
    assert!(!warns("slice(smem_atom(K_SW128, e4m3), (1,_))"));
}

#[test]
fn the_calls_of_every_hopper_kernel() {
    // Atoms of C++ in `tma` gave 256 instructions of 32 elements, and an error with `swizzle = 128B`.
    for (atom, dtype, swizzle, tile, box_shape) in [
        ("GMMA::Layout_K_SW128_Atom<bf16>", "bf16", "128B", "(128,64)", "(64,128)"),
        ("GMMA::Layout_K_SW128_Atom<float>", "f32", "128B", "(128,32)", "(32,128)"),
        ("GMMA::Layout_K_SW64_Atom<half_t>", "f16", "64B", "(128,32)", "(32,128)"),
        ("smem_atom(K_SW128, bf16)", "bf16", "128B", "(128,64)", "(64,128)"),
        ("Sw<3,4,3> o smem_ptr[16b](unset) o (8,64):(64,1)", "f16", "128B", "(128,64)", "(64,128)"),
    ] {
        for named in [false, true] {
            let smem = format!("tile_to_shape({atom}, {tile})");
            let mut keys = vec![
                ("op", "atom"),
                ("dtype", dtype),
                ("gmem", "(4096,4096):(4096,1)"),
                ("smem", smem.as_str()),
                ("tiler", tile),
            ];
            if named {
                keys.push(("swizzle", swizzle));
            }
            let built = figure("tma", &keys);
            assert!(fact_text(&built, "box").starts_with(box_shape), "{atom}");
            assert_eq!(fact(&built, "instructions"), json!(1), "{atom}");
        }
    }
}

#[test]
fn the_cases_that_were_wrong() {
    // The byte form was converted twice.
    let swizzle = |keys: &[(&str, &str)]| {
        let built = figure("swizzle", keys);
        [fact_text(&built, "element"), fact_text(&built, "byte")]
    };
    let right = ["S<3,3,3>", "S<3,4,3>"];
    let cxx = ("layout", "GMMA::Layout_K_SW128_Atom<half_t>{}");
    assert_eq!(swizzle(&[cxx, ("unit", "byte"), ("dtype", "f16")]), right);
    assert_eq!(swizzle(&[("layout", "smem_atom(K_SW128,f16)")]), right);
    // Over 8-bit elements both units have one picture of bits.
    let keys = [("layout", "(8,8):(8,1)"), ("swizzle", "S<3,0,3>"), ("dtype", "i8")];
    assert_eq!(figure("swizzle", &keys).figure.panels.len(), 3);
    // A pointer's address in front of the swizzle is part of what it permutes.
    assert_eq!(places(&evaluate("make_tensor(8, smem_atom(K_SW128, f16))").value)[..2], [8, 64]);
    // Rows of 16 bytes down a column, and ldmatrix, meet no bank twice.
    let ways = evaluate("bank_conflicts((8,8):(1,8), smem_atom(K_SW128,f16), f16)").value;
    assert!(ways.to_string().contains("ways=1"), "{ways}");
    for atom in ["smem_atom(K_SW128,bf16)", "Layout_K_SW128_Atom<bf16>"] {
        let smem = format!("tile_to_shape({atom}, (32,64))");
        for unit in ["byte", "element"] {
            let keys = [
                ("tv", "(32,8):(1,32)"),
                ("tile", "(32,64)"),
                ("smem", smem.as_str()),
                ("smem-unit", unit),
                ("smem-instruction", "ldmatrix.x4"),
            ];
            assert_eq!(fact(&figure("tv", &keys), "max-ways"), json!(1), "{atom} {unit}");
        }
    }
}
