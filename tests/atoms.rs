//! The table of copy atoms: its names, its code and its keywords, against what CuTe takes.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test may stop at the first surprise"
)]

use mdbook_cute::diagnostic::Diagnostic;
use mdbook_cute::expr::{Functions, Scope};
use mdbook_cute::figure::{Entry, Kind, Spec, build};
use mdbook_cute::hardware::atoms::{CopyAtom, CopyRequest, TmaOperation};
use mdbook_cute::hardware::dtype::ElementType;
use mdbook_cute::hardware::tma::Mode;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

fn find(name: &str) -> Result<CopyAtom, Diagnostic> {
    CopyAtom::find(&CopyRequest { name, ..CopyRequest::default() }).map_err(Diagnostic::from)
}

/// Looks a name up with further keywords, as the key `attrs` gives them.
fn with_attrs(name: &str, attrs: &[(&str, &str)]) -> Result<CopyAtom, Diagnostic> {
    let owned = |(key, value): &(&str, &str)| ((*key).to_owned(), (*value).to_owned());
    let attrs = attrs.iter().map(owned).collect();
    let request = CopyRequest { name, attrs, ..CopyRequest::default() };
    CopyAtom::find(&request).map_err(Diagnostic::from)
}

fn message(error: &Diagnostic) -> String {
    format!("{}; {}", error.text, error.hint.as_deref().unwrap_or("no hint"))
}

/// Draws a figure and returns its facts.
fn facts(entries: &[(&str, &str)]) -> Result<BTreeMap<String, Value>, String> {
    let functions = Functions::core();
    let entries = entries.iter().map(|(key, value)| Entry::new(*key, *value)).collect();
    let built = build(&Spec::new(Kind::parse("copy").unwrap(), entries), &Scope::new(&functions))
        .map_err(|problems| problems[0].diagnostic.to_string())?;
    Ok(built.figure.facts.to_json().into_iter().collect())
}

#[test]
fn every_spelling_is_its_atom() {
    let mut count = 0;
    for line in include_str!("data/atom_spellings.txt").lines().filter(|l| !l.starts_with('#')) {
        let mut cells = line.split(" | ").map(str::trim);
        let (spelling, name) = (cells.next().unwrap(), cells.next().unwrap());
        let atom = find(spelling).unwrap_or_else(|error| panic!("{spelling}: {}", message(&error)));
        assert_eq!(atom.name, name, "{spelling}");
        if let Some(dtype) = cells.next() {
            assert_eq!(atom.dtype.name(), dtype, "{spelling}");
        }
        if let Some(bits) = cells.next() {
            assert_eq!(atom.bits, bits.parse().ok(), "{spelling}");
        }
        count += 1;
    }
    assert!(count > 70, "{count}");
}

/// `foo` was answered by `tma.load.im2col.prefetch`.
#[test]
fn an_unknown_name_gets_near_names_or_none() {
    for (name, hint) in [
        ("foo", "for example `SM75_U32x4_LDSM_N`"),
        ("mma", "for example"),
        ("SM80_16x8x16_F32F16F16F32_TN", "for example"),
        ("ldmatrix.x3", "near names: `ldmatrix.x1`, `ldmatrix.x2`, `ldmatrix.x4`"),
        ("SM75_U32x4_LDSM", "near names: `SM75_U32x4_LDSM_N`"),
        ("Copy_Atom<SM75_U32x4_LDMS_N, half_t>", "near names: `SM75_U32x4_LDSM_N`"),
        ("LdMatrix8x8x16Op(num_matrices=4)", "near names: `LdMatrix8x8x16bOp`"),
        ("SM90_BULK_REDUCE_ADD", "for example"),
        ("cute.nvgpu.warp.SM75_U32x4_LDSM_N", "near names: `SM75_U32x4_LDSM_N`"),
    ] {
        let error = find(name).unwrap_err();
        assert_eq!(error.code, "copy-atom", "{name}");
        assert!(error.text.starts_with("unknown copy atom `"), "{name}: {}", error.text);
        assert!(error.hint.as_deref().unwrap().starts_with(hint), "{name}: {}", message(&error));
    }
}

