"""Malformed XML: one diagnostic each, at a good place, and a tree that keeps the rest."""

import pytest

from kinetree.engine.diagnostics import Diagnostics, Severity
from kinetree.engine.document.document import Document
from kinetree.engine.document.parser import MAX_DEPTH, MAX_REPORTS


def outline(node) -> str:
    """The tree as text: tag(name)[children]."""
    inner = " ".join(outline(child) for child in node.children)
    name = node.get("name")
    return node.tag + (f"({name})" if name is not None else "") + (f"[{inner}]" if inner else "")


# text, code, severity, line, column, outline
ONE_MISTAKE = {
    "element not closed": (
        '<mujoco>\n<worldbody>\n <body name="a">\n  <geom name="g"/>\n</worldbody>\n<asset/></mujoco>',
        "xml-unclosed-element", "error", 3, 2,
        "mujoco[worldbody[body(a)[geom(g)]] asset]",
    ),
    "leaf without slash": (
        '<mujoco>\n<worldbody>\n <geom name="g">\n</worldbody>\n<asset/></mujoco>',
        "xml-unclosed-element", "error", 3, 2,
        "mujoco[worldbody[geom(g)] asset]",
    ),
    "root not closed": (
        "<mujoco>\n  <asset/>\n",
        "xml-unclosed-element", "error", 1, 1,
        "mujoco[asset]",
    ),
    "text cut off": (
        '<mujoco>\n<worldbody>\n <body name="a">\n  <geom name="g"/>\n',
        "xml-unclosed-element", "error", 3, 2,
        "mujoco[worldbody[body(a)[geom(g)]]]",
    ),
    "text cut off in a tag": (
        '<mujoco>\n<worldbody>\n <geom name="g" ',
        "xml-unclosed-tag", "error", 3, 2,
        "mujoco[worldbody[geom(g)]]",
    ),
    "text cut off in a value": (
        '<mujoco>\n<worldbody>\n <geom name="g" size="1',
        "xml-unterminated-value", "error", 3, 22,
        "mujoco[worldbody[geom(g)]]",
    ),
    "slip in an end tag": (
        '<mujoco>\n<worldbody>\n <body name="a">\n </bdoy>\n <geom name="g"/></worldbody></mujoco>',
        "xml-mismatched-tag", "error", 4, 2,
        "mujoco[worldbody[body(a) geom(g)]]",
    ),
    "case of an end tag": (
        "<mujoco><asset></Asset><custom/></mujoco>",
        "xml-mismatched-tag", "error", 1, 16,
        "mujoco[asset custom]",
    ),
    "end tag too many": (
        '<mujoco>\n<worldbody>\n <geom name="a"/></geom>\n <geom name="b"/></worldbody></mujoco>',
        "xml-mismatched-tag", "error", 3, 18,
        "mujoco[worldbody[geom(a) geom(b)]]",
    ),
    "wrong end tag": (
        '<mujoco><worldbody>\n<geom name="a"/>\n</asset>\n</mujoco>',
        "xml-mismatched-tag", "error", 3, 1,
        "mujoco[worldbody[geom(a)]]",
    ),
    "no name in an end tag": (
        "<mujoco><asset></><custom/></mujoco>",
        "xml-bad-end-tag", "error", 1, 16,
        "mujoco[asset custom]",
    ),
    "space in an end tag": (
        "<mujoco><asset></ asset><custom/></mujoco>",
        "xml-bad-end-tag", "error", 1, 16,
        "mujoco[asset custom]",
    ),
    "attributes in an end tag": (
        '<mujoco><asset></asset a="1"><custom/></mujoco>',
        "xml-bad-end-tag", "warning", 1, 24,
        "mujoco[asset custom]",
    ),
    "junk in an end tag": (
        "<mujoco><asset></asset foo><custom/></mujoco>",
        "xml-bad-end-tag", "error", 1, 24,
        "mujoco[asset custom]",
    ),
    "end tag without bracket": (
        "<mujoco><asset></asset\n<custom/></mujoco>",
        "xml-unclosed-tag", "error", 1, 16,
        "mujoco[asset custom]",
    ),
    "last end tag without bracket": (
        "<mujoco><asset/></mujoco",
        "xml-unclosed-tag", "error", 1, 17,
        "mujoco[asset]",
    ),
    "start tag without bracket, a leaf": (
        '<mujoco>\n<geom name="a"\n<geom name="b"/></mujoco>',
        "xml-unclosed-tag", "error", 2, 1,
        "mujoco[geom(a) geom(b)]",
    ),
    "start tag without bracket, with content": (
        '<mujoco>\n<body name="a"\n<geom name="b"/></body><asset/></mujoco>',
        "xml-unclosed-tag", "error", 2, 1,
        "mujoco[body(a)[geom(b)] asset]",
    ),
    "no quotes": (
        "<mujoco>\n\t<geom name=a size='1'/>\n</mujoco>",
        "xml-missing-quotes", "error", 2, 13,
        "mujoco[geom(a)]",
    ),
    "no quotes, a path": (
        "<mujoco><mesh name=a/b.stl/></mujoco>",
        "xml-missing-quotes", "error", 1, 20,
        "mujoco[mesh(a/b.stl)]",
    ),
    "a name being typed after a value of several lines": (
        '<mujoco>\n<geom name="g" size="1\n 2" na/>\n<asset/></mujoco>',
        "xml-attribute-without-value", "error", 3, 5,
        "mujoco[geom(g) asset]",
    ),
    "a name being typed between values of several lines": (
        '<mujoco>\n<geom size="1\n 2" na name="g"/>\n<asset/></mujoco>',
        "xml-attribute-without-value", "error", 3, 5,
        "mujoco[geom(g) asset]",
    ),
    "no closing quote, on one line": (
        '<mujoco>\n<geom name="a size="1"/><asset/></mujoco>',
        "xml-unterminated-value", "error", 2, 12,
        "mujoco[geom(a) asset]",
    ),
    "no closing quote, before the end of the tag": (
        '<mujoco>\n<geom name="a/>\n<geom name="b"/></mujoco>',
        "xml-unterminated-value", "error", 2, 12,
        "mujoco[geom(a) geom(b)]",
    ),
    "no closing quote, before the end of the line": (
        '<mujoco>\n<geom name="a\n  size="1"/>\n<geom name="b"/></mujoco>',
        "xml-unterminated-value", "error", 2, 12,
        "mujoco[geom(a) geom(b)]",
    ),
    "no closing quote in the whole text": (
        '<mujoco>\n<geom name="a/>\n<asset/></mujoco>',
        "xml-unterminated-value", "error", 2, 12,
        "mujoco[geom(a) asset]",
    ),
    "no opening quote": (
        '<mujoco><geom name=a"/><asset/></mujoco>',
        None, "error", 1, 20,
        "mujoco[geom(a) asset]",
    ),
    "attribute without value": (
        '<mujoco><geom rgba name="a"/></mujoco>',
        "xml-attribute-without-value", "error", 1, 15,
        "mujoco[geom(a)]",
    ),
    "attribute with nothing after =": (
        '<mujoco><geom name="a" rgba=/></mujoco>',
        "xml-attribute-without-value", "error", 1, 24,
        "mujoco[geom(a)]",
    ),
    "attribute twice": (
        '<mujoco>\n<geom name="a"\n name="b"/></mujoco>',
        "xml-duplicate-attribute", "error", 3, 2,
        "mujoco[geom(a)]",
    ),
    "junk in a tag": (
        '<mujoco><geom name="a" %& 7 / ></geom></mujoco>',
        "xml-bad-attribute", "error", 1, 24,
        "mujoco[geom(a)]",
    ),
    "no space between attributes": (
        '<mujoco><geom name="a"size="1"/></mujoco>',
        "xml-missing-space", "warning", 1, 23,
        "mujoco[geom(a)]",
    ),
    "space before the tag": (
        '<mujoco>< geom name="a"/></mujoco>',
        "xml-space-in-tag", "warning", 1, 9,
        "mujoco[geom(a)]",
    ),
    "stray less-than": (
        '<mujoco>\n 1 <2\n<geom name="a"/></mujoco>',
        "xml-stray-less-than", "error", 2, 4,
        "mujoco[geom(a)]",
    ),
    "less-than in a value": (
        '<mujoco><geom name="a<b"/></mujoco>',
        "xml-less-than-in-value", "warning", 1, 22,
        "mujoco[geom(a<b)]",
    ),
    "stray ampersand in a value": (
        '<mujoco><geom name="a&b"/></mujoco>',
        "xml-stray-ampersand", "warning", 1, 22,
        "mujoco[geom(a&b)]",
    ),
    "stray ampersand in text": (
        '<mujoco>\n a & b &lt; <geom name="a"/></mujoco>',
        "xml-stray-ampersand", "warning", 2, 4,
        "mujoco[geom(a)]",
    ),
    "unknown entity": (
        '<mujoco><geom name="&nbsp;"/></mujoco>',
        "xml-stray-ampersand", "warning", 1, 21,
        "mujoco[geom(&nbsp;)]",
    ),
    "reference to no character": (
        '<mujoco><geom name="&#xD800;"/></mujoco>',
        "xml-stray-ampersand", "warning", 1, 21,
        "mujoco[geom(&#xD800;)]",
    ),
    "text before the root": (
        "hello\n<mujoco/>",
        "xml-text-outside-root", "warning", 1, 1,
        "mujoco",
    ),
    "junk after the root": (
        "<mujoco/>\n\n  junk\n",
        "xml-text-outside-root", "error", 3, 3,
        "mujoco",
    ),
    "less-than after the root": (
        "<mujoco/>\n<",
        "xml-stray-less-than", "error", 2, 1,
        "mujoco",
    ),
    "two roots": (
        "<mujoco/>\n<mujoco><asset/></mujoco>",
        "xml-second-root", "warning", 2, 1,
        "mujoco",
    ),
    "end tag after the root": (
        "<mujoco/>\n</mujoco>\n<asset/> & so on <",
        "xml-stray-end-tag", "warning", 2, 1,
        "mujoco",
    ),
    "end tag before the root": (
        "</body>\n<mujoco/>",
        "xml-stray-end-tag", "error", 1, 1,
        "mujoco",
    ),
    "comment without end": (
        "<mujoco>\n<asset/>\n<!-- the end\n<custom/></mujoco>",
        "xml-unterminated-comment", "error", 3, 1,
        "mujoco[asset]",
    ),
    "CDATA without end": (
        "<mujoco>\n<asset/>\n<![CDATA[ the end\n<custom/></mujoco>",
        "xml-unterminated-cdata", "error", 3, 1,
        "mujoco[asset]",
    ),
    "declaration without end": (
        '<?xml version="1.0">\n<mujoco/>',
        "xml-unterminated-instruction", "error", 1, 1,
        "mujoco",
    ),
    "document type without end": (
        "<!DOCTYPE mujoco ",
        "xml-unterminated-declaration", "error", 1, 1,
        "",
    ),
    "declaration after a comment": (
        '<!-- c -->\n<?xml version="1.0"?><mujoco/>',
        "xml-misplaced-declaration", "error", 2, 1,
        "mujoco",
    ),
    "instruction in the tree": (
        "<mujoco>\n<?php echo?><asset/></mujoco>",
        "xml-misplaced-declaration", "error", 2, 1,
        "mujoco[asset]",
    ),
    "document type": (
        '<!DOCTYPE mujoco SYSTEM "http://localhost/x.dtd"><mujoco/>',
        "xml-doctype", "warning", 1, 1,
        "mujoco",
    ),
    "unknown declaration": (
        "<mujoco><!foo><asset/></mujoco>",
        "xml-unknown-declaration", "warning", 1, 9,
        "mujoco[asset]",
    ),
    "declared entity": (
        '<!DOCTYPE mujoco [\n <!ENTITY lol "lol">\n <!ENTITY lol2 "&lol;&lol;&lol;">\n]>\n<mujoco/>',
        "xml-entity-declaration", "error", 2, 2,
        "mujoco",
    ),
    "declared external entity": (
        '<!DOCTYPE mujoco [<!ENTITY % x SYSTEM "file:///etc/passwd">]><mujoco/>',
        "xml-entity-declaration", "error", 1, 19,
        "mujoco",
    ),
    "NUL in the tree": ("<mujoco>\n\0<asset/></mujoco>", "xml-nul-character", "error", 2, 1, "mujoco"),
    "NUL after the root": ("<mujoco/>\n\0<", "xml-nul-character", "warning", 2, 1, "mujoco"),
    "empty": ("", "xml-empty-file", "error", 1, 1, ""),
    "white space": (" \n\t", "xml-empty-file", "error", 1, 1, ""),
    "only a comment": ("<!-- nothing -->", "xml-no-root", "error", 1, 1, ""),
    "no XML": ("Dear all,\nhere is my model.", "xml-no-root", "error", 1, 1, ""),
}  # fmt: skip


