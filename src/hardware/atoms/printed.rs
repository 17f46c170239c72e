//! Layouts as CuTe prints them, in the cells of tables and in records.
//!
//! In: the text of a layout or a tuple. Out: the value of floor 0. Invariant: blanks inside are not
//! read, since CuTe's printouts and the tables have none.

use crate::cute::{Error, Layout, Path, Result, StrideLeaf, Tree};

/// Reads a layout, `shape:stride`, as a table or a record prints it; strides may be bases (`1@0`).
///
/// # Errors
/// Text that is no such layout; an invalid layout.
pub fn layout(text: &str) -> Result<Layout> {
    let (shape, stride) = text
        .split_once(':')
        .ok_or_else(|| Error::mismatch(format!("invalid layout `{text}`: a `:` is missing")))?;
    Layout::new(int_tuple(shape)?, tuple(stride, &stride_leaf)?)
}

/// Reads a tuple of integers, `(4,(2,8))`.
///
/// # Errors
/// Text that is no such tuple.
pub fn int_tuple(text: &str) -> Result<Tree<i64>> {
    tuple(text, &|leaf| leaf.parse().ok())
}

/// Reads `2@1@0`, the innermost mode first.
fn stride_leaf(text: &str) -> Option<StrideLeaf> {
    let mut parts = text.split('@');
    let value = parts.next()?.parse().ok()?;
    let modes = parts.rev().map(str::parse).collect::<std::result::Result<Vec<usize>, _>>().ok()?;
    match modes.as_slice() {
        [] => Some(StrideLeaf::Int(value)),
        modes => Some(StrideLeaf::Basis { value, path: Path::new(modes).ok()? }),
    }
}

fn tuple<T>(text: &str, leaf: &dyn Fn(&str) -> Option<T>) -> Result<Tree<T>> {
    let mut rest = text.trim();
    let tree = take_tuple(&mut rest, leaf).filter(|_| rest.is_empty());
    tree.ok_or_else(|| Error::mismatch(format!("invalid tuple of numbers `{text}`")))
}

fn take_tuple<T>(rest: &mut &str, leaf: &dyn Fn(&str) -> Option<T>) -> Option<Tree<T>> {
    if let Some(inner) = rest.strip_prefix('(') {
        *rest = inner;
        let mut modes = Vec::new();
        loop {
            modes.push(take_tuple(rest, leaf)?);
            if let Some(next) = rest.strip_prefix(',') {
                *rest = next;
            } else {
                *rest = rest.strip_prefix(')')?;
                return Some(Tree::Tuple(modes));
            }
        }
    }
    let end = rest.find([',', ')']).unwrap_or(rest.len());
    let (digits, next) = rest.split_at(end);
    *rest = next;
    leaf(digits).map(Tree::Leaf)
}
