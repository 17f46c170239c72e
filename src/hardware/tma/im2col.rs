//! The coordinate tensor of im2col copies: filter windows as rows of a matrix.
//!
//! In: an activation tensor `((W,H,..,N),C)`, or `(C,(W,H,..,N))` where shared memory runs along
//! that, and what is known of the filter. Out: the coordinates `(c,(w,h,..),n,(s,r,..))` that
//! instructions get. Source: CuTe's `make_im2col_tma_copy_desc` and `make_im2col_tma_atom`.
//! Invariant: the tensor of coordinates has windows where the activation tensor has positions, and
//! channels with filter positions where it has channels.

use crate::cute::layout::FlatMode;
use crate::cute::{
    AnyLayout, ComposedLayout, Error, Inner, IntTuple, Layout, Path, Result, StrideLeaf, Tensor,
    Tree,
};

/// An activation tensor as `(C,W,H,..,N)`.
#[derive(Clone, Debug)]
pub struct Activation {
    modes: Vec<FlatMode>,
    /// Whether the channels are mode 0 of the tensor.
    channels_first: bool,
}

impl Activation {
    /// Reads a tensor of two modes; the channels are the one that the box walks first.
    ///
    /// # Errors
    /// A tensor that has not two flat modes with a batch and channels.
    pub fn new(gmem: &Layout, basis: &Layout) -> Result<Self> {
        let shape = gmem.shape();
        let refuse = || {
            Error::rule(
                "im2col-shape",
                format!("im2col reads a tensor `((W,H,..,N),C)`, not `{shape}`"),
            )
        };
        let parts = gmem.modes();
        let [first, second] = parts.as_slice() else { return Err(refuse()) };
        let flat = |mode: &Layout| mode.shape().modes().iter().all(|m| m.leaf().is_some());
        if !flat(first) || !flat(second) || basis.rank() < 2 {
            return Err(refuse());
        }
        let inner = basis.flat_modes().first().and_then(|mode| mode.stride.path());
        let channels_first = inner.is_some_and(|path| path.modes().next() == Some(0));
        let (channels, positions) = if channels_first { (first, second) } else { (second, first) };
        let modes: Vec<_> =
            channels.flat_modes().into_iter().chain(positions.flat_modes()).collect();
        if modes.len() < 2 {
            return Err(refuse());
        }
        Ok(Self { modes, channels_first })
    }

    /// Returns channels, spatial modes and batch, in this order.
    #[must_use]
    pub fn modes(&self) -> &[FlatMode] {
        &self.modes
    }

    fn channels(&self) -> i64 {
        self.modes.first().map_or(1, |mode| mode.shape)
    }

    fn batch(&self) -> i64 {
        self.modes.last().map_or(1, |mode| mode.shape)
    }

    fn spatial(&self) -> &[FlatMode] {
        self.modes.get(1..self.modes.len() - 1).unwrap_or_default()
    }

    /// Puts what belongs to positions and what belongs to channels in the tensor's order.
    fn order<T>(&self, positions: T, channels: T) -> Vec<T> {
        if self.channels_first { vec![channels, positions] } else { vec![positions, channels] }
    }
}

/// What an im2col load is told about its filter, one number a spatial mode each. What is left out
/// is 0, and 1 for stride and dilation.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// Where the first window starts.
    pub lower_corner: Option<IntTuple>,
    /// Where the last window starts, from the last position.
    pub upper_corner: Option<IntTuple>,
    /// Positions that are added at the lower end; they count where the dilation is negative.
    pub padding: Option<IntTuple>,
    /// Positions that are added at the upper end; left out, those of the lower one.
    pub padding_upper: Option<IntTuple>,
    /// Positions from one window to the next.
    pub stride: Option<IntTuple>,
    /// The first position of the filter.
    pub start: Option<IntTuple>,
    /// Distance of neighbours in the filter; a filter that is walked backwards has negative ones.
    pub dilation: Option<IntTuple>,
}

/// The corners of the windows and the steps between them.
pub(super) struct Corners {
    pub(super) lower: Vec<i64>,
    pub(super) upper: Vec<i64>,
    pub(super) steps: Vec<i64>,
}

/// One spatial mode: the windows along it, the step from one to the next, the filter's extent.
struct Axis {
    low: i64,
    windows: i64,
    step: i64,
    filter: i64,
    start: i64,
    dilation: i64,
}

impl Filter {
    /// Returns what the descriptor holds of the filter.
    pub(super) fn corners(&self, tensor: &Activation) -> Result<Corners> {
        let dims = tensor.spatial().len();
        Ok(Corners {
            lower: numbers("im2col-lower-corner", self.lower_corner.as_ref(), 0, dims)?,
            upper: numbers("im2col-upper-corner", self.upper_corner.as_ref(), 0, dims)?,
            steps: numbers("im2col-stride", self.stride.as_ref(), 1, dims)?,
        })
    }

