//! Layout text as the recorded facts write it, read without the product's parser.

use mdbook_cute::cute::{IntTuple, Layout, StrideLeaf, Tree};

/// Reads a nested tuple of integers.
pub(crate) fn tuple(text: &str) -> IntTuple {
    let mut rest = text.trim();
    let tree = read(&mut rest);
    assert!(rest.is_empty(), "{text}: {rest}");
    tree
}

fn read(rest: &mut &str) -> IntTuple {
    if let Some(after) = rest.strip_prefix('(') {
        *rest = after;
        let mut modes = Vec::new();
        while !rest.starts_with(')') {
            modes.push(read(rest));
            *rest = rest.strip_prefix(',').unwrap_or(rest);
        }
        *rest = &rest[1..];
        return Tree::Tuple(modes);
    }
    let end = rest.find([',', ')', '(']).unwrap_or(rest.len());
    let (number, after) = rest.split_at(end);
    *rest = after;
    Tree::Leaf(number.trim().parse().unwrap())
}

/// Reads `shape:stride`, or a shape with column-major strides.
pub(crate) fn layout(text: &str) -> Layout {
    match text.split_once(':') {
        Some((shape, stride)) => {
            Layout::new(tuple(shape), tuple(stride).map(&mut |&s| StrideLeaf::Int(s))).unwrap()
        }
        None => Layout::column_major(tuple(text)).unwrap(),
    }
}