/// PTX has no default for the number of matrices: a name of several atoms asks for one of them.
#[test]
fn a_name_of_several_atoms_lists_them() {
    for (name, expected) in [
        (
            "ldmatrix",
            "`ldmatrix` names 6 atoms; write one of `ldmatrix.x1`, `ldmatrix.x2`, `ldmatrix.x4`, `ldmatrix.x1.trans`, `ldmatrix.x2.trans`, `ldmatrix.x4.trans`",
        ),
        (
            "stmatrix.trans",
            "`stmatrix.trans` names 3 atoms; write one of `stmatrix.x1.trans`, `stmatrix.x2.trans`, `stmatrix.x4.trans`",
        ),
        (
            "ldmatrix num_matrices=4",
            "`ldmatrix` names 2 atoms; write one of `ldmatrix.x4`, `ldmatrix.x4.trans`",
        ),
        (
            "tcgen05.ld.16x128b",
            "`tcgen05.ld.16x128b` names 7 atoms; write one of `tcgen05.ld.16x128b.x1`, `tcgen05.ld.16x128b.x2`, `tcgen05.ld.16x128b.x4`, `tcgen05.ld.16x128b.x8`, `tcgen05.ld.16x128b.x16`, `tcgen05.ld.16x128b.x32`, `tcgen05.ld.16x128b.x64`",
        ),
        (
            "cp.async.bulk",
            "`cp.async.bulk` names 3 atoms; write one of `cp.async.bulk.g2s`, `cp.async.bulk.s2g`, `cp.async.bulk.s2s`",
        ),
    ] {
        assert_eq!(message(&find(name).unwrap_err()), expected);
    }
    assert_eq!(find("ldmatrix(num_matrices=4, transpose=True)").unwrap().name, "SM75_U16x8_LDSM_T");
}

/// What a name says was overruled in silence by a key that said something else.
#[test]
fn a_name_and_a_key_may_not_contradict_each_other() {
    let refused = |name: &str, dtype: Option<&str>, bits: Option<i64>| {
        let dtype = dtype.and_then(ElementType::parse);
        let request = CopyRequest { name, dtype, bits, ..CopyRequest::default() };
        message(&CopyAtom::find(&request).map_err(Diagnostic::from).unwrap_err())
    };
    assert_eq!(
        refused("Copy_Atom<DefaultCopy, half_t>", Some("f32"), None),
        "`Copy_Atom<DefaultCopy, half_t>` is over `f16`, and `dtype` is `f32`; write `dtype = f16`, or the atom without a type"
    );
    assert_eq!(
        refused("cp.async.16", None, Some(64)),
        "`cp.async.16` is 128 bits wide, and `bits` is 64; leave one of the two out"
    );
    for (name, expected) in [
        ("ldmatrix.x4 num_matrices=2", "`ldmatrix.x4` has `num_matrices = 4`, not `2`"),
        ("ldmatrix.x4 transpose", "`ldmatrix.x4` has `transpose = false`, not `true`"),
        (
            "ldmatrix.x4 repeat=2",
            "`ldmatrix.x4` takes transpose, num_matrices, unpack_bits, not `repeat`",
        ),
        ("movmatrix.trans pack", "`movmatrix.trans` takes no parameters, so not `pack`"),
        (
            "LdMatrix8x8x16bOp(num_matrices=3)",
            "`num_matrices = 3`: `LdMatrix8x8x16bOp` takes 1, 2, 4",
        ),
        ("LdMatrix16x8x8bOp(num_matrices=2)", "`LdMatrix16x8x8bOp` exists only with `transpose`"),
        (
            "LdMatrix8x8x16bOp(num_matrices=2, num_matrices=4)",
            "`LdMatrix8x8x16bOp` has no form with `num_matrices=2 num_matrices=4`",
        ),
        ("g2r invariant=True invariant=False", "`invariant` is given twice"),
        ("LdRed32x32bOp()", "`LdRed32x32bOp` exists only with `repeat`"),
        ("CopyUniversalOp(4)", "`CopyUniversalOp` takes 0 arguments without a name, so not `4`"),
        ("warp.Ld32x32bOp()", "`warp` has no operation `Ld32x32bOp`"),
        ("UniversalCopy<Element>", "`Element` in `UniversalCopy` is not an element type"),
    ] {
        assert_eq!(find(name).unwrap_err().text, expected, "{name}");
    }
}

/// Own code was no spelling: what a figure prints names the same atom again.
#[test]
fn the_code_of_an_atom_reads_back() {
    let mut read = 0;
    for (name, short) in CopyAtom::names().unwrap() {
        for bits in [None, Some("32"), Some("128"), Some("1024")] {
            for dtype in ["f16", "i32"] {
                let mut keys = vec![("atom", name), ("dtype", dtype)];
                keys.extend(bits.map(|bits| ("bits", bits)));
                // A fixed width, or a type that the atom does not take.
                let Ok(mut drawn) = facts(&keys) else { continue };
                for language in ["cxx", "python"] {
                    // C++ has no copy whose width is chosen later; its code is that of one element.
                    if (name, bits, language) == ("UniversalCopy<T>", None, "cxx") {
                        continue;
                    }
                    let Some(code) = drawn.get(language).and_then(Value::as_str) else { continue };
                    let mut again = facts(&[("atom", code)])
                        .unwrap_or_else(|error| panic!("{short} as {code}: {error}"));
                    // The name has the width in its type instead of beside it.
                    again.insert("atom".to_owned(), drawn["atom"].clone());
                    for other in ["cxx", "python"] {
                        again.remove(other);
                    }
                    let mut drawn = drawn.clone();
                    drawn.retain(|name, _| !["cxx", "python"].contains(&name.as_str()));
                    assert_eq!(again, drawn, "{code}");
                    read += 1;
                }
                drawn.clear();
            }
        }
    }
    assert!(read > 850, "{read}");
}

