//! Kind `copy`: copy atoms, tiled copies, partitions, and what they do to registers and TMEM.
//!
//! In: an atom by any of its names, and TV layouts, tilers, tensors as the operation needs them.
//! Out: SRC -> DST panes, checks that CuTe documents and does not enforce, facts. Invariant: every
//! number is one of [`crate::hardware::copy`]; this floor only arranges cells.
//!
//! [`atom`] draws one instruction, [`tiled`] its tiling, [`partition`] what a thread sees of a
//! tensor, [`fragment`] registers and tensor memory; [`owners`] paints cells that threads own,
//! [`tmem_map`] puts them where they lie in tensor memory,
//! [`snippets`] writes the code that makes the same.

mod atom;
mod copied_rows;
mod fragment;
mod owners;
mod partition;
pub(super) mod snippets;
mod tiled;
mod tmem_map;

use crate::cute::{Error, Layout};
use crate::diagnostic::Diagnostic;
use crate::expr::Value;
use crate::figure::canvas::limits::VALUES_CHECKED;
use crate::figure::code::snippet::Snippet;
use crate::figure::input::resolve::Keys;
use crate::figure::input::spec::Problem;
use crate::figure::model::figure::{Figure, Space as Badge};
use crate::hardware::arch::Arch;
use crate::hardware::copy::{CopyAtom, CopyRequest, Side, Space, TiledCopy};

/// Builds the figure.
///
/// # Errors
/// Whatever CuTe refuses, at the key that it is about.
pub(in crate::figure) fn build(keys: &Keys<'_>) -> Result<Figure, Problem> {
    match keys.word("op").unwrap_or("atom") {
        "tiled" | "tv" | "cotiled" | "like-s" | "like-d" => tiled::build(keys),
        "partition" => partition::build(keys),
        "retile" => fragment::retile(keys),
        "tmem" => fragment::tmem(keys),
        "s2t" => fragment::s2t(keys),
        _ => atom::build(keys),
    }
}

/// Reads a compilation target.
pub(super) fn arch(keys: &Keys<'_>) -> Result<Option<Arch>, Problem> {
    let Some(name) = keys.text("arch") else { return Ok(None) };
    Arch::parse(name).map(Some).ok_or_else(|| {
        let diagnostic = Diagnostic::error("arch", format!("`{name}` is no architecture"));
        keys.problem("arch", diagnostic.hint("for example `sm_90a`"))
    })
}

/// Looks the atom up that the keys ask for.
fn atom_of(keys: &Keys<'_>) -> Result<CopyAtom, Problem> {
    let name = keys.text("atom").ok_or_else(|| keys.missing("atom"))?;
    let mut params: Vec<(&'static str, String)> = Vec::new();
    for (key, param) in [
        ("num-matrices", "num_matrices"),
        ("unpack-bits", "unpack_bits"),
        ("repeat", "repeat"),
        ("cta-group", "cta_group"),
    ] {
        params.extend(keys.number(key).map(|n| (param, n.to_string())));
    }
    for key in ["transpose", "pack"] {
        if keys.flag(key) == Some(true) {
            params.push((key, "true".to_owned()));
        }
    }
    params.extend(keys.text("red").map(|red| ("red", red.to_owned())));
    let attrs = keys.list("attrs").iter().map(|item| {
        let (attr, value) = item.text.split_once(['=', ':']).unwrap_or((&item.text, "true"));
        (attr.trim().replace('-', "_"), value.trim().to_owned())
    });
    let request = CopyRequest {
        name,
        params,
        attrs: attrs.collect(),
        dtype: keys.element_type("dtype")?,
        bits: keys.number("bits"),
        arch: arch(keys)?,
    };
    let atom =
        CopyAtom::find(&request).map_err(|error| keys.problem(key_of(&error), error.into()))?;
    for (key, end) in [("from", atom.from), ("to", atom.to)] {
        check_space(keys, key, end, &atom)?;
    }
    Ok(atom)
}

/// Returns the key that a refusal of the table is about.
fn key_of(error: &Error) -> &'static str {
    match error.code() {
        "copy-bits" => "bits",
        "copy-dtype" => "dtype",
        "copy-arch" => "arch",
        "copy-attrs" => "attrs",
        _ => "atom",
    }
}

