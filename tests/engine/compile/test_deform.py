"""Deformable objects: topology, elastic energies, GMSH files, and what is wrong with them, without the reference."""

from __future__ import annotations

import struct

import numpy as np
import pytest

import kinetree
from kinetree.engine.compile.soft import elasticity, topology
from kinetree.engine.expand.flexcomp import gmsh
from kinetree.engine.expand.flexcomp.points import BadFlexcomp

CORNERS = np.array([[0, 0, 0], [1, 0.1, 0], [0.2, 1.3, 0], [0, 0.3, 1.7]], float)
NODES = "1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n"
TEXT22 = f"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n{NODES}$EndNodes\n$Elements\n1\n1 4 2 0 1 1 2 3 4\n$EndElements\n"


def test_edges_are_numbered_as_elements_name_them():
    edge, of = topology.edges(np.array([[0, 1, 2], [1, 3, 2]]))
    assert edge.tolist() == [[1, 2], [0, 2], [0, 1], [2, 3], [1, 3]]
    assert of.tolist() == [[0, 1, 2], [3, 0, 4]]


def test_sides_outside_and_layers():
    sides = topology.ElementSides(np.array([[0, 1, 2, 3], [1, 2, 3, 4]]))
    assert len(sides.shell) == 6 and not sides.layers.any()
    assert not topology.ElementSides(np.array([[0, 1], [1, 2], [2, 0]])).shell.size


def _energy(form: np.ndarray, dim: int, rest: np.ndarray, now: np.ndarray) -> float:
    edge = np.array(topology.EDGES[dim])

    def squared(x):
        return ((x[edge[:, 1]] - x[edge[:, 0]]) ** 2).sum(1)

    full = np.zeros((len(edge), len(edge)))
    full[np.triu_indices(len(edge))] = form[: len(edge) * (len(edge) + 1) // 2]
    full = full + full.T - np.diag(full.diagonal())
    change = squared(now) - squared(rest)
    return float(change @ full @ change)


def test_energy_of_a_solid_is_a_form_in_the_strain():
    young, poisson = 3.7, 0.31
    form = elasticity.solid(CORNERS[None], young, poisson)[0]
    gradient = np.eye(3) + 0.1 * np.random.default_rng(0).normal(size=(3, 3))
    twice_strain = gradient.T @ gradient - np.eye(3)
    lam, mu = elasticity.lame(young, poisson)
    volume = abs(np.linalg.det(CORNERS[1:] - CORNERS[0])) / 6
    expected = volume * (lam * np.trace(twice_strain) ** 2 + mu * (twice_strain**2).sum())
    assert _energy(form, 3, CORNERS, CORNERS @ gradient.T) == pytest.approx(expected)


@pytest.mark.parametrize("dim", [2, 3])
def test_rigid_motions_cost_nothing(dim):
    points = CORNERS[: dim + 1]
    form = (elasticity.solid if dim == 3 else lambda *a: elasticity.sheet(*a, 0.1))(points[None], 5.0, 0.2)[0]
    turn = np.linalg.qr(np.random.default_rng(1).normal(size=(3, 3)))[0]
    assert abs(_energy(form, dim, points, points @ turn.T + 1)) < 1e-12


def test_bending_leaves_planes_alone():
    points = np.array([[0, 0, 0], [1, 0, 0], [0.3, 1, 0], [0.6, -2, 0]], float)
    form = elasticity.bending(points, np.array([[0, 1]]), np.array([[2, 3]]), 4.0, 0.3, 0.1)[0].reshape(4, 4)
    assert np.abs(form @ points).max() < 1e-15
    points[3, 2] = 0.5
    assert np.abs(form @ points).max() > 1e-5


def test_stiffness_of_a_cell_has_no_force_on_translations():
    stiffness = elasticity.cell(elasticity.CORNERS * [1, 2, 3], 10.0, 0.3)
    assert np.abs(stiffness @ np.tile([1.0, 2.0, 3.0], 8)).max() < 1e-13
    assert np.linalg.eigvalsh(stiffness).max() < 1e-12


def test_gmsh_text_and_binary_are_the_same():
    nodes = b"".join(struct.pack("<i3d", i + 1, *p) for i, p in enumerate([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]))
    binary = (
        b"$MeshFormat\n2.2 1 8\n" + struct.pack("<i", 1) + b"\n$EndMeshFormat\n$Nodes\n4\n" + nodes
        + b"\n$EndNodes\n$Elements\n1\n" + struct.pack("<9i", 4, 1, 1, 1, 0, 1, 2, 3, 4) + b"\n$EndElements\n"
    )  # fmt: skip
    for data in (TEXT22.encode(), binary):
        shape = gmsh.read(data)
        assert shape.dim == 3 and shape.element.tolist() == [[0, 1, 2, 3]] and shape.point[1, 0] == 1


@pytest.mark.parametrize("cut", range(0, len(TEXT22) - 14, 3))
def test_gmsh_files_cut_off_are_refused(cut):
    with pytest.raises(BadFlexcomp):
        gmsh.read(TEXT22[:cut].encode())


@pytest.mark.parametrize(
    ("old", "new"),
    [("2.2 0", "3.0 0"), ("2.2 0 8", "2.2 0 4"), ("\n2 1 0 0", "\n5 1 0 0"), ("1 2 3 4\n$End", "1 2 3 9\n$End"),
     ("1 4 2 0 1", "1 5 2 0 1"), ("3 0 1 0", "3 0 x 0"), ("$Nodes\n4", "$Nodes\n99999999999"), ("3 0 1 0", "3 0 inf 0")],
)  # fmt: skip
def test_bad_gmsh_files(old, new):
    assert old in TEXT22
    with pytest.raises(BadFlexcomp):
        gmsh.read(TEXT22.replace(old, new).encode())


@pytest.mark.parametrize(
    ("flexcomp", "words"),
    [
        ("count='3 3 1' spacing='.1 .001 .1'", "spacing"),
        ("count='3 3 2'", "one layer"),
        ("type='circle' dim='2'", "dim to 1"),
        ("type='box' count='1 3 3'", "at least 2"),
        ("count='1000000 1000000 1'", "points"),
        ("type='mesh' dim='3' file='x.obj'", "origin"),
        ("type='mesh' file='none.obj'", "no file"),
    ],
)
def test_bad_flexcomps(flexcomp, words):
    with pytest.raises(kinetree.ModelError, match=words):
        kinetree.load_string(f"<mujoco><worldbody><flexcomp name='a' {flexcomp}/></worldbody></mujoco>")


def test_a_flex_of_a_flexcomp():
    model = kinetree.load_string(
        "<mujoco><worldbody><flexcomp name='a' count='3 3 1'><edge equality='true'/></flexcomp></worldbody></mujoco>"
    )
    assert model.nflex == 1 and model.flex_edgeequality[0] and model.neq == 1
    assert model.names["flex"] == ["a"]
