//! What renderers other than HTML get: an image, or Markdown.
//!
//! In: a figure and its block. Out: Markdown that survives without our style sheet and without raw
//! HTML. Invariant: in any container the text stays in it, and no text of a picture lies loose.

use crate::draw::html::accessible_name;
use crate::draw::svg;
use crate::draw::target::{Labels, Theme};
use crate::figure::Figure;
use std::ops::Range;

/// Makes one Markdown image that holds the whole picture, and the author's caption below it: the
/// readers of many formats never see the text in place of an image.
#[must_use]
pub fn image(
    content: &str,
    range: &Range<usize>,
    figure: &Figure,
    caption: Option<&str>,
) -> String {
    let alt = match figure.panels.first() {
        Some(panel) if figure.title.is_empty() => accessible_name(panel, figure),
        _ => figure.title.clone(),
    };
    let svg = svg::image(figure, Theme::Light, Labels::Auto);
    let mut out =
        format!("![{}](data:image/svg+xml;base64,{})", literal(&alt), base64(svg.as_bytes()));
    if let Some(caption) = caption {
        let prefix = continuation(content, range.start);
        out.push('\n');
        out.push_str(prefix.trim_end());
        out.push('\n');
        out.push_str(&format!("{prefix}*{}*", literal(caption)));
    }
    apart(content, range, &out)
}

/// Repeats the block and puts caption, notes and facts below it. A block that is not `closed` is closed
/// first, or they would be part of it.
#[must_use]
pub fn text(
    content: &str,
    range: &Range<usize>,
    closed: bool,
    figure: &Figure,
    caption: Option<&str>,
) -> String {
    let block = &content[range.clone()];
    let mut lines = Vec::new();
    if let (false, Some(sign)) = (closed, block.chars().next()) {
        lines.push(block.chars().take_while(|c| *c == sign).collect());
    }
    lines.push(String::new());
    let mut paragraph = |text: String| {
        lines.push(text);
        lines.push(String::new());
    };
    paragraph(literal(caption.unwrap_or(&figure.title)));
    for note in &figure.notes {
        paragraph(literal(&format!("{}: {note}", note.level)));
    }
    lines.push("| fact | value |".to_owned());
    lines.push("|---|---|".to_owned());
    for fact in figure.facts.iter() {
        lines.push(format!("| {} | {} |", literal(&fact.label), literal(&fact.text())));
    }
    let prefix = continuation(content, range.start);
    let mut out = block.to_owned();
    for line in lines {
        out.push('\n');
        out.push_str(format!("{prefix}{line}").trim_end());
    }
    if next_line_has_text(content, range.end) {
        out.push('\n');
        out.push_str(prefix.trim_end());
    }
    out
}

/// Puts blank lines around a paragraph where a fence needed none.
fn apart(content: &str, range: &Range<usize>, paragraph: &str) -> String {
    let prefix = continuation(content, range.start);
    let line_start = content[..range.start].rfind('\n').map_or(0, |at| at + 1);
    let own_prefix = &content[line_start..range.start];
    let before = content[..line_start].trim_end_matches(['\n', '\r']);
    let before = before.rsplit('\n').next().unwrap_or_default();
    let has_marker = own_prefix.chars().any(|c| !matches!(c, '>' | ' ' | '\t'));
    let joins = !has_marker && before.chars().any(|c| !matches!(c, '>' | ' ' | '\t'));
    let mut out = String::new();
    if joins {
        out.push('\n');
        out.push_str(&prefix);
    }
    out.push_str(paragraph);
    if next_line_has_text(content, range.end) {
        out.push('\n');
        out.push_str(prefix.trim_end());
    }
    out
}

/// Returns what a further line of the block's container starts with: markers become blanks, the
/// signs of quotes stay.
fn continuation(content: &str, at: usize) -> String {
    let line_start = content[..at].rfind('\n').map_or(0, |at| at + 1);
    content[line_start..at]
        .chars()
        .map(|c| if matches!(c, '>' | ' ' | '\t') { c } else { ' ' })
        .collect()
}

fn next_line_has_text(content: &str, at: usize) -> bool {
    let rest = content[at..].trim_start_matches('\r');
    rest.strip_prefix('\n').is_some_and(|rest| {
        let line = rest.lines().next().unwrap_or_default();
        line.chars().any(|c| !matches!(c, '>' | ' ' | '\t'))
    })
}

/// Escapes text so that Markdown takes it literally, in one line.
pub(super) fn literal(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        // Smart punctuation makes one character of three dots.
        let plain = matches!(c, ',' | ':' | ';' | '/' | '(' | ')' | '%')
            || (c == '.' && !out.ends_with('.'));
        if c.is_ascii_punctuation() && !plain {
            out.push('\\');
        }
        out.push(if c.is_control() { ' ' } else { c });
    }
    // `links` would expand a directive in our text; a backslash between the braces stops it.
    out
}

/// Encodes bytes for a data URI (RFC 4648, section 4).
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let byte = |i: usize| u32::from(chunk.get(i).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for digit in 0..4 {
            let index = usize::from((bits >> (18 - 6 * digit)).to_le_bytes()[0] & 63);
            out.push(if digit <= chunk.len() { char::from(DIGITS[index]) } else { '=' });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_that_of_the_rfc() {
        for (bytes, expected) in
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")]
        {
            assert_eq!(base64(bytes.as_bytes()), expected);
        }
    }

    #[test]
    fn a_paragraph_stands_apart_in_its_container() {
        let content = "> a\n> ~~~cute\n> 4\n> ~~~\n> b\n";
        let range = 6..content.len() - 5;
        assert_eq!(&content[range.clone()], "~~~cute\n> 4\n> ~~~");
        assert_eq!(apart(content, &range, "![](x)"), "\n> ![](x)\n>");
        let content = "- ~~~cute\n  4\n  ~~~\n- b\n";
        assert_eq!(apart(content, &(2..19), "![](x)"), "![](x)\n");
    }

    #[test]
    fn literal_text_has_no_markup() {
        assert_eq!(literal("a|b *c* {{#x}}"), "a\\|b \\*c\\* \\{\\{\\#x\\}\\}");
        assert_eq!(literal("a. b... \\\nc"), "a. b.\\.\\. \\\\ c");
    }
}
