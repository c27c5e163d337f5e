"""Moved and pasted elements keep the settings of their default classes, in mujoco's compiled model too."""

from __future__ import annotations

from random import Random
from xml.sax.saxutils import quoteattr

import mujoco
import numpy as np
import pytest

from kinetree.engine.assist.language import language_of
from kinetree.engine.compile.compiler import compile_document
from kinetree.engine.diagnostics import ModelError
from kinetree.engine.document.document import Document
from kinetree.engine.document.element_edit import EditRefused
from kinetree.engine.document.tree import Node
from kinetree.engine.editing.attributes import set_in_class
from kinetree.engine.editing.copying import copied, paste
from kinetree.engine.editing.inherited import ClipboardOrigin, origin_of
from kinetree.engine.editing.removal import remove
from kinetree.engine.editing.reparent import move_in_place
from kinetree.engine.editing.structure import CannotEdit, move
from kinetree.engine.model.fields import TABLES
from tests.corpus import listed
from tests.engine.editing.structural import Edited, elements
from tests.engine.editing.test_structure import find

COMPARED = {
    "geom": ("rgba", "friction", "size", "condim", "solref", "group", "margin"),
    "jnt": ("range", "stiffness", "axis", "group"),
    "site": ("rgba", "size", "group"),
    "cam": ("fovy", "ipd"),
    "light": ("diffuse", "attenuation"),
}
KINDS = {"jnt": "JOINT", "cam": "CAMERA"}


def values(text: str) -> dict[tuple[str, str], dict[str, list[float]]]:
    """(kind, name) -> what default classes set, in mujoco's model of a text."""
    model = mujoco.MjModel.from_xml_string(text)
    found = {}
    for kind, fields in COMPARED.items():
        type = getattr(mujoco.mjtObj, f"mjOBJ_{KINDS.get(kind, kind.upper())}")
        for i in range(getattr(model, f"n{kind}")):
            name = mujoco.mj_id2name(model, type, i)
            found[kind, name] = {field: np.ravel(getattr(model, f"{kind}_{field}")[i]).tolist() for field in fields}
            if kind == "jnt":
                found[kind, name]["damping"] = model.dof_damping[model.jnt_dofadr[i]]
    return found


MODEL = """<mujoco>
  <default>
    <geom rgba=".1 0 0 1" friction=".5"/>
    <default class="red">
      <geom rgba="1 0 0 1" size=".3"/>
      <joint damping="5"/>
      <default class="slippery"><geom friction=".1 .2 .3"/></default>
    </default>
    <default class="plain"/>
  </default>
  <worldbody>
    <body name="a" childclass="red">
      <joint name="hinge"/>
      <geom name="ball"/>
      <geom name="own" rgba="0 1 0 1" size=".1" class="slippery"/>
      <site name="mark"/>
      <frame name="frame"><geom name="framed" size=".2" rgba="1 0 0 1"/></frame>
      <body name="inner"><geom name="far"/><joint name="far"/></body>
      <body name="other" childclass="slippery"><geom name="farther" size=".1"/></body>
    </body>
    <body name="b"><geom name="box" type="box" size=".1 .1 .1"/></body>
    <body name="c" childclass="slippery"><geom name="round" friction="2"/></body>
    <body name="d" childclass="plain"><geom name="dull" size=".1"/></body>
  </worldbody>
</mujoco>
"""


def moved(name: str, tag: str, target: str, make=move) -> tuple[str, list[str]]:
    """(the start tag of an element after a move, what is said about it)."""
    edited, notes = Edited(text=MODEL), []
    before = values(MODEL)
    node = find(edited.document, name, tag)
    into = find(edited.document, target, "body") if target != "worldbody" else next(edited.document.root.iter(target))
    edited.project.apply("Move", make(edited.document, [node], into, None, notes))
    assert values(edited.project.text(edited.path)) == before
    found = edited.document.node(node.id)
    assert found is not None
    return found.head_span.text, notes


