"""The gizmo stands where the compiled model has the element: in frames, replicas, attached, fused and aligned bodies."""

import numpy as np
import pytest

import kinetree
from kinetree.app.viewport.gizmo.target import target_of
from kinetree.app.workspace.selection import Selection, select_object
from kinetree.engine.compile.compiler import compile_document
from kinetree.engine.document.files import read_file
from kinetree.engine.document.project import Project
from kinetree.engine.editing.orientation import same
from kinetree.engine.editing.pose import NotPlaced
from kinetree.engine.geometry.orientation import rotate
from kinetree.engine.scene.rotation import quat_mat, quat_mul

PART = """<mujoco model="part"><compiler angle="radian"/>
  <worldbody>
    <frame pos="0 0 9"><body name="root" pos="0 .1 0" euler="0 .3 0"><geom name="g" type="box" size=".1 .2 .3" pos=".1 0 0"/>
      <body name="leaf" pos="0 0 .4"><joint name="j" pos="0 0 .1" axis="1 0 0"/><geom name="h" size=".1"/></body></body></frame>
  </worldbody>
</mujoco>"""
MAIN = """<mujoco>
  <compiler fusestatic="true" eulerseq="ZYX"/>
  <asset><model name="part" file="part.xml"/></asset>
  <worldbody>
    <body name="free" pos="1 2 3" euler="10 20 30"><freejoint/>
      <geom name="lump" type="box" size=".1 .2 .3" pos=".3 0 0" euler="5 6 7"/><site name="on" pos=".1 .1 .1"/>
      <camera name="eye" pos="0 0 1" euler="1 2 3"/>
    </body>
    <body name="outer" pos="0 0 1" euler="0 0 45"><joint name="turn" axis="0 0 1"/><geom size=".1"/>
      <body name="fixed" pos="1 0 0" euler="0 90 0"><geom name="stuck" size=".1" pos="0 0 .5"/>
        <body name="moves" pos="0 0 1"><joint axis="0 1 0"/><geom name="end" size=".1" pos=".1 0 0"/></body>
      </body>
      <frame pos="0 1 0" euler="0 0 30">
        <replicate count="3" offset="0 0 .5" euler="0 0 20">
          <body name="copy" pos=".2 0 0"><joint/><geom name="in" size=".1" pos="0 .3 0"/></body>
        </replicate>
        <attach model="part" prefix="a_"/>
        <frame pos="1 0 0"><attach model="part" body="root" prefix="b_"/></frame>
      </frame>
    </body>
  </worldbody>
</mujoco>"""
KINDS = {"body": "x", "geom": "geom_x", "site": "site_x", "camera": "cam_x"}


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    folder = tmp_path_factory.mktemp("attached")
    (folder / "part.xml").write_text(PART)
    (folder / "main.xml").write_text(MAIN)
    project = Project()
    path = project.open(read_file(str(folder / "main.xml")))
    first = project.snapshot(path).document
    model = compile_document(first).model
    project.provide(*first.reads)
    document = project.snapshot(path).document
    data = kinetree.Data(model)
    random = np.random.default_rng(1)
    for joint in range(model.njnt):
        if int(model.jnt_type[joint]) == 3:
            data.qpos[model.jnt_qposadr[joint]] = random.uniform(-1, 1)
    kinetree.forward(model, data)
    return document, model, data


def test_every_geom_site_and_camera_is_where_its_text_says(world) -> None:
    document, model, data = world
    names = {"geom": model.names["geom"], "site": model.names["site"], "camera": model.names["camera"]}
    checked = 0
    for kind, known in names.items():
        for index, name in enumerate(known):
            target = target_of(document, model, select_object(model, kind, index))
            pos, quat = target.pose(model, data)
            prefix = {"geom": "geom", "site": "site", "camera": "cam"}[kind]
            assert pos == pytest.approx(getattr(data, f"{prefix}_xpos")[index], abs=1e-9), name
            axis = np.array(getattr(data, f"{prefix}_xmat")[index]).reshape(3, 3)
            assert np.allclose(quat_mat(quat), axis, atol=1e-9), name
            checked += 1
    assert checked >= 10


def test_every_body_s_frame_leads_to_its_children(world) -> None:
    document, model, data = world
    for name in ("copy0", "copy2", "a_leaf", "b_leaf", "moves"):
        body = kinetree.name2id(model, "body", name)
        target = target_of(document, model, Selection("body", body, select_object(model, "body", body).element))
        pos, quat = target.pose(model, data)
        parent = int(model.body_parentid[body])
        around = np.array(data.xmat[parent]).reshape(3, 3)
        assert pos == pytest.approx(data.xpos[parent] + around @ model.body_pos[body], abs=1e-9), name
        assert same(tuple(quat), tuple(quat_mul(data.xquat[parent], model.body_quat[body])), 1e-9), name


def test_a_joint_s_gizmo_is_at_its_anchor(world) -> None:
    document, model, data = world
    for index in range(model.njnt):
        try:
            target = target_of(document, model, select_object(model, "joint", index))
        except NotPlaced:
            continue  # free
        pose = target.pose(model, data)
        assert pose[0] == pytest.approx(data.xanchor[index], abs=1e-9)
        assert rotate(pose[1], (0, 0, 1)) == pytest.approx(data.xaxis[index], abs=1e-9)
