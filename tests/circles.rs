//! No file of `src` uses one that uses it, by whatever way.
//!
//! In: the `use` lines outside of test modules. A path leads to the file of the longest module that
//! starts it: `crate::cute::Layout` to `cute/mod.rs`, which names it, `crate::cute::layout::Layout` to
//! `cute/layout.rs`; the `pub use` of a `mod.rs` leads on to the child. Out: the circles.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs;
use std::path::Path;

/// Files that are in a circle. The list only shrinks: a file that leaves its circle leaves the list.
const KNOWN: &[&str] = &[];

/// Pairs that are one thing in two files.
const PAIRS: [[&str; 2]; 2] =
    [["expr/parser.rs", "expr/lexer.rs"], ["expr/evaluator.rs", "expr/scope.rs"]];

type Module = Vec<String>;

/// The files of the library by the path of their module.
fn files(dir: &Path, module: &Module, found: &mut BTreeMap<Module, String>, root: &Path) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let inner = [module.clone(), vec![name.clone()]].concat();
        if path.is_dir() {
            files(&path, &inner, found, root);
        } else if name != "main" && path.extension().is_some_and(|end| end == "rs") {
            let own = if ["mod", "lib"].contains(&name.as_str()) { module.clone() } else { inner };
            let file = path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
            found.insert(own, file);
        }
    }
}

/// Returns the paths of all `use` items of a source.
fn used(source: &str) -> Vec<Vec<String>> {
    let tests = ["#[cfg(test)]\nmod ", "#[cfg(all(test, unix))]\nmod "];
    let end = tests.iter().filter_map(|start| source.find(start)).min();
    let source = &source[..end.unwrap_or(source.len())];
    let code: String =
        source.lines().map(|line| line.split("//").next().unwrap().to_owned() + "\n").collect();
    let mut paths = Vec::new();
    for statement in code.split(';') {
        // What stands before the item are attributes, or the end of another item.
        let start = statement.rfind("\nuse ").map(|at| at + 5);
        let start = start.or_else(|| statement.rfind("use ").map(|at| at + 4));
        let line = start.map_or("", |at| &statement[statement[..at].rfind('\n').unwrap_or(0)..at]);
        let is_item = |word: &str| word == "use" || word.starts_with("pub");
        if line.split_whitespace().all(is_item) && !line.trim().is_empty() {
            spread(statement[start.unwrap()..].trim(), &[], &mut paths);
        }
    }
    paths
}

/// Takes `a::{b, c::d}` apart.
fn spread(tree: &str, before: &[String], paths: &mut Vec<Vec<String>>) {
    let (mut depth, mut start) = (0_usize, 0);
    for (at, c) in tree.char_indices().chain([(tree.len(), ',')]) {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                let piece = tree[start..at].trim();
                start = at + 1;
                let (head, inner) = piece.split_once('{').unwrap_or((piece, ""));
                let head = head.split(" as ").next().unwrap().trim_end_matches("::").split("::");
                let names = head.map(|name| name.trim().to_owned()).filter(|name| !name.is_empty());
                let path: Vec<String> = before.iter().cloned().chain(names).collect();
                match inner.trim().strip_suffix('}') {
                    Some(inner) => spread(inner, &path, paths),
                    None if path.len() > before.len() => paths.push(path),
                    None => {}
                }
            }
            _ => {}
        }
    }
}

/// Returns the file that a path leads to, if it is one of ours.
fn target<'f>(
    path: &[String],
    module: &Module,
    files: &'f BTreeMap<Module, String>,
) -> Option<&'f str> {
    let ups = path.iter().take_while(|name| *name == "super").count();
    let mut full: Module = match path[0].as_str() {
        "crate" => path[1..].to_vec(),
        "self" => [module, &path[1..]].concat(),
        "super" => [&module[..module.len() - ups], &path[ups..]].concat(),
        child => {
            let own = [module.clone(), vec![child.to_owned()]].concat();
            files.contains_key(&own).then(|| [module, path].concat())?
        }
    };
    while !files.contains_key(&full) {
        full.pop()?;
    }
    files.get(&full).map(String::as_str)
}

type Uses = BTreeMap<String, BTreeSet<String>>;

fn uses() -> Uses {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = BTreeMap::new();
    files(&root, &Vec::new(), &mut found, &root);
    let mut uses = Uses::new();
    for (module, file) in &found {
        let source = fs::read_to_string(root.join(file)).unwrap();
        let targets = used(&source).into_iter().filter_map(|path| target(&path, module, &found));
        let is_pair = |other: &str| {
            PAIRS.iter().any(|pair| pair.contains(&file.as_str()) && pair.contains(&other))
        };
        let targets = targets.filter(|other| *other != file.as_str() && !is_pair(other));
        uses.insert(file.clone(), targets.map(str::to_owned).collect());
    }
    uses
}

/// Returns the shortest way from a file back to itself.
fn circle(uses: &Uses, start: &str) -> Option<Vec<String>> {
    let mut ways = VecDeque::from([vec![start.to_owned()]]);
    let mut seen = BTreeSet::new();
    while let Some(way) = ways.pop_front() {
        for next in &uses[way.last().unwrap()] {
            if next == start {
                return Some([way, vec![start.to_owned()]].concat());
            }
            if seen.insert(next) {
                ways.push_back([way.clone(), vec![next.clone()]].concat());
            }
        }
    }
    None
}

#[test]
fn no_file_uses_one_that_uses_it() {
    let uses = uses();
    assert!(uses.values().map(BTreeSet::len).sum::<usize>() >= 500, "the reader reads nothing");
    let circles = uses.keys().filter_map(|file| Some((file.as_str(), circle(&uses, file)?)));
    let circles: BTreeMap<&str, Vec<String>> = circles.collect();
    let known: BTreeSet<&str> = KNOWN.iter().copied().collect();
    let new: Vec<_> = circles.iter().filter(|(file, _)| !known.contains(*file)).collect();
    assert!(
        new.is_empty(),
        "{:#?}",
        new.iter().map(|(_, way)| way.join(" -> ")).collect::<Vec<_>>()
    );
    let left: Vec<_> = known.iter().filter(|file| !circles.contains_key(**file)).collect();
    assert!(left.is_empty(), "no circle any more; take it off the list: {left:#?}");
}

#[test]
fn use_lines_are_read_whole() {
    let source = "//! use a::b;\nuse crate::a::{b, c::{D, E as F}, self};\n#[x]\npub use child::Y;\n    \
        pub(crate) use super::super::z;\nfn f() {\n    use std::fs;\n    let because = x;\n}\n\
        #[cfg(test)]\nmod tests {\n    use super::*;\n}\n";
    let read: Vec<String> = used(source).into_iter().map(|path| path.join("::")).collect();
    let wanted = [
        "crate::a::b",
        "crate::a::c::D",
        "crate::a::c::E",
        "crate::a::self",
        "child::Y",
        "super::super::z",
        "std::fs",
    ];
    assert_eq!(read, wanted);
}