/// Checks that the atom can copy from or to what the author says.
fn check_space(keys: &Keys<'_>, key: &str, end: Space, atom: &CopyAtom) -> Result<(), Problem> {
    let Some(name) = keys.text(key) else { return Ok(()) };
    let wanted = Space::parse(&name.to_lowercase());
    if wanted.is_some_and(|space| space == end || end == Space::Any) {
        return Ok(());
    }
    let text = match wanted {
        None => format!("`{name}` is no memory; those are gmem, smem, rmem, tmem"),
        Some(_) => format!("`{}` copies {key} {end}, not {key} {name}", atom.short),
    };
    Err(keys.problem(key, Diagnostic::error("copy-space", text)))
}

/// Returns the badge of an end of the copy; the author's word decides where the atom leaves it
/// open.
fn badge(keys: &Keys<'_>, key: &str, end: Space) -> Option<Badge> {
    let end = keys.text(key).and_then(|name| Space::parse(&name.to_lowercase())).unwrap_or(end);
    match end {
        Space::Gmem => Some(Badge::Gmem),
        Space::Smem => Some(Badge::Smem),
        Space::Rmem => Some(Badge::Rmem),
        Space::Tmem => Some(Badge::Tmem),
        Space::L2 | Space::Any => None,
    }
}

/// Makes the tiled copy that the keys describe: `thr` and `val`, `tv` and `tiler`, or `tv` and
/// `data`.
fn tiled_copy(keys: &Keys<'_>) -> Result<TiledCopy, Problem> {
    let atom = atom_of(keys)?;
    let Some((side, followed)) = followed(keys, &atom)? else { return arrange(keys, atom) };
    let base = arrange(keys, followed)?;
    base.like(side, atom).map_err(|error| keys.problem("atom", error.into()))
}

/// Returns the atom of the copy that `like-s` and `like-d` follow, and the side.
fn followed(keys: &Keys<'_>, atom: &CopyAtom) -> Result<Option<(Side, CopyAtom)>, Problem> {
    let side = match keys.word("op") {
        Some("like-s") => Side::Source,
        Some("like-d") => Side::Destination,
        _ => return Ok(None),
    };
    let followed = match keys.text("base") {
        Some(name) => CopyAtom::find(&CopyRequest {
            name,
            dtype: keys.element_type("dtype")?,
            bits: keys.number("base-bits"),
            ..CopyRequest::default()
        })
        .map_err(|error| keys.problem("base", error.into()))?,
        None => whole_values(keys, atom)?,
    };
    Ok(Some((side, followed)))
}

/// Makes a plain copy whose one invocation moves all values of a thread: what a tiled copy that is
/// only known by its layouts is taken to be.
fn whole_values(keys: &Keys<'_>, atom: &CopyAtom) -> Result<CopyAtom, Problem> {
    let values = match keys.read("val", Value::to_plain)? {
        Some(val) => val.size(),
        None => keys.plain("tv")?.modes().get(1).map_or(1, Layout::size),
    };
    let one = |n| {
        Layout::new(crate::cute::Tree::flat([1, n]), crate::cute::Tree::flat([0.into(), 1.into()]))
    };
    let make = || {
        let bits =
            values.checked_mul(atom.dtype.bits()).ok_or(Error::Overflow { what: "a size" })?;
        let mut base = CopyAtom::find(&CopyRequest {
            name: "copy",
            dtype: Some(atom.dtype),
            ..CopyRequest::default()
        })?;
        let (bit, value) = (one(bits)?, one(values)?);
        base.bits = Some(bits);
        base.in_bits =
            crate::hardware::copy::Ends { src: bit.clone(), dst: bit.clone(), reference: bit };
        base.values = crate::hardware::copy::Ends {
            src: value.clone(),
            dst: value.clone(),
            reference: value,
        };
        Ok::<_, Error>(base)
    };
    make().map_err(|error| keys.problem("atom", error.into()))
}

