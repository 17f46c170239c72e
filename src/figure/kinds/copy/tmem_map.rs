//! Tensor memory as the hardware has it: lanes down, columns of 32 bits across.
//!
//! In: the address of each element in bits, as CuTe counts them. Out: where the element lies in the
//! picture, and a grid of who holds it in registers. Invariant: every lane up to the last that is
//! reached has a row, so that the quarters of the four warps are seen.

use super::owners::Owners;
use crate::cute::Layout;
use crate::cute::index::at;
use crate::cute::int_tuple::ceil_div_int;
use crate::figure::model::axis::{Axis, Ticks};
use crate::figure::model::grid::{Cell, Fill, Grid, Mark};
use crate::hardware::units::WARP;

/// Bits between two lanes of tensor memory.
pub(super) const LANE_BITS: i64 = 1 << 21;
/// Bits of one column.
const COLUMN_BITS: i64 = 32;

/// Where elements lie in tensor memory.
pub(super) struct TmemMap {
    /// Lane and element within the lane, by element.
    places: Vec<(i64, i64)>,
    lanes: i64,
    cols: i64,
    bits: i64,
}

impl TmemMap {
    /// Reads the addresses of the elements, in bits.
    pub(super) fn of(addresses: impl Iterator<Item = i64>, bits: i64) -> Self {
        let bits = bits.max(1);
        let places: Vec<(i64, i64)> =
            addresses.map(|address| (address / LANE_BITS, address % LANE_BITS / bits)).collect();
        let lanes = places.iter().map(|place| place.0 + 1).max().unwrap_or(1);
        let cols = places.iter().map(|place| place.1 + 1).max().unwrap_or(1);
        Self { places, lanes, cols, bits }
    }

    /// Returns lane and element within the lane of an element.
    pub(super) fn place(&self, index: i64) -> Option<(i64, i64)> {
        at(&self.places, index).copied()
    }

    /// Draws who holds each element in registers; what nobody reaches stays blank.
    pub(super) fn held_by(&self, registers: &Layout, threads: i64) -> (Grid, Owners, String) {
        let owners = Owners::of(registers, self.lanes, self.cols, |index| self.place(index));
        let mut grid = owners.grid(|owner| Fill::thread(owner.thr, threads));
        for cell in &mut grid.cells {
            if cell.mark == Mark::Hole {
                *cell = Cell::default();
            }
        }
        let caption = format!(
            "{} lanes by {} columns of 32 bits; who holds each element in registers. Warp w reaches lanes 32*(w%4) to 32*(w%4)+31",
            self.lanes,
            ceil_div_int(self.cols, self.per_column())
        );
        (self.axes(grid), owners, caption)
    }

    /// Names lanes, the warps that reach them, and columns.
    pub(super) fn axes(&self, mut grid: Grid) -> Grid {
        grid.row_axis = Axis::counting(grid.rows).titled("lane");
        if grid.rows > WARP {
            // Each warp reaches as many lanes of tensor memory as it has itself.
            let warps = (0..grid.rows.div_ceil(WARP)).map(|warp| format!("warp {warp}"));
            grid.row_axis = grid.row_axis.level(WARP, Ticks::Text(warps.collect()));
        }
        grid.col_axis = Axis::counting(grid.cols).titled(match self.per_column() {
            1 => "column".to_owned(),
            n => format!("{n} elements a column"),
        });
        grid
    }

    fn per_column(&self) -> i64 {
        COLUMN_BITS / self.bits.min(COLUMN_BITS)
    }
}
