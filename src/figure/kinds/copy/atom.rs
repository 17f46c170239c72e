//! One copy instruction: what each thread reads, and what each thread gets.
//!
//! In: an atom. Out: a SRC and a DST pane in which the same place is the same bit: rows of 16 bytes
//! for matrix instructions, lanes by columns for tensor memory, a strip for the rest.

use super::copied_rows::CopiedRows;
use super::keys::{ARCH, ATOM, FROM, PANES, TO};
use super::owners::Owners;
use super::tmem_map::TmemMap;
use super::{atom_of, badge, first_of, snippets};
use crate::cute::index::{capped, narrow, wide};
use crate::cute::int_tuple::ceil_div_int;
use crate::cute::{Layout, Result as CuteResult};
use crate::diagnostic::Diagnostic;
use crate::figure::canvas::limits::{GRID_SIDE, STRIP_COLUMNS};
use crate::figure::input::entry::Problem;
use crate::figure::input::keys::Keys;
use crate::figure::model::axis::{Axis, Ticks};
use crate::figure::model::facts::Facts;
use crate::figure::model::figure::{Arrangement, Figure, Panel, Swatch};
use crate::figure::model::grid::{Cell, Fill, Grid, Mark, Scale, Spot};
use crate::figure::model::label::Label;
use crate::hardware::arch::Arch;
use crate::hardware::copy::{CopyAtom, Side, Space};
use crate::hardware::units::WARP;
use std::collections::BTreeMap;

/// Bits that a matrix instruction reads at one address.
const ROW_BITS: i64 = 128;

/// Draws an atom.
///
/// # Errors
/// What the table of atoms refuses.
pub(super) fn build(keys: &Keys<'_>) -> Result<Figure, Problem> {
    let atom = atom_of(keys)?;
    let mut figure = Figure {
        kind: "copy",
        title: title(&atom),
        arrangement: Arrangement::Arrows,
        notes: notes(&atom, keys.get(&ARCH)),
        ..Figure::default()
    };
    let panes = keys.get(&PANES);
    for (side, key, end) in [(Side::Source, &FROM, atom.from), (Side::Destination, &TO, atom.to)] {
        if !panes.has(side) {
            continue;
        }
        let mut panel = draw(&atom, side, &mut figure.notes)
            .map_err(|error| keys.problem(&ATOM, error.into()))?;
        panel.badge = badge(keys, key, end);
        figure.panels.push(panel);
    }
    facts(&mut figure.facts, &atom);
    snippets::atom(&atom).push(&mut figure.facts);
    Ok(figure)
}

fn title(atom: &CopyAtom) -> String {
    let bits = atom.bits.map_or(String::new(), |bits| format!(", {bits} bits"));
    let short = if atom.short == atom.name { String::new() } else { format!(" ({})", atom.short) };
    format!("{}{short} over {}{bits}: {} to {}", atom.name, atom.dtype, atom.from, atom.to)
}

fn facts(facts: &mut Facts, atom: &CopyAtom) {
    facts.push_text("atom", &atom.name);
    facts.push("short", atom.short.clone());
    facts.push_some("dsl", atom.dsl.clone());
    facts.push_some("arch", atom.arch.map(|arch| arch.to_string()));
    facts.push_text("thr-id", &atom.thr_id);
    facts.push_text("src", &atom.values.src);
    facts.push_text("dst", &atom.values.dst);
    facts.push_text("ref", &atom.values.reference);
    facts.push_text("src-bits", &atom.in_bits.src);
    facts.push_text("dst-bits", &atom.in_bits.dst);
    facts.push_text("ref-bits", &atom.in_bits.reference);
    facts.push_some("val-id", atom.val_id.as_ref().map(ToString::to_string));
    facts.push_text("from", atom.from);
    facts.push_text("to", atom.to);
    facts.push("multicast", atom.multicast());
    facts.push("threads", atom.thr_id.size());
}

