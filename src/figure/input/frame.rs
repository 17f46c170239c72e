//! The keys that every kind takes: what a figure is called and how it stands on its page.
//!
//! Invariant: none of them changes a number, and only `dtype` is part of the automatic anchor.

use crate::figure::input::key::{Key, KeyDef, Role};
use crate::figure::input::value::{Element, List, Name, Text, Word};

/// The anchor.
pub static ID: Key<Name> =
    Key::new("id", Name, "The anchor: lower-case letters, digits and hyphens.").role(Role::Frame);

/// Former anchors.
pub static ALIASES: Key<List> = Key::new(
    "aliases",
    List,
    "Former anchors that stay alive: `old-id`, or `old-page.html#old-id` for another page.",
)
.role(Role::Frame);

/// The caption.
pub static CAPTION: Key<Text> =
    Key::new("caption", Text, "Shown below; literal but for `[text](cute:ID)` links.")
        .role(Role::Frame);

/// The author's title.
pub static TITLE: Key<Text> =
    Key::new("title", Text, "The name of the picture, in place of the kind's own.")
        .role(Role::Frame);

/// The element type, where a kind has no default of its own.
pub static DTYPE: Key<Element> =
    Key::new("dtype", Element, "The element type, e.g. `f16`.").role(Role::Context);

/// The width on the page.
pub static WIDTH: Key<Word<()>> =
    Key::new("width", Word(&[("full", ()), ("half", ())]), "Two halves stand side by side.")
        .role(Role::Frame);

/// How labels are written.
pub static LABELS: Key<Word<()>> = Key::new(
    "labels",
    Word(&[("auto", ()), ("stroke", ()), ("text", ()), ("none", ())]),
    "How the labels of cells are written: as text that the search leaves out (`auto`), as drawn lines (`stroke`), as text that the search finds and readers select (`text`), or not at all (`none`).",
)
.role(Role::Frame);

/// The table of facts.
pub static FACTS: Key<Word<()>> = Key::new(
    "facts",
    Word(&[("open", ()), ("closed", ()), ("none", ())]),
    "The table below the figure.",
)
.role(Role::Frame);

/// All of them.
pub static FRAME: &[&dyn KeyDef] =
    &[&ID, &ALIASES, &CAPTION, &TITLE, &DTYPE, &WIDTH, &LABELS, &FACTS];