@pytest.mark.parametrize(
    ("name", "tag", "target", "expected"),
    [
        ("ball", "geom", "b", '<geom name="ball" class="red"/>'),
        ("ball", "geom", "c", '<geom name="ball" class="red"/>'),
        ("ball", "geom", "inner", '<geom name="ball"/>'),  # the same class is in force
        ("own", "geom", "b", '<geom name="own" rgba="0 1 0 1" size=".1" class="slippery"/>'),
        ("mark", "site", "b", '<site name="mark"/>'),  # red says nothing of sites
        ("framed", "geom", "b", '<geom name="framed" size=".2" rgba="1 0 0 1" class="red"/>'),  # size may be completed
        ("frame", "frame", "b", '<frame name="frame" childclass="red">'),
        ("inner", "body", "worldbody", '<body name="inner" childclass="red">'),
        ("inner", "body", "other", '<body name="inner" childclass="red">'),
        ("other", "body", "worldbody", '<body name="other" childclass="slippery">'),
        ("box", "geom", "a", '<geom name="box" type="box" size=".1 .1 .1" class="main"/>'),
        ("b", "body", "a", '<body name="b" childclass="main">'),
        ("box", "geom", "d", '<geom name="box" type="box" size=".1 .1 .1"/>'),  # plain says what main says
        ("dull", "geom", "a", '<geom name="dull" size=".1" class="plain"/>'),
        ("round", "geom", "a", '<geom name="round" friction="2" class="slippery"/>'),
    ],
)
@pytest.mark.parametrize("make", [move, move_in_place])
def test_what_is_moved_names_the_class_that_it_had(name, tag, target, expected, make):
    assert moved(name, tag, target, make) == (expected, [])


def test_a_flexcomp_can_name_no_class_and_that_is_said():
    flexcomp = '<flexcomp name="f" type="grid" count="2 2 1" spacing="1 1 1" dim="2" mass="1" radius=".01"/>'
    text = MODEL.replace('<site name="mark"/>', f'<site name="mark"/><body name="z">{flexcomp}</body>')
    edited, notes = Edited(text=text), []
    document = edited.document
    damping = mujoco.MjModel.from_xml_string(text).dof_damping
    edited.project.apply("Move", move(document, [find(document, "z", "body")], find(document, "b"), None, notes))
    assert '<body name="z" childclass="red">' in edited.project.text(edited.path) and not notes
    after = mujoco.MjModel.from_xml_string(edited.project.text(edited.path)).dof_damping
    assert sorted(after) == sorted(damping) and set(damping) == {5.0}
    edited.project.undo()
    move(document, [find(document, "f", "flexcomp")], find(document, "b"), None, notes)
    assert notes == [
        "<flexcomp> \"f\" can name no default class: its joints take the settings of 'main' now, no longer those of 'red'"
    ]


PART = (
    "<mujocoinclude>\n  <geom name='in1'/>\n  <body name='in2'>\n    <geom name='in3'/>\n  </body>\n</mujocoinclude>\n"
)


@pytest.fixture
def including(tmp_path) -> Edited:
    (tmp_path / "part.xml").write_text(PART)
    main = MODEL.replace('<site name="mark"/>', '<include file="part.xml"/>')
    (tmp_path / "main.xml").write_text(main)
    return Edited(str(tmp_path / "main.xml"))


def test_an_include_and_what_stands_in_its_file_are_moved_with_their_classes(including, tmp_path):
    def compiled() -> dict:
        for path in including.document.trees:
            (tmp_path / path).write_bytes(including.data()[path])
        text = (tmp_path / "main.xml").read_text()
        model = mujoco.MjModel.from_xml_string(text, {"part.xml": (tmp_path / "part.xml").read_bytes()})
        return {model.geom(i).name: model.geom_rgba[i].tolist() for i in range(model.ngeom)}

    before = compiled()
    for name, target in (("include", "b"), ("in2", "c"), ("box", "in2"), ("in3", "worldbody")):
        document = including.document
        node, into = (next(n for n in elements(document) if each in (n.get("name"), n.tag)) for each in (name, target))
        including.project.apply("Move", move(document, [node], into, 0))
        assert compiled() == before, name
    part = including.project.text(next(path for path in including.document.trees if path.endswith("part.xml")))
    assert part.startswith("<mujocoinclude>\n  <geom name='in1' class='red'/>\n")


# ---- random moves --------------------------------------------------------------------------------------------


