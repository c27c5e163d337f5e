"""Command lines for the shell of each system."""

from __future__ import annotations

import shlex

from hypothesis import given
from hypothesis import strategies as st

from kinetree.engine.platforms.terminal import quoted

WORDS = st.lists(st.text(st.characters(codec="ascii", exclude_categories=["Cc"]), max_size=8), max_size=5)


@given(words=WORDS)
def test_a_shell_of_unix_reads_what_was_quoted(words):
    assert shlex.split(quoted(words, "linux")) == words


def by_rules_of_windows(line: str) -> list[str]:
    """Words of a command line, as C programs of Windows read it: 2n back slashes before a quotation mark are n, one more
    makes the mark a letter."""
    words: list[str] = []
    word, begun, inside, k = "", False, False, 0
    while k < len(line):
        slashes = len(line[k:]) - len(line[k:].lstrip("\\"))
        if slashes and line[k + slashes : k + slashes + 1] == '"':
            word, k, begun = word + "\\" * (slashes // 2), k + slashes, True
            if slashes % 2:
                word, k = word + '"', k + 1
            continue
        c, k = line[k], k + 1
        if c == '"':
            inside, begun = not inside, True
        elif c in " \t" and not inside:
            words += [word] if begun else []
            word, begun = "", False
        else:
            word, begun = word + c, True
    return words + ([word] if begun else [])


@given(words=WORDS)
def test_a_program_of_windows_reads_what_was_quoted(words):
    assert by_rules_of_windows(quoted(words, "windows")) == words


def test_paths_are_readable():
    assert quoted(["render", "my arm.xml"], "linux") == "render 'my arm.xml'"
    assert quoted(["render", r"C:\my models\arm.xml"], "windows") == r'render "C:\my models\arm.xml"'
