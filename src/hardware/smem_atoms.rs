//! The shared-memory layout atoms of WGMMA and tcgen05.
//!
//! In: a name as C++ or the DSL spells it, and an element type. Out: the atom: a byte swizzle over a
//! layout of elements. Source: CuTe's `mma_traits_sm90_gmma.hpp`, `mma_traits_sm90_gmma_sparse.hpp`
//! and `mma_traits_sm100.hpp`. Invariant: an atom is defined in bits, a row of its swizzle span by 8
//! (4 for the 32-byte form), so one rule gives it for every element width.

use super::dtype::ElementType;
use crate::cute::algebra::{coalesce, tile_to_shape, tiled_divide};
use crate::cute::{
    AnyLayout, ComposedLayout, Error, Inner, IntTuple, Layout, OffsetUnit, Result, Shape, Swizzle,
    Tiler, Tree,
};
use crate::diagnostic::Diagnostic;
use crate::suggest::nearest;

/// Which mode is contiguous.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Major {
    /// M or N, the first mode.
    Mn,
    /// K, the second mode.
    K,
}

/// How the rows of an atom are permuted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Span {
    /// Rows of 16 bytes, not permuted.
    Inter,
    /// Rows of 32 bytes.
    Sw32,
    /// Rows of 64 bytes.
    Sw64,
    /// Rows of 128 bytes.
    Sw128,
    /// Rows of 128 bytes, permuted in units of 32 bytes (tcgen05, M or N major only).
    Sw128By32,
}

/// One row of the table.
struct Row {
    span: Span,
    name: &'static str,
    bits: i64,
    swizzle: (i64, i64, i64),
}

const TABLE: [Row; 5] = [
    Row { span: Span::Inter, name: "INTER", bits: 128, swizzle: (0, 4, 3) },
    Row { span: Span::Sw32, name: "SW32", bits: 256, swizzle: (1, 4, 3) },
    Row { span: Span::Sw64, name: "SW64", bits: 512, swizzle: (2, 4, 3) },
    Row { span: Span::Sw128, name: "SW128", bits: 1024, swizzle: (3, 4, 3) },
    Row { span: Span::Sw128By32, name: "SW128_32B", bits: 1024, swizzle: (2, 5, 2) },
];

impl Span {
    fn row(self) -> &'static Row {
        let at = TABLE.iter().position(|row| row.span == self).unwrap_or(0);
        &TABLE[at]
    }
}

/// Whose name of an atom is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Spelling {
    /// The C++ headers': `Layout_K_SW128_Atom`.
    Cxx,
    /// The DSL's: `K_SW128`. Its `MN_SW128_32B` is the C++ atom twice, 8 rows.
    Dsl,
}

/// The name of an atom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SmemAtomKind {
    /// Which mode is contiguous.
    pub major: Major,
    /// How rows are permuted.
    pub span: Span,
    /// Whether it holds the kept half of 2:4 sparse elements (C++ only).
    pub sparse: bool,
    /// Whose atom it is.
    pub spelling: Spelling,
}

impl SmemAtomKind {
    /// Every kind: the DSL's, then those of the headers.
    pub fn all() -> impl Iterator<Item = Self> {
        [(Spelling::Dsl, false), (Spelling::Cxx, false), (Spelling::Cxx, true)]
            .into_iter()
            .flat_map(|(spelling, sparse)| {
                [Major::Mn, Major::K].into_iter().flat_map(move |major| {
                    TABLE
                        .iter()
                        .filter(move |row| row.span != Span::Sw128By32 || major == Major::Mn)
                        .map(move |row| Self { major, span: row.span, sparse, spelling })
                })
            })
    }

    /// Returns the atom with the widest rows that divide a contiguous extent; 16-byte rows if none
    /// does (the rule of the DSL's Hopper and Blackwell layout builders).
    #[must_use]
    pub fn widest(major: Major, element: ElementType, extent: i64) -> Self {
        let bits = extent.saturating_mul(element.bits());
        let span = [Span::Sw128, Span::Sw64, Span::Sw32]
            .into_iter()
            .find(|span| bits % span.row().bits == 0)
            .unwrap_or(Span::Inter);
        Self { major, span, sparse: false, spelling: Spelling::Dsl }
    }

