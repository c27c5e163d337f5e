"""The installed pages of the documentation: their list, their texts, and a search over all of them."""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from kinetree.engine.packaged import packaged

FIRST = "tutorial/index.md"
"""The page that is shown at first."""
LIST = "pages.json"
"""Sections with titles and pages, made of mkdocs.yml by `python -m tests.documentation`."""
SNIPPET = 90
"""Characters of a text around what was found."""
_CODE = re.compile(r"^```[\s\S]*?^```|^(?: {4}[^\n]*\n)+|`[^`\n]+`", re.MULTILINE)
_COMMENT = re.compile(r"<!--.*?-->\n?", re.DOTALL)
_DIAGRAM = re.compile(r"^```mermaid\n.*?^```\n", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^(#+) +(.+?)\s*#*$", re.MULTILINE)
_MENU_PATH = re.compile(r"\*\*([^*\n>]+(?:\n?[^*\n>]*)?(?:\s*>\s*[^*>]+)+)\*\*")
_MARKUP = re.compile(r"[*`|\\]|!?\[([^\]]*)\]\([^)]*\)|^[-#\s>]+", re.MULTILINE)


class PageHit(NamedTuple):
    """A section that has all words of a search. anchor: "" for the beginning of the page."""

    page: str
    title: str
    heading: str
    anchor: str
    snippet: str


class _Section(NamedTuple):
    page: str
    title: str
    heading: str
    anchor: str
    text: str
    folded: str


class Pages:
    """The pages in a folder."""

    def __init__(self, folder: Path | None = None):
        self.folder = folder or packaged("docs")

    @cached_property
    def sections(self) -> list[tuple[str, list[tuple[str, str]]]]:
        """The list of pages: title of a section, then title and path of each page."""
        found = json.loads((self.folder / LIST).read_text(encoding="utf-8"))
        return [(title, [(name, page) for name, page in pages]) for title, pages in found]

    @cached_property
    def titles(self) -> dict[str, str]:
        """path of a page -> its title in the list."""
        return {page: title for _, pages in self.sections for title, page in pages}

    def text(self, page: str) -> str:
        """The text of a page as it is written. Raises OSError."""
        return (self.folder / page).read_text(encoding="utf-8")

    def has(self, page: str) -> bool:
        """Whether a page or a picture is installed."""
        path = posixpath.normpath(page)
        return not path.startswith(("..", "/")) and (self.folder / path).is_file()

    def shown(self, page: str, actions: Mapping[str, tuple[str, str]]) -> str:
        """The Markdown of a page for the window: menu paths are links to their actions, and links to files that are not
        installed are plain text. `actions`: "File > Open…" -> its id and what the menus say."""
        text = _DIAGRAM.sub("", _COMMENT.sub("", self.text(page)))

        def link(match: re.Match[str]) -> str:
            is_picture, words, target = match[1], match[2], match[3]
            if "://" in target or target.startswith(("#", "action:")):
                return match[0]
            name = posixpath.normpath(posixpath.join(posixpath.dirname(page), target.partition("#")[0]))
            return match[0] if self.has(name) else "" if is_picture else words

        def menu(match: re.Match[str]) -> str:
            path = " > ".join(part.strip() for part in " ".join(match[1].split()).split(">"))
            found = actions.get(path)
            return match[0] if found is None else f"[**{found[1]}**](action:{found[0]})"

        return _outside_code(text, lambda part: _MENU_PATH.sub(menu, _LINK.sub(link, part)))

    @cached_property
    def _all(self) -> list[_Section]:
        found = []
        for page, title in self.titles.items():
            try:
                text = _DIAGRAM.sub("", _COMMENT.sub("", self.text(page)))
            except OSError:
                continue
            blanked = _CODE.sub(lambda match: " " * len(match[0]), text)  # a comment of a shell is no heading
            places = list(_HEADING.finditer(blanked))
            ends = [*(each.start() for each in places[1:]), len(text)]
            for number, (place, end) in enumerate(zip(places, ends, strict=True)):
                words = text[place.start(2) : place.end(2)]
                heading, plain = plain_text(words), plain_text(text[place.end() : end])
                mark = anchor(words) if number else ""
                found.append(_Section(page, title, heading, mark, plain, plain.casefold()))
        return found

    def search(self, words: str, most: int = 60) -> list[PageHit]:
        """The sections that have all words, in any order: best first."""
        wanted = words.casefold().split()
        if not wanted:
            return []
        scored = []
        for number, each in enumerate(self._all):
            head = f"{each.title} {each.heading}".casefold()
            if all(word in head or word in each.folded for word in wanted):
                score = sum(8 * (word in head) + min(each.folded.count(word), 5) for word in wanted)
                scored.append((-score, number, each))
        return [
            PageHit(each.page, each.title, each.heading, each.anchor, _snippet(each, wanted))
            for _, _, each in sorted(scored)[:most]
        ]


def anchor(heading: str) -> str:
    """The anchor of a heading, as on the site."""
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    return re.sub(r"[\s-]+", "-", re.sub(r"[^\w\s-]", "", plain.lower()).strip())


def plain_text(markdown: str) -> str:
    """Markdown as one line of plain text."""
    return " ".join(_MARKUP.sub(lambda match: match[1] or " ", markdown).split())


def _snippet(section: _Section, wanted: list[str]) -> str:
    place = min((found for word in wanted if (found := section.folded.find(word)) >= 0), default=0)
    begin = max(0, place - SNIPPET // 3)
    text = section.text[begin : begin + SNIPPET]
    return f"{'…' if begin else ''}{text}{'…' if begin + SNIPPET < len(section.text) else ''}"


def _outside_code(text: str, change: Callable[[str], str]) -> str:
    parts, end = [], 0
    for code in _CODE.finditer(text):
        parts += [change(text[end : code.start()]), code[0]]
        end = code.end()
    return "".join([*parts, change(text[end:])])
