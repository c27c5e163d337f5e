"""A pass of the event loop begins again, and drawing is not of it."""

from __future__ import annotations

import time

from kinetree.app.workspace.way import EventLoopPass, present_pass


def computed(present: EventLoopPass, seconds: float) -> None:
    """Let the pass have computed for so long until now."""
    present.began = time.thread_time() - seconds


def test_a_pass_begins_with_each_turn_of_the_event_loop_and_drawing_is_not_of_it(qapp, qtbot):
    present = present_pass()
    assert present is present_pass()
    computed(present, 100.0)
    qtbot.waitUntil(lambda: time.thread_time() - present.began < 50.0)
    computed(present, 1.0)
    began = present.began
    present.begin_drawing()
    while time.thread_time() - began < 1.01:
        pass
    present.end_drawing()
    assert began + 0.005 < present.began < time.thread_time() - 0.9
    present.end_drawing()
    assert present.drawing is None
