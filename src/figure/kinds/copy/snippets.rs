//! The code that makes a copy atom, a tiled copy or a partition, in C++ and in the DSL.
//!
//! In: an atom of the table, and what was tiled. Out: expressions. Invariant: where a language has
//! no such operation, or where it takes arguments that a figure does not know, nothing is written
//! for it.

use crate::cute::{Layout, Tensor, Tiler};
use crate::figure::Snippet;
use crate::hardware::copy::{CopyAtom, Ends, Side, Space, TiledCopy};
use crate::hardware::dtype::ElementType;

/// Writes an atom.
pub(in crate::figure) fn atom(atom: &CopyAtom) -> Snippet {
    let dtype = atom.dtype;
    Snippet {
        cxx: atom
            .cxx_operation()
            .filter(|_| keeps_threads(atom))
            .map(|operation| format!("Copy_Atom<{operation}, {}>{{}}", dtype.cxx_name())),
        python: atom.dsl_operation().map(|operation| {
            let dtype = format!("cutlass.{}", dtype.dsl_name());
            let arguments = [vec![operation, dtype], atom.dsl_keywords()].concat();
            format!("cute.make_copy_atom({})", arguments.join(", "))
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

/// Writes a copy tiled by addresses of `data`.
pub(super) fn by_addresses(copy: &TiledCopy, tv: &Layout, data: &Layout) -> Snippet {
    let arguments = [atom(copy.atom()), Snippet::plain(tv), Snippet::plain(data)];
    Snippet::cute("make_cotiled_copy", &arguments)
}

/// Writes a copy tiled as one side of another.
pub(super) fn like(copy: &TiledCopy, side: Side, followed: Snippet) -> Snippet {
    let name = if side == Side::Source { "make_tiled_copy_S" } else { "make_tiled_copy_D" };
    Snippet::cute(name, &[atom(copy.atom()), followed])
}

/// Writes the regrouped registers of a thread.
pub(super) fn retile(tiled: Snippet, copy: &TiledCopy, fragment: &Layout) -> Snippet {
    let side = if copy.atom().from == Space::Rmem { 'S' } else { 'D' };
    let (dtype, fragment) = (copy.atom().dtype, Snippet::plain(fragment));
    let line = |tiled: Option<String>, call: String| Some(format!("{}.{call}", tiled?));
    Snippet {
        cxx: fragment.cxx.and_then(|layout| {
            let tensor = format!("make_tensor<{}>({layout})", dtype.cxx_name());
            line(tiled.cxx, format!("get_slice(0).retile_{side}({tensor})"))
        }),
        python: fragment.python.and_then(|layout| {
            let tensor = format!("cute.make_rmem_tensor({layout}, cutlass.{})", dtype.dsl_name());
            line(tiled.python, format!("retile({tensor})"))
        }),
    }
}

/// Writes a copy between registers and a tensor in tensor memory, or its first tile.
pub(super) fn tmem(copy: &TiledCopy, acc: &Layout, tiler: Option<&Tiler>, rest: usize) -> Snippet {
    let mut tensor = tensor_in(Space::Tmem, copy.atom().dtype, Snippet::plain(acc));
    if let Some(tiler) = tiler {
        tensor = Snippet::cute("flat_divide", &[tensor, Snippet::tiler(tiler)]);
        let kept = copy.tile_shape().rank();
        let first = |all: &str, zero: &str| [vec![all; kept], vec![zero; rest]].concat().join(", ");
        tensor.cxx = tensor.cxx.map(|text| format!("{text}({})", first("_", "_0{}")));
        tensor.python = tensor.python.map(|text| format!("{text}[{}]", first("None", "0")));
    }
    let arguments = [atom(copy.atom()), tensor];
    Snippet::call("make_tmem_copy", "cute.nvgpu.tcgen05.make_tmem_copy", &arguments)
}

/// Writes a copy from shared to tensor memory. C++ wants the operation, and leaves it to the caller
/// to drop the modes that do not move.
pub(super) fn s2t(copy: &TiledCopy, tmem: &Layout) -> Snippet {
    let tensor = tensor_in(Space::Tmem, copy.atom().dtype, Snippet::plain(tmem));
    let moving = Snippet::call("filter_zeros", "", std::slice::from_ref(&tensor));
    let operation = copy.atom().cxx_operation().map(|operation| format!("{operation}{{}}"));
    let arguments = [
        Snippet { cxx: operation, python: atom(copy.atom()).python },
        Snippet { cxx: moving.cxx, python: tensor.python },
    ];
    Snippet::call("make_utccp_copy", "cute.nvgpu.tcgen05.make_s2t_copy", &arguments)
}

/// Writes a tensor in a memory, at address 0.
pub(in crate::figure) fn tensor_in(space: Space, dtype: ElementType, layout: Snippet) -> Snippet {
    let (null, align) = match space {
        Space::Tmem => ("0", 16),
        Space::Smem => ("nullptr", 128),
        _ => ("nullptr", 16),
    };
    let pointer = Snippet::new(
        format!("make_{space}_ptr<{}>({null})", dtype.cxx_name()),
        format!(
            "cute.make_ptr(cutlass.{}, 0, cute.AddressSpace.{space}, assumed_align={align})",
            dtype.dsl_name()
        ),
    );
    Snippet::cute("make_tensor", &[pointer, layout])
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

/// Returns whether an element is no larger than what the instruction gives a thread at once: C++
/// refuses a type that would join the bits of several threads.
fn keeps_threads(atom: &CopyAtom) -> bool {
    let Ends { src, dst, reference } = &atom.values;
    [src, dst, reference].iter().all(|end| threads(end) == atom.thr_id.size())
}

/// Counts the threads of a TV layout.
pub(super) fn threads(tv: &Layout) -> i64 {
    tv.modes().first().map_or(1, Layout::size)
}
