//! Nested tuples of any leaf: the form of shapes, strides, coordinates and orders.
//!
//! In: leaves and tuples. Out: the same tuples taken apart (rank, depth, modes, leaves) or mapped.
//! Invariant: `4` and `(4)` differ, as in CuTe (depth 0 and depth 1).

use std::fmt;

/// A leaf or a tuple of trees.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Tree<T> {
    /// A single value, written without brackets.
    Leaf(T),
    /// A tuple, written `(a,b,...)`; may hold one element or none.
    Tuple(Vec<Tree<T>>),
}

impl<T> Tree<T> {
    /// Makes a flat tuple.
    pub fn flat(leaves: impl IntoIterator<Item = T>) -> Self {
        Self::Tuple(leaves.into_iter().map(Self::Leaf).collect())
    }

    /// Returns whether this is a leaf.
    pub const fn is_leaf(&self) -> bool {
        matches!(self, Self::Leaf(_))
    }

    /// Returns the leaf, if this is one.
    pub const fn leaf(&self) -> Option<&T> {
        match self {
            Self::Leaf(leaf) => Some(leaf),
            Self::Tuple(_) => None,
        }
    }

    /// Counts the modes: 1 for a leaf.
    pub fn rank(&self) -> usize {
        self.modes().len()
    }

    /// Returns the nesting depth: 0 for a leaf, 1 for a flat tuple.
    pub fn depth(&self) -> usize {
        match self {
            Self::Leaf(_) => 0,
            Self::Tuple(modes) => 1 + modes.iter().map(Self::depth).max().unwrap_or(0),
        }
    }

    /// Returns the modes; a leaf is its own only mode.
    pub fn modes(&self) -> &[Self] {
        match self {
            Self::Leaf(_) => std::slice::from_ref(self),
            Self::Tuple(modes) => modes,
        }
    }

    /// Takes the modes out; a leaf is its own only mode.
    pub fn into_modes(self) -> Vec<Self> {
        match self {
            Self::Leaf(_) => vec![self],
            Self::Tuple(modes) => modes,
        }
    }

    /// Returns mode `i`, if there is one.
    pub fn mode(&self, i: usize) -> Option<&Self> {
        self.modes().get(i)
    }

    /// Returns what a path of modes leads to; the empty path is the tree itself.
    pub fn at_path(&self, path: &[usize]) -> Option<&Self> {
        path.iter().try_fold(self, |tree, &i| tree.mode(i))
    }

    /// Visits the leaves from left to right.
    pub fn leaves(&self) -> Leaves<'_, T> {
        Leaves { modes: self.modes().iter(), around: Vec::new() }
    }

    /// Maps every leaf.
    pub fn map<U>(&self, f: &mut impl FnMut(&T) -> U) -> Tree<U> {
        match self {
            Self::Leaf(leaf) => Tree::Leaf(f(leaf)),
            Self::Tuple(modes) => Tree::Tuple(modes.iter().map(|mode| mode.map(f)).collect()),
        }
    }

    /// Maps every leaf; the first error wins.
    ///
    /// # Errors
    /// Whatever `f` refuses.
    pub fn try_map<U, E>(&self, f: &mut impl FnMut(&T) -> Result<U, E>) -> Result<Tree<U>, E> {
        Ok(match self {
            Self::Leaf(leaf) => Tree::Leaf(f(leaf)?),
            Self::Tuple(modes) => {
                Tree::Tuple(modes.iter().map(|mode| mode.try_map(f)).collect::<Result<_, E>>()?)
            }
        })
    }

    /// Returns whether both have the same nesting.
    pub fn is_congruent<U>(&self, other: &Tree<U>) -> bool {
        match (self, other) {
            (Self::Leaf(_), Tree::Leaf(_)) => true,
            (Self::Tuple(a), Tree::Tuple(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.is_congruent(b))
            }
            _ => false,
        }
    }

    /// Returns whether `other` has the nesting of this one, or more below this one's leaves.
    pub fn is_weakly_congruent<U>(&self, other: &Tree<U>) -> bool {
        match (self, other) {
            (Self::Leaf(_), _) => true,
            (Self::Tuple(a), Tree::Tuple(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.is_weakly_congruent(b))
            }
            (Self::Tuple(_), Tree::Leaf(_)) => false,
        }
    }
}

impl<T: Clone> Tree<T> {
    /// Returns the tuple of all leaves; a leaf stays a leaf.
    #[must_use]
    pub fn flatten(&self) -> Self {
        match self {
            Self::Leaf(_) => self.clone(),
            Self::Tuple(_) => Self::flat(self.leaves().cloned()),
        }
    }

    /// Wraps a leaf into a tuple of one; a tuple stays itself.
    #[must_use]
    pub fn wrap(self) -> Self {
        match self {
            Self::Leaf(_) => Self::Tuple(vec![self]),
            Self::Tuple(_) => self,
        }
    }

    /// Takes a tuple of one apart, down to a leaf or a tuple of several.
    #[must_use]
    pub fn unwrap_single(self) -> Self {
        match self {
            Self::Tuple(mut modes) if modes.len() == 1 => modes.remove(0).unwrap_single(),
            tree => tree,
        }
    }

    /// Returns a tree of this nesting whose leaves are all `value`.
    pub fn repeat_like<U: Clone>(&self, value: &U) -> Tree<U> {
        self.map(&mut |_| value.clone())
    }
}

impl<T> From<T> for Tree<T> {
    fn from(leaf: T) -> Self {
        Self::Leaf(leaf)
    }
}

impl<T: fmt::Display> fmt::Display for Tree<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Leaf(leaf) => leaf.fmt(f),
            Self::Tuple(modes) => {
                f.write_str("(")?;
                for (i, mode) in modes.iter().enumerate() {
                    if i > 0 {
                        f.write_str(",")?;
                    }
                    mode.fmt(f)?;
                }
                f.write_str(")")
            }
        }
    }
}

/// The leaves of a tree from left to right; see [`Tree::leaves`].
#[derive(Debug)]
pub struct Leaves<'a, T> {
    /// What is left of the tuple that is being visited.
    modes: std::slice::Iter<'a, Tree<T>>,
    /// What is left of the tuples around it; a flat tuple needs no memory.
    around: Vec<std::slice::Iter<'a, Tree<T>>>,
}

impl<'a, T> Iterator for Leaves<'a, T> {
    type Item = &'a T;

    fn next(&mut self) -> Option<&'a T> {
        loop {
            match self.modes.next() {
                Some(Tree::Leaf(leaf)) => return Some(leaf),
                Some(Tree::Tuple(modes)) => {
                    self.around.push(std::mem::replace(&mut self.modes, modes.iter()));
                }
                None => self.modes = self.around.pop()?,
            }
        }
    }
}
