//! Shared memory under a TV layout: the verdict on its banks.
//!
//! In: the keys `smem...` and a source. Out: a [`Smem`] with its facts and advice. Invariant: where
//! the unit of a swizzle is not said and matters, both readings are counted and a warning gives both.

use super::keys::{
    Direction, SMEM, SMEM_BANK, SMEM_BASE, SMEM_DIRECTION, SMEM_DTYPE, SMEM_INSTRUCTION,
    SMEM_SWIZZLE, SMEM_UNIT, SMEM_WIDTH,
};
use super::memory::{Memory, MemoryKeys};
use super::source::Source;
use crate::cute::{AnyLayout, Layout, OffsetUnit, Swizzle};
use crate::diagnostic::Diagnostic;
use crate::expr::Value;
use crate::figure::input::entry::Problem;
use crate::figure::input::keys::Keys;
use crate::figure::model::facts::Facts;
use crate::figure::model::figure::Table;
use crate::hardware::memory::{
    AddressMap, Advice, AdviceKind, BANKS, Banks, Conflict, LaneAccess, SharedInstruction,
    SwizzleUnit, VectorWidth, bank_conflicts, other_width, remove_conflicts, vector_width,
};
use serde_json::{Value as Json, json};

const KEYS: MemoryKeys = MemoryKeys { layout: &SMEM, dtype: &SMEM_DTYPE, base: &SMEM_BASE };

/// The verdict on shared memory.
pub(super) struct Smem {
    pub(super) memory: Memory,
    /// The swizzle, counting `unit`.
    swizzle: Option<Swizzle>,
    unit: SwizzleUnit,
    pub(super) map: AddressMap,
    width: VectorWidth,
    pub(super) access: LaneAccess,
    pub(super) banks: Banks,
    pub(super) filter: Option<[bool; BANKS]>,
    advice: Vec<Advice>,
    dense: bool,
}

impl Smem {
    pub(super) fn read(
        keys: &Keys<'_>,
        source: &Source,
        notes: &mut Vec<Diagnostic>,
    ) -> Result<Option<Self>, Problem> {
        if !keys.has(&SMEM) {
            return Ok(None);
        }
        let memory = Memory::read(keys, KEYS, source)?;
        let swizzle = swizzle(keys, &memory)?;
        notes.extend(swizzle.and_then(|swizzle| other_width(swizzle, memory.element_bits)));
        let unit = keys.get(&SMEM_UNIT).unwrap_or(SwizzleUnit::Element);
        let refuse = |error: crate::cute::Error| keys.problem(&SMEM, error.into());
        let swizzle = match unit {
            // What a pointer or an atom carries was converted to elements when it was read.
            SwizzleUnit::Byte => swizzle.map(Swizzle::in_bytes).transpose().map_err(refuse)?,
            SwizzleUnit::Element => swizzle,
        };
        let map = memory.map(source, swizzle, unit).map_err(refuse)?;
        let width = vector_width(&map, 16);
        let access = access(keys, &map, &width)?;
        map.follows(access.bits()).map_err(refuse)?;
        let banks = bank_conflicts(&map, access);
        if let Some(swizzle) = swizzle.filter(|swizzle| is_ambiguous(keys, &memory, *swizzle)) {
            let bytes = memory.map(source, Some(swizzle), SwizzleUnit::Byte).map_err(refuse)?;
            let as_bytes = self::access(keys, &bytes, &vector_width(&bytes, 16));
            let as_bytes = as_bytes.ok().filter(|access| bytes.follows(access.bits()).is_ok());
            let as_bytes = as_bytes.map(|access| bank_conflicts(&bytes, access));
            notes.push(ambiguous(&memory, swizzle, &banks, as_bytes.as_ref()));
        }
        let store =
            keys.get(&SMEM_DIRECTION) == Direction::Store || keys.get(&SMEM_INSTRUCTION).stores();
        if let Some((a, b)) = banks.mergeable.filter(|_| !store && is_vector(access)) {
            notes.push(Diagnostic::note(
                "merged-lanes",
                format!(
                    "threads {a} and {b} ask for the same address: hardware may serve such neighbours at once, so the wavefronts of these loads are an upper bound"
                ),
            ));
        }
        let dense = swizzle.is_some_and(|swizzle| !swizzle.is_identity());
        let advice = if banks.is_conflict_free() {
            Vec::new()
        } else {
            advice(source, &memory, access, dense)
        };
        let filter = filter(keys)?;
        Ok(Some(Self { memory, swizzle, unit, map, width, access, banks, filter, advice, dense }))
    }

