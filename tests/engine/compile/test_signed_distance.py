"""Shapes of plugins: their meshes are where the formulas say, and what makes no shape is refused at its parameter."""

from __future__ import annotations

import math

import numpy as np
import pytest

import kinetree
from kinetree.engine.compile.assets.mesh import oriented
from kinetree.engine.compile.assets.signed_distance import SHAPES, mesh
from kinetree.engine.resources.raw_mesh import BadMesh

EXTENSION = "<extension><plugin plugin='{plugin}'/></extension>"


def _numbers(plugin, **changed):
    return tuple({**SHAPES[plugin].defaults, **changed}.values())


@pytest.mark.parametrize("plugin", SHAPES)
def test_mesh_is_where_the_distance_is_zero(plugin):
    numbers = _numbers(plugin)
    raw = mesh(plugin, numbers)
    with np.errstate(all="ignore"):
        gap = np.abs(SHAPES[plugin].distance(tuple(raw.vert.astype(float).T), *numbers))
    assert np.median(gap) < 5e-4
    assert gap.max() < 0.03  # at sharp edges
    assert raw.face.max() == len(raw.vert) - 1
    corner = raw.vert[raw.face].astype(float)
    assert np.einsum("ij,ij->i", corner[:, 0], np.cross(corner[:, 1], corner[:, 2])).sum() > 0


def test_torus():
    raw = mesh("mujoco.sdf.torus", (0.35, 0.15))
    corner = raw.vert[raw.face].astype(float)
    volume = np.einsum("ij,ij->i", corner[:, 0], np.cross(corner[:, 1], corner[:, 2])).sum() / 6
    assert volume == pytest.approx(2 * math.pi**2 * 0.35 * 0.15**2, rel=1e-3)
    assert oriented(raw.face)
    assert len(raw.vert) == len(raw.face) // 2


def test_gear_has_its_teeth():
    raw = mesh("mujoco.sdf.gear", _numbers("mujoco.sdf.gear", teeth=12.0))
    radius, angle = np.hypot(*raw.vert[:, :2].T), np.arctan2(raw.vert[:, 1], raw.vert[:, 0])
    outside = np.histogram(angle[radius > 1.5], 720, (-np.pi, np.pi))[0] > 0
    assert (np.diff(np.append(outside, outside[0]).astype(int)) == 1).sum() == 12


@pytest.mark.parametrize(
    ("plugin", "numbers"),
    [
        ("mujoco.sdf.torus", (0.3, -0.1)),
        ("mujoco.sdf.torus", (-2.0, 0.1)),
        ("mujoco.sdf.torus", (1e3, 0.1)),
        ("mujoco.sdf.torus", (1e300, 1e300)),
        ("mujoco.sdf.torus", (1.0, 1e-300)),
        ("mujoco.sdf.bowl", (0.0, 0.0, 0.0)),
        ("mujoco.sdf.bowl", (1e200, 1e200, 1.0)),
        ("mujoco.sdf.gear", (0.0, 0.0, 25.0, 0.2, -1.0)),
        ("mujoco.sdf.gear", (0.0, 2.8, 0.0, 0.2, -1.0)),
        ("mujoco.sdf.gear", (0.0, 2.8, 1e300, 0.2, -1.0)),
        ("mujoco.sdf.gear", (1e300, 2.8, 25.0, 0.2, 1e300)),
    ],
)
def test_no_shape(plugin, numbers):
    with pytest.raises(BadMesh):
        mesh(plugin, numbers)


@pytest.mark.parametrize(
    ("mesh", "code", "words"),
    [
        ("<mesh name='m'>§<plugin plugin='mujoco.sdf.torus'><config key='radius1' value='-2'/></plugin></mesh>", "bad-mesh", "side of"),
        ("<mesh name='m'><plugin plugin='mujoco.sdf.torus'><config key='radius1' value='§nan'/></plugin></mesh>", "bad-value", "finite"),
        ("<mesh name='m'><plugin plugin='mujoco.sdf.torus'><config key='radius1' value='§1e999'/></plugin></mesh>", "bad-value", "finite"),
        ("<mesh name='m'><plugin plugin='mujoco.sdf.torus'><config key='radius1' value='§.2x'/></plugin></mesh>", "bad-value", "number"),
        ("<mesh name='m'><plugin plugin='mujoco.sdf.torus'><config key='§radius' value='1'/></plugin></mesh>", "unknown-attribute", "radius2"),
        ("<mesh name='m' scale='§1 1 2'><plugin plugin='mujoco.sdf.torus'/></mesh>", "bad-mesh", "scale"),
        ("<mesh name='m' texcoord='§0 0'><plugin plugin='mujoco.sdf.torus'/></mesh>", "bad-mesh", "texcoord"),
        ("<mesh name='m'><plugin plugin='§mujoco.pid'/></mesh>", "bad-reference", "for an actuator"),
        ("<mesh name='m'>§<plugin plugin='mujoco.sdf.sdflib'/></mesh>", "bad-mesh", "add file"),
    ],
)  # fmt: skip
def test_errors(mesh, code, words):
    names = ("mujoco.sdf.torus", "mujoco.sdf.sdflib", "mujoco.pid")
    head = "<mujoco>" + "".join(EXTENSION.format(plugin=name) for name in names) + "<asset>"
    with pytest.raises(kinetree.ModelError) as caught:
        kinetree.load_string(head + mesh.replace("§", "") + "</asset></mujoco>")
    errors = [item for item in caught.value.diagnostics if item.severity.value == "error"]
    assert [item.code for item in errors] == [code], str(caught.value)
    assert words in errors[0].message
    assert (errors[0].line, errors[0].column) == (1, len(head) + mesh.index("§") + 1)


def _model(geom, mesh="<mesh name='m'><plugin plugin='mujoco.sdf.gear'/></mesh>", more=""):
    return kinetree.load_string(
        f"<mujoco>{EXTENSION.format(plugin='mujoco.sdf.gear')}<asset>{mesh}</asset><worldbody>{geom}{more}</worldbody></mujoco>"
    )


def test_alone_it_moves():
    model = _model("<body><freejoint/><geom type='sdf' mesh='m'><plugin plugin='mujoco.sdf.gear'/></geom></body>")
    data = kinetree.Data(model)
    kinetree.step(model, data, 10)
    assert data.qpos[2] < 0


def test_a_gear_lies_on_the_floor():
    model = _model(
        "<body pos='0 0 .12'><freejoint/><geom type='sdf' mesh='m'><plugin plugin='mujoco.sdf.gear'/></geom></body>",
        more="<geom type='plane' size='1 1 1'/>",
    )
    data = kinetree.Data(model)
    kinetree.step(model, data, 300)
    assert data.ncon > 0
    assert 0.09 < data.qpos[2] < 0.11


def test_memory_is_bounded():
    many = "".join(
        f"<mesh name='m{i}'><plugin plugin='mujoco.sdf.gear'><config key='alpha' value='{i}'/></plugin></mesh>"
        for i in range(120)
    )
    with pytest.raises(kinetree.ModelError, match="too large together"):
        _model("", many)
