//! Class names: from C++ text to a [`Class`] and back.
//!
//! In: `RowMajorInterleaved<4>`, `cutlass::layout::RowMajor`. Out: the class, or an error with the
//! place in the text and near names. Invariant: printing a class and parsing it gives it back.

use super::class::Class;
use super::multiplicand::{Multiplicand, Pattern, View};
use crate::cute::index::{count, wide};
use crate::diagnostic::{Diagnostic, Span};
use crate::hardware::limits::AFFINE_RANK;
use crate::suggest::nearest;

/// A class name and the names of its template parameters.
struct Spelling {
    name: &'static str,
    parameters: &'static [&'static str],
}

const fn spelling(name: &'static str, parameters: &'static [&'static str]) -> Spelling {
    Spelling { name, parameters }
}

/// The classes outside of the tensor-op headers.
const PLAIN: &[Spelling] = &[
    spelling("RowMajor", &[]),
    spelling("ColumnMajor", &[]),
    spelling("RowMajorInterleaved", &["Interleave"]),
    spelling("ColumnMajorInterleaved", &["Interleave"]),
    spelling("ContiguousMatrix", &[]),
    spelling("AffineRankN", &["Rank"]),
    spelling("AffineRank2ColumnMajor", &[]),
    spelling("AffineRank2RowMajor", &[]),
    spelling("ColumnMajorBlockLinear", &["BlockRows", "BlockColumns"]),
    spelling("RowMajorBlockLinear", &["BlockRows", "BlockColumns"]),
    spelling("GeneralMatrix", &[]),
    spelling("PitchLinear", &[]),
    spelling("TensorNHWC", &[]),
    spelling("TensorNCHW", &[]),
    spelling("TensorNCxHWx", &["Interleave"]),
    spelling("TensorCxRSKx", &["Interleave"]),
    spelling("TensorNDHWC", &[]),
    spelling("PackedVectorLayout", &[]),
];

/// The tensor-op classes over pitch-linear coordinates.
const MULTIPLICANDS: &[Spelling] = &[
    spelling("TensorOpMultiplicand", &["ElementSize", "Crosswise"]),
    spelling("TensorOpMultiplicandCongruous", &["ElementSize", "Crosswise"]),
    spelling("TensorOpMultiplicandCrosswise", &["ElementSize", "Crosswise"]),
    spelling("TensorOpMultiplicandColumnMajorInterleaved", &["ElementSize", "InterleavedK"]),
    spelling("TensorOpMultiplicandRowMajorInterleaved", &["ElementSize", "InterleavedK"]),
    spelling("VoltaTensorOpMultiplicandCongruous", &["ElementSize"]),
    spelling("VoltaTensorOpMultiplicandBCongruous", &["ElementSize"]),
    spelling("VoltaTensorOpMultiplicandCrosswise", &["ElementSize", "KBlock"]),
    spelling("TensorOpMultiplicandCongruous64b", &[]),
    spelling("TensorOpMultiplicand64bCrosswise", &[]),
    spelling("TensorOpMultiplicandCongruous128b", &[]),
    spelling("TensorOpMultiplicandCrosswise128x4", &[]),
];

/// Names of the 3.x API that are empty tags.
const TAGS: &[&str] = &[
    "TensorNWC",
    "TensorKCS",
    "TensorKCSR",
    "TensorKCSRT",
    "TensorCSK",
    "TensorCSRK",
    "TensorCSRTK",
];

impl Class {
    /// Reads a class name with its template arguments; `cutlass::layout::` may be left out.
    ///
    /// # Errors
    /// Unknown names (with near ones), wrong numbers of arguments, and arguments with which the
    /// class does not compile. The span counts bytes of `text`.
    pub fn parse(text: &str) -> Result<Self, Diagnostic> {
        let source = Source::split(text)?;
        let (view, base) = view_of(source.name);
        let known = PLAIN
            .iter()
            .find(|known| known.name == source.name)
            .or_else(|| MULTIPLICANDS.iter().find(|known| known.name == base));
        match known {
            Some(known) if view == View::PitchLinear || has_views(base) => {
                let arguments = source.arguments(known)?;
                let class = build(known.name, view, &arguments)
                    .and_then(|class| class.check().map(|()| class));
                class.map_err(|error| error.or_at(source.argument_span))
            }
            _ => Err(unknown(source.name).at(source.name_span)),
        }
    }

    /// Returns all class names, without template arguments.
    #[must_use]
    pub fn names() -> Vec<String> {
        let mut names: Vec<String> = PLAIN.iter().map(|known| known.name.to_owned()).collect();
        for known in MULTIPLICANDS {
            names.push(known.name.to_owned());
            if has_views(known.name) {
                names.push(format!("ColumnMajor{}", known.name));
                names.push(format!("RowMajor{}", known.name));
            }
        }
        names
    }

    /// Returns the name and the template arguments.
    pub(super) fn spelling(self) -> (String, Vec<i64>) {
        let (name, arguments) = match self {
            Self::RowMajor => ("RowMajor", vec![]),
            Self::ColumnMajor => ("ColumnMajor", vec![]),
            Self::RowMajorInterleaved(n) => ("RowMajorInterleaved", vec![n]),
            Self::ColumnMajorInterleaved(n) => ("ColumnMajorInterleaved", vec![n]),
            Self::ContiguousMatrix => ("ContiguousMatrix", vec![]),
            Self::AffineRankN(n) => ("AffineRankN", vec![wide(n)]),
            Self::AffineRank2ColumnMajor => ("AffineRank2ColumnMajor", vec![]),
            Self::AffineRank2RowMajor => ("AffineRank2RowMajor", vec![]),
            Self::ColumnMajorBlockLinear(r, c) => ("ColumnMajorBlockLinear", vec![r, c]),
            Self::RowMajorBlockLinear(r, c) => ("RowMajorBlockLinear", vec![r, c]),
            Self::GeneralMatrix => ("GeneralMatrix", vec![]),
            Self::PitchLinear => ("PitchLinear", vec![]),
            Self::TensorNHWC => ("TensorNHWC", vec![]),
            Self::TensorNCHW => ("TensorNCHW", vec![]),
            Self::TensorNCxHWx(x) => ("TensorNCxHWx", vec![x]),
            Self::TensorCxRSKx(x) => ("TensorCxRSKx", vec![x]),
            Self::TensorNDHWC => ("TensorNDHWC", vec![]),
            Self::PackedVectorLayout => ("PackedVectorLayout", vec![]),
            Self::Multiplicand(Multiplicand { pattern, view }) => {
                let (base, arguments) = multiplicand_spelling(pattern);
                return (format!("{}{base}", view.prefix()), arguments);
            }
        };
        (name.to_owned(), arguments)
    }

    /// Refuses template arguments with which the class does not compile.
    fn check(self) -> Result<(), Diagnostic> {
        let positive = |values: &[i64], what: &str| match values.iter().find(|&&n| n < 1) {
            Some(n) => Err(refuse(format!(
                "`{self}` does not compile: {what} is {n}, and it divides coordinates"
            ))
            .hint("use 1 or more")),
            None => Ok(()),
        };
        match self {
            Self::RowMajorInterleaved(n)
            | Self::ColumnMajorInterleaved(n)
            | Self::TensorNCxHWx(n)
            | Self::TensorCxRSKx(n) => positive(&[n], "Interleave"),
            Self::ColumnMajorBlockLinear(r, c) | Self::RowMajorBlockLinear(r, c) => {
                positive(&[r, c], "a block extent")
            }
            Self::Multiplicand(multiplicand) => multiplicand
                .pattern
                .check()
                .map_err(|why| refuse(format!("`{self}` does not compile: {why}"))),
            _ => Ok(()),
        }
    }
}

fn refuse(text: String) -> Diagnostic {
    Diagnostic::error("cutlass-type", text)
}

/// A class name taken apart.
struct Source<'a> {
    name: &'a str,
    name_span: Span,
    /// What stands between `<` and `>`.
    arguments: Option<&'a str>,
    argument_span: Span,
}

