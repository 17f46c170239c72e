//! Kind `compose`: A, B and `A o B`, their cells linked by colour.
//!
//! In: `A`, `B` (a layout, a tiler or a shape) and whether to draw B's complement. Out: the panels,
//! and a table of how CuTe gets to the result mode by mode. Invariant: index i has one colour: in B,
//! in the result, and in A where B(i) leads; a cell where the result is not A(B(i)) is marked and
//! shows both values.

use crate::cute::algebra::contract::{self, Breach};
use crate::cute::algebra::{Step, complement, composition, composition_steps};
use crate::cute::{
    AnyLayout, IntTuple, Layout, Path, Result as CuteResult, StrideLeaf, Tiler, Tree,
};
use crate::diagnostic::Diagnostic;
use crate::expr::report::ints;
use crate::figure::canvas::limits::TABLE_ROWS;
use crate::figure::canvas::look::{FOLD, HIGHLIGHT, Look, Picked, SHOW, room};
use crate::figure::canvas::reading::{Reading, leaf, unchecked};
use crate::figure::canvas::sheet::Sheet;
use crate::figure::code::snippet::Snippet;
use crate::figure::input::entry::Problem;
use crate::figure::input::key::{Key, Role};
use crate::figure::input::keys::Keys;
use crate::figure::input::kind::{DeepLink, KindDef, OpDef, Thumbnail, Use};
use crate::figure::input::value::{Choice, Expression, Flag};
use crate::figure::kinds::divide::main_facts;
use crate::figure::model::figure::{Figure, Panel, Swatch, Table};
use crate::figure::model::grid::{Cell, Fill, Mark, Scale};
use crate::figure::model::label::Label;
use serde_json::json;

pub(super) static DEF: KindDef = KindDef {
    name: "compose",
    doc: "A, B and `A o B`.",
    op: None,
    ops: &[OpDef {
        name: "",
        doc: "The composition, cell by cell.",
        keys: &[KEYS],
        build,
        example: "A = (4,8):(8,1)\nB = (2,4):(2,8)",
    }],
    thumbnail: Thumbnail::First,
    deep_links: &[DeepLink { word: "composition", op: None, keys: &[&A, &B] }],
};

static KEYS: &[Use] = &[
    Use::main(&A, "A = (4,8):(1,4)"),
    Use::required(&B, "B = 8:2"),
    Use::optional(&COMPLEMENT, "complement = yes"),
    Use::optional(&COLOR, "color = value"),
    Use::optional(&SHOW, "show = index"),
    Use::optional(&HIGHLIGHT, "highlight = (0,0)"),
    Use::optional(&FOLD, "fold = flat\nA = (2,3,4):(1,2,6)\nB = 2:1"),
];

static A: Key<Expression> = Key::new("A", Expression::ANY, "The outer layout.");

static B: Key<Expression> =
    Key::new("B", Expression::ANY, "What it is composed with: layout, tiler or shape.");

static COMPLEMENT: Key<Flag> =
    Key::new("complement", Flag, "Also draw the complement of B in A's size.");

static COLOR: Key<Choice<Color>> = Key::new(
    "color",
    Choice::of(&[("index", Color::Index), ("value", Color::Value), ("none", Color::None)]),
    "What the colors mean.",
)
.role(Role::Look);

/// What colours mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Color {
    Index,
    Value,
    None,
}

