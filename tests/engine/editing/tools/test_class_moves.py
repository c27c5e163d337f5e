"""Default classes that are moved and merged leave the compiled model as it was."""

from __future__ import annotations

import itertools

import pytest

from kinetree.engine.compile.compiler import compile_document
from kinetree.engine.document.document import Document
from kinetree.engine.document.tree import Node
from kinetree.engine.editing.tools.class_moves import NoClass, merge, move
from tests.engine.editing.structural import Edited
from tests.engine.editing.tools.test_classes import CORPUS, OWN, assert_same, document_of, opened

TEXT = """<mujoco>
  <default>
    <geom friction="0.5"/>
    <default class="outer">
      <geom rgba="1 0 0 1" density="700"/>
      <default class="inner">
        <geom size=".2"/>
        <joint damping="1"/>
      </default>
    </default>
    <default class="other">
      <geom rgba="1.0 0 0 1" condim="4"/>
    </default>
    <default class="tilted"><geom euler="0 0 10"/></default>
  </default>
  <worldbody>
    <body name="a" childclass="outer">
      <geom name="one" size="0.2"/>
      <body name="b"><joint class="inner"/><geom name="two" class="inner"/></body>
      <geom name="three" class="other" size=".1"/>
    </body>
  </worldbody>
</mujoco>
"""


def class_(document: Document, name: str) -> Node:
    return next(node for node in document.root.iter("default") if node.get("class") == name)


def changed(edits, text: str = TEXT) -> str:
    edited = Edited(text=text)
    before = compile_document(edited.document).model
    made = edits(edited.document)
    edited.step(made)
    edited.project.apply("Edit", made)
    assert_same(before, compile_document(edited.document).model)
    return edited.project.text(edited.path)


def test_a_class_that_moves_keeps_what_it_took_from_the_classes_around_it():
    text = changed(lambda document: move(document, [class_(document, "inner")], class_(document, "other"), None))
    assert (
        """    <default class="other">
      <geom rgba="1.0 0 0 1" condim="4"/>
      <default class="inner">
        <geom size=".2" condim="3" density="700"/>
        <joint damping="1"/>
      </default>
    </default>
"""
        in text
    )


def test_the_elements_of_a_merged_class_say_what_is_different():
    text = changed(lambda document: merge(document, [class_(document, "outer")], class_(document, "other")))
    assert '<geom name="one" size="0.2" condim="3" density="700"/>' in text and 'childclass="other"' in text
    assert '<geom name="two" class="inner"/>' in text and '<geom size=".2" condim="3" density="700"/>' in text
    assert "outer" not in text
    again = changed(lambda document: merge(document, [class_(document, "inner")], class_(document, "outer")))
    assert '<geom name="two" size=".2" class="outer"/>' in again.replace(
        ' class="outer" size=".2"', ' size=".2" class="outer"'
    )


@pytest.mark.parametrize(
    ("edits", "why"),
    [
        (lambda d: move(d, [class_(d, "inner")], class_(d, "tilted")), "cannot be without euler"),
        (lambda d: merge(d, [class_(d, "inner")], class_(d, "tilted")), "cannot be without euler"),
        (lambda d: merge(d, [class_(d, "outer")], class_(d, "inner")), "stands in a class"),
        (lambda d: merge(d, [d.root.children[0]], class_(d, "inner")), "outermost"),
        (lambda d: merge(d, [class_(d, "inner")], d.root), "is no default class"),
        (lambda d: move(d, [d.root.children[1]], class_(d, "inner")), "is no default class"),
    ],
)
def test_what_cannot_be_is_refused(edits, why):
    with pytest.raises(NoClass, match=why):
        edits(Edited(text=TEXT).document)


def test_what_a_kind_of_actuator_implies_is_kept():
    """The dynamics of <intvelocity> in a class are those of all actuators of the class, and no attribute says so."""
    text = TEXT.replace("</worldbody>", '</worldbody><actuator><velocity class="slow" joint="j"/></actuator>')
    text = text.replace("<joint class", '<joint name="j" class').replace(
        '<default class="tilted">',
        '<default class="slow"><velocity kv="2"/></default><default class="int"><intvelocity kp="2"/></default><default class="tilted">',
    )
    document = Edited(text=text).document
    for tool in (merge, move):
        with pytest.raises(NoClass, match="other gains or dynamics"):
            tool(document, [class_(document, "slow")], class_(document, "int"))


@pytest.mark.parametrize("path", [*OWN, *CORPUS[2::23]], ids=lambda path: path.name)
def test_classes_of_models(path):
    project = opened(path)
    before = compile_document(document_of(project)).model
    for tool in (merge, move):
        document = document_of(project)
        classes = [node for node in document.merged.iter("default") if (node.parent or node).tag == "default"]
        for one, two in itertools.islice(itertools.permutations(classes, 2), 12):
            nodes = [each for each in map(document.node, (one.id, two.id)) if each is not None]
            try:
                made = tool(document, nodes[:1], nodes[1])
                project.apply("Edit", made)
            except ValueError:
                continue
            assert_same(before, compile_document(document_of(project)).model)
            project.undo()
            assert document_of(project).source.text == document.source.text
