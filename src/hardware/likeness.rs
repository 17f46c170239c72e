//! How much a word resembles a name: what hints are chosen by.
//!
//! In: two words. Out: 0 to 1. Why not the measure alone: its time grows with the product of the
//! lengths, and a word may be of any length.

/// Returns the likeness of Jaro and Winkler; a word of many times the length resembles nothing.
pub(crate) fn likeness(known: &str, word: &str) -> f64 {
    if word.len() > 4 * known.len().max(16) { 0.0 } else { strsim::jaro_winkler(known, word) }
}

#[cfg(test)]
mod tests {
    use super::likeness;

    #[test]
    fn a_long_word_resembles_nothing_at_once() {
        assert!(likeness("ldmatrix", "ldmatrx") > 0.9);
        assert!(likeness("ldmatrix", &"ldmatrix".repeat(100_000)).abs() < 1e-9);
    }
}
