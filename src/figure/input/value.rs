//! The types that the value of a key may have.
//!
//! In: the text of a value. Out: [`Parsed`], read back as what the type promises: a number, a word's
//! meaning, an element type. Invariant: reading never fails, since checking came first.

use crate::brackets::{Quotes, pieces};
use crate::diagnostic::{Diagnostic, Span};
use crate::expr::Evaluated;
use crate::hardware::arch::Arch;
use crate::hardware::dtype::ElementType;
use crate::suggest::nearest;
use std::fmt::Debug;

/// The type of a value.
pub trait ValueType: Copy + Debug + Sync + 'static {
    /// What a kind reads.
    type Out<'k>;

    /// Returns the type for the reference and for readers of blocks.
    fn form(&self) -> Form;

    /// Returns the words that are allowed, where they are known.
    fn words(&self) -> Vec<&'static str> {
        Vec::new()
    }

    /// Returns the value that leaving the key out stands for, where there is one.
    fn default(&self) -> Option<String> {
        None
    }

    /// Checks the value of a key.
    ///
    /// # Errors
    /// A value of another type, or a word that is not in the list.
    fn check(&self, key: &str, value: &str) -> Result<Parsed, Diagnostic>;

    /// Reads what was given, or what leaving it out stands for.
    fn read<'k>(&self, given: Option<Given<'k>>) -> Self::Out<'k>;
}

/// How a value is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// An expression of the notation.
    Expression,
    /// An integer.
    Number,
    /// An integer or a word.
    NumberOrWord,
    /// `yes` or `no`; alone in an info string it means `yes`.
    Flag,
    /// A word of a list.
    Word,
    /// A word that something else looks up.
    Name,
    /// Pieces separated by commas.
    List,
    /// Literal text.
    Text,
}

impl Form {
    /// Returns the name of the type for messages and the reference.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Expression => "expression",
            Self::Number => "number",
            Self::NumberOrWord => "number or word",
            Self::Flag => "yes or no",
            Self::Word => "word",
            Self::Name => "name",
            Self::List => "list",
            Self::Text => "text",
        }
    }
}

/// A value after its type was checked.
#[derive(Clone, Debug, PartialEq)]
pub enum Parsed {
    /// Literal text, or a name.
    Text,
    /// An evaluated expression.
    Expression(Box<Evaluated>),
    /// An integer.
    Number(i64),
    /// Yes or no.
    Flag(bool),
    /// The place of a word in its list.
    Word(usize),
    /// The pieces of a list.
    List(Vec<Item>),
    /// An element type.
    Element(ElementType),
    /// A compilation target.
    Arch(Arch),
}

/// One piece of a list, and where it stands in the value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// The piece without blanks around it.
    pub text: String,
    /// Its bytes in the value.
    pub span: Span,
}

/// A value that was given.
#[derive(Clone, Copy, Debug)]
pub struct Given<'k> {
    /// As written, without blanks around it.
    pub text: &'k str,
    /// As checked.
    pub parsed: &'k Parsed,
}

/// Words and what they stand for.
pub type Words<E> = &'static [(&'static str, E)];

/// An expression. A default is an expression, too.
#[derive(Clone, Copy, Debug)]
pub struct Expression {
    /// What leaving the key out stands for.
    pub default: Option<&'static str>,
}

impl Expression {
    /// An expression without a default.
    pub const ANY: Self = Self { default: None };

    /// An expression with a default.
    #[must_use]
    pub const fn or(default: &'static str) -> Self {
        Self { default: Some(default) }
    }
}

impl ValueType for Expression {
    type Out<'k> = Option<&'k Evaluated>;

    fn form(&self) -> Form {
        Form::Expression
    }

    fn default(&self) -> Option<String> {
        self.default.map(str::to_owned)
    }

    /// Expressions need a scope; the resolver evaluates them.
    fn check(&self, _: &str, _: &str) -> Result<Parsed, Diagnostic> {
        Ok(Parsed::Text)
    }

    fn read<'k>(&self, given: Option<Given<'k>>) -> Self::Out<'k> {
        match given?.parsed {
            Parsed::Expression(evaluated) => Some(evaluated),
            _ => None,
        }
    }
}

/// An integer within bounds.
#[derive(Clone, Copy, Debug)]
pub struct Number {
    /// The least that makes sense.
    pub least: i64,
}

impl Number {
    /// Any integer.
    pub const ANY: Self = Self { least: i64::MIN };
    /// An integer that is not negative.
    pub const FROM_0: Self = Self { least: 0 };
    /// A positive integer.
    pub const FROM_1: Self = Self { least: 1 };

