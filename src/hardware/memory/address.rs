//! Where every value of every thread lies, in bits.
//!
//! In: element offsets in the order of a TV layout (threads fastest). Out: bit addresses, asked by
//! thread and value. Invariant: `threads * values` entries; a value that is not accessed has none.

use crate::cute::{Error, Swizzle};
use crate::hardware::limits::{ADDRESSES, ELEMENT_BITS};

/// The bit address of each (thread, value).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddressMap {
    threads: usize,
    values: usize,
    element_bits: i64,
    /// Threads fastest, so that the lanes of an issue lie side by side.
    bits: Vec<i64>,
}

/// Marks a value that is not accessed; no real address is that low (see [`AddressMap::new`]).
const INACTIVE: i64 = i64::MIN;

impl AddressMap {
    /// Places elements of `element_bits` at `base_bytes` plus their offset. `offsets` run over
    /// threads, then values; `None` is a value that its thread does not access.
    ///
    /// # Errors
    /// Addresses beyond 62 bits, an element of no bits or more than [`ELEMENT_BITS`], and fewer offsets than threads times values.
    pub fn new(
        threads: usize,
        values: usize,
        element_bits: i64,
        base_bytes: i64,
        offsets: impl IntoIterator<Item = Option<i64>>,
    ) -> Result<Self, Error> {
        let overflow = || Error::overflow("an address");
        let count = threads.checked_mul(values).ok_or_else(overflow)?;
        if !(1..=ELEMENT_BITS).contains(&element_bits) {
            return Err(Error::rule(
                "element-bits",
                format!("an element of {element_bits} bits has no address"),
            ));
        }
        let base = base_bytes.checked_mul(8).ok_or_else(overflow)?;
        let limit = i64::MAX / 4;
        let place = |offset: i64| {
            offset
                .checked_mul(element_bits)
                .and_then(|bits| bits.checked_add(base))
                .filter(|bits| (-limit..limit).contains(bits))
                .ok_or_else(overflow)
        };
        let bits = offsets
            .into_iter()
            .take(count)
            .map(|offset| offset.map_or(Ok(INACTIVE), place))
            .collect::<Result<Vec<_>, _>>()?;
        if bits.len() < count {
            return Err(Error::mismatch(format!(
                "{threads} threads of {values} values need {count} addresses, not {}",
                bits.len()
            )));
        }
        Ok(Self { threads, values, element_bits, bits })
    }

    /// Counts the threads.
    #[must_use]
    pub const fn threads(&self) -> usize {
        self.threads
    }

    /// Counts the values of a thread.
    #[must_use]
    pub const fn values(&self) -> usize {
        self.values
    }

    /// Returns the width of an element in bits.
    #[must_use]
    pub const fn element_bits(&self) -> i64 {
        self.element_bits
    }

    /// Counts the warps; the last one may be partial.
    #[must_use]
    pub const fn warps(&self) -> usize {
        self.threads.div_ceil(super::WARP)
    }

    /// Returns the bit address of a value, unless it is not accessed or out of range.
    #[must_use]
    pub fn at(&self, thread: usize, value: usize) -> Option<i64> {
        if thread >= self.threads {
            return None;
        }
        self.row(value).get(thread).copied().filter(|&bits| bits != INACTIVE)
    }

    /// Returns the addresses of one value of the lanes of a warp, lane 0 first.
    pub(super) fn lanes(
        &self,
        warp: usize,
        value: usize,
    ) -> impl Iterator<Item = Option<i64>> + '_ {
        let row = self.row(value);
        let from = warp.saturating_mul(super::WARP).min(row.len());
        let to = from.saturating_add(super::WARP).min(row.len());
        row[from..to].iter().map(|&bits| (bits != INACTIVE).then_some(bits))
    }

    /// Returns the raw addresses of one value of all threads.
    fn row(&self, value: usize) -> &[i64] {
        let from = value.saturating_mul(self.threads);
        self.bits.get(from..from.saturating_add(self.threads)).unwrap_or(&[])
    }

    /// Returns all addresses that are accessed.
    pub(super) fn active(&self) -> impl Iterator<Item = i64> + Clone + '_ {
        self.bits.iter().copied().filter(|&bits| bits != INACTIVE)
    }

    /// Compares value `at` with value `at + 1` in all threads: whether both are accessed and the
    /// second follows the first without a gap. Returns the first thread in which it does not.
    pub(super) fn first_gap(&self, at: usize) -> Option<usize> {
        let step = self.element_bits;
        self.row(at)
            .iter()
            .zip(self.row(at + 1))
            .position(|(&a, &b)| if a == INACTIVE { b != INACTIVE } else { b != a + step })
    }

    /// Returns the first thread whose value `at` does not start on a multiple of `size` bits.
    pub(super) fn first_misaligned(&self, at: usize, size: i64) -> Option<usize> {
        self.row(at).iter().position(|&a| a != INACTIVE && a.rem_euclid(size) != 0)
    }

    /// Permutes the addresses by a swizzle that counts bytes, as the hardware sees the one that a
    /// shared-memory pointer carries: the base takes part.
    ///
    /// # Errors
    /// A swizzle that reaches beyond an address.
    pub fn swizzled(&self, bytes: Swizzle) -> Result<Self, Error> {
        let bits = bytes.recast(-3)?;
        let moved = |&at: &i64| if at == INACTIVE { at } else { bits.apply(at) };
        Ok(Self { bits: self.bits.iter().map(moved).collect(), ..self.clone() })
    }

    /// Checks that [`Self::split`] leaves no more addresses than are followed.
    ///
    /// # Errors
    /// Elements so much wider than `piece_bits` that their pieces are more than [`ADDRESSES`].
    pub fn follows(&self, piece_bits: i64) -> Result<(), Error> {
        let pieces = (self.element_bits / piece_bits.max(1)).max(1);
        let addresses = i64::try_from(self.bits.len()).unwrap_or(i64::MAX).saturating_mul(pieces);
        if pieces > 1 && addresses > ADDRESSES {
            let (bits, most) = (self.element_bits, ADDRESSES);
            let text = format!(
                "elements of {bits} bits in accesses of {piece_bits} are {addresses} accesses; at most {most} are followed"
            );
            return Err(Error::rule("size", text));
        }
        Ok(())
    }

    /// Cuts every element into pieces of at most `piece_bits`, each a value of its own; elements
    /// that are no wider, or no multiple of it, stay.
    #[must_use]
    pub fn split(&self, piece_bits: i64) -> Self {
        if piece_bits < 1 || self.element_bits <= piece_bits || self.element_bits % piece_bits != 0
        {
            return self.clone();
        }
        let pieces = self.element_bits / piece_bits;
        let mut bits = Vec::with_capacity(self.bits.len());
        for value in 0..self.values {
            for piece in 0..pieces {
                let row = self.row(value).iter();
                bits.extend(row.map(|&a| if a == INACTIVE { a } else { a + piece * piece_bits }));
            }
        }
        let values = bits.len() / self.threads.max(1);
        Self { threads: self.threads, values, element_bits: piece_bits, bits }
    }
}
