#!/usr/bin/env python3
"""Runs the `python` facts of figures in the real CuTe DSL and compares what it prints.

    mdbook-cute facts < tests/data/snippets.jsonl | python3 tests/dsl_snippets.py

needs `pip install nvidia-cutlass-dsl==4.8.1`, but no GPU. Figures come as `facts` writes them, an
object a line. The exit code is 1 if one prints something else; `snippet_proofs.py` says how results
are recorded. The code of one process is for one architecture: sm_100a, or what `CUTE_DSL_ARCH` says.
"""

import os
import re
import sys

os.environ.setdefault("CUTE_DSL_ARCH", "sm_100a")

import cutlass  # noqa: E402
import cutlass.cute as cute  # noqa: E402
from snippet_proofs import run  # noqa: E402


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


# What is printed of a call, with the names of facts in braces.
TILED = "{tiler}; {tv}; {src-tv}; {dst-tv}"
CALLS = [
    (".partition_", "{tensor}"),
    (".retile(", "{result}"),
    ("tma_partition", "{smem}; {gmem-tensor}"),
    ("_tma_atom", "{src}; {coordinate-tensor}"),
    ("make_tiled_copy", TILED),
    ("make_cotiled_copy", TILED),
    ("make_tmem_copy", TILED),
    ("make_s2t_copy", TILED),
    ("make_copy_atom", "{thr-id}; {src}; {dst}"),
    ("make_layout_tv", "({tiler},{result})"),
    ("local_tile", "{offset} o {result}"),
    ("local_partition", "{offset} o {result}"),
]


def prints(python):
    """Returns what a piece of code prints."""
    return next((printed for call, printed in CALLS if call in python), "{result}")


def evaluate(question):
    """Returns what the DSL prints for a piece of code, or its refusal."""
    try:
        return printed(eval(question.code, {"cute": cute, "cutlass": cutlass}))
    except Exception as error:  # a refusal of the DSL is an outcome, not a crash
        words = " ".join(str(error).split()) or repr(error.__cause__ or "")
        return f"{type(error).__name__}: {words[:160]}"


def prove(questions):
    """Returns for each question what the DSL prints, and whether that is what was wanted."""
    outcomes = []

    def evaluate_all():
        outcomes.extend(evaluate(question) for question in questions)

    # Layouts exist only while a function is traced; the loop itself is plain Python.
    @cute.jit
    def run_all():
        evaluate_all()

    try:
        run_all()
    except Exception:
        # What was traced is compiled, and the compiler may refuse many unused atoms together; by
        # then everything has been printed.
        if len(outcomes) < len(questions):
            raise
    return [(got, got == question.wanted) for got, question in zip(outcomes, questions)]


sys.exit(run("python", prints, prove))
