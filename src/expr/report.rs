//! Results as text and as JSON.
//!
//! In: an expression's text and what came of it. Out: the object that `eval --json` prints, the
//! lines that `eval` prints, and a message with a caret under its place. Invariant: pure; the same
//! input gives the same bytes.

use super::scope::Evaluated;
use super::value::{Entry, Value};
use crate::cute::{AnyLayout, IntTuple, Stride, StrideLeaf, Tensor, Tree};
use crate::diagnostic::{Diagnostic, Level, Span};
use annotate_snippets::{AnnotationKind, Group, Renderer, Snippet};
use serde_json::{Map, Value as Json, json};

/// How many values `eval` gives unless it is told otherwise.
pub const DEFAULT_VALUES: usize = 512;

/// Returns the JSON object of an expression's result: its fields by kind, at most `limit` values.
#[must_use]
pub fn object(text: &str, result: &Result<Evaluated, Diagnostic>, limit: usize) -> Json {
    let mut out = Map::new();
    out.insert("expr".to_owned(), text.into());
    match result {
        Ok(evaluated) => {
            describe(&evaluated.value, limit, &mut out);
            if let Some(bits) = evaluated.element_bits {
                out.insert("element-bits".to_owned(), bits.into());
            }
            if let Some(swizzle) = evaluated.value.byte_swizzle() {
                out.insert("byte-swizzle".to_owned(), swizzle.to_string().into());
            }
            let of = |level| {
                let messages = evaluated.messages.iter();
                Json::Array(
                    messages.filter(|m| m.level == level).map(|m| message(m, text)).collect(),
                )
            };
            out.insert("warnings".to_owned(), of(Level::Warning));
            let notes = of(Level::Note);
            if notes != json!([]) {
                out.insert("notes".to_owned(), notes);
            }
        }
        Err(error) => {
            out.insert("error".to_owned(), error.text.clone().into());
            out.insert("code".to_owned(), error.code.into());
            if let Some(hint) = &error.hint {
                out.insert("hint".to_owned(), hint.clone().into());
            }
            let span = error.span.unwrap_or(Span::new(0, text.len())).in_chars(text);
            out.insert("span".to_owned(), json!([span.start, span.end]));
        }
    }
    Json::Object(out)
}

fn message(message: &Diagnostic, text: &str) -> Json {
    let mut out = Map::new();
    out.insert("level".to_owned(), message.level.as_str().into());
    out.insert("code".to_owned(), message.code.into());
    out.insert("text".to_owned(), message.text.clone().into());
    if let Some(hint) = &message.hint {
        out.insert("hint".to_owned(), hint.clone().into());
    }
    if let Some(span) = message.span {
        let span = span.in_chars(text);
        out.insert("span".to_owned(), json!([span.start, span.end]));
    }
    Json::Object(out)
}

fn describe(value: &Value, limit: usize, out: &mut Map<String, Json>) {
    out.insert("kind".to_owned(), value.kind().into());
    out.insert("result".to_owned(), value.to_string().into());
    match value {
        Value::Tuple(tree) => {
            out.insert("value".to_owned(), entries(tree));
        }
        Value::Bool(yes) => {
            out.insert("value".to_owned(), (*yes).into());
        }
        Value::None => {
            out.insert("value".to_owned(), Json::Null);
        }
        Value::Text(text) => {
            out.insert("value".to_owned(), text.clone().into());
        }
        Value::Swizzle(_) | Value::Tiler(_) => {}
        Value::Layout(layout) => describe_layout(layout, None, limit, out),
        Value::Tensor(Tensor { offset, layout }) => {
            out.insert("offset".to_owned(), ints(offset));
            out.insert("layout".to_owned(), layout.to_string().into());
            describe_layout(layout, Some(offset), limit, out);
        }
        Value::Items(rows) if rows.iter().any(|row| matches!(row, Value::Record(_))) => {
            out.insert("value".to_owned(), bare(value));
        }
        Value::Items(items) => {
            let items = items.iter().map(|item| {
                let mut object = Map::new();
                describe(item, limit, &mut object);
                Json::Object(object)
            });
            out.insert("items".to_owned(), items.collect());
        }
        Value::Record(_) => {
            out.insert("value".to_owned(), bare(value));
        }
    }
}

