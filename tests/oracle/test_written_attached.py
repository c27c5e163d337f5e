"""Models that attach others, written: one text that means the same, wherever it is saved."""

from __future__ import annotations

import mujoco
import pytest

import kinetree
from kinetree.engine.diagnostics import CannotSave
from kinetree.engine.model.compare import differing

from .test_attach import ASSET, CASES, KID, OBJ, PLAIN, WORLD
from .written import theirs_differ

SETTINGS = [
    "balanceinertia='true'", "inertiafromgeom='true'", "inertiafromgeom='false'", "boundmass='10'", "boundinertia='2.5'",
    "settotalmass='1'", "inertiagrouprange='0 2'", "alignfree='true'", "angle='radian'", "eulerseq='XYZ'", "autolimits='false'",
    "saveinertial='true'", "angle='radian' eulerseq='zyx' autolimits='false' boundmass='3'",
]  # fmt: skip


def round_trip(path, tmp_path) -> dict:
    """Changes by saving a model beside itself and in another folder; {} if there are none."""
    model = kinetree.load(path)
    theirs = mujoco.MjModel.from_xml_path(str(path))
    bad = {}
    for folder in (path.parent, tmp_path / "far" / "away"):
        folder.mkdir(parents=True, exist_ok=True)
        out = folder / "written.xml"
        kinetree.save(model, out)
        again = kinetree.load(out)
        bad[f"ours, {folder.name}"] = differing(model, again)
        try:
            bad[f"theirs, {folder.name}"] = theirs_differ(theirs, mujoco.MjModel.from_xml_path(str(out)))
        except ValueError as error:
            bad[f"theirs, {folder.name}"] = str(error)
        if kinetree.to_xml(again, folder) != out.read_text():
            bad["text"] = "not the same when written once more"
    return {key: value for key, value in bad.items() if value}


@pytest.mark.parametrize("name", CASES)
def test_cases(name, tmp_path):
    (tmp_path / "kid.xml").write_text(PLAIN if "replicate" in name else KID)
    path = tmp_path / "main.xml"
    path.write_text(CASES[name])
    try:
        kinetree.load(path)
    except kinetree.ModelError:
        return
    assert not round_trip(path, tmp_path)


@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize("where", ["ours", "theirs", "both"])
def test_settings_of_either_model(settings, where, tmp_path):
    tendon = (
        '<tendon><fixed name="t"><joint joint="j" coef="2"/></fixed></tendon><equality><tendon tendon1="t"/></equality>'
    )
    body = (
        '<body pos="3 0 0" euler="10 20 30"><freejoint align="auto"/><geom size=".1 .2 .3" type="box" pos="0 0 .1"/>'
        '<geom size=".1" mass="2" group="3" axisangle="1 2 3 40"/></body><body><joint {0}range="0 90" name="j" ref="3"/><geom size=".1"/>'
        '<body><joint class="c"/><geom class="c"/><inertial mass="7" pos="0 0 0" diaginertia="1 1 1.5"/></body></body>'
    )
    defaults = (
        '<default><default class="c"><joint {0}range="-20 20" springref="4"/><geom type="box" size=".1 .2 .3" '
        'euler="10 0 20"/></default></default>'
    )
    said = 'limited="true" ' if "autolimits" in settings else ""
    kid = (
        "<mujoco><compiler {}/>"
        + defaults.format(said)
        + "<worldbody>"
        + body.format(said)
        + f"</worldbody>{tendon}</mujoco>"
    )
    main = (
        f"<mujoco><compiler {{}}/>{defaults.format(said)}{ASSET}<worldbody>{body.format(said)}{WORLD}"
        '<frame euler="0 40 0"><attach model="kid" prefix="q_"/></frame></worldbody>'
        f"{tendon}</mujoco>"
    )
    (tmp_path / "kid.xml").write_text(kid.format(settings if where != "ours" else ""))
    path = tmp_path / "main.xml"
    path.write_text(main.format(settings if where != "theirs" else ""))
    if "inertiafromgeom='false'" in settings:  # every body needs a mass then
        for each in ("kid.xml", "main.xml"):
            text = (tmp_path / each).read_text()
            text = text.replace("<freejoint", '<inertial mass="1" pos="0 0 0" diaginertia="1 2 2.5"/><freejoint')
            text = text.replace("<body><joint {0}", "<body><joint ").replace(
                'ref="3"/>', 'ref="3"/><inertial mass="1" pos="0 .1 0" diaginertia="1 2 2.5"/>'
            )
            (tmp_path / each).write_text(text)
    assert not round_trip(path, tmp_path)


@pytest.mark.parametrize("autolimits", ["ours", "theirs"])
def test_limits_that_are_not_said(autolimits, tmp_path):
    """Where one of the models says every limit, the other none."""
    said = '<joint range="-20 20" limited="true"/>', '<joint range="-20 20"/>'
    off = '<compiler autolimits="false"/>'
    mine, other = said if autolimits == "ours" else said[::-1]
    body = '<body>{}<geom size=".1"/></body>'
    (tmp_path / "kid.xml").write_text(
        f"<mujoco>{off if autolimits == 'theirs' else ''}<worldbody>{body.format(other)}</worldbody></mujoco>"
    )
    path = tmp_path / "main.xml"
    path.write_text(
        f"<mujoco>{off if autolimits == 'ours' else ''}{ASSET}<worldbody>{body.format(mine)}{WORLD}</worldbody></mujoco>"
    )
    assert not round_trip(path, tmp_path)


