//! Kind `swizzle`: a layout before and after a swizzle.
//!
//! In: the `layout` (with or without the swizzle), the `swizzle`, the element type and what the
//! swizzle counts. Out: the cells before and after in colours that follow the offset, the bits, and
//! the bank conflicts of both. Invariant: what is drawn counts elements; the form in bytes is given
//! beside it.

mod ways;

use crate::cute::{AnyLayout, ComposedLayout, Inner, IntTuple, OffsetUnit, Swizzle, Tensor, Tree};
use crate::diagnostic::Diagnostic;
use crate::expr::Value;
use crate::figure::canvas::look::{FOLD, HIGHLIGHT, Look, Picked, SHOW, Show, room};
use crate::figure::canvas::occupancy::Values;
use crate::figure::canvas::reading::{Reading, tensor_of, unchecked};
use crate::figure::canvas::sheet::Sheet;
use crate::figure::code::snippet::Snippet;
use crate::figure::input::entry::Problem;
use crate::figure::input::frame::DTYPE;
use crate::figure::input::key::{Key, KeyDef, Role};
use crate::figure::input::keys::Keys;
use crate::figure::input::kind::{KindDef, OpDef, Thumbnail, Use};
use crate::figure::input::value::{Choice, Expression, Word};
use crate::figure::kinds::divide::main_facts;
use crate::figure::model::figure::{BitPicture, Body, Figure, Panel, Swatch};
use crate::figure::model::grid::{Cell, Fill, Mark, Scale};
use crate::figure::model::label::Label;
use crate::hardware::memory::{SwizzleUnit, element_swizzle};
use serde_json::json;

pub(super) static DEF: KindDef = KindDef {
    name: "swizzle",
    doc: "A layout before and after a swizzle.",
    op: None,
    ops: &[OpDef {
        name: "",
        doc: "What the swizzle moves, and the bank conflicts before and after.",
        keys: &[KEYS],
        build,
        example: "layout = (8,8):(8,1)\nswizzle = S<3,0,3>",
    }],
    thumbnail: Thumbnail::Result,
    deep_links: &[],
};

static KEYS: &[Use] = &[
    Use::main(&LAYOUT, "layout = (8,8):(1,8)"),
    Use::optional(&SWIZZLE, "swizzle = S<2,0,3>"),
    Use::optional(&UNIT, "unit = byte\ndtype = f16\nlayout = (8,64):(64,1)\nswizzle = S<3,4,3>"),
    Use::optional(&COLOR, "color = value"),
    Use::optional(&SHOW, "show = index"),
    Use::optional(&HIGHLIGHT, "highlight = (0,0)"),
    Use::optional(&FOLD, "fold = flat\nlayout = (4,4,4):(1,4,16)"),
];

static LAYOUT: Key<Expression> =
    Key::new("layout", Expression::ANY, "The layout, with or without the swizzle.");

static SWIZZLE: Key<Expression> =
    Key::new("swizzle", Expression::ANY, "The swizzle, if the layout has none.");

static UNIT: Key<Word<SwizzleUnit>> = Key::new(
    "unit",
    Word(&[("element", SwizzleUnit::Element), ("byte", SwizzleUnit::Byte)]),
    "What the swizzle counts; left out, elements. Where a pointer or an atom carries it, the form that is printed: left out, bytes.",
);

static COLOR: Key<Choice<Color>> = Key::new(
    "color",
    Choice::of(&[("bits", Color::Bits), ("value", Color::Value), ("none", Color::None)]),
    "What the colors mean.",
)
.role(Role::Look);

/// What colours mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Color {
    Bits,
    Value,
    None,
}

/// Cells up to which the label after the swizzle also says where the cell came from.
const ARROWS: usize = 512;
/// Columns up to which such labels can be read in the column of a page.
const ARROW_COLUMNS: i64 = 16;

