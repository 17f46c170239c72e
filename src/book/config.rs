//! The table `[preprocessor.cute]` of a book.
//!
//! In: the book's configuration. Out: a checked [`Config`]. Invariant: an unknown key or a value out
//! of the list is an error that names it, never a default in silence. Keys are in kebab-case, since
//! mdBook sets others from no environment variable.

use crate::figure::input::key::KeyDef;
use crate::figure::{Entry, KINDS};
use crate::suggest::nearest;
use mdbook_markdown::MarkdownOptions;
use mdbook_preprocessor::config::Config as BookConfig;
use mdbook_preprocessor::errors::{Error, Result};
use serde_json::{Map, Value as Json};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// What the author set.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// What a wrong block does to the build.
    pub on_failure: OnFailure,
    /// Keys that figures take unless they have their own.
    pub defaults: Vec<Entry>,
    /// The file of the gallery, relative to the book's root.
    pub gallery: Option<PathBuf>,
    /// The preprocessors that run before this one.
    pub after: Vec<String>,
    modes: BTreeMap<String, Mode>,
}

/// What a wrong block does to the build.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnFailure {
    /// Every error is printed, and the build fails.
    #[default]
    Bail,
    /// Every error is printed, and a box stands in place of the figure.
    Continue,
}

/// What a renderer gets in place of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// The `<figure>` element.
    Html,
    /// One Markdown image with the picture in a data URI.
    Image,
    /// The block as it was, the caption, and the facts as a Markdown table.
    Text,
    /// The block as it was.
    Keep,
}

impl Config {
    /// Reads the table of a book; mdBook's own keys are in it too.
    ///
    /// # Errors
    /// Unknown keys, values of another type or out of their lists, defaults that no figure takes.
    pub fn read(book: &BookConfig) -> Result<Self> {
        let wrong = |error: Error| error.context("`[preprocessor.cute]` in book.toml is wrong");
        match book.get::<Map<String, Json>>("preprocessor.cute").map_err(wrong)? {
            Some(table) => Self::of_table(&table).map_err(wrong),
            None => Ok(Self::default()),
        }
    }

    fn of_table(table: &Map<String, Json>) -> Result<Self> {
        let mut config = Self::default();
        for (key, value) in table {
            match key.as_str() {
                "command" => drop(text(key, value, "command = \"mdbook-cute\"")?),
                "before" => drop(texts(key, value, "before = [\"toc\"]")?),
                "after" => config.after = texts(key, value, "after = [\"links\", \"index\"]")?,
                "renderers" => drop(texts(key, value, "renderers = [\"html\"]")?),
                "optional" if value.is_boolean() => {}
                "optional" => return Err(takes(key, "true or false", value, "optional = true")),
                "on-failure" => config.on_failure = word(key, value, &ON_FAILURE)?,
                "gallery" => {
                    let path = text(key, value, "gallery = \"gallery.toml\"")?;
                    config.gallery = Some(PathBuf::from(path));
                }
                "defaults" => {
                    let example = "[preprocessor.cute.defaults]` and below it `facts = \"closed\"";
                    for (name, value) in entries(key, value, example)? {
                        config.defaults.push(default_entry(name, &default_text(name, value)?)?);
                    }
                }
                "mode" => {
                    for (name, value) in entries(key, value, "mode.markdown = \"text\"")? {
                        let mode = word(&format!("mode.{name}"), value, &MODES)?;
                        config.modes.insert(name.clone(), mode);
                    }
                }
                _ => {
                    let hint = match nearest(key, KEYS) {
                        Some(near) => format!("did you mean `{near}`?"),
                        None => format!("its keys are {}", KEYS.join(", ")),
                    };
                    return Err(Error::msg(format!("unknown key `{key}`; {hint}")));
                }
            }
        }
        Ok(config)
    }

    /// Returns what a renderer gets: what the author set, else figures for `html` and images for
    /// all others, which know neither our style sheet nor, many of them, raw HTML.
    #[must_use]
    pub fn mode(&self, renderer: &str) -> Mode {
        let default = if renderer == "html" { Mode::Html } else { Mode::Image };
        self.modes.get(renderer).copied().unwrap_or(default)
    }
}

