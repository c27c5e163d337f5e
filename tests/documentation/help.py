"""Makes docs/pages.json, the list of pages that the window shows, of the navigation in mkdocs.yml."""

from __future__ import annotations

import json
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LEFT_OUT = "Contributing"
"""A section for those who change Kinetree: they have the repository."""
_ENTRY = re.compile(r"( *)- ([^:]+(?:: [^:]+)?): ?(\S+\.md)?")


def sections() -> list[tuple[str, list[tuple[str, str]]]]:
    """Titles of sections, each with titles and paths of pages that are in docs/."""
    text = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:\n")[2]
    found: list[tuple[str, list[tuple[str, str]]]] = []
    for line in text.splitlines():
        entry = _ENTRY.fullmatch(line)
        if entry is None:
            raise ValueError(f"mkdocs.yml: {line!r} is no entry of the navigation")
        space, title, page = entry.groups()
        if len(space) == 2:
            found.append((title, []))
        if page is not None and (ROOT / "docs" / page).exists():
            found[-1][1].append((title, page))
    return [(title, pages) for title, pages in found if pages and title != LEFT_OUT]


def page() -> str:
    """The text of docs/pages.json."""
    return json.dumps(sections(), indent=1, ensure_ascii=False) + "\n"
