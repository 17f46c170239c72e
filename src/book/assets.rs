//! The style sheet and the script that figures come with.
//!
//! In: nothing, or a file that somebody installed. Out: the files as this version installs them, what
//! a file that is there already is, and whether pages can rely on them. Invariant: an installed file
//! ends with a mark that holds the hash of what stands before it, so an old one is told from one that
//! its owner has changed.

use super::hex::hex;
use crate::draw::target::Host;
use mdbook_preprocessor::PreprocessorContext;
use sha2::{Digest, Sha256};
use std::borrow::Cow;
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
        let content = compact(self.content, self.name.ends_with(".js"));
        format!("{content}\n{MARK}{} {} */\n", env!("CARGO_PKG_VERSION"), hash(&content))
    }

    /// Says what a file is. Line ends do not count: Git changes them.
    #[must_use]
    pub fn state(&self, file: &str) -> State {
        let file = file.replace("\r\n", "\n");
        // A link to the file of the project has no mark.
        if file == self.text() || file == self.content {
            return State::Current;
        }
        let Some((content, mark)) = file.rsplit_once(MARK) else { return State::Edited };
        // Whatever stands behind the mark is somebody's own.
        let Some(mark) = mark.trim_end().strip_suffix("*/") else { return State::Edited };
        let found = mark.split_whitespace().nth(1);
        if found == Some(&hash(content.trim_end())) { State::Old } else { State::Edited }
    }
}

/// Leaves out indentation and the comments that stand on lines of their own, and blanks of a script
/// that separate nothing: pages need none of them.
fn compact(content: &str, script: bool) -> String {
    let mut lines: Vec<Cow<'_, str>> = Vec::new();
    let mut comment = false;
    for line in content.lines().map(str::trim) {
        comment |= line.starts_with("/*");
        if !comment && !line.is_empty() && !line.starts_with("//") {
            lines.push(if script { tighten(line) } else { line.into() });
        }
        comment &= !line.ends_with("*/");
    }
    lines.join("\n")
}

/// Leaves out the blanks beside marks, outside of quotes. Lines on which a quote, a slash or a sign may
/// mean something else stay as they are.
fn tighten(line: &str) -> Cow<'_, str> {
    if line.contains(['`', '\'', '/', '\\']) || line.contains("+ +") || line.contains("- -") {
        return line.into();
    }
    let mark = |c: &char| "=(){},;:?+-*<>|&![]".contains(*c);
    let mut out = String::with_capacity(line.len());
    let mut chars = line.chars().peekable();
    let mut quoted = false;
    while let Some(c) = chars.next() {
        quoted ^= c == '"';
        let beside =
            out.chars().next_back().is_some_and(|c| mark(&c)) || chars.peek().is_some_and(mark);
        if c != ' ' || quoted || !beside {
            out.push(c);
        }
    }
    out.into()
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

    #[test]
    fn blanks_that_mean_something_stay() {
        for (line, tight) in [
            ("if (a === b) return c, \" + d\" + e;", "if(a===b)return c,\" + d\"+e;"),
            ("const f = x => typeof x in y;", "const f=x=>typeof x in y;"),
            ("a = b + +c;", "a = b + +c;"),
            ("a = `b + c` + d;", "a = `b + c` + d;"),
            ("a = /b + c/;", "a = /b + c/;"),
        ] {
            assert_eq!(tighten(line), tight);
        }
    }

    /// Pages load both files; together they stay small.
    #[test]
    fn both_files_stay_under_thirty_kilobytes() {
        let total: usize = ASSETS.iter().map(|asset| asset.text().len()).sum();
        assert!(total < 30_000, "{total}");
    }
}
