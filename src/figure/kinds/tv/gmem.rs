//! Global memory under a TV layout: offsets on the tile, coalescing in words and numbers.
//!
//! In: the keys `gmem...` and a source. Out: a panel, facts and a better order where loads waste.
//! Invariant: all numbers are those of [`crate::hardware::memory`].

use super::keys::{GMEM, GMEM_BASE, GMEM_DTYPE, GMEM_MAX_BYTES};
use super::memory::{Memory, MemoryKeys};
use super::ownership::Owner;
use super::source::Source;
use super::tile::Scene;
use crate::cute::index::wide;
use crate::diagnostic::Diagnostic;
use crate::figure::canvas::panel::Sketch;
use crate::figure::input::entry::Problem;
use crate::figure::input::keys::Keys;
use crate::figure::model::facts::Facts;
use crate::figure::model::figure::{Panel, Space, Table};
use crate::figure::model::grid::{Fill, Scale};
use crate::figure::model::label::Label;
use crate::hardware::memory::{
    AddressMap, Coalescing, SwizzleUnit, ThreadOrder, VectorWidth, WastefulLoads, coalescing,
    order_for_loads, vector_width,
};
use crate::hardware::units::WARP;
use serde_json::{Value, json};

const KEYS: MemoryKeys = MemoryKeys { layout: &GMEM, dtype: &GMEM_DTYPE, base: &GMEM_BASE };

/// The verdict on global memory.
pub(super) struct Gmem {
    memory: Memory,
    map: AddressMap,
    width: VectorWidth,
    coalescing: Coalescing,
    order: Option<ThreadOrder>,
}

impl Gmem {
    pub(super) fn read(keys: &Keys<'_>, source: &Source) -> Result<Option<Self>, Problem> {
        if !keys.has(&GMEM) {
            return Ok(None);
        }
        let memory = Memory::read(keys, KEYS, source)?;
        let max_bytes = keys.get(&GMEM_MAX_BYTES);
        let map = memory
            .map(source, memory.swizzle, SwizzleUnit::Element)
            .map_err(|error| keys.problem(&GMEM, error.into()))?;
        let width = vector_width(&map, max_bytes);
        map.follows(width.bits).map_err(|error| keys.problem(&GMEM, error.into()))?;
        let coalescing = coalescing(&map, &width);
        let order = if coalescing.is_wasteful() {
            better_order(source, &memory, max_bytes, &coalescing)
        } else {
            None
        };
        Ok(Some(Self { memory, map, width, coalescing, order }))
    }

    pub(super) fn facts(&self, facts: &mut Facts) {
        facts.push_as("gmem-vector", "gmem vector (elements)", self.width.elements);
        facts.push("gmem-vector-bits", self.width.bits);
        if let Some(worst) = self.coalescing.worst() {
            facts.push_as("sectors", "sectors (worst warp-wide access)", worst.sectors);
            facts.push_as("sectors-ideal", "sectors, least possible", worst.ideal);
        }
        facts.push("efficiency", self.coalescing.efficiency());
        let issues = self.coalescing.issues.iter().map(|issue| {
            json!({
                "warp": issue.warp,
                "issue": issue.issue,
                "sectors": issue.sectors,
                "ideal": issue.ideal,
                "lines": issue.lines,
                "bytes-asked": issue.bytes_asked,
                "bytes-moved": issue.bytes_moved,
            })
        });
        facts.push_list("issues", "issues-left", "warp-wide accesses", issues);
    }

    /// Returns the advice as facts.
    pub(super) fn advice(&self) -> Option<Value> {
        self.order.as_ref().map(|order| {
            let mut row = json!({
                "kind": "order",
                "value": order.tv.to_string(),
                "sectors": order.sectors,
                "sectors-ideal": order.ideal,
                "vector": order.elements,
                "cost": 0,
            });
            if let (Some((thr, val)), Value::Object(row)) = (&order.thr_val, &mut row) {
                row.insert("thr".into(), thr.to_string().into());
                row.insert("val".into(), val.to_string().into());
            }
            row
        })
    }

    /// Shows the better order.
    pub(super) fn table(&self) -> Option<Table> {
        let order = self.order.as_ref()?;
        let mut rows = Vec::new();
        if let Some((thr, val)) = &order.thr_val {
            rows.push(vec!["thr".to_owned(), thr.to_string()]);
            rows.push(vec!["val".to_owned(), val.to_string()]);
        }
        rows.push(vec!["tv".to_owned(), order.tv.to_string()]);
        rows.push(vec![
            "sectors of a warp-wide access".to_owned(),
            format!("{} (least possible {})", order.sectors, order.ideal),
        ]);
        let moved = format!("{} instead of {}", order.bytes_moved, self.coalescing.bytes_moved);
        rows.push(vec!["bytes moved".to_owned(), moved]);
        Some(Table {
            title: "An order of threads and values that wastes less".into(),
            head: vec!["what".into(), "value".into()],
            rows,
            ..Table::default()
        })
    }

