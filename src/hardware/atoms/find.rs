//! Finds the row that a name means.
//!
//! In: a [`CopyRequest`]. Out: the row, and what the name says about type, width and keywords.
//! Invariant: nothing that was asked for is dropped: a keyword either chooses the row, agrees with
//! it, is one of its attributes, or is refused.

use super::copy_row::{Attribute, DslOperation, Row};
use super::keyword::Keyword;
use super::request::CopyRequest;
use super::spelling::{Spelling, find_element_type};
use crate::cute::{Error, Result};
use crate::hardware::dtype::ElementType;
use crate::suggest::near;

/// What a name means.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) row: &'static Row,
    /// The template argument of an operation over any type or number.
    pub(super) argument: Option<String>,
    /// Keywords that change no layout, with their short values.
    pub(super) attrs: Vec<(&'static Attribute, String)>,
    /// The element type that the name says the atom is over.
    pub(super) dtype: Option<ElementType>,
    /// The type that the operation moves: the element type where nothing else gives one.
    pub(super) moved: Option<ElementType>,
    /// The width that the name carries.
    pub(super) bits: Option<i64>,
}

/// A keyword as it was asked for.
#[derive(Clone, Copy, Debug)]
struct Asked<'r> {
    name: &'r str,
    value: &'r str,
    /// Whether it was given as an attribute, apart from the name.
    as_attribute: bool,
}

/// How many atoms a message lists.
const LISTED: usize = 8;
/// How many near names a message lists.
const NEAR: usize = 3;

/// Finds the row.
///
/// # Errors
/// Names that no atom has, or several; keywords that the operation does not take.
pub(super) fn find(request: &CopyRequest<'_>) -> Result<Found> {
    let rows = Row::all()?;
    let written = request.name.trim();
    let exact = |row: &&Row| row.name == written || row.short == written;
    // The table's own names are not taken apart: they hold commas and brackets.
    let (spelling, named) = match rows.iter().find(exact) {
        Some(row) => (Spelling::bare(written), vec![(row, None)]),
        None => {
            let spelling = Spelling::read(written)?;
            let named = atoms_named(rows, &spelling);
            (spelling, named)
        }
    };
    let (row, argument) = if named.is_empty() {
        (operation(rows, &spelling, request)?, None)
    } else {
        one_atom(&named, &spelling, request)?
    };
    check_module(rows, row, &spelling)?;
    let moved = match (row.generic(), argument.as_deref()) {
        // As the table and the figures write it.
        (Some((_, letter)), Some(argument)) if argument == letter.to_string() => None,
        (Some((stem, 'T')), Some(argument)) => {
            let text = || format!("`{argument}` in `{stem}` is not an element type");
            let ty = find_element_type(argument).ok_or_else(|| Error::rule("copy-type", text()));
            Some(ty?)
        }
        (Some((stem, _)), Some(argument)) if argument.parse::<u32>().is_err() => {
            let text = format!("`{argument}` in `{stem}` is not a number of bits");
            return Err(Error::rule("copy-type", text));
        }
        _ => None,
    };
    Ok(Found {
        row,
        attrs: attributes(row, &asked(row, &spelling, request)?)?,
        dtype: spelling.dtype,
        moved,
        bits: spelling.bits.or_else(|| moved.map(ElementType::bits)),
        argument,
    })
}

/// Returns the atoms with a name of their own, with the template argument that it stands for.
fn atoms_named(
    rows: &'static [Row],
    spelling: &Spelling<'_>,
) -> Vec<(&'static Row, Option<String>)> {
    let whole = spelling.whole();
    if let Some(row) = rows.iter().find(|row| row.name == whole || row.short == whole) {
        return vec![(row, None)];
    }
    let generic = |row: &&Row| row.generic().is_some_and(|(stem, _)| stem == spelling.stem);
    if let Some(row) = rows.iter().find(generic) {
        return vec![(row, spelling.argument.as_deref().map(one_type).map(str::to_owned))];
    }
    let alias = |row: &'static Row| {
        let alias = row.aliases.iter().find(|alias| alias.name == whole)?;
        Some((row, alias.argument.map(str::to_owned)))
    };
    rows.iter().filter_map(alias).collect()
}

/// Writes `T,T` as `T`: a C++ copy of one type to the same type.
fn one_type(argument: &str) -> &str {
    match argument.split_once(',') {
        Some((from, to)) if from == to => from,
        _ => argument,
    }
}

