"""One table of actions: each is handled, no key means two things, the help says them all."""

import pytest

from kinetree.app.actions.rows import all_actions
from kinetree.app.menus.help import help_sections
from kinetree.app.menus.keys import ActionKeys, sequence, shown, why_not
from kinetree.app.menus.table import BOOKMARKS, FOCUS, MENUS
from kinetree.engine.scene.options import FLAGS

ROWS = all_actions()


def test_ids_are_unique_and_rows_are_whole():
    assert len({row.id for row in ROWS}) == len(ROWS)
    for row in ROWS:
        assert row.text and row.help, row
        assert row.menu.partition("/")[0] in MENUS, row


def test_no_key_means_two_things(settings):
    keys = ActionKeys({row.id: row for row in ROWS}, settings)
    for row in ROWS:
        for key in row.keys:
            assert not keys.conflicts(row.id, key), (row.id, key)


def test_single_keys_belong_to_the_viewport():
    for row in ROWS:
        for key in row.keys:
            assert row.scope == FOCUS or not why_not(key, row), (row.id, key)


def test_every_key_is_a_key():
    for row in ROWS:
        for key in row.keys:
            assert sequence(key).count() == 1, (row.id, key)


def test_every_flag_can_be_switched():
    assert {f"flag.{flag.name}" for flag in FLAGS} <= {row.id for row in ROWS}


def test_every_action_is_handled_and_in_the_help(make_window):
    window = make_window()
    assert {*window.handlers.table(), "help.tour"} == {row.id for row in ROWS}
    lines = [line for _, lines in help_sections(window.actions_) for line in lines]
    for row in ROWS:
        if row.keys and not row.id.startswith(("group.", "bookmark.")):
            words = set(row.text.rstrip("…").replace(",", "").split())
            assert any(
                shown(row.keys) in line.keys and words <= set(line.text.replace(",", "").split()) for line in lines
            ), row
    assert sum(line.text == "Next, Previous Problem" for line in lines) == 1
    assert ("Alt+1–9", f"Bookmarks 1 to {BOOKMARKS}") in {(line.keys, line.text) for line in lines}
    window.actions_.set_keys("bookmark.3", ("Alt+B",))
    rows = dict(help_sections(window.actions_))["Camera"]
    assert [line.keys for line in rows if line.text.startswith("Bookmark ")] == [
        *("Alt+1", "Alt+2", "Alt+B"), *(f"Alt+{number}" for number in range(4, 10)),
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["flag.shadow", "help.info", "file.auto_reload"])
def test_checks_show_the_state(make_window, name):
    window = make_window()
    action = window.actions_[name]
    assert action.isCheckable()


def test_every_menu_fits_a_screen_of_800_pixels(make_window):
    for name, menu in make_window().actions_.menus.items():
        assert menu.sizeHint().height() <= 760, name
