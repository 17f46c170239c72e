//! Escaping, and attributes written into one string.
//!
//! In: anybody's text. Out: text that is inert in HTML, SVG and Handlebars, in one line.
//! Invariant: no `<`, `>`, `&`, `"`, `{` or control character of the input reaches the output bare,
//! but in script elements, where only what ends or opens something is set apart.

use crate::figure::model::label::push_int;

/// Appends `text` so that it is text, in element content and in double quotes alike. Braces are
/// escaped because mdBook's chapters pass through Handlebars; a line break becomes a blank because
/// it would end the block of raw HTML.
pub fn push_text(out: &mut String, text: &str) {
    if text.bytes().all(|byte| INERT[usize::from(byte)]) {
        return out.push_str(text);
    }
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '{' => out.push_str("&#123;"),
            '}' => out.push_str("&#125;"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
}

/// How an element shows the lines that it holds.
const SHOWN: &str =
    " style=\"display:block;white-space:pre-wrap;tab-size:999;font-family:monospace\">";

/// Appends an element that shows lines, which `write` writes. For a book it is a script element with line
/// breaks or tabs between the lines: text that a book should neither parse nor index; see
/// [`target`](super::target). Elsewhere scripts may be left out, or the text has to be XML.
pub fn push_lines(out: &mut String, searched: Searched, write: impl FnOnce(&mut LineWriter<'_>)) {
    let tag = match searched {
        Searched::Yes => "div",
        Searched::No => "script",
    };
    out.push('<');
    out.push_str(tag);
    if searched == Searched::No {
        out.push_str(" type=\"text/plain\"");
    }
    out.push_str(SHOWN);
    write(&mut LineWriter { out, searched });
    out.push_str("</");
    out.push_str(tag);
    out.push('>');
}

/// Writes into an element of lines; see [`push_lines`].
pub struct LineWriter<'o> {
    out: &'o mut String,
    searched: Searched,
}

impl LineWriter<'_> {
    /// Appends text to the line.
    pub fn text(&mut self, text: &str) {
        match self.searched {
            Searched::Yes => push_text(self.out, text),
            Searched::No => push_raw(self.out, text),
        }
    }

    /// Starts the next line.
    pub fn next_line(&mut self) {
        self.out.push_str(match self.searched {
            Searched::Yes => "&#10;",
            Searched::No => "\t",
        });
    }

    /// Appends lines with line breaks around them, for a chapter, where a script may have some.
    pub fn source(&mut self, text: &str) {
        self.out.push('\n');
        for line in text.lines() {
            self.text(line);
            self.out.push('\n');
        }
    }

    /// Takes the blanks off the end of the line.
    pub fn trim_end(&mut self) {
        let end = self.out.trim_end_matches(' ').len();
        self.out.truncate(end);
    }
}

/// Whether the search of a book indexes words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Searched {
    /// They are an element of text.
    Yes,
    /// They are a script element of text, which a book neither parses nor indexes. The style sheet
    /// shows it, and the script of the page makes an element of it, with `<code>` for backticks.
    No,
}

/// Appends an element of words: a `tag`, or what [`Searched`] says. The class tells the style sheet
/// that the words are ours, so there must be one.
pub fn push_words(out: &mut String, searched: Searched, tag: &str, class: &str, text: &str) {
    let tag = match searched {
        Searched::Yes => tag,
        Searched::No => "script",
    };
    out.push('<');
    out.push_str(tag);
    push_attr(out, "class", class);
    match searched {
        Searched::Yes => {
            out.push('>');
            push_prose(out, text);
        }
        Searched::No => {
            out.push_str(" type=\"text/plain\">");
            push_raw(out, text);
        }
    }
    out.push_str("</");
    out.push_str(tag);
    out.push('>');
}

