"""The project: texts in memory and on the disk, versions, transactions, undo, saving and changes from outside."""

from __future__ import annotations

import os
import stat
import threading

import pytest

from kinetree.engine.diagnostics import ModelError
from kinetree.engine.document import change
from kinetree.engine.document.edit import Edit
from kinetree.engine.document.element_edit import Insert, Remove, SetAttribute
from kinetree.engine.document.files import read_file, reread_file
from kinetree.engine.document.project import MANY_EDITS, External, Outdated, Project, UnsavedChanges, work_out
from kinetree.engine.document.write import ChangedOnDisk, write_file

MODEL = """<mujoco model="one">
  <!-- a comment -->
  <option timestep="0.002"/>
  <include file="parts.xml"/>
  <worldbody>
    <body name="a"><geom name="g" size="0.1"/></body>
    <body name="b"/>
  </worldbody>
</mujoco>
"""
PARTS = '<mujoco>\n  <asset>\n    <material name="m"/>\n  </asset>\n</mujoco>\n'


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "model.xml").write_text(MODEL)
    (tmp_path / "parts.xml").write_text(PARTS)
    return tmp_path


@pytest.fixture
def project(folder):
    project = Project()
    project.open(read_file(folder / "model.xml"))
    while project.wanted:
        project.provide(*map(read_file, project.wanted))
    return project


def opened(project):
    return project.snapshot(project.documents[0]).document


def named(project, name):
    return next(node for node in opened(project).merged.iter() if node.get("name") == name)


def set_value(project, name, attribute, value, merge=None):
    return project.apply(f"Set {attribute}", change.set_attribute(named(project, name), attribute, value), merge)


def test_included_files_are_asked_for_and_not_read(folder):
    project = Project()
    path = project.open(read_file(folder / "model.xml"))
    assert project.wanted == [str(folder / "parts.xml")]
    document = project.snapshot(path).document
    assert not document.diagnostics and document.merged.find("asset") is None
    version = project.snapshot(path).version
    project.provide(read_file(folder / "parts.xml"))
    assert project.wanted == [] and project.snapshot(path).version > version
    assert project.snapshot(path).document.merged.find("asset") is not None


def test_a_worker_can_read_what_is_pending(folder):
    project = Project()
    path = project.open(read_file(folder / "model.xml"))
    whole = project.snapshot(path).document.completed()
    assert whole.merged.find("asset") is not None
    project.provide(*whole.reads)
    assert project.wanted == []
    ours = project.snapshot(path).document
    assert [node.id for node in ours.merged.iter()] == [node.id for node in whole.merged.iter()]


def test_a_missing_include_is_a_diagnostic_until_it_is_there(folder):
    os.unlink(folder / "parts.xml")
    project = Project()
    path = project.open(read_file(folder / "model.xml"))
    project.provide(*map(read_file, project.wanted))
    document = project.snapshot(path).document
    assert [item.code for item in document.diagnostics] == ["missing-file"]
    assert document.missing == [str(folder / "parts.xml")] and project.wanted == []
    (folder / "parts.xml").write_text(PARTS)
    assert project.external_change(read_file(folder / "parts.xml")) is External.PROVIDED
    assert not project.snapshot(path).document.diagnostics


def test_an_edit_gives_a_new_version_and_leaves_the_old_one(project):
    before = project.snapshot(project.documents[0])
    assert set_value(project, "g", "size", "0.2").name == "Set size"
    after = project.snapshot(project.documents[0])
    assert after.version > before.version
    assert after.document.source.text == MODEL.replace('"0.1"', '"0.2"')
    assert before.document.source.text == MODEL
    assert project.snapshot(project.documents[0]) == after


def test_an_edit_of_an_included_file(project, folder):
    set_value(project, "m", "rgba", "1 0 0 1")
    assert project.modified == [str(folder / "parts.xml")]
    assert 'name="m" rgba="1 0 0 1"' in project.text(str(folder / "parts.xml"))


def test_what_changes_nothing_is_no_step(project):
    assert set_value(project, "g", "size", "0.1") is None
    assert project.apply("Type", {project.documents[0]: [Edit(0, 1, "<")]}) is None
    assert project.undo_name is None and project.undo() is None and project.redo() is None


