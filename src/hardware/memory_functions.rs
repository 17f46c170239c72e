//! The memory's functions of the notation: shared-memory atoms and the counts of an access.
//!
//! In: calls such as `smem_atom(K_SW128, f16)` or `sectors(tv, data, f32)`. Out: layouts, numbers, and
//! lists whose records have the names of the facts. Invariant: `data` maps the indices that `tv`
//! gives (a tile is numbered first mode fastest), and address 0 is aligned to everything.

use super::dtype::ElementType;
use super::limits::ADDRESSES;
use super::memory::{
    AddressMap, LaneAccess, VectorWidth, bank_conflicts, coalescing, other_width, vector_width,
};
use super::smem_atoms::{SmemAtom, SmemAtomKind, Spelling, tile_to_mma_shape};
use super::units::ACCESS_BYTES;
use crate::cute::index::{at, count, wide};
use crate::cute::{AnyLayout, Layout, Tensor, Tree};
use crate::diagnostic::Diagnostic;
use crate::expr::{Call, Function, Operand, Value};

/// Returns the functions of this file.
pub(super) fn all() -> impl Iterator<Item = Function> {
    FUNCTIONS.iter().chain(CXX_ATOMS).copied()
}

const FUNCTIONS: &[Function] = &[
    Function {
        name: "smem_atom",
        params: &["'name|kind", "'dtype?"],
        doc: "A shared-memory layout atom of WGMMA and tcgen05: `smem_atom(K_SW128, f16)`, or the C++ name `Layout_K_SW128_Atom<half_t>`.",
        eval: smem_atom,
    },
    Function {
        name: "tile_to_mma_shape",
        params: &["atom", "shape", "order?"],
        doc: "Repeats an atom over `((M,K),m,k,...)`, an MMA tile and how often it is repeated.",
        eval: mma_shape,
    },
    Function {
        name: "vector_width",
        params: &["tv", "data", "'dtype"],
        doc: "Elements of the widest access that every thread can make through `data`.",
        eval: width,
    },
    Function {
        name: "sectors",
        params: &["tv", "data", "'dtype"],
        doc: "Sectors of 32 bytes that each warp-wide access of global memory touches.",
        eval: sectors,
    },
    Function {
        name: "bank_conflicts",
        params: &["tv", "data", "'dtype"],
        doc: "Ways of each phase of each warp-wide access of shared memory.",
        eval: banks,
    },
];

macro_rules! cxx_atoms {
    ($($name:literal)*) => {
        &[$(Function {
            name: $name,
            params: &["'type", "sparsity?"],
            doc: "A shared-memory layout atom by its C++ name, in elements.",
            eval: |call| cxx_atom(call, $name),
        }),*]
    };
}

/// `Layout_K_SW128_Atom<half_t>` is a call of the name before its `<`.
const CXX_ATOMS: &[Function] = cxx_atoms! {
    "Layout_MN_INTER_Atom" "Layout_MN_SW32_Atom" "Layout_MN_SW64_Atom" "Layout_MN_SW128_Atom"
    "Layout_MN_SW128_32B_Atom"
    "Layout_K_INTER_Atom" "Layout_K_SW32_Atom" "Layout_K_SW64_Atom" "Layout_K_SW128_Atom"
    "Layout_MN_INTER_SpAtom" "Layout_MN_SW32_SpAtom" "Layout_MN_SW64_SpAtom"
    "Layout_MN_SW128_SpAtom" "Layout_MN_SW128_32B_SpAtom"
    "Layout_K_INTER_SpAtom" "Layout_K_SW32_SpAtom" "Layout_K_SW64_SpAtom" "Layout_K_SW128_SpAtom"
};

fn smem_atom(call: &mut Call) -> Result<Value, Diagnostic> {
    if let Some(Value::Layout(layout)) = call.argument(0).map(|argument| &argument.value) {
        // `smem_atom(Layout_K_SW128_Atom<half_t>)` has been evaluated already.
        return Ok(layout.clone().into());
    }
    let name = call.text(0)?;
    let atom = if call.has(1) {
        let kind = SmemAtomKind::parse(&name).map_err(|error| error.or_at(call.span(0)))?;
        SmemAtom::new(kind, element(call, 1)?)
    } else {
        SmemAtom::parse(&name)
    };
    atom_value(call, &atom.map_err(|error| error.or_at(call.span(0)))?)
}

fn cxx_atom(call: &mut Call, name: &str) -> Result<Value, Diagnostic> {
    let kind = SmemAtomKind::parse(name)?;
    match call.optional(1, Call::int)? {
        None => {}
        Some(2) if kind.sparse => {}
        Some(other) => {
            return Err(Diagnostic::error(
                "smem-atom",
                format!("`{name}` with sparsity {other} does not exist"),
            )
            .at(call.span(1)));
        }
    }
    let atom = SmemAtom::new(kind, element(call, 0)?);
    atom_value(call, &atom.map_err(|error| error.or_at(call.span(0)))?)
}

