//! Notes and tables of a figure.
//!
//! In: a figure. Out: elements of a page. Invariant: a folded table in a page of a book is lines of
//! text, which the search does not index.

use super::facts;
use crate::diagnostic::Level;
use crate::draw::markup::{Searched, push_words};
use crate::draw::tag::Tag;
use crate::figure::{Figure, Table};

/// Appends the notes.
pub(super) fn push_notes(out: &mut String, figure: &Figure, searched: Searched) {
    for note in &figure.notes {
        let class = match note.level {
            Level::Note => "cute-note",
            Level::Warning => "cute-note cute-warning",
            Level::Error => "cute-note cute-error",
        };
        let mut div =
            Tag::open(out, "div").set("class", class).attr("data-code", note.code).content();
        push_words(&mut div, searched, "b", "cute-name", &format!("{}:", note.level.as_str()));
        div.push(' ');
        let text = match &note.hint {
            Some(hint) => &format!("{} ({hint})", note.text),
            None => &note.text,
        };
        push_words(&mut div, searched, "span", "cute-text", text);
    }
}

/// Appends a table, folded up if nothing in it is out of the ordinary.
pub(super) fn push_table(out: &mut String, table: &Table, searched: Searched) {
    if !table.folded {
        return push_open(out, table, &table.title);
    }
    let mut details = Tag::open(out, "details").set("class", "cute-facts").content();
    {
        let mut summary = Tag::open(&mut details, "summary").content();
        push_words(&mut summary, searched, "span", "cute-text", &table.title);
    }
    match searched {
        Searched::Yes => push_open(&mut details, table, ""),
        // Nobody looks for what is folded up.
        Searched::No => facts::push_cell_lines(&mut details, table),
    }
}

/// Appends a table under a caption, if it has one.
fn push_open(out: &mut String, table: &Table, caption: &str) {
    let mut div = Tag::open(out, "div").set("class", "cute-table").content();
    let mut element = Tag::open(&mut div, "table").content();
    if !caption.is_empty() {
        Tag::open(&mut element, "caption").text(caption);
    }
    {
        let mut head = Tag::open(&mut element, "thead").content();
        let mut row = Tag::open(&mut head, "tr").content();
        table.head.iter().for_each(|name| Tag::open(&mut row, "th").text(name));
    }
    let mut body = Tag::open(&mut element, "tbody").content();
    for cells in &table.rows {
        let mut row = Tag::open(&mut body, "tr").content();
        cells.iter().for_each(|cell| Tag::open(&mut row, "td").prose(cell));
    }
}
