//! What is folded below a figure: its facts, and in a book also tables.
//!
//! In: the facts, or a table. Out: a `<details>` whose content is one element of lines, in a book a script:
//! `label: value`, and for a list of objects a line of names and a line for each, all of them starting
//! with `|`. Tabs separate the lines. A script costs a book nothing ([`target`](crate::draw::target)):
//! the browser shows one line per tab, and the script of the page makes a table of it when somebody
//! unfolds it. Invariant: nothing in the text ends the element or opens a comment, and there is no
//! line break in it.

use super::setting::FactsTable;
use crate::draw::limits::FACT_ROWS;
use crate::draw::markup::{LineWriter, Searched, push_lines, push_words};
use crate::draw::tag::Tag;
use crate::figure::model::facts::plain;
use crate::figure::{Fact, Facts, Table};
use serde_json::Value;

/// Appends the facts, unless nobody wants them or there are none.
pub(super) fn push(out: &mut String, facts: &Facts, table: FactsTable, searched: Searched) {
    if facts.is_empty() || table == FactsTable::None {
        return;
    }
    let mut details = Tag::open(out, "details").set("class", "cute-facts");
    if table == FactsTable::Open {
        details = details.set("open", "");
    }
    let mut details = details.content();
    {
        let mut summary = Tag::open(&mut details, "summary").content();
        push_words(&mut summary, searched, "span", "cute-text", "Facts");
    }
    push_lines(&mut details, searched, |lines| {
        for (number, fact) in facts.iter().enumerate() {
            if number > 0 {
                lines.next_line();
            }
            lines.text(&fact.label);
            lines.text(": ");
            push_value(lines, fact);
        }
    });
}

/// Appends a table as lines of cells, for a book.
pub(super) fn push_cell_lines(out: &mut String, table: &Table) {
    push_lines(out, Searched::No, |lines| {
        for (number, row) in std::iter::once(&table.head).chain(&table.rows).enumerate() {
            if number > 0 {
                lines.next_line();
            }
            push_cells(lines, row);
        }
    });
}

/// Writes cells in a line, each behind a bar.
fn push_cells(lines: &mut LineWriter<'_>, cells: impl IntoIterator<Item: AsRef<str>>) {
    for cell in cells {
        lines.text("| ");
        lines.text(&cell.as_ref().replace('|', "¦"));
        lines.text(" ");
    }
    lines.trim_end();
}

/// Writes a list of objects as lines of cells, and everything else in one line.
fn push_value(lines: &mut LineWriter<'_>, fact: &Fact) {
    match &fact.value {
        Value::Array(rows) if rows.first().is_some_and(Value::is_object) => push_rows(lines, rows),
        Value::Object(members) => {
            for (at, (name, value)) in members.iter().enumerate() {
                if at > 0 {
                    lines.text(", ");
                }
                lines.text(name);
                lines.text(": ");
                lines.text(&plain(value));
            }
        }
        _ => lines.text(&fact.text()),
    }
}

fn push_rows(lines: &mut LineWriter<'_>, rows: &[Value]) {
    let head: Vec<&String> =
        rows.first().and_then(Value::as_object).into_iter().flat_map(|row| row.keys()).collect();
    if rows.len() > FACT_ROWS {
        let all = rows.len();
        lines.text(&format!("the first {FACT_ROWS} of {all}; the JSON of the figure has all"));
    }
    lines.next_line();
    push_cells(lines, &head);
    for row in rows.iter().take(FACT_ROWS) {
        lines.next_line();
        push_cells(lines, head.iter().map(|name| row.get(name).map(plain).unwrap_or_default()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn drawn(name: &'static str, value: Value) -> String {
        let mut facts = Facts::default();
        facts.push(name, value);
        let mut out = String::new();
        push(&mut out, &facts, FactsTable::Closed, Searched::No);
        let (_, text) = out.split_once("monospace\">").unwrap();
        text.strip_suffix("</script></details>").unwrap().to_owned()
    }

    #[test]
    fn hostile_text_stays_within_the_element() {
        let text = drawn("name", json!("</script><!--<script>\n{{x}}\t"));
        assert_eq!(text, "name: < /script>< !--<script> { {x}} ");
    }

    #[test]
    fn a_list_of_objects_is_lines_of_cells() {
        let rows = json!([{ "phase": 0, "hit": true }, { "phase": 1, "hit": "" }]);
        assert_eq!(drawn("rows", rows), "rows: \t| phase | hit\t| 0 | yes\t| 1 |");
        let many: Vec<Value> = (0..70).map(|n| json!({ "n": n })).collect();
        let text = drawn("rows", many.into());
        assert!(text.starts_with("rows: the first 64 of 70; "), "{text}");
        assert_eq!(text.matches('\t').count(), 65);
    }
}
