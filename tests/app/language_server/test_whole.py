"""Answers about whole texts are those of a fresh start, whatever was kept of the versions before."""

from __future__ import annotations

import json
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from kinetree.app.language_server.positions import PositionEncoding
from kinetree.app.language_server.texts import Texts
from kinetree.app.language_server.whole import CachedParts, encoded, symbols, tokens
from kinetree.engine.assist.meanings import values_in
from kinetree.engine.assist.outline import Symbol
from kinetree.engine.assist.outline import symbols as symbols_of
from kinetree.engine.document.document import Document
from kinetree.engine.document.edit import Edit
from tests.engine.assist.test_language import URDF

FOLDER = Path("/models")
LONG = "".join(
    f'<body name="100% {i}"><geom size="1" rgba="1 0 0 1"/><site name="é😀{i}"/></body>\n ' for i in range(40)
)
MODEL = f"""<mujoco><default><default class="c"><geom type="box"/></default></default>
 <worldbody><body name="é"><geom name="g" class="c"/>{LONG}</body> {LONG}</worldbody>
 <actuator><motor joint="j" ctrlrange="0
 1"/></actuator></mujoco>
"""
POSITIONS = PositionEncoding("utf-16")


def check(document: Document, path: str, kept: dict[str, CachedParts]) -> None:
    source = document.source_of(path)
    found = json.loads(tokens(document, path, POSITIONS, kept["tokens"]))["data"]
    assert found == encoded(values_in(document, path, 0, len(source.text)), source, POSITIONS)
    shown = json.loads(symbols(document, path, POSITIONS, kept["symbols"]))
    assert [said(each) for each in shown] == [expected(each, document, path) for each in symbols_of(document, path)]


def said(symbol: dict) -> tuple:
    places = [
        (symbol[name][side]["line"], symbol[name][side]["character"])
        for name in ("range", "selectionRange")
        for side in ("start", "end")
    ]
    return symbol["name"], symbol.get("detail"), places, [said(child) for child in symbol["children"]]


def expected(symbol: Symbol, document: Document, path: str) -> tuple:
    source = document.source_of(path)
    places = [
        POSITIONS.place(source, at) for at in (symbol.start, symbol.end, symbol.tag_start, symbol.tag_end)
    ]  # fmt: skip
    detail = symbol.tag if symbol.name != symbol.tag else None
    return symbol.name, detail, places, [expected(child, document, path) for child in symbol.children]


@given(
    st.lists(
        st.tuples(
            st.floats(0, 1),
            st.integers(0, 30),
            st.sampled_from(["", "\n", " ", "é", "😀", "<", ">", '"', "<body>", "</body>", "default", "<!--", "x y"]),
        ),
        max_size=6,
    ),
    st.sampled_from([MODEL, URDF]),
)
@settings(max_examples=40)
def test_after_any_edits(edits: list[tuple[float, int, str]], text: str) -> None:
    path = str(FOLDER / ("robot.urdf" if text is URDF else "model.xml"))
    texts, kept = Texts(), {"tokens": CachedParts(), "symbols": CachedParts()}
    texts.open(path, text)
    check(texts.document(path), path, kept)
    for place, length, new in edits:
        size = len(texts.parsed(path).source.text)
        start = round(place * size)
        texts.change(path, [Edit(start, min(start + length, size), new)])
        check(texts.document(path), path, kept)


def test_an_element_that_means_something_else_now() -> None:
    path = str(FOLDER / "model.xml")
    texts, kept = Texts(), {"tokens": CachedParts(), "symbols": CachedParts()}
    text = '<mujoco><default><geom class="x" type="box"/></default></mujoco>'
    for tag in ("default", "worldbody", "nothing", "default"):
        texts.open(path, text.replace("default", tag))
        check(texts.document(path), path, kept)
    texts.open(path, text)
    for start in (text.index("default"), text.index("</default") + 2):
        texts.change(path, [Edit(start, start + len("default"), "contact")])
        check(texts.document(path), path, kept)
