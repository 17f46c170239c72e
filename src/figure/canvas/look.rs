//! The keys that say how a figure of the algebra looks, not what it computes.
//!
//! In: `show`, `highlight`, `fold`. Out: one [`Look`]. Invariant: a coordinate that the figure does not
//! have is refused at its place.

use crate::cute::index::wide;
use crate::cute::int_tuple::idx2crd;
use crate::cute::{Coord, CoordItem, IntTuple, Shape, Tree};
use crate::diagnostic::Diagnostic;
use crate::expr::Value;
use crate::figure::canvas::limits::{CELLS_DRAWN, CELLS_SEARCHED};
use crate::figure::canvas::reading::{Reading, leaf};
use crate::figure::canvas::sheet::{Fold, Sheet};
use crate::figure::input::entry::Problem;
use crate::figure::input::key::{Key, Role};
use crate::figure::input::keys::Keys;
use crate::figure::input::value::{Choice, Expression, Several};
use crate::figure::model::figure::{Body, Panel, Swatch};
use crate::figure::model::grid::Scale;
use crate::figure::model::grid::{Cell, Mark};
use crate::figure::model::label::Label;

/// What the labels of cells are.
pub static SHOW: Key<Several<Show>> = Key::new(
    "show",
    Several(&[
        ("value", Show::Value),
        ("index", Show::Index),
        ("coord", Show::Coord),
        ("offset", Show::Value),
    ]),
    "What the labels of the cells are; the page switches between several.",
)
.role(Role::Look);

/// Cells to point out.
pub static HIGHLIGHT: Key<Expression> = Key::new(
    "highlight",
    Expression::ANY,
    "The cells to point out: a coordinate, `_` for every index of a mode.",
)
.role(Role::Look);

/// How more than two modes are drawn.
pub static FOLD: Key<Choice<Fold>> = Key::new(
    "fold",
    Choice::of(&[("slices", Fold::Slices), ("flat", Fold::Flat)]),
    "How more than two modes are drawn: a slice each, or folded into a grid.",
)
.role(Role::Look);

/// How the figure looks.
#[derive(Clone, Debug)]
pub struct Look {
    /// The sets of labels; the first is shown.
    pub show: Vec<Show>,
    /// The cells to point out.
    pub highlight: Option<Coord>,
    /// How more than two modes are drawn.
    pub fold: Fold,
}

/// What a label says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Show {
    /// The value of the layout.
    Value,
    /// The one-dimensional index.
    Index,
    /// The coordinate.
    Coord,
}

impl Look {
    /// Reads the keys.
    ///
    /// # Errors
    /// Labels that such a figure does not have.
    pub fn read(keys: &Keys<'_>) -> Result<Self, Problem> {
        Ok(Self {
            show: keys.get(&SHOW),
            highlight: keys.read(&HIGHLIGHT, Value::to_coord)?,
            fold: keys.get(&FOLD),
        })
    }

    /// Returns the cells that the author points out in a shape.
    ///
    /// # Errors
    /// A coordinate that covers no cell.
    pub fn picked(&self, keys: &Keys<'_>, shape: &Shape) -> Result<Picked, Problem> {
        let picked = Picked { wanted: self.highlight.clone(), shape: shape.clone() };
        let size = shape.product().unwrap_or(i64::MAX);
        if let Some(wanted) = &self.highlight {
            let fits = match wanted.to_ints() {
                // One cell: of a large shape, too, it is found without a search.
                Some(coord) => in_range(&coord, shape),
                None => size > CELLS_SEARCHED || (0..size).any(|i| picked.covers_index(i)),
            };
            if !fits {
                let text = format!("`{wanted}` is not a coordinate of the shape `{shape}`");
                let diagnostic = Diagnostic::error("highlight", text)
                    .hint("write one entry a mode, `_` for all of it, e.g. `(_,0)`");
                return Err(keys.problem(&HIGHLIGHT, diagnostic));
            }
        }
        Ok(picked)
    }