/// Gives the DSL's atoms as the DSL prints them, C++ atoms in elements, as their pointer means them.
fn atom_value(call: &mut Call, atom: &SmemAtom) -> Result<Value, Diagnostic> {
    // Of a sparse atom the width of a logical element, half of the stored one: its layout counts those.
    call.element_bits = atom.swizzle.unit().element_bits();
    let elements = atom.in_elements()?;
    if let (Some(bits), Some(swizzle)) = (call.element_bits, elements.swizzle())
        && !swizzle.permutes_like(atom.swizzle)
    {
        call.say(Diagnostic::note(
            "swizzle-unit",
            format!("`{}` counts bytes; over {bits}-bit elements it is `{swizzle}`", atom.swizzle),
        ));
    }
    match atom.kind.spelling {
        Spelling::Dsl => Ok(atom.as_printed()?.into()),
        Spelling::Cxx => Ok(elements.into()),
    }
}

fn element(call: &Call, i: usize) -> Result<ElementType, Diagnostic> {
    let name = call.text(i)?;
    ElementType::read(&name).map_err(|error| error.at(call.span(i)))
}

fn mma_shape(call: &mut Call) -> Result<Value, Diagnostic> {
    let atom = call.operand(0)?;
    let (shape, order) = (call.shape(1)?, call.optional(2, Call::ints)?);
    let tiled = tile_to_mma_shape(&atom.layout, &shape, order.as_ref())?;
    Ok(atom.with(tiled))
}

fn width(call: &mut Call) -> Result<Value, Diagnostic> {
    let (_, width) = access(call)?;
    Ok(number(width.elements))
}

fn sectors(call: &mut Call) -> Result<Value, Diagnostic> {
    let (map, width) = access(call)?;
    let issues = coalescing(&map, &width).issues.into_iter().map(|issue| {
        Value::Record(vec![
            ("warp", number(issue.warp)),
            ("issue", number(issue.issue)),
            ("sectors", issue.sectors.into()),
            ("ideal", issue.ideal.into()),
            ("lines", issue.lines.into()),
            ("bytes-asked", issue.bytes_asked.into()),
            ("bytes-moved", issue.bytes_moved.into()),
        ])
    });
    Ok(Value::Items(issues.collect()))
}

fn banks(call: &mut Call) -> Result<Value, Diagnostic> {
    let (map, width) = access(call)?;
    let access = LaneAccess::Vector { elements: width.elements, bits: width.bits };
    let phases = bank_conflicts(&map, access).phases.into_iter().map(|phase| {
        Value::Record(vec![
            ("warp", number(phase.warp)),
            ("issue", number(phase.issue)),
            ("phase", number(phase.phase)),
            ("ways", number(phase.ways)),
            ("bank", number(phase.bank)),
            ("lanes", Value::Items(phase.lanes().map(number).collect())),
        ])
    });
    Ok(Value::Items(phases.collect()))
}

fn number(number: usize) -> Value {
    Value::int(wide(number))
}

fn too_large() -> Diagnostic {
    Diagnostic::error("size", format!("more than {ADDRESSES} addresses are not counted"))
}

/// Reads `(tv, data, dtype)` and places every value.
fn access(call: &mut Call) -> Result<(AddressMap, VectorWidth), Diagnostic> {
    let tv = thread_values(call)?;
    let Operand { layout, offset } = call.operand(1)?;
    let element = element(call, 2)?;
    // Memory is addressed in elements, whatever the swizzle counts.
    let data = Tensor { offset: offset.unwrap_or(Tree::Leaf(0)), layout }.in_elements();
    let data = data.map_err(|error| Diagnostic::from(error).at(call.span(1)))?;
    let modes = tv.modes();
    let [thr, val] = modes.as_slice() else {
        return Err(Diagnostic::error(
            "tv-rank",
            format!("`{tv}` has {} modes; a TV layout has two, (thread, value)", modes.len()),
        )
        .at(call.span(0)));
    };
    if tv.size() > ADDRESSES || data.layout.size() > ADDRESSES {
        return Err(too_large().at(call.span(0)));
    }
    if let Some(message) =
        data.layout.swizzle().and_then(|swizzle| other_width(swizzle, element.bits()))
    {
        call.say(message);
    }
    let base = *data.offset.leaf().ok_or_else(|| {
        Diagnostic::error("type", format!("the offset `{}` is not an address", data.offset))
            .at(call.span(1))
    })?;
    let offsets =
        data.layout.offsets().map_err(|error| Diagnostic::from(error).at(call.span(1)))?;
    let places = tv.walk().map_err(|error| Diagnostic::from(error).at(call.span(0)))?;
    let places = places
        .map(|cell| {
            let outside = || outside(&tv, cell, &data.layout).at(call.span(1));
            at(&offsets, cell).map(|&at| at.checked_add(base)).ok_or_else(outside)
        })
        .collect::<Result<Vec<_>, _>>()?;
    let size = |mode: &Layout| count(mode.size(), ADDRESSES).ok_or_else(too_large);
    let map = AddressMap::new(size(thr)?, size(val)?, element.bits(), 0, places)?;
    let width = vector_width(&map, ACCESS_BYTES);
    Ok((map, width))
}

