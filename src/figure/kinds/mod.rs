//! The kinds of figures, one file or folder per kind.
//!
//! In: the definition that each kind gives of itself. Out: the list that everything else is derived
//! from. A new kind is a file or folder, named here and in [`KINDS`].

mod complement;
mod compose;
mod copy;
mod cutlass;
mod diff;
mod divide;
mod layout;
mod local_tile;
mod product;
mod swizzle;
mod tma;
mod tv;

use crate::diagnostic::Diagnostic;
use crate::figure::input::key::Role;
use crate::figure::input::kind::{Kind, KindDef, entries};
use crate::figure::input::spec::Spec;
use crate::suggest::nearest;

/// Every kind, in the order of the reference.
pub static KINDS: &[&KindDef] = &[
    &layout::DEF,
    &tv::DEF,
    &compose::DEF,
    &complement::DEF,
    &divide::DEF,
    &product::DEF,
    &local_tile::DEF,
    &swizzle::DEF,
    &copy::DEF,
    &tma::DEF,
    &cutlass::DEF,
    &diff::DEF,
];

impl Kind {
    /// The kind of a block that names none.
    pub const LAYOUT: Self = Self(&layout::DEF);

    /// Finds a kind by its word.
    ///
    /// # Errors
    /// An unknown word; the hint has the nearest one.
    pub fn parse(word: &str) -> Result<Self, Diagnostic> {
        if let Some(def) = KINDS.iter().find(|def| def.name == word) {
            return Ok(Self(def));
        }
        let names: Vec<_> = KINDS.iter().map(|def| def.name).collect();
        let text = format!("unknown figure kind `{word}`; expected one of {}", names.join(", "));
        let diagnostic = Diagnostic::error("unknown-kind", text);
        Err(match nearest(word, names) {
            Some(name) => diagnostic.hint(format!("did you mean `{name}`?")),
            None => diagnostic,
        })
    }
}

impl Spec {
    /// Reads a figure as a block has it: the word of a kind and lines `key = value`.
    ///
    /// # Errors
    /// An unknown kind. Keys and values are checked by [`crate::figure::build()`].
    ///
    /// ```
    /// use mdbook_cute::figure::Spec;
    ///
    /// let spec = Spec::read("divide", "A = (4,8):(8,1)\ntiler = <2,4>")?;
    /// assert_eq!(spec.get("tiler"), Some("<2,4>"));
    /// # Ok::<(), mdbook_cute::diagnostic::Diagnostic>(())
    /// ```
    pub fn read(kind: &str, lines: &str) -> Result<Self, Diagnostic> {
        Ok(Self::new(Kind::parse(kind)?, entries(lines)))
    }
}

/// Returns whether a key changes what is computed, not how it is shown or named.
#[must_use]
pub fn is_input(name: &str) -> bool {
    let shown = |kind: &&KindDef| {
        kind.key(name).is_some_and(|key| matches!(key.role(), Role::Look | Role::Frame))
    };
    !KINDS.iter().any(shown)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::input::kind::Need;
    use std::collections::BTreeSet;

    #[test]
    fn a_wrong_kind_lists_the_kinds_and_names_the_nearest() {
        let error = Kind::parse("gemm").unwrap_err();
        assert!(error.text.starts_with("unknown figure kind `gemm`; expected one of layout, tv, "));
        for (typo, near) in [("layuot", "layout"), ("local_tile", "local-tile")] {
            let hint = Kind::parse(typo).unwrap_err().hint;
            assert_eq!(hint, Some(format!("did you mean `{near}`?")));
        }
        assert_eq!(Kind::parse("local-tile").unwrap().as_str(), "local-tile");
    }

    #[test]
    fn definitions_hold_together() {
        for kind in KINDS {
            assert_eq!(kind.op.is_some(), kind.ops.len() > 1, "{}", kind.name);
            assert!(kind.doc.ends_with('.'), "{}", kind.name);
            for op in kind.ops {
                let mut seen = BTreeSet::new();
                assert_eq!(op.name.is_empty(), kind.op.is_none(), "{}", kind.name);
                for used in op.uses() {
                    let name = used.key.name();
                    assert!(seen.insert(name), "{} {}: {name} twice", kind.name, op.name);
                    assert!(used.key.doc().ends_with('.'), "{}: {name}", kind.name);
                    let words: BTreeSet<_> = used.key.words().into_iter().collect();
                    assert_eq!(words.len(), used.key.words().len(), "{}: {name}", kind.name);
                }
                let main = op.uses().filter(|used| used.need == Need::Main);
                assert!(main.count() <= 1, "{}", kind.name);
            }
        }
    }
}