    /// Returns the name without template arguments: `K_SW128`, `Layout_K_SW128_Atom`.
    #[must_use]
    pub fn name(self) -> String {
        let major = if self.major == Major::K { "K" } else { "MN" };
        let span = self.span.row().name;
        match (self.spelling, self.sparse) {
            (Spelling::Dsl, _) => format!("{major}_{span}"),
            (Spelling::Cxx, false) => format!("Layout_{major}_{span}_Atom"),
            (Spelling::Cxx, true) => format!("Layout_{major}_{span}_SpAtom"),
        }
    }

    fn rows(self) -> i64 {
        match (self.span, self.spelling) {
            (Span::Sw128By32, Spelling::Cxx) => 4,
            _ => 8,
        }
    }

    /// Reads either name; namespaces in front are ignored.
    ///
    /// # Errors
    /// A name that is none, with the nearest that is.
    pub fn parse(name: &str) -> std::result::Result<Self, Diagnostic> {
        let bare = name.rsplit("::").next().unwrap_or(name);
        let bare = bare.rsplit('.').next().unwrap_or(bare);
        if let Some(kind) = Self::all().find(|kind| kind.name() == bare) {
            return Ok(kind);
        }
        let known: Vec<String> =
            Self::all().filter(|kind| kind.spelling == Spelling::Dsl).map(Self::name).collect();
        let diagnostic = Diagnostic::error(
            "smem-atom",
            format!("unknown shared-memory atom `{name}`; expected one of {}", known.join(", ")),
        );
        Err(match nearest(bare, Self::all().map(Self::name)) {
            Some(near) => diagnostic.hint(format!("did you mean `{near}`?")),
            None => diagnostic,
        })
    }
}

/// An atom of one element type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SmemAtom {
    /// Its name.
    pub kind: SmemAtomKind,
    /// Its element type.
    pub element: ElementType,
    /// The layout in elements.
    pub layout: Layout,
    /// The swizzle, counted in bytes of the address.
    pub swizzle: Swizzle,
}

/// Kept elements of a sparse pair of columns.
const SPARSITY: i64 = 2;

impl SmemAtom {
    /// Builds an atom.
    ///
    /// # Errors
    /// An element that does not fill a row a whole number of times.
    pub fn new(kind: SmemAtomKind, element: ElementType) -> std::result::Result<Self, Diagnostic> {
        let row = kind.span.row();
        if row.bits % element.bits() != 0 {
            return Err(Diagnostic::error(
                "smem-atom",
                format!(
                    "`{}` has rows of {} bits, which `{element}` with {} bits does not divide",
                    kind.name(),
                    row.bits,
                    element.bits()
                ),
            ));
        }
        let layout = layout(kind, row.bits / element.bits(), kind.rows())?;
        // Two sparse columns share an element's bytes.
        let width = element.bits() / if kind.sparse { SPARSITY } else { 1 };
        let (b, m, s) = row.swizzle;
        let unit = OffsetUnit::Byte { element_bits: u32::try_from(width).unwrap_or(0) };
        let swizzle = Swizzle::new(b, m, s)?.counting(unit);
        Ok(Self { kind, element, layout, swizzle })
    }

    /// Reads `Layout_K_SW128_Atom<half_t>` (sparse atoms: `<half_t,2>`).
    ///
    /// # Errors
    /// An unknown atom or element type.
    pub fn parse(text: &str) -> std::result::Result<Self, Diagnostic> {
        let bad = || {
            Diagnostic::error("smem-atom", format!("`{text}` needs its element type"))
                .hint("write `Layout_K_SW128_Atom<half_t>` or `smem_atom(K_SW128, f16)`")
        };
        let (name, arguments) = text.trim().split_once('<').ok_or_else(bad)?;
        let arguments = arguments.trim_end().strip_suffix('>').ok_or_else(bad)?;
        let mut arguments = arguments.split(',').map(str::trim);
        let name_of_type = arguments.next().unwrap_or_default();
        let kind = SmemAtomKind::parse(name.trim())?;
        let extra: Vec<&str> = arguments.collect();
        if kind.sparse && !matches!(extra.as_slice(), [] | ["2"])
            || !kind.sparse && !extra.is_empty()
        {
            return Err(Diagnostic::error(
                "smem-atom",
                format!("`{text}` has arguments that `{}` does not take", kind.name()),
            ));
        }
        let element = ElementType::read(name_of_type)?;
        Self::new(kind, element)
    }

