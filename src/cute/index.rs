//! Lengths and indices: from the numbers of the algebra to what is in memory, and back.
//!
//! In: sizes, indices and lengths. Out: the same as the other type, or `None` where there is no such
//! thing. Invariant: sizes, offsets and indices of a layout are `i64` on every target, of 32 bits
//! too. A `usize` counts or names things in memory; a number becomes one by [`count`], after its
//! limit, by [`capped`], which draws the first ones, or by [`place`], inside of what it points into.
//! What cells and labels hold of a thread, a value, a tile or a copy is its number in 32 bits, by
//! [`narrow`].

/// Returns a length of something in memory, or a place in it, as the algebra counts.
#[must_use]
pub fn wide(length: usize) -> i64 {
    // Nothing in memory is longer than `isize::MAX`. Of more, as a bound may be, the largest is enough.
    i64::try_from(length).unwrap_or(i64::MAX)
}

/// Returns how many things are to be walked or drawn; `None` if that is more than `limit`, or
/// negative. A limit is within the memory of every target: below 2^31.
///
/// ```
/// use mdbook_cute::cute::index::count;
///
/// assert_eq!(count(64, 256), Some(64));
/// assert_eq!(count(257, 256), None);
/// ```
#[must_use]
pub fn count(number: i64, limit: i64) -> Option<usize> {
    usize::try_from(number).ok().filter(|_| number <= limit)
}

/// Returns how many of `number` things there is room for: all of them, or the first `limit`. Who draws
/// fewer than there are says so.
///
/// ```
/// use mdbook_cute::cute::index::capped;
///
/// assert_eq!((capped(64, 256), capped(1 << 40, 256)), (64, 256));
/// ```
#[must_use]
pub fn capped(number: i64, limit: usize) -> usize {
    match usize::try_from(number) {
        Ok(number) => number.min(limit),
        Err(_) if number < 0 => 0,
        Err(_) => limit,
    }
}

/// Returns the number of a thread, a value, a tile or a copy in the 32 bits that cells and labels have
/// for it; `None` if it is negative or larger.
///
/// ```
/// use mdbook_cute::cute::index::narrow;
///
/// assert_eq!((narrow(31), narrow(-1), narrow(1 << 32)), (Some(31), None, None));
/// ```
#[must_use]
pub fn narrow(number: i64) -> Option<u32> {
    u32::try_from(number).ok()
}

/// Returns an index as a place in something of `length` entries; `None` outside of it.
#[must_use]
pub fn place(index: i64, length: usize) -> Option<usize> {
    usize::try_from(index).ok().filter(|&index| index < length)
}

/// Returns the entry at an index, if there is one.
#[must_use]
pub fn at<T>(entries: &[T], index: i64) -> Option<&T> {
    place(index, entries.len()).map(|place| &entries[place])
}

/// Returns the entry at an index to change it, if there is one.
#[must_use]
pub fn at_mut<T>(entries: &mut [T], index: i64) -> Option<&mut T> {
    place(index, entries.len()).map(|place| &mut entries[place])
}

#[cfg(test)]
mod tests {
    use super::{at, at_mut, capped, count, place, wide};

    #[test]
    fn nothing_outside_becomes_a_place() {
        assert_eq!(
            (count(0, 4), count(4, 4), count(5, 4), count(-1, 4)),
            (Some(0), Some(4), None, None)
        );
        assert_eq!((place(3, 4), place(4, 4), place(-1, 4)), (Some(3), None, None));
        assert_eq!(place(i64::MAX, usize::MAX).is_some(), usize::BITS >= i64::BITS);
        assert_eq!((capped(3, 4), capped(5, 4), capped(i64::MAX, 4), capped(-1, 4)), (3, 4, 4, 0));
        assert_eq!(wide(7), 7);
        let mut entries = [1, 2];
        assert_eq!((at(&entries, 1), at(&entries, 2)), (Some(&2), None));
        assert_eq!(at_mut(&mut entries, 0), Some(&mut 1));
        assert_eq!(at_mut(&mut entries, -1), None);
    }
}
