//! Leads a place in a block back to `path:line:column` of the author's file.
//!
//! In: a page, one of its blocks and positions in it. Out: what to print before a message, and the
//! line to show. mdBook has expanded includes before we see a chapter, so the block's text is looked
//! up in the file; where it is not unique, chapter, block and body line have to do. Invariant: a file
//! is read and indexed once, and only if there is something to report about it.

use super::paths::FileName;
use super::scan::Block;
use super::text::BlockPos;
use std::collections::HashMap;
use std::fmt;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::OnceLock;

/// Markdown of a chapter as the pipeline sees it.
#[derive(Clone, Debug)]
pub struct Page {
    name: String,
    path: FileName,
    content: String,
    file: PathBuf,
    blocks: Vec<Range<usize>>,
    lines: OnceLock<Lines>,
    source: OnceLock<Option<Source>>,
}

/// The author's file of a page.
#[derive(Clone, Debug)]
enum Source {
    /// The page is the file, line by line.
    Same,
    /// Something was included; the line of the file, from 0, for each start of a block whose line is known.
    Changed(HashMap<usize, usize>),
}

impl Page {
    /// Makes a page: its name in the summary, how its file is named, the Markdown as this preprocessor
    /// got it, and the file to look into.
    #[must_use]
    pub fn new(
        name: impl Into<String>,
        path: impl Into<FileName>,
        content: impl Into<String>,
        file: impl Into<PathBuf>,
    ) -> Self {
        Self {
            name: name.into(),
            path: path.into(),
            content: content.into(),
            file: file.into(),
            blocks: Vec::new(),
            lines: OnceLock::new(),
            source: OnceLock::new(),
        }
    }

    /// Notes the blocks of the page, which are looked for in the file where something was included.
    #[must_use]
    pub fn with_blocks(mut self, blocks: &[Block]) -> Self {
        self.blocks = blocks.iter().map(|block| block.range.clone()).collect();
        self
    }

    /// Returns the path as messages name it.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path.in_messages
    }

    /// Returns the Markdown.
    #[must_use]
    pub fn content(&self) -> &str {
        &self.content
    }

    /// Returns the places in one of the blocks of the page; `number` is the block's in the chapter, from 1.
    #[must_use]
    pub fn block<'p>(&'p self, block: &'p Block, number: usize) -> BlockPlaces<'p> {
        let line = self.lines().number(block.range.start);
        let file_line = match self.source() {
            None => None,
            Some(Source::Same) => Some(line),
            Some(Source::Changed(lines)) => lines.get(&block.range.start).copied(),
        };
        BlockPlaces { page: self, block, number, line, file_line, body: Lines::of(&block.body) }
    }

    /// Finds a byte outside blocks, e.g. a link.
    #[must_use]
    pub fn text(&self, at: usize) -> Place {
        let line = self.lines().number(at);
        Place {
            path: self.path.clone(),
            line: self.is_source().then_some(line + 1),
            otherwise: Otherwise { chapter: self.name.clone(), part: String::new() },
            excerpt: Excerpt::of(
                self.lines().text(&self.content, line),
                at - self.lines().start(line),
            ),
        }
    }

    /// Finds a byte, e.g. a heading, as pages name it, `path:line`; without the line where includes moved
    /// it.
    #[must_use]
    pub fn line(&self, at: usize) -> String {
        let path = &self.path.in_pages;
        if self.is_source() {
            format!("{path}:{}", self.lines().number(at) + 1)
        } else {
            path.clone()
        }
    }

    fn is_source(&self) -> bool {
        matches!(self.source(), Some(Source::Same))
    }

    fn lines(&self) -> &Lines {
        self.lines.get_or_init(|| Lines::of(&self.content))
    }

    fn source(&self) -> Option<&Source> {
        let read = || {
            let text = std::fs::read_to_string(&self.file).ok()?;
            // As mdBook reads it. `links` takes the backslash off an escaped directive; that moves no
            // line.
            let text = text.strip_prefix('\u{feff}').unwrap_or(&text).replace("\\{{", "{{");
            let same = text == self.content.replace("\\{{", "{{");
            Some(if same { Source::Same } else { Source::Changed(self.aligned(&text)) })
        };
        self.source.get_or_init(read).as_ref()
    }

    /// Finds the line of each block in a file that other text was included into.
    fn aligned(&self, file: &str) -> HashMap<usize, usize> {
        let (in_file, in_page) = (Fences::of(file), Fences::of(&self.content));
        let lines = Lines::of(file);
        let blocks = self.blocks.iter();
        let mut needles: Vec<&str> =
            blocks.filter_map(|range| self.content.get(range.clone())).collect();
        needles.sort_unstable();
        needles.dedup();
        let mut out = HashMap::new();
        for needle in needles {
            let (in_file, in_page) = (in_file.find(needle), in_page.find(needle));
            // Equal blocks keep their order; if an include added one, nobody knows which is which.
            if in_file.len() == in_page.len() {
                out.extend(in_page.into_iter().zip(in_file.iter().map(|&at| lines.number(at))));
            }
        }
        out
    }
}