impl<'a> Source<'a> {
    fn split(text: &'a str) -> Result<Self, Diagnostic> {
        let end = text.trim_end().len();
        // Of blanks alone both trims take all: the start may not pass the end.
        let mut start = (text.len() - text.trim_start().len()).min(end);
        for prefix in ["::", "cutlass::", "layout::"] {
            if text[start..end].starts_with(prefix) {
                start += prefix.len();
            }
        }
        let body = &text[start..end];
        let name_len =
            body.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(body.len());
        let name = &body[..name_len];
        let name_span = Span::new(start, start + name_len);
        if name.is_empty() {
            return Err(refuse("a CUTLASS 2.x layout class is needed here".to_owned())
                .hint("for example `RowMajor` or `RowMajorInterleaved<4>`")
                .at(Span::new(start, end)));
        }
        let rest = body[name_len..].trim_start();
        let rest_start = end - rest.len();
        let argument_span = Span::new(rest_start, end);
        let arguments = match rest {
            "" => None,
            _ => match rest.strip_prefix('<').and_then(|rest| rest.strip_suffix('>')) {
                Some(inside) => Some(inside),
                None => {
                    return Err(refuse(format!(
                        "`{rest}` after `{name}`: expected template arguments in `<` and `>`"
                    ))
                    .hint(format!("for example `{name}<4>`"))
                    .at(argument_span));
                }
            },
        };
        Ok(Self { name, name_span, arguments, argument_span })
    }

