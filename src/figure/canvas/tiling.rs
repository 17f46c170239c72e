//! Which tile each element of a layout belongs to, and which element each coordinate of a divided
//! layout is.
//!
//! In: a layout's domain and a tiler. Out: for every index of the layout its tile and its place in
//! it; for every index of the divided layout the index it came from, or that it lies past the end.
//! Invariant: everything here is about indices, never about offsets, so it holds for any strides.

use crate::cute::algebra::{arrange, coalesce, complement};
use crate::cute::index::{at, at_mut, count, narrow, wide};
use crate::cute::layout::FlatMode;
use crate::cute::{AnyLayout, Layout, Parts, Path, Result, Stride, StrideLeaf, Tiler};
use crate::diagnostic::Diagnostic;
use crate::figure::canvas::limits::VALUES_CHECKED;
use crate::figure::canvas::reading::{Reading, unchecked};
use crate::figure::model::grid::Fill;

pub use crate::cute::algebra::Form;

/// A layout cut into tiles.
#[derive(Clone, Debug)]
pub struct Tiling {
    /// The modes of the layout that are cut by themselves, first one fastest.
    pub cuts: Vec<Cut>,
    /// How many tiles there are.
    pub tiles: i64,
    /// For each index of the divided layout the index in each cut mode.
    places: Reading,
}

/// One mode of a layout and what the tiler makes of it.
#[derive(Clone, Debug)]
pub struct Cut {
    /// The tiler of this mode as printed; `None` where it is kept whole.
    pub tiler: Option<String>,
    /// Whether the tile is a run of consecutive indices.
    pub consecutive: bool,
    /// The extent of the mode.
    pub size: i64,
    /// How far one step along this mode is in the index of the whole layout.
    weight: i64,
    /// How many tiles there are along this mode.
    pub rests: i64,
    /// Elements of a tile along this mode.
    tile_size: i64,
    tile_weight: i64,
    position_weight: i64,
    /// For each index of the mode its place in the tile and the number of the tile.
    parts: Vec<Option<(u32, u32)>>,
    /// For each tile along this mode its first index.
    starts: Vec<i64>,
}

impl Tiling {
    /// Cuts `layout` as `tiler` says; `form` is the arrangement of the divided layout. In all but
    /// [`Form::Logical`] a mode that `_` keeps is torn into tile and rest, as CuTe does.
    ///
    /// # Errors
    /// What the divide itself refuses, and modes with more indices than are checked.
    pub fn of(layout: &Layout, tiler: &Tiler, form: Form) -> std::result::Result<Self, Diagnostic> {
        let mut cutter = Cutter { cuts: Vec::new(), weight: 1, torn: form != Form::Logical };
        let logical = cutter.cut(layout, Some(tiler))?;
        let mut cuts = cutter.cuts;
        if let Some(cut) = cuts.iter().find(|cut| cut.size > VALUES_CHECKED) {
            return Err(unchecked(cut.size, "tiles are not coloured"));
        }
        let (mut tiles, mut positions) = (1_i64, 1_i64);
        for cut in &mut cuts {
            (cut.tile_weight, cut.position_weight) = (tiles, positions);
            tiles = tiles.saturating_mul(cut.rests);
            positions = positions.saturating_mul(cut.tile_size);
        }
        let arranged = arrange(&logical, tiler, form)?;
        Ok(Self { cuts, tiles, places: Reading::plain(&arranged)? })
    }

    /// Returns the index in the layout of an index of the divided one; `None` past its end.
    #[must_use]
    pub fn place(&self, index: usize) -> Option<usize> {
        self.place_of(&self.places.numbers(index))
    }

    /// Returns the divided layout with indices as values: the index in each cut mode.
    #[must_use]
    pub const fn places(&self) -> &AnyLayout {
        self.places.layout()
    }

    /// Returns the index in the layout that such a value is; `None` past its end.
    #[must_use]
    pub fn place_of(&self, numbers: &[i64]) -> Option<usize> {
        let mut place = 0_i64;
        for (cut, &number) in self.cuts.iter().zip(numbers.iter()) {
            if number >= cut.size {
                return None;
            }
            place += number * cut.weight;
        }
        usize::try_from(place).ok()
    }

    /// Returns the tile of an index of the layout.
    #[must_use]
    pub fn tile(&self, index: usize) -> Option<u32> {
        self.sum(index, |cut, (_, rest)| i64::from(rest) * cut.tile_weight)
    }

