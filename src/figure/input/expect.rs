//! Checks a figure against its `expect.NAME = VALUE` lines.
//!
//! In: the resolved keys and the figure. Out: what differs, at its place, and which warnings the
//! author has not acknowledged. Invariant: a fact and an expectation are compared after both are
//! brought to one notation, so blanks, `_8` and a call that gives the same layout make no difference.

use crate::cute::{IntTuple, Tree};
use crate::diagnostic::{Diagnostic, Level};
use crate::expr::{Scope, Value};
use crate::figure::canvas::limits::VALUES_CHECKED;
use crate::figure::input::entry::{Entry, Part, Problem};
use crate::figure::input::keys::Keys;
use crate::figure::input::spec::Spec;
use crate::figure::model::facts::Facts;
use crate::figure::model::figure::Figure;
use crate::suggest::nearest;
use serde_json::Value as Json;

/// Returns what a figure does not hold of what its author expects of facts and functions.
#[must_use]
pub fn check_facts(keys: &Keys<'_>, figure: &Figure) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (index, entry) in keys.entries().iter().enumerate() {
        let Some(name) = entry.key.strip_prefix("expect.") else { continue };
        let wanted = unquoted(entry.value.trim());
        match name {
            "error" | "warning" => {}
            "same-as" => problems.extend(
                same_function(keys.scope(), &figure.facts, wanted)
                    .err()
                    .map(|diagnostic| Problem { part: Part::Value(index), diagnostic }),
            ),
            _ => match fact(&figure.facts, name) {
                Some(found) if agrees(keys.scope(), found, wanted) => {}
                Some(found) => {
                    let text = format!("`{name}` is `{}`, not `{wanted}`", shown(found));
                    let diagnostic = Diagnostic::error("expectation", text);
                    problems.push(Problem { part: Part::Value(index), diagnostic });
                }
                None => {
                    let diagnostic = unknown_fact(&figure.facts, name, figure.kind);
                    problems.push(Problem { part: Part::Key(index), diagnostic });
                }
            },
        }
    }
    problems
}

/// Splits warnings into what the author has not acknowledged and what is expected but absent.
#[must_use]
pub fn check_warnings(spec: &Spec, warnings: Vec<Problem>) -> (Vec<Problem>, Vec<Problem>) {
    let expected = expectations(spec, "expect.warning");
    let absent = expected
        .iter()
        .filter(|(_, code)| !warnings.iter().any(|warning| warning.diagnostic.code == *code))
        .map(|&(index, code)| {
            let codes: Vec<_> = warnings.iter().map(|warning| warning.diagnostic.code).collect();
            let text = format!("the figure has no warning `{code}`");
            let diagnostic = Diagnostic::error("expectation", text).hint(if codes.is_empty() {
                "it has no warning; remove the line".to_owned()
            } else {
                format!("its warnings are {}", codes.join(", "))
            });
            Problem { part: Part::Value(index), diagnostic }
        })
        .collect();
    let left = warnings
        .into_iter()
        .filter(|warning| warning.diagnostic.level == Level::Warning)
        .filter(|warning| !expected.iter().any(|(_, code)| warning.diagnostic.code == *code))
        .collect();
    (left, absent)
}

/// Returns whether the author expects a refusal.
#[must_use]
pub fn wants_refusal(spec: &Spec) -> bool {
    spec.get("expect.error").is_some()
}

/// Holds a refusal against `expect.error`: what no message of it contains.
#[must_use]
pub fn check_refusal(spec: &Spec, refusal: &[Problem]) -> Vec<Problem> {
    expectations(spec, "expect.error")
        .into_iter()
        .filter(|(_, text)| {
            let lower = text.to_lowercase();
            !refusal.iter().map(|problem| &problem.diagnostic).any(|diagnostic| {
                diagnostic.code == *text || diagnostic.to_string().to_lowercase().contains(&lower)
            })
        })
        .map(|(index, text)| {
            let found = refusal.iter().map(|problem| &problem.diagnostic);
            let found: Vec<_> = found.map(|it| format!("[{}] {}", it.code, it.text)).collect();
            let text = format!(
                "the refusal has neither the code nor the text `{text}`: {}",
                found.join("; ")
            );
            let diagnostic = Diagnostic::error("expectation", text);
            Problem { part: Part::Value(index), diagnostic }
        })
        .collect()
}

/// Says that a figure was built although its author expects a refusal.
#[must_use]
pub fn no_refusal(spec: &Spec) -> Vec<Problem> {
    expectations(spec, "expect.error")
        .into_iter()
        .map(|(index, text)| {
            let text = format!("expected a refusal `{text}`, but nothing is wrong");
            let diagnostic = Diagnostic::error("expectation", text);
            Problem { part: Part::Key(index), diagnostic }
        })
        .collect()
}