    fn arguments(&self, known: &Spelling) -> Result<Vec<i64>, Diagnostic> {
        let values: Vec<&str> = match self.arguments {
            None => vec![],
            Some(inside) if inside.trim().is_empty() => vec![],
            Some(inside) => inside.split(',').map(str::trim).collect(),
        };
        let name = self.name;
        let wanted = known.parameters;
        if values.len() != wanted.len() {
            let error = if wanted.is_empty() {
                refuse(format!("`{name}` takes no template arguments"))
                    .hint(format!("write `{name}`"))
            } else {
                let example: Vec<&str> = wanted.iter().map(|&p| example_of(p)).collect();
                refuse(format!(
                    "`{name}` takes {} template argument{} ({}), not {}",
                    wanted.len(),
                    if wanted.len() == 1 { "" } else { "s" },
                    wanted.join(", "),
                    values.len(),
                ))
                .hint(format!("for example `{name}<{}>`", example.join(", ")))
            };
            let span = if self.arguments.is_some() { self.argument_span } else { self.name_span };
            return Err(error.at(span));
        }
        values
            .iter()
            .zip(wanted)
            .map(|(value, parameter)| {
                // C++ takes an `int`.
                value.parse::<i32>().map(i64::from).map_err(|_| {
                    refuse(format!("`{value}` as {parameter} of `{name}`: expected an integer"))
                        .at(self.argument_span)
                })
            })
            .collect()
    }
}

/// Splits the wrappers' prefix off a tensor-op name.
fn view_of(name: &str) -> (View, &str) {
    for view in [View::ColumnMajor, View::RowMajor] {
        if let Some(base) = name.strip_prefix(view.prefix())
            && MULTIPLICANDS.iter().any(|known| known.name == base)
        {
            return (view, base);
        }
    }
    (View::PitchLinear, name)
}

/// Returns whether the headers define the ColumnMajor and RowMajor wrappers of a class.
fn has_views(base: &str) -> bool {
    !matches!(
        base,
        "TensorOpMultiplicand"
            | "TensorOpMultiplicandColumnMajorInterleaved"
            | "TensorOpMultiplicandRowMajorInterleaved"
    )
}

fn example_of(parameter: &str) -> &'static str {
    match parameter {
        "ElementSize" => "16",
        "Crosswise" => "64",
        "KBlock" | "InterleavedK" => "32",
        "Rank" | "BlockRows" | "BlockColumns" => "2",
        _ => "4",
    }
}

fn unknown(name: &str) -> Diagnostic {
    if TAGS.contains(&name) {
        return refuse(format!("`{name}` is a tag of the 3.x API: it has no `operator()`"))
            .hint("`TensorNHWC` and `TensorNDHWC` are layouts");
    }
    let error = refuse(format!("unknown layout class `{name}` of CUTLASS 2.x"));
    error.hint(match nearest(name, Class::names()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "for example `RowMajor`, `ColumnMajorInterleaved<32>` or `TensorNHWC`".to_owned(),
    })
}

