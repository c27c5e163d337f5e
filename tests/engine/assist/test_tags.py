"""End tags that are missing, and the two names of a pair of tags."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kinetree.engine.assist.tags import missing_end_tag, repeated_end_tag, rest_of_end_tag, tag_pair
from kinetree.engine.document.edit import Edit
from kinetree.engine.document.parsed import ParsedSource
from kinetree.engine.document.source import Source


def marked(text: str) -> tuple[ParsedSource, int]:
    """A text without its "|", parsed, and where that was."""
    return ParsedSource.parse(Source("m.xml", None, text.replace("|", ""), Path("/"))), text.index("|")


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        ("<mujoco>|", "</mujoco>"),
        ("<mujoco><worldbody>|</mujoco>", "</worldbody>"),
        ("<mujoco><body x='>'>|</mujoco>", "</body>"),
        ("<mujoco><worldbody><body>|</worldbody></mujoco>", "</body>"),
        ("<mujoco><worldbody><body><body>|</body></worldbody></mujoco>", "</body>"),
        ("<mujoco><body>|</body></mujoco>", ""),
        ("<mujoco>|</mujoco>", ""),
        ("<mujoco/>|", ""),
        ("<mujoco>text>|</mujoco>", ""),
        ('<mujoco x="1>|</mujoco>', ""),
        ('<mujoco x="1>|"', ""),
        ("<mujoco><!-- a -->|</mujoco>", ""),
        ("<mujoco></mujoco>|", ""),
        ("<mujoco></body>|</mujoco>", ""),
    ],
)
def test_the_end_tag_that_is_missing(text, tag):
    assert missing_end_tag(*marked(text)) == tag


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        ("<a><b></b>|</b></a>", "</b>"),
        ("<b><b></b>|</b>", ""),
        ("<b><b></b>|</b></b>", "</b>"),
        ("<a><b></b>|</c></a>", ""),
        ("<a><b></b>|</a>", ""),
        ("<a><b/>|</b></a>", ""),
        ("<a></a>|</a>", "</a>"),
        ("<m><b>x<b></b>|</b></b></m>", "</b>"),
        ("<m><b>x<b></b>|</b></m>", ""),
    ],
)
def test_an_end_tag_that_is_there_twice(text, tag):
    assert repeated_end_tag(*marked(text)) == tag


@pytest.mark.parametrize(
    ("text", "rest"),
    [("<a><b>x<|</a>", "b>"), ("<a><b>x</b><|", "a>"), ("<a></a><|", ""), ("<a><b><|></a>", "b"), ("<a>|", "")],
)
def test_a_slash_ends_the_element_that_is_open(text, rest):
    assert rest_of_end_tag(*marked(text)) == rest


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<mu|joco><a/></mujoco>", [1, 14]),
        ("<mujoco><a/></mujo|co>", [14, 1]),
        ("<mujoco><a|/></mujoco>", []),
        ("<mujoco>|<a/></mujoco>", []),
        ("<mujoco><!-- <mujo|co --></mujoco>", []),
        ("<mujoco><bo|dy></mujoco>", []),
    ],
)
def test_the_names_of_a_pair(text, expected):
    assert [start for start, _ in tag_pair(*marked(text)) or ()] == expected


@given(st.text(st.sampled_from("<>/ab \"'=!-"), max_size=40), st.integers(0, 40))
def test_broken_texts(text, at):
    offset = min(at, len(text))
    parsed = ParsedSource.parse(Source("m.xml", None, text, Path("/")))
    end = missing_end_tag(parsed, offset)
    if end:
        closed = parsed.edited([Edit(offset, offset, end)])
        assert len(closed.diagnostics) <= len(parsed.diagnostics)
    rest_of_end_tag(parsed, offset)
    pair = tag_pair(parsed, offset)
    if pair is not None:
        (a, b), (c, d) = pair
        assert text[a:b] == text[c:d] and a <= offset <= b
