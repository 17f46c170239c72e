//! `use = ID`: a figure of the gallery in a chapter.
//!
//! In: what a block says, and the gallery. Out: the order of the gallery's figure with what the block
//! changes about its looks. Invariant: a figure that is used shows the numbers of the one at home.

use super::gallery::Gallery;
use super::links::Suggestions;
use super::order::{Fault, Order};
use super::text::EntryMap;
use crate::diagnostic::Diagnostic;
use crate::figure::{Entry, Part, Problem, Spec, is_input};

/// A block after its `use` was looked up.
#[derive(Clone, Debug)]
pub(super) struct Reused {
    /// What to build.
    pub(super) order: Order,
    /// The id of the figure at home, if the block uses one.
    pub(super) home: Option<String>,
}

/// Puts the gallery's figure in the place of a block that uses it.
pub(super) fn reuse(
    mut order: Order,
    gallery: Option<&Gallery>,
    suggestions: &mut Suggestions,
) -> Reused {
    let Some(at) = order.spec.entries.iter().position(|entry| entry.key == "use") else {
        return Reused { order, home: None };
    };
    let id = order.spec.entries[at].value.trim().to_owned();
    let Some(home) = gallery.and_then(|gallery| gallery.figure(&id)) else {
        let known = gallery.into_iter().flat_map(Gallery::figures);
        let known = known.filter_map(|order| order.spec.get("id")).map(str::trim);
        let mut diagnostic = suggestions.unknown_id(&id, known);
        if gallery.is_none() {
            diagnostic =
                Diagnostic::error("unknown-id", "the book has no gallery to use figures of").hint(
                    "write `gallery = \"gallery.toml\"` in `[preprocessor.cute]` of book.toml",
                );
        }
        let fault = order.fault(Problem { part: Part::Value(at), diagnostic });
        order.faults.push(fault);
        return Reused { order, home: None };
    };
    let faults: Vec<Fault> = order
        .spec
        .entries
        .iter()
        .enumerate()
        .filter(|(_, entry)| !may_stand(&entry.key))
        .map(|(index, entry)| {
            let text = format!("`{}` cannot stand beside `use`", entry.key);
            let diagnostic = Diagnostic::error("use", text)
                .hint("a used figure has the inputs and the id of the one at home");
            order.fault(Problem { part: Part::Key(index), diagnostic })
        })
        .collect();
    order.faults.extend(faults);
    let (entries, maps) = merged(&order, home);
    let mut used = Order::from_parts(Spec::new(home.spec.kind, entries), maps, order.start);
    used.faults = order.faults;
    Reused { order: used, home: Some(id) }
}

fn may_stand(key: &str) -> bool {
    key == "use"
        || key.starts_with("expect.")
        || !(is_input(key) || matches!(key, "id" | "aliases" | "dtype"))
}

/// Takes the inputs from home, and the looks from the block where it has its own.
fn merged(block: &Order, home: &Order) -> (Vec<Entry>, Vec<EntryMap>) {
    let own = |entry: &Entry| block.spec.entries.iter().any(|other| other.key == entry.key);
    let taken = home.spec.entries.iter().filter(|entry| {
        let stays =
            entry.key.starts_with("expect.") || matches!(entry.key.as_str(), "id" | "aliases");
        let acknowledged = matches!(entry.key.as_str(), "expect.warning" | "expect.error");
        (!stays || acknowledged) && !own(entry)
    });
    let taken = taken.map(|entry| (entry.clone(), EntryMap::default()));
    let added = block.spec.entries.iter().zip(block.maps());
    let added = added.filter(|(entry, _)| entry.key != "use");
    taken.chain(added.map(|(entry, map)| (entry.clone(), map.clone()))).unzip()
}
