"""URDF and x_xy in the window and on the command line: opened, reloaded with their meshes, problems at their
place."""

import subprocess
import sys
from pathlib import Path

import kinetree
from kinetree.app.workers.simulation import requests
from tests.engine.formats.test_urdf import BOX
from tests.patience import LIMIT

ROOT = Path(__file__).resolve().parents[2]
KEEP = '<mujoco><compiler discardvisual="false" fusestatic="false"/></mujoco>'
ROBOT = f"""<robot name="r">{KEEP}
<link name="world"/>
<link name="a"><collision><geometry><mesh filename="package://bot/meshes/m.obj"/></geometry></collision></link>
<joint name="j" type="revolute"><parent link="world"/><child link="a"/></joint>
</robot>"""
SWING = """<x_xy model="m"><worldbody>
<body name="b" joint="rr"><geom type="sphere" dim=".1" mass="1" pos="1 0 0"/></body></worldbody></x_xy>"""


def opened(make_window, path, qtbot, seed=None):
    window = make_window()
    window.project.seed = seed
    window.simulation.post(requests.Pause())
    window.open(str(path))
    qtbot.waitUntil(lambda: window.simulation.snapshot is not None and window.simulation.snapshot.ready)
    return window


def test_a_robot_with_a_mesh_is_followed(make_window, tmp_path, qtbot):
    folder = tmp_path / "bot"
    (folder / "meshes").mkdir(parents=True)
    (folder / "urdf").mkdir()
    (folder / "meshes" / "m.obj").write_text(BOX)
    path = folder / "urdf" / "r.urdf"
    path.write_text(ROBOT)
    window = opened(make_window, path, qtbot)
    assert window.simulation.model.names["body"] == ["world", "a"]
    old = window.simulation.model
    (folder / "meshes" / "m.obj").write_text(BOX.replace("v 1", "v 3"))
    qtbot.waitUntil(lambda: window.simulation.model is not old)
    assert window.simulation.model.mesh_vert.max() > 1
    path.write_text(ROBOT.replace("revolute", "revolut"))

    def places():
        return [(item.line, item.column) for item in window.compiler.diagnostics if item.severity == "error"]

    # The window may first see the file as it is for a moment while it is written: empty.
    qtbot.waitUntil(lambda: window.compiler.failed and places() == [(4, 23)])
    assert window.simulation.model.njnt == 1
    path.write_text(ROBOT.replace("revolute", "prismatic"))
    qtbot.waitUntil(lambda: not window.compiler.failed and window.simulation.model.jnt_type[0] == 2)


def test_random_axes_come_from_the_project_s_seed(make_window, tmp_path, qtbot):
    path = tmp_path / "swing.xml"
    path.write_text(SWING)
    window = opened(make_window, path, qtbot, seed=9)
    assert (window.simulation.model.jnt_axis == kinetree.load(path, seed=9).jnt_axis).all()


def run_kinetree(*arguments):
    return subprocess.run(
        [sys.executable, "-m", "kinetree", *map(str, arguments)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=LIMIT,
    )


def test_check(tmp_path):
    good, bad = tmp_path / "good.xml", tmp_path / "bad.urdf"
    good.write_text(SWING)
    bad.write_text(ROBOT.replace("revolute", "revolut"))
    done = run_kinetree("check", "--seed", "7", good)
    assert done.returncode == 0
    assert "drawn with seed 7" in done.stdout
    done = run_kinetree("check", bad)
    assert done.returncode == 1
    assert f"{bad}:4:23: error:" in done.stdout
    assert "did you mean revolute" in done.stdout
    done = run_kinetree("check", "--seed", "-1", good)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
