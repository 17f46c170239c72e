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
pub(super) mod keys;
mod owners;
mod partition;
pub(super) mod snippets;
mod tiled;
mod tmem_map;

use crate::cute::index::wide;
use crate::cute::{Error, Layout};
use crate::diagnostic::Diagnostic;
use crate::expr::Value;
use crate::figure::canvas::limits::VALUES_CHECKED;
use crate::figure::code::snippet::Snippet;
use crate::figure::input::entry::Problem;
use crate::figure::input::frame::DTYPE;
use crate::figure::input::key::{Key, KeyDef};
use crate::figure::input::keys::Keys;
use crate::figure::input::kind::{KindDef, OpDef, OpKey, Thumbnail};
use crate::figure::input::value::Word;
use crate::figure::model::figure::Space as Badge;
use crate::hardware::copy::{CopyAtom, CopyRequest, Side, Space, TiledCopy};
use keys::{
    ARCH, ATOM, ATTRS, BASE, BASE_BITS, BITS, CTA_GROUP, DATA, FROM, NUM_MATRICES, PACK, RED,
    REPEAT, THR, TILER, TO, TRANSPOSE, TV, UNPACK_BITS, VAL,
};

pub(super) static DEF: KindDef = KindDef {
    name: "copy",
    doc: "Copy atoms, tiled copies and partitions.",
    op: Some(&OpKey { doc: "What is asked about the copy.", ops: OPS }),
    ops: OPS,
    thumbnail: Thumbnail::First,
    deep_links: &[],
};

static OPS: &[OpDef] = &[
    OpDef {
        name: "atom",
        doc: "One instruction: which lane holds which bits on both sides.",
        keys: &[keys::ATOM_KEYS],
        build: atom::build,
        example: "atom = ldmatrix.x4\ndtype = f16",
    },
    OpDef {
        name: "tiled",
        doc: "An atom tiled by a TV layout and a tiler.",
        keys: &[keys::TILED_ATOM, keys::BOTH_ENDS, keys::TILING],
        build: |keys| tiled::build(keys, None),
        example: "atom = universal\nbits = 128\ndtype = f16\ntv = (32,8):(8,1)\ntiler = (8,32)",
    },
    OpDef {
        name: "tv",
        doc: "An atom tiled by layouts of threads and values: `make_tiled_copy_tv`.",
        keys: &[keys::TILED_ATOM, keys::BOTH_ENDS, keys::TILING],
        build: |keys| tiled::build(keys, None),
        example: "atom = universal\nbits = 128\ndtype = f16\nthr = (8,4):(4,1)\nval = (1,8)",
    },
    OpDef {
        name: "cotiled",
        doc: "An atom tiled by a TV layout to addresses: `make_cotiled_copy`.",
        keys: &[keys::TILED_ATOM, keys::BOTH_ENDS, keys::TILING],
        build: |keys| tiled::build(keys, None),
        example: "atom = universal\nbits = 128\ndtype = f16\ntv = (32,8):(8,1)\ndata = (32,8):(8,1)",
    },
    OpDef {
        name: "like-s",
        doc: "An atom tiled as the source of another copy: `make_tiled_copy_S`.",
        keys: &[keys::TILED_ATOM, keys::BOTH_ENDS, keys::TILING, keys::BASE_KEYS],
        build: |keys| tiled::build(keys, Some(Side::Source)),
        example: "atom = universal\nbits = 128\ndtype = f16\nthr = (8,4):(4,1)\nval = (1,8)",
    },
    OpDef {
        name: "like-d",
        doc: "An atom tiled as the destination of another copy: `make_tiled_copy_D`.",
        keys: &[keys::TILED_ATOM, keys::BOTH_ENDS, keys::TILING, keys::BASE_KEYS],
        build: |keys| tiled::build(keys, Some(Side::Destination)),
        example: "atom = universal\nbits = 128\ndtype = f16\nthr = (8,4):(4,1)\nval = (1,8)",
    },
    OpDef {
        name: "partition",
        doc: "What a thread gets of a tensor.",
        keys: &[keys::TILED_ATOM, keys::TILING, keys::PARTITION],
        build: partition::build,
        example: "atom = universal\nbits = 128\ndtype = f16\nthr = (8,4):(4,1)\nval = (1,8)\ntensor = (32,64):(64,1)",
    },
    OpDef {
        name: "retile",
        doc: "A fragment of registers as the copy sees it.",
        keys: &[keys::TILED_ATOM, keys::TILING, keys::RETILE],
        build: fragment::retile,
        example: "atom = universal\nbits = 128\ndtype = f16\nthr = (8,4):(4,1)\nval = (1,8)\nfragment = ((8,1),2,2):((1,0),8,16)",
    },
    OpDef {
        name: "tmem",
        doc: "A copy between registers and tensor memory: `make_tmem_copy`.",
        keys: &[keys::TMEM_KEYS],
        build: fragment::tmem,
        example: "atom = Ld32x32bOp\nrepeat = 4\ndtype = f32\narch = sm_100a\nacc = (128,32):(65536,1)",
    },
    OpDef {
        name: "s2t",
        doc: "A copy from shared to tensor memory: `make_s2t_copy`.",
        keys: &[keys::S2T_KEYS],
        build: fragment::s2t,
        example: "atom = Cp4x32x128bOp\ndtype = e8m0\narch = sm_100a\ncta-group = 1\nsmem = ((((32,4),1),(16,4)),1,4):((((16,4),0),(0,1)),0,512)\ntmem = ((((32,4),4),(16,4)),1,4):((((262144,4),8388608),(0,1)),0,16)",
    },
];