fn notes(atom: &CopyAtom, target: Option<Arch>) -> Vec<Diagnostic> {
    let misfits = atom.misfits(target).into_iter();
    let mut notes: Vec<_> = misfits.map(|(code, text)| Diagnostic::warning(code, text)).collect();
    if atom.values.src.size() == 1 && atom.in_bits.src.size() == 1 {
        notes.push(Diagnostic::note(
            "placeholder",
            format!(
                "CuTe gives `{}` a placeholder layout: it chooses the width for each copy",
                atom.short
            ),
        ));
    }
    notes.extend(atom.note().map(|(code, text)| Diagnostic::note(code, text)));
    for name in &atom.ignored {
        let text = format!("the DSL takes `{name}` for `{}` and ignores it", atom.short);
        notes.push(Diagnostic::note("attrs-ignored", text));
    }
    for (side, tv) in [("SRC", &atom.values.src), ("DST", &atom.values.dst)] {
        let threads = snippets::threads(tv);
        if threads != atom.thr_id.size() {
            notes.push(Diagnostic::warning(
                "value-type",
                format!(
                    "{side} `{tv}` has {threads} threads, the atom {}: the instruction gives parts of one `{}` to different threads. CuTe's C++ refuses such a value type, its DSL does not",
                    atom.thr_id.size(),
                    atom.dtype
                ),
            ));
        }
    }
    if atom.multicast() > 1 {
        notes.push(Diagnostic::note(
            "multicast",
            format!("each source bit arrives {} times", atom.multicast()),
        ));
    }
    notes
}

fn draw(atom: &CopyAtom, side: Side, notes: &mut Vec<Diagnostic>) -> CuteResult<Panel> {
    let tv = match side {
        Side::Source => &atom.values.src,
        Side::Destination => &atom.values.dst,
    };
    let (name, space) = match side {
        Side::Source => ("SRC", atom.from),
        Side::Destination => ("DST", atom.to),
    };
    let (grid, caption) = match (&atom.val_id, space) {
        (Some(val_id), Space::Tmem) => tmem(atom, val_id, notes)?,
        (Some(val_id), Space::Rmem) => registers_of_tmem(atom, tv, val_id, notes)?,
        (Some(val_id), _) => CopiedRows::of(atom, val_id)?.source(atom.dtype.bits()),
        (None, _) if is_warp(atom) && has_rows(atom) => rows(atom, tv, (side, space), notes),
        (None, _) if is_warp(atom) => registers(atom, tv),
        (None, _) => strip(atom, tv, notes),
    };
    let mut panel = Panel::grid(name, grid).layout(tv).unit("elements");
    if space == Space::Smem && has_rows(atom) && is_warp(atom) {
        panel = panel
            .legend(Swatch::Text, "number: the element; colour: the lane that gives the address");
    } else if is_warp(atom) && space == Space::Rmem && has_rows(atom) {
        panel = panel.legend(Swatch::Text, "T thread, V its value");
    }
    if let Some(caption) = caption {
        panel = panel.caption(caption);
    }
    Ok(panel)
}

/// Returns whether all lanes of a warp take part.
fn is_warp(atom: &CopyAtom) -> bool {
    atom.thr_id.size() == wide(WARP)
}

/// Returns whether the sides are rows of 16 bytes: at an address each, or those of a matrix.
const fn has_rows(atom: &CopyAtom) -> bool {
    atom.matrix_rows().is_some()
}

