"""Refuses texts with more elements or bodies than a model may have, before they are parsed.

Parsing a million elements takes seconds and gigabytes; counting their tags takes a second, and only texts with so many
"<" are counted at all. What is refused is certain to be too large, however the rest of the model is written: the exact
limits, with all includes, are checked when a model is compiled (engine/compile/memory_estimate.py).
"""

from __future__ import annotations

from typing import NamedTuple

from kinetree.engine.diagnostics import Diagnostics, ModelError
from kinetree.engine.document import scanner
from kinetree.engine.document.source import Source, Span
from kinetree.engine.translation import tr

MAX_ELEMENTS = 1_000_000
"""Most elements that a text may hold with its includes: they take about 4 GB and a minute to compile."""
MAX_BODIES = 20_000
"""Largest number of bodies in a model; each point of a soft object may be one."""


class _Excess(NamedTuple):
    """The tag of the first element beyond a limit: that of bodies, or of all elements."""

    start: int
    end: int
    is_body: bool


def refuse_large(source: Source, is_main: bool = True) -> None:
    """Raise ModelError (`too-large`) for a text that is certain to hold more than a model may have.

    is_main  it is the main file of a model: an included one may be fused to fewer bodies by the settings of others
    """
    text = source.text
    many_bodies = is_main and text.count("<body") >= MAX_BODIES
    if many_bodies and ("fusestatic" in text or "<include" in text):  # which may say so
        many_bodies = False
    if text.count("<") <= MAX_ELEMENTS and not many_bodies:
        return
    excess = _excess(text, MAX_ELEMENTS, MAX_BODIES if many_bodies else len(text))
    if excess is None:
        return
    if excess.is_body:
        message = tr(
            "the model has more than {most} bodies, which is the most that are read: make fewer copies or points",
            most=MAX_BODIES,
        )
    else:
        message = tr(
            "the model has more than {most} elements, which is the most that are read: use fewer, or keep data in "
            "files",
            most=MAX_ELEMENTS,
        )
    found = Diagnostics()
    found.error(Span(source, excess.start, excess.end), "too-large", message)
    raise ModelError(found.items)


class _Unsure(Exception):
    """The text is malformed: the parser may see fewer elements."""


def _excess(text: str, most_elements: int, most_bodies: int) -> _Excess | None:
    """The element with which a well-formed text is beyond a limit. The root does not count, which is not part of the
    model where the file is included, nor do <include>s, in whose place stands what they include. None if there is none
    in front of the first mistake."""
    if "\0" in text:
        return None
    elements, bodies = -1, 1  # without the root; with the world
    stack: list[str] = []
    try:
        for kind, _, _, name, start, _ in scanner.scan(text, _unsure):
            if kind == scanner.END:
                if not stack or stack.pop() != name:
                    return None
                if not stack:
                    break  # a second root element is not read
                continue
            if kind > scanner.END:
                continue
            if name != "include":
                elements += 1
                bodies += name == "body"
                if elements > most_elements:
                    return _Excess(start, start + len(name), False)
                if bodies > most_bodies and stack and stack[0] == "mujoco":
                    return _Excess(start, start + len(name), True)
            if kind == scanner.START:
                stack.append(name)
            elif not stack:
                break
    except _Unsure:
        return None
    return None


def _unsure(is_error: bool, _start: int, _end: int, _code: str, _message: str) -> None:
    if is_error:
        raise _Unsure
