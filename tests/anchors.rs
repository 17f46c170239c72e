//! Automatic anchors are frozen: links to them are out in the world.
//!
//! Each line of `data/anchors.jsonl` has a figure and the id that it got. They were recorded with the
//! first edition of this program, before anything about the keys was rebuilt: figures of every kind and
//! operation, each input key, and the ways of writing one value. A line that fails is never recorded
//! again; what broke the link is mended. New kinds and keys add lines.
//!
//! `block` stands in a chapter, `gallery` in the file of the gallery; `defaults` are those of the book.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]

mod common;

use mdbook_cute::book::Cute;
use mdbook_driver::MDBook;
use mdbook_renderer::{RenderContext, Renderer};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::sync::{Arc, Mutex};

/// A figure and the id that was recorded.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Record {
    block: Option<String>,
    gallery: Option<String>,
    #[serde(default)]
    defaults: Map<String, Value>,
    id: String,
}

fn records() -> Vec<Record> {
    let all = common::records(include_str!("data/anchors.jsonl"));
    all.map(|record| serde_json::from_value(record).unwrap()).collect()
}

/// Stands for mdBook's own renderer, which is not needed: the ids are in what it gets.
struct Html;

impl Renderer for Html {
    fn name(&self) -> &str {
        "html"
    }
    fn render(&self, _: &RenderContext) -> mdbook_renderer::errors::Result<()> {
        Ok(())
    }
}

/// Returns the id of the first figure of a piece of HTML.
fn first_id(html: &str) -> Option<&str> {
    let figure = html.split("<figure class=\"cute").nth(1)?;
    figure.split('>').next()?.split(" id=\"").nth(1)?.split('"').next()
}

/// Builds one book of records with the same defaults; returns the ids in the order of the records.
fn ids_of(records: &[&Record]) -> Vec<Option<String>> {
    let dir = tempfile::tempdir().unwrap();
    let write = |file: &str, text: &str| fs::write(dir.path().join(file), text).unwrap();
    fs::create_dir(dir.path().join("src")).unwrap();
    let mut toml =
        "[book]\ntitle = \"anchors\"\n\n[preprocessor.cute]\ncommand = \"mdbook-cute\"\n\
        after = [\"links\", \"index\"]\non-failure = \"continue\"\n"
            .to_owned();
    let ready: Vec<&str> = records.iter().filter_map(|record| record.gallery.as_deref()).collect();
    if !ready.is_empty() {
        toml.push_str("gallery = \"gallery.toml\"\n");
        let figures: String =
            ready.iter().map(|text| format!("\n[[section.figure]]\n{text}\n")).collect();
        write("gallery.toml", &format!("[[section]]\nslug = \"figures\"\n{figures}"));
    }
    toml.push_str("\n[preprocessor.cute.defaults]\n");
    for (key, value) in &records[0].defaults {
        toml.push_str(&format!("{key} = {value}\n"));
    }
    let mut chapter = "# Records\n".to_owned();
    for block in records.iter().filter_map(|record| record.block.as_deref()) {
        chapter.push_str(&format!("\n<!-- record -->\n\n{block}\n"));
    }
    write("book.toml", &toml);
    write("src/SUMMARY.md", "# Summary\n\n- [Records](records.md)\n");
    write("src/records.md", &chapter);

    let said = Arc::new(Mutex::new(String::new()));
    let mut book = MDBook::load(dir.path()).unwrap();
    let sink = said.clone();
    book.with_preprocessor(Cute::new(move |text| sink.lock().unwrap().push_str(text)));
    let book = book.preprocess_book(&Html).unwrap().0;
    // Why a figure is missing; the harness shows it when the test fails.
    print!("{}", said.lock().unwrap());
    let figures = |name: &str, mark: &str| -> Vec<Option<String>> {
        let page = book.chapters().find(|chapter| chapter.name == name);
        let pieces = page.map_or("", |page| &page.content).split(mark).skip(1);
        pieces.map(|piece| first_id(piece).map(str::to_owned)).collect()
    };
    let mut in_chapter = figures("Records", "<!-- record -->").into_iter();
    let mut in_gallery = figures("figures", "<!--cute-->").into_iter();
    let ids = records.iter().map(|record| match record.block {
        Some(_) => in_chapter.next().flatten(),
        None => in_gallery.next().flatten(),
    });
    ids.collect()
}

