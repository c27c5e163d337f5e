"""The window with a model that has very many findings."""

from __future__ import annotations

from kinetree.app.workers.compiling import CompileRequest
from kinetree.app.workspace.compile_controller import CompileController
from kinetree.engine.diagnostics import KEPT, SHOWN
from tests.patience import LIMIT


def test_a_flood_of_findings_is_counted(qtbot, tmp_path):
    path = tmp_path / "model.xml"
    flood = '<frame sise="1"/>\n' * 3000
    path.write_text(f'<mujoco><worldbody>\n{flood}<geom sise="1"/>\n</worldbody></mujoco>\n')
    controller = CompileController()
    try:
        controller.submit(CompileRequest(str(path)))
        qtbot.waitUntil(lambda: bool(controller._results))
        controller.show_findings(str(path))
        *_, last, error = controller.diagnostics
        assert len(controller.diagnostics) == SHOWN + 1 and error.severity.value == "error"
        assert last.message.endswith(f"(and {3000 - SHOWN} more of this kind)")
        assert controller.result is not None and len(controller.result.diagnostics) == KEPT + 1
    finally:
        for thread in controller.stop():
            thread.join(LIMIT)
