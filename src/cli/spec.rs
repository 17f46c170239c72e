//! Specs from arguments and from JSON.
//!
//! In: `key=value` words, or an object. Out: a spec for [`crate::figure::build`]. Invariant: what a
//! block can say can be said here, in the same order.

use crate::diagnostic::Diagnostic;
use crate::figure::{Entry, Kind, Spec};
use serde_json::Value as Json;

/// Makes a spec of a kind and words: `key=value`, a flag, or the main input.
pub(super) fn from_words(kind: &str, words: &[String]) -> Result<Spec, Diagnostic> {
    let kind = Kind::parse(kind)?;
    let entries = words.iter().map(|word| from_word(kind, word)).collect::<Result<_, _>>()?;
    Ok(Spec::new(kind, entries))
}

fn from_word(kind: Kind, word: &str) -> Result<Entry, Diagnostic> {
    let is_key = |key: &str| {
        key.starts_with(|c: char| c.is_ascii_alphabetic())
            && key.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | ' '))
    };
    if let Some((key, value)) = word.split_once('=')
        && is_key(key)
    {
        return Ok(Entry::new(key, value));
    }
    if kind.is_flag(word) {
        return Ok(Entry::new(word, "yes"));
    }
    match kind.main_key() {
        Some(key) => Ok(Entry::new(key, word)),
        None => {
            let text = format!("`{word}` is neither `key=value` nor a flag of `{kind}`");
            Err(Diagnostic::error("unknown-key", text).hint("write `key=value`"))
        }
    }
}

/// Makes a spec of one line of JSON.
pub(super) fn from_json(line: &str) -> Result<Spec, Diagnostic> {
    let error = |text: String| Diagnostic::error("json", text);
    let json: Json = serde_json::from_str(line).map_err(|e| error(format!("invalid JSON: {e}")))?;
    let Json::Object(members) = json else {
        return Err(error("expected a JSON object".to_owned())
            .hint("write `{\"kind\": \"layout\", \"layout\": \"(4,8):(8,1)\"}`"));
    };
    let kind = match members.get("kind") {
        Some(Json::String(kind)) => Kind::parse(kind)?,
        Some(other) => return Err(error(format!("`kind` is a text, not `{other}`"))),
        None => Kind::LAYOUT,
    };
    let entries = members
        .iter()
        .filter(|(key, _)| *key != "kind")
        .map(|(key, value)| match text_of(value) {
            Some(text) => Ok(Entry::new(key, text)),
            None => Err(error(format!(
                "`{key}` must be a text, a number, a boolean or a list: `{value}`"
            ))),
        })
        .collect::<Result<_, _>>()?;
    Ok(Spec::new(kind, entries))
}

/// Writes a JSON value as a block would; a list in a list is a tuple.
fn text_of(value: &Json) -> Option<String> {
    match value {
        Json::String(text) => Some(text.clone()),
        Json::Number(number) => Some(number.to_string()),
        Json::Bool(flag) => Some(if *flag { "yes" } else { "no" }.to_owned()),
        Json::Array(items) => {
            let item = |item: &Json| match item {
                Json::Array(_) => Some(format!("({})", text_of(item)?)),
                other => text_of(other),
            };
            Some(items.iter().map(item).collect::<Option<Vec<_>>>()?.join(","))
        }
        Json::Null | Json::Object(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_json_give_the_same_spec() {
        let words = ["op=zipped", "A=(4,8)", "tiler=<2,4>", "offsets"].map(str::to_owned);
        let spec = from_words("divide", &words).unwrap();
        let line = "{\"kind\": \"divide\", \"op\": \"zipped\", \"A\": \"(4,8)\", \"tiler\": \"<2,4>\", \"offsets\": true}";
        assert_eq!(from_json(line).unwrap(), spec);
    }

    #[test]
    fn a_word_without_a_key_is_the_main_input() {
        let words = ["make_layout((4,8), stride=(8,1))".to_owned(), "let t=4".to_owned()];
        let spec = from_words("layout", &words).unwrap();
        assert_eq!(spec.get("layout"), Some("make_layout((4,8), stride=(8,1))"));
        assert_eq!(spec.get("let t"), Some("4"));
    }

    #[test]
    fn numbers_and_lists_become_text() {
        let spec =
            from_json("{\"kind\": \"tv\", \"gmem-base\": 128, \"focus\": [\"w0\", 5]}").unwrap();
        assert_eq!(spec.get("gmem-base"), Some("128"));
        assert_eq!(spec.get("focus"), Some("w0,5"));
        assert!(from_json("{\"kind\": \"tv\", \"tv\": {}}").is_err());
        assert!(from_json("[1]").is_err());
    }
}
