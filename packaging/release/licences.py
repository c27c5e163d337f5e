"""The texts of the licences of everything that a payload holds, in its folder THIRD_PARTY."""

from __future__ import annotations

import email
import email.message
import re
import shutil
from dataclasses import dataclass
from pathlib import Path

from release import debian, interpreter, source
from release.source import CannotBuild

COMMON = "usr/share/common-licenses"
TEXT = re.compile(r"(LICEN[CS]E|COPYING|NOTICE|AUTHORS|COPYRIGHT)[^/]*", re.IGNORECASE)
# Packages whose wheels have no text of their licence -> its name in TEXTS, or in Debian's folder of common ones.
WITHOUT_TEXT = {
    "PySide6_Essentials": ("LGPL-3", "GPL-3"),
    "mcap": ("mcap",),
    "shiboken6": ("LGPL-3", "GPL-3"),
}
TEXTS = source.ROOT / "packaging" / "licences"
OURS = "Kinetree's own licence is not chosen yet: all rights are its owner's."


@dataclass(frozen=True)
class Part:
    """Something that a payload holds."""

    name: str
    version: str
    licence: str
    kind: str  # "pypi" or "deb"


def installed(packages: Path) -> list[tuple[Part, Path]]:
    """The installed Python packages but Kinetree, with their folders of metadata, by name."""
    found = []
    for folder in sorted(packages.glob("*.dist-info"), key=lambda path: path.name.lower()):
        metadata = email.message_from_string((folder / "METADATA").read_text(encoding="utf-8"))
        if metadata["Name"] != "kinetree":
            found.append((Part(metadata["Name"], metadata["Version"], licence(metadata), "pypi"), folder))
    return found


def licence(metadata: email.message.Message) -> str:
    """The licence as a package names it."""
    classifiers = [text for text in metadata.get_all("Classifier", []) if text.startswith("License ::")]
    stated = metadata["License-Expression"] or metadata["License"] or ""
    if not stated or "\n" in stated or len(stated) > 100:
        stated = " OR ".join(text.rpartition(" :: ")[2] for text in classifiers)
    return stated or "see its text"


def collect(target: Path, scratch: Path) -> list[Part]:
    """Fill THIRD_PARTY of a payload whose Debian packages lie unpacked in `scratch`; returns the parts."""
    parts = []
    lacking = []
    for part, metadata in installed(target / interpreter.PACKAGES):
        texts = [path for path in sorted(metadata.rglob("*")) if path.is_file() and TEXT.fullmatch(path.name)]
        texts += [path for path in sorted(metadata.glob("licenses/**/*")) if path.is_file() and path not in texts]
        package = target / interpreter.PACKAGES / part.name.lower().replace("-", "_")
        if not texts and package.is_dir():
            texts = [path for path in sorted(package.iterdir()) if path.is_file() and TEXT.fullmatch(path.name)]
        folders = (TEXTS, scratch / debian.LICENCES / COMMON)
        common = [
            next(folder / name for folder in folders if (folder / name).exists())
            for name in WITHOUT_TEXT.get(part.name, ())
        ]
        if not texts and not common:
            lacking.append(f"{part.name} ({part.licence})")
        _copy([*texts, *common], target / "THIRD_PARTY" / part.name, metadata)
        parts.append(part)
    for name in debian.everything()[:-1]:  # the last has the texts alone
        documents = scratch / name / "usr/share/doc" / name
        if documents.is_symlink():  # one copy for all packages of one source
            other = documents.readlink().name
            documents = scratch / other / "usr/share/doc" / other
        _copy([documents / "copyright"], target / "THIRD_PARTY" / "debian" / name, documents)
        parts.append(Part(name, debian.locked()[name][0], f"THIRD_PARTY/debian/{name}/copyright", "deb"))
    if lacking:
        raise CannotBuild(f"no text of the licence: {', '.join(lacking)}; packaging/release/licences.py must name it")
    texts = [path for path in (scratch / debian.LICENCES / COMMON).iterdir() if not path.is_symlink()]
    _copy(sorted(texts), target / "THIRD_PARTY" / "debian" / "common-licenses", texts[0].parent)
    lines = [f"{part.name} {part.version}: {part.licence}\n" for part in parts]
    head = f"{OURS}\n\nThis folder has the licences of everything else:\n\n"
    (target / "THIRD_PARTY" / "LIST.txt").write_text(head + "".join(lines), encoding="utf-8")
    return parts


def _copy(texts: list[Path], folder: Path, base: Path) -> None:
    """Copy texts into a folder, those below `base` under their paths there."""
    for text in texts:
        name = text.relative_to(base) if text.is_relative_to(base) else Path(text.name)
        name = Path(*(part for part in name.parts if part != "licenses"))
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(text, folder / name)
