"""Meshes whose vertices move, corner by corner against what the reference draws."""

import mujoco
import numpy as np
import pytest

from kinetree.engine.scene.surface import FlexSurface, SkinSurface

COORDINATES = "0 0  0 1  1 0  1 1"
FLEXES = {
    "cloth": '<flexcomp name="f" type="grid" dim="2" count="4 3 1" spacing=".2 .3 .5" radius=".03" {}/>',
    "torn": '<flexcomp name="f" type="direct" dim="2" radius=".02" point="0 0 0  1 0 0  0 1 0  3 0 0  4 0 .2  3 1 0"'
    ' element="0 1 2  3 4 5" {}/>',
    "solid": '<flexcomp name="f" type="grid" dim="3" count="4 4 4" spacing=".2 .3 .5" radius=".03" {}/>',
    "ball": '<flexcomp name="f" type="ellipsoid" dim="3" count="4 4 4" spacing=".1 .2 .1" radius=".01" {}/>',
    "mapped": '<flexcomp name="f" type="direct" dim="2" radius=".02" point="0 0 0  1 0 0  0 1 0  1 1 0"'
    f' element="0 1 2  2 1 3" texcoord="{COORDINATES}" {{}}/>',
}


def reference(text: str, **options):
    """(model, data, scene) of the reference, somewhat bent."""
    m = mujoco.MjModel.from_xml_string(f"<mujoco>{text}</mujoco>")
    d = mujoco.MjData(m)
    d.qpos += np.random.default_rng(1).uniform(-0.03, 0.03, m.nq)
    mujoco.mj_forward(m, d)
    vis = mujoco.MjvOption()
    vis.skingroup[:] = 1
    for name, value in options.items():
        if name == "layer":
            vis.flex_layer = value
        else:
            vis.flags[getattr(mujoco.mjtVisFlag, f"mjVIS_{name.upper()}")] = value
    scene = mujoco.MjvScene(m, 100)
    mujoco.mjv_updateScene(m, d, vis, None, mujoco.MjvCamera(), 7, scene)
    return m, d, scene


def compare(m, d, scene, surface: FlexSurface) -> None:
    count, first = scene.flexfaceused[0], scene.flexfaceadr[0]
    place = scene.flexface.reshape(-1, 3, 3)[first : first + count]
    normal = scene.flexnormal.reshape(-1, 3, 3)[first : first + count]
    texcoord = scene.flextexcoord.reshape(-1, 3, 2)[first : first + count]
    surface.follow(d)
    corners = surface.vertices[surface.faces].astype(float)
    corners[:, :, :3] += surface.centre
    lit = count
    if m.flex_dim[0] == 2:  # the reference goes from one side to the other, then along the rim
        number = m.flex_elemnum[0]
        order = np.arange(len(corners))
        order[0 : 2 * number : 2], order[1 : 2 * number : 2] = np.arange(number), number + np.arange(number)
        corners, lit = corners[order], 2 * number
    assert len(corners) == count
    np.testing.assert_allclose(corners[:, :, :3], place, atol=1e-6)
    same = corners[:lit, :, 3:6] * normal[:lit]
    if m.flex_flatskin[0]:  # its normals of the far side, and of a solid without radius, point inwards
        same = abs(same)
    np.testing.assert_allclose(same.sum(axis=2), 1.0, atol=1e-5)
    if m.flex_texcoordadr[0] >= 0:
        np.testing.assert_allclose(corners[:, :, 6:8], texcoord, atol=1e-6)


@pytest.mark.parametrize("flat", ["true", "false"])
@pytest.mark.parametrize("name", FLEXES)
def test_shell(name, flat):
    flex = FLEXES[name].format(f'flatskin="{flat}"')
    m, d, scene = reference(f"<worldbody>{flex}</worldbody>")
    compare(m, d, scene, FlexSurface(m, 0, skin=True))


@pytest.mark.parametrize(("name", "layer"), [("cloth", 0), ("solid", 0), ("solid", 1), ("ball", 0)])
def test_faces(name, layer):
    text = f"<worldbody>{FLEXES[name].format('')}</worldbody>"
    m, d, scene = reference(text, flexskin=0, flexface=1, layer=layer)
    compare(m, d, scene, FlexSurface(m, 0, skin=False, layer=layer))


@pytest.mark.parametrize("name", FLEXES)
def test_faces_turn_where_their_normals_point(name):
    m, d, _ = reference(f"<worldbody>{FLEXES[name].format('')}</worldbody>")
    for skin in (True, False):
        surface = FlexSurface(m, 0, skin)
        surface.follow(d)
        corners = surface.triangles()
        along = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        assert (np.einsum("ij,ij->i", along, surface.vertices[surface.faces][:, 0, 3:6]) > 0).all()


def test_a_layer_that_is_not_there_is_empty():
    m, d, scene = reference(f"<worldbody>{FLEXES['solid'].format('')}</worldbody>", flexskin=0, flexface=1, layer=9)
    surface = FlexSurface(m, 0, skin=False, layer=9)
    surface.follow(d)
    assert scene.flexfaceused[0] == len(surface.faces) == 0


SKIN = """
<worldbody><body name="a"><freejoint/><geom size=".1"/><body name="b" pos="1 0 0"><joint axis="0 1 0"/><geom size=".1"/>
</body></body></worldbody><deformable><skin name="s" inflate="{}" vertex="0 0 0  1 0 0  1 1 0  0 1 0  2 0 0  2 1 .3"
 face="0 1 2  0 2 3  1 4 5  1 5 2" {}>
 <bone body="a" bindpos=".1 .2 .3" bindquat="1 .2 0 .1" vertid="0 1 2 3" vertweight="1 .5 .7 1"/>
 <bone body="b" bindpos="1 0 .1" bindquat="1 0 .3 0" vertid="1 2 4 5" vertweight=".5 .6 1 2"/></skin></deformable>"""


@pytest.mark.parametrize("inflate", [0, 0.05, -0.02])
def test_skin(inflate):
    m, d, scene = reference(SKIN.format(inflate, 'texcoord="0 0  1 0  1 1  0 1  2 0  2 1"'))
    surface = SkinSurface(m, 0)
    surface.follow(d)
    np.testing.assert_allclose(surface.vertices[:, :3] + surface.centre, scene.skinvert.reshape(-1, 3), atol=1e-6)
    np.testing.assert_allclose(surface.vertices[:, 3:6], scene.skinnormal.reshape(-1, 3), atol=1e-6)
    np.testing.assert_allclose(surface.vertices[:, 6:8], m.skin_texcoord)


def test_nothing_is_done_where_nothing_moved():
    m, d, _ = reference(SKIN.format(0, ""))
    surface = SkinSurface(m, 0)
    surface.follow(d)
    serial = surface.serial
    surface.follow(d)
    assert surface.serial == serial
    d.qpos[0] += 1.0
    mujoco.mj_kinematics(m, d)
    surface.follow(d)
    assert surface.serial > serial
    assert surface.high[0] > surface.low[0] >= 0.5
