//! Finds the blocks and the anchors of a chapter.
//!
//! In: the Markdown of a chapter and the options its book sets. Out: each ```` ```cute ```` block with
//! its byte range, raw info line and body, and every id the page will have of its own. Invariant:
//! the parser is mdBook's, so a block is found exactly where mdBook would draw a code block.

use mdbook_markdown::pulldown_cmark::{CodeBlockKind, Event, LinkType, Tag, TagEnd};
use mdbook_markdown::{MarkdownOptions, new_cmark_parser};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Range;

/// A fenced block whose language is `cute`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The bytes from the opening to the closing fence, without the line end behind it.
    pub range: Range<usize>,
    /// The rest of the line behind the opening fence, as it stands in the source.
    pub info: String,
    /// Where `info` starts in the chapter.
    pub info_at: usize,
    /// The text between the fences without the indentation of containers; lines end with `\n`.
    pub body: String,
    /// Whether there is a closing fence; without one the block ends with its container.
    pub closed: bool,
    /// The footnote that it is part of, if mdBook leaves that out.
    pub lost: Option<LostFootnote>,
}

/// A footnote that mdBook leaves out of the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LostFootnote {
    /// Its name, without `[^` and `]`.
    pub name: String,
    /// Whether there is another one of that name before it; else nothing refers to it.
    pub doubled: bool,
}

/// An id that the page has without us.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageId {
    /// The id.
    pub id: String,
    /// Where its heading or tag starts in the chapter.
    pub at: usize,
}

/// A link to a figure: `[text](cute:ID)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FigureLink {
    /// The bytes of `cute:ID`; of an image all its bytes.
    pub range: Range<usize>,
    /// The id.
    pub id: String,
    /// Whether it is written as an image, `![text](cute:ID)`, which a figure is not.
    pub image: bool,
}

/// What a chapter holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scan {
    /// The blocks in order.
    pub blocks: Vec<Block>,
    /// The ids of headings and of raw HTML, in order.
    pub ids: Vec<PageId>,
    /// The links to figures, in order.
    pub links: Vec<FigureLink>,
}

/// Finds the blocks and ids of a chapter.
#[must_use]
pub fn scan_chapter(content: &str, options: &MarkdownOptions) -> Scan {
    let mut scan = Scan::default();
    let mut ids = HeadingIds::default();
    let mut open: Option<Block> = None;
    let mut heading: Option<(Option<String>, String, usize)> = None;
    let mut footnotes = Footnotes::default();
    let parser = new_cmark_parser(content, options);
    let definitions = parser.reference_definitions().iter();
    scan.links.extend(definitions.filter_map(|(_, link)| link_at(content, &link.span, &link.dest)));
    for (event, range) in parser.into_offset_iter() {
        match event {
            Event::Start(Tag::Link { link_type: LinkType::Inline, dest_url, .. }) => {
                scan.links.extend(link_at(content, &range, &dest_url));
            }
            Event::Start(Tag::Image { dest_url, .. }) => {
                let id = dest_url.strip_prefix("cute:").map(str::to_owned);
                scan.links.extend(id.map(|id| FigureLink { range, id, image: true }));
            }
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_))) => {
                open = block_at(content, range);
            }
            Event::End(TagEnd::CodeBlock) => {
                if let Some(mut block) = open.take() {
                    let lines = content[block.range.clone()].lines().count();
                    block.closed = lines == block.body.lines().count() + 2;
                    block.lost = footnotes.open.clone();
                    scan.blocks.push(block);
                }
            }
            Event::Start(Tag::FootnoteDefinition(name)) => {
                let doubled = !footnotes.defined.insert(name.to_string());
                footnotes.open = Some(LostFootnote { name: name.to_string(), doubled });
            }
            Event::End(TagEnd::FootnoteDefinition) => footnotes.open = None,
            Event::FootnoteReference(name) => drop(footnotes.used.insert(name.to_string())),
            Event::Text(text) if open.is_some() => {
                if let Some(block) = &mut open {
                    block.body.push_str(&text);
                }
            }
            Event::Start(Tag::Heading { id, .. }) => {
                heading = Some((id.map(|id| id.to_string()), String::new(), range.start));
            }
            Event::Start(Tag::DefinitionListTitle) => {
                heading = Some((None, String::new(), range.start));
            }
            Event::End(TagEnd::Heading(_) | TagEnd::DefinitionListTitle) => {
                if let Some((id, text, at)) = heading.take() {
                    let id = id.unwrap_or_else(|| ids.unique(id_of_text(&text)));
                    scan.ids.push(PageId { id, at });
                }
            }
            Event::Text(text) | Event::Code(text) => {
                if let Some((_, heading, _)) = &mut heading {
                    heading.push_str(&text);
                }
            }
            Event::Html(html) | Event::InlineHtml(html) => {
                let ids = ids_of_html(&html);
                scan.ids.extend(ids.into_iter().map(|id| PageId { id, at: range.start }));
            }
            _ => {}
        }
    }
    scan.links.sort_by_key(|link| link.range.start);
    for block in &mut scan.blocks {
        block.lost.take_if(|note| !note.doubled && footnotes.used.contains(&note.name));
    }
    scan
}

