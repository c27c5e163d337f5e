"""The document accepts the files that mujoco 3.3.4 loads; the errors of its XML reader are errors here."""

import mujoco
import pytest

from kinetree.engine.document.document import Document

GEOM = '<geom name="{}" size="1"/>'


def world(inner: str) -> str:
    return f"<mujoco><worldbody>{inner}</worldbody></mujoco>"


A = GEOM.format("a")

SYNTAX = [
    world(A),
    "<mujoco><worldbody>" + A + "</worldbody>",
    "<mujoco><worldbody>" + A + "</worldbody></mujoco",
    "<mujoco><worldbody>" + A + "</body></mujoco>",
    "<mujoco><worldbody>" + A + "</worldbody ></mujoco\n>",
    "<mujoco><worldbody>" + A + "</ worldbody></mujoco>",
    "<mujoco><worldbody>" + A + '</worldbody x="1"></mujoco>',
    "<mujoco><worldbody>" + A + "</worldbody foo></mujoco>",
    "<mujoco><worldbody>" + A + "</worldbody/></mujoco>",
    "<mujoco><worldbody>" + A + "</worldbody</mujoco>",
    world('<geom name=a size="1"/>'),
    world('<geom name="a" name="b" size="1"/>'),
    world('<geom name="a"size="1"/>'),
    world('<geom name="a" size="1" rgba/>'),
    world('<geom name\n=\t"a" size= "1"/>'),
    world('<geom name="a<b" size="1"/>'),
    world('<geom name="a>b" size="1"/>'),
    world('<geom name="a<\nb"\nsize="1"/>'),
    world('<geom name="a<b"size="1"/>'),
    world('<geom name="a size="1"/>'),
    world('<geom name="a" size="1" ' + GEOM.format("b")),
    world('<geom name="a" size="1" / >'),
    world("<geom name='a\" size='1'/>"),
    world("<geom name='a\"b' size='1'/>"),
    world('< geom name="a" size="1"/>'),
    world('<geom\u00a0name="a" size="1"/>'),
    world('<geom\vname="a"\fsize="1"/>'),
    world("hello & &foo; > ]]> " + A),
    world("< " + A),
    world("1 < 2 " + A),
    world("a <3 b" + A),
    world("<-geom/>" + A),
    world('<geom 1x="a" size="1"/>'),
    "hello" + world(A),
    world(A) + "junk",
    world(A) + "<",
    world(A) + "&",
    world(A) + world(GEOM.format("b")),
    world(A) + "<foo><bar></foo>",
    world(A) + "<foo>",
    world(A) + "</foo> <<<",
    world(A) + "</foo",
    world(A) + "<!-- foo -->",
    world(A) + "<!-- foo",
    world(A) + "<![CDATA[ x ]]>",
    world(A) + "<?foo?>",
    world(A) + "<!foo",
    world(A) + "\0junk",
    "</foo>" + world(A),
    world("<!-- x -- y --->" + A),
    world("<![CDATA[ <x> ]]>" + A),
    world("<![CDATA[ <x> " + A),
    world("<?foo bar?>" + A),
    "<?foo bar?>" + world(A),
    '\n <?xml version="1.0"?><?a?>' + world(A),
    '<?xml version="1.0">' + world(A),
    "<!-- c --><?a?>" + world(A),
    "foo <?a?>" + world(A),
    "<!DOCTYPE mujoco>" + world(A),
    '<!DOCTYPE mujoco SYSTEM "x.dtd">' + world(A),
    "<!DOCTYPE x><?foo?>" + world(A),
    "<!DOCTYPE x ",
    world("<!foo>" + A),
    "",
    " \n",
    "<!-- a -->",
    "hello world",
    "\ufeff" + world(A),
]