fn outside(tv: &Layout, cell: i64, data: &AnyLayout) -> Diagnostic {
    Diagnostic::error(
        "tv-outside",
        format!("`{tv}` reaches index {cell}; `{data}` has {} coordinates", data.size()),
    )
    .hint("give the part of the data that the tile covers")
}

/// Reads a TV layout, alone or as the second result of `make_layout_tv`.
fn thread_values(call: &Call) -> Result<Layout, Diagnostic> {
    call.read(0, |value| match value {
        Value::Items(items) => match items.as_slice() {
            [_, tv] => tv.to_plain(),
            _ => value.to_plain(),
        },
        _ => value.to_plain(),
    })
}

#[cfg(test)]
mod tests {
    use crate::diagnostic::Diagnostic;
    use crate::expr::{Evaluated, Scope};
    use crate::hardware::functions::functions;
    use crate::hardware::smem_atoms::{SmemAtomKind, Spelling};

    fn evaluate(text: &str) -> Result<Evaluated, Diagnostic> {
        let functions = functions();
        Scope::new(&functions).evaluate(text)
    }

    fn text(text: &str) -> String {
        evaluate(text).map_or_else(|error| error.to_string(), |found| found.value.to_string())
    }

    #[test]
    fn atoms_are_known_by_either_name() {
        assert_eq!(text("smem_atom(K_SW128, f16)"), "S<3,4,3> o 0 o (8,64):(64,1)");
        assert_eq!(text("smem_atom(\"MN_INTER\", Float16)"), "S<0,4,3> o 0 o (8,8):(1,8)");
        assert_eq!(text("Layout_K_SW128_Atom<half_t>"), "S<3,3,3> o 0 o (8,64):(64,1)");
        assert_eq!(
            text("cute::Layout_K_SW128_Atom<cutlass::half_t>{}"),
            text("Layout_K_SW128_Atom<half_t>")
        );
        assert_eq!(text("UMMA::Layout_MN_INTER_Atom<float>"), "(4,8):(1,4)");
        assert_eq!(
            text("smem_atom(Layout_K_SW128_Atom<half_t>)"),
            text("Layout_K_SW128_Atom<half_t>")
        );
        assert_eq!(
            text("smem_atom(Layout_K_SW128_Atom, half_t)"),
            text("Layout_K_SW128_Atom<half_t>")
        );
        assert_eq!(
            text("Layout_K_SW128_SpAtom<half_t,2>"),
            "S<3,4,3> o 0 o ((1,8),(2,64)):((0,128),(1,2))"
        );
        assert_eq!(evaluate("smem_atom(K_SW128, f16)").unwrap().element_bits, Some(16));
        assert_eq!(
            text("tile_to_mma_shape(smem_atom(K_SW128, f16), ((128,32),1,1,1), (0,1,2))"),
            "S<3,4,3> o 0 o ((128,32),1,2,1):((64,1),0,32,0)"
        );
    }

    #[test]
    fn every_cxx_atom_is_a_function() {
        for kind in SmemAtomKind::all().filter(|kind| kind.spelling == Spelling::Cxx) {
            assert!(evaluate(&format!("{}<tfloat32_t>", kind.name())).is_ok(), "{kind:?}");
        }
    }

    #[test]
    fn counts_come_as_lists_of_records() {
        assert_eq!(text("vector_width((32,8):(8,1), 256:1, f16)"), "8");
        assert_eq!(
            text("vector_width(make_layout_tv((4,8):(8,1),(1,4)), (4,32):(32,1), f32)"),
            "4"
        );
        assert_eq!(
            text("sectors((32,4):(4,1), 128:1, f32)"),
            "({warp=0,issue=0,sectors=16,ideal=16,lines=4,bytes-asked=512,bytes-moved=512})"
        );
        assert!(
            text("bank_conflicts((2,1):(1,0), 2:32, f32)")
                .starts_with("({warp=0,issue=0,phase=0,ways=2,bank=0,lanes=(0,1)})")
        );
        assert_eq!(
            text("sectors((32,4):(4,1), 64:1, f32)"),
            "`(32,4):(4,1)` reaches index 64; `64:1` has 64 coordinates (give the part of the data that the tile covers)"
        );
        assert!(
            text("vector_width((32,8):(8,1), 256:1, f17)")
                .starts_with("unknown element type `f17`")
        );
    }
}
