//! Files that nobody but the user can write.
//!
//! In: a path. Out: what the file holds, or the file written whole. Invariants: a file or a directory of
//! somebody else, or one that others may write, is neither read nor written; only plain files are opened,
//! since a pipe would never end; no link is followed to a file. Where the system has no owners, the kind
//! of file is all that is looked at, and the user's own directory is what keeps others out.

use std::collections::hash_map::RandomState;
use std::fs::{self, DirBuilder, File, Metadata, OpenOptions};
use std::hash::{BuildHasher, Hasher};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Reads a file of at most `bound` bytes; nothing if it is larger, no text, or open to others.
pub(super) fn read_private(file: &Path, bound: usize) -> Option<String> {
    let data = fs::symlink_metadata(file).ok()?;
    let small = usize::try_from(data.len()).is_ok_and(|length| length <= bound);
    if !data.is_file() || !small || !is_private(file.parent()?, &data) {
        return None;
    }
    fs::read_to_string(file).ok()
}

/// Writes a file whole or not at all: two programs may write it at once. Directories that are missing are
/// made for the user alone.
pub(super) fn write_private(file: &Path, content: &[u8]) {
    let Some(dir) = file.parent() else { return };
    if make_dir(dir).is_err() {
        return;
    }
    let part = part_of(file);
    let Ok(mut out) = new_file(&part) else { return };
    let safe = out.metadata().is_ok_and(|data| is_private_to(dir, &data));
    let written = safe && out.write_all(content).is_ok();
    if !written || fs::rename(&part, file).is_err() {
        let _ = fs::remove_file(&part);
    }
}

/// Notes that a file is still in use.
pub(super) fn touch(file: &Path) {
    if fs::symlink_metadata(file).is_ok_and(|data| data.is_file())
        && let Ok(file) = OpenOptions::new().write(true).open(file)
    {
        let _ = file.set_modified(SystemTime::now());
    }
}

/// Returns a name beside a file that nobody can guess.
fn part_of(file: &Path) -> PathBuf {
    let mut random = RandomState::new().build_hasher();
    random.write_u32(std::process::id());
    file.with_extension(format!("{:016x}.part", random.finish()))
}

/// Returns whether a file is the user's own and its directory too. The owner of a new file is the user:
/// there is no other way to find out without unsafe code.
fn is_private(dir: &Path, data: &Metadata) -> bool {
    let probe = part_of(&dir.join("probe"));
    let Ok(own) = new_file(&probe) else { return false };
    let own = own.metadata();
    let _ = fs::remove_file(&probe);
    own.is_ok_and(|own| same_owner(&own, data) && is_private_to(dir, &own))
}

/// Returns whether a directory belongs to the owner of a file, and to nobody else.
fn is_private_to(dir: &Path, own: &Metadata) -> bool {
    fs::metadata(dir).is_ok_and(|dir| dir.is_dir() && same_owner(own, &dir))
}

/// Returns whether the owner of `own` is the only one who may write the other.
#[cfg(unix)]
fn same_owner(own: &Metadata, other: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    own.uid() == other.uid() && other.mode() & 0o022 == 0
}

/// The directory of a user is closed to others; there is no owner to compare.
#[cfg(not(unix))]
fn same_owner(_: &Metadata, _: &Metadata) -> bool {
    true
}

/// Makes a file that is not there yet. No link is followed.
fn new_file(path: &Path) -> std::io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Makes a directory and those above it.
fn make_dir(dir: &Path) -> std::io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(dir)
}
