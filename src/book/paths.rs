//! Files as they are named.
//!
//! In: paths, and the working directory. Out: texts with `/` between the parts. Invariant: a message
//! names a file so that an editor started in the working directory opens it, and a page names it
//! relative to the book, so that the same book gives the same page wherever it is built.

use std::fs;
use std::path::{Component, MAIN_SEPARATOR, Path, PathBuf};

/// The two names of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileName {
    /// Relative to the working directory.
    pub in_messages: String,
    /// Relative to the root of the book.
    pub in_pages: String,
}

impl From<&str> for FileName {
    fn from(path: &str) -> Self {
        Self { in_messages: path.to_owned(), in_pages: path.to_owned() }
    }
}

/// Returns a path with `/` between its parts.
#[must_use]
pub fn slashed(path: &Path) -> String {
    let path: PathBuf = path.components().collect();
    path.to_string_lossy().replace(MAIN_SEPARATOR, "/")
}

/// Returns a path as messages name it: relative to `working_dir`, unless nothing but the root of the
/// file system holds both.
#[must_use]
pub fn shown(path: &Path, working_dir: Option<&Path>) -> String {
    let path = without_detours(path);
    match working_dir {
        Some(dir) if path.is_absolute() => relative(&path, dir).unwrap_or_else(|| slashed(&path)),
        _ => slashed(&path),
    }
}

/// Takes out `dir/..` where it leads nowhere else, as it might through a symbolic link.
fn without_detours(path: &Path) -> PathBuf {
    let mut short = PathBuf::new();
    for part in path.components() {
        let back = part == Component::ParentDir
            && matches!(short.components().next_back(), Some(Component::Normal(_)));
        match part {
            Component::CurDir => {}
            _ if back => drop(short.pop()),
            _ => short.push(part),
        }
    }
    match (fs::canonicalize(path), fs::canonicalize(&short)) {
        (Ok(long), Ok(short)) if long != short => path.to_owned(),
        _ => short,
    }
}

fn relative(path: &Path, dir: &Path) -> Option<String> {
    let shared = path.components().zip(dir.components()).take_while(|(a, b)| a == b);
    let (count, named) = shared.fold((0, false), |(count, named), (part, _)| {
        (count + 1, named || matches!(part, Component::Normal(_)))
    });
    let up = "../".repeat(dir.components().skip(count).count());
    let rest: PathBuf = path.components().skip(count).collect();
    named.then(|| up + &slashed(&rest))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn messages_name_files_from_the_working_directory() {
        for (path, dir, expected) in [
            ("/h/book/src/a.md", "/h/book", "src/a.md"),
            ("/h/book/src/a.md", "/h", "book/src/a.md"),
            ("/h/book/src/a.md", "/h/book/src/sub", "../a.md"),
            ("/h/book/../gallery.toml", "/h", "gallery.toml"),
            ("/h/book/../gallery.toml", "/h/book", "../gallery.toml"),
            ("/tmp/x/src/a.md", "/h/book", "/tmp/x/src/a.md"),
            ("./src/./a.md", "/h", "src/a.md"),
            ("book/../gallery.toml", "/h", "gallery.toml"),
            ("../book/src/a.md", "/h", "../book/src/a.md"),
        ] {
            assert_eq!(shown(Path::new(path), Some(Path::new(dir))), expected, "{path} {dir}");
        }
        assert_eq!(shown(Path::new("/h/a.md"), None), "/h/a.md");
    }

    #[test]
    fn a_detour_through_a_link_stays() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir_all(dir.path().join("far/book")).unwrap();
        fs::write(dir.path().join("far/gallery.toml"), "").unwrap();
        fs::write(dir.path().join("gallery.toml"), "").unwrap();
        std::os::unix::fs::symlink(dir.path().join("far/book"), dir.path().join("book")).unwrap();
        let path = dir.path().join("book/../gallery.toml");
        assert_eq!(shown(&path, Some(dir.path())), "book/../gallery.toml");
    }
}
