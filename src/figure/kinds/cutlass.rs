//! Kind `cutlass`: a layout class of CUTLASS 2.x over an extent, and the same map in CuTe's terms.
//!
//! In: `type`, `extent`, `ldm` or `stride` (neither: those of `packed(extent)`), `matrix`, `path`.
//! Out: the offset of every coordinate, memory up to the capacity with its padding, and the class's
//! own numbers. Invariant: nothing is put right: where the class contradicts itself, the picture and
//! a note show it.

use crate::cute::IntTuple;
use crate::diagnostic::Diagnostic;
use crate::expr::Value;
use crate::figure::canvas::limits::{
    CELLS_DRAWN, CORNER_SIDE, GRID_SIDE, SLICES_DRAWN, STRIP_COLUMNS,
};
use crate::figure::code::snippet::Snippet;
use crate::figure::input::entry::Problem;
use crate::figure::input::key::{Key, KeyDef};
use crate::figure::input::keys::Keys;
use crate::figure::input::kind::{KindDef, OpDef, Thumbnail, Use};
use crate::figure::input::value::{Choice, Expression, Flag, Number, Text};
use crate::figure::model::axis::{Axis, Ticks};
use crate::figure::model::facts::Facts;
use crate::figure::model::figure::LegendEntry;
use crate::figure::model::figure::{Body, Figure, Panel, Slice, Swatch};
use crate::figure::model::grid::{Cell, Fill, Grid, Mark, Scale};
use crate::figure::model::label::Label;
use crate::hardware::cutlass2::{Class, Given, Inverse, Matrix, Object, Twin, notes};
use serde_json::Value as Json;
use std::collections::BTreeMap;

pub(super) static DEF: KindDef = KindDef {
    name: "cutlass",
    doc: "The matrix and tensor layouts of CUTLASS 2.x.",
    op: None,
    ops: &[OpDef {
        name: "",
        doc: "The offsets of the elements, the order in memory, and the same map in CuTe's notation.",
        keys: &[KEYS],
        build,
        example: "type = RowMajor\nextent = (4,6)",
    }],
    thumbnail: Thumbnail::First,
    deep_links: &[],
};

static KEYS: &[Use] = &[
    Use::main(&TYPE, "type = ColumnMajor"),
    Use::required(&EXTENT, "extent = (3,5)"),
    Use::optional(&LDM, "ldm = 8"),
    Use::optional(&STRIDE, "stride = 8"),
    Use::optional(&MATRIX, "matrix = row-major\ntype = ContiguousMatrix"),
    Use::optional(&PATH, "path = yes"),
];

static TYPE: Key<Text> = Key::new("type", Text, "The class, e.g. `RowMajorInterleaved<4>`.");

static EXTENT: Key<Expression> = Key::new("extent", Expression::ANY, "The extent, e.g. `(8,6)`.");

static LDM: Key<Number> = Key::new("ldm", Number::ANY, "The leading dimension.");

static STRIDE: Key<Expression> =
    Key::new("stride", Expression::ANY, "The stride, where it is more than one number.");

static MATRIX: Key<Choice<Matrix>> = Key::new(
    "matrix",
    Choice::of(&[("column-major", Matrix::ColumnMajor), ("row-major", Matrix::RowMajor)]),
    "The order of a `ContiguousMatrix`.",
);

static PATH: Key<Flag> = Key::new("path", Flag, "Draw the order of the storage as a path.");

/// Offsets that are listed as a fact; more belong into `eval`.
const OFFSETS_LISTED: usize = 1024;

/// Cells of the picture of memory; it repeats what the grid says, so it ends earlier.
const MEMORY_CELLS: i64 = 2048;

/// Builds the figure.
///
/// # Errors
/// A class, extent or stride that does not fit together, at its key.
fn build(keys: &Keys<'_>) -> Result<Figure, Problem> {
    let source = Source::read(keys)?;
    let at_extent = |error| keys.problem(&EXTENT, error);
    let map = Map::of(&source).map_err(at_extent)?;
    let twin = Twin::of(&source.object, &source.extent).map_err(at_extent)?;
    let capacity = source.object.capacity(&source.extent).map_err(at_extent)?;

    let mut figure = Figure {
        kind: "cutlass",
        title: source.title(),
        notes: notes(&source.object, &source.extent, source.given).map_err(at_extent)?,
        ..Figure::default()
    };
    figure.notes.extend(twin_note(source.class(), &twin));
    figure.notes.extend(map.cut_note(source.class()));
    let order = keys.get(&PATH);
    figure.panels.push(offsets_panel(&source, &map, &twin, order));
    figure.panels.extend(memory_panel(&source, &map, capacity));
    facts(&mut figure.facts, &source, &map, &twin, capacity).map_err(at_extent)?;
    Ok(figure)
}