/// Draws rows of 16 bytes. On the shared-memory side the row belongs to the lane that gives its
/// address; lanes whose address is ignored are named in the caption.
fn rows(
    atom: &CopyAtom,
    tv: &Layout,
    (who, space): (Side, Space),
    notes: &mut Vec<Diagnostic>,
) -> (Grid, Option<String>) {
    let width = (ROW_BITS / atom.dtype.bits()).max(1);
    let count = atom.values.reference.cosize().unwrap_or(1);
    let spot = |index: i64| Some((index / width, index % width));
    let owners = Owners::of(tv, ceil_div_int(count, width), width, spot);
    cut_note(&owners, notes);
    let fill = |owner: super::owners::Owner| Fill::thread(owner.thr, wide(WARP));
    if space != Space::Smem {
        let mut grid = owners.grid(fill).axes("row", "element");
        grid.row_axis = matrices(atom, grid.row_axis, owners.rows);
        return (
            grid,
            Some(
                if who == Side::Source {
                    "who gives each element"
                } else {
                    "who gets each element"
                }
                .to_owned(),
            ),
        );
    }
    // Several lanes claim one row where the instruction has fewer than 32 rows: it reads the
    // address of the first and ignores the others.
    let first = |row: usize| {
        let spot = Spot { row, col: 0, index: row };
        owners.at(spot).iter().map(|owner| owner.thr).min()
    };
    let lanes: Vec<String> =
        (0..owners.rows).map(|row| first(row).map_or(String::new(), |t| format!("T{t}"))).collect();
    let mut grid = Grid::from_fn(owners.rows, owners.cols, |spot| {
        let thr = first(spot.row);
        Cell {
            fill: thr.map_or(Fill::Blank, |thr| Fill::thread(thr, wide(WARP))),
            owner: thr,
            ..Cell::default()
        }
    })
    .scale(Scale::Category)
    .layer("index", |spot| Label::index(spot.row * owners.cols + spot.col));
    grid.row_axis = matrices(atom, Axis::text(lanes).titled("lane"), owners.rows);
    grid.col_axis = Axis::counting(owners.cols).titled("element");
    let used = owners.rows;
    let what = if atom.from == Space::Smem { "read" } else { "written" };
    let caption = if used < WARP {
        format!(
            "{used} rows of 16 bytes, each {what} at the address of one lane; the addresses of T{used} to T31 are ignored"
        )
    } else {
        format!("32 rows of 16 bytes, each {what} at the address of its lane")
    };
    (grid, Some(caption))
}

/// Adds the matrices that `ldmatrix` and `stmatrix` move, where there are several and PTX and the DSL
/// agree about which.
fn matrices(atom: &CopyAtom, axis: Axis, rows: usize) -> Axis {
    match atom.matrix_rows() {
        Some(one) if one > 0 && rows > one => {
            let names = (0..rows.div_ceil(one)).map(|at| format!("m{at}"));
            axis.level(one, Ticks::Text(names.collect()))
        }
        _ => axis,
    }
}

/// Draws threads down and their values across; the label is the element.
fn registers(atom: &CopyAtom, tv: &Layout) -> (Grid, Option<String>) {
    let modes = tv.modes();
    let offsets: Vec<i64> = tv.walk().into_iter().flatten().collect();
    let size = |at: usize| capped(modes.get(at).map_or(1, Layout::size), offsets.len());
    let (threads, values) = (size(0), size(1));
    let per_source = atom.values.src.modes().get(1).map_or(1, Layout::size).max(1);
    let index = |row: usize, col: usize| offsets.get(row + threads * col).copied().unwrap_or(0);
    let grid = Grid::from_fn(threads, values, |spot| {
        // Elements are numbered thread by thread of the source.
        let from = index(spot.row, spot.col) / per_source;
        let owner = narrow(wide(spot.row));
        Cell { fill: Fill::thread(from, wide(WARP)), owner, ..Cell::default() }
    })
    .scale(Scale::Category)
    .layer("index", |spot| Label::Int(index(spot.row, spot.col)))
    .axes("thread", "value");
    (grid, Some("element in each register value; colour: the thread it comes from".to_owned()))
}

/// Draws tensor memory. The label is the element that arrives, or on a warp's copy who holds it in
/// registers.
fn tmem(
    atom: &CopyAtom,
    val_id: &Layout,
    notes: &mut Vec<Diagnostic>,
) -> CuteResult<(Grid, Option<String>)> {
    let map = map_of(atom, val_id)?;
    let registers = match (atom.from, atom.to) {
        (_, Space::Rmem) => Some(&atom.values.dst),
        (Space::Rmem, _) => Some(&atom.values.src),
        _ => None,
    };
    if let Some(registers) = registers {
        let (grid, owners, caption) = map.held_by(registers, atom.thr_id.size());
        cut_note(&owners, notes);
        return Ok((grid, Some(caption)));
    }
    let moved = CopiedRows::of(atom, val_id)?;
    let (rows, cols) = moved.reached();
    let from: BTreeMap<(i64, i64), i64> =
        moved.arrivals.iter().map(|&(lane, element, source)| ((lane, element), source)).collect();
    let high = moved.count() - 1;
    // Lanes that nothing arrives at are left out where they are the most.
    let mut lanes: Vec<i64> = from.keys().map(|(lane, _)| *lane).collect();
    lanes.dedup();
    let sparse = wide(lanes.len()) * 2 < rows;
    if !sparse {
        lanes = (0..rows).collect();
    }
    let cell = |spot: Spot| from.get(&(*lanes.get(spot.row)?, wide(spot.col))).copied();
    // Of no instruction a lane gets more elements.
    let grid = Grid::from_fn(lanes.len(), capped(cols, GRID_SIDE), |spot| match cell(spot) {
        Some(index) => Cell { fill: Fill::ramp(index, 0, high), ..Cell::default() },
        None => Cell::default(),
    })
    .layer("index", |spot| cell(spot).map_or(Label::Blank, Label::Int));
    let mut grid = map.axes(grid);
    let mut what = format!("{rows} lanes");
    if sparse {
        let names = lanes.iter().map(ToString::to_string).collect();
        grid.row_axis = Axis::text(names).titled("lane");
        what = format!("the {} lanes that something arrives at", lanes.len());
    }
    Ok((grid, Some(format!("{what}; the label is the source element that arrives"))))
}

