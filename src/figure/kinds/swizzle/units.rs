//! What a swizzle counts: elements or bytes, and what it is in the other unit.
//!
//! In: the swizzle of the layout or of the key, the element type. Out: [`Units`]. Invariant: a swizzle
//! that may as well have been meant in bytes carries a warning with both readings.

use super::keys::{LAYOUT, SWIZZLE, UNIT};
use crate::cute::{AnyLayout, OffsetUnit, Swizzle};
use crate::diagnostic::Diagnostic;
use crate::expr::Value;
use crate::figure::input::entry::Problem;
use crate::figure::input::frame::DTYPE;
use crate::figure::input::key::KeyDef;
use crate::figure::input::keys::Keys;
use crate::hardware::memory::{SwizzleUnit, element_swizzle};

/// The swizzle in both units.
pub(super) struct Units {
    /// As the author wrote it; in `counted`, where the layout knows what it counts.
    pub(super) printed: Swizzle,
    /// What the printed numbers count.
    counted: SwizzleUnit,
    /// Of element offsets.
    pub(super) element: Swizzle,
    /// Of byte addresses, where the width of an element is known.
    pub(super) byte: Option<Swizzle>,
}

impl Units {
    pub(super) fn read(
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
    pub(super) fn caption(&self) -> String {
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

/// Returns the width of an element: of `dtype`, or of a pointer in the layout.
pub(super) fn element_bits(keys: &Keys<'_>) -> Result<Option<i64>, Problem> {
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
