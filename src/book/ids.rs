//! The anchors of figures.
//!
//! In: explicit ids, the inputs of figures without one, and the ids that pages have anyway. Out: one
//! [`Anchor`] per figure, unique over the book, or what is wrong with an explicit one. Invariant: an
//! explicit anchor depends on nothing; an automatic one on the figure's own inputs, and for equal
//! figures on their order among equals. Published links rest on the form of the hash: it never changes.

use super::hex::hex;
use crate::diagnostic::Diagnostic;
use sha2::{Digest, Sha256};
use std::borrow::Borrow;
use std::collections::BTreeMap;
use std::fmt;

/// The id of a figure, in valid form and given to one figure of the book only.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Anchor(String);

impl Anchor {
    /// Returns the id as it stands in a page.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Anchor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Borrow<str> for Anchor {
    fn borrow(&self) -> &str {
        &self.0
    }
}

/// An id on a page of the site.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Location {
    /// The page, with `/` between the parts of its path: `gallery/layouts.html`.
    pub page: String,
    /// The id.
    pub id: String,
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}#{}", self.page, self.id)
    }
}

/// The ids of a book while they are given out.
#[derive(Debug, Default)]
pub struct Ids {
    /// Each id and who has it, in words: `ch.md:12`.
    owners: BTreeMap<String, String>,
    equals: BTreeMap<String, usize>,
}

impl Ids {
    /// Notes an id that a page has without us.
    pub fn reserve(&mut self, id: &str, owner: &str) {
        self.owners.entry(id.to_owned()).or_insert_with(|| owner.to_owned());
    }

    /// Gives an explicit id to a figure.
    ///
    /// # Errors
    /// An id of the wrong form, and one that is taken; the text names who has it.
    pub fn claim(&mut self, id: &str, owner: &str) -> Result<Anchor, Diagnostic> {
        check_form(id)?;
        if let Some(other) = self.owners.get(id) {
            let text = format!("the id `{id}` is taken by {other}");
            return Err(Diagnostic::error("doubled-id", text)
                .hint("an id is unique over the whole book; choose another"));
        }
        self.owners.insert(id.to_owned(), owner.to_owned());
        Ok(Anchor(id.to_owned()))
    }

    /// Makes the id of a figure that has no explicit one. Equal figures count up from 2.
    pub fn automatic(&mut self, kind: &str, inputs: &[(String, String)]) -> Anchor {
        let base = format!("cute-{kind}-{}", hash(kind, inputs));
        let count = self.equals.entry(base.clone()).or_insert(0);
        loop {
            *count += 1;
            let id = if *count == 1 { base.clone() } else { format!("{base}-{count}") };
            if !self.owners.contains_key(&id) {
                self.owners.insert(id.clone(), "a figure".to_owned());
                return Anchor(id);
            }
        }
    }
}

/// Checks the form of an explicit id.
fn check_form(id: &str) -> Result<(), Diagnostic> {
    let error = |text: String| Err(Diagnostic::error("bad-id", text));
    let starts = id.starts_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit());
    let allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if !starts || !id.chars().all(allowed) {
        return error(format!(
            "invalid id `{id}`: use lower-case letters, digits and hyphens, and start with a letter or a digit"
        ));
    }
    for (prefix, owner) in [("mdbook-", "mdBook's own ids"), ("cute-", "automatic ids")] {
        if id.starts_with(prefix) {
            return error(format!("`{id}` starts with `{prefix}`, which is for {owner}"));
        }
    }
    Ok(())
}

/// Checks the form of a former id. Automatic ids are among them, and ids of other programs.
///
/// # Errors
/// A text that could not have been the id of a figure.
pub fn check_former(id: &str) -> Result<(), Diagnostic> {
    let allowed = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ':');
    let text = if id.is_empty() || !id.chars().all(allowed) {
        format!("invalid former id `{id}`: expected letters, digits, `-`, `_`, `.` and `:`")
    } else if id.starts_with("mdbook-") {
        format!("`{id}` starts with `mdbook-`, which is for mdBook's own ids")
    } else {
        return Ok(());
    };
    Err(Diagnostic::error("bad-id", text).hint("write `old-id` or `old-page.html#old-id`"))
}

/// The first 8 hex digits of SHA-256 over the kind and one `key=value` a line.
fn hash(kind: &str, inputs: &[(String, String)]) -> String {
    let mut text = format!("{kind}\n");
    for (key, value) in inputs {
        text.push_str(key);
        text.push('=');
        text.push_str(value);
        text.push('\n');
    }
    hex(Sha256::digest(text.as_bytes()), 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn automatic_ids_keep_their_form() {
        let inputs = [("layout".to_owned(), "(4,8):(8,1)".to_owned())];
        let mut ids = Ids::default();
        // Published links rest on this very text.
        assert_eq!(ids.automatic("layout", &inputs).as_str(), "cute-layout-ef8ae2a6");
        assert_eq!(ids.automatic("layout", &inputs).as_str(), "cute-layout-ef8ae2a6-2");
        assert_eq!(ids.automatic("layout", &inputs).as_str(), "cute-layout-ef8ae2a6-3");
    }

    #[test]
    fn explicit_ids_are_checked() {
        let mut ids = Ids::default();
        ids.reserve("intro", "the heading at a.md:1");
        assert_eq!(ids.claim("c8", "a.md:3").unwrap().as_str(), "c8");
        for (id, expected) in [
            ("c8", "the id `c8` is taken by a.md:3"),
            ("intro", "the id `intro` is taken by the heading at a.md:1"),
            ("", "invalid id ``"),
            ("-a", "invalid id `-a`"),
            ("A", "invalid id `A`"),
            ("a b", "invalid id `a b`"),
            ("cute-x", "`cute-x` starts with `cute-`"),
            ("mdbook-x", "`mdbook-x` starts with `mdbook-`"),
        ] {
            let error = ids.claim(id, "b.md:1").unwrap_err();
            assert!(error.text.starts_with(expected), "{}", error.text);
        }
    }
}
