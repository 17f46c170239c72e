//! Laws of the pipeline's text side, on random input: nothing panics, a place leads back to the text
//! it came from, and a block is found in any nesting of containers with any line end.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]

use mdbook_cute::book::body::read_body;
use mdbook_cute::book::info::read_info;
use mdbook_cute::book::order::read_block;
use mdbook_cute::book::place::Page;
use mdbook_cute::book::scan::scan_chapter;
use mdbook_cute::book::splice::splice;
use mdbook_cute::book::text::BlockPos;
use mdbook_cute::figure::Kind;
use proptest::prelude::*;

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

proptest! {
    #[test]
    fn an_info_string_gives_entries_or_errors(rest in soup()) {
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
    }

    #[test]
    fn a_body_gives_entries_that_lead_back(body in soup()) {
        let body = body.replace('\r', "");
        let lines: Vec<&str> = body.lines().collect();
        for kind in [Kind::LAYOUT, Kind::parse("divide").unwrap()] {
            for (entry, map) in read_body(&body, kind).entries {
                for (at, c) in entry.value.char_indices().filter(|(_, c)| *c != '\n') {
                    let pos = map.value.find(at);
                    prop_assert!(lines[pos.line - 1][pos.column..].starts_with(c), "{:?} {:?}", entry, pos);
                }
            }
        }
    }

    #[test]
    fn any_chapter_is_scanned_and_keeps_its_other_bytes(chapter in soup()) {
        let scan = scan_chapter(&chapter, &Default::default());
        let page = Page::new("A", "a.md", chapter.as_str(), "/nonexistent/a.md");
        let mut end = 0;
        for block in &scan.blocks {
            prop_assert!(block.range.start >= end && block.range.end <= chapter.len());
            end = block.range.end;
            let lines = block.body.lines().count();
            for line in 0..=lines {
                let _ = page.block(block, 1).find(BlockPos { line, column: 3 });
            }
            let _ = read_block(block, &[]);
        }
        let same: Vec<_> =
            scan.blocks.iter().map(|b| (b.range.clone(), chapter[b.range.clone()].to_owned())).collect();
        prop_assert_eq!(splice(&chapter, &same), chapter);
    }

    #[test]
    fn a_block_is_found_in_any_container(
        containers in prop::collection::vec(0..CONTAINERS.len(), 0..5),
        crlf in any::<bool>(),
        tilde in any::<bool>(),
    ) {
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
    }
}
