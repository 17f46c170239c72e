//! Kind `swizzle`: a layout before and after a swizzle.
//!
//! In: the `layout` (with or without the swizzle), the `swizzle`, the element type and what the
//! swizzle counts. Out: the cells before and after in colors that follow the offset, the bits, and
//! the bank conflicts of both. Invariant: what is drawn counts elements; the form in bytes is given
//! beside it.

mod keys;
mod panels;
mod units;
mod ways;

use crate::cute::{AnyLayout, ComposedLayout, Inner, IntTuple, Swizzle, Tensor, Tree};
use crate::diagnostic::Diagnostic;
use crate::figure::canvas::look::Look;
use crate::figure::canvas::occupancy::Values;
use crate::figure::canvas::reading::{Reading, tensor_of, unchecked};
use crate::figure::code::snippet::Snippet;
use crate::figure::input::entry::Problem;
use crate::figure::input::keys::Keys;
use crate::figure::input::kind::{KindDef, OpDef, Thumbnail};
use crate::figure::model::facts::Facts;
use crate::figure::model::figure::Figure;
use keys::{COLOR, LAYOUT};
use panels::Drawing;
use serde_json::json;
use units::{Units, element_bits};

pub(super) static DEF: KindDef = KindDef {
    name: "swizzle",
    doc: "A layout before and after a swizzle.",
    op: None,
    ops: &[OpDef {
        name: "",
        doc: "What the swizzle moves, and the bank conflicts before and after.",
        keys: &[keys::KEYS],
        build,
        example: "layout = (8,8):(8,1)\nswizzle = S<3,0,3>",
    }],
    thumbnail: Thumbnail::Result,
    deep_links: &[],
};

/// Builds the figure.
///
/// # Errors
/// Two swizzles or none, a coordinate layout, a unit that needs an element width.
fn build(keys: &Keys<'_>) -> Result<Figure, Problem> {
    let at_layout = |error: Diagnostic| keys.problem(&LAYOUT, error);
    let (layout, base) = keys.need(&LAYOUT, tensor_of)?;
    let (layout, base) = in_elements(layout, base).map_err(|error| at_layout(error.into()))?;
    let look = Look::read(keys)?;
    let mut notes = Vec::new();
    let bits = element_bits(keys)?;
    let units = Units::read(keys, &layout, bits, &mut notes)?;

    let (offset, outer) = match &layout {
        AnyLayout::Plain(outer) => (Tree::Leaf(0), outer.clone()),
        AnyLayout::Composed(composed) => (composed.offset().clone(), composed.outer().clone()),
    };
    let compose =
        |swizzle| ComposedLayout::new(Inner::Swizzle(swizzle), offset.clone(), outer.clone());
    let after = compose(units.element).map_err(|error| at_layout(error.into()))?;
    let before = match &offset {
        Tree::Leaf(0) => AnyLayout::Plain(outer.clone()),
        Tree::Leaf(_) | Tree::Tuple(_) => {
            compose(Swizzle::IDENTITY).map_err(|error| at_layout(error.into()))?.into()
        }
    };
    let after = AnyLayout::Composed(after);
    let first = Reading::of(&before, base.as_ref()).map_err(at_layout)?;
    let second = Reading::of(&after, base.as_ref()).map_err(at_layout)?;
    let picked = look.picked(keys, outer.shape())?;
    let drawing = Drawing { look: &look, color: keys.get(&COLOR), units: &units, picked: &picked };

    let mut facts = Facts::default();
    facts.push_result(second.printed(), &after);
    facts.push("element", units.element.to_string());
    facts.push_some("byte", units.byte.map(|swizzle| swizzle.to_string()));
    match moved(&first, &second) {
        Some(moved) => {
            facts.push("moved", moved);
            if moved == 0 {
                let text = if units.element.is_identity() {
                    format!("`{}` moves nothing", units.element)
                } else {
                    format!(
                        "`{}` moves no cell: the swizzle's source bits are zero in every offset of `{outer}`",
                        units.element
                    )
                };
                notes.push(Diagnostic::note("unmoved", text));
            }
        }
        None => notes.push(unchecked(after.size(), "moved cells are not counted")),
    }
    if let Some(bits) = bits {
        for (name, axis) in [("row-ways", ways::Axis::Row), ("column-ways", ways::Axis::Column)] {
            let (before, after) = (ways::of(&before, bits, axis), ways::of(&after, bits, axis));
            if !(before.is_empty() && after.is_empty()) {
                facts.push(name, json!({"before": before, "after": after}));
            }
        }
    } else {
        notes.push(Diagnostic::note(
            "no-dtype",
            "without `dtype` offsets have no bytes, so the byte form and bank conflicts are left out",
        ));
    }
    Snippet::layout(&after).push(&mut facts);

    let mut panels = vec![
        drawing.panel("before", &first, None, &mut notes),
        drawing.panel("after", &second, Some(&first), &mut notes),
    ];
    panels.extend(drawing.bit_panels(&first));
    Ok(Figure {
        kind: "swizzle",
        title: format!("{} over {before}", units.printed),
        panels,
        facts,
        notes,
        ..Figure::default()
    })
}

/// Returns the layout and the offset in front of it with a swizzle of elements.
fn in_elements(
    layout: AnyLayout,
    base: Option<IntTuple>,
) -> crate::cute::Result<(AnyLayout, Option<IntTuple>)> {
    match base {
        None => Ok((layout.in_elements()?, None)),
        Some(offset) => {
            let tensor = Tensor { offset, layout }.in_elements()?;
            Ok((tensor.layout, Some(tensor.offset)))
        }
    }
}

fn moved(before: &Reading, after: &Reading) -> Option<usize> {
    let (before, after) = (Values::of(before.layout())?, Values::of(after.layout())?);
    Some(before.flat.iter().zip(&after.flat).filter(|(a, b)| a != b).count())
}
