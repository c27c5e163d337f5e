"""A model written to another folder finds its files."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

import kinetree
from kinetree.engine.document.files import read_file
from kinetree.engine.document.project import Project
from kinetree.engine.editing.relocate import relocate
from kinetree.engine.model.fields import TABLES
from tests.conftest import ROOT, SHARED
from tests.corpus import listed

MODELS = ROOT / "resources" / "models"
OWN = [*sorted(MODELS.glob("*.xml")), MODELS / "formats" / "mobile.urdf", MODELS / "formats" / "carousel.xml"]
CORPUS = [each.path for each in listed(SHARED / "corpus") if each.family == "files" and each.loads == "yes"]


def moved(path: Path, folder: Path) -> Path:
    """A copy of a model in another folder, and of the included files that have to go along."""
    project = Project()
    name = project.open(read_file(path))
    while project.wanted:
        project.provide(*map(read_file, project.wanted))
    target = folder / path.name
    relocation = relocate(project.snapshot(name).document, target)
    project.apply("Adjust Paths", relocation.edits)
    target.write_bytes(project.source(name).data)
    for copy in relocation.copies:
        os.makedirs(os.path.dirname(copy.target), exist_ok=True)
        with open(copy.target, "xb") as file:
            file.write(copy.source.data)
    return target


def assert_same(path: Path, other: Path) -> None:
    one, two = kinetree.load(path), kinetree.load(other)
    for field in TABLES["Model"]:
        values = (np.asarray(getattr(model, field.name)) for model in (one, two))
        np.testing.assert_array_equal(*values, err_msg=field.name)


@pytest.mark.parametrize("path", OWN, ids=lambda path: path.name)
def test_own_models_find_their_files_from_elsewhere(path, tmp_path):
    assert_same(path, moved(path, tmp_path))


@pytest.mark.parametrize("path", CORPUS[::5], ids=lambda path: path.name)
def test_models_of_the_corpus_find_their_files_from_elsewhere(path, tmp_path):
    assert_same(path, moved(path, tmp_path))


ASSETS = """<mujoco>{compiler}
  <asset><texture name="t" type="2d" file="t.png"/><mesh file="a/m.stl"/></asset>
  <worldbody><geom type="mesh" mesh="m"/></worldbody>
