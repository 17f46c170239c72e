//! Did you mean: the known name that a misspelt word was most likely meant to be.
//!
//! In: a word and the names that are known. Out: the nearest of them, or none: a wrong suggestion is
//! worse than no suggestion. Invariant: one measure and one threshold for all input of the program,
//! and a word of any length costs no more than [`LONGEST`] characters do.
//!
//! The measure is the number of letters to add, drop, change or swap with their neighbor. Case does
//! not count, and `_` is `-`.

/// Characters of a word that is compared at all: no name is as long.
pub const LONGEST: usize = 128;

/// Letters that may be wrong, at most: beyond, it is another word.
const MOST_WRONG: usize = 3;

/// Characters of a word that may start with another letter. In a shorter one the first letter tells
/// the words apart: `mma` is not a slip for `tma`.
const FIRST_MAY_DIFFER: usize = 6;

/// Returns the candidate nearest to `word`, if one is near enough.
///
/// ```
/// use mdbook_cute::suggest::nearest;
///
/// assert_eq!(nearest("layuot", ["layout", "tv", "tma"]), Some("layout"));
/// assert_eq!(nearest("mma", ["layout", "tv", "tma"]), None);
/// ```
#[must_use]
pub fn nearest<C: AsRef<str>>(word: &str, candidates: impl IntoIterator<Item = C>) -> Option<C> {
    let word = Word::of(word)?;
    let near = candidates.into_iter().filter_map(|c| Some((word.slips(c.as_ref())?, c)));
    // Of equals the first, so that the order of the candidates decides.
    near.min_by_key(|(slips, _)| *slips).map(|(_, candidate)| candidate)
}

/// Returns the candidates that are near enough, nearest first, each once and no more than `most`.
#[must_use]
pub fn near<C: AsRef<str> + Ord>(
    word: &str,
    candidates: impl IntoIterator<Item = C>,
    most: usize,
) -> Vec<C> {
    let Some(word) = Word::of(word) else { return Vec::new() };
    let mut found: Vec<(Slips, C)> =
        candidates.into_iter().filter_map(|c| Some((word.slips(c.as_ref())?, c))).collect();
    found.sort();
    found.dedup();
    found.into_iter().take(most).map(|(_, candidate)| candidate).collect()
}

/// How far a candidate is from a word; less is nearer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Slips {
    /// Letters that are wrong.
    wrong: usize,
    /// Letters after the part that both start with.
    after_start: usize,
}

/// A word as it is compared.
struct Word {
    letters: Vec<char>,
}

impl Word {
    /// Returns nothing for a word that no name can be like.
    fn of(text: &str) -> Option<Self> {
        // Bytes first: they bound the characters without looking at them.
        if text.len() > 4 * LONGEST {
            return None;
        }
        let letters: Vec<char> = text.chars().map(folded).collect();
        (letters.len() <= LONGEST).then_some(Self { letters })
    }

    /// Compares with a candidate; `None` if it is not near enough.
    fn slips(&self, candidate: &str) -> Option<Slips> {
        let word = &self.letters;
        if candidate.len() > 4 * (word.len() + MOST_WRONG) {
            return None;
        }
        let known: Vec<char> = candidate.chars().map(folded).collect();
        let longer = word.len().max(known.len());
        let allowed = (longer / 3).min(MOST_WRONG);
        if word.len().abs_diff(known.len()) > allowed {
            return None;
        }
        if longer < FIRST_MAY_DIFFER && word.first() != known.first() {
            return None;
        }
        let wrong = strsim::generic_damerau_levenshtein(word, &known);
        if wrong > allowed {
            return None;
        }
        let start = word.iter().zip(&known).take_while(|(a, b)| a == b).count();
        Some(Slips { wrong, after_start: longer - start })
    }
}

fn folded(c: char) -> char {
    if c == '_' { '-' } else { c.to_ascii_lowercase() }
}

#[cfg(test)]
mod tests {
    use super::{LONGEST, near, nearest};

    const KINDS: &[&str] = &[
        "layout",
        "tv",
        "compose",
        "complement",
        "divide",
        "product",
        "local-tile",
        "swizzle",
        "copy",
        "tma",
        "cutlass",
    ];
    const ATOMS: &[&str] =
        &["universal", "ldmatrix.x4", "tma.load.im2col.prefetch", "SM75_U32x4_LDSM_N", "CopyG2ROp"];
    const SMEM: &[&str] = &["MN_SW32", "MN_SW128", "K_SW32", "K_SW64", "K_SW128"];

    #[test]
    fn a_slip_finds_its_name_and_another_word_finds_none() {
        for (word, known, expected) in [
            ("layuot", KINDS, Some("layout")),
            ("local_tile", KINDS, Some("local-tile")),
            ("Divide", KINDS, Some("divide")),
            ("zwizzle", KINDS, Some("swizzle")),
            ("compse", KINDS, Some("compose")),
            ("tam", KINDS, Some("tma")),
            // Every one of these was answered with a name that has nothing to do with it.
            ("mma", KINDS, None),
            ("foo", ATOMS, None),
            ("zzz", &["tile", "value", "none"], None),
            ("f17", &["f16", "f32", "tf32"], Some("f16")),
            ("fp8_e4m4", &["fp8_e5m2", "fp8_e4m3", "fp8_e4m3fn"], Some("fp8_e4m3")),
            ("haft_t", &["half_t", "float"], Some("half_t")),
            ("shwo", &["show", "smem"], Some("show")),
            ("titel", &["tile", "title"], Some("title")),
            ("til", &["tile", "tv"], Some("tile")),
            ("sise", &["slice", "size"], Some("size")),
            ("zipped_dvide", &["tiled_divide", "zipped_divide"], Some("zipped_divide")),
            ("SM75_U32x4_LDSM_M", ATOMS, Some("SM75_U32x4_LDSM_N")),
            // As many letters are wrong in both: the common start decides.
            ("K_SW12", SMEM, Some("K_SW128")),
            ("if", &["id", "op"], None),
            ("", KINDS, None),
            ("tv", &[], None),
        ] {
            assert_eq!(nearest(word, known.iter().copied()), expected, "{word}");
        }
    }

    #[test]
    fn several_come_nearest_first() {
        assert_eq!(near("K_SW12", SMEM.iter().copied(), 2), ["K_SW128", "K_SW32"]);
        assert_eq!(near("K_SW12", ["K_SW32", "K_SW32"], 2), ["K_SW32"]);
        assert!(near("foo", ATOMS.iter().copied(), 3).is_empty());
    }

    #[test]
    fn a_word_of_any_length_is_cheap() {
        // With a cost that grows with the length this would not come to an end.
        let long = "layout".repeat(1_000_000);
        let names = [long.clone(), "layout".to_owned()];
        for _ in 0..10_000 {
            assert_eq!(nearest(&long, KINDS.iter().copied()), None);
            assert_eq!(nearest("layuot", &names), Some(&names[1]));
        }
        let longest = "x".repeat(LONGEST);
        assert_eq!(nearest(&longest[1..], [longest.as_str()]), Some(longest.as_str()));
        assert_eq!(nearest(&format!("{longest}x"), [longest.as_str()]), None);
    }
}
