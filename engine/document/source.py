"""Source: the text of one file, with the bytes that it came from and its lines.

Decoding never loses anything: `source.encode(source.text) == source.data` for every file that is accepted.
The encoding is taken from a byte order mark, else from the XML declaration, else it is UTF-8; bytes that are
not valid in it become lone surrogates (Python's "surrogateescape") and are written back as they were.

A model file is untrusted input: only regular files are opened, never a device or a pipe, nothing larger than
`MAX_FILE_BYTES` is read, and nothing is ever written here.
"""

from __future__ import annotations

import codecs
import errno
import os
import re
import stat
from bisect import bisect_right
from pathlib import Path

import numpy as np

from kinetree.engine.diagnostics import Diagnostic, Diagnostics, ModelError, Severity
from kinetree.engine.platforms.files import open_to_read
from kinetree.engine.translation import tr

MAX_FILE_BYTES = 64 * 1024 * 1024
"""Larger files are refused before they are read. MuJoCo's largest own model is under 2 MB; data of this size
belongs in mesh, height field and binary model files, which the document does not read."""

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_DECLARED = re.compile(r"""\s*<\?xml\s[^>]*?\bencoding\s*=\s*["']([A-Za-z0-9._:-]{1,40})["']""")
# Python's names of character sets, as opposed to its other codecs (punycode, unicode_escape, base64, ...).
_CHARACTER_SET = re.compile(r"utf-8|ascii|(?:iso8859|cp|koi8|mac|gb|big5|shift_jis|euc|johab|tis).*")
_LINE_BREAK = re.compile(r"\r\n|\n|\r")
_SURROGATE = re.compile("[\ud800-\udfff]")


class Span:
    """A stretch [start, end) of one source's text, in characters."""

    __slots__ = ("end", "source", "start")

    def __init__(self, source: Source, start: int, end: int) -> None:
        self.source = source
        self.start = start
        self.end = end

    @property
    def text(self) -> str:
        """The characters themselves."""
        return self.source.text[self.start : self.end]

    @property
    def file(self) -> str:
        """The path of the source."""
        return self.source.path

    @property
    def line(self) -> int:
        """Line of the first character, 1-based."""
        return self.source.line_column(self.start)[0]

    @property
    def column(self) -> int:
        """Column of the first character, 1-based, in characters."""
        return self.source.line_column(self.start)[1]

    @property
    def end_line(self) -> int:
        """Line of the end, 1-based."""
        return self.source.line_column(self.end)[0]

    @property
    def end_column(self) -> int:
        """Column after the last character, 1-based."""
        return self.source.line_column(self.end)[1]

    @property
    def location(self) -> Span:
        """Itself (see `kinetree.engine.diagnostics.Located`)."""
        return self

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Span):
            return NotImplemented
        return self.source is other.source and self.start == other.start and self.end == other.end

    def __hash__(self) -> int:
        return hash((id(self.source), self.start, self.end))

    def __repr__(self) -> str:
        return f"Span({self.file}:{self.line}:{self.column}, {self.start}, {self.end})"