/// Looks the atom up that the keys ask for.
fn atom_of(keys: &Keys<'_>) -> Result<CopyAtom, Problem> {
    let name = keys.get(&ATOM).ok_or_else(|| keys.missing(&ATOM))?;
    let mut params: Vec<(&'static str, String)> = Vec::new();
    for (key, param) in [
        (&NUM_MATRICES, "num_matrices"),
        (&UNPACK_BITS, "unpack_bits"),
        (&REPEAT, "repeat"),
        (&CTA_GROUP, "cta_group"),
    ] {
        params.extend(keys.get(key).map(|n| (param, n.to_string())));
    }
    for key in [&TRANSPOSE, &PACK] {
        if keys.get(key) {
            params.push((key.name, "true".to_owned()));
        }
    }
    params.extend(keys.get(&RED).map(|red| ("red", red.to_owned())));
    let attrs = keys.get(&ATTRS).iter().map(|item| {
        let (attr, value) = item.text.split_once(['=', ':']).unwrap_or((&item.text, "true"));
        (attr.trim().replace('-', "_"), value.trim().to_owned())
    });
    let request = CopyRequest {
        name,
        params,
        attrs: attrs.collect(),
        dtype: keys.get(&DTYPE),
        bits: keys.get(&BITS),
        arch: keys.get(&ARCH),
    };
    let atom =
        CopyAtom::find(&request).map_err(|error| keys.problem(key_of(&error), error.into()))?;
    for (key, end) in [(&FROM, atom.from), (&TO, atom.to)] {
        check_space(keys, key, end, &atom)?;
    }
    Ok(atom)
}

/// Returns the key that a refusal of the table is about.
fn key_of(error: &Error) -> &'static dyn KeyDef {
    match error.code() {
        "copy-bits" => &BITS,
        "copy-dtype" => &DTYPE,
        "copy-arch" => &ARCH,
        "copy-attrs" => &ATTRS,
        _ => &ATOM,
    }
}

/// Checks that the atom can copy from or to the memory that the author names.
fn check_space(
    keys: &Keys<'_>,
    key: &Key<Word<Space>>,
    end: Space,
    atom: &CopyAtom,
) -> Result<(), Problem> {
    let Some(wanted) = keys.get(key) else { return Ok(()) };
    if wanted == end || end == Space::Any {
        return Ok(());
    }
    let name = key.name;
    let text = format!("`{}` copies {name} {end}, not {name} {wanted}", atom.short);
    Err(keys.problem(key, Diagnostic::error("copy-space", text)))
}