/// Takes the atom that agrees with the keywords, out of those of one name.
fn one_atom(
    named: &[(&'static Row, Option<String>)],
    spelling: &Spelling<'_>,
    request: &CopyRequest<'_>,
) -> Result<(&'static Row, Option<String>)> {
    let mut agree = Vec::new();
    let mut fault = None;
    for (row, argument) in named {
        match disagreement(row, &asked(row, spelling, request)?) {
            None => agree.push((*row, argument.clone())),
            Some(error) => fault = fault.or(Some(error)),
        }
    }
    match (agree.as_slice(), fault) {
        ([one], _) => Ok(one.clone()),
        ([], Some(fault)) => Err(fault),
        _ => {
            let shorts = agree.iter().map(|(row, _)| format!("`{}`", row.short));
            let left = agree.len().saturating_sub(LISTED);
            let more = if left == 0 { String::new() } else { format!(" and {left} more") };
            let list: Vec<String> = shorts.take(LISTED).collect();
            Err(Error::Rule {
                rule: "copy-atom",
                text: format!("`{}` names {} atoms", spelling.stem, agree.len()),
                hint: Some(format!("write one of {}{more}", list.join(", "))),
            })
        }
    }
}

/// Returns what is wrong with a keyword beside the name of an atom: it is unknown there, or says
/// something else than the name.
fn disagreement(row: &'static Row, asked: &[Asked<'_>]) -> Option<Error> {
    asked.iter().find_map(|asked| {
        let param = row.dsl.as_ref().and_then(|op| Some((op, op.param(asked.name)?)));
        match param {
            _ if row.attribute(asked.name).is_some() => None,
            Some((op, keyword)) => {
                let value = op.value(keyword);
                let same = keyword.read(asked.value).is_some_and(|read| read == value);
                let text = || {
                    let (name, short) = (keyword.name, row.short);
                    format!("`{short}` has `{name} = {value}`, not `{}`", asked.value)
                };
                (!same).then(|| Error::rule("copy-parameter", text()))
            }
            None => Some(unknown_keyword(row, *asked)),
        }
    })
}

/// Finds the row of an operation of the DSL by its parameters.
fn operation(
    rows: &'static [Row],
    spelling: &Spelling<'_>,
    request: &CopyRequest<'_>,
) -> Result<&'static Row> {
    let forms: Vec<(&'static Row, &'static DslOperation)> = rows
        .iter()
        .filter(|row| row.is_operation(spelling.stem))
        .filter_map(|row| row.dsl.as_ref().map(|op| (row, op)))
        .collect();
    let Some((first, _)) = forms.first() else { return Err(unknown_atom(rows, spelling)) };
    let mut best: Option<(usize, &'static Row)> = None;
    for (row, op) in &forms {
        let asked = asked(row, spelling, request)?;
        if let Some(chosen) = fit(row, op, &asked)
            && best.is_none_or(|(most, _)| chosen > most)
        {
            best = Some((chosen, *row));
        }
    }
    match best {
        Some((_, row)) => Ok(row),
        None => Err(mismatch(spelling.stem, &forms, &asked(first, spelling, request)?)),
    }
}

/// Returns how many of the keywords chose the row; `None` where one speaks against it.
fn fit(row: &'static Row, op: &DslOperation, asked: &[Asked<'_>]) -> Option<usize> {
    let is_asked = |keyword: &Keyword| asked.iter().any(|asked| keyword.is_named(asked.name));
    if op.chosen.iter().any(|(keyword, value)| !is_asked(keyword) && keyword.default() != value) {
        return None;
    }
    let mut chosen = 0;
    for asked in asked {
        let param = op.param(asked.name);
        let has = |keyword: &'static Keyword| {
            keyword.read(asked.value).is_some_and(|read| read == op.value(keyword))
        };
        match param {
            Some(keyword) if op.chosen(keyword).is_some() => {
                if !has(keyword) {
                    return None;
                }
                chosen += 1;
            }
            Some(keyword) if has(keyword) => {}
            _ if row.attribute(asked.name).is_some() => {}
            _ => return None,
        }
    }
    Some(chosen)
}

/// Lists the keywords of a request; those without a name go by their place in the row's operation.
fn asked<'r>(
    row: &Row,
    spelling: &Spelling<'r>,
    request: &'r CopyRequest<'_>,
) -> Result<Vec<Asked<'r>>> {
    let params = row.dsl.as_ref().map_or(&[][..], |op| &op.params);
    let written = spelling.keywords(params)?.into_iter();
    let params = request.params.iter().map(|(name, value)| (*name, value.as_str()));
    let attrs = request.attrs.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let keyword = |as_attribute| move |(name, value)| Asked { name, value, as_attribute };
    Ok(written.chain(params).map(keyword(false)).chain(attrs.map(keyword(true))).collect())
}

