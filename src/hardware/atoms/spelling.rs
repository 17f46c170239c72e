//! Reads the name of an operation as code, a printout or prose spells it.
//!
//! In: `Copy_Atom<SM75_U32x4_LDSM_N, half_t>`, `cute.nvgpu.warp.LdMatrix8x8x16bOp(num_matrices=4)`,
//! `ldmatrix.x4.trans`, `SM90_TMA_LOAD, NumBitsPerTMA=1024`. Out: the operation's bare name and what
//! was said beside it. Invariant: nothing is looked up here, so an unknown name is read like a known
//! one.

use super::keyword::Keyword;
use crate::cute::{Error, Result};
use crate::hardware::dtype::ElementType;

/// What somebody wrote.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Spelling<'t> {
    /// What stands before the last dot of a DSL name: `cute.nvgpu.warp`.
    pub(super) module: Option<&'t str>,
    /// The operation's name.
    pub(super) stem: &'t str,
    /// What is in `<...>`, without blanks.
    pub(super) argument: Option<String>,
    /// What is in `(...)`, or the words after the name.
    pub(super) arguments: Vec<&'t str>,
    /// Whether the arguments are in `(...)`, where one without a name goes by its place.
    is_call: bool,
    /// Keywords of `make_copy_atom`.
    of_atom: Vec<(&'t str, &'t str)>,
    /// The element type of `Copy_Atom<...>` or `make_copy_atom(...)`.
    pub(super) dtype: Option<ElementType>,
    /// The width, where it is given by name or in `Copy_Traits<...>`.
    pub(super) bits: Option<i64>,
}

/// How many of `Copy_Atom`, `Copy_Traits` and `make_copy_atom` may be around an operation.
const WRAPPERS: usize = 3;

impl<'t> Spelling<'t> {
    /// Reads a text.
    ///
    /// # Errors
    /// Brackets that do not match, an element type that is none, and text after the operation.
    pub(super) fn read(text: &'t str) -> Result<Self> {
        Self::read_within(text, WRAPPERS)
    }

    fn read_within(text: &'t str, wrappers: usize) -> Result<Self> {
        let refuse = |why: &str| {
            Err(Error::rule("copy-atom", format!("cannot read the atom `{}`: {why}", text.trim())))
        };
        let code = text.trim();
        let code = code.strip_suffix("{}").unwrap_or(code);
        let end = code.find(|c: char| !c.is_alphanumeric() && !"_.:".contains(c));
        let (head, rest) = code.split_at(end.unwrap_or(code.len()));
        if head.is_empty() {
            return refuse("expected the name of an operation");
        }
        let Some((template, rest)) = bracketed(rest.trim_start(), '<') else {
            return refuse("a `<` is not closed");
        };
        let Some((call, rest)) = bracketed(rest.trim_start(), '(') else {
            return refuse("a `(` is not closed");
        };
        if call.is_some() && !rest.trim().is_empty() {
            return refuse(&format!("unexpected `{}` after it", rest.trim()));
        }
        let arguments = match call {
            Some(inner) => pieces(inner),
            None => rest.split([' ', ',']).filter(|word| !word.is_empty()).collect(),
        };
        let (module, stem) = split_module(head);
        let wrapper = (stem, template.map(pieces).unwrap_or_default());
        let inner = |text| match wrappers.checked_sub(1) {
            Some(left) => Self::read_within(text, left),
            None => refuse("it is wrapped too often"),
        };
        match (wrapper.0, wrapper.1.as_slice()) {
            ("Copy_Atom", &[operation, dtype]) => {
                let dtype = Some(element_type(dtype)?);
                return Ok(Self { dtype, ..inner(operation)? });
            }
            ("Copy_Traits", &[operation, ref more @ ..]) => {
                let inner = inner(operation)?;
                return Ok(Self {
                    bits: more.first().and_then(|n| static_int(n)).or(inner.bits),
                    ..inner
                });
            }
            ("Copy_Atom" | "Copy_Traits", _) => {
                return refuse("expected `Copy_Atom<operation, type>` or `Copy_Traits<operation>`");
            }
            ("make_copy_atom", _) => match arguments.as_slice() {
                &[operation, dtype, ref keywords @ ..] => {
                    let mut atom = inner(operation)?;
                    atom.dtype = Some(element_type(dtype)?);
                    for keyword in keywords {
                        let Some(pair) = named(keyword) else {
                            return refuse(&format!("`{keyword}` has no name"));
                        };
                        atom.of_atom.push(pair);
                    }
                    return atom.with_bits();
                }
                _ => return refuse("expected `make_copy_atom(operation, type)`"),
            },
            _ => {}
        }
        let argument = template.map(|text| text.split_whitespace().collect());
        let is_call = call.is_some();
        Self { module, stem, argument, arguments, is_call, ..Self::default() }.with_bits()
    }