def test_a_bad_edit_changes_nothing(project, folder):
    path, parts = project.documents[0], str(folder / "parts.xml")
    version = project.version
    with pytest.raises(ValueError):
        project.apply("Bad", {parts: [Edit(0, 0, " ")], path: [Edit(0, 5, ""), Edit(3, 8, "")]})
    with pytest.raises(KeyError):
        project.apply("Bad", {path: [Edit(0, 0, " ")], "/nowhere.xml": [Edit(0, 0, "")]})
    assert project.version == version and project.text(path) == MODEL and not project.modified


def test_a_step_is_worked_out_in_a_thread_and_taken_once(project):
    path, texts = project.documents[0], project.texts
    before = project.text(path)
    root = project.tree(path)
    step: list = []
    worker = threading.Thread(target=lambda: step.append(work_out([SetAttribute(root, "model", "new")], texts)))
    worker.start()
    worker.join()
    assert project.text(path) == before and project.undo_name is None
    assert project.take("Set model", step[0]) is not None
    assert project.tree(path).get("model") == "new" and project.tree(path).id == root.id
    with pytest.raises(Outdated):
        project.take("Again", step[0])
    assert project.undo_names == ["Set model"]
    project.undo()
    assert project.text(path) == before
    assert project.take("Nothing", work_out({path: [Edit(0, 0, "")]}, project.texts)) is None


def test_undo_and_redo_over_several_files(project, folder):
    path, parts = project.documents[0], str(folder / "parts.xml")
    both = change.combine(
        change.set_attribute(named(project, "m"), "name", "n"),
        change.set_attribute(named(project, "b"), "name", "c"),
    )
    project.apply("Rename", both)
    set_value(project, "g", "size", "0.2")
    assert project.undo_names == ["Set size", "Rename"]
    assert project.undo().name == "Set size" and project.undo().name == "Rename"
    assert project.text(path) == MODEL and project.text(parts) == PARTS and not project.modified
    assert project.redo_names == ["Rename", "Set size"] and project.redo_name == "Rename"
    project.redo()
    assert 'name="n"' in project.text(parts) and 'name="c"' in project.text(path)
    set_value(project, "g", "size", "0.3")
    assert project.redo_name is None and project.undo_name == "Set size"


def test_identities_survive_edits_undo_and_redo(project):
    ids = {node.get("name"): node.id for node in opened(project).merged.iter()}
    body = named(project, "a")
    set_value(project, "g", "size", "0.25")
    project.apply("Delete", change.remove_element(named(project, "a")))
    assert opened(project).node(body.id) is None
    assert opened(project).node(ids["b"]).get("name") == "b"
    project.undo()
    assert {node.get("name"): node.id for node in opened(project).merged.iter()} == ids
    assert opened(project).node(body.id).get("name") == "a"
    project.redo()
    project.undo()
    project.undo()
    assert {node.get("name"): node.id for node in opened(project).merged.iter()} == ids


def test_a_step_of_very_many_edits_is_undone_and_done_again(tmp_path):
    """Also with other edits in between, which take the shorter way of the texts that were kept."""
    path = tmp_path / "many.xml"
    path.write_text("<mujoco>\n" + '  <body name="b" pos="0 0 0"/>\n' * 600 + "</mujoco>\n")
    project = Project()
    main = project.open(read_file(path))
    children = list(project.tree(main).children)

    def state() -> tuple[str, list[int]]:
        return project.text(main), [node.id for node in project.tree(main).iter()]

    states = [state()]
    project.apply("Many", [*(SetAttribute(node, "pos", "1 1 1") for node in children), Insert(children[0], "<geom/>")])
    states.append(state())
    for _ in range(2):
        assert project.undo() is not None and state() == states[0] and not project.modified
        assert project.redo() is not None and state() == states[1] and project.modified == [main]
    project.apply("One", [SetAttribute(children[3], "pos", "2 2 2")])
    states.append(state())
    for step, way in ((project.undo, 1), (project.undo, 0), (project.redo, 1), (project.redo, 2), (project.undo, 1)):
        assert step() is not None and state() == states[way]


def test_an_element_that_was_inserted_comes_back_as_itself(project):
    body = named(project, "a")
    project.apply("Add", change.insert_element(body, "site", {"name": "s"}))
    identity = named(project, "s").id
    project.undo()
    assert opened(project).node(identity) is None
    project.redo()
    assert named(project, "s").id == identity


