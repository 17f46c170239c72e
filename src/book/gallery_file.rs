//! Reads `gallery.toml`.
//!
//! In: the bytes of the file. Out: a [`Gallery`] whose figures know where each of their keys is, or
//! everything that is wrong with the form of the file. Invariants: a figure takes the same keys as a
//! block, slugs are safe as file names and differ, and nothing takes in the figures after it.

use super::gallery::{Gallery, Name, Section};
use super::limits::{FIGURE, NAME};
use super::order::{Fault, Order};
use super::paths::FileName;
use super::place::Place;
use super::scan::leaves_open;
use super::text::{BlockPos, EntryMap, TextMap};
use super::toml_text::{TomlText, in_order};
use crate::diagnostic::Diagnostic;
use crate::figure::{Entry, Kind, Spec};
use crate::suggest::nearest;
use mdbook_markdown::MarkdownOptions;
use std::collections::BTreeSet;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A gallery and the file it was read from.
#[derive(Clone, Debug)]
pub struct GalleryFile {
    path: FileName,
    text: TomlText,
    /// What it holds.
    pub gallery: Gallery,
}

impl GalleryFile {
    /// Reads what a file holds, which is named by `path`.
    ///
    /// # Errors
    /// Bytes that are not UTF-8, and what is wrong with the form, each message with its place: no TOML,
    /// unknown keys, values of the wrong type, missing or doubled slugs, unknown kinds; in the order of the
    /// file. What the figures themselves hold is checked when they are built.
    pub fn read(path: FileName, bytes: Vec<u8>) -> Result<Self, Vec<(Place, Fault)>> {
        let (text, read) = match String::from_utf8(bytes) {
            Ok(text) => {
                let text = TomlText::of(text);
                let read = read_gallery(&text);
                (text, read)
            }
            Err(error) => {
                let text = TomlText::of(String::from_utf8_lossy(error.as_bytes()).into_owned());
                let pos = text.pos(error.utf8_error().valid_up_to());
                let diagnostic =
                    Diagnostic::error("utf-8", "the gallery is not UTF-8 from here on")
                        .hint("save the file as UTF-8");
                let length = char::REPLACEMENT_CHARACTER.len_utf8();
                (text, Err(vec![Fault { pos, length, diagnostic }]))
            }
        };
        let place =
            |pos: BlockPos| Place::in_file(&path, pos.line, text.line(pos.line), pos.column);
        match read {
            Ok(gallery) => Ok(Self { path, text, gallery }),
            Err(faults) => Err(faults.into_iter().map(|fault| (place(fault.pos), fault)).collect()),
        }
    }

    /// Finds a position of the file.
    #[must_use]
    pub fn place(&self, pos: BlockPos) -> Place {
        Place::in_file(&self.path, pos.line, self.text.line(pos.line), pos.column)
    }
}

fn read_gallery(text: &TomlText) -> Result<Gallery, Vec<Fault>> {
    let mut reader = Reader { text, faults: Vec::new() };
    let table = match DeTable::parse(text.as_str()) {
        Ok(table) => table,
        Err(error) => {
            let at = error.span().unwrap_or(0..0);
            reader.wrong(at, Diagnostic::error("toml", lower(error.message())));
            return Err(reader.faults);
        }
    };
    let gallery = reader.gallery(table.get_ref());
    reader.faults.sort_by_key(|fault| fault.pos);
    if reader.faults.is_empty() { Ok(gallery) } else { Err(reader.faults) }
}

/// Messages of this program start in lower case and have no full stop.
fn lower(message: &str) -> String {
    let mut chars = message.trim_end_matches('.').chars();
    chars.next().map(|first| first.to_lowercase().chain(chars).collect()).unwrap_or_default()
}

struct Reader<'t> {
    text: &'t TomlText,
    faults: Vec<Fault>,
}

