//! Elements that close themselves.
//!
//! In: names, attributes and content, in the order of the text. Out: markup appended to a string.
//! Invariants, kept by the types: attributes come before content, every element is closed exactly
//! once, and the innermost one first, since an open element borrows the string. Loops over cells
//! append to the string inside an element, which costs nothing per cell. What every element needs is
//! inlined, so that names and literals are stored as constants: a small figure has a hundred of them.

use super::markup::{push_attr, push_int_attr, push_prose, push_text};
use std::ops::{Deref, DerefMut};

/// A start tag that takes attributes. Dropped as it is, the element has no content: `<path/>`.
#[derive(Debug)]
pub(crate) struct Tag<'a> {
    out: &'a mut String,
    name: &'static str,
    /// Where the element starts.
    start: usize,
    end: End,
}

/// How an element ends.
#[derive(Clone, Copy, Debug)]
enum End {
    /// With its start tag: `/>`.
    Slash,
    /// With an end tag.
    Tag,
    /// It is removed.
    Removed,
}

impl<'a> Tag<'a> {
    /// Opens an element at the end of `out`.
    #[inline(always)]
    pub(crate) fn open(out: &'a mut String, name: &'static str) -> Self {
        let start = out.len();
        out.push('<');
        out.push_str(name);
        Self { out, name, start, end: End::Slash }
    }

    /// Adds an attribute whose value is a literal of ours, which needs no escaping.
    #[inline(always)]
    pub(crate) fn set(self, name: &'static str, value: &'static str) -> Self {
        self.value(name, |out| out.push_str(value))
    }

    /// Adds an attribute; its value is escaped.
    pub(crate) fn attr(self, name: &str, value: &str) -> Self {
        push_attr(self.out, name, value);
        self
    }

    /// Adds an attribute of one number.
    #[inline(always)]
    pub(crate) fn int(self, name: &str, value: i64) -> Self {
        push_int_attr(self.out, name, value);
        self
    }

    /// Adds an attribute whose value `write` appends; it must not contain a double quote.
    #[inline(always)]
    pub(crate) fn value(self, name: &str, write: impl FnOnce(&mut String)) -> Self {
        self.raw(|out| {
            out.push(' ');
            out.push_str(name);
            out.push_str("=\"");
            write(out);
            out.push('"');
        })
    }

    /// Lets `write` append attributes in text, each after a blank.
    #[inline(always)]
    pub(crate) fn raw(self, write: impl FnOnce(&mut String)) -> Self {
        write(self.out);
        self
    }

    /// Ends the start tag. The element has an end tag, even if it stays empty: HTML requires it.
    #[inline(always)]
    pub(crate) fn content(mut self) -> Element<'a> {
        self.out.push('>');
        self.end = End::Tag;
        Element(self)
    }

    /// Writes an element of text.
    #[inline(always)]
    pub(crate) fn text(self, text: &str) {
        push_text(&mut self.content(), text);
    }

    /// Writes an element of prose, in which backticks make code.
    pub(crate) fn prose(self, text: &str) {
        push_prose(&mut self.content(), text);
    }

    /// Opens the last attribute for as much text as is appended to the result; without any, the
    /// whole element is removed.
    #[inline(always)]
    pub(crate) fn data(self, name: &str) -> Filling<'a> {
        self.out.push(' ');
        self.out.push_str(name);
        self.out.push_str("=\"");
        let from = self.out.len();
        Filling { tag: self, from, end: "\"" }
    }

    /// Ends the start tag for as much content as is appended to the result; without any, the whole
    /// element is removed.
    pub(crate) fn filling(mut self) -> Filling<'a> {
        self.out.push('>');
        self.end = End::Tag;
        let from = self.out.len();
        Filling { tag: self, from, end: "" }
    }
}

impl Drop for Tag<'_> {
    #[inline(always)]
    fn drop(&mut self) {
        match self.end {
            End::Slash => self.out.push_str("/>"),
            End::Tag => {
                self.out.push_str("</");
                self.out.push_str(self.name);
                self.out.push('>');
            }
            End::Removed => self.out.truncate(self.start),
        }
    }
}

/// An element whose content is being written.
#[derive(Debug)]
pub(crate) struct Element<'a>(Tag<'a>);

impl Deref for Element<'_> {
    type Target = String;

    fn deref(&self) -> &String {
        self.0.out
    }
}

impl DerefMut for Element<'_> {
    fn deref_mut(&mut self) -> &mut String {
        self.0.out
    }
}

/// The last attribute or the content of an element that exists only if there is any.
#[derive(Debug)]
pub(crate) struct Filling<'a> {
    tag: Tag<'a>,
    /// Where the text starts.
    from: usize,
    /// What stands between the text and the end of the element.
    end: &'static str,
}

impl Deref for Filling<'_> {
    type Target = String;

    fn deref(&self) -> &String {
        self.tag.out
    }
}

impl DerefMut for Filling<'_> {
    fn deref_mut(&mut self) -> &mut String {
        self.tag.out
    }
}

impl Drop for Filling<'_> {
    #[inline(always)]
    fn drop(&mut self) {
        if self.tag.out.len() == self.from {
            self.tag.end = End::Removed;
        } else {
            self.tag.out.push_str(self.end);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(write: impl FnOnce(&mut String)) -> String {
        let mut out = "before ".to_owned();
        write(&mut out);
        out.strip_prefix("before ").unwrap().to_owned()
    }

    #[test]
    fn elements_close_innermost_first() {
        let text = written(|out| {
            let mut svg =
                Tag::open(out, "svg").attr("aria-label", "a<b").int("width", -3).content();
            {
                let mut group = Tag::open(&mut svg, "g").content();
                Tag::open(&mut group, "path").value("d", |out| out.push_str("M0 0"));
                Tag::open(&mut group, "text").text("\"x\"");
            }
            Tag::open(&mut svg, "p").prose("a `b`");
            Tag::open(&mut svg, "i").content();
        });
        let svg = "<svg aria-label=\"a&lt;b\" width=\"-3\">";
        let group = "<g><path d=\"M0 0\"/><text>&quot;x&quot;</text></g>";
        assert_eq!(text, format!("{svg}{group}<p>a <code>b</code></p><i></i></svg>"));
    }

    #[test]
    fn what_stays_empty_is_removed() {
        for (content, path, group) in
            [("", "", ""), ("h3", "<path fill=\"red\" d=\"h3\"/>", "<g id=\"a\">h3</g>")]
        {
            let fill = |filling: Filling<'_>| {
                let mut filling = filling;
                filling.push_str(content);
            };
            assert_eq!(
                written(|out| fill(Tag::open(out, "path").attr("fill", "red").data("d"))),
                path
            );
            assert_eq!(written(|out| fill(Tag::open(out, "g").attr("id", "a").filling())), group);
        }
    }
}