/// Writes numbers, lists and records as they are; anything else in its printed form.
fn bare(value: &Value) -> Json {
    match value {
        Value::Tuple(tree) => entries(tree),
        Value::Bool(yes) => (*yes).into(),
        Value::None => Json::Null,
        Value::Items(items) => items.iter().map(bare).collect(),
        Value::Record(fields) => {
            let fields = fields.iter().map(|(name, value)| ((*name).to_owned(), bare(value)));
            Json::Object(fields.collect())
        }
        _ => value.to_string().into(),
    }
}

fn describe_layout(
    layout: &AnyLayout,
    offset: Option<&IntTuple>,
    limit: usize,
    out: &mut Map<String, Json>,
) {
    out.insert("shape".to_owned(), ints(layout.shape()));
    if let AnyLayout::Plain(layout) = layout {
        out.insert("stride".to_owned(), strides(layout.stride()));
    }
    out.insert("rank".to_owned(), layout.rank().into());
    out.insert("depth".to_owned(), layout.depth().into());
    out.insert("size".to_owned(), layout.size().into());
    if let Ok(cosize) = layout.cosize() {
        out.insert("cosize".to_owned(), cosize.into());
    }
    if let Ok(values) = values(layout, offset, limit) {
        out.insert("values".to_owned(), values);
    }
}

fn values(
    layout: &AnyLayout,
    offset: Option<&IntTuple>,
    limit: usize,
) -> crate::cute::Result<Json> {
    let value = |value: crate::cute::Result<IntTuple>| match offset {
        None => Ok(ints(&value?)),
        Some(offset) => Ok(ints(&offset.add(&value?)?)),
    };
    layout.values()?.take(limit).map(value).collect()
}

fn nested<T>(tree: &Tree<T>, leaf: &impl Fn(&T) -> Json) -> Json {
    match tree {
        Tree::Leaf(value) => leaf(value),
        Tree::Tuple(modes) => modes.iter().map(|mode| nested(mode, leaf)).collect(),
    }
}

/// Writes a tuple of integers as a number or nested arrays.
#[must_use]
pub fn ints(tuple: &IntTuple) -> Json {
    nested(tuple, &|&value| value.into())
}

/// Writes strides as numbers, and bases as texts, in nested arrays.
#[must_use]
pub fn strides(stride: &Stride) -> Json {
    nested(stride, &|leaf| match leaf {
        StrideLeaf::Int(value) => (*value).into(),
        StrideLeaf::Basis { .. } => leaf.to_string().into(),
    })
}

fn entries(tree: &Tree<Entry>) -> Json {
    nested(tree, &|entry| match entry {
        Entry::Int(value) => (*value).into(),
        _ => entry.to_string().into(),
    })
}

/// Writes a message with the text it is about and a caret under its place.
#[must_use]
pub fn caret(message: &Diagnostic, path: &str, text: &str) -> String {
    let level = match message.level {
        Level::Error => annotate_snippets::Level::ERROR,
        Level::Warning => annotate_snippets::Level::WARNING,
        Level::Note => annotate_snippets::Level::NOTE,
    };
    let title = level.primary_title(message.text.as_str()).id(message.code);
    let mut group = Group::with_title(title);
    if let Some(span) = message.span {
        let clamp = |at: usize| {
            (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
        };
        let (start, end) = (clamp(span.start), clamp(span.end));
        let snippet = Snippet::source(text)
            .path(path)
            .annotation(AnnotationKind::Primary.span(start..end.max(start)));
        group = group.element(snippet);
    }
    if let Some(hint) = &message.hint {
        group = group.element(annotate_snippets::Level::HELP.message(hint.as_str()));
    }
    Renderer::plain().render(&[group])
}
