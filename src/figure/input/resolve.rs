//! Checks a [`Spec`] against the definition of its kind and reads its values.
//!
//! In: a spec and the scope of the book: functions and names. Expressions are evaluated in the order
//! of the source; each names itself for those after it. Out: [`Keys`], or every problem of the spec at
//! once, in the order of the source. Invariant: [`Keys`] that exist have no unknown, doubled or missing
//! key, no key without effect and no value of the wrong type, so a kind only checks what its values
//! mean to each other.

use crate::diagnostic::Diagnostic;
use crate::expr::Scope;
use crate::figure::input::entry::{Entry, Origin, Part, Problem};
use crate::figure::input::key::{KeyDef, Role};
use crate::figure::input::keys::{Checked, Keys, missing};
use crate::figure::input::kind::{KindDef, Need, OpDef};
use crate::figure::input::spec::Spec;
use crate::figure::input::value::{Form, Parsed};
use crate::suggest::nearest;
use std::collections::BTreeSet;

/// A spec that holds together.
#[derive(Debug)]
pub struct Resolved<'a> {
    /// What to draw.
    pub op: &'static OpDef,
    /// The values.
    pub keys: Keys<'a>,
    /// Warnings about the spec itself.
    pub warnings: Vec<Problem>,
}

/// Checks a spec and reads its values. `kinds` are all kinds, for hints about keys of other kinds.
///
/// # Errors
/// All problems, in the order of the source; missing keys come first.
pub fn resolve<'a>(
    spec: &'a Spec,
    scope: &Scope<'a>,
    kinds: &[&'static KindDef],
) -> Result<Resolved<'a>, Vec<Problem>> {
    let op = chosen(spec);
    let mut problems = op.map(|op| missing_keys(spec, op)).unwrap_or_default();
    let mut keys = Keys::new(spec.kind.as_str(), &spec.entries, scope.clone());
    let mut failed: BTreeSet<&str> = BTreeSet::new();
    for (index, entry) in spec.entries.iter().enumerate() {
        let used = op.and_then(|op| op.takes(&entry.key)).map(|used| used.key);
        let key = used.or_else(|| spec.kind.key(&entry.key));
        let checked = match parse(spec, index, key, keys.scope_mut(), kinds) {
            Ok(parsed) => parsed,
            Err(problem) => {
                // A name whose own value was refused is no second fault.
                let follows = problem.diagnostic.code == "name"
                    && failed.iter().any(|name| has_word(&entry.value, name));
                let ignored = entry.origin == Origin::Inherited
                    && key.is_some_and(|key| key.role() == Role::Look);
                if !follows && !ignored {
                    problems.push(problem);
                }
                failed.insert(entry.key.strip_prefix("let ").unwrap_or(&entry.key));
                Parsed::Text
            }
        };
        let input = key.is_some_and(|key| matches!(key.role(), Role::Input | Role::Context));
        let idle = entry.origin == Origin::Inherited && used.is_none() && is_owned(key);
        // A figure may have two warnings or equal two expressions; a fact has one value, as a key has.
        let repeats =
            matches!(entry.key.as_str(), "expect.warning" | "expect.error" | "expect.same-as");
        if keys.push(Checked { parsed: checked, input, idle }) && !repeats {
            let text = format!("`{}` is given twice", entry.key);
            let diagnostic = Diagnostic::error("doubled-key", text).hint("remove one of the two");
            problems.push(Problem { part: Part::Key(index), diagnostic });
        }
        if let (Some(op), Some(key)) = (op, key)
            && let Some(diagnostic) = without_effect(spec, op, key, entry)
        {
            problems.push(Problem { part: Part::Key(index), diagnostic });
        }
    }
    match op {
        Some(op) if problems.is_empty() => {
            Ok(Resolved { op, keys, warnings: unused_names(&spec.entries) })
        }
        _ => Err(problems),
    }
}

/// Returns the operation that a spec asks for; none for a word that is refused elsewhere.
fn chosen(spec: &Spec) -> Option<&'static OpDef> {
    let kind = spec.kind.0;
    match kind.op.and_then(|op| spec.get(op.name())) {
        Some(word) => kind.op_named(word.trim()),
        None => kind.ops.first(),
    }
}

fn missing_keys(spec: &Spec, op: &OpDef) -> Vec<Problem> {
    let needed = op.uses().filter(|used| used.need != Need::Optional);
    needed
        .filter(|used| spec.get(used.key.name()).is_none())
        .filter(|used| {
            used.when.iter().all(|when| when.unmet(used.key.name(), |key| spec.get(key)).is_none())
        })
        .map(|used| Problem {
            part: Part::Figure,
            diagnostic: missing(spec.kind.as_str(), used.key),
        })
        .collect()
}

