"""Settings that persist, in a file in the user's configuration folder."""

from __future__ import annotations

import os
from pathlib import Path

from PySide6.QtCore import QByteArray, QSettings

RECENT = 12
THEMES = ("system", "light", "dark")
HISTORY_MEMORY = (10, 200, 16_000)
"""Memory of the simulation's history, MB: least, default, most."""


class Settings:
    """Typed access to the settings file. `KINETREE_CONFIG` names another folder for it."""

    def __init__(self, folder: str | None = None):
        folder = folder or os.environ.get("KINETREE_CONFIG") or _folder()
        self._store = QSettings(str(Path(folder) / "kinetree.ini"), QSettings.Format.IniFormat)

    @property
    def file(self) -> str:
        return self._store.fileName()

    def _texts(self, key: str) -> list[str]:
        value: object = self._store.value(key, [])
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

    @property
    def theme(self) -> str:
        value = self._store.value("theme", "system")
        return value if value in THEMES else "system"

    @theme.setter
    def theme(self, value: str) -> None:
        self._store.setValue("theme", value)

    @property
    def auto_reload(self) -> bool:
        return str(self._store.value("auto_reload", "true")).lower() != "false"

    @auto_reload.setter
    def auto_reload(self, value: bool) -> None:
        self._store.setValue("auto_reload", "true" if value else "false")

    @property
    def history_memory(self) -> int:
        """Most memory of the simulation's history, MB."""
        least, default, most = HISTORY_MEMORY
        try:
            return min(max(int(str(self._store.value("history_memory", default))), least), most)
        except (TypeError, ValueError):
            return default

    @history_memory.setter
    def history_memory(self, value: int) -> None:
        self._store.setValue("history_memory", value)

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
        value = self._store.value("folder", "")
        return value if isinstance(value, str) else ""

    @folder.setter
    def folder(self, value: str) -> None:
        self._store.setValue("folder", value)

    def layout(self, name: str) -> QByteArray | None:
        """A saved part of the window's layout, None if there is none."""
        value = self._store.value(f"layout/{name}")
        return value if isinstance(value, QByteArray) and not value.isEmpty() else None

    def set_layout(self, name: str, value: QByteArray) -> None:
        self._store.setValue(f"layout/{name}", value)

    def clear_layout(self) -> None:
        self._store.remove("layout")

    def save(self) -> None:
        """Write the file now."""
        self._store.sync()


def _folder() -> str:
    base = os.environ.get("XDG_CONFIG_HOME") or str(Path.home() / ".config")
    return str(Path(base) / "kinetree")
