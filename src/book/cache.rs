//! The figures of the last run over a book, so that an edit costs what it changes.
//!
//! In: a file, and the orders of a run. Out: figures that are drawn already, and the file for the next
//! run. Invariants: a figure is found only under everything that it was made of, which is the program,
//! the style, the names of the gallery and the order; one that had anything to say is never kept, since
//! it has to say it again; a file that cannot be read or written is no file. What is kept goes into pages
//! as it is, so only files that nobody else can write are read; see `private.rs`.
//!
//! The file has a line for each figure: its key, a blank and JSON.

use super::config::Mode;
use super::gallery::Name;
use super::hex::hex;
use super::job::{Drawn, Form, Job, Outcome};
use super::private::{read_private, touch, write_private};
use mdbook_preprocessor::PreprocessorContext;
use sha2::{Digest, Sha256};
use std::borrow::Cow;
use std::collections::HashMap;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
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

/// How long a file that is being written may take before it counts as left behind.
const WRITING: Duration = Duration::from_secs(60 * 60);

/// The most bytes that all files of a directory may have.
const BOUND: usize = 64 << 20;

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
        let host = form.host;
        let mut hash = Sha256::new_with_prefix(program()?);
        push(&mut hash, &format!("{host:?}"));
        for name in names {
            push(&mut hash, &name.entry.key);
            push(&mut hash, &name.entry.value);
        }
        let text = read_private(file, BOUND).unwrap_or_default();
        Some(Self { file: file.to_owned(), text, seed: hash.finalize().to_vec() })
    }

    /// Returns where each figure stands: its key to its line.
    pub(super) fn lines(&self) -> Lines<'_> {
        let lines = self.text.lines().filter_map(|line| Some((line.split_once(' ')?.0, line)));
        Lines { cache: self, of_key: lines.collect() }
    }

    /// Writes the file with as many of these lines as the bound allows, if there is a new one among them.
    /// Nothing is lost if it cannot be written.
    pub(super) fn write(&self, lines: &[Cow<'_, str>]) {
        let lines = within(lines, BOUND);
        if lines.iter().all(|line| matches!(line, Cow::Borrowed(_))) {
            return touch(&self.file);
        }
        let text: Vec<&str> = lines.into_iter().map(|line| &**line).collect();
        write_private(&self.file, text.join("\n").as_bytes());
        if let Some(dir) = self.file.parent() {
            clean(dir, BOUND);
        }
    }
}

/// Returns the lines that fit into a file of `bound` bytes, those of the first figures before others.
fn within<'l, 't>(lines: &'l [Cow<'t, str>], bound: usize) -> Vec<&'l Cow<'t, str>> {
    let mut total = 0_usize;
    let fits = |line: &&Cow<'_, str>| {
        let with = total.saturating_add(line.len()).saturating_add(1);
        let fits = with <= bound;
        total = if fits { with } else { total };
        fits
    };
    lines.iter().filter(fits).collect()
}

/// Returns the hash of the program's bytes: another program may have the version, the length and the time
/// of this one, as builds that can be repeated have.
fn program() -> Option<&'static [u8]> {
    static HASH: OnceLock<Option<Vec<u8>>> = OnceLock::new();
    let hash = || {
        let mut file = File::open(std::env::current_exe().ok()?).ok()?;
        let mut hash = Sha256::new();
        let mut buffer = vec![0; 1 << 18];
        loop {
            match file.read(&mut buffer).ok()? {
                0 => return Some(hash.finalize().to_vec()),
                read => hash.update(buffer.get(..read)?),
            }
        }
    };
    HASH.get_or_init(hash).as_deref()
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

/// Removes the files of books that were not built for long, files that killed runs left behind, and the
/// oldest files as long as all of them have more than `bound` bytes.
fn clean(dir: &Path, bound: usize) {
    let now = SystemTime::now();
    let mut kept = Vec::new();
    for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
        let path = entry.path();
        let Some(life) = life(&path) else { continue };
        let Ok(data) = entry.metadata() else { continue };
        let Ok(time) = data.modified() else { continue };
        if !data.is_file() {
            continue;
        }
        if now.duration_since(time).is_ok_and(|age| age > life) {
            let _ = fs::remove_file(path);
        } else {
            kept.push((time, data.len(), path));
        }
    }
    kept.sort();
    let mut total = 0_u64;
    let bound = u64::try_from(bound).unwrap_or(u64::MAX);
    for (_, length, path) in kept.into_iter().rev() {
        total = total.saturating_add(length);
        if total > bound {
            let _ = fs::remove_file(path);
        }
    }
}

/// Returns how old a file may become; none if it is not one of ours. Earlier versions ended the names of
/// files that they were writing in the number of the process.
fn life(path: &Path) -> Option<Duration> {
    let name = path.file_name()?.to_str()?;
    let (stem, end) = name.split_once('.')?;
    if stem.len() != 16 || !stem.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let partial = end.ends_with(".part") || end.bytes().all(|byte| byte.is_ascii_digit());
    match end {
        EXTENSION => Some(KEPT),
        _ => partial.then_some(WRITING),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(dir: &Path, name: &str, length: usize, age: u64) {
        let mut file = File::create_new(dir.join(name)).unwrap();
        std::io::Write::write_all(&mut file, &vec![b'x'; length]).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(age)).unwrap();
    }

    /// The files of killed runs stayed for ever, and nothing bounded the whole: 1,500 figures had 337 MB.
    #[test]
    fn what_is_left_behind_or_too_much_goes() {
        let dir = tempfile::tempdir().unwrap();
        let hour = 60 * 60;
        for (name, length, age) in [
            ("0123456789abcdef.figures", 60, 10),
            ("1123456789abcdef.figures", 30, 20),
            ("2123456789abcdef.figures", 30, 30),
            ("3123456789abcdef.figures", 1, 31 * 24 * hour),
            ("4123456789abcdef.4711", 1, 2 * hour),
            ("5123456789abcdef.0f.part", 1, 2 * hour),
            ("6123456789abcdef.0f.part", 1, 5),
            ("notes.4711", 500, 90 * 24 * hour),
        ] {
            write(dir.path(), name, length, age);
        }
        clean(dir.path(), 100);
        let names = fs::read_dir(dir.path()).unwrap();
        let mut names: Vec<_> =
            names.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        assert_eq!(
            names,
            [
                "0123456789abcdef.figures",
                "1123456789abcdef.figures",
                "6123456789abcdef.0f.part",
                "notes.4711"
            ]
        );
    }

    #[test]
    fn a_file_has_as_many_lines_as_fit() {
        let lines = ["aaaa", "bbbbbbbb", "cc"].map(Cow::Borrowed);
        let kept: Vec<&str> = within(&lines, 8).into_iter().map(|line| &**line).collect();
        assert_eq!(kept, ["aaaa", "cc"]);
    }
}
