//! Puts the preprocessor into a book's configuration.
//!
//! In: the text of `book.toml`. Out: the text with what a book needs, and what was done in words.
//! Invariants: comments, order and the form of the file stay, what the author set stays, and a second run
//! changes nothing.

use super::assets::ASSETS;
use toml_edit::{Array, DocumentMut, Item, Table, TableLike, Value};

/// A configuration after `install`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Installed {
    /// The text.
    pub text: String,
    /// What was done, a line each; empty if nothing was missing.
    pub done: Vec<String>,
}

/// Adds to `book.toml` what is missing. `gallery` is the file of a gallery that is there.
///
/// # Errors
/// No TOML, and values of the wrong type where ours have to go.
pub fn install(text: &str, gallery: Option<&str>) -> Result<Installed, String> {
    let (mark, plain) = match text.strip_prefix('\u{feff}') {
        Some(plain) => ("\u{feff}", plain),
        None => ("", text),
    };
    let mut document: DocumentMut =
        plain.parse().map_err(|error: toml_edit::TomlError| format!("book.toml: {error}"))?;
    let mut done = Vec::new();
    let root = document.as_table_mut();

    let cute = table(root, &["preprocessor", "cute"])?;
    for name in ["links", "index"] {
        if add(cute, "after", name)? {
            done.push(format!("`[preprocessor.cute]`: added `{name}` to `after`"));
        }
    }
    if let (Some(gallery), None) = (gallery, cute.get("gallery")) {
        cute.insert("gallery", Item::Value(gallery.into()));
        done.push(format!("`[preprocessor.cute]`: added `gallery = \"{gallery}\"`"));
    }
    let gallery = cute.get("gallery").and_then(Item::as_str).map(str::to_owned);

    if let Some(gallery) = gallery
        && add(table(root, &["build"])?, "extra-watch-dirs", &gallery)?
    {
        done.push(format!("`[build]`: added `{gallery}` to `extra-watch-dirs`"));
    }
    let html = table(root, &["output", "html"])?;
    for asset in ASSETS {
        if add(html, asset.list, asset.name)? {
            done.push(format!("`[output.html]`: added `{}` to `{}`", asset.name, asset.list));
        }
    }
    if done.is_empty() {
        return Ok(Installed { text: text.to_owned(), done });
    }
    let mut text_out = format!("{mark}{document}");
    if text.contains("\r\n") {
        text_out = text_out.replace("\r\n", "\n").replace('\n', "\r\n");
    }
    Ok(Installed { text: text_out, done })
}

/// Returns the table of a path, made where it is missing.
fn table<'t>(root: &'t mut dyn TableLike, path: &[&str]) -> Result<&'t mut dyn TableLike, String> {
    let Some((name, rest)) = path.split_first() else { return Ok(root) };
    if root.get(name).is_none() {
        let mut new = Table::new();
        // `[output.html]` needs no `[output]` before it.
        new.set_implicit(!rest.is_empty());
        root.insert(name, Item::Table(new));
    }
    let inner = root.get_mut(name).and_then(Item::as_table_like_mut);
    table(inner.ok_or_else(|| format!("book.toml: `{name}` must be a table"))?, rest)
}

/// Adds a text to a list; says whether it was missing.
fn add(table: &mut dyn TableLike, key: &str, text: &str) -> Result<bool, String> {
    if table.get(key).is_none() {
        table.insert(key, Item::Value(Value::Array(Array::new())));
    }
    let list = table.get_mut(key).and_then(Item::as_array_mut);
    let list = list.ok_or_else(|| format!("book.toml: `{key}` must be a list"))?;
    // A file may be named with a path in front that means the same.
    let same =
        |value: &Value| value.as_str().is_some_and(|own| own.trim_start_matches("./") == text);
    if list.iter().any(same) {
        return Ok(false);
    }
    list.push(text);
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FULL: &str = "[preprocessor.cute]\nafter = [\"links\", \"index\"]\n\n[output.html]\n\
        additional-css = [\"mdbook-cute.css\"]\nadditional-js = [\"mdbook-cute.js\"]\n";

    #[test]
    fn everything_is_added_once() {
        let first = install("[book]\ntitle = \"x\" # why\n", None).unwrap();
        assert_eq!(first.text, format!("[book]\ntitle = \"x\" # why\n\n{FULL}"));
        assert_eq!(first.done.len(), 4);
        let second = install(&first.text, None).unwrap();
        assert_eq!(second, Installed { text: first.text.clone(), done: Vec::new() });

        let gallery = install(&first.text, Some("gallery.toml")).unwrap();
        assert!(gallery.text.contains("gallery = \"gallery.toml\""), "{}", gallery.text);
        assert!(gallery.text.contains("[build]\nextra-watch-dirs = [\"gallery.toml\"]"));
        assert_eq!(install(&gallery.text, Some("gallery.toml")).unwrap().done, [""; 0]);
    }

    #[test]
    fn what_the_author_set_stays() {
        let text = "# top\r\n[output.html]\r\n# mine\r\nadditional-css = [\"a.css\", \"./mdbook-cute.css\"] # css\r\n\
            [preprocessor]\r\ncute = { command = \"x\", after = [\"links\"] }\r\n[output]\r\n";
        let out = install(&text.replace("[output]\r\n", ""), Some("g.toml")).unwrap().text;
        assert!(out.starts_with("# top\r\n[output.html]\r\n# mine\r\nadditional-css = [\"a.css\", \"./mdbook-cute.css\"] # css\r\n"));
        assert!(out.contains("command = \"x\""), "{out}");
        assert!(out.contains("after = [\"links\", \"index\"]"), "{out}");
        assert_eq!(out.matches('\n').count(), out.matches("\r\n").count());
    }

    /// A byte order mark was dropped.
    #[test]
    fn the_mark_at_the_start_stays() {
        let out = install("\u{feff}[book]\n", None).unwrap().text;
        assert_eq!(out, format!("\u{feff}[book]\n\n{FULL}"));
        assert_eq!(install(&out, None).unwrap().done, [""; 0]);
    }

    #[test]
    fn what_cannot_be_edited_is_refused() {
        for (text, expected) in [
            ("[book", "book.toml: "),
            ("preprocessor = 3", "book.toml: `preprocessor` must be a table"),
            (
                "[output.html]\nadditional-css = \"a.css\"",
                "book.toml: `additional-css` must be a list",
            ),
        ] {
            assert!(install(text, None).unwrap_err().starts_with(expected), "{text}");
        }
    }
}
