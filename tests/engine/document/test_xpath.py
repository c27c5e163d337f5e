"""XPath over a document's tree."""

from __future__ import annotations

import pytest

from kinetree.engine.document.document import Document
from kinetree.engine.document.tree import Attribute
from kinetree.engine.document.xpath import MAX_LENGTH, Selector, XPathError, select
from tests.patience import ends

TEXT = """<mujoco model="m">
  <worldbody>
    <body name="a"><geom name="g" type="box" size="1 2 3"/><geom/>words</body>
    <body name='b &amp; "c"'><joint/><geom type="sphere" a:b="1" n\u00e4me="x\x01"/></body>
  </worldbody>
</mujoco>
"""


@pytest.fixture(scope="module")
def root():
    return Document.from_string(TEXT).root


@pytest.mark.parametrize(
    ("expression", "found"),
    [
        ("//body", ["a", 'b & "c"']),
        ("/mujoco/worldbody/body[2]", ['b & "c"']),
        ("//body[joint]", ['b & "c"']),
        ("//geom[@type='box' and not(@material)]/..", ["a"]),
        ("//*[contains(@size, '2')]", ["g"]),
        ("//body[.//geom[@size]]", ["a"]),
        ("//body[contains(., 'words')]", ["a"]),
        ("//body[count(geom) = 2]/geom[last()]", [None]),
        ("//none", []),
        ("//geom[@name] | //body", ["a", "g", 'b & "c"']),
    ],
)
def test_elements(root, expression, found):
    assert [node.get("name") for node in select(root, expression)] == found


def test_nodes_are_those_of_the_tree(root):
    body = root.children[0].children[1]
    assert select(root, "//body[2]") == [body]
    [name] = select(root, "//body[2]/@name")
    assert isinstance(name, Attribute) and name is body.attribute("name")
    assert select(root, "//text()[contains(., 'words')]") == [root.children[0].children[0]]


def test_names_and_characters_that_xml_does_not_allow(root):
    geom = root.children[0].children[1].children[1]
    assert select(root, "//geom[@a_b]") == [geom]
    assert select(root, "//@a_b") == [geom.attribute("a:b")]
    for text in ("<\u00e9/>", "<a:b c:d='\x02'>\x03</a:b>", "", "<a", "<_1-.x/>"):
        assert len(Selector(Document.from_string(text).root)) == 1


@pytest.mark.parametrize(
    ("expression", "said", "position"),
    [
        ("", "empty", None),
        ("//geom[", "at its end", 7),
        ("//geom[@x=]/a", 'at "]/a"', 10),
        ('//*[@a="', "a quote is not closed", None),
        ("foo:bar", "no prefix", None),
        ("re:test('a', 'b')", "no prefix", None),
        ("//geom[ends-with(@a, 'b')]", "no such function", None),
        ("document('/etc/passwd')", "no such function", None),
        ("//body[$x]", "no variables", None),
        ("count(//geom)", "gives a number", None),
        ("'a'", "gives a text", None),
        ("1 = 1", "gives true or false", None),
        ("//body/namespace::*", "neither elements", None),
        ("//a[@b='\x00']", "character", None),
        ("//a" * MAX_LENGTH, "longer than", None),
    ],
)
def test_mistakes(root, expression, said, position):
    with pytest.raises(XPathError, match=said) as caught:
        select(root, expression)
    assert caught.value.position == position


def test_work_is_bounded():
    text = "<a>" + '<b c="1"><d/></b>' * 6000 + "</a>"
    selector = Selector(Document.from_string(text).root)
    assert len(selector) == 12001
    for expression in (
        "//*[count(//*) = 1]",
        "//b[//b[//d]]",
        "//b[d and //c]",
        "//d/following::b",
        "//b[preceding-sibling::b]",
    ):
        with pytest.raises(XPathError, match="too much work"):
            selector.select(expression)
    for expression in (
        "//b[d]",
        "//b[.//d]/@c",
        "/a/b[2]//d",
        "//b[@c='//'][2]",
        "//b/ancestor::*",
        "//*//*//*",
    ):
        with ends():
            selector.select(expression)


def test_included_elements_are_found(tmp_path):
    (tmp_path / "m.xml").write_text('<mujoco><worldbody><include file="p.xml"/></worldbody></mujoco>')
    (tmp_path / "p.xml").write_text('<mujoco><body name="p"/></mujoco>')
    [body] = select(Document.load(tmp_path / "m.xml").merged, "/mujoco/worldbody/body")
    assert body.source.path.endswith("p.xml")
