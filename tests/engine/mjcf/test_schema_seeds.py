"""The table has every element and attribute that heads a section of the specification; the help texts are not
copied.
"""

import re

import pytest

from kinetree.engine.mjcf import schema, values
from kinetree.engine.mjcf.schema_rows import MPEX
from tests.conftest import SHARED

RST = SHARED / "seeds" / "mujoco-xml-reference.rst"
MOTPHYS = SHARED / "seeds" / "motphys-mjcf-reference.txt"
needs_seeds = pytest.mark.skipif(
    not RST.exists() or not MOTPHYS.exists(), reason="the specification is not beside the clone"
)

#: Labels of the reference that are no element and no attribute.
NOT_ROWS = {
    "CSchema",
    "CType",
    "Reference",
    "meta-element",
    "legacy-msh-docs",
    "collision-sensors",
    "collision-sensors-cutoff",
    "equality-distance",  # the removed constraint, mentioned as removed
    "actuator-damper-ctrllimited",  # a label only: neither the text nor the reference has it
}
#: Labels that name their element by another path.
OTHER_PATH = {"body-frame": "frame", "instance-config": "plugin-config"}

#: Headings of the Motphys reference that stand for kinds: heading, and which time it occurs, to id.
MOTPHYS_KINDS = {
    "(world)body": ["body"],
    "plugin": ["extension.plugin"],
    "instance": ["plugin.instance"],
    "config": ["plugin.config"],
    "material": ["asset.material", "default.material"],
    "mesh": ["asset.mesh", "default.mesh"],
    "texture": ["asset.texture"],
    "hfield": ["asset.hfield"],
    "model": ["asset.model"],
    "equality": ["default.equality", "equality"],
    "geom": ["default.geom", "body.geom"],
    "joint": ["default.joint", "body.joint", "equality.joint", "fixed.joint"],
    "light": ["default.light", "body.light"],
    "camera": ["default.camera", "body.camera"],
    "site": ["default.site", "body.site"],
    "tendon": ["default.tendon", "tendon"],
    "contact": ["contact", "sensor.contact"],
    "fixed": ["tendon.fixed"],
    "flag": ["option.flag"],
    "key": ["keyframe.key"],
    "numeric": ["custom.numeric"],
    "text": ["custom.text"],
    "pair": ["contact.pair"],
    "exclude": ["contact.exclude"],
    "connect": ["equality.connect"],
    "weld": ["equality.weld"],
    **{tag: [f"visual.{tag}"] for tag in ("headlight", "global", "quality", "map", "rgba", "probe", "ssao", "ssgi", "tonemapping")},
    **{tag: [f"body.{tag}"] for tag in ("inertial", "freejoint", "attach")},
    "adhesion": ["default.adhesion", "actuator.adhesion"],
    **{tag: [f"default.{tag}", f"actuator.{tag}"] for tag in ("general", "motor", "position", "velocity")},
}  # fmt: skip
NOT_KINDS = {"Index", "Appendix", "rotation-attrs", "solver-attrs"}
#: MuJoCo attributes whose default the Motphys reference leaves out or states in other words.
SAME_DEFAULT = {("body.adhesion", "gear")}


def labels() -> list[str]:
    return re.findall(r"^\.\. _([\w-]+):", RST.read_text(encoding="utf-8"), re.MULTILINE)


def motphys() -> dict[str, dict[str, str]]:
    """id -> {attribute: the text in its brackets}, by walking the headings in order."""
    found: dict[str, dict[str, str]] = {}
    seen: dict[str, int] = {}
    current = None
    for line in MOTPHYS.read_text(encoding="utf-8").splitlines():
        heading = re.fullmatch(r"([\w()-]+)(?: MPEX)?#", line.strip())
        if heading:
            name = heading[1]
            if name in NOT_KINDS:
                current = None
                continue
            kinds = MOTPHYS_KINDS.get(name) or ([name] if name in schema.ELEMENTS else [f"sensor.{name}"])
            index = seen.get(name, 0)
            seen[name] = index + 1
            current = found.setdefault(kinds[min(index, len(kinds) - 1)], {})
            continue
        attribute = re.match(r"(\w+)\[\s*(.*?)\]", line)
        if attribute and current is not None:
            current[attribute[1]] = attribute[2]
        elif line.startswith("hard: ") and current is not None:
            current["hard"] = "bool | Optional"
    return found


@needs_seeds
def test_every_label_of_the_reference():
    known = set()
    for row in schema.ELEMENTS.values():
        path = row.id.replace(".", "-")
        known.add(path)
        known.update(f"{path}-{name}" for name in row.attributes)
    missing = []
    for label in labels():
        for path, ours in OTHER_PATH.items():
            if label == path or label.startswith(path + "-"):
                label = ours + label[len(path) :]
        if label not in known and label not in NOT_ROWS:
            missing.append(label)
    assert missing == []


