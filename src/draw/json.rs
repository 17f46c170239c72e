//! The object that scripts and CI read.
//!
//! In: a figure. Out: its kind, facts, notes and the layouts of its panels as JSON. Invariant: the
//! names of facts are those of the facts table, in the same order.

use crate::figure::Figure;
use serde_json::{Map, Value, json};

/// Returns the figure's facts as one object.
///
/// ```
/// use mdbook_cute::draw::json::json;
/// use mdbook_cute::expr::{Functions, Scope};
/// use mdbook_cute::figure::{Entry, Kind, Spec, build};
///
/// let spec = Spec::new(Kind::LAYOUT, vec![Entry::new("layout", "(2,3):(4,1)")]);
/// let functions = Functions::core();
/// let built = build(&spec, &Scope::new(&functions)).expect("the layout is valid");
///
/// let object = json(&built.figure, Some("padded"));
/// assert_eq!(object["id"], "padded");
/// assert_eq!(object["facts"]["cosize"], 7);
/// ```
#[must_use]
pub fn json(figure: &Figure, id: Option<&str>) -> Value {
    let mut object = Map::new();
    object.insert("kind".to_owned(), json!(figure.kind));
    if let Some(id) = id {
        object.insert("id".to_owned(), json!(id));
    }
    object.insert("facts".to_owned(), Value::Object(figure.facts.to_json()));
    let notes = figure
        .notes
        .iter()
        .map(|note| json!({ "level": note.level.as_str(), "code": note.code, "text": note.text }));
    object.insert("notes".to_owned(), notes.collect());
    let panels = figure.panels.iter().map(|panel| {
        let mut object = Map::new();
        object.insert("title".to_owned(), json!(panel.name));
        if let Some(layout) = &panel.layout {
            object.insert("layout".to_owned(), json!(layout));
        }
        Value::Object(object)
    });
    object.insert("panels".to_owned(), panels.collect());
    Value::Object(object)
}
