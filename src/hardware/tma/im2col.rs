//! The coordinate tensor of im2col copies: filter windows as rows of a matrix.
//!
//! In: an activation tensor `((W,H,..,N),C)` and what is known of the filter. Out: the coordinates
//! `(c,(w,h,..),n,(s,r,..))` that instructions get. Source: CuTe's `make_im2col_tma_atom`.
//! Invariant: the filter starts at its first position and is not dilated.

use crate::cute::{
    AnyLayout, ComposedLayout, Error, Inner, IntTuple, Layout, Path, Result, Shape, StrideLeaf,
    Tensor, Tree,
};

/// What an im2col load is told about its filter, one number a spatial mode each. What is left out
/// is 0, and 1 for the stride.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// Where the first window starts.
    pub lower_corner: Option<IntTuple>,
    /// Where the last window starts, from the last position.
    pub upper_corner: Option<IntTuple>,
    /// Positions that are added at both ends. The lower one moves nothing in CuTe.
    pub padding: Option<IntTuple>,
    /// Positions from one window to the next.
    pub stride: Option<IntTuple>,
}

/// One spatial mode: the windows along it, the step from one to the next, the filter's extent.
struct Axis {
    low: i64,
    windows: i64,
    step: i64,
    filter: i64,
}

impl Filter {
    /// Follows CuTe: windows start from the lower corner to the extent plus the upper corner, and
    /// the filter reaches from the upper corner to the end of the padding.
    fn axes(&self, spatial: &[i64]) -> Result<Vec<Axis>> {
        let numbers = |rule, tuple: &Option<IntTuple>, default| match tuple {
            None => Ok(vec![default; spatial.len()]),
            Some(tuple) if tuple.rank() == spatial.len() => {
                Ok(tuple.leaves().copied().collect::<Vec<i64>>())
            }
            Some(tuple) => Err(Error::rule(
                rule,
                format!(
                    "`{tuple}` has {} numbers, and the tensor has {} spatial modes",
                    tuple.rank(),
                    spatial.len()
                ),
            )),
        };
        let low = numbers("im2col-lower-corner", &self.lower_corner, 0)?;
        let high = numbers("im2col-upper-corner", &self.upper_corner, 0)?;
        let padding = numbers("im2col-padding", &self.padding, 0)?;
        let step = numbers("im2col-stride", &self.stride, 1)?;
        let at = |list: &[i64], mode: usize| list.get(mode).copied().unwrap_or(0);
        let axis = |(mode, &extent): (usize, &i64)| {
            let (low, high, padding, step) =
                (at(&low, mode), at(&high, mode), at(&padding, mode), at(&step, mode));
            if step < 1 {
                return Err(Error::rule(
                    "im2col-stride",
                    format!("the windows of spatial mode {mode} are {step} apart, not 1 or more"),
                ));
            }
            let overflow = || Error::overflow("an extent");
            let places =
                extent.checked_add(high).and_then(|n| n.checked_sub(low)).ok_or_else(overflow)?;
            let filter =
                padding.checked_sub(high).and_then(|n| n.checked_add(1)).ok_or_else(overflow)?;
            if places < 1 {
                return Err(Error::rule(
                    "im2col-lower-corner",
                    format!(
                        "spatial mode {mode} has no window: {extent} positions, from {low} to {high} beyond the last make {places}"
                    ),
                ));
            }
            if filter < 1 {
                return Err(Error::rule(
                    "im2col-upper-corner",
                    format!(
                        "the filter has {filter} positions along spatial mode {mode}: padding {padding} minus upper corner {high} plus 1"
                    ),
                ));
            }
            Ok(Axis { low, windows: (places - 1) / step + 1, step, filter })
        };
        spatial.iter().enumerate().map(axis).collect()
    }
}

/// Returns the coordinate tensor of an im2col load or store; a store has a filter of nothing.
///
/// # Errors
/// A tensor that has not the modes `((spatial ..., batch), channels)`, numbers of another rank, a
/// stride below 1, and corners that leave no window or no filter.
pub fn coordinates(gmem: &Layout, filter: &Filter) -> Result<Tensor> {
    let shape = gmem.shape();
    let refuse = || {
        Error::rule(
            "im2col-shape",
            format!("im2col reads a tensor `((W,H,..,N),C)`, not `{shape}`"),
        )
    };
    let [Tree::Tuple(positions), Tree::Leaf(channels)] = shape.modes() else {
        return Err(refuse());
    };
    let leaves = positions
        .iter()
        .map(|m| m.leaf().copied())
        .collect::<Option<Vec<i64>>>()
        .ok_or_else(refuse)?;
    let Some((batch, spatial)) = leaves.split_last() else { return Err(refuse()) };
    let zero: IntTuple = Tree::flat(vec![0; spatial.len()]);
    let axes = filter.axes(spatial)?;
    let mut windows: Vec<i64> = axes.iter().map(|axis| axis.windows).collect();
    windows.push(*batch);
    let step =
        |value, path: &[usize]| Ok::<_, Error>(StrideLeaf::Basis { value, path: Path::new(path)? });
    let basis = |path: &[usize]| step(1, path);
    let dims = spatial.len();
    let mut window_steps = axes
        .iter()
        .enumerate()
        .map(|(i, axis)| step(axis.step, &[1, i]))
        .collect::<Result<Vec<_>>>()?;
    window_steps.push(basis(&[2])?);
    let mut filter_steps = vec![basis(&[0])?];
    for i in 0..dims {
        filter_steps.push(basis(&[3, i])?);
    }
    let extents = axes.iter().map(|axis| axis.filter);
    let filter: Shape = Tree::flat(std::iter::once(*channels).chain(extents));
    let inner = Layout::new(
        Tree::Tuple(vec![Tree::flat(windows.iter().copied()), filter.clone()]),
        Tree::Tuple(vec![Tree::flat(window_steps), Tree::flat(filter_steps)]),
    )?;
    let count = Tree::flat(windows).product()?;
    let outer_steps = (0..=dims).map(|i| basis(&[1, i])).collect::<Result<Vec<_>>>()?;
    let outer = Layout::new(
        Tree::Tuple(vec![Tree::Leaf(count), filter]),
        Tree::Tuple(vec![Tree::Leaf(basis(&[0])?), Tree::flat(outer_steps)]),
    )?;
    let middle = Tree::Tuple(vec![Tree::Leaf(0), Tree::flat(vec![0; dims + 1])]);
    let layout = AnyLayout::from(ComposedLayout::new(Inner::Layout(inner), middle, outer)?);
    let offset = Tree::Tuple(vec![
        Tree::Leaf(0),
        Tree::flat(axes.iter().map(|axis| axis.low)),
        Tree::Leaf(0),
        zero,
    ]);
    Ok(Tensor { offset, layout })
}
