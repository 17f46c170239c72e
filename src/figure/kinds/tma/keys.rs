//! The keys of kind `tma`.

use crate::figure::input::key::{Key, Role};
use crate::figure::input::kind::{Use, When};
use crate::figure::input::value::{
    Choice, Element, ElementOr, Expression, Number, NumberOr, Target, Word,
};
use crate::hardware::dtype::ElementType;
use crate::hardware::tma::Mode;

/// What describes the copy.
pub(super) static COPY_KEYS: &[Use] = &[
    Use::optional(&MODE, "mode = store"),
    Use::required(&GMEM, "gmem = (128,128):(1,128)"),
    Use::required(&SMEM, "smem = (64,32):(1,64)"),
    Use::optional(&SWIZZLE, "swizzle = 128B"),
    Use::optional(&TILER, "tiler = (64,64)\nsmem = (64,64):(64,1)"),
    Use::optional(&DTYPE, "dtype = f32"),
    Use::optional(&INTERNAL_TYPE, "internal-type = u16"),
    Use::optional(&ARCH, "arch = sm_100a"),
    Use::optional(&NUM_MULTICAST, "num-multicast = 2\nmode = multicast")
        .when(&[When::Is(&MODE, &["multicast"])]),
    Use::optional(&CTA_GROUP, "cta-group = 2")
        .when(&[When::Is(&MODE, &["load", "multicast", "gather4", "im2col"])]),
    Use::optional(&REDUCTION, "reduction = max\nmode = reduce")
        .when(&[When::Is(&MODE, &["reduce"])]),
    Use::optional(&INDEX, "index = (128,128):(1,0)\nmode = gather4\narch = sm_100a\ntiler = (4,32)\nsmem = (4,32):(32,1)")
        .when(&[When::Is(&MODE, &["gather4", "scatter4"])]),
];

/// What only the rules and the descriptor of an atom depend on.
pub(super) static ATOM_KEYS: &[Use] = &[
    Use::optional(&GMEM_ALIGN, "gmem-align = 8"),
    Use::optional(&SMEM_ALIGN, "smem-align = 16"),
    Use::optional(&ELEMENT_STRIDES, "element-strides = (1,2)")
        .when(&[When::Is(&MODE, &["load", "multicast", "store", "reduce", "gather4", "scatter4"])]),
    Use::required(&LOWER_CORNER, IM2COL_LOWER).when(IM2COL),
    Use::required(&UPPER_CORNER, IM2COL_UPPER).when(IM2COL),
    Use::optional(&PADDING, IM2COL_PADDING).when(IM2COL),
    Use::optional(&PADDING_UPPER, IM2COL_PADDING_UPPER).when(IM2COL),
    Use::optional(&STRIDE, IM2COL_STRIDE).when(IM2COL),
    Use::optional(&DILATION, IM2COL_DILATION).when(IM2COL),
    Use::optional(&FILTER_START, IM2COL_FILTER_START).when(IM2COL),
];

/// What cuts both sides for one CTA.
pub(super) static PARTITION_KEYS: &[Use] = &[
    Use::optional(&CTA_COORD, "cta-coord = 1\ncta-layout = 2\nmode = multicast\nnum-multicast = 2"),
    Use::optional(&CTA_LAYOUT, "cta-layout = 2\nmode = multicast\nnum-multicast = 2"),
    Use::optional(&ATOM_SMEM, "atom-smem = (32,32):(32,1)\natom-tiler = (32,32)"),
    Use::optional(&ATOM_TILER, "atom-tiler = (32,32)\natom-smem = (32,32):(32,1)"),
];

// One window, with the key under test first.
macro_rules! window {
    ($line:literal, $corners:literal) => {
        concat!(
            $line,
            "\nmode = im2col\ngmem = ((8,16,1),128):((128,1024,16384),1)\n",
            "smem = S<3,4,3> o 0 o (64,64):(64,1)\ntiler = (64,64)",
            $corners
        )
    };
}

const IM2COL_LOWER: &str = window!("lower-corner = (-1,-1)", "\nupper-corner = (0,0)");
const IM2COL_UPPER: &str = window!("upper-corner = (-1,-1)", "\nlower-corner = (0,0)");
const IM2COL_PADDING: &str =
    window!("padding = (1,1)", "\nlower-corner = (-1,-1)\nupper-corner = (0,0)");
const IM2COL_PADDING_UPPER: &str = window!(
    "padding-upper = (1,2)",
    "\nlower-corner = (-1,-1)\nupper-corner = (0,0)\npadding = (1,1)"
);
const IM2COL_DILATION: &str = window!(
    "dilation = (2,2)",
    "\nlower-corner = (-1,-1)\nupper-corner = (-1,-1)\npadding = (1,1)"
);
const IM2COL_FILTER_START: &str =
    window!("filter-start = (1,1)", "\nlower-corner = (-1,-1)\nupper-corner = (0,0)");
const IM2COL_STRIDE: &str =
    window!("stride = (2,2)", "\nlower-corner = (-1,-1)\nupper-corner = (0,0)");

static IM2COL: &[When] = &[When::Is(&MODE, &["im2col"])];

