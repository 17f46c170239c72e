//! Copy atoms: the table of instructions, looked up by any of their names.
//!
//! In: a name (C++, DSL or short form), parameters, an element type. Out: ThrID and the
//! (thread, value) layouts of source and destination. Source: CuTe's `Copy_Traits` and `Copy_Atom`.
//! Invariant: layouts of one atom share the order of their bits, so source and destination name
//! the same bit by the same number.

use crate::cute::algebra::recast_layout;
use crate::cute::{Error, Layout, Result};
use crate::hardware::arch::Arch;
use crate::hardware::dtype::ElementType;
use crate::hardware::likeness::likeness;
use crate::hardware::table;
use std::fmt;
use std::sync::LazyLock;

const ATOMS: &str = include_str!("atoms.txt");

/// A memory space at one end of a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Space {
    /// Global memory.
    Gmem,
    /// Shared memory.
    Smem,
    /// Registers.
    Rmem,
    /// Tensor memory.
    Tmem,
    /// The second-level cache (prefetches).
    L2,
    /// Whatever the tensors say.
    Any,
}

impl Space {
    /// Returns the name, as in `gmem`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Gmem => "gmem",
            Self::Smem => "smem",
            Self::Rmem => "rmem",
            Self::Tmem => "tmem",
            Self::L2 => "l2",
            Self::Any => "any",
        }
    }

    /// Finds a space by name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        [Self::Gmem, Self::Smem, Self::Rmem, Self::Tmem, Self::L2, Self::Any]
            .into_iter()
            .find(|space| space.name() == name)
    }
}