@pytest.mark.parametrize("strip", ["", ' strippath="true"'])
@pytest.mark.parametrize("ours", ["", 'meshdir="a"', 'assetdir="a"'])
@pytest.mark.parametrize("theirs", ["", 'meshdir="b"', 'assetdir="b" texturedir="t"'])
def test_folders(strip, ours, theirs, tmp_path):
    """Files are found from where the text is now, whoever's settings they were found by."""
    (tmp_path / "sub").mkdir()
    (tmp_path / "main.xml").write_text(
        f'<mujoco><compiler {ours}/><asset><model name="kid" file="sub/kid.xml"/><mesh name="own" file="own.obj"/></asset>'
        f'<worldbody><geom type="mesh" mesh="own"/>{WORLD}</worldbody></mujoco>'
    )
    (tmp_path / "sub/kid.xml").write_text(
        f'<mujoco><compiler {theirs}{strip}/><asset><mesh file="deep/t.obj"/></asset><worldbody><geom type="mesh" mesh="t"/>'
        "</worldbody></mujoco>"
    )
    for folder in ("", "a", "sub", "sub/a", "sub/b"):
        for deep in ("", "deep"):
            place = tmp_path / folder / deep
            place.mkdir(parents=True, exist_ok=True)
            size = str(2 + len(folder) + len(deep) / 4)
            (place / "t.obj").write_text(OBJ.replace("v 1", "v " + size))
            (place / "own.obj").write_text(OBJ.replace("v 1", "v " + size))
    assert not round_trip(tmp_path / "main.xml", tmp_path)


def test_nested(tmp_path):
    """Each text in units, classes and folders of its own."""
    part = (
        '<body name="{0}" pos="1 0 0" euler="{1}" childclass="c"><joint name="{0}" range="{2}"/><geom axisangle="0 1 0 {3}"/>'
        '<body><joint type="slide" range="-1 1" ref="1"/><geom type="mesh" mesh="t" euler="{1}"/><camera euler="{1}" fovy="30"/>'
        "</body></body>"
    )
    head = (
        '<compiler {}/><default><default class="c"><joint springref="{}"/><geom type="capsule" size=".1 .2" zaxis="1 0 1"/>'
        '</default></default><asset><mesh file="{}.obj"/>{}</asset>'
    )
    for place, size in (("t.obj", 2), ("sub/t.obj", 3), ("sub/m/t.obj", 4), ("far/m/t.obj", 5)):
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / place).write_text(OBJ.replace("v 1", f"v {size}"))
    (tmp_path / "main.xml").write_text(
        (
            f"<mujoco>{head.format('', 20, 't', '<model name=`a` file=`sub/a.xml`/>')}<worldbody>{part.format('x', '10 20 30', '-10 20', 30)}"
            "<body euler=`0 0 90`><attach model=`a` body=`y` prefix=`q_`/><geom class=`q_c` size=`.3 .4`/></body></worldbody></mujoco>"
        ).replace("`", '"')
    )
    (tmp_path / "sub/a.xml").write_text(
        (
            f"<mujoco>{head.format('angle=`radian` eulerseq=`ZYX` meshdir=`m`', 0.3, 't', '<model name=`b` file=`../far/b.xml`/>')}"
            f"<worldbody>{part.format('y', '.1 .2 .3', '-.1 .2', 0.4).replace('</body></body>', '<attach model=`b` body=`z` prefix=`r_`/></body></body>')}"
            "</worldbody></mujoco>"
        ).replace("`", '"')
    )
    (tmp_path / "far/b.xml").write_text(
        (
            f"<mujoco>{head.format('angle=`degree` eulerseq=`XYZ`', 5, 't', '')}<worldbody>{part.format('z', '10 20 30', '-10 20', 30)}"
            "</worldbody><actuator><position joint=`z` kp=`3` ctrlrange=`-1 1`/></actuator></mujoco>"
        ).replace("`", '"')
    )
    assert not round_trip(tmp_path / "main.xml", tmp_path)


KIDS = {
    "a class that sets an actuator twice": '<mujoco><default><position inheritrange="1"/><adhesion gain="2"/>'
    '<geom rgba="1 0 0 1"/></default><default>'
    '<position inheritrange=".5"/><adhesion gain="3"/><default class="a"><position kp="4"/></default></default><worldbody>'
    '<body name="b"><joint name="j" range="0 1"/><geom size="1"/></body></worldbody><actuator><position joint="j"/>'
    '<position class="a" joint="j"/><adhesion body="b" ctrlrange="0 3"/></actuator></mujoco>',
    "a robot": '<robot name="r"><link name="world"/><joint name="j" type="revolute"><parent link="world"/><child link="l"/>'
    '<origin rpy="1 2 3"/><limit lower="-1" upper="2"/></joint><link name="l"><collision><geometry><box size="1 2 3"/>'
    '</geometry><origin rpy=".1 .2 .3"/></collision></link></robot>',
}


@pytest.mark.parametrize("name", KIDS)
def test_kinds_of_attached_models(name, tmp_path):
    (tmp_path / "kid.xml").write_text(KIDS[name])
    path = tmp_path / "main.xml"
    path.write_text(f"<mujoco>{ASSET}<worldbody>{WORLD}</worldbody></mujoco>")
    assert not round_trip(path, tmp_path)


def test_alignment_that_no_text_says(tmp_path):
    (tmp_path / "kid.xml").write_text(
        '<mujoco><worldbody><body name="b"><joint name="j" type="free"/><geom size="1"/></body></worldbody></mujoco>'
    )
    path = tmp_path / "main.xml"
    path.write_text(f'<mujoco><compiler alignfree="true"/>{ASSET}<worldbody>{WORLD}</worldbody></mujoco>')
    with pytest.raises(CannotSave, match="alignfree"):
        kinetree.to_xml(kinetree.load(path))
