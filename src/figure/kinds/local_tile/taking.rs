//! What `local_tile` and `local_partition` share: A is cut, something is picked, and both are drawn.
//!
//! In: `A`, `proj`, the look; the tiler and what picks from A as it is cut. Out: [`Taken`], and the
//! panels of A and of the result. Invariant: indices go through the same steps as offsets do, so that
//! each cell of the result knows the element of A that it is.

use super::keys::{A, Color, PROJ, TILER};
use crate::cute::algebra::{Form, contract, zipped_divide};
use crate::cute::{AnyLayout, Coord, Layout, Tensor, Tiler};
use crate::diagnostic::{Diagnostic, Level};
use crate::expr::Value;
use crate::expr::report::ints;
use crate::figure::canvas::look::{Look, Picked, room};
use crate::figure::canvas::panel::Sketch;
use crate::figure::canvas::reading::{Reading, leaf, tensor_of, unchecked};
use crate::figure::canvas::tiling::Tiling;
use crate::figure::code::snippet::Snippet;
use crate::figure::input::entry::Problem;
use crate::figure::input::key::{Key, KeyDef};
use crate::figure::input::keys::Keys;
use crate::figure::input::value::Choice;
use crate::figure::model::facts::Facts;
use crate::figure::model::figure::{Panel, Swatch};
use crate::figure::model::grid::{Cell, Fill, Mark, Scale};

/// What both operations start from.
pub(super) struct Taking<'k, 'a> {
    pub(super) keys: &'k Keys<'a>,
    pub(super) look: Look,
    pub(super) color: Color,
    /// A.
    pub(super) source: Reading,
    tensor: Tensor,
    pub(super) proj: Option<Coord>,
}

/// What was taken.
pub(super) struct Taken {
    /// A cut by `zipped_divide`.
    pub(super) zipped: AnyLayout,
    pub(super) result: Tensor,
    pub(super) reading: Reading,
    pub(super) tiling: Option<Tiling>,
    /// For each index of the result the index in each cut mode of A.
    places: Option<Reading>,
    picked: Picked,
    pub(super) notes: Vec<Diagnostic>,
}

/// The color and the owner of an element of A that is taken.
pub(super) type Owned = (Fill, u32);

impl<'k, 'a> Taking<'k, 'a> {
    pub(super) fn read(keys: &'k Keys<'a>, color: &Key<Choice<Color>>) -> Result<Self, Problem> {
        let (layout, base) = keys.need(&A, tensor_of)?;
        let zero = layout.at(&leaf(0)).map_err(|error| keys.problem(&A, error.into()))?;
        let offset = base.clone().unwrap_or_else(|| zero.map(&mut |_| 0));
        let source = Reading::of(&layout, base.as_ref());
        Ok(Self {
            keys,
            look: Look::read(keys)?,
            color: keys.get(color),
            source: source.map_err(|error| keys.problem(&A, error))?,
            tensor: Tensor { offset, layout },
            proj: keys.read(&PROJ, projection)?,
        })
    }

    pub(super) fn refused(&self, key: &dyn KeyDef, error: impl Into<Diagnostic>) -> Problem {
        self.keys.problem(key, error.into())
    }

    /// Cuts A, picks from it with `pick`, and follows the indices through the same steps.
    pub(super) fn take(
        &self,
        tiler: &Tiler,
        key: &dyn KeyDef,
        pick: &dyn Fn(&Tensor) -> crate::cute::Result<Tensor>,
    ) -> Result<Taken, Problem> {
        let layout = &self.tensor.layout;
        let zipped = zipped_divide(layout, tiler).map_err(|e| self.refused(&TILER, e))?;
        let cut = Tensor { offset: self.tensor.offset.clone(), layout: zipped.clone() };
        let result = pick(&cut).map_err(|e| self.refused(key, e))?;
        let reading = Reading::of(&result.layout, Some(&result.offset))
            .map_err(|error| self.refused(key, error))?;
        let picked = self.look.picked(self.keys, result.layout.shape())?;
        let mut notes = Vec::new();
        let tiling = match Tiling::of(layout.domain(), tiler, Form::Zipped) {
            Ok(tiling) => Some(tiling),
            Err(note) if note.level == Level::Note => {
                notes.push(note);
                None
            }
            Err(error) => return Err(self.refused(&TILER, error)),
        };
        notes.extend(contract::kept_modes(tiler).map(Diagnostic::from));
        let places = match &tiling {
            Some(tiling) => self.places(tiling, key, pick)?,
            None => None,
        };
        let places = places.filter(|places| places.size() == reading.size());
        let mut taken = Taken { zipped, result, reading, tiling, places, picked, notes };
        let outside = taken.followed().filter(|&index| taken.is_outside(index)).count();
        if outside > 0 {
            let text = format!(
                "{outside} of {} coordinates of the result lie past the end of A; a kernel needs a predicate for them",
                taken.reading.size()
            );
            taken.notes.push(Diagnostic::note("out-of-range", text));
        }
        Ok(taken)
    }

