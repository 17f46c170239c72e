#!/usr/bin/env python3
"""Runs the `python` facts of figures in the real CuTe DSL and compares what it prints.

    mdbook-cute facts < tests/data/snippets.jsonl | python3 tests/dsl_snippets.py

needs `pip install nvidia-cutlass-dsl==4.8.1`, but no GPU. One object a line, as `facts` writes
them. A figure counts as compared when it has the fact `python` and those that tell what it prints:
`result`, or the layouts of an atom, a tiled copy, a TMA atom or a partition. The exit code is 1 if
one of them prints something else. The code of one process is for one architecture: sm_100a, or what
`CUTE_DSL_ARCH` says.
"""

import json
import os
import re
import sys

os.environ.setdefault("CUTE_DSL_ARCH", "sm_100a")

import cutlass  # noqa: E402
import cutlass.cute as cute  # noqa: E402
from snippet_notation import coordinate  # noqa: E402


def printed(value):
    """Writes a value as the figures do: no blanks, a tensor without its pointer."""
    if type(value).__name__ == "OpResultList":  # what `tma_partition` gives
        smem, gmem = value
        return "; ".join([printed(smem).split(" o ")[-1], printed(gmem)])
    if hasattr(value, "tma_tensor"):
        return "; ".join([str(value.atom.layout_src_tv), printed(value.tma_tensor)])
    if hasattr(value, "tiler_mn"):
        layouts = [value.layout_tv_tiled, value.layout_src_tv_tiled, value.layout_dst_tv_tiled]
        return "; ".join([printed(value.tiler_mn), *map(str, layouts)])
    if hasattr(value, "thr_id"):
        return "; ".join(map(str, [value.thr_id, value.layout_src_tv, value.layout_dst_tv]))
    if isinstance(value, tuple):
        return "(" + ",".join(printed(item) for item in value) + ")"
    text = str(value).replace(" o ", "\0").replace(" ", "").replace("\0", " o ")
    if text.startswith("tensor<") and text.endswith(">"):
        return re.sub("^ptr<.*?>> o ", "", text[len("tensor<") : -1])
    return text


figures = [json.loads(line) for line in sys.stdin if line.strip()]
outcomes = []


def evaluate(figure):
    """Returns what the DSL prints for a figure's code, or its refusal."""
    try:
        return printed(eval(figure["facts"]["python"], {"cute": cute, "cutlass": cutlass}))
    except Exception as error:  # a refusal of the DSL is an outcome, not a crash
        return f"{type(error).__name__}: {str(error).splitlines()[0][:160]}"


def wanted_of(facts):
    """Returns what the facts say that the code prints; `None` if they do not."""
    python = facts.get("python", "")
    tiled = ["tiler", "tv", "src-tv", "dst-tv"]
    for call, names in [
        (".partition_", ["tensor"]),
        (".retile(", ["result"]),
        ("tma_partition", ["smem", "gmem-tensor"]),
        ("_tma_atom", ["src", "coordinate-tensor"]),
        ("make_tiled_copy", tiled),
        ("make_cotiled_copy", tiled),
        ("make_tmem_copy", tiled),
        ("make_s2t_copy", tiled),
        ("make_copy_atom", ["thr-id", "src", "dst"]),
    ]:
        if call in python:
            return "; ".join(facts[name] for name in names)
    if not python or "result" not in facts:
        return None
    if "make_layout_tv" in python:
        return f"({facts['tiler']},{facts['result']})"
    if "local_tile" in python:
        return f"{coordinate(facts['offset'])} o {facts['result']}"
    return facts["result"]


def evaluate_all():
    for figure in figures:
        facts = figure.get("facts", {})
        wanted = wanted_of(facts)
        outcomes.append((figure, wanted, None if wanted is None else evaluate(figure)))


# Layouts exist only while a function is traced; the loop itself is plain Python.
@cute.jit
def run_all():
    evaluate_all()


try:
    run_all()
except Exception:
    # What was traced is compiled, and the compiler may refuse many unused atoms together; by then
    # everything has been printed.
    if len(outcomes) < len(figures):
        raise
compared = [(f, wanted, got) for f, wanted, got in outcomes if wanted is not None]
differ = [(f, wanted, got) for f, wanted, got in compared if wanted != got]
for figure, wanted, got in differ:
    print(f"{figure.get('kind')} {figure['facts']['python']}\n  figure: {wanted}\n  DSL:    {got}")
print(f"{len(compared) - len(differ)} of {len(compared)} figures print the same in the DSL")
kinds = sorted({figure.get("kind", "?") for figure, _, _ in compared})
print("kinds:", ", ".join(kinds), f"; without both facts: {len(outcomes) - len(compared)}")
sys.exit(1 if differ or not compared else 0)