    pub(super) fn facts(&self, facts: &mut Facts) {
        let elements = self.access.elements();
        facts.push_as("smem-vector", "smem vector (elements)", elements);
        facts.push("smem-vector-bits", self.access.bits());
        facts.push("conflict-free", self.banks.is_conflict_free());
        facts.push_as("max-ways", "ways of the worst phase", self.banks.max_ways);
        facts.push_as("wavefronts", "wavefronts (worst warp-wide access)", self.banks.wavefronts);
        facts.push_as(
            "wavefronts-ideal",
            "wavefronts, least possible",
            self.banks.wavefronts_ideal,
        );
        let phases = self.banks.phases.iter().map(|phase| {
            json!({
                "warp": phase.warp,
                "issue": phase.issue,
                "phase": phase.phase,
                "ways": phase.ways,
                "bank": phase.bank,
                "lanes": phase.lanes().collect::<Vec<_>>(),
            })
        });
        facts.push_list("phases", "phases-left", "phases of the accesses", phases);
    }

    /// Returns the advice as facts.
    pub(super) fn advice(&self) -> impl Iterator<Item = Json> + '_ {
        self.advice.iter().map(|advice| {
            let (kind, value) = describe(advice);
            json!({
                "kind": kind,
                "value": value,
                "layout": advice.layout.to_string(),
                "wavefronts": advice.wavefronts,
                "cost": advice.cost_bytes,
            })
        })
    }

    /// Shows what would remove the conflicts.
    pub(super) fn table(&self) -> Option<Table> {
        if self.banks.is_conflict_free() || self.advice.is_empty() {
            return None;
        }
        let rows = self.advice.iter().map(|advice| {
            let (kind, value) = describe(advice);
            let change = match advice.kind {
                AdviceKind::Padding { elements: 1 } => "rows 1 element further apart".to_owned(),
                AdviceKind::Padding { elements } => {
                    format!("rows {elements} elements further apart")
                }
                AdviceKind::Swizzle(_) => format!("{kind} {value}"),
            };
            vec![
                change,
                advice.layout.to_string(),
                advice.wavefronts.to_string(),
                advice.cost_bytes.to_string(),
            ]
        });
        Some(Table {
            title: format!(
                "What removes the conflicts, {}-bit accesses kept (swizzles count elements)",
                self.access.bits()
            ),
            head: ["change", "layout", "wavefronts", "extra bytes"].map(String::from).to_vec(),
            rows: rows.collect(),
            ..Table::default()
        })
    }

    /// Returns the layout as the figure names it.
    pub(super) fn title(&self) -> String {
        match (self.swizzle, self.memory.swizzle) {
            (Some(swizzle), None) => format!("{swizzle} o 0 o {}", self.memory.written),
            _ => self.memory.written.clone(),
        }
    }

    /// Says what the accesses cost.
    pub(super) fn summary(&self) -> String {
        let mut text = match self.access {
            LaneAccess::Row { matrix, .. } => {
                format!(
                    "{matrix}: each of {} lanes gives the address of a row of 16 bytes. ",
                    self.access.lanes()
                )
            }
            LaneAccess::Vector { elements, bits } => {
                let plural = if elements == 1 { "" } else { "s" };
                let why = if bits == self.width.bits {
                    format!("; {}", self.width.obstacle)
                } else {
                    String::new()
                };
                format!("One access takes {bits} bits ({elements} element{plural}{why}). ")
            }
        };
        if let Some(swizzle) = self.swizzle.filter(|swizzle| !swizzle.is_identity()) {
            let unit = if self.unit == SwizzleUnit::Byte { "bytes" } else { "elements" };
            text += &format!("{swizzle} counts {unit}. ");
        }
        let banks = &self.banks;
        let Some(worst) =
            banks.worst().iter().max_by_key(|phase| (phase.ways, WORST - phase.phase))
        else {
            return text + "Nothing is accessed.";
        };
        let phases =
            |count: usize| if count == 1 { "1 phase".into() } else { format!("{count} phases") };
        text += &if banks.is_conflict_free() {
            format!(
                "No conflicts: a warp-wide access takes {} wavefront{}, one a phase, the least possible.",
                banks.wavefronts,
                if banks.wavefronts == 1 { "" } else { "s" }
            )
        } else {
            let lanes: Vec<String> = worst.lanes().map(|lane| lane.to_string()).collect();
            format!(
                "{}-way conflicts: the worst warp-wide access (warp {}, issue {}) takes {} wavefronts in {}, the least possible is {}. In phase {} lanes {} want {} words of bank {}.",
                banks.max_ways,
                worst.warp,
                worst.issue,
                banks.wavefronts,
                phases(banks.worst().len()),
                banks.wavefronts_ideal,
                worst.phase,
                lanes.join(", "),
                worst.ways,
                worst.bank
            )
        };
        if !banks.is_conflict_free() && self.advice.is_empty() {
            text += if self.dense {
                " No swizzle of up to 3 bits removes them; padding is not tried because a swizzled tile stays dense."
            } else {
                " Neither padding of up to 128 bytes nor a swizzle of up to 3 bits removes them."
            };
        }
        text
    }
}

