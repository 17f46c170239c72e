//! Puts figures in the place of their blocks.
//!
//! In: a chapter and what replaces which bytes. Out: the chapter. Invariant: all other bytes stay as
//! they are, and an element takes one line, so that it needs no prefix in any container.

use crate::draw::markup::{escaped, escaped_lines};
use std::ops::Range;

/// Replaces ranges, which stand in order and do not overlap.
#[must_use]
pub fn splice<T: AsRef<str>>(content: &str, edits: &[(Range<usize>, T)]) -> String {
    let added: usize = edits.iter().map(|(_, text)| text.as_ref().len()).sum();
    let mut out = String::with_capacity(content.len() + added);
    let mut end = 0;
    for (range, text) in edits {
        out.push_str(&content[end..range.start]);
        out.push_str(text.as_ref());
        end = range.end;
    }
    out.push_str(&content[end..]);
    out
}

/// Makes an element safe to stand in a chapter: behind a comment, which lets it interrupt a
/// paragraph and end on its own line, without line ends, and without `{{`, which the `links`
/// preprocessor would expand.
#[must_use]
pub fn one_line(mut element: String) -> String {
    // A labelled figure is long and almost never holds either, so nothing is copied to find out.
    if element.contains("{{") {
        element = element.replace("{{", "&#123;&#123;");
    }
    if element.contains('\n') || element.contains('\r') {
        element = element.replace(['\n', '\r'], " ");
    }
    element.insert_str(0, "<!--cute-->");
    element
}

/// Makes the box that stands in place of a figure that is wrong.
#[must_use]
pub fn error_box(id: Option<&str>, messages: &[String], source: &str) -> String {
    let id = id.map(|id| format!(" id=\"{}\"", escaped(id))).unwrap_or_default();
    let messages: String =
        messages.iter().map(|message| format!("<p>{}</p>", escaped(message))).collect();
    one_line(format!(
        "<figure class=\"cute cute-error\"{id} role=\"group\" aria-label=\"a figure that could not be built\" \
         style=\"border:2px solid #c62828;padding:0.5em 1em;margin:1em 0\">{messages}\
         <pre><code class=\"language-cute\">{}</code></pre></figure>",
        escaped_lines(source)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_other_bytes_stay() {
        let edits = [(2..4, "X".to_owned()), (4..5, String::new())];
        assert_eq!(splice("ab\r\n\tc", &edits), "abXc");
        assert_eq!(splice::<&str>("abc", &[]), "abc");
    }

    #[test]
    fn a_box_is_one_line_and_escaped() {
        let message = "a < b {{#title x}}\0\u{1b}\u{9b}".to_owned();
        let html = error_box(Some("x"), &[message], "<script>\n\"\n");
        assert!(html.contains("</p>") && !html.contains(char::is_control), "{html}");
        assert!(!html.contains('\n'));
        assert!(!html.contains("{{") && !html.contains("<script"));
        assert!(html.contains("&lt;script&gt;&#10;&quot;&#10;"));
    }
}
