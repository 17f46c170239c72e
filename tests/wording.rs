//! Messages and help are in the field's plain English, and codes of messages never change.
//!
//! Comments and prose are a matter of reading; what users see in a terminal is looked through here.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// What is written otherwise: "invalid id `x`", "one object per line", "programs report".
const AVOIDED: &[&str] = &[
    "is no ",
    "one a line",
    " a line,",
    ", one of those",
    "is told",
    "are told",
    "were told",
    "stands behind",
    "heed",
];

fn sources() -> Vec<(PathBuf, String)> {
    fn walk(dir: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(&path, found);
            } else if path.extension().is_some_and(|end| end == "rs") {
                found.push(path);
            }
        }
    }
    let mut paths = Vec::new();
    walk(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut paths);
    paths.sort();
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).unwrap();
        let code = text.split("#[cfg(test)]").next().unwrap().to_owned();
        (path, code)
    };
    paths.into_iter().map(read).collect()
}

/// Returns the string literals of a source, without those of comments, and the help of commands.
fn shown(path: &Path, source: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in source.lines() {
        let line = line.trim_start();
        if line.starts_with("//") {
            // The documentation of arguments is their help.
            if let (Some(help), true) =
                (line.strip_prefix("/// "), path.components().any(|part| part.as_os_str() == "cli"))
            {
                found.push(help.to_owned());
            }
            continue;
        }
        let line = line.replace("\\\"", "");
        found.extend(line.split('"').skip(1).step_by(2).map(str::to_owned));
    }
    found
}

#[test]
fn messages_and_help_are_in_plain_english() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for (path, source) in sources() {
        for text in shown(&path, &source) {
            count += 1;
            let avoided = AVOIDED.iter().filter(|pattern| text.contains(**pattern));
            wrong.extend(
                avoided.map(|pattern| format!("{}: `{pattern}` in {text}", path.display())),
            );
        }
    }
    assert!(count > 3000, "{count}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// `expect.error` and `expect.warning` name codes, and scripts read them: a code that was published stays.
/// A new one is a new line of the list.
#[test]
fn codes_of_messages_are_those_of_the_list() {
    let listed: BTreeSet<String> =
        include_str!("data/codes.txt").lines().map(str::to_owned).collect();
    let mut found = BTreeSet::new();
    for (_, source) in sources() {
        for start in CONSTRUCTORS {
            for (at, _) in source.match_indices(start) {
                let rest = source[at + start.len()..].trim_start();
                let code = rest.strip_prefix('"').and_then(|rest| rest.split('"').next());
                let is_code = |code: &&str| {
                    code.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
                };
                found.extend(code.filter(is_code).map(str::to_owned));
            }
        }
    }
    let gone: Vec<_> = listed.difference(&found).collect();
    let new: Vec<_> = found.difference(&listed).collect();
    assert!(gone.is_empty() && new.is_empty(), "gone {gone:?}, new {new:?}");
}

/// What takes the code of a message first.
const CONSTRUCTORS: &[&str] = &[
    "Diagnostic::error(",
    "Diagnostic::warning(",
    "Diagnostic::note(",
    "Error::rule(",
    "rule: ",
    "refuse(",
];
