//! The one table of keys: for each kind what may be written, of which type, and what it means.
//!
//! The resolver checks against it, the reference in the book is generated from it, and error hints
//! are taken from it. A new key is a new row here and nothing else.

use crate::figure::input::spec::{Kind, nearest};

/// What a value may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyType {
    /// An expression of the notation.
    Expression,
    /// An integer.
    Number,
    /// An integer or one of these words.
    NumberOr(&'static [&'static str]),
    /// `yes` or `no`, `true` or `false`; alone in an info string it means `yes`.
    Flag,
    /// One of these words.
    Word(&'static [&'static str]),
    /// A word that the kind or the book looks up: an id, an atom, an element type.
    Name,
    /// Names separated by commas; an empty slice leaves the check to the kind.
    List(&'static [&'static str]),
    /// Literal text.
    Text,
}

impl KeyType {
    /// Returns the name of the type for messages and the reference.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Expression => "expression",
            Self::Number => "number",
            Self::NumberOr(_) => "number or word",
            Self::Flag => "yes or no",
            Self::Word(_) => "word",
            Self::Name => "name",
            Self::List(_) => "list",
            Self::Text => "text",
        }
    }

    /// Returns the words that are allowed, where they are known.
    #[must_use]
    pub const fn words(self) -> &'static [&'static str] {
        match self {
            Self::Word(words) | Self::List(words) | Self::NumberOr(words) => words,
            Self::Flag => &["yes", "no", "true", "false"],
            _ => &[],
        }
    }
}

/// Whether a key must be there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// May be left out.
    Optional,
    /// Must be given.
    Required,
    /// Must be given, and is what a body without keys gives.
    Main,
}

/// One key.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// What an author writes.
    pub name: &'static str,
    /// What its value may be.
    pub kind: KeyType,
    /// Whether it must be there.
    pub need: Need,
    /// What it means, as a sentence for the reference.
    pub doc: &'static str,
}

/// The keys of one kind.
#[derive(Clone, Copy, Debug)]
pub struct KindKeys {
    /// The kind.
    pub kind: Kind,
    /// What an author writes.
    pub name: &'static str,
    /// What it draws, as a sentence for the reference.
    pub doc: &'static str,
    /// Its own keys; [`COMMON`] comes on top.
    pub keys: &'static [Key],
}

/// Returns the row of a kind.
#[must_use]
pub fn keys_of(kind: Kind) -> &'static KindKeys {
    KINDS.iter().find(|row| row.kind == kind).unwrap_or(&KINDS[0])
}

/// Returns all keys that a kind takes, its own first.
pub fn all_keys(kind: Kind) -> impl Iterator<Item = &'static Key> {
    keys_of(kind).keys.iter().chain(COMMON)
}

/// Finds a key of a kind.
#[must_use]
pub fn find_key(kind: Kind, name: &str) -> Option<&'static Key> {
    all_keys(kind).find(|key| key.name == name)
}

/// Returns whether a key says what is computed, not how it is shown or named.
#[must_use]
pub fn is_input(name: &str) -> bool {
    name == "dtype" || !COMMON.iter().any(|key| key.name == name)
}

/// Returns the key of a kind that a misspelt one was most likely meant to be.
#[must_use]
pub fn nearest_key(kind: Kind, name: &str) -> Option<&'static str> {
    nearest(name, all_keys(kind).map(|key| key.name))
}

/// Returns the key that a body without keys gives, where the kind has one.
#[must_use]
pub fn main_key(kind: Kind) -> Option<&'static str> {
    keys_of(kind).keys.iter().find(|key| key.need == Need::Main).map(|key| key.name)
}

use KeyType::{Expression, Flag, List, Name, Number, NumberOr, Text, Word};
use Need::{Main, Optional, Required};

const fn key(name: &'static str, kind: KeyType, need: Need, doc: &'static str) -> Key {
    Key { name, kind, need, doc }
}