/// Phases of an access are fewer; turns "the first" into "the largest".
const WORST: usize = 64;

const fn is_vector(access: LaneAccess) -> bool {
    matches!(access, LaneAccess::Vector { .. })
}

fn describe(advice: &Advice) -> (&'static str, String) {
    match advice.kind {
        AdviceKind::Padding { elements } => ("padding", elements.to_string()),
        AdviceKind::Swizzle(swizzle) => ("swizzle", swizzle.to_string()),
    }
}

/// Reads the swizzle: of the layout, or of `smem-swizzle`.
fn swizzle(keys: &Keys<'_>, memory: &Memory) -> Result<Option<Swizzle>, Problem> {
    let given = keys.read(&SMEM_SWIZZLE, |value| match value {
        Value::Swizzle(swizzle) => Ok(*swizzle),
        _ => Err(value.mismatch("a swizzle").hint("e.g. `S<3,4,3>`")),
    })?;
    match (given, memory.swizzle) {
        (Some(_), Some(inside)) => {
            let text = format!("`smem` has the swizzle `{inside}` already");
            let hint = "remove `smem-swizzle`, or give `smem` without one";
            Err(keys.problem(&SMEM_SWIZZLE, Diagnostic::error("smem-swizzle", text).hint(hint)))
        }
        (given, inside) => Ok(given.or(inside)),
    }
}

