import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kinetree.engine.document import change
from kinetree.engine.document.document import Document
from kinetree.engine.document.edit import apply, inverse
from tests.conftest import ROOT, SHARED

DATA = ROOT / "tests" / "data" / "document"


def changed(text: str, element_edit) -> str:
    """The text after edit(document)'s changes; checks that they can be taken back."""
    document = Document.from_string(text)
    changes = element_edit(document)
    assert set(changes) <= {document.path}
    edits = changes.get(document.path, [])
    result = document.with_edits(changes).source.text
    assert apply(result, inverse(text, edits)) == text
    return result


def node(document: Document, path: str):
    return next(item for item in document.merged.iter() if item.path() == path)


# Attributes


@pytest.mark.parametrize(
    ("text", "name", "value", "expected"),
    [
        ('<a x="1"/>', "x", "2 3", '<a x="2 3"/>'),
        ("<a x='1'   y = \"2\" />", "y", "3", "<a x='1'   y = \"3\" />"),
        ("<a x='1'/>", "x", 'it\'s "&<>"', "<a x='it&apos;s \"&amp;&lt;>\"'/>"),
        ('<a x="1"/>', "x", "it's \"", '<a x="it\'s &quot;"/>'),
        ('<a x="&#65;"/>', "x", "A", '<a x="&#65;"/>'),
        ('<a x=""/>', "x", "", '<a x=""/>'),
        ("<a x=1/>", "x", "2", '<a x="2"/>'),
        ("<a/>", "x", "1", '<a x="1"/>'),
        ("<a />", "x", "1", '<a x="1" />'),
        ("<a></a>", "x", "1", '<a x="1"></a>'),
        ("<a y='2'/>", "x", "1", "<a y='2' x='1'/>"),
        ("<a y='2' />", "x", "1", "<a y='2' x='1' />"),
        ('<a y = "2"></a>', "x", "1", '<a y = "2" x = "1"></a>'),
        ('<a y="2"\n   z="3"/>', "x", "1", '<a y="2"\n   z="3"\n   x="1"/>'),
        ('<a\r\n\ty="2"\r\n/>', "x", "1", '<a\r\n\ty="2"\r\n\tx="1"\r\n/>'),
        ('<a y="2" z="3"\n   u="4" v="5"/>', "x", "1", '<a y="2" z="3"\n   u="4" v="5" x="1"/>'),
        ('<a y="2" z="3"\n   u="4"/>', "x", "1", '<a y="2" z="3"\n   u="4" x="1"/>'),
        ('<a y="2"\r\n z="3"/>', "y", "1\n2", '<a y="1\r\n2"\r\n z="3"/>'),
        ('<a y="2"/>', "y", "a\rb\tc", '<a y="a&#13;b\tc"/>'),
    ],
)
def test_set_attribute(text, name, value, expected):
    result = changed(text, lambda d: change.set_attribute(d.root, name, value))
    assert result == expected
    assert Document.from_string(result).root.get(name) == value


def test_set_attribute_that_is_there_already_changes_nothing():
    assert change.set_attribute(Document.from_string("<a x='1'/>").root, "x", "1") == {}


@pytest.mark.parametrize("value", ["\0", "a\x01", "\ud800"])
def test_characters_that_xml_cannot_hold(value):
    with pytest.raises(ValueError):
        change.set_attribute(Document.from_string("<a/>").root, "x", value)


@pytest.mark.parametrize("name", ["", "1a", "a b", "a=", 'a"', "<a", "a/"])
def test_names_that_xml_cannot_hold(name):
    root = Document.from_string("<a y='1'><b/></a>").root
    for element_edit in (
        lambda: change.set_attribute(root, name, "1"),
        lambda: change.rename_attribute(root, "y", name),
        lambda: change.rename_element(root, name),
        lambda: change.insert_element(root, name),
        lambda: change.insert_element(root, "x", {name: "1"}),
    ):
        with pytest.raises(ValueError):
            element_edit()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('<a x="1"/>', "<a/>"),
        ('<a x="1" />', "<a />"),
        ('<a x="1" y="2"/>', '<a y="2"/>'),
        ('<a y="2" x="1"></a>', '<a y="2"></a>'),
        ('<a y="2"\n   x="1"\n   z="3"/>', '<a y="2"\n   z="3"/>'),
        ('<a\n   x="1"\n/>', "<a\n/>"),
        ('<a x="1"y="2"/>', '<a y="2"/>'),
        ('<a z="1"x="1"y="2"/>', '<a z="1" y="2"/>'),
    ],
)
def test_remove_attribute(text, expected):
    assert changed(text, lambda d: change.remove_attribute(d.root, "x")) == expected


