//! Tiled copies: an atom repeated over the threads and values of a tile.
//!
//! In: an atom, a (thread, value) layout over a tile, and the tiler that cuts tiles out of tensors.
//! Out: who reads and writes what: the TV layouts of both sides, partitions of tensors, retiled
//! fragments. Source: CuTe's `TiledCopy` (`tile2thrfrg`, `retile`) and `make_tiled_copy*`.

use crate::cute::algebra::{
    coalesce, composition, filter, filter_zeros, left_inverse, logical_product, make_layout_tv,
    recast_layout, right_inverse, slice_tensor, zipped_divide,
};
use crate::cute::int_tuple::CoordItem;
use crate::cute::{AnyLayout, Error, Layout, Result, Shape, StrideLeaf, Tensor, Tiler, Tree};
use crate::hardware::atoms::CopyAtom;

/// One side of a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// What is read.
    Source,
    /// What is written.
    Destination,
}

/// An atom tiled over threads and values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TiledCopy {
    atom: CopyAtom,
    tv: Layout,
    tiler: Tiler,
    src_tv: Layout,
    dst_tv: Layout,
}

impl TiledCopy {
    /// Makes a tiled copy from a map (thread, value) to the tile and its tiler (CuTe's
    /// `make_tiled_copy`).
    ///
    /// # Errors
    /// A TV layout that has not the two modes thread and value or cannot be cut into atoms.
    pub fn new(atom: CopyAtom, tv: Layout, tiler: &Tiler) -> Result<Self> {
        if tv.rank() != 2 {
            return Err(Error::mismatch(format!(
                "the TV layout `{tv}` has rank {}; its modes are thread and value",
                tv.rank()
            )));
        }
        let tiler = by_layouts(tiler)?;
        let shape = tiler_shape(&tiler);
        let tile = Layout::column_major(Tree::Tuple(vec![shape, Tree::Leaf(1)]))?;
        let mut copy = Self { src_tv: tv.clone(), dst_tv: tv.clone(), atom, tv, tiler };
        let side = |side| {
            let zipped = copy.thr_val(side, &tile.clone().into())?;
            let modes = zipped.domain().modes();
            Layout::from_modes(modes.into_iter().take(2))
        };
        (copy.src_tv, copy.dst_tv) = (side(Side::Source)?, side(Side::Destination)?);
        Ok(copy)
    }

    /// Makes a tiled copy from the arrangement of threads and of each thread's values (CuTe's
    /// `make_tiled_copy_tv`).
    ///
    /// # Errors
    /// As [`make_layout_tv`] and [`Self::new`].
    pub fn from_thr_val(atom: CopyAtom, thr: &Layout, val: &Layout) -> Result<Self> {
        let (shape, tv) = make_layout_tv(thr, val)?;
        Self::new(atom, tv, &Tiler::Shape(shape.product_each()?))
    }

    /// Makes a tiled copy whose threads and values own addresses of `data` rather than
    /// coordinates (CuTe's `make_cotiled_copy`): `atom_tv` maps (thread, value) to offsets.
    ///
    /// # Errors
    /// Offsets that `data` does not have, and layouts that cannot be inverted.
    pub fn cotiled(atom: CopyAtom, atom_tv: &Layout, data: &Layout) -> Result<Self> {
        let (tv, tiler) = cotile(atom_tv, data, data)?;
        Self::new(atom, tv, &tiler)
    }

    /// Makes the copy of four warps between registers and a TMEM tensor (CuTe's
    /// `make_tmem_copy`): warp `w` reaches lanes `32 * w` to `32 * w + 31`.
    ///
    /// # Errors
    /// An atom that is no TMEM copy; lanes and columns that the tensor does not have.
    pub fn tmem(atom: CopyAtom, tensor: &Layout) -> Result<Self> {
        let values = tmem_values(&atom)?;
        let warp =
            Self::WARP_LANES.checked_mul(TMEM_LANE_BITS).ok_or(Error::overflow("an address"))?
                / atom.dtype.bits();
        let threads = Layout::new(
            Tree::flat([atom.thr_id.size(), 4]),
            Tree::flat([StrideLeaf::ZERO, StrideLeaf::Int(warp)]),
        )?;
        Self::cotiled_in(atom, &Layout::from_modes([threads, values])?, tensor)
    }

