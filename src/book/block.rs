//! Writes a figure as the block that draws it.
//!
//! In: a spec. Out: the fenced block as an author would type it: kind and `op` in the info string,
//! all else as lines. Invariant: reading the block gives the same entries.

use super::quotes::{Quoted, quoted, read_quoted};
use super::text::TextMap;
use crate::figure::{Entry, Spec};

/// Keys that stand in the info string.
const IN_INFO: &[&str] = &["op", "id", "use"];

/// Returns the block of a spec, fences included.
#[must_use]
pub fn block_text(spec: &Spec) -> String {
    let fence = fence_around(spec.entries.iter().map(|entry| entry.value.as_str()));
    let mut out = format!("{fence}cute {}", spec.kind);
    let fits = |entry: &Entry| {
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        IN_INFO.contains(&entry.key.as_str()) && entry.value.chars().all(plain)
    };
    for entry in spec.entries.iter().filter(|entry| fits(entry)) {
        out.push_str(&format!(" {}={}", entry.key, entry.value));
    }
    out.push('\n');
    let main = spec.kind.main_key();
    let lines: Vec<&Entry> = spec.entries.iter().filter(|entry| !fits(entry)).collect();
    // Where only the main input is given, it needs no key.
    let alone = |entry: &Entry| {
        Some(entry.key.as_str()) == main && lines.len() == 1 && !entry.value.contains('=')
    };
    for entry in &lines {
        if !alone(entry) {
            out.push_str(&entry.key);
            out.push_str(" = ");
        }
        // Quotes around the whole are a part of the value, which a body takes off.
        match read_quoted(&entry.value, &TextMap::default()) {
            Quoted::Text(..) => out.push_str(&quoted(&entry.value)),
            Quoted::Plain | Quoted::Followed(_) | Quoted::Open => out.push_str(&entry.value),
        }
        out.push('\n');
    }
    out.push_str(&fence);
    out.push('\n');
    out
}

/// Returns a fence that none of the texts can close.
#[must_use]
pub fn fence_around<'a>(texts: impl Iterator<Item = &'a str>) -> String {
    let run = |text: &str| {
        let runs = text.split(|c| c != '`').map(str::len);
        runs.max().unwrap_or(0)
    };
    "`".repeat(texts.map(run).max().unwrap_or(0).max(2) + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::body::read_body;
    use crate::book::info::read_info;
    use crate::figure::Kind;

    #[test]
    fn reading_the_block_gives_the_entries_back() {
        for (kind, entries) in [
            (Kind::LAYOUT, vec![("layout", "(4,8):(8,1)")]),
            (Kind::LAYOUT, vec![("id", "x"), ("layout", "4:1"), ("caption", "a = b, \"c\"")]),
            (Kind::LAYOUT, vec![("layout", "make_layout(4, stride=2)")]),
            (Kind::LAYOUT, vec![("layout", "4:1"), ("caption", "\"a \\ b\"")]),
            (
                Kind::parse("divide").unwrap(),
                vec![("op", "zipped"), ("A", "8:1"), ("tiler", "<2:1, 4:1>")],
            ),
        ] {
            let entries: Vec<Entry> =
                entries.iter().map(|(key, value)| Entry::new(*key, *value)).collect();
            let text = block_text(&Spec::new(kind, entries.clone()));
            let (info, rest) = text.strip_prefix("```").unwrap().split_once('\n').unwrap();
            let info = read_info(info);
            assert_eq!(info.errors, []);
            assert_eq!(info.kind, Some(kind));
            let body = read_body(rest.strip_suffix("```\n").unwrap(), kind);
            let read: Vec<Entry> =
                [info.entries, body.entries].concat().into_iter().map(|(entry, _)| entry).collect();
            assert_eq!(read, entries, "{text}");
        }
    }
}
