//! Which name a misspelt word was most likely meant to be.
//!
//! In: a word and the names that there are. Out: the likest name, or none. Invariant: there is one
//! measure and one threshold for every name of this floor; a word unlike all names gets no answer,
//! since no suggestion is better than a wrong one.

/// Likeness (0 to 1) from which a name is suggested.
const THRESHOLD: f64 = 0.8;

/// Returns the candidate that `word` is most like, if it is like any; case does not matter.
pub(crate) fn suggest<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let word = word.to_lowercase();
    let near = candidates.into_iter().filter_map(|name| {
        let likeness = likeness(&name.to_lowercase(), &word);
        (likeness >= THRESHOLD).then_some((likeness, name))
    });
    // The first in the alphabet of those that are alike equally.
    near.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(a.1))).map(|(_, name)| name)
}

/// Returns up to `count` candidates that `word` is like, the likest first.
pub(crate) fn suggest_some<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
    count: usize,
) -> Vec<&'a str> {
    let mut left: Vec<&str> = candidates.into_iter().collect();
    let mut near = Vec::new();
    while near.len() < count
        && let Some(name) = suggest(word, left.iter().copied())
    {
        left.retain(|other| *other != name);
        near.push(name);
    }
    near
}

/// Returns the likeness of Jaro and Winkler; a word of many times the length resembles nothing,
/// which also bounds the time.
fn likeness(known: &str, word: &str) -> f64 {
    if word.len() > 4 * known.len().max(16) { 0.0 } else { strsim::jaro_winkler(known, word) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_suggested_only_where_one_is_near() {
        let names = ["ldmatrix.x1", "ldmatrix.x2", "stmatrix.x1", "tma.load.im2col.prefetch"];
        assert_eq!(suggest("LDMATRIX.x3", names), Some("ldmatrix.x1"));
        assert_eq!(suggest_some("ldmatrix.x3", names, 3)[..2], ["ldmatrix.x1", "ldmatrix.x2"]);
        for word in ["foo", "", "mma", "gemm"] {
            assert_eq!(suggest(word, names), None, "{word}");
        }
        assert_eq!(suggest(&"ldmatrix".repeat(100_000), names), None);
    }
}
