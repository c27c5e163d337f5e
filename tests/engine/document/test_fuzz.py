"""Nothing that stands in a file makes the document layer raise, hang or lie about places."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kinetree.engine.diagnostics import Diagnostics, ModelError
from kinetree.engine.document.document import Document
from kinetree.engine.document.parser import MAX_REPORTS
from kinetree.engine.document.source import Source, decode_source
from kinetree.engine.document.tree import parse
from tests.conftest import ROOT, SHARED
from tests.patience import ends, grows_linearly

DATA = ROOT / "tests" / "data" / "document"


def check(document_or_source) -> None:
    """Parse, and hold every node and diagnostic against the text."""
    source = document_or_source
    found = Diagnostics()
    root = parse(source, found)
    text = source.text
    assert len(found) <= 2 * MAX_REPORTS + 1
    lines = len(source.line_starts)
    for item in found:
        assert 1 <= item.line <= lines
        assert item.column >= 1
        assert (item.line, item.column) <= (item.end_line, item.end_column)
        assert item.message
        assert item.code
        str(item).encode("utf-8")
    if root.tag == "":
        assert found.has_errors
        return
    stack = [root]
    while stack:
        node = stack.pop()
        assert 0 <= node.start < node.tag_span.start < node.head_span.end <= node.end <= len(text)
        assert text[node.start] == "<"
        assert node.tag_span.text == node.tag
        assert node.head_span.end <= node.tail_span.start <= node.end
        position = node.tag_span.end
        for attribute in node.attributes:
            assert attribute.node is node
            assert attribute.name_span.text == attribute.name
            assert position <= attribute.name_span.start < attribute.value_span.start
            assert attribute.value_span.end <= node.head_span.end
            position = attribute.span.end
        assert len({attribute.name for attribute in node.attributes}) == len(node.attributes)
        position = node.head_span.end
        for child in node.children:
            assert child.parent is node
            assert position <= child.start
            position = child.end
        assert position <= max(node.tail_span.start, node.head_span.end) or found.has_errors
        for span in node.text_spans:
            assert 0 <= span.start <= span.end <= len(text)
        stack.extend(node.children)


def from_text(text: str) -> Source:
    return Source("f.xml", None, text, DATA)


WORDS = (
    "< > / = \" ' & ; # ! ? - -- [ ] x \0 \n \r \t é 😀 \ud800 <a> </a> <a/> <b> </b> <a <!-- --> <![CDATA[ ]]> <?x ?> <!DOCTYPE "
    '<!ENTITY [] &amp; &#65; &#x; a="1" a=1 b=\'2\' a= mujoco <include file="f.xml"/> </'
)
PIECES = [*WORDS.split(" "), " "]


@given(st.lists(st.sampled_from(PIECES), max_size=25))
def test_any_pieces_of_xml(pieces):
    check(from_text("".join(pieces)))


@given(st.text(max_size=100))
def test_any_text(text):
    check(from_text(text))
    document = Document.from_string("<mujoco>" + text + "</mujoco>", base=DATA)
    for _ in document.merged.iter():
        pass


@given(st.binary(max_size=100))
def test_any_bytes(data):
    try:
        check(decode_source("f.xml", data))
    except ModelError as refusal:
        check(decode_source("f.xml", b"<" + data))
        codes = [item.code for item in refusal.diagnostics]
        assert codes == ["binary-file"]


def seeds() -> list[bytes]:
    paths = sorted(DATA.rglob("*.xml"))
    if SHARED.exists():
        model = SHARED / "corpus" / "mujoco" / "model"
        paths += [model / "humanoid" / "humanoid.xml", model / "car" / "car.xml"]
        paths += sorted((SHARED / "corpus" / "inline").rglob("*.xml"))[::25]
    return [path.read_bytes() for path in paths]


def mutated(data: bytes, rng: random.Random) -> bytes:
    for _ in range(rng.randint(1, 6)):
        if not data:
            return data
        i, j = sorted(rng.randrange(len(data) + 1) for _ in range(2))
        j = min(j, i + rng.choice([1, 3, 20, 500]))
        k = rng.randrange(len(data) + 1)
        match rng.randrange(6):
            case 0:
                data = data[:i] + data[j:]
            case 1:
                data = data[:j] + data[i:j] + data[j:]
            case 2:
                data = data[:k] + data[i:j] + data[k:]
            case 3:
                data = data[:i] + rng.randbytes(j - i) + data[j:]
            case 4:
                data = data[:i] + rng.choice(b"<>/=\"'&;! \n".decode()).encode() + data[i + 1 :]
            case 5:
                data = data[:i]
    return data


@pytest.mark.parametrize("seed", range(4))
def test_mutated_models(seed):
    rng = random.Random(seed)
    refused = 0
    for data in seeds():
        for _ in range(6):
            content = mutated(data, rng)
            try:
                source = decode_source("f.xml", content, Diagnostics())
            except ModelError:
                refused += 1
                continue
            assert source.encode(source.text) == content
            with ends():
                check(source)
    assert refused < 30  # those that came to look binary


N = 200_000

HOSTILE = {
    "less-than": "<" * N,
    "ampersands": "<a b='" + "&" * N + "'/>",
    "ampersands in text": "<a>" + "&" * N + "</a>",
    "references": "<a b='" + "&#65;" * N + "'/>",
    "tags without end": "<a " * N,
    "start tags": "<a>" * N,
    "end tags": "</a>" * N,
    "end tags in the tree": "<b>" + "</a>" * N,
    "mismatched pairs": "<r>" + "<a></b>" * N,
    "crossed pairs": "<r>" + "<a><b></a></b>" * N,
    "spaces in a tag": "<a" + " " * N,
    "spaces after a name": "<a b" + " " * N + "c",
    "spaces after an equals sign": "<a b=" + " " * N,
    "spaces in an unterminated value": '<a b="' + " " * N,
    "words in an unterminated value": '<a b="' + "c " * N + "\n<",
    "equals signs in an unterminated value": '<a b="' + "c=" * N,
    "spaces in an end tag": "<a></a" + " " * N + "x",
    "a long name": "<" + "a" * N,
    "a long attribute name": "<a " + "b" * N,
    "quotes": "<a " + '"' * N,
    "open values": '<a b="' * N,
    "open values of both kinds": "<a b=\"<a b='" * N,
    "many attributes": "<a" + ' b="1"' * N,
    "many attributes and junk": "<a" + "".join(f' b{i}="1"' for i in range(N)) + " %>",
    "attributes without spaces": "<a" + "".join(f'b{i}="1"' for i in range(N)) + "/>",
    "unquoted attributes": "<a " + "b=1 " * N,
    "bare attributes": "<a " + "b " * N,
    "junk in a tag": "<a " + "%/" * N + ">",
    "comments without end": "<a>" + "<!--" * N,
    "dashes in a comment": "<!--" + "-" * N,
    "CDATA without end": "<a>" + "<![CDATA[" * N,
    "instructions without end": "<?a>" * N,
    "declarations": "<!a>" * N,
    "document types": "<!DOCTYPE [>" * N,
    "document type without end": "<!DOCTYPE a [" + "<!ELEMENT b '" * N,
    "brackets": "<!DOCTYPE a " + "[]" * N + "><a/>",
    "entities": "<!DOCTYPE a [" + "<!ENTITY b 'c'>" * N + "]><a/>",
    "less-than in values": "<a" + "".join(f' b{i}="<"' for i in range(N // 10)) + "/>",
    "NULs": "<a>" + "\0" * N,
    "carriage returns": "<a b='" + "\r" * N + "'/>",
    "carriage returns and line feeds": "<a b='" + "\n\r" * N + "'>" + "\r\n\r" * N + "</a>",
    "greater-than": "<a>" + ">" * N + "</a>",
    "line breaks": "\n" * N,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_texts_cost_little(name):
    """Each takes well under 2 s."""
    text = HOSTILE[name]
    grows_linearly(lambda share: check(from_text(text[: int(share * len(text))])))


def test_a_tag_that_fails_again_and_again():
    """The longest look ahead of a tag that turns out malformed must not repeat for each tag after it."""
    text = "<r>" + "".join(f"<a b{i}='1' c='<'/>\n" for i in range(20_000))
    grows_linearly(lambda share: check(from_text(text[: int(share * len(text))] + "</r>")))


def test_include_chains_that_fan_out(tmp_path):
    """Each file may be included once, so that no set of files grows without bound."""
    for i in range(30):
        (tmp_path / f"i{i}.xml").write_text(f'<a><include file="i{i + 1}.xml"/><include file="i{i + 1}.xml"/></a>')
    document = Document.from_string('<mujoco><include file="i0.xml"/></mujoco>', base=tmp_path)
    assert len(document.files) == 30
    assert {item.code for item in document.diagnostics} == {"missing-file", "include-repeated"}