impl fmt::Display for Space {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What somebody asks of the table.
#[derive(Clone, Debug, Default)]
pub struct CopyRequest<'a> {
    /// The atom's name in any spelling; may carry DSL parameters after it.
    pub name: &'a str,
    /// Parameters of a DSL operation: `num_matrices`, `transpose`, `unpack_bits`, `repeat`, `pack`,
    /// `red`, `cta_group`; a flag that is set has the value `true`.
    pub params: Vec<(&'static str, String)>,
    /// Further keywords of the DSL: `memory_order=ACQUIRE` ...
    pub attrs: Vec<(String, String)>,
    /// The element type.
    pub dtype: Option<ElementType>,
    /// `num_bits_per_copy`, or the bits of one TMA instruction.
    pub bits: Option<i64>,
    /// The compilation target.
    pub arch: Option<Arch>,
}

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
    /// A name that is not in the table (with the nearest one), parameters that the operation does
    /// not take, a width or an element type that the atom refuses, and the wrong architecture.
    pub fn find(request: &CopyRequest<'_>) -> Result<Self> {
        let query = Query::of(request)?;
        let row = query.row(request.name)?;
        row.check_arch(request.arch)?;
        row.check_attrs(&request.attrs)?;
        let typed = query.type_argument.as_deref().and_then(ElementType::parse);
        let dtype = row.element(request.dtype.or(typed))?;
        let asked = request.bits.or(query.bits).or_else(|| typed.map(ElementType::bits));
        let bits = row.rule.bits(asked, dtype, row.short)?;
        let layout = |column: &str| match bits {
            Some(0) => table::layout("(1,1):(0,0)"),
            _ => table::layout(&column.replace('B', &bits.unwrap_or(0).to_string())),
        };
        let in_bits = Ends {
            src: layout(row.src)?,
            dst: layout(row.dst)?,
            reference: layout(row.reference)?,
        };
        let values =
            if bits == Some(0) { in_bits.clone() } else { in_bits.recast(dtype.bits())? };
        Ok(Self {
            name: query.instance(row),
            short: row.short.to_owned(),
            dsl: row.dsl.first().map(|op| op.text.to_owned()),
            arch: row.arch,
            from: row.from,
            to: row.to,
            dtype,
            bits: bits.filter(|&bits| bits > 0),
            thr_id: table::layout(row.thr_id)?,
            values,
            in_bits,
            val_id: if row.val_id.is_empty() { None } else { Some(table::layout(row.val_id)?) },
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
}

/// How `bits` may be chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
enum BitsRule {
    Fixed,
    PowerOfTwo,
    Positive,
    Element,
    Open,
    Ignored,
    OneOf(Vec<i64>),
}

impl BitsRule {
    fn parse(text: &str) -> Result<Self> {
        Ok(match text {
            "fixed" => Self::Fixed,
            "power" => Self::PowerOfTwo,
            "positive" => Self::Positive,
            "element" => Self::Element,
            "bulk" | "box" => Self::Open,
            "ignored" => Self::Ignored,
            list => Self::OneOf(
                list.split(' ')
                    .map(|n| n.parse().map_err(|_| broken(text)))
                    .collect::<Result<_>>()?,
            ),
        })
    }

    /// Gives the width in bits; 0 is CuTe's placeholder layout, none a fixed instruction.
    fn bits(&self, asked: Option<i64>, dtype: ElementType, name: &str) -> Result<Option<i64>> {
        let element = dtype.bits();
        let refuse =
            |what: String| Err(Error::rule("copy-bits", format!("`{name}` copies {what}")));
        let one_element = || match asked {
            None | Some(0) => element,
            Some(bits) => bits,
        };
        match self {
            Self::Fixed | Self::Ignored => match asked {
                Some(bits) if *self == Self::Fixed && bits != 0 => {
                    refuse(format!("a fixed number of bits, not `bits = {bits}`"))
                }
                _ => Ok(None),
            },
            Self::PowerOfTwo if matches!(asked, None | Some(0)) => Ok(Some(0)),
            Self::PowerOfTwo | Self::Element => {
                let bits = one_element();
                if bits < 8 || !is_power_of_two(bits) {
                    return refuse(format!("8, 16, 32 ... bits (a power of two), not {bits}"));
                }
                if *self == Self::Element && bits % element != 0 {
                    return refuse(format!(
                        "whole elements: {bits} bits are not a multiple of the {element} bits of `{dtype}`"
                    ));
                }
                Ok(Some(bits))
            }
            Self::Positive => match asked {
                None => Ok(Some(element)),
                Some(bits) if bits > 0 => Ok(Some(bits)),
                Some(bits) => refuse(format!("1 bit or more, not {bits}")),
            },
            Self::Open => match asked.unwrap_or(0) {
                bits if bits < 0 => refuse(format!("a positive number of bits, not {bits}")),
                bits => Ok(Some(bits)),
            },
            Self::OneOf(list) => match asked {
                Some(bits) if !list.contains(&bits) => {
                    let list: Vec<String> = list.iter().map(ToString::to_string).collect();
                    refuse(format!("{} bits (0 is one element), not {bits}", list.join(", ")))
                }
                _ => Ok(Some(one_element())),
            },
        }
    }
}

fn is_power_of_two(bits: i64) -> bool {
    bits > 0 && bits & (bits - 1) == 0
}

/// One spelling of an operation of the DSL.
#[derive(Clone, Debug)]
struct DslOp {
    text: &'static str,
    name: &'static str,
    params: Vec<(&'static str, &'static str)>,
}

impl DslOp {
    fn parse(text: &'static str) -> Self {
        let mut words = text.split(' ');
        let name = words.next().unwrap_or_default();
        let params = words.map(|word| word.split_once('=').unwrap_or((word, "true"))).collect();
        Self { text, name, params }
    }

    fn value(&self, param: &str) -> Option<&'static str> {
        self.params.iter().find(|(name, _)| *name == param).map(|(_, value)| *value)
    }

    /// What the DSL takes where a parameter is not given.
    fn default_of(param: &str) -> Option<&'static str> {
        match param {
            "num_matrices" | "repeat" | "cta_group" => Some("1"),
            _ => None,
        }
    }

    fn takes(&self, params: &[(&str, String)]) -> bool {
        let asked = |name: &str| {
            params.iter().find(|(param, _)| *param == name).map(|(_, value)| value.as_str())
        };
        let all_met = self
            .params
            .iter()
            .all(|(name, value)| asked(name).or(Self::default_of(name)) == Some(value));
        all_met && params.iter().all(|(name, _)| self.value(name).is_some())
    }
}

struct Row {
    name: &'static str,
    dsl: Vec<DslOp>,
    short: &'static str,
    arch: Option<Arch>,
    arch_is_required: bool,
    from: Space,
    to: Space,
    dtypes: Vec<ElementType>,
    rule: BitsRule,
    attrs: Vec<&'static str>,
    thr_id: &'static str,
    src: &'static str,
    dst: &'static str,
    reference: &'static str,
    val_id: &'static str,
}

fn broken(row: &str) -> Error {
    Error::rule("atom-table", format!("the row `{row}` of the atom table is broken"))
}

impl Row {
    fn all() -> Result<&'static [Self]> {
        static ROWS: LazyLock<Result<Vec<Row>>> =
            LazyLock::new(|| table::rows(ATOMS).map(|columns| Row::parse(&columns)).collect());
        ROWS.as_deref().map_err(Clone::clone)
    }