fn map_of(atom: &CopyAtom, val_id: &Layout) -> CuteResult<TmemMap> {
    let bits = atom.dtype.bits();
    // Of every element the first bit; no type has more bits than the walk has steps.
    let step = capped(bits, usize::MAX).max(1);
    Ok(TmemMap::of(val_id.walk()?.step_by(step), bits))
}

/// Draws the registers of a TMEM copy: threads down, values across, labelled `lane,column`.
fn registers_of_tmem(
    atom: &CopyAtom,
    tv: &Layout,
    val_id: &Layout,
    notes: &mut Vec<Diagnostic>,
) -> CuteResult<(Grid, Option<String>)> {
    let map = map_of(atom, val_id)?;
    let modes = tv.modes();
    let offsets: Vec<i64> = tv.walk()?.collect();
    let size = |at: usize| capped(modes.get(at).map_or(1, Layout::size), offsets.len());
    let (threads, all) = (size(0), size(1));
    let values = all.min(GRID_SIDE);
    notes.extend(first_of(values, wide(all), "values"));
    let place = |row: usize, col: usize| {
        offsets.get(row + threads * col).and_then(|&index| map.place(index))
    };
    let grid = Grid::from_fn(threads, values, |spot| {
        let thread = wide(spot.row);
        Cell { fill: Fill::thread(thread, wide(WARP)), owner: narrow(thread), ..Cell::default() }
    })
    .scale(Scale::Category)
    .layer("coord", |spot| match place(spot.row, spot.col) {
        Some((lane, col)) => Label::coord(lane, col),
        None => Label::Blank,
    })
    .axes("thread", "value");
    Ok((grid, Some("(lane, element of the lane) of each register value".to_owned())))
}

/// Draws elements in lines of 32 (16 bytes where that is more), with their owners.
fn strip(atom: &CopyAtom, tv: &Layout, notes: &mut Vec<Diagnostic>) -> (Grid, Option<String>) {
    let count = tv.cosize().unwrap_or(1).max(1);
    let cols = count.min(wide(STRIP_COLUMNS));
    let spot = |index: i64| Some((index / cols, index % cols));
    let owners = Owners::of(tv, ceil_div_int(count, cols), cols, spot);
    cut_note(&owners, notes);
    let threads = atom.thr_id.size();
    let high = count - 1;
    let one = threads == 1;
    let fill = |thr| if one { Fill::numbered(0, 1) } else { Fill::thread(thr, threads) };
    let mut grid = owners.grid(|owner| fill(owner.thr));
    let index = |spot: Spot| wide(spot.row) * cols + wide(spot.col);
    for (at, cell) in grid.cells.iter_mut().enumerate() {
        if wide(at) >= count {
            *cell = Cell::default();
        } else if one && cell.mark == Mark::Twice {
            cell.mark = Mark::None;
        }
    }
    if one || threads == 2 && high > 0 {
        grid.layers.clear();
        grid.blocks.clear();
        grid = grid.layer("index", |spot| {
            if index(spot) <= high { Label::Int(index(spot)) } else { Label::Blank }
        });
    }
    (grid, None)
}

fn cut_note(owners: &Owners, notes: &mut Vec<Diagnostic>) {
    let new = owners.cut_note().filter(|note| !notes.contains(note));
    notes.extend(new);
}
