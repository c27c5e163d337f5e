import gc
from pathlib import Path

import pytest

from kinetree.engine.diagnostics import Diagnostics
from kinetree.engine.document import scanner
from kinetree.engine.document.document import Document
from kinetree.engine.document.parsed import ParsedSource
from kinetree.engine.document.source import Source, Span, read_source
from kinetree.engine.document.tree import Attribute, Node, let_go_later, parse
from tests.conftest import ROOT, SHARED
from tests.patience import grows_linearly, work

DATA = ROOT / "tests" / "data" / "document"

TEXT = """<?xml version="1.0"?>
<!-- a comment -->
<mujoco model='one "two"'>
\t<worldbody>
\t\t<body name="a &amp; b"  pos = "1 2 3">
\t\t\t<geom/> text &lt; more
\t\t\t<geom></geom><![CDATA[<raw> & ]]>
\t\t</body >
\t\t<light/>
\t\t<body/>
\t</worldbody>
</mujoco>
"""


@pytest.fixture
def root():
    return Document.from_string(TEXT, name="m.xml").root


def test_nodes_and_attributes(root):
    assert root.tag == "mujoco"
    assert root.parent is None
    assert root.get("model") == 'one "two"'
    body = root.find("worldbody").find("body")
    assert body.parent.tag == "worldbody"
    assert [attribute.name for attribute in body.attributes] == ["name", "pos"]
    assert body.get("name") == "a & b"
    assert body.attribute("name").raw == "a &amp; b"
    assert body.get("none") is None
    assert body.get("none", "x") == "x"
    assert body.attribute("none") is None
    assert root.find("none") is None
    assert [node.tag for node in root.iter()] == [
        "mujoco",
        "worldbody",
        "body",
        "geom",
        "geom",
        "light",
        "body",
    ]
    assert [node.tag for node in root.iter("geom")] == ["geom", "geom"]
    assert [node.tag for node in body.ancestors()] == ["worldbody", "mujoco"]


def test_spans(root):
    body = root.find("worldbody").find("body")
    first, second = body.children
    assert body.span.text.startswith("<body name") and body.span.text.endswith("</body >")
    assert body.tag_span.text == "body"
    assert body.head_span.text == '<body name="a &amp; b"  pos = "1 2 3">'
    assert body.tail_span.text == "</body >"
    assert body.content_span.text.startswith("\n\t\t\t<geom/>")
    assert first.self_closing and not second.self_closing and not body.self_closing
    assert first.tail_span.text == first.content_span.text == ""
    assert second.tail_span.text == "</geom>"
    position = body.attribute("pos")
    assert position.name_span.text == "pos"
    assert position.value_span.text == "1 2 3"
    assert position.span.text == 'pos = "1 2 3"'
    assert position.quote == '"'
    assert root.attribute("model").quote == "'"
    assert root.attribute("model").value_span.text == 'one "two"'
    assert [span.text for span in body.text_spans] == ["text &lt; more", "<raw> & "]
    assert body.text == "text < more<raw> & "


def test_lines_and_columns_count_characters(root):
    body = root.find("worldbody").find("body")
    assert (body.line, body.column) == (5, 3)
    assert (body.attribute("name").line, body.attribute("name").column) == (5, 15)
    assert (body.location.end_line, body.location.end_column) == (5, 8)
    assert (body.span.end_line, body.span.end_column) == (8, 11)
    wide = Document.from_string("<a ключ='日本語😀' b='1'/>").root
    assert wide.attribute("b").column == 19


def test_paths(root):
    world = root.children[0]
    assert [node.path() for node in root.iter()] == [
        "mujoco",
        "mujoco/worldbody",
        "mujoco/worldbody/body[1]",
        "mujoco/worldbody/body[1]/geom[1]",
        "mujoco/worldbody/body[1]/geom[2]",
        "mujoco/worldbody/light",
        "mujoco/worldbody/body[2]",
    ]
    assert world.children[2].path() == "mujoco/worldbody/body[2]"


def test_the_element_at_an_offset(root):
    for node in root.iter():
        assert root.at(node.start) is node
        assert root.at(node.tag_span.start) is node
        assert root.at(node.end - 1) is node
    assert root.at(0) is None
    assert root.at(len(TEXT)) is None
    assert root.at(TEXT.index("text &lt;")).tag == "body"


def test_spans_compare():
    source = Source("f", None, "abc", None)
    assert Span(source, 0, 2) == Span(source, 0, 2)
    assert Span(source, 0, 2) != Span(source, 0, 3)
    assert len({Span(source, 0, 2), Span(source, 0, 2)}) == 1
    assert Span(source, 0, 2) != "ab"


def test_tokens_cover_the_text():
    texts = [TEXT, *(read_source(path).text for path in sorted(DATA.glob("*.xml")))]
    for text in texts:
        position = 0
        for kind, start, end, name, name_start, attributes in scanner.scan(text, lambda *report: None):
            assert not text[position:start].strip()
            assert start >= position
            assert end > start
            if kind <= scanner.UNCLOSED and name:
                assert text.startswith(name, name_start)
                if isinstance(attributes, tuple):
                    region, attributes = attributes, scanner.attributes(text, *attributes)
                    pairs = [(a, one or two) for a, one, two in scanner.names_and_values(text, *region)]
                    assert pairs == [(a, text[i:j]) for a, _, i, j in attributes]
                for attribute, name_at, value_start, value_end in attributes:
                    assert text.startswith(attribute, name_at)
                    assert start < name_at < value_start <= value_end <= end
            position = end
        assert not text[position:].strip()


