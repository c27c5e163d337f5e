"""Symbols, folds and colours."""

from hypothesis import given
from hypothesis import strategies as st

from kinetree.engine.assist.colours import colour_edit, colours
from kinetree.engine.assist.outline import Fold, Symbol, folds, symbols
from kinetree.engine.document.document import Document
from kinetree.engine.document.edit import apply
from tests import corpus
from tests.engine.assist.test_hover import MODEL


def flat(symbol: Symbol, depth: int = 0):
    yield depth, symbol
    for child in symbol.children:
        yield from flat(child, depth + 1)


def test_symbols_are_the_elements() -> None:
    document = Document.from_string(MODEL)
    (top,) = symbols(document, document.path)
    found = list(flat(top))
    assert [(symbol.tag, symbol.id) for _, symbol in found] == [(node.tag, node.id) for node in document.root.iter()]
    assert [(depth, s.name, s.kind) for depth, s in found][:4] == [
        (0, "mujoco", "mujoco"), (1, "main", "default"), (2, "red", "default"), (3, "geom", "default.geom"),
    ]  # fmt: skip
    for _, symbol in found:
        assert document.source.text[symbol.tag_start : symbol.tag_end] == symbol.tag


def test_symbols_of_an_empty_text() -> None:
    assert symbols(Document.from_string(""), "<string>") == []


def test_symbols_of_every_model(shared) -> None:
    for listed in corpus.listed(shared / "corpus")[::7]:
        if listed.path.suffix == ".xml" and listed.path.is_file():
            document = Document.load(listed.path)
            made = [symbol for top in symbols(document, document.path) for _, symbol in flat(top)]
            assert len(made) == sum(1 for _ in document.root.iter() if document.root.tag)


def test_folds() -> None:
    text = "<mujoco>\n  <!-- a\n  b -->\n  <worldbody><body>\n    <geom/>\n  </body></worldbody>\n  <asset/>\n</mujoco>"
    document = Document.from_string(text)
    assert folds(document, document.path) == [Fold(1, 8, False), Fold(2, 3, True), Fold(4, 6, False)]
    assert folds(Document.from_string(""), "<string>") == []


def test_colours() -> None:
    text = (
        '<mujoco><asset><texture rgb1=".2 .3 .4" name="t"/></asset><worldbody><!-- <geom rgba="1 1 1 1"/> -->'
        '<geom rgba="1 0 0 .5" size="1 1 1"/><light diffuse="1 1 2"/><geom rgba="1 0 x 1"/></worldbody></mujoco>'
    )
    document = Document.from_string(text)
    found = colours(document, document.path)
    assert [each.rgba for each in found] == [(0.2, 0.3, 0.4, 1), (1, 0, 0, 0.5), (1, 1, 1, 1)]
    edits = [colour_edit(document, document.path, each.start, each.end, (0.12345, 0, 1, 1)) for each in found[:2]]
    after = apply(text, edits)
    assert 'rgb1="0.123 0 1"' in after and 'rgba="0.123 0 1 1"' in after


@given(st.integers(0, len(MODEL)))
def test_a_text_that_is_cut_off_never_raises(length: int) -> None:
    document = Document.from_string(MODEL[:length])
    symbols(document, document.path)
    folds(document, document.path)
    colours(document, document.path)