    fn parse(columns: &[&'static str]) -> Result<Self> {
        let &[
            name,
            dsl,
            short,
            arch,
            from,
            to,
            dtypes,
            bits,
            attrs,
            thr_id,
            src,
            dst,
            reference,
            val_id,
        ] = columns
        else {
            return Err(broken(columns.first().copied().unwrap_or_default()));
        };
        let space = |text| Space::parse(text).ok_or_else(|| broken(name));
        Ok(Self {
            name,
            dsl: dsl.split('/').filter(|op| !op.is_empty()).map(DslOp::parse).collect(),
            short,
            arch: Arch::parse(arch.trim_end_matches('!')),
            arch_is_required: arch.ends_with('!'),
            from: space(from)?,
            to: space(to)?,
            dtypes: dtypes
                .split(' ')
                .map(|ty| ElementType::parse(ty).ok_or_else(|| broken(name)))
                .collect::<Result<_>>()?,
            rule: BitsRule::parse(bits)?,
            attrs: attrs.split(' ').filter(|attr| !attr.is_empty()).collect(),
            thr_id,
            src,
            dst,
            reference,
            val_id,
        })
    }

    fn element(&self, asked: Option<ElementType>) -> Result<ElementType> {
        match (asked, self.dtypes.as_slice()) {
            (None, [first, ..]) => Ok(*first),
            (Some(dtype), [_, _, ..]) if !self.dtypes.contains(&dtype) => {
                let list: Vec<String> = self.dtypes.iter().map(|ty| format!("`{ty}`")).collect();
                Err(Error::rule(
                    "copy-dtype",
                    format!("`{}` takes {}, not `{dtype}`", self.short, list.join(", ")),
                ))
            }
            (Some(dtype), _) => Ok(dtype),
            (None, []) => Err(broken(self.name)),
        }
    }

    fn check_arch(&self, asked: Option<Arch>) -> Result<()> {
        let (Some(asked), Some(first), true) = (asked, self.arch, self.arch_is_required) else {
            return Ok(());
        };
        let ok =
            if first.suffix.is_some() { asked.has_tcgen05() } else { asked.number >= first.number };
        if ok {
            return Ok(());
        }
        let wanted = if first.suffix.is_some() {
            "one of sm_100a, sm_100f, sm_103a, sm_103f, sm_107a, sm_107f, sm_110a, sm_110f"
                .to_owned()
        } else {
            format!("{first} or later")
        };
        Err(Error::rule("copy-arch", format!("`{}` needs {wanted}, not {asked}", self.short)))
    }

    /// Checks keywords against `name` and `a^b` entries: known, and no excluded pair.
    fn check_attrs(&self, asked: &[(String, String)]) -> Result<()> {
        let has = |name: &str| asked.iter().any(|(attr, _)| attr == name);
        for (attr, _) in asked {
            if !self.attrs.iter().any(|entry| entry.split('^').any(|known| known == attr)) {
                let known: Vec<&str> =
                    self.attrs.iter().filter_map(|entry| entry.split('^').next()).collect();
                return Err(Error::rule(
                    "copy-attrs",
                    if known.is_empty() {
                        format!("`{}` takes no attributes, so not `{attr}`", self.short)
                    } else {
                        format!("`{}` takes {}, not `{attr}`", self.short, known.join(", "))
                    },
                ));
            }
        }
        for entry in &self.attrs {
            if let Some((one, other)) = entry.split_once('^')
                && has(one)
                && has(other)
            {
                return Err(Error::rule(
                    "copy-attrs",
                    format!("`{}` takes `{one}` or `{other}`, not both", self.short),
                ));
            }
        }
        Ok(())
    }
}

/// A request brought to the table's terms.
struct Query {
    /// The name without module prefix, `<...>` and parameters.
    stem: String,
    /// What stands in `<...>`.
    type_argument: Option<String>,
    params: Vec<(&'static str, String)>,
    /// Width given inside the name (`NumBitsPerTMA=1024`).
    bits: Option<i64>,
}

const PARAMS: [&str; 7] =
    ["num_matrices", "transpose", "unpack_bits", "repeat", "pack", "red", "cta_group"];

impl Query {
    fn of(request: &CopyRequest<'_>) -> Result<Self> {
        let mut params: Vec<(&'static str, String)> = request.params.clone();
        let mut bits = None;
        let (name, rest) = match request.name.trim().split_once([' ', ',']) {
            Some((name, rest)) if !name.contains('<') || name.contains('>') => (name, rest),
            _ => (request.name.trim(), ""),
        };
        for word in rest.split([' ', ',']).filter(|word| !word.is_empty()) {
            let (param, value) = word.split_once('=').unwrap_or((word, "true"));
            if param == "NumBitsPerTMA" || param == "num_bits_per_copy" || param == "bits" {
                bits = value.parse().ok();
                continue;
            }
            let known =
                PARAMS.iter().find(|known| known.replace('_', "-") == param.replace('_', "-"));
            let Some(&known) = known else {
                return Err(Error::rule(
                    "copy-parameter",
                    format!(
                        "`{param}` is no parameter of a copy operation; expected one of {}",
                        PARAMS.join(", ")
                    ),
                ));
            };
            params.push((known, value.to_owned()));
        }
        params.retain(|(_, value)| value != "false");
        let name = ["cute.nvgpu.", "nvgpu.", "cute::"]
            .iter()
            .find_map(|prefix| name.strip_prefix(prefix))
            .unwrap_or(name);
        let name = ["warp.", "tcgen05.", "cpasync.", "cute."]
            .iter()
            .filter_map(|prefix| name.strip_prefix(prefix))
            .find(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase()))
            .unwrap_or(name);
        let (stem, type_argument) = match name.split_once('<') {
            Some((stem, argument)) => (stem, argument.strip_suffix('>').map(str::to_owned)),
            None => (name, None),
        };
        Ok(Self { stem: stem.to_owned(), type_argument, params, bits })
    }

