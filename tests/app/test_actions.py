"""One table of actions: each is handled, no key means two things, the help says them all."""

import itertools

import pytest

from app.actions.build import key_text, sequence
from app.actions.help import help_sections
from app.actions.table import MENUS, VIEWPORT, all_actions
from engine.scene.options import FLAGS

ROWS = all_actions()


def test_ids_are_unique_and_rows_are_whole():
    assert len({row.id for row in ROWS}) == len(ROWS)
    for row in ROWS:
        assert row.text and row.help, row
        assert row.menu.partition("/")[0] in MENUS, row


def test_no_key_means_two_things():
    keys = [(key.lower() if len(key) > 1 else key, row.id) for row in ROWS for key in row.keys]
    for (one, a), (other, b) in itertools.combinations(keys, 2):
        assert one != other, f"{one} is the key of {a} and {b}"


def test_single_keys_belong_to_the_viewport():
    for row in ROWS:
        for key in row.keys:
            if len(key) == 1 or key in ("Space", "Tab", "Esc", "Backspace", "Left", "Right", "PgUp"):
                assert row.scope == VIEWPORT, row


def test_every_key_is_a_key():
    for row in ROWS:
        for key in row.keys:
            assert sequence(key).count() == 1, (row.id, key)


def test_only_what_is_drawn_can_be_switched():
    ids = {row.id for row in ROWS}
    for flag in FLAGS:
        assert (f"flag.{flag.name}" in ids) == flag.drawn


def test_every_action_is_handled_and_in_the_help(make_window):
    window = make_window()
    assert set(window.handlers.table()) == {row.id for row in ROWS}
    shown = {(line.keys, line.text) for _, lines in help_sections(window.actions_) for line in lines}
    for row in ROWS:
        if row.keys and not row.id.startswith("group."):
            assert (key_text(row), row.text.rstrip("…")) in shown, row


@pytest.mark.parametrize("name", ["flag.shadow", "help.info", "file.auto_reload"])
def test_checks_show_the_state(make_window, name):
    window = make_window()
    action = window.actions_[name]
    assert action.isCheckable()