    fn parse(self, key: &str, value: &str) -> Result<i64, Diagnostic> {
        let number = value.trim().parse().map_err(|_| {
            let text = format!("`{key}` is a number, not `{}`", value.trim());
            Diagnostic::error("bad-value", text)
        })?;
        if number < self.least {
            let text = format!("`{key}` must be at least {}, not {number}", self.least);
            return Err(Diagnostic::error("bad-value", text));
        }
        Ok(number)
    }
}

impl ValueType for Number {
    type Out<'k> = Option<i64>;

    fn form(&self) -> Form {
        Form::Number
    }

    fn check(&self, key: &str, value: &str) -> Result<Parsed, Diagnostic> {
        self.parse(key, value).map(Parsed::Number)
    }

    fn read<'k>(&self, given: Option<Given<'k>>) -> Self::Out<'k> {
        match given?.parsed {
            Parsed::Number(number) => Some(*number),
            _ => None,
        }
    }
}

/// An integer with a default.
#[derive(Clone, Copy, Debug)]
pub struct NumberOr {
    /// What leaving the key out stands for.
    pub default: i64,
    /// The bounds of what may be given.
    pub bounds: Number,
}

impl ValueType for NumberOr {
    type Out<'k> = i64;

    fn form(&self) -> Form {
        Form::Number
    }

    fn default(&self) -> Option<String> {
        Some(self.default.to_string())
    }

    fn check(&self, key: &str, value: &str) -> Result<Parsed, Diagnostic> {
        self.bounds.check(key, value)
    }

    fn read<'k>(&self, given: Option<Given<'k>>) -> Self::Out<'k> {
        self.bounds.read(given).unwrap_or(self.default)
    }
}

/// An integer, or one of the words; the first word is the default if there is one.
#[derive(Clone, Copy, Debug)]
pub struct NumberOrWord<E: 'static> {
    /// The words.
    pub words: Words<E>,
    /// What leaving the key out stands for.
    pub default: Option<i64>,
}

/// What a key holds that takes a number or a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Either<E> {
    /// A number.
    Number(i64),
    /// What a word stands for.
    Word(E),
}

impl<E: Copy + Debug + Sync + 'static> ValueType for NumberOrWord<E> {
    type Out<'k> = Option<Either<E>>;

    fn form(&self) -> Form {
        Form::NumberOrWord
    }

    fn words(&self) -> Vec<&'static str> {
        names(self.words)
    }

    fn default(&self) -> Option<String> {
        self.default.map(|number| number.to_string())
    }

    fn check(&self, key: &str, value: &str) -> Result<Parsed, Diagnostic> {
        match place(self.words, value) {
            Some(at) => Ok(Parsed::Word(at)),
            None => Number::ANY
                .check(key, value)
                .map_err(|error| error.hint(format!("or one of {}", names(self.words).join(", ")))),
        }
    }

    fn read<'k>(&self, given: Option<Given<'k>>) -> Self::Out<'k> {
        match given.map(|given| given.parsed) {
            Some(Parsed::Number(number)) => Some(Either::Number(*number)),
            Some(Parsed::Word(at)) => self.words.get(*at).map(|(_, word)| Either::Word(*word)),
            _ => self.default.map(Either::Number),
        }
    }
}

/// Yes or no; no is the default.
#[derive(Clone, Copy, Debug)]
pub struct Flag;

impl ValueType for Flag {
    type Out<'k> = bool;

    fn form(&self) -> Form {
        Form::Flag
    }

    fn words(&self) -> Vec<&'static str> {
        vec!["yes", "no", "true", "false"]
    }

    fn default(&self) -> Option<String> {
        Some("no".to_owned())
    }

    fn check(&self, key: &str, value: &str) -> Result<Parsed, Diagnostic> {
        let given = value.trim();
        match given.to_ascii_lowercase().as_str() {
            "yes" | "true" => Ok(Parsed::Flag(true)),
            "no" | "false" => Ok(Parsed::Flag(false)),
            _ => {
                let text = format!("`{key}` is yes or no, not `{given}`");
                Err(Diagnostic::error("bad-value", text))
            }
        }
    }

    fn read<'k>(&self, given: Option<Given<'k>>) -> Self::Out<'k> {
        matches!(given, Some(Given { parsed: Parsed::Flag(true), .. }))
    }
}

/// One of a list of words; the first is the default.
#[derive(Clone, Copy, Debug)]
pub struct Choice<E: 'static> {
    words: Words<E>,
    default: E,
}

