"""The light and the dark theme: colours, palette and style sheet."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication

from kinetree.engine.packaged import packaged

STYLE = packaged("resources", "style")
CHECK, UP, UP_OFF, DOWN, DOWN_OFF = (
    (STYLE / f"{name}.svg").as_posix() for name in ("check", "up", "up-off", "down", "down-off")
)
"""The mark of a check box, and arrows. Style sheets take files only, and colour them in no way: arrows have a grey that
both themes take."""


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


def style_sheet(theme: Theme) -> str:
    t = theme
    return f"""
* {{ dialogbuttonbox-buttons-have-icons: 0; }}
QToolTip {{ color: {t.text}; background: {t.raised}; border: 1px solid {t.line}; padding: 4px 6px; }}
QMainWindow::separator {{ background: {t.window}; width: 5px; height: 5px; }}
QMainWindow::separator:hover {{ background: {t.accent}; }}
QMenuBar {{ background: {t.window}; padding: 1px 4px; }}
QMenuBar::item {{ padding: 4px 9px; border-radius: 4px; background: transparent; }}
QMenuBar::item:selected {{ background: {t.hover}; }}
QMenu {{ background: {t.raised}; border: 1px solid {t.line}; padding: 4px; }}
QMenu::item {{ padding: 5px 26px 5px 26px; border-radius: 4px; }}
QMenu::item:selected {{ background: {t.selection}; }}
QMenu::item:disabled {{ color: {t.dim}; }}
QMenu::separator {{ height: 1px; background: {t.line}; margin: 4px 8px; }}
QToolBar {{ background: {t.window}; border: none; border-bottom: 1px solid {t.line}; padding: 3px 6px;
    spacing: 3px; }}
QToolBar::separator {{ background: {t.line}; width: 1px; margin: 5px 6px; }}
QToolButton {{ background: transparent; border: 1px solid transparent; border-radius: 5px; padding: 4px; }}
QToolButton:hover {{ background: {t.hover}; }}
QToolButton:focus {{ border-color: {t.accent}; }}
QToolButton[popupMode="2"] {{ padding-right: 15px; }}
QToolButton::menu-indicator {{ image: url("{DOWN}"); width: 8px; height: 8px; subcontrol-origin: padding;
    subcontrol-position: center right; right: 3px; }}
QToolButton:pressed {{ background: {t.selection}; }}
QToolButton:checked {{ background: {t.selection}; }}
#qt_toolbar_ext_button {{ padding: 0; }}
QStatusBar {{ background: {t.window}; border-top: 1px solid {t.line}; color: {t.dim}; }}
QStatusBar::item {{ border: none; }}
QStatusBar QLabel {{ color: {t.dim}; padding: 0 6px; }}
QStatusBar QToolButton {{ color: {t.dim}; padding: 1px 6px; }}
QStatusBar QProgressBar {{ max-height: 8px; }}
QDockWidget > QWidget {{ background: {t.surface}; }}
QMainWindow > QTabBar {{ qproperty-elideMode: ElideNone; }}
QTabBar::tab {{ background: transparent; color: {t.dim}; padding: 5px 12px; border: none;
    border-bottom: 2px solid transparent; }}
QTabBar[narrow="true"]::tab {{ padding: 5px 3px; }}
QAbstractScrollArea::corner {{ background: transparent; border: none; }}
QTabBar::tab:selected {{ color: {t.text}; border-bottom: 2px solid {t.accent}; }}
QTabBar::tab:hover {{ color: {t.text}; }}
QTreeView, QTableView, QListView, QTextEdit, QPlainTextEdit {{ background: {t.base}; border: 1px solid transparent;
    outline: none;
    selection-background-color: {t.selection}; selection-color: {t.text};
    alternate-background-color: {t.surface}; }}
QTreeView:focus, QTableView:focus, QListView:focus, QTextEdit:focus, QPlainTextEdit:focus {{
    border-color: {t.accent}; }}