/// What the keys say.
struct Source {
    object: Object,
    extent: Vec<i64>,
    matrix: Matrix,
    given: Given,
}

impl Source {
    fn read(keys: &Keys<'_>) -> Result<Self, Problem> {
        let class = Class::parse(keys.get(&TYPE).unwrap_or_default())
            .map_err(|error| keys.problem(&TYPE, error))?;
        let extent = flat(&keys.ints(&EXTENT)?);
        let matrix = keys.get(&MATRIX);
        if keys.has(&MATRIX) && !class.has_matrix() {
            let text = format!("`{class}` has its order in its name, not as a `Matrix` value");
            let error = Diagnostic::error("cutlass-matrix", text)
                .hint("leave `matrix` out, or use `ContiguousMatrix`");
            return Err(keys.problem(&MATRIX, error));
        }
        let (key, stride): (&dyn KeyDef, _) =
            match (keys.get(&LDM), keys.read(&STRIDE, Value::to_ints)?) {
                (Some(_), Some(_)) => {
                    let error =
                        Diagnostic::error("cutlass-stride", "`ldm` and `stride` say the same")
                            .hint("give one of them");
                    return Err(keys.problem(&STRIDE, error));
                }
                (Some(ldm), None) => (&LDM, Some(vec![ldm])),
                (None, stride) => (&STRIDE, stride.as_ref().map(flat)),
            };
        // Called for its refusal of extents that do not fit the class.
        let packed = Object::packed(class, &extent, matrix);
        let packed = packed.map_err(|error| keys.problem(&EXTENT, error))?;
        let (object, given) = match stride {
            Some(stride) => {
                let object = Object::with_stride(class, &stride, matrix);
                (object.map_err(|error| keys.problem(key, error))?, Given::Stride)
            }
            None => (packed, Given::Packed),
        };
        Ok(Self { object, extent, matrix, given })
    }

    const fn class(&self) -> Class {
        self.object.class()
    }

    fn title(&self) -> String {
        let class = self.class();
        let extent: Vec<String> = self.extent.iter().map(i64::to_string).collect();
        let stride = match self.object.stride() {
            [ldm] if class != Class::PackedVectorLayout => format!(", ldm {ldm}"),
            [_] => String::new(),
            strides => format!(", stride {}", tuple(strides)),
        };
        let matrix = match self.object.matrix() {
            Some(Matrix::RowMajor) => ", kRowMajor",
            Some(Matrix::ColumnMajor) => ", kColumnMajor",
            None => "",
        };
        format!("{class} of {}{stride}{matrix}", extent.join("x"))
    }
}

fn flat(tuple: &IntTuple) -> Vec<i64> {
    tuple.leaves().copied().collect()
}

fn tuple(numbers: &[i64]) -> String {
    let numbers: Vec<String> = numbers.iter().map(i64::to_string).collect();
    format!("({})", numbers.join(","))
}

/// The offsets of the coordinates that are drawn.
struct Map {
    /// The extent that is drawn.
    extent: Vec<i64>,
    /// Whether that is less than what was asked for.
    cut: bool,
    /// Offset of each coordinate in lexicographic order.
    offsets: Vec<i64>,
    low: i64,
    high: i64,
    /// How many coordinates have an offset.
    hits: BTreeMap<i64, usize>,
}

impl Map {
    fn of(source: &Source) -> Result<Self, Diagnostic> {
        let (extent, cut) = drawn(&source.extent);
        let offsets: Vec<i64> =
            coords(&extent).map(|coord| source.object.offset(&coord)).collect::<Result<_, _>>()?;
        let mut hits = BTreeMap::new();
        for &offset in &offsets {
            *hits.entry(offset).or_insert(0) += 1;
        }
        let low = hits.keys().next().copied().unwrap_or(0);
        let high = hits.keys().next_back().copied().unwrap_or(0);
        Ok(Self { extent, cut, offsets, low, high, hits })
    }

    fn cut_note(&self, class: Class) -> Option<Diagnostic> {
        self.cut.then(|| {
            Diagnostic::note(
                "cut",
                format!(
                    "only the first {} coordinates of `{class}` are drawn",
                    tuple(&self.extent)
                ),
            )
        })
    }