/// Returns whether Markdown ends within something that takes in whatever follows, e.g. an open fence.
#[must_use]
pub fn leaves_open(content: &str, options: &MarkdownOptions) -> bool {
    let content = content.trim_end();
    let probed = format!("{content}\n\n<!--cute-->\n");
    let at = content.len() + 2;
    !new_cmark_parser(&probed, options)
        .into_offset_iter()
        .any(|(event, range)| matches!(event, Event::Start(Tag::HtmlBlock)) && range.start == at)
}

/// The footnotes of a chapter while it is scanned.
#[derive(Default)]
struct Footnotes {
    defined: BTreeSet<String>,
    used: BTreeSet<String>,
    /// The one that is being read.
    open: Option<LostFootnote>,
}

/// Finds the destination of a link to a figure; the text of the link may hold the same words.
fn link_at(content: &str, range: &Range<usize>, destination: &str) -> Option<FigureLink> {
    let id = destination.strip_prefix("cute:")?;
    let at = range.start + content.get(range.clone())?.rfind(destination)?;
    Some(FigureLink { range: at..at + destination.len(), id: id.to_owned(), image: false })
}

fn block_at(content: &str, range: Range<usize>) -> Option<Block> {
    let fenced = content.get(range.clone())?;
    let first = fenced.split(['\n', '\r']).next().unwrap_or_default();
    let fence = first.chars().next()?;
    let behind = first.trim_start_matches(fence);
    let info = behind.trim_start_matches([' ', '\t']);
    let language = info.split([' ', '\t', ',']).next().unwrap_or_default();
    (language == "cute").then(|| Block {
        // The range of a fence that is never closed takes the line end with it.
        range: range.start..range.start + fenced.trim_end_matches(['\n', '\r']).len(),
        info: info.trim_end().to_owned(),
        info_at: range.start + (first.len() - info.len()),
        body: String::new(),
        closed: false,
        lost: None,
    })
}

/// Makes the id that mdBook gives to a heading.
fn id_of_text(text: &str) -> String {
    text.trim()
        .to_lowercase()
        .chars()
        .filter_map(|c| match c {
            _ if c.is_alphanumeric() || c == '_' || c == '-' => Some(c),
            _ if c.is_whitespace() => Some('-'),
            _ => None,
        })
        .collect()
}

/// The ids that mdBook gives to the headings and terms of a page that have none.
#[derive(Default)]
struct HeadingIds {
    used: HashSet<String>,
    /// The last number that was tried after an id. Those below it stay used, so there is no starting over.
    counts: HashMap<String, u32>,
}

impl HeadingIds {
    /// Makes an id unique as mdBook does, by counting up.
    fn unique(&mut self, id: String) -> String {
        if self.used.insert(id.clone()) {
            return id;
        }
        let count = self.counts.entry(id.clone()).or_default();
        loop {
            *count += 1;
            let candidate = format!("{id}-{count}");
            if self.used.insert(candidate.clone()) {
                return candidate;
            }
        }
    }
}

