//! How C++ and the DSL write an operation.
//!
//! In: an atom, or the mode of a TMA copy. Out: the text of the operation in each language, without
//! the call that makes an atom of it. Invariant: all of it is in the row of the table; where a
//! language has no such operation, or none of that width, there is no text.

use super::copy::CopyAtom;
use super::copy_row::{DslOperation, Made, Row};
use super::keyword::Place;
use crate::cute::Result;
use crate::hardware::tma::Mode;

impl CopyAtom {
    /// Writes the C++ operation of the atom's width: `UniversalCopy<uint_bit_t<128>>`. None where C++
    /// has none, or makes it only for tensors or out of another atom.
    #[must_use]
    pub fn cxx_operation(&self) -> Option<String> {
        let row = self.row;
        let has_width = self.bits.is_none_or(|bits| row.cxx_widths.contains(bits));
        // No keyword of the DSL is one of C++.
        let is_plain = self.attrs.iter().all(|(attr, value)| value == attr.keyword.default());
        if row.cxx.is_empty() || row.made != Made::OfType || !has_width || !is_plain {
            return None;
        }
        // `T` and `N` are what the table and the figures write for any.
        let argument = self.argument.as_deref().filter(|argument| !["T", "N"].contains(argument));
        let ty = match (argument, self.bits) {
            (Some(argument), _) => argument.to_owned(),
            (None, Some(bits)) => format!("uint_bit_t<{bits}>"),
            (None, None) => self.dtype.cxx_name().to_owned(),
        };
        let mut code = row.cxx.replace("{T}", &ty);
        for (hole, text) in [
            ("{bits}", self.bits.map(|bits| bits.to_string())),
            ("{N}", argument.map(str::to_owned)),
        ] {
            if code.contains(hole) {
                code = code.replace(hole, &text?);
            }
        }
        Some(code)
    }

    /// Writes the operation of the DSL: `cute.nvgpu.warp.LdMatrix8x8x16bOp(num_matrices=4)`. None
    /// where the DSL has none, or makes it only for tensors.
    #[must_use]
    pub fn dsl_operation(&self) -> Option<String> {
        let op = self.row.dsl.as_ref().filter(|_| self.row.made == Made::OfType)?;
        Some(op.code(&self.keywords_of(Place::Operation)))
    }

    /// Writes the keywords that the DSL's `make_copy_atom` takes beside the operation and the type.
    #[must_use]
    pub fn dsl_keywords(&self) -> Vec<String> {
        let width = self.bits.filter(|&bits| self.row.rule.is_written(bits));
        let width = width.map(|bits| format!("num_bits_per_copy={bits}"));
        width.into_iter().chain(self.keywords_of(Place::Atom)).collect()
    }

    fn keywords_of(&self, place: Place) -> Vec<String> {
        let here = self.attrs.iter().filter(|(attr, _)| attr.keyword.place == place);
        here.map(|(attr, value)| attr.keyword.code(value)).collect()
    }
}

impl DslOperation {
    /// Writes the operation with its arguments and `more`.
    fn code(&self, more: &[String]) -> String {
        let arguments = self.arguments.iter().copied().chain(more.iter().map(String::as_str));
        let arguments: Vec<&str> = arguments.collect();
        format!("{}.{}({})", self.module, self.name, arguments.join(", "))
    }
}

/// The operation of a TMA copy in both languages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TmaOperation {
    /// C++: `SM90_TMA_LOAD`. None where C++ has none for this mode or reduction.
    pub cxx: Option<&'static str>,
    /// The DSL: `cute.nvgpu.cpasync.CopyBulkTensorTileG2SOp()`.
    pub dsl: String,
}

impl TmaOperation {
    /// Finds the operation of a mode for a group of `ctas` CTAs; `reduction` (in lower case) counts
    /// only where the mode reduces. A store has one operation for any group.
    ///
    /// # Errors
    /// Never for the embedded table.
    pub fn find(mode: Mode, ctas: i64, reduction: &str) -> Result<Option<Self>> {
        let ctas = ctas.to_string();
        let serves = |op: &DslOperation| {
            op.params.iter().all(|keyword| match keyword.name {
                "cta_group" => op.value(keyword) == ctas,
                "reduction_kind" => op.value(keyword).eq_ignore_ascii_case(reduction),
                _ => true,
            })
        };
        let operation = |row: &'static Row| {
            let op = row.dsl.as_ref().filter(|op| row.tma == Some(mode) && serves(op))?;
            let cxx = Some(row.cxx).filter(|cxx| !cxx.is_empty());
            Some(Self { cxx, dsl: op.code(&[]) })
        };
        Ok(Row::all()?.iter().find_map(operation))
    }

    /// Lists the reductions of a storing copy in lower case, in the order of the table.
    ///
    /// # Errors
    /// Never for the embedded table.
    pub fn reductions() -> Result<Vec<String>> {
        let reduction = |row: &'static Row| {
            let op = row.dsl.as_ref().filter(|_| row.tma == Some(Mode::Reduce))?;
            let keyword = op.params.iter().find(|keyword| keyword.name == "reduction_kind")?;
            Some(op.value(keyword).to_lowercase())
        };
        Ok(Row::all()?.iter().filter_map(reduction).collect())
    }
}