@pytest.mark.parametrize("text", SYNTAX)
def test_syntax(text, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "m.xml").write_text(text, encoding="utf-8", newline="")
    names = None
    try:
        model = mujoco.MjModel.from_xml_path("m.xml")
        names = [model.geom(i).name for i in range(model.ngeom)]
    except ValueError:
        pass
    document = Document.load("m.xml")
    assert document.diagnostics.has_errors == (names is None), list(map(str, document.diagnostics))
    if names is not None:
        assert [geom.get("name") for geom in document.merged.iter("geom")] == names


@pytest.mark.parametrize(
    "value",
    [
        "&lt;&gt;&amp;&quot;&apos;&#65;&#x42;",
        "a&b",
        "a&foo;b &",
        "a&#xZZ;b",
        "a&#65 b",
        "a&#x110000;b",
        "a&#X41;b",
        "a&AMP; &LT;",
        "a&amp b",
        "a&#6A;b&#x6g;c",
        "a&#00000000000065;b",
        "a&#x1F600;",
        "a\nb\tc\r\nd\re\n\rf",
        "  a   b ",
        "a&#10;&#13;b",
        "é€😀",
    ],
)
def test_values(value, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = world(GEOM.format(value))
    (tmp_path / "m.xml").write_text(text, encoding="utf-8", newline="")
    expected = mujoco.MjModel.from_xml_path("m.xml").geom(0).name
    document = Document.load("m.xml")
    assert document.root.children[0].children[0].get("name") == expected
    assert not document.diagnostics.has_errors


def test_nesting(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for count in (490, 495, 496, 497, 500):
        text = world("<frame>" * count + A + "</frame>" * count)
        try:
            mujoco.MjModel.from_xml_string(text)
            loads = True
        except ValueError:
            loads = False
        assert Document.from_string(text).diagnostics.has_errors == (not loads)


def include(name: str) -> str:
    return f'<include file="{name}"/>'


def part(inner: str) -> str:
    return f"<mujocoinclude>{inner}</mujocoinclude>"


B, P, Q = GEOM.format("b"), GEOM.format("p"), GEOM.format("q")
ANONYMOUS = '<geom size="1"/>'

INCLUDES = {
    "plain": {"main.xml": world(P + include("a.xml") + Q), "a.xml": part(A)},
    "any root": {"main.xml": world(include("a.xml")), "a.xml": f'<foo x="1">{A}</foo>'},
    "section": {
        "main.xml": f"<mujoco>{include('a.xml')}</mujoco>",
        "a.xml": f'<mujoco model="z">{world(A)[8:]}',
    },
    "empty": {"main.xml": world(P + include("a.xml")), "a.xml": part("")},
    "only a comment": {"main.xml": world(P + include("a.xml")), "a.xml": part("<!-- c -->")},
    "only text": {"main.xml": world(P + include("a.xml")), "a.xml": part("hello")},
    "missing": {"main.xml": world(include("a.xml"))},
    "no file attribute": {"main.xml": world("<include/>")},
    "empty name": {"main.xml": world('<include file=""/>')},
    "folder": {"main.xml": world(include("sub")), "sub/x.xml": ""},
    "twice": {"main.xml": world(include("a.xml") * 2), "a.xml": part(ANONYMOUS)},
    "twice, another spelling": {
        "main.xml": world(include("a.xml") + include("./a.xml")),
        "a.xml": part(ANONYMOUS),
    },
    "twice, through a folder": {
        "main.xml": world(include("a.xml") + include("none/../a.xml")),
        "a.xml": part(ANONYMOUS),
    },
    "itself": {"main.xml": world(include("main.xml"))},
    "cycle": {
        "main.xml": world(include("a.xml")),
        "a.xml": part(include("b.xml")),
        "b.xml": part(include("./a.xml")),
    },
    "cycle through main": {"main.xml": world(include("a.xml")), "a.xml": part(A + include("main.xml"))},
    "from the main folder": {
        "main.xml": world(include("sub/a.xml")),
        "sub/a.xml": part(include("sub/b.xml")),
        "sub/b.xml": part(B),
    },
    "beside the including file": {
        "main.xml": world(include("sub/a.xml")),
        "sub/a.xml": part(include("b.xml")),
        "sub/b.xml": part(B),
    },
    "both places": {
        "main.xml": world(include("sub/a.xml")),
        "sub/a.xml": part(include("b.xml")),
        "sub/b.xml": part(B),
        "b.xml": part(P),
    },
    "three folders": {
        "main.xml": world(include("s/a.xml")),
        "s/a.xml": part(include("t/b.xml")),
        "s/t/b.xml": part(include("c.xml")),
        "s/t/c.xml": part(P),
        "s/c.xml": part(Q),
    },
    "not the folder between": {
        "main.xml": world(include("s/a.xml")),
        "s/a.xml": part(include("t/b.xml")),
        "s/t/b.xml": part(include("c.xml")),
        "s/c.xml": part(Q),
    },
    "with children": {"main.xml": world(f'<include file="a.xml">{P}</include>'), "a.xml": part(A)},
    "with a comment": {"main.xml": world('<include file="a.xml"><!-- c --></include>'), "a.xml": part(A)},
    "other attributes": {"main.xml": world('<include file="a.xml" foo="1"/>'), "a.xml": part(A)},
    "nested, in order": {
        "main.xml": world(P + include("a.xml") + Q),
        "a.xml": part(A + include("b.xml") + GEOM.format("a2")),
        "b.xml": part(B + GEOM.format("b2")),
    },
    "root of the included file": {
        "main.xml": world(include("a.xml")),
        "a.xml": include("b.xml"),
        "b.xml": part(B),
    },
    "malformed": {"main.xml": world(include("a.xml")), "a.xml": "<x>" + A},
    "empty file": {"main.xml": world(include("a.xml")), "a.xml": ""},
    "two roots": {"main.xml": world(include("a.xml")), "a.xml": part(A) + part(B)},
    "junk after the root": {"main.xml": world(include("a.xml")), "a.xml": part(A) + "junk"},
    "back slash": {"main.xml": world(include("sub\\a.xml")), "sub/a.xml": part(A)},
    "address": {"main.xml": world(include("http://localhost/a.xml"))},
    "space in the name": {"main.xml": world(include(" a.xml")), "a.xml": part(A)},
    "in a body": {"main.xml": world(f"<body>{include('a.xml')}</body>"), "a.xml": part(A)},
    "empty one inside": {
        "main.xml": world(include("a.xml")),
        "a.xml": part(include("b.xml")),
        "b.xml": part(""),
    },
    "a long chain": {
        "main.xml": world(include("i0.xml")),
        **{f"i{k}.xml": part(A * (k == 599) + (include(f"i{k + 1}.xml") if k < 599 else "")) for k in range(600)},
    },
}


@pytest.mark.parametrize("name", INCLUDES)
def test_includes(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for path, text in INCLUDES[name].items():
        (tmp_path / path).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / path).write_text(text, newline="")
    names = None
    try:
        # An absolute path: with a relative one mujoco 3.3.4 repeats the folder where it looks beside a file.
        model = mujoco.MjModel.from_xml_path(str(tmp_path / "main.xml"))
        names = [model.geom(i).name for i in range(model.ngeom)]
    except ValueError:
        pass
    for path in (tmp_path / "main.xml", "main.xml"):
        document = Document.load(path)
        assert document.diagnostics.has_errors == (names is None), list(map(str, document.diagnostics))
        if names is not None:
            assert [geom.get("name", "") for geom in document.merged.iter("geom")] == names
            assert document.merged.find("include") is None


def test_includes_are_expanded_in_mjcf_only(tmp_path):
    (tmp_path / "m.urdf").write_text(f'<robot name="r"><link name="l"/>{include("none.xml")}</robot>')
    mujoco.MjModel.from_xml_path(str(tmp_path / "m.urdf"))
    document = Document.load(tmp_path / "m.urdf")
    assert not document.diagnostics.items
    assert document.merged is document.root
