"""Settings that persist, in a file in the user's configuration folder."""

from __future__ import annotations

import json
import math
import os
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Generic, TypeVar, cast, overload

from PySide6.QtCore import QByteArray, QObject, QSettings, Signal

from kinetree.app.settings.table import SETTING_BY_NAME, Value
from kinetree.engine.platforms import folders
from kinetree.engine.translation import tr

RECENT = 12
MODELS = 50
"""Model files whose panels are remembered."""
T = TypeVar("T", bound=Value)


def parsed(text: str) -> Any:
    """Value of a JSON text stored by a panel; None if the text is invalid, or has a number that no float can be."""

    def number(text: str) -> float:
        value = float(text)
        if not math.isfinite(value):
            raise ValueError(text)
        return value

    def integer(text: str) -> int:
        number(text)
        return int(text)

    try:
        return json.loads(text, parse_float=number, parse_int=integer, parse_constant=number)
    except (ValueError, RecursionError):
        return None


class _SettingsRow(Generic[T]):
    """A row of the table of settings as an attribute of its type."""

    def __init__(self, name: str):
        self._name = name

    @overload
    def __get__(self, settings: None, owner: type) -> _SettingsRow[T]: ...
    @overload
    def __get__(self, settings: Settings, owner: type) -> T: ...
    def __get__(self, settings: Settings | None, owner: type) -> _SettingsRow[T] | T:
        return self if settings is None else cast(T, settings.value(self._name))

    def __set__(self, settings: Settings, value: T) -> None:
        settings.set(self._name, value)


