//! The rows of the table of copy atoms.
//!
//! In: `copy.txt`. Out: one [`Row`] per atom. Invariant: what code, pictures and messages have to
//! know about an instruction is in its row; nothing follows from how its name is spelled.

use super::keyword::Keyword;
use super::printed;
use super::space::Space;
use super::spelling::Spelling;
use super::table::columns;
use super::width::{BitsRule, Widths};
use crate::cute::{Error, Layout, Result};
use crate::hardware::arch::Arch;
use crate::hardware::dtype::ElementType;
use crate::hardware::tma::Mode;
use std::sync::LazyLock;

columns! {
    /// A row of `copy.txt`; the file says what its columns hold.
    Cells of "copy.txt" {
        name "name",
        short "short",
        aliases "aliases",
        cxx "cxx",
        cxx_bits "cxx-bits",
        made "made",
        module "module",
        dsl "dsl",
        ops "ops",
        params "params",
        attrs "attrs",
        arch "arch",
        from "from",
        to "to",
        dtype "dtype",
        bits "bits",
        rows "rows",
        tma "tma",
        thr "thr",
        src "src",
        dst "dst",
        reference "ref",
        val "val",
        note "note",
        source "source",
    }
}

/// A copy atom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) name: &'static str,
    pub(super) short: &'static str,
    pub(super) aliases: Vec<Alias>,
    /// The operation as C++ code with placeholders; empty where there is none.
    pub(super) cxx: &'static str,
    pub(super) cxx_widths: Widths,
    pub(super) made: Made,
    pub(super) dsl: Option<DslOperation>,
    /// Keywords that do not choose the row.
    pub(super) attrs: Vec<Attribute>,
    pub(super) arch: Option<Arch>,
    pub(super) arch_is_required: bool,
    pub(super) from: Space,
    pub(super) to: Space,
    pub(super) dtypes: Vec<ElementType>,
    pub(super) rule: BitsRule,
    pub(super) matrix_rows: Option<usize>,
    pub(super) tma: Option<Mode>,
    pub(super) thr_id: &'static str,
    pub(super) src: &'static str,
    pub(super) dst: &'static str,
    pub(super) reference: &'static str,
    pub(super) val_id: &'static str,
    /// Code and text of what a reader has to know.
    pub(super) note: Option<(&'static str, &'static str)>,
    pub(super) source: &'static str,
}

/// Another name of an atom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Alias {
    pub(super) name: &'static str,
    /// The template argument that it stands for.
    pub(super) argument: Option<&'static str>,
}

/// How code makes an atom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Made {
    /// Of the operation and a type.
    OfType,
    /// Of a pair of tensors: TMA.
    OfTensors,
    /// Of another atom, when it is used.
    WithAnother,
}

/// An operation of the DSL with its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct DslOperation {
    pub(super) module: &'static str,
    pub(super) name: &'static str,
    /// Its arguments as code.
    pub(super) arguments: Vec<&'static str>,
    /// Other names, which take the same arguments.
    pub(super) others: Vec<&'static str>,
    /// The arguments that it takes, in their order.
    pub(super) params: Vec<&'static Keyword>,
    /// The arguments that choose this row, with their short values.
    pub(super) chosen: Vec<(&'static Keyword, String)>,
}

/// A keyword that does not choose the row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Attribute {
    pub(super) keyword: &'static Keyword,
    /// Keywords that must keep their defaults where this one has another value than its default.
    pub(super) excludes: Vec<&'static Keyword>,
    /// Whether the DSL takes it and ignores it.
    pub(super) is_ignored: bool,
}