def random_model(random: Random, prefix: str) -> str:
    """A model with classes in classes, and bodies, frames and replicas with a childclass or without."""
    classes = [f"{random.choice('pqrs')}{i}" for i in range(4)]
    counter = iter(range(1000))

    def settings() -> str:
        r = lambda n: " ".join(f"{random.random():.2f}" for _ in range(random.randint(1, n)))  # noqa: E731
        kinds = {
            "geom": {"rgba": lambda: f"{r(1)} 0 0 1", "friction": lambda: r(3), "group": lambda: "1", "margin": lambda: r(1)},
            "joint": {"damping": lambda: r(1), "stiffness": lambda: r(1), "axis": lambda: "1 0 0"},
            "site": {"rgba": lambda: f"0 {r(1)} 0 1", "size": lambda: r(3)},
            "camera": {"fovy": lambda: str(random.randint(20, 80)), "ipd": lambda: r(1)},
            "light": {"diffuse": lambda: f"{r(1)} 0 0", "attenuation": lambda: f"1 {r(1)} 0"},
        }  # fmt: skip
        text = ""
        for tag in random.sample(list(kinds), random.randint(0, 3)):
            names = random.sample(list(kinds[tag]), random.randint(1, len(kinds[tag])))
            text += f"<{tag} {' '.join(name + '=' + quoteattr(kinds[tag][name]()) for name in names)}/>"
        return text

    def default(names: list[str]) -> str:
        if not names:
            return ""
        split = random.randint(1, len(names))
        return f'<default class="{names[0]}">{settings()}{default(names[1:split])}</default>{default(names[split:])}'

    def attributes(tag: str) -> str:
        own = {
            "geom": ['friction=".7"', 'rgba="1 1 1 1"', 'margin=".1"'], "joint": ['damping="2"', 'axis="0 1 0"'],
            "site": ['size=".2"', 'rgba="1 1 1 1"'], "camera": ['fovy="33"'], "light": ['diffuse="1 1 1"'],
        }[tag]  # fmt: skip
        named = random.sample(own, random.randint(0, len(own)))
        if random.random() < 0.3:
            named.append(f'class="{random.choice([*classes, "main"])}"')
        size = ' type="box" size=".1 .1 .1"' if tag == "geom" else ""
        return f'<{tag} name="{prefix}{tag}{next(counter)}"{size} {" ".join(named)}/>'

    def inside(depth: int) -> str:
        text = "".join(
            attributes(random.choice(["geom", "site", "camera", "light"])) for _ in range(random.randint(1, 3))
        )
        for _ in range(random.randint(0, 2) if depth < 4 else 0):
            text += holder(depth + 1)
        return text

    def holder(depth: int) -> str:
        tag = random.choice(["body", "body", "frame", "replicate"])
        childclass = f' childclass="{random.choice([*classes, "main"])}"' if random.random() < 0.5 else ""
        if tag == "replicate":
            return f'<replicate count="2" sep="-" offset="1 0 0"{childclass}>{inside(depth)}</replicate>'
        joint = attributes("joint") + attributes("geom") if tag == "body" else ""
        return f'<{tag} name="{prefix}{tag}{next(counter)}"{childclass}>{joint}{inside(depth)}</{tag}>'

    world = "".join(holder(1) for _ in range(4))
    return f"<mujoco><default>{settings()}{default(classes)}</default><worldbody>{world}</worldbody></mujoco>"


def things(document: Document) -> list[Node]:
    world = next(document.root.iter("worldbody"))
    return [node for node in world.iter() if node is not world]


def holders(document: Document) -> list[Node]:
    return [node for node in document.root.iter() if node.tag in ("worldbody", "body", "frame", "replicate")]


def moves(seed: int) -> int:
    """How many of some random edits were done."""
    random = Random(seed)
    edited = Edited(text=random_model(random, ""))
    before, done = values(edited.project.text(edited.path)), 0
    for _ in range(30):
        document = edited.document
        node, target = random.choice(things(document)), random.choice(holders(document))
        notes: list[str] = []
        try:
            edited.project.apply("Move", move(document, [node], target, None, notes))
        except (CannotEdit, EditRefused):
            continue
        try:
            after = values(edited.project.text(edited.path))
        except ValueError:  # a replica in a replica, a joint in a frame: what mujoco refuses
            edited.project.undo()
            continue
        if set(after) != set(before):  # into a replicate, or out of it
            edited.project.undo()
            continue
        assert after == before and not notes
        done += 1
    return done


@pytest.mark.parametrize("tens", range(3))
def test_random_moves_change_no_setting_of_any_element(tens):
    assert sum(moves(10 * tens + seed) for seed in range(10)) > 30


