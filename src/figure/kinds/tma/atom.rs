//! One CTA tile of a TMA copy: its boxes, where they land, the descriptor, the rules.
//!
//! In: a request. Out: the pictures of [`panels`], tables of instructions, arguments and rules.

use super::keys::{
    ARCH, CTA_GROUP, DILATION, ELEMENT_STRIDES, FILTER_START, GMEM, GMEM_ALIGN, INDEX,
    LOWER_CORNER, NUM_MULTICAST, PADDING, PADDING_UPPER, SMEM, SMEM_ALIGN, STRIDE, TILER,
    UPPER_CORNER,
};
use super::tile::Tile;
use super::{panels, request, snippets};
use crate::cute::{AnyLayout, IntTuple, Result as CuteResult, Swizzle, Tensor, Tree};
use crate::diagnostic::Diagnostic;
use crate::expr::Value;
use crate::figure::canvas::limits::{TABLE_ROWS, TILE_ELEMENTS};
use crate::figure::input::entry::Problem;
use crate::figure::input::key::KeyDef;
use crate::figure::input::keys::Keys;
use crate::figure::model::facts::Facts;
use crate::figure::model::figure::{Arrangement, Figure, Table};
use crate::hardware::tma::descriptor::Descriptor;
use crate::hardware::tma::im2col::{self, Activation, Filter};
use crate::hardware::tma::rules::{Alignment, Rule, rules};
use crate::hardware::tma::{Mode, TmaAtom, TmaRequest};
use serde_json::{Value as Json, json};

/// Draws a TMA atom over its CTA tile.
///
/// # Errors
/// What CuTe refuses.
pub(super) fn build(keys: &Keys<'_>) -> Result<Figure, Problem> {
    let request = request(keys, &SMEM, &TILER)?;
    let refuse = |error: crate::cute::Error| keys.problem(key_of(&error), error.into());
    let atom = TmaAtom::new(&request).map_err(refuse)?;
    let windows = windows(keys, &request, &atom)?;
    let coordinates =
        windows.as_ref().map(|(tensor, filter)| im2col::coordinates(tensor, filter)).transpose();
    let coordinates = coordinates.map_err(refuse)?;
    let mut descriptor = match &windows {
        None => Descriptor::new(&request, &atom.basis),
        Some((tensor, filter)) => Descriptor::im2col(&request, &atom.basis, tensor, filter),
    }
    .map_err(refuse)?;
    if let Some(strides) = keys.read(&ELEMENT_STRIDES, Value::to_ints)? {
        descriptor.element_strides = strides.leaves().copied().collect();
        if descriptor.element_strides.len() != descriptor.box_dim.len() {
            let text = format!(
                "`{strides}` has {} numbers, and the box has {} dimensions",
                descriptor.element_strides.len(),
                descriptor.box_dim.len()
            );
            return Err(keys.problem(&ELEMENT_STRIDES, Diagnostic::error("element-strides", text)));
        }
    }
    let alignment = Alignment { gmem: keys.get(&GMEM_ALIGN), smem: keys.get(&SMEM_ALIGN) };
    let rules = rules(&request, &atom.basis, &descriptor, alignment);
    let tile = Tile::of(&request, &atom, &descriptor).map_err(refuse)?;
    let mut figure = Figure {
        kind: "tma",
        title: title(&request, &atom, &tile),
        arrangement: Arrangement::Arrows,
        ..Figure::default()
    };
    notes(&mut figure.notes, &request, &tile, &rules);
    if !tile.cut {
        figure.panels = vec![panels::gmem(&request, &atom, &tile), panels::smem(&request, &tile)];
        if !request.mode.loads() {
            figure.panels.reverse();
        }
    }
    let table = instruction_table(&atom, &tile, &request, coordinates.as_ref());
    figure.tables.push(table.map_err(refuse)?);
    figure.tables.push(descriptor_table(&descriptor, &request, alignment));
    figure.tables.push(rule_table(&rules));
    let tensor = coordinates.map_or_else(|| coordinate_tensor(&atom), |tensor| tensor.to_string());
    facts(&mut figure.facts, &request, &atom, &descriptor, &tile);
    figure.facts.push("coordinate-tensor", tensor);
    if atom.coordinates.has_run_time_strides() {
        figure.facts.push_text("coordinate-strides", atom.coordinates.at_run_time.stride());
    }
    figure.facts.push("rules", Json::Array(rules.iter().map(rule_json).collect()));
    figure.facts.push("rules-ok", rules.iter().all(|rule| rule.ok));
    snippets::atom(keys, &request)?.push(&mut figure.facts);
    Ok(figure)
}

