"""Models that are too large are refused by place and remedy, before the work that they would take."""

from __future__ import annotations

import sys

import pytest

import kinetree
from kinetree.engine.compile import memory_estimate
from kinetree.engine.document.document import Document


@pytest.fixture(autouse=True)
def small_limits(monkeypatch):
    monkeypatch.setattr(memory_estimate, "MAX_ELEMENTS", 50)
    monkeypatch.setattr(memory_estimate, "MAX_BODIES", 20)


def refused(text: str) -> list[str]:
    with pytest.raises(kinetree.ModelError) as caught:
        kinetree.load_string(text)
    return [str(item) for item in caught.value.diagnostics]


def test_too_many_elements():
    text = "<mujoco><worldbody>\n" + "<site/>\n" * 48 + "</worldbody></mujoco>"
    kinetree.load_string(text)
    assert refused(text.replace("<site/>", "<site/><site/>", 10)) == [
        "<string>:40:2: error: the model has 60 elements; at most 50 are read: use fewer, or keep data in files "
        "[too-large]"
    ]


def test_comments_and_end_tags_are_no_elements():
    kinetree.load_string("<mujoco><worldbody>" + "<!-- < -->" * 60 + "<site></site>" * 40 + "</worldbody></mujoco>")


def test_elements_of_included_files_count(tmp_path):
    (tmp_path / "part.xml").write_text("<mujoco><worldbody>\n" + "<site/>\n" * 30 + "</worldbody></mujoco>")
    model = tmp_path / "model.xml"
    model.write_text("<mujoco><worldbody>\n" + "<site/>\n" * 30 + '</worldbody><include file="part.xml"/></mujoco>')
    with pytest.raises(kinetree.ModelError, match=r"part\.xml:19:2: error: the model has 63 elements; at most 50"):
        kinetree.load(model)


def test_too_many_bodies():
    text = "<mujoco><worldbody>\n" + '<body><geom size="1"/></body>\n' * 19 + "</worldbody></mujoco>"
    kinetree.load_string(text)
    assert refused(text.replace("</worldbody>", "<body/></worldbody>")) == [
        "<string>:21:2: error: the model has 21 bodies; at most 20 are read: make fewer copies or points [too-large]"
    ]


def test_bodies_that_are_fused_do_not_count():
    bodies = '<body><geom size="1"/></body>' * 22
    model = kinetree.load_string(
        f'<mujoco><compiler fusestatic="true"/><worldbody><body><freejoint/>{bodies}</body></worldbody></mujoco>'
    )
    assert model.nbody == 2


def test_it_is_told_before_the_work():
    """No element is looked at but for counting: what is called is little more than for counting itself."""
    text = "<mujoco><worldbody>" + '<site pos="1 2 3" name="a"/>' * 1000 + "</worldbody></mujoco>"
    document = Document.from_string(text)
    assert len(list(document.merged.iter())) == 1002
    called: dict[str, int] = {}

    def count_calls(frame, event, argument) -> None:
        if event == "call":
            called[frame.f_code.co_name] = called.get(frame.f_code.co_name, 0) + 1

    from kinetree.engine.compile.compiler import compile_document

    sys.setprofile(count_calls)
    try:
        with pytest.raises(kinetree.ModelError):
            compile_document(document)
    finally:
        sys.setprofile(None)
    assert sum(called.values()) < 8 * 1002
    assert not {"validate", "element"} & called.keys()
