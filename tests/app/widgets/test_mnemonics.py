"""The letters of menus: each entry has one while the menu is open, and none has that of another."""

import string
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtWidgets import QMenu

from kinetree.app.widgets.mnemonics import give_letters, letters, plain

WORDS = st.text(string.ascii_letters + "  &éß0", max_size=12)


@given(st.lists(WORDS, max_size=40))
def test_no_letter_is_chosen_twice_and_none_is_left_that_could_be_used(texts: list[str]) -> None:
    places = letters(texts)
    chosen = [text[place].casefold() for text, place in zip(texts, places, strict=True) if place >= 0]
    assert len(set(chosen)) == len(chosen) and all(each.isalnum() for each in chosen)
    for text, place in zip(texts, places, strict=True):
        assert place >= 0 or not {each.casefold() for each in text if each.isalnum()} - set(chosen)


def test_first_letters_of_words_are_preferred() -> None:
    assert letters(["Save", "Save As", "Open"]) == [0, 5, 0]


def test_a_menu_has_letters_while_it_is_open(qtbot) -> None:
    menu = QMenu("Top")
    qtbot.addWidget(menu)
    first, second = menu.addAction("Cut && Paste"), menu.addAction("Copy")
    below = menu.addMenu("Colour")
    below.addAction("Red")
    give_letters(menu)
    give_letters(menu)
    menu.aboutToShow.emit()
    assert [first.text(), second.text(), below.title()] == ["&Cut && Paste", "C&opy", "Co&lour"]
    below.aboutToShow.emit()
    assert below.actions()[0].text() == "&Red"
    menu.aboutToHide.emit()
    assert [first.text(), second.text(), below.title()] == ["Cut && Paste", "Copy", "Colour"]


def menus_of(menu: QMenu):
    """A menu as it is when it is open, and all in it."""
    menu.aboutToShow.emit()
    yield menu
    for action in menu.actions():
        if isinstance(action.menu(), QMenu):
            yield from menus_of(action.menu())
    menu.aboutToHide.emit()


@pytest.mark.parametrize("name", ["File", "Edit", "Source", "Tools", "Simulation", "Camera", "Display", "View", "Help"])
def test_no_two_entries_of_a_menu_have_the_same_letter(window, name: str) -> None:
    count = 0
    for menu in menus_of(window.actions_.menus[name]):
        texts = [
            each.text().replace("&&", "") for each in menu.actions() if each.isVisible() and not each.isSeparator()
        ]
        chosen = sorted(text[text.index("&") + 1].casefold() for text in texts if "&" in text)
        assert all(one != other for one, other in pairwise(chosen)), (menu.title(), texts)
        there = {each.casefold() for text in texts for each in text if each.isalnum()}
        assert len(chosen) == min(len(texts), len(there)), (menu.title(), texts)
        count += len(chosen)
    assert count
    assert not any("&" in plain(each.text()).replace("&&", "") for each in window.actions_.menus[name].actions())