/// The keys of the table; the first five are mdBook's.
const KEYS: [&str; 9] = [
    "command",
    "before",
    "after",
    "optional",
    "renderers",
    "on-failure",
    "gallery",
    "defaults",
    "mode",
];

const ON_FAILURE: [(&str, OnFailure); 2] =
    [("bail", OnFailure::Bail), ("continue", OnFailure::Continue)];

const MODES: [(&str, Mode); 4] =
    [("html", Mode::Html), ("image", Mode::Image), ("text", Mode::Text), ("keep", Mode::Keep)];

/// Says what a key takes; `example` is a line that would be right.
fn takes(key: &str, what: &str, found: &Json, example: &str) -> Error {
    Error::msg(format!("`{key}` takes {what}, not `{found}`; write e.g. `{example}`"))
}

fn text<'v>(key: &str, value: &'v Json, example: &str) -> Result<&'v str> {
    value.as_str().ok_or_else(|| takes(key, "a text", value, example))
}

fn texts(key: &str, value: &Json, example: &str) -> Result<Vec<String>> {
    let items = value.as_array().map(|items| items.iter().map(Json::as_str));
    let texts = items.and_then(|items| items.map(|item| item.map(str::to_owned)).collect());
    texts.ok_or_else(|| takes(key, "a list of texts", value, example))
}

fn entries<'v>(key: &str, value: &'v Json, example: &str) -> Result<&'v Map<String, Json>> {
    value.as_object().ok_or_else(|| takes(key, "a table", value, example))
}

fn word<T: Copy>(key: &str, value: &Json, words: &[(&str, T)]) -> Result<T> {
    let found = words.iter().find(|(word, _)| value.as_str() == Some(word));
    found.map(|(_, meaning)| *meaning).ok_or_else(|| {
        let list: Vec<_> = words.iter().map(|(word, _)| format!("`\"{word}\"`")).collect();
        let near = nearest(value.as_str().unwrap_or_default(), words.iter().map(|(word, _)| *word));
        let hint = near.map(|near| format!("; did you mean `\"{near}\"`?")).unwrap_or_default();
        Error::msg(format!("`{key}` is one of {}, not `{value}`{hint}", list.join(", ")))
    })
}

/// Returns a value of `defaults` as a block would write it.
fn default_text(name: &str, value: &Json) -> Result<String> {
    let key = format!("defaults.{name}");
    match value {
        Json::Bool(flag) => Ok(flag.to_string()),
        Json::Number(number) if number.is_i64() => Ok(number.to_string()),
        Json::String(text) => Ok(text.clone()),
        Json::Array(_) => Ok(texts(&key, value, "show = [\"value\", \"index\"]")?.join(",")),
        _ => Err(takes(&key, "what a block takes, in quotes", value, "facts = \"closed\"")),
    }
}

fn default_entry(name: &str, value: &str) -> Result<Entry> {
    let of_name: Vec<_> = KINDS.iter().flat_map(|kind| kind.keys_named(name)).collect();
    if of_name.is_empty() {
        let known = KINDS.iter().flat_map(|kind| kind.keys().map(KeyDef::name));
        let near = nearest(name, known);
        let hint = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
        return Err(Error::msg(format!("unknown key `defaults.{name}`: no figure has it{hint}")));
    }
    if matches!(name, "id" | "aliases" | "caption") {
        return Err(Error::msg(format!("`defaults.{name}` makes no sense for all figures")));
    }
    // No number of a figure is below zero, and none but a text would do with one.
    if value.trim().parse::<i64>().is_ok_and(|number| number < 0) && name != "title" {
        return Err(Error::msg(format!(
            "`defaults.{name}`: expected a number from 0 up, not `{value}`"
        )));
    }
    // Kinds may give one name different words; a default has to suit one of them.
    let mut refusals = of_name.iter().filter_map(|key| key.check(value).err());
    match (refusals.clone().count() == of_name.len(), refusals.next()) {
        (true, Some(refusal)) => Err(Error::msg(format!("`defaults.{name}`: {refusal}"))),
        _ => Ok(Entry::new(name, value).inherited()),
    }
}

