//! Deep links of the browser tool: `?key=OP-ARG-ARG...` into a figure, and a figure into its link.
//!
//! In: a link as people send it (a whole address, the query, or what stands behind `key=`), or the
//! canonical inputs of a figure. Out: the [`Spec`] of the same figure, or the link in one form.
//! Invariant: [`link_of`] of what [`spec_of`] reads is the link without blanks, so a page finds the
//! figure of an old link by comparing texts.

use crate::brackets::{Quotes, pieces};
use crate::diagnostic::Diagnostic;
use crate::figure::input::kind::DeepLink;
use crate::figure::{Entry, KINDS, Kind, Spec};
use crate::suggest::nearest;

/// One form of link, and the kind that it shows.
#[derive(Clone, Copy)]
struct Form {
    kind: Kind,
    link: &'static DeepLink,
}

/// Returns the forms of all kinds.
fn forms() -> impl Iterator<Item = Form> + Clone {
    KINDS
        .iter()
        .flat_map(|kind| kind.deep_links.iter().map(move |link| Form { kind: Kind(kind), link }))
}

/// Reads a link.
///
/// # Errors
/// Words that no form starts with, forms whose kind does not exist, and a wrong number of
/// arguments; the hint says what to type.
pub fn spec_of(link: &str) -> Result<Spec, Diagnostic> {
    let key = decoded(key_of(link));
    let key = key.trim();
    if let Some(word) = ["make_mma_atom", "make_tiled_mma"].iter().find(|w| key.starts_with(**w)) {
        let text = format!("`{word}` shows an MMA, and `mma` is not yet a kind");
        return Err(Diagnostic::error("unknown-kind", text));
    }
    let Form { kind, link: form } = forms()
        .find(|form| key.strip_prefix(form.link.word).is_some_and(|rest| rest.starts_with('-')))
        .ok_or_else(|| unknown(key))?;
    let arguments: Vec<&str> = key[form.word.len() + 1..].split('-').map(str::trim).collect();
    if arguments.len() != form.keys.len() || arguments.iter().any(|text| text.is_empty()) {
        let text = format!(
            "`{}` takes {} between hyphens ({}), not {}",
            form.word,
            count(form.keys.len()),
            names(form).join(", "),
            arguments.iter().filter(|text| !text.is_empty()).count(),
        );
        return Err(Diagnostic::error("deep-link", text)
            .hint("a negative stride cannot stand in a link: write the block by hand"));
    }
    let op = form.op.map(|op| Entry::new("op", op));
    let inputs =
        names(form).into_iter().zip(&arguments).map(|(key, text)| Entry::new(key, value(text)));
    Ok(Spec::new(kind, op.into_iter().chain(inputs).collect()))
}

/// Writes the link of a figure from its canonical inputs, as [`crate::figure::Built`] has them.
/// `None`: the browser tool has no such figure.
#[must_use]
pub fn link_of(kind: Kind, inputs: &[(String, String)]) -> Option<String> {
    let get = |name: &str| inputs.iter().find(|(key, _)| key == name).map(|(_, text)| text);
    let op = get("op").map(String::as_str);
    // An operation that was left out is the first one.
    let op = op.or(kind.op.and(kind.ops.first()).map(|op| op.name));
    let form = kind
        .deep_links
        .iter()
        .find(|form| form.op == op && names(form).into_iter().all(|key| get(key).is_some()))?;
    let arguments = names(form).into_iter().map(|key| get(key).map(|text| argument(text)));
    let arguments: Option<Vec<String>> = arguments.collect();
    // A hyphen in an argument would be read as the next one.
    arguments
        .filter(|texts| !texts.iter().any(|text| text.contains('-')))
        .map(|texts| format!("{}-{}", form.word, texts.join("-")))
}

fn unknown(key: &str) -> Diagnostic {
    let word = key.split('-').next().unwrap_or_default();
    if word == "tv" {
        return Diagnostic::error("deep-link", "`tv` is followed by neither `-1-` nor `-2-`")
            .hint("`tv-1-TV-TILE` or `tv-2-THR-VAL`");
    }
    let words = forms().map(|form| form.link.word.split('-').next().unwrap_or_default());
    let text = format!("unknown figure `{word}` of the browser tool");
    let diagnostic = Diagnostic::error("deep-link", text);
    match nearest(&word.replace('_', "-"), words.clone()) {
        Some(near) if near != word => diagnostic.hint(format!("did you mean `{near}-...`?")),
        _ => {
            let mut words: Vec<_> = words.collect();
            words.dedup();
            diagnostic
                .hint(format!("a link is `?key=OP-ARG-...` with OP one of {}", words.join(", ")))
        }
    }
}

/// Returns the names of the keys that the arguments of a link give.
fn names(link: &DeepLink) -> Vec<&'static str> {
    link.keys.iter().map(|key| key.name()).collect()
}

fn count(n: usize) -> String {
    format!("{n} argument{}", if n == 1 { "" } else { "s" })
}

/// Cuts off what stands around the value of `key`.
fn key_of(link: &str) -> &str {
    let link = link.trim();
    let query = link.split_once('?').map_or(link, |(_, query)| query);
    let value = query.split('&').find_map(|pair| pair.strip_prefix("key=")).unwrap_or(query);
    value.split('#').next().unwrap_or_default()
}

