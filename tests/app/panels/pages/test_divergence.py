"""The sign in the status bar that says that the simulation diverged."""

from PySide6.QtWidgets import QToolTip

from kinetree.app.workers.simulation import requests

DIVERGING = """<mujoco><option timestep="0.05"/><worldbody><light pos="0 0 3"/><body><joint name="hinge" axis="0 1 0" stiffness="1e5"/>
 <geom type="capsule" size=".05" fromto="0 0 0 .5 0 0"/></body></worldbody></mujoco>"""


def test_a_diverging_simulation_has_a_lasting_sign(make_window, qtbot, tmp_path):
    path = tmp_path / "stiff.xml"
    path.write_text(DIVERGING)
    window = make_window(path)
    sign = window.status.divergence
    qtbot.waitUntil(lambda: sign.isVisible() and sign.findings[0].number > 2)
    window.simulation.post(requests.Pause())
    qtbot.waitUntil(lambda: not window.simulation.snapshot.running)
    (finding,) = sign.findings
    assert sign.text() == f'Diverged ×{finding.number:,} since 0.2 s: joint "hinge"'
    for part in ('joint "hinge"', "first at 0.2 s", "timestep below"):
        assert part in sign.toolTip()
    sign.click()
    qtbot.waitUntil(QToolTip.isVisible)
    QToolTip.hideText()
    qtbot.waitUntil(lambda: not QToolTip.isVisible())
    path.write_text(DIVERGING.replace('"0.05"', '"0.002"'))
    qtbot.waitUntil(lambda: not sign.isVisible())
    assert sign.findings == []


def test_a_reset_clears_the_sign(make_window, qtbot, tmp_path):
    path = tmp_path / "stiff.xml"
    path.write_text(DIVERGING)
    window = make_window(path)
    sign = window.status.divergence
    qtbot.waitUntil(sign.isVisible)
    window.simulation.post(requests.Pause())
    window.simulation.post(requests.Reset())
    qtbot.waitUntil(lambda: not sign.isVisible())