    /// Makes a cotiled copy whose addresses must lie within the domain of `data`: its last mode
    /// does not go on past its end.
    fn cotiled_in(atom: CopyAtom, atom_tv: &Layout, data: &Layout) -> Result<Self> {
        let ended = data.modes().into_iter().chain([Layout::vector(1, 0)?]);
        let (tv, tiler) = cotile(atom_tv, data, &Layout::from_modes(ended)?)?;
        Self::new(atom, tv, &tiler)
    }

    /// Lanes of tensor memory that one warp reaches.
    const WARP_LANES: i64 = 32;

    /// Makes the copy from shared to tensor memory (CuTe's `make_s2t_copy`); modes of `tensor` that
    /// do not move are left out.
    ///
    /// # Errors
    /// As [`Self::tmem`].
    pub fn s2t(atom: CopyAtom, tensor: &Layout) -> Result<Self> {
        let values = tmem_values(&atom)?;
        let threads = Layout::vector(atom.thr_id.size(), 0)?;
        let tensor = plain(&filter_zeros(&tensor.clone().into())?)?;
        Self::cotiled_in(atom, &Layout::from_modes([threads, values])?, &tensor)
    }

    /// Makes a tiled copy of another atom with the source (destination) of this one (CuTe's
    /// `make_tiled_copy_S` and `_D`).
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn like(&self, side: Side, atom: CopyAtom) -> Result<Self> {
        Self::new(atom, self.side_tv(side).clone(), &self.tiler)
    }

    /// Returns the atom.
    #[must_use]
    pub const fn atom(&self) -> &CopyAtom {
        &self.atom
    }

    /// Returns the map (thread, value) to the tile, as the atom's reference sees it.
    #[must_use]
    pub const fn tv(&self) -> &Layout {
        &self.tv
    }

    /// Returns the tiler, by mode.
    #[must_use]
    pub const fn tiler(&self) -> &Tiler {
        &self.tiler
    }

    /// Returns the extents of the tile.
    #[must_use]
    pub fn tile_shape(&self) -> Shape {
        tiler_shape(&self.tiler)
    }

    /// Counts the threads.
    #[must_use]
    pub fn threads(&self) -> i64 {
        self.tv.modes().first().map_or(1, Layout::size)
    }

    /// Returns the map (thread, value) to the tile of one side.
    #[must_use]
    pub const fn side_tv(&self, side: Side) -> &Layout {
        match side {
            Side::Source => &self.src_tv,
            Side::Destination => &self.dst_tv,
        }
    }

    /// Returns all parts of a tensor: `(thread, (value, rest value), (rest of the tiles))` to
    /// offset (CuTe's `tidfrg_S` and `tidfrg_D`).
    ///
    /// # Errors
    /// A tensor of lower rank than the tiler; layouts that do not divide as CuTe asks.
    pub fn thread_fragments(&self, side: Side, tensor: &AnyLayout) -> Result<AnyLayout> {
        self.thr_val(side, &zipped_divide(tensor, &self.tiler)?)
    }

    /// Returns what thread `thread` of the copy sees of a tensor (CuTe's `partition_S` and
    /// `partition_D`): `((atom values, atoms), rest of each mode)`.
    ///
    /// # Errors
    /// As [`Self::thread_fragments`], and a thread that is not in the copy.
    pub fn partition(&self, side: Side, tensor: &Tensor, thread: i64) -> Result<Tensor> {
        let threads = self.threads();
        if !(0..threads).contains(&thread) {
            return Err(Error::rule(
                "thread-range",
                format!(
                    "thread {thread} is not in this copy, which has threads 0 to {}",
                    threads - 1
                ),
            ));
        }
        slice_thread(&self.thread_fragments(side, &tensor.layout)?, tensor, thread)
    }

    /// Relabels the registers of a fragment for this copy (CuTe's `retile`): the same values
    /// grouped as `((atom values, atoms), rest ...)`.
    ///
    /// # Errors
    /// A fragment whose values are not whole parts of the copy's.
    pub fn retile(&self, fragment: &Layout) -> Result<Layout> {
        let first = fragment.modes().into_iter().next().unwrap_or_else(|| fragment.clone());
        let values = first.size();
        let shape = self.tile_shape();
        let owner = plain(&composition(
            &right_inverse(&self.tv)?.into(),
            &Tiler::Layout(Layout::column_major(shape)?),
        )?)?;
        let per_fragment = self.threads().checked_mul(values).ok_or(Error::overflow("a size"))?;
        let in_mn = plain(&recast_layout(per_fragment, 1, &owner.into())?)?;
        let block = Layout::vector(values, 1)?;
        let all = logical_product(&block.into(), &Tiler::Layout(right_inverse(&in_mn)?))?;
        let atoms = zipped_divide(&all, &Tiler::Shape(Tree::Leaf(self.atom_values())))?;
        let counts = in_mn.shape().product_each()?;
        let tile = std::iter::once(Tree::Leaf(values)).chain(counts.into_modes()).collect();
        let tiled =
            plain(&zipped_divide(&fragment.clone().into(), &Tiler::Shape(Tree::Tuple(tile)))?)?;
        let modes = tiled.modes();
        let [part, rest] = modes.as_slice() else { return Err(no_two_modes(&tiled)) };
        let regrouped = plain(&composition(&part.clone().into(), &Tiler::Layout(plain(&atoms)?))?)?;
        // The first rest mode counts whole fragments, of which there is one.
        Layout::from_modes(std::iter::once(regrouped).chain(rest.modes().into_iter().skip(1)))
    }