/// Reads the keywords that are attributes of the row.
fn attributes(row: &'static Row, asked: &[Asked<'_>]) -> Result<Vec<(&'static Attribute, String)>> {
    let mut attributes: Vec<(&'static Attribute, String)> = Vec::new();
    for asked in asked {
        let chooses = row.dsl.as_ref().is_some_and(|op| {
            op.param(asked.name).is_some_and(|keyword| op.chosen(keyword).is_some())
        });
        let Some(attr) = row.attribute(asked.name).filter(|_| !chooses) else { continue };
        let Some(value) = attr.keyword.read(asked.value) else {
            let expected = attr.keyword.expected();
            let text = format!("`{} = {}`: expected {expected}", asked.name, asked.value);
            return Err(Error::rule(code_of(*asked), text));
        };
        if attributes.iter().any(|(known, _)| known.keyword.name == attr.keyword.name) {
            let text = format!("`{}` is given twice", attr.keyword.name);
            return Err(Error::rule(code_of(*asked), text));
        }
        attributes.push((attr, value));
    }
    Ok(attributes)
}

const fn code_of(asked: Asked<'_>) -> &'static str {
    if asked.as_attribute { "copy-attrs" } else { "copy-parameter" }
}

/// Refuses a name in a module that has no such name.
fn check_module(rows: &[Row], row: &Row, spelling: &Spelling<'_>) -> Result<()> {
    let Some(written) = spelling.module else { return Ok(()) };
    let mut parts: Vec<&str> = written.split('.').collect();
    let Some(op) = row.dsl.as_ref().filter(|_| row.is_operation(spelling.stem)) else {
        // The one other place in which the DSL writes names of C++.
        let is_enumeration = parts.last() == Some(&"OperationTypeEnum");
        return if is_enumeration { Ok(()) } else { Err(unknown_atom(rows, spelling)) };
    };
    // Operations are also reached through the file that defines them: `tcgen05.copy.Ld32x32bOp`.
    parts.pop_if(|last| *last == "copy");
    let own: Vec<&str> = op.module.split('.').collect();
    if own.ends_with(&parts) || parts.ends_with(&own) {
        return Ok(());
    }
    Err(Error::Rule {
        rule: "copy-atom",
        text: format!("`{written}` has no operation `{}`", spelling.stem),
        hint: Some(format!("usage: `{}.{}`", op.module, spelling.stem)),
    })
}

/// Says which keyword no form of an operation takes.
fn mismatch(
    stem: &str,
    forms: &[(&'static Row, &'static DslOperation)],
    asked: &[Asked<'_>],
) -> Error {
    for asked in asked {
        let params = || forms.iter().filter_map(|(_, op)| Some((*op, op.param(asked.name)?)));
        if params().next().is_none() {
            if forms.iter().any(|(row, _)| row.attribute(asked.name).is_some()) {
                continue;
            }
            return match forms.first() {
                Some((row, _)) => unknown_keyword(row, *asked),
                None => Error::rule(code_of(*asked), format!("unknown parameter `{}`", asked.name)),
            };
        }
        let value = |(_, keyword): &(&DslOperation, &'static Keyword)| keyword.read(asked.value);
        let mut values: Vec<&str> = params().map(|(op, keyword)| op.value(keyword)).collect();
        if params().any(|pair| value(&pair).is_some_and(|read| values.contains(&read.as_str()))) {
            continue;
        }
        values.sort_by_key(|value| (value.len(), *value));
        values.dedup();
        let text =
            format!("`{} = {}`: `{stem}` takes {}", asked.name, asked.value, values.join(", "));
        return Error::rule(code_of(*asked), text);
    }
    let all = |keyword: &&&'static Keyword| {
        let set = |op: &DslOperation| op.chosen(keyword).is_some_and(|v| v != keyword.default());
        !asked.iter().any(|asked| keyword.is_named(asked.name))
            && forms.iter().all(|(_, op)| set(op))
    };
    let must = forms.first().and_then(|(_, op)| op.params.iter().find(all));
    let text = match must {
        Some(keyword) => format!("`{stem}` exists only with `{}`", keyword.name),
        None => {
            let asked: Vec<String> =
                asked.iter().map(|asked| format!("{}={}", asked.name, asked.value)).collect();
            format!("`{stem}` has no form with `{}`", asked.join(" "))
        }
    };
    Error::rule("copy-parameter", text)
}

/// Refuses a keyword that an atom does not take.
fn unknown_keyword(row: &Row, asked: Asked<'_>) -> Error {
    let params = row.dsl.iter().flat_map(|op| op.params.iter().map(|keyword| keyword.name));
    let mut known: Vec<&str> = Vec::new();
    for name in params.chain(row.attrs.iter().map(|attr| attr.keyword.name)) {
        if !known.contains(&name) {
            known.push(name);
        }
    }
    let name = asked.name;
    let what = if asked.as_attribute { "attributes" } else { "parameters" };
    let text = if known.is_empty() {
        format!("`{}` takes no {what}, so not `{name}`", row.short)
    } else {
        format!("`{}` takes {}, not `{name}`", row.short, known.join(", "))
    };
    Error::rule(code_of(asked), text)
}

/// Refuses a name, with those that are near.
fn unknown_atom(rows: &[Row], spelling: &Spelling<'_>) -> Error {
    let near = near(spelling.stem, rows.iter().flat_map(Row::names), NEAR);
    let near: Vec<String> = near.iter().map(|name| format!("`{name}`")).collect();
    let hint = if near.is_empty() {
        "for example `SM75_U32x4_LDSM_N`, `ldmatrix.x4` or `LdMatrix8x8x16bOp(num_matrices=4)`"
            .to_owned()
    } else {
        format!("near names: {}", near.join(", "))
    };
    Error::Rule {
        rule: "copy-atom",
        text: format!("unknown copy atom `{}`", spelling.whole()),
        hint: Some(hint),
    }
}