@pytest.mark.parametrize("name", ONE_MISTAKE)
def test_one_mistake_one_diagnostic(name):
    text, code, severity, line, column, tree = ONE_MISTAKE[name]
    document = Document.from_string(text)
    found = document.diagnostics.items
    if code is not None:
        assert [item.code for item in found] == [code], "\n".join(map(str, found))
    first = found[0]
    assert first.severity.value == severity
    assert (first.line, first.column) == (line, column), str(first)
    assert ":" in first.message or "," in first.message
    assert outline(document.root) == tree
    assert document.save_bytes() == text.encode()


def test_a_file_of_many_mistakes():
    """One diagnostic for each of five mistakes, and the elements where they belong."""
    text = (
        '<mujoco>\n <worldbody>\n  <body name="a>\n   <geom size=1/>\n   <geom size="1" size="2">\n  </bodi>\n'
        " </worldbody>\n <asset/>\n</mujoco>"
    )
    document = Document.from_string(text)
    assert [(item.line, item.column, item.code) for item in document.diagnostics] == [
        (3, 14, "xml-unterminated-value"),
        (4, 15, "xml-missing-quotes"),
        (5, 19, "xml-duplicate-attribute"),
        (6, 3, "xml-mismatched-tag"),
        (5, 4, "xml-unclosed-element"),
    ]
    assert outline(document.root) == "mujoco[worldbody[body(a)[geom geom]] asset]"