    /// Returns the place of a coordinate in lexicographic order.
    fn place(&self, coord: &[i64]) -> usize {
        let place = coord.iter().zip(&self.extent).fold(0, |place, (&i, &n)| place * n + i);
        usize::try_from(place).unwrap_or(0)
    }

    fn offset(&self, coord: &[i64]) -> i64 {
        self.offsets.get(self.place(coord)).copied().unwrap_or(0)
    }

    fn cell(&self, coord: &[i64]) -> Cell {
        let offset = self.offset(coord);
        let shared = self.hits.get(&offset).is_some_and(|&hits| hits > 1);
        Cell {
            fill: Fill::ramp(offset, self.low, self.high),
            mark: if shared { Mark::Twice } else { Mark::None },
            ..Cell::default()
        }
    }
}

/// Cuts an extent down to what a page can hold: the corner of the last two coordinates, and the
/// first slices of the others.
fn drawn(extent: &[i64]) -> (Vec<i64>, bool) {
    let limit = |n: usize| i64::try_from(n).unwrap_or(i64::MAX);
    let cells = extent.iter().try_fold(1_i64, |product, &n| product.checked_mul(n));
    let sides = extent.iter().rev().take(2).all(|&n| n <= limit(GRID_SIDE));
    let outer = extent.iter().rev().skip(2).product::<i64>() <= limit(SLICES_DRAWN);
    if sides && outer && cells.is_some_and(|cells| cells <= limit(CELLS_DRAWN / 2)) {
        return (extent.to_vec(), false);
    }
    let mut slices = limit(SLICES_DRAWN);
    let rank = extent.len();
    let mut cut = vec![1; rank];
    for (i, (&n, cut)) in extent.iter().zip(&mut cut).enumerate().rev() {
        *cut = if i + 2 >= rank {
            n.min(limit(CORNER_SIDE))
        } else {
            let taken = n.min(slices);
            slices = (slices / taken).max(1);
            taken
        };
    }
    (cut, true)
}

/// Lists coordinates in lexicographic order.
fn coords(extent: &[i64]) -> impl Iterator<Item = Vec<i64>> + '_ {
    let size: i64 = extent.iter().product();
    (0..size).map(|index| {
        let mut rest = index;
        let mut coord: Vec<i64> = extent
            .iter()
            .rev()
            .map(|&n| {
                let i = rest % n;
                rest /= n;
                i
            })
            .collect();
        coord.reverse();
        coord
    })
}

/// Which coordinates of a class run down and across.
struct Plane {
    down: usize,
    across: usize,
}

impl Plane {
    /// (row, column) is drawn as it is said; (contiguous, strided) with a line of memory across;
    /// of tensors the last two coordinates are drawn.
    fn of(class: Class) -> Option<Self> {
        let rank = class.rank();
        match class.coord_names() {
            ["contiguous", "strided"] => Some(Self { down: 1, across: 0 }),
            _ if rank < 2 => None,
            _ => Some(Self { down: rank - 2, across: rank - 1 }),
        }
    }
}

fn offsets_panel(source: &Source, map: &Map, twin: &Twin, order: bool) -> Panel {
    let class = source.class();
    let body = match Plane::of(class) {
        Some(plane) => Body::Grids(slices(source, map, &plane)),
        None => Body::Grids(vec![Slice { title: None, grid: strip(map) }]),
    };
    let mut panel = Panel::new(class.to_string(), body)
        .unit("elements")
        .legend(Swatch::Scale(Scale::Ramp), format!("offset, {} to {}", map.low, map.high));
    if let Some(layout) = twin.layout() {
        panel = panel.layout(layout);
    }
    if map.hits.values().any(|&hits| hits > 1) {
        panel = panel.legend(Swatch::Mark(Mark::Twice), "an offset of several coordinates");
    }
    if let Body::Grids(slices) = &mut panel.body {
        if slices.iter().any(|slice| has_groups(&slice.grid)) {
            panel.legend.push(LegendEntry { swatch: Swatch::Boundary, text: groups_text(class) });
        }
        if order {
            for slice in slices {
                slice.grid.path = storage_order(&slice.grid);
            }
            panel = panel.legend(Swatch::Text, "line: order in memory");
        }
    }
    let points: i64 = source.extent.iter().product();
    panel.caption(match twin {
        Twin::Exact(layout) => {
            format!("the same map in CuTe: {layout}, equal at all {points} points")
        }
        Twin::Rounded { layout, extent } => format!(
            "the same map in CuTe: {layout} over {}, equal at all {} points",
            tuple(extent),
            extent.iter().product::<i64>(),
        ),
        Twin::Sampled { layout, extent, points } => format!(
            "the same map in CuTe: {layout} over {}, equal at the {points} points compared: the first ones and others evenly spread",
            tuple(extent),
        ),
        Twin::None { reason } => format!("no CuTe layout: {reason}"),
    })
}

