//! The shared memory layouts of tensor-core operands (sm_70, sm_75, sm_80).
//!
//! In: a pattern, a coordinate and the pitch. Out: the element offset. All of them cut the operand
//! into tiles and permute inside a tile by XOR. Most are written here as tables over bits: each bit
//! of the coordinate inside a tile contributes a column and a row of memory, contributions combine
//! by XOR, and tiles add. The sm_75 base pattern is one XOR of a lane with a phase.

use super::inverse::Inverse;
use crate::hardware::units::{ACCESS_BITS, ACCESS_BYTES, LINE_BYTES};

/// A tensor-op layout class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Multiplicand {
    /// Where elements go.
    pub pattern: Pattern,
    /// What the coordinates are.
    pub view: View,
}

/// The coordinates of a tensor-op class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum View {
    /// (contiguous, strided).
    PitchLinear,
    /// (row, column), rows contiguous.
    ColumnMajor,
    /// (row, column), columns contiguous.
    RowMajor,
}

impl View {
    /// Returns what the class name starts with.
    #[must_use]
    pub const fn prefix(self) -> &'static str {
        match self {
            Self::PitchLinear => "",
            Self::ColumnMajor => "ColumnMajor",
            Self::RowMajor => "RowMajor",
        }
    }
}

/// How a tensor-op class permutes; `bits` is the width of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the fields are the template arguments by their own names")]
pub enum Pattern {
    /// `TensorOpMultiplicand`: 128-byte lines of 16-byte accesses, XORed with the line's number.
    Base { bits: i64, crosswise: i64 },
    /// `TensorOpMultiplicandCongruous`; 32-bit elements have a pattern of their own.
    Congruous { bits: i64, crosswise: i64 },
    /// `TensorOpMultiplicandCrosswise`.
    Crosswise { bits: i64, crosswise: i64 },
    /// `TensorOpMultiplicandColumnMajorInterleaved`.
    ColumnMajorInterleaved { bits: i64, k: i64 },
    /// `TensorOpMultiplicandRowMajorInterleaved`.
    RowMajorInterleaved { bits: i64, k: i64 },
    /// `VoltaTensorOpMultiplicandCongruous`.
    VoltaCongruous { bits: i64 },
    /// `VoltaTensorOpMultiplicandBCongruous`.
    VoltaBCongruous { bits: i64 },
    /// `VoltaTensorOpMultiplicandCrosswise`; its 8-byte accesses go down columns.
    VoltaCrosswise { bits: i64, k_block: i64 },
    /// `TensorOpMultiplicandCongruous64b`.
    Congruous64b,
    /// `TensorOpMultiplicand64bCrosswise`.
    Crosswise64b,
    /// `TensorOpMultiplicandCongruous128b`.
    Congruous128b,
    /// `TensorOpMultiplicandCrosswise128x4`.
    Crosswise128x4,
}

impl Multiplicand {
    /// Returns what `inverse` does; see [`Inverse`].
    #[must_use]
    pub const fn inverse(self) -> Inverse {
        let base = match self.pattern {
            Pattern::Congruous64b | Pattern::Congruous128b => return Inverse::Stub,
            Pattern::Crosswise64b | Pattern::Crosswise128x4 => return Inverse::None,
            Pattern::Congruous { bits: 32, .. }
            | Pattern::Base { .. }
            | Pattern::ColumnMajorInterleaved { .. }
            | Pattern::RowMajorInterleaved { .. }
            | Pattern::VoltaCongruous { .. }
            | Pattern::VoltaBCongruous { .. }
            | Pattern::VoltaCrosswise { .. } => Inverse::None,
            Pattern::Congruous { .. } | Pattern::Crosswise { .. } => Inverse::Uncompilable,
        };
        match self.view {
            View::PitchLinear => base,
            View::ColumnMajor | View::RowMajor => Inverse::Uncompilable,
        }
    }

    /// Turns a pair in the class's order into (contiguous, strided), and back.
    pub(super) const fn pitch_linear(self, pair: [i64; 2]) -> [i64; 2] {
        match self.view {
            View::PitchLinear | View::ColumnMajor => pair,
            View::RowMajor => [pair[1], pair[0]],
        }
    }

