//! Copy atoms: one instruction over one element type.
//!
//! In: a name in any spelling, parameters, an element type. Out: ThrID and the (thread, value)
//! layouts of source and destination. Source: CuTe's `Copy_Traits` and `Copy_Atom`. Invariant:
//! layouts of one atom share the order of their bits, so source and destination name the same bit by
//! the same number.

use super::copy_row::{Attribute, DslOperation, Row};
use super::find::{Found, find};
use super::printed;
use super::request::CopyRequest;
use super::space::Space;
use crate::cute::algebra::recast_layout;
use crate::cute::{Error, Layout, Result};
use crate::hardware::arch::Arch;
use crate::hardware::dtype::ElementType;

/// A copy atom over one element type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CopyAtom {
    /// The name in the table: the C++ operation, or the DSL's where C++ has none.
    pub name: String,
    /// The short form, as in `ldmatrix.x4.trans`.
    pub short: String,
    /// The DSL's operation with its parameters, if it has one.
    pub dsl: Option<String>,
    /// The first architecture with the instruction; none means all.
    pub arch: Option<Arch>,
    /// Where it reads.
    pub from: Space,
    /// Where it writes.
    pub to: Space,
    /// The element type.
    pub dtype: ElementType,
    /// Bits of one copy where that is a parameter.
    pub bits: Option<i64>,
    /// Logical thread to thread index.
    pub thr_id: Layout,
    /// (thread, value) layouts in elements.
    pub values: Ends,
    /// (thread, value) layouts in bits.
    pub in_bits: Ends,
    /// Value bit to tensor-memory address in bits (TMEM and UTCCP only).
    pub val_id: Option<Layout>,
    /// Keywords of the DSL that the atom takes and ignores.
    pub ignored: Vec<&'static str>,
    pub(super) row: &'static Row,
    /// The template argument of an operation over any type or number.
    pub(super) argument: Option<String>,
    /// Keywords that change the instruction but no layout, with their short values.
    pub(super) attrs: Vec<(&'static Attribute, String)>,
}

impl CopyAtom {
    /// Returns, as codes and texts, why the hardware has no such instruction, which the DSL finds
    /// out when it compiles.
    #[must_use]
    pub fn misfits(&self, target: Option<Arch>) -> Vec<(&'static str, String)> {
        let mut found = Vec::new();
        if let (Some(target), Some(first)) = (target, self.arch)
            && !serves(target, first)
        {
            let text =
                format!("`{}` came with {first}; {target} has no such instruction", self.short);
            found.push(("copy-arch", text));
        }
        let through = (self.from, self.to) == (Space::Gmem, Space::Smem);
        if let Some(bits) = self.bits.filter(|&bits| through && bits > 0 && self.thr_id.size() == 1)
            && !self.row.cxx_widths.contains(bits)
        {
            found.push(("copy-bits", format!("no instruction `{}` moves {bits} bits", self.short)));
        }
        found
    }
}

/// The (thread, value) layouts of a copy's ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ends {
    /// The source.
    pub src: Layout,
    /// The destination.
    pub dst: Layout,
    /// The one that a `TiledCopy`'s TV layout speaks about.
    pub reference: Layout,
}

impl Ends {
    /// Divides bits by an element's width.
    fn recast(&self, bits: i64) -> Result<Self> {
        let cast = |layout: &Layout| {
            let cast = recast_layout(bits, 1, &layout.clone().into())?;
            Ok::<_, Error>(cast.domain().clone())
        };
        Ok(Self { src: cast(&self.src)?, dst: cast(&self.dst)?, reference: cast(&self.reference)? })
    }
}

impl CopyAtom {
    /// Looks an atom up.
    ///
    /// # Errors
    /// A name that is not in the table (with the nearest ones), or that several atoms have;
    /// parameters that the operation does not take; a width or an element type that the atom refuses
    /// or that contradicts the name; the wrong architecture.
    pub fn find(request: &CopyRequest<'_>) -> Result<Self> {
        let Found { row, argument, attrs, dtype, moved, bits } = find(request)?;
        check_arch(row, request.arch)?;
        let dtype = one_of(request.dtype, dtype, request.name)?;
        let dtype = element(row, dtype.or(moved))?;
        check_attributes(row, &attrs, dtype)?;
        let asked = match (request.bits, bits) {
            (Some(asked), Some(named)) if asked != named => {
                let text = format!(
                    "`{}` is {named} bits wide, and `bits` is {asked}",
                    request.name.trim()
                );
                return Err(Error::Rule {
                    rule: "copy-bits",
                    text,
                    hint: Some("leave one of the two out".to_owned()),
                });
            }
            (asked, named) => asked.or(named),
        };
        let bits = row.rule.bits(asked, dtype, row.short)?;
        let in_bits = Ends {
            src: row.layout(row.src, bits)?,
            dst: row.layout(row.dst, bits)?,
            reference: row.layout(row.reference, bits)?,
        };
        let values =
            if bits == Some(0) { in_bits.clone() } else { in_bits.recast(dtype.bits())? };
        let name = match (row.generic(), &argument) {
            (Some((stem, _)), Some(argument)) => format!("{stem}<{argument}>"),
            _ => row.name.to_owned(),
        };
        let (mut ignored, attrs) =
            attrs.into_iter().partition::<Vec<_>, _>(|(attr, _)| attr.is_ignored);
        ignored.retain(|(attr, value)| value != attr.keyword.default());
        Ok(Self {
            name,
            short: row.short.to_owned(),
            dsl: row.dsl.as_ref().map(DslOperation::short),
            arch: row.arch,
            from: row.from,
            to: row.to,
            dtype,
            bits: bits.filter(|&bits| bits > 0),
            thr_id: printed::layout(row.thr_id)?,
            values,
            in_bits,
            val_id: if row.val_id.is_empty() { None } else { Some(printed::layout(row.val_id)?) },
            ignored: ignored.into_iter().map(|(attr, _)| attr.keyword.name).collect(),
            row,
            argument,
            attrs,
        })
    }

