"""Folders in which package:// addresses are looked up."""

import os

import pytest

import kinetree
from kinetree.engine.resources import packages

TETRAHEDRON = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
ROBOT = (
    '<robot name="r"><link name="a"><collision><geometry><mesh filename="package://bot/meshes/m.obj"/></geometry>'
    '</collision><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
    "</link></robot>"
)


@pytest.fixture(autouse=True)
def none_chosen(monkeypatch):
    monkeypatch.delenv("ROS_PACKAGE_PATH", raising=False)
    yield
    packages.use(())


@pytest.fixture
def model(tmp_path):
    """A robot whose package lies in another workspace."""
    place = tmp_path / "workspace" / "src" / "bot" / "meshes"
    place.mkdir(parents=True)
    (place / "m.obj").write_text(TETRAHEDRON)
    path = tmp_path / "robots" / "deep" / "r.urdf"
    path.parent.mkdir(parents=True)
    path.write_text(ROBOT)
    return path


@pytest.mark.parametrize("folder", ["workspace/src", "workspace/src/bot"])
def test_a_package_is_found_in_a_chosen_folder_or_is_that_folder(model, tmp_path, folder):
    packages.use([str(tmp_path / "no such folder"), str(tmp_path / folder)])
    assert kinetree.load(str(model)).nmesh == 1


def test_ros_names_folders_of_packages_too(model, tmp_path, monkeypatch):
    monkeypatch.setenv("ROS_PACKAGE_PATH", f"{tmp_path / 'x'}{os.pathsep}{tmp_path / 'workspace' / 'src'}")
    assert kinetree.load(str(model)).nmesh == 1


def test_a_package_that_is_nowhere_is_told_with_the_remedy(model):
    with pytest.raises(kinetree.ModelError) as error:
        kinetree.load(str(model))
    assert "'bot' is in no folder around the model" in str(error.value)
    assert "(none)" in str(error.value) and "Package folders" in str(error.value)
    packages.use(["/some/where"])
    with pytest.raises(kinetree.ModelError, match="/some/where"):
        kinetree.load(str(model))


def test_the_folders_are_asked_for_once_and_only_when_a_package_is_wanted(model, tmp_path):
    asked = []

    def folders():
        asked.append(1)
        return [str(tmp_path / "workspace" / "src")]

    packages.use(folders)
    plain = tmp_path / "plain.urdf"
    plain.write_text('<robot name="r"><link name="a"/></robot>')
    kinetree.load(str(plain))
    assert not asked
    kinetree.load(str(model))
    kinetree.load(str(model))
    assert asked == [1]


def test_a_list_of_folders_is_read(monkeypatch):
    monkeypatch.setenv("HOME", "/home/me")
    monkeypatch.setenv("USERPROFILE", "/home/me")
    text = os.pathsep.join(["/a/b/", " /a/b ", "~/ws", "", "relative"])
    assert packages.read(text) == ("/a/b", "/home/me/ws")


def test_names_without_a_package_have_none():
    assert packages.package_of("package://bot/x.obj") == "bot" == packages.package_of("package://bot")
    assert packages.package_of("meshes/x.obj") == packages.package_of("file:///x.obj") == ""
