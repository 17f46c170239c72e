//! Texts that were looked at once and are expected since.
//!
//! `tests/snapshots/FOLDER/NAME.ENDING` holds one text; its name is that of the figure.
//! `CUTE_OVERWRITE=1 cargo test` accepts what was found, here and wherever a test keeps files.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Returns whether tests write what they find instead of comparing it.
pub(crate) fn overwrite() -> bool {
    std::env::var_os("CUTE_OVERWRITE").is_some()
}

/// The snapshots of one folder.
pub(crate) struct Snapshots {
    folder: PathBuf,
    ending: &'static str,
    seen: BTreeSet<String>,
    differ: Vec<String>,
}

impl Snapshots {
    pub(crate) fn of(folder: &str, ending: &'static str) -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots");
        Self { folder: root.join(folder), ending, seen: BTreeSet::new(), differ: Vec::new() }
    }

    /// Compares a text with the snapshot of this name.
    pub(crate) fn check(&mut self, name: &str, text: &str) {
        let file = format!("{name}.{}", self.ending);
        let path = self.folder.join(&file);
        assert!(self.seen.insert(file), "two figures are called {name}");
        let text = format!("{}\n", text.trim_end());
        if overwrite() {
            fs::create_dir_all(&self.folder).unwrap();
            fs::write(&path, &text).unwrap();
        }
        let wanted = fs::read_to_string(&path).unwrap_or_default();
        if text != wanted {
            self.differ.push(format!("{}:{}", path.display(), difference(&wanted, &text)));
        }
    }

    /// Reports everything that differs, and files that are nobody's any more.
    pub(crate) fn finish(self) {
        assert!(!self.seen.is_empty(), "nothing was compared with {}", self.folder.display());
        let mut left = Vec::new();
        for entry in fs::read_dir(&self.folder).unwrap() {
            let entry = entry.unwrap();
            if self.seen.contains(entry.file_name().to_str().unwrap()) {
                continue;
            }
            if overwrite() {
                fs::remove_file(entry.path()).unwrap();
            } else {
                left.push(format!("{} belongs to no figure", entry.path().display()));
            }
        }
        let all = [self.differ, left].concat();
        assert!(
            all.is_empty(),
            "{}\nto accept what was found: CUTE_OVERWRITE=1 cargo test",
            all.join("\n")
        );
    }
}

/// Returns the number and both texts of the first line that differs.
fn difference(wanted: &str, found: &str) -> String {
    let (mut wanted, mut found) = (wanted.lines(), found.lines());
    for number in 1.. {
        match (wanted.next(), found.next()) {
            (None, None) => break,
            (a, b) if a == b => {}
            (a, b) => {
                let shown = |line: Option<&str>| line.unwrap_or("(the end)").to_owned();
                return format!("{number}\n  expected {}\n  found    {}", shown(a), shown(b));
            }
        }
    }
    " differs in line ends only".to_owned()
}