def test_steps_with_a_key_are_one_step(project):
    for value in ("0.11", "0.12", "0.13"):
        set_value(project, "g", "size", value, merge=("slider", 1))
    assert project.undo_names == ["Set size"]
    project.seal()
    set_value(project, "g", "size", "0.14", merge=("slider", 1))
    set_value(project, "g", "size", "0.15", merge=("slider", 2))
    assert len(project.undo_names) == 3
    project.undo()
    project.undo()
    assert 'size="0.13"' in project.text(project.documents[0])
    project.undo()
    assert project.text(project.documents[0]) == MODEL
    project.redo()
    assert 'size="0.13"' in project.text(project.documents[0])


def test_typing_is_one_step(project):
    path = project.documents[0]
    at = MODEL.index("  <worldbody>")
    for offset, character in enumerate("  <size/>\n"):
        project.apply("Typing", {path: [Edit(at + offset, at + offset, character)]}, merge="typing")
    assert opened(project).root.find("size") is not None
    identity = opened(project).root.find("size").id
    assert project.undo_names == ["Typing"]
    project.undo()
    assert project.text(path) == MODEL
    project.redo()
    assert opened(project).root.find("size").id == identity


def test_old_steps_are_forgotten_beyond_the_limit(folder):
    project = Project(limit=5000)
    project.open(read_file(folder / "model.xml"))
    project.provide(*map(read_file, project.wanted))
    for size in range(100):
        set_value(project, "g", "size", f"1.{size:03}")
    assert 1 < len(project.undo_names) < 20
    while project.undo():
        pass
    assert 'size="1.' in project.text(project.documents[0])


def test_saving(project, folder):
    path = folder / "model.xml"
    path.chmod(0o640)
    set_value(project, "g", "size", "0.2")
    assert project.is_modified(path)
    save = project.prepare_save(path)
    set_value(project, "g", "size", "0.3")
    thread = threading.Thread(target=write_file, args=(save,))
    thread.start()
    thread.join()
    project.finish_save(save)
    assert path.read_text() == MODEL.replace('"0.1"', '"0.2"')
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert project.modified == [str(path)]  # what came after is still to be saved
    project.undo()
    assert not project.modified
    project.undo()
    assert project.modified == [str(path)]
    assert sorted(os.listdir(folder)) == ["model.xml", "parts.xml"]


def test_saving_keeps_encoding_and_link(tmp_path):
    real = tmp_path / "real.xml"
    data = "<?xml version='1.0' encoding='latin-1'?>\r\n<mujoco model='é'/>\r\n".encode("latin-1")
    real.write_bytes(data)
    link = tmp_path / "link.xml"
    link.symlink_to(real)
    project = Project()
    path = project.open(read_file(link))
    project.apply("Set model", change.set_attribute(project.tree(path), "model", "è"))
    save = project.prepare_save(path)
    write_file(save)
    project.finish_save(save)
    assert link.is_symlink() and real.read_bytes() == data.replace(b"\xe9", b"\xe8")
    project.apply("Set model", change.set_attribute(project.tree(path), "model", "Ж"))
    assert "&#x416;" in project.text(path)
    project.apply("Type", {path: [Edit(len(project.text(path)), len(project.text(path)), "Ж")]})
    with pytest.raises(ModelError, match="cannot be written"):
        write_file(project.prepare_save(path))
    assert real.read_bytes() == data.replace(b"\xe9", b"\xe8")


def test_saving_over_a_change_from_outside_is_refused(project, folder):
    path = folder / "model.xml"
    set_value(project, "g", "size", "0.2")
    path.write_text("<mujoco/>")
    with pytest.raises(ChangedOnDisk):
        write_file(project.prepare_save(path))
    assert path.read_text() == "<mujoco/>"
    assert project.external_change(read_file(path)) is External.CONFLICT
    assert list(project.conflicts) == [str(path)]
    assert 'size="0.2"' in project.text(path)
    project.keep_ours(path)
    assert not project.conflicts and project.is_modified(path)
    save = project.prepare_save(path)
    write_file(save)
    project.finish_save(save)
    assert 'size="0.2"' in path.read_text()


def test_a_copy_leaves_the_file_as_it_is(project, folder):
    set_value(project, "g", "size", "0.2")
    save = project.prepare_save(folder / "model.xml", folder / "copy.xml")
    write_file(save)
    project.finish_save(save)
    assert 'size="0.2"' in (folder / "copy.xml").read_text()
    assert project.is_modified(folder / "model.xml")


