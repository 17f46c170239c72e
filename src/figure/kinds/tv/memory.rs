//! Reading the layouts of global and shared memory under a tile.
//!
//! In: the keys of one memory (`gmem`, `gmem-dtype`, `gmem-base`; the same with `smem`). Out: the
//! offset of every cell and the width of an element. Invariant: a cell inside of the tile and of
//! `data` has an offset; others are not accessed.

use super::source::Source;
use crate::cute::index::{place, wide};
use crate::cute::{AnyLayout, Error, Inner, Layout, Swizzle, Tree};
use crate::diagnostic::Diagnostic;
use crate::expr::Value;
use crate::figure::canvas::limits::VALUES_CHECKED;
use crate::figure::input::entry::Problem;
use crate::figure::input::frame::DTYPE;
use crate::figure::input::key::Key;
use crate::figure::input::keys::Keys;
use crate::figure::input::value::{Element, Expression, NumberOr};
use crate::hardware::memory::{AddressMap, SwizzleUnit};

/// The keys of one memory.
#[derive(Clone, Copy)]
pub(super) struct MemoryKeys {
    pub(super) layout: &'static Key<Expression>,
    pub(super) dtype: &'static Key<Element>,
    pub(super) base: &'static Key<NumberOr>,
}

/// A layout of memory under a tile.
pub(super) struct Memory {
    /// The layout in elements, for titles.
    pub(super) written: String,
    /// The layout without its swizzle.
    pub(super) plain: AnyLayout,
    /// The swizzle over it.
    pub(super) swizzle: Option<Swizzle>,
    /// Where each cell is in the domain of the layout.
    pub(super) indices: Vec<Option<usize>>,
    /// The offset of each cell, before the swizzle.
    offsets: Vec<Option<i64>>,
    /// What is added after the swizzle, in elements.
    origin: i64,
    pub(super) element_bits: i64,
    pub(super) base_bytes: i64,
}

impl Memory {
    pub(super) fn read(
        keys: &Keys<'_>,
        names: MemoryKeys,
        source: &Source,
    ) -> Result<Self, Problem> {
        let refuse = |diagnostic| keys.problem(names.layout, diagnostic);
        let (layout, origin) = keys.need(names.layout, layout_and_origin)?;
        let evaluated = keys.get(names.layout);
        let (plain, inner_offset, swizzle) = match &layout {
            AnyLayout::Composed(composed) => match (composed.inner(), composed.offset()) {
                (Inner::Swizzle(swizzle), Tree::Leaf(offset)) => {
                    (composed.outer().clone().into(), *offset, Some(*swizzle))
                }
                _ => (layout.clone(), 0, None),
            },
            AnyLayout::Plain(_) => (layout.clone(), 0, None),
        };
        let indices = indices(plain.domain(), source).map_err(|what| {
            let text = format!("`{layout}` does not fit the tile: {what}");
            let hint = "a layout of the tile, or of a tensor that holds it";
            refuse(Diagnostic::error("memory-domain", text).hint(hint))
        })?;
        let offsets =
            offsets(&plain, &indices, inner_offset).map_err(|error| refuse(error.into()))?;
        let element_bits = match keys.get(names.dtype).or(keys.get(&DTYPE)) {
            Some(element) => element.bits(),
            None => match evaluated.and_then(|evaluated| evaluated.element_bits) {
                Some(bits) => i64::from(bits),
                None => {
                    let text = format!("`{}` needs the width of an element", names.layout.name);
                    let hint = format!("add `dtype = f16`, or `{}`", names.dtype.name);
                    return Err(refuse(Diagnostic::error("dtype", text).hint(hint)));
                }
            },
        };
        Ok(Self {
            written: layout.to_string(),
            plain,
            swizzle,
            indices,
            offsets,
            origin,
            element_bits,
            base_bytes: keys.get(names.base),
        })
    }

    /// Returns the offset of a cell in elements, a swizzle over elements applied.
    pub(super) fn offset(&self, cell: usize, swizzle: Option<Swizzle>) -> Option<i64> {
        let offset = (*self.offsets.get(cell)?)?;
        swizzle.map_or(offset, |swizzle| swizzle.apply(offset)).checked_add(self.origin)
    }

