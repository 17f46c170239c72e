//! Kind `complement`: the offsets that a layout leaves out, and how copies of it fill them.
//!
//! In: `A` and the `cotarget` (A's cosize if left out). Out: the codomain with hits, holes and
//! repeats; the complement; the codomain again in one color for each copy of A. Invariant: copy k
//! is A moved by the k-th value of the complement.

use crate::cute::algebra::contract::Breach;
use crate::cute::algebra::{checked, filter};
use crate::cute::index::{count, narrow, wide};
use crate::cute::{IntTuple, Layout, Tree};
use crate::diagnostic::Diagnostic;
use crate::expr::Value;
use crate::figure::canvas::limits::{FOLLOWED, GRID_SIDE};
use crate::figure::canvas::look::{FOLD, HIGHLIGHT, Look, Picked, SHOW, Show, room};
use crate::figure::canvas::panel::Sketch;
use crate::figure::canvas::reading::{Reading, unchecked};
use crate::figure::code::snippet::Snippet;
use crate::figure::input::entry::Problem;
use crate::figure::input::key::{Key, Role};
use crate::figure::input::keys::Keys;
use crate::figure::input::kind::{DeepLink, KindDef, OpDef, Thumbnail, Use};
use crate::figure::input::value::{Choice, Expression};
use crate::figure::model::facts::Facts;
use crate::figure::model::figure::{Figure, Panel, Swatch};
use crate::figure::model::grid::{Cell, Fill, Grid, Mark, Scale, Spot};
use crate::figure::model::label::Label;
use std::collections::HashMap;

pub(super) static DEF: KindDef = KindDef {
    name: "complement",
    doc: "The offsets that a layout leaves out, and how copies of it fill them.",
    op: None,
    ops: &[OpDef {
        name: "",
        doc: "The complement and the codomain that it fills.",
        keys: &[KEYS],
        build,
        example: "A = (2,2):(1,6)",
    }],
    thumbnail: Thumbnail::Result,
    deep_links: &[DeepLink { word: "complement", op: None, keys: &[&A, &COTARGET] }],
};

static KEYS: &[Use] = &[
    Use::main(&A, "A = (2,2):(1,4)"),
    Use::optional(&COTARGET, "cotarget = 24"),
    Use::optional(&COLOR, "color = none"),
    Use::optional(&SHOW, "show = index"),
    Use::optional(&HIGHLIGHT, "highlight = (0,0)"),
    Use::optional(&FOLD, "fold = flat\nA = (2,2,2):(1,4,16)"),
];

static A: Key<Expression> = Key::new("A", Expression::ANY, "The layout.");

static COTARGET: Key<Expression> = Key::new(
    "cotarget",
    Expression::ANY,
    "How far to fill: number, shape or layout; left out, to the end of A.",
);

static COLOR: Key<Choice<Color>> = Key::new(
    "color",
    Choice::of(&[("copy", Color::Copy), ("none", Color::None)]),
    "What the colors mean.",
)
.role(Role::Look);

/// What colors mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Color {
    Copy,
    None,
}

/// Builds the figure.
///
/// # Errors
/// A layout without complement, at `A`: the message names the offset that it hits twice.
fn build(keys: &Keys<'_>) -> Result<Figure, Problem> {
    let a = keys.plain(&A)?;
    let look = Look::read(keys)?;
    let at_a = |error: Diagnostic| keys.problem(&A, error);
    let cotarget = match keys.read(&COTARGET, cotarget_of)? {
        Some(cotarget) => cotarget,
        None => Tree::Leaf(a.cosize().map_err(|error| at_a(error.into()))?),
    };
    let target = cotarget.product().map_err(|error| keys.problem(&COTARGET, error.into()))?;
    if target < 1 || cotarget.leaves().any(|&extent| extent < 1) {
        let text = format!("the cotarget `{cotarget}` is not positive");
        return Err(keys.problem(&COTARGET, Diagnostic::error("positive-extent", text)));
    }
    let rest = checked::complement(&a, &cotarget).map_err(|error| at_a(error.into()))?;
    let source = Reading::plain(&a).map_err(at_a)?;
    let gaps = Reading::plain(&rest.value).map_err(at_a)?;
    let picked = look.picked(keys, a.shape())?;
    let drawing = Drawing {
        look: &look,
        color: keys.get(&COLOR),
        source: &source,
        gaps: &gaps,
        picked: &picked,
    };
    let mut notes = Vec::new();
    let mut panels = vec![drawing.layout("A", &source, &mut notes)];
    if drawing.hits(true).is_none() {
        let points = a.size().saturating_mul(rest.value.size());
        notes.push(unchecked(points, "the copies of A are not drawn"));
    }
    panels.extend(drawing.image(&cotarget, &mut notes));
    panels.push(drawing.layout("complement", &gaps, &mut notes));
    panels.extend(drawing.filled(&cotarget, &mut notes));

    let clash = |breach: &Breach| matches!(breach, Breach::Clash { .. });
    let disjoint = !rest.breaches.iter().any(clash);
    notes.extend(rest.breaches.into_iter().map(Diagnostic::from));
    let mut facts = Facts::default();
    facts.push_result(&rest.value, gaps.layout());
    facts.push("cotarget", target);
    let distinct = image_size(&source, &a);
    facts.push_some("image", distinct);
    facts.push("disjoint", disjoint);
    let reached = distinct.map(|image| image.saturating_mul(rest.value.size()));
    facts.push_some("complete", reached.map(|reached| reached >= target));
    let call = [Snippet::layout(&a.clone().into()), Snippet::shape(&cotarget)];
    Snippet::cute("complement", &call).push(&mut facts);
    Ok(Figure {
        kind: "complement",
        title: format!("complement({a}, {cotarget})"),
        panels,
        facts,
        notes,
        ..Figure::default()
    })
}

