//! The code that makes a copy atom, a tiled copy or a partition, in C++ and in the DSL.
//!
//! In: an atom of the table, and what was tiled. Out: expressions. Invariant: where a language has
//! no such operation, or where it takes arguments that a figure does not know, nothing is written
//! for it.

use crate::cute::{Layout, Tensor, Tiler};
use crate::figure::Snippet;
use crate::hardware::copy::{CopyAtom, Side, TiledCopy};
use crate::hardware::dtype::ElementType;

/// Writes an atom.
pub(in crate::figure) fn atom(atom: &CopyAtom) -> Snippet {
    Snippet {
        cxx: cxx_operation(atom)
            .map(|operation| format!("Copy_Atom<{operation}, {}>{{}}", cxx_type(atom.dtype))),
        python: python_operation(atom).map(|operation| {
            let bits = atom.bits.filter(|_| takes_bits(&operation));
            let bits = bits.map_or(String::new(), |bits| format!(", num_bits_per_copy={bits}"));
            format!("cute.make_copy_atom({operation}, cutlass.{}{bits})", atom.dtype.dsl_name())
        }),
    }
}

/// Writes a copy tiled by layouts of threads and values.
pub(super) fn by_threads(copy: &TiledCopy, thr: &Layout, val: &Layout) -> Snippet {
    let arguments = [atom(copy.atom()), Snippet::plain(thr), Snippet::plain(val)];
    Snippet::call("make_tiled_copy", "cute.make_tiled_copy_tv", &arguments)
}

/// Writes a copy tiled by a TV layout and its tiler.
pub(super) fn by_tv(copy: &TiledCopy, tv: &Layout, tiler: &Tiler) -> Snippet {
    let arguments = [atom(copy.atom()), Snippet::plain(tv), Snippet::tiler(tiler)];
    Snippet::call("make_tiled_copy_impl", "cute.make_tiled_copy", &arguments)
}

/// Writes what `thread` gets of a tensor.
pub(super) fn partition(tiled: Snippet, side: Side, tensor: &Tensor, thread: i64) -> Snippet {
    let method = if side == Side::Source { "partition_S" } else { "partition_D" };
    let tensor = Snippet::tensor(tensor);
    let line = |tiled: Option<String>, tensor: Option<String>| {
        Some(format!("{}.get_slice({thread}).{method}({})", tiled?, tensor?))
    };
    Snippet { cxx: line(tiled.cxx, tensor.cxx), python: line(tiled.python, tensor.python) }
}

/// Returns the C++ name of an element type.
pub(in crate::figure) fn cxx_type(dtype: ElementType) -> &'static str {
    dtype.aliases().first().copied().unwrap_or(dtype.name())
}

/// Writes the operation in C++; the DSL's own ones have no name there.
fn cxx_operation(atom: &CopyAtom) -> Option<String> {
    let name = &atom.name;
    if name.ends_with("Op") || name.contains("<N>") {
        return None;
    }
    let width = match atom.bits {
        Some(bits) => format!("<uint_bit_t<{bits}>>"),
        None => format!("<{}>", cxx_type(atom.dtype)),
    };
    Some(name.replace("<T>", &width))
}

fn takes_bits(operation: &str) -> bool {
    ["Universal", "G2SOp", "G2ROp", "R2GOp", "S2ROp", "R2SOp", "DsmemStore"]
        .iter()
        .any(|part| operation.contains(part))
}

/// Writes the operation with its parameters in the DSL.
fn python_operation(atom: &CopyAtom) -> Option<String> {
    let own = Some(&atom.name).filter(|name| name.ends_with("Op"));
    let text = own.or(atom.dsl.as_ref())?;
    let mut words = text.split(' ');
    let name = words.next()?;
    let module = match name {
        _ if name.starts_with("LdMatrix") || name.starts_with("StMatrix") => "warp.",
        "CopyUniversalOp" | "CopyG2ROp" | "CopyR2GOp" | "CopyS2ROp" | "CopyR2SOp" => "",
        // It insists on a width.
        "CopyG2SOp" if atom.bits.is_some() => "cpasync.",
        "CopyDsmemStoreOp" => "cpasync.",
        _ if name.starts_with("Ld") || name.starts_with("St") || name.starts_with("Cp") => {
            "tcgen05."
        }
        _ => return None,
    };
    let tmem = "cute.nvgpu.tcgen05";
    let mut arguments = Vec::new();
    for word in words {
        arguments.push(match word.split_once('=').unwrap_or((word, "True")) {
            ("repeat", count) => format!("repeat={tmem}.Repetition.x{count}"),
            ("pack", _) if name.starts_with("St") => {
                format!("unpack={tmem}.Unpack.UNPACK_32b_IN_16b")
            }
            ("pack", _) => format!("pack={tmem}.Pack.PACK_16b_IN_32b"),
            ("cta_group", "1") => format!("cta_group={tmem}.CtaGroup.ONE"),
            ("cta_group", "2") => format!("cta_group={tmem}.CtaGroup.TWO"),
            ("num_matrices" | "transpose" | "unpack_bits", _) if module == "warp." => {
                word.split_once('=').map_or(format!("{word}=True"), |_| word.to_owned())
            }
            _ => return None,
        });
    }
    Some(format!("cute.nvgpu.{module}{name}({})", arguments.join(", ")))
}