@needs_seeds
def test_every_mujoco_row_is_in_the_reference():
    # the other way round: what the table adds to the reference, less what the reference only lists by reference
    heads = set(labels())
    extra = {
        f"{row.id.replace('.', '-')}-{name}"
        for row in schema.ELEMENTS.values()
        for name, attribute in row.attributes.items()
        if attribute.dialect == "mujoco" and row.dialect == "mujoco"
    } - heads
    undocumented = {label for label in extra if label.startswith(("visual-", "option-", "size-", "statistic-"))}
    assert undocumented == {"visual-global-cameraid"}  # in mujoco 3.3.4's schema only


@needs_seeds
def test_every_motphys_element_and_attribute():
    document = motphys()
    assert len(document) >= 90
    missing = [
        (id, name)
        for id, attributes in document.items()
        for name in attributes
        if id not in schema.ELEMENTS or name not in schema.ELEMENTS[id].attributes
    ]
    assert missing == []


@needs_seeds
def test_motphys_rows_are_in_its_reference():
    document = motphys()
    for row in schema.ELEMENTS.values():
        if row.id.startswith("default."):
            continue
        for name, attribute in row.attributes.items():
            if attribute.dialect == MPEX:
                assert name in document[row.id], (row.id, name)


@needs_seeds
def test_motphys_types_counts_and_defaults():
    wrong = []
    for id, attributes in motphys().items():
        for name, brackets in attributes.items():
            row = schema.ELEMENTS[id].attributes[name]
            kind, *rest = [part.strip() for part in brackets.split("|")]
            count = re.fullmatch(r"\w+\((\d+)\)", kind)
            if count and int(count[1]) not in (row.max_count, row.mpex_max_count, row.min_count):
                wrong.append((id, name, kind, row.type_text))
            default = next((part[8:].strip() for part in rest if part.startswith("Default:")), "")
            numbers = default.replace("`", "").strip(' "-')
            if not numbers or row.required or ";" in numbers:
                continue
            ours = row.mpex_default if row.mpex_default is not None else row.default
            try:
                same = [float(word) for word in numbers.split()] == [float(word) for word in (ours or "").split()]
            except ValueError:
                same = numbers == ours
            if not same:
                wrong.append((id, name, numbers, ours))
    assert wrong == []


@needs_seeds
def test_motphys_choices_are_accepted():
    text = MOTPHYS.read_text(encoding="utf-8")
    for name, choices in re.findall(r"^(\w+)\[[^\]]*\]Choice: \[\n([^\]]+)\]", text, re.MULTILINE):
        rows = [row.attributes[name] for row in schema.ELEMENTS.values() if name in row.attributes]
        for choice in choices.split("|"):
            if rows[0].name == "eulerseq":
                continue
            assert any(choice in row.all_choices for row in rows), (name, choice)


@needs_seeds
def test_help_is_in_our_own_words():
    seeds = " ".join(
        re.sub(
            r"[^a-z0-9]+",
            " ",
            re.sub(r":\w+:`([^`<]*)[^`]*`", r"\1", path.read_text(encoding="utf-8")).lower(),
        )
        for path in (RST, MOTPHYS)
    )
    copied = []
    for row in schema.ELEMENTS.values():
        for help in (row.help, *(attribute.help for attribute in row.attributes.values())):
            words = re.sub(r"[^a-z0-9]+", " ", help.lower()).split()
            for start in range(len(words) - 6):
                if " " + " ".join(words[start : start + 7]) + " " in seeds:
                    copied.append(help)
                    break
    assert copied == []


def test_help_is_one_sentence_that_says_something():
    for row in schema.ELEMENTS.values():
        for name, help in ((row.id, row.help), *((a.name, a.help) for a in row.attributes.values())):
            assert help.endswith(".") and (help[0].isupper() or help[0] == "0"), (row.id, name, help)
            assert len(help.split()) >= 2 and len(help) <= 170, (row.id, name, help)


def test_rows_are_sound():
    spaces = {row.declares for element in schema.ELEMENTS.values() for row in element.attributes.values()} - {None}
    for element in schema.ELEMENTS.values():
        assert element.default is None or element.default in schema.ELEMENTS
        for row in element.attributes.values():
            if row.refers is not None and not row.refers.startswith("@"):
                assert row.refers in spaces, (element.id, row.name)
            elif row.refers is not None:
                assert row.refers[1:] in element.attributes
            assert row.low is None or row.high is None or row.low < row.high
            assert not (row.required and row.default is not None)
            if row.choices and row.default is not None and row.max_count == 1:
                assert row.default in row.choices
            if element.id.startswith("default."):
                assert not row.required and row.declares is None
            if row.dialect == MPEX:
                assert row.mpex_default is None
            if element.dialect == MPEX:
                assert row.dialect == MPEX
            value = values.default(row)
            assert value is None or row.type != "real" or row.max_count == 1 or len(value) <= (row.max_count or 99)