/// Reads a number or a shape; a layout stands for its shape, as in CuTe.
fn cotarget_of(value: &Value) -> Result<IntTuple, Diagnostic> {
    match value {
        Value::Layout(layout) => Ok(layout.shape().clone()),
        value => value.to_ints(),
    }
}

/// Counts the distinct values.
fn image_size(source: &Reading, a: &Layout) -> Option<i64> {
    match source.values() {
        Some(values) => {
            let mut all: Vec<&[i64]> = values.flat.chunks(values.arity.max(1)).collect();
            all.sort_unstable();
            all.dedup();
            Some(wide(all.len()))
        }
        // A layout that has a complement repeats only through strides of 0.
        None => filter(&a.clone().into()).ok().map(|filtered| filtered.size()),
    }
}

/// Which values something hits, with the first index that does, and whether others follow.
type Hits = HashMap<Vec<i64>, (usize, bool)>;

struct Drawing<'a> {
    look: &'a Look,
    color: Color,
    source: &'a Reading,
    gaps: &'a Reading,
    picked: &'a Picked,
}

impl Drawing<'_> {
    fn fill(&self, copy: usize) -> Fill {
        match self.color {
            Color::Copy => Fill::numbered(wide(copy), self.gaps.layout().size()),
            Color::None => Fill::Blank,
        }
    }

    /// Draws A in the color of copy 0, or the complement with a color for each copy.
    fn layout(&self, name: &str, reading: &Reading, notes: &mut Vec<Diagnostic>) -> Panel {
        let is_source = name == "A";
        let cell = |index: usize| {
            let copy = if is_source { 0 } else { index };
            let picked = is_source && self.picked.has(index);
            let mark = if picked { Mark::Picked } else { Mark::None };
            Cell { mark, ..self.copied(copy) }
        };
        let sketch = Sketch::of(name, reading, self.look).room(room(4)).scale(Scale::Category);
        let sketch = if is_source {
            sketch.highlight_legend(self.picked).label_legend()
        } else {
            sketch.caption("where each copy of A starts")
        };
        sketch.draw(&cell, notes)
    }

    /// Returns the cell of a value of a copy.
    fn copied(&self, copy: usize) -> Cell {
        Cell { fill: self.fill(copy), owner: narrow(wide(copy)), ..Cell::default() }
    }

    /// Draws which values A hits.
    fn image(&self, cotarget: &IntTuple, notes: &mut Vec<Diagnostic>) -> Option<Panel> {
        let hits = self.hits(false)?;
        let cell = |value: &[i64]| match hits.get(value) {
            Some(&(index, again)) => {
                let mark = if again { Mark::Twice } else { Mark::None };
                Cell { mark: self.picked.mark(index, mark), ..self.copied(0) }
            }
            None => Cell { mark: Mark::Hole, ..Cell::default() },
        };
        let panel = self.codomain("image of A", cotarget, &hits, &cell, notes)?;
        let twice = hits.values().any(|&(_, again)| again);
        let panel = panel
            .legend(Swatch::Fill(Scale::Category, self.fill(0)), "hit by A")
            .legend(Swatch::Mark(Mark::Hole), "hole");
        Some(if twice { panel.legend(Swatch::Mark(Mark::Twice), "hit again") } else { panel })
    }

    /// Draws which copy of A hits each value.
    fn filled(&self, cotarget: &IntTuple, notes: &mut Vec<Diagnostic>) -> Option<Panel> {
        let hits = self.hits(true)?;
        let below = |target: i64, value: &[i64]| value.iter().all(|&number| number < target);
        let inside = |value: &[i64]| {
            value.len() > 1 || cotarget.product().is_ok_and(|target| below(target, value))
        };
        let cell = |value: &[i64]| match hits.get(value) {
            Some(&(copy, again)) => {
                let mark = match (again, inside(value)) {
                    (true, _) => Mark::Twice,
                    (false, false) => Mark::Outside,
                    (false, true) => Mark::None,
                };
                Cell { mark, ..self.copied(copy) }
            }
            None => Cell { mark: Mark::Hole, ..Cell::default() },
        };
        let panel = self.codomain("copies of A", cotarget, &hits, &cell, notes)?;
        let copies = self.gaps.size();
        let repeating = if copies > usize::from(Fill::CATEGORIES) { ", repeating" } else { "" };
        let text = format!("one colour for each of {copies} copies{repeating}");
        let mut panel = Panel { name: "copies of A fill the cotarget".to_owned(), ..panel }
            .legend(Swatch::Scale(Scale::Category), text);
        if hits.keys().any(|value| !inside(value)) {
            panel = panel.legend(Swatch::Mark(Mark::Outside), "past the cotarget");
        }
        if hits.values().any(|&(_, again)| again) {
            panel = panel.legend(Swatch::Mark(Mark::Twice), "hit by two copies");
        }
        Some(panel)
    }

    /// Returns what A hits, or what its copies hit; `None` where there is too much to look at.
    fn hits(&self, copies: bool) -> Option<Hits> {
        let (source, gaps) = (self.source.values()?, self.gaps.values()?);
        let count = if copies { self.gaps.size() } else { 1 };
        let points = count.checked_mul(self.source.size())?;
        if wide(points) > FOLLOWED {
            return None;
        }
        let mut hits = Hits::new();
        for copy in 0..count {
            // Strides of 0 repeat A's own values; that is no clash of copies.
            let mut own: HashMap<Vec<i64>, ()> = HashMap::new();
            for (index, value) in source.flat.chunks(source.arity.max(1)).enumerate() {
                let start = gaps.get(copy);
                let sum: Vec<i64> = if copies {
                    let length = value.len().max(start.len());
                    let part = |of: &[i64], axis: usize| of.get(axis).copied().unwrap_or(0);
                    (0..length).map(|axis| part(value, axis) + part(start, axis)).collect()
                } else {
                    value.to_vec()
                };
                if copies && own.insert(sum.clone(), ()).is_some() {
                    continue;
                }
                let first = if copies { copy } else { index };
                hits.entry(sum).and_modify(|hit| hit.1 = true).or_insert((first, false));
            }
        }
        Some(hits)
    }

    /// Draws all values up to the cotarget, or as far as something is hit: a strip of offsets, or a
    /// grid of coordinates with two axes.
    fn codomain(
        &self,
        name: &str,
        cotarget: &IntTuple,
        hits: &Hits,
        cell: &dyn Fn(&[i64]) -> Cell,
        notes: &mut Vec<Diagnostic>,
    ) -> Option<Panel> {
        let arity = hits.keys().map(Vec::len).max()?;
        let reach = |axis: usize| {
            hits.keys().filter_map(|value| value.get(axis)).max().map_or(1, |&max| max + 1)
        };
        let shows_values = self.look.show.first() != Some(&Show::Coord);
        match arity {
            1 => {
                let count = reach(0).max(cotarget.product().unwrap_or(1));
                let label =
                    |index: usize| if shows_values { Label::index(index) } else { Label::Blank };
                let sketch = Sketch::strip(name, count).room(room(4)).scale(Scale::Category);
                Some(sketch.labels(("value", &label)).draw(&|i| cell(&[wide(i)]), notes))
            }
            2 => {
                let extent = |axis: usize| {
                    let wanted = cotarget.mode(axis).and_then(|mode| mode.product().ok());
                    reach(axis).max(wanted.filter(|_| !cotarget.is_leaf()).unwrap_or(1))
                };
                let drawn = |axis: usize| count(extent(axis), wide(GRID_SIDE));
                let fits = drawn(0).zip(drawn(1)).filter(|(rows, cols)| rows * cols <= room(4));
                let Some((rows, cols)) = fits else {
                    let what = format!("{} by {} coordinates", extent(0), extent(1));
                    notes.push(left_out(name, &what));
                    return None;
                };
                let place = |spot: Spot| cell(&[wide(spot.row), wide(spot.col)]);
                let grid = Grid::from_fn(rows, cols, place)
                    .scale(Scale::Category)
                    .axes("axis 0", "axis 1")
                    .layer("value", |spot| Label::coord(wide(spot.row), wide(spot.col)));
                Some(Panel::grid(name, grid))
            }
            _ => {
                notes.push(left_out(name, &format!("coordinates of {arity} axes")));
                None
            }
        }
    }
}

fn left_out(name: &str, what: &str) -> Diagnostic {
    Diagnostic::warning("reduced", format!("{name}: {what} are not drawn"))
}
