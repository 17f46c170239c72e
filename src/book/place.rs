//! Leads a place in a block back to `path:line:column` of the author's file.
//!
//! In: a page, one of its blocks and a position in it. Out: what to print in front of a message, and
//! the line to show. mdBook has expanded includes before we see a chapter, so the block's text is
//! looked up in the file; where it is not unique, chapter, block and body line have to do.

use super::scan::Block;
use super::text::BlockPos;
use std::fmt;
use std::path::Path;

/// A chapter as the pipeline sees it.
#[derive(Clone, Debug)]
pub struct Page {
    /// The name in the summary.
    pub name: String,
    /// The file in the source directory, with `/` between its parts; of a chapter without a file
    /// the page's path.
    pub path: String,
    /// The Markdown as this preprocessor got it.
    pub content: String,
}

/// Where something stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file and the line in it, from 1, where both are known.
    file: Option<(String, usize)>,
    /// What to say otherwise.
    block: String,
    /// The line of text.
    pub text: String,
    /// Bytes of `text` in front of the place.
    pub column: usize,
}

impl Place {
    /// Returns the number of the line to show, from 1.
    #[must_use]
    pub fn line(&self) -> usize {
        self.file.as_ref().map_or(1, |(_, line)| *line)
    }

    /// Returns whether the line in the file is known.
    #[must_use]
    pub const fn is_exact(&self) -> bool {
        self.file.is_some()
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.file {
            Some((path, line)) => {
                let before = self.text.get(..self.column).unwrap_or(&self.text);
                write!(f, "{path}:{line}:{}", before.chars().count() + 1)
            }
            None => f.write_str(&self.block),
        }
    }
}

/// Finds a position of a block; `number` is the block's in the chapter, from 1.
#[must_use]
pub fn locate(
    page: &Page,
    source_dir: &Path,
    block: &Block,
    number: usize,
    pos: BlockPos,
) -> Place {
    let (line_in_page, line_start) = line_at(&page.content, block.range.start);
    let text = nth_line(&page.content[line_start..], pos.line).unwrap_or_default();
    let column = if pos.line == 0 {
        block.info_at - line_start + pos.column
    } else {
        // What the containers put in front of the body's line stands in front of it in the file.
        let body = nth_line(&block.body, pos.line - 1).unwrap_or_default();
        let prefix = if text.ends_with(body) { text.len() - body.len() } else { 0 };
        prefix + pos.column
    };
    let file = line_in_file(page, source_dir, block, line_in_page)
        .map(|line| (page.path.clone(), line + pos.line));
    let body_line = match pos.line {
        0 => "info line".to_owned(),
        line => format!("body line {line}"),
    };
    Place {
        file,
        block: format!("chapter `{}` ({}), block {number}, {body_line}", page.name, page.path),
        column: floor_boundary(text, column),
        text: text.to_owned(),
    }
}

/// Finds a byte of a chapter outside blocks, e.g. a link.
#[must_use]
pub fn locate_text(page: &Page, source_dir: &Path, at: usize) -> Place {
    let (line, start) = line_at(&page.content, at);
    let known = read_source(page, source_dir).is_some_and(|source| source == page.content);
    Place {
        file: known.then(|| (page.path.clone(), line)),
        block: format!("chapter `{}` ({})", page.name, page.path),
        text: nth_line(&page.content[start..], 0).unwrap_or_default().to_owned(),
        column: at - start,
    }
}

/// Finds a position in a file that is no chapter, whose text is at hand.
#[must_use]
pub fn locate_in_file(path: &str, text: &str, pos: BlockPos) -> Place {
    let line = text.lines().nth(pos.line).unwrap_or_default();
    Place {
        file: Some((path.to_owned(), pos.line + 1)),
        block: String::new(),
        column: floor_boundary(line, pos.column),
        text: line.to_owned(),
    }
}

/// Finds a byte of a chapter, e.g. a heading, as `path:line`; without the line where includes moved
/// it.
#[must_use]
pub fn locate_byte(page: &Page, source_dir: &Path, at: usize) -> String {
    match read_source(page, source_dir) {
        Some(source) if source == page.content => {
            format!("{}:{}", page.path, line_at(&page.content, at).0)
        }
        _ => page.path.clone(),
    }
}

