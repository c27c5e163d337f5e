"""The style sheet and its colours."""

import ast
import re
from dataclasses import fields

import pytest
from PySide6.QtCore import QtMsgType, qInstallMessageHandler
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QLineEdit, QPushButton

from kinetree.app.settings import theme
from kinetree.app.widgets.style import set_property
from tests.conftest import ROOT

LONGEST = 60
"""Characters of a style in Python: it sets what is computed, such as a font."""


@pytest.mark.parametrize("each", [theme.LIGHT, theme.DARK], ids=lambda each: each.name)
def test_all_tokens_are_replaced_and_qt_understands_the_sheet(qtbot, each: theme.Theme) -> None:
    sheet = theme.style_sheet(each)
    assert "@" not in sheet and "/*" not in sheet
    assert each.accent in sheet and f"{theme.STYLE.as_posix()}/check.svg" in sheet
    for path in re.findall(r'url\("(.*?)"\)', sheet):
        assert (ROOT / path).is_file(), path
    said: list[str] = []
    before = qInstallMessageHandler(
        lambda kind, _context, text: said.append(text) if kind != QtMsgType.QtDebugMsg else None
    )
    try:
        button = QPushButton()
        qtbot.addWidget(button)
        button.setStyleSheet(sheet)
        button.ensurePolished()
    finally:
        qInstallMessageHandler(before)
    assert not said


def test_an_unknown_token_is_refused(tmp_path, monkeypatch) -> None:
    (tmp_path / "other.qss").write_text("QLabel { color: @colour_of_nothing; }", encoding="utf-8")
    monkeypatch.setattr(theme, "STYLE", tmp_path)
    with pytest.raises(KeyError, match="colour_of_nothing"):
        theme.style_sheet(theme.DARK, "other")


def test_every_colour_that_both_themes_have_is_a_colour() -> None:
    for each in (theme.LIGHT, theme.DARK):
        for field in fields(each)[1:]:
            assert QColor(getattr(each, field.name)).isValid(), (each.name, field.name)


def test_a_rule_for_a_property_acts_when_the_property_changes(qtbot) -> None:
    line = QLineEdit()
    qtbot.addWidget(line)
    line.setStyleSheet('QLineEdit { color: #102030; } QLineEdit[wrong="true"] { color: #a0b0c0; }')
    line.ensurePolished()
    colours = []
    for wrong in (False, True, False):
        set_property(line, "wrong", wrong)
        colours.append(line.palette().color(line.foregroundRole()).name())
    assert colours == ["#102030", "#a0b0c0", "#102030"]


def test_no_long_style_stands_in_python() -> None:
    """Styles are in resources/style/*.qss."""
    found = []
    for path in sorted((ROOT / "app").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr == "setStyleSheet"
            ):
                text = ast.unparse(node.args[0])
                if "::" in text or ("{" in text and "}" in text and not text.startswith("f")) or len(text) > LONGEST:
                    found.append(f"{path.relative_to(ROOT)}:{node.lineno}: {text}")
    assert not found, "\n".join(found)