@pytest.mark.parametrize(
    "text",
    [
        '<mujoco model="&lt;&gt;&amp;&quot;&apos;&#65;&#x42;"/>',
        "<?xml version='1.0'?>\n<?other?><!-- c --><mujoco></mujoco ><!-- d -->\n",
        "<mujoco><![CDATA[<x> & y]]> text > ]]> </mujoco>",
        '<mujoco\n  model = "it\'s"\n\tx=\'say "x"\'\n/>',
        "<mujoco a='x > y' />",
        "<mujoco\va='1'\f/>",
        "<größe/>",
        "<!--- x -- y ---><_:a.b-c/>",
    ],
)
def test_nothing_to_say_about_sound_xml(text):
    assert Document.from_string(text).diagnostics.items == []


def test_mistakes_are_bounded():
    document = Document.from_string("<mujoco>" + "<geom size=1/>" * 5000 + "</mujoco>")
    assert len(document.diagnostics.errors) == MAX_REPORTS
    assert document.diagnostics.items[-1].code == "xml-too-many-errors"
    document = Document.from_string("<mujoco>" + "<geom a='&'/>" * 5000 + "<geom size=1/></mujoco>")
    assert len(document.diagnostics.warnings) == MAX_REPORTS
    assert [item.code for item in document.diagnostics.errors] == ["xml-missing-quotes"]


