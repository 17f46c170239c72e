//! The instructions that read and write shared memory.
//!
//! In: nothing. Out: what each moves, and which way. Source: PTX `ld.shared`, `st.shared`, `ldmatrix`,
//! `stmatrix`.

use std::fmt;

/// An instruction for shared memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SharedInstruction {
    /// `lds`: each lane loads its own vector.
    Load,
    /// `sts`: each lane stores its own vector.
    Store,
    /// Lanes give the addresses of rows of matrices.
    Matrix(MatrixAccess),
}

impl SharedInstruction {
    /// Returns whether it writes shared memory.
    #[must_use]
    pub const fn stores(self) -> bool {
        matches!(self, Self::Store | Self::Matrix(MatrixAccess { store: true, .. }))
    }
}

/// `ldmatrix` or `stmatrix` and its number of 8x8 matrices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatrixAccess {
    /// Whether it stores.
    pub store: bool,
    /// How many matrices, each with 8 row addresses.
    pub matrices: Matrices,
}

/// Matrices of one `ldmatrix` or `stmatrix`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Matrices {
    /// One: lanes 0 to 7 give addresses.
    X1,
    /// Two: lanes 0 to 15.
    X2,
    /// Four: all lanes.
    X4,
}

impl Matrices {
    /// Counts them.
    #[must_use]
    pub const fn count(self) -> usize {
        match self {
            Self::X1 => 1,
            Self::X2 => 2,
            Self::X4 => 4,
        }
    }
}

impl MatrixAccess {
    /// Every instruction, in the order in which messages list them.
    pub const ALL: [Self; 6] = [
        Self { store: false, matrices: Matrices::X1 },
        Self { store: false, matrices: Matrices::X2 },
        Self { store: false, matrices: Matrices::X4 },
        Self { store: true, matrices: Matrices::X1 },
        Self { store: true, matrices: Matrices::X2 },
        Self { store: true, matrices: Matrices::X4 },
    ];

    /// Reads `ldmatrix.x4` and the like.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|matrix| matrix.to_string() == name)
    }
}

impl fmt::Display for MatrixAccess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = if self.store { "stmatrix" } else { "ldmatrix" };
        write!(f, "{name}.x{}", self.matrices.count())
    }
}
