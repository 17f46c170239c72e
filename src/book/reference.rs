//! The reference of blocks: every kind with every key, as a chapter.
//!
//! In: the table of keys. Out: Markdown. Invariant: what the resolver accepts is what the chapter says,
//! since both read the same table; a test keeps the committed chapter current.

use crate::figure::input::keys::{COMMON, KINDS, Key, Need};
use std::fmt::Write;

/// Writes the chapter.
#[must_use]
pub fn reference() -> String {
    let mut out = String::from(HEAD);
    for row in KINDS {
        // Writing to a String cannot fail.
        let _ = write!(out, "\n## `{}`\n\n{}\n\n", row.name, row.doc);
        push_table(&mut out, row.keys);
    }
    out.push_str("\n## Keys of every kind\n\n");
    push_table(&mut out, COMMON);
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
input, marked **bold** below. A line that starts with `#` is a comment. `ignore` leaves the block alone. The figures
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
| `expect.error` | the figure is refused with a message that holds this text |
| `expect.warning` | the warning with this code is known; it stays under the figure and leaves the log |
";

fn push_table(out: &mut String, keys: &[Key]) {
    out.push_str("| key | value | meaning |\n|---|---|---|\n");
    for key in keys {
        let name = match key.need {
            Need::Main => format!("**`{}`**", key.name),
            Need::Required => format!("`{}` (needed)", key.name),
            Need::Optional => format!("`{}`", key.name),
        };
        let words = key.kind.words();
        let mut value = key.kind.as_str().to_owned();
        if !words.is_empty() && value != "yes or no" {
            let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
            value = format!("{value}: {}", words.join(", "));
        }
        // `|` would end the cell.
        let _ = writeln!(out, "| {name} | {value} | {} |", key.doc.replace('|', "\\|"));
    }
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
