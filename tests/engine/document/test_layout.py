"""The step of indentation of a text, and pieces of XML that get another one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kinetree.engine.document.layout import reindented, unit_of

XML = """<body name="a">
  <!-- two
       lines -->
  <geom size="1"
        pos="0 0 0"/>
  <body>
    <mesh vertex="0 0 0
                  1 > 0 0"/><site
      name="s"/>
    <!-- <geom
      size=""/> -->
  </body>
</body>"""


def test_the_lines_of_a_tag_and_of_a_comment_follow_the_first_of_them():
    wide = """<body name="a">
    <!-- two
         lines -->
    <geom size="1"
          pos="0 0 0"/>
    <body>
        <mesh vertex="0 0 0
                      1 > 0 0"/><site
          name="s"/>
        <!-- <geom
          size=""/> -->
    </body>
</body>"""
    assert reindented(XML, "    ") == wide
    assert reindented(wide, "  ") == XML
    tabs = reindented(XML, "\t")
    assert "\n\t\t<mesh" in tabs and "\n\t\t              1 > 0 0" in tabs and "\n\t      pos" in tabs
    assert reindented(tabs, "  ") == XML


@pytest.mark.parametrize("xml", ["<a/>", "<a>\n<b/>\n</a>", "<a>\n  <b/>\n</a>", ""])
def test_what_has_that_step_or_none_stays(xml):
    assert reindented(xml, "  ") == xml
    assert reindented(xml, None) == xml


trees = st.recursive(st.just(()), lambda inner: st.lists(inner, min_size=1, max_size=3).map(tuple), max_leaves=12)


def laid_out(tree: tuple, unit: str, ending: str, depth: int = 0) -> str:
    start = unit * depth
    if not tree:
        return f"{start}<a/>"
    inner = ending.join(laid_out(each, unit, ending, depth + 1) for each in tree)
    return f"{start}<a>{ending}{inner}{ending}{start}</a>"


@given(
    trees,
    st.sampled_from(["  ", "    ", "\t", " "]),
    st.sampled_from(["  ", "   ", "\t"]),
    st.sampled_from(["\n", "\r\n"]),
)
def test_every_line_has_its_depth(tree, old, new, ending):
    assert reindented(laid_out(tree, old, ending), new) == laid_out(tree, new, ending)


@pytest.mark.parametrize(
    "text", ["<a\n" * 2000, "<a '" * 2000, "<!--" * 2000 + "\n  <b>", "<a>\n  <b x='\n" + "x" * 100_000]
)
def test_broken_markup_takes_no_time(text):
    assert len(reindented(text, "\t")) <= len(text)
    assert unit_of(text) in (None, "  ")