/// Builds the figure.
///
/// # Errors
/// Compositions that CuTe refuses, at `B`, with the values that a layout would need.
fn build(keys: &Keys<'_>) -> Result<Figure, Problem> {
    let a = keys.layout(&A)?;
    let b = keys.tiler(&B)?;
    let look = Look::read(keys)?;
    let color = keys.get(&COLOR);
    let at_a = |error: Diagnostic| keys.problem(&A, error);
    let at_b = |error: Diagnostic| keys.problem(&B, error);

    let inner = indices(a.domain(), &b).map_err(|error| at_b(error.into()))?;
    let composed =
        composition(&a, &b).map_err(|error| at_b(with_values(error.into(), &a, &inner)))?;
    let source = Reading::of(&a, None).map_err(at_a)?;
    let picks = Reading::plain(&inner).map_err(at_b)?;
    let result = Reading::of(&composed, None).map_err(at_b)?;
    let picked = look.picked(keys, composed.shape())?;
    let drawing = Drawing {
        look: &look,
        color,
        picked: &picked,
        links: Links::of(&source, &picks),
        source: &source,
        picks: &picks,
        result: &result,
    };
    let broken = match result.values() {
        Some(_) => drawing.first_break(),
        None => contract::composition(&a, &b, &composed),
    };
    let mut notes = Vec::new();
    let mut panels = vec![drawing.source(&mut notes), drawing.inner(&b, &mut notes)];
    let mut facts = main_facts(&result.printed(), &composed);
    facts.push("a", a.to_string());
    facts.push("b", b.to_string());
    if keys.get(&COMPLEMENT) {
        let (whole, rest) = rest_of(&a, &b).map_err(at_b)?;
        panels.push(drawing.tiles(&whole, &rest, &mut notes).map_err(at_b)?);
        facts.push("complement", rest.to_string());
    }
    panels.push(drawing.result(&mut notes));
    facts.push("contract", broken.is_none());
    if let Some(breach) = &broken {
        if let Breach::Composition { index, want, got } = breach {
            let object = json!({"index": index, "want": ints(want), "got": ints(got)});
            facts.push("first-break", object);
        }
        notes.push(Diagnostic::warning("contract", breach.to_string()));
    }
    if drawing.links.from.is_empty() {
        notes.push(unchecked(a.size().max(composed.size()), "cells of A are not linked"));
    }
    let past = drawing.links.past;
    if past > 0 {
        notes.push(Diagnostic::note(
            "out-of-range",
            format!(
                "{past} indices of B are out of bounds for A; CuTe extends the last mode of A there"
            ),
        ));
    }
    Snippet::cute("composition", &[Snippet::layout(&a), Snippet::tiler(&b)]).push(&mut facts);
    Ok(Figure {
        kind: "compose",
        title: format!("A o B = {composed}"),
        panels,
        tables: vec![step_table(&a, &b)],
        facts,
        notes,
        ..Figure::default()
    })
}

/// Returns B as a layout whose values are what A is asked for: one index for a layout, a coordinate
/// for a tiler that acts by mode.
fn indices(a: &Layout, tiler: &Tiler) -> CuteResult<Layout> {
    fn by_mode(mode: &Layout, tiler: &Tiler, path: &mut Vec<usize>) -> CuteResult<Layout> {
        let parts: Vec<Tiler> = match tiler {
            Tiler::Keep => return on_axis(&Layout::vector(mode.size(), 1)?, path),
            Tiler::Layout(layout) => return on_axis(layout, path),
            Tiler::Shape(Tree::Leaf(extent)) => {
                return on_axis(&Layout::vector(*extent, 1)?, path);
            }
            Tiler::Shape(Tree::Tuple(shapes)) => shapes.iter().cloned().map(Tiler::Shape).collect(),
            Tiler::Modes(modes) => modes.clone(),
        };
        let mut modes = Vec::new();
        for (i, (mode, part)) in mode.modes().iter().zip(&parts).enumerate() {
            path.push(i);
            modes.push(by_mode(mode, part, path)?);
            path.pop();
        }
        Layout::from_modes(modes)
    }
    by_mode(a, tiler, &mut Vec::new())
}

/// Makes the values of a layout steps along one mode; the empty path leaves them as they are.
fn on_axis(layout: &Layout, path: &[usize]) -> CuteResult<Layout> {
    if path.is_empty() || layout.has_basis() {
        return Ok(layout.clone());
    }
    let path = Path::new(path)?;
    let stride = layout.stride().map(&mut |leaf| StrideLeaf::Basis { value: leaf.value(), path });
    Layout::new(layout.shape().clone(), stride)
}

/// Adds to a refusal what the values would be.
fn with_values(error: Diagnostic, a: &AnyLayout, inner: &Layout) -> Diagnostic {
    const SHOWN: usize = 16;
    let Ok(values) = inner.values() else { return error };
    let found: Vec<String> = values
        .take(SHOWN)
        .map_while(|index| a.at(&index).ok())
        .map(|value| value.to_string())
        .collect();
    if found.is_empty() || error.hint.is_some() {
        return error;
    }
    let more = if inner.size() > 16 { ", ..." } else { "" };
    error.hint(format!("point by point, A(B(i)) is {}{more}", found.join(",")))
}