def test_a_reload_is_a_step_and_keeps_identities(project, folder):
    path = folder / "model.xml"
    kept = named(project, "b").id
    path.write_text(MODEL.replace('<geom name="g" size="0.1"/>', '<site/><geom name="g" size="7"/>'))
    assert project.external_change(read_file(path)) is External.RELOADED
    assert named(project, "b").id == kept and named(project, "g").get("size") == "7"
    assert not project.modified and project.undo_name == "Reload model.xml"
    assert project.external_change(read_file(path)) is External.SAME
    project.undo()
    assert project.text(path) == MODEL and project.is_modified(path)
    project.redo()
    assert not project.modified


def test_taking_the_text_of_the_disk_can_be_undone(project, folder):
    path = folder / "model.xml"
    set_value(project, "g", "size", "0.2")
    path.write_text(MODEL.replace('"0.1"', '"0.7"'))
    project.external_change(read_file(path))
    project.take_theirs(path)
    assert not project.conflicts and not project.modified and named(project, "g").get("size") == "0.7"
    project.undo()
    assert named(project, "g").get("size") == "0.2" and project.is_modified(path)


def test_the_same_change_outside_leaves_nothing_to_save(project, folder):
    set_value(project, "g", "size", "0.2")
    (folder / "model.xml").write_text(MODEL.replace('"0.1"', '"0.2"'))
    assert project.external_change(read_file(folder / "model.xml")) is External.AGREED
    assert not project.modified


def test_a_file_that_vanishes_keeps_its_text(project, folder):
    path = folder / "model.xml"
    path.unlink()
    assert project.external_change(read_file(path)) is External.GONE
    assert project.text(path) == MODEL and project.is_modified(path)
    save = project.prepare_save(path)
    write_file(save)
    project.finish_save(save)
    assert path.read_text() == MODEL and not project.modified


def test_a_file_that_vanished_and_is_there_again_is_followed(project, folder):
    path = folder / "model.xml"
    path.unlink()
    project.external_change(read_file(path))
    assert project.gone == [str(path)]
    path.write_text(MODEL.replace('"0.1"', '"0.7"'))
    assert project.external_change(read_file(path)) is External.RELOADED
    assert not project.gone and not project.modified and named(project, "g").get("size") == "0.7"


def test_a_new_document_is_not_saved(tmp_path):
    project = Project()
    path = project.create(tmp_path / "new.xml", "<mujoco/>")
    assert project.is_modified(path) and project.snapshot(path).document.root.tag == "mujoco"
    with pytest.raises(FileExistsError):
        project.create(tmp_path / "new.xml", "")
    write_file(project.prepare_save(path))
    project.finish_save(project.prepare_save(path))
    assert (tmp_path / "new.xml").read_text() == "<mujoco/>" and not project.modified


def test_two_documents_share_an_included_file(project, folder):
    (folder / "other.xml").write_text('<mujoco><include file="parts.xml"/></mujoco>')
    other = project.open(read_file(folder / "other.xml"))
    assert project.wanted == []
    version, document = project.snapshot(other)
    set_value(project, "m", "name", "n")
    assert project.snapshot(other).version > version
    assert project.snapshot(other).document.merged.find("asset").children[0].get("name") == "n"
    assert document.merged.find("asset").children[0].get("name") == "m"
    parts = str(folder / "parts.xml")
    assert project.documents_of(parts) == project.documents
    set_value(project, "g", "size", "0.3")
    with pytest.raises(UnsavedChanges):
        project.close(folder / "model.xml")
    project.close(other)  # the file with the edit is still part of the other one
    assert parts in project.files and project.is_modified(parts)
    project.close(folder / "model.xml", discard=True)
    assert project.files == [] and project.undo_name is None


def test_opening_what_cannot_be_read(tmp_path):
    project = Project()
    with pytest.raises(ModelError, match="does not exist"):
        project.open(read_file(tmp_path / "none.xml"))
    assert project.documents == []


def test_an_element_removed_outside_is_not_taken_for_the_one_after_it(tmp_path):
    path = tmp_path / "m.xml"
    path.write_text('<mujoco><worldbody><body name="one"/><body name="two"/></worldbody></mujoco>')
    project = Project()
    project.open(read_file(path))
    one, two = (node.id for node in project.tree(path).iter("body"))
    path.write_text('<mujoco><worldbody><body name="two"/></worldbody></mujoco>')
    project.external_change(read_file(path))
    assert [node.id for node in project.tree(path).iter("body")] == [two] != [one]


