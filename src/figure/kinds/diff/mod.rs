//! Kind `diff`: two layouts side by side, and where they differ as functions of the index.
//!
//! In: layouts or tensors `A` and `B` of one size; their ranks may differ. Out: both as grids with the
//! same index linked and differing cells marked; whether they are equal and reach the same offsets.
//! Invariant: cells are compared by index, so a coordinate is one of the layout that it is printed for.

use crate::cute::AnyLayout;
use crate::cute::index::{narrow, wide};
use crate::diagnostic::Diagnostic;
use crate::expr::Value;
use crate::expr::report::ints;
use crate::figure::canvas::look::{FOLD, HIGHLIGHT, Look, Picked, SHOW, coord_text, room};
use crate::figure::canvas::panel::Sketch;
use crate::figure::canvas::reading::{Reading, tensor_of, unchecked};
use crate::figure::input::entry::Problem;
use crate::figure::input::key::{Key, Role};
use crate::figure::input::keys::Keys;
use crate::figure::input::kind::{KindDef, OpDef, Thumbnail, Use};
use crate::figure::input::value::{Choice, Expression};
use crate::figure::model::facts::Facts;
use crate::figure::model::figure::{Figure, Panel, Swatch};
use crate::figure::model::grid::{Cell, Fill, Mark, Scale};
use serde_json::json;
use std::collections::BTreeSet;

pub(super) static DEF: KindDef = KindDef {
    name: "diff",
    doc: "Two layouts of one size, and where they differ.",
    op: None,
    ops: &[OpDef {
        name: "",
        doc: "Both layouts with the cells that differ.",
        keys: &[KEYS],
        build,
        example: "A = (4,8):(8,1)\nB = S<1,0,3> o 0 o (4,8):(8,1)",
    }],
    thumbnail: Thumbnail::Result,
    deep_links: &[],
};

static KEYS: &[Use] = &[
    Use::main(&A, "A = (4,8):(1,4)"),
    Use::required(&B, "B = 32:1"),
    Use::optional(&COLOR, "color = difference"),
    Use::optional(&SHOW, "show = index"),
    Use::optional(&HIGHLIGHT, "highlight = (0,0)"),
    Use::optional(&FOLD, "fold = flat\nA = (2,4,4):(1,2,8)"),
];

static A: Key<Expression> = Key::new("A", Expression::ANY, "The first layout or tensor.");

static B: Key<Expression> =
    Key::new("B", Expression::ANY, "The one that it is compared with, of the same size.");

/// What colors mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Color {
    Value,
    Difference,
    None,
}

static COLOR: Key<Choice<Color>> = Key::new(
    "color",
    Choice::of(&[
        ("value", Color::Value),
        ("difference", Color::Difference),
        ("none", Color::None),
    ]),
    "What the colors mean.",
)
.role(Role::Look);

/// One side of the comparison.
struct Side {
    name: &'static str,
    layout: AnyLayout,
    reading: Reading,
}

/// Builds the figure.
///
/// # Errors
/// Layouts of different sizes, or of offsets and of coordinates, at `B`; values that are no layout.
fn build(keys: &Keys<'_>) -> Result<Figure, Problem> {
    let (a, b) = (Side::read(keys, "A", &A)?, Side::read(keys, "B", &B)?);
    if a.layout.size() != b.layout.size() {
        let text = format!(
            "A has {} coordinates and B {}: only layouts of one size are compared",
            a.layout.size(),
            b.layout.size()
        );
        return Err(keys.problem(&B, Diagnostic::error("size", text)));
    }
    if a.layout.domain().has_basis() != b.layout.domain().has_basis() {
        let text =
            "one layout gives offsets and the other coordinates: they have no value in common";
        return Err(keys.problem(&B, Diagnostic::error("type", text)));
    }
    let look = Look::read(keys)?;
    let picked = look.picked(keys, a.layout.shape())?;
    let compared = Compared::of(&a.reading, &b.reading);
    let drawing = Drawing {
        look: &look,
        picked: &picked,
        color: keys.get(&COLOR),
        compared: compared.as_ref(),
    };
    let mut notes = Vec::new();
    let panels = [&a, &b].map(|side| drawing.panel(side, &mut notes)).to_vec();
    let mut facts = Facts::default();
    facts.push("size", a.layout.size());
    match &compared {
        Some(compared) => compared.facts(&a, &b, &mut facts),
        None => notes.push(unchecked(a.layout.size(), "they are not compared")),
    }
    Ok(Figure {
        kind: "diff",
        title: match &compared {
            Some(compared) if compared.count == 0 => "A and B are equal".to_owned(),
            Some(compared) => format!(
                "A and B differ at {} of {} indices",
                compared.count,
                compared.differs.len()
            ),
            None => "A and B".to_owned(),
        },
        panels,
        facts,
        notes,
        ..Figure::default()
    })
}