QTreeView::item {{ padding: 2px 0; }}
#steps::item {{ padding: 0 3px; min-height: 22px; }}
#steps::item:hover {{ background: {t.hover}; }}
#steps::item:selected {{ background: {t.selection}; color: {t.text}; }}
QTreeView::item:hover, QTableView::item:hover {{ background: {t.hover}; }}
QTreeView::item:selected, QTableView::item:selected {{ background: {t.selection}; color: {t.text}; }}
QHeaderView {{ background: {t.surface}; border: none; }}
QHeaderView::section {{ background: {t.surface}; color: {t.dim}; border: none;
    border-bottom: 1px solid {t.line};
    padding: 4px 3px; }}
QLineEdit {{ background: {t.base}; border: 1px solid {t.line}; border-radius: 5px;
    padding: 3px 7px; min-height: 18px; selection-background-color: {t.selection};
    selection-color: {t.text}; }}
QLineEdit:focus {{ border-color: {t.accent}; }}
QLineEdit:disabled {{ color: {t.dim}; }}
#field, #number-editor {{ border-radius: 4px; padding: 0 3px; min-height: 0; }}
#field[given="false"], QComboBox[given="false"], QCheckBox[given="false"] {{ color: {t.dim}; }}
QLineEdit[wrong="true"], QLineEdit[wrong="true"]:focus {{ border-color: {t.error}; }}
QComboBox {{ background: {t.base}; border: 1px solid {t.line}; border-radius: 4px; padding: 1px 4px;
    min-height: 18px; selection-background-color: {t.selection}; selection-color: {t.text}; }}
QComboBox:hover {{ border-color: {t.dim}; }}
QComboBox:focus, QComboBox:on {{ border-color: {t.accent}; }}
QComboBox:disabled {{ background: {t.surface}; color: {t.dim}; }}
QComboBox QLineEdit, QComboBox QLineEdit:focus {{ background: transparent; border: none; padding: 0; }}
QComboBox QLineEdit[wrong="true"], QComboBox QLineEdit[wrong="true"]:focus {{ border: 1px solid {t.error}; }}
QComboBox::drop-down {{ border: none; width: 16px; }}
QComboBox::down-arrow {{ image: url("{DOWN}"); width: 10px; height: 10px; }}
QComboBox QAbstractItemView {{ background: {t.raised}; border: 1px solid {t.line}; outline: none; }}
QPushButton {{ background: {t.raised}; border: 1px solid {t.line}; border-radius: 5px; padding: 5px 14px; }}
QPushButton:hover {{ background: {t.hover}; }}
QPushButton:default {{ background: {t.accent}; border-color: {t.accent}; color: {t.on_accent}; }}
QPushButton:focus {{ border-color: {t.accent}; }}
QPushButton:default:focus {{ border-color: {t.text}; }}
QPushButton:disabled {{ background: {t.window}; border-color: {t.line}; color: {t.dim}; }}
QCheckBox::indicator, QTreeView::indicator, QListView::indicator {{ width: 12px; height: 12px;
    border: 1px solid {t.dim}; border-radius: 3px; background: {t.base}; }}
QCheckBox::indicator:hover, QCheckBox::indicator:focus, QTreeView::indicator:hover {{ border-color: {t.accent}; }}
QCheckBox::indicator:checked, QTreeView::indicator:checked, QListView::indicator:checked {{
    border-color: {t.accent}; background: {t.accent}; image: url("{CHECK}"); }}
QRadioButton::indicator {{ width: 12px; height: 12px; border: 1px solid {t.dim}; border-radius: 7px;
    background: {t.base}; }}
QRadioButton::indicator:hover, QRadioButton::indicator:focus {{ border-color: {t.accent}; }}
QRadioButton::indicator:checked {{ width: 6px; height: 6px; border: 4px solid {t.accent}; background: {t.on_accent}; }}
#heading {{ font-weight: 600; }}
#settings-content {{ background: {t.base}; }}
#pages {{ padding: 4px; }}
#pages::item {{ padding: 0 8px; border-radius: 4px; }}
#pages::item:hover {{ background: {t.hover}; }}
#pages::item:selected {{ background: {t.selection}; color: {t.text}; }}
QAbstractSpinBox {{ background: {t.base}; border: 1px solid {t.line}; border-radius: 4px; padding: 1px 0;
    min-height: 20px; selection-background-color: {t.selection}; selection-color: {t.text}; }}