def cuts(seed: int) -> int:
    """How many of some random edits were done."""
    random = Random(seed)
    edited = Edited(text=random_model(random, ""))
    before, done = values(edited.project.text(edited.path)), 0
    for _ in range(30):
        document = edited.document
        node, into, notes = random.choice(things(document)), random.choice(holders(document)).id, []
        origin, xml = origin_of(document, [node]), copied(document, [node])
        assert origin is not None and ClipboardOrigin.of_json(origin.json()) == origin
        try:
            edited.project.apply("Cut", remove(document, [node]))
        except CannotEdit:  # all that gives a moving body its mass
            continue
        target, steps, after = edited.document.node(into), 1, {}
        try:
            if target is not None:
                edited.project.apply("Paste", paste(edited.document, target, None, xml, origin, notes))
                steps = 2
                after = values(edited.project.text(edited.path))
        except (CannotEdit, ValueError):
            pass
        if set(after) != set(before):
            for _ in range(steps):
                edited.project.undo()
            continue
        assert after == before and not notes
        done += 1
    return done


@pytest.mark.parametrize("tens", range(3))
def test_what_is_cut_and_pasted_keeps_its_settings(tens):
    assert sum(cuts(10 * tens + seed) for seed in range(10)) > 30


def pastes(seed: int) -> int:
    """How many of some random edits were done."""
    random, done = Random(seed), 0
    ours, theirs = (
        Edited("/m/ours.xml", random_model(random, "")),
        Edited("/m/theirs.xml", random_model(random, "other_")),
    )
    for _ in range(48):
        before, theirs_before = (values(each.project.text(each.path)) for each in (ours, theirs))
        document, notes = theirs.document, []
        node, target = random.choice(things(document)), random.choice(holders(ours.document))
        origin = origin_of(document, [node])
        try:
            edits = paste(ours.document, target, None, copied(document, [node]), origin, notes)
        except CannotEdit:
            continue
        ours.project.apply("Paste", edits)
        try:
            after = values(ours.project.text(ours.path))
        except ValueError as error:  # a replica in a replica, a joint in a frame
            if "class" in str(error):
                raise
            ours.project.undo()
            continue
        new = set(after) - set(before)
        names = {each.get("name") for each in node.iter()}
        if not new <= {key for key in theirs_before if key[1] in names}:  # in a replica, or pasted before
            ours.project.undo()
            continue
        assert {key: after[key] for key in before} == before
        assert {key: after[key] for key in new} == {key: theirs_before[key] for key in new}
        text = ours.project.text(ours.path)
        assert all(f"class={quoteattr(note.split(chr(39))[-2])}" in text for note in notes), notes
        done += 1
    return done


@pytest.mark.slow("random pastes into other models")
@pytest.mark.parametrize("tens", range(3))
def test_what_is_pasted_into_another_model_keeps_its_settings(tens):
    assert sum(pastes(10 * tens + seed) for seed in range(10)) > 30


def test_classes_come_along_into_another_model():
    ours = Edited("/m/ours.xml", "<mujoco>\n  <worldbody>\n    <body name='x'/>\n  </worldbody>\n</mujoco>\n")
    document = Edited("/m/robot.xml", MODEL).document
    notes: list[str] = []
    for name, tag in (("ball", "geom"), ("round", "geom"), ("box", "geom"), ("mark", "site")):
        node = find(document, name, tag)
        target = find(ours.document, "x", "body")
        edits = paste(ours.document, target, None, copied(document, [node]), origin_of(document, [node]), notes)
        ours.project.apply("Paste", edits)
    assert (
        ours.project.text(ours.path)
        == """<mujoco>
  <default>
    <default class="red">
      <geom rgba="1 0 0 1" friction=".5" size=".3"/>
      <joint damping="5"/>
    </default>
    <default class="slippery">
      <geom rgba="1 0 0 1" friction=".1 .2 .3" size=".3"/>
      <joint damping="5"/>
    </default>
    <default class="robot">
      <geom rgba=".1 0 0 1" friction=".5"/>
    </default>
  </default>
  <worldbody>
    <body name='x'>
      <geom name="ball" class="red"/>
      <geom name="round" friction="2" class="slippery"/>
      <geom name="box" type="box" size=".1 .1 .1" class="robot"/>
      <site name="mark"/>
    </body>
  </worldbody>
</mujoco>
"""
    )
    assert notes == [
        "the default class 'red' came along",
        "the default class 'slippery' came along",
        "the default class 'main' of the other model came along as 'robot'",
    ]
    # again: the classes are here now
    node, target = find(document, "ball", "geom"), find(ours.document, "x", "body")
    (edit,) = paste(ours.document, target, None, copied(document, [node]), origin_of(document, [node]), notes)
    assert 'class="red"' in edit.xml and len(notes) == 3
    # a class of the same name that sets something else
    ours.project.apply("Set", set_in_class(ours.document, [find(ours.document, "ball", "geom")], "rgba", "0 0 1 1"))
    edits = paste(ours.document, find(ours.document, "x", "body"), None, edit.xml, origin_of(document, [node]), notes)
    ours.project.apply("Paste", edits)
    assert notes[3:] == ["the default class 'red' of the other model came along as 'red_2'"]
    assert '<geom name="ball_2" class="red_2"/>' in ours.project.text(ours.path)