    /// Returns the stride of `packed(extent)`. The wrappers of the sm_80 crosswise classes take the
    /// strided extent where the base class takes the contiguous one.
    pub(super) fn packed(self, extent: [i64; 2]) -> Option<i64> {
        let [contiguous, strided] = self.pitch_linear(extent);
        match (self.pattern, self.view) {
            (Pattern::ColumnMajorInterleaved { k, .. }, _) => contiguous.checked_mul(k),
            (Pattern::RowMajorInterleaved { k, .. }, _) => strided.checked_mul(k),
            (Pattern::VoltaCrosswise { .. }, _) => Some(strided),
            (
                Pattern::Crosswise64b | Pattern::Crosswise128x4,
                View::ColumnMajor | View::RowMajor,
            ) => Some(strided),
            _ => Some(contiguous),
        }
    }

    /// Returns `capacity(extent)`.
    pub(super) fn capacity(self, extent: [i64; 2], stride: i64) -> Option<i64> {
        let [contiguous, strided] = self.pitch_linear(extent);
        let lines = match self.pattern {
            Pattern::VoltaCrosswise { .. } => contiguous,
            Pattern::ColumnMajorInterleaved { k, .. } => strided / k,
            Pattern::RowMajorInterleaved { k, .. } => contiguous / k,
            _ => strided,
        };
        lines.checked_mul(stride)
    }

    /// Returns the offset of a coordinate in the class's order.
    pub(super) fn offset(self, coord: [i64; 2], stride: i64) -> Option<i64> {
        let [c, s] = self.pitch_linear(coord);
        self.pattern.offset(c, s, stride)
    }

    /// Returns the tile after which the permutation repeats, in the class's order.
    pub(super) fn tile(self) -> [i64; 2] {
        self.pitch_linear(self.pattern.tile())
    }

    /// Returns the elements of an access and of a tile along coordinate `i` of the class.
    pub(super) fn groups(self, i: usize) -> Vec<i64> {
        let access = self.pitch_linear([self.pattern.access(), 1]);
        let tile = self.tile();
        [access, tile].iter().filter_map(|pair| pair.get(i).copied()).filter(|&n| n > 1).collect()
    }
}

impl Pattern {
    /// Says why the class does not compile with these template arguments.
    pub(super) fn check(self) -> Result<(), String> {
        let access = match self {
            Self::VoltaCrosswise { .. } => 64,
            _ => 128,
        };
        let (bits, second) = match self {
            Self::Base { bits, crosswise }
            | Self::Congruous { bits, crosswise }
            | Self::Crosswise { bits, crosswise } => (bits, Some(crosswise)),
            Self::ColumnMajorInterleaved { bits, k } | Self::RowMajorInterleaved { bits, k } => {
                (bits, Some(k))
            }
            Self::VoltaCrosswise { bits, k_block } => (bits, Some(k_block)),
            Self::VoltaCongruous { bits } | Self::VoltaBCongruous { bits } => (bits, None),
            _ => return Ok(()),
        };
        if bits < 1 || access % bits != 0 {
            return Err(format!("ElementSize {bits} does not divide an access of {access} bits"));
        }
        match (self, second) {
            (_, Some(size)) if size < 1 => Err(format!("its second argument is {size}")),
            (Self::Congruous { bits: 32, .. }, _) => Ok(()),
            (Self::Base { .. } | Self::Congruous { .. } | Self::Crosswise { .. }, Some(size)) => {
                match LINE_ACCESSES * (access / bits) / size {
                    0 => Err(format!(
                        "Crosswise {size} is longer than one line of shared memory ({} elements)",
                        LINE_ACCESSES * (access / bits),
                    )),
                    factor if factor > LINE_ACCESSES => {
                        Err(format!("Crosswise {size} is shorter than one access"))
                    }
                    _ => Ok(()),
                }
            }
            (Self::ColumnMajorInterleaved { .. } | Self::RowMajorInterleaved { .. }, Some(k)) => {
                if k > 128 {
                    Err(format!("InterleavedK {k} is above 128"))
                } else {
                    Ok(())
                }
            }
            _ => Ok(()),
        }
    }

