//! Reads `gallery.toml`: a title, names for the whole book, sections, and figures in them.
//!
//! In: the text of the file. Out: a [`Gallery`] whose figures know where each of their keys stands, or
//! everything that is wrong with the form of the file. Invariants: a figure takes the same keys as a
//! block, and slugs are safe as file names and differ.

use super::limits::{FIGURE, NAME};
use super::order::{Fault, Order};
use super::paths::FileName;
use super::place::Place;
use super::text::{BlockPos, EntryMap, TextMap};
use crate::diagnostic::Diagnostic;
use crate::figure::input::spec::nearest;
use crate::figure::{Entry, Kind, Spec};
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A gallery as it is written. Places count from the first line of the file, which is 0.
#[derive(Clone, Debug, Default)]
pub struct Gallery {
    /// The name of its entry in the summary, and the heading of its first page; literal, in one line.
    pub title: String,
    /// The folder of its pages.
    pub slug: String,
    /// Markdown under the heading.
    pub intro: String,
    /// Names that every expression of the book sees, in order.
    pub names: Vec<Name>,
    /// Its pages.
    pub sections: Vec<Section>,
    /// Section and number of the first figure with each id.
    by_id: HashMap<String, (usize, usize)>,
}

/// A name for the whole book.
#[derive(Clone, Debug)]
pub struct Name {
    /// The name and its expression.
    pub entry: Entry,
    /// Where they stand.
    pub map: EntryMap,
}

/// One page of figures.
#[derive(Clone, Debug, Default)]
pub struct Section {
    /// The file name of the page.
    pub slug: String,
    /// Its heading; literal, in one line.
    pub title: String,
    /// Markdown under the heading.
    pub intro: String,
    /// What it shows.
    pub figures: Vec<Order>,
}

impl Gallery {
    /// Finds a figure by its id.
    #[must_use]
    pub fn figure(&self, id: &str) -> Option<&Order> {
        let (section, number) = *self.by_id.get(id)?;
        self.sections.get(section)?.figures.get(number)
    }

    /// Visits all figures in order.
    pub fn figures(&self) -> impl Iterator<Item = &Order> {
        self.sections.iter().flat_map(|section| &section.figures)
    }
}

/// A gallery and the file it was read from.
#[derive(Clone, Debug)]
pub struct GalleryFile {
    path: FileName,
    text: String,
    /// Where its lines start.
    lines: Vec<usize>,
    /// What it holds.
    pub gallery: Gallery,
}

impl GalleryFile {
    /// Reads what a file holds, which is named by `path`.
    ///
    /// # Errors
    /// Bytes that are not UTF-8, and what is wrong with its form, each message with its place; see
    /// [`read_gallery`].
    pub fn read(path: FileName, bytes: Vec<u8>) -> Result<Self, Vec<(Place, Fault)>> {
        let text = String::from_utf8(bytes).map_err(|error| {
            let valid = error.utf8_error().valid_up_to();
            let text = String::from_utf8_lossy(error.as_bytes());
            let lines = line_starts(&text);
            let line = lines.partition_point(|&start| start <= valid).saturating_sub(1);
            let column = valid - lines.get(line).copied().unwrap_or(0);
            let pos = BlockPos { line, column };
            let diagnostic = Diagnostic::error("utf-8", "the gallery is not UTF-8 from here on")
                .hint("save the file as UTF-8");
            let fault = Fault { pos, length: char::REPLACEMENT_CHARACTER.len_utf8(), diagnostic };
            vec![(place(&path, &text, &lines, pos), fault)]
        })?;
        let lines = line_starts(&text);
        match read_gallery(&text) {
            Ok(gallery) => Ok(Self { path, text, lines, gallery }),
            Err(faults) => {
                let faults = faults.into_iter();
                Err(faults.map(|fault| (place(&path, &text, &lines, fault.pos), fault)).collect())
            }
        }
    }

    /// Finds a position of the file.
    #[must_use]
    pub fn place(&self, pos: BlockPos) -> Place {
        place(&self.path, &self.text, &self.lines, pos)
    }
}

fn place(path: &FileName, text: &str, lines: &[usize], pos: BlockPos) -> Place {
    let rest = lines.get(pos.line).and_then(|&start| text.get(start..)).unwrap_or_default();
    Place::in_file(path, pos.line, rest.lines().next().unwrap_or_default(), pos.column)
}