/// Returns the options with which mdBook will read the chapters.
#[must_use]
pub fn markdown_options(book: &BookConfig) -> MarkdownOptions {
    let flag = |name: &str| book.get::<bool>(&format!("output.html.{name}")).ok().flatten();
    let mut options = MarkdownOptions::default();
    options.smart_punctuation = flag("smart-punctuation").unwrap_or(options.smart_punctuation);
    options.definition_lists = flag("definition-lists").unwrap_or(options.definition_lists);
    options.admonitions = flag("admonitions").unwrap_or(options.admonitions);
    options
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(toml: &str) -> std::result::Result<Config, String> {
        let book = toml.parse::<BookConfig>().unwrap();
        Config::read(&book).map_err(|error| format!("{error:#}"))
    }

    #[test]
    fn everything_has_a_default() {
        for toml in
            ["", "[preprocessor.cute]\ncommand = \"x\"\nafter = [\"links\"]\noptional = true"]
        {
            let config = read(toml).unwrap();
            assert_eq!(config.on_failure, OnFailure::Bail);
            assert_eq!(config.mode("html"), Mode::Html);
            assert_eq!(config.mode("typst"), Mode::Image);
        }
    }

    #[test]
    fn what_is_set_is_taken() {
        let config = read(
            "[preprocessor.cute]\non-failure = \"continue\"\nmode.markdown = \"keep\"\n\
             [preprocessor.cute.defaults]\nfacts = \"none\"\noffsets = true\nshow = [\"value\", \"index\"]",
        )
        .unwrap();
        assert_eq!(config.on_failure, OnFailure::Continue);
        assert_eq!(config.mode("markdown"), Mode::Keep);
        assert_eq!(
            config.defaults,
            [
                Entry::new("facts", "none"),
                Entry::new("offsets", "true"),
                Entry::new("show", "value,index")
            ]
            .map(Entry::inherited)
        );
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (toml, expected) in [
            ("on_failure = \"bail\"", "unknown key `on_failure`; did you mean `on-failure`?"),
            ("colour = 1", "unknown key `colour`; its keys are command, before"),
            (
                "on-failure = \"panic\"",
                "`on-failure` is one of `\"bail\"`, `\"continue\"`, not `\"panic\"`",
            ),
            (
                "on-failure = false",
                "`on-failure` is one of `\"bail\"`, `\"continue\"`, not `false`",
            ),
            ("mode.html = \"images\"", "not `\"images\"`; did you mean `\"image\"`?"),
            (
                "mode = \"html\"",
                "`mode` takes a table, not `\"html\"`; write e.g. `mode.markdown =",
            ),
            (
                "after = \"links\"",
                "takes a list of texts, not `\"links\"`; write e.g. `after = [\"links\",",
            ),
            (
                "gallery = true",
                "`gallery` takes a text, not `true`; write e.g. `gallery = \"gallery.toml\"`",
            ),
            ("optional = 1", "`optional` takes true or false, not `1`"),
            (
                "defaults.bits = 1.5",
                "`defaults.bits` takes what a block takes, in quotes, not `1.5`",
            ),
            ("defaults = 3", "`defaults` takes a table, not `3`"),
            (
                "defaults.factz = \"none\"",
                "unknown key `defaults.factz`: no figure has it; did you mean `facts`?",
            ),
            ("defaults.facts = \"shut\"", "`defaults.facts`: `facts` is one of open, closed, none"),
            ("defaults.id = \"x\"", "`defaults.id` makes no sense"),
            ("defaults.bits = -3", "`defaults.bits`: expected a number from 0 up, not `-3`"),
        ] {
            let error = read(&format!("[preprocessor.cute]\n{toml}")).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
    }
}
