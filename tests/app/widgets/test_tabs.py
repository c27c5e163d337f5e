"""Tabs of a narrow panel stay in sight."""

import itertools

import pytest
from PySide6.QtWidgets import QApplication

from kinetree.app.settings import theme
from kinetree.app.widgets.tabs import FittingTabs

TITLES = "Overview", "Masses", "Ranges", "Actuators", "Collisions"


@pytest.fixture
def tabs(qtbot, qapp):
    theme.apply(qapp, theme.choose("dark"))
    bar = FittingTabs()
    qtbot.addWidget(bar)
    for title in TITLES:
        bar.addTab(title)
    bar.show()
    return bar


@pytest.mark.parametrize(("width", "narrow"), [(600, False), (310, True), (160, True)])
def test_all_tabs_are_in_sight(tabs, width, narrow):
    for first in (100, 900):
        tabs.resize(first, 30)
        tabs.resize(width, 30)
        rects = [tabs.tabRect(index) for index in range(tabs.count())]
        assert tabs.is_narrow == narrow
        assert rects[0].left() >= 0 and rects[-1].right() < width
        assert all(a.right() < b.left() for a, b in itertools.pairwise(rects))


def test_titles_are_whole_at_the_width_of_a_panel(tabs):
    tabs.resize(310, 30)
    text = tabs.fontMetrics().horizontalAdvance
    assert all(tabs.tabRect(index).width() >= text(title) for index, title in enumerate(TITLES))


def test_a_shortened_title_has_a_tooltip(tabs):
    assert [tabs.tabToolTip(index) for index in range(tabs.count())] == list(TITLES)


def test_titles_are_whole_again_where_a_narrow_panel_becomes_wide(tabs, qtbot):
    for width in (160, 900):
        tabs.resize(width, 30)
        QApplication.processEvents()
    qtbot.waitUntil(lambda: all(tabs.tabRect(index).width() == tabs.tabSizeHint(index).width() for index in range(5)))
