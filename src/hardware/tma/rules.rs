//! The host-side rules of a tensor map, by name and with their numbers.
//!
//! In: a request, its box and its descriptor. Out: a list of rules that hold or fail. Source: the
//! CUDA driver API on `cuTensorMapEncodeTiled` and `cuTensorMapEncodeIm2col`, and the assertions of CuTe's descriptor code.
//! Invariant: CuTe checks none of them while it traces; a failed rule does not stop the figure.

use super::basis::{MAX_BOX_SIDE, MAX_CHANNELS, MAX_PIXELS, MAX_RANK};
use super::descriptor::{Descriptor, PixelBox};
use super::request::TmaRequest;
use crate::cute::{Layout, Swizzle};

/// One rule and whether it holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Its kebab-case name.
    pub rule: &'static str,
    /// Whether it holds.
    pub ok: bool,
    /// The numbers.
    pub text: String,
}

/// Alignment that an author may state, in bytes.
#[derive(Clone, Copy, Debug)]
pub struct Alignment {
    /// Of the global tensor's first element.
    pub gmem: i64,
    /// Of the tile in shared memory.
    pub smem: Option<i64>,
}

/// Checks all rules.
#[must_use]
pub fn rules(
    request: &TmaRequest,
    basis: &Layout,
    descriptor: &Descriptor,
    alignment: Alignment,
) -> Vec<Rule> {
    let mut list =
        vec![rank(request, descriptor), stride_one(request, descriptor), majorness(descriptor)];
    list.extend(strides(request, descriptor));
    list.push(extents(descriptor));
    match &descriptor.pixel_box {
        Some(pixels) => list.extend([channels_and_pixels(descriptor), corners(pixels)]),
        None => list.extend([box_sides(descriptor), inner_bytes(request, descriptor)]),
    }
    list.push(swizzle_span(request, descriptor));
    list.push(swizzle_mode(request, descriptor));
    list.push(element_strides(descriptor));
    list.push(base_alignment(request, alignment));
    list.push(smem_alignment(request, alignment));
    list.push(multicast(request, basis, descriptor));
    list.extend(packed(request, descriptor));
    list.extend(data_type(request));
    list
}

/// The driver has no type of 16 bytes or more; CuTe traces such atoms as of `UINT64` all the same,
/// with a box and extents that count whole elements.
fn data_type(request: &TmaRequest) -> Option<Rule> {
    let bits = request.internal_bits();
    let text = format!(
        "an element is {} bytes; the widest type of a tensor map is 8, and extents and box count whole elements",
        bits / 8
    );
    (bits > 64).then(|| rule("data-type", false, text))
}

fn rule(rule: &'static str, ok: bool, text: String) -> Rule {
    Rule { rule, ok, text }
}

fn rank(request: &TmaRequest, descriptor: &Descriptor) -> Rule {
    if descriptor.pixel_box.is_some() {
        let dimensions = descriptor.global_dim.len();
        let text = format!(
            "the global tensor has {dimensions} modes; a tensor map of im2col has 3 to {MAX_RANK}"
        );
        return rule("rank", (3..=MAX_RANK).contains(&dimensions), text);
    }
    let moving =
        request.gmem.flat_modes().iter().filter(|m| m.shape > 1 && !m.stride.is_zero()).count();
    let text = format!("the global tensor has {moving} modes; a tensor map has 1 to {MAX_RANK}");
    rule("rank", (1..=MAX_RANK).contains(&moving), text)
}

fn stride_one(request: &TmaRequest, descriptor: &Descriptor) -> Rule {
    let ones =
        request.gmem.flat_modes().iter().filter(|m| m.shape > 1 && m.stride.value() == 1).count();
    let inner = descriptor.element_steps.first().copied().unwrap_or(0);
    let single = request.gmem.size() == 1;
    let text = match ones {
        0 => "no mode of the global tensor has stride 1".to_owned(),
        1 => format!(
            "one mode of the global tensor has stride 1, and the innermost side of the box walks stride {inner}"
        ),
        n => format!("{n} modes of the global tensor have stride 1"),
    };
    rule("stride-one", ones == 1 || single, text)
}

fn majorness(descriptor: &Descriptor) -> Rule {
    let step = descriptor.element_steps.first().copied().unwrap_or(1);
    let text = if step == 1 {
        "shared memory runs along the stride-1 mode of the global tensor".to_owned()
    } else {
        format!(
            "shared memory runs along a mode of stride {step} in global memory, not along the one of stride 1"
        )
    };
    rule("majorness", step == 1, text)
}

