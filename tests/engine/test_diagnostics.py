from random import Random

import pytest

from kinetree.engine.diagnostics import (
    KEPT,
    SHOWN,
    SHOWN_IN_ALL,
    Diagnostic,
    Diagnostics,
    ModelError,
    Severity,
    all_kept,
    shown,
)
from kinetree.engine.document.document import Document


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


def found(count: int, code: str = "a", severity: Severity = Severity.WARNING, file: str = "m.xml") -> list[Diagnostic]:
    return [Diagnostic(severity, code, f"message {line}", file, line) for line in range(1, count + 1)]


def test_a_collector_keeps_the_first_of_each_kind_and_counts_the_rest():
    items = found(10_000)
    numbers = Random(1).sample(range(10_000), 10_000)
    collector = Diagnostics()
    most = 0
    for number in numbers:  # in any order
        collector.add(items[number].severity, Place(number + 1), "a", f"message {number + 1}")
        most = max(most, len(collector._items))
    collector.extend([Diagnostic(Severity.ERROR, "b", "one", "m.xml", 20_000)])
    assert sorted(item.line for item in collector if item.code == "a") == list(range(1, KEPT + 1))
    assert sum(item.more for item in collector) == 10_000 - KEPT
    assert [item.code for item in collector.errors] == ["b"] and most <= 2 * KEPT  # the memory is bounded


class Place:
    """A place in m.xml."""

    file, column, end_line, end_column = "m.xml", 1, 0, 0

    def __init__(self, line: int) -> None:
        self.line = line

    @property
    def location(self):
        return self


def test_counts_go_on_from_one_collector_to_the_next():
    first = Diagnostics(found(3 * KEPT))
    second = Diagnostics(first.items)
    second.extend(found(3 * KEPT, file="other.xml"))
    [last] = [item for item in second if item.more]
    assert last.more == 5 * KEPT and len(second) == KEPT
    assert {item.file for item in second} == {"m.xml"}  # the file that was read first
    assert str(last).endswith(f"message {KEPT} (and {5 * KEPT} more of this kind) [a]")


def test_warnings_and_errors_of_one_code_are_two_kinds():
    collector = Diagnostics([*found(5000), *found(3, severity=Severity.ERROR)])
    assert len(collector.errors) == 3 and len(collector.warnings) == KEPT and collector.has_errors


def test_all_findings_are_kept_where_that_is_asked_for():
    with all_kept():
        collector = Diagnostics(found(5000))
    assert len(collector) == 5000 and not any(item.more for item in collector)


def test_few_of_each_kind_are_shown():
    items = [*found(3), *found(5000, "b")]
    first = shown(items)
    assert first[:3] == items[:3] and len(first) == 3 + SHOWN
    assert first[-1].message == f"message {SHOWN} (and {5000 - SHOWN} more of this kind)"
    assert shown(first) == first
    assert shown(items[:50]) == items[:50]


def test_fewer_of_each_kind_are_shown_where_there_are_many_kinds():
    items = [item for code in range(50) for item in found(200, str(code))]
    first = shown(items)
    assert len(first) == SHOWN_IN_ALL and {item.code for item in first} == {item.code for item in items}
    assert sum("and 180 more of this kind" in item.message for item in first) == 50


def test_a_model_error_is_written_with_the_first_of_each_kind_errors_first():
    lines = str(ModelError([*found(5000), *found(2, "b", Severity.ERROR)])).splitlines()
    assert len(lines) == 2 + SHOWN and ["error" in line for line in lines[:3]] == [True, True, False]
    assert f"(and {5000 - SHOWN} more of this kind)" in lines[-1]
