"""The recent documents that all programs of a desktop share: recently-used.xbel (Desktop Bookmark Specification).

A file is added, or its entry brought up to date. All other bytes stay as they are: of other programs, of unknown
extensions, comments. A list that is damaged, read-only or no file is left alone: users switch it off in this way.
"""

from __future__ import annotations

import configparser
import os
import re
import secrets
import stat
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote
from xml.parsers import expat
from xml.sax.saxutils import escape

from kinetree.engine.platforms import files, folders
from kinetree.engine.platforms.system import HERE

NAME = "recently-used.xbel"
APPLICATION = "Kinetree"
LARGEST = 16 * 1024 * 1024
"""Bytes of a list; a larger one is left alone."""
ATTEMPTS = 3
"""How often another program may come in between."""
EMPTY = b"""<?xml version="1.0" encoding="UTF-8"?>
<xbel version="1.0"
      xmlns:bookmark="http://www.freedesktop.org/standards/desktop-bookmarks"
      xmlns:mime="http://www.freedesktop.org/standards/shared-mime-info"
>
</xbel>
"""


class Damaged(ValueError):
    """The list is not one of the specification."""


def add(path: str, mime_type: str, when: datetime | None = None, list_file: Path | None = None) -> bool:
    """Add a file that was opened. Returns whether the list has it now; False where the list is to be left alone.
    Raises OSError."""
    if HERE != "linux" or not is_wanted(Path(folders.shared_folder("config", os.environ, str(Path.home())))):
        return False
    target = list_file or folders.shared_data() / NAME
    for _ in range(ATTEMPTS):
        before = _read(target)
        if before is None:
            return False
        stamp, data = before
        try:
            after = with_document(data, path, mime_type, when or datetime.now(UTC))
        except Damaged:
            return False
        target.parent.mkdir(parents=True, exist_ok=True)
        if _write(target, after, stamp):
            return True
    return False


def _write(target: Path, data: bytes, stamp: tuple[int, ...] | None) -> bool:
    """Replace the list as a whole, with the permissions of the old one. False, and nothing is written, where another
    program has written it since it was read."""
    target = target.resolve()  # a link must not be replaced
    draft = target.with_name(f".{secrets.token_hex(8)}-{target.name}")
    try:
        with draft.open("xb") as file:
            file.write(data)
            files.flush(file.fileno())
        if stamp is None:
            os.chmod(draft, 0o600)
        else:
            files.take_over(os.stat(target), draft)
        if _stamp(target) != stamp:
            return False
        files.replace(draft, target)
        return True
    finally:
        draft.unlink(missing_ok=True)


def is_wanted(config: Path) -> bool:
    """Whether the desktop keeps recent documents: GTK's setting, in which desktops write the user's choice."""
    for version in ("gtk-4.0", "gtk-3.0"):
        parser = configparser.ConfigParser(interpolation=None, strict=False)
        try:
            parser.read(config / version / "settings.ini", encoding="utf-8")
            text = parser.get("Settings", "gtk-recent-files-enabled", fallback="1")
        except (configparser.Error, OSError, UnicodeDecodeError):
            continue
        if text.strip().lower() in ("0", "false", "no"):
            return False
    return True


def with_document(data: bytes, path: str, mime_type: str, when: datetime) -> bytes:
    """A list with a document. Raises Damaged."""
    address, now = f"file://{quote(os.fsencode(path))}", when.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    found = _Reader(address).read(data)
    if found.end < 0:
        raise Damaged("no xbel")
    if found.bookmark is None:
        entry = _BOOKMARK.format(
            address=escape(address, {'"': "&quot;"}), now=now, type=escape(mime_type, {'"': "&quot;"}), own=_own(now, 1)
        )
        return _replace(data, [(found.end, found.end, entry)])
    start, end = found.bookmark
    tag = _with_attributes(data[start:end], modified=now, visited=now)
    changes: list[tuple[int, int, str | bytes]] = [(start, end, tag)]
    if found.own is not None:
        start, end = found.own
        changes.append((start, end, _with_attributes(data[start:end], modified=now, count=str(found.count + 1))))
    elif found.applications >= 0:
        changes.append((found.applications, found.applications, f"  {_own(now, 1)}\n        "))
    return _replace(data, changes)


_BOOKMARK = """  <bookmark href="{address}" added="{now}" modified="{now}" visited="{now}">
    <info>
      <metadata owner="http://freedesktop.org">
        <mime:mime-type type="{type}"/>
        <bookmark:applications>
          {own}
        </bookmark:applications>
      </metadata>
    </info>
  </bookmark>
"""