    /// Draws a panel of a reading with this look's labels.
    #[must_use]
    pub fn body(
        &self,
        sheet: &Sheet,
        reading: &Reading,
        scale: Scale,
        cell: &dyn Fn(usize) -> Cell,
    ) -> Body {
        let value = |index: usize| reading.label(index);
        let number = |index: usize| Label::index(index);
        let coord = |index: usize| reading.coord_label(index);
        let layers: Vec<crate::figure::canvas::sheet::Labels<'_>> = self
            .show
            .iter()
            .map(|show| -> crate::figure::canvas::sheet::Labels<'_> {
                match show {
                    Show::Value => ("value", &value),
                    Show::Index => ("index", &number),
                    Show::Coord => ("coord", &coord),
                }
            })
            .collect();
        sheet.draw(scale, cell, &layers)
    }

    /// Says in a panel's legend what the labels are, unless they are values.
    #[must_use]
    pub fn label_legend(&self, panel: Panel) -> Panel {
        match self.show.first() {
            Some(Show::Index) => panel.legend(Swatch::Text, "labels: index"),
            Some(Show::Coord) => panel.legend(Swatch::Text, "labels: coordinate"),
            Some(Show::Value) | None => panel,
        }
    }
}

/// The room for one of `panels` panels.
#[must_use]
pub const fn room(panels: usize) -> usize {
    CELLS_DRAWN / if panels == 0 { 1 } else { panels }
}

/// The cells that the author points out.
#[derive(Clone, Debug)]
pub struct Picked {
    wanted: Option<Coord>,
    shape: Shape,
}

impl Picked {
    /// Returns whether a cell is one of them.
    #[must_use]
    pub fn has(&self, index: usize) -> bool {
        self.wanted.is_some() && self.covers_index(wide(index))
    }

    /// Returns the mark of a cell: picked, or `otherwise`.
    #[must_use]
    pub fn mark(&self, index: usize, otherwise: Mark) -> Mark {
        if self.has(index) { Mark::Picked } else { otherwise }
    }

    /// Adds what the marks mean to a legend.
    #[must_use]
    pub fn legend(&self, panel: Panel) -> Panel {
        match &self.wanted {
            Some(wanted) => {
                panel.legend(Swatch::Mark(Mark::Picked), format!("highlighted: {wanted}"))
            }
            None => panel,
        }
    }

    /// Returns whether anything is pointed out.
    #[must_use]
    pub const fn any(&self) -> bool {
        self.wanted.is_some()
    }

    fn covers_index(&self, index: i64) -> bool {
        match (&self.wanted, idx2crd(&IntTuple::Leaf(index), &self.shape)) {
            (Some(wanted), Ok(coord)) => covers(wanted, &coord, &self.shape),
            _ => false,
        }
    }
}

/// Returns whether `wanted`, in which `_` stands for everything and an integer may stand for a
/// nested coordinate, covers `coord` of `shape`.
fn covers(wanted: &Coord, coord: &IntTuple, shape: &Shape) -> bool {
    match (wanted, coord, shape) {
        (Tree::Leaf(CoordItem::All), _, _) => true,
        (Tree::Leaf(CoordItem::At(wanted)), Tree::Leaf(coord), _) => wanted == coord,
        (Tree::Leaf(CoordItem::At(wanted)), tuple @ Tree::Tuple(_), shape) => {
            idx2crd(&IntTuple::Leaf(*wanted), shape).is_ok_and(|split| split == *tuple)
        }
        (Tree::Tuple(wanted), Tree::Tuple(coords), Tree::Tuple(shapes)) => {
            wanted.len() == coords.len()
                && wanted.iter().zip(coords).zip(shapes).all(|((w, c), s)| covers(w, c, s))
        }
        (Tree::Tuple(wanted), coord, shape) => match wanted.as_slice() {
            [one] => covers(one, coord, shape),
            _ => false,
        },
    }
}

fn in_range(coord: &IntTuple, shape: &Shape) -> bool {
    match (coord, shape) {
        (Tree::Leaf(at), shape) => *at >= 0 && shape.product().is_ok_and(|size| *at < size),
        (Tree::Tuple(at), Tree::Tuple(shapes)) => {
            at.len() == shapes.len() && at.iter().zip(shapes).all(|(a, s)| in_range(a, s))
        }
        (Tree::Tuple(at), shape) => matches!(at.as_slice(), [one] if in_range(one, shape)),
    }
}

/// Returns the coordinate of an index as text.
#[must_use]
pub fn coord_text(index: usize, shape: &Shape) -> String {
    idx2crd(&leaf(index), shape).map_or_else(|_| index.to_string(), |coord| coord.to_string())
}
