"""Colours and fonts of the source editor, for both themes."""

from __future__ import annotations

import html
from collections.abc import Iterable
from dataclasses import dataclass

from PySide6.QtGui import QColor, QFont, QFontDatabase, QTextCharFormat, QTextDocument

from kinetree.app.panels.writing.source.lexer import TokenKind
from kinetree.app.settings.theme import Theme
from kinetree.engine.diagnostics import Severity
from kinetree.engine.document.lines import LineFate


@dataclass(frozen=True)
class Colours:
    """Colours as #rrggbb beside those of the theme; `back`: #aarrggbb."""

    punctuation: str
    element: str
    attribute: str
    value: str
    number: str
    comment: str
    reference: str
    name: str
    link: str
    current_line: str
    element_back: str
    match_back: str
    hit_back: str
    this_hit_back: str
    same_back: str
    gutter_text: str
    hit_mark: str
    element_mark: str
    added: str
    changed: str
    removed: str


DARK = Colours(
    punctuation="#7f8a96", element="#6fb1f0", attribute="#9fc9e8", value="#ce9f7c", number="#b5cea8",
    comment="#7a9c6b", reference="#d7a45f", name="#e8d38a", link="#56c8b4", current_line="#14ffffff",
    element_back="#1f4f9cf0", match_back="#40a0b4c8", hit_back="#66806020", this_hit_back="#b3a06010",
    same_back="#33a0b4c8", gutter_text="#666e78",
    hit_mark="#d0a060", element_mark="#384f9cf0", added="#4f9a5f", changed="#4a8fb5", removed="#d0675f",
)  # fmt: skip
LIGHT = Colours(
    punctuation="#7b8794", element="#0b5cad", attribute="#33618a", value="#9a4a12", number="#0a7357",
    comment="#5d7a4c", reference="#8a5a00", name="#7a4e00", link="#00766c", current_line="#0c102030",
    element_back="#1a1f6fd1", match_back="#33506478", hit_back="#80ffd860", this_hit_back="#e6ffb020",
    same_back="#22506478", gutter_text="#98a2ad",
    hit_mark="#e09000", element_mark="#381f6fd1", added="#56a566", changed="#4f93c4", removed="#d05048",
)  # fmt: skip

FONTS = ("JetBrains Mono", "Cascadia Mono", "DejaVu Sans Mono", "Menlo", "Consolas")


def colours(theme: Theme) -> Colours:
    return DARK if theme.dark else LIGHT


def font(size: int) -> QFont:
    """The font of the text, of fixed width."""
    families = QFontDatabase.families()
    found = next((QFont(name) for name in FONTS if name in families), None)
    result = found or QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    result.setStyleHint(QFont.StyleHint.Monospace)
    result.setFixedPitch(True)
    result.setPointSize(size)
    return result


def formats(theme: Theme) -> dict[TokenKind, QTextCharFormat]:
    """How each kind of token looks."""
    look = colours(theme)
    table = {
        TokenKind.PUNCTUATION: look.punctuation,
        TokenKind.ELEMENT: look.element,
        TokenKind.ATTRIBUTE: look.attribute,
        TokenKind.VALUE: look.value,
        TokenKind.NUMBER: look.number,
        TokenKind.COMMENT: look.comment,
        TokenKind.REFERENCE: look.reference,
        TokenKind.DECLARATION: look.punctuation,
        TokenKind.NAME: look.name,
        TokenKind.LINK: look.link,
        TokenKind.COLOUR: look.number,
    }
    result = {}
    for kind, colour in table.items():
        result[kind] = QTextCharFormat()
        result[kind].setForeground(QColor(colour))
    return result


def underlines(theme: Theme) -> dict[Severity, QTextCharFormat]:
    """How text with a problem looks."""
    result = {}
    for severity, colour in severity_colours(theme).items():
        result[severity] = QTextCharFormat()
        result[severity].setUnderlineStyle(QTextCharFormat.UnderlineStyle.WaveUnderline)
        result[severity].setUnderlineColor(QColor(colour))
    return result


def severity_colours(theme: Theme) -> dict[Severity, str]:
    return {Severity.ERROR: theme.error, Severity.WARNING: theme.warning, Severity.INFO: theme.info}


def change_colours(theme: Theme) -> dict[LineFate, str]:
    """Colours of lines that differ from the file."""
    look = colours(theme)
    return {LineFate.ADDED: look.added, LineFate.CHANGED: look.changed, LineFate.REMOVED: look.removed}


def tip_of(lines: Iterable[str]) -> str:
    """Plain lines as the text of a tool tip, which would take "<geom>" for HTML; "" for none."""
    shown = [f"<span style='white-space: pre'>{html.escape(line)}</span>" for line in lines]
    return "<br>".join(shown)


def html_of(markdown: str) -> str:
    """Help as rich text. "<geom>" in it is text, not HTML."""
    features = QTextDocument.MarkdownFeature
    document = QTextDocument()
    document.setMarkdown(markdown, features.MarkdownDialectGitHub | features.MarkdownNoHTML)
    return document.toHtml()