/// The places in one block.
#[derive(Clone, Debug)]
pub struct BlockPlaces<'p> {
    page: &'p Page,
    block: &'p Block,
    number: usize,
    /// The line of the page that holds the fence, from 0.
    line: usize,
    /// The same line in the author's file, where it is known.
    file_line: Option<usize>,
    body: Lines,
}

impl BlockPlaces<'_> {
    /// Finds a position.
    #[must_use]
    pub fn find(&self, pos: BlockPos) -> Place {
        let (page, block) = (self.page, self.block);
        let text = page.lines().text(&page.content, self.line + pos.line);
        let (column, line) = match pos.line.checked_sub(1) {
            None => {
                let info = block.info_at - page.lines().start(self.line);
                (info + pos.column, "info line".to_owned())
            }
            Some(line) => {
                // What the containers put before the body's line is there in the file too.
                let body = self.body.text(&block.body, line);
                let prefix = if text.ends_with(body) { text.len() - body.len() } else { 0 };
                (prefix + pos.column, format!("body line {}", pos.line))
            }
        };
        Place {
            path: page.path.clone(),
            line: self.file_line.map(|first| first + pos.line + 1),
            otherwise: Otherwise {
                chapter: page.name.clone(),
                part: format!(", block {}, {line}", self.number),
            },
            excerpt: Excerpt::of(text, column),
        }
    }
}

/// Where something is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    path: FileName,
    /// The line in the file, from 1, where it is known.
    line: Option<usize>,
    otherwise: Otherwise,
    /// The line of text.
    pub excerpt: Excerpt,
}

/// A line of text with a place in it. Of a long line it has the part around the place, for a line may
/// have many.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excerpt {
    /// The text.
    pub text: String,
    /// Bytes of `text` before the place.
    pub at: usize,
    /// Characters of the line before the place.
    column: usize,
}

impl Excerpt {
    /// Bytes before and after the place: more than a message shows.
    const AROUND: usize = 500;

    fn of(line: &str, at: usize) -> Self {
        let at = floor_boundary(line, at);
        let (before, after) = line.split_at(at);
        let start = floor_boundary(before, at.saturating_sub(Self::AROUND));
        let end = at + floor_boundary(after, Self::AROUND);
        let column = before.chars().count();
        Self { text: line[start..end].to_owned(), at: at - start, column }
    }
}

/// What to name where the line is not known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Otherwise {
    chapter: String,
    /// The part of it, with a comma before it.
    part: String,
}

impl Place {
    /// Makes the place of a byte in a line of a file; lines count from 0.
    #[must_use]
    pub fn in_file(path: &FileName, line: usize, text: &str, column: usize) -> Self {
        Self {
            path: path.clone(),
            line: Some(line + 1),
            otherwise: Otherwise::default(),
            excerpt: Excerpt::of(text, column),
        }
    }

