"""The line of expressions: Return takes what is offered, and a mistake is shown at its place."""

import pytest
from PySide6.QtCore import Qt

from kinetree.app.panels.analysing.plots.entry import ExpressionEntry


@pytest.fixture
def entry(qtbot, rig):
    entry = ExpressionEntry(lambda: (rig, None))
    qtbot.addWidget(entry)
    entry.resize(400, 60)
    entry.show()
    qtbot.waitExposed(entry)
    entry.activateWindow()
    entry.setFocus()
    qtbot.waitUntil(lambda: entry.line.hasFocus())
    return entry


@pytest.fixture
def taken(entry):
    """The texts that were entered."""
    found = []
    entry.entered.connect(found.append)
    return found


def popup(entry):
    return entry._completer.popup()


def typed(qtbot, entry, text):
    qtbot.keyClicks(entry.line, text)
    qtbot.waitUntil(lambda: popup(entry).isVisible())


def test_return_takes_the_first_offer_and_commits_no_fragment(qtbot, entry, taken):
    typed(qtbot, entry, 'joint("hi')
    qtbot.waitUntil(lambda: popup(entry).currentIndex().row() == 0)  # and the user sees which
    assert entry.line.text() == 'joint("hi', "a mark alone changes nothing"
    qtbot.keyClick(popup(entry), Qt.Key.Key_Return)
    assert entry.line.text() == 'joint("hinge")'
    assert not popup(entry).isVisible()
    assert (taken, entry.error.isHidden()) == ([], True)


def test_another_offer_is_chosen_with_the_arrows(qtbot, entry):
    typed(qtbot, entry, "1 + q")
    qtbot.waitUntil(lambda: popup(entry).currentIndex().row() == 0)
    second = popup(entry).model().index(1, 0).data()
    qtbot.keyClick(popup(entry), Qt.Key.Key_Down)
    qtbot.keyClick(popup(entry), Qt.Key.Key_Return)
    assert entry.line.text() == f"1 + {second}"


def test_return_commits_a_text_that_is_complete(qtbot, entry, taken):
    typed(qtbot, entry, "qpo")
    qtbot.keyClicks(entry.line, "s")
    if popup(entry).isVisible():
        assert not popup(entry).currentIndex().isValid()
        qtbot.keyClick(popup(entry), Qt.Key.Key_Return)
    else:
        qtbot.keyClick(entry.line, Qt.Key.Key_Return)
    assert taken == ["qpos"]


@pytest.mark.parametrize(
    ("text", "words", "shown"),
    [
        ('norm(qvel) + body("arm', 'this name has no " at its end', 'norm(qvel) + body("arm\n                  ^^^^'),
        ("qpos[0", "this [ is never closed", "qpos[0\n    ^"),
        ("1 + qops[0]", "did you mean qpos?", "1 + qops[0]\n    ^^^^"),
    ],
)
def test_a_mistake_is_marked_below_the_text(qtbot, entry, text, words, shown):
    entry.line.setText(text)
    qtbot.keyClick(entry.line, Qt.Key.Key_Return)
    assert words in entry.error.text()
    assert entry.place.text() == shown
    entry.line.setText("qpos[0]")
    assert entry.place.isHidden() and entry.error.isHidden()
