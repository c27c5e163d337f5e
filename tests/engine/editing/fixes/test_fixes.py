"""After each fix of a finding the model lacks that finding, and has all others as before."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from inspect import getdoc
from random import Random

import pytest

from kinetree.engine.check.run import examine
from kinetree.engine.check.table import TABLE
from kinetree.engine.compile.compiler import compile_document
from kinetree.engine.diagnostics import Diagnostic, ModelError
from kinetree.engine.document.document import Document
from kinetree.engine.document.element_edit import EditRefused
from kinetree.engine.editing.fixes import FIXES, Fix, changes_of, fixes_of, fixes_of_all
from kinetree.engine.editing.fixes.fix import FindingPlace, Shared
from tests.engine.check.test_checks import CASES, hinge, world

BALL = '<geom size=".1"/>'
INERTIAL = '<inertial pos="0 0 0" mass="1" {}/>'


def body(inside: str, rest: str = "") -> str:
    return world(f"<body><joint/>{inside}</body>", rest)


def robot(inside: str) -> str:
    return f'<robot name="r"><link name="a"/>{inside}</robot>'


def link(inertia: str) -> str:
    return robot(
        f'<link name="b"><inertial><mass value="1"/><inertia {inertia}/></inertial></link>'
        '<joint name="j" type="revolute"><parent link="a"/><child link="b"/><limit lower="-1" upper="1"/></joint>'
    )


JOINT = '<link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link><joint name="j" type="{}"><parent link="a"/><child link="b"/>{}</joint>'

MODELS: dict[str, list[str]] = {
    "bad-choice": [world('<geom type="bux" size="1 1 1"/>'), hinge('limited="yes" range="0 1"')],
    "bad-colour": ['<x_xy><worldbody><body name="a" joint="rx"><geom type="sphere" mass="1" dim="1" color="gren"/></body></worldbody></x_xy>'],
    "bad-inertia": [
        body(INERTIAL.format('diaginertia="1 1 5"')),
        body(INERTIAL.format('diaginertia="1 -1 1"')),
        body(INERTIAL.format('fullinertia="1 1 5 0 0 0"')),
        body(INERTIAL.format('fullinertia="1 1 1 2 0 0"')),
        link('ixx="1" iyy="1" izz="5" ixy="0" ixz="0" iyz="0"'),
        link('ixx="1" iyy="1" izz="1" ixy="3" ixz="0" iyz="0"'),
    ],
    "bad-range": [hinge('limited="true" range="1 0"'), robot(JOINT.format("revolute", '<limit lower="1" upper="-1"/>'))],
    "empty-range": [hinge('range="1 0"')],
    "exclusive-attributes": [world('<geom size="1" quat="1 0 0 0" euler="0 0 1"/>')],
    "idle-sensor": [world('<body><joint/><geom size=".1"/><site name="s"/></body>', '<option magnetic="0 0 0"/><sensor><magnetometer site="s"/></sensor>')],
    "ignored-element": ["<mujoco><body/><worldbody/></mujoco>"],
    "limited-continuous": [robot(JOINT.format("continuous", '<limit lower="-1" upper="1"/>'))],
    "misplaced-element": [world('<size/><material name="a" rgba="1 0 0 1"/>'), world('<motor joint="j"/><body><joint name="j"/><geom size="1"/></body>', "<actuator/>")],
    "missing-name": ['<mujoco><asset><hfield nrow="2" ncol="2" size="1 1 1 1"/></asset></mujoco>'],
    "no-mass": [world("<body><joint/></body>")],
    "not-a-number": [world('<geom size="1,1,1" type="box"/>'), world('<geom size="0.1" mass="0,5"/>')],
    "repeated-class": ['<mujoco><default><default class="a"/><default class="a"/><default class="a"/></default></mujoco>'],
    "repeated-name": [world('<geom size="1" name="a"/><geom size="1" name="a" pos="3 0 0"/><geom size="1" name="a" pos="6 0 0"/>')],
    "undefined-class": [
        world('<geom size="1" class="vizual"/>' * 3, '<default><default class="visual"/></default>'),
        world('<geom size="1" class="thing"/>'),
        world('<geom size="1" class="thing"/>', "<default/>"),
    ],
    "undefined-plugin": [
        world("", '<extension><plugin plugin="mujoco.sensors.touchgrid"/></extension>'),
        body(BALL).replace("</mujoco>", '<actuator><plugin plugin="mujoco.pid" joint="j"/></actuator></mujoco>').replace("<joint/>", '<joint name="j"/>'),
    ],
    "undefined-reference": [
        world('<geom size="1" material="gird"/>', '<asset><material name="grid"/></asset>'),
        hinge("", '<actuator><motor joint="jj"/></actuator>'),
    ],
    "unknown-attribute": [
        world('<geom sise="1" size="1"/>').replace(' size="1"', ""),
        world('<geom size="1" zzzzz="1"/>'),
        robot('<link name="b"/><joint name="j" type="fixed"><parent link="a"/><child link="b"/><origin xzy="0 0 1"/></joint>'),
    ],
    "unknown-element": [world('<goem size="1"></goem>'), robot('<lnk name="b"/>')],
    "unknown-switch": ["<mujoco><!-- kinetree: disable=overlap-at-rets --><worldbody/></mujoco>"],
    "unlimited-range": [hinge('range="0 1"', head='<compiler autolimits="false"/>')],
    "visuals-discarded": [robot('<link name="b"><visual><geometry><sphere radius="1"/></geometry></visual></link>')],
    "xml-attribute-without-value": [world('<geom size="1" name/>')],
    "xml-bad-attribute": [world('<geom size="1" %%/>')],
    "xml-bad-end-tag": [world('<body name="b"></ body>'), world('<body name="b"></body x>')],
    "xml-duplicate-attribute": [world('<geom size="1" pos="0 0 1" pos="0 0 2"/>')],
    "xml-less-than-in-value": [world('<geom size="1" name="a<b"/>')],
    "xml-mismatched-tag": [world('<body name="b"></boddy>'), world('<body name="b"></xyz></body>')],
    "xml-misplaced-declaration": [world('<?xml version="1.0"?>')],
    "xml-missing-quotes": [world("<geom size=1 />")],
    "xml-missing-space": [world('<geom size="1"name="a"/>')],
    "xml-space-in-tag": [world('< geom size="1"/>')],
    "xml-stray-ampersand": [world('<geom size="1" name="a & b"/>')],
    "xml-stray-end-tag": ["<mujoco/></mujoco>"],
    "xml-text-outside-root": ["<mujoco/> text", "text <mujoco/>"],
    "xml-unclosed-element": [world('<geom size="1"><geom size="2"/>'), world('<body name="b"><geom size="1"/>'), '<mujoco><worldbody><geom size="1"/></worldbody>'],
    "xml-unclosed-tag": [world('<geom size="1" <geom size="2"/>'), world('<body name="a"  <geom size="1"/></body>'), world('<body name="b"></body<geom size="1"/>')],
    "xml-unknown-declaration": [world("<!ELEMENT x>")],
    "xml-unterminated-value": [world('<geom size="1/>')],
}  # fmt: skip
"""code -> texts that have such a finding, beside the models of the checks"""


def texts_of(code: str) -> list[str]:
    return [*MODELS.get(code, ()), *(text.replace("§", "") for text, _ in CASES.get(code, ()))]


def found(document: Document) -> list[Diagnostic]:
    """All findings about a document, errors and others."""
    try:
        compiled = compile_document(document)
    except ModelError as error:
        return list(dict.fromkeys([*document.diagnostics, *error.diagnostics]))
    return list(dict.fromkeys([*document.diagnostics, *compiled.diagnostics, *examine(compiled, document)]))


def fixed(fixes: list[Fix], document: Document) -> Document:
    return document.with_edits(changes_of(fixes, document))


def codes(items: list[Diagnostic]) -> Counter[str]:
    return Counter(item.code for item in items)


WITH_FILES = {"include-repeated", "missing-file"}
"""Codes whose models need other files: see the tests below."""


@pytest.mark.parametrize("code", sorted(FIXES.keys() - WITH_FILES))
def test_the_finding_is_gone_and_the_others_are_as_before(code):
    used: set[str] = set()
    assert texts_of(code)
    for text in texts_of(code):
        document = Document.from_string(text)
        before = found(document)
        items = [item for item in before if item.code == code]
        assert items, text
        used |= {make.__name__ for item in items for make in FIXES[code] if list(make(place(item, document)))}
        for item in items:
            fixes = fixes_of(item, document)
            assert len({each.title for each in fixes}) == len(fixes)
            for each in fixes:
                after = found(fixed([each], document))
                left = codes(after)
                assert left[code] < codes(before)[code], (each.title, [str(item) for item in after])
                left[code] = codes(before)[code]
                if not code.startswith("xml-"):  # errors of the XML hide others
                    assert not left - codes(before), (each.title, [str(item) for item in after])
    assert used == {make.__name__ for make in FIXES[code]}


def place(item: Diagnostic, document: Document) -> FindingPlace:
    found = FindingPlace.of(item, Shared(document))
    assert found is not None
    return found


@pytest.mark.parametrize("code", sorted(FIXES.keys() - WITH_FILES))
def test_all_of_a_kind_are_fixed_at_once(code):
    for text in texts_of(code):
        document = Document.from_string(text)
        items = [item for item in found(document) if item.code == code]
        if fixes := fixes_of_all(items, document):
            left = [item for item in found(fixed(fixes, document)) if item.code == code]
            assert len(left) <= len(items) - len(fixes), [str(item) for item in left]


def test_the_text_around_stays():
    text = "<mujoco>\r\n\t<worldbody>\r\n\t  <!-- my ball -->\r\n\t<geom  sise = '1'   rgba='1 0 0 1' />\r\n</worldbody></mujoco>\r\n"
    document = Document.from_string(text)
    (item,) = found(document)
    (each,) = fixes_of(item, document)
    assert each.title == "Change 'sise' to 'size'"
    assert fixed([each], document).source_of().text == text.replace("sise", "size")


def test_an_exclusion_goes_to_the_contacts_that_there_are_and_names_bodies():
    text = CASES["overlap-at-rest"][0][0].replace("§", "")
    document = Document.from_string(text)
    (item,) = [item for item in found(document) if item.code == "overlap-at-rest"]
    (each,) = fixes_of(item, document)
    after = fixed([each], document)
    assert after.source_of().text.count("<exclude ") == 1 and after.root.children[-1].tag == "contact"
    assert codes(found(after))["overlap-at-rest"] == 0


def test_an_included_file_is_changed_where_the_finding_is(tmp_path):
    part, main = tmp_path / "part.xml", tmp_path / "main.xml"
    balls = "".join(f'<body pos="{x} 0 0"><freejoint/><geom size=".1"/></body>' for x in (0, 0.05))
    part.write_text(f"<mujoco><worldbody>{balls}</worldbody></mujoco>")
    main.write_text('<mujoco><include file="part.xml"/><contact/></mujoco>')
    document = Document.load(main)
    (item,) = found(document)
    (each,) = fixes_of(item, document)
    after = fixed([each], document)
    texts = [after.source_of(path).text for path in (main, part)]
    assert texts[0].count("<exclude") == 1 and texts[1].count("name=") == 2
    assert not found(after)
    part.write_text(part.read_text().replace("size", "sise", 1))
    document = Document.load(main)
    (item,) = [item for item in found(document) if item.code == "unknown-attribute"]
    (each,) = fixes_of(item, document)
    assert [path for path, edits in changes_of([each], document).items() if edits] == [str(part)]


def test_a_missing_file_is_the_one_of_about_that_name(tmp_path):
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "leg.xml").write_text("<mujoco><worldbody/></mujoco>")
    main = tmp_path / "main.xml"
    main.write_text('<mujoco><include file="parts/legg.xml"/><include file="parts/leg.xml"/></mujoco>')
    document = Document.load(main)
    (item,) = found(document)
    (each,) = fixes_of(item, document)
    assert each.title == "Change 'parts/legg.xml' to 'parts/leg.xml'"
    main.write_text(fixed([each], document).source_of().text)
    document = Document.load(main)
    (item,) = found(document)
    assert item.code == "include-repeated"
    (each,) = fixes_of(item, document)
    assert main.write_text(fixed([each], document).source_of().text) and not found(Document.load(main))


@pytest.mark.parametrize("code", sorted(FIXES.keys() - WITH_FILES))
def test_no_text_is_too_broken(code):
    """Fixes of damaged texts, for their findings and for the findings of the text before the damage."""
    random = Random(code)
    for text in texts_of(code)[:2]:
        items = found(Document.from_string(text))
        for _ in range(8):
            start = random.randrange(len(text))
            end = min(start + random.choice((0, 1, 1, 2, 9)), len(text))
            damaged = Document.from_string(text[:start] + random.choice(("", "<", "x", '"', "nan 5")) + text[end:])
            for item in [*items, *found(damaged)]:
                for each in fixes_of(item, damaged):
                    with suppress(EditRefused):
                        fixed([each], damaged)


def test_a_finding_about_another_text_has_no_fix():
    document = Document.from_string(world('<geom sise="1"/>'))
    (item,) = found(document)
    other = Document.from_string("<mujoco>\n<worldbody/></mujoco>")
    assert fixes_of(item, document) and not fixes_of(item, other)


def test_each_row_is_about_a_code_and_says_what_it_does():
    assert FIXES.keys() <= TABLE.keys()
    for row in FIXES.values():
        for make in row:
            text = getdoc(make) or ""
            assert text.endswith(".") and "\n\n" not in text