impl Reader<'_> {
    fn gallery(&mut self, table: &DeTable<'_>) -> Gallery {
        let mut gallery = Gallery::named("Gallery", "gallery");
        for (key, at, value) in in_order(table) {
            match key {
                "title" => gallery.title = self.title(key, value, "Gallery"),
                "slug" => gallery.slug = self.slug(value),
                "intro" => gallery.intro = self.intro(value),
                "names" => gallery.names = self.names(value),
                "section" => gallery.sections = self.sections(value),
                _ => self.unknown(key, at, &["title", "slug", "intro", "names", "section"]),
            }
        }
        gallery.indexed()
    }

    fn names(&mut self, value: &Spanned<DeValue<'_>>) -> Vec<Name> {
        let Some(table) = self.table("names", value) else { return Vec::new() };
        let pairs = in_order(table).into_iter();
        pairs
            .filter_map(|(key, at, value)| {
                if key.len() > NAME || value.span().len() > FIGURE {
                    let text = format!("a name takes at most {NAME} bytes, its value {FIGURE}");
                    self.wrong(at, Diagnostic::error("size", text));
                    return None;
                }
                let (entry, map) = self.entry(key, at, value)?;
                Some(Name { entry, map })
            })
            .collect()
    }

    fn sections(&mut self, value: &Spanned<DeValue<'_>>) -> Vec<Section> {
        let mut sections: Vec<Section> = Vec::new();
        let mut slugs = BTreeSet::new();
        for item in self.array("section", value) {
            let Some(table) = self.table("section", item) else { continue };
            let mut section = Section::default();
            let mut slug_at = item.span();
            for (key, at, value) in in_order(table) {
                match key {
                    "slug" => {
                        section.slug = self.slug(value);
                        slug_at = value.span();
                    }
                    "title" => section.title = self.title(key, value, ""),
                    "intro" => section.intro = self.intro(value),
                    "figure" => section.figures = self.figures(value),
                    _ => self.unknown(key, at, &["slug", "title", "intro", "figure"]),
                }
            }
            if section.slug.is_empty() && table.iter().all(|(key, _)| key.get_ref() != "slug") {
                let diagnostic = Diagnostic::error("gallery", "the section has no `slug`")
                    .hint("add `slug = \"layouts\"`: it becomes the name of the page");
                self.wrong(item.span(), diagnostic);
            } else if !slugs.insert(section.slug.clone()) {
                let text = format!("the slug `{}` is given twice", section.slug);
                let diagnostic = Diagnostic::error("gallery", text).hint("choose another");
                self.wrong(slug_at, diagnostic);
            }
            if section.title.is_empty() {
                section.title.clone_from(&section.slug);
            }
            sections.push(section);
        }
        sections
    }

    fn figures(&mut self, value: &Spanned<DeValue<'_>>) -> Vec<Order> {
        let items = self.array("figure", value);
        items
            .iter()
            .filter_map(|item| {
                let table = self.table("figure", item)?;
                Some(self.figure(table, item.span().start))
            })
            .collect()
    }

    fn figure(&mut self, table: &DeTable<'_>, start: usize) -> Order {
        let mut kind = Kind::LAYOUT;
        let mut entries = Vec::new();
        let mut maps = Vec::new();
        let mut push = |pair: Option<(Entry, EntryMap)>| {
            if let Some((entry, map)) = pair {
                entries.push(entry);
                maps.push(map);
            }
        };
        for (key, at, value) in in_order(table) {
            match (key, value.get_ref()) {
                ("kind", _) => match Kind::parse(&self.string(key, value)) {
                    Ok(found) => kind = found,
                    Err(diagnostic) => self.wrong(value.span(), diagnostic),
                },
                ("expect" | "let", DeValue::Table(inner)) => {
                    let joint = if key == "let" { "let " } else { "expect." };
                    for (name, at, value) in in_order(inner) {
                        match value.get_ref() {
                            // Each warning of a list is an expectation of its own.
                            DeValue::Array(items) if name == "warning" => {
                                for item in items {
                                    push(self.entry("expect.warning", at.clone(), item));
                                }
                            }
                            _ => push(self.entry(&format!("{joint}{name}"), at, value)),
                        }
                    }
                }
                _ => push(self.entry(key, at, value)),
            }
        }
        let start = self.text.pos(start);
        Order::from_parts(Spec::new(kind, entries), maps, start)
    }

    /// Reads a key and a value as a block would have them.
    fn entry(
        &mut self,
        key: &str,
        at: Range<usize>,
        value: &Spanned<DeValue<'_>>,
    ) -> Option<(Entry, EntryMap)> {
        let Some((text, map)) = self.text.value(value) else {
            let text = format!("`{key}` must be a text, a number, a boolean or a list");
            self.wrong(value.span(), Diagnostic::error("gallery", text));
            return None;
        };
        let key_at = self.text.pos(at.start);
        let key_map = TextMap::at(key_at.line, key_at.column);
        Some((Entry::new(key, text), EntryMap { key: key_map, value: map }))
    }

    fn string(&mut self, key: &str, value: &Spanned<DeValue<'_>>) -> String {
        match value.get_ref() {
            DeValue::String(text) if key != "intro" && text.len() > NAME => {
                let text = format!("`{key}` of {} bytes; it takes at most {NAME}", text.len());
                let start = value.span().start;
                self.wrong(start..start, Diagnostic::error("size", text));
                String::new()
            }
            DeValue::String(text) => text.replace('\r', ""),
            _ => {
                let text = format!("`{key}` is a text");
                self.wrong(
                    value.span(),
                    Diagnostic::error("gallery", text).hint("put it in quotes"),
                );
                String::new()
            }
        }
    }

    /// Reads a name for the summary, which has no lines.
    fn title(&mut self, key: &str, value: &Spanned<DeValue<'_>>, default: &str) -> String {
        let title = self.string(key, value);
        let blank = |c: char| c.is_whitespace() || c.is_control();
        let words: Vec<&str> = title.split(blank).filter(|word| !word.is_empty()).collect();
        if words.is_empty() { default.to_owned() } else { words.join(" ") }
    }

    /// Reads Markdown that figures follow.
    fn intro(&mut self, value: &Spanned<DeValue<'_>>) -> String {
        let intro = self.string("intro", value);
        if leaves_open(&intro, &MarkdownOptions::default()) {
            let text = "the figures after `intro` would be part of a block that it leaves open";
            let start = value.span().start;
            let diagnostic = Diagnostic::error("gallery", text);
            self.wrong(start..start, diagnostic.hint("close the code block or the HTML"));
        }
        intro
    }

    fn slug(&mut self, value: &Spanned<DeValue<'_>>) -> String {
        let slug = self.string("slug", value);
        let allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        // Windows has no files of these names, whatever follows a dot.
        let device = match slug.as_str() {
            "con" | "prn" | "aux" | "nul" => true,
            other => {
                let port = other.strip_prefix("com").or_else(|| other.strip_prefix("lpt"));
                port.is_some_and(|port| port.len() == 1 && port.parse::<u8>().is_ok())
            }
        };
        if value.get_ref().is_str() && (slug.is_empty() || !slug.chars().all(allowed)) {
            let text = format!("invalid slug `{slug}`: use lower-case letters, digits and hyphens");
            self.wrong(value.span(), Diagnostic::error("gallery", text));
        } else if device {
            let text =
                format!("`{slug}` is the name of a device on Windows, where no file may have it");
            let diagnostic = Diagnostic::error("gallery", text).hint("choose another slug");
            self.wrong(value.span(), diagnostic);
        } else if slug == "index" {
            let diagnostic = Diagnostic::error("gallery", "`index` is the gallery's first page")
                .hint("choose another slug");
            self.wrong(value.span(), diagnostic);
        }
        slug
    }

    fn table<'a, 't>(
        &mut self,
        key: &str,
        value: &'a Spanned<DeValue<'t>>,
    ) -> Option<&'a DeTable<'t>> {
        let table = value.get_ref().as_table();
        if table.is_none() {
            let text = format!("`{key}` is a table");
            self.wrong(value.span(), Diagnostic::error("gallery", text));
        }
        table
    }

    fn array<'a, 't>(
        &mut self,
        key: &str,
        value: &'a Spanned<DeValue<'t>>,
    ) -> &'a [Spanned<DeValue<'t>>] {
        match value.get_ref().as_array() {
            Some(items) => items,
            None => {
                let text = format!("`{key}` is a list of tables");
                let diagnostic = Diagnostic::error("gallery", text);
                let header = if key == "figure" { "section.figure" } else { key };
                self.wrong(value.span(), diagnostic.hint(format!("write `[[{header}]]`")));
                &[]
            }
        }
    }

    fn unknown(&mut self, key: &str, at: Range<usize>, known: &[&str]) {
        let diagnostic = Diagnostic::error("gallery", format!("unknown key `{key}`"));
        let hint = match nearest(key, known.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the keys are {}", known.join(", ")),
        };
        self.wrong(at, diagnostic.hint(hint));
    }

    fn wrong(&mut self, at: Range<usize>, diagnostic: Diagnostic) {
        let length = self.text.first_line(&at).len();
        self.faults.push(Fault { pos: self.text.pos(at.start), length, diagnostic });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "title = \"Our gallery\"\n\n[names]\ntile = \"(8,8)\"\n\n[[section]]\nslug = \"a\"\n\
        title = \"A\"\nintro = \"\"\"\nTwo\nlines.\n\"\"\"\n\n[[section.figure]]\nkind = \"divide\"\n\
        op = \"zipped\"\nA = '''\n(12,\n 32):(32,1)'''\ntiler = \"<3:1, 8:1>\"\nid = \"x\"\n\
        expect.tiles = 16\nexpect.warning = [\"a\", \"b\"]\nlet.n = 4\noffsets = true\n";

    #[test]
    fn figures_take_the_keys_of_blocks_in_order() {
        for text in [GOOD.to_owned(), GOOD.replace('\n', "\r\n")] {
            let gallery = read_gallery(&TomlText::of(text.clone())).unwrap();
            assert_eq!(gallery.title, "Our gallery");
            assert_eq!(gallery.names[0].entry, Entry::new("tile", "(8,8)"));
            assert_eq!(gallery.sections[0].intro, "Two\nlines.\n");
            let order = gallery.figure("x").unwrap();
            assert_eq!(order.spec.kind, Kind::parse("divide").unwrap());
            let entries: Vec<_> = order
                .spec
                .entries
                .iter()
                .map(|entry| (entry.key.as_str(), entry.value.as_str()))
                .collect();
            assert_eq!(
                entries,
                [
                    ("op", "zipped"),
                    ("A", "(12,\n 32):(32,1)"),
                    ("tiler", "<3:1, 8:1>"),
                    ("id", "x"),
                    ("expect.tiles", "16"),
                    ("expect.warning", "a"),
                    ("expect.warning", "b"),
                    ("let n", "4"),
                    ("offsets", "yes"),
                ]
            );
            assert_eq!(order.start.line, 13);
        }
    }

    #[test]
    fn places_lead_into_the_file() {
        use crate::diagnostic::Span;
        use crate::figure::{Part, Problem};
        for text in [GOOD.to_owned(), GOOD.replace('\n', "\r\n")] {
            let gallery = read_gallery(&TomlText::of(text.clone())).unwrap();
            let order = gallery.figure("x").unwrap();
            let at = |entry: usize, byte: usize| {
                let diagnostic = Diagnostic::error("x", "x").at(Span::new(byte, byte + 1));
                order.fault(Problem { part: Part::Value(entry), diagnostic }).pos
            };
            let line = |pos: BlockPos| &text.lines().nth(pos.line).unwrap()[pos.column..];
            assert!(line(at(1, 0)).starts_with("(12,"));
            assert!(line(at(1, 6)).starts_with("32)"));
            assert!(line(at(2, 6)).starts_with("8:1"));
        }
    }

    #[test]
    fn the_form_is_checked() {
        for (text, line, expected) in [
            ("title = ", 0, ""),
            ("titel = \"x\"", 0, "unknown key `titel` (did you mean `title`?)"),
            ("title = 3", 0, "`title` is a text"),
            ("\n[[section]]\ntitle = \"x\"", 1, "the section has no `slug`"),
            ("[[section]]\nslug = \"A b\"", 1, "invalid slug `A b`"),
            ("[[section]]\nslug = \"../up\"", 1, "invalid slug `../up`"),
            ("[[section]]\nslug = \"\"", 1, "invalid slug ``"),
            ("[[section]]\nslug = \"index\"", 1, "`index` is the gallery's first page"),
            ("intro = \"```\\n4\"", 0, "the figures after `intro` would be part of a block"),
            ("slug = \"nul\"", 0, "`nul` is the name of a device on Windows"),
            ("[[section]]\nslug = \"com7\"", 1, "`com7` is the name of a device on Windows"),
            (
                "[[section]]\nslug = \"a\"\n[[section]]\nslug = \"a\"",
                3,
                "the slug `a` is given twice",
            ),
            ("[section]\nslug = \"a\"", 0, "`section` is a list of tables (write `[[section]]`)"),
            (
                "[[section]]\nslug = \"a\"\n[[section.figure]]\nkind = \"layuot\"",
                3,
                "unknown figure kind `layuot`",
            ),
            (
                "[[section]]\nslug = \"a\"\n[[section.figure]]\nlayout = 1.5",
                3,
                "`layout` must be a text, a number, a boolean or a list",
            ),
        ] {
            let faults = read_gallery(&TomlText::of(text.to_owned())).unwrap_err();
            assert_eq!(faults[0].pos.line, line, "{text}: {faults:?}");
            let message = faults[0].diagnostic.to_string();
            assert!(message.starts_with(expected), "{text}: {message}");
        }
    }
}