    /// Returns the addresses of all threads and values under a swizzle that counts `unit`s.
    pub(super) fn map(
        &self,
        source: &Source,
        swizzle: Option<Swizzle>,
        unit: SwizzleUnit,
    ) -> Result<AddressMap, crate::cute::Error> {
        let (threads, values) = (source.threads, source.values);
        let by_cell = |inner: Option<Swizzle>| {
            let count = self.indices.len();
            (0..count).map(move |cell| self.offset(cell, inner)).collect::<Vec<_>>()
        };
        let map = |cells: Vec<Option<i64>>| {
            let places = source.cells.iter().map(|&cell| cells.get(cell?).copied().flatten());
            AddressMap::new(threads, values, self.element_bits, self.base_bytes, places)
        };
        match (swizzle, unit) {
            (Some(swizzle), SwizzleUnit::Byte) => Ok(map(by_cell(None))?.swizzled(swizzle)?),
            (swizzle, _) => map(by_cell(swizzle)),
        }
    }
}

/// Reads a layout of elements in memory and what is added after its swizzle.
fn layout_and_origin(value: &Value) -> Result<(AnyLayout, i64), Diagnostic> {
    match value {
        Value::Tensor(tensor) => {
            let tensor = tensor.in_elements()?;
            match tensor.offset {
                Tree::Leaf(origin) => Ok((tensor.layout, origin)),
                Tree::Tuple(_) => Err(value.mismatch("a layout of memory")),
            }
        }
        _ => Ok((value.to_layout()?.in_elements()?, 0)),
    }
}

/// Finds each cell of the tile in the domain of a layout: by coordinate if the layout is at least as
/// large in every mode, else by index if it has as many coordinates as the tile.
fn indices(domain: &Layout, source: &Source) -> Result<Vec<Option<usize>>, String> {
    let tile = source.extents();
    let cells: usize = tile.iter().product();
    let extents: Vec<i64> = domain.modes().iter().map(Layout::size).collect();
    let inside = |cell: usize| source.inside(cell);
    let reached = source.reach();
    if extents.len() != tile.len() {
        return if domain.size() == wide(cells) {
            Ok((0..cells).map(|cell| inside(cell).then_some(cell)).collect())
        } else {
            Err(format!(
                "it has rank {} and {} coordinates, the tile `{}` has rank {} and {cells}",
                extents.len(),
                domain.size(),
                source.tile,
                tile.len()
            ))
        };
    }
    if let Some(mode) = (0..tile.len()).find(|&mode| extents[mode] < wide(reached[mode])) {
        return Err(format!(
            "mode {mode} has {} coordinates, the tile `{}` needs {}",
            extents[mode], source.tile, reached[mode]
        ));
    }
    let index = |cell: usize| {
        let (mut index, mut pitch) = (0, 1);
        for (at, extent) in source.coordinate(cell).zip(&extents) {
            index += wide(at) * pitch;
            pitch *= extent;
        }
        place(index, usize::MAX).ok_or_else(|| format!("its index {index} is beyond this machine"))
    };
    (0..cells).map(|cell| inside(cell).then(|| index(cell)).transpose()).collect()
}

/// Returns the offset of every cell. A tensor may be far larger than the tile: only a small one is
/// walked as a whole.
fn offsets(
    layout: &AnyLayout,
    indices: &[Option<usize>],
    base: i64,
) -> crate::cute::Result<Vec<Option<i64>>> {
    let small = layout.size() <= VALUES_CHECKED;
    let walked = layout.first_offsets(if small { usize::MAX } else { 1 })?;
    let offset = |index: usize| {
        let offset = match walked.get(index) {
            Some(&offset) => offset,
            None => match layout.at(&Tree::Leaf(wide(index)))? {
                Tree::Leaf(offset) => offset,
                Tree::Tuple(_) => return Err(Error::undefined("coordinates are no offsets")),
            },
        };
        offset.checked_add(base).ok_or(Error::overflow("an offset"))
    };
    indices.iter().map(|index| index.map(offset).transpose()).collect()
}
