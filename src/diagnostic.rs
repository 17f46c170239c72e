//! The one type of message: level, code, span, text and hint.
//!
//! In: what a floor has to say about somebody's input. Out: a value that the floors above place
//! (`path:line:col`), print with a caret or show under a figure. Invariant: a text starts in lower
//! case, ends without a full stop and names the offending input in backticks.

use std::fmt;

/// How serious a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Worth knowing; never fails a build.
    Note,
    /// The result stands, but something about it breaks a contract or was left out.
    Warning,
    /// There is no result.
    Error,
}

impl Level {
    /// Returns the word that users see.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A range of bytes in the text that a message is about (one key's value, one expression).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// Makes the span `start..end`.
    #[must_use]
    pub const fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }

    /// Returns the smallest span that holds both.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        Self::new(self.start.min(other.start), self.end.max(other.end))
    }

    /// Counts in characters of `text` what this span counts in bytes.
    #[must_use]
    pub fn in_chars(self, text: &str) -> Self {
        let count = |upto: usize| text.char_indices().take_while(|(i, _)| *i < upto).count();
        Self::new(count(self.start), count(self.end))
    }
}

/// A message about some input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How serious it is.
    pub level: Level,
    /// A stable kebab-case name, e.g. `contract`; `expect.warning` acknowledges by it.
    pub code: &'static str,
    /// Where in the text, when the message is about a place.
    pub span: Option<Span>,
    /// What is wrong and what was expected.
    pub text: String,
    /// What to type instead.
    pub hint: Option<String>,
}

impl Diagnostic {
    /// Makes an error.
    #[must_use]
    pub fn error(code: &'static str, text: impl Into<String>) -> Self {
        Self::new(Level::Error, code, text)
    }

    /// Makes a warning.
    #[must_use]
    pub fn warning(code: &'static str, text: impl Into<String>) -> Self {
        Self::new(Level::Warning, code, text)
    }

    /// Makes a note.
    #[must_use]
    pub fn note(code: &'static str, text: impl Into<String>) -> Self {
        Self::new(Level::Note, code, text)
    }

    fn new(level: Level, code: &'static str, text: impl Into<String>) -> Self {
        Self { level, code, span: None, text: text.into(), hint: None }
    }

    /// Adds the place.
    #[must_use]
    pub fn at(mut self, span: Span) -> Self {
        self.span = Some(span);
        self
    }

    /// Adds the place unless there is one already.
    #[must_use]
    pub fn or_at(mut self, span: Span) -> Self {
        self.span.get_or_insert(span);
        self
    }

    /// Adds what to type instead.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

impl std::error::Error for Diagnostic {}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)?;
        match &self.hint {
            Some(hint) => write!(f, " ({hint})"),
            None => Ok(()),
        }
    }
}
