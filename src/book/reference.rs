//! The reference of blocks: every kind with every key, as a chapter.
//!
//! In: the table of keys. Out: Markdown. Invariant: what the resolver accepts is what the chapter says,
//! since both read the same table; a test keeps the committed chapter current.

use crate::figure::KINDS;
use crate::figure::input::frame::FRAME;
use crate::figure::input::key::KeyDef;
use crate::figure::input::kind::{KindDef, Need, Use, When};
use crate::figure::input::value::Form;
use std::fmt::Write;

/// Writes the chapter.
#[must_use]
pub fn reference() -> String {
    let mut out = String::from(HEAD);
    for kind in KINDS {
        // Writing to a String cannot fail.
        let _ = write!(out, "\n## `{}`\n\n{}\n\n", kind.name, kind.doc);
        if kind.op.is_some() {
            push_ops(&mut out, kind);
        }
        push_table(&mut out, kind.own_keys(), Some(kind));
    }
    out.push_str("\n## Keys of every kind\n\n");
    push_table(&mut out, FRAME.to_vec(), None);
    out.push_str(TAIL);
    out
}

const HEAD: &str = "# Block reference

A block is a code block whose language is `cute`:

````text
```cute divide id=row-tiles op=zipped caption=\"Tiles of 3 rows by 8 columns\"
A = (12,32):(32,1)
tiler = <3:1, 8:1>
```
````

The word behind `cute` is the kind; `layout` if there is none. Any key may stand in the first line, as `key=value`
or `key=\"a value with blanks\"`, or on a line of the body, as `key = value`. Lines without a key are the kind's main
input, marked **bold** below. A value that as a whole is one string in quotes is what stands in them; `\\\"` is a quote in
it, and `\\\\` a backslash. A line that starts with `#` is a comment, and so is the end of a line from a `#` on that has
blanks on both sides and stands in no quotes or brackets; values of the type text keep it. `ignore` leaves the block alone. The figures
of `gallery.toml` take the same keys, and so do `mdbook-cute render` and `mdbook-cute facts`.
";

const TAIL: &str = "
A caption is literal text, but for links `[text](cute:ID)` to a figure anywhere in the book. `use=ID`, without a
kind, draws a figure of the gallery here; its link leads to the gallery. `let NAME = EXPRESSION` names a value for the
lines behind it.

| expectation | meaning |
|---|---|
| `expect.NAME` | the fact of that name has this value |
| `expect.same-as` | the result is the same function as this expression |
| `expect.error` | the figure is refused with this code, or with a message that contains this text |
| `expect.warning` | the warning with this code is known; it stays under the figure and leaves the log |
";

fn push_ops(out: &mut String, kind: &KindDef) {
    out.push_str("| `op` | draws |\n|---|---|\n");
    for op in kind.ops {
        let _ = writeln!(out, "| `{}` | {} |", op.name, op.doc);
    }
    out.push('\n');
}

fn push_table(out: &mut String, keys: Vec<&'static dyn KeyDef>, kind: Option<&KindDef>) {
    out.push_str("| key | value | default | meaning |\n|---|---|---|---|\n");
    for key in keys {
        let name = key.name();
        let uses: Vec<&Use> = kind.iter().flat_map(|kind| kind.uses_of(name)).collect();
        let everywhere = kind.is_none_or(|kind| uses.len() == kind.ops.len());
        let needed = |need| everywhere && uses.iter().any(|used| used.need == need);
        let label = if needed(Need::Main) {
            format!("**`{name}`**")
        } else if needed(Need::Required) {
            format!("`{name}` (needed)")
        } else {
            format!("`{name}`")
        };
        let mut value = key.form().as_str().to_owned();
        if key.form() != Form::Flag && !key.words().is_empty() {
            value = format!("{value}: {}", quoted(&key.words()).join(", "));
        }
        let default = key.default().map(|default| format!("`{default}`")).unwrap_or_default();
        let mut meaning = key.doc().to_owned();
        if let Some(kind) = kind.filter(|_| !everywhere && !uses.is_empty()) {
            let _ = write!(meaning, " With `op` = {}.", quoted(&kind.ops_with(name)).join(", "));
        }
        if let Some(used) = uses.first() {
            for when in used.when {
                let _ = write!(meaning, " {}", condition(when));
            }
        }
        // `|` would end the cell.
        let meaning = meaning.replace('|', "\\|");
        let _ = writeln!(out, "| {label} | {value} | {default} | {meaning} |");
    }
}

fn condition(when: &When) -> String {
    match when {
        When::Is(key, words) => {
            format!("Needs `{}` = {}.", key.name(), quoted(words).join(", "))
        }
        When::Given(key, _) => format!("Needs `{}`.", key.name()),
        When::Absent(key) => format!("Not beside `{}`.", key.name()),
    }
}

fn quoted(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| format!("`{word}`")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text is made of the table of keys; what it has to hold stands here.
    #[test]
    fn a_key_has_its_type_its_words_and_its_sentence() {
        let text = reference();
        for kind in ["layout", "tv", "local-tile", "copy", "cutlass"] {
            assert_eq!(text.matches(&format!("\n## `{kind}`\n")).count(), 1, "{kind}");
        }
        let row = |key: &str| {
            let start = format!("| `{key}` |");
            text.lines().find(|line| line.starts_with(&start)).unwrap_or_else(|| panic!("{key}"))
        };
        assert!(row("smem-direction").contains("load") && row("smem-direction").contains("store"));
        assert!(row("smem-base").contains("number"));
        assert!(row("caption").contains("`[text](cute:ID)`"), "{}", row("caption"));
    }
}
