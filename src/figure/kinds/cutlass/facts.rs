//! What a `cutlass` figure computed: the class's own numbers, and the same map in CuTe's terms.

use super::map::Map;
use super::source::{Source, tuple};
use crate::diagnostic::Diagnostic;
use crate::figure::canvas::limits::OFFSETS_LISTED;
use crate::figure::code::snippet::Snippet;
use crate::figure::model::facts::Facts;
use crate::hardware::cutlass2::{Class, Inverse, Object, Twin};
use serde_json::Value as Json;

/// Says how far the CuTe layout is proved to be the same map.
pub(super) fn twin_note(class: Class, twin: &Twin) -> Option<Diagnostic> {
    match twin {
        Twin::Exact(_) => None,
        Twin::Sampled { points, .. } => Some(Diagnostic::note(
            "cutlass-sampled",
            format!(
                "an extent of more than {} points: the CuTe layout was compared at {points}, and what only a walk over all shows is left out",
                Twin::MAX_POINTS
            ),
        )),
        Twin::Rounded { layout, extent } => Some(Diagnostic::note(
            "cutlass-rounded",
            format!(
                "a CuTe shape has whole groups only: `{layout}` is the map of `{class}` over {}",
                tuple(extent)
            ),
        )),
        Twin::None { reason } => Some(Diagnostic::note(
            "cutlass-cute",
            format!("`{class}` has no CuTe layout here: {reason}"),
        )),
    }
}

/// Adds the class's own numbers, and those of its twin.
pub(super) fn push(
    facts: &mut Facts,
    source: &Source,
    map: &Map,
    twin: &Twin,
    capacity: i64,
) -> Result<(), Diagnostic> {
    let class = source.class();
    let packed = Object::packed(class, &source.extent, source.matrix)?;
    facts.push_text("type", class);
    facts.push_text("header", format!("cutlass/layout/{}", class.header()));
    facts.push_text("coordinates", class.coord_names().join(","));
    facts.push("class-rank", class.rank());
    facts.push("stride-rank", class.stride_rank());
    facts.push("index", class.index_types());
    facts.push("stride", Json::from(source.object.stride().to_vec()));
    facts.push("packed-stride", Json::from(packed.stride().to_vec()));
    facts.push("capacity", capacity);
    if !map.cut {
        facts.push("max-offset", map.high);
    }
    facts.push("has-inverse", class.inverse() == Inverse::Real);
    facts.push(
        "inverse",
        match class.inverse() {
            Inverse::Real => "real",
            Inverse::Stub => "stub: returns the origin",
            Inverse::Uncompilable => "declared, does not compile",
            Inverse::None => "none",
        },
    );
    facts.push_some("transpose", class.transpose().map(|class| class.to_string()));
    if let Some(layout) = twin.layout() {
        facts.push_text("cute", layout);
        facts.push_result(layout, layout);
        Snippet::layout(layout).push(facts);
    }
    if map.offsets.len() <= OFFSETS_LISTED && !map.cut {
        facts.push("offsets", Json::from(map.offsets.clone()));
    }
    Ok(())
}
