//! The elements of one CTA tile: which instruction moves each, and where it lands.
//!
//! In: a request and its atom. Out: for each element, by index of the tile, its instruction and its
//! bit in shared memory before and after the swizzle. Invariant: the elements of one [`Unit`] are a
//! run along one mode of the tile and of shared memory, and stay together under the swizzle.

use crate::cute::algebra::{right_inverse, tile_to_shape};
use crate::cute::{AnyLayout, Layout, Result as CuteResult, Swizzle, Tree};
use crate::figure::Fill;
use crate::figure::canvas::limits::TILE_ELEMENTS;
use crate::hardware::tma::descriptor::Descriptor;
use crate::hardware::tma::{TmaAtom, TmaRequest};

/// Bytes that a swizzle of the hardware moves as one.
pub(super) const CHUNK_BYTES: i64 = 16;

/// One CTA tile.
pub(super) struct Tile {
    pub(super) rows: usize,
    pub(super) cols: usize,
    /// Bits of an element in shared memory.
    pub(super) bits: i64,
    /// Instruction of each element, by index of the tile.
    instruction: Vec<Option<u32>>,
    /// First element of each instruction, by index of the tile.
    pub(super) starts: Vec<usize>,
    /// Bit in shared memory of each element, before and after the swizzle; none for elements that
    /// traversal strides pass over.
    pub(super) places: Vec<Option<(i64, i64)>>,
    pub(super) instructions: i64,
    /// Elements that the swizzle moves.
    pub(super) moved: usize,
    /// Whether the tile is too large to be followed element by element.
    pub(super) cut: bool,
    /// What is drawn as one cell.
    pub(super) unit: Unit,
}

/// Elements that are drawn as one cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unit {
    /// How many, along mode 0 and along mode 1.
    pub(super) down: usize,
    pub(super) across: usize,
}

impl Unit {
    pub(super) const ELEMENT: Self = Self { down: 1, across: 1 };

    pub(super) const fn elements(self) -> usize {
        self.down * self.across
    }
}

impl Tile {
    pub(super) fn of(
        request: &TmaRequest,
        atom: &TmaAtom,
        descriptor: &Descriptor,
    ) -> CuteResult<Self> {
        let smem = request.smem_stage()?;
        let size = smem.size();
        let per = atom.elements().max(1);
        let rows = smem.modes().first().map_or(1, |mode| count(mode.size()));
        let mut tile = Self {
            rows,
            cols: count(size) / rows.max(1),
            bits: request.smem_bits().max(1),
            instruction: Vec::new(),
            starts: Vec::new(),
            places: Vec::new(),
            instructions: size / per,
            moved: 0,
            cut: size > TILE_ELEMENTS,
            unit: Unit::ELEMENT,
        };
        if tile.cut {
            return Ok(tile);
        }
        let run = Layout::from_modes([right_inverse(&smem)?])?;
        let along = tile_to_shape(&AnyLayout::from(run), &Tree::Leaf(size), None)?;
        tile.instruction = vec![None; count(size)];
        let order = along.offsets()?;
        let mut lands = vec![None; count(size)];
        for (place, &index) in order.iter().enumerate() {
            let number = place / count(per);
            let within = i64::try_from(place % count(per)).unwrap_or(0);
            let Some(packed) = descriptor.packed_place(&atom.basis, within) else { continue };
            if let Some(slot) = lands.get_mut(count(index)) {
                *slot = order.get(place - place % count(per) + count(packed)).copied();
            }
            if place % count(per) == 0 {
                tile.starts.push(count(index));
            }
            if let Some(slot) = tile.instruction.get_mut(count(index)) {
                slot.get_or_insert(u32::try_from(number).unwrap_or(u32::MAX));
            }
        }
        let swizzle = request.swizzle();
        let offsets: Vec<i64> = smem.walk()?.collect();
        let place = |index: &Option<i64>| {
            let bit = offsets.get(count((*index)?))?.saturating_mul(tile.bits);
            let after = swizzle.apply(bit.div_euclid(8)).saturating_mul(8) + bit.rem_euclid(8);
            Some((bit, after))
        };
        tile.places = lands.iter().map(place).collect();
        let moved = |(before, after): &&(i64, i64)| before != after;
        tile.moved = tile.places.iter().flatten().filter(moved).count();
        tile.unit = tile.largest_unit(swizzle);
        Ok(tile)
    }

    /// Finds the most elements, 16 bytes at most, that are drawn as one.
    fn largest_unit(&self, swizzle: Swizzle) -> Unit {
        let whole = if swizzle.is_identity() { CHUNK_BYTES } else { 1 << swizzle.base().min(4) };
        let placed = self.places.iter().zip(0..);
        let mut order: Vec<(i64, usize)> =
            placed.filter_map(|(place, index)| Some(((*place)?.0, index))).collect();
        order.sort_unstable();
        let mut len = count(whole * 8 / self.bits);
        while len > 1 {
            for unit in [Unit { down: 1, across: len }, Unit { down: len, across: 1 }] {
                if self.is_cut_into(&order, unit) {
                    return unit;
                }
            }
            len /= 2;
        }
        Unit::ELEMENT
    }

