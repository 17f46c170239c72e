//! Data files: rows of `|`-separated columns, and the layouts in them.
//!
//! In: the text of an embedded table. Out: its rows and columns. Invariant: comments start with `#`
//! and a row keeps its line number, so a broken row can be named.

use crate::cute::{Error, Layout, Result, StrideLeaf, Tree};

/// Iterates over the rows of a table as trimmed columns; comments and blank lines are left out.
pub fn rows(text: &str) -> impl Iterator<Item = Vec<&str>> {
    text.lines()
        .filter(|line| !line.starts_with('#') && !line.trim().is_empty())
        .map(|line| line.split('|').map(str::trim).collect())
}

/// Reads a layout of integers, `shape:stride`, as a table or a record prints it.
///
/// # Errors
/// Text that is no such layout; an invalid layout.
pub fn layout(text: &str) -> Result<Layout> {
    let (shape, stride) = text
        .split_once(':')
        .ok_or_else(|| Error::mismatch(format!("`{text}` is no layout: a `:` is missing")))?;
    let stride = int_tuple(stride)?.map(&mut |&n| StrideLeaf::Int(n));
    Layout::new(int_tuple(shape)?, stride)
}

/// Reads a tuple of integers, `(4,(2,8))`.
///
/// # Errors
/// Text that is no such tuple.
pub fn int_tuple(text: &str) -> Result<Tree<i64>> {
    let mut rest = text.trim();
    let tree = take_tuple(&mut rest, text)?;
    if rest.is_empty() { Ok(tree) } else { Err(no_tuple(text)) }
}

fn take_tuple(rest: &mut &str, text: &str) -> Result<Tree<i64>> {
    if let Some(inner) = rest.strip_prefix('(') {
        *rest = inner;
        let mut modes = Vec::new();
        loop {
            modes.push(take_tuple(rest, text)?);
            if let Some(next) = rest.strip_prefix(',') {
                *rest = next;
            } else if let Some(next) = rest.strip_prefix(')') {
                *rest = next;
                return Ok(Tree::Tuple(modes));
            } else {
                return Err(no_tuple(text));
            }
        }
    }
    let end = rest.find(|c: char| !c.is_ascii_digit() && c != '-').unwrap_or(rest.len());
    let (digits, next) = rest.split_at(end);
    *rest = next;
    digits.parse().map(Tree::Leaf).map_err(|_| no_tuple(text))
}

fn no_tuple(text: &str) -> Error {
    Error::mismatch(format!("`{text}` is no tuple of integers"))
}