/// Returns the key that a refusal is about.
pub(super) fn key_of(error: &crate::cute::Error) -> &'static dyn KeyDef {
    match error.code() {
        "tma-multicast" => &NUM_MULTICAST,
        "tma-cta-group" => &CTA_GROUP,
        "tma-arch" => &ARCH,
        "tma-index" => &INDEX,
        "tiler-rank" => &TILER,
        "im2col-shape" => &GMEM,
        "im2col-lower-corner" => &LOWER_CORNER,
        "im2col-upper-corner" => &UPPER_CORNER,
        "im2col-padding" => &PADDING,
        "im2col-padding-upper" => &PADDING_UPPER,
        "im2col-stride" => &STRIDE,
        "im2col-dilation" => &DILATION,
        "im2col-filter-start" => &FILTER_START,
        _ => &SMEM,
    }
}

/// Reads the tensor and the filter of an im2col copy.
fn windows(
    keys: &Keys<'_>,
    request: &TmaRequest,
    atom: &TmaAtom,
) -> Result<Option<(Activation, Filter)>, Problem> {
    if !request.mode.is_im2col() {
        return Ok(None);
    }
    let filter = if request.mode == Mode::Im2col {
        Filter {
            lower_corner: Some(keys.ints(&LOWER_CORNER)?),
            upper_corner: Some(keys.ints(&UPPER_CORNER)?),
            padding: keys.read(&PADDING, Value::to_ints)?,
            padding_upper: keys.read(&PADDING_UPPER, Value::to_ints)?,
            stride: keys.read(&STRIDE, Value::to_ints)?,
            start: keys.read(&FILTER_START, Value::to_ints)?,
            dilation: keys.read(&DILATION, Value::to_ints)?,
        }
    } else {
        Filter::default()
    };
    let tensor = Activation::new(&keys.plain(&GMEM)?, &atom.basis)
        .map_err(|error| keys.problem(key_of(&error), error.into()))?;
    Ok(Some((tensor, filter)))
}

fn title(request: &TmaRequest, atom: &TmaAtom, tile: &Tile) -> String {
    let times = if tile.instructions == 1 {
        "1 instruction".to_owned()
    } else {
        format!("{} instructions", tile.instructions)
    };
    format!(
        "TMA {} of {}: box {} of {}, {times} a tile",
        request.mode.name(),
        request.gmem,
        atom.basis,
        request.dtype
    )
}

/// Prints the coordinate tensor with its origin.
pub(super) fn coordinate_tensor(atom: &TmaAtom) -> String {
    let origin: IntTuple = Tree::flat(vec![0; atom.basis.rank()]);
    format!("{origin} o {}", atom.coordinates.print(&atom.coordinates.layout))
}

/// Returns a warning for each rule that does not hold.
pub(super) fn broken(rules: &[Rule]) -> impl Iterator<Item = Diagnostic> {
    let broken = rules.iter().filter(|rule| !rule.ok);
    broken.map(|rule| Diagnostic::warning("tma-rule", format!("{}: {}", rule.rule, rule.text)))
}

