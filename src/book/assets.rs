//! The style sheet and the script that figures come with.
//!
//! In: nothing, or a file that somebody installed. Out: the files as this version installs them, what
//! a file that is there already is, and whether pages can rely on them. Invariants: an installed
//! file is readable, and it ends with a mark that holds the hash of what stands before it; only a file
//! that is nothing else to the byte is one that its owner has not changed.

use super::hex::hex;
use crate::draw::target::Host;
use mdbook_preprocessor::PreprocessorContext;
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};

/// A file that a book needs.
#[derive(Clone, Copy, Debug)]
pub struct Asset {
    /// Its name in the book's directory.
    pub name: &'static str,
    /// The list of `[output.html]` that it belongs in.
    pub list: &'static str,
    /// What it holds, without the mark.
    content: &'static str,
}

/// The files, in the order in which they are installed.
pub const ASSETS: &[Asset] = &[
    Asset {
        name: "mdbook-cute.css",
        list: "additional-css",
        content: include_str!("../../assets/mdbook-cute.css"),
    },
    Asset {
        name: "mdbook-cute.js",
        list: "additional-js",
        content: include_str!("../../assets/mdbook-cute.js"),
    },
];

/// What a file that is there already is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// The one of this version.
    Current,
    /// One of another version, as it was installed.
    Old,
    /// Changed by somebody, or none of ours.
    Edited,
}

const MARK: &str = "/* mdbook-cute ";

impl Asset {
    /// Returns the file as it is installed.
    #[must_use]
    pub fn text(&self) -> String {
        marked(self.content.trim_end(), env!("CARGO_PKG_VERSION"))
    }

    /// Compares a file with the one of this version. Line ends do not count: Git changes them.
    #[must_use]
    pub fn state(&self, file: &str) -> State {
        let file = file.replace("\r\n", "\n");
        // A link to the file of the project has no mark.
        if file == self.text() || file == self.content {
            return State::Current;
        }
        if was_installed(&file) { State::Old } else { State::Edited }
    }
}

/// Returns content with the mark of a version.
fn marked(content: &str, version: &str) -> String {
    format!("{content}\n{MARK}{version} {} */\n", hash(content))
}

/// Returns whether a file is, to the byte, what some version installed: content and nothing but its mark
/// behind it. Whatever else stands in it, before the mark or behind it, is its owner's.
fn was_installed(file: &str) -> bool {
    let Some((content, mark)) = file.rsplit_once(MARK) else { return false };
    let version = mark.split(' ').next().unwrap_or_default();
    content.strip_suffix('\n').is_some_and(|content| file == marked(content, version))
}

/// The rules that pages of a book rely on, newest last: for columns of text, and for words in scripts.
const RULES: [&str; 2] = ["attr(data-even)", "[type^=text][class^=cute]"];

/// Returns what figures are written for: pages of a book only where they have a style sheet with the
/// rules that figures rely on.
#[must_use]
pub fn page_style(context: &PreprocessorContext) -> Host {
    let sheets = context.config.get::<Vec<PathBuf>>("output.html.additional-css").ok().flatten();
    let knows = |sheet: &Path| {
        std::fs::read_to_string(context.root.join(sheet))
            .is_ok_and(|text| RULES.iter().all(|rule| text.contains(rule)))
    };
    if context.renderer == "html" && sheets.unwrap_or_default().iter().any(|sheet| knows(sheet)) {
        Host::Book
    } else {
        Host::Page
    }
}

fn hash(content: &str) -> String {
    hex(Sha256::digest(content.as_bytes()), 8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use std::io::Write;

    #[test]
    fn a_changed_file_is_told_from_an_old_one() {
        for asset in ASSETS {
            let text = asset.text();
            assert_eq!(asset.state(&text), State::Current);
            assert_eq!(asset.state(&text.replace('\n', "\r\n")), State::Current);
            assert_eq!(asset.state(&format!("/* mine */{text}")), State::Edited);
            assert_eq!(asset.state(&format!("{text}.cute{{}}")), State::Edited);
            assert_eq!(asset.state("nothing"), State::Edited);
            let old = Asset { content: "old", ..*asset }.text();
            assert_eq!(asset.state(&old), State::Old);
        }
    }

    /// A rule behind the mark was taken for a part of the mark where it ended in a comment, and `install`
    /// removed it.
    #[test]
    fn what_stands_behind_the_mark_is_an_edit() {
        for asset in ASSETS {
            for text in [asset.text(), Asset { content: "old", ..*asset }.text()] {
                for added in [".cute{max-width:40em} /* narrower */\n", "\n", "/* mdbook-cute 0 */"]
                {
                    assert_eq!(asset.state(&format!("{text}{added}")), State::Edited, "{added}");
                }
            }
        }
    }

    /// Earlier versions shipped the files without comments and blanks, under the same mark.
    #[test]
    fn files_of_earlier_versions_are_old() {
        let minified = ".cute{margin:0}\n/* mdbook-cute 0.1.0 ae1d4d175d1d7c94 */\n";
        assert_eq!(ASSETS[0].state(minified), State::Old);
    }

    /// Pages load both files; together they stay small, also as they travel.
    #[test]
    fn both_files_stay_small() {
        let text: String = ASSETS.iter().map(Asset::text).collect();
        assert!(text.len() <= 48_000, "{}", text.len());
        let mut packed = GzEncoder::new(Vec::new(), Compression::default());
        packed.write_all(text.as_bytes()).unwrap();
        let packed = packed.finish().unwrap().len();
        assert!(packed <= 15_000, "{packed}");
    }
}
