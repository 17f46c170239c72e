//! The table `[preprocessor.cute]` of a book.
//!
//! In: the book's configuration. Out: a checked [`Config`]. Invariant: an unknown key or a value out
//! of the list is an error that names it, never a default in silence. Keys are in kebab-case, since
//! mdBook sets others from no environment variable.

use crate::figure::Entry;
use crate::figure::keys::{KINDS, Key, all_keys};
use crate::figure::resolve::check_value;
use crate::figure::spec::nearest;
use mdbook_markdown::MarkdownOptions;
use mdbook_preprocessor::config::Config as BookConfig;
use mdbook_preprocessor::errors::{Error, Result};
use serde::Deserialize;
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OnFailure {
    /// Every error is printed, and the build fails.
    #[default]
    Bail,
    /// Every error is printed, and a box stands in place of the figure.
    Continue,
}

/// What a renderer gets in place of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
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

/// The table as it is written; mdBook's own keys are in it too.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Written {
    #[serde(rename = "command")]
    _command: Option<String>,
    #[serde(rename = "before")]
    _before: Option<Vec<String>>,
    after: Option<Vec<String>>,
    #[serde(rename = "optional")]
    _optional: Option<bool>,
    #[serde(rename = "renderers")]
    _renderers: Option<Vec<String>>,
    #[serde(default)]
    on_failure: OnFailure,
    #[serde(default)]
    defaults: BTreeMap<String, DefaultValue>,
    gallery: Option<PathBuf>,
    #[serde(default)]
    mode: BTreeMap<String, Mode>,
}

/// A value in `[preprocessor.cute.defaults]`.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum DefaultValue {
    Flag(bool),
    Number(i64),
    Text(String),
    List(Vec<String>),
}

impl DefaultValue {
    fn text(&self) -> String {
        match self {
            Self::Flag(flag) => flag.to_string(),
            Self::Number(number) => number.to_string(),
            Self::Text(text) => text.clone(),
            Self::List(items) => items.join(","),
        }
    }
}

impl Config {
    /// Reads the table of a book.
    ///
    /// # Errors
    /// Unknown keys, values out of their lists, defaults that no figure takes.
    pub fn read(book: &BookConfig) -> Result<Self> {
        let wrong = |error: Error| error.context("`[preprocessor.cute]` in book.toml is wrong");
        let Some(written) = book.get::<Written>("preprocessor.cute").map_err(wrong)? else {
            return Ok(Self::default());
        };
        let defaults = written
            .defaults
            .iter()
            .map(|(key, value)| default_entry(key, &value.text()))
            .collect::<Result<_>>()
            .map_err(wrong)?;
        Ok(Self {
            on_failure: written.on_failure,
            defaults,
            gallery: written.gallery,
            after: written.after.unwrap_or_default(),
            modes: written.mode,
        })
    }

    /// Returns what a renderer gets: what the author set, else figures for `html` and images for
    /// all others, which know neither our style sheet nor, many of them, raw HTML.
    #[must_use]
    pub fn mode(&self, renderer: &str) -> Mode {
        let default = if renderer == "html" { Mode::Html } else { Mode::Image };
        self.modes.get(renderer).copied().unwrap_or(default)
    }
}

fn default_entry(name: &str, value: &str) -> Result<Entry> {
    let keys: Vec<&Key> = KINDS.iter().flat_map(|row| all_keys(row.kind)).collect();
    let of_name: Vec<_> = keys.iter().filter(|key| key.name == name).collect();
    if of_name.is_empty() {
        let near = nearest(name, keys.iter().map(|key| key.name));
        let hint = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
        return Err(Error::msg(format!("`defaults.{name}` is no key of any figure{hint}")));
    }
    if matches!(name, "id" | "aliases" | "caption") {
        return Err(Error::msg(format!("`defaults.{name}` makes no sense for all figures")));
    }
    // Kinds may give one name different words; a default has to suit one of them.
    let mut refusals = of_name.iter().filter_map(|key| check_value(key, value).err());
    match (refusals.clone().count() == of_name.len(), refusals.next()) {
        (true, Some(refusal)) => Err(Error::msg(format!("`defaults.{name}`: {refusal}"))),
        _ => Ok(Entry::new(name, value)),
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
        );
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (toml, expected) in [
            ("on_failure = \"bail\"", "unknown field `on_failure`"),
            ("on-failure = \"panic\"", "unknown variant `panic`"),
            ("mode.html = \"svg\"", "unknown variant `svg`"),
            (
                "defaults.factz = \"none\"",
                "`defaults.factz` is no key of any figure; did you mean `facts`?",
            ),
            ("defaults.facts = \"shut\"", "`defaults.facts`: `facts` is one of open, closed, none"),
            ("defaults.id = \"x\"", "`defaults.id` makes no sense"),
        ] {
            let error = read(&format!("[preprocessor.cute]\n{toml}")).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
    }
}