fn expectations<'a>(spec: &'a Spec, key: &str) -> Vec<(usize, &'a str)> {
    let of_key = |(index, entry): (usize, &'a Entry)| {
        (entry.key == key).then_some((index, unquoted(entry.value.trim())))
    };
    spec.entries.iter().enumerate().filter_map(of_key).collect()
}

/// Takes the quotes off a value: the body of a block needs none, but many write them.
fn unquoted(text: &str) -> &str {
    text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text)
}

/// Finds a fact; dots lead into an object or an array: `row-ways.before.16`, `issues.0.sectors`.
fn fact<'a>(facts: &'a Facts, name: &str) -> Option<&'a Json> {
    let mut steps = name.split('.');
    let start = facts.get(steps.next()?)?;
    steps.try_fold(start, |value, step| match value {
        Json::Array(items) => items.get(step.parse::<usize>().ok()?),
        _ => value.get(step),
    })
}

fn unknown_fact(facts: &Facts, name: &str, kind: &str) -> Diagnostic {
    let names: Vec<_> = facts.iter().map(|fact| fact.name).collect();
    let text = format!("this `{kind}` figure has no fact `{name}`");
    let diagnostic = Diagnostic::error("expectation", text);
    let label = |text: &str| text.to_lowercase().replace([' ', '_'], "-");
    let labelled = facts.iter().find(|fact| label(&fact.label) == label(name));
    match labelled.map(|fact| fact.name).or_else(|| nearest(name, names.iter().copied())) {
        Some(near) => diagnostic.hint(format!("did you mean `expect.{near}`?")),
        None => diagnostic.hint(format!("its facts are {}", names.join(", "))),
    }
}

/// Returns a fact as messages show it.
fn shown(value: &Json) -> String {
    match value {
        Json::String(text) => text.clone(),
        Json::Bool(true) => "yes".to_owned(),
        Json::Bool(false) => "no".to_owned(),
        value => value.to_string(),
    }
}

fn agrees(scope: &Scope<'_>, found: &Json, wanted: &str) -> bool {
    match found {
        Json::Bool(found) => {
            // Python writes `True`.
            let wanted = wanted.to_ascii_lowercase();
            matches!((found, wanted.as_str()), (true, "yes" | "true") | (false, "no" | "false"))
        }
        Json::String(text) => same_text(scope, text, wanted),
        Json::Number(number) => {
            number.to_string() == wanted
                || wanted.parse::<f64>().ok().is_some_and(|wanted| number.as_f64() == Some(wanted))
                || number.as_i64().is_some_and(|number| {
                    scope.evaluate(wanted).is_ok_and(|wanted| wanted.value == Value::int(number))
                })
        }
        found => {
            serde_json::from_str::<Json>(wanted).is_ok_and(|wanted| wanted == *found)
                || without_blanks(&found.to_string()) == without_blanks(wanted)
        }
    }
}

fn same_text(scope: &Scope<'_>, found: &str, wanted: &str) -> bool {
    if without_blanks(found) == without_blanks(wanted) {
        return true;
    }
    match (scope.evaluate(found), scope.evaluate(wanted)) {
        (Ok(found), Ok(wanted)) => found.value == wanted.value,
        _ => false,
    }
}