    /// Follows CuTe: windows start from the lower corner to the extent plus the upper corner, and
    /// the filter reaches from the upper corner to the end of the padding, or backwards from the
    /// lower one.
    fn axes(&self, tensor: &Activation) -> Result<Vec<Axis>> {
        let spatial = tensor.spatial();
        let dims = spatial.len();
        let Corners { lower, upper, steps } = self.corners(tensor)?;
        let padding = numbers("im2col-padding", self.padding.as_ref(), 0, dims)?;
        let above = self.padding_upper.as_ref().or(self.padding.as_ref());
        let above = numbers("im2col-padding-upper", above, 0, dims)?;
        let start = numbers("im2col-filter-start", self.start.as_ref(), 0, dims)?;
        let dilation = numbers("im2col-dilation", self.dilation.as_ref(), 1, dims)?;
        let at = |list: &[i64], mode: usize| list.get(mode).copied().unwrap_or(0);
        let axis = |(mode, extent): (usize, i64)| {
            let (low, high, step) = (at(&lower, mode), at(&upper, mode), at(&steps, mode));
            let dilation = at(&dilation, mode);
            if step < 1 {
                return Err(Error::rule(
                    "im2col-stride",
                    format!("the windows of spatial mode {mode} are {step} apart, not 1 or more"),
                ));
            }
            if dilation == 0 {
                return Err(Error::rule(
                    "im2col-dilation",
                    format!("the filter of spatial mode {mode} has a dilation of 0"),
                ));
            }
            let overflow = || Error::overflow("an extent");
            let places =
                extent.checked_add(high).and_then(|n| n.checked_sub(low)).ok_or_else(overflow)?;
            if places < 1 {
                return Err(Error::rule(
                    "im2col-lower-corner",
                    format!(
                        "spatial mode {mode} has no window: {extent} positions, from {low} to {high} beyond the last make {places}"
                    ),
                ));
            }
            let (end, name, corner) = if dilation > 0 {
                (at(&above, mode), "upper", high)
            } else {
                (at(&padding, mode), "lower", low)
            };
            let reach =
                if dilation > 0 { end.checked_sub(corner) } else { corner.checked_sub(end) };
            let filter = reach
                .and_then(|reach| reach.checked_div(dilation)?.checked_add(1))
                .ok_or_else(overflow)?;
            if filter < 1 {
                return Err(Error::rule(
                    "im2col-upper-corner",
                    format!(
                        "the filter has {filter} positions along spatial mode {mode}: {name} padding {end}, {name} corner {corner}, dilation {dilation}"
                    ),
                ));
            }
            let windows = (places - 1) / step + 1;
            Ok(Axis { low, windows, step, filter, start: at(&start, mode), dilation })
        };
        spatial.iter().map(|mode| mode.shape).enumerate().map(axis).collect()
    }
}

/// Reads one number per spatial mode.
fn numbers(
    rule: &'static str,
    tuple: Option<&IntTuple>,
    default: i64,
    dims: usize,
) -> Result<Vec<i64>> {
    match tuple {
        None => Ok(vec![default; dims]),
        Some(tuple) if tuple.rank() == dims => Ok(tuple.leaves().copied().collect()),
        Some(tuple) => Err(Error::rule(
            rule,
            format!(
                "`{tuple}` has {} numbers, and the tensor has {dims} spatial modes",
                tuple.rank()
            ),
        )),
    }
}

/// Returns the coordinate tensor of an im2col load or store; a store has a filter of nothing.
///
/// # Errors
/// Numbers of another rank, a stride below 1, a dilation of 0, and corners that leave no window or
/// no filter.
pub fn coordinates(tensor: &Activation, filter: &Filter) -> Result<Tensor> {
    let axes = filter.axes(tensor)?;
    let dims = axes.len();
    let leaf =
        |value, path: &[usize]| Ok::<_, Error>(StrideLeaf::Basis { value, path: Path::new(path)? });
    let along = |extent: fn(&Axis) -> i64| axes.iter().map(extent).collect::<Vec<i64>>();
    let mut windows = along(|axis| axis.windows);
    windows.push(tensor.batch());
    let mut filters = vec![tensor.channels()];
    filters.extend(along(|axis| axis.filter));
    let steps = |step: fn(&Axis) -> i64, part: usize| {
        let of = |(i, axis)| leaf(step(axis), &[part, i]);
        axes.iter().enumerate().map(of).collect::<Result<Vec<_>>>()
    };
    let mut window_steps = steps(|axis| axis.step, 1)?;
    window_steps.push(leaf(1, &[2])?);
    let mut filter_steps = vec![leaf(1, &[0])?];
    filter_steps.extend(steps(|axis| axis.dilation, 3)?);
    let inner = Layout::new(
        Tree::Tuple(tensor.order(Tree::flat(windows.clone()), Tree::flat(filters.clone()))),
        Tree::Tuple(tensor.order(Tree::flat(window_steps), Tree::flat(filter_steps))),
    )?;
    // Positions are one mode of the result: it walks the windows by their index.
    let count = Tree::flat(windows).product()?;
    let (rows, cols) = if tensor.channels_first { (1, 0) } else { (0, 1) };
    let each = (0..=dims).map(|i| leaf(1, &[cols, i])).collect::<Result<Vec<_>>>()?;
    let outer = Layout::new(
        Tree::Tuple(tensor.order(Tree::Leaf(count), Tree::flat(filters))),
        Tree::Tuple(tensor.order(Tree::Leaf(leaf(1, &[rows])?), Tree::flat(each))),
    )?;
    let middle = Tree::Tuple(tensor.order(Tree::Leaf(0), Tree::flat(vec![0; dims + 1])));
    let layout = AnyLayout::from(ComposedLayout::new(Inner::Layout(inner), middle, outer)?);
    let offset = Tree::Tuple(vec![
        Tree::Leaf(0),
        Tree::flat(along(|axis| axis.low)),
        Tree::Leaf(0),
        Tree::flat(along(|axis| axis.start)),
    ]);
    Ok(Tensor { offset, layout })
}