/// Appends text of a script element, where references mean nothing: what could end the element or
/// open a comment, or a template, is set apart by a blank.
pub fn push_raw(out: &mut String, text: &str) {
    let mut before = ' ';
    for c in text.chars() {
        if matches!((before, c), ('<', '/' | '!') | ('{', '{')) {
            out.push(' ');
        }
        out.push(if c.is_control() { ' ' } else { c });
        before = c;
    }
}

/// The bytes that are written as they are; a table, since most text is nothing else.
static INERT: [bool; 256] = {
    let mut inert = [false; 256];
    let mut byte = 32_u8;
    while byte < 127 {
        inert[byte as usize] = !matches!(byte, b'<' | b'>' | b'&' | b'"' | b'\'' | b'{' | b'}');
        byte += 1;
    }
    inert
};

/// Appends a sentence: what stands between backticks becomes `<code>`, a lone backtick stays.
pub fn push_prose(out: &mut String, text: &str) {
    let mut rest = text;
    while let Some((before, (code, after))) =
        rest.split_once('`').and_then(|(before, rest)| Some((before, rest.split_once('`')?)))
    {
        push_text(out, before);
        out.push_str("<code>");
        push_text(out, code);
        out.push_str("</code>");
        rest = after;
    }
    push_text(out, rest);
}

/// Returns a sentence for a place that has one face of letters only: without its backticks.
#[must_use]
pub fn plain(text: &str) -> String {
    text.replace('`', "")
}

/// Returns `text` escaped; see [`push_text`].
#[must_use]
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    push_text(&mut out, text);
    out
}

/// Returns `text` escaped for an element that keeps its lines, as `<pre>` does: line ends and tabs
/// become references, so that the markup stays one line.
#[must_use]
pub fn escaped_lines(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (number, line) in text.split('\n').enumerate() {
        if number > 0 {
            out.push_str("&#10;");
        }
        let line = line.strip_suffix('\r').unwrap_or(line);
        for (number, part) in line.split('\t').enumerate() {
            if number > 0 {
                out.push_str("&#9;");
            }
            push_text(&mut out, part);
        }
    }
    out
}

/// Appends ` name="value"` with the value escaped.
pub fn push_attr(out: &mut String, name: &str, value: &str) {
    out.push(' ');
    out.push_str(name);
    out.push_str("=\"");
    push_text(out, value);
    out.push('"');
}

/// Appends ` name="value"`.
pub fn push_int_attr(out: &mut String, name: &str, value: i64) {
    out.push(' ');
    out.push_str(name);
    out.push_str("=\"");
    push_int(out, value);
    out.push('"');
}

/// Appends `value` with at most two decimals and no trailing zeros.
pub fn push_decimal(out: &mut String, value: f64) {
    // Rounded to hundredths; pictures are far below 2^53 of them.
    let rounded = (value * 100.0).round() / 100.0;
    let text = format!("{rounded}");
    out.push_str(if text == "-0" { "0" } else { &text });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_text_is_inert() {
        assert_eq!(
            escaped("</svg><script>{{x}}\n\"'&"),
            "&lt;/svg&gt;&lt;script&gt;&#123;&#123;x&#125;&#125; &quot;&#39;&amp;"
        );
    }

    #[test]
    fn lines_stay_lines_in_one_line_of_markup() {
        assert_eq!(escaped_lines("<a>\r\n\tb\u{0}\n"), "&lt;a&gt;&#10;&#9;b &#10;");
    }

    #[test]
    fn backticks_are_code() {
        let prose = |text| {
            let mut out = String::new();
            push_prose(&mut out, text);
            out
        };
        assert_eq!(prose("`a<b` and `{}`!"), "<code>a&lt;b</code> and <code>&#123;&#125;</code>!");
        assert_eq!(prose("one ` alone"), "one ` alone");
        assert_eq!(plain("`a<b` and b"), "a<b and b");
    }

    #[test]
    fn decimals_are_short() {
        let mut out = String::new();
        for value in [1.0, 0.333, -0.001, 12.5] {
            push_decimal(&mut out, value);
            out.push(' ');
        }
        assert_eq!(out, "1 0.33 0 12.5 ");
    }
}
