//! How large what an author writes may be.
//!
//! In: an order. Out: the order, or its id and one fault if it is too large to be meant. Invariant: no
//! figure makes work, output or messages out of proportion; a caption stands four times in a page.

use super::order::{Fault, Order};
use crate::diagnostic::{Diagnostic, Span};
use crate::figure::{Part, Problem, Spec};

/// Bytes of a block, and of all keys and values of a figure.
pub const FIGURE: usize = 64 << 10;
/// Keys of a figure, and former ids.
pub const KEYS: usize = 500;
/// Bytes of a caption or a title.
pub const CAPTION: usize = 4 << 10;
/// Bytes of a name: an id, a key, the title or the slug of a page.
pub const NAME: usize = 200;

/// Unknown ids for which a similar one is looked up. The others of a book get a plain hint.
pub const SUGGESTIONS: usize = 20;

/// Bytes of a wrong block that are shown in its box.
pub const BOX: usize = 4 << 10;

/// Takes what is too large about a figure out of it, and leaves a fault. `block` is the size of its block.
#[must_use]
pub fn bounded(order: Order, block: usize) -> Order {
    let Some(fault) = too_large(&order, block) else { return order };
    // Links to the figure are right.
    let id = order.spec.entries.iter().zip(order.maps());
    let id = id.filter(|(entry, _)| entry.key == "id" && entry.value.len() <= NAME).take(1);
    let (entries, maps) = id.map(|(entry, map)| (entry.clone(), map.clone())).unzip();
    let mut small = Order::from_parts(Spec::new(order.spec.kind, entries), maps, order.start);
    small.faults = vec![fault];
    small
}

fn too_large(order: &Order, block: usize) -> Option<Fault> {
    let entries = &order.spec.entries;
    let bytes: usize = entries.iter().map(|entry| entry.key.len() + entry.value.len()).sum();
    let bytes = bytes.max(block);
    let whole = |text: String| (Part::Figure, size(text));
    let keys = entries.len() + order.faults.len();
    let found = if keys > KEYS {
        Some(whole(format!("a figure of {keys} keys; it takes at most {KEYS}")))
    } else if bytes > FIGURE {
        Some(whole(format!("a figure of {bytes} bytes; it takes at most {FIGURE}")))
    } else {
        entries.iter().enumerate().find_map(|(at, entry)| {
            if entry.key.len() > NAME {
                let text = format!("a key of {} bytes; it takes at most {NAME}", entry.key.len());
                return Some((Part::Key(at), size(text)));
            }
            let (most, parts) = match entry.key.as_str() {
                "caption" | "title" => (CAPTION, vec![entry.value.as_str()]),
                "id" | "use" => (NAME, vec![entry.value.as_str()]),
                "aliases" => {
                    let parts: Vec<&str> = entry.value.split(',').collect();
                    if parts.len() > KEYS {
                        let text =
                            format!("{} former ids; a figure has at most {KEYS}", parts.len());
                        return Some((Part::Key(at), size(text)));
                    }
                    (NAME, parts)
                }
                _ => return None,
            };
            let largest = parts.into_iter().map(str::len).max().filter(|length| *length > most)?;
            let text = format!("`{}` of {largest} bytes; it takes at most {most}", entry.key);
            // Its start is enough to find it.
            Some((Part::Value(at), size(text).at(Span::new(0, 0))))
        })
    };
    found.map(|(part, diagnostic)| order.fault(Problem { part, diagnostic }))
}

fn size(text: String) -> Diagnostic {
    Diagnostic::error("size", text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::order::read_block;
    use crate::book::scan::scan_chapter;

    #[test]
    fn what_is_too_large_is_one_fault() {
        let long = |count: usize| "x".repeat(count);
        for (info, body, expected) in [
            ("id=x", "4".to_owned(), ""),
            ("", format!("caption = {}", long(CAPTION)), ""),
            (
                "",
                format!("caption = {}", long(CAPTION + 1)),
                "`caption` of 4097 bytes; it takes at most 4096",
            ),
            ("", format!("title = {}", long(5000)), "`title` of 5000 bytes; it takes at most 4096"),
            ("", format!("id = {}", long(201)), "`id` of 201 bytes; it takes at most 200"),
            (
                "",
                format!("aliases = a,{},b", long(300)),
                "`aliases` of 300 bytes; it takes at most 200",
            ),
            ("", format!("{} = 3", long(300)), "a key of 300 bytes; it takes at most 200"),
            (
                "",
                format!("4:1\n{}", "# x\n".repeat(20_000)),
                "a figure of 80005 bytes; it takes at most 65536",
            ),
            (
                &long(4).replace('x', "w, ").repeat(200),
                "4".to_owned(),
                "a figure of 801 keys; it takes at most 500",
            ),
            (
                "",
                format!("aliases = {}", "a,".repeat(500)),
                "501 former ids; a figure has at most 500",
            ),
            ("", "let a = 1\n".repeat(501), "a figure of 501 keys; it takes at most 500"),
            (
                "",
                format!("4:1\n{}", " ".repeat(9) + &long(70_000)),
                "a figure of 70019 bytes; it takes at most 65536",
            ),
        ] {
            let content = format!("```cute layout {info}\n{body}\n```\n");
            let block = scan_chapter(&content, &Default::default()).blocks.remove(0);
            let order = bounded(read_block(&block, &[]).unwrap(), block.body.len());
            let text = order.faults.first().map(|fault| fault.diagnostic.text.as_str());
            let text = text.unwrap_or_default();
            assert_eq!(text, expected);
        }
    }
}
