//! The coordinate tensor of im2col copies: filter windows as rows of a matrix.
//!
//! In: an activation tensor `((W,H,..,N),C)` and the corners of the filter's window. Out: the
//! coordinates `(c,(w,h,..),n,(s,r,..))` that instructions get. Source: CuTe's
//! `make_im2col_tma_atom`. Invariant: strides of the filter are 1.

use crate::cute::{
    AnyLayout, ComposedLayout, Error, Inner, IntTuple, Layout, Path, Result, Shape, StrideLeaf,
    Tensor, Tree,
};

/// Returns the coordinate tensor of an im2col load or store; a store has both corners 0.
///
/// # Errors
/// A tensor that has not the modes `((spatial ..., batch), channels)`, and corners of another rank.
pub fn coordinates(
    gmem: &Layout,
    lower: Option<&IntTuple>,
    upper: Option<&IntTuple>,
) -> Result<Tensor> {
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
    let corner = |corner: Option<&IntTuple>| match corner {
        Some(tuple) if tuple.rank() == spatial.len() => {
            Ok(tuple.leaves().copied().collect::<Vec<i64>>())
        }
        Some(tuple) => Err(Error::rule(
            "im2col-corner",
            format!(
                "the corner `{tuple}` has {} numbers, and `{shape}` has {} spatial modes",
                tuple.rank(),
                spatial.len()
            ),
        )),
        None => Ok(vec![0; spatial.len()]),
    };
    let (lower, upper) = (corner(lower)?, corner(upper)?);
    let mut windows = Vec::new();
    for ((&extent, &low), &high) in spatial.iter().zip(&lower).zip(&upper) {
        let places = extent
            .checked_add(high)
            .and_then(|n| n.checked_sub(low))
            .ok_or(Error::overflow("an extent"))?;
        windows.push(places);
    }
    windows.push(*batch);
    let basis =
        |path: &[usize]| Ok::<_, Error>(StrideLeaf::Basis { value: 1, path: Path::new(path)? });
    let dims = spatial.len();
    let mut window_steps = (0..dims).map(|i| basis(&[1, i])).collect::<Result<Vec<_>>>()?;
    window_steps.push(basis(&[2])?);
    let mut filter_steps = vec![basis(&[0])?];
    for i in 0..dims {
        filter_steps.push(basis(&[3, i])?);
    }
    let filter: Shape = Tree::flat(std::iter::once(*channels).chain(vec![1; dims]));
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
    let offset = Tree::Tuple(vec![Tree::Leaf(0), Tree::flat(lower), Tree::Leaf(0), zero]);
    Ok(Tensor { offset, layout })
}
