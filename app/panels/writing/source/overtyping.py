"""Typing: what a typed character does at one caret, and typing over what the editor has put there by itself.

The editor adds the second quote of a value, the end tag after a ">", the rest of an end tag after "</", and the end of
a comment. Who types these too types over them, so that the text is what was typed. That holds until the caret is moved
to another place or the text is changed otherwise: then `forget` is called, and characters are just inserted.
"""

from __future__ import annotations

import re

from kinetree.app.panels.writing.source import markup
from kinetree.app.panels.writing.source.carets import Caret, Stroke, insert, overtype
from kinetree.engine.assist.tags import missing_end_tag, rest_of_end_tag
from kinetree.engine.document.edit import Edit
from kinetree.engine.document.parsed import ParsedSource

__all__ = ["Typing"]

_BLANK = re.compile(r"\s*")


class Typing:
    """Inserts typed characters in one text, and types over characters that the editor inserted by itself, such as
    closing quotes.

    ahead   texts after the caret, behind blanks: end tags and the end of a comment, the innermost last
    rest    remaining characters of the innermost of them while it is being typed
    behind  text before the caret that may be typed again
    again   the part of it that was typed again
    """

    def __init__(self) -> None:
        self._ahead: list[str] = []
        self._rest = self._behind = self._again = ""

    def forget(self) -> None:
        """Treat inserted parts as typed."""
        self._ahead.clear()
        self._rest = self._behind = self._again = ""

    def new_line(self, carets: list[Caret]) -> list[Caret]:
        """The carets for a line break: it replaces the blank that is put behind "<!--"."""
        blank, self._behind = self._behind, ""
        if blank != " " or len(carets) != 1:
            return carets
        return [Caret(carets[0].position - 1, carets[0].position)]

    def type(self, parsed: ParsedSource, carets: list[Caret], typed: str) -> Stroke:
        """Handle typed characters."""
        if len(carets) != 1 or not carets[0].is_empty or len(typed) != 1:
            self.forget()
            return insert(carets, typed)
        text, at = parsed.source.text, carets[0].position
        again, self._again = self._again, ""
        behind, self._behind = self._behind, ""
        if behind.startswith(typed):
            if behind != typed:
                self._behind, self._again = behind[1:], again + typed
            return Stroke([], list(carets))
        if behind != " " and behind and (again or _is_of_name(typed)):  # another end tag is typed
            start, new = at - len(again + behind), again + typed
            return Stroke([Edit(start, at, new)], [Caret(start + len(new), start + len(new))])
        return self._over(text, at, typed, carets) or self._add(parsed, at, typed, carets)

    # ---- over what is there -------------------------------------------------------------------------

    def _over(self, text: str, at: int, typed: str, carets: list[Caret]) -> Stroke | None:
        rest, self._rest = self._rest, ""
        if rest and text.startswith(rest, at):
            if rest[0] == typed:
                self._rest = rest[1:]
                if not self._rest:
                    self._ahead.pop()
                return overtype(carets)
            # It is not what was put in: what was typed of that stands by itself.
            whole = self._ahead[-1]
            again = whole[: len(whole) - len(rest)]
            return insert(carets, typed + again, len(again))
        if not self._ahead:
            return None
        whole = self._ahead[-1]
        begun = "--" if whole == markup.COMMENT_END else "</"
        blank = _BLANK.match(text, at)
        if blank is None or not text.startswith(whole, blank.end()) or text[at - 1 : at] + typed != begun:
            return None
        self._rest = whole[len(begun) :]
        end, ahead = blank.end() + len(begun), blank[0] + begun
        start = at - 1
        if "\n" in ahead and whole != markup.COMMENT_END:  # the end tag stands on a line of its own already
            start = len(text[:start].rstrip(" \t"))
            start = len(text[:start].rstrip("\r\n")) if text[start - 1 : start] in ("\r", "\n") else at - 1
        new = ahead if start < at - 1 else begun
        place = start + len(new)
        return Stroke([Edit(start, end, new)], [Caret(place, place)])

    # ---- what is added ------------------------------------------------------------------------------

    def _add(self, parsed: ParsedSource, at: int, typed: str, carets: list[Caret]) -> Stroke:
        text = parsed.source.text
        if typed in ('"', "'"):
            if markup.closes_value(text, at, typed):
                return overtype(carets)
            if markup.opens_value(text, at):
                return insert(carets, typed * 2, 1)
        elif typed in ("/", ">") and markup.closes_tag(text, at, typed):
            rest = missing_end_tag(parsed, at + 1) if typed == ">" else ""
            if not rest:
                return overtype(carets)
            self._ahead.append(rest)
            return Stroke([Edit(at + 1, at + 1, rest)], [Caret(at + 1, at + 1)])
        elif typed == ">":
            rest = missing_end_tag(parsed.edited([Edit(at, at, typed)]), at + 1)
            if rest:
                self._ahead.append(rest)
                return insert(carets, typed + rest, len(rest))
        elif typed == "/":
            self._behind = rest_of_end_tag(parsed, at)
            return insert(carets, typed + self._behind)
        elif typed == "-" and text[max(at - 3, 0) : at] == "<!-" and not text.startswith("-->", at):
            self._ahead.append(markup.COMMENT_END)
            self._behind = " "
            return insert(carets, f"-  {markup.COMMENT_END}", len(markup.COMMENT_END) + 1)
        return insert(carets, typed)


def _is_of_name(typed: str) -> bool:
    return typed.isalnum() or typed in "_-.:"
