"""The light and the dark theme: colours, palette and style sheet."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from typing import cast

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QColor, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication

from kinetree.app.settings.settings import Settings
from kinetree.engine.packaged import packaged

STYLE = packaged("resources", "style")
"""The style sheets and their images."""


@dataclass(frozen=True)
class Theme:
    """Colours as #rrggbb. `surface` is behind panels, `base` behind lists, `raised` for buttons and bars."""

    name: str
    window: str
    surface: str
    base: str
    raised: str
    hover: str
    line: str
    text: str
    dim: str
    accent: str
    on_accent: str
    selection: str
    error: str
    warning: str
    info: str
    error_back: str

    @property
    def dark(self) -> bool:
        return self.name == "dark"


DARK = Theme(
    "dark",
    window="#1f2124", surface="#25282c", base="#1b1d20", raised="#2f3338", hover="#383d43", line="#3a3f45",
    text="#dde1e6", dim="#8d959f", accent="#4f9cf0", on_accent="#ffffff", selection="#2c4f77",
    error="#f2726a", warning="#e5b454", info="#6fb1f0", error_back="#4a2324",
)  # fmt: skip
LIGHT = Theme(
    "light",
    window="#eceef1", surface="#f6f7f9", base="#ffffff", raised="#ffffff", hover="#e2e7ee", line="#cfd5dc",
    text="#1e2329", dim="#69737f", accent="#1f6fd1", on_accent="#ffffff", selection="#cfe2fa",
    error="#c62f27", warning="#a86a00", info="#1f6fd1", error_back="#fbe3e1",
)  # fmt: skip


def system_is_dark() -> bool:
    """Whether the desktop asks for a dark look."""
    return QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark


def choose(setting: str) -> Theme:
    """The theme for a setting ("system", "light" or "dark")."""
    if setting == "system":
        return DARK if system_is_dark() else LIGHT
    return DARK if setting == "dark" else LIGHT


_current = DARK


def current() -> Theme:
    """The theme that was applied last."""
    return _current


def apply(application: QApplication, theme: Theme) -> None:
    """Apply a theme to all windows."""
    global _current
    _current = theme
    application.setPalette(palette(theme))
    application.setStyleSheet(style_sheet(theme))


class ThemeFollower(QObject):
    """Applies the theme that the settings ask for, and follows the desktop where they leave it to that."""

    def __init__(self, settings: Settings, parent: QObject):
        super().__init__(parent)
        self._settings = settings
        settings.changed.connect(self._take_setting)
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._take_desktop)

    def _take_setting(self, name: str) -> None:
        if name == "theme":
            self._apply()

    def _take_desktop(self) -> None:
        if self._settings.theme == "system":
            self._apply()

    def _apply(self) -> None:
        apply(cast(QApplication, QApplication.instance()), choose(self._settings.theme))


def palette(theme: Theme) -> QPalette:
    roles = QPalette.ColorRole
    result = QPalette()
    for role, colour in (
        (roles.Window, theme.window),
        (roles.WindowText, theme.text),
        (roles.Base, theme.base),
        (roles.AlternateBase, theme.surface),
        (roles.ToolTipBase, theme.raised),
        (roles.ToolTipText, theme.text),
        (roles.PlaceholderText, theme.dim),
        (roles.Text, theme.text),
        (roles.Button, theme.raised),
        (roles.ButtonText, theme.text),
        (roles.BrightText, theme.error),
        (roles.Link, theme.accent),
        (roles.Highlight, theme.selection),
        (roles.HighlightedText, theme.text),
        (roles.Light, theme.hover),
        (roles.Midlight, theme.raised),
        (roles.Mid, theme.line),
        (roles.Dark, theme.line),
        (roles.Shadow, "#000000" if theme.dark else "#8a929b"),
    ):
        result.setColor(role, QColor(colour))
    for role in (roles.WindowText, roles.Text, roles.ButtonText, roles.HighlightedText):
        faded = QColor(theme.dim)
        faded.setAlpha(150)
        result.setColor(QPalette.ColorGroup.Disabled, role, faded)
    return result


def style_sheet(theme: Theme, name: str = "window") -> str:
    """The style sheet `resources/style/NAME.qss` with the colours of a theme. Raises KeyError for a token `@name` that
    is neither a colour nor the folder."""
    tokens = {**asdict(theme), "folder": STYLE.as_posix()}
    text = (STYLE / f"{name}.qss").read_text(encoding="utf-8")
    return re.sub(r"@([a-z_]+)", lambda token: tokens[token[1]], re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL))