/// Returns the badge of an end of the copy; the author's word decides where the atom leaves it
/// open.
fn badge(keys: &Keys<'_>, key: &Key<Word<Space>>, end: Space) -> Option<Badge> {
    let end = keys.get(key).unwrap_or(end);
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
fn tiled_copy(keys: &Keys<'_>, follows: Option<Side>) -> Result<TiledCopy, Problem> {
    let atom = atom_of(keys)?;
    let Some(side) = follows else { return arrange(keys, atom) };
    let base = arrange(keys, followed(keys, &atom)?)?;
    base.like(side, atom).map_err(|error| keys.problem(&ATOM, error.into()))
}

/// Returns the atom of the copy that `like-s` and `like-d` follow.
fn followed(keys: &Keys<'_>, atom: &CopyAtom) -> Result<CopyAtom, Problem> {
    match keys.get(&BASE) {
        Some(name) => CopyAtom::find(&CopyRequest {
            name,
            dtype: keys.get(&DTYPE),
            bits: keys.get(&BASE_BITS),
            ..CopyRequest::default()
        })
        .map_err(|error| keys.problem(&BASE, error.into())),
        None => whole_values(keys, atom),
    }
}

/// Makes a plain copy whose one invocation moves all values of a thread: what a tiled copy that is
/// only known by its layouts is taken to be.
fn whole_values(keys: &Keys<'_>, atom: &CopyAtom) -> Result<CopyAtom, Problem> {
    let values = match keys.read(&VAL, Value::to_plain)? {
        Some(val) => val.size(),
        None => keys.plain(&TV)?.modes().get(1).map_or(1, Layout::size),
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
    make().map_err(|error| keys.problem(&ATOM, error.into()))
}

/// Says that only the first of some things are drawn, if so.
pub(super) fn first_of(drawn: usize, all: i64, what: &str) -> Option<Diagnostic> {
    let text = || format!("only the first {drawn} of {all} {what} are drawn");
    (wide(drawn) < all).then(|| Diagnostic::note("cut", text()))
}

/// Refuses threads and values that no figure follows one by one.
fn refuse_too_many(keys: &Keys<'_>) -> Result<(), Problem> {
    let mut count = 1_i64;
    for key in [&THR, &VAL, &TV] {
        let Some(layout) = keys.read(key, Value::to_plain)? else { continue };
        count = count.saturating_mul(layout.size());
        if count > VALUES_CHECKED {
            let text = format!(
                "`{layout}` makes {count} threads and values: a figure follows at most {VALUES_CHECKED}"
            );
            let hint = "draw one tile; the copy goes over a larger tensor tile by tile";
            return Err(keys.problem(key, Diagnostic::error("size", text).hint(hint)));
        }
    }
    Ok(())
}

fn arrange(keys: &Keys<'_>, atom: CopyAtom) -> Result<TiledCopy, Problem> {
    refuse_too_many(keys)?;
    if let Some((thr, val)) = thr_val(keys)? {
        return TiledCopy::from_thr_val(atom, &thr, &val)
            .map_err(|error| keys.problem(&THR, error.into()));
    }
    let tv = keys.plain(&TV)?;
    if let Some(data) = keys.read(&DATA, Value::to_plain)? {
        return TiledCopy::cotiled(atom, &tv, &data)
            .map_err(|error| keys.problem(&TV, error.into()));
    }
    let tiler = keys.tiler(&TILER)?;
    TiledCopy::new(atom, tv, &tiler).map_err(|error| keys.problem(&TV, error.into()))
}

/// Reads the layouts of threads and values; a thread without values has one.
fn thr_val(keys: &Keys<'_>) -> Result<Option<(Layout, Layout)>, Problem> {
    let Some(thr) = keys.read(&THR, Value::to_plain)? else { return Ok(None) };
    let val = match keys.read(&VAL, Value::to_plain)? {
        Some(val) => val,
        None => Layout::vector(1, 0).map_err(|error| keys.problem(&THR, error.into()))?,
    };
    Ok(Some((thr, val)))
}

/// Writes the code that makes the tiled copy of the keys.
fn snippet(keys: &Keys<'_>, copy: &TiledCopy, follows: Option<Side>) -> Result<Snippet, Problem> {
    match follows {
        Some(side) => {
            let atom = followed(keys, copy.atom())?;
            // Without a name any copy of that width does, and there are not all widths.
            if !keys.has(&BASE) && atom.bits.is_none_or(|bits| bits.count_ones() != 1) {
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
    let tv = keys.plain(&TV)?;
    Ok(match keys.read(&DATA, Value::to_plain)? {
        Some(data) => snippets::by_addresses(copy, &tv, &data),
        None => snippets::by_tv(copy, &tv, &keys.tiler(&TILER)?),
    })
}
