//! The list of all figures of a book, for scripts, old links and the lock of published anchors.
//!
//! In: the figures as they were built. Out: JSON, and the anchors of the site. Invariant: records stand
//! in the order of the book, and what they hold does not depend on how figures are shown.

use super::deep_link::link_of;
use crate::draw::json::json;
use crate::figure::{Built, Kind};
use serde_json::{Map, Value, json};

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
    /// Its anchor.
    pub id: String,
    /// The page it stands on, e.g. `gallery/layouts.html`.
    pub page: String,
    /// Other places that lead to it, as `page#id`.
    pub aliases: Vec<String>,
    /// What scripts read.
    pub json: Value,
}

impl Record {
    /// Makes the record of a figure from what is [`computed`] of it.
    #[must_use]
    pub fn new(id: &str, page: String, kind: Kind, caption: &str, computed: Computed) -> Self {
        let mut out = Map::new();
        out.insert("id".to_owned(), json!(id));
        out.insert("page".to_owned(), json!(page));
        out.insert("kind".to_owned(), json!(kind.as_str()));
        out.insert("caption".to_owned(), json!(caption));
        out.extend(computed);
        Self { id: id.to_owned(), page, aliases: Vec::new(), json: Value::Object(out) }
    }

    /// Returns the anchor as `page#id`.
    #[must_use]
    pub fn anchor(&self) -> String {
        format!("{}#{}", self.page, self.id)
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

    /// Returns the list as a script element in one line: no text in it can end the element or be
    /// taken for a directive of mdBook.
    #[must_use]
    pub fn script(&self) -> String {
        let lines: Vec<String> =
            self.records.iter().map(|record| record.json.to_string()).collect();
        let json = lines.join(",").replace('<', "\\u003c").replace("{{", "{\\u007b");
        format!("<script type=\"application/json\" class=\"cute-figures\">[{json}]</script>")
    }
}

/// Published anchors, one `page#id` a line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lock {
    anchors: std::collections::BTreeSet<String>,
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
        self.anchors.extend(catalogue.records.iter().map(Record::anchor));
        self.anchors.len() - before
    }

    /// Finds the anchors that a book lost. `redirects` are the keys of `[output.html.redirect]`.
    #[must_use]
    pub fn lost(&self, catalogue: &Catalogue, redirects: &[String]) -> Vec<Lost> {
        let kept = |anchor: &str| {
            let mut records = catalogue.records.iter();
            records.any(|record| {
                record.anchor() == anchor
                    || record.aliases.iter().any(|alias| alias == anchor)
                        && catalogue
                            .pages
                            .iter()
                            .any(|page| anchor.starts_with(&format!("{page}#")))
            }) || redirects.iter().any(|key| key.trim_start_matches('/') == anchor)
        };
        let lost = self.anchors.iter().filter(|anchor| !kept(anchor));
        lost.map(|anchor| Lost { anchor: anchor.clone(), remedy: remedy(anchor, catalogue) })
            .collect()
    }
}

/// Says what keeps an anchor alive.
fn remedy(anchor: &str, catalogue: &Catalogue) -> String {
    let (page, id) = anchor.split_once('#').unwrap_or((anchor, ""));
    let known = catalogue.pages.iter().any(|other| other == page);
    let by_alias =
        catalogue.records.iter().find(|record| record.aliases.iter().any(|a| a == anchor));
    let moved = by_alias.or_else(|| catalogue.records.iter().find(|record| record.id == id));
    let target = moved.map_or_else(|| "NEW-PAGE.html#NEW-ID".to_owned(), Record::anchor);
    if known {
        let alias = if moved.is_some_and(|record| record.page != page) { anchor } else { id };
        let which = moved.map_or("the figure that took its place".to_owned(), |record| {
            format!("the figure `{}`", record.id)
        });
        return format!("add `aliases = \"{alias}\"` to {which}");
    }
    let up = "../".repeat(page.matches('/').count());
    let plain = target.split('#').next().unwrap_or_default();
    format!(
        "its page is gone; add to book.toml:\n  [output.html.redirect]\n  \"/{page}\" = \"{up}{plain}\"\n  \
         \"/{anchor}\" = \"{up}{target}\""
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(id: &str, page: &str, aliases: &[&str]) -> Record {
        let aliases = aliases.iter().map(|alias| (*alias).to_owned()).collect();
        Record {
            id: id.to_owned(),
            page: page.to_owned(),
            aliases,
            json: json!({"a": "</script>{{"}),
        }
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

        let moved =
            catalogue(vec![record("x", "s/b.html", &[]), record("z", "a.html", &["a.html#y"])]);
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