    /// Returns the place within its tile of an index of the layout.
    #[must_use]
    pub fn position(&self, index: usize) -> Option<u32> {
        self.sum(index, |cut, (position, _)| i64::from(position) * cut.position_weight)
    }

    fn sum(&self, index: usize, part: impl Fn(&Cut, (u32, u32)) -> i64) -> Option<u32> {
        let mut sum = 0_i64;
        for cut in &self.cuts {
            sum += part(cut, (*at(&cut.parts, wide(index) / cut.weight % cut.size)?)?);
        }
        narrow(sum)
    }

    /// Returns the index of the first element of a tile; `None` past the end.
    #[must_use]
    pub fn start(&self, tile: i64) -> Option<usize> {
        let mut place = 0_i64;
        for cut in &self.cuts {
            let start = *at(&cut.starts, tile / cut.tile_weight % cut.rests)?;
            if start >= cut.size {
                return None;
            }
            place += start * cut.weight;
        }
        usize::try_from(place).ok()
    }

    /// Counts the coordinates of the divided layout that lie past the end.
    #[must_use]
    pub fn outside(&self) -> i64 {
        let inside = self.cuts.iter().map(Cut::inside).fold(1_i64, i64::saturating_mul);
        self.places.layout().size() - inside
    }

    /// Returns the first index of the divided layout that lies past the end; `None` if none does
    /// or there are too many to look.
    #[must_use]
    pub fn first_outside(&self) -> Option<usize> {
        self.places.values()?;
        (0..self.places.size()).find(|&index| self.place(index).is_none())
    }

    /// Returns the colour of a tile. Where two modes are cut into few tiles, the hue says which
    /// tile along one of them and the lightness which along the other.
    #[must_use]
    pub fn fill(&self, tile: u32) -> Fill {
        match self.hue_and_tint() {
            Some((hue, tint)) => Fill::shaded(self.along(hue, tile), self.along(tint, tile)),
            None => Fill::numbered(tile, self.tiles),
        }
    }

    /// Returns the colour of tile `rest` along one mode, as [`Self::fill`] has it.
    #[must_use]
    pub fn fill_along(&self, cut: usize, rest: u32) -> Fill {
        match self.hue_and_tint() {
            Some((hue, _)) if hue == cut => Fill::shaded(rest, 0),
            Some((_, tint)) if tint == cut => Fill::shaded(0, rest),
            _ => {
                let rests = self.cuts.get(cut).map_or(1, |cut| cut.rests);
                Fill::numbered(rest, rests)
            }
        }
    }

    /// Says what the colours of tiles mean.
    #[must_use]
    pub fn meaning(&self) -> String {
        match self.hue_and_tint() {
            Some((hue, tint)) => format!(
                "one colour for each of {} tiles: hue along mode {hue}, lightness along mode {tint}",
                self.tiles
            ),
            None if self.tiles > i64::from(Fill::CATEGORIES) => {
                format!("one colour for each of {} tiles, repeating", self.tiles)
            }
            None => format!("one colour for each of {} tiles", self.tiles),
        }
    }

    /// Returns the number of a tile along one cut mode.
    fn along(&self, cut: usize, tile: u32) -> i64 {
        self.cuts.get(cut).map_or(0, |cut| i64::from(tile) / cut.tile_weight % cut.rests)
    }

    /// Returns which cut gives the hue and which the lightness, if two are cut and all tiles get
    /// colours of their own.
    fn hue_and_tint(&self) -> Option<(usize, usize)> {
        const HUES: i64 = 8;
        const TINTS: i64 = 4;
        let mut several = self.cuts.iter().enumerate().filter(|(_, cut)| cut.rests > 1);
        let ((first, a), (second, b)) = (several.next()?, several.next()?);
        match several.next() {
            None if a.rests <= HUES && b.rests <= TINTS => Some((first, second)),
            None if a.rests <= TINTS && b.rests <= HUES => Some((second, first)),
            _ => None,
        }
    }
}

impl Cut {
    /// Counts the pairs of tile and rest that are an index of the mode.
    fn inside(&self) -> i64 {
        wide(self.parts.iter().filter(|part| part.is_some()).count())
    }

    /// Returns the number of the tile along this mode of an index of the mode.
    #[must_use]
    pub fn rest(&self, index: usize) -> Option<u32> {
        self.parts.get(index).copied().flatten().map(|(_, rest)| rest)
    }
}