def test_nesting_has_the_limit_of_the_reference():
    for depth, errors in ((MAX_DEPTH, 0), (MAX_DEPTH + 1, 1), (5000, 1)):
        document = Document.from_string("<a>" * (depth - 1) + "<b/>" + "</a>" * (depth - 1))
        assert [item.code for item in document.diagnostics] == ["xml-too-deep"] * errors
        assert sum(1 for _ in document.root.iter()) == depth


@pytest.mark.slow("a hundred thousand levels")
def test_a_hundred_thousand_levels():
    count = 100_000
    for text in ("<a>" * count + "</a>" * count, "<a>" * count, '<a b="1"' * count):
        document = Document.from_string("<mujoco>" + text)
        assert document.diagnostics.has_errors
        assert len(document.diagnostics) < 2 * MAX_REPORTS + 2
        deepest = list(document.merged.iter())[-1]
        assert deepest.path().startswith("mujoco")


def test_entities_are_not_expanded():
    lines = ['<!DOCTYPE mujoco [<!ENTITY a0 "ha">']
    lines += [f'<!ENTITY a{i} "{f"&a{i - 1};" * 10}">' for i in range(1, 30)]
    document = Document.from_string("\n".join(lines) + ']>\n<mujoco model="&a29;"/>')
    assert document.root.get("model") == "&a29;"
    assert [item.code for item in document.diagnostics] == ["xml-entity-declaration", "xml-stray-ampersand"]


def test_messages_name_the_lines():
    document = Document.from_string("<mujoco>\n<worldbody>\n<body>\n</worldbody>\n</mujoco>")
    (item,) = document.diagnostics
    assert "<body> is not closed" in item.message
    assert "</worldbody> in line 4" in item.message
    assert item.severity is Severity.ERROR
    assert (item.end_line, item.end_column) == (3, 7)


def test_diagnostics_of_a_collector_are_kept():
    items = Diagnostics()
    items.warning("f", "kept", "m")
    from kinetree.engine.document.source import Source
    from kinetree.engine.document.tree import parse

    parse(Source("g", None, "<a>", None), items)
    assert [item.code for item in items] == ["kept", "xml-unclosed-element"]