def test_rename():
    text = "<a><b x='1'><b/></b ><c/></a>"
    assert changed(text, lambda d: change.rename_attribute(d.root.children[0], "x", "yy")) == text.replace("x", "yy")
    assert changed(text, lambda d: change.rename_element(d.root.children[0], "bb")) == (
        "<a><bb x='1'><b/></bb ><c/></a>"
    )
    assert changed(text, lambda d: change.rename_element(d.root.children[1], "d")) == text.replace("<c", "<d")
    assert changed(text, lambda d: change.rename_element(d.root, "a")) == text


def test_attributes_that_are_not_there():
    root = Document.from_string("<a x='1' y='2'/>").root
    with pytest.raises(KeyError):
        change.remove_attribute(root, "z")
    with pytest.raises(KeyError):
        change.rename_attribute(root, "z", "u")
    with pytest.raises(ValueError):
        change.rename_attribute(root, "x", "y")
    assert change.rename_attribute(root, "x", "x") == {}


# Elements

MODEL = """<mujoco>
  <worldbody>
    <!-- the floor -->
    <geom name="floor"/>  <!-- at z = 0 -->
    <body>
      <geom/>
    </body>
  </worldbody>
  <asset/>
  <sensor>
    <!-- none yet -->
  </sensor>
  <custom>
  </custom>
  <keyframe></keyframe>
</mujoco>
"""


