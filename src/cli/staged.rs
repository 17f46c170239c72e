//! Files that are written whole or not at all.
//!
//! In: a path and what the file is to hold. Out: a file beside it, which takes its place once everything
//! that belongs together is staged. Invariants: nothing is left behind if that never happens, and a link
//! that leads nowhere is not followed.

use anyhow::{Context, Result, bail};
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

/// A file that is written but not yet in its place.
#[derive(Debug)]
pub(super) struct Staged {
    part: PathBuf,
    target: PathBuf,
}

impl Staged {
    /// Writes a file beside the one that it will replace.
    pub(super) fn write(path: &Path, content: &str) -> Result<Self> {
        let fail = || format!("cannot write `{}`", path.display());
        let target = target(path)?;
        let old = fs::metadata(&target).ok().map(|data| data.permissions());
        if old.as_ref().is_some_and(fs::Permissions::readonly) {
            bail!("{}: it is read-only", fail());
        }
        let name = target.file_name().unwrap_or_default().to_string_lossy();
        let part = target.with_file_name(format!(".{name}.{}.part", std::process::id()));
        // A file that is there already is none of ours.
        let mut file = File::create_new(&part).with_context(fail)?;
        let staged = Self { part, target };
        file.write_all(content.as_bytes()).with_context(fail)?;
        if let Some(old) = old {
            file.set_permissions(old).with_context(fail)?;
        }
        Ok(staged)
    }

    /// Puts the file in its place.
    pub(super) fn commit(self) -> Result<()> {
        fs::rename(&self.part, &self.target)
            .with_context(|| format!("cannot write `{}`", self.target.display()))
    }
}

impl Drop for Staged {
    fn drop(&mut self) {
        // After `commit` there is none.
        let _ = fs::remove_file(&self.part);
    }
}

/// Returns the file that a path means: of a link what it leads to.
fn target(path: &Path) -> Result<PathBuf> {
    if fs::symlink_metadata(path).is_ok_and(|data| data.is_symlink()) {
        return match fs::canonicalize(path) {
            Ok(target) => Ok(target),
            Err(_) => bail!("`{}` is a link that leads nowhere; remove it first", path.display()),
        };
    }
    Ok(path.to_owned())
}