QAbstractSpinBox:hover {{ border-color: {t.dim}; }}
QAbstractSpinBox:focus {{ border-color: {t.accent}; }}
QAbstractSpinBox:disabled {{ color: {t.dim}; }}
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button {{ subcontrol-origin: border; width: 18px; border: none;
    background: transparent; margin: 1px; border-radius: 3px; }}
QAbstractSpinBox::up-button {{ subcontrol-position: top right; }}
QAbstractSpinBox::down-button {{ subcontrol-position: bottom right; }}
QAbstractSpinBox::up-button:hover, QAbstractSpinBox::down-button:hover {{ background: {t.hover}; }}
QAbstractSpinBox::up-arrow, QAbstractSpinBox::down-arrow {{ width: 8px; height: 8px; }}
QAbstractSpinBox::up-arrow {{ image: url("{UP}"); }}
QAbstractSpinBox::up-arrow:disabled, QAbstractSpinBox::up-arrow:off {{ image: url("{UP_OFF}"); }}
QAbstractSpinBox::down-arrow {{ image: url("{DOWN}"); }}
QAbstractSpinBox::down-arrow:disabled, QAbstractSpinBox::down-arrow:off {{ image: url("{DOWN_OFF}"); }}
QPushButton#small {{ padding: 0 8px; border-radius: 4px; }}
QScrollBar:vertical {{ background: transparent; width: 11px; margin: 0; }}
QScrollBar:horizontal {{ background: transparent; height: 11px; margin: 0; }}
QScrollBar::handle {{ background: {t.line}; border-radius: 4px; margin: 2px; min-height: 28px;
    min-width: 28px; }}
QScrollBar::handle:hover {{ background: {t.dim}; }}
QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
QProgressBar {{ background: {t.base}; border: 1px solid {t.line}; border-radius: 4px; text-align: center; }}
QProgressBar::chunk {{ background: {t.accent}; border-radius: 3px; }}
#dock-title {{ background: {t.surface}; border-bottom: 1px solid {t.line}; }}
#dock-title QLabel {{ color: {t.dim}; font-weight: 600; }}
#dim {{ color: {t.dim}; }}
QLabel[severity="error"] {{ color: {t.error}; }}
QLabel[severity="warning"] {{ color: {t.warning}; }}
QLabel[severity="info"] {{ color: {t.info}; }}
#message-bar {{ background: {t.error_back}; border-bottom: 1px solid {t.error}; }}
#message-bar[severity="warning"] {{ background: {t.raised}; border-bottom: 1px solid {t.warning}; }}
#message-bar[severity="info"] {{ background: {t.raised}; border-bottom: 1px solid {t.accent}; }}
#message-bar QLabel {{ color: {t.text}; }}
#message-bar QToolButton {{ color: {t.text}; }}
#message-bar #message-action {{ border-color: {t.line}; padding: 3px 8px; }}
#message-bar #message-action:hover, #message-bar #message-action:focus {{ border-color: {t.accent}; }}
#overlay {{ background: rgba(16, 18, 21, 185); color: #eef1f4; border-radius: 6px; padding: 4px 9px; }}
QToolButton#recording {{ background: #b3261e; color: #ffffff; border-radius: 6px; padding: 4px 9px; font-weight: 600; }}
#shelf {{ background: {t.surface}; border: 1px solid {t.line}; border-radius: 7px; }}
#shelf #line {{ color: {t.line}; background: {t.line}; max-height: 1px; border: none; }}
#shelf QToolButton {{ padding: 2px; }}
#palette {{ background: {t.raised}; border: 1px solid {t.line}; border-radius: 8px; }}
#palette QListView {{ background: transparent; }}
#help-overlay {{ background: rgba(16, 18, 21, 242); border-radius: 8px; }}
#help-overlay QWidget {{ background: transparent; color: #eef1f4; }}
#help-overlay #help-note {{ color: #98a1ab; }}
#cards {{ background: transparent; border: none; }}
#cards::item {{ padding: 6px; border-radius: 9px; }}
#cards::item:hover {{ background: {t.hover}; }}
#cards::item:selected {{ background: {t.selection}; color: {t.text}; }}
#start-section {{ font-weight: 600; color: {t.dim}; }}
#start-title {{ font-size: 22px; font-weight: 600; }}
"""
