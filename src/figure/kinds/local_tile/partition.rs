//! `local_partition`: the elements that one thread takes.
//!
//! In: the layout of the threads and which thread. Out: the threads, A with the part of each place in
//! the tile, the result. Invariant: threads that get the same part, as through a mode that `proj` leaves
//! out, are named.

use super::keys::{Color, INDEX, PART_COLOR, PROJ, TILER};
use super::taking::Taking;
use crate::cute::algebra::{dice, part_at, thread_coord};
use crate::cute::index::narrow;
use crate::cute::{IntTuple, Layout, Tiler};
use crate::diagnostic::Diagnostic;
use crate::figure::canvas::limits::{OWNERS_WRITTEN, THREADS_COMPARED};
use crate::figure::canvas::look::room;
use crate::figure::canvas::panel::Sketch;
use crate::figure::canvas::reading::Reading;
use crate::figure::code::snippet::Snippet;
use crate::figure::input::entry::Problem;
use crate::figure::input::keys::Keys;
use crate::figure::model::figure::{Figure, Panel, Swatch, Table};
use crate::figure::model::grid::{Cell, Fill, Mark, Scale};
use crate::figure::model::label::Label;

/// Draws what `local_partition` takes.
///
/// # Errors
/// What CuTe refuses, and a thread that does not exist.
pub(super) fn build(keys: &Keys<'_>) -> Result<Figure, Problem> {
    let taking = Taking::read(keys, &PART_COLOR)?;
    let threads = keys.plain(&TILER)?;
    let index = keys.get(&INDEX);
    if index < 0 || index >= threads.size() {
        let text =
            format!("thread {index} is out of bounds: `{threads}` has {} threads", threads.size());
        let hint = format!("write 0 to {}", threads.size() - 1);
        return Err(taking.refused(&INDEX, Diagnostic::error("range", text).hint(hint)));
    }
    let at_tiler = |error: crate::cute::Error| taking.refused(&TILER, error);
    let kept = match &taking.proj {
        None => threads.clone(),
        Some(proj) => dice(&threads.clone().into(), proj)
            .map_err(|error| taking.refused(&PROJ, error))?
            .domain()
            .clone(),
    };
    let parts = Parts { shape: kept.shape().product_each().map_err(at_tiler)?, threads: kept };
    let at = thread_coord(&parts.threads, index).map_err(at_tiler)?;
    let tiler = Tiler::Shape(parts.shape.clone());
    let mut taken = taking.take(&tiler, &TILER, &|cut| part_at(cut, &at))?;
    let compared = threads.size().min(THREADS_COMPARED);
    let own = parts.of(index);
    let sharing: Vec<i64> = (0..compared).filter(|&thread| parts.of(thread) == own).collect();

    let mut notes = std::mem::take(&mut taken.notes);
    let mut facts = taken.facts();
    if compared == threads.size() {
        facts.push("sharers", sharing.len());
    }
    let mut arguments =
        vec![taking.operand(), Snippet::layout(&threads.clone().into()), thread_index(index)];
    arguments.extend(taking.proj.as_ref().map(Snippet::coord));
    Snippet::cute("local_partition", &arguments).push(&mut facts);

    let owned = |place: usize| {
        let part = taken.tiling.as_ref()?.position(place)?;
        Some((parts.fill(part), part))
    };
    let mut panels = vec![panel_threads(&taking, &threads, &parts, own, &mut notes)?];
    let places: Vec<usize> = taken.followed().filter_map(|index| taken.place(index)).collect();
    let mut mine = vec![false; places.iter().max().map_or(0, |last| last + 1)];
    places.iter().for_each(|&place| mine[place] = true);
    let source = taking.panel_a(&taken, &owned, mine, &mut notes);
    panels.push(source.legend(Swatch::Mark(Mark::Picked), "the part of this thread"));
    let name = format!("local_partition of thread {index}");
    panels.push(taking.panel_result(&name, &taken, &owned, &mut notes));
    let printed = taking.source.printed();
    Ok(Figure {
        kind: "local-tile",
        title: format!("local_partition({printed}, {threads}, {index})"),
        panels,
        tables: vec![sharers_table(&sharing, threads.size(), index)],
        facts,
        notes,
        ..Figure::default()
    })
}

/// The parts of a tile, one for each place of it.
struct Parts {
    /// The tile.
    shape: IntTuple,
    /// The threads, without the modes that `proj` leaves out.
    threads: Layout,
}

impl Parts {
    fn count(&self) -> i64 {
        self.threads.size()
    }

    /// Returns the part that a thread gets.
    fn of(&self, thread: i64) -> Option<u32> {
        position(&thread_coord(&self.threads, thread).ok()?, &self.shape)
    }

    fn fill(&self, part: u32) -> Fill {
        Fill::numbered(part, self.count())
    }
}

/// Draws the threads in the colors of their parts; those that get part `own` stand out.
fn panel_threads(
    taking: &Taking<'_, '_>,
    threads: &Layout,
    parts: &Parts,
    own: Option<u32>,
    notes: &mut Vec<Diagnostic>,
) -> Result<Panel, Problem> {
    let reading = Reading::plain(threads).map_err(|error| taking.refused(&TILER, error))?;
    let thread = |index: usize| reading.numbers(index).first().copied().unwrap_or(0);
    let cell = |index: usize| {
        let part = parts.of(thread(index));
        let fill = match taking.color {
            Color::Owner => part.map_or(Fill::Blank, |part| parts.fill(part)),
            Color::None => Fill::Blank,
        };
        let mark = if part == own { Mark::Picked } else { Mark::None };
        Cell { fill, owner: part, mark, faded: false }
    };
    let label = |index: usize| Label::thread(thread(index));
    let meaning = match taking.color {
        Color::Owner => Some(format!("one colour for each of {} parts", parts.count())),
        Color::None => None,
    };
    let sketch = Sketch::of("threads", &reading, &taking.look)
        .labels(("thread", &label))
        .room(room(4))
        .scale(Scale::Category)
        .color_legend(meaning)
        .legend(Swatch::Mark(Mark::Picked), "these threads get the same part");
    Ok(sketch.draw(&cell, notes))
}

fn sharers_table(sharing: &[i64], threads: i64, index: i64) -> Table {
    let shown: Vec<String> =
        sharing.iter().take(OWNERS_WRITTEN * 8).map(ToString::to_string).collect();
    let more = sharing.len().saturating_sub(shown.len());
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    Table {
        title: format!("who gets the same part as thread {index}"),
        head: vec!["threads".to_owned(), "of".to_owned(), "which".to_owned()],
        rows: vec![vec![
            sharing.len().to_string(),
            threads.to_string(),
            format!("{}{more}", shown.join(", ")),
        ]],
        ..Table::default()
    }
}

/// Returns the one-dimensional index of a flat coordinate.
fn position(coord: &IntTuple, shape: &IntTuple) -> Option<u32> {
    let mut weight = 1_i64;
    let mut sum = 0_i64;
    for (at, extent) in coord.leaves().zip(shape.leaves()) {
        sum = sum.checked_add(at.checked_mul(weight)?)?;
        weight = weight.checked_mul(*extent)?;
    }
    narrow(sum)
}

/// Writes the index of a thread, for which the DSL wants an integer type of its own.
fn thread_index(index: i64) -> Snippet {
    Snippet::new(index.to_string(), format!("cutlass.Int32({index})"))
}