impl<E: Copy> Choice<E> {
    /// Takes the words, of which there is at least one.
    #[must_use]
    pub const fn of(words: Words<E>) -> Self {
        // Evaluated at compile time: an empty list does not build.
        Self { words, default: words[0].1 }
    }
}

impl<E: Copy + Debug + Sync + 'static> ValueType for Choice<E> {
    type Out<'k> = E;

    fn form(&self) -> Form {
        Form::Word
    }

    fn words(&self) -> Vec<&'static str> {
        names(self.words)
    }

    fn default(&self) -> Option<String> {
        self.words.first().map(|(word, _)| (*word).to_owned())
    }

    fn check(&self, key: &str, value: &str) -> Result<Parsed, Diagnostic> {
        word(key, value, self.words).map(Parsed::Word)
    }

    fn read<'k>(&self, given: Option<Given<'k>>) -> Self::Out<'k> {
        meaning(self.words, given).unwrap_or(self.default)
    }
}

/// One of a list of words, or nothing.
#[derive(Clone, Copy, Debug)]
pub struct Word<E: 'static>(pub Words<E>);

impl<E: Copy + Debug + Sync + 'static> ValueType for Word<E> {
    type Out<'k> = Option<E>;

    fn form(&self) -> Form {
        Form::Word
    }

    fn words(&self) -> Vec<&'static str> {
        names(self.0)
    }

    fn check(&self, key: &str, value: &str) -> Result<Parsed, Diagnostic> {
        word(key, value, self.0).map(Parsed::Word)
    }

    fn read<'k>(&self, given: Option<Given<'k>>) -> Self::Out<'k> {
        meaning(self.0, given)
    }
}

/// A word that the kind or the book looks up: an id, an atom.
#[derive(Clone, Copy, Debug)]
pub struct Name;

impl ValueType for Name {
    type Out<'k> = Option<&'k str>;

    fn form(&self) -> Form {
        Form::Name
    }

    fn check(&self, key: &str, value: &str) -> Result<Parsed, Diagnostic> {
        if value.trim().is_empty() {
            let text = format!("`{key}` is empty; a name is expected");
            return Err(Diagnostic::error("bad-value", text));
        }
        Ok(Parsed::Text)
    }

    fn read<'k>(&self, given: Option<Given<'k>>) -> Self::Out<'k> {
        given.map(|given| given.text)
    }
}

/// Literal text.
#[derive(Clone, Copy, Debug)]
pub struct Text;

impl ValueType for Text {
    type Out<'k> = Option<&'k str>;

    fn form(&self) -> Form {
        Form::Text
    }

    fn check(&self, _: &str, _: &str) -> Result<Parsed, Diagnostic> {
        Ok(Parsed::Text)
    }

    fn read<'k>(&self, given: Option<Given<'k>>) -> Self::Out<'k> {
        given.map(|given| given.text)
    }
}

/// An element type, e.g. `f16`.
#[derive(Clone, Copy, Debug)]
pub struct Element;

impl ValueType for Element {
    type Out<'k> = Option<ElementType>;

    fn form(&self) -> Form {
        Form::Name
    }

    fn check(&self, key: &str, value: &str) -> Result<Parsed, Diagnostic> {
        Name.check(key, value)?;
        ElementType::read(value.trim()).map(Parsed::Element)
    }

    fn read<'k>(&self, given: Option<Given<'k>>) -> Self::Out<'k> {
        match given?.parsed {
            Parsed::Element(ty) => Some(*ty),
            _ => None,
        }
    }
}

/// An element type with a default.
#[derive(Clone, Copy, Debug)]
pub struct ElementOr(pub ElementType);

impl ValueType for ElementOr {
    type Out<'k> = ElementType;

    fn form(&self) -> Form {
        Form::Name
    }

    fn default(&self) -> Option<String> {
        Some(self.0.name().to_owned())
    }

    fn check(&self, key: &str, value: &str) -> Result<Parsed, Diagnostic> {
        Element.check(key, value)
    }

    fn read<'k>(&self, given: Option<Given<'k>>) -> Self::Out<'k> {
        Element.read(given).unwrap_or(self.0)
    }
}

/// A compilation target, e.g. `sm_90a`.
#[derive(Clone, Copy, Debug)]
pub struct Target;

impl ValueType for Target {
    type Out<'k> = Option<Arch>;

    fn form(&self) -> Form {
        Form::Name
    }