    /// Takes a text for a bare name.
    pub(super) fn bare(stem: &'t str) -> Self {
        Self { stem, ..Self::default() }
    }

    /// Takes the width out of the keywords.
    fn with_bits(mut self) -> Result<Self> {
        let mut bits = self.bits;
        let mut fault = None;
        let mut take = |pair: Option<(&str, &str)>| match pair {
            Some(("NumBitsPerTMA" | "num_bits_per_copy" | "bits", value)) => {
                bits = value.parse().ok();
                if bits.is_none() {
                    fault = Some(value.to_owned());
                }
                true
            }
            _ => false,
        };
        self.arguments.retain(|argument| !take(named(argument)));
        self.of_atom.retain(|pair| !take(Some(*pair)));
        match fault {
            Some(value) => {
                let text = format!("expected a number of bits, not `{value}`");
                Err(Error::rule("copy-bits", text))
            }
            None => Ok(Self { bits, ..self }),
        }
    }

    /// Returns the keywords; arguments without a name go by their place in `params`.
    ///
    /// # Errors
    /// More arguments than the operation takes.
    pub(super) fn keywords(&self, params: &[&'static Keyword]) -> Result<Vec<(&'t str, &'t str)>> {
        let mut places = params.iter();
        let mut keywords = Vec::new();
        for argument in &self.arguments {
            keywords.push(match named(argument) {
                Some(pair) => pair,
                None if !self.is_call => (*argument, "true"),
                None => match places.next() {
                    Some(keyword) => (keyword.name, *argument),
                    None => {
                        let text = format!(
                            "`{}` takes {} arguments without a name, so not `{argument}`",
                            self.stem,
                            params.len()
                        );
                        return Err(Error::rule("copy-parameter", text));
                    }
                },
            });
        }
        keywords.extend(&self.of_atom);
        Ok(keywords)
    }

    /// Returns the name with its template argument.
    pub(super) fn whole(&self) -> String {
        match &self.argument {
            Some(argument) => format!("{}<{argument}>", self.stem),
            None => self.stem.to_owned(),
        }
    }
}

/// Takes a bracket off the front: what is in it, and what follows. The inner `None` is a text that
/// does not start with one, the outer one a bracket that is not closed.
fn bracketed(text: &str, open: char) -> Option<(Option<&str>, &str)> {
    if !text.starts_with(open) {
        return Some((None, text));
    }
    let mut depth = 0_usize;
    for (at, c) in text.char_indices() {
        match c {
            '<' | '(' | '[' | '{' => depth += 1,
            '>' | ')' | ']' | '}' => depth -= 1,
            _ => continue,
        }
        if depth == 0 {
            return Some((Some(&text[open.len_utf8()..at]), &text[at + c.len_utf8()..]));
        }
    }
    None
}

/// Splits at commas outside brackets.
fn pieces(text: &str) -> Vec<&str> {
    let mut depth = 0_usize;
    let pieces = text.split(|c: char| {
        match c {
            '<' | '(' | '[' | '{' => depth += 1,
            '>' | ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    });
    pieces.map(str::trim).filter(|piece| !piece.is_empty()).collect()
}

/// Splits `name=value`; the `=` inside brackets belong to the value.
fn named(argument: &str) -> Option<(&str, &str)> {
    let (name, value) = argument.split_once('=')?;
    let name = name.trim();
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || "_-".contains(c));
    is_name.then(|| (name, value.trim()))
}

/// Splits the DSL's modules, or C++ namespaces, off a name. A short form has dots as well, but starts
/// no part with a capital letter.
fn split_module(head: &str) -> (Option<&str>, &str) {
    let mut name = head;
    // `::cute::` starts with an empty namespace.
    while let Some(("" | "cute" | "cutlass", rest)) = name.split_once("::") {
        name = rest;
    }
    match name.rsplit_once('.') {
        Some((module, stem)) if stem == "make_copy_atom" || starts_upper(stem) => {
            (Some(module), stem)
        }
        _ => (None, name),
    }
}

fn starts_upper(text: &str) -> bool {
    text.chars().next().is_some_and(char::is_uppercase)
}

/// Reads an element type; `uint_bit_t<128>` is one too.
pub(super) fn element_type(text: &str) -> Result<ElementType> {
    find_element_type(text).ok_or_else(|| {
        Error::rule(
            "copy-type",
            format!("`{text}` is not an element type: expected one like `half_t`"),
        )
    })
}

/// Finds an element type by any of its names.
pub(super) fn find_element_type(text: &str) -> Option<ElementType> {
    let bits = match split_module(text) {
        (None, name) => name.split_once("uint_bit_t<").and_then(|(before, rest)| {
            before
                .is_empty()
                .then(|| rest.trim_end_matches('>').trim().parse::<i64>().ok())
                .flatten()
        }),
        _ => None,
    };
    match bits {
        Some(bits) => ElementType::parse(&format!("u{bits}")),
        None => ElementType::parse(text),
    }
}

/// Reads `Int<1024>`, `C<1024>`, `_1024` or `1024`.
fn static_int(text: &str) -> Option<i64> {
    let digits = match split_module(text).1.split_once('<') {
        Some(("Int" | "C", rest)) => rest.trim_end_matches('>'),
        Some(_) => return None,
        None => text.trim_start_matches('_'),
    };
    digits.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_around_a_name_is_taken_apart() {
        let read = |text| Spelling::read(text).unwrap();
        for text in [
            "Copy_Atom<cute::UniversalCopy<uint_bit_t<128>>, half_t>{}",
            "::cute::Copy_Atom < UniversalCopy< uint_bit_t< 128 > >, cutlass::half_t >",
        ] {
            let atom = read(text);
            assert_eq!(atom.whole(), "UniversalCopy<uint_bit_t<128>>");
            assert_eq!(atom.dtype, Some(ElementType::F16));
        }
        assert_eq!(read("Copy_Traits<SM90_BULK_COPY_G2S, Int<1024>>").bits, Some(1024));
        assert_eq!(read("SM90_TMA_LOAD, NumBitsPerTMA=1024").bits, Some(1024));
        assert_eq!(read("SM90_TMA_LOAD::PREFETCH").stem, "SM90_TMA_LOAD::PREFETCH");
        let call =
            read("cute.nvgpu.tcgen05.Ld32x32bOp(tcgen05.Repetition.x4, pack = tcgen05.Pack.NONE)");
        assert_eq!((call.module, call.stem), (Some("cute.nvgpu.tcgen05"), "Ld32x32bOp"));
        let repeat = Keyword::find("repeat").unwrap().unwrap();
        let keywords = [("repeat", "tcgen05.Repetition.x4"), ("pack", "tcgen05.Pack.NONE")];
        assert_eq!(call.keywords(&[repeat]).unwrap(), keywords);
        assert!(call.keywords(&[]).is_err());
        let made = read(
            "cute.make_copy_atom(CopyG2ROp(), cutlass.Float16, num_bits_per_copy=64, invariant=True)",
        );
        assert_eq!(
            (made.stem, made.bits, made.dtype),
            ("CopyG2ROp", Some(64), Some(ElementType::F16))
        );
        assert_eq!(made.keywords(&[]).unwrap(), [("invariant", "True")]);
        assert_eq!(read("ldmatrix.x4.trans").stem, "ldmatrix.x4.trans");
        assert_eq!(
            read("Ld32x32b repeat=4 pack").keywords(&[]).unwrap(),
            [("repeat", "4"), ("pack", "true")]
        );
        assert_eq!(find_element_type("cute::uint_bit_t<64>"), Some(ElementType::U64));
    }

    #[test]
    fn what_cannot_be_read_says_why() {
        for (text, part) in [
            ("", "expected the name of an operation"),
            ("Copy_Atom<X, half_t", "`<` is not closed"),
            ("Copy_Atom<X>", "expected `Copy_Atom<operation, type>`"),
            ("Copy_Atom<X, Element>", "`Element` is not an element type"),
            ("Op(a", "`(` is not closed"),
            ("Op() x", "unexpected `x`"),
            ("make_copy_atom(Op())", "expected `make_copy_atom(operation, type)`"),
            ("SM90_TMA_LOAD, NumBitsPerTMA=x", "expected a number of bits, not `x`"),
            (
                "Copy_Atom<Copy_Atom<Copy_Atom<Copy_Atom<X, f16>, f16>, f16>, f16>",
                "wrapped too often",
            ),
        ] {
            let error = Spelling::read(text).unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