class Source:
    """One file's text, fixed.

    path      the path as diagnostics show it
    data      the bytes of the file
    text      the decoded text without its byte order mark; line breaks as they are in the file
    base      the folder of the file (for a string: the folder that relative paths start from)
    encoding  the codec; bom: the byte order mark that `data` starts with, or b""
    """

    __slots__ = ("_data", "_line_starts", "base", "bom", "encoding", "path", "text")

    def __init__(
        self,
        path: str,
        data: bytes | None,
        text: str,
        base: Path,
        encoding: str = "utf-8",
        bom: bytes = b"",
    ) -> None:
        self.path = path
        self.text = text
        self.base = base
        self.encoding = encoding
        self.bom = bom
        self._data = data
        self._line_starts: list[int] | None = None

    @property
    def data(self) -> bytes:
        """The file's bytes. For a text that was edited, its encoding; raises ModelError where that cannot
        be."""
        if self._data is None:
            self._data = self.encode(self.text)
        return self._data

    @property
    def file(self) -> str:
        """The same as `path`."""
        return self.path

    @property
    def location(self) -> Span:
        """The start of the file: where a diagnostic about the file as a whole points."""
        return Span(self, 0, 0)

    @property
    def line_starts(self) -> list[int]:
        """Offsets at which the lines start. A line ends with \\n, \\r\\n or a lone \\r."""
        if self._line_starts is None:
            text = self.text
            if "\r" in text:
                starts = [match.end() for match in _LINE_BREAK.finditer(text)]
            else:  # an array of characters: it is asked for after each edit of a text with findings
                if text.isascii():
                    characters = np.frombuffer(text.encode("ascii"), np.uint8)
                else:
                    characters = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
                starts = (np.flatnonzero(characters == ord("\n")) + 1).tolist()
            self._line_starts = [0, *starts]
        return self._line_starts

    def line_column(self, offset: int) -> tuple[int, int]:
        """(line, column), both 1-based, of a character offset; a tab counts as one column."""
        starts = self.line_starts
        line = bisect_right(starts, offset)
        return line, offset - starts[line - 1] + 1

    def offset(self, line: int, column: int) -> int:
        """The character offset of a 1-based line and column, clamped to the text and to that line."""
        starts = self.line_starts
        if line < 1:
            return 0
        if line > len(starts):
            return len(self.text)
        end = starts[line] - 1 if line < len(starts) else len(self.text)
        return min(starts[line - 1] + max(column, 1) - 1, end)

    def encode(self, text: str) -> bytes:
        """`text` as this file's bytes: same encoding, same byte order mark.

        Raises ModelError, at the character, if the encoding cannot represent it.
        """
        try:
            return self.bom + text.encode(self.encoding, "surrogateescape")
        except UnicodeEncodeError as error:
            there = Source(self.path, None, text, self.base)
            items = Diagnostics()
            items.error(
                Span(there, error.start, error.end),
                "unencodable-character",
                tr(
                    "the character {text!a} cannot be written in this file's encoding ({encoding}): write it as "
                    'a character reference such as &#x20AC;, or declare encoding="UTF-8" in the first line',
                    text=text[error.start : error.start + 1],
                    encoding=self.encoding,
                ),
            )
            raise ModelError(items) from None

    def with_text(self, text: str) -> Source:
        """A new source for the same file (path, encoding, byte order mark) with another text."""
        encoding = self.encoding
        if not self.bom:
            declared = _declared_codec(text)
            if declared != _declared_codec(self.text):
                encoding = declared or "utf-8"
        return Source(self.path, None, text, self.base, encoding, self.bom)

    def __repr__(self) -> str:
        return f"Source({self.path!r}, {len(self.text)} characters, {self.encoding})"


def read_source(
    path: str | os.PathLike[str], diagnostics: Diagnostics | None = None, shown: str | None = None
) -> Source:
    """Read and decode one file; `shown` is the path to give it in diagnostics, if another one.

    Raises ModelError with one diagnostic if the file is missing (`missing-file`), is a folder or another
    thing that is not a regular file (`not-a-file`), cannot be opened (`unreadable-file`), is larger than
    MAX_FILE_BYTES (`file-too-large`) or is not a text (`binary-file`). Doubtful bytes are warnings, added to
    `diagnostics` if given.
    """
    place = os.fspath(path)
    shown = place if shown is None else shown
    data = _read_bytes(place, shown)
    return decode_source(shown, data, diagnostics, _folder(place))


def _folder(path: str) -> Path:
    """The absolute folder of a file."""
    return Path(os.path.dirname(path if os.path.isabs(path) else os.path.join(os.getcwd(), path)))


def decode_source(path: str, data: bytes, diagnostics: Diagnostics | None = None, base: Path | None = None) -> Source:
    """The Source of a file's bytes (see `read_source`). Raises ModelError (`binary-file`)."""
    base = Path(path).absolute().parent if base is None else base
    found = Diagnostics() if diagnostics is None else diagnostics
    bom, encoding, remark = b"", "utf-8", ""
    for mark, codec in _BOMS:
        if data.startswith(mark):
            bom, encoding = mark, codec
            break
    else:
        if data[:4] == b"<\0\0\0":
            encoding = "utf-32-le"
        elif data[:2] == b"<\0":
            encoding = "utf-16-le"
        elif data[:2] == b"\0<":
            encoding = "utf-16-be"
        else:
            _refuse_binary(path, data)
            head = data[:400].decode("latin-1")
            declared = _DECLARED.match(head)
            if declared is not None:
                codec = _declared_codec(head)
                if codec is None:
                    remark = tr(
                        'the declared encoding "{declared}" is unknown or not the one used: the file is read as '
                        'UTF-8; write encoding="UTF-8"',
                        declared=declared[1],
                    )
                else:
                    encoding = codec
    body = data[len(bom) :] if bom else data
    text = _decode_exactly(body, encoding)
    if text is None:
        remark = tr(
            "the file is not valid {encoding} throughout: it is read as UTF-8; save it as UTF-8", encoding=encoding
        )
        if bom:
            body, bom = data, b""
        encoding = "utf-8"
        text = body.decode("utf-8", "surrogateescape")
    source = Source(path, data, text, base, encoding, bom)
    if remark:
        found.warning(source, "encoding-mismatch", remark)
    if not text.isascii():
        invalid = _SURROGATE.search(text)
        if invalid is not None:
            found.warning(
                Span(source, invalid.start(), invalid.end()),
                "invalid-bytes",
                tr(
                    "this byte is not valid {encoding}: it is kept as it is; save the file as UTF-8 or declare "
                    "its encoding in the first line",
                    encoding=encoding,
                ),
            )
    return source


