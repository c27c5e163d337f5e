"""Renaming in every model that uses a name."""

from __future__ import annotations

from pathlib import Path

import pytest

from kinetree.engine.assist.names import CannotRename
from kinetree.engine.assist.navigation import references_everywhere, rename_edits
from kinetree.engine.assist.surroundings import ModelFinder
from kinetree.engine.document.edit import apply
from kinetree.engine.document.files import read_file
from tests.engine.assist.test_surroundings import including, write

ARM = (
    '<mujoco><default><default class="soft"><geom solref="0.1 1"/></default></default>'
    '<worldbody><body name="arm"><geom name="skin" class="soft" size="1"/></body></worldbody></mujoco>'
)
SCENE = '<mujoco><include file="arm.xml"/><worldbody><geom class="soft" size="2"/></worldbody></mujoco>'


def texts(folder: Path) -> dict[str, str]:
    return {path.stem: path.read_text() for path in sorted(folder.rglob("*.xml"))}


def renamed(folder: Path, place: str, old: str, new: str, model: str = "", **opened: str) -> dict[str, str]:
    """The texts of a folder after a rename at the first `old` of a file, which is opened alone or in a model."""
    path = str(folder / f"{place}.xml")
    known = {str(folder / f"{name}.xml"): read_file(folder / f"{name}.xml").text for name in opened}
    survey = ModelFinder().survey(known)
    document = survey.document(str(folder / f"{model or place}.xml"))
    assert document is not None
    offset = document.source_of(path).text.index(f'"{old}"') + 1
    found = rename_edits(document, path, offset, new, survey)
    after = texts(folder)
    for name, edits in found.items():
        after[Path(name).stem] = apply(after[Path(name).stem], edits)
    return after


def replaced(folder: Path, old: str, new: str, *files: str) -> dict[str, str]:
    return {
        name: text.replace(f'"{old}"', f'"{new}"') if name in files else text for name, text in texts(folder).items()
    }


@pytest.mark.parametrize(("place", "model"), [("arm", "scene"), ("arm", "arm"), ("scene", "scene"), ("other", "other")])
def test_a_class_of_a_part_changes_in_all_models(tmp_path: Path, place: str, model: str) -> None:
    write(tmp_path, arm=ARM, scene=SCENE, other=SCENE, without=including("arm.xml"), foreign=ARM)
    after = renamed(tmp_path, place, "soft", "hard", model)
    assert after == replaced(tmp_path, "soft", "hard", "arm", "scene", "other")


def test_each_model_declares_what_a_part_uses(tmp_path: Path) -> None:
    part = '<mujoco><worldbody><geom class="soft" size="1"/></worldbody></mujoco>'
    scene = SCENE.replace("<include", '<default><default class="soft"/></default><include')
    write(tmp_path, arm=part, scene=scene, other=scene)
    for place, model in (("arm", "scene"), ("scene", "scene"), ("other", "other")):
        assert renamed(tmp_path, place, "soft", "hard", model) == replaced(
            tmp_path, "soft", "hard", "arm", "scene", "other"
        )


def test_references_of_all_models(tmp_path: Path) -> None:
    write(tmp_path, arm=ARM, scene=SCENE, other=SCENE)
    survey, path = ModelFinder().survey({}), str(tmp_path / "arm.xml")
    document = survey.models(path).documents[0]
    found = references_everywhere(document, path, ARM.index("soft"), True, survey)
    assert sorted((Path(span.source.path).stem, span.text) for span in found) == [
        ("arm", "soft"), ("arm", "soft"), ("other", "soft"), ("scene", "soft"),
    ]  # fmt: skip


def test_attached_and_included(tmp_path: Path) -> None:
    write(
        tmp_path,
        arm=ARM,
        scene=including("arm.xml").replace("</mujoco>", '<contact><exclude body1="arm" body2="world"/></contact></mujoco>'),
        lab='<mujoco><asset><model name="a" file="arm.xml"/></asset><worldbody><frame>'
        '<attach model="a" body="arm" prefix="l_"/></frame></worldbody>'
        '<contact><exclude body1="l_arm" body2="world"/></contact></mujoco>',
        nameless='<mujoco><asset><model file="arm.xml"/></asset><worldbody><frame>'
        '<attach model="MuJoCo Model" body="arm" prefix=""/></frame></worldbody></mujoco>',
    )  # fmt: skip
    after = renamed(tmp_path, "arm", "arm", "limb", "scene")
    expected = replaced(tmp_path, "arm", "limb", "arm", "scene", "lab", "nameless")
    expected["lab"] = expected["lab"].replace("l_arm", "l_limb")
    assert after == expected
    assert renamed(tmp_path, "scene", "arm", "limb") == expected