    fn check(&self, key: &str, value: &str) -> Result<Parsed, Diagnostic> {
        Name.check(key, value)?;
        Arch::parse(value).map(Parsed::Arch).ok_or_else(|| {
            let text = format!("unknown architecture `{}`", value.trim());
            Diagnostic::error("arch", text).hint("for example `sm_90a`")
        })
    }

    fn read<'k>(&self, given: Option<Given<'k>>) -> Self::Out<'k> {
        match given?.parsed {
            Parsed::Arch(arch) => Some(*arch),
            _ => None,
        }
    }
}

/// Pieces separated by commas, which the kind or the book looks up.
#[derive(Clone, Copy, Debug)]
pub struct List;

impl ValueType for List {
    type Out<'k> = &'k [Item];

    fn form(&self) -> Form {
        Form::List
    }

    fn check(&self, _: &str, value: &str) -> Result<Parsed, Diagnostic> {
        Ok(Parsed::List(split_list(value)))
    }

    fn read<'k>(&self, given: Option<Given<'k>>) -> Self::Out<'k> {
        match given.map(|given| given.parsed) {
            Some(Parsed::List(items)) => items,
            _ => &[],
        }
    }
}

/// Words of a list separated by commas; the first word alone is the default.
#[derive(Clone, Copy, Debug)]
pub struct Several<E: 'static>(pub Words<E>);

impl<E: Copy + Debug + Sync + 'static> ValueType for Several<E> {
    type Out<'k> = Vec<E>;

    fn form(&self) -> Form {
        Form::List
    }

    fn words(&self) -> Vec<&'static str> {
        names(self.0)
    }

    fn default(&self) -> Option<String> {
        self.0.first().map(|(word, _)| (*word).to_owned())
    }

    fn check(&self, key: &str, value: &str) -> Result<Parsed, Diagnostic> {
        let items = split_list(value);
        for item in &items {
            word(key, &item.text, self.0).map_err(|error| error.at(item.span))?;
        }
        Ok(Parsed::List(items))
    }

    fn read<'k>(&self, given: Option<Given<'k>>) -> Self::Out<'k> {
        let items = List.read(given);
        let read: Vec<E> = items
            .iter()
            .filter_map(|item| place(self.0, &item.text).and_then(|at| self.0.get(at)))
            .map(|(_, meaning)| *meaning)
            .collect();
        if read.is_empty() {
            self.0.first().map(|(_, meaning)| *meaning).into_iter().collect()
        } else {
            read
        }
    }
}

fn names<E>(words: Words<E>) -> Vec<&'static str> {
    words.iter().map(|(word, _)| *word).collect()
}

/// Finds a word; another case of letters is the same word where no other fits.
fn place<E>(words: Words<E>, value: &str) -> Option<usize> {
    let value = value.trim();
    words
        .iter()
        .position(|(word, _)| *word == value)
        .or_else(|| words.iter().position(|(word, _)| word.eq_ignore_ascii_case(value)))
}

fn meaning<E: Copy>(words: Words<E>, given: Option<Given<'_>>) -> Option<E> {
    match given?.parsed {
        Parsed::Word(at) => words.get(*at).map(|(_, meaning)| *meaning),
        _ => None,
    }
}

fn word<E>(key: &str, value: &str, words: Words<E>) -> Result<usize, Diagnostic> {
    place(words, value).ok_or_else(|| unknown_word(key, value, &names(words)))
}

/// Finds a word in a list.
///
/// # Errors
/// Another word.
pub fn one_of(key: &str, value: &str, words: &[&'static str]) -> Result<usize, Diagnostic> {
    let found = words.iter().position(|word| *word == value.trim());
    found.ok_or_else(|| unknown_word(key, value, words))
}

fn unknown_word(key: &str, value: &str, words: &[&'static str]) -> Diagnostic {
    let value = value.trim();
    let text = format!("`{key}` is one of {}, not `{value}`", words.join(", "));
    let diagnostic = Diagnostic::error("bad-value", text);
    match nearest(value, words.iter().copied()) {
        Some(near) => diagnostic.hint(format!("did you mean `{near}`?")),
        None => diagnostic,
    }
}

/// Splits at commas outside brackets and drops empty pieces.
fn split_list(value: &str) -> Vec<Item> {
    let item = |range: std::ops::Range<usize>| {
        let piece = &value[range.clone()];
        let text = piece.trim();
        let from = range.start + (piece.len() - piece.trim_start().len());
        let span = Span::new(from, from + text.len());
        (!text.is_empty()).then(|| Item { text: text.to_owned(), span })
    };
    pieces(value, &[','], Quotes::Plain).filter_map(item).collect()
}