impl Row {
    /// Returns every row in the order of the table.
    ///
    /// # Errors
    /// Never for the embedded table.
    pub(super) fn all() -> Result<&'static [Self]> {
        static ROWS: LazyLock<Result<Vec<Row>>> =
            LazyLock::new(|| Cells::all()?.iter().map(Row::parse).collect());
        ROWS.as_deref().map_err(Clone::clone)
    }

    fn parse(cells: &Cells) -> Result<Self> {
        let wrong = |column: &str| cells.fault(&format!("invalid value in the column `{column}`"));
        let made = match cells.made {
            "type" => Made::OfType,
            "tensors" => Made::OfTensors,
            "with" => Made::WithAnother,
            _ => return Err(wrong("made")),
        };
        let (arch, arch_is_required) = match cells.arch.split_once('!') {
            Some((arch, "")) => (arch, true),
            _ => (cells.arch, false),
        };
        let arch = match arch {
            "any" => None,
            arch => Some(Arch::parse(arch).ok_or_else(|| wrong("arch"))?),
        };
        let space = |text, column| Space::parse(text).ok_or_else(|| wrong(column));
        let dtypes = cells.dtype.split(' ').map(ElementType::parse).collect::<Option<_>>();
        let matrix_rows = match cells.rows {
            "" => None,
            rows => Some(rows.parse().map_err(|_| wrong("rows"))?),
        };
        let tma = match cells.tma {
            "" => None,
            mode => Some(Mode::parse(mode).ok_or_else(|| wrong("tma"))?),
        };
        let note = match cells.note {
            "" => None,
            note => Some(note.split_once(": ").ok_or_else(|| wrong("note"))?),
        };
        Ok(Self {
            name: cells.name,
            short: cells.short,
            aliases: aliases(cells)?,
            cxx: cells.cxx,
            cxx_widths: Widths::parse(cells.cxx_bits).ok_or_else(|| wrong("cxx-bits"))?,
            made,
            dsl: if cells.dsl.is_empty() { None } else { Some(DslOperation::parse(cells)?) },
            attrs: words(cells.attrs)
                .map(|entry| attribute(cells, entry))
                .collect::<Result<_>>()?,
            arch,
            arch_is_required,
            from: space(cells.from, "from")?,
            to: space(cells.to, "to")?,
            dtypes: dtypes.ok_or_else(|| wrong("dtype"))?,
            rule: BitsRule::parse(cells.bits).ok_or_else(|| wrong("bits"))?,
            matrix_rows,
            tma,
            thr_id: cells.thr,
            src: cells.src,
            dst: cells.dst,
            reference: cells.reference,
            val_id: cells.val,
            note,
            source: cells.source,
        })
    }

    /// Returns the name without `<T>` or `<N>`, and the letter, of an atom over any type or number.
    pub(super) fn generic(&self) -> Option<(&'static str, char)> {
        let (stem, argument) = self.name.split_once('<')?;
        match argument {
            "T>" => Some((stem, 'T')),
            "N>" => Some((stem, 'N')),
            _ => None,
        }
    }

    /// Returns the attribute that somebody means by `name`.
    pub(super) fn attribute(&self, name: &str) -> Option<&Attribute> {
        let own = self.attrs.iter().find(|attr| attr.keyword.name == name);
        own.or_else(|| self.attrs.iter().find(|attr| attr.keyword.is_named(name)))
    }

    /// Returns whether the operation of the DSL has this name.
    pub(super) fn is_operation(&self, name: &str) -> bool {
        self.dsl.as_ref().is_some_and(|op| op.name == name || op.others.contains(&name))
    }

    /// Returns a layout of the row at a width; 0 is the placeholder.
    pub(super) fn layout(&self, cell: &str, bits: Option<i64>) -> Result<Layout> {
        match bits {
            Some(0) => printed::layout("(1,1):(0,0)"),
            Some(bits) => printed::layout(&cell.replace('B', &bits.to_string())),
            None => printed::layout(cell),
        }
    }

    /// Returns every name of the atom and of its operation.
    pub(super) fn names(&self) -> impl Iterator<Item = &'static str> {
        let aliases = self.aliases.iter().map(|alias| alias.name);
        let ops = self.dsl.iter().flat_map(|op| std::iter::once(op.name).chain(op.others.clone()));
        let stem = self.generic().map_or(self.name, |(stem, _)| stem);
        [stem, self.short].into_iter().chain(aliases).chain(ops)
    }
}