/// Reads the file.
///
/// # Errors
/// No TOML, unknown keys, values of the wrong type, missing or doubled slugs, unknown kinds; in the
/// order of the file. What the figures themselves say is checked when they are built.
pub fn read_gallery(text: &str) -> Result<Gallery, Vec<Fault>> {
    let mut reader = Reader { text, lines: line_starts(text), faults: Vec::new() };
    let table = match DeTable::parse(text) {
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
    text: &'t str,
    /// Where the lines start: places are asked for by the thousand.
    lines: Vec<usize>,
    faults: Vec<Fault>,
}

type Pairs<'a, 't> = Vec<(&'a str, Range<usize>, &'a Spanned<DeValue<'t>>)>;

impl Reader<'_> {
    fn gallery(&mut self, table: &DeTable<'_>) -> Gallery {
        let mut gallery = Gallery {
            title: "Gallery".to_owned(),
            slug: "gallery".to_owned(),
            ..Gallery::default()
        };
        for (key, at, value) in in_order(table) {
            match key {
                "title" => gallery.title = self.title(key, value, "Gallery"),
                "slug" => gallery.slug = self.slug(value),
                "intro" => gallery.intro = self.string(key, value),
                "names" => gallery.names = self.names(value),
                "section" => gallery.sections = self.sections(value),
                _ => self.unknown(key, at, &["title", "slug", "intro", "names", "section"]),
            }
        }
        for (section, page) in gallery.sections.iter().enumerate() {
            for (number, order) in page.figures.iter().enumerate() {
                if let Some(id) = order.spec.get("id") {
                    gallery.by_id.entry(id.trim().to_owned()).or_insert((section, number));
                }
            }
        }
        gallery
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
                    "intro" => section.intro = self.string(key, value),
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
        let mut kind = Kind::Layout;
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
        let start = self.pos(start);
        Order::from_parts(Spec::new(kind, entries), maps, start)
    }

    /// Reads a key and a value as a block would have them.
    fn entry(
        &mut self,
        key: &str,
        at: Range<usize>,
        value: &Spanned<DeValue<'_>>,
    ) -> Option<(Entry, EntryMap)> {
        let Some(text) = text_of(value.get_ref()) else {
            let text = format!("`{key}` is no text, number, boolean or list");
            self.wrong(value.span(), Diagnostic::error("gallery", text));
            return None;
        };
        let key_at = self.pos(at.start);
        let key_map = TextMap::at(key_at.line, key_at.column);
        let (text, map) = self.value_map(value, text);
        Some((Entry::new(key, text), EntryMap { key: key_map, value: map }))
    }

    /// Leads the bytes of a value back to the file. Where a text has escapes only its start is known.
    fn value_map(&self, value: &Spanned<DeValue<'_>>, text: String) -> (String, TextMap) {
        if let DeValue::Array(items) = value.get_ref() {
            let mut map = self.list_map(items);
            if items.is_empty() {
                let pos = self.pos(value.span().start);
                map.push(0, pos.line, pos.column);
            }
            return (text, map);
        }
        let span = value.span();
        let raw = self.text.get(span.clone()).unwrap_or_default();
        let quotes = ["'''", "\"\"\"", "'", "\""].into_iter().find(|quote| raw.starts_with(quote));
        let mut from = span.start + quotes.map_or(0, str::len);
        if quotes.is_some_and(|quotes| quotes.len() == 3) {
            // The line end behind the opening quotes is not part of the text.
            let rest = self.text.get(from..).unwrap_or_default();
            from += if rest.starts_with("\r\n") { 2 } else { usize::from(rest.starts_with('\n')) };
        }
        let text = text.replace('\r', "");
        let mut map = TextMap::default();
        let mut at = 0;
        let mut file = from;
        for line in text.split_inclusive('\n') {
            let pos = self.pos(file);
            map.push(at, pos.line, pos.column);
            let here = self.text.get(file..).unwrap_or_default();
            if !here.starts_with(line.trim_end_matches('\n')) {
                break;
            }
            at += line.len();
            file += here.find('\n').map_or(here.len(), |end| end + 1);
        }
        if text.is_empty() {
            let pos = self.pos(from);
            map.push(0, pos.line, pos.column);
        }
        (text, map)
    }

    /// Leads the items of a list, which commas join, back to the file.
    fn list_map(&self, items: &[Spanned<DeValue<'_>>]) -> TextMap {
        let mut map = TextMap::default();
        let mut at = 0;
        for item in items {
            let length = text_of(item.get_ref()).map_or(0, |text| text.len());
            let pos = self.pos(item.span().start + usize::from(item.get_ref().is_str()));
            map.push(at, pos.line, pos.column);
            at += length + 1;
        }
        map
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
            let text = format!("`{slug}` is no slug: lower-case letters, digits and hyphens");
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
        let diagnostic = Diagnostic::error("gallery", format!("`{key}` is no key here"));
        let hint = match nearest(key, known.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the keys are {}", known.join(", ")),
        };
        self.wrong(at, diagnostic.hint(hint));
    }

    fn wrong(&mut self, at: Range<usize>, diagnostic: Diagnostic) {
        let covered = self.text.get(at.clone()).unwrap_or_default();
        let length = covered.lines().next().map_or(0, str::len);
        self.faults.push(Fault { pos: self.pos(at.start), length, diagnostic });
    }

    fn pos(&self, at: usize) -> BlockPos {
        let line = self.lines.partition_point(|&start| start <= at).saturating_sub(1);
        BlockPos { line, column: at - self.lines.get(line).copied().unwrap_or(0) }
    }
}

fn line_starts(text: &str) -> Vec<usize> {
    std::iter::once(0).chain(text.match_indices('\n').map(|(end, _)| end + 1)).collect()
}

/// Returns the pairs of a table as they stand in the file; names see only names before them.
fn in_order<'a, 't>(table: &'a DeTable<'t>) -> Pairs<'a, 't> {
    let mut pairs: Pairs<'a, 't> =
        table.iter().map(|(key, value)| (key.get_ref().as_ref(), key.span(), value)).collect();
    pairs.sort_by_key(|(_, at, _)| at.start);
    pairs
}

/// Writes a value as a block would; a list in a list is a tuple.
fn text_of(value: &DeValue<'_>) -> Option<String> {
    match value {
        DeValue::String(text) => Some(text.to_string()),
        DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix())
            .ok()
            .map(|number| number.to_string()),
        DeValue::Boolean(flag) => Some(if *flag { "yes" } else { "no" }.to_owned()),
        DeValue::Array(items) => {
            let item = |item: &Spanned<DeValue<'_>>| match item.get_ref() {
                inner @ DeValue::Array(_) => Some(format!("({})", text_of(inner)?)),
                other => text_of(other),
            };
            Some(items.iter().map(item).collect::<Option<Vec<_>>>()?.join(","))
        }
        DeValue::Float(_) | DeValue::Datetime(_) | DeValue::Table(_) => None,
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
            let gallery = read_gallery(&text).unwrap();
            assert_eq!(gallery.title, "Our gallery");
            assert_eq!(gallery.names[0].entry, Entry::new("tile", "(8,8)"));
            assert_eq!(gallery.sections[0].intro, "Two\nlines.\n");
            let order = gallery.figure("x").unwrap();
            assert_eq!(order.spec.kind, Kind::Divide);
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
            let gallery = read_gallery(&text).unwrap();
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
            ("titel = \"x\"", 0, "`titel` is no key here (did you mean `title`?)"),
            ("title = 3", 0, "`title` is a text"),
            ("\n[[section]]\ntitle = \"x\"", 1, "the section has no `slug`"),
            ("[[section]]\nslug = \"A b\"", 1, "`A b` is no slug"),
            ("[[section]]\nslug = \"../up\"", 1, "`../up` is no slug"),
            ("[[section]]\nslug = \"\"", 1, "`` is no slug"),
            ("[[section]]\nslug = \"index\"", 1, "`index` is the gallery's first page"),
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
                "`layuot` is not yet a kind",
            ),
            (
                "[[section]]\nslug = \"a\"\n[[section.figure]]\nlayout = 1.5",
                3,
                "`layout` is no text, number, boolean or list",
            ),
        ] {
            let faults = read_gallery(text).unwrap_err();
            assert_eq!(faults[0].pos.line, line, "{text}: {faults:?}");
            let message = faults[0].diagnostic.to_string();
            assert!(message.starts_with(expected), "{text}: {message}");
        }
    }
}
