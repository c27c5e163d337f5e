"""The Debian package: a payload in /usr/lib/kinetree, programs in /usr/bin, files for the desktop in /usr/share.

It has no scripts: packages that own those folders (shared-mime-info, desktop-file-utils, man-db) look after them by
dpkg's triggers. Written without dpkg, so that it can be built anywhere and has the same bytes everywhere.
"""

from __future__ import annotations

import gzip
import hashlib
import shutil
from pathlib import Path

import reproducible

from release import archive, launchers, licences, metainfo, share, source, system

FOLDER = "usr/lib/kinetree"
CONTROL = """Package: kinetree
Version: {version}
Architecture: amd64
Maintainer: The Kinetree project <nobody@localhost>
Installed-Size: {size}
Depends: {depends}
Recommends: shared-mime-info, desktop-file-utils, hicolor-icon-theme
Section: science
Priority: optional
Description: {summary}
 Kinetree is a desktop application for models of robots and other mechanisms in
 the formats MJCF, URDF and x_xy: its own compiler, physics and renderer. The
 text of a model stays as its author wrote it.
 .
 This package has its own Python and its own Python packages in one folder. It
 uses and changes nothing of the system's Python.
"""
COPYRIGHT = """Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: Kinetree
Comment: {ours}
 Everything else in this package, with its licence:
{parts}
 The texts are in /usr/share/doc/kinetree/THIRD_PARTY.
"""


def write(payload: Path, parts: list[licences.Part], target: Path, scratch: Path, level: int) -> Path:
    """Make the package from a payload, which is moved to `scratch`; `level` of xz: 0 to 9."""
    root = scratch / "deb"
    (root / FOLDER).parent.mkdir(parents=True)
    shutil.move(payload, root / FOLDER)
    shutil.move(root / FOLDER / "share", root / "usr/share")
    share.move_to_debian(root / "usr/share")
    documents = root / "usr/share/doc/kinetree"
    documents.mkdir(parents=True)
    for name in ("THIRD_PARTY", "sbom.cdx.json"):
        shutil.move(root / FOLDER / name, documents / name)
    (documents / "copyright").write_text(_copyright(parts), encoding="utf-8")
    changes = (source.ROOT / "CHANGELOG.md").read_bytes()
    (documents / "changelog.gz").write_bytes(gzip.compress(changes, mtime=0))
    (root / "usr/bin").mkdir()
    for name in launchers.MODULES:
        (root / "usr/bin" / name).symlink_to(f"../lib/kinetree/bin/{name}")
    control = scratch / "control"
    control.mkdir()
    files = sorted(path for path in root.rglob("*") if path.is_file() and not path.is_symlink())
    sums = [f"{hashlib.md5(path.read_bytes()).hexdigest()}  {path.relative_to(root)}\n" for path in files]
    (control / "md5sums").write_text("".join(sums), encoding="utf-8")
    size = sum(path.stat().st_size for path in files) // 1024
    (control / "control").write_text(_control(size), encoding="utf-8")
    for name, folder in (("control", control), ("data", root)):
        archive.compress(scratch / f"{name}.tar.xz", reproducible.entries(str(folder), "."), level)
    path = target / f"kinetree_{source.version()}_amd64.deb"
    with path.open("wb") as file:
        file.write(b"!<arch>\n")
        for member in ("debian-binary", "control.tar.xz", "data.tar.xz"):
            content = b"2.0\n" if member == "debian-binary" else (scratch / member).read_bytes()
            header = f"{member:<16}{reproducible.epoch():<12}{0:<6}{0:<6}{'100644':<8}{len(content):<10}`\n"
            file.write(header.encode("ascii") + content + b"\n" * (len(content) % 2))
    return path


def _control(size: int) -> str:
    desktop = (share.DESKTOP / "kinetree.desktop").read_text(encoding="utf-8")
    return CONTROL.format(
        version=source.version(),
        size=size,
        depends=", ".join(system.depends()),
        summary=metainfo.value(desktop, "Comment").lower(),
    )


def _copyright(parts: list[licences.Part]) -> str:
    lines = [f"  {part.name} {part.version}: {part.licence}" for part in parts]
    return COPYRIGHT.format(ours=licences.OURS, parts="\n".join(lines))
