#!/usr/bin/env python3
"""Runs the `python` facts of figures in the real CuTe DSL and compares what it prints.

    mdbook-cute facts < tests/data/snippets.jsonl | python3 tests/dsl_snippets.py

needs `pip install nvidia-cutlass-dsl==4.8.1`, but no GPU. One object a line, as `facts` writes
them. A figure counts as compared when it has the facts `python` and `result`; the exit code is 1
if one of them prints something else.
"""

import json
import os
import sys

os.environ.setdefault("CUTE_DSL_ARCH", "sm_100a")

import cutlass  # noqa: E402
import cutlass.cute as cute  # noqa: E402


def printed(value):
    """Writes a value as the figures do: no blanks, a tensor without its pointer wrapper."""
    if isinstance(value, tuple):
        return "(" + ",".join(printed(item) for item in value) + ")"
    text = str(value).replace(" o ", "\0").replace(" ", "").replace("\0", " o ")
    if text.startswith("tensor<") and text.endswith(">"):
        return text[len("tensor<") : -1]
    return text


figures = [json.loads(line) for line in sys.stdin if line.strip()]
outcomes = []


def evaluate(figure):
    """Returns what the DSL prints for a figure's code, or its refusal."""
    try:
        return printed(eval(figure["facts"]["python"], {"cute": cute, "cutlass": cutlass}))
    except Exception as error:  # a refusal of the DSL is an outcome, not a crash
        return f"{type(error).__name__}: {str(error).splitlines()[0][:160]}"


def evaluate_all():
    for figure in figures:
        facts = figure.get("facts", {})
        both = "python" in facts and "result" in facts
        if not both:
            outcomes.append((figure, None, None))
            continue
        got, wanted = evaluate(figure), facts["result"]
        if "make_layout_tv" in facts["python"]:
            wanted = f"({facts['tiler']},{wanted})"
        if "local_tile" in facts["python"]:
            wanted = f"{facts['offset']} o {wanted}"
        outcomes.append((figure, wanted, got))


# Layouts exist only while a function is traced; the loop itself is plain Python.
@cute.jit
def run_all():
    evaluate_all()


run_all()
compared = [(f, wanted, got) for f, wanted, got in outcomes if wanted is not None]
differ = [(f, wanted, got) for f, wanted, got in compared if wanted != got]
for figure, wanted, got in differ:
    print(f"{figure.get('kind')} {figure['facts']['python']}\n  figure: {wanted}\n  DSL:    {got}")
print(f"{len(compared) - len(differ)} of {len(compared)} figures print the same in the DSL")
kinds = sorted({figure.get("kind", "?") for figure, _, _ in compared})
print("kinds:", ", ".join(kinds), f"; without both facts: {len(outcomes) - len(compared)}")
sys.exit(1 if differ or not compared else 0)
