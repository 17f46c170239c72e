//! Floor 5: a book in, the same book with figures out.
//!
//! In reading order: [`preprocessor`] is what mdBook calls, and `run` lists the steps of one run over a
//! book; `job` is the data that the steps pass on. [`scan`] finds the blocks of a chapter; [`info`] and
//! [`body`] read one, and [`order`] makes a spec of it; `outcome` builds and draws one figure, and
//! [`cache`] keeps figures; `anchors` and [`ids`] give anchors; `write`, [`splice`] and [`fallback`]
//! write what replaces a block; [`gallery`], [`gallery_file`] and `pages` are the chapters of a gallery; [`paths`],
//! [`place`] and [`report`] lead messages back to the author's file; [`config`] is what the author sets. [`block`]
//! writes a figure as a block, and [`deep_link`] reads the links of the browser tool.
//!
//! No two files import each other, not even through others: a test draws the graph.

mod anchors;
pub mod assets;
pub mod block;
pub mod body;
pub mod cache;
pub mod catalogue;
pub mod config;
pub mod deep_link;
pub mod fallback;
pub mod gallery;
pub mod gallery_file;
mod hex;
pub mod ids;
pub mod info;
pub mod install;
mod job;
pub mod limits;
pub mod links;
pub mod order;
mod outcome;
mod pages;
pub mod paths;
pub mod place;
pub mod preprocessor;
pub mod reference;
pub mod report;
mod reuse;
mod run;
pub mod scan;
pub mod splice;
pub mod text;
mod toml_text;
mod write;

pub use preprocessor::Cute;

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};
    use std::fs;
    use std::path::Path;

    /// Returns the files of this folder, each with those that it names outside tests.
    fn imports() -> BTreeMap<String, BTreeSet<String>> {
        let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/book");
        let files = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
        let texts: BTreeMap<String, String> = files
            .map(|path| {
                let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
                (name, fs::read_to_string(path).unwrap())
            })
            .filter(|(name, _)| name != "mod")
            .collect();
        let named = |text: &str| -> BTreeSet<String> {
            let code = text.split("#[cfg(test)]").next().unwrap();
            let paths = code.split("super::").skip(1).chain(code.split("crate::book::").skip(1));
            let names = paths.map(|path| path.split(|c: char| !c.is_alphanumeric() && c != '_'));
            let names = names.filter_map(|mut names| names.next().map(str::to_owned));
            names.filter(|name| texts.contains_key(name)).collect()
        };
        texts.iter().map(|(name, text)| (name.clone(), named(text))).collect()
    }

    #[test]
    fn files_import_in_no_circle() {
        let mut imports = imports();
        assert!(imports["run"].contains("job"), "{imports:?}");
        while !imports.is_empty() {
            // What imports nothing that is left comes off.
            let lowest: BTreeSet<String> = imports
                .iter()
                .filter(|(_, names)| names.iter().all(|name| !imports.contains_key(name)))
                .map(|(name, _)| name.clone())
                .collect();
            assert!(!lowest.is_empty(), "a circle: {imports:?}");
            imports.retain(|name, _| !lowest.contains(name));
        }
    }
}
