import pytest

from engine.diagnostics import Diagnostic, Diagnostics, ModelError, Severity
from engine.document.document import Document


def test_a_diagnostic_prints_as_compilers_do():
    diagnostic = Diagnostic(Severity.ERROR, "unknown-attribute", "there is no such", "a/b.xml", 3, 7, 3, 11)
    assert str(diagnostic) == "a/b.xml:3:7: error: there is no such [unknown-attribute]"
    assert str(Diagnostic(Severity.WARNING, "c", "m", "f")) == "f:1:1: warning: m [c]"


def test_text_that_is_not_valid_unicode_still_prints():
    items = Diagnostics()
    items.error("mod\udcffel.xml", "c", "the name \udce9 is wrong")
    str(items.items[0]).encode("utf-8")
    str(ModelError(items)).encode("utf-8")


def test_places_come_from_nodes_attributes_spans_and_files():
    root = Document.from_string('<mujoco>\n\t<body  name="x y"/>\n</mujoco>', name="m.xml").root
    body = root.children[0]
    items = Diagnostics()
    items.error(body, "a", "m")
    items.warning(body.attribute("name"), "b", "m")
    items.info(body.attribute("name").name_span, "c", "m")
    items.error(body.source, "d", "m")
    items.error("other.xml", "e", "m")
    places = [(d.file, d.line, d.column, d.end_line, d.end_column) for d in items]
    assert places == [
        ("m.xml", 2, 2, 2, 7),
        ("m.xml", 2, 15, 2, 18),
        ("m.xml", 2, 9, 2, 13),
        ("m.xml", 1, 1, 1, 1),
        ("other.xml", 1, 1, 0, 0),
    ]
    assert [d.severity.value for d in items] == ["error", "warning", "info", "error", "error"]


def test_the_collector_tells_errors_from_the_rest():
    items = Diagnostics()
    assert not items.has_errors
    items.warning("f", "w", "careful")
    items.info("f", "i", "by the way")
    assert not items.has_errors
    items.raise_if_errors()
    items.error("f", "e", "wrong")
    assert items.has_errors
    assert [d.code for d in items.errors] == ["e"]
    assert [d.code for d in items.warnings] == ["w"]
    with pytest.raises(ModelError) as caught:
        items.raise_if_errors()
    assert caught.value.diagnostics == items.items
    assert [line.split(" ")[1] for line in str(caught.value).splitlines()] == ["error:", "warning:", "info:"]


def test_extend_takes_another_collector_or_a_list():
    first, second = Diagnostics(), Diagnostics()
    second.error("f", "e", "wrong")
    first.extend(second)
    first.extend(second.items)
    assert len(first) == 2


def test_a_diagnostic_is_fixed_and_comparable():
    one = Diagnostic(Severity.INFO, "c", "m", "f", 1, 2)
    assert one == Diagnostic(Severity.INFO, "c", "m", "f", 1, 2)
    assert len({one, Diagnostic(Severity.INFO, "c", "m", "f", 1, 2)}) == 1
    with pytest.raises(AttributeError):
        one.line = 4


def test_a_model_error_of_one_diagnostic():
    error = ModelError(Diagnostic(Severity.ERROR, "c", "m", "f"))
    assert len(error.diagnostics) == 1
    assert str(error) == "f:1:1: error: m [c]"


def test_a_message_is_one_line():
    """Whatever line breaks a quoted value has: panels and editors show a finding in one row."""
    assert Diagnostics().error("f", "bad-choice", "'\nbox\r\t' is no type").message == "' box  ' is no type"
    assert "\n" not in str(Diagnostic(Severity.ERROR, "c", "m", "a\nb"))