    /// Finds the row, or says which part of the request fails.
    fn row(&self, written: &str) -> Result<&'static Row> {
        let rows = Row::all()?;
        let whole = match &self.type_argument {
            Some(argument) => format!("{}<{argument}>", self.stem),
            None => self.stem.clone(),
        };
        let red_free: Vec<(&'static str, String)> =
            self.params.iter().filter(|(name, _)| *name != "red").cloned().collect();
        let named = |row: &&Row| row.name == whole || row.short == whole;
        let generic = |row: &&Row| {
            row.name.split_once('<').is_some_and(|(stem, argument)| {
                stem == self.stem && matches!(argument, "T>" | "N>")
            })
        };
        if let Some(row) = rows.iter().find(named).or_else(|| rows.iter().find(generic)) {
            return self.accept(row);
        }
        let is_op = |op: &DslOp| op.name == self.stem;
        let fits = |row: &&Row| row.dsl.iter().any(|op| is_op(op) && op.takes(&red_free));
        if let Some(row) = rows.iter().find(fits) {
            return self.accept(row);
        }
        let forms: Vec<&DslOp> =
            rows.iter().flat_map(|row| &row.dsl).filter(|op| is_op(op)).collect();
        if forms.is_empty() { Err(unknown(rows, written)) } else { Err(self.mismatch(&forms)) }
    }

