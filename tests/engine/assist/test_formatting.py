"""Formatting changes white space alone, and nothing the second time."""

import pytest

import kinetree
from kinetree.engine.assist.formatting import CannotFormat, format_edits
from kinetree.engine.document.document import Document
from kinetree.engine.document.edit import apply
from kinetree.engine.document.subtree import Subtree
from tests import corpus
from tests.conftest import ROOT
from tests.engine.assist.compiled import different


def formatted(text: str, unit: str | None = None) -> str:
    document = Document.from_string(text)
    return apply(text, format_edits(document, document.path, unit))


def shape(subtree: Subtree):
    values = [(each[0], each[1] if subtree.located else each[1] or each[2]) for each in subtree.values]
    return subtree.tag, values, [shape(child) for child in subtree.children]


def test_layout() -> None:
    text = """
<mujoco   model="a" >
<worldbody><body name = 'x'
   pos="0 0 1"    quat="1 0 0 0"><geom/><!-- c --><geom
 size="1"
 type="box"/> <!-- end -->


<!-- two
   lines --><fixed><joint/>  <joint/></fixed></body></worldbody></mujoco>
"""
    assert (
        formatted(text)
        == """<mujoco model="a">
  <worldbody>
    <body name='x'
          pos="0 0 1" quat="1 0 0 0">
      <geom/> <!-- c -->
      <geom
        size="1"
        type="box"/> <!-- end -->

      <!-- two
   lines -->
      <fixed><joint/> <joint/></fixed>
    </body>
  </worldbody>
</mujoco>
"""
    )


def test_the_unit_and_the_line_break_are_those_of_the_text() -> None:
    assert formatted("<mujoco>\r\n\t<asset>\r\n<mesh/></asset></mujoco>") == (
        "<mujoco>\r\n\t<asset>\r\n\t\t<mesh/>\r\n\t</asset>\r\n</mujoco>"
    )
    assert formatted("<a><b>\n<c/></b></a>", "    ") == "<a>\n    <b>\n        <c/>\n    </b>\n</a>"


def test_the_end_of_empty_tags_is_that_of_most_of_them() -> None:
    assert formatted("<a><b /><c /><d/></a>") == "<a><b /><c /><d /></a>"


def test_character_data_is_left_alone() -> None:
    text = "<a>\n<b>  text <c/>  <d> </d></b>\n<e><![CDATA[ x ]]> </e></a>"
    assert formatted(text) == "<a>\n  <b>  text <c/>  <d> </d></b>\n  <e><![CDATA[ x ]]> </e>\n</a>"


@pytest.mark.parametrize("text", ["<a", "<a><b></a>", '<a b="1></a>'])
def test_a_broken_text_is_not_formatted(text: str) -> None:
    with pytest.raises(CannotFormat, match="line 1"):
        formatted(text)


def test_every_model_keeps_its_meaning_and_is_formatted_once(shared) -> None:
    done = 0
    for listed in corpus.listed(shared / "corpus"):
        if listed.path.suffix not in (".xml", ".urdf") or listed.loads != "yes":
            continue
        document = Document.load(listed.path)
        edits = format_edits(document, document.path)
        text = document.source.text
        assert all(not (text[edit.start : edit.end] + edit.text).strip(" \t\r\n=") for edit in edits)
        after = document.with_text(apply(text, edits))
        assert shape(after.root.subtree) == shape(document.root.subtree), listed.place
        assert format_edits(after, after.path) == [], listed.place
        done += 1
    assert done > 100


@pytest.mark.parametrize("name", ["walker", "hand"])
def test_the_compiled_model_is_the_same(name: str) -> None:
    path = ROOT / "resources" / "models" / f"{name}.xml"
    text = path.read_text(encoding="utf-8")
    after = formatted(text)
    assert after != text
    assert different(kinetree.load(path), kinetree.load_string(after, base=path.parent)) == []