def test_a_worker_can_compare_a_file_with_the_known_text(project, folder):
    path = folder / "model.xml"
    before = project.parsed(path)
    size = named(project, "g").id
    path.write_text(MODEL.replace('"0.1"', '"0.7"'))
    read = reread_file(path, before)
    assert project.external_change(read) is External.RELOADED
    assert project.tree(path).source is read.parsed.source and not project.modified
    assert named(project, "g").id == size and named(project, "g").get("size") == "0.7"
    project.undo()
    assert project.text(path) == MODEL and project.parsed(path).root.source.text == MODEL


def test_a_comparison_with_an_older_text_is_made_anew(project, folder):
    path = folder / "model.xml"
    before = project.parsed(path)
    set_value(project, "g", "size", "0.2")
    project.undo()
    path.write_text(MODEL.replace('"0.1"', '"0.7"'))
    assert project.external_change(reread_file(path, before)) is External.RELOADED
    assert named(project, "g").get("size") == "0.7"


def test_a_file_that_cannot_be_read_again_says_why(project, folder):
    path = folder / "model.xml"
    path.unlink()
    assert reread_file(path, project.parsed(path)).is_missing


def test_a_text_can_be_kept_though_the_disk_has_another(project, folder):
    path = folder / "model.xml"
    path.write_text(MODEL.replace('"0.1"', '"0.7"'))
    project.keep_ours(path, read_file(path))
    assert project.text(path) == MODEL and project.modified == [str(path)]
    write_file(project.prepare_save(path))
    assert path.read_text() == MODEL


def test_a_new_file_is_part_of_the_step_that_fills_it(tmp_path):
    (tmp_path / "a.xml").write_text("<mujoco/>")
    project = Project()
    project.open(read_file(str(tmp_path / "a.xml")))
    new = project.add(str(tmp_path / "b.xml"), "<x/>")
    assert project.files == [str(tmp_path / "a.xml")] and not project.modified and project.undo_name is None
    project.apply("Fill", [Insert(project.tree(new), "<geom/>")])
    assert project.modified == [new] and new in project.files
    with pytest.raises(FileExistsError):
        project.add(new, "<x/>")
    project.undo()
    assert not project.modified and new not in project.files and project.add(new, "<y/>") == new


def test_documents_of_files_beside_the_open_one(tmp_path):
    (tmp_path / "main.xml").write_text('<mujoco><asset><model file="arm.xml"/></asset></mujoco>')
    (tmp_path / "arm.xml").write_text('<mujoco><include file="part.xml"/></mujoco>')
    (tmp_path / "part.xml").write_text("<mujoco/>")
    project = Project()
    main = project.open(read_file(tmp_path / "main.xml"))
    project.provide(read_file(tmp_path / "part.xml"), read_file(tmp_path / "arm.xml"))
    opened, arm = project.models
    assert opened is project.snapshot(main).document and arm.files == [
        str(tmp_path / f"{n}.xml") for n in ("arm", "part")
    ]
    assert project.document_of(tmp_path / "part.xml") is arm and project.document_of(tmp_path / "x.xml") is None
    project.apply("Set model", {main: [Edit(7, 7, ' model="m"')]})
    assert project.models[1] is arm
    project.apply("Set model", {str(tmp_path / "part.xml"): [Edit(7, 7, ' model="p"')]})
    assert project.models[1] is not arm


def test_large_steps_are_undone_and_redone_with_the_trees_that_were_there(tmp_path):
    """Also those before the last one, down to the bytes of the disk, and only within a limit of memory."""
    path = tmp_path / "many.xml"
    path.write_text("<mujoco>" + '<geom size="1"/>' * MANY_EDITS + "</mujoco>")
    project = Project()
    project.open(read_file(path))
    trees = [project.parsed(str(path))]
    for number in (2, 3, 4):
        text = trees[-1].source.text
        places = [place for place in range(len(text)) if text.startswith('size="', place)]
        project.apply(f"Set {number}", {str(path): [Edit(k + 6, k + 7, str(number)) for k in places]})
        trees.append(project.parsed(str(path)))
    for tree in reversed(trees[:-1]):
        project.undo()
        assert project.parsed(str(path)).source.text == tree.source.text
        assert project.parsed(str(path)).root is tree.root
    assert not project.modified
    for tree in trees[1:]:
        project.redo()
        assert project.parsed(str(path)).root is tree.root


