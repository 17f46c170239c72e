#!/usr/bin/env python3
"""Compiles the `cxx` facts of figures with CUTLASS's own headers and compares what they print.

    mdbook-cute facts < tests/data/snippets.jsonl | python3 tests/cxx_snippets.py

needs a host compiler (`CXX`, or g++) and, for the headers, but neither nvcc nor a GPU:
`pip install --no-deps nvidia-cutlass==4.2.0.0 nvidia-cuda-runtime-cu12 nvidia-cuda-cccl-cu12
nvidia-cuda-nvcc-cu12`. Figures come as `facts` writes them, an object a line. The exit code is 1 if
one does not compile or is another map; `snippet_proofs.py` says how results are recorded. C++ groups
the modes of a few results otherwise than the DSL, whose text the figures show; such a layout has to
give the same at every point.
"""

import os
import re
import subprocess
import sys
import sysconfig
import tempfile

from snippet_proofs import run

HEADERS = """
#include <cute/tensor.hpp>
#include <cute/atom/copy_atom.hpp>
#include <cute/atom/copy_traits_sm75.hpp>
#include <cute/atom/copy_traits_sm80.hpp>
#include <cute/atom/copy_traits_sm90.hpp>
#include <cute/atom/copy_traits_sm90_im2col.hpp>
#include <cute/atom/copy_traits_sm90_tma.hpp>
#include <cute/atom/copy_traits_sm100.hpp>
#include <cute/atom/copy_traits_sm100_tma.hpp>
using namespace cute;
template <class Copy> void print_tiled(Copy const& copy) {
  // The DSL takes an extent for the layout of that many.
  print(transform(typename Copy::Tiler_MN{}, [](auto mode) {
    if constexpr (is_layout<decltype(mode)>::value) return mode; else return make_layout(mode);
  })); print("; ");
  print(typename Copy::TiledLayout_TV{}); print("; ");
  print(copy.get_layoutS_TV()); print("; ");
  print(copy.get_layoutD_TV());
}
template <class Atom> void print_atom(Atom const&) {
  print(typename Atom::ThrID{}); print("; ");
  print(typename Atom::ValLayoutSrc{}); print("; ");
  print(typename Atom::ValLayoutDst{});
}
template <class Atom, class Tensor> void print_tma(Atom const& atom, Tensor const& gmem) {
  print(typename Atom::ValLayoutSrc{}); print("; ");
  print(atom.get_tma_tensor(shape(gmem)));
}
template <class Parts> void print_parts(Parts const& parts) {
  print(layout(get<1>(parts))); print("; ");
  print(get<0>(parts));
}
"""

TILED = "{tiler}; {tv}; {src-tv}; {dst-tv}"
# The function that prints what a call gives, and what it prints, with the names of facts in braces.
CALLS = [
    (".partition_", "print", "{tensor}"),
    (".retile_", "print_layout", "{result}"),
    ("tma_partition", "print_parts", "{smem}; {gmem-tensor}"),
    ("make_tma_atom", "print_tma", "{src}; {coordinate-tensor}"),
    ("make_im2col_tma_copy", "print_tma", "{src}; {coordinate-tensor}"),
    ("make_tiled_copy", "print_tiled", TILED),
    ("make_cotiled_copy", "print_tiled", TILED),
    ("make_tmem_copy", "print_tiled", TILED),
    ("make_utccp_copy", "print_tiled", TILED),
    ("Copy_Atom<", "print_atom", "{thr-id}; {src}; {dst}"),
    ("local_tile", "print", "{offset} o {result}"),
    ("local_partition", "print", "{offset} o {result}"),
]


def asked_of(cxx):
    """Returns the printing function of a piece of code and what it should print."""
    found = ((function, prints) for call, function, prints in CALLS if call in cxx)
    return next(found, ("print", "{result}"))


def closing(text, start):
    """Returns the end of the call whose name starts at `start`."""
    depth = 0
    for at in range(text.index("(", start), len(text)):
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        if depth == 0:
            return at + 1
    raise ValueError(text)


def body(cxx, function):
    """Writes the statements that make and print one figure's object, on one line."""
    *statements, expression = cxx.split("; ")
    setup = "".join(statement + "; " for statement in statements)
    if function == "print_layout":
        return f"{setup}print(({expression}).layout());"
    if function == "print_tma":
        start = cxx.index("make_tensor(make_gmem_ptr")
        return f"{setup}print_tma({expression}, {cxx[start : closing(cxx, start)]});"
    return f"{setup}{function}({expression});"


