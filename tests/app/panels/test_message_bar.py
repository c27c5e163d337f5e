"""The bar over the viewport."""

from app.panels.message_bar import LONGEST_WORD, MessageBar, shortened
from engine.diagnostics import Severity


def test_words_that_no_line_has_room_for_are_shortened_in_the_middle(qtbot):
    bar = MessageBar(None)  # pyright: ignore
    qtbot.addWidget(bar)
    path = "a/" + "very_long_name_of_a_folder_" * 5 + "robot.xml:22:7:"
    bar.set_message(f"{path} this is wrong", Severity.ERROR, [])
    shown = bar.label.text()
    assert len(shown.split()[0]) == LONGEST_WORD and shown.startswith("a/very")
    assert shown.endswith("robot.xml:22:7: this is wrong")
    assert bar.text() == f"{path} this is wrong"
    assert shortened(path) == shown.split()[0]


def test_short_words_stay(qtbot):
    bar = MessageBar(None)  # pyright: ignore
    qtbot.addWidget(bar)
    text = "x" * LONGEST_WORD + " and\nmore"
    bar.set_message(text, Severity.WARNING, [])
    assert bar.label.text() == text