/// Builds the figure.
///
/// # Errors
/// Two swizzles or none, a coordinate layout, a unit that needs an element width.
fn build(keys: &Keys<'_>) -> Result<Figure, Problem> {
    let at_layout = |error: Diagnostic| keys.problem(&LAYOUT, error);
    let (layout, base) = keys.need(&LAYOUT, tensor_of)?;
    let (layout, base) = in_elements(layout, base).map_err(|error| at_layout(error.into()))?;
    let look = Look::read(keys)?;
    let color = keys.get(&COLOR);
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
        _ => compose(Swizzle::IDENTITY).map_err(|error| at_layout(error.into()))?.into(),
    };
    let after = AnyLayout::Composed(after);
    let first = Reading::of(&before, base.as_ref()).map_err(at_layout)?;
    let second = Reading::of(&after, base.as_ref()).map_err(at_layout)?;
    let picked = look.picked(keys, outer.shape())?;
    let drawing = Drawing { look: &look, color, units: &units, picked: &picked };

    let mut facts = main_facts(&second.printed(), &after);
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

/// Returns the width of an element: of `dtype`, or of a pointer in the layout.
fn element_bits(keys: &Keys<'_>) -> Result<Option<i64>, Problem> {
    let pasted = keys.get(&LAYOUT).and_then(|layout| layout.element_bits).map(i64::from);
    let Some(ty) = keys.get(&DTYPE) else { return Ok(pasted) };
    match pasted {
        Some(bits) if bits != ty.bits() => {
            let text = format!("`{ty}` has {} bits, the pointer in the layout {bits}", ty.bits());
            Err(keys
                .problem(&DTYPE, Diagnostic::error("dtype", text).hint("remove one of the two")))
        }
        _ => Ok(Some(ty.bits())),
    }
}

/// The swizzle in both units.
struct Units {
    /// As the author wrote it; in `counted`, where the layout knows what it counts.
    printed: Swizzle,
    /// What the printed numbers count.
    counted: SwizzleUnit,
    /// Of element offsets.
    element: Swizzle,
    /// Of byte addresses, where the width of an element is known.
    byte: Option<Swizzle>,
}

impl Units {
    fn read(
        keys: &Keys<'_>,
        layout: &AnyLayout,
        bits: Option<i64>,
        notes: &mut Vec<Diagnostic>,
    ) -> Result<Self, Problem> {
        let given = keys.read(&SWIZZLE, swizzle_of)?;
        let held = layout.swizzle();
        if let (None, Some(known)) =
            (given, held.filter(|held| held.unit() != OffsetUnit::Unstated))
        {
            let byte = known.in_bytes().map_err(|error| keys.problem(&LAYOUT, error.into()))?;
            let counted = keys.get(&UNIT).unwrap_or(SwizzleUnit::Byte);
            let printed = if counted == SwizzleUnit::Byte { byte } else { known };
            return Ok(Self { printed, counted, element: known, byte: Some(byte) });
        }
        let (printed, bare) = match (given, held) {
            (Some(_), Some(held)) => {
                let text = format!("the layout has the swizzle `{held}` already");
                let diagnostic = Diagnostic::error("two-swizzles", text);
                return Err(keys.problem(&SWIZZLE, diagnostic.hint("remove one of the two")));
            }
            (Some(given), None) => (given, true),
            (None, Some(held)) => (held, false),
            (None, None) => {
                let text = "missing swizzle: `layout` has none and `swizzle` is not given";
                let diagnostic = Diagnostic::error("missing-key", text);
                return Err(keys.problem(&LAYOUT, diagnostic.hint("add `swizzle = S<3,3,3>`")));
            }
        };
        let counted = keys.get(&UNIT).unwrap_or(SwizzleUnit::Element);
        let Some(bits) = bits else {
            if counted == SwizzleUnit::Byte {
                let diagnostic = Diagnostic::error("unit", "bytes need the width of an element");
                return Err(keys.problem(&UNIT, diagnostic.hint("add `dtype = f16`")));
            }
            return Ok(Self { printed, counted, element: printed, byte: None });
        };
        let at: &dyn KeyDef = if keys.has(&UNIT) { &UNIT } else { &LAYOUT };
        let in_elements = |unit| element_swizzle(printed, unit, bits);
        let element = in_elements(counted).map_err(|error| keys.problem(at, error.into()))?;
        let byte = match counted {
            SwizzleUnit::Byte => Some(printed),
            SwizzleUnit::Element => byte_swizzle(printed, bits),
        };
        // All shared-memory atoms print M = 4 in bytes: 16 bytes stay together.
        let doubtful = bare && !keys.has(&UNIT) && printed.base() == 4 && bits != 8;
        if let (true, Ok(other)) =
            (doubtful && !printed.is_identity(), in_elements(SwizzleUnit::Byte))
        {
            notes.push(
                Diagnostic::warning(
                    "swizzle-unit",
                    format!(
                        "`{printed}` is read as counting elements; a shared-memory pointer carries it in bytes, which over elements of {bits} bits is `{other}`"
                    ),
                )
                .hint("write `unit = byte` or `unit = element`"),
            );
        }
        Ok(Self { printed, counted, element, byte })
    }

