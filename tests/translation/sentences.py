"""Every sentence that can be translated: those that the sources give to `tr`, `counted` and `marked`, and those of the
tables, which hold plain texts."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ("app", "engine", "renderer")


class Sentence(NamedTuple):
    """A key of the catalogue. `many` is "" for a sentence without a number; `file` is where it stands."""

    text: str
    many: str
    file: str


class NotPlain(ValueError):
    """A sentence that is put together from pieces before it is translated."""


def in_source(path: Path) -> Iterator[Sentence]:
    """The sentences of one Python file. Raises NotPlain."""
    file = path.relative_to(ROOT).as_posix()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or not node.args:
            continue
        plain = list(_plain(node.args[0]))
        if node.func.id in ("tr", "marked") and plain:
            yield from (Sentence(text, "", file) for text in plain)
        elif node.func.id == "marked":
            raise NotPlain(f"{file}:{node.lineno}: marked() takes a plain text")
        elif node.func.id == "counted":
            both = [str(each.value) for each in node.args[:2] if isinstance(each, ast.Constant)]
            if len(both) < 2:
                raise NotPlain(f"{file}:{node.lineno}: counted() takes two plain texts")
            yield Sentence(both[0], both[1], file)


def _plain(node: ast.expr) -> Iterator[str]:
    """The plain texts of an argument: one, or those that a condition chooses from."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from _plain(node.body)
        yield from _plain(node.orelse)


def in_sources() -> Iterator[Sentence]:
    """The sentences of all Python files."""
    for folder in SOURCES:
        for path in sorted((ROOT / folder).rglob("*.py")):
            yield from in_source(path)


# ---- tables --------------------------------------------------------------------------------------------------------


def _actions() -> Iterator[str]:
    from kinetree.app.actions.rows import all_actions
    from kinetree.app.menus.help import HelpRow, paired
    from kinetree.app.menus.table import BOOKMARKS, FLAG_GROUPS, GESTURES, GROUPS, MENUS, MNEMONICS, plural

    rows = all_actions()
    for menu in MENUS:
        yield menu
        yield MNEMONICS.get(menu, f"&{menu}")
    for row in rows:
        yield from (row.text, row.help, *row.menu.split("/"))
        yield row.text.rstrip("…")
    for menu in MENUS:  # opposites share a row of the help
        texts = [HelpRow("", row.text.rstrip("…"), None) for row in rows if row.top == menu]
        yield from (row.text for row in paired(texts))
    for gesture in GESTURES:
        yield from (gesture.mouse, gesture.help)
    for title, _names in FLAG_GROUPS:
        yield title
    for kind, label, _held in GROUPS:
        yield from (label, plural(kind).capitalize(), f"{label} groups 0 to 5")
    yield f"Bookmarks 1 to {BOOKMARKS}"


def _settings() -> Iterator[str]:
    from kinetree.app.settings.table import PAGES, SETTINGS

    yield from PAGES
    for row in SETTINGS:
        yield from (row.title, row.help, row.unit)
        yield from (title for value, title in row.choices if row.name != "language" or value == "system")


def _docks() -> Iterator[str]:
    from kinetree.app.panels.analysing.facts.panel import PARTS
    from kinetree.app.panels.docks import DOCKS, dock_action
    from kinetree.app.panels.live.panel import LivePanel
    from kinetree.app.panels.plot_docks import plots_row

    for row in DOCKS:
        yield from (row.title, row.help)
    yield dock_action(plots_row("plots2")).help
    for where in (*(row.panel for row in DOCKS if row.panel), *(where for _title, _help, where in PARTS)):
        import_module(where.partition(":")[0])
    for panel in _below(LivePanel):
        if "plural" in vars(panel) or "what" in vars(panel):
            plural = panel.plural.fget(panel)
            yield from (panel.what, plural, plural.capitalize())


def _below(kind: type) -> Iterator[Any]:
    for each in (kind, *kind.__subclasses__()):
        yield each
        if each is not kind:
            yield from _below(each)


