//! The tensor map: the arguments of the driver's `cuTensorMapEncodeTiled` and
//! `cuTensorMapEncodeIm2col`.
//!
//! In: a request and its box. Out: extents and byte strides of the global tensor, dimension by
//! dimension, the box, the swizzle. Source: CuTe's `make_tma_copy_desc` and
//! `make_im2col_tma_copy_desc`, the CUDA driver API.
//! Invariant: numbers are as CuTe would hand them to the driver, also where the driver refuses
//! them; [`super::rules`] tells.

use super::im2col::{Activation, Filter};
use super::request::TmaRequest;
use crate::cute::algebra::recast_layout;
use crate::cute::{Error, Layout, Result, StrideLeaf, Swizzle};

/// Where the first and the last window of an im2col copy start, one number per spatial mode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PixelBox {
    /// From the first position.
    pub lower_corner: Vec<i64>,
    /// From the last position.
    pub upper_corner: Vec<i64>,
}

/// The arguments of `cuTensorMapEncodeTiled`, or with a pixel box, of `cuTensorMapEncodeIm2col`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Descriptor {
    /// The end of `CU_TENSOR_MAP_DATA_TYPE_...`.
    pub data_type: &'static str,
    /// Extents of the tensor, innermost first, in the descriptor's elements.
    pub global_dim: Vec<i64>,
    /// Distance of two neighbours in each dimension, in the descriptor's elements.
    pub element_steps: Vec<i64>,
    /// Distances in bytes of all dimensions but the innermost, rounded down.
    pub global_strides: Vec<i64>,
    /// Distances in bits of all dimensions but the innermost.
    pub stride_bits: Vec<i64>,
    /// The box of one CTA, after multicast has split it; of im2col, channels and pixels.
    pub box_dim: Vec<i64>,
    /// Whether multicast splits the box evenly.
    pub multicast_divides: bool,
    /// Traversal strides.
    pub element_strides: Vec<i64>,
    /// The end of `CU_TENSOR_MAP_SWIZZLE_...`; none for a swizzle that is no hardware mode.
    pub swizzle: Option<&'static str>,
    /// The corners of an im2col copy; none for a tiled one.
    pub pixel_box: Option<PixelBox>,
}

impl Descriptor {
    /// Computes the arguments.
    ///
    /// # Errors
    /// Strides that the descriptor's element type does not divide, and overflow.
    pub fn new(request: &TmaRequest, basis: &Layout) -> Result<Self> {
        let gmem = recast_layout(
            request.internal_bits(),
            request.dtype.bits(),
            &request.gmem.clone().into(),
        )?;
        let identity = crate::cute::algebra::make_identity_layout(request.gmem.shape())?;
        let flat = gmem.domain().flat_modes();
        let find = |basis: StrideLeaf| {
            identity
                .flat_modes()
                .iter()
                .position(|mode| mode.stride == basis)
                .and_then(|at| flat.get(at).copied())
        };
        let (mut global_dim, mut element_steps) = (Vec::new(), Vec::new());
        for dimension in basis.modes() {
            let (mut extent, mut step) = (1_i64, 0_i64);
            let leaves = dimension.flat_modes();
            for leaf in &leaves {
                let Some(mode) = find(leaf.stride) else { continue };
                let stride = mode.stride.value();
                if leaves.len() == 1 {
                    (extent, step) = (mode.shape, stride);
                    continue;
                }
                let common = gcd(step, stride.abs());
                extent = if common == 0 {
                    mode.shape
                } else {
                    let old = (extent - 1).checked_mul(step / common);
                    let new = (mode.shape - 1).checked_mul(stride / common);
                    old.zip(new)
                        .and_then(|(a, b)| a.checked_add(b)?.checked_add(1))
                        .ok_or(Error::overflow("an extent"))?
                };
                step = common;
            }
            global_dim.push(extent);
            element_steps.push(step);
        }
        let stride_bits = element_steps
            .iter()
            .skip(1)
            .map(|step| {
                step.checked_mul(request.internal_bits()).ok_or(Error::overflow("a stride"))
            })
            .collect::<Result<Vec<_>>>()?;
        let (box_dim, multicast_divides) = split_box(basis, request.num_multicast);
        Ok(Self {
            data_type: request.format().driver,
            global_strides: stride_bits.iter().map(|bits| bits.div_euclid(8)).collect(),
            stride_bits,
            element_strides: vec![1; box_dim.len()],
            global_dim,
            element_steps,
            box_dim,
            multicast_divides,
            swizzle: swizzle_mode(request.swizzle()),
            pixel_box: None,
        })
    }

