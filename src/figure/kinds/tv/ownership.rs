//! Who owns each cell of a tile.
//!
//! In: the cell of every thread and value. Out: the owners of every cell in order of thread. Invariant:
//! no owner is left out; what is drawn of many is decided by who draws.

use super::source::Source;

/// One thread and one of its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Owner {
    pub(super) thr: u32,
    pub(super) val: u32,
}

/// The owners of all cells, cell by cell in one list.
pub(super) struct Ownership {
    /// Where the owners of a cell start; one more entry than there are cells.
    starts: Vec<usize>,
    owners: Vec<Owner>,
}

impl Ownership {
    pub(super) fn of(source: &Source, cells: usize) -> Self {
        let mut starts = vec![0; cells + 1];
        for cell in source.cells.iter().flatten() {
            starts[cell + 1] += 1;
        }
        for cell in 0..cells {
            starts[cell + 1] += starts[cell];
        }
        let mut next = starts.clone();
        let mut owners = vec![Owner { thr: 0, val: 0 }; starts[cells]];
        // Thread by thread, so that the first owner of a cell is the lowest thread.
        for (thread, thr) in (0..source.threads).zip(0_u32..) {
            for (value, val) in (0..source.values).zip(0_u32..) {
                let Some(cell) = source.cells[thread + source.threads * value] else { continue };
                owners[next[cell]] = Owner { thr, val };
                next[cell] += 1;
            }
        }
        Self { starts, owners }
    }

    /// Returns the owners of a cell.
    pub(super) fn at(&self, cell: usize) -> &[Owner] {
        match (self.starts.get(cell), self.starts.get(cell + 1)) {
            (Some(&from), Some(&to)) => &self.owners[from..to],
            _ => &[],
        }
    }

    fn counts(&self) -> impl Iterator<Item = usize> + '_ {
        self.starts.windows(2).map(|pair| pair[1] - pair[0])
    }

    /// Counts the cells with an owner.
    pub(super) fn covered(&self) -> usize {
        self.counts().filter(|&count| count > 0).count()
    }

    /// Counts the cells without an owner.
    pub(super) fn unowned(&self) -> usize {
        self.counts().filter(|&count| count == 0).count()
    }

    /// Returns the most owners of a cell.
    pub(super) fn most(&self) -> usize {
        self.counts().max().unwrap_or(0)
    }
}
