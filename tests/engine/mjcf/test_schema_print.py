"""The table against MuJoCo's own schema print: elements, nesting, multiplicities and attributes."""

import ctypes
import re
from pathlib import Path

import mujoco
import pytest

from kinetree.engine.mjcf.schema_table import ELEMENTS

#: Attributes that the specification gives and mujoco 3.3.4 refuses, by kind. The specification wins: "default/tendon"
#: says that all tendon attributes but name and class are available, "default/muscle" all but a list without tausmooth.
ONLY_SPECIFIED = {
    "default.tendon": {"actuatorfrclimited", "actuatorfrcrange", "armature"},
    "default.muscle": {"tausmooth"},
}


def printed_schema() -> str:
    library = next(Path(mujoco.__file__).parent.glob("*mujoco.[sd]*"))
    function = ctypes.CDLL(str(library)).mj_printSchema
    function.argtypes = [ctypes.c_char_p, ctypes.c_char_p, ctypes.c_int, ctypes.c_int, ctypes.c_int]
    buffer = ctypes.create_string_buffer(1 << 20)
    assert function(None, buffer, len(buffer), 0, 1) > 0
    return buffer.value.decode()


def read_schema(text: str) -> list[tuple[tuple[str, ...], str, set[str]]]:
    """(path of tags, multiplicity, attributes) in the order printed. Levels are indented by three columns."""
    rows: list[tuple[tuple[str, ...], str, set[str]]] = []
    path: list[str] = []
    for line in text.splitlines():
        match = re.match(r"( *)(\(world\)body|\w+) \(([!?*R])\)(.*)", line)
        if match is None:
            rows[-1][2].update(line.split())
            continue
        level = len(match[1]) // 3
        path[level:] = [match[2].replace("(world)", "")]
        rows.append((tuple(path), match[3], set(match[4].split())))
    return rows


def id_of(path: tuple[str, ...]) -> str:
    """The table's id of a printed path, found by walking the table's children."""
    current = "mujoco"
    for tag in path[1:]:
        if tag == "body":
            current = "body"
            continue
        found = [child for child in ELEMENTS[current].children if ELEMENTS[child].tag == tag]
        assert len(found) == 1, f"{'/'.join(path)}: the table has {found}"
        current = found[0]
    return current


@pytest.fixture(scope="module")
def printed() -> dict[str, tuple[str, set[str]]]:
    return {id_of(path): (mult, attributes) for path, mult, attributes in read_schema(printed_schema())}


def test_same_elements(printed):
    ours = {row.id for row in ELEMENTS.values() if row.dialect == "mujoco" and row.in_schema}
    assert ours - set(printed) == {"worldbody"}
    assert set(printed) - ours == set()


def test_same_multiplicity(printed):
    ours = {id: ELEMENTS[id].multiplicity for id in printed}
    assert ours == {id: multiplicity for id, (multiplicity, _) in printed.items()}


def test_same_attributes(printed):
    missing, extra = {}, {}
    for id, (_, theirs) in printed.items():
        ours = {row.name for row in ELEMENTS[id].attributes.values() if row.dialect == "mujoco"}
        if theirs - ours:
            missing[id] = theirs - ours
        if ours - theirs:
            extra[id] = ours - theirs
    assert missing == {}
    assert extra == ONLY_SPECIFIED


def test_world_takes_no_attributes():
    # the print shares one entry between worldbody and body, and the reader refuses attributes of the world
    assert not ELEMENTS["worldbody"].attributes
    with pytest.raises(ValueError, match="World body cannot have attributes"):
        mujoco.MjModel.from_xml_string("<mujoco><worldbody pos='0 0 0'/></mujoco>")


def test_every_kind_is_reachable_and_children_exist():
    seen, todo = set(), ["mujoco", "include"]
    while todo:
        id = todo.pop()
        if id not in seen:
            seen.add(id)
            todo.extend(ELEMENTS[id].children)
    assert seen == set(ELEMENTS)


def test_children_have_different_tags():
    for row in ELEMENTS.values():
        tags = [ELEMENTS[child].tag for child in row.children]
        assert len(tags) == len(set(tags)), row.id
