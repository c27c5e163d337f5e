"""The page without a model."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from app.panels.start import StartPage

LONG = "/models/" + "a_long_name_of_a_robot_" * 10 + ".xml"


@pytest.fixture
def page(qtbot):
    page = StartPage()
    qtbot.addWidget(page)
    page.resize(800, 600)
    page.show()
    return page


def test_long_file_names_do_not_widen_the_window(page):
    for show in (
        lambda path: page.show_loading(path),
        lambda path: page.show_failed(path, [], []),
        lambda path: page.show_nothing([path]),
    ):
        show("/models/a.xml")
        least = page.minimumSizeHint().width()
        show(LONG)
        assert page.minimumSizeHint().width() <= max(least, 360)


def test_a_file_name_is_no_markup(page):
    page.show_nothing(["/models/<b>&amp;.xml"])
    names = [label for label in page.findChildren(QLabel) if label.text() == "<b>&amp;.xml"]
    page.show_failed("/models/<b>&amp;.xml", [], [])
    title = page.findChild(QLabel, "start-title")
    assert title.text() == "<b>&amp;.xml cannot be opened"
    assert names and all(label.textFormat() == Qt.TextFormat.PlainText for label in [*names, title])
