//! What a TMA atom is made from, and what CuTe refuses before it looks at layouts.
//!
//! In: the arguments of CuTe's `make_tiled_tma_atom`. Out: the same, checked. Invariant: after
//! [`TmaRequest::check`] the shared-memory layout is plain or swizzled, of the tiler's rank or one
//! more (the stages).

use super::format::TmaFormat;
use crate::cute::{AnyLayout, Error, Inner, Layout, Result, Swizzle, Tiler, Tree};
use crate::hardware::arch::Arch;
use crate::hardware::dtype::ElementType;

/// Which way the copy goes, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// Global to shared memory.
    Load,
    /// Global to the shared memories of several CTAs of a cluster.
    Multicast,
    /// Shared to global memory.
    Store,
    /// Shared to global memory, combined with what is there.
    Reduce,
    /// Four rows picked by index to shared memory.
    Gather4,
    /// Four rows of shared memory to rows picked by index.
    Scatter4,
    /// A convolution's filter windows to shared memory.
    Im2col,
    /// The store that matches an im2col load.
    Im2colStore,
}

impl Mode {
    /// All modes.
    pub const ALL: [Self; 8] = [
        Self::Load,
        Self::Multicast,
        Self::Store,
        Self::Reduce,
        Self::Gather4,
        Self::Scatter4,
        Self::Im2col,
        Self::Im2colStore,
    ];

    /// Returns the word that authors write.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Load => "load",
            Self::Multicast => "multicast",
            Self::Store => "store",
            Self::Reduce => "reduce",
            Self::Gather4 => "gather4",
            Self::Scatter4 => "scatter4",
            Self::Im2col => "im2col",
            Self::Im2colStore => "im2col-store",
        }
    }

    /// Finds a mode by its word.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.name() == name)
    }

    /// Returns whether shared memory is written.
    #[must_use]
    pub const fn loads(self) -> bool {
        matches!(self, Self::Load | Self::Multicast | Self::Gather4 | Self::Im2col)
    }

    /// Returns whether the positions of an activation tensor are one mode, which windows walk.
    #[must_use]
    pub const fn is_im2col(self) -> bool {
        matches!(self, Self::Im2col | Self::Im2colStore)
    }

    /// Returns whether four rows are picked by index.
    #[must_use]
    pub const fn picks_rows(self) -> bool {
        matches!(self, Self::Gather4 | Self::Scatter4)
    }
}

/// The arguments of a TMA atom.
#[derive(Clone, Debug)]
pub struct TmaRequest {
    /// Which way.
    pub mode: Mode,
    /// The element type.
    pub dtype: ElementType,
    /// The type that the descriptor counts in, if not `dtype`.
    pub internal: Option<ElementType>,
    /// The global tensor's layout in elements.
    pub gmem: Layout,
    /// The shared-memory tile in elements; a swizzle counts bytes. May carry a mode of stages.
    pub smem: AnyLayout,
    /// The CTA tiler: by mode, or a map (value) to the global tensor's coordinates.
    pub tiler: Tiler,
    /// CTAs that receive the same data.
    pub num_multicast: i64,
    /// CTAs of the instruction, 1 or 2.
    pub cta_group: i64,
    /// The row indices of gather4 and scatter4.
    pub index: Option<Layout>,
    /// The compilation target.
    pub arch: Option<Arch>,
}