/// Says that only the first of some things are drawn, if so.
pub(super) fn first_of(drawn: usize, all: usize, what: &str) -> Option<Diagnostic> {
    let text = || format!("only the first {drawn} of {all} {what} are drawn");
    (drawn < all).then(|| Diagnostic::note("cut", text()))
}

/// Refuses threads and values that no figure follows one by one.
fn refuse_too_many(keys: &Keys<'_>) -> Result<(), Problem> {
    let mut count = 1_i64;
    for name in ["thr", "val", "tv"] {
        let Some(layout) = keys.read(name, Value::to_plain)? else { continue };
        count = count.saturating_mul(layout.size());
        if count > VALUES_CHECKED {
            let text = format!(
                "`{layout}` makes {count} threads and values: a figure follows at most {VALUES_CHECKED}"
            );
            let hint = "draw one tile; the copy goes over a larger tensor tile by tile";
            return Err(keys.problem(name, Diagnostic::error("size", text).hint(hint)));
        }
    }
    Ok(())
}

fn arrange(keys: &Keys<'_>, atom: CopyAtom) -> Result<TiledCopy, Problem> {
    refuse_too_many(keys)?;
    if let Some((thr, val)) = thr_val(keys)? {
        return TiledCopy::from_thr_val(atom, &thr, &val)
            .map_err(|error| keys.problem("thr", error.into()));
    }
    let tv = keys.plain("tv")?;
    if let Some(data) = keys.read("data", Value::to_plain)? {
        return TiledCopy::cotiled(atom, &tv, &data)
            .map_err(|error| keys.problem("tv", error.into()));
    }
    let tiler = keys.tiler("tiler")?;
    TiledCopy::new(atom, tv, &tiler).map_err(|error| keys.problem("tv", error.into()))
}

/// Reads the layouts of threads and values; a thread without values has one.
fn thr_val(keys: &Keys<'_>) -> Result<Option<(Layout, Layout)>, Problem> {
    let Some(thr) = keys.read("thr", Value::to_plain)? else { return Ok(None) };
    let val = match keys.read("val", Value::to_plain)? {
        Some(val) => val,
        None => Layout::vector(1, 0).map_err(|error| keys.problem("thr", error.into()))?,
    };
    Ok(Some((thr, val)))
}

/// Writes the code that makes the tiled copy of the keys.
fn snippet(keys: &Keys<'_>, copy: &TiledCopy) -> Result<Snippet, Problem> {
    match followed(keys, copy.atom())? {
        Some((side, atom)) => {
            // Without a name any copy of that width does, and there are not all widths.
            if !keys.has("base") && atom.bits.is_none_or(|bits| bits.count_ones() != 1) {
                return Ok(Snippet::default());
            }
            let base = arrange(keys, atom)?;
            Ok(snippets::like(copy, side, arranged(keys, &base)?))
        }
        None => arranged(keys, copy),
    }
}

/// Writes the code that [`arrange`] stands for.
fn arranged(keys: &Keys<'_>, copy: &TiledCopy) -> Result<Snippet, Problem> {
    if let Some((thr, val)) = thr_val(keys)? {
        return Ok(snippets::by_threads(copy, &thr, &val));
    }
    let tv = keys.plain("tv")?;
    Ok(match keys.read("data", Value::to_plain)? {
        Some(data) => snippets::by_addresses(copy, &tv, &data),
        None => snippets::by_tv(copy, &tv, &keys.tiler("tiler")?),
    })
}