    fn offset(self, c: i64, s: i64, stride: i64) -> Option<i64> {
        match self {
            Self::Congruous { bits: 32, .. } => CONGRUOUS_32.offset(4, c, s, stride),
            Self::Base { bits, crosswise }
            | Self::Congruous { bits, crosswise }
            | Self::Crosswise { bits, crosswise } => {
                LinePattern::new(bits, crosswise).offset(c, s, stride)
            }
            Self::ColumnMajorInterleaved { k, .. } | Self::RowMajorInterleaved { k, .. } => {
                interleaved_offset(k, c, s)
            }
            Self::VoltaCongruous { bits } => CONGRUOUS_128.offset(ACCESS_BITS / bits, c, s, stride),
            Self::VoltaBCongruous { bits } => VOLTA_B.offset(ACCESS_BITS / bits, c, s, stride),
            Self::VoltaCrosswise { bits, .. } => {
                let vector = 64 / bits;
                VOLTA_CROSSWISE.offset(vector, c, s, stride.checked_mul(vector)?)
            }
            Self::Congruous64b => CONGRUOUS_64.offset(1, c, s, stride),
            Self::Crosswise64b => CROSSWISE_64.offset(1, c, s, stride),
            Self::Congruous128b => CONGRUOUS_128.offset(1, c, s, stride),
            Self::Crosswise128x4 => CROSSWISE_128X4.offset(1, c, s, stride),
        }
    }

    /// Counts the elements that move together.
    const fn access(self) -> i64 {
        match self {
            Self::Base { bits, .. }
            | Self::Congruous { bits, .. }
            | Self::Crosswise { bits, .. }
            | Self::VoltaCongruous { bits }
            | Self::VoltaBCongruous { bits } => ACCESS_BITS / bits,
            Self::VoltaCrosswise { bits, .. } => 64 / bits,
            Self::ColumnMajorInterleaved { .. } | Self::RowMajorInterleaved { .. } => 16,
            Self::Congruous64b
            | Self::Crosswise64b
            | Self::Congruous128b
            | Self::Crosswise128x4 => 1,
        }
    }

    fn tile(self) -> [i64; 2] {
        match self {
            Self::Congruous { bits: 32, .. } => CONGRUOUS_32.tile(4),
            Self::Base { bits, crosswise }
            | Self::Congruous { bits, crosswise }
            | Self::Crosswise { bits, crosswise } => LinePattern::new(bits, crosswise).tile(),
            Self::ColumnMajorInterleaved { k, .. } | Self::RowMajorInterleaved { k, .. } => {
                [k, 2 * (128 / k)]
            }
            Self::VoltaCongruous { bits } => CONGRUOUS_128.tile(ACCESS_BITS / bits),
            Self::VoltaBCongruous { bits } => VOLTA_B.tile(ACCESS_BITS / bits),
            Self::VoltaCrosswise { bits, .. } => VOLTA_CROSSWISE.tile(64 / bits),
            Self::Congruous64b => CONGRUOUS_64.tile(1),
            Self::Crosswise64b => CROSSWISE_64.tile(1),
            Self::Congruous128b => CONGRUOUS_128.tile(1),
            Self::Crosswise128x4 => CROSSWISE_128X4.tile(1),
        }
    }
}

/// Accesses in a line of shared memory.
const LINE_ACCESSES: i64 = LINE_BYTES / ACCESS_BYTES;

/// The sm_75 pattern: a line holds `factor` strided coordinates of `lanes` accesses each; the access
/// at `lane` of the line goes to `lane ^ phase`, where the phase counts lines.
struct LinePattern {
    vector: i64,
    factor: i64,
    /// Accesses of one strided coordinate in a line.
    lanes: i64,
    /// Lines after which the phase starts again.
    phases: i64,
}

impl LinePattern {
    fn new(bits: i64, crosswise: i64) -> Self {
        let vector = ACCESS_BITS / bits;
        let factor = LINE_ACCESSES * vector / crosswise;
        let lanes = LINE_ACCESSES / factor;
        Self { vector, factor, lanes, phases: lanes.max(4) }
    }

    fn offset(&self, c: i64, s: i64, stride: i64) -> Option<i64> {
        let access = c / self.vector;
        let line = s / self.factor;
        let lane = access % self.lanes + (s % self.factor) * self.lanes;
        let place = (access / self.lanes) * LINE_ACCESSES + (lane ^ (line % self.phases));
        let column = place.checked_mul(self.vector)?.checked_add(c % self.vector)?;
        line.checked_mul(stride)?.checked_mul(self.factor)?.checked_add(column)
    }

    const fn tile(&self) -> [i64; 2] {
        [self.lanes * self.vector, self.factor * self.phases]
    }
}

