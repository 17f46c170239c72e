//! The figures of the last run over a book, so that an edit costs what it changes.
//!
//! In: a file, and the orders of a run. Out: figures that are drawn already, and the file for the next
//! run. Invariants: a figure is found only under everything that it was made of, which is the program,
//! the style, the names of the gallery and the order; one that had anything to say is never kept, since
//! it has to say it again; a file that cannot be read or written is no file.
//!
//! The file has a line for each figure: its key, a blank and JSON.

use super::config::Mode;
use super::gallery::Name;
use super::hex::hex;
use super::job::{Drawn, Form, Job, Outcome};
use mdbook_preprocessor::PreprocessorContext;
use sha2::{Digest, Sha256};
use std::borrow::Cow;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// The figures of the last run.
pub(super) struct Cache {
    file: PathBuf,
    text: String,
    /// What all figures are made of, hashed together with each order.
    seed: Vec<u8>,
}

/// The end of the names of the files.
const EXTENSION: &str = "figures";

/// How long the file of a book stays that nobody builds any more.
const KEPT: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// Returns the file in `dir` for the figures of a book and a renderer; none if there is no such book.
#[must_use]
pub fn file_of(dir: &Path, context: &PreprocessorContext) -> Option<PathBuf> {
    let mut hash = Sha256::new();
    push(&mut hash, &context.root.canonicalize().ok()?.to_string_lossy());
    push(&mut hash, &context.renderer);
    Some(dir.join(format!("{}.{EXTENSION}", hex(hash.finalize(), 8))))
}

impl Cache {
    /// Reads a file. Only figures of HTML are worth it.
    pub(super) fn read(file: &Path, form: Form, names: &[Name]) -> Option<Self> {
        if form.mode != Mode::Html {
            return None;
        }
        // The same version may be compiled many times while somebody works on it.
        let program = fs::metadata(std::env::current_exe().ok()?).ok()?;
        let (length, time) = (program.len(), program.modified().ok()?);
        let version = env!("CARGO_PKG_VERSION");
        let host = form.host;
        let mut hash = Sha256::new_with_prefix(format!("{version} {length} {time:?} {host:?}"));
        for name in names {
            push(&mut hash, &name.entry.key);
            push(&mut hash, &name.entry.value);
        }
        let text = fs::read_to_string(file).unwrap_or_default();
        Some(Self { file: file.to_owned(), text, seed: hash.finalize().to_vec() })
    }

    /// Returns where each figure stands: its key to its line.
    pub(super) fn lines(&self) -> Lines<'_> {
        let lines = self.text.lines().filter_map(|line| Some((line.split_once(' ')?.0, line)));
        Lines { cache: self, of_key: lines.collect() }
    }

    /// Writes the file with these lines if there is a new one among them. Nothing is lost if it cannot
    /// be written.
    pub(super) fn write(&self, lines: &[Cow<'_, str>]) {
        if lines.iter().all(|line| matches!(line, Cow::Borrowed(_))) {
            return;
        }
        let Some(dir) = self.file.parent() else { return };
        // Whole or not at all: two programs may build the book at once.
        let part = self.file.with_extension(std::process::id().to_string());
        let written = fs::create_dir_all(dir)
            .and_then(|()| fs::write(&part, lines.join("\n")))
            .and_then(|()| fs::rename(&part, &self.file));
        if written.is_err() {
            let _ = fs::remove_file(&part);
        }
        forget_old(dir);
    }
}

/// The figures of the last run, by their keys.
pub(super) struct Lines<'c> {
    cache: &'c Cache,
    of_key: HashMap<&'c str, &'c str>,
}

impl<'c> Lines<'c> {
    /// Returns the outcome of a job: from the last run, or by `build`; and its line for the next run.
    pub(super) fn outcome(
        &self,
        job: &Job<'_>,
        build: impl FnOnce() -> Outcome,
    ) -> (Outcome, Option<Cow<'c, str>>) {
        // A block that is badly written has to be reported again; its keys alone may be those of a good one.
        if !job.order.faults.is_empty() {
            return (build(), None);
        }
        let key = self.key(job);
        if let Some((drawn, line)) = self.find(&key) {
            return (Ok(drawn), Some(line));
        }
        let outcome = build();
        let quiet = outcome.as_ref().ok().filter(|drawn| drawn.warnings.is_empty());
        let line = quiet.and_then(|drawn| line(&key, drawn));
        (outcome, line)
    }

    /// Returns what a figure is found by, in hexadecimal digits.
    fn key(&self, job: &Job<'_>) -> String {
        let mut hash = Sha256::new_with_prefix(&self.cache.seed);
        let spec = &job.order.spec;
        push(&mut hash, spec.kind.as_str());
        hash.update([u8::from(job.is_of_gallery())]);
        for entry in &spec.entries {
            push(&mut hash, &entry.key);
            push(&mut hash, &entry.value);
        }
        hex(hash.finalize(), 16)
    }

    /// Returns a figure that was drawn in the last run, and its line.
    fn find(&self, key: &str) -> Option<(Drawn, Cow<'c, str>)> {
        let line = self.of_key.get(key)?;
        let drawn = serde_json::from_str(line.split_once(' ')?.1).ok()?;
        Some((drawn, Cow::Borrowed(line)))
    }
}

/// Returns the line of a figure that is new.
fn line(key: &str, drawn: &Drawn) -> Option<Cow<'static, str>> {
    let json = serde_json::to_string(drawn).ok()?;
    Some(Cow::Owned(format!("{key} {json}")))
}

/// Adds a text so that it cannot be taken for a part of its neighbours.
fn push(hash: &mut Sha256, text: &str) {
    hash.update(text.len().to_le_bytes());
    hash.update(text);
}

/// Removes the files of books that were not built for long.
fn forget_old(dir: &Path) {
    for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
        let path = entry.path();
        let time = entry.metadata().and_then(|data| data.modified());
        let age = time.ok().and_then(|time| SystemTime::now().duration_since(time).ok());
        if path.extension().is_some_and(|extension| extension == EXTENSION)
            && age.is_some_and(|age| age > KEPT)
        {
            let _ = fs::remove_file(path);
        }
    }
}