fn without_blanks(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

/// Compares the figure's main result with an expression at every index.
fn same_function(scope: &Scope<'_>, facts: &Facts, wanted: &str) -> Result<(), Diagnostic> {
    let Some(Json::String(result)) = facts.get("result") else {
        return Err(Diagnostic::error(
            "expectation",
            "this figure has no single result to compare",
        ));
    };
    let found = scope.evaluate(result)?.value;
    let other = scope.evaluate(wanted)?.value;
    let (size, other_size) = (size_of(&found)?, size_of(&other)?);
    if size != other_size {
        let text = format!("`{result}` has {size} indices and `{wanted}` has {other_size}");
        return Err(Diagnostic::error("expectation", text));
    }
    if size > VALUES_CHECKED {
        let text = format!("{size} indices are too many to compare; the limit is {VALUES_CHECKED}");
        return Err(Diagnostic::error("expectation", text));
    }
    for index in 0..size {
        let (a, b) = (value_at(&found, index)?, value_at(&other, index)?);
        if a != b {
            let text =
                format!("at index {index} `{result}` gives `{a}` and `{wanted}` gives `{b}`");
            return Err(Diagnostic::error("expectation", text));
        }
    }
    Ok(())
}

fn size_of(value: &Value) -> Result<i64, Diagnostic> {
    match value {
        Value::Tensor(tensor) => Ok(tensor.layout.size()),
        value => Ok(value.to_layout()?.size()),
    }
}

fn value_at(value: &Value, index: i64) -> Result<IntTuple, Diagnostic> {
    let coord = Tree::Leaf(index);
    match value {
        Value::Tensor(tensor) => Ok(tensor.at(&coord)?),
        value => Ok(value.to_layout()?.at(&coord)?),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::Functions;
    use crate::figure::build;
    use crate::figure::input::entry::Entry;
    use crate::figure::input::kind::Kind;

    fn messages(entries: &[(&str, &str)]) -> Vec<String> {
        let entries = entries.iter().map(|(key, value)| Entry::new(*key, *value)).collect();
        let functions = Functions::core();
        match build(&Spec::new(Kind::LAYOUT, entries), &Scope::new(&functions)) {
            Ok(built) => built.warnings.iter().map(|w| w.diagnostic.code.to_owned()).collect(),
            Err(problems) => problems.iter().map(|p| p.diagnostic.to_string()).collect(),
        }
    }

    #[test]
    fn facts_are_compared_in_one_notation() {
        for (key, value) in [
            ("expect.size", "32"),
            ("expect.size", "size((4,8))"),
            ("expect.result", "( _4 , 8 ) : ( 8 , 1 )"),
            ("expect.result", "make_layout((4,8), stride=(8,1))"),
            ("expect.result", "\"(4,8):(8,1)\""),
            ("expect.injective", "true"),
            // The word of Python failed.
            ("expect.injective", "True"),
            ("expect.injective", "YES"),
            ("expect.same-as", "composition((4,8):(8,1), 32)"),
        ] {
            assert_eq!(messages(&[("layout", "(4,8):(8,1)"), (key, value)]), [""; 0], "{value}");
        }
        assert_eq!(
            messages(&[("layout", "(4,4):(0,1)"), ("expect.first-repeat.second-coord", "(1,0)")]),
            [""; 0]
        );
    }

    #[test]
    fn what_differs_is_said() {
        for (key, value, expected) in [
            ("expect.size", "33", "`size` is `32`, not `33`"),
            ("expect.injective", "no", "`injective` is `yes`, not `no`"),
            ("expect.sise", "3", "no fact `sise` (did you mean `expect.size`?)"),
            ("expect.same-as", "(4,8)", "at index 1 `(4,8):(8,1)` gives `8` and `(4,8)` gives `1`"),
            ("expect.same-as", "(4,4)", "has 32 indices and `(4,4)` has 16"),
            ("expect.warning", "contract", "the figure has no warning `contract`"),
            ("expect.error", "rank", "expected a refusal `rank`, but nothing is wrong"),
        ] {
            let messages = messages(&[("layout", "(4,8):(8,1)"), (key, value)]);
            assert_eq!(messages.len(), 1);
            assert!(messages[0].contains(expected), "{}", messages[0]);
        }
    }

    /// Two values of one fact passed where the first was right, and the label of a fact, which is what the
    /// table shows, led to a hint about another fact.
    #[test]
    fn a_fact_is_expected_once_and_by_its_name() {
        let layout = ("layout", "(4,4):(0,1)");
        let twice = messages(&[layout, ("expect.size", "16"), ("expect.size", "16")]);
        assert!(twice[0].starts_with("`expect.size` is given twice"), "{twice:?}");
        let refused =
            [("layout", "(4,8"), ("expect.error", "never closed"), ("expect.error", "syntax")];
        assert_eq!(messages(&refused), [""; 0]);
        let functions = Functions::core();
        let spec = Spec::new(Kind::LAYOUT, vec![Entry::new(layout.0, layout.1)]);
        let built = build(&spec, &Scope::new(&functions)).unwrap();
        for fact in built.figure.facts.iter() {
            let key = format!("expect.{}", fact.label);
            let entries = vec![spec.entries[0].clone(), Entry::new(key, "x")];
            let problems =
                build(&Spec::new(Kind::LAYOUT, entries), &Scope::new(&functions)).unwrap_err();
            let (text, name) = (problems[0].diagnostic.to_string(), fact.name);
            let hint = format!("(did you mean `expect.{name}`?)");
            assert!(fact.label == name || text.contains(&hint), "{text}");
        }
    }

    #[test]
    fn a_refusal_that_is_expected_is_a_figure() {
        assert_eq!(messages(&[("layout", "(4,8"), ("expect.error", "never closed")]), [""; 0]);
        let other = messages(&[("layout", "(4,8"), ("expect.error", "rank mismatch")]);
        assert!(
            other[0].starts_with("the refusal has neither the code nor the text `rank mismatch`: "),
            "{other:?}"
        );
    }

    #[test]
    fn warnings_are_told_until_they_are_acknowledged() {
        let fold = [("layout", "(2,2,2)"), ("fold", "flat")];
        let codes = messages(&fold);
        assert_eq!(codes.len(), 1, "{codes:?}");
        assert_eq!(messages(&[fold[0], fold[1], ("expect.warning", &codes[0])]), [""; 0]);
    }
}