    /// Writes the type that was asked for in place of the row's `<T>`.
    fn instance(&self, row: &Row) -> String {
        match (row.name.split_once('<'), &self.type_argument) {
            (Some((stem, "T>" | "N>")), Some(argument)) => format!("{stem}<{argument}>"),
            _ => row.name.to_owned(),
        }
    }

    /// Takes a row whose type argument and parameters fit.
    fn accept(&self, row: &'static Row) -> Result<&'static Row> {
        if let (Some(argument), true) = (&self.type_argument, row.name.ends_with("<T>"))
            // As the table and the figures write it.
            && argument != "T"
            && ElementType::parse(argument).is_none()
        {
            return Err(Error::rule(
                "copy-type",
                format!("`{argument}` in `{}` is no element type", self.stem),
            ));
        }
        if let Some((_, red)) = self.params.iter().find(|(name, _)| *name == "red") {
            if !row.attrs.contains(&"red") {
                return Err(Error::rule(
                    "copy-parameter",
                    format!("`{}` does not reduce, so `red` does not apply", row.short),
                ));
            }
            if !["MAX", "MIN", "MAXABS", "MINABS"].contains(&red.to_uppercase().as_str()) {
                return Err(Error::rule(
                    "copy-parameter",
                    format!("`red = {red}`: expected MAX, MIN, MAXABS or MINABS"),
                ));
            }
        }
        Ok(row)
    }

    fn mismatch(&self, forms: &[&DslOp]) -> Error {
        for (name, value) in self.params.iter().filter(|(name, _)| *name != "red") {
            let mut values: Vec<&str> = forms.iter().filter_map(|op| op.value(name)).collect();
            if values.contains(&value.as_str()) {
                continue;
            }
            values.dedup();
            values.sort_by_key(|v| (v.len(), *v));
            values.dedup();
            let expected = if values.is_empty() {
                format!("`{}` has no such parameter", self.stem)
            } else {
                format!("`{}` takes {}", self.stem, values.join(", "))
            };
            return Error::rule("copy-parameter", format!("`{name} = {value}`: {expected}"));
        }
        let must = PARAMS.iter().find(|param| {
            !self.params.iter().any(|(name, _)| name == *param)
                && DslOp::default_of(param).is_none()
                && forms.iter().all(|op| op.value(param).is_some())
        });
        match must {
            Some(param) => {
                Error::rule("copy-parameter", format!("`{}` exists only with `{param}`", self.stem))
            }
            None => {
                let asked: Vec<String> =
                    self.params.iter().map(|(name, value)| format!("{name}={value}")).collect();
                Error::rule(
                    "copy-parameter",
                    format!("`{}` has no form with `{}`", self.stem, asked.join(" ")),
                )
            }
        }
    }
}

/// Refuses a name, with the three nearest ones.
fn unknown(rows: &[Row], name: &str) -> Error {
    let lower = name.to_lowercase();
    let mut near: Vec<(f64, &str)> = rows
        .iter()
        .flat_map(|row| {
            let ops = row.dsl.iter().map(|op| op.name);
            [row.name, row.short].into_iter().chain(ops)
        })
        .map(|known| (likeness(&known.to_lowercase(), &lower), known))
        .collect();
    near.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    near.dedup_by_key(|(_, known)| *known);
    let names: Vec<String> = near.iter().take(3).map(|(_, known)| format!("`{known}`")).collect();
    Error::Rule {
        rule: "copy-atom",
        text: format!("`{name}` is no copy atom"),
        hint: Some(format!("near names: {}", names.join(", "))),
    }
}