def _own(now: str, count: int) -> str:
    command = "&apos;kinetree %u&apos;"
    return f'<bookmark:application name="{APPLICATION}" exec="{command}" modified="{now}" count="{count}"/>'


class _Reader:
    """Places in a list, as bytes: the end of its root, and what concerns one address.

    bookmark      the start tag of its entry
    own           the start tag of our application in it, with its count
    applications  the end tag of the applications in it
    """

    def __init__(self, address: str):
        self._address = address
        self.end = self.applications = -1
        self.bookmark: tuple[int, int] | None = None
        self.own: tuple[int, int] | None = None
        self.count = 0
        self._path: list[str] = []
        self._is_ours = False

    def read(self, data: bytes) -> _Reader:
        """Parse a list. Raises Damaged."""
        if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
            raise Damaged("not UTF-8")
        self._data = data
        self._parser = parser = expat.ParserCreate()
        parser.StartElementHandler, parser.EndElementHandler = self._start, self._end
        parser.XmlDeclHandler, parser.EntityDeclHandler = self._declaration, self._entity
        try:
            parser.Parse(data, True)
        except expat.ExpatError as error:
            raise Damaged(str(error)) from None
        return self

    def _declaration(self, _version: str, encoding: str | None, _standalone: int) -> None:
        if (encoding or "utf-8").lower() not in ("utf-8", "utf8", "us-ascii"):
            raise Damaged("not UTF-8")

    def _entity(self, *_declared: object) -> None:
        raise Damaged("entities")

    def _tag(self) -> tuple[int, int]:
        """The start tag that is read now. A '>' in a value has to be looked over."""
        start = end = self._parser.CurrentByteIndex
        quoted = 0
        while quoted or self._data[end] != ord(">"):
            if self._data[end] in b"\"'" and quoted in (0, self._data[end]):
                quoted = 0 if quoted else self._data[end]
            end += 1
        return start, end + 1

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if not self._path and name != "xbel":
            raise Damaged(name)
        self._path.append(name)
        if name == "bookmark" and attributes.get("href") == self._address and self.bookmark is None:
            self.bookmark, self._is_ours = self._tag(), True
        elif self._is_ours and name == "bookmark:application" and attributes.get("name") == APPLICATION:
            self.own = self._tag()
            count = attributes.get("count", "")
            self.count = int(count) if count.isdecimal() and len(count) < 10 else 0

    def _end(self, name: str) -> None:
        self._path.pop()
        if name == "bookmark":
            self._is_ours = False
        elif self._is_ours and name == "bookmark:applications":
            self.applications = self._parser.CurrentByteIndex
            if self._data[self.applications : self.applications + 2] != b"</":
                self.applications = -1  # <bookmark:applications/>
        elif not self._path:
            self.end = self._parser.CurrentByteIndex
            if self._data[self.end : self.end + 2] != b"</":
                raise Damaged("<xbel/>")


def _with_attributes(tag: bytes, **values: str) -> bytes:
    """A start tag with other values of attributes."""
    for name, value in values.items():
        new = f'{name}="{value}"'.encode()
        pattern = rb"(?<=\s)" + name.encode() + rb"\s*=\s*(\"[^\"]*\"|'[^']*')"
        tag, count = re.subn(pattern, lambda _, new=new: new, tag, count=1)
        if not count:
            end = -2 if tag.endswith(b"/>") else -1
            tag = tag[:end].rstrip() + b" " + new + tag[end:]
    return tag


def _replace(data: bytes, changes: Sequence[tuple[int, int, str | bytes]]) -> bytes:
    for start, end, new in sorted(changes, key=lambda change: change[0], reverse=True):
        data = data[:start] + (new.encode() if isinstance(new, str) else new) + data[end:]
    return data


def _stamp(target: Path) -> tuple[int, ...] | None:
    try:
        found = os.stat(target)
    except FileNotFoundError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns


def _read(target: Path) -> tuple[tuple[int, ...] | None, bytes] | None:
    """(stamp, content) of a list, or of an empty one; None for one that is to be left alone."""
    try:
        found = os.stat(target)
    except FileNotFoundError:
        return None, EMPTY
    if not stat.S_ISREG(found.st_mode) or not found.st_mode & stat.S_IWUSR or found.st_size > LARGEST:
        return None
    return _stamp(target), target.read_bytes()