@pytest.mark.skipif(not SHARED.exists(), reason="needs ../shared")
def test_the_tree_is_that_of_another_parser():
    """Every file of the corpus that lxml reads gives the same elements, attributes and lines here."""
    etree = pytest.importorskip("lxml.etree")
    compared = 0
    for path in sorted((SHARED / "corpus").rglob("*.xml")):
        try:
            other = etree.fromstring(path.read_bytes(), etree.XMLParser(huge_tree=True))
        except etree.XMLSyntaxError:
            continue
        compared += 1
        document = Document.load(path)
        nodes = list(document.root.iter())
        others = [element for element in other.iter() if isinstance(element.tag, str)]
        assert [node.tag for node in nodes] == [element.tag for element in others]
        for node, element in zip(nodes, others):
            ours = {a.name: " ".join(a.value.split()) for a in node.attributes}
            assert ours == {name: " ".join(value.split()) for name, value in element.attrib.items()}
            # lxml gives the line on which the start tag ends.
            assert node.head_span.end_line == element.sourceline or element.sourceline >= 65535
    assert compared > 800


def model_text(size: int) -> str:
    body = '\n      <geom name="left_{0}" class="thigh" type="capsule" fromto="0 0 0 0 .01 -.34" size=".06"/>'
    lines = [body.format(i) for i in range(size // len(body))]
    return "<mujoco><worldbody>" + "".join(lines) + "</worldbody></mujoco>"


def test_a_model_is_parsed_with_little_work():
    """About a millisecond."""
    sources = [Source("m.xml", None, model_text(size), None) for size in (11_000, 22_000)]
    small, large = (work(lambda source=source: parse(source, Diagnostics())) for source in sources)
    assert small < 1.2 * 11_000 and large < 2.1 * small  # lines of Python; about 0.6 for each character


@pytest.mark.slow("ten megabytes of text")
def test_ten_megabytes_are_parsed():
    """About 1.5 s."""
    grows_linearly(lambda share: parse(Source("m.xml", None, model_text(int(share * 10_000_000)), None), Diagnostics()))
    gc.collect()


def nodes_left(source: Source) -> list:
    """Nodes and attributes of a source that are in memory."""
    kinds = Node, Attribute
    return [each for each in gc.get_objects() if isinstance(each, kinds) and each.source is source]


@pytest.fixture
def no_search():
    """Python does not search for garbage."""
    gc.disable()
    yield
    gc.enable()


def test_the_tree_of_a_text_that_goes_is_freed_without_a_search_for_garbage(no_search):
    document = Document.from_string(TEXT)
    node = document.root
    assert sum(len(node.attributes) for node in node.iter()) == 3
    source = document.source
    assert len(nodes_left(source)) == 7 + 3
    following = document.with_text(TEXT + "\n")
    assert following.root.find("worldbody") is not None
    del document, node
    assert nodes_left(source) == []


def test_a_merged_tree_goes_with_its_document(no_search, tmp_path):
    (tmp_path / "part.xml").write_text("<mujoco><worldbody><geom size='1'/></worldbody></mujoco>")
    (tmp_path / "model.xml").write_text("<mujoco><include file='part.xml'/><worldbody/></mujoco>")
    document = Document.load(tmp_path / "model.xml")
    assert [node.tag for node in document.merged.iter()] == ["mujoco", "worldbody", "geom", "worldbody"]
    assert [node.get("size") for node in document.merged.iter("geom")] == ["1"]
    sources = list(document.sources.values())
    assert len(sources) == 2
    del document
    assert [nodes_left(source) for source in sources] == [[], []]


def test_a_node_that_is_held_outlives_its_text(no_search):
    document = Document.from_string(TEXT)
    body = document.root.find("worldbody").find("body")
    pos = body.attribute("pos")
    del document
    assert body.path() == "mujoco/worldbody/body[1]"
    assert [child.tag for child in body.children] == ["geom", "geom"]
    assert all(child.parent is body for child in body.children)
    assert body.get("name") == "a & b" and pos.value_span.text == "1 2 3" and pos.node is body
    assert body.parent.find("light").line == 9


def test_trees_that_go_wait_for_who_wants_to_let_them_go_later(no_search):
    going = []
    let_go_later(going.append)
    try:
        parsed = ParsedSource.parse(Source("many.xml", None, "<a>" + "<b c='1'/>" * 350 + "</a>", Path()))
        assert sum(len(node.attributes) for node in parsed.root.iter()) == 350
        source = parsed.source
        del parsed
    finally:
        let_go_later(None)
    assert len(nodes_left(source)) == 351 + 350
    (steps,) = going
    going.clear()
    next(steps)
    assert 0 < len(nodes_left(source)) < 351 + 350
    assert sum(1 for _ in steps) == 2
    assert nodes_left(source) == []