    /// Returns the atom as the DSL does: the byte swizzle composed as it stands.
    ///
    /// # Errors
    /// None for atoms of the table.
    pub fn as_printed(&self) -> Result<AnyLayout> {
        self.composed(self.swizzle)
    }

    /// Returns the same function of element offsets: the swizzle converted for the element, or a
    /// plain layout where it moves nothing.
    ///
    /// # Errors
    /// None for atoms of the table.
    pub fn in_elements(&self) -> Result<AnyLayout> {
        if self.swizzle.is_identity() {
            return Ok(AnyLayout::Plain(self.layout.clone()));
        }
        self.composed(self.swizzle.in_elements()?)
    }

    /// Returns the C++ printout without the underscores of static integers.
    #[must_use]
    pub fn cxx_form(&self) -> String {
        let pointer = if self.kind.sparse { "smem_sparse<2>_ptr" } else { "smem_ptr" };
        let (b, m, s) = (self.swizzle.bits(), self.swizzle.base(), self.swizzle.shift());
        format!("Sw<{b},{m},{s}> o {pointer}[{}b](unset) o {}", self.element.bits(), self.layout)
    }

    fn composed(&self, swizzle: Swizzle) -> Result<AnyLayout> {
        let inner = Inner::Swizzle(swizzle);
        ComposedLayout::new(inner, Tree::Leaf(0), self.layout.clone()).map(AnyLayout::Composed)
    }
}

/// Repeats an atom over the tiles of an MMA: `((MMA_M,MMA_K),tiles_m,tiles_k,...)` (CuTe's
/// `tile_to_mma_shape`).
///
/// # Errors
/// A shape that is not `((M,K),m,k,...)`, an order of another rank than the tiled shape has (one less
/// than the MMA shape), and tilings that CuTe refuses.
pub fn tile_to_mma_shape(
    atom: &AnyLayout,
    shape: &Shape,
    order: Option<&IntTuple>,
) -> Result<AnyLayout> {
    let [tile, tiles_mn, tiles_k, stages @ ..] = shape.modes() else {
        return Err(Error::mismatch(format!(
            "invalid MMA tile shape `{shape}`: expected `((M,K),m,k,...)`"
        )));
    };
    let [mn, k] = tile.modes() else {
        return Err(Error::mismatch(format!(
            "mode 0 of the MMA tile shape `{shape}` is `{tile}`; a pair `(M,K)` is expected"
        )));
    };
    let rank = shape.rank() - 1;
    if let Some(order) = order.filter(|order| order.rank() != rank) {
        return Err(Error::mismatch(format!(
            "the order `{order}` has rank {}; the MMA tile shape `{shape}` is tiled in rank {rank}",
            order.rank()
        )));
    }
    let pair = |a: &Shape, b: &Shape| Tree::Tuple(vec![a.clone(), b.clone()]);
    let mut whole = vec![pair(mn, tiles_mn), pair(k, tiles_k)];
    whole.extend(stages.iter().cloned());
    let tiled = tile_to_shape(atom, &Tree::Tuple(whole), order)?;
    // The recorded results have no pair `(1,stages)` left.
    let tiled = coalesce(&tiled, Some(&Tree::flat(std::iter::repeat_n(1, rank))))?;
    tiled_divide(&tiled, &Tiler::Shape(tile.product_each()?))
}

/// Lays `rows` rows of `length` elements along the major mode.
fn layout(kind: SmemAtomKind, length: i64, rows: i64) -> Result<Layout> {
    let pair = |extent, stride, first| -> Result<Layout> {
        Layout::from_modes([
            Layout::vector(if first { 1 } else { SPARSITY }, i64::from(!first))?,
            Layout::vector(extent, stride)?,
        ])
    };
    let modes = match (kind.sparse, kind.major) {
        (false, Major::Mn) => [Layout::vector(length, 1)?, Layout::vector(rows, length)?],
        (false, Major::K) => [Layout::vector(rows, length)?, Layout::vector(length, 1)?],
        (true, Major::Mn) => [pair(length, SPARSITY, true)?, pair(rows, SPARSITY * length, false)?],
        (true, Major::K) => [pair(rows, SPARSITY * length, true)?, pair(length, SPARSITY, false)?],
    };
    Layout::from_modes(modes)
}
