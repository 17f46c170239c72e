"""What `cxx_snippets.py` and `dsl_snippets.py` share: figures in, the record of proofs out.

`tests/data/proofs.jsonl` has a line for each piece of code that a figure of the book, of its gallery
or of `tests/data/snippets.jsonl` shows: the language, the code, and either the facts that the code
was proved to give or, under `unproved`, why it was not. `cargo test --test proofs` fails for a piece
of code that has no line, so a change of the code is proved again or explained.

    cargo run -- build book
    (cargo run -- facts < tests/data/snippets.jsonl; cat book/site/figures.json) > figures.jsonl
    python3 tests/cxx_snippets.py --record < figures.jsonl
    python3 tests/dsl_snippets.py --record < figures.jsonl

`--record` proves what has no line yet, with `--again` everything, and drops the lines of code that no
figure shows any more. Reasons under `unproved` are written by hand; a line that is kept so is tried
with `--again`. Without `--record` everything is proved, and nothing is written.
"""

import json
import pathlib
import re
import sys

FILE = pathlib.Path(__file__).parent / "data" / "proofs.jsonl"


def notation(value):
    """Writes a fact, a number or a nested array, in the notation."""
    if isinstance(value, list):
        return "(" + ",".join(map(notation, value)) + ")"
    return str(value)


class Question:
    """A piece of code and what the facts beside it say that it prints."""

    def __init__(self, figure, code, prints):
        facts = figure["facts"]
        self.kind = figure.get("kind", "?")
        self.code = code
        # What is printed, with the names of facts in braces.
        self.facts = {name: facts[name] for name in re.findall(r"{([\w-]+)}", prints)}
        self.wanted = re.sub(r"{([\w-]+)}", lambda name: notation(facts[name[1]]), prints)


def figures():
    """Reads figures from standard input: one object per line, as `facts` prints them and as the lines
    of a list such as `figures.json` are."""
    for line in sys.stdin.read().splitlines():
        if line.strip() not in ("", "[", "]"):
            yield json.loads(line.strip().rstrip(","))


def questions(language, prints):
    """Lists the questions of the figures; `prints` gives what a piece of code prints."""
    found = {}
    for figure in figures():
        code = figure.get("facts", {}).get(language)
        if code:
            question = Question(figure, code, prints(code))
            if found.setdefault(code, question).facts != question.facts:
                sys.exit(f"two figures say different things about {code}")
    return list(found.values())


def recorded():
    return [json.loads(line) for line in FILE.read_text().splitlines()] if FILE.exists() else []


def run(language, prints, prove):
    """Proves what is asked for. `prove` takes questions and returns what each printed, or a refusal,
    and whether that is what was wanted. Returns the exit code."""
    asked = questions(language, prints)
    known = {line["code"]: line for line in recorded() if line["language"] == language}
    record, again = "--record" in sys.argv, "--again" in sys.argv

    def is_known(question):
        line = known.get(question.code)
        return line is not None and ("unproved" in line or line["facts"] == question.facts)

    todo = [q for q in asked if again or not record or not is_known(q)]
    right, wrong = {}, []
    for question, (printed, same) in zip(todo, prove(todo) if todo else []):
        if same:
            line = {"language": language, "code": question.code, "facts": question.facts}
            # The same map with its modes grouped otherwise.
            right[question.code] = line if printed == question.wanted else {**line, "prints": printed}
        else:
            wrong.append((question, printed))
    unexplained = [(q, got) for q, got in wrong if "unproved" not in known.get(q.code, {})]
    for question, printed in unexplained if record else wrong:
        print(f"{question.kind} {question.code}\n  figure: {question.wanted}\n  {language}: {printed}")
        if question.code in known:
            print(f"  known:  {known[question.code].get('unproved', 'was proved')}")
    print(f"{len(right)} of {len(todo)} pieces of code print what their figures say")
    print("kinds:", ", ".join(sorted({question.kind for question in todo})))
    if record:
        shown = {question.code for question in asked}
        kept = {code: line for code, line in known.items() if code in shown}
        for question, _ in unexplained:
            kept.pop(question.code, None)
        lines = [line for line in recorded() if line["language"] != language]
        lines += (kept | right).values()
        lines.sort(key=lambda line: (line["language"], line["code"]))
        FILE.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines))
    return 1 if unexplained or not asked else 0
