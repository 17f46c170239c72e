//! The text of a TOML file: values as a block would write them, and where they are.
//!
//! In: the text. Out: positions, and values with a map back into the file. Invariants: lines count from 0
//! and end with `\n` alone, as in TOML; values have no `\r`.

use super::text::{BlockPos, TextMap};
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The text of a file.
#[derive(Clone, Debug)]
pub(super) struct TomlText {
    text: String,
    /// Where the lines start: places are looked up by the thousand.
    lines: Vec<usize>,
}

impl TomlText {
    /// Indexes a text.
    pub(super) fn of(text: String) -> Self {
        let ends = text.match_indices('\n').map(|(end, _)| end + 1);
        Self { lines: std::iter::once(0).chain(ends).collect(), text }
    }

    /// Returns the whole text.
    pub(super) fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns a line without its end.
    pub(super) fn line(&self, line: usize) -> &str {
        let rest = self.lines.get(line).and_then(|&start| self.text.get(start..));
        rest.and_then(|rest| rest.lines().next()).unwrap_or_default()
    }

    /// Returns the first line of a range.
    pub(super) fn first_line(&self, range: &Range<usize>) -> &str {
        let covered = self.text.get(range.clone()).unwrap_or_default();
        covered.lines().next().unwrap_or_default()
    }

    /// Returns where a byte is.
    pub(super) fn pos(&self, at: usize) -> BlockPos {
        let line = self.lines.partition_point(|&start| start <= at).saturating_sub(1);
        BlockPos { line, column: at - self.lines.get(line).copied().unwrap_or(0) }
    }

    /// Returns a value as a block would have it, and where its bytes are. Where a text has escapes only its
    /// start is known. Floats, dates and tables are no values of a block.
    pub(super) fn value(&self, value: &Spanned<DeValue<'_>>) -> Option<(String, TextMap)> {
        let text = text_of(value.get_ref())?;
        if let DeValue::Array(items) = value.get_ref() {
            let mut map = self.list_map(items);
            if items.is_empty() {
                let pos = self.pos(value.span().start);
                map.push(0, pos.line, pos.column);
            }
            return Some((text, map));
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
        Some((text, map))
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
}

type Pairs<'a, 't> = Vec<(&'a str, Range<usize>, &'a Spanned<DeValue<'t>>)>;

/// Returns the pairs of a table as they stand in the file; names see only names before them.
pub(super) fn in_order<'a, 't>(table: &'a DeTable<'t>) -> Pairs<'a, 't> {
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
