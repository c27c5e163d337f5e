"""Files that other models include, whatever their root element, in a client of the protocol."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from tests.app.language_server.test_server import Client, applied, cut, place, session

ARM = """<mujoco>
  <default>
    <default class="soft"><geom solref="0.1 1"/></default>
  </default>
  <worldbody>
    <body name="arm"><geom name="skin" class="soft" material="steel" size="1"/></body>
  </worldbody>
</mujoco>
"""
SCENE = """<mujoco>
  <include file="parts/arm.xml"/>
  <asset><material name="steel" rgba="0 1 0 1"/></asset>
  <worldbody>
    <geom class="soft" size="2"/>
  </worldbody>
</mujoco>
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "arm.xml").write_text(ARM)
    (tmp_path / "scene.xml").write_text(SCENE)
    (tmp_path / "second.xml").write_text(SCENE)
    return tmp_path


def changed(edit: types.WorkspaceEdit, **texts: str) -> dict[str, str]:
    """The texts that an edit changes, as they are afterwards, by the name of the file."""
    assert edit.changes is not None
    return {Path(uri).stem: applied(texts[Path(uri).stem], list(edits)) for uri, edits in edit.changes.items()}


def test_a_part_that_is_open_alone(folder: Path) -> None:
    arm, scene = folder / "parts" / "arm.xml", folder / "scene.xml"

    async def body(client: Client) -> None:
        document = client.open(arm)
        there = place(ARM, 'material="st')
        hover = await client.text_document_hover_async(types.HoverParams(document, there))
        assert "steel" in hover.contents.value and "scene.xml" in hover.contents.value
        (found,) = await client.text_document_definition_async(types.DefinitionParams(document, there))
        assert (found.uri, cut(SCENE, found.range)) == (scene.as_uri(), "steel")
        items = await client.text_document_completion_async(types.CompletionParams(document, place(ARM, 'material="')))
        assert [item.label for item in items.items] == ["steel"]
        context = types.ReferenceContext(include_declaration=True)
        there = place(ARM, 'class="so')
        found = await client.text_document_references_async(types.ReferenceParams(context, document, there))
        assert sorted(Path(each.uri).name for each in found) == ["arm.xml", "arm.xml", "scene.xml", "second.xml"]
        edit = await client.text_document_rename_async(types.RenameParams(document, there, "hard"))
        assert changed(edit, arm=ARM, scene=SCENE, second=SCENE) == {
            "arm": ARM.replace("soft", "hard"),
            "scene": SCENE.replace("soft", "hard"),
            "second": SCENE.replace("soft", "hard"),
        }
        await client.until(lambda: scene.as_uri() in client.found)
        assert not any(client.found.values())  # nothing is missing: it is examined within its model
        # The finding is about the part as the model has it.
        where = place(ARM, 'material="')
        client.type(arm, where.line, where.character, where.character + len("steel"), "stool")
        await client.until(lambda: bool(client.found.get(arm.as_uri())))
        assert [item.code for item in client.found[arm.as_uri()]] == ["undefined-reference"]

    session(body)


def test_texts_that_are_not_saved(folder: Path) -> None:
    """Includes are read from the open texts, not from those on the disk."""
    arm, scene, new = folder / "parts" / "arm.xml", folder / "scene.xml", folder / "new.xml"

    async def body(client: Client) -> None:
        client.open(scene, SCENE.replace('<include file="parts/arm.xml"/>', ""))
        client.open(new, SCENE.replace("steel", "brass"))
        document = client.open(arm)
        there = place(ARM, 'class="so')
        context = types.ReferenceContext(include_declaration=False)
        found = await client.text_document_references_async(types.ReferenceParams(context, document, there))
        assert sorted(Path(each.uri).name for each in found) == ["arm.xml", "new.xml", "second.xml"]
        client.type(scene, 1, 2, 2, '<include file="parts/arm.xml"/>')
        found = await client.text_document_references_async(types.ReferenceParams(context, document, there))
        assert sorted(Path(each.uri).name for each in found) == ["arm.xml", "new.xml", "scene.xml", "second.xml"]
        # Only the second of the models that are open declares it.
        (found,) = await client.text_document_definition_async(
            types.DefinitionParams(document, place(ARM, 'material="st'))
        )
        assert found.uri == scene.as_uri()

    session(body)


def test_findings_about_a_part_of_two_models(folder: Path) -> None:
    arm, scene, second = folder / "parts" / "arm.xml", folder / "scene.xml", folder / "second.xml"

    async def body(client: Client) -> None:
        for path in (arm, scene, second):
            client.open(path)
        await client.until(lambda: {scene.as_uri(), second.as_uri()} <= set(client.found))
        assert not any(client.found.values())
        where = place(SCENE, 'material name="')
        client.type(second, where.line, where.character, where.character + len("steel"), "brass")
        await client.until(lambda: bool(client.found.get(arm.as_uri())))
        client.type(scene, 4, 0, 0, "<nothing/>")  # the other model is examined again, and finds nothing in the part
        await client.until(lambda: bool(client.found[scene.as_uri()]))
        assert [item.code for item in client.found[arm.as_uri()]] == ["undefined-reference"]
        client.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(second.as_uri())))
        await client.until(lambda: not client.found[arm.as_uri()])

    session(body)


def test_a_rename_is_refused_where_users_are_out_of_sight(folder: Path) -> None:
    arm, lone = folder / "parts" / "arm.xml", folder / "lone.xml"
    (folder / "broken.xml").write_text("<mujoco><worldbody></mujoco>" + '<include file="parts/arm.xml"/>')
    lone.write_text(ARM)

    async def body(client: Client) -> None:
        for path, reason in ((arm, r"broken\.xml' seems to include"), (lone, r"lone\.xml' seems to be a part")):
            document = client.open(path)
            parameters = types.RenameParams(document, place(ARM, 'class="so'), "hard")
            with pytest.raises(JsonRpcException, match=reason):
                await client.text_document_rename_async(parameters)

    session(body)


def test_text_in_an_element_is_underlined(tmp_path: Path) -> None:
    path = tmp_path / "model.xml"
    path.write_text('<mujoco>\n  <worldbody><!-- é --> --> x <geom size="1"/></worldbody>\n</mujoco>\n')

    async def body(client: Client) -> None:
        client.open(path)
        await client.until(lambda: bool(client.found.get(path.as_uri())))
        (item,) = client.found[path.as_uri()]
        assert (item.code, item.severity) == ("ignored-text", types.DiagnosticSeverity.Warning)
        assert cut(path.read_text(), item.range) == "--> x"

    session(body)