#[test]
fn automatic_anchors_stay() {
    let records = records();
    let mut books: BTreeMap<String, Vec<&Record>> = BTreeMap::new();
    for record in &records {
        books.entry(Value::from(record.defaults.clone()).to_string()).or_default().push(record);
    }
    let mut lost = Vec::new();
    for book in books.values() {
        for (record, id) in book.iter().zip(ids_of(book)) {
            if id.as_deref() != Some(record.id.as_str()) {
                let text = record.block.as_deref().or(record.gallery.as_deref()).unwrap();
                let id = id.unwrap_or_else(|| "no figure, see the messages".to_owned());
                lost.push(format!("{text}\nwas `{}`, is: {id}", record.id));
            }
        }
    }
    let count = lost.len();
    assert!(
        lost.is_empty(),
        "{count} anchors are lost; the first:\n{}",
        lost[..count.min(9)].join("\n\n")
    );
}

/// The kinds of the first edition with their operations and keys.
const FIRST_EDITION: [(&str, &str, &str); 11] = [
    ("layout", "", "layout"),
    (
        "tv",
        "",
        "thr val tv tile focus view data gmem gmem-dtype gmem-base gmem-max-bytes smem smem-dtype smem-base smem-swizzle smem-unit smem-width smem-direction smem-instruction smem-bank",
    ),
    ("compose", "", "A B complement"),
    ("complement", "", "A cotarget"),
    ("divide", "logical zipped tiled flat", "A tiler offsets"),
    ("product", "logical zipped tiled flat blocked raked", "A tiler with"),
    ("local-tile", "tile partition", "A tiler coord index proj"),
    ("swizzle", "", "layout swizzle unit"),
    (
        "copy",
        "atom tiled tv cotiled like-s like-d partition retile tmem s2t",
        "arch atom bits num-matrices transpose unpack-bits repeat pack red cta-group attrs from to panes tv tiler thr val data base base-bits tensor side thread fragment acc smem tmem",
    ),
    (
        "tma",
        "atom partition",
        "arch mode gmem gmem-align smem smem-align swizzle tiler internal-type num-multicast cta-group reduction element-strides index lower-corner upper-corner padding stride cta-coord cta-layout atom-smem atom-tiler",
    ),
    ("cutlass", "", "type extent ldm stride matrix path"),
];

/// The keys that say how a figure looks, which no id depends on.
const LOOKS: &str =
    "aliases caption title show color highlight width labels facts fold expect.size expect.warning";

/// Returns the keys of a block; a flag alone is one, too. The main input has no key.
fn keys_of(block: &str) -> BTreeSet<&str> {
    let (info, body) = block.split_once('\n').unwrap();
    let words = info.split([' ', '\t', ',']);
    let in_info = words.map(|word| word.split('=').next().unwrap_or(word));
    let in_body = body.lines().filter_map(|line| Some(line.split_once('=')?.0.trim()));
    in_info.chain(in_body).collect()
}

/// The records are worth what they cover.
#[test]
fn every_kind_operation_and_key_is_recorded() {
    let records = records();
    assert!(records.len() >= 500, "{}", records.len());
    let ids: BTreeSet<&str> = records.iter().map(|record| record.id.as_str()).collect();
    assert!(records.iter().any(|record| record.gallery.is_some()));
    let defaults = records.iter().flat_map(|record| record.defaults.keys());
    assert!(defaults.collect::<BTreeSet<_>>().len() >= 10);
    let equals = ids.iter().filter(|id| id.rsplit('-').next().is_some_and(|end| end.len() < 8));
    assert!(equals.count() >= 100, "figures with equal inputs count up");
    let mut looks = BTreeSet::new();
    for (kind, operations, keys) in FIRST_EDITION {
        let prefix = format!("cute-{kind}-");
        let of_kind = records.iter().filter(|record| record.id.starts_with(&prefix));
        let (refused, drawn): (Vec<&str>, Vec<&str>) = of_kind
            .filter(|record| record.defaults.is_empty())
            .filter_map(|record| record.block.as_deref())
            .partition(|block| keys_of(block).contains("expect.error"));
        assert!(drawn.len() >= 25 && refused.len() >= 2, "{kind}: {}", drawn.len());
        let given: BTreeSet<&str> = drawn.iter().flat_map(|block| keys_of(block)).collect();
        for key in keys.split_whitespace().chain(["dtype"]) {
            assert!(given.contains(key), "{kind}: {key}");
        }
        for operation in operations.split_whitespace() {
            let ways = [format!("op = {operation}\n"), format!("op={operation} ")];
            let has = |block: &&str| ways.iter().any(|way| block.contains(way));
            assert!(drawn.iter().any(has), "{kind}: {operation}");
        }
        assert!(given.iter().any(|key| key.starts_with("let ")), "{kind}: let");
        looks.extend(given);
    }
    for look in LOOKS.split_whitespace() {
        assert!(looks.contains(look), "{look}");
    }
}
