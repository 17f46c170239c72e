//! Any info string and any body are keys, each with a place inside of the text, or faults with one.
//!
//! The first line of the input is the info string behind `cute`, the rest is the body.

#![no_main]

use libfuzzer_sys::fuzz_target;
use mdbook_cute::book::body::read_body;
use mdbook_cute::book::info::read_info;
use mdbook_cute::book::limits::bounded;
use mdbook_cute::book::order::read_block;
use mdbook_cute::book::scan::Block;
use mdbook_cute::book::text::{BlockPos, TextMap};
use mdbook_cute::diagnostic::{Diagnostic, Span};
use mdbook_cute::figure::{Kind, Part, Problem};

fuzz_target!(|text: &str| {
    let (first, body) = text.split_once('\n').unwrap_or((text, ""));
    let info = format!("cute {}", first.trim_end_matches('\r'));
    let lines: Vec<&str> = [info.as_str()].into_iter().chain(body.lines()).collect();
    let inside = |pos: BlockPos| {
        let line = lines.get(pos.line).expect("a place is in a line of the block");
        assert!(line.is_char_boundary(pos.column), "{pos:?} of {line:?}");
    };

    let read = read_info(&info);
    for (pos, _) in &read.errors {
        inside(*pos);
    }
    let of_body = read_body(body, read.kind.unwrap_or(Kind::LAYOUT));
    for (entry, map) in read.entries.iter().chain(&of_body.entries) {
        inside(map.key.find(0));
        // The value of a flag stands nowhere.
        if map.key != map.value {
            same_bytes(&entry.value, &map.value, &lines);
        }
    }
    if let Some((stray, map)) = &of_body.stray {
        same_bytes(stray, map, &lines);
    }

    let size = info.len() + body.len();
    let block = Block {
        range: 0..size,
        info: info.clone(),
        info_at: 0,
        body: body.to_owned(),
        closed: true,
        lost: None,
    };
    let Some(order) = read_block(&block, &[]) else { return assert!(read.ignore) };
    let order = bounded(order, size);
    for fault in &order.faults {
        inside(fault.pos);
    }
    for (at, entry) in order.spec.entries.iter().enumerate() {
        let diagnostic = Diagnostic::error("fuzz", "");
        let key = order.fault(Problem { part: Part::Key(at), diagnostic: diagnostic.clone() }).pos;
        inside(key);
        for (byte, c) in entry.value.char_indices().filter(|&(_, c)| c != '\n') {
            let diagnostic = diagnostic.clone().at(Span::new(byte, byte + c.len_utf8()));
            let pos = order.fault(Problem { part: Part::Value(at), diagnostic }).pos;
            let flag =
                entry.value == "yes" && (pos.line, pos.column) == (key.line, key.column + byte);
            assert!(flag || lines[pos.line][pos.column..].starts_with(c), "{c:?} at {pos:?}");
        }
    }
});

/// Each letter of a value stands in the source where its place is; the end of a line stands nowhere.
fn same_bytes(value: &str, map: &TextMap, lines: &[&str]) {
    for (at, c) in value.char_indices().filter(|&(_, c)| c != '\n') {
        let pos = map.find(at);
        let found = lines.get(pos.line).and_then(|line| line.get(pos.column..));
        assert!(found.is_some_and(|rest| rest.starts_with(c)), "{c:?} of {value:?} at {pos:?}");
    }
}