    /// Says which form is drawn.
    fn caption(&self) -> String {
        match (self.counted, self.byte) {
            (SwizzleUnit::Byte, _) => {
                format!("drawn in elements as {}; {} counts bytes", self.element, self.printed)
            }
            (SwizzleUnit::Element, Some(byte)) => {
                format!("drawn as written, in elements; over bytes it is {byte}")
            }
            (SwizzleUnit::Element, None) => "drawn as written, in elements".to_owned(),
        }
    }
}

/// Reads `S<3,3,3>`.
fn swizzle_of(value: &Value) -> Result<Swizzle, Diagnostic> {
    match value {
        Value::Swizzle(swizzle) => Ok(*swizzle),
        value => Err(value.mismatch("a swizzle").hint("write `S<3,3,3>`")),
    }
}

/// Returns what a swizzle of elements is over bytes.
fn byte_swizzle(element: Swizzle, bits: i64) -> Option<Swizzle> {
    if element.is_identity() {
        return Some(element);
    }
    let bits = u64::try_from(bits).ok().filter(|bits| bits.is_power_of_two())?;
    element.recast(3 - i32::try_from(bits.ilog2()).ok()?).ok()
}

fn moved(before: &Reading, after: &Reading) -> Option<usize> {
    let (before, after) = (Values::of(before.layout())?, Values::of(after.layout())?);
    Some(before.flat.iter().zip(&after.flat).filter(|(a, b)| a != b).count())
}

struct Drawing<'a> {
    look: &'a Look,
    color: Color,
    units: &'a Units,
    picked: &'a Picked,
}