impl DslOperation {
    fn parse(cells: &Cells) -> Result<Self> {
        let wrong = |text: &str| cells.fault(&format!("the column `dsl`: {text}"));
        let spelling = Spelling::read(cells.dsl).map_err(|error| wrong(&error.to_string()))?;
        let params = words(cells.params)
            .map(|name| Keyword::find(name)?.ok_or_else(|| unknown(cells, name)))
            .collect::<Result<Vec<_>>>()?;
        let mut chosen = Vec::new();
        for (name, value) in spelling.keywords(&params)? {
            let keyword = params.iter().find(|keyword| keyword.name == name);
            let keyword = *keyword.ok_or_else(|| unknown(cells, name))?;
            let value = keyword.read(value).ok_or_else(|| wrong("an unknown value"))?;
            chosen.push((keyword, value));
        }
        Ok(Self {
            module: cells.module,
            name: spelling.stem,
            arguments: spelling.arguments.clone(),
            others: words(cells.ops).collect(),
            params,
            chosen,
        })
    }

    /// Returns the argument that somebody means by `name`.
    pub(super) fn param(&self, name: &str) -> Option<&'static Keyword> {
        let own = self.params.iter().find(|keyword| keyword.name == name);
        own.or_else(|| self.params.iter().find(|keyword| keyword.is_named(name))).copied()
    }

    /// Returns the value with which an argument chooses this row.
    pub(super) fn chosen(&self, keyword: &Keyword) -> Option<&str> {
        let of = |(known, _): &&(&'static Keyword, String)| known.name == keyword.name;
        self.chosen.iter().find(of).map(|(_, value)| value.as_str())
    }

    /// Returns the value of an argument in this row: the one that chooses it, or the default.
    pub(super) fn value(&self, keyword: &'static Keyword) -> &str {
        self.chosen(keyword).unwrap_or_else(|| keyword.default())
    }

    /// Writes the operation with its arguments in short form: `LdMatrix8x8x16bOp num_matrices=4`.
    pub(super) fn short(&self) -> String {
        let words = self.chosen.iter().map(|(keyword, value)| match value.as_str() {
            "true" => format!(" {}", keyword.name),
            value => format!(" {}={value}", keyword.name),
        });
        std::iter::once(self.name.to_owned()).chain(words).collect()
    }
}

fn aliases(cells: &Cells) -> Result<Vec<Alias>> {
    let entries = cells.aliases.split(" / ").filter(|entry| !entry.is_empty());
    entries
        .map(|entry| match entry.split_once(' ') {
            None => Ok(Alias { name: entry, argument: None }),
            Some((name, argument)) => match argument.split_once('=') {
                Some(("T" | "N", argument)) => Ok(Alias { name, argument: Some(argument) }),
                _ => Err(cells.fault(&format!("invalid alias `{entry}`"))),
            },
        })
        .collect()
}

fn attribute(cells: &Cells, entry: &'static str) -> Result<Attribute> {
    let (entry, is_ignored) = match entry.split_once('~') {
        Some(("", entry)) => (entry, true),
        _ => (entry, false),
    };
    let mut keywords = entry
        .split('^')
        .map(|name| Keyword::find(name)?.ok_or_else(|| unknown(cells, name)))
        .collect::<Result<Vec<_>>>()?
        .into_iter();
    let keyword = keywords.next().ok_or_else(|| unknown(cells, entry))?;
    Ok(Attribute { keyword, excludes: keywords.collect(), is_ignored })
}

fn unknown(cells: &Cells, name: &str) -> Error {
    cells.fault(&format!("`{name}` is not in keywords.txt"))
}

fn words(cell: &'static str) -> impl Iterator<Item = &'static str> {
    cell.split(' ').filter(|word| !word.is_empty())
}