fn strides(request: &TmaRequest, descriptor: &Descriptor) -> Vec<Rule> {
    // Wide alignment: packed 4-bit and 6-bit types that are unpacked on the way.
    let unit = if request.format().unpacks() { 32 } else { 16 };
    let modes = request.gmem.flat_modes();
    let mut bad = Vec::new();
    // The modes of an im2col tensor are those of the map, apart from the channels.
    let listed = if descriptor.pixel_box.is_some() { &[][..] } else { &modes[..] };
    for (at, mode) in listed.iter().enumerate() {
        let Some(bits) = mode.stride.value().checked_mul(request.dtype.bits()) else { continue };
        if mode.shape > 1 && mode.stride.value() != 1 && bits % (unit * 8) != 0 {
            bad.push(format!(
                "the stride of mode {at} is {} bytes, not a multiple of {unit}",
                bytes(bits)
            ));
        }
    }
    if bad.is_empty() {
        // Where the box does not start with the mode of stride 1, that stride is in the map, too.
        let outer = descriptor.stride_bits.iter().zip(descriptor.global_dim.iter().skip(1));
        let wrong = outer.filter(|&(bits, extent)| *extent > 1 && bits % (unit * 8) != 0);
        bad.extend(wrong.map(|(&bits, _)| {
            format!("a stride of the tensor map is {} bytes, not a multiple of {unit}", bytes(bits))
        }));
    }
    let multiple = if bad.is_empty() {
        let list: Vec<String> = descriptor.stride_bits.iter().map(|&bits| bytes(bits)).collect();
        let text = if list.is_empty() {
            "no stride beyond the innermost one".to_owned()
        } else {
            format!("strides of {} bytes are multiples of {unit}", list.join(", "))
        };
        rule("stride-multiple", true, text)
    } else {
        rule("stride-multiple", false, bad.join("; "))
    };
    let largest = descriptor.global_strides.iter().copied().max().unwrap_or(0);
    let smallest = descriptor.global_strides.iter().copied().min().unwrap_or(0);
    let limit = rule(
        "stride-limit",
        largest < 1 << 40 && smallest >= 0,
        format!("the largest stride is {largest} bytes; strides are 0 or more and below 2^40"),
    );
    vec![multiple, limit]
}

fn bytes(bits: i64) -> String {
    if bits % 8 == 0 { (bits / 8).to_string() } else { format!("{bits}/8") }
}

fn list(numbers: &[i64]) -> String {
    let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    format!("({})", numbers.join(","))
}

fn extents(descriptor: &Descriptor) -> Rule {
    let ok = descriptor.global_dim.iter().all(|n| (1..=1 << 32).contains(n));
    rule(
        "extents",
        ok,
        format!("the tensor is {}; extents are 1 to 2^32", list(&descriptor.global_dim)),
    )
}

fn box_sides(descriptor: &Descriptor) -> Rule {
    let ok = descriptor.box_dim.iter().all(|n| (1..=MAX_BOX_SIDE).contains(n));
    rule(
        "box-sides",
        ok,
        format!("the box is {}; sides are 1 to {MAX_BOX_SIDE}", list(&descriptor.box_dim)),
    )
}

fn channels_and_pixels(descriptor: &Descriptor) -> Rule {
    let side = |at: usize| descriptor.box_dim.get(at).copied().unwrap_or(1);
    let (channels, pixels) = (side(0), side(1));
    rule(
        "pixel-box",
        (1..=MAX_CHANNELS).contains(&channels) && (1..=MAX_PIXELS).contains(&pixels),
        format!(
            "an instruction moves {channels} channels of {pixels} pixels; 1 to {MAX_CHANNELS} channels and 1 to {MAX_PIXELS} pixels are possible"
        ),
    )
}

/// The corners share 32 bits, so more spatial modes leave fewer for each.
fn corners(pixels: &PixelBox) -> Rule {
    let limit: i64 = match pixels.lower_corner.len() {
        0 | 1 => 1 << 15,
        2 => 1 << 7,
        _ => 1 << 4,
    };
    let all = || pixels.lower_corner.iter().chain(&pixels.upper_corner);
    rule(
        "corners",
        all().all(|n| (-limit..limit).contains(n)),
        format!(
            "the corners are {} and {}; with {} spatial modes, each number is {} to {}",
            list(&pixels.lower_corner),
            list(&pixels.upper_corner),
            pixels.lower_corner.len(),
            -limit,
            limit - 1
        ),
    )
}

fn inner_bits(request: &TmaRequest, descriptor: &Descriptor) -> i64 {
    let bits = if request.format().unpacks() { 8 } else { request.internal_bits() };
    descriptor.box_dim.first().copied().unwrap_or(0).saturating_mul(bits)
}