/// Joins a known name and as many arguments as it takes.
///
/// # Errors
/// A rank that the class does not take.
fn build(name: &str, view: View, arguments: &[i64]) -> Result<Class, Diagnostic> {
    let argument = |i: usize| arguments.get(i).copied().unwrap_or(0);
    let (a, b) = (argument(0), argument(1));
    let pattern = match name {
        "RowMajor" => return Ok(Class::RowMajor),
        "ColumnMajor" => return Ok(Class::ColumnMajor),
        "RowMajorInterleaved" => return Ok(Class::RowMajorInterleaved(a)),
        "ColumnMajorInterleaved" => return Ok(Class::ColumnMajorInterleaved(a)),
        "ContiguousMatrix" => return Ok(Class::ContiguousMatrix),
        "AffineRankN" => {
            let rank = count(a, AFFINE_RANK).filter(|&rank| rank > 0);
            let text = || format!("the Rank of `AffineRankN` is 1 to {AFFINE_RANK}");
            return rank.map(Class::AffineRankN).ok_or_else(|| refuse(text()));
        }
        "AffineRank2ColumnMajor" => return Ok(Class::AffineRank2ColumnMajor),
        "AffineRank2RowMajor" => return Ok(Class::AffineRank2RowMajor),
        "ColumnMajorBlockLinear" => return Ok(Class::ColumnMajorBlockLinear(a, b)),
        "RowMajorBlockLinear" => return Ok(Class::RowMajorBlockLinear(a, b)),
        "GeneralMatrix" => return Ok(Class::GeneralMatrix),
        "PitchLinear" => return Ok(Class::PitchLinear),
        "TensorNHWC" => return Ok(Class::TensorNHWC),
        "TensorNCHW" => return Ok(Class::TensorNCHW),
        "TensorNCxHWx" => return Ok(Class::TensorNCxHWx(a)),
        "TensorCxRSKx" => return Ok(Class::TensorCxRSKx(a)),
        "TensorNDHWC" => return Ok(Class::TensorNDHWC),
        "PackedVectorLayout" => return Ok(Class::PackedVectorLayout),
        "TensorOpMultiplicandCongruous" => Pattern::Congruous { bits: a, crosswise: b },
        "TensorOpMultiplicandCrosswise" => Pattern::Crosswise { bits: a, crosswise: b },
        "TensorOpMultiplicandColumnMajorInterleaved" => {
            Pattern::ColumnMajorInterleaved { bits: a, k: b }
        }
        "TensorOpMultiplicandRowMajorInterleaved" => Pattern::RowMajorInterleaved { bits: a, k: b },
        "VoltaTensorOpMultiplicandCongruous" => Pattern::VoltaCongruous { bits: a },
        "VoltaTensorOpMultiplicandBCongruous" => Pattern::VoltaBCongruous { bits: a },
        "VoltaTensorOpMultiplicandCrosswise" => Pattern::VoltaCrosswise { bits: a, k_block: b },
        "TensorOpMultiplicandCongruous64b" => Pattern::Congruous64b,
        "TensorOpMultiplicand64bCrosswise" => Pattern::Crosswise64b,
        "TensorOpMultiplicandCongruous128b" => Pattern::Congruous128b,
        "TensorOpMultiplicandCrosswise128x4" => Pattern::Crosswise128x4,
        _ => Pattern::Base { bits: a, crosswise: b },
    };
    Ok(Class::Multiplicand(Multiplicand { pattern, view }))
}

fn multiplicand_spelling(pattern: Pattern) -> (&'static str, Vec<i64>) {
    match pattern {
        Pattern::Base { bits, crosswise } => ("TensorOpMultiplicand", vec![bits, crosswise]),
        Pattern::Congruous { bits, crosswise } => {
            ("TensorOpMultiplicandCongruous", vec![bits, crosswise])
        }
        Pattern::Crosswise { bits, crosswise } => {
            ("TensorOpMultiplicandCrosswise", vec![bits, crosswise])
        }
        Pattern::ColumnMajorInterleaved { bits, k } => {
            ("TensorOpMultiplicandColumnMajorInterleaved", vec![bits, k])
        }
        Pattern::RowMajorInterleaved { bits, k } => {
            ("TensorOpMultiplicandRowMajorInterleaved", vec![bits, k])
        }
        Pattern::VoltaCongruous { bits } => ("VoltaTensorOpMultiplicandCongruous", vec![bits]),
        Pattern::VoltaBCongruous { bits } => ("VoltaTensorOpMultiplicandBCongruous", vec![bits]),
        Pattern::VoltaCrosswise { bits, k_block } => {
            ("VoltaTensorOpMultiplicandCrosswise", vec![bits, k_block])
        }
        Pattern::Congruous64b => ("TensorOpMultiplicandCongruous64b", vec![]),
        Pattern::Crosswise64b => ("TensorOpMultiplicand64bCrosswise", vec![]),
        Pattern::Congruous128b => ("TensorOpMultiplicandCongruous128b", vec![]),
        Pattern::Crosswise128x4 => ("TensorOpMultiplicandCrosswise128x4", vec![]),
    }
}
