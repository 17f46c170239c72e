//! What the algebra refuses, and why.
//!
//! In: the operands of an operation that has no answer. Out: one value whose text names the broken
//! rule and the numbers. It carries no span: the notation knows where each operand was written.

use std::fmt;

/// Shorthand for results of this floor.
pub type Result<T> = std::result::Result<T, Error>;

/// A refusal of the algebra.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// A number left the range of 64-bit arithmetic.
    Overflow {
        /// What was being computed.
        what: &'static str,
    },
    /// Operands whose nesting or rank do not fit each other.
    Mismatch {
        /// The whole sentence.
        text: String,
    },
    /// A rule of CuTe's that the operands break (divisibility, injectivity, positivity).
    Rule {
        /// The rule's kebab-case name.
        rule: &'static str,
        /// The whole sentence, with the numbers.
        text: String,
        /// What to try instead.
        hint: Option<String>,
    },
    /// The operation is not defined on this kind of operand.
    Undefined {
        /// The whole sentence.
        text: String,
    },
}

impl Error {
    pub(crate) fn overflow(what: &'static str) -> Self {
        Self::Overflow { what }
    }

    pub(crate) fn mismatch(text: impl Into<String>) -> Self {
        Self::Mismatch { text: text.into() }
    }

    pub(crate) fn rule(rule: &'static str, text: impl Into<String>) -> Self {
        Self::Rule { rule, text: text.into(), hint: None }
    }

    pub(crate) fn undefined(text: impl Into<String>) -> Self {
        Self::Undefined { text: text.into() }
    }

    /// Returns a stable kebab-case name of the kind of refusal.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Overflow { .. } => "overflow",
            Self::Mismatch { .. } => "mismatch",
            Self::Rule { rule, .. } => rule,
            Self::Undefined { .. } => "undefined",
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Overflow { what } => write!(f, "{what} does not fit into 64 bits"),
            Self::Mismatch { text } | Self::Rule { text, .. } | Self::Undefined { text } => {
                f.write_str(text)
            }
        }
    }
}

impl std::error::Error for Error {}

impl From<Error> for crate::diagnostic::Diagnostic {
    fn from(error: Error) -> Self {
        let diagnostic = Self::error(error.code(), error.to_string());
        match error {
            Error::Rule { hint: Some(hint), .. } => diagnostic.hint(hint),
            _ => diagnostic,
        }
    }
}