struct Cutter {
    cuts: Vec<Cut>,
    weight: i64,
    torn: bool,
}

impl Cutter {
    /// Returns the divided mode as a layout whose values are indices: in the mode of cut `k` along
    /// axis `k`.
    fn cut(&mut self, mode: &Layout, tiler: Option<&Tiler>) -> Result<Layout> {
        let parts = match tiler.map(Tiler::parts).transpose()? {
            None => return self.whole(mode, Whole::Rest),
            Some(Parts::Keep) => {
                let torn = self.torn && !mode.shape().is_leaf() && mode.rank() == 2;
                return self.whole(mode, if torn { Whole::Torn } else { Whole::Tile });
            }
            Some(Parts::Whole(tile)) => return self.divided(mode, &tile),
            Some(Parts::Modes(parts)) => parts,
        };
        let modes = mode.modes().into_iter().enumerate();
        let cut = modes.map(|(i, mode)| self.cut(&mode, parts.get(i)));
        Layout::from_modes(cut.collect::<Result<Vec<_>>>()?)
    }

    fn divided(&mut self, mode: &Layout, tile: &Layout) -> Result<Layout> {
        let shape = coalesce(&mode.clone().into(), None)?.shape().clone();
        let rest = complement(tile, &shape)?;
        let size = mode.size();
        let tile_size = tile.size();
        let both = Layout::from_modes([tile.clone(), rest.clone()])?;
        let mut parts = Vec::new();
        let mut starts = Vec::new();
        if let (Some(cells), true) =
            (count(size, VALUES_CHECKED), both.size() <= VALUES_CHECKED * 2)
        {
            parts = vec![None; cells];
            for (index, value) in (0_i64..).zip(both.walk()?) {
                let part = at_mut(&mut parts, value);
                let (position, rest) = (index % tile_size, index / tile_size);
                if let (Some(part @ None), Some(position), Some(rest)) =
                    (part, narrow(position), narrow(rest))
                {
                    *part = Some((position, rest));
                }
            }
            starts = rest.walk()?.collect();
        }
        let run = |mode: &FlatMode| mode.shape == 1 || mode.stride == StrideLeaf::Int(1);
        let consecutive = matches!(tile.flat_modes().as_slice(), [mode] if run(mode));
        self.push(Cut {
            tiler: Some(tile.to_string()),
            consecutive,
            size,
            weight: 0,
            rests: rest.size(),
            tile_size,
            tile_weight: 1,
            position_weight: 1,
            parts,
            starts,
        });
        let axis = self.axis()?;
        Layout::from_modes([along(tile, axis)?, along(&rest, axis)?])
    }

    fn whole(&mut self, mode: &Layout, role: Whole) -> Result<Layout> {
        let size = mode.size();
        let first = mode.modes().first().map_or(1, Layout::size);
        let (tile_size, rests) = match role {
            Whole::Tile => (size, 1),
            Whole::Rest => (1, size),
            Whole::Torn => (first, size / first),
        };
        let cells = if size <= VALUES_CHECKED { size } else { 0 };
        let parts =
            (0..cells).map(|index| Some((narrow(index % tile_size)?, narrow(index / tile_size)?)));
        let starts = (0..if cells == 0 { 0 } else { rests }).map(|rest| rest * tile_size);
        self.push(Cut {
            tiler: None,
            consecutive: true,
            size,
            weight: 0,
            rests,
            tile_size,
            tile_weight: 1,
            position_weight: 1,
            parts: parts.collect(),
            starts: starts.collect(),
        });
        along(&Layout::column_major(mode.shape().clone())?, self.axis()?)
    }

    fn push(&mut self, cut: Cut) {
        let weight = self.weight;
        self.weight = weight.saturating_mul(cut.size);
        self.cuts.push(Cut { weight, ..cut });
    }

    /// Returns the axis of the cut that was pushed last.
    fn axis(&self) -> Result<Path> {
        Path::new(&[self.cuts.len().saturating_sub(1)])
    }
}

/// What a mode that no tiler cuts is part of.
#[derive(Clone, Copy)]
enum Whole {
    Tile,
    Rest,
    /// The first of its two modes is tile, the second rest.
    Torn,
}

/// Puts the values of a layout on an axis of their own.
fn along(layout: &Layout, path: Path) -> Result<Layout> {
    let stride: Stride =
        layout.stride().map(&mut |leaf| StrideLeaf::Basis { value: leaf.value(), path });
    Layout::new(layout.shape().clone(), stride)
}
