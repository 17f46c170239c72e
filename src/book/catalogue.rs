//! The list of all figures of a book, for scripts, old links and the lock of published anchors.
//!
//! In: the figures as they were built. Out: JSON, and the anchors of the site. Invariant: records stand
//! in the order of the book, and what they hold does not depend on how figures are shown.

use super::deep_link::link_of;
use super::ids::Location;
use crate::draw::json::json;
use crate::figure::{Built, Kind};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// All figures of a book, and the anchors that lead to them.
#[derive(Clone, Debug, Default)]
pub struct Catalogue {
    /// The figures, each at its home.
    pub records: Vec<Record>,
    /// The pages of the book, with `/` between their parts.
    pub pages: Vec<String>,
    /// How many figures and links are wrong.
    pub errors: usize,
}

/// One figure.
#[derive(Clone, Debug)]
pub struct Record {
    /// Where its anchor is.
    pub at: Location,
    /// Other places that lead to it.
    pub aliases: Vec<Location>,
    /// What scripts read.
    pub json: Value,
}

impl Record {
    /// Makes the record of a figure from what is [`computed`] of it.
    #[must_use]
    pub fn new(at: Location, kind: Kind, caption: &str, computed: Computed) -> Self {
        let mut out = Map::new();
        out.insert("id".to_owned(), json!(at.id));
        out.insert("page".to_owned(), json!(at.page));
        out.insert("kind".to_owned(), json!(kind.as_str()));
        out.insert("caption".to_owned(), json!(caption));
        out.extend(computed);
        Self { at, aliases: Vec::new(), json: Value::Object(out) }
    }
}

/// What scripts read of a figure wherever it stands.
pub type Computed = Map<String, Value>;

/// Returns a figure's link, inputs, facts, notes and panels.
#[must_use]
pub fn computed(kind: Kind, built: &Built) -> Computed {
    let mut out = Map::new();
    if let Some(link) = link_of(kind, &strided(kind, built)) {
        out.insert("key".to_owned(), json!(link));
    }
    let inputs = built.inputs.iter().map(|(key, value)| (key.clone(), json!(value)));
    out.insert("inputs".to_owned(), Value::Object(inputs.collect()));
    if let Value::Object(object) = json(&built.figure, None) {
        out.extend(object.into_iter().filter(|(key, _)| key != "kind"));
    }
    out
}

/// Returns the inputs as links have them: a layout with its stride also where the author left it out.
fn strided(kind: Kind, built: &Built) -> Vec<(String, String)> {
    let mut inputs = built.inputs.clone();
    let result = built.figure.facts.iter().find(|fact| fact.name == "result");
    if kind == Kind::LAYOUT
        && let Some(result) = result
    {
        inputs.retain(|(key, _)| key != "layout");
        inputs.push(("layout".to_owned(), result.text().into_owned()));
    }
    inputs
}

impl Catalogue {
    /// Returns the list as JSON, one figure a line.
    #[must_use]
    pub fn json(&self) -> String {
        let lines: Vec<String> =
            self.records.iter().map(|record| record.json.to_string()).collect();
        if lines.is_empty() { "[]\n".to_owned() } else { format!("[\n{}\n]\n", lines.join(",\n")) }
    }

    /// Returns the list as a script element in one line: no text in it can end the element, be
    /// taken for a directive of mdBook, or is more than text in XML.
    #[must_use]
    pub fn script(&self) -> String {
        let lines: Vec<String> =
            self.records.iter().map(|record| record.json.to_string()).collect();
        let json = lines
            .join(",")
            .replace('<', "\\u003c")
            .replace('&', "\\u0026")
            .replace("{{", "{\\u007b");
        format!("<script type=\"application/json\" class=\"cute-figures\">[{json}]</script>")
    }
}

/// Published anchors, one `page#id` a line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lock {
    anchors: BTreeSet<String>,
}

/// A published anchor that would disappear.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lost {
    /// The anchor, `page#id`.
    pub anchor: String,
    /// What to add so that it does not.
    pub remedy: String,
}

const HEAD: &str = "# Published anchors, written by `mdbook-cute check --update`. Links that people have\n\
                    # sent each other lead here: remove a line only if nobody ever saw it.\n";

impl Lock {
    /// Reads a lock file; lines that start with `#` are comments.
    #[must_use]
    pub fn read(text: &str) -> Self {
        let lines = text.lines().map(str::trim);
        let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
        Self { anchors: lines.map(str::to_owned).collect() }
    }

    /// Writes the lock file.
    #[must_use]
    pub fn text(&self) -> String {
        let lines: String = self.anchors.iter().map(|anchor| format!("{anchor}\n")).collect();
        format!("{HEAD}{lines}")
    }

    /// Adds the anchors of a book; returns how many are new.
    pub fn add(&mut self, catalogue: &Catalogue) -> usize {
        let before = self.anchors.len();
        self.anchors.extend(catalogue.records.iter().map(|record| record.at.to_string()));
        self.anchors.len() - before
    }

    /// Finds the anchors that a book lost. `redirects` are the keys of `[output.html.redirect]`.
    #[must_use]
    pub fn lost(&self, catalogue: &Catalogue, redirects: &[String]) -> Vec<Lost> {
        let present = Present::of(catalogue, redirects);
        let lost = self.anchors.iter().filter(|anchor| !present.holds(anchor));
        lost.map(|anchor| Lost { anchor: anchor.clone(), remedy: present.remedy(anchor) }).collect()
    }
}