#[test]
fn names_are_unique_and_values_have_a_source() {
    let names = CopyAtom::names().unwrap();
    let unique: BTreeSet<&str> = names.iter().flat_map(|(name, short)| [*name, *short]).collect();
    let equal = names.iter().filter(|(name, short)| name == short).count();
    assert_eq!(unique.len(), 2 * names.len() - equal);
    let mut recorded = BTreeSet::new();
    for line in include_str!("data/copy_traits.jsonl").lines() {
        let record: Value = serde_json::from_str(line).unwrap();
        let (instance, source) = (record["instance"].as_str().unwrap(), record["source"].as_str());
        let atom = find(instance).unwrap();
        let (header, line) = atom.source().split_once(':').unwrap();
        assert_eq!(Some(header), source, "{instance}");
        assert!(line.parse::<u32>().is_ok_and(|line| line > 0), "{instance}: {line}");
        recorded.insert(atom.short);
    }
    for (name, short) in names {
        let of_dsl = find(name).unwrap().source() == "CuTe DSL 4.8.1";
        assert_eq!(of_dsl, !recorded.contains(short), "{name}");
    }
}

/// What the CuTe DSL 4.8.1 takes: the arguments of each operation in their order, then keywords with
/// every value alone and in pairs, and whether an atom could be made.
fn keyword_records() -> impl Iterator<Item = Value> {
    include_str!("data/copy_keywords.jsonl").lines().map(|line| serde_json::from_str(line).unwrap())
}

/// Operations of the DSL that the table has not: TMA operations that override a descriptor, and
/// loads of sm_107, whose layouts nobody has recorded.
const LEFT_OUT: [&str; 5] = [
    "CopyBulkTensorTileG2SMulticastOverrideOp",
    "CopyBulkTensorTileG2SOverrideOp",
    "CopyBulkTensorTileS2GOverrideOp",
    "LdRedSPCompress32x32bOp",
    "LdSPCompress32x32bOp",
];

/// `l1c_evict_priority` and `shared_space` of `CopyG2ROp` and `CopyR2GOp` were refused.
#[test]
fn operations_take_the_arguments_of_the_dsl() {
    let mut left_out = Vec::new();
    for record in keyword_records().filter(|record| record["module"].is_string()) {
        let op = record["op"].as_str().unwrap();
        let texts = |name: &str| -> Vec<String> {
            let list = record[name].as_array().unwrap().iter();
            list.map(|text| text.as_str().unwrap().to_owned()).collect()
        };
        let error = find(&format!("{op}(nonsense=1)")).unwrap_err();
        if error.text.starts_with("unknown copy atom") {
            left_out.push(op.to_owned());
            continue;
        }
        let mut known = texts("params");
        let of_atom = texts("atom_keywords").into_iter().filter(|word| word != "num_bits_per_copy");
        known.extend(of_atom);
        if op == "CopyUniversalOp" {
            // It takes them by `**kwargs`, and ignores them.
            known.extend(["l1c_evict_priority".to_owned(), "invariant".to_owned()]);
        }
        let (_, listed) = error.text.split_once(" takes ").unwrap();
        let listed = listed.trim_end_matches(", not `nonsense`");
        let listed: BTreeSet<&str> =
            listed.split(", ").filter(|word| !word.contains(' ')).collect();
        assert_eq!(listed, known.iter().map(String::as_str).collect(), "{op}: {}", error.text);
        // The module is the right one, and no other has the operation.
        let module = record["module"].as_str().unwrap();
        let elsewhere = if module == "cute.nvgpu.warp" { "tcgen05" } else { "warp" };
        let text = |module: &str| find(&format!("{module}.{op}(nonsense=1)")).unwrap_err().text;
        assert!(text(module).contains("nonsense"), "{op}");
        let wrong = text(elsewhere);
        assert!(wrong.contains("nonsense") || wrong.contains("has no operation"), "{op}: {wrong}");
    }
    assert_eq!(left_out, LEFT_OUT);
}

