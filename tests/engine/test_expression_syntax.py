"""Texts that are no expressions get a message with the place of the mistake, and never Python's."""

import ast
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kinetree.engine.arithmetic import parsed
from kinetree.engine.expression_syntax import InvalidSyntax

WRONG = {
    'body("torso': (6, 12, 'this name has no " at its end'),
    "sin(1": (4, 5, "this ( is never closed"),
    "qpos[": (5, 6, "never closed"),
    "1 + 2)": (6, 7, "this ) closes nothing"),
    "sin(qpos[0)": (11, 12, "should close the [ of column 9"),
    "1 +": (3, 4, "a value is missing after +"),
    "* 2": (1, 2, "a value is missing before *"),
    "f(1,,2)": (5, 6, "a value is missing before ,"),
    "(1 + )": (4, 5, "a value is missing after +"),
    "qpos[]": (5, 7, "no index between"),
    "qpos.": (5, 6, "the name of a field is missing"),
    "qpos qvel": (1, 10, "an operator is missing between qpos and qvel"),
    "2x": (1, 3, "2x is not a number"),
    "1.5.2": (1, 6, "1.5.2 is not a number"),
    "012": (1, 4, "leave the leading zeros out"),
    "a = 3": (3, 4, "compare with =="),
    "a := 3": (3, 5, "compare with =="),
    "a && b": (3, 5, "write and in place of &&"),
    "!a": (1, 2, "write not in place of !"),
    "2 × 3": (3, 4, "write * in place of ×"),
    "a if b": (3, 5, "an if needs an else"),
    "a else b": (3, 7, "this else has no if"),
    "a:b": (2, 3, "stands only in brackets"),
    "a ? b": (3, 4, "? has no meaning here"),
    "1 + \0": (5, 6, "\\x00 has no meaning here"),
    "import os": (1, 7, "a word of Python"),
    r'body("\N{x}")': (6, 13, "write \\\\ for the character itself"),
}


@pytest.mark.parametrize("text", WRONG)
def test_the_message_names_the_mistake_and_its_place(text):
    start, end, words = WRONG[text]
    with pytest.raises(InvalidSyntax, match=re.escape(words)) as told:
        parsed(text)
    assert (told.value.start + 1, told.value.end + 1) == (start, end)


PIECES = ["qpos", "[", "]", "(", ")", "body", '"arm"', ".", "3", "+", "not", ":", ",", "if", "else", " ", "**", "'", "=",
          "\\", "é", "\0", "1if", "in", "lambda", "{", "}", "#", "\n", "0x", "%", "class", "f'"]  # fmt: skip


@given(st.one_of(st.lists(st.sampled_from(PIECES), max_size=10).map("".join), st.text(max_size=20)))
def test_no_text_gets_the_words_of_python(text):
    words = words_of_python(text)
    if words:
        with pytest.raises(InvalidSyntax) as told:
            parsed(text)
        assert told.value.message != words
        assert 0 <= told.value.start < told.value.end


def words_of_python(text: str) -> str:
    """Python's message about a text that is no expression, "" about an expression."""
    try:
        ast.parse(text, mode="eval")
    except (SyntaxError, ValueError) as error:  # ValueError: a null character
        return str(error)
    return ""
