"""Hover texts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kinetree.engine.assist.hover import hover
from kinetree.engine.document.document import Document
from tests.engine.assist.marked import marked

MODEL = """<mujoco>
  <default><default class="red"><geom rgba="1 0 0 1"/></default></default>
  <asset><material name="steel"/></asset>
  <worldbody>
    <body name="arm" childclass="red"><joint name="elbow" range="-1 1"/><geom name="g" material="steel"/></body>
    <replicate count="2"><body name="copy"><freejoint/></body></replicate>
  </worldbody>
  <contact><exclude body1="copy0" body2="world"/></contact>
</mujoco>"""


def said(before: str, model: str = MODEL) -> str | None:
    """Hover text at the first place after `before`."""
    document, path, offset = marked(model.replace(before, before + "|", 1))
    found = hover(document, path, offset)
    if found is None:
        return None
    assert found.span.start <= offset <= found.span.end
    return found.markdown


@pytest.mark.parametrize(
    ("before", "parts"),
    [
        ("<joi", ["**<joint>**", "Nothing refers to the joint elbow"]),
        ("<material", ["**<material>**", "Needs name", "1 reference to the material steel"]),
        ("ran", ["**range** `real(2), angle or m`", "In force: `-1 1`, written here"]),
        ('<geom name="g" mat', ["**material** `name of a material`"]),
        ('material="ste', ["**material steel**, line 3 of", '<material name="steel"/>']),
        ('childclass="re', ["**class red**, line 2", '<default class="red">']),
        ('body1="co', ["**body copy0**, a copy or a part of copy, line 6"]),
        ('body2="wor', ["exists without being declared"]),
    ],
)
def test_what_is_said(before: str, parts: list[str]) -> None:
    text = said(before)
    assert text is not None
    assert all(part in text for part in parts), text


def test_the_value_in_force_names_its_class() -> None:
    text = said('material="steel" rgb', MODEL.replace('material="steel"', 'material="steel" rgba=""'))
    assert text is not None and "In force: `1 0 0 1`, default class red, line 2 of" in text


def test_units_ranges_and_defaults() -> None:
    text = said("<option timest", '<mujoco><option timestep="0.002"/></mujoco>')
    assert text is not None and "`real, s`" in text and "Default: `0.002`" in text and "Useful range" in text


def test_files(tmp_path) -> None:
    (tmp_path / "arm.stl").write_bytes(b"x" * 1234)
    document, path, offset = marked('<mujoco><asset><mesh file="a|rm.stl"/></asset></mujoco>', base=tmp_path)
    found = hover(document, path, offset)
    assert found is not None and "1.23 kB" in found.markdown
    document, path, offset = marked('<mujoco><asset><mesh file="n|o.stl"/></asset></mujoco>', base=tmp_path)
    found = hover(document, path, offset)
    assert found is not None and "There is no file no.stl" in found.markdown


@pytest.mark.parametrize("before", ["<mujoco", "<worldbody>\n ", "</worldb"])
def test_nothing_is_said_between_tags(before: str) -> None:
    assert (said(before) is None) == before.endswith("\n ")


def test_text_of_the_model_has_no_meaning_in_markdown() -> None:
    text = said('material="', '<mujoco><worldbody><geom material="**[x](http://y)"/></worldbody></mujoco>')
    assert text is not None and r"\*\*\[x\]\(http://y\)" in text


@given(st.integers(0, len(MODEL)), st.integers(0, len(MODEL)))
def test_a_text_that_is_cut_off_never_raises(length: int, offset: int) -> None:
    document = Document.from_string(MODEL[:length])
    hover(document, document.path, min(offset, length))