/// Returns B as one layout and its complement in the size of A.
fn rest_of(a: &AnyLayout, b: &Tiler) -> Result<(Layout, Layout), Diagnostic> {
    let whole = match b {
        Tiler::Layout(layout) => layout.clone(),
        Tiler::Shape(Tree::Leaf(extent)) => Layout::vector(*extent, 1)?,
        Tiler::Keep | Tiler::Shape(_) | Tiler::Modes(_) => {
            let text = format!("`{b}` acts by mode and has no complement as a whole");
            return Err(Diagnostic::error("complement", text)
                .hint("a `divide` figure shows what a tiler by mode leaves out"));
        }
    };
    let rest = complement(&whole, &Tree::Leaf(a.size()))?;
    Ok((whole, rest))
}

/// Writes how CuTe finds each mode of the result.
fn step_table(a: &AnyLayout, b: &Tiler) -> Table {
    let mut steps: Vec<(String, Step)> = Vec::new();
    collect_steps(a.domain(), b, "", &mut steps);
    let rows = steps.iter().take(TABLE_ROWS).map(|(at, step)| {
        let kept =
            step.taken.map_or("-".to_owned(), |mode| format!("{}:{}", mode.shape, mode.stride));
        vec![
            format!("{at}{}:{}", step.b.shape, step.b.stride),
            format!("{}:{}", step.a.shape, step.a.stride),
            step.stride.to_string(),
            step.rest.to_string(),
            kept,
        ]
    });
    Table {
        title: "how CuTe composes each mode of B with the modes of A".to_owned(),
        head: ["mode of B", "mode of A", "stride left", "still to place", "mode of the result"]
            .map(str::to_owned)
            .to_vec(),
        rows: rows.collect(),
        ..Table::default()
    }
}

fn collect_steps(a: &Layout, b: &Tiler, at: &str, steps: &mut Vec<(String, Step)>) {
    let parts: Vec<Tiler> = match b {
        Tiler::Keep => return,
        Tiler::Layout(layout) => {
            steps
                .extend(composition_steps(a, layout).into_iter().map(|step| (at.to_owned(), step)));
            return;
        }
        Tiler::Shape(Tree::Leaf(extent)) => {
            if let Ok(layout) = Layout::vector(*extent, 1) {
                collect_steps(a, &Tiler::Layout(layout), at, steps);
            }
            return;
        }
        Tiler::Shape(Tree::Tuple(shapes)) => shapes.iter().cloned().map(Tiler::Shape).collect(),
        Tiler::Modes(modes) => modes.clone(),
    };
    for (i, (mode, part)) in a.modes().iter().zip(&parts).enumerate() {
        let at =
            if at.is_empty() { format!("{i}: ") } else { format!("{}.{i}: ", &at[..at.len() - 2]) };
        collect_steps(mode, part, &at, steps);
    }
}

/// Where each index of B leads in A.
struct Links {
    /// For each index of A the first index of B that leads there.
    from: Vec<Option<usize>>,
    /// How many indices lead past the end of A.
    past: usize,
}

impl Links {
    fn of(source: &Reading, picks: &Reading) -> Self {
        if source.values().is_none() || picks.values().is_none() {
            return Self { from: Vec::new(), past: 0 };
        }
        let mut from = vec![None; source.size()];
        let mut past = 0;
        for index in 0..picks.size() {
            match place(source, picks, index).and_then(|place| from.get_mut(place)) {
                Some(first) => {
                    first.get_or_insert(index);
                }
                None => past += 1,
            }
        }
        Self { from, past }
    }
}

/// Returns the index of A that an index of B leads to; `None` past its end.
fn place(source: &Reading, picks: &Reading, index: usize) -> Option<usize> {
    let coord = picks.layout().at(&leaf(index)).ok()?;
    usize::try_from(linear(&coord, source.layout().shape())?).ok()
}

