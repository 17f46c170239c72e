//! Tiled copies over their tile: colour by thread, lightness by invocation of the atom.
//!
//! In: a tiled copy. Out: a SRC and a DST pane over the tile, and the checks that CuTe documents and
//! does not enforce: the TV layout fills the tile, one atom's values are neighbours, its size fits.

use super::keys::{FROM, PANES, Panes, THR, TO, TV, VAL};
use super::owners::{Owner, Owners};
use super::{badge, snippet, tiled_copy};
use crate::cute::algebra::{raked_product, right_inverse};
use crate::cute::index::{capped, wide};
use crate::cute::{Layout, Result as CuteResult};
use crate::diagnostic::Diagnostic;
use crate::expr::Value;
use crate::figure::input::entry::Problem;
use crate::figure::input::keys::Keys;
use crate::figure::model::facts::Facts;
use crate::figure::model::figure::{Arrangement, Figure, Panel, Swatch};
use crate::figure::model::grid::{Fill, Grid, Mark};
use crate::hardware::copy::{Side, TiledCopy, print_tiler};

/// Draws a tiled copy.
///
/// # Errors
/// What CuTe refuses.
pub(super) fn build(keys: &Keys<'_>, follows: Option<Side>) -> Result<Figure, Problem> {
    let copy = tiled_copy(keys, follows)?;
    let refuse = |error: crate::cute::Error| keys.problem(&TV, error.into());
    let checks = Checks::of(&copy).map_err(refuse)?;
    let mut figure = Figure {
        kind: "copy",
        title: format!(
            "{} tiled over {} threads on {}",
            copy.atom().short,
            copy.threads(),
            print_tiler(copy.tiler())
        ),
        arrangement: Arrangement::Arrows,
        notes: checks.notes(&copy),
        ..Figure::default()
    };
    figure.notes.extend(compactness(keys)?);
    let panes = keys.get(&PANES);
    let same =
        copy.side_tv(Side::Source) == copy.side_tv(Side::Destination) && panes == Panes::Both;
    for side in [Side::Source, Side::Destination] {
        let (name, key, end) = match side {
            Side::Source => ("SRC", &FROM, copy.atom().from),
            Side::Destination => ("DST", &TO, copy.atom().to),
        };
        if !panes.has(side) {
            continue;
        }
        if same && side == Side::Destination {
            continue;
        }
        let (grid, owners) = pane(&copy, side);
        let mut panel = Panel::grid(if same { "SRC and DST" } else { name }, grid)
            .layout(copy.side_tv(side))
            .unit("elements")
            .legend(
                Swatch::Text,
                "T thread, V value; colour: thread; lightness: invocation of the atom",
            );
        panel.badge = if same { None } else { badge(keys, key, end) };
        if owners.shared() > 0 {
            panel =
                panel.legend(Swatch::Mark(Mark::Twice), "several owners (broadcast or overlap)");
        }
        if owners.holes() > 0 {
            panel = panel.legend(Swatch::Mark(Mark::Hole), "nobody's");
        }
        figure.notes.extend(owners.cut_note());
        figure.panels.push(panel);
    }
    facts(keys, &mut figure.facts, (&copy, follows), &checks)?;
    Ok(figure)
}

fn facts(
    keys: &Keys<'_>,
    facts: &mut Facts,
    (copy, follows): (&TiledCopy, Option<Side>),
    checks: &Checks,
) -> Result<(), Problem> {
    facts.push_text("atom", &copy.atom().name);
    facts.push("tiler", print_tiler(copy.tiler()));
    facts.push("threads", copy.threads());
    facts.push_text("tv", copy.tv());
    let refuse = |error: crate::cute::Error| keys.problem(&THR, error.into());
    if let (Some(thr), Some(val)) =
        (keys.read(&THR, Value::to_plain)?, keys.read(&VAL, Value::to_plain)?)
    {
        let mn = raked_product(&thr.into(), &val).map_err(refuse)?;
        facts.push_text("layout-mn", mn);
    } else if let Ok(mn) = right_inverse(copy.tv()) {
        facts.push_text("layout-mn", mn);
    }
    facts.push_text("src-tv", copy.side_tv(Side::Source));
    facts.push_text("dst-tv", copy.side_tv(Side::Destination));
    facts.push("covers", checks.covers());
    facts.push("vectorizes", checks.vectorizes);
    facts.push("broadcast", checks.broadcast);
    facts.push("size", copy.tv().size());
    snippet(keys, copy, follows)?.push(facts);
    Ok(())
}

/// Draws the tile of one side.
pub(super) fn pane(copy: &TiledCopy, side: Side) -> (Grid, Owners) {
    let shape = copy.tile_shape();
    let modes = shape.modes();
    let extent = |at: usize| modes.get(at).and_then(|mode| mode.product().ok()).unwrap_or(1);
    let rows = extent(0);
    let cols = (1..modes.len()).map(extent).fold(1, i64::saturating_mul);
    let spot = |index: i64| Some((index % rows, index / rows));
    let owners = Owners::of(copy.side_tv(side), rows, cols, spot);
    let per_atom = atom_values(copy, side).max(1);
    let fill = |owner: Owner| Fill::shaded(owner.thr, i64::from(owner.val) / per_atom);
    let grid = owners.grid(fill).axes("mode 0", "mode 1");
    (grid, owners)
}

fn atom_values(copy: &TiledCopy, side: Side) -> i64 {
    let ends = &copy.atom().values;
    let tv = match side {
        Side::Source => &ends.src,
        Side::Destination => &ends.dst,
    };
    tv.modes().get(1).map_or(1, Layout::size)
}

