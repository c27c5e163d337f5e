"""Menu entries, panels and keys that pages name are those of the program."""

import functools
import re

import pytest

from kinetree.app.actions.rows import all_actions
from kinetree.app.menus.table import MENUS, SUBMENU_SECTIONS
from kinetree.app.panels.docks import DOCKS
from tests.documentation.links import prose
from tests.documentation.pages import ROOT

PAGES = sorted(path.relative_to(ROOT).as_posix() for path in [ROOT / "README.md", *ROOT.glob("docs/**/*.md")])
PATH = re.compile(rf"\*\*\s*((?:{'|'.join(MENUS)})(?:\s*>\s*[^*>]+)+)\*\*")
"""A bold path through menus: **Simulation > Timeline > Step Size…**."""
KEYS = re.compile(rf"{PATH.pattern}\s+\(((?:Ctrl|Shift|Alt)\+[^)\s]+|F\d+)[\s)]")
TUTORIAL = sorted(path.relative_to(ROOT).as_posix() for path in ROOT.glob("docs/tutorial/*.md"))


MADE_LATER = ("Camera > Look Through",)
"""Submenus whose entries are those of the model."""


@functools.cache
def entries() -> dict[str, tuple[str, ...]]:
    """The keys of all menu entries by their path; of submenus and menus too, without keys."""
    found: dict[str, tuple[str, ...]] = {}
    for row in all_actions():
        if not row.menu:
            continue
        parts = row.menu.split("/")
        for count in range(1, len(parts) + 1):
            found.setdefault(" > ".join(parts[:count]), ())
        found[" > ".join([*parts, row.text])] = row.keys
    return found | dict.fromkeys(MADE_LATER, ())


def named(text: str) -> list[str]:
    """The paths through menus that a page names."""
    return [
        " > ".join(part.strip() for part in " ".join(path.split()).split(">")) for path in PATH.findall(prose(text))
    ]


@pytest.mark.parametrize("page", PAGES)
def test_menu_entries_exist(page: str) -> None:
    known = entries()
    wrong = [path for path in named((ROOT / page).read_text(encoding="utf-8")) if path not in known]
    assert not wrong, f"no such menu entries: {wrong}"


@pytest.mark.parametrize("page", PAGES)
def test_keys_beside_menu_entries_are_theirs(page: str) -> None:
    known = entries()
    for path, key in KEYS.findall(prose((ROOT / page).read_text(encoding="utf-8"))):
        name = " > ".join(part.strip() for part in " ".join(path.split()).split(">"))
        assert key in known[name], f"{name} has the keys {known[name]}"


def test_the_tutorial_names_entries_of_most_menus() -> None:
    paths = [path for page in TUTORIAL for path in named((ROOT / page).read_text(encoding="utf-8"))]
    assert len(paths) > 15 and len({path.partition(" ")[0] for path in paths}) >= 6


def test_wrong_entries_and_keys_are_found() -> None:
    text = "**File > Open…** (Ctrl+O) and\n**File >\nNothing** (Ctrl+N)\n"
    assert named(text) == ["File > Open…", "File > Nothing"]
    assert KEYS.findall(text) == [("File > Open…", "Ctrl+O"), ("File >\nNothing", "Ctrl+N")]
    known = entries()
    assert known["File > Open…"] == ("Ctrl+O",) and "File > Nothing" not in known
    assert set(SUBMENU_SECTIONS) <= {path.replace(" > ", "/") for path in known}
    assert f"View > {next(row.title for row in DOCKS if row.name == 'plots')}" in known
