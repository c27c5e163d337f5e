"""Completion at every kind of place, in whole and in broken texts."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kinetree.engine.assist.completion import Completion, CompletionKind, complete
from kinetree.engine.assist.language import grammar_of
from kinetree.engine.assist.names import names_of
from kinetree.engine.diagnostics import Severity
from kinetree.engine.document.document import Document
from tests import corpus
from tests.engine.assist.marked import marked

BODY = "<mujoco>\n  <worldbody>\n    {}\n  </worldbody>\n</mujoco>"
NAMED = """<mujoco>
  <default><default class="red"/></default>
  <asset><material name="steel"/><material name="stone"/></asset>
  <worldbody><body name="arm"><joint name="elbow"/>{}</body></worldbody>
  <sensor>{}</sensor>
</mujoco>"""


def items(text: str, **options) -> list[Completion]:
    return list(complete(*marked(text), **options).items)


def labels(text: str) -> list[str]:
    return [item.label for item in items(text)]


def accepted(text: str, label: str) -> str:
    """The text after an item was taken; its first place to fill in is marked."""
    document, path, offset = marked(text)
    item = next(item for item in complete(document, path, offset).items if item.label == label)
    assert item.start <= offset <= item.end
    whole = document.source.text
    stop = item.stops[0][0] if item.stops else len(item.text)
    return whole[: item.start] + item.text[:stop] + "|" + item.text[stop:] + whole[item.end :]


# ---- elements ---------------------------------------------------------------------------------------


def test_roots() -> None:
    assert labels("|") == ["mujoco", "robot", "x_xy"]
    assert accepted("<muj|", "mujoco") == "<mujoco|>\n  \n</mujoco>"
    assert not labels("<mujoco/>\n|")


def test_elements_that_the_schema_allows_here() -> None:
    found = labels(BODY.format("|"))
    assert found[:4] == ["body", "frame", "replicate", "geom"]
    assert "joint" not in found
    assert found[-1] == "include"


@pytest.mark.parametrize(
    ("text", "label", "expected"),
    [
        ("<ge|", "geom", "<geom |/>"),
        ("ge|", "geom", "<geom |/>"),
        ("|", "body", "<body|>\n      \n    </body>"),
        ('<ge| size="1"/>', "geom", '<geom| size="1"/>'),
        ("<ge|></ge>", "geom", "<geom|></ge>"),
        ("<re|", "replicate", '<replicate count="|">\n      \n    </replicate>'),
    ],
)
def test_elements_come_with_what_they_need(text: str, label: str, expected: str) -> None:
    assert accepted(BODY.format(text), label) == BODY.format(expected)


def test_an_element_that_stands_once_is_offered_once() -> None:
    assert "inertial" not in labels("<mujoco><worldbody><body><inertial/>|</body></worldbody></mujoco>")
    assert "inertial" in labels("<mujoco><worldbody><body><inert|/></body></worldbody></mujoco>")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<mujoco><worldbody></|", "worldbody>"),
        ("<mujoco><worldbody><body></b|></worldbody></mujoco>", "body"),
        ("<mujoco>\n<worldbody>\n </|\n <body/>\n</worldbody></mujoco>", "worldbody>"),
    ],
)
def test_end_tags(text: str, expected: str) -> None:
    (item,) = items(text)
    assert (item.kind, item.text) == (CompletionKind.END_TAG, expected)


def test_the_end_tag_of_an_open_element_stands_first() -> None:
    first = items("<mujoco><worldbody>\n  |")[0]
    assert (first.label, first.text) == ("/worldbody", "</worldbody>")


# ---- attributes -------------------------------------------------------------------------------------


def test_attributes_that_are_not_there_yet() -> None:
    found = labels(BODY.format('<geom name="g" |/>'))
    assert "name" not in found
    assert {"type", "size", "rgba"} <= set(found)
    assert "euler" not in labels(BODY.format('<geom quat="1 0 0 0" |/>'))


@pytest.mark.parametrize(
    ("text", "label", "expected"),
    [
        ("<geom ty|/>", "type", '<geom type="|"/>'),
        ('<geom name="a"|/>', "type", '<geom name="a" type="|"/>'),
        ('<geom ty|="box"/>', "type", '<geom type|="box"/>'),
        ("<geom fr|", "friction", '<geom friction="|1 0.005 0.0001"'),
        ('<geom |name="a"/>', "size", '<geom size="|0 0 0" name="a"/>'),
    ],
)
def test_attributes_come_with_their_quotes_and_the_value_in_force(text: str, label: str, expected: str) -> None:
    assert accepted(BODY.format(text), label) == BODY.format(expected)


def test_required_attributes_stand_first() -> None:
    assert labels("<mujoco><keyframe/><tendon><fixed><joint |/></fixed></tendon></mujoco>")[:2] == ["joint", "coef"]


# ---- values -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "sensor", "expected"),
    [
        ('<geom type="|"/>', "", ["plane", "hfield", "sphere"]),
        ('<geom material="|"/>', "", ["steel", "stone"]),
        ('<geom material="sto|"/>', "", ["stone"]),
        ('<geom class="|"/>', "", ["main", "red"]),
        ("", '<jointpos joint="|"/>', ["elbow"]),
        ("", '<framepos objtype="body" objname="|"/>', ["arm", "world"]),
        ("", '<framepos objtype="geom" objname="|"/>', []),
        ('<geom shellinertia="|"/>', "", ["false", "true"]),
        ('<joint name="|"/>', "", ["arm_joint"]),
        ('<geom nothing="|"/>', "", []),
        ('<geom solref="|"/>', "", ["0.02 1"]),
    ],
)
def test_values(body: str, sensor: str, expected: list[str]) -> None:
    assert labels(NAMED.format(body, sensor))[:3] == expected


@pytest.mark.parametrize(
    ("text", "label", "expected"),
    [
        ('<geom type="bo|"/>', "box", '<geom type="box|"/>'),
        ('<geom type="sphe|re"/>', "sphere", '<geom type="sphere|"/>'),
        ("<geom type=|/>", "box", '<geom type="box|"/>'),
        ("<geom type='bo|", "box", "<geom type='box'|"),
    ],
)
def test_values_replace_the_whole_value(text: str, label: str, expected: str) -> None:
    assert accepted(BODY.format(text), label) == BODY.format(expected)


def test_a_word_of_a_list() -> None:
    text = '<mujoco><worldbody><body name="a"/><body name="ab"/></worldbody><deformable><flex body="a |b x"/></deformable></mujoco>'
    assert accepted(text, "ab").count('body="a ab| x"') == 1


def test_values_are_escaped() -> None:
    text = '<mujoco><asset><material name="a&amp;b"/></asset><worldbody><geom material="|"/></worldbody></mujoco>'
    assert [(item.label, item.text) for item in items(text)] == [("a&b", "a&amp;b")]


def test_many_names_are_offered_a_part_at_a_time() -> None:
    materials = "".join(f'<material name="m{i}"/>' for i in range(300))
    text = f'<mujoco><asset>{materials}</asset><worldbody><geom material="|"/></worldbody></mujoco>'
    found = complete(*marked(text), limit=50)
    assert len(found.items) == 50
    assert found.incomplete
    assert complete(*marked(text.replace("|", "m29|"))).items[0].label == "m29"


def test_other_formats() -> None:
    robot = '<robot name="r"><link name="a"/><joint name="j" type="fixed"><parent link="|"/></joint></robot>'
    assert labels(robot) == ["a", "world"]
    assert labels("<robot><link><visual><geometry><|</geometry></visual></link></robot>")[0] == "box"
    assert labels('<x_xy><worldbody><geom type="xyz" color="ora|"/></worldbody></x_xy>')[:2] == [
        "orange", "dustin_exp_orange",
    ]  # fmt: skip


def test_nothing_in_comments() -> None:
    assert not items(BODY.format("<!-- <geom | -->"))
    assert not items("<?xml |?><mujoco/>")


# ---- files ------------------------------------------------------------------------------------------


def test_files_start_from_the_folder_of_the_settings(tmp_path) -> None:
    (tmp_path / "meshes" / "big").mkdir(parents=True)
    for name in ("arm.stl", "leg.OBJ", "notes.txt", "big/hand.stl"):
        (tmp_path / "meshes" / name).write_bytes(b"")
    (tmp_path / "part.xml").write_text("<part/>")
    text = '<mujoco><compiler meshdir="meshes"/><asset><mesh file="{}"/></asset><include file="{}"/></mujoco>'

    def found(mesh: str, include: str = "") -> list[str]:
        return [item.label for item in complete(*marked(text.format(mesh, include), base=tmp_path)).items]

    assert found("|") == ["arm.stl", "leg.OBJ", "big/"]
    assert found("big/|") == ["big/hand.stl"]
    assert found("nowhere/|") == []
    assert found("", "|") == ["part.xml", "meshes/"]


def test_files_in_packages(tmp_path) -> None:
    (tmp_path / "robot" / "meshes").mkdir(parents=True)
    (tmp_path / "robot" / "urdf").mkdir()
    (tmp_path / "robot" / "meshes" / "arm.dae").write_bytes(b"")
    text = '<robot><link><visual><geometry><mesh filename="{}"/></geometry></visual></link></robot>'

    def found(value: str) -> list[str]:
        document, path, offset = marked(text.format(value), base=tmp_path / "robot" / "urdf")
        return [item.label for item in complete(document, path, offset).items]

    assert "package://" in found("|")
    assert "package://robot/" in found("package://r|")
    assert found("package://robot/meshes/|") == ["package://robot/meshes/arm.dae"]


# ---- everything -------------------------------------------------------------------------------------


def documents_around(tag: str) -> list[tuple[str, str, str]]:
    """(text before, kind, text after) of an element of each kind of a format."""
    grammar = grammar_of(tag)
    found = {grammar.root.id: ("", "")}
    pending = [grammar.root]
    while pending:
        row = pending.pop()
        before, after = found[row.id]
        for child in grammar.inside(row, row).values():
            if child.id not in found and not child.transparent:
                found[child.id] = (f"{before}<{row.tag}>", f"</{row.tag}>{after}")
                pending.append(child)
    return [(before, id, after) for id, (before, after) in found.items()]


@pytest.mark.parametrize("tag", ["mujoco", "robot", "x_xy"])
def test_every_attribute_of_every_element_is_offered_and_reads_well(tag: str) -> None:
    grammar = grammar_of(tag)
    for before, id, after in documents_around(tag):
        row = grammar.rows[id]
        text = f"{before}<{row.tag} |/>{after}"
        document, path, offset = marked(text)
        found = complete(document, path, offset, 1000).items
        assert {item.label for item in found} == set(row.attributes), id
        for item in found:
            new = document.source.text[: item.start] + item.text + document.source.text[item.end :]
            again = Document.from_string(new)
            assert not any(each.severity is Severity.ERROR for each in again.diagnostics)
            assert item.help
            value = new.index(f'{item.label}="', len(before)) + len(item.label) + 2
            complete(again, path, value)


@given(st.data())
def test_a_text_that_is_cut_off_or_damaged_never_raises(data) -> None:
    whole = NAMED.format('<geom name="g" type="box" material="steel"/><!-- c -->', '<jointpos joint="elbow"/>')
    start = data.draw(st.integers(0, len(whole)))
    end = data.draw(st.integers(start, min(len(whole), start + 30)))
    junk = data.draw(st.text(st.sampled_from("<>/=\"' \nabgeom&;!-?[]"), max_size=6))
    text = whole[:start] + junk + (whole[end:] if data.draw(st.booleans()) else "")
    offset = data.draw(st.integers(0, len(text)))
    document = Document.from_string(text)
    for item in complete(document, document.path, offset).items:
        assert 0 <= item.start <= offset <= item.end <= len(text)
        assert all(0 <= first <= last <= len(item.text) for first, last in item.stops)


def test_every_place_of_a_model_can_be_completed(shared) -> None:
    for listed in corpus.listed(shared / "corpus")[::12]:
        if listed.path.suffix != ".xml" or not listed.path.is_file():
            continue
        document = Document.load(listed.path)
        text = document.source.text
        for offset in range(0, len(text) + 1, max(1, len(text) // 60)):
            complete(document, document.path, offset)


@pytest.mark.slow("every attribute of the schema")
@pytest.mark.parametrize("tag", ["mujoco", "robot", "x_xy"])
def test_every_prefix_of_every_attribute_leads_to_it(tag: str) -> None:
    grammar = grammar_of(tag)
    for before, id, after in documents_around(tag):
        row = grammar.rows[id]
        for name in row.attributes:
            for length in range(1, len(name) + 1):
                document, path, offset = marked(f"{before}<{row.tag} {name[:length]}|/>{after}")
                found = complete(document, path, offset).items
                assert name in [item.label for item in found], (id, name[:length])


def test_every_name_that_a_model_refers_to_is_offered_there(shared) -> None:
    offered = 0
    for listed in corpus.listed(shared / "corpus"):
        if listed.path.suffix not in (".xml", ".urdf") or listed.loads != "yes":
            continue
        document = Document.load(listed.path)
        names = names_of(document)
        for reference in names.references[:8]:
            declared = names.declaring(reference.space, reference.name)
            implicit = reference.name in names.implicit.get(reference.space, ())
            if not implicit and (not declared or declared[0].node.id == reference.attribute.node.id):
                continue
            span = reference.attribute.value_span
            start = span.start + re.search(rf"(?<!\S){re.escape(reference.name)}", span.text).start()
            found = complete(document, span.source.path, start, 10_000).items
            (item,) = (each for each in found if each.label == reference.name)
            text = span.source.text
            assert text[: item.start] + item.text + text[item.end :] == text, (listed.place, reference)
            offered += 1
    assert offered > 300