fn notes(notes: &mut Vec<Diagnostic>, request: &TmaRequest, tile: &Tile, rules: &[Rule]) {
    notes.extend(broken(rules));
    let swizzle = request.swizzle();
    if !swizzle.is_identity() && tile.moved == 0 && !tile.cut {
        let reads = swizzle.base() + swizzle.shift().unsigned_abs();
        let bytes = tile.bytes();
        notes.push(Diagnostic::note(
            "nothing-moved",
            format!(
                "`{swizzle}` moves nothing here: it reads byte-address bits from {reads} on, and the tile's {bytes} bytes never set them to anything but 0"
            ),
        ));
    }
    if request.smem.swizzle().is_some_and(Swizzle::is_identity) && written_swizzle(request) {
        notes.push(Diagnostic::note(
            "identity-swizzle",
            "CuTe reads this swizzle as the identity".to_owned(),
        ));
    }
    if tile.cut {
        notes.push(Diagnostic::note(
            "cut",
            format!("a tile of more than {TILE_ELEMENTS} elements is not drawn"),
        ));
    } else if panels::is_reduced(tile) {
        notes.push(Diagnostic::note("cut", "only a corner of the tile is drawn".to_owned()));
    }
}

/// Returns whether the identity stands where a swizzle was written.
fn written_swizzle(request: &TmaRequest) -> bool {
    matches!(request.smem, AnyLayout::Composed(_))
}

/// Lists the instructions of one tile: the coordinate each is given and where it writes.
fn instruction_table(
    atom: &TmaAtom,
    tile: &Tile,
    request: &TmaRequest,
    windows: Option<&Tensor>,
) -> CuteResult<Table> {
    let values = crate::hardware::tma::basis::value_map(request)?;
    let mut rows = Vec::new();
    for (number, &index) in tile.starts.iter().enumerate().take(TABLE_ROWS) {
        let place = Tree::Leaf(index);
        // The tile's element as a coordinate of the tensor, and that as TMA coordinates.
        let coord = values.at(&place)?;
        let tma = match windows {
            Some(tensor) => tensor.at(&coord),
            None => atom.coordinates.at_run_time.at(&coord),
        };
        let tma = tma.map_or_else(|_| "-".to_owned(), |c| c.to_string());
        rows.push(vec![number.to_string(), coord.to_string(), tma, tile.byte(index).to_string()]);
    }
    Ok(Table {
        title: match tile.starts.len() {
            all if all > TABLE_ROWS => {
                format!("the first {TABLE_ROWS} of {all} instructions of the first tile")
            }
            _ => "instructions of the first tile".to_owned(),
        },
        head: [
            "instruction",
            "first element",
            "TMA coordinate",
            "byte it is given in shared memory",
        ]
        .map(str::to_owned)
        .to_vec(),
        rows,
        ..Table::default()
    })
}

/// Lists the arguments by the names of the driver's header.
fn arguments(descriptor: &Descriptor, request: &TmaRequest) -> Vec<(&'static str, Json)> {
    let swizzle = descriptor.swizzle.map_or_else(
        || json!(format!("no mode of the hardware: {}", request.swizzle())),
        |mode| json!(format!("CU_TENSOR_MAP_SWIZZLE_{mode}")),
    );
    let bounds = match &descriptor.pixel_box {
        None => vec![("boxDim", json!(descriptor.box_dim))],
        Some(pixels) => vec![
            ("pixelBoxLowerCorner", json!(pixels.lower_corner)),
            ("pixelBoxUpperCorner", json!(pixels.upper_corner)),
            ("channelsPerPixel", json!(descriptor.box_dim.first())),
            ("pixelsPerColumn", json!(descriptor.box_dim.get(1))),
        ],
    };
    let mut list = vec![
        ("tensorDataType", json!(format!("CU_TENSOR_MAP_DATA_TYPE_{}", descriptor.data_type))),
        ("tensorRank", json!(descriptor.global_dim.len())),
        ("globalAddress", json!("gmem")),
        ("globalDim", json!(descriptor.global_dim)),
        ("globalStrides", json!(descriptor.global_strides)),
    ];
    list.extend(bounds);
    list.extend([
        ("elementStrides", json!(descriptor.element_strides)),
        ("interleave", json!("CU_TENSOR_MAP_INTERLEAVE_NONE")),
        ("swizzle", swizzle),
        ("l2Promotion", json!("CU_TENSOR_MAP_L2_PROMOTION_L2_128B")),
        ("oobFill", json!("CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE")),
    ]);
    list
}