def _kinds() -> Iterator[str]:
    from kinetree.app.panels.driving.joints.rows import JOINTS
    from kinetree.engine.model.kinds import KINDS
    from kinetree.engine.model.sensors import SENSORS

    for joint in JOINTS.values():
        yield from (joint, joint.capitalize())
    for kind in KINDS.values():
        yield from (kind.name, kind.plural, kind.plural.capitalize())
    yield from (row.title for row in SENSORS.values())


def _scene() -> Iterator[str]:
    from kinetree.engine.scene.effects import EFFECTS, PRESETS
    from kinetree.engine.scene.options import FLAGS, FRAMES, LABELS, TONE_MAPPINGS

    for table in (FRAMES, LABELS, TONE_MAPPINGS, PRESETS):
        for label, help in table.values():
            yield from (label, help)
    for flag in FLAGS:
        yield from (flag.label, flag.help)
    for effect in EFFECTS:
        yield from (effect.label, effect.help, *(label for _, label in effect.choices))


def _schema() -> Iterator[str]:
    from kinetree.engine.formats.urdf_table import TABLE as URDF
    from kinetree.engine.formats.x_xy_table import TABLE as X_XY
    from kinetree.engine.mjcf.groups import GROUPS
    from kinetree.engine.mjcf.schema import ELEMENTS

    yield from GROUPS
    for rows in (ELEMENTS, URDF.rows, X_XY.rows):
        for row in rows.values():
            yield row.help
            yield from (attribute.help for attribute in row.attributes.values())


def _checks() -> Iterator[str]:
    from kinetree.engine.check.table import TABLE
    from kinetree.engine.collision.filters import TEXTS
    from kinetree.engine.compile.compiler import PASSES
    from kinetree.engine.model.unsupported import TABLE as UNSUPPORTED

    for row in TABLE.values():
        yield from (row.help, row.text)
    yield from PASSES
    for gap in UNSUPPORTED:
        yield from (gap.missing, gap.remedy)
    for words, sentence in TEXTS.values():
        yield from (words, sentence)


def _things() -> Iterator[str]:
    from kinetree.app.actions.templates import templates
    from kinetree.app.panels.pages.examples import examples
    from kinetree.engine.arithmetic import FUNCTIONS
    from kinetree.engine.editing.shelf import SHELF
    from kinetree.engine.run.clock import speed_text
    from kinetree.engine.run.signals import SHAPES
    from kinetree.engine.run.timeline import KINDS as MARKS

    yield from (function.help for function in FUNCTIONS.values())
    yield from MARKS.values()
    yield speed_text(math.inf)
    for template in templates():
        yield from (template.title, template.help)
    for example in examples():
        yield from (example.title, example.help)
    for shelf in SHELF.values():
        for thing in shelf.values():
            yield from (thing.name, thing.help)
    for shape in SHAPES.values():
        yield from (shape.label, shape.help)


def _commands() -> Iterator[str]:
    from kinetree.app.commands.parsers import COMMANDS

    for name in COMMANDS:
        yield (import_module(f"kinetree.app.commands.{name}").__doc__ or "").splitlines()[0]


TABLES = {
    "app/menus/table.py": _actions,
    "app/settings/table.py": _settings,
    "app/panels/docks.py": _docks,
    "engine/model/kinds.py": _kinds,
    "engine/scene/options.py": _scene,
    "engine/mjcf/schema_table.py": _schema,
    "engine/check/table.py": _checks,
    "engine/editing/shelf.py": _things,
    "app/commands": _commands,
}
"""Where a table is -> its texts. They are what the table says when it is imported, so a text that it makes in a loop
is found too."""


def in_tables() -> Iterator[Sentence]:
    """The texts of all tables."""
    for file, texts in TABLES.items():
        yield from (Sentence(text, "", file) for text in texts())


def all_sentences() -> dict[str, tuple[str, tuple[str, ...]]]:
    """Text -> what it is for several, and the files that have it; in the order of the texts."""
    found: dict[str, tuple[str, set[str]]] = {}
    for text, many, file in _both():
        if not any(letter.isalpha() for letter in text):
            continue
        before, files = found.get(text, ("", set()))
        found[text] = (many or before, {*files, file})
    return {text: (many, tuple(sorted(files))) for text, (many, files) in sorted(found.items())}


def _both() -> Iterable[Sentence]:
    yield from in_sources()
    yield from in_tables()