/// Returns the one-dimensional index of a coordinate that may leave modes out.
fn linear(coord: &IntTuple, shape: &IntTuple) -> Option<i64> {
    match (coord, shape) {
        (Tree::Leaf(at), shape) => {
            let size = shape.product().ok()?;
            (*at >= 0 && *at < size).then_some(*at)
        }
        (Tree::Tuple(coords), Tree::Tuple(shapes)) => {
            let (mut sum, mut weight) = (0_i64, 1_i64);
            for (i, shape) in shapes.iter().enumerate() {
                if let Some(coord) = coords.get(i) {
                    sum += linear(coord, shape)? * weight;
                }
                weight *= shape.product().ok()?;
            }
            Some(sum)
        }
        (Tree::Tuple(coords), shape) => match coords.as_slice() {
            [one] => linear(one, shape),
            _ => None,
        },
    }
}

struct Drawing<'a> {
    look: &'a Look,
    color: Color,
    picked: &'a Picked,
    links: Links,
    source: &'a Reading,
    picks: &'a Reading,
    result: &'a Reading,
}

impl Drawing<'_> {
    fn scale(&self) -> Scale {
        match self.color {
            Color::Index if self.result.size() <= usize::from(Fill::CATEGORIES) => Scale::Category,
            Color::Value => self.source.scale(),
            _ => Scale::Ramp,
        }
    }

    /// Returns the colour of index `index` of the result.
    fn fill(&self, index: usize) -> Fill {
        let int = |n: usize| i64::try_from(n).unwrap_or(i64::MAX);
        match (self.color, self.scale()) {
            (Color::Index, Scale::Category) => {
                Fill::tile(u32::try_from(index).unwrap_or(0), u32::from(Fill::CATEGORIES))
            }
            (Color::Index, Scale::Ramp) => Fill::ramp(int(index), 0, int(self.result.size()) - 1),
            (Color::Value, _) => place(self.source, self.picks, index)
                .map_or(Fill::Blank, |place| self.source.fill(place)),
            (Color::None, _) => Fill::Blank,
        }
    }

    /// Returns `A(B(i))` and what the result has instead, where they differ.
    fn broken(&self, index: usize) -> Option<(IntTuple, IntTuple)> {
        let got = self.result.layout().at(&leaf(index)).ok()?;
        let at = self.picks.layout().at(&leaf(index)).ok()?;
        let want = self.source.layout().at(&fitted(&at, self.source.layout().shape())).ok()?;
        (!got.same_value(&want)).then_some((want, got))
    }

    fn first_break(&self) -> Option<Breach> {
        (0..self.result.size()).find_map(|index| {
            let (want, got) = self.broken(index)?;
            Some(Breach::Composition { index: i64::try_from(index).ok()?, want, got })
        })
    }

    fn owner(index: usize) -> Option<u32> {
        u32::try_from(index).ok()
    }

    fn source(&self, notes: &mut Vec<Diagnostic>) -> Panel {
        let shape = self.source.layout().shape();
        let sheet = Sheet::of("A", shape, self.look.fold, room(4));
        notes.extend(sheet.notes.iter().cloned());
        let cell = |place: usize| match self.links.from.get(place).copied().flatten() {
            Some(index) => Cell {
                fill: self.fill(index),
                owner: Self::owner(index),
                mark: self.picked.mark(index, Mark::None),
                faded: false,
            },
            None => {
                let linked = !self.links.from.is_empty();
                Cell { faded: linked && self.color != Color::None, ..Cell::default() }
            }
        };
        let body = self.look.body(&sheet, self.source, self.scale(), &cell);
        let panel = Panel::new("A", body).layout(self.source.printed());
        let missed = self.links.from.iter().any(Option::is_none);
        if missed && self.color != Color::None {
            panel.legend(Swatch::Faded, "B does not lead here")
        } else {
            panel
        }
    }

    fn inner(&self, b: &Tiler, notes: &mut Vec<Diagnostic>) -> Panel {
        let shape = self.picks.layout().shape();
        let sheet = Sheet::of("B", shape, self.look.fold, room(4));
        notes.extend(sheet.notes.iter().cloned());
        let cell = |index: usize| Cell {
            fill: self.fill(index),
            owner: Self::owner(index),
            mark: self.picked.mark(
                index,
                match place(self.source, self.picks, index) {
                    Some(_) => Mark::None,
                    None => Mark::Outside,
                },
            ),
            faded: false,
        };
        let body = self.look.body(&sheet, self.picks, self.scale(), &cell);
        let panel = Panel::new("B", body).layout(b);
        let panel = panel.caption(if self.picks.has_offsets() {
            "labels: the index that A is asked for"
        } else {
            "labels: the coordinate that A is asked for"
        });
        if self.links.past > 0 {
            return panel.legend(Swatch::Mark(Mark::Outside), "past the end of A");
        }
        panel
    }

    /// Draws B and its complement: one column for each tile, the first of them B itself.
    fn tiles(
        &self,
        whole: &Layout,
        rest: &Layout,
        notes: &mut Vec<Diagnostic>,
    ) -> Result<Panel, Diagnostic> {
        let both = Layout::from_modes([whole.clone(), rest.clone()])?;
        let reading = Reading::plain(&both)?;
        let sheet = Sheet::of("B and its complement", both.shape(), self.look.fold, room(4));
        notes.extend(sheet.notes.iter().cloned());
        let first = usize::try_from(whole.size()).unwrap_or(usize::MAX);
        let cell = |index: usize| {
            if index < first {
                Cell {
                    fill: self.fill(index),
                    owner: Self::owner(index),
                    mark: Mark::Picked,
                    faded: false,
                }
            } else {
                Cell::default()
            }
        };
        let body = self.look.body(&sheet, &reading, self.scale(), &cell);
        let panel = Panel::new("(B, complement)", body).layout(&both);
        let text = format!("the first tile, B itself; {rest} says where the others start");
        Ok(panel.legend(Swatch::Mark(Mark::Picked), text))
    }

    fn result(&self, notes: &mut Vec<Diagnostic>) -> Panel {
        let shape = self.result.layout().shape();
        let sheet = Sheet::of("A o B", shape, self.look.fold, room(4));
        notes.extend(sheet.notes.iter().cloned());
        let failing: Vec<Option<(IntTuple, IntTuple)>> = match self.result.values() {
            Some(_) if self.result.size() <= room(4) => {
                (0..self.result.size()).map(|index| self.broken(index)).collect()
            }
            _ => Vec::new(),
        };
        let fails = |index: usize| failing.get(index).and_then(Option::as_ref);
        let cell = |index: usize| Cell {
            fill: self.fill(index),
            owner: Self::owner(index),
            mark: self
                .picked
                .mark(index, if fails(index).is_some() { Mark::Failing } else { Mark::None }),
            faded: false,
        };
        let body = if failing.iter().any(Option::is_some) {
            let label = |index: usize| match fails(index) {
                Some((want, got)) => {
                    let lines = [Label::text(format!("{got}")), Label::text(format!("not {want}"))];
                    Label::Lines(Box::new(lines))
                }
                None => self.result.label(index),
            };
            sheet.draw(self.scale(), &cell, &[("value", &label)])
        } else {
            self.look.body(&sheet, self.result, self.scale(), &cell)
        };
        let mut panel = Panel::new("A o B", body).layout(self.result.printed());
        panel = match self.color {
            Color::Index => panel.legend(
                Swatch::Scale(self.scale()),
                format!(
                    "index i, 0 to {}: the same in B, in A at B(i), and here",
                    self.result.size() - 1
                ),
            ),
            Color::Value => panel.legend(Swatch::Scale(self.scale()), self.source.fill_meaning()),
            Color::None => panel,
        };
        if failing.iter().any(Option::is_some) {
            panel = panel.legend(
                Swatch::Mark(Mark::Failing),
                "not A(B(i)): what CuTe's layout gives, and what A(B(i)) is",
            );
        }
        self.look.label_legend(self.picked.legend(panel))
    }
}

/// Completes a coordinate with zeros for the modes that it leaves out.
fn fitted(coord: &IntTuple, shape: &IntTuple) -> IntTuple {
    match (coord, shape) {
        (Tree::Tuple(coords), Tree::Tuple(shapes)) => {
            let zero = Tree::Leaf(0);
            let modes = shapes.iter().enumerate();
            Tree::Tuple(modes.map(|(i, s)| fitted(coords.get(i).unwrap_or(&zero), s)).collect())
        }
        (Tree::Tuple(coords), shape) => match coords.as_slice() {
            [one] => fitted(one, shape),
            _ => coord.clone(),
        },
        _ => coord.clone(),
    }
}
