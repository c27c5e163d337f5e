"""Pictures of the README that no step of the tutorial has."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtTest import QTest

from kinetree.app.workers.simulation import requests
from tests.benchmark.window import wait_until
from tests.pictures.stage import stage


def compare() -> None:
    """The saved car and one with larger wheels beside each other, both driving, with curves of both."""
    with stage("car.xml") as shown:
        shown.do("compare.present")
        wait_until(lambda: shown.simulation.other_snapshot is not None)
        project = shown.window.project
        shown.do("source.show")
        wait_until(lambda: shown.window.source.editor is not None)
        editor = shown.window.source.editor
        offset = editor.text.index('size="0.17 0.06"') + len('size="')
        editor.select(offset, offset + len("0.17"))
        editor.setFocus()
        QTest.keyClicks(editor, "0.28")
        wait_until(
            lambda: shown.simulation.model.geom_size.max() > 0 and 'size="0.28' in project.texts.text(project.path)
        )
        shown.window.docks["source"].close()
        shown.do("compare.side")
        panel = shown.panel("plots")
        wait_until(lambda: bool(panel.plots))
        plot = panel.plots[0]
        assert plot.add('norm(sensor("speed"))')
        panel.add_other()
        shown.window.docks["tree"].close()
        shown.simulation.post(requests.LoadKeyframe("circle"))
        shown.run_until(2.2)
        car = shown.simulation.model.names["body"].index("car")
        middle = (shown.snapshot.xpos[car] + shown.simulation.other_snapshot.xpos[car]) / 2
        shown.camera(130.0, -22.0, 4.2, middle)
        shown.save("compare")


PICTURES: dict[str, Callable[[], None]] = {"compare": compare}