def many_geoms(folder):
    """A project with a file in which a step can be large: (project, path, what sets the sizes of all geoms)."""
    path = folder / "many.xml"
    path.write_text('<mujoco><worldbody name="w">' + '<geom size="1"/>' * MANY_EDITS + "</worldbody></mujoco>")
    project = Project()
    key = project.open(read_file(path))

    def set_all(value, merge=None):
        geoms = project.tree(key).find("worldbody").children
        assert project.apply(f"Set {value}", [SetAttribute(geom, "size", value) for geom in geoms], merge)

    return project, key, set_all


def seen(project, key):
    return project.text(key), [node.id for node in project.tree(key).iter()]


def small_steps(project, key):
    for number in range(3):
        geoms = project.tree(key).find("worldbody").children
        project.apply("Set", [SetAttribute(geoms[2], "size", f"7{number}")])
        project.apply("Remove", [Remove(geoms[4])])
        project.apply("Insert", [Insert(geoms[0].parent, "<site/>", 1)])


def tree_of(project, key):
    """The tree of the present text: the same object as before where nothing was parsed."""
    return project.parsed(key).syntax.root


def test_large_steps_with_small_ones_between_are_undone_and_redone_with_the_trees_that_were_there(tmp_path):
    project, key, set_all = many_geoms(tmp_path)
    trees, states = [tree_of(project, key)], [seen(project, key)]
    for value in ("2", "3"):
        set_all(value)
        trees.append(tree_of(project, key))
        states.append(seen(project, key))
        small_steps(project, key)
        trees.append(tree_of(project, key))
        states.append(seen(project, key))
    for number, steps in ((3, 9), (2, 1), (1, 9), (0, 1)):
        for _ in range(steps):
            project.undo()
        assert seen(project, key) == states[number]
        assert steps > 1 or tree_of(project, key) is trees[number]
    assert not project.modified
    for number, steps in ((1, 1), (2, 9), (3, 1), (4, 9)):
        for _ in range(steps):
            project.redo()
        assert seen(project, key) == states[number]
        assert steps > 1 or tree_of(project, key) is trees[number]


def test_large_steps_that_became_one_are_undone_with_the_tree_that_was_there(tmp_path):
    """A slider that sets very many elements."""
    project, key, set_all = many_geoms(tmp_path)
    before, tree = seen(project, key), tree_of(project, key)
    for value in range(2, 6):
        set_all(str(value), merge="slider")
    after, tree_after = seen(project, key), tree_of(project, key)
    assert len(project.undo_names) == 1
    project.undo()
    assert seen(project, key) == before and tree_of(project, key) is tree
    project.redo()
    assert seen(project, key) == after and tree_of(project, key) is tree_after


def test_the_removal_of_much_text_is_undone_with_the_tree_that_was_there(tmp_path):
    project, key, set_all = many_geoms(tmp_path)
    set_all("0." + "1" * 100)
    before, tree = seen(project, key), tree_of(project, key)
    project.apply("Remove", [Remove(project.tree(key).find("worldbody"))])
    project.undo()
    assert seen(project, key) == before and tree_of(project, key) is tree


def test_a_reload_of_much_text_is_undone_with_the_tree_that_was_there(tmp_path):
    project, key, _ = many_geoms(tmp_path)
    before, tree = seen(project, key), tree_of(project, key)
    path = tmp_path / "many.xml"
    path.write_text(path.read_text().replace('"1"', f'"0.{"1" * 100}"'))
    assert project.external_change(read_file(path)) is External.RELOADED
    after, tree_after = seen(project, key), tree_of(project, key)
    project.undo()
    assert seen(project, key) == before and tree_of(project, key) is tree and project.modified
    project.redo()
    assert seen(project, key) == after and tree_of(project, key) is tree_after and not project.modified


def test_trees_of_large_steps_are_kept_within_a_limit(tmp_path, monkeypatch):
    """Older steps are undone by their edits. Nothing is kept for steps that cannot be undone any more."""
    project, key, set_all = many_geoms(tmp_path)
    monkeypatch.setattr("kinetree.engine.document.project.KEPT_TEXT", 2 * len(project.text(key)) + 10)
    trees, states = [tree_of(project, key)], [seen(project, key)]
    for value in "2345":
        set_all(value)
        trees.append(tree_of(project, key))
        states.append(seen(project, key))
    for number in (3, 2, 1, 0):
        project.undo()
        assert seen(project, key) == states[number]
        assert (tree_of(project, key) is trees[number]) == (number >= 2)
    set_all("9")
    assert len(project._large) == 1
    project.close(key, discard=True)
    assert not project._large