fn has_groups(grid: &Grid) -> bool {
    grid.row_axis.levels.len() > 1 || grid.col_axis.levels.len() > 1
}

fn groups_text(class: Class) -> String {
    match class {
        Class::Multiplicand(_) => "accesses and tiles of the permutation".to_owned(),
        Class::ColumnMajorBlockLinear(r, c) | Class::RowMajorBlockLinear(r, c) => {
            format!("blocks of {r}x{c}")
        }
        _ => "interleaved groups".to_owned(),
    }
}

fn slices(source: &Source, map: &Map, plane: &Plane) -> Vec<Slice> {
    let rank = map.extent.len();
    let outer: Vec<i64> = map
        .extent
        .iter()
        .enumerate()
        .map(|(i, &n)| if i == plane.down || i == plane.across { 1 } else { n })
        .collect();
    coords(&outer)
        .map(|base| {
            let title = (rank > 2).then(|| {
                let parts: Vec<String> = base
                    .iter()
                    .enumerate()
                    .map(|(i, at)| {
                        let free = i == plane.down || i == plane.across;
                        if free { "_".to_owned() } else { at.to_string() }
                    })
                    .collect();
                format!("({})", parts.join(","))
            });
            Slice { title, grid: grid(source, map, plane, &base) }
        })
        .collect()
}

fn grid(source: &Source, map: &Map, plane: &Plane, base: &[i64]) -> Grid {
    let side = |i: usize| map.extent.get(i).map_or(1, |&n| usize::try_from(n).unwrap_or(1));
    let coord = |row: usize, col: usize| {
        let mut coord = base.to_vec();
        for (i, at) in [(plane.down, row), (plane.across, col)] {
            if let Some(place) = coord.get_mut(i) {
                *place = i64::try_from(at).unwrap_or(0);
            }
        }
        coord
    };
    let (rows, cols) = (side(plane.down), side(plane.across));
    let names = source.class().coord_names();
    let mut grid = Grid::from_fn(rows, cols, |spot| map.cell(&coord(spot.row, spot.col)))
        .layer("offset", |spot| Label::Int(map.offset(&coord(spot.row, spot.col))))
        .layer("coord", |spot| coord_label(&coord(spot.row, spot.col)));
    grid.row_axis = axis(source, plane.down, rows).titled(names[plane.down]);
    grid.col_axis = axis(source, plane.across, cols).titled(names[plane.across]);
    grid
}

fn coord_label(coord: &[i64]) -> Label {
    match *coord {
        [a, b] => match (i32::try_from(a), i32::try_from(b)) {
            (Ok(a), Ok(b)) => Label::Coord(a, b),
            _ => Label::text(tuple(coord)),
        },
        [a] => Label::Int(a),
        _ => Label::text(tuple(coord)),
    }
}

/// Makes the axis of a coordinate, with a level for its groups.
fn axis(source: &Source, coord: usize, extent: usize) -> Axis {
    let mut axis = Axis::counting(extent);
    let mut run = 1;
    for group in source.object.groups(coord) {
        let group = usize::try_from(group).unwrap_or(1);
        if group > run && group < extent {
            let count = extent.div_ceil(group);
            axis = axis.level(group, Ticks::Counting { start: 0, extent: count, step: 1 });
            run = group;
        }
    }
    axis
}

/// Draws a vector.
fn strip(map: &Map) -> Grid {
    let cols = map.offsets.len().min(STRIP_COLUMNS);
    let rows = map.offsets.len().div_ceil(cols.max(1));
    let at = |row: usize, col: usize| map.offsets.get(row * cols + col).copied();
    let mut grid = Grid::from_fn(rows, cols, |spot| match at(spot.row, spot.col) {
        Some(offset) => Cell { fill: Fill::ramp(offset, map.low, map.high), ..Cell::default() },
        None => Cell { faded: true, ..Cell::default() },
    })
    .layer("offset", |spot| at(spot.row, spot.col).map_or(Label::Blank, Label::Int));
    if rows > 1 {
        let step = i64::try_from(cols).unwrap_or(1);
        grid.row_axis = Axis::counting_from(0, rows, step);
    } else {
        grid.row_axis = Axis::default();
    }
    grid
}