    /// Lists all names in the table with their short forms, in its order.
    ///
    /// # Errors
    /// Never for the embedded table.
    pub fn names() -> Result<Vec<(&'static str, &'static str)>> {
        Ok(Row::all()?.iter().map(|row| (row.name, row.short)).collect())
    }

    /// Returns how many times the destination holds each source bit: the product of the source's
    /// stride-0 value modes.
    #[must_use]
    pub fn multicast(&self) -> i64 {
        let values = self.in_bits.src.modes().into_iter().nth(1);
        values.map_or(1, |mode| {
            let still = mode.flat_modes().into_iter().filter(|m| m.stride.is_zero());
            still.map(|m| m.shape).product()
        })
    }

    /// Returns how many rows of 16 bytes one matrix has, for instructions that move matrices in
    /// such rows: 0 where PTX and the DSL divide the same rows into different matrices.
    #[must_use]
    pub const fn matrix_rows(&self) -> Option<usize> {
        self.row.matrix_rows
    }

    /// Returns what a reader of the atom has to know, as the code and the text of a note.
    #[must_use]
    pub const fn note(&self) -> Option<(&'static str, &'static str)> {
        self.row.note
    }

    /// Returns where the layouts come from: a header of CUTLASS and its line, or the DSL's version.
    #[must_use]
    pub const fn source(&self) -> &'static str {
        self.row.source
    }
}

/// Returns the element type that was asked for or that the name carries.
fn one_of(
    asked: Option<ElementType>,
    named: Option<ElementType>,
    name: &str,
) -> Result<Option<ElementType>> {
    match (asked, named) {
        (Some(asked), Some(named)) if asked != named => Err(Error::Rule {
            rule: "copy-dtype",
            text: format!("`{}` is over `{named}`, and `dtype` is `{asked}`", name.trim()),
            hint: Some(format!("write `dtype = {named}`, or the atom without a type")),
        }),
        (asked, named) => Ok(asked.or(named)),
    }
}

fn element(row: &Row, asked: Option<ElementType>) -> Result<ElementType> {
    match (asked, row.dtypes.as_slice()) {
        (Some(dtype), [_, _, ..]) if !row.dtypes.contains(&dtype) => {
            let list: Vec<String> = row.dtypes.iter().map(|ty| format!("`{ty}`")).collect();
            Err(Error::rule(
                "copy-dtype",
                format!("`{}` takes {}, not `{dtype}`", row.short, list.join(", ")),
            ))
        }
        (Some(dtype), _) | (None, &[dtype, ..]) => Ok(dtype),
        (None, []) => Err(Error::rule("atom-table", format!("`{}` has no element type", row.name))),
    }
}

/// Returns whether a target has the instructions that came with `first`.
fn serves(target: Arch, first: Arch) -> bool {
    if first.suffix.is_some() { target.has_tcgen05() } else { target.number >= first.number }
}

fn check_arch(row: &Row, asked: Option<Arch>) -> Result<()> {
    let (Some(asked), Some(first), true) = (asked, row.arch, row.arch_is_required) else {
        return Ok(());
    };
    if serves(asked, first) {
        return Ok(());
    }
    let wanted = if first.suffix.is_some() {
        "one of sm_100a, sm_100f, sm_103a, sm_103f, sm_107a, sm_107f, sm_110a, sm_110f".to_owned()
    } else {
        format!("{first} or later")
    };
    Err(Error::rule("copy-arch", format!("`{}` needs {wanted}, not {asked}", row.short)))
}

/// Checks keywords against each other and against the element type.
fn check_attributes(
    row: &Row,
    attrs: &[(&'static Attribute, String)],
    dtype: ElementType,
) -> Result<()> {
    let refuse = |text| Err(Error::rule("copy-attrs", text));
    let is_changed = |name: &str| {
        attrs
            .iter()
            .any(|(attr, value)| attr.keyword.name == name && value != attr.keyword.default())
    };
    for (attr, value) in attrs {
        let name = attr.keyword.name;
        if let Some(only) = attr.keyword.only_for(value).filter(|only| *only != dtype) {
            return refuse(format!(
                "`{name} = {value}` needs elements of type `{only}`, not `{dtype}`"
            ));
        }
        let other = attr.excludes.iter().find(|other| is_changed(name) && is_changed(other.name));
        if let Some(other) = other {
            return refuse(format!("`{}` takes `{name}` or `{}`, not both", row.short, other.name));
        }
    }
    Ok(())
}