impl Drawing<'_> {
    /// Returns the colour of an offset: the bits that the swizzle changes, or a step of a ramp.
    fn fill(&self, offset: i64, range: (i64, i64)) -> Fill {
        match self.color {
            Color::Bits if !self.units.element.is_identity() => {
                let mask = self.units.element.target_mask();
                let chunk = (offset & mask) >> mask.trailing_zeros();
                Fill::tile(u32::try_from(chunk).unwrap_or(0), u32::from(Fill::CATEGORIES))
            }
            Color::None => Fill::Blank,
            _ => Fill::ramp(offset, range.0, range.1),
        }
    }

    fn scale(&self) -> Scale {
        match self.color {
            Color::Bits if !self.units.element.is_identity() => Scale::Category,
            _ => Scale::Ramp,
        }
    }

    fn panel(
        &self,
        name: &str,
        reading: &Reading,
        before: Option<&Reading>,
        notes: &mut Vec<Diagnostic>,
    ) -> Panel {
        let sheet = Sheet::of(name, reading.layout().shape(), self.look.fold, room(2));
        notes.extend(sheet.notes.iter().cloned());
        let number =
            |reading: &Reading, index: usize| reading.numbers(index).first().copied().unwrap_or(0);
        let range = before.or(Some(reading)).and_then(Reading::values).map_or_else(
            || (0, reading.layout().cosize().unwrap_or(1) - 1),
            |values| values.range(0),
        );
        let is_moved = |index: usize| {
            before.is_some_and(|before| number(before, index) != number(reading, index))
        };
        let cell = |index: usize| {
            let mark = if is_moved(index) { Mark::Moved } else { Mark::None };
            let fill = self.fill(number(reading, index), range);
            Cell { fill, owner: None, mark: self.picked.mark(index, mark), faded: false }
        };
        let cols = reading.layout().shape().mode(1).and_then(|mode| mode.product().ok());
        let arrows = self.look.show.first() == Some(&Show::Value)
            && reading.size() <= ARROWS
            && cols.is_none_or(|cols| cols <= ARROW_COLUMNS);
        let body = match before.filter(|_| arrows) {
            Some(before) => {
                let label = |index: usize| match is_moved(index) {
                    true => {
                        Label::Arrow { from: number(before, index), to: number(reading, index) }
                    }
                    false => reading.label(index),
                };
                let plain = |index: usize| reading.label(index);
                sheet.draw(self.scale(), &cell, &[("value", &label), ("offset", &plain)])
            }
            None => self.look.body(&sheet, reading, self.scale(), &cell),
        };
        let mut panel = Panel::new(name, body).layout(reading.printed()).unit("elements");
        if before.is_some() {
            panel = panel.caption(self.units.caption());
            let marked = match &panel.body {
                Body::Grids(slices) => slices
                    .iter()
                    .any(|slice| slice.grid.cells.iter().any(|cell| cell.mark == Mark::Moved)),
                Body::Bits(_) => false,
            };
            if marked {
                panel = panel.legend(Swatch::Mark(Mark::Moved), "moved");
            }
            if marked && arrows {
                panel = panel.legend(Swatch::Text, "a→b: a is the offset before, b after");
            }
        }
        let swizzle = self.units.element;
        panel = match (self.color, self.scale()) {
            (Color::None, _) => panel,
            (_, Scale::Category) => {
                let from = swizzle.target_mask().trailing_zeros();
                let to = from + swizzle.bits() - 1;
                let text = format!("bits {from} to {to} of the offset, which the swizzle changes");
                panel.legend(Swatch::Scale(Scale::Category), text)
            }
            (_, Scale::Ramp) => {
                let text = format!("offset, {} to {}", range.0, range.1);
                panel.legend(Swatch::Scale(Scale::Ramp), text)
            }
        };
        self.look.label_legend(self.picked.legend(panel))
    }

    /// Draws the bits of an offset in elements, and in bytes where they differ.
    fn bit_panels(&self, before: &Reading) -> Vec<Panel> {
        let element = Some((self.units.element, "elements"));
        let byte = self.units.byte.filter(|byte| !byte.permutes_like(self.units.element));
        let drawn = element.into_iter().chain(byte.map(|byte| (byte, "bytes")));
        let last = before.layout().cosize().unwrap_or(1).saturating_sub(1);
        drawn
            .filter(|(swizzle, _)| !swizzle.is_identity())
            .map(|(swizzle, unit)| bit_panel(swizzle, unit, last))
            .collect()
    }
}

fn bit_panel(swizzle: Swizzle, unit: &'static str, last: i64) -> Panel {
    let top = 64 - (swizzle.source_mask() | swizzle.target_mask()).leading_zeros();
    let width = top.max(64 - last.leading_zeros()).min(32.max(top));
    let picture = BitPicture {
        width,
        count: swizzle.bits(),
        source: swizzle.source_mask().trailing_zeros(),
        target: swizzle.target_mask().trailing_zeros(),
        unit,
    };
    Panel::new(format!("bits of the offset in {unit}"), Body::Bits(picture))
        .layout(swizzle)
        .caption(format!(
            "each of {} bits from bit {} on is XORed into the bit below the arrow, from bit {} on",
            picture.count, picture.source, picture.target
        ))
}

/// Returns the value at an index as an integer.
fn offset_at(layout: &AnyLayout, index: i64) -> Option<i64> {
    match layout.at(&IntTuple::Leaf(index)) {
        Ok(Tree::Leaf(offset)) => Some(offset),
        _ => None,
    }
}