#[test]
fn keywords_are_accepted_as_the_dsl_accepts_them() {
    let (mut accepted, mut refused) = (0, 0);
    for record in keyword_records().filter(|record| record["keywords"].is_object()) {
        let words: Vec<(String, String)> = record["keywords"]
            .as_object()
            .unwrap()
            .iter()
            .map(|(name, value)| {
                (name.clone(), value.as_str().map_or_else(|| value.to_string(), str::to_owned))
            })
            .collect();
        let repeat = record["repeat"].as_i64().map(|n| ("repeat", n.to_string()));
        let request = CopyRequest {
            name: record["op"].as_str().unwrap(),
            params: repeat.into_iter().collect(),
            attrs: words.clone(),
            dtype: record["dtype"].as_str().and_then(ElementType::parse),
            bits: record["bits"].as_i64(),
            ..CopyRequest::default()
        };
        let found = CopyAtom::find(&request);
        assert_eq!(found.is_ok(), record["accepted"] == true, "{record}: {found:?}");
        match found {
            Ok(atom) => {
                accepted += 1;
                // Defaults that the DSL ignores too are not worth a note.
                let ignores = record["ignored"] == true || request.name == "CopyUniversalOp";
                assert!(ignores || atom.ignored.is_empty(), "{record}");
            }
            Err(_) => refused += 1,
        }
    }
    assert!(accepted > 800 && refused > 200, "{accepted} accepted, {refused} refused");
    let atom = with_attrs("CopyUniversalOp", &[("invariant", "True")]).unwrap();
    assert_eq!(atom.ignored, ["invariant"]);
}

/// Values were not looked at, and code said `MAX` whatever was asked for.
#[test]
fn keywords_stand_in_the_code_of_the_dsl() {
    let python = |entries: &[(&str, &str)]| {
        let facts = facts(entries).unwrap();
        assert!(!facts.contains_key("cxx"), "{entries:?}");
        facts["python"].as_str().unwrap().to_owned()
    };
    assert_eq!(
        python(&[("atom", "LdRed32x32bOp"), ("repeat", "2"), ("red", "min"), ("dtype", "f32")]),
        "cute.make_copy_atom(cute.nvgpu.tcgen05.LdRed32x32bOp(repeat=cute.nvgpu.tcgen05.Repetition.x2, redOp=cute.nvgpu.tcgen05.TmemLoadRedOp.MIN), cutlass.Float32)"
    );
    let attrs =
        "memory_order=ACQUIRE, l1c_evict_priority=cute.nvgpu.CacheEvictionPriority.EVICT_LAST";
    assert_eq!(
        python(&[("atom", "g2r"), ("bits", "64"), ("dtype", "f16"), ("attrs", attrs)]),
        "cute.make_copy_atom(cute.nvgpu.CopyG2ROp(), cutlass.Float16, num_bits_per_copy=64, memory_order=cute.nvgpu.MemoryOrder.ACQUIRE, l1c_evict_priority=cute.nvgpu.CacheEvictionPriority.EVICT_LAST)"
    );
    let refused = |attrs: &[(&str, &str)]| with_attrs("CopyG2ROp", attrs).unwrap_err();
    let error = refused(&[("memory_scope", "WARP")]);
    assert_eq!(error.text, "`memory_scope = WARP`: expected CTA, CLUSTER, GPU, SYS");
    assert_eq!(error.code, "copy-attrs");
    let error = refused(&[("invariant", "True"), ("l2_prefetch_size", "SIZE_64B")]);
    assert_eq!(error.text, "`ld.global` takes `invariant` or `l2_prefetch_size`, not both");
    let error = refused(&[("store_cache_mode", "GLOBAL")]);
    assert!(error.text.ends_with("invariant, not `store_cache_mode`"), "{}", error.text);
}

#[test]
fn every_mode_of_tma_has_its_operation() {
    let find = |mode, ctas, reduction| TmaOperation::find(mode, ctas, reduction).unwrap();
    for mode in Mode::ALL {
        for ctas in [1, 2] {
            let operation = find(mode, ctas, "add").unwrap();
            assert_eq!(operation.dsl.contains("CtaGroup.TWO"), mode.loads() && ctas == 2);
            assert_eq!(operation.cxx.is_none(), mode.picks_rows(), "{mode:?}");
        }
    }
    let reductions = TmaOperation::reductions().unwrap();
    assert_eq!(reductions, ["add", "min", "max", "inc", "dec", "and", "or", "xor"]);
    for reduction in &reductions {
        let operation = find(Mode::Reduce, 1, reduction).unwrap();
        assert_eq!(operation.cxx.is_some(), reduction == "add");
    }
    assert_eq!(find(Mode::Reduce, 1, "most"), None);
    assert_eq!(find(Mode::Load, 3, "add"), None);
}
