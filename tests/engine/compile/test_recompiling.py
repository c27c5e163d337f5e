"""A model that was edited a little is compiled again without reading or working out again what stayed."""

from __future__ import annotations

import json
import subprocess
import sys

from tests.conftest import ROOT

CUBE = "\n".join(
    ["v {} {} {}".format(*(k >> i & 1 for i in range(3))) for k in range(8)]
    + ["f 1 3 4 2", "f 5 6 8 7", "f 1 2 6 5", "f 3 7 8 4", "f 1 5 7 3", "f 2 4 8 6"]
)
MESHES = 3
MODEL = (
    "<mujoco><asset>"
    + "".join(f'<mesh name="m{k}" file="m{k}.obj" scale="1 1 {k + 1}"/>' for k in range(MESHES))
    + "</asset><worldbody>"
    + "".join(f'<body pos="{3 * k} 0 1"><freejoint/><geom type="mesh" mesh="m{k}" mass="1"/></body>' for k in range(MESHES))
    + "</worldbody></mujoco>"
)  # fmt: skip
PROGRAM = """
import json, pathlib, sys
import scipy.spatial
import kinetree
from kinetree.engine.compile.assets import assets
from kinetree.engine.resources import files

folder, text = pathlib.Path(sys.argv[1]), sys.stdin.read()
files.SETTLED = 0.0  # as if the files had been there for a while
read, report = [], []
sys.addaudithook(lambda event, arguments: event == "open" and read.append(str(arguments[0])))

def load(text):
    (folder / "model.xml").write_text(text)
    read.clear()
    before = set(assets._meshes._values)
    model = kinetree.load(folder / "model.xml")
    opened = sorted({pathlib.Path(name).name for name in read if name.endswith(".obj")})
    report.append([opened, len(set(assets._meshes._values) - before), model.nmesh, float(model.body_mass[1])])

load(text)
load(text.replace('mass="1"', 'mass="7"', 1))
load(text.replace('scale="1 1 2"', 'scale="1 1 5"'))
(folder / "m2.obj").write_text((folder / "m2.obj").read_text().replace("v 1 1 1", "v 2 2 2"))
load(text)
print(json.dumps(report))
"""


def test_only_what_changed_is_read_and_worked_out(tmp_path):
    """An edited number: no file, no mesh. Another scale: one mesh. Another file: that one."""
    for k in range(MESHES):
        (tmp_path / f"m{k}.obj").write_text(CUBE + f"\n# {k}\n")
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(tmp_path)], input=MODEL, cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    first, edited, scaled, replaced = json.loads(done.stdout)
    assert first == [["m0.obj", "m1.obj", "m2.obj"], MESHES, MESHES, 1.0]
    assert edited == [[], 0, MESHES, 7.0]
    assert scaled[1:] == [1, MESHES, 1.0]
    assert replaced == [["m2.obj"], 1, MESHES, 1.0]