    /// Returns whether shared memory, read in order, is a sequence of such units of the tile.
    fn is_cut_into(&self, order: &[(i64, usize)], unit: Unit) -> bool {
        let len = unit.elements();
        let step = if unit.down > 1 { 1 } else { self.rows };
        let bits = |n: usize| i64::try_from(n).unwrap_or(i64::MAX).saturating_mul(self.bits);
        order.chunks(len).all(|chunk| {
            let Some(&(start, first)) = chunk.first() else { return false };
            let (row, col) = (first % self.rows.max(1), first / self.rows.max(1));
            chunk.len() == len
                && start % bits(len) == 0
                && row % unit.down == 0
                && col % unit.across == 0
                && chunk
                    .iter()
                    .enumerate()
                    .all(|(at, place)| *place == (start + bits(at), first + at * step))
        })
    }

    /// Returns the rectangle that one instruction moves; a unit where the instructions cut the tile
    /// into no equal rectangles.
    pub(super) fn instruction_box(&self) -> Unit {
        let same = |step: usize, end: usize| {
            let first = self.number(0);
            (0..end).take_while(|at| self.number(at * step) == first).count().max(1)
        };
        let unit = Unit { down: same(1, self.rows), across: same(self.rows, self.cols) };
        let elements = i64::try_from(unit.elements()).unwrap_or(i64::MAX);
        let whole = self.rows.is_multiple_of(unit.down) && self.cols.is_multiple_of(unit.across);
        let uniform = |index: usize| {
            let (row, col) = self.coordinate(index);
            let corner =
                row / unit.down * unit.down + self.rows * (col / unit.across * unit.across);
            self.number(index) == self.number(corner)
        };
        let count = elements.saturating_mul(self.instructions);
        if whole && count == self.size() && (0..self.places.len()).all(uniform) {
            unit
        } else {
            self.unit
        }
    }

    fn size(&self) -> i64 {
        i64::try_from(self.places.len()).unwrap_or(i64::MAX)
    }

    /// Returns the tile's extents in cells of `unit`.
    pub(super) fn extents_in(&self, unit: Unit) -> (usize, usize) {
        (self.rows.div_ceil(unit.down), self.cols.div_ceil(unit.across))
    }

    /// Returns the first element of a cell of `unit`, by index of the tile.
    pub(super) fn first_of(&self, unit: Unit, row: usize, col: usize) -> usize {
        row * unit.down + self.rows * (col * unit.across)
    }

    /// Returns row and column of an element.
    pub(super) fn coordinate(&self, index: usize) -> (usize, usize) {
        (index % self.rows.max(1), index / self.rows.max(1))
    }

    /// Returns the bit in shared memory of an element, before and after the swizzle.
    pub(super) fn place(&self, index: usize) -> Option<(i64, i64)> {
        self.places.get(index).copied().flatten()
    }

    pub(super) fn number(&self, index: usize) -> Option<u32> {
        self.instruction.get(index).copied().flatten()
    }

    /// Returns the byte in shared memory that an instruction is given for the element it starts
    /// with: the place before the swizzle, which the hardware applies on the way.
    pub(super) fn byte(&self, index: usize) -> i64 {
        self.place(index).map_or(0, |(before, _)| before.div_euclid(8))
    }

    /// Counts the bytes up to the last that an element lies in.
    pub(super) fn bytes(&self) -> i64 {
        let last = self.places.iter().flatten().map(|(before, _)| *before).max().unwrap_or(0);
        (last.saturating_add(self.bits) + 7).div_euclid(8)
    }

    /// Returns colour and owner of an element: its instruction, or where there is only one, its
    /// 16 bytes of shared memory before the swizzle, which stay together.
    pub(super) fn fill(&self, index: usize) -> (Fill, Option<u32>) {
        if self.instructions == 1 {
            let chunk = self
                .place(index)
                .and_then(|(before, _)| u32::try_from(before / (CHUNK_BYTES * 8)).ok());
            return (chunk.map_or(Fill::Blank, |chunk| Fill::hue(chunk % 8, chunk / 8 % 4)), chunk);
        }
        let number = self.number(index);
        let total = u32::try_from(self.instructions).unwrap_or(u32::MAX);
        (number.map_or(Fill::Blank, |n| Fill::tile(n, total)), number)
    }
}

pub(super) fn count(n: i64) -> usize {
    usize::try_from(n).unwrap_or(usize::MAX)
}