/// Finds the values of `id` attributes in a piece of HTML.
fn ids_of_html(html: &str) -> Vec<String> {
    let mut ids = Vec::new();
    for (at, _) in html.match_indices("id=") {
        if !html[..at].ends_with(|c: char| c.is_ascii_whitespace()) {
            continue;
        }
        let value = &html[at + 3..];
        let id = match value.chars().next() {
            Some(quote @ ('"' | '\'')) => value[1..].split(quote).next(),
            _ => value.split(|c: char| c.is_ascii_whitespace() || c == '>' || c == '/').next(),
        };
        ids.extend(id.filter(|id| !id.is_empty()).map(str::to_owned));
    }
    ids
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks(content: &str) -> Vec<Block> {
        scan_chapter(content, &MarkdownOptions::default()).blocks
    }

    #[test]
    fn containers_do_not_leak_into_the_body() {
        for content in [
            "- a\n\n  > q\n  > ~~~cute layout id=\"x\"\n  > (4,8)\n  > # c\n  >\n  > A\n  > ~~~\n  > b\n",
            "- a\r\n\r\n  > q\r\n  > ~~~cute layout id=\"x\"\r\n  > (4,8)\r\n  > # c\r\n  >\r\n  > A\r\n  > ~~~\r\n",
            "- ~~~cute layout id=\"x\"\n  (4,8)\n  # c\n\n  A\n  ~~~\n- b\n",
        ] {
            let found = blocks(content);
            assert_eq!(found.len(), 1, "{content}");
            assert_eq!(found[0].body, "(4,8)\n# c\n\nA\n", "{content}");
            assert_eq!(found[0].info, "cute layout id=\"x\"");
            assert!(content[found[0].info_at..].starts_with("cute layout"));
            assert!(content[found[0].range.clone()].starts_with("~~~cute"));
            assert!(content[found[0].range.clone()].ends_with("~~~"));
        }
    }

    #[test]
    fn only_what_mdbook_sees_as_a_cute_fence_is_one() {
        assert_eq!(blocks("````\n```cute\n4:1\n```\n````\n"), []);
        assert_eq!(blocks("<!--\n```cute\n4:1\n```\n-->\n"), []);
        assert_eq!(blocks("    ```cute\n    4:1\n    ```\n"), []);
        assert_eq!(blocks("```cuted\n```\n"), []);
        assert_eq!(blocks("``` cute,ignore\n```\n").len(), 1);
    }

    #[test]
    fn a_fence_that_is_never_closed_ends_before_its_line_end() {
        let content = "```cute\n4:1\n";
        assert_eq!(&content[blocks(content)[0].range.clone()], "```cute\n4:1");
    }

    #[test]
    fn links_to_figures_are_found_with_their_bytes() {
        let content = "> [cute:a](cute:a \"t\") and *[b][r]*, `[c](cute:c)` <cute:d> [x](y.md)\n\n[r]: cute:b\n";
        let links = scan_chapter(content, &MarkdownOptions::default()).links;
        let found: Vec<_> =
            links.iter().map(|link| (link.id.as_str(), &content[link.range.clone()])).collect();
        assert_eq!(found, [("a", "cute:a"), ("b", "cute:b")]);
        assert_eq!(links[0].range.start, 11);
    }

    #[test]
    fn images_of_figures_are_told_from_links() {
        let content = "[![i](cute:a)](cute:b) ![x](y.png)\n\n![j][r]\n\n[r]: cute:c\n";
        let links = scan_chapter(content, &MarkdownOptions::default()).links;
        let images = links.iter().filter(|link| link.image);
        let images: Vec<_> = images.map(|link| &content[link.range.clone()]).collect();
        assert_eq!(images, ["![i](cute:a)", "![j][r]"]);
        let ids: Vec<_> = links.iter().filter(|link| !link.image).map(|link| &link.id).collect();
        assert_eq!(ids, ["b", "c"]);
    }

    #[test]
    fn ids_are_those_of_mdbook() {
        let content =
            "# A `b` *c*!\n\n## A b c\n\n## X {#y}\n\n<span id=\"z\"></span>\n\n<p id=w>\n";
        let ids: Vec<_> = scan_chapter(content, &MarkdownOptions::default()).ids;
        let ids: Vec<_> = ids.iter().map(|id| id.id.as_str()).collect();
        assert_eq!(ids, ["a-b-c", "a-b-c-1", "y", "z", "w"]);
    }

    /// mdBook counts up from 1 for each heading and skips what another heading has. Terms count too, and
    /// an id that the author gives does not.
    #[test]
    fn equal_headings_count_up_as_in_mdbook() {
        let content = "# a-1\n\n# a\n\n# a\n\n# a\n\n# b {#a-4}\n\na\n: x\n\n# a\n\n# a-1\n";
        let mut options = MarkdownOptions::default();
        options.definition_lists = true;
        let ids = scan_chapter(content, &options).ids;
        let ids: Vec<_> = ids.iter().map(|id| id.id.as_str()).collect();
        assert_eq!(ids, ["a-1", "a", "a-2", "a-3", "a-4", "a-4", "a-5", "a-1-1"]);
    }

    #[test]
    fn footnotes_that_are_left_out_are_known() {
        let block = "\n\n    ```cute\n    4\n    ```\n\n";
        let content = format!("a[^a]\n\n[^a]: x{block}[^b]: y{block}[^a]: z{block}text\n");
        let lost: Vec<_> = blocks(&content).into_iter().map(|block| block.lost).collect();
        let note = |name: &str, doubled| Some(LostFootnote { name: name.to_owned(), doubled });
        assert_eq!(lost, [None, note("b", false), note("a", true)]);
    }

    #[test]
    fn what_takes_in_the_text_after_it_is_known() {
        let options = MarkdownOptions::default();
        for (content, open) in [
            ("", false),
            ("text", false),
            ("- a\n- b", false),
            ("> a", false),
            ("    code", false),
            ("<div>\n\na", false),
            ("```\n4\n```", false),
            ("```\n4", true),
            ("<!-- a", true),
            ("<script>", true),
            ("- ```\n  4", false),
        ] {
            assert_eq!(leaves_open(content, &options), open, "{content}");
        }
    }

    #[test]
    fn open_fences_are_told_from_closed_ones() {
        for (content, closed) in [
            ("```cute\n4\n```\n", true),
            ("```cute\n```\n", true),
            ("```cute\n", false),
            ("```cute\n4\n", false),
            ("```cute\n4\n\n\n", false),
            ("```cute\n4\n    ```\n", false),
            ("- ```cute\n  4\n  ```\n", true),
            ("- ```cute\n  4\n\nb\n", false),
            ("> ```cute\n> 4\n>\n", false),
            ("> ```cute\r\n> 4\r\n> ```\r\n", true),
        ] {
            assert_eq!(blocks(content)[0].closed, closed, "{content:?}");
        }
    }
}
