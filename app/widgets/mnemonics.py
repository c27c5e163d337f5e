"""The letters that choose the entries of a menu while it is open: underlined, and no letter twice.

They are chosen when a menu opens, from its entries at that time. So tables and catalogues hold plain words, in every
language, and entries that come and go (recent files, bookmarks) have letters too.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QMenu

_GIVEN = "has letters"
"""A property of menus whose letters are chosen."""


def letters(texts: Sequence[str]) -> list[int]:
    """Where the letter of each text is, -1 for none. First letters of words come first; then as many texts as possible
    have one: a text may give its letter to another one that has no other (Kuhn's algorithm for matchings)."""
    owners: dict[str, int] = {}
    places = [-1] * len(texts)
    for number, text in enumerate(texts):
        for place, letter in enumerate(text):
            is_start = place == 0 or not text[place - 1].isalnum()
            if is_start and letter.isalnum() and letter.casefold() not in owners:
                owners[letter.casefold()], places[number] = number, place
                break

    def find(number: int, tried: set[str]) -> bool:
        own = [(place, letter.casefold()) for place, letter in enumerate(texts[number]) if letter.isalnum()]
        for place, key in sorted(own, key=lambda each: each[1] in owners):  # free ones first
            if key not in tried:
                tried.add(key)
                if key not in owners or find(owners[key], tried):
                    owners[key], places[number] = number, place
                    return True
        return False

    for number, place in enumerate(places):
        if place < 0:
            find(number, set())
    return places


def plain(text: str) -> str:
    """A text of an action without the mark of its letter."""
    return text.replace("&&", "\0").replace("&", "").replace("\0", "&")


def mark(menu: QMenu) -> None:
    """Choose the letters of a menu's entries."""
    actions = [action for action in menu.actions() if action.isVisible() and not action.isSeparator()]
    texts = [plain(action.text()) for action in actions]
    for action, text, place in zip(actions, texts, letters(texts), strict=True):
        before, after = text[: max(place, 0)].replace("&", "&&"), text[max(place, 0) :].replace("&", "&&")
        action.setText(before + after if place < 0 else f"{before}&{after}")


def unmark(menu: QMenu) -> None:
    """Take the marks away again: elsewhere the actions show their plain words."""
    for action in menu.actions():
        action.setText(plain(action.text()).replace("&", "&&"))


def give_letters(menu: QMenu) -> None:
    """Choose the letters whenever the menu opens, and those of the menus in it. Call it after the function that fills
    the menu is connected to `aboutToShow`.
    """
    if menu.property(_GIVEN):
        return
    menu.setProperty(_GIVEN, True)
    menu.aboutToShow.connect(lambda: mark(menu))
    menu.aboutToHide.connect(lambda: unmark(menu))
    for action in menu.actions():
        below = action.menu()
        if isinstance(below, QMenu):
            give_letters(below)