class Settings(QObject):
    """The settings file: the settings of the table (`app/settings/table.py`), and what windows and panels remember.
    `KINETREE_CONFIG` names another folder for it. Lives in the GUI thread.

    crashes  the folder of crash reports

    Signals: `changed(name)` (a setting of the table has another value), `failed(message)` (the file cannot be written).
    """

    changed = Signal(str)
    failed = Signal(str)

    language = _SettingsRow[str]("language")
    theme = _SettingsRow[str]("theme")
    auto_reload = _SettingsRow[bool]("auto_reload")
    degrees = _SettingsRow[bool]("degrees")
    history_memory = _SettingsRow[int]("history_memory")
    history_seconds = _SettingsRow[int]("history_seconds")
    step_size = _SettingsRow[int]("step_size")
    contacts_block_poses = _SettingsRow[bool]("posing.contacts")
    repeats_motions = _SettingsRow[bool]("motions.repeat")
    shows_timeline = _SettingsRow[bool]("timeline.shown")
    physics_threads = _SettingsRow[int]("physics_threads")
    wheel = _SettingsRow[str]("viewport.wheel")
    plot_memory = _SettingsRow[int]("plots.memory")
    view_cube = _SettingsRow[bool]("viewport.cube")
    reduce_pictures = _SettingsRow[bool]("viewport.reduce")
    quality = _SettingsRow[str]("viewport.quality")
    source_text_size = _SettingsRow[int]("source.text_size")
    source_wrap = _SettingsRow[bool]("source.wrap")
    source_map = _SettingsRow[bool]("source.map")
    editor = _SettingsRow[str]("editor.program")
    editor_command = _SettingsRow[str]("editor.command")
    offers_tour = _SettingsRow[bool]("tour.offer")

    def __init__(self, folder: str | None = None):
        super().__init__()
        self._path = str((folders.config() if folder is None else Path(folder)) / "kinetree.ini")
        self.crashes = (folders.state() if folder is None else Path(folder)) / "crashes"
        self._open()
        self._known: dict[str, Value] = {}  # values that were read: some are asked for at every edit

    def _open(self) -> None:
        self._store = QSettings(self._path, QSettings.Format.IniFormat)

    @property
    def file(self) -> str:
        return self._store.fileName()

    @property
    def journal(self) -> Path:
        """The folder in which unsaved texts are kept for the case of a crash."""
        return Path(self.file).parent / "unsaved"

    def value(self, name: str) -> Value:
        """The value of a setting of the table."""
        known = self._known.get(name)
        if known is None:
            row = SETTING_BY_NAME[name]
            known = self._known[name] = row.value(self._stored(row.key, row.default))
        return known

    def set(self, name: str, value: Value) -> None:
        """Change a setting of the table; a number outside its limits becomes the nearest one inside."""
        row = SETTING_BY_NAME[name]
        before, text = self.value(name), row.text(row.value(row.text(value)))
        self._store.setValue(row.key, text)
        self._known.clear()
        if self.value(name) != before:
            self.changed.emit(name)

    @property
    def thumbnails(self) -> Path:
        """The folder of the small pictures of models that were opened."""
        return Path(self.file).parent / "thumbnails"

    def _stored(self, key: str, default: object = None) -> object:
        """The stored value of a key; the default if its type is unknown to Python."""
        try:
            return self._store.value(key, default)
        except RuntimeError:  # PySide6 has no converter
            return default

    def _texts(self, key: str) -> list[str]:
        value = self._stored(key, [])
        if isinstance(value, str):  # how Qt reads a list of one
            value = [value]
        items = value if isinstance(value, list) else []
        return [item for item in items if isinstance(item, str) and item]

    def recent(self) -> list[str]:
        """Paths of the files opened last, newest first."""
        return self._texts("recent")[:RECENT]

    def add_recent(self, path: str) -> None:
        path = os.path.abspath(path)
        self._store.setValue("recent", [path, *[item for item in self.recent() if item != path]][:RECENT])

    def clear_recent(self) -> None:
        self._store.setValue("recent", [])

    def of_model(self, path: str, name: str) -> str:
        """A text that a panel keeps for a model file, "" if there is none."""
        for each in self._texts(f"models/{name}"):
            key, _, text = each.partition("\n")
            if key == path:
                return text
        return ""

    def set_of_model(self, path: str, name: str, text: str) -> None:
        """Keep a text for a model file, "" to forget it; of the models that were shown last."""
        head = f"{path}\n"
        others = [each for each in self._texts(f"models/{name}") if not each.startswith(head)]
        self._store.setValue(f"models/{name}", [*([head + text] if text else []), *others][:MODELS])

    def forget_model(self, path: str) -> None:
        """Forget all that panels keep for a model file."""
        self._store.beginGroup("models")
        names = self._store.childKeys()
        self._store.endGroup()
        for name in names:
            self.set_of_model(path, name, "")

    def keys(self) -> dict[str, tuple[str, ...]]:
        """The keys that the user gave to actions, by the actions' ids."""
        found = (each.partition("\n") for each in self._texts("keys"))
        return {name: tuple(keys.split()) for name, _, keys in found}

    def set_keys(self, keys: Mapping[str, Iterable[str]]) -> None:
        """Keep the keys that the user gave to actions; others have those of the table."""
        self._store.setValue("keys", [f"{name}\n{' '.join(each)}" for name, each in keys.items()])

    def used_actions(self) -> list[str]:
        """The ids of the actions that were chosen last in the command palette, the newest first."""
        return self._texts("palette")[:RECENT]

    def add_used_action(self, name: str) -> None:
        """Remember that an action was chosen in the command palette."""
        self._store.setValue("palette", [name, *[each for each in self.used_actions() if each != name]][:RECENT])

    @property
    def update_check(self) -> float:
        """When the newest version was asked for last, as time.time(); 0 for never."""
        try:
            return float(str(self._stored("updates/last", 0)))
        except ValueError:
            return 0.0

    def note_update_check(self) -> None:
        """The newest version was asked for now."""
        self._store.setValue("updates/last", str(round(time.time())))

    @property
    def hidden_checks(self) -> list[str]:
        """Codes of findings that the problems panel does not show."""
        return self._texts("hidden_checks")

    @hidden_checks.setter
    def hidden_checks(self, codes: list[str]) -> None:
        self._store.setValue("hidden_checks", sorted(set(codes)))

    @property
    def folder(self) -> str:
        """The folder of the file that was opened last."""
        value = self._stored("folder", "")
        return value if isinstance(value, str) else ""

    @folder.setter
    def folder(self, value: str) -> None:
        self._store.setValue("folder", value)

    def layout(self, name: str) -> QByteArray | None:
        """A saved part of the window's layout, None if there is none."""
        value = self._stored(f"layout/{name}")
        return value if isinstance(value, QByteArray) and not value.isEmpty() else None

    def set_layout(self, name: str, value: QByteArray) -> None:
        self._store.setValue(f"layout/{name}", value)

    def clear_layout(self) -> None:
        self._store.remove("layout")

    def save(self) -> None:
        """Write the file now. What could not be written is kept, and written by the next call."""
        if self._store.status() != QSettings.Status.NoError:
            self._open()  # Qt keeps the first error
        self._store.sync()
        self._known.clear()
        if self._store.status() != QSettings.Status.NoError:
            self.failed.emit(
                tr("The settings cannot be written to {path}: free space there, or allow it", path=self._path)
            )
