"""The bar over the viewport."""

import pytest

from kinetree.app.widgets.message_bar import LONGEST_WORD, NARROW, MessageBar, shortened
from kinetree.engine.diagnostics import Severity

WIDE, HIGH = 1200, 400
PATH = "a/" + "very_long_name_of_a_folder_" * 5 + "robot.xml:22:7:"


@pytest.fixture
def bar(qtbot):
    bar = MessageBar(None)  # pyright: ignore
    qtbot.addWidget(bar)
    return bar


def test_words_that_no_line_has_room_for_are_shortened_in_the_middle(bar):
    bar.set_message(f"{PATH} this is wrong", Severity.ERROR, [])
    bar.fit(WIDE, HIGH)
    shown = bar.label.text()
    assert len(shown.split()[0]) == LONGEST_WORD and shown.startswith("a/very")
    assert shown.endswith("robot.xml:22:7: this is wrong")
    assert bar.text() == f"{PATH} this is wrong"
    assert shortened(PATH, lambda _part: True) == shown.split()[0]


def test_short_words_stay(bar):
    text = "x" * LONGEST_WORD + " and\nmore"
    bar.set_message(text, Severity.WARNING, [])
    bar.fit(WIDE, HIGH)
    assert bar.label.text() == text


@pytest.mark.parametrize("width", [160, 240, NARROW - 1, NARROW, 700])
def test_no_word_and_no_button_is_cut_off(bar, width):
    labels = ["Merge…", "Reload", "Keep Mine"]
    bar.set_message(f"Another program changed {PATH} on disk.", Severity.WARNING, [(each, print) for each in labels])
    bar.show()
    bar.resize(width, bar.fit(width, HIGH))
    bar.layout().activate()
    metrics = bar.label.fontMetrics()
    assert max(map(metrics.horizontalAdvance, bar.label.text().split())) <= bar.label.width()
    for button in bar.buttons:
        assert bar.rect().contains(button.geometry()) and button.width() >= button.sizeHint().width()


def test_a_bar_that_would_be_too_high_has_fewer_words(bar):
    bar.set_message("word " * 200, Severity.ERROR, [])
    assert bar.fit(200, 2000) > 100
    assert bar.fit(200, 100) <= 100 and bar.label.text().endswith("…")
    whole = len(bar.label.text())
    bar.fit(WIDE, HIGH)
    assert len(bar.label.text()) > whole
