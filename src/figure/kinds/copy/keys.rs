//! The keys of kind `copy`: what describes the atom, what tiles it, and what is asked.

use crate::figure::input::key::{Key, Role};
use crate::figure::input::kind::{Use, When};
use crate::figure::input::value::{
    Choice, Expression, Flag, List, Name, Number, NumberOr, NumberOrWord, Target, Word,
};
use crate::hardware::copy::{Side, Space};

/// What names one instruction.
pub(super) static ATOM_KEYS: &[Use] = &[
    Use::required(&ATOM, "atom = stmatrix.x4"),
    Use::optional(&ARCH, "arch = sm_90a"),
    Use::optional(&BITS, "bits = 64\natom = universal"),
    Use::optional(&NUM_MATRICES, "num-matrices = 2\natom = LdMatrix8x8x16bOp"),
    Use::optional(&TRANSPOSE, "transpose = yes\natom = LdMatrix8x8x16bOp\nnum-matrices = 4"),
    Use::optional(
        &UNPACK_BITS,
        "unpack-bits = 6\natom = LdMatrix8x16x8bOp\nnum-matrices = 2\ndtype = u8\narch = sm_100a",
    ),
    Use::optional(&REPEAT, "repeat = 4\natom = Ld32x32bOp\ndtype = f32\narch = sm_100a"),
    Use::optional(&PACK, "pack = yes\natom = Ld32x32bOp\nrepeat = 2\narch = sm_100a"),
    Use::optional(&RED, "red = max\natom = LdRed32x32bOp\nrepeat = 2\ndtype = f32\narch = sm_103a"),
    Use::optional(&CTA_GROUP, "cta-group = 2\natom = Cp128x256bOp\narch = sm_100a"),
    Use::optional(&ATTRS, "attrs = invariant=true\natom = CopyG2ROp\nbits = 64"),
    Use::optional(&FROM, "from = gmem\natom = universal"),
    Use::optional(&TO, "to = smem\natom = universal"),
    Use::optional(&PANES, "panes = src"),
];

/// What names the atom that threads and data tile.
pub(super) static TILED_ATOM: &[Use] = &[
    Use::required(&ATOM, "atom = ldmatrix.x4\nbits ="),
    Use::optional(&ARCH, "arch = sm_90a"),
    Use::optional(&BITS, "bits = 64"),
    Use::optional(&NUM_MATRICES, "num-matrices = 2\natom = LdMatrix8x8x16bOp\nbits ="),
    Use::optional(
        &TRANSPOSE,
        "transpose = yes\natom = LdMatrix8x8x16bOp\nnum-matrices = 4\nbits =",
    ),
    Use::optional(
        &UNPACK_BITS,
        "unpack-bits = 6\natom = LdMatrix8x16x8bOp\nnum-matrices = 1\nbits =\ndtype = u8\narch = sm_100a",
    ),
    Use::optional(&ATTRS, "attrs = invariant=true\natom = CopyG2ROp"),
];

/// The memories of both ends, and which are drawn.
pub(super) static BOTH_ENDS: &[Use] = &[
    Use::optional(&FROM, "from = gmem\npanes = src"),
    Use::optional(&TO, "to = smem\npanes = dst"),
    Use::optional(&PANES, "panes = src"),
];

/// What tiles the atom over threads and data.
pub(super) static TILING: &[Use] = &[
    Use::optional(&THR, "thr = (4,8):(8,1)\nval = (1,8)\ntv =\ntiler =\ndata ="),
    Use::optional(&VAL, "val = (8,1)\nthr = (8,4):(4,1)\ntv =\ntiler =\ndata =")
        .when(&[When::Given(&THR, "unused-key")]),
    Use::optional(&TV, "tv = (32,8):(1,32)\ntiler = (32,8)\nthr =\nval =\ndata =")
        .when(&[When::Absent(&THR)]),
    Use::optional(&TILER, "tiler = (32,8)\ntv = (32,8):(1,32)\nthr =\nval =\ndata =")
        .when(&[When::Absent(&THR), When::Absent(&DATA)]),
    Use::optional(&DATA, "data = 256:1\ntv = (32,8):(8,1)\nthr =\nval =\ntiler =")
        .when(&[When::Absent(&THR)]),
];