    /// Counts the values of one thread in one atom.
    fn atom_values(&self) -> i64 {
        self.atom.values.reference.modes().get(1).map_or(1, Layout::size)
    }

    /// Transforms `(tile, rest)` to `(thread, (value, rest value), rest)`.
    fn thr_val(&self, side: Side, zipped: &AnyLayout) -> Result<AnyLayout> {
        let reference = &self.atom.values.reference;
        let target = match side {
            Side::Source => &self.atom.values.src,
            Side::Destination => &self.atom.values.dst,
        };
        let ref_to_target = plain(&composition(
            &right_inverse(reference)?.into(),
            &Tiler::Layout(target.clone()),
        )?)?;
        let sizes = reference.modes().iter().map(Layout::size).collect::<Vec<_>>();
        let atoms = zipped_divide(&self.tv.clone().into(), &Tiler::Shape(Tree::flat(sizes)))?;
        let moved =
            composition(&atoms, &Tiler::Modes(vec![Tiler::Layout(ref_to_target), Tiler::Keep]))?;
        let to_tile = gather_threads(&plain(&moved)?)?;
        let tv = composition(zipped, &Tiler::Modes(vec![Tiler::Layout(to_tile), Tiler::Keep]))?;
        unfold_first(&tv)
    }
}

/// Turns `((thr, val), (rest thr, rest val))` into `((thr, rest thr), (val, rest val))` with each
/// of the three coalesced.
fn gather_threads(atoms: &Layout) -> Result<Layout> {
    let part = |i: usize, j: usize| atoms.at_path(&[i, j]);
    let zipped = Layout::from_modes([
        Layout::from_modes([part(0, 0)?, part(1, 0)?])?,
        Layout::from_modes([part(0, 1)?, part(1, 1)?])?,
    ])?;
    let one = Tree::Leaf(1);
    let profile = Tree::Tuple(vec![one.clone(), Tree::Tuple(vec![one.clone(), one])]);
    plain(&coalesce(&zipped.into(), Some(&profile))?)
}

/// Turns `((thr, val), rest)` into `(thr, val, rest)`.
fn unfold_first(tv: &AnyLayout) -> Result<AnyLayout> {
    let flat = |layout: &Layout| {
        let modes = layout.modes();
        let [first, rest] = modes.as_slice() else { return Err(no_two_modes(layout)) };
        Layout::from_modes(first.modes().into_iter().chain(std::iter::once(rest.clone())))
    };
    match tv {
        AnyLayout::Plain(layout) => Ok(flat(layout)?.into()),
        AnyLayout::Composed(composed) => Ok(composed.with_outer(flat(composed.outer())?)?.into()),
    }
}

/// Fixes the thread of `(thread, value, (rest ...))`; what is left is `(value, rest ...)`.
pub(super) fn slice_thread(parts: &AnyLayout, tensor: &Tensor, thread: i64) -> Result<Tensor> {
    let rests = parts.shape().mode(2).map_or(0, Tree::rank);
    let all = Tree::Leaf(CoordItem::All);
    let coord = Tree::Tuple(vec![
        Tree::Leaf(CoordItem::At(thread)),
        all.clone(),
        Tree::Tuple(vec![all; rests]),
    ]);
    slice_tensor(&Tensor { offset: tensor.offset.clone(), layout: parts.clone() }, &coord)
}

/// Bits between two lanes of tensor memory in CuTe's addresses.
const TMEM_LANE_BITS: i64 = 1 << 21;

