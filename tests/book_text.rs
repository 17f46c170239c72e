//! Laws of the pipeline's text side, on random input: nothing panics, a place leads back to the text
//! it came from, and a block is found in any nesting of containers with any line end.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]

mod common;

use common::laws::{Case, law};
use mdbook_cute::book::body::read_body;
use mdbook_cute::book::info::read_info;
use mdbook_cute::book::order::read_block;
use mdbook_cute::book::place::{Page, locate};
use mdbook_cute::book::scan::scan_chapter;
use mdbook_cute::book::splice::splice;
use mdbook_cute::book::text::BlockPos;
use mdbook_cute::figure::Kind;
use proptest::prelude::*;
use std::ops::Range;
use std::path::Path;

/// Text made of what means something to one of the grammars.
fn soup() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "cute",
        "layout",
        "tv",
        "id",
        "=",
        "\"",
        "\\",
        " ",
        "\t",
        ",",
        "(",
        ")",
        "<",
        ">",
        "[",
        "]",
        "4",
        ":",
        "_",
        "#",
        "\n",
        "\r\n",
        "\r",
        "let ",
        "A",
        "caption",
        "expect.size",
        "é",
        "😀",
        "```",
        "~~~",
        "- ",
        "> ",
        "    ",
        "<!--",
        "-->",
        "1. ",
        "{",
        "{{",
        "|",
        "&amp;",
    ]);
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

/// Words of an info string: soup, and keys with values of it, quoted or not. Soup alone hardly ever
/// makes a key.
fn info() -> impl Strategy<Value = String> {
    let key = prop::sample::select(vec!["layout", "A", "id", "caption", "expect.size", "x"]);
    let value = "[(<][0-9, :]{0,6}[)>]|\"([a-z é,]|\\\\[\"\\\\x]){0,8}\"|[^ \t,\"()<>\\[\\]]{0,4}";
    let pair = (key, value).prop_map(|(key, value)| format!("{key}={value}"));
    let word = prop_oneof![2 => pair, 1 => soup()];
    prop::collection::vec(word, 0..6).prop_map(|words| words.join(" "))
}

/// Chapters of soup with blocks of soup in containers among it.
fn chapter() -> impl Strategy<Value = String> {
    let containers = prop::collection::vec(0..CONTAINERS.len(), 0..3);
    let block = (info(), soup(), containers).prop_map(|(info, body, containers)| {
        let info = info.replace(['\n', '\r', '`'], " ");
        let block = format!("```cute {info}\n{body}\n```\n");
        format!("\n\n{}\n\n", wrap(&block, &containers))
    });
    let piece = prop_oneof![soup(), block];
    prop::collection::vec(piece, 0..4).prop_map(|pieces| pieces.concat())
}

/// What one container puts in front of the first and of all further lines.
const CONTAINERS: [(&str, &str); 5] =
    [("- ", "  "), ("> ", "> "), ("1. ", "   "), ("* ", "  "), ("> [!NOTE]\n> ", "> ")];

/// Wraps lines in containers, innermost last.
fn wrap(lines: &str, containers: &[usize]) -> String {
    containers.iter().rev().fold(lines.to_owned(), |text, &which| {
        let (first, further) = CONTAINERS[which];
        let mut out = String::new();
        for (i, line) in text.lines().enumerate() {
            out.push_str(if i == 0 { first } else { further });
            out.push_str(line);
            out.push('\n');
        }
        out
    })
}

/// Random cases of each law.
const CASES: u32 = 256;

#[test]
fn an_info_string_gives_entries_or_errors() {
    law(CASES, 110, info(), |rest| {
        let line = format!("cute {}", rest.replace(['\n', '\r'], " "));
        let info = read_info(&line);
        for (entry, map) in &info.entries {
            let key = map.key.find(0);
            prop_assert_eq!(key.line, 0);
            prop_assert!(line[key.column..].starts_with(&entry.key));
            for (at, c) in entry.value.char_indices().filter(|_| map.value != map.key) {
                prop_assert!(line[map.value.find(at).column..].starts_with(c));
            }
        }
        for (pos, _) in &info.errors {
            prop_assert!(pos.column <= line.len());
        }
        Ok(if info.entries.is_empty() { Case::PassedOver } else { Case::Held })
    });
}

#[test]
fn a_body_gives_entries_that_lead_back() {
    law(CASES, 200, soup(), |body| {
        let body = body.replace('\r', "");
        let lines: Vec<&str> = body.lines().collect();
        let mut letters = 0;
        for kind in [Kind::LAYOUT, Kind::parse("divide").unwrap()] {
            for (entry, map) in read_body(&body, kind).entries {
                for (at, c) in entry.value.char_indices().filter(|(_, c)| *c != '\n') {
                    let pos = map.value.find(at);
                    let found = lines[pos.line - 1][pos.column..].starts_with(c);
                    prop_assert!(found, "{:?} {:?}", entry, pos);
                    letters += 1;
                }
            }
        }
        Ok(if letters == 0 { Case::PassedOver } else { Case::Held })
    });
}

#[test]
fn any_chapter_is_scanned_and_keeps_its_other_bytes() {
    law(CASES, 80, chapter(), |chapter| {
        let scan = scan_chapter(&chapter, &Default::default());
        let page =
            Page { name: "A".to_owned(), path: "nonexistent".to_owned(), content: chapter.clone() };
        let mut end = 0;
        for block in &scan.blocks {
            prop_assert!(block.range.start >= end && block.range.end <= chapter.len());
            end = block.range.end;
            let lines = block.body.lines().count();
            for line in 0..=lines {
                let pos = BlockPos { line, column: 3 };
                let _ = locate(&page, Path::new("/nonexistent"), block, 1, pos);
            }
            let _ = read_block(block, &[]);
        }
        let block = |range: &Range<usize>| (range.clone(), chapter[range.clone()].to_owned());
        let same: Vec<_> = scan.blocks.iter().map(|b| block(&b.range)).collect();
        prop_assert_eq!(splice(&chapter, &same), chapter);
        Ok(if scan.blocks.is_empty() { Case::PassedOver } else { Case::Held })
    });
}

#[test]
fn a_block_is_found_in_any_container() {
    let containers = prop::collection::vec(0..CONTAINERS.len(), 0..5);
    law(CASES, CASES, (containers, any::<bool>(), any::<bool>()), |(containers, crlf, tilde)| {
        let fence = if tilde { "~~~~" } else { "```" };
        let block = format!("{fence}cute layout id=\"x\"\n(4,8):\n  (8,1)\n\n# c\n{fence}\n");
        let mut chapter = format!("text\n\n{}\nmore\n", wrap(&block, &containers));
        if crlf {
            chapter = chapter.replace('\n', "\r\n");
        }
        let scan = scan_chapter(&chapter, &Default::default());
        prop_assert_eq!(scan.blocks.len(), 1, "{}", chapter);
        prop_assert_eq!(&scan.blocks[0].body, "(4,8):\n  (8,1)\n\n# c\n");
        let edited = splice(&chapter, &[(scan.blocks[0].range.clone(), "X".to_owned())]);
        let ok = edited.starts_with("text") && edited.trim_end().ends_with("more");
        prop_assert!(ok, "{}", edited);
        Ok(Case::Held)
    });
}