impl TmaRequest {
    /// Checks what can be told without looking into the layouts.
    ///
    /// # Errors
    /// The refusals of CuTe's `make_tiled_tma_atom`.
    pub fn check(&self) -> Result<()> {
        let refuse = |rule, text: String| Err(Error::rule(rule, text));
        if self.mode != Mode::Multicast && self.num_multicast != 1 {
            return refuse(
                "tma-multicast",
                format!(
                    "`{}` does not multicast, so `num-multicast` is 1, not {}",
                    self.mode.name(),
                    self.num_multicast
                ),
            );
        }
        if self.num_multicast < 1 {
            return refuse(
                "tma-multicast",
                format!("a multicast reaches 1 CTA or more, not {}", self.num_multicast),
            );
        }
        if !(1..=2).contains(&self.cta_group) {
            return refuse(
                "tma-cta-group",
                format!("`cta-group` is 1 or 2, not {}", self.cta_group),
            );
        }
        if self.cta_group == 2 && !self.mode.loads() {
            return refuse(
                "tma-cta-group",
                format!("`{}` has no CTA group: only loads do", self.mode.name()),
            );
        }
        if let Some(arch) = self.arch {
            if self.cta_group == 2 && !arch.has_tcgen05() {
                return refuse(
                    "tma-arch",
                    format!("a CTA group of 2 needs sm_100a or a relative, not {arch}"),
                );
            }
            if self.mode.picks_rows() && arch.number < 100 {
                return refuse(
                    "tma-arch",
                    format!("`{}` needs sm_100 or later, not {arch}", self.mode.name()),
                );
            }
        }
        if let AnyLayout::Composed(composed) = &self.smem
            && (!matches!(composed.inner(), Inner::Swizzle(_))
                || *composed.offset() != Tree::Leaf(0))
        {
            return refuse(
                "tma-smem",
                format!("the shared-memory layout is plain or swizzled, not `{composed}`"),
            );
        }
        let (smem, tiler) = (self.smem.rank(), self.tiler.rank());
        if smem != tiler && smem != tiler + 1 {
            return refuse(
                "tma-smem-rank",
                format!(
                    "the shared-memory layout has rank {smem}; the tiler's rank is {tiler}, or {} with a mode of stages",
                    tiler + 1
                ),
            );
        }
        self.check_index()
    }

    fn check_index(&self) -> Result<()> {
        if !self.mode.picks_rows() {
            return Ok(());
        }
        let Some(index) = &self.index else {
            return Err(Error::rule(
                "tma-index",
                format!("`{}` needs `index`, the layout of the row indices", self.mode.name()),
            ));
        };
        if index.rank() != 2 {
            return Err(Error::rule(
                "tma-index",
                format!(
                    "the layout of the row indices has 2 modes, and `{index}` has {}",
                    index.rank()
                ),
            ));
        }
        let rows: i64 =
            index.flat_modes().iter().filter(|m| !m.stride.is_zero()).map(|m| m.shape).product();
        if rows < 4 {
            return Err(Error::rule(
                "tma-index",
                format!("four rows are picked at a time, and `{index}` has {rows} indices"),
            ));
        }
        Ok(())
    }

    /// Returns one stage of the shared-memory tile, without its swizzle.
    ///
    /// # Errors
    /// Overflow.
    pub fn smem_stage(&self) -> Result<Layout> {
        let layout = self.smem.domain();
        if layout.rank() == self.tiler.rank() {
            return Ok(layout.clone());
        }
        Layout::from_modes(layout.modes().into_iter().take(self.tiler.rank()))
    }

    /// Returns the swizzle, which counts bytes.
    #[must_use]
    pub fn swizzle(&self) -> Swizzle {
        self.smem.swizzle().unwrap_or(Swizzle::IDENTITY)
    }

    /// Returns the descriptor's data format.
    #[must_use]
    pub fn format(&self) -> TmaFormat {
        TmaFormat::of(self.dtype, self.internal)
    }

    /// Returns the bits of one element as the descriptor counts.
    #[must_use]
    pub fn internal_bits(&self) -> i64 {
        if self.format().unpacks() {
            self.dtype.bits()
        } else {
            self.internal.unwrap_or(self.dtype).bits()
        }
    }

    /// Returns the bits that one element takes in shared memory.
    #[must_use]
    pub fn smem_bits(&self) -> i64 {
        if self.format().unpacks() { 8 } else { self.dtype.bits() }
    }
}