/// The copy that another one follows.
pub(super) static BASE_KEYS: &[Use] = &[
    Use::optional(&BASE, "base = universal\nbase-bits = 16"),
    Use::optional(&BASE_BITS, "base-bits = 16\nbase = universal")
        .when(&[When::Given(&BASE, "unused-key")]),
];

/// What is partitioned, and for whom.
pub(super) static PARTITION: &[Use] = &[
    Use::required(&TENSOR, "tensor = (32,64):(1,32)"),
    Use::optional(&SIDE, "side = D"),
    Use::optional(&THREAD, "thread = 3"),
    Use::optional(&FRAGMENT, "fragment = 8:1"),
    Use::optional(&FROM, "from = gmem"),
    Use::optional(&TO, "to = smem\nside = D"),
];

/// What is retiled.
pub(super) static RETILE: &[Use] =
    &[Use::required(&FRAGMENT, "fragment = ((8,1),2,2):((1,0),16,8)")];

/// A copy between registers and tensor memory.
pub(super) static TMEM_KEYS: &[Use] = &[
    Use::required(&ATOM, "atom = St32x32bOp"),
    Use::optional(&ARCH, "arch = sm_103a"),
    Use::optional(&REPEAT, "repeat = 8"),
    Use::optional(&PACK, "pack = yes\ndtype = f16"),
    Use::optional(&RED, "red = max\natom = LdRed32x32bOp"),
    Use::optional(&ACC, "acc = (128,64):(65536,1)").when(&[When::Absent(&TMEM)]),
    Use::optional(&TMEM, "tmem = (128,64):(65536,1)\nacc ="),
    Use::optional(&TILER, "tiler = (128,16)"),
    Use::optional(&TMEM_THREAD, "thread = 33"),
];

/// A copy from shared to tensor memory.
pub(super) static S2T_KEYS: &[Use] = &[
    Use::required(
        &ATOM,
        "atom = Cp128x128bOp\nsmem = ((((32,4),1),(16,4)),1,4):((((16,4),0),(0,1)),0,512)\ntmem = ((((32,4),4),(16,4)),1,4):((((262144,4),8388608),(0,1)),0,16)",
    ),
    Use::optional(&ARCH, "arch = sm_103a"),
    Use::optional(&CTA_GROUP, "cta-group = 2"),
    Use::required(&SMEM, "smem = ((((32,4),1),(16,4)),1,4,2):((((16,4),0),(0,1)),0,512,2048)"),
    Use::required(&TMEM, "tmem = ((((32,4),4),(16,4)),1,4):((((262144,4),8388608),(0,1)),0,32)"),
];

pub(super) static ATOM: Key<Name> =
    Key::new("atom", Name, "The copy atom, by its C++, DSL or short name.");

pub(in crate::figure::kinds) static ARCH: Key<Target> =
    Key::new("arch", Target, "The architecture, `sm_70` to `sm_120`.").role(Role::Context);

pub(super) static BITS: Key<Number> =
    Key::new("bits", Number::FROM_0, "The width of one copy in bits.");

pub(super) static NUM_MATRICES: Key<Number> =
    Key::new("num-matrices", Number::ANY, "How many 8x8 matrices.");

pub(super) static TRANSPOSE: Key<Flag> = Key::new("transpose", Flag, "Transposed while copying.");

pub(super) static UNPACK_BITS: Key<Number> =
    Key::new("unpack-bits", Number::ANY, "The packed width that is unpacked.");

pub(super) static REPEAT: Key<Number> =
    Key::new("repeat", Number::ANY, "How often the TMEM shape repeats.");