/// Reads one value by the type of its key.
fn parse(
    spec: &Spec,
    index: usize,
    key: Option<&'static dyn KeyDef>,
    scope: &mut Scope<'_>,
    kinds: &[&'static KindDef],
) -> Result<Parsed, Problem> {
    let entry = &spec.entries[index];
    let value = entry.value.as_str();
    let wrong = |diagnostic| Problem { part: Part::Value(index), diagnostic };
    if entry.key.starts_with("expect.") {
        return Ok(Parsed::Text);
    }
    if let Some(name) = entry.key.strip_prefix("let ") {
        let evaluated = scope.evaluate(value).map_err(wrong)?;
        return match scope.define(name, evaluated.clone()) {
            Ok(()) => Ok(Parsed::Expression(Box::new(evaluated))),
            Err(diagnostic) => Err(Problem { part: Part::Key(index), diagnostic }),
        };
    }
    let Some(key) = key else {
        let diagnostic = unknown_key(spec, &entry.key, kinds);
        return Err(Problem { part: Part::Key(index), diagnostic });
    };
    if key.form() == Form::Expression {
        let evaluated = scope.evaluate(value).map_err(wrong)?;
        // Keys with a hyphen are no names of the notation; they are just not defined.
        let _ = scope.define(key.name(), evaluated.clone());
        return Ok(Parsed::Expression(Box::new(evaluated)));
    }
    key.check(value).map_err(wrong)
}

/// Refuses a key that changes nothing, unless it comes with the surroundings.
fn without_effect(
    spec: &Spec,
    op: &OpDef,
    key: &'static dyn KeyDef,
    entry: &Entry,
) -> Option<Diagnostic> {
    let chooses = spec.kind.op.is_some_and(|op| op.name() == key.name());
    if entry.origin == Origin::Inherited || chooses || !is_owned(Some(key)) {
        return None;
    }
    let name = key.name();
    let Some(used) = op.takes(name) else {
        let ops: Vec<_> = spec.kind.ops_with(name);
        let ops: Vec<_> = ops.iter().map(|op| format!("`op = {op}`")).collect();
        let text = format!("`{name}` has no effect with `op = {}`", op.name);
        let diagnostic = Diagnostic::error("unused-key", text);
        return Some(diagnostic.hint(format!("it belongs to {}", ops.join(", "))));
    };
    used.when.iter().find_map(|when| when.unmet(name, |key| spec.get(key)))
}

/// Returns whether a key belongs to operations, not to the surroundings.
fn is_owned(key: Option<&dyn KeyDef>) -> bool {
    key.is_some_and(|key| matches!(key.role(), Role::Input | Role::Look))
}

/// Warns of names that nothing uses.
fn unused_names(entries: &[Entry]) -> Vec<Problem> {
    let unused = entries.iter().enumerate().filter_map(|(index, entry)| {
        let name = entry.key.strip_prefix("let ")?.trim();
        let mut later = entries.iter().skip(index + 1);
        (!later.any(|later| has_word(&later.value, name))).then_some((index, name))
    });
    unused
        .map(|(index, name)| {
            let diagnostic =
                Diagnostic::warning("unused-name", format!("the name `{name}` is never used"))
                    .hint("remove the line, or use the name after it");
            Problem { part: Part::Key(index), diagnostic }
        })
        .collect()
}

/// Returns whether a word stands in a text by itself.
fn has_word(text: &str, word: &str) -> bool {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').any(|piece| piece == word)
}

fn unknown_key(spec: &Spec, name: &str, kinds: &[&'static KindDef]) -> Diagnostic {
    let text = format!("`{}` has no key `{name}`", spec.kind);
    let diagnostic = Diagnostic::error("unknown-key", text);
    let own: Vec<_> = spec.kind.keys().map(KeyDef::name).collect();
    if let Some(near) = nearest(name, own.iter().copied()) {
        return diagnostic.hint(format!("did you mean `{near}`?"));
    }
    let others = kinds.iter().filter(|kind| kind.key(name).is_some());
    let others: Vec<_> = others.map(|kind| format!("`{}`", kind.name)).collect();
    if others.is_empty() {
        diagnostic.hint(format!("its keys are {}", own.join(", ")))
    } else {
        diagnostic.hint(format!("it belongs to {}", others.join(", ")))
    }
}
