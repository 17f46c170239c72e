//! Every message that prints something to type is right: what it prints is applied, and the book is checked
//! again.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const CONFIG: &str = "[book]\ntitle = \"x\"\n[preprocessor.cute]\nafter = [\"links\", \"index\"]\n";
const BLOCK: &str = "```cute id=x\n(4,8):(8,1)\n```\n";

/// A book that is wrong, what the message prints, and the edit that it asks for.
struct Remedy {
    config: &'static str,
    gallery: &'static str,
    chapter: &'static str,
    printed: &'static str,
    /// The file, the text in it, and what replaces the text.
    edit: (&'static str, &'static str, &'static str),
}

const PLAIN: Remedy =
    Remedy { config: "", gallery: "", chapter: BLOCK, printed: "", edit: ("src/a.md", "", "") };

const REMEDIES: &[Remedy] = &[
    Remedy {
        chapter: "```cute layout\nlayout: (4,8):(8,1)\n```\n",
        printed: "write `layout = ...`",
        edit: ("src/a.md", "layout:", "layout ="),
        ..PLAIN
    },
    Remedy {
        chapter: "```cute layout\n(4,8):(8,1)\n\nProse, and more of it.\n",
        printed: "add a line ````` at its end",
        edit: ("src/a.md", "(8,1)\n", "(8,1)\n```\n"),
        ..PLAIN
    },
    Remedy {
        chapter: "```cute layout\n(4,4):(0,1)\nexpect.siz = 16\n```\n",
        printed: "did you mean `expect.size`?",
        edit: ("src/a.md", "expect.siz ", "expect.size "),
        ..PLAIN
    },
    Remedy {
        chapter: "```cute layout caption=\"a\n4\n```\n",
        printed: "add `\"`",
        edit: ("src/a.md", "caption=\"a", "caption=\"a\""),
        ..PLAIN
    },
    Remedy {
        chapter: "```cute layout\n4\nexpect.size = 4\nexpect.size = 4\n```\n",
        printed: "remove one of the two",
        edit: ("src/a.md", "expect.size = 4\nexpect.size = 4", "expect.size = 4"),
        ..PLAIN
    },
    Remedy {
        chapter: "```cute divide\n(4,8):(8,1)\nA = 8:1\ntiler = 2\n```\n",
        printed: "write `name = value`",
        edit: ("src/a.md", "(4,8):(8,1)\n", ""),
        ..PLAIN
    },
    Remedy {
        chapter: "a\n\n[^n]: b\n\n    ```cute\n    4\n    ```\n",
        printed: "write `[^n]` in the text",
        edit: ("src/a.md", "a\n\n", "a[^n]\n\n"),
        ..PLAIN
    },
    Remedy {
        chapter: "```cute\n4\naliases = a/b\n```\n",
        printed: "write `old-id` or `old-page.html#old-id`",
        edit: ("src/a.md", "a/b", "old-id"),
        ..PLAIN
    },
    Remedy {
        config: "defaults = 3\n",
        printed: "`[preprocessor.cute.defaults]` and below it `facts = \"closed\"`",
        edit: ("book.toml", "defaults = 3", "[preprocessor.cute.defaults]\nfacts = \"closed\""),
        ..PLAIN
    },
    Remedy {
        config: "mode = \"html\"\n",
        printed: "`mode.markdown = \"text\"`",
        edit: ("book.toml", "mode = \"html\"", "mode.markdown = \"text\""),
        ..PLAIN
    },
    Remedy {
        config: "on_failure = \"bail\"\n",
        printed: "did you mean `on-failure`?",
        edit: ("book.toml", "on_failure", "on-failure"),
        ..PLAIN
    },
    Remedy {
        config: "gallery = \"gallery.toml\"\n",
        gallery: "[[section]]\ntitle = \"Layouts\"\n[[section.figure]]\nkind = \"layout\"\nid = \"y\"\nlayout = \"4\"\n",
        printed: "add `slug = \"layouts\"`",
        edit: (
            "gallery.toml",
            "title = \"Layouts\"\n",
            "title = \"Layouts\"\nslug = \"layouts\"\n",
        ),
        ..PLAIN
    },
];

fn check(dir: &Path, args: &[&str]) -> (bool, String) {
    let Output { status, stderr, .. } = Command::new(env!("CARGO_BIN_EXE_mdbook-cute"))
        .arg("check")
        .args(args)
        .current_dir(dir)
        .output()
        .unwrap();
    (status.success(), String::from_utf8(stderr).unwrap())
}

fn book(remedy: &Remedy) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join("src")).unwrap();
    fs::write(dir.path().join("book.toml"), format!("{CONFIG}{}", remedy.config)).unwrap();
    fs::write(dir.path().join("src/SUMMARY.md"), "- [A](a.md)\n").unwrap();
    fs::write(dir.path().join("src/a.md"), remedy.chapter).unwrap();
    if !remedy.gallery.is_empty() {
        fs::write(dir.path().join("gallery.toml"), remedy.gallery).unwrap();
    }
    dir
}

fn edit(dir: &Path, (file, from, to): (&str, &str, &str)) {
    let path = dir.join(file);
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains(from), "{file}: {from}");
    fs::write(path, text.replacen(from, to, 1)).unwrap();
}

#[test]
fn what_a_message_prints_is_right_when_it_is_typed() {
    for remedy in REMEDIES {
        let dir = book(remedy);
        let (right, said) = check(dir.path(), &[]);
        assert!(!right && said.contains(remedy.printed), "{}: {said}", remedy.printed);
        edit(dir.path(), remedy.edit);
        let (right, said) = check(dir.path(), &[]);
        assert!(right, "{}: {said}", remedy.printed);
    }
}

/// The alias that `check` prints became an id with quotes in it when it was typed as a line of the body, and
/// the same error came again.
#[test]
fn the_alias_that_check_prints_keeps_the_anchor() {
    for at in [
        "```cute id=y\n(4,8):(8,1)\naliases = \"x\"\n```\n",
        "```cute id=y aliases=\"x\"\n(4,8):(8,1)\n```\n",
    ] {
        let dir = book(&PLAIN);
        let (right, said) = check(dir.path(), &["--update"]);
        assert!(right, "{said}");
        fs::write(dir.path().join("src/a.md"), BLOCK.replace("id=x", "id=y")).unwrap();
        let (right, said) = check(dir.path(), &[]);
        assert!(!right && said.contains("add `aliases = \"x\"`"), "{said}");
        fs::write(dir.path().join("src/a.md"), at).unwrap();
        let (right, said) = check(dir.path(), &[]);
        assert!(right, "{said}");
    }
}