@pytest.mark.parametrize(
    ("path", "index", "before", "after"),
    [
        ("mujoco/worldbody", None, "    </body>\n", "    </body>\n    <x/>\n"),
        ("mujoco/worldbody", 99, "    </body>\n", "    </body>\n    <x/>\n"),
        ("mujoco/worldbody", 1, "at z = 0 -->\n", "at z = 0 -->\n    <x/>\n"),
        ("mujoco/worldbody", 0, "<worldbody>\n", "<worldbody>\n    <x/>\n"),
        ("mujoco/worldbody/body", 0, "<body>\n", "<body>\n      <x/>\n"),
        ("mujoco/worldbody/body/geom", 0, "      <geom/>\n", "      <geom>\n        <x/>\n      </geom>\n"),
        ("mujoco/asset", 0, "  <asset/>\n", "  <asset>\n    <x/>\n  </asset>\n"),
        ("mujoco/sensor", 0, "none yet -->\n", "none yet -->\n    <x/>\n"),
        ("mujoco/custom", 0, "<custom>\n", "<custom>\n    <x/>\n"),
        ("mujoco/keyframe", 0, "<keyframe></keyframe>", "<keyframe>\n    <x/>\n  </keyframe>"),
        ("mujoco", 1, "  </worldbody>\n", "  </worldbody>\n  <x/>\n"),
        ("mujoco", 0, "<mujoco>\n", "<mujoco>\n  <x/>\n"),
    ],
)
@pytest.mark.parametrize("line_break", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("indent", ["  ", "\t"])
def test_insert_element(path, index, before, after, line_break, indent):
    def style(text):
        return text.replace("  ", indent).replace("\n", line_break)

    text = style(MODEL)
    assert text.count(style(before)) == 1
    result = changed(text, lambda d: change.insert_element(node(d, path), "x", None, index))
    assert result == text.replace(style(before), style(after))


@pytest.mark.parametrize(
    ("text", "index", "expected"),
    [
        ("<a/>", 0, "<a><x/></a>"),
        ("<a />", 0, "<a><x/></a>"),
        ("<a></a>", 0, "<a><x/></a>"),
        ("<a><b/></a>", 0, "<a><x/><b/></a>"),
        ("<a><b/></a>", 1, "<a><b/><x/></a>"),
        ("<a> <b/> <c/> </a>", 1, "<a> <b/> <x/> <c/> </a>"),
        ("<a> <b/> <c/> </a>", 2, "<a> <b/> <c/> <x/> </a>"),
        ("<a> <b/> <c/> </a>", 0, "<a> <x/> <b/> <c/> </a>"),
        ("<a>\n</a>", 0, "<a>\n  <x/>\n</a>"),
        ("<a>text</a>", 0, "<a>text<x/></a>"),
        ("<a>\n\n  <b/></a>", 1, "<a>\n\n  <b/>\n  <x/></a>"),
        ("<a>\n  <b/></a>", 0, "<a>\n  <x/>\n  <b/></a>"),
        ("<a><!-- c -->\n  <b/>\n</a>", 0, "<a><!-- c -->\n  <x/>\n  <b/>\n</a>"),
    ],
)
def test_insert_element_in_odd_places(text, index, expected):
    assert changed(text, lambda d: change.insert_element(d.root, "x", None, index)) == expected


def test_insert_element_with_attributes():
    result = changed("<a/>", lambda d: change.insert_element(d.root, "x", {"name": 'a"&', "pos": "1 2 3"}))
    assert result == '<a><x name="a&quot;&amp;" pos="1 2 3"/></a>'


def test_insert_a_fragment():
    text = "<a>\n\t<b/>\n</a>\n"
    xml = "<!-- new -->\n<c>\n\t<d/>\n</c>"
    assert changed(text, lambda d: change.insert_fragment(d.root, xml)) == (
        "<a>\n\t<b/>\n\t<!-- new -->\n\t<c>\n\t\t<d/>\n\t</c>\n</a>\n"
    )
    with pytest.raises(ValueError, match="not closed"):
        change.insert_fragment(Document.from_string(text).root, "<c>")


@pytest.mark.parametrize(
    ("text", "path", "expected"),
    [
        (MODEL, "mujoco/asset", MODEL.replace("  <asset/>\n", "")),
        (MODEL, "mujoco/worldbody/body", MODEL.replace("    <body>\n      <geom/>\n    </body>\n", "")),
        (MODEL, "mujoco/worldbody/geom", MODEL.replace('<geom name="floor"/>', "")),
        ("<a><b/><c/></a>", "a/b", "<a><c/></a>"),
        ("<a>\n<b/> <c/>\n</a>", "a/b", "<a>\n <c/>\n</a>"),
        ("<a>\r\n  <b/> \t\r\n</a>", "a/b", "<a>\r\n</a>"),
        ("<a>\r<b/>\r</a>", "a/b", "<a>\r</a>"),
        ("<a>\n  <b/></a>", "a/b", "<a>\n  </a>"),
    ],
)
def test_remove_element(text, path, expected):
    assert changed(text, lambda d: change.remove_element(node(d, path))) == expected


def test_the_root_stays():
    document = Document.from_string("<a><b><c/></b></a>")
    with pytest.raises(ValueError):
        change.remove_element(document.root)
    with pytest.raises(ValueError):
        change.move_element(document.root, document.root.children[0])
    with pytest.raises(ValueError):
        change.move_element(document.root.children[0], document.root.children[0].children[0])


def test_move_element():
    text = "<a>\n  <b>\n    <c\n      x='1'/>\n    <d/>\n  </b>\n  <e/>\n</a>\n"

    def move(path, parent, index):
        return changed(text, lambda d: change.move_element(node(d, path), node(d, parent), index))

    assert move("a/b/c", "a", None) == "<a>\n  <b>\n    <d/>\n  </b>\n  <e/>\n  <c\n    x='1'/>\n</a>\n"
    assert move("a/b/c", "a/b", 2) == "<a>\n  <b>\n    <d/>\n    <c\n      x='1'/>\n  </b>\n  <e/>\n</a>\n"
    assert move("a/b/d", "a/b", 0) == "<a>\n  <b>\n    <d/>\n    <c\n      x='1'/>\n  </b>\n  <e/>\n</a>\n"
    assert move("a/b", "a/e", 0) == (
        "<a>\n  <e>\n    <b>\n      <c\n        x='1'/>\n      <d/>\n    </b>\n  </e>\n</a>\n"
    )
    assert move("a/b", "a", 0) == move("a/b", "a", 1) == text


def test_changes_go_to_the_file_that_an_element_stands_in():
    document = Document.load(DATA / "include" / "main.xml")
    palm = node(document, "mujoco/worldbody/body/geom[1]")
    arm = node(document, "mujoco/worldbody/body")
    world = node(document, "mujoco/worldbody")
    changes = change.combine(
        change.set_attribute(palm, "size", "2"),
        change.set_attribute(arm, "pos", "0 0 1"),
        change.insert_element(world, "site", {"name": "s"}, 1),
    )
    assert [path.rpartition("/")[2] for path in changes] == ["hand.xml", "arm.xml", "main.xml"]
    after = document.with_edits(changes)
    assert after.diagnostics.items == []
    assert 'name="palm" size="2"' in after.source_of("parts/hand.xml").text
    assert '\t<body name="arm" pos="0 0 1">\r\n' in after.source_of("parts/arm.xml").text
    assert [child.tag for child in after.merged.find("worldbody").children] == [
        "geom",
        "site",
        "body",
        "geom",
    ]


def test_insert_between_included_elements():
    document = Document.load(DATA / "include" / "main.xml")
    arm = node(document, "mujoco/worldbody/body")
    for index in range(4):
        after = document.with_edits(change.insert_element(arm, "site", None, index))
        tags = ["geom", "geom", "geom"]
        tags.insert(index, "site")
        assert [child.tag for child in node(after, arm.path()).children] == tags
        assert after.diagnostics.items == []


def test_an_encoding_without_the_character_gets_a_reference():
    document = Document.load(DATA / "latin1.xml")
    after = document.with_edits(change.set_attribute(document.root, "model", "é €"))
    assert b'model="\xe9 &#x20AC;"' in after.save_bytes()
    with pytest.raises(ValueError):
        change.rename_element(document.root, "\u20acuro")


# Any document, any change

NAMES = ["a", "b", "body", "geom", "x-1", "é"]
VALUES = st.text(alphabet="ab 1<>&'\"\n\té😀;#", max_size=8)
SPACE = st.sampled_from([" ", "  ", "\n   ", "\n\t", " \n"])
TRIVIA = st.sampled_from(
    ["", "\n", "\n  ", " ", "<!-- c -->", "\n  <!-- > <b/> -->\n  ", " text &amp; ", "<![CDATA[<a>]]>"]
)


@st.composite
def elements(draw, depth=3):
    tag = draw(st.sampled_from(NAMES))
    text = f"<{tag}"
    for name in draw(st.lists(st.sampled_from(NAMES), max_size=3, unique=True)):
        quote = draw(st.sampled_from("\"'"))
        value = (
            draw(VALUES).replace("&", "&amp;").replace("<", "&lt;").replace(quote, "&#34;" if quote == '"' else "&#39;")
        )
        text += f"{draw(SPACE)}{name}{draw(st.sampled_from(['=', ' = ']))}{quote}{value}{quote}"
    text += draw(st.sampled_from(["", " ", "\n"]))
    if depth == 0 or draw(st.booleans()):
        return text + draw(st.sampled_from(["/>", f"></{tag}>"]))
    inner = "".join(draw(TRIVIA) + child for child in draw(st.lists(elements(depth - 1), max_size=3)))
    return f"{text}>{inner}{draw(TRIVIA)}</{tag}{draw(st.sampled_from(['', ' ']))}>"


@st.composite
def documents(draw):
    text = draw(st.sampled_from(["", "\n", "<?xml version='1.0'?>\n", "<!-- c -->"]))
    text += draw(elements()) + draw(st.sampled_from(["", "\n"]))
    return text.replace("\n", draw(st.sampled_from(["\n", "\r\n", "\r"])))


def tree(item):
    """A node as lists that can be changed and compared: [tag, {name: value}, children]."""
    return [item.tag, {a.name: a.value for a in item.attributes}, [tree(child) for child in item.children]]


def inside(model, trail):
    for index in trail:
        model = model[2][index]
    return model


def nodes_with_trails(root):
    stack = [(root, ())]
    while stack:
        item, trail = stack.pop()
        yield item, trail
        stack.extend((child, (*trail, i)) for i, child in enumerate(item.children))


def trivia(document):
    """The comments and character data of a text, in order."""
    from kinetree.engine.document import scanner

    text = document.source.text
    return [
        text[start:end].strip()
        for kind, start, end, *_ in scanner.scan(text, lambda *report: None)
        if kind not in (scanner.START, scanner.EMPTY, scanner.END)
    ]


@given(documents(), st.data())
def test_a_change_changes_that_and_nothing_else(text, data):
    document = Document.from_string(text)
    assert document.diagnostics.items == []
    places = list(nodes_with_trails(document.root))
    item, trail = data.draw(st.sampled_from(places))
    expected = tree(document.root)
    model = inside(expected, trail)
    kinds = ["set", "insert", "rename"]
    kinds += ["remove attribute", "rename attribute"] if item.attributes else []
    kinds += ["remove", "move"] if trail else []
    kind = data.draw(st.sampled_from(kinds))
    same_trivia = True
    if kind == "set":
        name, value = data.draw(st.sampled_from([*NAMES, "new"])), data.draw(VALUES)
        changes = change.set_attribute(item, name, value)
        model[1][name] = value
    elif kind == "remove attribute":
        name = data.draw(st.sampled_from(item.attributes)).name
        changes = change.remove_attribute(item, name)
        del model[1][name]
    elif kind == "rename attribute":
        name = data.draw(st.sampled_from(item.attributes)).name
        changes = change.rename_attribute(item, name, "new")
        model[1] = {("new" if key == name else key): value for key, value in model[1].items()}
    elif kind == "rename":
        changes = change.rename_element(item, "new")
        model[0] = "new"
    elif kind == "insert":
        index = data.draw(st.integers(0, len(item.children)))
        changes = change.insert_element(item, "new", {"k": "v"}, index)
        model[2].insert(index, ["new", {"k": "v"}, []])
    elif kind == "remove":
        changes = change.remove_element(item)
        inside(expected, trail[:-1])[2].pop(trail[-1])
        same_trivia = False
    else:
        targets = [(other, way) for other, way in places if way[: len(trail)] != trail]
        parent, way = data.draw(st.sampled_from(targets))
        index = data.draw(st.integers(0, len(parent.children)))
        changes = change.move_element(item, parent, index)
        siblings, others = inside(expected, trail[:-1])[2], inside(expected, way)[2]
        moved = siblings[trail[-1]]
        others.insert(index, marked := ["moved", {}, []])
        siblings.pop(next(i for i, entry in enumerate(siblings) if entry is moved))
        marked[:] = moved
        same_trivia = False
    after = document.with_edits(changes)
    result = after.source.text
    assert after.diagnostics.items == []
    if kind == "move":
        assert collapsed(tree(after.root)) == collapsed(expected)
    else:
        assert tree(after.root) == expected
    if same_trivia:
        assert trivia(after) == trivia(document)
    edits = changes.get(document.path, [])
    assert apply(result, inverse(text, edits)) == text
    for edit in edits:
        if kind in ("set", "remove attribute", "rename attribute"):
            assert item.start < edit.start <= edit.end < item.head_span.end
        elif kind == "rename":
            assert item.start < edit.start <= edit.end < item.end


@pytest.mark.slow("every model of the corpus")
@pytest.mark.skipif(not SHARED.exists(), reason="needs ../shared")
def test_changes_of_the_models_of_the_corpus():
    rng = random.Random(1)
    for path in sorted((SHARED / "corpus").rglob("*.xml"))[::4]:
        if path.stat().st_size > 200_000:
            continue
        document = Document.load(path)
        before = [item.code for item in document.diagnostics]
        if document.diagnostics.has_errors:
            continue
        places = [place for place in nodes_with_trails(document.root) if place[0].tag != "include"]
        for _ in range(4):
            item, trail = rng.choice(places)
            index = rng.randint(0, len(item.children))
            element_edits = [(change.insert_element(item, "new", {"k": "v"}, index), "insert")]
            element_edits += [(change.set_attribute(item, "new", "1 2"), "set")]
            element_edits += [(change.remove_element(item), "remove")] if trail else []
            for changes, kind in element_edits:
                expected = tree(document.root)
                model = inside(expected, trail)
                if kind == "insert":
                    model[2].insert(index, ["new", {"k": "v"}, []])
                elif kind == "set":
                    model[1]["new"] = "1 2"
                else:
                    inside(expected, trail[:-1])[2].pop(trail[-1])
                after = document.with_edits(changes)
                assert tree(after.root) == expected, path
                codes = [item.code for item in after.diagnostics]
                assert codes == before or (kind == "remove" and set(codes) <= set(before)), path
                assert trivia(after) == trivia(document) or kind == "remove"
                lines, old = after.source.text.count("\n"), document.source.text.count("\n")
                assert lines >= old or kind == "remove"
                assert not any(line.isspace() for line in added_lines(document, changes)), path


def added_lines(document, changes):
    """The lines that the edits write, the first and the last of each edit apart."""
    for edits in changes.values():
        for edit in edits:
            yield from edit.text.splitlines()[1:-1]


def collapsed(model):
    """White space in values as one space each: an element that moves is indented again, its values' lines too."""
    tag, attributes, children = model
    attributes = {name: " ".join(value.split()) for name, value in attributes.items()}
    return [tag, attributes, [collapsed(child) for child in children]]