pub(super) static MODE: Key<Choice<Mode>> = Key::new(
    "mode",
    Choice::of(&[
        ("load", Mode::Load),
        ("multicast", Mode::Multicast),
        ("store", Mode::Store),
        ("reduce", Mode::Reduce),
        ("gather4", Mode::Gather4),
        ("scatter4", Mode::Scatter4),
        ("im2col", Mode::Im2col),
        ("im2col-store", Mode::Im2colStore),
    ]),
    "The operation.",
);

pub(super) static ARCH: Key<Target> =
    Key::new("arch", Target, "The architecture.").role(Role::Context);

pub(super) static DTYPE: Key<ElementOr> =
    Key::new("dtype", ElementOr(ElementType::F16), "The element type, e.g. `f16`.")
        .role(Role::Context);

pub(super) static GMEM: Key<Expression> = Key::new("gmem", Expression::ANY, "The global tensor.");

pub(super) static GMEM_ALIGN: Key<NumberOr> = Key::new(
    "gmem-align",
    NumberOr { default: 128, bounds: Number::FROM_1 },
    "Its alignment in bytes.",
);

pub(super) static SMEM: Key<Expression> =
    Key::new("smem", Expression::ANY, "The shared memory layout.");

pub(super) static SMEM_ALIGN: Key<Number> =
    Key::new("smem-align", Number::FROM_1, "Its alignment in bytes.");

pub(super) static SWIZZLE: Key<Word<&'static str>> = Key::new(
    "swizzle",
    Word(&[
        ("none", "none"),
        ("32B", "32B"),
        ("64B", "64B"),
        ("128B", "128B"),
        ("128B-atom-32B", "128B-atom-32B"),
        ("128B-atom-64B", "128B-atom-64B"),
    ]),
    "The descriptor's swizzle; left out, that of the shared memory layout.",
);

pub(super) static TILER: Key<Expression> =
    Key::new("tiler", Expression::ANY, "The CTA tile; left out, the whole tensor.");

pub(super) static INTERNAL_TYPE: Key<Element> =
    Key::new("internal-type", Element, "The type the descriptor uses.");

pub(super) static NUM_MULTICAST: Key<NumberOr> = Key::new(
    "num-multicast",
    NumberOr { default: 1, bounds: Number::ANY },
    "How many CTAs receive it.",
);

pub(super) static CTA_GROUP: Key<NumberOr> =
    Key::new("cta-group", NumberOr { default: 1, bounds: Number::ANY }, "1 or 2 CTAs.");

/// What a reducing store does with what is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reduction {
    Add,
    Min,
    Max,
    Inc,
    Dec,
    And,
    Or,
    Xor,
}

impl Reduction {
    /// Returns the word, as the table of atoms has it.
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Add => "add",
            Self::Min => "min",
            Self::Max => "max",
            Self::Inc => "inc",
            Self::Dec => "dec",
            Self::And => "and",
            Self::Or => "or",
            Self::Xor => "xor",
        }
    }
}

pub(super) static REDUCTION: Key<Choice<Reduction>> = Key::new(
    "reduction",
    Choice::of(&[
        ("add", Reduction::Add),
        ("min", Reduction::Min),
        ("max", Reduction::Max),
        ("inc", Reduction::Inc),
        ("dec", Reduction::Dec),
        ("and", Reduction::And),
        ("or", Reduction::Or),
        ("xor", Reduction::Xor),
    ]),
    "The operation of a reducing store.",
);

pub(super) static ELEMENT_STRIDES: Key<Expression> = Key::new(
    "element-strides",
    Expression::ANY,
    "Traversal strides: every so many-th element of the box is moved.",
);

pub(super) static INDEX: Key<Expression> =
    Key::new("index", Expression::ANY, "The row indices of gather4 and scatter4.");

pub(super) static LOWER_CORNER: Key<Expression> =
    Key::new("lower-corner", Expression::ANY, "im2col: the lower corner of the box.");

pub(super) static UPPER_CORNER: Key<Expression> =
    Key::new("upper-corner", Expression::ANY, "im2col: the upper corner of the box.");

pub(super) static PADDING: Key<Expression> = Key::new(
    "padding",
    Expression::ANY,
    "im2col: positions added at the lower end, one number per spatial mode.",
);

pub(super) static PADDING_UPPER: Key<Expression> = Key::new(
    "padding-upper",
    Expression::ANY,
    "im2col: positions added at the upper end; left out, those of `padding`.",
);

pub(super) static DILATION: Key<Expression> = Key::new(
    "dilation",
    Expression::ANY,
    "im2col: the distance of neighbours in the filter; left out, 1 in each spatial mode.",
);

pub(super) static FILTER_START: Key<Expression> = Key::new(
    "filter-start",
    Expression::ANY,
    "im2col: the position in the filter that comes first; left out, 0 in each spatial mode.",
);

pub(super) static STRIDE: Key<Expression> =
    Key::new("stride", Expression::ANY, "im2col: the stride of the filter.");

pub(super) static CTA_COORD: Key<Expression> =
    Key::new("cta-coord", Expression::or("0"), "Which CTA.");

pub(super) static CTA_LAYOUT: Key<Expression> =
    Key::new("cta-layout", Expression::or("1:0"), "The CTAs of the cluster.");

pub(super) static ATOM_SMEM: Key<Expression> =
    Key::new("atom-smem", Expression::ANY, "The atom's shared memory layout; left out, `smem`.");

pub(super) static ATOM_TILER: Key<Expression> =
    Key::new("atom-tiler", Expression::ANY, "The atom's tile; left out, `tiler`.");
