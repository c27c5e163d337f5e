"""Completion in expressions: fields, functions, kinds of objects, names, attributes."""

from __future__ import annotations

import re
from typing import NamedTuple

from kinetree.engine.arithmetic import FUNCTIONS
from kinetree.engine.model import kinds
from kinetree.engine.model.fields import by_name
from kinetree.engine.model.model import Model
from kinetree.engine.run.expression import CONTACT_ATTRIBUTES, GROUPS, MODEL_GROUPS
from kinetree.engine.run.expression_names import OTHER, attributes, quoted
from kinetree.engine.translation import tr

MOST = 200

_NAME = re.compile(r"""\b(?P<kind>[a-z]+)\(\s*(?P<word>["'][^"']*|)$""")
_ATTRIBUTE = re.compile(r"""(?P<table>\bmodel\.)?\b(?P<kind>[a-z]+)\(\s*(?:"[^"]*"|'[^']*'|\d+)\s*\)\.(?P<word>\w*)$""")
_SIDE = re.compile(r"""\bcontact\(\s*(?:[^()]*?,\s*)?(?P<word>["'][^"']*|)$""")
_CONTACT = re.compile(r"""\bcontact\((?:[^()]|\([^()]*\))*\)\.(?P<word>\w*)$""")
_FIELD = re.compile(r"\b(?P<group>data|model|model\.opt|model\.stat|contact|solver)\.(?P<word>\w*)$")
_WORD = re.compile(r"(?P<word>[A-Za-z_]\w*|)$")
_TOKEN = re.compile(r"""(?P<string>"[^"]*"?|'[^']*'?)|(?P<word>[A-Za-z_]\w*)|(?P<space>\s+)|.""")


class Candidate(NamedTuple):
    """A text that may replace what is typed from `start` on, and what it is."""

    text: str
    help: str
    start: int


def complete(model: Model, text: str, cursor: int, other: Model | None = None) -> list[Candidate]:
    """Completions of the word before the cursor, the likeliest first. `other`: the compared model, for names after
    `other.` or `other(`.
    """
    before = text[:cursor]
    in_other = _is_in_other(before)
    if in_other:
        if other is None:
            return []
        model = other
    if found := _NAME.search(before):
        kind = found["kind"]
        if kind in kinds.KINDS:
            word, names = found["word"][1:], model.names.get(kind, [])
            named = [(f"{quoted(name)})", kind) for name in names if name]
            return _matching(named, word, found.start("word"), skip=1)
    if found := _SIDE.search(before):
        end = ")" if "," in found[0] else ", "
        named = [(f"{quoted(name)}{end}", "geom") for name in model.names.get("geom", []) if name]
        return _matching(named, found["word"][1:], found.start("word"), skip=1)
    if found := _CONTACT.search(before):
        known = [(name, help) for name, (_columns, help) in CONTACT_ATTRIBUTES.items()]
        return _matching(known, found["word"], found.start("word"))
    if (found := _ATTRIBUTE.search(before)) and found["kind"] in kinds.KINDS:
        table = "Model" if found["table"] else "Data"
        known = attributes(model, found["kind"], table)
        return _matching([(name, "") for name in known], found["word"], found.start("word"))
    if found := _FIELD.search(before):
        table = "Model" if found["group"].startswith("model") else "Data"
        prefix = {"data": "", "model": "", "model.opt": MODEL_GROUPS["opt"], "model.stat": MODEL_GROUPS["stat"]}.get(
            found["group"], GROUPS.get(found["group"], "")
        )
        known = [(name.removeprefix(prefix), help) for name, help in _fields(model, table) if name.startswith(prefix)]
        return _matching(known, found["word"], found.start("word"))
    found = _WORD.search(before)
    word = found["word"] if found else ""
    everything = [
        *_fields(model, "Data"),
        *(
            (f"{kind.name}(", tr("a {kind} by its name", kind=tr(kind.name)))
            for kind in kinds.KINDS.values()
            if kind.count(model)
        ),
        *((f"{name}(", tr(row.help)) for name, row in FUNCTIONS.items()),
        ("model.", tr("fields of the model")),
        ("contact.", tr("fields of the contacts")),
        ("contact(", tr("the contacts between two geoms")),
    ]
    if not in_other:
        everything.append(("pi", "3.14159"))
        if other is not None:
            everything += [(f"{OTHER}.", tr("the model that is compared")), (f"{OTHER}(", tr("an expression about it"))]
    return _matching(everything, word, cursor - len(word))


def _is_in_other(before: str) -> bool:
    """Whether what is begun at the end of a text is of the model that is compared: after `other.`, in `other(`."""
    open_ones = [False]  # for each bracket that is open, whether names in it are of the other model
    name_is, last = False, ""  # the same for the name that is under way, and the token before
    for found in _TOKEN.finditer(before):
        token = found[0]
        if found["string"] or found["space"]:
            continue
        if found["word"]:
            name_is = name_is if last == "." else open_ones[-1]
        elif token == ".":
            name_is = name_is or last == OTHER
        elif token in "([":
            name_is = name_is or last == OTHER
            open_ones.append(name_is)
        elif token in ")]" and len(open_ones) > 1:
            name_is = open_ones.pop()
        else:
            name_is = open_ones[-1]
        last = token
    return name_is


def _fields(model: Model, table: str) -> list[tuple[str, str]]:
    """(name, help) of the fields of a table that the model has; the state and visible quantities first."""
    sizes = model.sizes
    found = []
    for name, row in by_name(table).items():
        if table == "Data" and row.role not in ("state", "input", "output"):
            continue
        if row.shape and not row.grows and not all(n if isinstance(n, int) else sizes.get(n, 0) for n in row.shape):
            continue
        found.append((name, row.help, not (row.kind == "array" and row.snapshot)))
    found.sort(key=lambda each: each[2])
    return [(name, help) for name, help, _ in found]


def _matching(known: list[tuple[str, str]], word: str, start: int, skip: int = 0) -> list[Candidate]:
    """The names that begin with a word, then the names that contain it."""
    lower = word.lower()
    ranked = sorted(
        (0 if text[skip:].lower().startswith(lower) else 1, number, text, help)
        for number, (text, help) in enumerate(known)
        if lower in text.lower() and text != word
    )
    return [Candidate(text, help, start) for _, _, text, help in ranked[:MOST]]