</mujoco>"""


def relocated(text: str, tmp_path: Path) -> str:
    old, new = tmp_path / "old", tmp_path / "new"
    for folder in (old, new):
        folder.mkdir()
    (old / "model.xml").write_text(text)
    return moved(old / "model.xml", new).read_text()


@pytest.mark.parametrize(
    ("compiler", "after"),
    [
        ("", '\n  <compiler texturedir="../old" meshdir="../old"/>'),
        ('<compiler angle="radian"/>', '<compiler angle="radian" texturedir="../old" meshdir="../old"/>'),
        ('<compiler meshdir="meshes"/>', '<compiler meshdir="../old/meshes" texturedir="../old"/>'),
        ('<compiler assetdir="x/y"/>', '<compiler assetdir="../old/x/y"/>'),
        ('<compiler assetdir="/all"/>', '<compiler assetdir="/all"/>'),
    ],
)
def test_assets_get_a_folder(compiler, after, tmp_path):
    assert relocated(ASSETS.format(compiler=compiler), tmp_path) == ASSETS.format(compiler=after)


def test_includes_and_meshes_of_urdf_get_other_names(tmp_path):
    assert relocated('<mujoco><include file="b/c.xml"/></mujoco>', tmp_path) == (
        '<mujoco><include file="../old/b/c.xml"/></mujoco>'
    )


def test_addresses_and_absolute_names_stay(tmp_path):
    text = """<robot name="r"><link name="l">
      <visual><geometry><mesh filename="{}"/></geometry></visual>
      <collision><geometry><mesh filename="package://p/m.stl"/></geometry></collision></link></robot>"""
    assert relocated(text.format("m.stl"), tmp_path) == text.format("../old/m.stl")


def test_in_its_own_folder_nothing_changes(tmp_path):
    path = tmp_path / "model.xml"
    path.write_text(ASSETS.format(compiler=""))
    assert moved(path, tmp_path).read_text() == ASSETS.format(compiler="")


def test_a_folder_name_with_characters_of_xml_is_escaped(tmp_path):
    old, new = tmp_path / "arms & <hands>", tmp_path / "new"
    old.mkdir()
    new.mkdir()
    (old / "model.xml").write_text(ASSETS.format(compiler=""))
    after = moved(old / "model.xml", new).read_text()
    folder = "../arms &amp; &lt;hands&gt;"
    assert after == ASSETS.format(compiler=f'\n  <compiler texturedir="{folder}" meshdir="{folder}"/>')


FILES = {
    "model.xml": '<mujoco><include file="parts/arm.xml"/>\n  <worldbody><include file="floor.xml"/></worldbody></mujoco>',
    "floor.xml": '<x><include file="tile.xml"/></x>',
    "tile.xml": '<x><geom name="tile" size="1"/></x>',
    "parts/arm.xml": """<x><asset><model name="m" file="other/attached.xml"/></asset><worldbody>
      <body name="arm"><include file="parts/hand.xml"/><geom size=".1"/>
      <include file="nails.xml"/><attach model="m" body="b" prefix="p_"/></body></worldbody></x>""",
    "parts/hand.xml": '<x><geom name="hand" size=".2"/></x>',
    "parts/nails.xml": '<x><geom name="nail" size=".3"/></x>',
    "other/attached.xml": '<mujoco><worldbody><body name="b"><geom name="g" size=".4"/></body></worldbody></mujoco>',
}


def written(folder: Path, files: dict[str, str] = FILES) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder / "model.xml"


def copied_files(path: Path) -> list[str]:
    return sorted(str(each.relative_to(path.parent)) for each in path.parent.rglob("*.xml"))


def test_includes_of_included_files_are_found_from_elsewhere(tmp_path):
    path = written(tmp_path / "old")
    before = {name: (tmp_path / "old" / name).read_text() for name in FILES}
    for folder in (tmp_path / "new", tmp_path / "old" / "sub", tmp_path):
        folder.mkdir(exist_ok=True)
        after = moved(path, folder)
        assert_same(path, after)
        after.unlink()
    assert {name: (tmp_path / "old" / name).read_text() for name in FILES} == before


def test_only_files_that_would_not_find_theirs_are_copied(tmp_path):
    (tmp_path / "new").mkdir()
    path = moved(written(tmp_path / "old"), tmp_path / "new")
    # The includes of floor.xml are found beside it. arm.xml names a file and a model from the folder of the model.
    assert copied_files(path) == ["model.xml", "parts/arm.xml"]
    assert path.read_text() == FILES["model.xml"].replace("floor.xml", "../old/floor.xml")
    assert (path.parent / "parts/arm.xml").read_text() == (
        FILES["parts/arm.xml"]
        .replace('"parts/hand.xml', '"../old/parts/hand.xml')
        .replace('"nails.xml', '"../old/parts/nails.xml')
        .replace('"other/', '"../old/other/')
    )


def test_a_file_that_includes_a_copied_one_is_copied(tmp_path):
    files = {
        "model.xml": '<mujoco><worldbody><include file="a/one.xml"/></worldbody></mujoco>',
        "a/one.xml": '<x><include file="two.xml"/></x>',
        "a/two.xml": '<x><include file="a/three.xml"/></x>',
        "a/three.xml": '<x><geom name="g" size="1"/></x>',
    }
    path = written(tmp_path / "old", files)
    (tmp_path / "new").mkdir()
    after = moved(path, tmp_path / "new")
    assert copied_files(after) == ["a/one.xml", "a/two.xml", "model.xml"]
    assert_same(path, after)
    assert after.read_text() == files["model.xml"]


def test_files_that_are_there_are_neither_taken_nor_replaced(tmp_path):
    path = written(tmp_path / "old")
    other = dict.fromkeys(("tile.xml", "parts/arm.xml", "parts/hand.xml"), '<x><geom name="other" size="9"/></x>')
    written(tmp_path / "new", other)
    after = moved(path, tmp_path / "new")
    assert_same(path, after)
    assert {name: (tmp_path / "new" / name).read_text() for name in other} == other
    assert copied_files(after) == [
        *("floor.xml", "model.xml", "parts/arm-2.xml", "parts/arm.xml", "parts/hand.xml", "tile.xml")
    ]