fn inner_bytes(request: &TmaRequest, descriptor: &Descriptor) -> Rule {
    let bits = inner_bits(request, descriptor);
    let text = format!(
        "the innermost side of the box is {} bytes in shared memory; it is a multiple of 16",
        bytes(bits)
    );
    rule("inner-box-multiple", bits > 0 && bits % 128 == 0, text)
}

fn swizzle_span(request: &TmaRequest, descriptor: &Descriptor) -> Rule {
    let swizzle = request.swizzle();
    let bits = inner_bits(request, descriptor);
    if swizzle.is_identity() {
        return rule("swizzle-span", true, "no swizzle, so no span to keep within".to_owned());
    }
    let span = 1_i64 << (swizzle.bits() + swizzle.base()).min(40);
    rule(
        "swizzle-span",
        bits <= span * 8,
        format!("the innermost side of the box is {} bytes; `{swizzle}` spans {span}", bytes(bits)),
    )
}

fn swizzle_mode(request: &TmaRequest, descriptor: &Descriptor) -> Rule {
    let written = request.smem.swizzle().unwrap_or(Swizzle::IDENTITY);
    match descriptor.swizzle {
        Some(mode) => rule(
            "swizzle-mode",
            true,
            format!("`{written}` in bytes is CU_TENSOR_MAP_SWIZZLE_{mode}"),
        ),
        None => rule(
            "swizzle-mode",
            false,
            format!(
                "the hardware has no swizzle mode `{written}` (in bytes); expected one of S<1,4,3>, S<2,4,3>, S<3,4,3>, S<2,5,2> and S<1,6,1>"
            ),
        ),
    }
}

fn element_strides(descriptor: &Descriptor) -> Rule {
    let ok = descriptor.element_strides.iter().all(|n| (1..=8).contains(n));
    rule(
        "element-strides",
        ok,
        format!("traversal strides are {}; each is 1 to 8", list(&descriptor.element_strides)),
    )
}

fn base_alignment(request: &TmaRequest, alignment: Alignment) -> Rule {
    let unit = if request.format().unpacks() { 32 } else { 16 };
    rule(
        "base-alignment",
        alignment.gmem > 0 && alignment.gmem % unit == 0,
        format!(
            "the global tensor is aligned to {} bytes; a multiple of {unit} is needed",
            alignment.gmem
        ),
    )
}

fn smem_alignment(request: &TmaRequest, alignment: Alignment) -> Rule {
    let swizzle = request.swizzle();
    // A swizzled tile repeats every 2^(B+M+S) bytes, and its first byte must start a repeat.
    let needed = if swizzle.is_identity() {
        128
    } else {
        (1_i64 << (swizzle.bits() + swizzle.base() + swizzle.shift().unsigned_abs()).min(40))
            .max(128)
    };
    let given = alignment.smem.unwrap_or(needed);
    rule(
        "smem-alignment",
        given > 0 && given % needed == 0,
        format!(
            "the tile in shared memory is aligned to {given} bytes; a multiple of {needed} is needed"
        ),
    )
}

fn multicast(request: &TmaRequest, basis: &Layout, descriptor: &Descriptor) -> Rule {
    let sides: Vec<i64> = basis.modes().iter().map(Layout::size).collect();
    let text = if request.num_multicast == 1 {
        "one CTA receives the box".to_owned()
    } else {
        format!(
            "{} CTAs share the box {}, {} each",
            request.num_multicast,
            list(&sides),
            list(&descriptor.box_dim)
        )
    };
    rule("multicast", descriptor.multicast_divides, text)
}

fn packed(request: &TmaRequest, descriptor: &Descriptor) -> Option<Rule> {
    let bits = request.dtype.bits();
    if !(2..8).contains(&bits) {
        return None;
    }
    let inner = descriptor.global_dim.first().copied().unwrap_or(0);
    let side = descriptor.box_dim.first().copied().unwrap_or(0);
    if request.format().unpacks() {
        let swizzle = descriptor.swizzle.is_some_and(|mode| {
            matches!(mode, "NONE" | "128B" | "128B_ATOM_32B" | "128B_ATOM_64B")
        });
        let ok = inner % 128 == 0 && side == 128 && swizzle;
        return Some(rule(
            "packed-type",
            ok,
            format!(
                "`{}` is unpacked to bytes: the innermost extent {inner} is a multiple of 128, the innermost side of the box, {side}, is 128, and the swizzle is none or 128B",
                request.dtype
            ),
        ));
    }
    Some(rule(
        "packed-type",
        inner % 2 == 0,
        format!("`{}` is packed: the innermost extent {inner} fills whole bytes", request.dtype),
    ))
}