/// What leads where in a book.
struct Present<'c> {
    pages: BTreeSet<&'c str>,
    redirects: BTreeSet<&'c str>,
    /// Records by anchor, by former anchor and by id; the first one counts.
    anchors: BTreeMap<String, &'c Record>,
    aliases: BTreeMap<String, &'c Record>,
    ids: BTreeMap<&'c str, &'c Record>,
}

impl<'c> Present<'c> {
    fn of(catalogue: &'c Catalogue, redirects: &'c [String]) -> Self {
        let mut present = Self {
            pages: catalogue.pages.iter().map(String::as_str).collect(),
            redirects: redirects.iter().map(|key| key.trim_start_matches('/')).collect(),
            anchors: BTreeMap::new(),
            aliases: BTreeMap::new(),
            ids: BTreeMap::new(),
        };
        for record in &catalogue.records {
            present.anchors.entry(record.at.to_string()).or_insert(record);
            present.ids.entry(&record.at.id).or_insert(record);
            for alias in &record.aliases {
                present.aliases.entry(alias.to_string()).or_insert(record);
            }
        }
        present
    }

    fn holds(&self, anchor: &str) -> bool {
        let page = anchor.split('#').next().unwrap_or_default();
        self.anchors.contains_key(anchor)
            || self.aliases.contains_key(anchor) && self.pages.contains(page)
            || self.redirects.contains(anchor)
    }

    /// Returns what keeps an anchor alive.
    fn remedy(&self, anchor: &str) -> String {
        let (page, id) = anchor.split_once('#').unwrap_or((anchor, ""));
        let moved = self.aliases.get(anchor).or_else(|| self.ids.get(id)).map(|record| &record.at);
        if self.pages.contains(page) {
            let alias = if moved.is_some_and(|at| at.page != page) { anchor } else { id };
            let which = moved.map_or("the figure that took its place".to_owned(), |at| {
                format!("the figure `{}`", at.id)
            });
            return format!("add `aliases = \"{alias}\"` to {which}");
        }
        let target = moved.map_or_else(|| "NEW-PAGE.html#NEW-ID".to_owned(), Location::to_string);
        format!("its page is gone; {}", redirects(page, id, &target))
    }
}

/// Returns what to add to book.toml so that a page that is gone, and an anchor on it, lead to `target`.
pub(super) fn redirects(page: &str, id: &str, target: &str) -> String {
    let up = "../".repeat(page.matches('/').count());
    let plain = target.split('#').next().unwrap_or_default();
    format!(
        "add to book.toml:\n  [output.html.redirect]\n  \"/{page}\" = \"{up}{plain}\"\n  \
         \"/{page}#{id}\" = \"{up}{target}\""
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(page: &str, id: &str) -> Location {
        Location { page: page.to_owned(), id: id.to_owned() }
    }

    fn record(id: &str, page: &str, aliases: &[(&str, &str)]) -> Record {
        let aliases = aliases.iter().map(|(page, id)| at(page, id)).collect();
        Record { at: at(page, id), aliases, json: json!({"a": "</script>{{"}) }
    }

    fn catalogue(records: Vec<Record>) -> Catalogue {
        Catalogue { records, pages: vec!["a.html".to_owned(), "s/b.html".to_owned()], errors: 0 }
    }

    #[test]
    fn a_lock_notices_what_is_lost_and_says_what_to_add() {
        let mut lock = Lock::default();
        let old = catalogue(vec![record("x", "a.html", &[]), record("y", "a.html", &[])]);
        assert_eq!(lock.add(&old), 2);
        assert_eq!(lock.add(&old), 0);
        assert_eq!(Lock::read(&lock.text().replace('\n', "\r\n")), lock);
        assert_eq!(lock.lost(&old, &[]), []);

        let moved = catalogue(vec![
            record("x", "s/b.html", &[]),
            record("z", "a.html", &[("a.html", "y")]),
        ]);
        let lost = lock.lost(&moved, &[]);
        assert_eq!(lost.len(), 1);
        assert_eq!(lost[0].remedy, "add `aliases = \"a.html#x\"` to the figure `x`");
        assert_eq!(lock.lost(&moved, &["/a.html#x".to_owned()]), []);

        let gone = catalogue(vec![record("y", "a.html", &[])]);
        assert_eq!(
            lock.lost(&gone, &[])[0].remedy,
            "add `aliases = \"x\"` to the figure that took its place"
        );
        let lock = Lock::read("old/c.html#x\n");
        let remedy = &lock.lost(&old, &[])[0].remedy;
        assert!(remedy.contains("\"/old/c.html\" = \"../a.html\"\n"), "{remedy}");
        assert!(remedy.contains("\"/old/c.html#x\" = \"../a.html#x\""), "{remedy}");
    }

    #[test]
    fn the_script_element_cannot_be_ended_from_inside() {
        let script = catalogue(vec![record("x", "a.html", &[])]).script();
        assert_eq!(script.matches("</").count(), 1);
        assert!(!script.contains("{{"));
    }
}
