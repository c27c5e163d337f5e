"""Hooks that mkdocs calls while it builds the site: pages from outside of docs/, their links, descriptions, diagrams.

README.md is the home page. Links are written as they work in the repository, such as `docs/plots.md` in README.md; here
they are written again for the place that the page has on the site.
"""

from __future__ import annotations

import importlib
import posixpath
import re
from pathlib import Path
from typing import Any

import flow

ROOT = Path(__file__).resolve().parents[2]
OUTSIDE = {
    "index.md": "README.md",
    "contributing.md": "CONTRIBUTING.md",
    "changelog.md": "CHANGELOG.md",
    "third-party.md": "THIRD_PARTY.md",
    "images/kinetree.svg": "resources/desktop/kinetree.svg",
}
"""Files of the site that are elsewhere in the repository."""
_LINK = re.compile(r"(\]\()([^)\s#]+)((?:#[^)\s]*)?\))")
_CODE = re.compile(r"^```[\s\S]*?^```|^(?: {4}[^\n]*\n)+|`[^`\n]+`", re.MULTILINE)
_DIAGRAM = re.compile(r"^```mermaid\n(.*?)^```\n", re.MULTILINE | re.DOTALL)
_LONGEST = 160  # characters of a description that search engines show


def on_files(files: Any, *, config: Any) -> Any:
    """Add the files from outside of docs/."""
    make = importlib.import_module("mkdocs.structure.files").File.generated
    for uri, source in OUTSIDE.items():
        files.append(make(config, uri, abs_src_path=str(ROOT / source)))
    return files


def on_page_markdown(markdown: str, *, page: Any, **_: Any) -> str:
    """The text of a page, ready for the site."""
    page.meta.setdefault("description", description(markdown))
    if page.file.src_uri == "index.md":
        page.meta["hide"] = ["navigation"]  # a list of one page
    text = _DIAGRAM.sub(lambda match: flow.html(match[1]) + "\n", markdown)
    return links(text, page.file.src_uri)


def links(text: str, uri: str) -> str:
    """The text with the links of a page of the repository written for its place on the site."""
    source = OUTSIDE.get(uri, f"docs/{uri}")
    places = {name: place for place, name in OUTSIDE.items()}

    def moved(match: re.Match[str]) -> str:
        target = match[2]
        if "://" in target or target.startswith(("mailto:", "#")):
            return match[0]
        name = posixpath.normpath(posixpath.join(posixpath.dirname(source), target))
        place = places.get(name) or name.removeprefix("docs/")
        return match[1] + posixpath.relpath(place, posixpath.dirname(uri) or ".") + match[3]

    parts, end = [], 0
    for code in _CODE.finditer(text):
        parts += [_LINK.sub(moved, text[end : code.start()]), code[0]]
        end = code.end()
    return "".join([*parts, _LINK.sub(moved, text[end:])])


def description(markdown: str) -> str:
    """The first sentences of a page as plain text, for search engines."""
    for block in re.split(r"\n\s*\n", markdown):
        if block.startswith(("#", "<", "!", "|", "-", "    ", "```", "[!")):
            continue
        plain = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", block)
        plain = " ".join(re.sub(r"[*`\\]", "", plain).split())
        if len(plain) <= _LONGEST:
            return plain
        return plain[: plain.rindex(" ", 0, _LONGEST)] + " …"
    return ""
