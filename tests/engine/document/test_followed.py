"""A text that another process edits: the same edits with the same ids give the same tree."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from kinetree.engine.document.edit import Edit
from kinetree.engine.document.parsed import MANY_IDS, REMEMBERED, ParsedSource
from kinetree.engine.document.source import Source

TEXT = "<m><!-- c --><w>\n" + "".join(f"<b name='{i}'><g size='{i}'/>text</b>\n" for i in range(30)) + "</w></m>"
PIECES = ("<b>", "</b>", "<g/>", "<!--", "-->", "x", "'", "<", ">", "name='n'", "&amp;", "</w>", "")


def parsed(text: str) -> ParsedSource:
    return ParsedSource.parse(Source("t.xml", None, text, Path()))


def told(text: ParsedSource) -> list[tuple[int, str, int, int]]:
    return [(node.id, node.tag, node.start, node.end) for node in text.root.iter()]


def copy_of(text: ParsedSource) -> ParsedSource:
    other = parsed(text.source.text)
    other.take_ids(text.ids)
    return other


@pytest.mark.parametrize("seed", range(20))
def test_random_edits(seed):
    chance = random.Random(seed)
    text = parsed(TEXT)
    other = copy_of(text)
    assert told(other) == told(text)
    versions = [text]
    for _ in range(25):
        length = len(text.source.text)
        start = chance.randrange(length + 1)
        end = min(length, start + chance.choice((0, 0, 1, 3, 20)))
        if chance.random() < 0.2:  # another version comes back
            back = chance.choice(versions).source.text
            edits = [Edit(0, length, back)]
        else:
            edits = [Edit(start, end, chance.choice(PIECES))]
        after = text.edited(edits)
        (*_, step) = after.ancestry
        assert step.before == text.number
        other = other.followed(step.edits, step.ids)
        assert other.source.text == after.source.text
        assert told(other) == told(after) and other.diagnostics == after.diagnostics
        text = after
        versions.append(text)


def test_ids_of_another_text_are_refused():
    with pytest.raises(ValueError, match=r"shorter|longer"):
        parsed(TEXT).take_ids([1, 2, 3])
    with pytest.raises(ValueError, match=r"shorter|longer"):
        parsed(TEXT).followed([Edit(3, 3, "<g/>")], [])


def test_only_the_last_edits_are_remembered():
    text = parsed(TEXT)
    for _ in range(2 * REMEMBERED):
        text = text.edited([Edit(3, 3, "<g/>")])
    assert len(text.ancestry) == REMEMBERED
    many = "<g/>" * (MANY_IDS + 1)
    assert text.edited([Edit(3, 3, many)]).ancestry == ()


def test_a_copy_for_another_file_is_the_same_text():
    text = parsed(TEXT).edited([Edit(3, 3, "<g/>")])
    same = text.of_source(Source("other.xml", None, text.source.text, Path()))
    assert (same.number, same.ancestry, same.ids) == (text.number, text.ancestry, text.ids)
    assert same.edited([Edit(3, 3, " ")]).ancestry[-1].before == text.number