/// Returns a TMEM atom's values as addresses in elements.
fn tmem_values(atom: &CopyAtom) -> Result<Layout> {
    let Some(val_id) = &atom.val_id else {
        return Err(Error::rule(
            "tmem-atom",
            format!(
                "`{}` copies from {} to {}, not to or from tensor memory",
                atom.short, atom.from, atom.to
            ),
        ));
    };
    let values = recast_layout(atom.dtype.bits(), 1, &val_id.clone().into())?;
    plain(&coalesce(&values, None)?)
}

/// Finds the TV layout and the tiler of a cotiled copy; `reach` is the data as it is checked
/// against.
fn cotile(atom_tv: &Layout, data: &Layout, reach: &Layout) -> Result<(Layout, Tiler)> {
    if atom_tv.rank() != 2 {
        return Err(Error::mismatch(format!(
            "the TV layout `{atom_tv}` has rank {}; its modes are thread and value",
            atom_tv.rank()
        )));
    }
    // Offsets past the end of the data get stride 0, so that they show in the check below.
    let inverse = Layout::from_modes([left_inverse(data)?, Layout::vector(1, 0)?])?;
    let to_data = plain(&composition(&inverse.into(), &Tiler::Layout(atom_tv.clone()))?)?;
    let back = composition(&reach.clone().into(), &Tiler::Layout(to_data.at_path(&[1])?))?;
    let reached = plain(&coalesce(&back, None)?)?;
    let wanted = plain(&coalesce(&atom_tv.at_path(&[1])?.into(), None)?)?;
    if reached != wanted {
        return Err(Error::rule(
            "cotiled-memory",
            format!(
                "the values of `{atom_tv}` walk offsets `{wanted}`, and `{data}` has only `{reached}` of them"
            ),
        ));
    }
    let extents = data.shape().product_each()?.wrap();
    let axis = |i: usize| -> Result<Layout> {
        let strides = (0..extents.rank()).map(|j| StrideLeaf::Int(i64::from(i == j)));
        let only = Layout::new(extents.clone(), Tree::flat(strides))?;
        plain(&filter(&composition(&only.into(), &Tiler::Layout(to_data.clone()))?)?)
    };
    let tiler = Tiler::Modes(
        (0..extents.rank()).map(|i| Ok(Tiler::Layout(axis(i)?))).collect::<Result<_>>()?,
    );
    let tile_to_data = plain(&composition(&Layout::column_major(extents)?.into(), &tiler)?)?;
    let tv = composition(&left_inverse(&tile_to_data)?.into(), &Tiler::Layout(to_data))?;
    Ok((plain(&tv)?, tiler))
}

/// Writes the extents of a tiler as layouts: `n` becomes `n:1`, and 1 becomes `1:0`.
fn by_layouts(tiler: &Tiler) -> Result<Tiler> {
    match tiler {
        Tiler::Shape(Tree::Leaf(extent)) => {
            Ok(Tiler::Layout(Layout::column_major(Tree::Leaf(*extent))?))
        }
        Tiler::Shape(Tree::Tuple(modes)) => modes
            .iter()
            .map(|mode| by_layouts(&Tiler::Shape(mode.clone())))
            .collect::<Result<_>>()
            .map(Tiler::Modes),
        Tiler::Modes(modes) => {
            modes.iter().map(by_layouts).collect::<Result<_>>().map(Tiler::Modes)
        }
        Tiler::Keep => {
            Err(Error::undefined("the tiler of a copy has extents in every mode, and `_` has none"))
        }
        Tiler::Layout(_) => Ok(tiler.clone()),
    }
}

/// Returns the extents of a tiler's tile.
fn tiler_shape(tiler: &Tiler) -> Shape {
    match tiler {
        Tiler::Keep => Tree::Leaf(1),
        Tiler::Layout(layout) => layout.shape().clone(),
        Tiler::Shape(shape) => shape.clone(),
        Tiler::Modes(modes) => Tree::Tuple(modes.iter().map(tiler_shape).collect()),
    }
}

/// Prints a tiler as the DSL does: `(32:1,8:1)`.
#[must_use]
pub fn print_tiler(tiler: &Tiler) -> String {
    match tiler {
        Tiler::Modes(modes) => {
            let modes: Vec<String> = modes.iter().map(print_tiler).collect();
            format!("({})", modes.join(","))
        }
        other => other.to_string(),
    }
}

fn plain(layout: &AnyLayout) -> Result<Layout> {
    layout.plain().cloned().ok_or_else(|| {
        Error::undefined(format!("`{layout}` is composed; a layout of shape and stride is wanted"))
    })
}

fn no_two_modes(layout: &Layout) -> Error {
    Error::mismatch(format!("`{layout}` has rank {}, not 2", layout.rank()))
}