def as_figures(text):
    """Writes what C++ prints as the figures do: no mark of static integers, no pointers."""
    text = re.sub(r"_(-?\d)", r"\1", text.strip()).replace("Sw<", "S<")
    text = text.replace("ArithTuple", "").replace("counting_iter(0)", "0")
    return re.sub(r"(?:[gstr]mem_)?ptr\[\d+b\]\(\w+\) o ", "", text)


def include_paths():
    site = sysconfig.get_paths()["purelib"]
    cuda = [f"{site}/nvidia/{part}/include" for part in ("cuda_runtime", "cuda_cccl", "cuda_nvcc")]
    return [f"{site}/cutlass_library/source/include", *cuda]


def compiled(programs):
    """Compiles and runs all programs together. Returns what each printed, and what did not
    compile with the compiler's words."""
    refused = {}
    compiler = [os.environ.get("CXX", "g++"), "-std=c++17", "-O0", "-w", "-fmax-errors=0"]
    flags = [flag for path in include_paths() for flag in ("-isystem", path)]
    with tempfile.TemporaryDirectory() as folder:
        source, binary = f"{folder}/all.cpp", f"{folder}/all"
        while True:
            with open(source, "w", encoding="utf-8") as file:
                file.write(HEADERS)
                for number, program in programs.items():
                    if number not in refused:
                        file.write(f'#line 1 "figure{number}"\nvoid figure{number}() {{ {program} }}\n')
                file.write('#line 1 "main"\nint main(int, char** which) {\n')
                for number in programs:
                    if number not in refused:
                        file.write(f"if (atoi(which[1]) == {number}) figure{number}();\n")
                file.write("}\n")
            done = subprocess.run([*compiler, *flags, source, "-o", binary], capture_output=True, text=True)
            if done.returncode == 0:
                break
            # A figure is named where its own line is wrong and where it asked for a template.
            wrong = {int(number) for number in re.findall(r"figure(\d+):1", done.stderr)}
            if not wrong - refused.keys():
                sys.exit(done.stderr[:4000])
            for number in wrong:
                at = done.stderr.find(f"figure{number}:1")
                error = re.search("error: (.*)", done.stderr[at:])
                refused[number] = error[1] if error else "refused"
        printed = {}
        for number in programs.keys() - refused.keys():
            # One process each: the library stops where a TMA descriptor breaks a rule.
            done = subprocess.run([binary, str(number)], capture_output=True, text=True)
            if done.returncode == 0:
                printed[number] = as_figures(done.stdout)
            else:
                refused[number] = done.stderr.strip()[-300:]
    return printed, refused


def parsed(text):
    """Reads a shape, or a stride of integers, as nested tuples."""
    return eval(re.sub(r"(\d)\)", r"\1,)", text).replace("))", "),)"), {})


def points(layout):
    """Lists a layout's offsets in order; `None` for other than plain integer layouts."""
    if "@" in layout or " o " in layout or ":" not in layout:
        return None
    shape, stride = map(parsed, layout.split(":"))

    def flat(tree):
        return sum(map(flat, tree), []) if isinstance(tree, tuple) else [tree]

    offsets = [0]
    for extent, step in zip(flat(shape), flat(stride)):
        offsets = [base + step * at for at in range(extent) for base in offsets]
    return offsets


def same_map(got, wanted):
    """Returns whether two lists of layouts differ in the grouping of modes only."""
    pairs = list(zip(got.split("; "), wanted.split("; ")))
    if len(got.split("; ")) != len(wanted.split("; ")):
        return False
    return all(a == b or (points(a) is not None and points(a) == points(b)) for a, b in pairs)


def prove(questions):
    """Returns for each question what C++ prints, and whether that is the map that was wanted."""
    programs = {n: body(q.code, asked_of(q.code)[0]) for n, q in enumerate(questions)}
    printed, refused = compiled(programs)
    for number, question in enumerate(questions):
        got = printed.get(number)
        if got is None:
            yield refused[number], False
        else:
            yield got, got == question.wanted or same_map(got, question.wanted)


sys.exit(run("cxx", lambda cxx: asked_of(cxx)[1], prove))