/// The interleaved int8/int4 pattern: the position inside an access of 16 elements is dropped, and
/// odd lines swap neighbouring accesses.
fn interleaved_offset(k: i64, c: i64, s: i64) -> Option<i64> {
    let per_line = 128 / k;
    let line = s / per_line;
    let column = (s % per_line).checked_mul(k)?.checked_add(c)?;
    let access = (column / 16) ^ (line % 2);
    line.checked_mul(128)?.checked_add(access.checked_mul(16)?)
}

/// Where one bit of a coordinate goes: a column and a row, in accesses and lines.
type Place = (i64, i64);

/// A pattern as a table over the coordinate bits inside a tile.
struct BitTable {
    contiguous: &'static [Place],
    strided: &'static [Place],
    /// The step from one tile to the next along the contiguous coordinate.
    contiguous_tile: Place,
    /// The same along the strided coordinate.
    strided_tile: Place,
}

const CONGRUOUS_32: BitTable = BitTable {
    contiguous: &[(1, 0), (2, 0), (4, 0)],
    strided: &[(2, 1), (4, 2)],
    contiguous_tile: (8, 0),
    strided_tile: (0, 4),
};

const CONGRUOUS_64: BitTable = BitTable {
    contiguous: &[(8, 0), (2, 1), (4, 2), (1, 0)],
    strided: &[(2, 0), (4, 0)],
    contiguous_tile: (16, 0),
    strided_tile: (0, 4),
};

const CROSSWISE_64: BitTable = BitTable {
    contiguous: &[(2, 0), (4, 0), (1, 4), (8, 8)],
    strided: &[(8, 0), (0, 1), (0, 2), (1, 0)],
    contiguous_tile: (0, 16),
    strided_tile: (16, 0),
};

/// Also the pattern of Volta's A operand, in accesses of 16 bytes.
const CONGRUOUS_128: BitTable = BitTable {
    contiguous: &[(4, 0), (1, 1), (2, 2)],
    strided: &[(1, 0), (2, 0)],
    contiguous_tile: (8, 0),
    strided_tile: (0, 4),
};

const CROSSWISE_128X4: BitTable = BitTable {
    contiguous: &[(1, 0), (2, 0), (4, 4)],
    strided: &[(4, 0), (0, 1), (0, 2)],
    contiguous_tile: (0, 8),
    strided_tile: (8, 0),
};

const VOLTA_B: BitTable = BitTable {
    contiguous: &[(1, 1), (2, 2), (4, 0)],
    strided: &[(1, 0), (2, 0)],
    contiguous_tile: (8, 0),
    strided_tile: (0, 4),
};

const VOLTA_CROSSWISE: BitTable = BitTable {
    contiguous: &[(0, 1), (1, 2), (2, 4)],
    strided: &[(4, 0), (8, 0), (1, 0), (2, 0), (18, 0)],
    contiguous_tile: (0, 8),
    strided_tile: (32, 0),
};

impl BitTable {
    /// Returns the element offset; `vector` elements make an access and `pitch` elements a line.
    fn offset(&self, vector: i64, c: i64, s: i64, pitch: i64) -> Option<i64> {
        let mut inside: Place = (0, 0);
        let tile_c = scatter(c / vector, self.contiguous, &mut inside);
        let tile_s = scatter(s, self.strided, &mut inside);
        let sum = |inside: i64, c: i64, s: i64| {
            tile_c.checked_mul(c)?.checked_add(tile_s.checked_mul(s)?)?.checked_add(inside)
        };
        let column = sum(inside.0, self.contiguous_tile.0, self.strided_tile.0)?;
        let row = sum(inside.1, self.contiguous_tile.1, self.strided_tile.1)?;
        let column = column.checked_mul(vector)?.checked_add(c % vector)?;
        row.checked_mul(pitch)?.checked_add(column)
    }

    const fn tile(&self, vector: i64) -> [i64; 2] {
        [vector << self.contiguous.len(), 1 << self.strided.len()]
    }
}

/// XORs the places of the low bits of `value` into `inside` and returns the rest of the value.
fn scatter(value: i64, places: &[Place], inside: &mut Place) -> i64 {
    for (bit, place) in places.iter().enumerate() {
        if (value >> bit) & 1 == 1 {
            inside.0 ^= place.0;
            inside.1 ^= place.1;
        }
    }
    value >> places.len()
}
