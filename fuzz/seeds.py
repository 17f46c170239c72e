#!/usr/bin/env python3
"""Writes the seeds of the fuzz targets, fuzz/seeds/TARGET, and the dictionary fuzz/figures.dict.

In: the book, the gallery and the data of the tests. Out: at most 100 small files for each target, the
same ones for the same input. Run it after the notation, a key or a kind changed.
"""

import json
import re
import shutil
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FILES = 100
BYTES = 2000


def main():
    chapters = [path.read_text() for path in sorted((ROOT / "book/src").glob("*.md"))]
    gallery = (ROOT / "gallery.toml").read_text()
    figures = figures_of(tomllib.loads(gallery))
    for name in ["algebra_figures", "snippets"]:
        rows = (ROOT / f"tests/data/{name}.jsonl").read_text().splitlines()
        figures += [figure for row in rows if "kind" in (figure := json.loads(row))]
    blocks = [block for text in chapters for block in blocks_of(text)]
    refused = (ROOT / "tests/data/refused.jsonl").read_text().splitlines()
    pasted = (ROOT / "tests/data/pasted.jsonl").read_text().splitlines()
    expressions = [value for figure in figures for value in figure.values() if ":" in str(value)]

    write("chapter", [part for text in chapters for part in re.split(r"^(?=## )", text, flags=re.M)])
    write("expression", few(expressions, 60) + few(texts(refused), 20) + few(texts(pasted), 20))
    write("gallery", galleries(gallery))
    write("info_and_body", [f"{info}\n{body}" for info, body in blocks])
    write("spec", HEAVY + by_kind(figures))
    dictionary(figures)


# Figures that took gigabytes before lists and accesses were limited.
HEAVY = [
    "tv\nthr=1:0\nval=524288:1\ngmem=524288:33\nsmem=524288:33\ndtype=f64",
    "tv\nthr=1:0\nval=524288:1\nsmem=524288:33\ndtype=u256\nsmem-width=8",
    "tv\nthr=1:0\nval=524288:1\ngmem=recast_layout(65536,65536,524288:33)",
]


def blocks_of(text):
    """Returns info string and body of each block."""
    return re.findall(r"^```+ *cute[ ,]?(.*)\n((?:.*\n)*?)```+ *$", text, flags=re.M)


def figures_of(gallery):
    """Returns the figures of a gallery as flat objects."""
    found = []
    for section in gallery["section"]:
        for figure in section.get("figure", []):
            flat = {}
            for key, value in figure.items():
                if key in ("expect", "let"):
                    joint = "let " if key == "let" else "expect."
                    flat |= {joint + name: item for name, item in value.items()}
                elif key not in ("caption", "id", "aliases"):
                    flat[key] = value
            found.append(flat)
    return found


def by_kind(figures):
    """Returns figures as the target reads them, as many of each kind."""
    kinds = {}
    for figure in figures:
        lines = [f"{key} = {word(value)}" for key, value in figure.items() if key != "kind"]
        text = "\n".join([figure.get("kind", "layout"), *lines])
        kinds.setdefault(figure.get("kind", "layout"), {})[text] = None
    share = (FILES - len(HEAVY)) // len(kinds)
    return [text for kind in sorted(kinds) for text in few(list(kinds[kind]), share)]


def word(value):
    """Writes a value as a block has it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ",".join(word(item) for item in value)
    return " ".join(str(value).split())


def galleries(text):
    """Returns a gallery of two figures for each few figures of a gallery."""
    sections = re.split(r"^(?=\[\[section\]\])", text, flags=re.M)
    parts = [sections[0]]
    for section in sections[1:]:
        head, *figures = re.split(r"^(?=\[\[section\.figure\]\])", section, flags=re.M)
        parts += [head + "".join(figures[at : at + 2]) for at in range(0, len(figures), 6)]
    return parts


def texts(rows):
    """Returns what stands under `text` in rows of JSON."""
    return [text for row in rows if (text := json.loads(row).get("text"))]


def few(items, most):
    """Picks at most `most`, evenly."""
    step = max(1, -(-len(items) // most))
    return items[::step]


def write(target, items):
    folder = ROOT / "fuzz/seeds" / target
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    small = [item for item in dict.fromkeys(map(str, items)) if item.strip() and len(item) <= BYTES]
    for at, item in enumerate(few(small, FILES)):
        (folder / f"{at:02}").write_text(item)


def dictionary(figures):
    """Writes kinds, keys and the words of Markdown and TOML that surround them."""
    kinds = sorted({figure.get("kind", "layout") for figure in figures})
    keys = sorted({key for figure in figures for key in figure if key != "kind"})
    around = ["```cute ", "```\n", "](cute:", "[^1]", "> ", "{{#include ", "<!--", "\\{{"]
    tables = ["[[section]]\n", "[[section.figure]]\n", "[names]\n", "slug = ", '"""', "'''"]
    words = kinds + [f"{key} = " for key in keys] + around + tables
    lines = ["# Words of figures, Markdown and galleries for the fuzzer."]
    lines += [quoted(word) for word in words]
    (ROOT / "fuzz/figures.dict").write_text("\n".join(lines) + "\n")


def quoted(word):
    escaped = word.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\x0a")
    return f'"{escaped}"'


if __name__ == "__main__":
    main()