    /// Says what the accesses cost.
    fn summary(&self) -> String {
        let width = &self.width;
        let plural = if width.elements == 1 { "" } else { "s" };
        let mut text = format!(
            "One access moves {} bits ({} element{plural}; {}). ",
            width.bits, width.elements, width.obstacle
        );
        if !width.is_addressable() {
            text +=
                "Elements of less than a byte stand alone, so each access takes the whole byte. ";
        }
        let issues = &self.coalescing.issues;
        let Some(worst) = self.coalescing.worst() else { return text + "Nothing is accessed." };
        let alike =
            issues.iter().all(|issue| (issue.sectors, issue.ideal) == (worst.sectors, worst.ideal));
        text += &if alike {
            format!(
                "Each warp-wide access touches {} sectors, the least possible is {}",
                worst.sectors, worst.ideal
            )
        } else {
            format!(
                "The worst warp-wide access (warp {}, issue {}) touches {} sectors, the least possible for it is {}",
                worst.warp, worst.issue, worst.sectors, worst.ideal
            )
        };
        text += &format!(
            "; {} of {} bytes moved were asked for.",
            self.coalescing.bytes_distinct, self.coalescing.bytes_moved
        );
        text
    }

    pub(super) fn panel(&self, scene: &Scene<'_>, notes: &mut Vec<Diagnostic>) -> Panel {
        let issues = self.width.issues(&self.map);
        let warps = wide(self.map.warps());
        let elements = wide(self.width.elements.max(1));
        let issue = |owner: Owner| i64::from(owner.val) / elements;
        // One color a warp-wide access: what is counted in sectors together.
        let fill = |owners: &[Owner]| {
            owners.first().map_or(Fill::Blank, |&owner| {
                let warp = i64::from(owner.thr) / wide(WARP);
                Fill::numbered(warp + issue(owner) * warps, wide(issues) * warps)
            })
        };
        let offset = |cell: usize| {
            self.memory.offset(cell, self.memory.swizzle).map_or(Label::Blank, Label::Int)
        };
        let legend = match issues {
            1 => "colour: warp; each makes one access; numbers: offset in elements".to_owned(),
            _ => format!(
                "one colour a warp-wide access, {issues} of each warp; numbers: offset in elements"
            ),
        };
        let mut panel = Sketch::on("global memory", scene.sheet)
            .labels(("offset", &offset))
            .layout(&self.memory.written)
            .unit("elements")
            .badge(Space::Gmem)
            .caption(self.summary())
            .scale(Scale::Category)
            .color_legend(Some(legend))
            .draw(&|index| scene.cell(index, fill), notes);
        // One block an access of a thread, in the order of its values.
        let access =
            |cell: usize| scene.owners.at(cell).first().map(|&owner| (owner.thr, issue(owner)));
        scene.sheet.label_blocks(&mut panel.body, access, |cells| {
            let at = |&cell: &usize| self.memory.offset(cell, self.memory.swizzle);
            let offsets = || cells.iter().filter_map(at);
            match (offsets().min(), offsets().max()) {
                (Some(low), Some(high)) if low < high => {
                    vec![Label::text(format!("{low}-{high}")), Label::Int(low)]
                }
                (low, _) => low.map(Label::Int).into_iter().collect(),
            }
        });
        panel
    }
}

fn better_order(
    source: &Source,
    memory: &Memory,
    max_bytes: i64,
    present: &Coalescing,
) -> Option<ThreadOrder> {
    let layout = memory.plain.plain().filter(|_| memory.swizzle.is_none())?;
    // Only a layout of the tile itself; of a larger tensor the tile's part would have to be cut out.
    let cells = memory.indices.iter().enumerate();
    if layout.size() != wide(memory.indices.len())
        || cells.into_iter().any(|(cell, index)| *index != Some(cell))
    {
        return part(source, memory, max_bytes, present, layout);
    }
    order_for_loads(&loads(source, memory, layout, max_bytes, present))
}

fn loads<'a>(
    source: &'a Source,
    memory: &Memory,
    layout: &'a crate::cute::Layout,
    max_bytes: i64,
    present: &'a Coalescing,
) -> WastefulLoads<'a> {
    WastefulLoads {
        tile: &source.tile,
        layout,
        threads: wide(source.threads),
        values: wide(source.values),
        element_bits: memory.element_bits,
        base_bytes: memory.base_bytes,
        max_bytes,
        present,
    }
}

/// Cuts the tile's part out of the layout of a larger tensor first.
fn part(
    source: &Source,
    memory: &Memory,
    max_bytes: i64,
    present: &Coalescing,
    layout: &crate::cute::Layout,
) -> Option<ThreadOrder> {
    use crate::cute::algebra::composition;
    use crate::cute::{AnyLayout, Tiler};
    if memory.indices.iter().any(Option::is_none) || layout.rank() != source.tile.rank() {
        return None;
    }
    let tile = Tiler::Shape(source.tile.product_each().ok()?);
    let AnyLayout::Plain(cut) = composition(&layout.clone().into(), &tile).ok()? else {
        return None;
    };
    order_for_loads(&loads(source, memory, &cut, max_bytes, present))
}
