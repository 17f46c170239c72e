//! Every kind, operation and key, from their definitions.
//!
//! What a definition promises is asked here: its example draws in every backend, each key has an
//! effect, a default is what leaving the key out means, and a key of another operation is refused.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]

use mdbook_cute::draw::html::{Setting, html};
use mdbook_cute::draw::target::{Labels, Theme};
use mdbook_cute::draw::{json, svg, text, tikz};
use mdbook_cute::expr::Scope;
use mdbook_cute::figure::input::key::Role;
use mdbook_cute::figure::input::kind::{KindDef, OpDef, entries};
use mdbook_cute::figure::{Built, Entry, KINDS, Kind, Problem, Spec, build};
use mdbook_cute::hardware::functions::functions;

/// Puts lines over an example: a key that both have takes the later value, and a line without a value
/// takes a key out.
fn spec(kind: &'static KindDef, op: &OpDef, lines: &[Entry]) -> Spec {
    let mut all = op.example_entries();
    all.retain(|entry| !lines.iter().any(|line| line.key == entry.key));
    all.extend(lines.iter().filter(|line| !line.value.is_empty()).cloned());
    if kind.op.is_some() {
        all.insert(0, Entry::new("op", op.name));
    }
    Spec::new(Kind(kind), all)
}

fn attempt(spec: &Spec) -> Result<Built, Vec<Problem>> {
    let functions = functions();
    build(spec, &Scope::new(&functions))
}

fn built(spec: &Spec) -> Built {
    attempt(spec).unwrap_or_else(|problems| panic!("{}", refusal(spec, &problems)))
}

fn refusal(spec: &Spec, problems: &[Problem]) -> String {
    let entries = spec.entries.iter().map(|entry| format!("{} = {}", entry.key, entry.value));
    let entries = entries.collect::<Vec<_>>().join("; ");
    let texts: Vec<_> = problems.iter().map(|problem| problem.diagnostic.to_string()).collect();
    format!("{} {entries}: {}", spec.kind, texts.join("; "))
}

/// Returns all that a reader sees.
fn seen(built: &Built) -> String {
    let page = html(&built.figure, &Setting::new("x"));
    format!("{page}\n{}", json::json(&built.figure, None))
}

fn every_op() -> impl Iterator<Item = (&'static KindDef, &'static OpDef)> {
    KINDS.iter().flat_map(|kind| kind.ops.iter().map(move |op| (*kind, op)))
}