/// The keys that every kind takes.
pub const COMMON: &[Key] = &[
    key("id", Name, Optional, "The anchor: lower-case letters, digits and hyphens."),
    key(
        "aliases",
        List(&[]),
        Optional,
        "Former anchors that stay alive: `old-id`, or `old-page.html#old-id` for another page.",
    ),
    key("caption", Text, Optional, "Shown below; literal but for `[text](cute:ID)` links."),
    key("title", Text, Optional, "The name of the picture, in place of the kind's own."),
    key(
        "show",
        List(&["value", "index", "coord", "thread", "value-id", "offset", "bank", "register"]),
        Optional,
        "What the labels of the cells say.",
    ),
    key("color", Name, Optional, "What the colours mean; the kind lists its choices."),
    key("highlight", Expression, Optional, "A coordinate, `_` for every index of a mode."),
    key("dtype", Name, Optional, "The element type, e.g. `f16`."),
    key("width", Word(&["full", "half"]), Optional, "Two halves stand side by side."),
    key(
        "labels",
        Word(&["auto", "stroke", "text", "none"]),
        Optional,
        "How the labels of cells are written: as text that the search leaves out (`auto`), as drawn lines (`stroke`), as text that the search finds and readers select (`text`), or not at all (`none`).",
    ),
    key("facts", Word(&["open", "closed", "none"]), Optional, "The table below the figure."),
    key(
        "fold",
        Word(&["slices", "flat"]),
        Optional,
        "How more than two modes are drawn: a slice each, or folded into a grid.",
    ),
];

const SMEM_INSTRUCTIONS: &[&str] = &[
    "lds",
    "sts",
    "ldmatrix.x1",
    "ldmatrix.x2",
    "ldmatrix.x4",
    "stmatrix.x1",
    "stmatrix.x2",
    "stmatrix.x4",
];