fn descriptor_table(descriptor: &Descriptor, request: &TmaRequest, alignment: Alignment) -> Table {
    let text = |value: &Json| match value {
        Json::String(text) if text == "gmem" => {
            format!("a pointer aligned to {} bytes", alignment.gmem)
        }
        Json::String(text) => text.clone(),
        Json::Array(numbers) => {
            let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
            format!("{{{}}}", numbers.join(", "))
        }
        value => value.to_string(),
    };
    Table {
        title: match descriptor.pixel_box {
            None => "cuTensorMapEncodeTiled".to_owned(),
            Some(_) => "cuTensorMapEncodeIm2col".to_owned(),
        },
        head: ["argument", "value"].map(str::to_owned).to_vec(),
        rows: arguments(descriptor, request)
            .iter()
            .map(|(name, value)| vec![(*name).to_owned(), text(value)])
            .collect(),
        ..Table::default()
    }
}

fn rule_table(rules: &[Rule]) -> Table {
    let verdict = |ok: bool| if ok { "ok" } else { "failed" }.to_owned();
    let hold = rules.iter().all(|rule| rule.ok);
    Table {
        title: if hold {
            format!("rules of the tensor map: all {} hold", rules.len())
        } else {
            "rules of the tensor map".to_owned()
        },
        folded: hold,
        head: ["rule", "verdict", "numbers"].map(str::to_owned).to_vec(),
        rows: rules
            .iter()
            .map(|rule| vec![rule.rule.to_owned(), verdict(rule.ok), rule.text.clone()])
            .collect(),
    }
}

fn rule_json(rule: &Rule) -> Json {
    json!({ "rule": rule.rule, "ok": rule.ok, "text": rule.text })
}

fn facts(
    facts: &mut Facts,
    request: &TmaRequest,
    atom: &TmaAtom,
    descriptor: &Descriptor,
    tile: &Tile,
) {
    facts.push_text("thr-id", &atom.thr_id);
    facts.push_text("src", &atom.values);
    facts.push_text("dst", &atom.values);
    facts.push_text("box", atom.basis.shape());
    facts.push_text("basis", &atom.basis);
    facts.push("copy-bits", atom.copy_bits);
    facts.push("tma-format", request.format().name);
    facts.push("instructions", tile.instructions);
    let (sides, moved) = (&descriptor.box_dim, descriptor.moved_sides());
    let bytes = atom.copy_bits / 8 / request.num_multicast.max(1);
    if &moved == sides {
        facts.push("bytes-per-instruction", bytes);
    } else {
        let size = |sides: &[i64]| sides.iter().fold(1_i64, |n, &side| n.saturating_mul(side));
        let share = bytes.saturating_mul(size(&moved)) / size(sides).max(1);
        facts.push("bytes-per-instruction", share);
        facts.push("moved-box", moved);
    }
    let swizzle = request.swizzle();
    facts.push_text("byte-swizzle", swizzle);
    facts.push_some(
        "element-swizzle",
        element_swizzle(swizzle, request.smem_bits()).map(|s| s.to_string()),
    );
    if !tile.cut {
        facts.push("moved", tile.moved);
    }
    let object =
        arguments(descriptor, request).into_iter().map(|(name, value)| (name.to_owned(), value));
    facts.push("descriptor", Json::Object(object.collect()));
}

/// Returns what a swizzle of bytes does to elements; none for 6-bit types.
fn element_swizzle(swizzle: Swizzle, bits: i64) -> Option<Swizzle> {
    let log2 = bits.checked_ilog2().filter(|_| bits & (bits - 1) == 0)?;
    swizzle.recast(i32::try_from(log2).ok()? - 3).ok()
}