    /// Returns the number of the line to show, from 1.
    #[must_use]
    pub fn line(&self) -> usize {
        self.line.unwrap_or(1)
    }

    /// Returns whether the line in the file is known.
    #[must_use]
    pub const fn is_exact(&self) -> bool {
        self.line.is_some()
    }

    /// Returns the place as a page names it.
    #[must_use]
    pub fn in_page(&self) -> String {
        self.named(&self.path.in_pages)
    }

    fn named(&self, path: &str) -> String {
        match self.line {
            Some(line) => format!("{path}:{line}:{}", self.excerpt.column + 1),
            None => {
                let Otherwise { chapter, part } = &self.otherwise;
                format!("chapter `{chapter}` ({path}){part}")
            }
        }
    }
}

/// Writes the place as messages name it.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.named(&self.path.in_messages))
    }
}

/// Where the lines of a text start, whatever ends them.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Lines(Vec<usize>);

impl Lines {
    fn of(text: &str) -> Self {
        let bytes = text.as_bytes();
        let ends = |&(at, &byte): &(usize, &u8)| {
            byte == b'\n' || (byte == b'\r' && bytes.get(at + 1) != Some(&b'\n'))
        };
        let starts = bytes.iter().enumerate().filter(ends).map(|(at, _)| at + 1);
        Self(std::iter::once(0).chain(starts).collect())
    }

    /// Returns the line that holds a byte, from 0.
    fn number(&self, at: usize) -> usize {
        self.0.partition_point(|&start| start <= at).saturating_sub(1)
    }

    /// Returns the first byte of a line.
    fn start(&self, line: usize) -> usize {
        self.0.get(line).copied().unwrap_or(0)
    }

    /// Returns a line without its end; nothing after the last one.
    fn text<'t>(&self, text: &'t str, line: usize) -> &'t str {
        let Some(&start) = self.0.get(line) else { return "" };
        let end = self.0.get(line + 1).copied().unwrap_or(text.len());
        text.get(start..end).unwrap_or_default().trim_end_matches(['\n', '\r'])
    }
}

/// Where fences are in a text, by the start of the line that follows each.
struct Fences<'t> {
    text: &'t str,
    starts: HashMap<&'t str, Vec<usize>>,
}

impl<'t> Fences<'t> {
    fn of(text: &'t str) -> Self {
        let mut starts: HashMap<&str, Vec<usize>> = HashMap::new();
        let mut before = None;
        for (at, c) in text.char_indices() {
            if matches!(c, '`' | '~') && before != Some(c) {
                starts.entry(Self::key(&text[at..])).or_default().push(at);
            }
            before = Some(c);
        }
        Self { text, starts }
    }

    /// Bounded, since one line may hold many fences.
    fn key(text: &str) -> &str {
        let start = &text[..floor_boundary(text, 100)];
        start.lines().next().unwrap_or_default().trim_end()
    }

    /// Returns where a block is in the text.
    fn find(&self, block: &str) -> Vec<usize> {
        let starts = self.starts.get(Self::key(block)).into_iter().flatten().copied();
        starts.filter(|&at| self.text[at..].starts_with(block)).collect()
    }
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
        let file = dir.path().join("a.md");
        std::fs::write(&file, source).unwrap();
        let scan = scan_chapter(content, &MarkdownOptions::default());
        let page = Page::new("A", "a.md", content, file).with_blocks(&scan.blocks);
        page.block(&scan.blocks[block], block + 1).find(pos).to_string()
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
        // A fence that is never closed ends with its text.
        let source = "{{#include x}}\n> ~~~cute\nlazy\n";
        let content = "1\n2\n> ~~~cute\nlazy\n";
        assert_eq!(place(source, content, 0, BlockPos::default()), "a.md:2:6");
    }
}