/// Every kind with its keys.
pub const KINDS: &[KindKeys] = &[
    KindKeys {
        kind: Kind::Layout,
        name: "layout",
        doc: "Any layout, composed layout or coordinate layout.",
        keys: &[key("layout", Expression, Main, "What to draw.")],
    },
    KindKeys {
        kind: Kind::Tv,
        name: "tv",
        doc: "Which thread and value own each element of a tile, and what memory makes of it.",
        keys: &[
            key("thr", Expression, Optional, "The layout of the threads; goes with `val`."),
            key("val", Expression, Optional, "The layout of one thread's values."),
            key("tv", Expression, Optional, "The map (thread, value) to tile; goes with `tile`."),
            key("tile", Expression, Optional, "The shape of the tile."),
            key("focus", List(&[]), Optional, "Threads, or warps as `w0`; the others fade."),
            key(
                "view",
                Word(&["tile", "inverse", "both"]),
                Optional,
                "The tile, the table (thread, value) to coordinate, or both.",
            ),
            key("data", Expression, Optional, "A larger shape that the tile repeats over."),
            key("gmem", Expression, Optional, "The layout in global memory, in elements."),
            key("gmem-dtype", Name, Optional, "Its element type, if not `dtype`."),
            key("gmem-base", Number, Optional, "Its address in bytes."),
            key(
                "gmem-max-bytes",
                Word(&["16", "32"]),
                Optional,
                "The widest access of one thread, in bytes.",
            ),
            key("smem", Expression, Optional, "The layout in shared memory, in elements."),
            key("smem-dtype", Name, Optional, "Its element type, if not `dtype`."),
            key("smem-base", Number, Optional, "Its address in bytes."),
            key("smem-swizzle", Expression, Optional, "A swizzle applied after `smem`."),
            key("smem-unit", Word(&["element", "byte"]), Optional, "What the swizzle counts."),
            key("smem-width", Number, Optional, "The access width in bits, if not derived."),
            key("smem-direction", Word(&["load", "store"]), Optional, "Loads or stores."),
            key(
                "smem-instruction",
                Word(SMEM_INSTRUCTIONS),
                Optional,
                "The instruction; with a matrix instruction `tv` maps lanes to row addresses.",
            ),
            key("smem-bank", List(&[]), Optional, "Show only these banks."),
        ],
    },
    KindKeys {
        kind: Kind::Compose,
        name: "compose",
        doc: "A, B and `A o B`.",
        keys: &[
            key("A", Expression, Main, "The outer layout."),
            key("B", Expression, Required, "What it is composed with: layout, tiler or shape."),
            key("complement", Flag, Optional, "Also draw the complement of B in A's size."),
        ],
    },
    KindKeys {
        kind: Kind::Complement,
        name: "complement",
        doc: "The offsets that a layout leaves out, and how copies of it fill them.",
        keys: &[
            key("A", Expression, Main, "The layout."),
            key("cotarget", Expression, Optional, "How far to fill: number, shape or layout."),
        ],
    },
    KindKeys {
        kind: Kind::Divide,
        name: "divide",
        doc: "A layout cut into tiles.",
        keys: &[
            key("op", Word(&["logical", "zipped", "tiled", "flat"]), Optional, "The form."),
            key("A", Expression, Required, "The layout."),
            key("tiler", Expression, Required, "The tile: layout, shape or `<a,b>` by mode."),
            key("offsets", Flag, Optional, "Print the base offset of each tile."),
        ],
    },
    KindKeys {
        kind: Kind::Product,
        name: "product",
        doc: "A layout repeated.",
        keys: &[
            key(
                "op",
                Word(&["logical", "zipped", "tiled", "flat", "blocked", "raked"]),
                Optional,
                "The form.",
            ),
            key("A", Expression, Required, "The block that is repeated."),
            key("tiler", Expression, Required, "How the copies are laid out."),
            key(
                "with",
                Word(&["logical", "zipped", "tiled", "flat", "blocked", "raked"]),
                Optional,
                "A second form beside it.",
            ),
        ],
    },
    KindKeys {
        kind: Kind::LocalTile,
        name: "local-tile",
        doc: "The tile that one block or thread takes.",
        keys: &[
            key("op", Word(&["tile", "partition"]), Optional, "`local_tile` or `local_partition`."),
            key("A", Expression, Required, "The tensor or layout."),
            key("tiler", Expression, Required, "The tile, or the layout of the threads."),
            key("coord", Expression, Optional, "Which tile; `_` keeps a mode."),
            key("index", Number, Optional, "Which thread (partition)."),
            key("proj", Expression, Optional, "Which modes of the tiler apply, e.g. `(1,X,1)`."),
        ],
    },
    KindKeys {
        kind: Kind::Swizzle,
        name: "swizzle",
        doc: "A layout before and after a swizzle.",
        keys: &[
            key("layout", Expression, Main, "The layout, with or without the swizzle."),
            key("swizzle", Expression, Optional, "The swizzle, if the layout has none."),
            key("unit", Word(&["element", "byte"]), Optional, "What the swizzle counts."),
        ],
    },
    KindKeys {
        kind: Kind::Copy,
        name: "copy",
        doc: "Copy atoms, tiled copies and partitions.",
        keys: &[
            key(
                "op",
                Word(&[
                    "atom",
                    "tiled",
                    "tv",
                    "cotiled",
                    "like-s",
                    "like-d",
                    "partition",
                    "retile",
                    "tmem",
                    "s2t",
                ]),
                Optional,
                "What is asked about the copy.",
            ),
            key("arch", Name, Optional, "The architecture, `sm_70` to `sm_120`."),
            key("atom", Name, Optional, "The copy atom, by its C++, DSL or short name."),
            key("bits", Number, Optional, "The width of one copy in bits."),
            key("num-matrices", Number, Optional, "How many 8x8 matrices."),
            key("transpose", Flag, Optional, "Transposed while copying."),
            key("unpack-bits", Number, Optional, "The packed width that is unpacked."),
            key("repeat", Number, Optional, "How often the TMEM shape repeats."),
            key("pack", Flag, Optional, "Two 16-bit values in one register."),
            key("red", Name, Optional, "The reduction of a TMEM load."),
            key("cta-group", Number, Optional, "1 or 2 CTAs."),
            key("attrs", List(&[]), Optional, "Further attributes of the operation."),
            key("from", Name, Optional, "The source memory."),
            key("to", Name, Optional, "The destination memory."),
            key("panes", Word(&["src", "dst", "both"]), Optional, "Which sides to draw."),
            key("tv", Expression, Optional, "The map (thread, value) to tile."),
            key("tiler", Expression, Optional, "The tile."),
            key("thr", Expression, Optional, "The layout of the threads."),
            key("val", Expression, Optional, "The layout of the values."),
            key("data", Expression, Optional, "The data layout of a cotiled copy."),
            key("base", Name, Optional, "like-s, like-d: the atom of the copy that is followed."),
            key("base-bits", Number, Optional, "The width of that atom in bits."),
            key("tensor", Expression, Optional, "The tensor that is partitioned."),
            key("side", Word(&["S", "D"]), Optional, "Source or destination."),
            key("thread", NumberOr(&["all"]), Optional, "Whose part."),
            key(
                "fragment",
                Expression,
                Optional,
                "The register fragment; of a partition, what it is copied from or to.",
            ),
            key("acc", Expression, Optional, "The accumulator."),
            key("smem", Expression, Optional, "The shared memory layout."),
            key("tmem", Expression, Optional, "The tensor memory layout."),
        ],
    },
    KindKeys {
        kind: Kind::Tma,
        name: "tma",
        doc: "TMA copies: the box, its landing in shared memory, the descriptor, the rules.",
        keys: &[
            key("op", Word(&["atom", "partition"]), Optional, "What is asked about the copy."),
            key("arch", Name, Optional, "The architecture."),
            key(
                "mode",
                Word(&[
                    "load",
                    "multicast",
                    "store",
                    "reduce",
                    "gather4",
                    "scatter4",
                    "im2col",
                    "im2col-store",
                ]),
                Optional,
                "The operation.",
            ),
            key("gmem", Expression, Optional, "The global tensor."),
            key("gmem-align", Number, Optional, "Its alignment in bytes."),
            key("smem", Expression, Optional, "The shared memory layout."),
            key("smem-align", Number, Optional, "Its alignment in bytes."),
            key(
                "swizzle",
                Word(&["none", "32B", "64B", "128B", "128B-atom-32B", "128B-atom-64B"]),
                Optional,
                "The descriptor's swizzle.",
            ),
            key("tiler", Expression, Optional, "The CTA tile."),
            key("internal-type", Name, Optional, "The type the descriptor uses."),
            key("num-multicast", Number, Optional, "How many CTAs receive it."),
            key("cta-group", Number, Optional, "1 or 2 CTAs."),
            key("reduction", Name, Optional, "The operation of a reducing store."),
            key("element-strides", Expression, Optional, "Traversal strides."),
            key("index", Expression, Optional, "The row indices of gather4 and scatter4."),
            key("lower-corner", Expression, Optional, "im2col: the lower corner of the box."),
            key("upper-corner", Expression, Optional, "im2col: the upper corner of the box."),
            key(
                "padding",
                Expression,
                Optional,
                "im2col: positions added at both ends, one number a spatial mode.",
            ),
            key("stride", Expression, Optional, "im2col: the stride of the filter."),
            key("cta-coord", Expression, Optional, "partition: which CTA."),
            key("cta-layout", Expression, Optional, "partition: the CTAs of the cluster."),
            key("atom-smem", Expression, Optional, "partition: the atom's shared memory layout."),
            key("atom-tiler", Expression, Optional, "partition: the atom's tile."),
        ],
    },
    KindKeys {
        kind: Kind::Cutlass,
        name: "cutlass",
        doc: "The matrix and tensor layouts of CUTLASS 2.x.",
        keys: &[
            key("type", Text, Main, "The class, e.g. `RowMajorInterleaved<4>`."),
            key("extent", Expression, Optional, "The extent, e.g. `(8,6)`."),
            key("ldm", Number, Optional, "The leading dimension."),
            key("stride", Expression, Optional, "The stride, where it is no single number."),
            key(
                "matrix",
                Word(&["row-major", "column-major"]),
                Optional,
                "The order of a `ContiguousMatrix`.",
            ),
            key("path", Flag, Optional, "Draw the order of the storage as a path."),
        ],
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn no_kind_has_a_key_twice_and_main_is_alone() {
        for row in KINDS {
            let mut seen = BTreeSet::new();
            for key in all_keys(row.kind) {
                assert!(seen.insert(key.name), "{}: {}", row.name, key.name);
                assert!(key.doc.ends_with('.'), "{}: {}", row.name, key.name);
            }
            assert!(row.keys.iter().filter(|key| key.need == Main).count() <= 1, "{}", row.name);
        }
    }
}