def test_what_main_sets_here_does_not_reach_what_comes_with_its_classes():
    text = '<mujoco><default><geom rgba="0 1 0 1" margin=".5" material="m"/></default><asset><material name="m"/></asset><worldbody><body name="x"/></worldbody></mujoco>'
    ours, document, notes = Edited("/m/ours.xml", text), Edited("/m/robot.xml", MODEL).document, []
    node = find(document, "ball", "geom")
    edits = paste(
        ours.document,
        find(ours.document, "x", "body"),
        None,
        copied(document, [node]),
        origin_of(document, [node]),
        notes,
    )
    ours.project.apply("Paste", edits)
    pasted = values(ours.project.text(ours.path))["geom", "ball"]
    assert pasted == values(MODEL)["geom", "ball"]
    assert notes == [
        "the default class 'red' takes material of <geom> from the class main of this model",
        "the default class 'red' came along",
    ]


def test_without_an_origin_xml_is_pasted_as_it_is():
    edited = Edited(text=MODEL)
    (edit,) = paste(edited.document, find(edited.document, "a", "body"), None, "<geom/>")
    assert edit.xml == "<geom/>"
    for text in ("", "[]", "{}", "[1, 2, 3]", '["a", [], {"b": [1]}]', "null"):
        with pytest.raises(ValueError):
            ClipboardOrigin.of_json(text)


# ---- the corpus ----------------------------------------------------------------------------------------------

SIZES = {"geom": "ngeom", "joint": "njnt", "site": "nsite", "camera": "ncam", "light": "nlight"}
PLACES = {"pos", "quat", "bodyid", "dofadr", "qposadr", "mat0", "pos0", "poscom0", "dir0", "dir", "axis", "sameframe", "dataid", "matid", "plugin", "targetbodyid", "user"}  # fmt: skip
"""Columns that say where an object stands in the model, or in the world."""


def compiled_values(document: Document, nodes: list[Node]) -> list[dict[str, list[float]]] | None:
    """Compiled values of some elements and all their descendants; None for a model that does not compile."""
    try:
        model = compile_document(document).model
    except ModelError:
        return None
    assert model.provenance is not None
    found = []
    for kind, number in [each for top in nodes for node in top.iter() for each in model.provenance.objects_of(node)]:
        if kind in SIZES:
            prefix = {"joint": "jnt", "camera": "cam"}.get(kind, kind)
            names = [f.name for f in TABLES["Model"] if f.name.startswith(f"{prefix}_") and f.shape[0] == SIZES[kind]]
            each = {n: np.ravel(getattr(model, n)[number]).tolist() for n in names if n.partition("_")[2] not in PLACES}
            if kind == "joint":
                dof = int(model.jnt_dofadr[number])
                each |= {n: float(getattr(model, n)[dof]) for n in ("dof_damping", "dof_armature", "dof_frictionloss")}
            found.append(each)
    return found


@pytest.mark.slow("every model of the corpus")
def test_moves_in_the_corpus_change_no_setting(shared):
    random, done, named = Random(5), 0, 0
    for each in listed(shared / "corpus"):
        if each.loads != "yes" or "childclass" not in each.path.read_text(errors="replace"):
            continue
        edited = Edited(str(each.path))
        document = edited.document
        language = language_of(document)
        nodes = [
            n for n in elements(document) if (row := language.row(n)) is not None and row.default and n.tag in SIZES
        ]
        bodies = [n for n in elements(document) if n.tag == "body"]
        for _ in range(20):
            node, target = random.choice(random.choice([nodes, bodies])), random.choice(bodies)
            try:
                edits = move(document, [node], target)
            except CannotEdit:
                continue
            before = compiled_values(document, [node])
            edited.project.apply("Move", edits)
            new = edited.document.node(node.id)
            assert before is not None and new is not None
            after = compiled_values(edited.document, [new])
            edited.project.undo()
            if after is not None and len(after) == len(before):
                assert after == before, (each.path, node, target)
                done, named = done + 1, named + (len(edits) > 1)
    assert done > 100 and named > 20, (done, named)