#[test]
fn every_example_draws_in_every_backend_without_a_warning() {
    let mut wrong = Vec::new();
    for (kind, op) in every_op() {
        let spec = spec(kind, op, &[]);
        let name = format!("{} {}", kind.name, op.name);
        let built = match attempt(&spec) {
            Ok(built) => built,
            Err(problems) => {
                wrong.push(refusal(&spec, &problems));
                continue;
            }
        };
        assert!(built.warnings.is_empty(), "{name}: {:?}", built.warnings);
        assert!(!built.figure.panels.is_empty(), "{name}");
        let page = html(&built.figure, &Setting::new("x"));
        assert!(page.contains("<figure") && !page.contains('\n'), "{name}: {page}");
        let file = svg::file(&built.figure, Theme::Light, Labels::Auto);
        roxmltree::Document::parse(&file).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(text::text(&built.figure).lines().count() > 1, "{name}");
        let tex = tikz::tikz(&built.figure);
        assert!(tex.contains("pgfpicture") || tex.contains("\\pgf"), "{name}: {tex}");
        assert!(json::json(&built.figure, None)["facts"].is_object(), "{name}");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_key_of_every_operation_has_an_effect() {
    let mut asked = 0;
    let mut wrong = Vec::new();
    for (kind, op) in every_op() {
        for used in op.uses().filter(|used| used.key.role() != Role::Context) {
            let name = format!("{} {} {}", kind.name, op.name, used.key.name());
            let lines = entries(used.witness);
            assert_eq!(lines[0].key, used.key.name(), "{name}");
            let (mut without, with) = (lines.clone(), spec(kind, op, &lines));
            match op.example_entries().into_iter().find(|entry| entry.key == lines[0].key) {
                Some(entry) => without[0] = entry,
                None => drop(without.remove(0)),
            }
            match (attempt(&spec(kind, op, &without)), attempt(&with)) {
                (Ok(before), Ok(after)) if seen(&before) == seen(&after) => {
                    wrong.push(format!("{name} changes nothing"));
                }
                // Without the key the example may be incomplete; then the key has its effect.
                (_, Ok(_)) => {}
                (_, Err(problems)) => wrong.push(refusal(&with, &problems)),
            }
            asked += 1;
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(asked > 150, "{asked}");
}

#[test]
fn leaving_a_key_out_is_giving_its_default() {
    let mut asked = 0;
    let mut wrong = Vec::new();
    for (kind, op) in every_op() {
        for used in op.uses() {
            let Some(default) = used.key.default() else { continue };
            let mut lines = entries(used.witness);
            lines[0].value = String::new();
            let without = spec(kind, op, &lines);
            lines[0].value = default;
            let with = spec(kind, op, &lines);
            match (attempt(&without), attempt(&with)) {
                (Ok(without), Ok(with)) if seen(&without) == seen(&with) => {}
                (Err(problems), _) => wrong.push(refusal(&without, &problems)),
                (_, Err(problems)) => wrong.push(refusal(&with, &problems)),
                (Ok(_), Ok(_)) => wrong.push(format!("{with:?}: the default differs")),
            }
            asked += 1;
        }
        if let (Some(key), true) = (kind.op, kind.ops[0].name == op.name) {
            let mut spec = spec(kind, op, &[]);
            let with = seen(&built(&spec));
            spec.entries.retain(|entry| entry.key != "op");
            assert_eq!(seen(&built(&spec)), with, "{}: {:?}", kind.name, key.doc);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(asked > 60, "{asked}");
}

#[test]
fn a_key_of_another_operation_is_refused() {
    let mut asked = 0;
    for (kind, op) in every_op() {
        for used in kind.ops.iter().flat_map(OpDef::uses) {
            if op.takes(used.key.name()).is_some() || used.key.role() == Role::Context {
                continue;
            }
            let line = entries(used.witness).swap_remove(0);
            let name = format!("{} {} {}", kind.name, op.name, line.key);
            let problems = attempt(&spec(kind, op, &[line])).expect_err(&name);
            let refusal = &problems[0].diagnostic;
            assert_eq!(refusal.code, "unused-key", "{name}: {refusal}");
            assert!(refusal.text.contains(used.key.name()), "{name}: {refusal}");
            asked += 1;
        }
    }
    assert!(asked > 100, "{asked}");
}

#[test]
fn a_condition_of_a_key_is_asked_for() {
    let mut asked = 0;
    for (kind, op) in every_op() {
        for used in op.uses().filter(|used| used.key.role() != Role::Context) {
            let line = entries(used.witness).swap_remove(0);
            let mut entries = op.example_entries();
            entries.retain(|entry| entry.key != line.key);
            entries.push(line);
            if kind.op.is_some() {
                entries.insert(0, Entry::new("op", op.name));
            }
            let spec = Spec::new(Kind(kind), entries);
            let name = used.key.name();
            let unmet = used.when.iter().find_map(|when| when.unmet(name, |key| spec.get(key)));
            let Some(unmet) = unmet else { continue };
            let problems = attempt(&spec).expect_err(name);
            assert!(problems.iter().any(|problem| problem.diagnostic == unmet), "{name}");
            asked += 1;
        }
    }
    assert!(asked > 20, "{asked}");
}

#[test]
fn keys_that_used_to_pass_without_effect_are_refused() {
    for (kind, lines, code) in [
        ("cutlass", "type = RowMajor\nextent = (4,4)\ncolor = foo", "unknown-key"),
        ("copy", "atom = ldmatrix.x4\ndtype = f16\nthr = 4:1", "unused-key"),
        ("copy", "atom = ldmatrix.x4\ndtype = f16\ntmem = 8:1", "unused-key"),
        ("copy", "atom = ldmatrix.x4\ndtype = f16\nside = S", "unused-key"),
        ("copy", "atom = ldmatrix.x4\ndtype = f16\nthread = 7", "unused-key"),
        ("tma", "gmem = (8,8)\nsmem = (8,8)\ntiler = (8,8)\ncta-coord = 3", "unused-key"),
        ("tma", "gmem = (8,8)\nsmem = (8,8)\ntiler = (8,8)\npadding = 5", "unused-key"),
        ("tma", "gmem = (8,8)\nsmem = (8,8)\ntiler = (8,8)\nreduction = add", "unused-key"),
        ("tv", "thr = 32:1\nval = 4:1\ndtype = fp16x", "dtype"),
        ("tv", "thr = 32:1\nval = 4:1\nshow = bank", "memory-missing"),
    ] {
        let spec = Spec::new(Kind::parse(kind).unwrap(), entries(lines));
        let problems = attempt(&spec).expect_err(lines);
        assert_eq!(problems[0].diagnostic.code, code, "{lines}");
    }
}

#[test]
fn a_title_works_for_every_kind() {
    for (kind, op) in every_op() {
        let built = built(&spec(kind, op, &[Entry::new("title", "Hello")]));
        assert_eq!(built.figure.title, "Hello", "{} {}", kind.name, op.name);
    }
}

#[test]
fn what_a_book_gives_to_all_figures_is_never_refused_for_having_no_effect() {
    for (kind, op) in every_op() {
        let given = [("fold", "flat"), ("show", "index"), ("bits", "32"), ("color", "tile")];
        let given = given.iter().filter(|(key, _)| kind.key(key).is_some());
        let lines: Vec<_> = given
            .filter(|(key, _)| op.takes(key).is_none_or(|used| used.key.role() == Role::Look))
            .map(|(key, value)| Entry::new(*key, *value).inherited())
            .collect();
        built(&spec(kind, op, &lines));
    }
}

#[test]
fn a_name_that_nothing_uses_is_a_warning() {
    let lines = "let t = (2,4)\nlet s = (4,8)\nlayout = s";
    let built = built(&Spec::new(Kind::LAYOUT, entries(lines)));
    let codes: Vec<_> = built.warnings.iter().map(|warning| warning.diagnostic.code).collect();
    assert_eq!(codes, ["unused-name"]);
}
