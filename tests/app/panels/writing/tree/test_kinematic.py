"""A URDF as its kinematic tree: nesting, broken files, edits, drags, filter, the other order."""

import json
from random import Random

import pytest
from PySide6.QtCore import QMimeData, Qt

from kinetree.app.panels.writing.tree.commands import MIME
from kinetree.app.panels.writing.tree.elements import GeneratedRow, RowNesting
from kinetree.app.panels.writing.tree.kinematic import KinematicNesting
from kinetree.app.panels.writing.tree.view import DropPlace
from kinetree.app.workspace.selection import Selection
from kinetree.engine.document.document import Document
from kinetree.engine.document.element_edit import Insert, Remove, SetAttribute

LINK = '<link name="{0}"><inertial><mass value="1"/>{1}</inertial></link>'
INERTIA = '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>'
JOINT = '<joint name="{0}" type="continuous"><parent link="{1}"/><child link="{2}"/><axis xyz="0 1 0"/></joint>'


def robot(links, joints, more=""):
    """A robot from "a b c" and "j:a>b k:b>c"."""
    lines = [LINK.format(name, INERTIA) for name in links.split()]
    for each in joints.split():
        name, _, ends = each.partition(":")
        lines.append(JOINT.format(name, *ends.split(">")))
    return "<robot name='r'>\n" + "\n".join([*lines, more]) + "\n</robot>\n"


def name_of(item):
    if isinstance(item, GeneratedRow):
        return item.name
    return next((double or single for name, double, single in item.values if name == "name"), item.tag)


def nested(text):
    """The rows of links, joints and headings, by depth: "a/b/j" for each."""
    return rows(KinematicNesting.of(Document.from_string(text), {}).block())


def rows(block):
    paths, found = {}, []
    for row, item in enumerate(block.items):
        above = paths.get(int(block.parents[row]), "")
        paths[row] = f"{above}/{name_of(item)}".lstrip("/")
        if isinstance(item, GeneratedRow) or item.tag in ("link", "joint", "gazebo", "transmission", "material"):
            found.append(paths[row].removeprefix("r/"))
    return found


def test_links_are_nested_by_joints_and_not_by_the_order_of_the_text():
    text = robot("hand base arm", "wrist:arm>hand shoulder:base>arm")
    assert nested(text) == ["base", "base/arm", "base/arm/shoulder", "base/arm/hand", "base/arm/hand/wrist"]


def test_what_is_for_other_programs_is_under_one_row():
    more = '<gazebo/><material name="red"/><transmission name="t"/><gazebo reference="a"/>'
    folder = "For other programs"
    found = nested(robot("a", "", more))
    assert found == ["red", "a", folder, f"{folder}/gazebo", f"{folder}/t", f"{folder}/gazebo"]


@pytest.mark.parametrize(
    ("links", "joints", "expected"),
    [
        ("a b", "j:a>b k:b>a", ["a", "a/b", "a/b/j", "k"]),  # a circle
        ("a b", "j:a>a", ["a", "b", "j"]),
        ("a b", "j:a>gone k:gone>b", ["a", "b", "j", "k"]),
        ("a b c", "j:a>c k:b>c", ["a", "a/c", "a/c/j", "b", "k"]),  # two joints for one link
        ("a a b", "j:a>b", ["a", "a/b", "a/b/j", "a"]),  # one name twice
        ("", "", []),
    ],
)
def test_broken_robots_have_all_their_rows(links, joints, expected):
    assert nested(robot(links, joints)) == expected


def test_a_long_chain_is_arranged_quickly():
    """A search of the root from every link would take as many steps as there are pairs of links."""
    count = 20000
    names = [f"l{i}" for i in range(count)]
    text = robot(" ".join(names), " ".join(f"j{i}:l{i}>l{i + 1}" for i in reversed(range(count - 1))))
    shape = KinematicNesting.of(Document.from_string(text), {})
    assert isinstance(shape, KinematicNesting) and len(shape.parent_link) == count - 1
    assert int(shape.block().depths.max()) >= count