/// Reads what one lane does in one access.
fn access(keys: &Keys<'_>, map: &AddressMap, width: &VectorWidth) -> Result<LaneAccess, Problem> {
    if let SharedInstruction::Matrix(matrix) = keys.get(&SMEM_INSTRUCTION) {
        if keys.has(&SMEM_WIDTH) {
            let text = format!("`{matrix}` always takes rows of 128 bits");
            let diagnostic = Diagnostic::error("smem-width", text).hint("remove `smem-width`");
            return Err(keys.problem(&SMEM_WIDTH, diagnostic));
        }
        return LaneAccess::rows(map, matrix).map_err(|error| keys.problem(&SMEM, error));
    }
    let Some(bits) = keys.get(&SMEM_WIDTH) else {
        return Ok(LaneAccess::Vector { elements: width.elements, bits: width.bits });
    };
    let refuse = |text: String, hint: String| {
        keys.problem(&SMEM_WIDTH, Diagnostic::error("smem-width", text).hint(hint))
    };
    if ![8, 16, 32, 64, 128].contains(&bits) {
        let text = format!("no access of shared memory takes {bits} bits");
        return Err(refuse(text, "8, 16, 32, 64 or 128".into()));
    }
    if bits > width.bits {
        let text = format!("an access of {bits} bits is not possible here: {}", width.obstacle);
        return Err(refuse(text, format!("the widest access is {} bits", width.bits)));
    }
    let one = map.element_bits();
    if bits < one && one % bits == 0 {
        return Ok(LaneAccess::Vector { elements: 1, bits });
    }
    match usize::try_from(bits / one) {
        Ok(elements) if bits % one == 0 && elements > 0 => {
            Ok(LaneAccess::Vector { elements, bits })
        }
        _ => Err(refuse(
            format!("a {bits}-bit access is not a multiple of the {one}-bit element"),
            "leave `smem-width` out".into(),
        )),
    }
}

/// Returns whether a swizzle may as well have been meant to count bytes.
fn is_ambiguous(keys: &Keys<'_>, memory: &Memory, swizzle: Swizzle) -> bool {
    !keys.has(&SMEM_UNIT)
        && swizzle.unit() == OffsetUnit::Unstated
        && memory.element_bits != 8
        && (swizzle.base(), swizzle.shift()) == (4, 3)
        && !swizzle.is_identity()
}

fn ambiguous(
    memory: &Memory,
    swizzle: Swizzle,
    elements: &Banks,
    bytes: Option<&Banks>,
) -> Diagnostic {
    let verdict = |banks: &Banks| {
        if banks.is_conflict_free() {
            "no conflicts".to_owned()
        } else {
            format!("{}-way conflicts", banks.max_ways)
        }
    };
    let bytes = bytes.map_or("an access that is not possible".to_owned(), verdict);
    Diagnostic::warning(
        "swizzle-unit",
        format!(
            "`{swizzle}` over {}-bit elements: counted in elements it gives {}, counted in bytes {bytes}",
            memory.element_bits,
            verdict(elements)
        ),
    )
    .hint("say `smem-unit = element` (as composed, and as drawn here) or `smem-unit = byte` (as a shared-memory pointer carries it)")
}

fn filter(keys: &Keys<'_>) -> Result<Option<[bool; BANKS]>, Problem> {
    let items = keys.get(&SMEM_BANK);
    if items.is_empty() {
        return Ok(None);
    }
    let mut picked = [false; BANKS];
    for item in items {
        match item.text.parse::<usize>().ok().and_then(|bank| picked.get_mut(bank)) {
            Some(bank) => *bank = true,
            None => {
                let text = format!("unknown bank `{}`; expected 0 to {}", item.text, BANKS - 1);
                let diagnostic = Diagnostic::error("smem-bank", text).at(item.span);
                return Err(keys.problem(&SMEM_BANK, diagnostic));
            }
        }
    }
    Ok(Some(picked))
}

/// Looks for layouts without conflicts; a composition of two layouts is left as it is.
fn advice(source: &Source, memory: &Memory, access: LaneAccess, dense: bool) -> Vec<Advice> {
    let plain: Option<&Layout> = match &memory.plain {
        AnyLayout::Plain(layout) => Some(layout),
        AnyLayout::Composed(_) => None,
    };
    let Some(layout) = plain else { return Vec::new() };
    let indices: Vec<Option<usize>> =
        source.cells.iter().map(|&cell| memory.indices.get(cell?).copied().flatten()).collect();
    remove_conflicts(&Conflict {
        layout,
        indices: &indices,
        threads: source.threads,
        values: source.values,
        element_bits: memory.element_bits,
        base_bytes: memory.base_bytes,
        access,
        dense,
    })
}
