"""Colours of XML: what begins in the middle of the text has the colours that it has from its start."""

from hypothesis import given
from hypothesis import strategies as st

from kinetree.app.panels.writing.source.lexer import Kind, State, state_at, tokens

PIECES = st.lists(
    st.sampled_from(
        ["<a ", "b=", '"1 2', '"', "'", ">", "/>", "</a>", "<!-- ", "-->", "\n", "text", "&amp;", "<?x ", "?>"]
    ),
    max_size=25,
)


def kinds(line, state=State.TEXT):
    return [(line[start:end], kind.name.lower()) for start, end, kind in tokens(line, state)[0]]


def test_tokens():
    assert kinds('<geom size=".1 x"/> <!-- c --> &lt;') == [
        ("<", "punctuation"), ("geom", "element"), ("size", "attribute"), ("=", "punctuation"), ('"', "value"),
        (".1", "number"), (" x", "value"), ('"', "value"), ("/>", "punctuation"), ("<!-- c -->", "comment"),
        ("&lt;", "reference"),
    ]  # fmt: skip


@given(PIECES)
def test_tokens_are_in_order_and_inside_of_the_line(pieces):
    state = State.TEXT
    for line in "".join(pieces).split("\n"):
        found, state = tokens(line, state)
        place = 0
        for start, end, kind in found:
            assert place <= start < end <= len(line) and kind in Kind
            place = end


def test_the_state_of_a_line_is_read_from_the_text_before_it():
    text = '<a>\n<!-- x\n y\n -->\n<b c="1\n2\n"/>\n<d\n e="f"/>\n</a>'
    states, state, at = [], State.TEXT, 0
    for line in text.split("\n"):
        assert state_at(text, at) is state, line
        state = tokens(line, state)[1]
        states.append(state)
        at += len(line) + 1
    assert {State.COMMENT, State.DOUBLE, State.TAG} < set(states)
