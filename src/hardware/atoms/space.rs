//! The memories at the ends of a copy.
//!
//! In: the name of one, as the table and authors write it. Out: the memory.

use std::fmt;

/// A memory space at one end of a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Space {
    /// Global memory.
    Gmem,
    /// Shared memory.
    Smem,
    /// Registers.
    Rmem,
    /// Tensor memory.
    Tmem,
    /// The second-level cache (prefetches).
    L2,
    /// Whatever the tensors say.
    Any,
}

impl Space {
    /// Returns the name, as in `gmem`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Gmem => "gmem",
            Self::Smem => "smem",
            Self::Rmem => "rmem",
            Self::Tmem => "tmem",
            Self::L2 => "l2",
            Self::Any => "any",
        }
    }

    /// Finds a space by name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        [Self::Gmem, Self::Smem, Self::Rmem, Self::Tmem, Self::L2, Self::Any]
            .into_iter()
            .find(|space| space.name() == name)
    }
}

impl fmt::Display for Space {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