# ---- in a window -------------------------------------------------------------------------------------------

PIECES = (
    LINK.format("more", INERTIA),
    JOINT.format("more", "arm", "more"),
    JOINT.format("again", "tool", "base"),
    "<gazebo/>",
    "<link/>",
    "<joint/>",
)
TEXT = robot("hand base arm tool", "wrist:arm>hand shoulder:base>arm hold:hand>tool", "<gazebo/>")


@pytest.fixture
def panel(make_window, tmp_path, qtbot):
    path = tmp_path / "r.urdf"
    path.write_text(TEXT)
    window = make_window(path, physics=False)
    qtbot.waitUntil(lambda: window.simulation.model is not None and len(window.tree.outline) > 0)
    return window.tree


def row_of(panel, name):
    return next(row for row, item in enumerate(panel.outline.items) if name_of(item) == name)


def ids(panel, *names):
    return [panel.outline.items[row_of(panel, name)].id for name in names]


def parent_of(panel, joint):
    node = panel.document.node(*ids(panel, joint))
    return next(child.get("link") for child in node.children if child.tag == "parent")


def dragged(panel, *names):
    data = QMimeData()
    data.setText("<link/>")
    data.setData(MIME, json.dumps({"project": id(panel.project), "ids": ids(panel, *names)}).encode())
    return data


def path_to(panel, name):
    row, found = row_of(panel, name), []
    while row >= 0:
        found.append(name_of(panel.outline.items[row]))
        row = panel.outline.parent(row)
    return "/".join(reversed(found))


def test_the_tree_is_kinematic_at_first_and_can_have_the_order_of_the_file(panel, qtbot):
    assert panel.kinematic.isVisible() and panel.kinematic.isChecked()
    assert path_to(panel, "tool") == "r/base/arm/hand/tool"
    panel.selection.select(Selection(element=ids(panel, "hand")[0]))
    panel.kinematic.click()
    assert path_to(panel, "tool") == "r/tool" and row_of(panel, "hand") < row_of(panel, "base")
    assert panel.view.selected_ids == ids(panel, "hand")
    panel.kinematic.click()
    assert path_to(panel, "tool") == "r/base/arm/hand/tool" and panel.view.selected_ids == ids(panel, "hand")


def test_the_order_is_kept_and_mjcf_has_no_such_choice(panel, make_window, settings, model_file, qtbot):
    panel.kinematic.click()
    assert settings.value("tree.kinematic") is False
    window = make_window(model_file, physics=False)
    qtbot.waitUntil(lambda: len(window.tree.outline) > 0)
    assert not window.tree.is_kinematic and not window.tree.kinematic.isVisible()


def test_rows_follow_edits_in_both_orders(panel, qtbot):
    def set_parent(joint, link):
        node = panel.document.node(*ids(panel, joint))
        parent = next(child for child in node.children if child.tag == "parent")
        panel.project.apply("Set", [SetAttribute(parent, "link", link)])

    panel.view.change(lambda: panel.outline.expand_all(True))
    set_parent("hold", "base")
    assert path_to(panel, "tool") == "r/base/tool"
    assert panel.outline.is_expanded(row_of(panel, "hand"))
    panel.project.undo()
    assert path_to(panel, "tool") == "r/base/arm/hand/tool"
    panel.kinematic.click()
    set_parent("hold", "base")
    panel.kinematic.click()
    assert path_to(panel, "tool") == "r/base/tool"


