//! Where the pieces of a block came from.
//!
//! A key or value is put together from pieces of the info line and the body; a [`TextMap`] leads a
//! byte of it back. Invariant: lines of a block count from the info line, which is 0.

/// A byte of a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct BlockPos {
    /// 0 is the info line, 1 the first line of the body.
    pub line: usize,
    /// Bytes from the start of the info string or of the body line.
    pub column: usize,
}

/// Leads bytes of a text back to the block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextMap {
    /// Byte of the text, and the place it came from; what follows came from right behind it.
    pieces: Vec<(usize, BlockPos)>,
}

impl TextMap {
    /// Makes the map of a text that is one piece.
    #[must_use]
    pub fn at(line: usize, column: usize) -> Self {
        Self { pieces: vec![(0, BlockPos { line, column })] }
    }

    /// Notes that the text from byte `from` on stands at a new place.
    pub fn push(&mut self, from: usize, line: usize, column: usize) {
        self.pieces.push((from, BlockPos { line, column }));
    }

    /// Returns the map of the text without some of its bytes, `removed` in ascending order.
    #[must_use]
    pub fn without(&self, removed: &[usize]) -> Self {
        let before = |byte: usize| removed.partition_point(|&at| at < byte);
        let kept = self.pieces.iter().map(|&(from, pos)| (from - before(from), pos));
        let behind = removed.iter().enumerate().map(|(n, &at)| (at - n, self.find(at + 1)));
        let mut pieces: Vec<_> = kept.chain(behind).collect();
        // Of pieces that start together the last one counts: what is behind a removed byte.
        pieces.sort_by_key(|&(from, _)| from);
        Self { pieces }
    }

    /// Returns where a byte of the text came from.
    #[must_use]
    pub fn find(&self, byte: usize) -> BlockPos {
        let piece = self.pieces.iter().rev().find(|(from, _)| *from <= byte);
        let (from, pos) = piece.or(self.pieces.first()).copied().unwrap_or_default();
        BlockPos { line: pos.line, column: pos.column + byte.saturating_sub(from) }
    }
}

/// Where one entry of a spec stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EntryMap {
    /// The key.
    pub key: TextMap,
    /// The value.
    pub value: TextMap,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_behind_a_removed_byte_keeps_its_place() {
        // "ab" of line 0, column 3, then "\\cd\\e" of line 1, column 0.
        let mut map = TextMap::at(0, 3);
        map.push(2, 1, 0);
        let map = map.without(&[2, 5]);
        let places: Vec<_> = (0..5).map(|at| map.find(at)).map(|p| (p.line, p.column)).collect();
        assert_eq!(places, [(0, 3), (0, 4), (1, 1), (1, 2), (1, 4)]);
    }
}