/// Returns the line of a block in the author's file, from 1.
fn line_in_file(
    page: &Page,
    source_dir: &Path,
    block: &Block,
    line_in_page: usize,
) -> Option<usize> {
    // `links` takes the backslash off an escaped directive; that moves no line.
    let source = read_source(page, source_dir)?.replace("\\{{", "{{");
    if source == page.content.replace("\\{{", "{{") {
        return Some(line_in_page);
    }
    let needle = &page.content[block.range.clone()];
    let in_source: Vec<_> = source.match_indices(needle).map(|(at, _)| at).collect();
    let in_page: Vec<_> = page.content.match_indices(needle).map(|(at, _)| at).collect();
    // Equal blocks keep their order; if an include added one, nobody knows which is which.
    if in_source.len() != in_page.len() {
        return None;
    }
    let which = in_page.iter().position(|at| *at == block.range.start)?;
    in_source.get(which).map(|at| line_at(&source, *at).0)
}

/// Reads a chapter's file as mdBook does.
fn read_source(page: &Page, source_dir: &Path) -> Option<String> {
    let source = std::fs::read_to_string(source_dir.join(&page.path)).ok()?;
    Some(source.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(source))
}

/// Returns the number of the line that holds a byte, from 1, and where that line starts.
fn line_at(text: &str, at: usize) -> (usize, usize) {
    let before = &text.as_bytes()[..at];
    let mut line = 1;
    let mut start = 0;
    for (i, &byte) in before.iter().enumerate() {
        let ends = byte == b'\n' || (byte == b'\r' && text.as_bytes().get(i + 1) != Some(&b'\n'));
        if ends {
            line += 1;
            start = i + 1;
        }
    }
    (line, start)
}

/// Returns a line of a text, from 0, whatever ends its lines.
fn nth_line(text: &str, line: usize) -> Option<&str> {
    let mut rest = text;
    for _ in 0..line {
        let end = rest.find(['\n', '\r'])?;
        let length = if rest[end..].starts_with("\r\n") { 2 } else { 1 };
        rest = &rest[end + length..];
    }
    rest.split(['\n', '\r']).next()
}

fn floor_boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::super::scan::scan_chapter;
    use super::*;
    use mdbook_markdown::MarkdownOptions;

    fn place(source: &str, content: &str, block: usize, pos: BlockPos) -> String {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("a.md"), source).unwrap();
        let page =
            Page { name: "A".to_owned(), path: "a.md".to_owned(), content: content.to_owned() };
        let scan = scan_chapter(content, &MarkdownOptions::default());
        locate(&page, dir.path(), &scan.blocks[block], block + 1, pos).to_string()
    }

    #[test]
    fn containers_and_line_ends_count() {
        let pos = BlockPos { line: 2, column: 1 };
        for end in ["\n", "\r\n"] {
            let text = "# A\n\n- x\n\n  > ~~~cute\n  > # c\n  > (4,8\n  > ~~~\n".replace('\n', end);
            assert_eq!(place(&text, &text, 0, pos), "a.md:7:6", "{end:?}");
        }
        let text = "# A\n\n- ~~~cute foo\n  4\n  ~~~\n";
        assert_eq!(place(text, text, 0, BlockPos { line: 0, column: 5 }), "a.md:3:11");
    }

    #[test]
    fn includes_move_lines() {
        let source = "{{#include x}}\n~~~cute\n4\n~~~\n~~~cute\n5\n~~~\n";
        let content = "1\n2\n3\n~~~cute\n4\n~~~\n~~~cute\n5\n~~~\n";
        let pos = BlockPos { line: 1, column: 0 };
        assert_eq!(place(source, content, 1, pos), "a.md:6:1");
        let content = "~~~cute\n5\n~~~\n~~~cute\n4\n~~~\n~~~cute\n5\n~~~\n";
        assert_eq!(place(source, content, 0, pos), "chapter `A` (a.md), block 1, body line 1");
        assert_eq!(place(source, content, 1, pos), "a.md:3:1");
    }
}
