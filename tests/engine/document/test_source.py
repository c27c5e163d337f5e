import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kinetree.engine.diagnostics import Diagnostics, ModelError
from kinetree.engine.document import source as source_module
from kinetree.engine.document.document import Document
from kinetree.engine.document.source import decode_source, overlay_source, read_source
from tests.conftest import ROOT, SHARED

DATA = ROOT / "tests" / "data" / "document"
ODD = sorted(DATA.rglob("*.xml"))


def code_of(path) -> str:
    with pytest.raises(ModelError) as caught:
        Document.load(path)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.file == os.fspath(path)
    return diagnostic.code


@pytest.mark.parametrize("path", ODD, ids=lambda path: path.name)
def test_odd_files_are_saved_as_they_were(path):
    document = Document.load(path)
    assert document.save_bytes() == path.read_bytes()
    for source in document.sources.values():
        assert source.encode(source.text) == source.data


@pytest.mark.skipif(not SHARED.exists(), reason="needs ../shared")
def test_every_file_of_the_corpus_is_saved_as_it_was():
    paths = sorted((SHARED / "corpus").rglob("*.xml"))
    assert len(paths) > 800
    for path in paths:
        document = Document.load(path)
        assert document.save_bytes() == path.read_bytes(), path
        assert document.source.encode(document.source.text) == path.read_bytes(), path


@pytest.mark.parametrize(
    ("name", "encoding"),
    [
        ("bom.xml", "utf-8"),
        ("crlf.xml", "utf-8"),
        ("cr.xml", "utf-8"),
        ("latin1.xml", "iso8859-1"),
        ("cp1252.xml", "cp1252"),
        ("utf16le_bom.xml", "utf-16-le"),
        ("utf16be_bom.xml", "utf-16-be"),
        ("utf16le.xml", "utf-16-le"),
        ("utf32_bom.xml", "utf-32-le"),
    ],
)
def test_encodings_give_the_same_text(name, encoding):
    document = Document.load(DATA / name)
    assert document.source.encoding == encoding
    assert document.root.get("model") == "Größe"
    assert document.root.children[0].children[0].get("name") == "café"
    geom = document.root.children[0].children[0]
    assert (geom.line, geom.column) == (5, 5)
    assert (geom.attribute("name").line, geom.attribute("name").column) == (5, 17)
    assert not document.diagnostics.has_errors


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("invalid_bytes.xml", "invalid-bytes"),
        ("wrong_declaration.xml", "encoding-mismatch"),
        ("unknown_encoding.xml", "encoding-mismatch"),
    ],
)
def test_doubtful_encodings_are_warnings(name, code):
    document = Document.load(DATA / name)
    assert [item.code for item in document.diagnostics.warnings] == [code]
    assert not document.diagnostics.has_errors
    assert document.save_bytes() == (DATA / name).read_bytes()


def test_the_place_of_an_invalid_byte():
    (warning,) = Document.load(DATA / "invalid_bytes.xml").diagnostics.warnings
    assert (warning.line, warning.column) == (2, 8)


@given(
    st.binary(max_size=200),
    st.sampled_from(["", "ascii", "latin-1", "cp1252", "utf-8", "shift_jis", "utf-7", "idna"]),
)
def test_any_bytes_come_back(data, declared):
    head = f'<?xml version="1.0" encoding="{declared}"?>'.encode() if declared else b""
    for content in (head + data, b"<" + data, b"\xff\xfe" + data, b"\xef\xbb\xbf" + data):
        try:
            source = decode_source("f.xml", content, Diagnostics())
        except ModelError as refusal:
            codes = [item.code for item in refusal.diagnostics]
        else:
            codes = ["binary-file"]
            assert source.encode(source.text) == content
        assert codes == ["binary-file"]


@given(st.text(alphabet="ab\n\r\t", max_size=60))
def test_lines_and_columns(text):
    source = source_module.Source("f", None, text, None)
    line, column = 1, 1
    for offset in range(len(text) + 1):
        assert source.line_column(offset) == (line, column)
        if offset == len(text):
            break
        if text[offset] == "\n" or (text[offset] == "\r" and text[offset + 1 : offset + 2] != "\n"):
            line, column = line + 1, 1
        else:
            assert source.offset(line, column) == offset
            column += 1


def test_offsets_outside_are_clamped():
    source = source_module.Source("f", None, "ab\ncd\n", None)
    assert source.offset(0, 5) == 0
    assert source.offset(1, 99) == 2
    assert source.offset(2, 99) == 5
    assert source.offset(9, 1) == 6


def test_a_missing_file(tmp_path):
    assert code_of(tmp_path / "none.xml") == "missing-file"
    assert code_of(tmp_path / "none" / "none.xml") == "missing-file"
    assert code_of("a\0b.xml") == "missing-file"


def test_a_name_that_is_too_long(tmp_path):
    assert code_of(tmp_path / ("x" * 5000)) == "unreadable-file"


def test_a_folder(tmp_path):
    assert code_of(tmp_path) == "not-a-file"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_does_not_block(tmp_path):
    os.mkfifo(tmp_path / "pipe.xml")
    assert code_of(tmp_path / "pipe.xml") == "not-a-file"


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="needs /dev/zero")
def test_an_endless_device_is_not_read():
    assert code_of("/dev/zero") == "not-a-file"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission(tmp_path):
    path = tmp_path / "m.xml"
    path.write_text("<mujoco/>")
    path.chmod(0)
    assert code_of(path) == "unreadable-file"


def test_a_file_of_100_mb_is_refused_before_it_is_read(tmp_path):
    path = tmp_path / "large.xml"
    with open(path, "wb") as file:
        file.truncate(100 * 1024 * 1024)
    assert code_of(path) == "file-too-large"


@pytest.mark.parametrize("data", [b"\x7fELF\x02\x01\x01\0\0\0", b"\0" * 100, bytes(range(256)), b"MJB\0\x01"])
def test_binary_files(tmp_path, data):
    path = tmp_path / "m.xml"
    path.write_bytes(data)
    assert code_of(path) == "binary-file"


def test_a_character_that_the_encoding_has_not():
    document = Document.load(DATA / "latin1.xml")
    changed = document.with_text(document.source.text.replace("café", "€"))
    with pytest.raises(ModelError) as caught:
        changed.save_bytes()
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "unencodable-character"
    assert (diagnostic.line, diagnostic.column) == (5, 17)


def test_changing_the_declaration_changes_the_encoding():
    document = Document.load(DATA / "latin1.xml")
    changed = document.with_text(document.source.text.replace("ISO-8859-1", "UTF-8"))
    assert changed.save_bytes().decode("utf-8") == changed.source.text
    again = changed.with_text(changed.source.text.replace("UTF-8", "latin-1"))
    assert again.save_bytes().decode("latin-1") == again.source.text


@pytest.mark.parametrize("name", ["bom.xml", "utf16le_bom.xml", "utf16be_bom.xml", "utf16le.xml", "latin1.xml"])
def test_unsaved_text_keeps_the_encoding_of_the_file(name):
    path = DATA / name
    text = read_source(path).text
    assert overlay_source(str(path), text).data == path.read_bytes()
    document = Document.load(path, overlay={str(path): text.replace("Größe", "Größer")})
    assert document.root.get("model") == "Größer"
    assert read_source(path).text == text
