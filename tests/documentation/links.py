"""Links and anchors of pages in Markdown: what a page offers, and where its links lead."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

_FENCE = re.compile(r"^```[\s\S]*?^```", re.MULTILINE)
_INDENTED = re.compile(r"(?:^(?: {4}|\t).*\n)+", re.MULTILINE)
_CODE = re.compile(r"`[^`\n]*`")
_LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)|(?<=\))\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^(#+) +(.+?)\s*#*$", re.MULTILINE)
_EXTERNAL = re.compile(r"https://[\w.-]+\.[a-z]{2,}(?:/[\w./%~+-]*)?(?:#[\w./%-]+)?")


class Heading(NamedTuple):
    """A heading of a page. level: 1 for the title."""

    level: int
    text: str


def prose(text: str) -> str:
    """The text without code, whose brackets make no links; as many lines."""

    def blank(match: re.Match[str]) -> str:
        return "\n" * match[0].count("\n")

    # Indented lines under a list belong to it, and are no code.
    text = _FENCE.sub(blank, text)
    text = _INDENTED.sub(lambda match: match[0] if _follows_list(text, match.start()) else blank(match), text)
    return _CODE.sub("``", text)


def _follows_list(text: str, start: int) -> bool:
    before = text[:start].rstrip("\n").rpartition("\n")[2]
    return re.match(r"\s*(?:[-*]|\d+\.) ", before) is not None


def links(text: str) -> list[str]:
    """The targets of all links and pictures of a page."""
    return [one or other for one, other in _LINK.findall(prose(text))]


def headings(text: str) -> list[Heading]:
    """The headings of a page in their order."""
    without = _FENCE.sub("", text)
    return [Heading(len(marks), title) for marks, title in _HEADING.findall(without)]


def anchor(title: str) -> str:
    """The anchor of a heading, on a forge and on the site."""
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title)
    plain = re.sub(r"[^\w\s-]", "", plain.lower()).strip()
    return re.sub(r"[\s-]+", "-", plain)


def broken(page: Path, text: str) -> list[str]:
    """Links of a page that lead nowhere: to a file or a heading that is missing, or to an address of a wrong form."""
    wrong = []
    for target in links(text):
        if "://" in target:
            if not _EXTERNAL.fullmatch(target):
                wrong.append(f"{target}: not the form of an address (https only)")
            continue
        name, _, wanted = target.partition("#")
        file = page if not name else page.parent / name
        if not file.exists():
            wrong.append(f"{target}: no such file")
        elif wanted and wanted not in {anchor(each.text) for each in headings(file.read_text(encoding="utf-8"))}:
            wrong.append(f"{target}: no such heading")
    return wrong
