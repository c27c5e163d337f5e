"""Writes archives whose bytes depend on their contents alone: entries in order, one time, root as owner, fixed modes.

Standard library only: the build backend uses it too. The time of every entry is SOURCE_DATE_EPOCH
(reproducible-builds.org), or the start of 1980, the first that a zip file can tell.
"""

import gzip
import io
import os
import tarfile
import time
import zipfile
from collections.abc import Iterable, Iterator
from typing import IO

FIRST_OF_ZIP = 315532800  # 1980-01-01


def epoch() -> int:
    """Seconds of SOURCE_DATE_EPOCH."""
    return max(int(os.environ.get("SOURCE_DATE_EPOCH") or FIRST_OF_ZIP), FIRST_OF_ZIP)


def mode(executable: bool) -> int:
    """The mode of a file, whatever the umask of who builds."""
    return 0o755 if executable else 0o644


def entries(folder: str, name: str) -> Iterator[tuple[tarfile.TarInfo, str]]:
    """Entries for the contents of a folder, below `name`, with their paths; in the order of names, a folder before its
    contents."""
    with os.scandir(folder) as scan:
        found = sorted(scan, key=lambda entry: entry.name)
    for entry in found:
        info = tarfile.TarInfo(f"{name}/{entry.name}")
        info.mtime, info.uname, info.gname = epoch(), "root", "root"
        if entry.is_symlink():
            info.type, info.mode, info.linkname = tarfile.SYMTYPE, 0o777, os.readlink(entry.path)
        elif entry.is_dir():
            info.type, info.mode = tarfile.DIRTYPE, 0o755
        else:
            status = entry.stat()
            info.size, info.mode = status.st_size, mode(bool(status.st_mode & 0o100))
        yield info, entry.path
        if info.isdir():
            yield from entries(entry.path, info.name)


def write_tar(file: IO[bytes], members: Iterable[tuple[tarfile.TarInfo, str]]) -> None:
    """Write entries with the contents at their paths as a tar in GNU's format, which dpkg reads too."""
    with tarfile.open(fileobj=file, mode="w|", format=tarfile.GNU_FORMAT) as archive:
        for info, path in members:
            if info.isreg():
                with open(path, "rb") as content:
                    archive.addfile(info, content)
            else:
                archive.addfile(info)


def repack_tar_gz(path: str, wanted=lambda name: True) -> None:
    """Write a .tar.gz again, with the entries that are wanted."""
    with tarfile.open(path) as archive:
        files = {info.name: info for info in archive.getmembers() if info.isreg() and wanted(info.name)}
        streams = {name: archive.extractfile(info) for name, info in files.items()}
        contents = {name: stream.read() for name, stream in streams.items() if stream is not None}
    made = io.BytesIO()
    with (
        gzip.GzipFile(filename="", fileobj=made, mode="wb", mtime=epoch()) as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive,
    ):
        for name in sorted(contents):
            info = tarfile.TarInfo(name)
            info.size, info.mtime, info.mode = len(contents[name]), epoch(), mode(bool(files[name].mode & 0o100))
            archive.addfile(info, io.BytesIO(contents[name]))
    with open(path, "wb") as file:
        file.write(made.getvalue())


def repack_zip(path: str) -> None:
    """Write a .zip again: the same entries, in the order that they have."""
    when = time.gmtime(epoch())[:6]
    made = io.BytesIO()
    with zipfile.ZipFile(path) as before, zipfile.ZipFile(made, "w") as after:
        for entry in before.infolist():
            info = zipfile.ZipInfo(entry.filename, when)
            info.compress_type, info.create_system = zipfile.ZIP_DEFLATED, 3
            info.external_attr = (0o100000 | mode(bool(entry.external_attr >> 16 & 0o100))) << 16
            after.writestr(info, before.read(entry), compresslevel=9)
    with open(path, "wb") as file:
        file.write(made.getvalue())