impl Side {
    fn read(
        keys: &Keys<'_>,
        name: &'static str,
        key: &'static Key<Expression>,
    ) -> Result<Self, Problem> {
        let (layout, offset) = keys.need(key, |value: &Value| tensor_of(value))?;
        let reading = Reading::of(&layout, offset.as_ref());
        let reading = reading.map_err(|error| keys.problem(key, error))?;
        Ok(Self { name, layout, reading })
    }
}

/// Where two layouts differ.
struct Compared {
    /// Whether they do, for each index.
    differs: Vec<bool>,
    count: usize,
    same_image: bool,
}

impl Compared {
    /// Compares every index; none where there are too many to follow.
    fn of(a: &Reading, b: &Reading) -> Option<Self> {
        (a.values().is_some() && b.values().is_some()).then(|| {
            let differs: Vec<bool> =
                (0..a.size()).map(|index| a.shifted(index) != b.shifted(index)).collect();
            let image = |reading: &Reading| -> BTreeSet<Vec<i64>> {
                (0..reading.size()).map(|index| reading.shifted(index)).collect()
            };
            Self {
                count: differs.iter().filter(|differs| **differs).count(),
                differs,
                same_image: image(a) == image(b),
            }
        })
    }

    fn facts(&self, a: &Side, b: &Side, facts: &mut Facts) {
        facts.push("equal", self.count == 0);
        facts.push_as("same-image", "reach the same offsets", self.same_image);
        facts.push("differences", self.count);
        if let Some(index) = self.differs.iter().position(|differs| *differs) {
            let value = |side: &Side| side.reading.value(index).map(|value| ints(&value));
            facts.push(
                "first-difference",
                json!({
                    "index": index,
                    "coord": coord_text(index, a.layout.shape()),
                    "a": value(a),
                    "b": value(b),
                }),
            );
        }
    }
}

struct Drawing<'a> {
    look: &'a Look,
    picked: &'a Picked,
    color: Color,
    compared: Option<&'a Compared>,
}

impl Drawing<'_> {
    fn panel(&self, side: &Side, notes: &mut Vec<Diagnostic>) -> Panel {
        let differing = Fill::numbered(0, 1);
        let cell = |index: usize| {
            let differs = self.differs(index);
            let fill = match self.color {
                Color::Value => side.reading.fill(index),
                Color::Difference if differs => differing,
                Color::Difference | Color::None => Fill::Blank,
            };
            let mark = self.picked.mark(index, if differs { Mark::Failing } else { Mark::None });
            Cell { fill, owner: narrow(wide(index)), mark, ..Cell::default() }
        };
        let scale = match self.color {
            Color::Value => side.reading.scale(),
            Color::Difference | Color::None => Scale::Category,
        };
        let sketch = Sketch::of(side.name, &side.reading, self.look).room(room(2)).scale(scale);
        let sketch = match self.color {
            Color::Value => sketch.color_legend(Some(side.reading.fill_meaning())),
            Color::Difference => {
                sketch.legend_if(self.any(), Swatch::Fill(scale, differing), "differs")
            }
            Color::None => sketch,
        };
        let failing = "has another value in the other layout at this index";
        sketch
            .legend_if(self.any(), Swatch::Mark(Mark::Failing), failing)
            .highlight_legend(self.picked)
            .label_legend()
            .draw(&cell, notes)
    }

    fn differs(&self, index: usize) -> bool {
        self.compared.is_some_and(|compared| compared.differs.get(index) == Some(&true))
    }

    fn any(&self) -> bool {
        self.compared.is_some_and(|compared| compared.count > 0)
    }
}