/// What CuTe documents and does not enforce.
pub(super) struct Checks {
    /// Cells of the tile.
    tile: i64,
    /// Cells with an owner.
    covered: i64,
    /// Values beyond the tile.
    beyond: i64,
    /// Owners of each owned cell through stride 0.
    pub(super) broadcast: i64,
    /// Whether some cells have more owners than others, or several without stride 0.
    uneven: bool,
    /// Whether the values of one atom are neighbours along one axis.
    pub(super) vectorizes: bool,
    /// Values of one thread, and of one atom.
    values: (i64, i64),
}

impl Checks {
    pub(super) fn of(copy: &TiledCopy) -> CuteResult<Self> {
        let tile = copy.tile_shape().product()?;
        let tv = copy.tv();
        let broadcast =
            tv.flat_modes().iter().filter(|m| m.stride.is_zero()).map(|m| m.shape).product();
        let mut indices: Vec<i64> = tv.walk()?.collect();
        indices.sort_unstable();
        let (mut covered, mut beyond, mut uneven) = (0, 0, false);
        for hits in indices.chunk_by(|a, b| a == b) {
            let count = wide(hits.len());
            if hits.first().is_some_and(|index| (0..tile).contains(index)) {
                covered += 1;
                uneven |= count != broadcast;
            } else {
                beyond += count;
            }
        }
        let values = tv.modes().get(1).map_or(1, Layout::size);
        let per_atom = copy.atom().values.reference.modes().get(1).map_or(1, Layout::size);
        Ok(Self {
            tile,
            covered,
            beyond,
            broadcast,
            uneven,
            vectorizes: vectorizes(copy, per_atom)?,
            values: (values, per_atom),
        })
    }

    /// Returns whether every cell of the tile has an owner and all have equally many.
    pub(super) fn covers(&self) -> bool {
        self.covered == self.tile && self.beyond == 0 && !self.uneven
    }

    fn notes(&self, copy: &TiledCopy) -> Vec<Diagnostic> {
        let mut notes = Vec::new();
        let mut warn = |code, text: String| notes.push(Diagnostic::warning(code, text));
        if self.covered < self.tile {
            warn(
                "tile-coverage",
                format!(
                    "the TV layout reaches {} of the {} elements of the tile",
                    self.covered, self.tile
                ),
            );
        }
        if self.beyond > 0 {
            warn(
                "tile-coverage",
                format!(
                    "{} values lie past the end of the tile of {} elements",
                    self.beyond, self.tile
                ),
            );
        }
        if self.uneven && self.beyond == 0 {
            warn(
                "tile-overlap",
                "some elements of the tile have more owners than others".to_owned(),
            );
        }
        let (values, per_atom) = self.values;
        if values % per_atom != 0 {
            warn(
                "atom-size",
                format!(
                    "`{}` moves {per_atom} values of a thread at once; {values} values are no multiple of that",
                    copy.atom().short
                ),
            );
        } else if !self.vectorizes {
            warn(
                "vectorization",
                format!(
                    "the {per_atom} values that one `{}` moves are not neighbours along one axis of the tile",
                    copy.atom().short
                ),
            );
        }
        if self.broadcast > 1 {
            notes.push(Diagnostic::note(
                "broadcast",
                format!("stride 0 in the TV layout: {} threads share each element (broadcast, no overlap)", self.broadcast),
            ));
        }
        notes
    }
}

/// Returns whether the values of one atom are a run of stride 1 along one axis of the tile.
fn vectorizes(copy: &TiledCopy, per_atom: i64) -> CuteResult<bool> {
    if copy.atom().thr_id.size() > 1 || per_atom <= 1 {
        return Ok(true);
    }
    let offsets: Vec<i64> = copy.tv().walk()?.collect();
    let rows = copy.tile_shape().modes().first().map_or(Ok(1), crate::cute::IntTuple::product)?;
    let threads = capped(copy.threads(), offsets.len());
    let group = capped(per_atom, offsets.len());
    let runs = |step: i64| {
        offsets.chunks(threads * group).all(|atom| {
            (0..threads).all(|thr| {
                (1..group).all(|val| {
                    let at = |v: usize| atom.get(thr + v * threads).copied();
                    at(val).zip(at(val - 1)).is_none_or(|(b, a)| {
                        b == a + step && (step != 1 || b / rows.max(1) == a / rows.max(1))
                    })
                })
            })
        })
    };
    Ok(runs(1) || runs(rows))
}

/// Checks that thread and value layouts are compact.
fn compactness(keys: &Keys<'_>) -> Result<Vec<Diagnostic>, Problem> {
    let mut notes = Vec::new();
    for key in [&THR, &VAL] {
        let Some(layout) = keys.read(key, Value::to_plain)? else { continue };
        let cosize = layout.cosize().map_err(|error| keys.problem(key, error.into()))?;
        let offsets: std::collections::BTreeSet<i64> =
            layout.walk().into_iter().flatten().collect();
        let distinct = wide(offsets.len());
        if distinct < layout.size() {
            notes.push(Diagnostic::warning(
                "not-compact",
                format!(
                    "`{}`: {} coordinates of `{layout}` share an index with another one",
                    key.name,
                    layout.size() - distinct
                ),
            ));
        } else if cosize > layout.size() {
            notes.push(Diagnostic::warning(
                "not-compact",
                format!(
                    "`{}`: `{layout}` leaves out {} of the indices 0 to {}",
                    key.name,
                    cosize - layout.size(),
                    cosize - 1
                ),
            ));
        }
    }
    Ok(notes)
}
