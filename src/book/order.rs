//! From a block to a spec: info string, body and the book's defaults put together.
//!
//! In: a block. Out: an [`Order`]: what to build, and where each piece of it stands. Invariant: a
//! problem of the figure leads back to a byte of the block.

use super::body::read_body;
use super::info::read_info;
use super::scan::Block;
use super::text::{BlockPos, EntryMap, TextMap};
use crate::diagnostic::{Diagnostic, Span};
use crate::figure::input::kind::{Need, OpDef};
use crate::figure::{Entry, Kind, Part, Problem, Spec};

/// One figure to build.
#[derive(Clone, Debug)]
pub struct Order {
    /// What to build.
    pub spec: Spec,
    /// Where each entry of the spec stands.
    maps: Vec<EntryMap>,
    /// Where the whole of it starts.
    pub start: BlockPos,
    /// What is wrong with the way the block is written.
    pub faults: Vec<Fault>,
}

/// A message at its place in a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Where it starts.
    pub pos: BlockPos,
    /// How many bytes of the line it covers.
    pub length: usize,
    /// What is wrong.
    pub diagnostic: Diagnostic,
}

/// Reads a block; nothing if the block asks to be left alone.
#[must_use]
pub fn read_block(block: &Block, defaults: &[Entry]) -> Option<Order> {
    let info = read_info(&block.info);
    if info.ignore {
        return None;
    }
    let kind = info.kind.unwrap_or(Kind::LAYOUT);
    let body = read_body(&block.body, kind);
    let mut colons = Vec::new();
    let mut faults: Vec<_> = info
        .errors
        .into_iter()
        .map(|(pos, diagnostic)| Fault { pos, length: 0, diagnostic })
        .collect();
    for (key, map) in body.colons.iter().filter(|_| faults.is_empty()) {
        let text = format!("`{key}:` is not how a key is given");
        let diagnostic = Diagnostic::error("colon", text).hint(format!("write `{key} = ...`"));
        colons.push(Fault { pos: map.find(0), length: key.len() + 1, diagnostic });
    }
    faults.append(&mut colons);
    // A block whose info string cannot be read may have any kind; its body proves nothing.
    if let (Some((text, map)), true) = (&body.stray, faults.is_empty()) {
        let first = text.lines().next().unwrap_or_default();
        let message = format!("`{kind}` takes keys only, and `{}` is none", first.trim());
        let diagnostic = Diagnostic::error("stray-input", message)
            .hint(format!("write `name = value`; the main keys are {}", required(kind)));
        faults.push(Fault { pos: map.find(0), length: first.len(), diagnostic });
    }
    let (mut entries, mut maps): (Vec<_>, Vec<_>) =
        info.entries.into_iter().chain(body.entries).unzip();
    for default in defaults {
        let given = entries.iter().any(|entry: &Entry| entry.key == default.key);
        if kind.key(&default.key).is_some() && !given {
            entries.push(default.clone());
            maps.push(EntryMap::default());
        }
    }
    for (entry, map) in entries.iter_mut().zip(&mut maps) {
        // The `links` preprocessor takes the backslash off where it sees the block first.
        let escapes: Vec<usize> = entry.value.match_indices("\\{{").map(|(at, _)| at).collect();
        if !escapes.is_empty() {
            entry.value = entry.value.replace("\\{{", "{{");
            map.value = map.value.without(&escapes);
        }
    }
    Some(Order { spec: Spec::new(kind, entries), maps, start: BlockPos::default(), faults })
}

fn required(kind: Kind) -> String {
    let uses = || kind.ops.iter().take(1).flat_map(OpDef::uses);
    let needed = uses().filter(|used| used.need != Need::Optional);
    let mut names: Vec<_> = needed.map(|used| used.key.name()).collect();
    if names.is_empty() {
        names = uses().take(4).map(|used| used.key.name()).collect();
    }
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

impl Order {
    /// Makes an order of what stands elsewhere than in a block.
    pub(super) const fn from_parts(spec: Spec, maps: Vec<EntryMap>, start: BlockPos) -> Self {
        Self { spec, maps, start, faults: Vec::new() }
    }

    /// Returns where each entry of the spec stands.
    pub(super) fn maps(&self) -> &[EntryMap] {
        &self.maps
    }

    /// Leads a problem of the figure back to the block.
    #[must_use]
    pub fn fault(&self, problem: Problem) -> Fault {
        let whole = Fault { pos: self.start, length: 0, diagnostic: problem.diagnostic };
        let (map, text, span): (&TextMap, &str, Option<Span>) = match problem.part {
            Part::Figure => return whole,
            Part::Key(at) => match (self.maps.get(at), self.spec.entries.get(at)) {
                (Some(map), Some(entry)) => (&map.key, &entry.key, None),
                _ => return whole,
            },
            Part::Value(at) => match (self.maps.get(at), self.spec.entries.get(at)) {
                (Some(map), Some(entry)) => (&map.value, &entry.value, whole.diagnostic.span),
                _ => return whole,
            },
        };
        let span = span.unwrap_or(Span::new(0, text.len()));
        let covered = text.get(span.start..span.end.min(text.len())).unwrap_or_default();
        let length = covered.lines().next().map_or(0, str::len);
        Fault { pos: map.find(span.start), length, ..whole }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::scan::scan_chapter;

    /// A place behind `\{{` was a byte too far left for each backslash that was taken off.
    #[test]
    fn places_behind_an_escape_are_right() {
        let content = "```cute layout\n4:1\ntitle = a \\{{b \\{{c\n```\n";
        let block = scan_chapter(content, &Default::default()).blocks.remove(0);
        let order = read_block(&block, &[]).unwrap();
        let at = order.spec.entries.iter().position(|entry| entry.key == "title").unwrap();
        assert_eq!(order.spec.entries[at].value, "a {{b {{c");
        let line = "title = a \\{{b \\{{c";
        for (span, letter) in [(0, 'a'), (2, '{'), (4, 'b'), (6, '{'), (8, 'c')] {
            let diagnostic = Diagnostic::error("test", "").at(Span::new(span, span + 1));
            let fault = order.fault(Problem { part: Part::Value(at), diagnostic });
            assert!(line[fault.pos.column..].starts_with(letter), "{letter}: {fault:?}");
        }
    }
}
