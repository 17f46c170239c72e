//! Architectures: `sm_90a` as a number and a suffix.
//!
//! In: the name of a compilation target. Out: what it can be compared with. Invariant: the suffix
//! `a` or `f` marks a target whose specific instructions may be used.

use std::fmt;

/// A compilation target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Arch {
    /// The compute capability times ten, 90 of `sm_90a`.
    pub number: u32,
    /// `a` or `f`, or none.
    pub suffix: Option<char>,
}

impl Arch {
    /// Reads `sm_90a`, `sm90a` or `90a`.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        let name = name.trim();
        let rest = name.strip_prefix("sm_").or_else(|| name.strip_prefix("sm")).unwrap_or(name);
        let digits = rest.trim_end_matches(|c: char| c.is_ascii_lowercase());
        let suffix = match &rest[digits.len()..] {
            "" => None,
            "a" => Some('a'),
            "f" => Some('f'),
            _ => return None,
        };
        let number = digits.parse().ok().filter(|n| (50..=199).contains(n))?;
        Some(Self { number, suffix })
    }

    /// Returns whether the fifth-generation tensor core (TMEM, UTCCP, `tcgen05`) is there: the
    /// targets `sm_100a` to `sm_110f` with a suffix.
    #[must_use]
    pub const fn has_tcgen05(self) -> bool {
        self.number >= 100 && self.number <= 110 && self.suffix.is_some()
    }
}

impl fmt::Display for Arch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sm_{}", self.number)?;
        self.suffix.map_or(Ok(()), |suffix| write!(f, "{suffix}"))
    }
}