def overlay_source(path: str, text: str, shown: str | None = None) -> Source:
    """The Source of an editor's unsaved text for `path`: the file on disk, if there is one, gives the byte
    order mark and the encoding; its contents are not used."""
    base = Path(path).absolute().parent
    shown = path if shown is None else shown
    try:
        with open(path, "rb") as file:
            head = file.read(4) if stat.S_ISREG(os.fstat(file.fileno()).st_mode) else b""
    except (OSError, ValueError):
        head = b""
    for mark, codec in _BOMS:
        if head.startswith(mark):
            return Source(shown, None, text, base, codec, mark)
    if head[:2] == b"<\0":
        return Source(shown, None, text, base, "utf-16-le")
    if head[:2] == b"\0<":
        return Source(shown, None, text, base, "utf-16-be")
    return Source(shown, None, text, base, _declared_codec(text) or "utf-8")


def _read_bytes(path: str, shown: str) -> bytes:
    try:
        descriptor = open_to_read(path)
    except (OSError, ValueError) as error:
        raise ModelError(_unopened(shown, error)) from None
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise ModelError(_not_a_file(shown, stat.S_ISDIR(status.st_mode)))
        if status.st_size > MAX_FILE_BYTES:
            raise ModelError(_too_large(shown, status.st_size))
        data = os.read(descriptor, status.st_size + 1)
        if len(data) != status.st_size:  # it changes at this very moment
            while len(data) <= MAX_FILE_BYTES and (more := os.read(descriptor, MAX_FILE_BYTES)):
                data += more
    except OSError as error:
        raise ModelError(_unopened(shown, error)) from None
    finally:
        os.close(descriptor)
    if len(data) > MAX_FILE_BYTES:
        raise ModelError(_too_large(shown, len(data)))
    return data


def _unopened(path: str, error: OSError | ValueError) -> Diagnostic:
    if isinstance(error, FileNotFoundError | NotADirectoryError | ValueError):
        return Diagnostic(
            Severity.ERROR, "missing-file", tr("the file does not exist: check its name and folder"), path
        )
    if isinstance(error, IsADirectoryError):
        return _not_a_file(path, True)
    if error.errno in (errno.ENXIO, errno.ENODEV):
        return _not_a_file(path, False)
    reason = (error.strerror or str(error)).lower()
    return Diagnostic(
        Severity.ERROR,
        "unreadable-file",
        tr("the file cannot be read ({reason}): check its permissions and its folder", reason=reason),
        path,
    )


def _not_a_file(path: str, folder: bool) -> Diagnostic:
    what = tr("a folder") if folder else tr("not a regular file")
    return Diagnostic(Severity.ERROR, "not-a-file", tr("this is {what}: name a model file", what=what), path)


def _too_large(path: str, size: int) -> Diagnostic:
    return Diagnostic(
        Severity.ERROR,
        "file-too-large",
        tr(
            "the file has {number:.1f} MiB and a model's text may have {number2} MiB: keep large data in "
            "mesh or height field files that the model refers to",
            number=size / 2**20,
            number2=MAX_FILE_BYTES // 2**20,
        ),
        path,
    )


def _refuse_binary(path: str, data: bytes) -> None:
    if b"\0" not in data[:8192] or data[:64].lstrip()[:1] == b"<":
        return
    raise ModelError(
        Diagnostic(
            Severity.ERROR,
            "binary-file",
            tr("this is a binary file, not the text of a model: open an XML file (MJCF, URDF or x_xy)"),
            path,
        )
    )


def _declared_codec(text: str) -> str | None:
    """The codec that the XML declaration at the start of `text` names, if it can hold a declaration at
    all."""
    declared = _DECLARED.match(text[:400])
    if declared is None:
        return None
    try:
        name = codecs.lookup(declared[1]).name
        # A codec that does not write ASCII as ASCII (UTF-16, EBCDIC) cannot have been the one used.
        if not _CHARACTER_SET.fullmatch(name) or "<?xml version".encode(name) != b"<?xml version":
            return None
    except (LookupError, UnicodeError, ValueError, TypeError):
        return None
    return name


def _decode_exactly(data: bytes, encoding: str) -> str | None:
    """The text of `data`, or None where encoding it again would give other bytes."""
    try:
        text = data.decode(encoding, "surrogateescape")
        if encoding in ("utf-8", "ascii", "iso8859-1"):
            return text
        return text if text.encode(encoding, "surrogateescape") == data else None
    except (UnicodeError, LookupError, ValueError):
        return None