    /// Computes the arguments of an im2col copy from its tensor `(C,W,H,..,N)` and its filter.
    ///
    /// # Errors
    /// Numbers of the filter that do not fit the tensor, and overflow.
    pub fn im2col(
        request: &TmaRequest,
        basis: &Layout,
        tensor: &Activation,
        filter: &Filter,
    ) -> Result<Self> {
        let bits = |n: i64| n.checked_mul(request.dtype.bits()).ok_or(Error::overflow("a stride"));
        let unit = request.internal_bits();
        let modes = tensor.modes();
        let global_dim = modes
            .iter()
            .enumerate()
            .map(|(at, mode)| if at == 0 { Ok(bits(mode.shape)? / unit) } else { Ok(mode.shape) })
            .collect::<Result<Vec<_>>>()?;
        let stride_bits =
            modes.iter().map(|mode| bits(mode.stride.value())).collect::<Result<Vec<_>>>()?;
        let corners = filter.corners(tensor)?;
        let steps = std::iter::once(1).chain(corners.steps).chain([1]);
        let sides: Vec<i64> = basis.modes().iter().map(Layout::size).collect();
        Ok(Self {
            data_type: request.format().driver,
            global_dim,
            element_steps: stride_bits.iter().map(|bits| bits / unit).collect(),
            global_strides: stride_bits.iter().skip(1).map(|bits| bits.div_euclid(8)).collect(),
            stride_bits: stride_bits.into_iter().skip(1).collect(),
            box_dim: sides,
            multicast_divides: true,
            element_strides: steps.collect(),
            swizzle: swizzle_mode(request.swizzle()),
            pixel_box: Some(PixelBox { lower_corner: corners.lower, upper_corner: corners.upper }),
        })
    }

    /// Returns the sides that one instruction moves: of each dimension but the innermost one, whose
    /// traversal stride the driver ignores, every so many-th element of the box.
    #[must_use]
    pub fn moved_sides(&self) -> Vec<i64> {
        let steps = self.element_strides.iter().copied().chain(std::iter::repeat(1));
        let side = |(at, (&side, step)): (usize, (&i64, i64))| {
            if at == 0 || step <= 1 { side } else { side.saturating_add(step - 1) / step }
        };
        self.box_dim.iter().zip(steps).enumerate().map(side).collect()
    }

    /// Returns where an instruction puts the element of the box at `place`, counted innermost
    /// dimension first; none for an element that its traversal strides pass over.
    #[must_use]
    pub fn packed_place(&self, basis: &Layout, place: i64) -> Option<i64> {
        let sides = basis.modes();
        let moved = self.moved_sides();
        let (mut rest, mut out, mut scale) = (place, 0_i64, 1_i64);
        for (at, ((side, &part), &moved)) in sides.iter().zip(&self.box_dim).zip(&moved).enumerate()
        {
            // What is beyond the box is four rows that are picked by index.
            let last = at + 1 == sides.len();
            let here = if last { rest } else { rest % side.size() };
            rest /= side.size().max(1);
            let step =
                if at == 0 { 1 } else { self.element_strides.get(at).map_or(1, |&n| n.max(1)) };
            let (whole, within) = (here / part.max(1), here % part.max(1));
            if within % step != 0 {
                return None;
            }
            out = out.saturating_add(scale.saturating_mul(whole * moved + within / step));
            scale = scale.saturating_mul((side.size() + part - 1) / part.max(1) * moved);
        }
        Some(out)
    }

    /// Returns how far one step of a global mode moves the coordinate of a dimension that several
    /// modes share.
    pub(super) fn coordinate_step(
        &self,
        dimension: usize,
        stride: i64,
        request: &TmaRequest,
    ) -> Result<i64> {
        let bits = stride.checked_mul(request.dtype.bits()).ok_or(Error::overflow("a stride"))?;
        let bytes = dimension
            .checked_sub(1)
            .and_then(|at| self.global_strides.get(at))
            .map_or(16, |&bytes| bytes.max(16));
        Ok(crate::cute::int_tuple::ceil_div_int(bits / bytes, 8))
    }
}

/// Splits the box over the CTAs of a multicast, outermost dimension first.
fn split_box(basis: &Layout, num_multicast: i64) -> (Vec<i64>, bool) {
    let mut sides: Vec<i64> = basis.modes().iter().map(Layout::size).collect();
    let (mut left, mut even) = (num_multicast, true);
    for side in sides.iter_mut().rev() {
        if left <= 1 {
            break;
        }
        even &= *side % left == 0 || left % *side == 0;
        let next = (left + *side - 1) / *side;
        *side = (*side + left - 1) / left;
        left = next;
    }
    (sides, even && left <= 1)
}

/// Returns the driver's name of a swizzle that counts bytes.
#[must_use]
pub fn swizzle_mode(swizzle: Swizzle) -> Option<&'static str> {
    match (swizzle.bits(), swizzle.base(), swizzle.shift()) {
        (0, _, _) => Some("NONE"),
        (1, 4, 3) => Some("32B"),
        (2, 4, 3) => Some("64B"),
        (3, 4, 3) => Some("128B"),
        (2, 5, 2) => Some("128B_ATOM_32B"),
        (1, 6, 1) => Some("128B_ATOM_64B"),
        _ => None,
    }
}

/// Returns the swizzle, in bytes, that an author calls by its span.
///
/// # Errors
/// Never for the words of the table.
pub fn swizzle_by_name(name: &str) -> Result<Option<Swizzle>> {
    let (b, m, s) = match name {
        "none" => (0, 4, 3),
        "32B" => (1, 4, 3),
        "64B" => (2, 4, 3),
        "128B" => (3, 4, 3),
        "128B-atom-32B" => (2, 5, 2),
        "128B-atom-64B" => (1, 6, 1),
        _ => return Ok(None),
    };
    Swizzle::new(b, m, s).map(Some)
}

pub(super) const fn gcd(a: i64, b: i64) -> i64 {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