    /// Picks from the indices of A as from its offsets.
    fn places(
        &self,
        tiling: &Tiling,
        key: &dyn KeyDef,
        pick: &dyn Fn(&Tensor) -> crate::cute::Result<Tensor>,
    ) -> Result<Option<Reading>, Problem> {
        let layout = tiling.places().clone();
        let offset = layout.at(&leaf(0)).map_err(|e| self.refused(key, e))?.map(&mut |_| 0);
        let Ok(index) = pick(&Tensor { offset, layout }) else { return Ok(None) };
        let places = Reading::of(&index.layout, Some(&index.offset));
        places.map(Some).map_err(|error| self.refused(key, error))
    }

    /// CuTe cuts tensors here; a layout alone is one that counts from 0.
    pub(super) fn operand(&self) -> Snippet {
        Snippet::tensor(&self.tensor)
    }

    fn cell(&self, owned: Option<Owned>, mark: Mark) -> Cell {
        let fill = match (self.color, owned) {
            (Color::Owner, Some((fill, _))) => fill,
            (Color::Owner | Color::None, _) => Fill::Blank,
        };
        Cell { fill, owner: owned.map(|(_, owner)| owner), mark, faded: false }
    }

    /// Draws A: the elements that `owned` knows in their colors, the others faded; highlighted ones and
    /// those that are `marked` stand out.
    pub(super) fn panel_a(
        &self,
        taken: &Taken,
        owned: &dyn Fn(usize) -> Option<Owned>,
        mut marked: Vec<bool>,
        notes: &mut Vec<Diagnostic>,
    ) -> Panel {
        let unlit = taken.picked.any() && self.source.values().is_none();
        if taken.picked.any() && !unlit {
            marked.resize(self.source.size(), false);
            for index in taken.followed().filter(|&index| taken.picked.has(index)) {
                if let Some(lit) = taken.place(index).and_then(|place| marked.get_mut(place)) {
                    *lit = true;
                }
            }
        }
        let cell = |place: usize| {
            let lit = marked.get(place) == Some(&true);
            let owned = owned(place);
            let cell = self.cell(owned, if lit { Mark::Picked } else { Mark::None });
            Cell { faded: owned.is_none(), ..cell }
        };
        let panel = Sketch::of("A", &self.source, &self.look)
            .room(room(2))
            .scale(Scale::Category)
            .label_legend()
            .draw(&cell, notes);
        if unlit {
            let size = self.source.layout().size();
            notes.push(unchecked(size, "the highlight is not shown in A"));
        }
        panel
    }

    pub(super) fn panel_result(
        &self,
        name: &str,
        taken: &Taken,
        owned: &dyn Fn(usize) -> Option<Owned>,
        notes: &mut Vec<Diagnostic>,
    ) -> Panel {
        let cell = |index: usize| {
            let mark = if taken.is_outside(index) { Mark::Outside } else { Mark::None };
            let mark = taken.picked.mark(index, mark);
            self.cell(taken.place(index).and_then(owned), mark)
        };
        let outside = taken.followed().any(|index| taken.is_outside(index));
        Sketch::of("result", &taken.reading, &self.look)
            .title(name)
            .room(room(2))
            .scale(Scale::Category)
            .layout(&taken.result.layout)
            .caption(format!("base offset {}, which the labels include", taken.result.offset))
            .legend_if(outside, Swatch::Mark(Mark::Outside), "past the end of A")
            .highlight_legend(&taken.picked)
            .label_legend()
            .draw(&cell, notes)
    }
}

/// Reads `(1,X,1)` or `<1,X,1>`.
fn projection(value: &Value) -> Result<Coord, Diagnostic> {
    match value {
        Value::Tiler(tiler) => tiler.to_coord().ok_or_else(|| value.mismatch("a projection")),
        value => value.to_coord(),
    }
}

impl Taken {
    /// Returns the index of A of an index of the result; `None` past its end.
    pub(super) fn place(&self, index: usize) -> Option<usize> {
        self.tiling.as_ref()?.place_of(&self.places.as_ref()?.shifted(index))
    }

    fn is_outside(&self, index: usize) -> bool {
        self.places.is_some() && self.place(index).is_none()
    }

    /// Visits the indices of the result, unless there are too many to follow.
    pub(super) fn followed(&self) -> std::ops::Range<usize> {
        0..self.reading.walked().unwrap_or(0)
    }

    /// Returns the facts of the result and of what it was taken from.
    pub(super) fn facts(&self) -> Facts {
        let layout = &self.result.layout;
        let modes = self.zipped.domain().modes();
        let mut facts = Facts::default();
        facts.push_result(layout, layout);
        facts.push("offset", ints(&self.result.offset));
        facts.push_some("tile", modes.first().map(Layout::to_string));
        facts.push_some("rest", modes.get(1).map(Layout::to_string));
        facts
    }
}
