"""Phrases that docstrings, comments, messages and pages avoid, each with the words to use instead.

The reader knows MuJoCo, numpy and Qt, and has never seen this project: a sentence names the thing first, with the noun
of the field. Most of these phrases are clauses where such a noun exists.
"""

from __future__ import annotations

import ast
import functools
import io
import re
import tokenize
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("app", "docs", "engine", "kinetree", "packaging", "renderer", "tests")
PAGES = ("README.md", "CONTRIBUTING.md")


class Phrase(NamedTuple):
    """A phrase to avoid.

    pattern  regular expression, searched without regard to line breaks
    instead  the advice in the message
    example  a sentence with the phrase, to test the pattern
    """

    pattern: str
    instead: str
    example: str


PHRASES = {
    "what-opening": Phrase(
        r"^What (?!to\b)(?!.*\?)",
        "open with the noun: the thing, then what it does",
        "What is drawn over the scene.",
    ),
    "what-object": Phrase(
        r"\b(?:of|for|by|in|to|from|with|than|after|before) what (?!to\b)",
        "replace the clause by a noun of the field",
        "A list of what the model lacks.",
    ),
    "how-opening": Phrase(
        r"^How \w+ (?:is|are)\b(?!.*\?)",
        "name the quantity or the method",
        "How light is shown.",
    ),
    "there-are-not": Phrase(
        r"\b(?:that|which) there (?:is|are)\b(?! (?:a|an|no|one|more)\b)",
        "say unused, missing, unknown or existing",
        "0 for a view that there is not.",
    ),
    "that-are-none": Phrase(
        r"\b(?:that|which) (?:is|are) none\b",
        "say which values: invalid, nan, of another type",
        "Numbers that are none.",
    ),
    "of-which": Phrase(
        r"(?<!some )(?<!most )(?<!each )\bof which\b",
        "split the sentence, or use 'whose'",
        "The parts of which a mesh is made.",
    ),
    "own": Phrase(
        r"\bown words\b",
        "name the source: 'see the output of pip'",
        "pip's own words stand above.",
    ),
    "anew": Phrase(r"\banew\b", "say again", "The picture is made anew."),
    "mend": Phrase(r"\b[Mm]end(?:s|ed|ing)?\b", "say fix", "To mend {file}."),
    "in-words": Phrase(
        r"\bin words\b",
        "say as text, or as Markdown",
        "The state in words.",
    ),
    "as-ever": Phrase(r"\bas ever\b", "say as before, or as usual", "It reflects as ever."),
    "wish": Phrase(
        r"\b[Ww]ish(?:es)? (?:that|for|to|of)\b",
        "name the object: an element edit, cancellation, a request",
        "The wish for other numbers.",
    ),
    "of-the-name": Phrase(
        r"\bof the name ['\"{]",
        "say 'with the name', or 'named'",
        "Nothing declares a joint of the name 'a'.",
    ),
}


def in_python(text: str) -> list[tuple[int, str]]:
    """(line, text) of each string and each comment of a Python file."""
    found = [
        (node.lineno, " ".join(node.value.split()))
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value
    ]
    found += [
        (token.start[0], token.string.lstrip("# "))
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
        if token.type == tokenize.COMMENT
    ]
    return sorted(found)


def in_page(text: str) -> list[tuple[int, str]]:
    """(line, text) of each line of a page."""
    return list(enumerate(text.splitlines(), 1))


@functools.cache
def texts() -> dict[str, list[tuple[int, str]]]:
    """The texts of every file, by its path from the root; without this file, which quotes the phrases."""
    paths = [ROOT / page for page in PAGES]
    for folder in FOLDERS:
        found_here = (path for end in ("py", "md") for path in sorted((ROOT / folder).rglob(f"*.{end}")))
        paths += (path for path in found_here if "node_modules" not in path.parts)
    found = {}
    for path in paths:
        name = path.relative_to(ROOT).as_posix()
        if path.resolve() == ROOT / name and name != "tests/test_words.py":
            found[name] = (in_page if path.suffix == ".md" else in_python)(path.read_text("utf-8"))
    return found


def hits(path: str) -> list[tuple[int, str, str]]:
    """(line, phrase, text) of each phrase to avoid in a file."""
    return [
        (line, name, text)
        for line, text in texts()[path]
        for name, phrase in PHRASES.items()
        if re.search(phrase.pattern, text)
    ]


def test_the_words_are_of_the_field() -> None:
    found = [
        f"{path}:{line}: {name}: {text!r}: {PHRASES[name].instead}"
        for path in texts()
        for line, name, text in hits(path)
    ]
    assert not found, "\n" + "\n".join(found)


@pytest.mark.parametrize("name", PHRASES)
def test_each_phrase_finds_its_example(name: str) -> None:
    assert re.search(PHRASES[name].pattern, PHRASES[name].example)


def test_strings_comments_and_pages_are_read() -> None:
    source = '"""A page\nmade anew."""\nx = f"{1} mended by"  # as ever it was\n'
    assert [text for _, text in in_python(source)] == ["A page made anew.", "as ever it was", "mended by"]
    assert in_page("# Title\n\nText.") == [(1, "# Title"), (2, ""), (3, "Text.")]
