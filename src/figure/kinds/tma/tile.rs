//! The elements of one CTA tile: which instruction moves each, and where it lands.
//!
//! In: a request and its atom. Out: for each element, by index of the tile, its instruction and its
//! bit in shared memory before and after the swizzle. Invariant: the elements of one [`Unit`] are a
//! run along one mode of the tile and of shared memory, and stay together under the swizzle.

use crate::cute::algebra::{right_inverse, tile_to_shape};
use crate::cute::index::{at, at_mut, capped, count, narrow, wide};
use crate::cute::int_tuple::ceil_div_int;
use crate::cute::{AnyLayout, Layout, Result as CuteResult, Swizzle, Tree};
use crate::figure::Fill;
use crate::figure::canvas::limits::TILE_ELEMENTS;
use crate::hardware::tma::descriptor::Descriptor;
use crate::hardware::tma::{TmaAtom, TmaRequest};

/// Bytes that a swizzle of the hardware moves as one.
const CHUNK_BYTES: i64 = 16;

/// One CTA tile.
pub(super) struct Tile {
    rows: i64,
    cols: i64,
    /// Bits of an element in shared memory.
    pub(super) bits: i64,
    /// Instruction of each element, by index of the tile.
    instruction: Vec<Option<u32>>,
    /// First element of each instruction, by index of the tile.
    pub(super) starts: Vec<i64>,
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
    pub(super) down: i64,
    pub(super) across: i64,
}

impl Unit {
    pub(super) const ELEMENT: Self = Self { down: 1, across: 1 };

    pub(super) const fn elements(self) -> i64 {
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
        let rows = smem.modes().first().map_or(1, Layout::size);
        let mut tile = Self {
            rows,
            cols: size / rows,
            bits: request.smem_bits().max(1),
            instruction: Vec::new(),
            starts: Vec::new(),
            places: Vec::new(),
            instructions: size / per,
            moved: 0,
            cut: true,
            unit: Unit::ELEMENT,
        };
        let Some(elements) = count(size, TILE_ELEMENTS) else { return Ok(tile) };
        tile.cut = false;
        let run = Layout::from_modes([right_inverse(&smem)?])?;
        let along = tile_to_shape(&AnyLayout::from(run), &Tree::Leaf(size), None)?;
        tile.instruction = vec![None; elements];
        let order = along.offsets()?;
        let mut lands = vec![None; elements];
        for (place, &index) in (0_i64..).zip(&order) {
            let (number, within) = (place / per, place % per);
            let Some(packed) = descriptor.packed_place(&atom.basis, within) else { continue };
            if let Some(slot) = at_mut(&mut lands, index) {
                *slot = at(&order, place - within + packed).copied();
            }
            if within == 0 {
                tile.starts.push(index);
            }
            if let Some(instruction @ None) = at_mut(&mut tile.instruction, index) {
                *instruction = narrow(number);
            }
        }
        let swizzle = request.swizzle();
        let offsets: Vec<i64> = smem.walk()?.collect();
        let place = |index: &Option<i64>| {
            let bit = at(&offsets, (*index)?)?.saturating_mul(tile.bits);
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
        let mut order: Vec<(i64, i64)> =
            placed.filter_map(|(place, index)| Some(((*place)?.0, index))).collect();
        order.sort_unstable();
        let mut len = whole * 8 / self.bits;
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
    fn is_cut_into(&self, order: &[(i64, i64)], unit: Unit) -> bool {
        let len = capped(unit.elements(), order.len());
        let step = if unit.down > 1 { 1 } else { self.rows };
        let is_unit = |chunk: &[(i64, i64)]| {
            let Some(&(start, first)) = chunk.first() else { return false };
            let (row, col) = self.coordinate(first);
            let place = |number: i64| (start + number * self.bits, first + number * step);
            chunk.len() == len
                && start % (unit.elements() * self.bits) == 0
                && row % unit.down == 0
                && col % unit.across == 0
                && (0_i64..).zip(chunk).all(|(number, found)| *found == place(number))
        };
        wide(len) == unit.elements() && order.chunks(len).all(is_unit)
    }

    /// Returns the rectangle that one instruction moves; a unit where the instructions cut the tile
    /// into no equal rectangles.
    pub(super) fn instruction_box(&self) -> Unit {
        let same = |step: i64, end: i64| {
            let first = self.number(0);
            wide((0..end).take_while(|at| self.number(at * step) == first).count()).max(1)
        };
        let unit = Unit { down: same(1, self.rows), across: same(self.rows, self.cols) };
        let whole = self.rows % unit.down == 0 && self.cols % unit.across == 0;
        let uniform = |index: i64| {
            let (row, col) = self.coordinate(index);
            let corner = self.first_of(unit, row / unit.down, col / unit.across);
            self.number(index) == self.number(corner)
        };
        let size = wide(self.places.len());
        let moved = unit.elements().saturating_mul(self.instructions);
        if whole && moved == size && (0..size).all(uniform) { unit } else { self.unit }
    }

    /// Returns the tile's extents in cells of `unit`.
    pub(super) const fn extents_in(&self, unit: Unit) -> (i64, i64) {
        (ceil_div_int(self.rows, unit.down), ceil_div_int(self.cols, unit.across))
    }

    /// Returns the first element of a cell of `unit`, by index of the tile.
    pub(super) const fn first_of(&self, unit: Unit, row: i64, col: i64) -> i64 {
        row * unit.down + self.rows * (col * unit.across)
    }

    /// Returns row and column of an element.
    pub(super) const fn coordinate(&self, index: i64) -> (i64, i64) {
        (index % self.rows, index / self.rows)
    }

    /// Returns the bit in shared memory of an element, before and after the swizzle.
    pub(super) fn place(&self, index: i64) -> Option<(i64, i64)> {
        at(&self.places, index).copied().flatten()
    }

    pub(super) fn number(&self, index: i64) -> Option<u32> {
        at(&self.instruction, index).copied().flatten()
    }

    /// Returns the byte in shared memory that an instruction is given for the element it starts
    /// with: the place before the swizzle, which the hardware applies on the way.
    pub(super) fn byte(&self, index: i64) -> i64 {
        self.place(index).map_or(0, |(before, _)| before.div_euclid(8))
    }

    /// Counts the bytes up to the last that an element lies in.
    pub(super) fn bytes(&self) -> i64 {
        let last = self.places.iter().flatten().map(|(before, _)| *before).max().unwrap_or(0);
        (last.saturating_add(self.bits) + 7).div_euclid(8)
    }

    /// Returns colour and owner of an element: its instruction, or where there is only one, its
    /// 16 bytes of shared memory before the swizzle, which stay together.
    pub(super) fn fill(&self, index: i64) -> (Fill, Option<u32>) {
        if self.instructions == 1 {
            let place = self.place(index);
            let chunk = place.and_then(|(before, _)| narrow(before / (CHUNK_BYTES * 8)));
            return (chunk.map_or(Fill::Blank, |chunk| Fill::shaded(chunk, chunk / 8)), chunk);
        }
        let number = self.number(index);
        (number.map_or(Fill::Blank, |number| Fill::numbered(number, self.instructions)), number)
    }
}