def test_a_name_is_taken_in_another_model(tmp_path: Path) -> None:
    write(tmp_path, arm=ARM, scene=SCENE, other=SCENE.replace('<geom class="soft"', '<geom name="hide" class="soft"'))
    with pytest.raises(CannotRename, match=r"other\.xml.*there is a geom of that name"):
        renamed(tmp_path, "arm", "skin", "hide", "scene")
    assert renamed(tmp_path, "arm", "skin", "rind", "scene")["arm"] == ARM.replace("skin", "rind")


def test_a_name_that_means_something_else_in_another_model(tmp_path: Path) -> None:
    """The part says leg1: in one model that is a copy of leg, in the other one an element."""
    part = '<mujoco><contact><exclude body1="leg1" body2="world"/></contact></mujoco>'
    copies = '<replicate count="2"><body name="leg"><geom size="1"/></body></replicate>'
    scene = '<mujoco><include file="arm.xml"/><worldbody>{}</worldbody></mujoco>'
    write(tmp_path, arm=part, scene=scene.format(copies), other=scene.format('<body name="leg1"/><body name="leg2"/>'))
    after = replaced(tmp_path, "leg1", "foot1", "arm", "other")
    after["scene"] = after["scene"].replace('"leg"', '"foot"')
    assert renamed(tmp_path, "scene", "leg", "foot") == after
    with pytest.raises(CannotRename, match=r"body1 in 'arm\.xml', line 1, means something else in '.*scene\.xml'"):
        renamed(tmp_path, "other", "leg1", "paw")
    assert renamed(tmp_path, "other", "leg2", "paw") == replaced(tmp_path, "leg2", "paw", "other")


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({"arm": ARM, "broken": '<mujoco><worldbody></mujoco><include file="arm.xml"/>'}, r"broken\.xml' seems to include"),
        ({"arm": ARM, "broken": '<mujoco><worldbody <include file="arm.xml"></mujoco>'}, r"the error in '.*broken\.xml', line 1"),
        ({"arm": ARM, "broken": SCENE.replace("</worldbody>", "<geom></worldbody>")}, r"the error in '.*broken\.xml', line 1"),
        (
            {"arm": ARM, "scene": SCENE.replace("<worldbody>", '<worldbody><geom material="red" size="1"/>')},
            r"scene\.xml' seems to be a part of a model that is not known: nothing declares a material .*'red'",
        ),
        ({"arm": ARM.replace('size="1"', 'size="1" mesh="m"')}, r"arm\.xml' seems to be a part .*a mesh with the name 'm'"),
        ({"arm": ARM.replace("mujoco>", "mujocoinclude>")}, r"arm\.xml' is a part of a model that is not open"),
        ({"arm": ARM, "a__b__c__d__scene": SCENE.replace("arm.xml", "../../../../arm.xml")}, None),
    ],
)  # fmt: skip
def test_users_out_of_sight(tmp_path: Path, files: dict[str, str], reason: str | None) -> None:
    write(tmp_path, **files)
    if reason is None:  # nothing tells that there is a model so far away
        assert renamed(tmp_path, "arm", "soft", "hard") == replaced(tmp_path, "soft", "hard", "arm")
        return
    before = texts(tmp_path)
    with pytest.raises(CannotRename, match=reason):
        renamed(tmp_path, "arm", "soft", "hard")
    assert texts(tmp_path) == before


def test_an_error_where_the_name_is_typed_hides_nothing(tmp_path: Path) -> None:
    write(tmp_path, arm=ARM.replace("</worldbody>", "<geom></worldbody>"))
    assert '"hard"' in renamed(tmp_path, "arm", "soft", "hard")["arm"]