pub(super) static PACK: Key<Flag> = Key::new("pack", Flag, "Two 16-bit values in one register.");

pub(super) static RED: Key<Word<&'static str>> = Key::new(
    "red",
    Word(&[("max", "MAX"), ("min", "MIN"), ("maxabs", "MAXABS"), ("minabs", "MINABS")]),
    "The reduction of a TMEM load.",
);

pub(super) static CTA_GROUP: Key<Number> = Key::new("cta-group", Number::ANY, "1 or 2 CTAs.");

pub(super) static ATTRS: Key<List> =
    Key::new("attrs", List, "Further attributes of the operation.");

static SPACES: &[(&str, Space)] = &[
    ("gmem", Space::Gmem),
    ("smem", Space::Smem),
    ("rmem", Space::Rmem),
    ("tmem", Space::Tmem),
    ("l2", Space::L2),
];

pub(super) static FROM: Key<Word<Space>> = Key::new("from", Word(SPACES), "The source memory.");

pub(super) static TO: Key<Word<Space>> = Key::new("to", Word(SPACES), "The destination memory.");

/// Which sides of a copy are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Panes {
    Both,
    Src,
    Dst,
}

impl Panes {
    pub(super) fn has(self, side: Side) -> bool {
        match self {
            Self::Both => true,
            Self::Src => side == Side::Source,
            Self::Dst => side == Side::Destination,
        }
    }
}

pub(super) static PANES: Key<Choice<Panes>> = Key::new(
    "panes",
    Choice::of(&[("both", Panes::Both), ("src", Panes::Src), ("dst", Panes::Dst)]),
    "Which sides to draw.",
);

pub(super) static TV: Key<Expression> =
    Key::new("tv", Expression::ANY, "The map (thread, value) to tile.");

pub(super) static TILER: Key<Expression> = Key::new("tiler", Expression::ANY, "The tile.");

pub(super) static THR: Key<Expression> =
    Key::new("thr", Expression::ANY, "The layout of the threads.");

pub(super) static VAL: Key<Expression> =
    Key::new("val", Expression::or("1:0"), "The layout of the values.");

pub(super) static DATA: Key<Expression> =
    Key::new("data", Expression::ANY, "The data layout of a cotiled copy.");

pub(super) static BASE: Key<Name> =
    Key::new("base", Name, "The atom of the copy that is followed.");

pub(super) static BASE_BITS: Key<Number> =
    Key::new("base-bits", Number::FROM_1, "The width of that atom in bits.");

pub(super) static TENSOR: Key<Expression> =
    Key::new("tensor", Expression::ANY, "The tensor that is partitioned.");

pub(super) static SIDE: Key<Choice<Side>> = Key::new(
    "side",
    Choice::of(&[("S", Side::Source), ("D", Side::Destination)]),
    "Source or destination.",
);

/// The word of the key `thread` for every thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct All;

pub(super) static THREAD: Key<NumberOrWord<All>> =
    Key::new("thread", NumberOrWord { words: &[("all", All)], default: Some(0) }, "Whose part.");

/// The same of a copy of tensor memory, whose picture shows one thread.
pub(super) static TMEM_THREAD: Key<NumberOr> =
    Key::new("thread", NumberOr { default: 0, bounds: Number::ANY }, "Whose part.");

pub(super) static FRAGMENT: Key<Expression> = Key::new(
    "fragment",
    Expression::ANY,
    "The register fragment; of a partition, what it is copied from or to.",
);

pub(super) static ACC: Key<Expression> = Key::new("acc", Expression::ANY, "The accumulator.");

pub(super) static SMEM: Key<Expression> =
    Key::new("smem", Expression::ANY, "The shared memory layout.");

pub(super) static TMEM: Key<Expression> =
    Key::new("tmem", Expression::ANY, "The tensor memory layout.");
