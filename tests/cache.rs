//! Figures that are kept from one run over a book to the next.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]

use serde_json::json;
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

const GALLERY: &str = "title = \"Gallery\"\n[names]\nA = \"(4,8):(8,1)\"\n\
    [[section]]\ntitle = \"Section\"\nslug = \"section\"\n[[section.figure]]\nkind = \"layout\"\nid = \"rows\"\nlayout = \"A\"\n";
const BLOCK: &str = "# A\n\n```cute layout id=\"x\"\nA\n```\n\n```cute use=rows\n```\n";

/// A book of one chapter with a gallery, and a directory for its figures.
struct Kept {
    book: tempfile::TempDir,
    figures: tempfile::TempDir,
}

impl Kept {
    fn new() -> Self {
        let new =
            Self { book: tempfile::tempdir().unwrap(), figures: tempfile::tempdir().unwrap() };
        new.write_gallery(GALLERY);
        new
    }

    fn write_gallery(&self, text: &str) {
        fs::write(self.book.path().join("gallery.toml"), text).unwrap();
    }

    /// Returns what the program writes and says, with figures kept.
    fn run(&self, chapter: &str) -> (String, String) {
        self.run_in(chapter, self.figures.path().to_str().unwrap())
    }

    fn run_in(&self, chapter: &str, cache: &str) -> (String, String) {
        let input = json!([
            {
                "root": self.book.path(),
                "config": {
                    "book": {"src": "src"},
                    "preprocessor": {"cute": {"gallery": "gallery.toml", "after": ["links"]}},
                },
                "renderer": "html",
                "mdbook_version": "0.5.4",
            },
            {"items": [{"Chapter": {
                "name": "A", "content": chapter, "number": [1], "sub_items": [],
                "path": "a.md", "source_path": "a.md", "parent_names": [],
            }}]},
        ]);
        let mut child = Command::new(env!("CARGO_BIN_EXE_mdbook-cute"))
            .env("MDBOOK_CUTE_CACHE", cache)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(input.to_string().as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (text(output.stdout), text(output.stderr))
    }

    /// Returns the file with the figures.
    fn file(&self) -> PathBuf {
        let files: Vec<_> = fs::read_dir(self.figures.path()).unwrap().collect();
        assert_eq!(files.len(), 1);
        files[0].as_ref().unwrap().path()
    }

    /// Changes what is kept, which the next run shows if it takes a figure from there.
    fn mark(&self) {
        let text = fs::read_to_string(self.file()).unwrap();
        assert!(text.contains("offset, 0 to 31"));
        fs::write(self.file(), text.replace("offset, 0 to 31", "KEPT")).unwrap();
    }
}

#[test]
fn a_second_run_writes_the_same_bytes() {
    let kept = Kept::new();
    let never = kept.run_in(BLOCK, "");
    assert_eq!(never.1, "");
    assert!(never.0.contains("offset, 0 to 31"));
    assert_eq!(kept.run(BLOCK), never);
    let file = fs::read_to_string(kept.file()).unwrap();
    assert_eq!(kept.run(BLOCK), never);
    assert_eq!(fs::read_to_string(kept.file()).unwrap(), file);
}

#[test]
fn a_kept_figure_is_taken_only_for_what_it_was_made_of() {
    let kept = Kept::new();
    kept.run(BLOCK);
    kept.mark();
    let marks = |(book, said): (String, String)| {
        assert_eq!(said, "");
        (book.matches("KEPT").count(), book.matches("offset, 0 to 31").count())
    };
    assert_eq!(marks(kept.run(BLOCK)), (3, 0));
    // An edit costs what it changes, and what it does not change stays kept.
    let edited = BLOCK.replace("id=\"x\"", "id=\"x\" caption=\"new\"");
    assert_eq!(marks(kept.run(&edited)), (2, 1));
    assert_eq!(marks(kept.run(&edited)), (2, 1));
    kept.write_gallery(&GALLERY.replace("[names]", "[names]\nB = \"1:0\""));
    assert_eq!(marks(kept.run(&edited)), (0, 3));
}

#[test]
fn what_there_is_to_say_is_said_each_time() {
    let kept = Kept::new();
    let warned = format!("{BLOCK}\n```cute compose\nA = (4,6,8):(2,3,5)\nB = 6:3\n```\n");
    let first = kept.run(&warned);
    assert!(first.1.contains("warning"), "{}", first.1);
    assert_eq!(kept.run(&warned), first);
    let wrong = BLOCK.replace("id=\"x\"", "id=\"x\" nothing=1");
    let first = kept.run(&wrong);
    assert!(first.1.contains("nothing"), "{}", first.1);
    assert_eq!(kept.run(&wrong), first);
}

#[test]
fn a_file_that_cannot_be_read_or_written_is_none() {
    let kept = Kept::new();
    let first = kept.run(BLOCK);
    for text in ["", "nonsense", "0 {}\n\u{0}", "a b c\nd"] {
        fs::write(kept.file(), text).unwrap();
        assert_eq!(kept.run(BLOCK), first);
    }
    kept.run(BLOCK);
    let text = fs::read_to_string(kept.file()).unwrap();
    fs::write(kept.file(), &text[..text.len() - 40]).unwrap();
    assert_eq!(kept.run(BLOCK), first);
    let file = kept.file();
    fs::write(&file, [0xff, 0xfe]).unwrap();
    assert_eq!(kept.run(BLOCK), first);
    // A directory in its place.
    fs::remove_file(&file).unwrap();
    fs::create_dir(&file).unwrap();
    assert_eq!(kept.run(BLOCK), first);
    let nowhere = file.join("file");
    fs::write(&nowhere, "").unwrap();
    assert_eq!(kept.run_in(BLOCK, nowhere.to_str().unwrap()), first);
}

/// Whoever could write the file could put markup of their own into the pages.
#[cfg(unix)]
#[test]
fn what_others_can_write_is_not_read() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let mode = |path: &std::path::Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    };
    let kept = Kept::new();
    let first = kept.run(BLOCK);
    kept.mark();
    let file = kept.file();
    assert!(kept.run(BLOCK).0.contains("KEPT"));
    for open in [0o620, 0o602] {
        mode(&file, open);
        // The run that refuses the file replaces it by one of its own.
        assert_eq!(kept.run(BLOCK), first);
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        kept.mark();
    }
    for open in [0o770, 0o1777] {
        mode(kept.figures.path(), open);
        assert_eq!(kept.run(BLOCK), first);
        assert!(fs::read_to_string(&file).unwrap().contains("KEPT"));
        mode(kept.figures.path(), 0o700);
    }
    // A link is replaced, and what it leads to stays.
    let elsewhere = kept.book.path().join("elsewhere");
    fs::rename(&file, &elsewhere).unwrap();
    symlink(&elsewhere, &file).unwrap();
    assert_eq!(kept.run(BLOCK), first);
    assert!(!file.is_symlink());
    assert!(fs::read_to_string(&elsewhere).unwrap().contains("KEPT"));
}

/// Reading a pipe that nobody writes never ends.
#[cfg(unix)]
#[test]
fn a_pipe_in_place_of_the_file_does_not_stop_the_build() {
    let kept = Kept::new();
    let first = kept.run(BLOCK);
    let file = kept.file();
    fs::remove_file(&file).unwrap();
    assert!(Command::new("mkfifo").arg(&file).status().unwrap().success());
    assert_eq!(kept.run(BLOCK), first);
}
