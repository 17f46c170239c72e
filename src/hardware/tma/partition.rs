//! `tma_partition`: tile and tensor cut into instructions.
//!
//! In: an atom, the shared-memory tensor and the coordinate tensor, the CTA of a multicast. Out:
//! both as `((elements of one instruction, instructions), rest ...)`. Source: CuTe's
//! `tma_partition`.

use super::atom::{Component, TmaAtom};
use crate::cute::algebra::{
    coalesce, composition, group_modes, logical_divide, right_inverse, tile_to_shape, zipped_divide,
};
use crate::cute::{AnyLayout, Error, IntTuple, Layout, Result, Tensor, Tiler, Tree};

/// Both sides of a TMA copy, cut into instructions.
#[derive(Clone, Debug)]
pub struct Partition {
    /// The shared-memory tensor as it went in: tile modes grouped.
    pub smem_in: Layout,
    /// The coordinate tensor as it went in: divided by the tiler.
    pub gmem_in: Layout,
    /// The shared-memory side; its swizzle stays with the pointer.
    pub smem: Layout,
    /// The first element of this CTA's part in shared memory.
    pub smem_offset: IntTuple,
    /// The global side, in coordinates.
    pub gmem: Layout,
    /// The first coordinate of this CTA's part, with stand-ins for strides known at run time.
    pub gmem_offset: IntTuple,
    /// The same, as CuTe knows it.
    pub gmem_start: Vec<Component>,
}

/// Cuts a shared-memory tensor and a global tensor for CTA `cta_coord` of `cta_layout`.
///
/// # Errors
/// Tiles of different size; layouts that CuTe cannot compose.
pub fn tma_partition(
    atom: &TmaAtom,
    smem: &AnyLayout,
    tiler: &Tiler,
    cta_coord: &IntTuple,
    cta_layout: &Layout,
) -> Result<Partition> {
    let coordinates = &atom.coordinates.layout;
    let rank = tiler.rank();
    let smem_in = plain(&group_modes(&smem.domain().clone().into(), 0, rank)?)?;
    let gmem_in = plain(&zipped_divide(&coordinates.clone().into(), tiler)?)?;
    let (tile, box_of) = (first(&smem_in)?, first(&gmem_in)?);
    if tile.size() != box_of.size() {
        return Err(Error::rule(
            "tma-tile-shape",
            format!(
                "the shared-memory tile has {} elements and the global tile {}",
                tile.size(),
                box_of.size()
            ),
        ));
    }
    let along = tile_to_shape(
        &AnyLayout::from(Layout::from_modes([right_inverse(&tile)?])?),
        &Tree::Leaf(tile.size()),
        None,
    )?;
    let per_instruction = Layout::vector(atom.elements(), 1)?;
    let cut = plain(&logical_divide(&along, &Tiler::Modes(vec![Tiler::Layout(per_instruction)]))?)?;
    let cut = first(&cut)?;
    let apply = |layout: &Layout| {
        let mut by_mode = vec![Tiler::Layout(cut.clone())];
        by_mode.resize(layout.rank(), Tiler::Keep);
        let cut = composition(&layout.clone().into(), &Tiler::Modes(by_mode))?;
        let one = Tree::Leaf(1);
        plain(&coalesce(&cut, Some(&Tree::Tuple(vec![Tree::Tuple(vec![one.clone(), one])])))?)
    };
    let (smem, gmem) = (apply(&smem_in)?, apply(&gmem_in)?);
    let ctas = cta_layout.cosize()?.max(1);
    let number = match cta_layout.at(cta_coord)? {
        Tree::Leaf(number) => number,
        Tree::Tuple(_) => return Err(Error::undefined("the CTA layout gives coordinates")),
    };
    let skip = number.checked_mul(atom.elements() / ctas).ok_or(Error::overflow("an offset"))?;
    let start_of = |layout: &Layout| -> IntTuple {
        let zero = Tree::Leaf(0);
        let rest = layout.rank().saturating_sub(1);
        let start = Tree::Tuple(vec![Tree::Leaf(skip), zero.clone()]);
        Tree::Tuple(std::iter::once(start).chain(vec![zero; rest]).collect())
    };
    let dimensions = atom.basis.rank();
    let origin = Tree::flat(vec![0; dimensions]);
    let gmem_offset = origin.add(&gmem.at(&start_of(&gmem))?)?;
    let gmem_start = atom.coordinates.at(&gmem, &start_of(&gmem), dimensions)?;
    let smem_offset = smem.at(&start_of(&smem))?;
    Ok(Partition { smem_in, gmem_in, smem, smem_offset, gmem, gmem_offset, gmem_start })
}

impl Partition {
    /// Returns the global side as a tensor.
    #[must_use]
    pub fn gmem_tensor(&self) -> Tensor {
        Tensor { offset: self.gmem_offset.clone(), layout: self.gmem.clone().into() }
    }
}

fn first(layout: &Layout) -> Result<Layout> {
    layout.at_path(&[0])
}

fn plain(layout: &AnyLayout) -> Result<Layout> {
    layout.plain().cloned().ok_or_else(|| Error::undefined(format!("`{layout}` is composed")))
}