@pytest.mark.parametrize("seed", range(3))
def test_rows_are_those_of_the_text_after_random_edits(panel, seed):
    """Parents and children of joints, names, removed and repeated elements, undo: also robots that make no sense."""
    random = Random(seed)
    names = ["hand", "base", "arm", "tool", "gone", ""]
    for _ in range(60):
        document = panel.project.document
        nodes = [node for node in document.root.iter() if node.parent is not None]
        node = random.choice(nodes) if nodes else None
        kind = random.choice(["parent", "parent", "name", "remove", "insert", "undo", "switch"])
        if kind == "undo" or node is None:
            panel.project.undo()
        elif kind == "switch":
            panel.kinematic.click()
        elif kind == "remove":
            panel.project.apply("edit", [Remove(node)])
        elif kind == "insert":
            panel.project.apply("edit", [Insert(document.root, random.choice(PIECES), random.randrange(3))])
        elif kind == "name" and node.tag in ("link", "joint"):
            panel.project.apply("edit", [SetAttribute(node, "name", random.choice(names))])
        elif node.tag in ("parent", "child"):
            panel.project.apply("edit", [SetAttribute(node, "link", random.choice(names))])
        nesting = KinematicNesting if panel.kinematic.isChecked() else RowNesting
        block = nesting.of(panel.project.document, {}).block()
        assert [item.id for item in panel.outline.items] == [item.id for item in block.items]
        assert panel.outline.depths.tolist() == block.depths.tolist()
        assert panel.outline.parents.tolist() == block.parents.tolist()
        texts = [getattr(item, "values", item) for item in panel.outline.items]
        assert texts == [getattr(item, "values", item) for item in block.items]


def test_a_filter_finds_links_and_what_is_in_the_folder(panel, qtbot):
    panel.filter.setText("gazebo")
    qtbot.waitUntil(lambda: panel.outline.matching is not None)
    assert [name_of(panel.outline.items[row]) for row in panel.outline.shown] == ["r", "For other programs", "gazebo"]
    panel.filter.setText("tool")
    qtbot.waitUntil(lambda: panel.outline.matching[row_of(panel, "tool")])
    panel.view.selectAll()
    tags = [panel.outline.items[panel.outline.row_of(each)].tag for each in panel.view.selected_ids]
    assert tags == ["link", "child"]  # the link, and the joint that names it


def test_a_link_that_is_dragged_hangs_on_the_other_link_in_one_step(panel):
    move = Qt.DropAction.MoveAction
    place = DropPlace(row_of(panel, "base"), "into")
    assert panel.drops.why_not(place, dragged(panel, "tool"), move) is None
    before = panel.project.texts.text(panel.project.path)
    panel.drops.drop(place, dragged(panel, "tool"), move, False)
    after = panel.project.texts.text(panel.project.path)
    assert parent_of(panel, "hold") == "base" and path_to(panel, "tool") == "r/base/tool"
    assert after == before.replace(
        '<parent link="hand"/><child link="tool"/>', '<parent link="base"/><child link="tool"/>'
    )
    panel.project.undo()
    assert panel.project.texts.text(panel.project.path) == before
    beside = DropPlace(row_of(panel, "hand"), "after")  # beside hand, which hangs on arm
    panel.drops.drop(beside, dragged(panel, "hold"), move, False)
    assert parent_of(panel, "hold") == "arm"


@pytest.mark.parametrize(("what", "on"), [("arm", "tool"), ("arm", "arm"), ("base", "hand")])
def test_a_link_cannot_hang_on_itself_or_without_a_joint(panel, what, on):
    why = panel.drops.why_not(DropPlace(row_of(panel, on), "into"), dragged(panel, what), Qt.DropAction.MoveAction)
    assert why and "link" in why
    assert panel.project.texts.text(panel.project.path) == TEXT


def test_other_elements_go_where_the_text_has_a_place_for_them(panel):
    target = panel.drops.target(DropPlace(row_of(panel, "hand"), "before"))  # a link among those that hang on arm
    assert target == (ids(panel, "arm")[0], None)
    assert panel.drops.target(DropPlace(row_of(panel, "gazebo"), "after"))[0] == panel.document.root.id


def test_the_heading_is_no_element(panel):
    row = row_of(panel, "For other programs")
    panel.view.setCurrentIndex(panel.view.tree_model.index_of(row))
    assert panel.selection.elements == ()
    panel.edit("delete")
    assert "heading" in panel.message.text() and panel.project.texts.text(panel.project.path) == TEXT
