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
