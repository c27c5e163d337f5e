"""Imports at the start. Its time is in the report of the suite, and tests nothing: tests/benchmark/startup.py measures."""

import os

from tests.benchmark import startup

MOST = 353
"""Modules of ours before the first frame. Wanted are startup.MODULES_TO_REACH; lower this with each step there."""
NOT_IN_VIEW = (
    "kinetree.app.actions.handlers",
    "kinetree.app.actions.pictures",
    "kinetree.app.commands.render",
    "kinetree.app.language_server",
    "kinetree.app.panels.analysing.plots.canvas",
    "kinetree.app.panels.dialogs",
    "kinetree.app.panels.driving.controls",
    "kinetree.app.panels.writing.inspector",
    "kinetree.app.panels.writing.source",
    "kinetree.app.panels.writing.tree",
    "kinetree.app.pictures.video",
    "kinetree.app.workers.decomposer",
    "kinetree.engine.check.run",
    "kinetree.engine.compile.compiler",
    "kinetree.engine.assist.language",
    "kinetree.engine.editing.pose",
    "kinetree.engine.editing.structure",
    "kinetree.engine.mjcf.schema_table",
    "kinetree.engine.formats.urdf",
    "kinetree.engine.formats.x_xy",
    "kinetree.engine.storage.binary",
)
"""A sample of dialogs, panels, tools, formats and the compiler."""


def test_a_start_imports_what_is_in_view(record_property) -> None:
    names, seconds = startup.modules_at_first_frame(startup.MODEL, os.environ.get("DISPLAY"))
    record_property("report", f"start: first frame after {seconds:.2f} s, {len(names)} modules of ours")
    assert "kinetree.app.window" in names
    early = {each for each in NOT_IN_VIEW for name in names if f"{name}.".startswith(f"{each}.")}
    assert not early
    assert len(names) <= MOST
