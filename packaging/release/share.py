"""Files for the desktop and the shell, in the folders below `share` where systems look for them."""

from __future__ import annotations

import gzip
import os
import shutil
from pathlib import Path

from release import metainfo, source
from release.source import call

DESKTOP = source.ROOT / "resources" / "desktop"
# Ending of a file in resources/desktop -> where it goes, and the program that it starts, by @RUN@ and @TRY@.
PLACES = {
    ".desktop": ("applications", "kinetree-gui"),
    ".thumbnailer": ("thumbnailers", "kinetree"),
    ".xml": ("mime/packages", ""),
}
ICONS = {"kinetree": "icons/hicolor/scalable/apps", "kinetree-model": "icons/hicolor/scalable/mimetypes"}
COMPLETION = {
    "bash": "bash-completion/completions/kinetree",
    "zsh": "zsh/site-functions/_kinetree",
    "fish": "fish/vendor_completions.d/kinetree.fish",
}
MANUAL = source.ROOT / "packaging" / "release" / "manual.py"


def write(folder: Path, program: Path) -> None:
    """Fill a folder `share`. The programs are found by PATH: that is where packagers put them."""
    for path in sorted(DESKTOP.iterdir()):
        place, command = (ICONS[path.stem], "") if path.suffix == ".svg" else PLACES[path.suffix]
        text = path.read_text(encoding="utf-8").replace("@RUN@", command).replace("@TRY@", command)
        _place(folder / place / path.name, text)
    desktop = (DESKTOP / "kinetree.desktop").read_text(encoding="utf-8")
    _place(folder / "metainfo" / f"{metainfo.ID}.metainfo.xml", metainfo.text(desktop))
    environment = {"LANGUAGE": "en", "LC_ALL": "C.UTF-8", "PATH": os.environ["PATH"], "KINETREE_COMMAND": "kinetree"}
    environment |= {"PYTHONNOUSERSITE": "1", "PYTHONDONTWRITEBYTECODE": "1", "COLUMNS": "100"}
    environment["SOURCE_DATE_EPOCH"] = str(source.epoch())
    manual = call([str(program), str(MANUAL)], environment)
    pages = folder / "man" / "man1"
    pages.mkdir(parents=True)
    (pages / "kinetree.1.gz").write_bytes(gzip.compress(manual.encode(), mtime=0))
    (pages / "kinetree-gui.1.gz").write_bytes(gzip.compress(b".so man1/kinetree.1\n", mtime=0))
    for shell, place in COMPLETION.items():
        _place(folder / place, call([str(program), "-m", "kinetree", "completion", shell], environment))


def _place(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def move_to_debian(share: Path) -> None:
    """Move what Debian keeps elsewhere."""
    zsh = share / "zsh" / "vendor-completions"
    shutil.move(share / "zsh" / "site-functions", zsh)
