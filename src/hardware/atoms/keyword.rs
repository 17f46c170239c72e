//! The keywords of the DSL's operations: which values they take, and how code writes them.
//!
//! In: the name of an argument and a value in any spelling (`x4`, `4`, `tcgen05.Repetition.x4`).
//! Out: the keyword and the value's short form. Invariant: the first value of a keyword is its
//! default in the DSL.

use super::table::columns;
use crate::cute::Result;
use crate::hardware::dtype::ElementType;
use std::sync::LazyLock;

/// Where the DSL takes a keyword.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// In the call of the operation.
    Operation,
    /// In `make_copy_atom`.
    Atom,
}

/// A keyword and its values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Keyword {
    pub(super) name: &'static str,
    /// Another name, for operations without an argument of that name.
    also: &'static str,
    pub(super) place: Place,
    /// The enumeration of the values; empty for plain ones.
    class: &'static str,
    values: Vec<Value>,
    /// Whether any integer is a value.
    any_int: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Value {
    code: &'static str,
    short: &'static str,
    only: Option<ElementType>,
}

columns! {
    /// A row of `keywords.txt`.
    Cells of "keywords.txt" {
        keyword "keyword",
        also "also",
        place "place",
        class "class",
        values "values",
    }
}

impl Keyword {
    /// Returns every keyword, in the order of the table.
    ///
    /// # Errors
    /// Never for the embedded table.
    pub(super) fn all() -> Result<&'static [Self]> {
        static KEYWORDS: LazyLock<Result<Vec<Keyword>>> =
            LazyLock::new(|| Cells::all()?.iter().map(Keyword::parse).collect());
        KEYWORDS.as_deref().map_err(Clone::clone)
    }

    /// Finds a keyword by its own name.
    ///
    /// # Errors
    /// Never for the embedded table.
    pub(super) fn find(name: &str) -> Result<Option<&'static Self>> {
        Ok(Self::all()?.iter().find(|keyword| keyword.name == name))
    }

    fn parse(cells: &Cells) -> Result<Self> {
        let place = match cells.place {
            "op" => Place::Operation,
            "atom" => Place::Atom,
            _ => return Err(cells.fault("`place` is `op` or `atom`")),
        };
        let words = cells.values.split(' ').filter(|word| *word != "int");
        let values = words
            .map(|word| {
                let (word, only) = word.split_once('@').unwrap_or((word, ""));
                let (code, short) = word.split_once('/').unwrap_or((word, word));
                let dtype = ElementType::parse(only);
                if dtype.is_none() && !only.is_empty() {
                    return Err(cells.fault(&format!("unknown element type `{only}`")));
                }
                Ok(Value { code, short, only: dtype })
            })
            .collect::<Result<_>>()?;
        Ok(Self {
            name: cells.keyword,
            also: cells.also,
            place,
            class: cells.class,
            values,
            any_int: cells.values.split(' ').any(|word| word == "int"),
        })
    }

    /// Returns whether this is the keyword that somebody means by `name`; its own name counts more.
    pub(super) fn is_named(&self, name: &str) -> bool {
        self.name == name || (!self.also.is_empty() && self.also == name)
    }

    /// Returns the value where none is given, in short form.
    pub(super) fn default(&self) -> &'static str {
        self.values.first().map_or("", |value| value.short)
    }

    /// Reads a value in any spelling; `None` if it is none.
    pub(super) fn read(&self, text: &str) -> Option<String> {
        let inner = text.split_once('(').map_or(text, |(_, inner)| inner.trim_end_matches(')'));
        let word = inner.rsplit(['.', ':']).next().unwrap_or(inner).trim();
        if self.any_int {
            return word.parse::<i32>().ok().map(|number| number.to_string());
        }
        let is = |value: &&Value| {
            value.code.eq_ignore_ascii_case(word) || value.short.eq_ignore_ascii_case(word)
        };
        self.values.iter().find(is).map(|value| value.short.to_owned())
    }

    /// Returns the element type that a value is limited to.
    pub(super) fn only_for(&self, short: &str) -> Option<ElementType> {
        self.values.iter().find(|value| value.short == short).and_then(|value| value.only)
    }

    /// Lists the values as code, for messages.
    pub(super) fn expected(&self) -> String {
        if self.any_int {
            return "an integer".to_owned();
        }
        let codes: Vec<&str> = self.values.iter().map(|value| value.code).collect();
        codes.join(", ")
    }

    /// Writes the argument as code: `repeat=cute.nvgpu.tcgen05.Repetition.x4`.
    pub(super) fn code(&self, short: &str) -> String {
        let value = self.values.iter().find(|value| value.short == short);
        let code = value.map_or(short, |value| value.code);
        let dot = if self.class.is_empty() { "" } else { "." };
        format!("{}={}{dot}{code}", self.name, self.class)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_as_code_writes_them() {
        let read = |name, text| Keyword::find(name).unwrap().unwrap().read(text);
        for (name, text, short) in [
            ("repeat", "4", "4"),
            ("repeat", "x4", "4"),
            ("repeat", "cute.nvgpu.tcgen05.Repetition.x4", "4"),
            ("repeat", "tcgen05.Repetition(4)", "4"),
            ("transpose", "True", "true"),
            ("unpack_bits", "None", "none"),
            ("cta_group", "tcgen05.CtaGroup.TWO", "2"),
            ("unpack", "tcgen05.Unpack.UNPACK_32b_IN_16b", "true"),
            ("redOp", "min", "MIN"),
            ("half_split_off", "-4", "-4"),
        ] {
            assert_eq!(read(name, text).as_deref(), Some(short), "{name}={text}");
        }
        assert_eq!(read("repeat", "3"), None);
        assert_eq!(read("half_split_off", "x"), None);
        let keyword = Keyword::find("repeat").unwrap().unwrap();
        assert_eq!(keyword.code("4"), "repeat=cute.nvgpu.tcgen05.Repetition.x4");
    }
}
