"""Places of the protocol and character offsets, and the addresses of files."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types

from kinetree.app.language_server.positions import PositionEncoding, key_of, uri_of
from kinetree.engine.document.source import Source

TEXTS = st.text(st.sampled_from("ab<é𝄞\u20ac\t\n\r"), max_size=40)
ENCODINGS = {"utf-8": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}
WIDTHS = {"utf-8": 1, "utf-16": 2, "utf-32": 4}


@given(TEXTS, st.sampled_from(sorted(ENCODINGS)), st.data())
def test_offset_and_position_are_inverse(text: str, encoding: str, data) -> None:
    source = Source("<string>", None, text, Path())
    positions = PositionEncoding(encoding)
    offset = data.draw(st.integers(0, len(text)))
    place = positions.position(source, offset)
    before = text[source.line_starts[place.line] : offset]
    assert place.character == len(before.encode(ENCODINGS[encoding])) // WIDTHS[encoding]
    line_end = text[source.line_starts[place.line] :].splitlines()[:1]
    if not line_end or len(before) <= len(line_end[0]):
        assert positions.offset(source, place) == offset


@given(TEXTS, st.integers(0, 10), st.integers(0, 100))
def test_every_position_is_a_place_of_the_text(text: str, line: int, character: int) -> None:
    source = Source("<string>", None, text, Path())
    offset = PositionEncoding("utf-16").offset(source, types.Position(line, character))
    assert 0 <= offset <= len(text)


@pytest.mark.parametrize("name", ["a.xml", "with space.xml", "ä#%.xml"])
def test_addresses_of_files(tmp_path, name: str) -> None:
    path = str(tmp_path / name)
    assert key_of(uri_of(path)) == path


def test_what_is_no_file_has_a_name_that_no_file_has() -> None:
    assert Path(key_of("untitled:Untitled-1")).name == "<untitled%3AUntitled-1>"