/// Sorts the cells of a grid by the offset that their first layer shows.
fn storage_order(grid: &Grid) -> Vec<usize> {
    let mut order: Vec<(i64, usize)> = grid
        .layers
        .first()
        .into_iter()
        .flat_map(|layer| layer.labels.iter().enumerate())
        .filter_map(|(cell, label)| match label {
            Label::Int(offset) => Some((*offset, cell)),
            _ => None,
        })
        .collect();
    order.sort_unstable();
    order.into_iter().map(|(_, cell)| cell).collect()
}

/// Draws memory from offset 0 to the capacity, in lines of one stride: what is stored where, and
/// what is padding.
fn memory_panel(source: &Source, map: &Map, capacity: i64) -> Option<Panel> {
    let end = capacity.max(map.high.checked_add(1)?);
    if map.cut || map.low < 0 || !(1..=MEMORY_CELLS).contains(&end) {
        return None;
    }
    let line = line_length(source, end);
    let mut stored: BTreeMap<i64, Vec<Vec<i64>>> = BTreeMap::new();
    for (coord, &offset) in coords(&map.extent).zip(&map.offsets) {
        stored.entry(offset).or_default().push(coord);
    }
    let rows = usize::try_from(end).ok()?.div_ceil(line);
    let offset_at = |row: usize, col: usize| i64::try_from(row * line + col).unwrap_or(i64::MAX);
    let grid = Grid::from_fn(rows, line, |spot| {
        let offset = offset_at(spot.row, spot.col);
        let count = stored.get(&offset).map_or(0, Vec::len);
        Cell {
            fill: if count > 0 { Fill::ramp(offset, map.low, map.high) } else { Fill::Blank },
            mark: match count {
                _ if offset >= end => Mark::None,
                0 if offset >= capacity => Mark::None,
                0 => Mark::Hole,
                _ if offset >= capacity => Mark::Outside,
                1 => Mark::None,
                _ => Mark::Twice,
            },
            faded: offset >= end || (count == 0 && offset >= capacity),
            ..Cell::default()
        }
    })
    .layer("coord", |spot| {
        match stored.get(&offset_at(spot.row, spot.col)).map(Vec::as_slice) {
            None => Label::Blank,
            Some([coord]) => coord_label(coord),
            Some([first, ..]) => Label::text(format!("{}+", tuple(first))),
            Some([]) => Label::Blank,
        }
    });
    let step = i64::try_from(line).ok()?;
    let mut grid = grid;
    grid.row_axis = Axis::counting_from(0, rows, step).titled("offset");
    let padding = grid.cells.iter().filter(|cell| cell.mark == Mark::Hole).count();
    let outside = grid.cells.iter().filter(|cell| cell.mark == Mark::Outside).count();
    let unused = grid.cells.iter().any(|cell| cell.faded);
    let mut panel = Panel::grid("memory", grid)
        .caption(format!("offsets 0 to {} in lines of {line}; labels are coordinates", end - 1))
        .legend(Swatch::Text, format!("capacity {capacity}"));
    if padding > 0 {
        panel = panel.legend(Swatch::Mark(Mark::Hole), format!("padding: {padding} elements"));
    }
    if outside > 0 {
        let text = format!("past the capacity: {outside} elements");
        panel = panel.legend(Swatch::Mark(Mark::Outside), text);
    }
    if unused {
        panel = panel.legend(Swatch::Faded, "not part of it");
    }
    Some(panel)
}

/// One stride a line where that can be drawn: the longest one within a strip, else the shortest.
fn line_length(source: &Source, end: i64) -> usize {
    let mut strides: Vec<usize> = source
        .object
        .stride()
        .iter()
        .filter_map(|&stride| usize::try_from(stride).ok())
        .filter(|stride| (2..=2 * STRIP_COLUMNS).contains(stride))
        .collect();
    strides.sort_unstable();
    let longest = strides.iter().rfind(|&&stride| stride <= STRIP_COLUMNS);
    let whole = usize::try_from(end).unwrap_or(STRIP_COLUMNS);
    longest.or(strides.first()).copied().unwrap_or(STRIP_COLUMNS).min(whole).max(1)
}

fn twin_note(class: Class, twin: &Twin) -> Option<Diagnostic> {
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

fn facts(
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
        facts.push_text("result", layout);
        facts.push("size", layout.size());
        facts.push_some("cosize", layout.cosize().ok());
        facts.push("rank", layout.rank());
        facts.push("depth", layout.depth());
        Snippet::layout(layout).push(facts);
    }
    if map.offsets.len() <= OFFSETS_LISTED && !map.cut {
        facts.push("offsets", Json::from(map.offsets.clone()));
    }
    Ok(())
}