/// Decodes `%XX` and `+`; what is no such escape stays.
fn decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let escape = (byte == b'%')
            .then(|| bytes.get(at + 1..at + 3))
            .flatten()
            .and_then(|hex| std::str::from_utf8(hex).ok())
            .and_then(|hex| u8::from_str_radix(hex, 16).ok());
        out.push(match escape {
            Some(byte) => byte,
            None if byte == b'+' => b' ',
            None => byte,
        });
        at += if escape.is_some() { 3 } else { 1 };
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// Turns one layout a line, the lines written out or as `\n`, into a tiler by mode.
fn value(argument: &str) -> String {
    let argument = argument.replace("\\n", "\n");
    let lines: Vec<&str> =
        argument.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    match lines.as_slice() {
        [one] => (*one).to_owned(),
        many => format!("<{}>", many.join(", ")),
    }
}

/// Turns a tiler by mode back into lines.
fn argument(text: &str) -> String {
    let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let Some(modes) = text.strip_prefix('<').and_then(|text| text.strip_suffix('>')) else {
        return text;
    };
    let lines: Vec<&str> = pieces(modes, &[','], Quotes::Plain).map(|at| &modes[at]).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::block::block_text;

    #[test]
    fn every_form_becomes_a_block_and_back() {
        for (link, block) in [
            ("?key=layout-(10,10):(1,10)", "cute layout\n(10,10):(1,10)"),
            ("?key=tv-1-(32,4):(1,32)-(8,16)", "cute tv\ntv = (32,4):(1,32)\ntile = (8,16)"),
            ("?key=tv-2-(2,3):(3,1)-(2,2):(2,1)", "cute tv\nthr = (2,3):(3,1)\nval = (2,2):(2,1)"),
            (
                "key=composition-(4,4):(4,1)-(2,2):(1,2)",
                "cute compose\nA = (4,4):(4,1)\nB = (2,2):(1,2)",
            ),
            (
                "complement-(2,2):(1,2)-(4,4):(1,4)",
                "cute complement\nA = (2,2):(1,2)\ncotarget = (4,4):(1,4)",
            ),
            (
                "https://x.org/viz/?theme=dark&key=logical_divide-(12,32):(32,1)-3:1%0A8:1#top",
                "cute divide op=logical\nA = (12,32):(32,1)\ntiler = <3:1, 8:1>",
            ),
            (
                "?key=zipped_divide-(12,%2032):(32,+1)-3:1\\n8:1",
                "cute divide op=zipped\nA = (12, 32):(32, 1)\ntiler = <3:1, 8:1>",
            ),
            (
                "?key=zipped_divide-(8,16):(1,8)-(2,2):(1,4)\n(4,2):(1,8)",
                "cute divide op=zipped\nA = (8,16):(1,8)\ntiler = <(2,2):(1,4), (4,2):(1,8)>",
            ),
            ("?key=logical_product-5:1-4:1", "cute product op=logical\nA = 5:1\ntiler = 4:1"),
            ("?key=zipped_product-5:1-4:1", "cute product op=zipped\nA = 5:1\ntiler = 4:1"),
            (
                "?key=blocked_product-(2,2):(1,2)-(3,3):(1,3)",
                "cute product op=blocked\nA = (2,2):(1,2)\ntiler = (3,3):(1,3)",
            ),
            (
                "?key=raked_product-(2,2):(1,2)-(3,3):(1,3)",
                "cute product op=raked\nA = (2,2):(1,2)\ntiler = (3,3):(1,3)",
            ),
        ] {
            let spec = spec_of(link).unwrap();
            assert_eq!(block_text(&spec), format!("```{block}\n```\n"), "{link}");
            let inputs: Vec<_> =
                spec.entries.iter().map(|e| (e.key.clone(), e.value.clone())).collect();
            let plain: String =
                decoded(key_of(link)).replace("\\n", "\n").chars().filter(|c| *c != ' ').collect();
            assert_eq!(link_of(spec.kind, &inputs).unwrap(), plain, "{link}");
        }
    }

    #[test]
    fn wrong_links_say_what_is_expected() {
        for (link, text, hint) in [
            (
                "?key=layuot-4:1",
                "unknown figure `layuot` of the browser tool",
                "did you mean `layout-...`?",
            ),
            ("?key=tv-(2,2)", "`tv` is followed by neither", "`tv-1-TV-TILE`"),
            (
                "?key=layout-4:-1",
                "`layout` takes 1 argument between hyphens (layout), not",
                "negative stride",
            ),
            ("?key=composition-4:1", "`composition` takes 2 arguments", "by hand"),
            ("", "unknown figure ``", "`?key=OP-ARG-...`"),
        ] {
            let error = spec_of(link).unwrap_err();
            assert!(error.text.starts_with(text), "{link}: {error}");
            assert!(error.hint.is_some_and(|given| given.contains(hint)), "{link}");
        }
        let error = spec_of("?key=make_mma_atom-f16bf16-half_t-float-16").unwrap_err();
        assert!(error.text.starts_with("`make_mma_atom` shows an MMA"), "{error}");
        // The link is read; what its argument means is for the notation to say.
        assert_eq!(spec_of("?key=layout-%zz%").unwrap().get("layout"), Some("%zz%"));
    }

    #[test]
    fn figures_that_the_tool_cannot_show_have_no_link() {
        let inputs = |pairs: &[(&str, &str)]| -> Vec<(String, String)> {
            pairs.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect()
        };
        assert_eq!(link_of(Kind::parse("swizzle").unwrap(), &inputs(&[("layout", "4:1")])), None);
        assert_eq!(link_of(Kind::LAYOUT, &inputs(&[("layout", "4:-1")])), None);
        assert_eq!(
            link_of(Kind::parse("divide").unwrap(), &inputs(&[("A", "8:1"), ("tiler", "2:1")]))
                .as_deref(),
            Some("logical_divide-8:1-2:1")
        );
    }
}
