"""Desktop and MIME files: valid, and a model is recognised by its content, not by its name."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "resources" / "desktop"
FILES = {
    "plain.xml": ("<mujoco/>", "model/x-mjcf+xml"),
    "model.xml": ("<mujoco><worldbody/></mujoco>", "model/x-mjcf+xml"),
    "licence.xml": (
        "<!-- " + "licence text " * 60 + "-->\n<mujoco model='m'>\n</mujoco>",
        "model/x-mjcf+xml",
    ),
    "declared.xml": ("<?xml version='1.0'?>\n<mujoco\n  model='m'/>", "model/x-mjcf+xml"),
    "robot.xml": ("<?xml version='1.0'?>\n<robot name='r'/>", "model/x-urdf+xml"),
    "robot.urdf": ("<robot name='r'/>", "model/x-urdf+xml"),
    "arm.xml": ("<x_xy model='a'></x_xy>", "model/x-x-xy+xml"),
    "other.xml": ("<project>x</project>", "application/xml"),
    "declared_other.xml": ("<?xml version='1.0'?>\n<project/>", "application/xml"),
    "commented_other.xml": ("<!-- hello -->\n<note/>", "application/xml"),
    "broken.xml": ("garbage", "application/xml"),
    "include.xml": ("<mujocoinclude><default/></mujocoinclude>", "application/xml"),
    "arm.kmodel": ("\x89KINETREE MODEL\n\0\0", "model/x-kinetree"),
    "compiled.bin": ("\x89KINETREE MODEL\n\0\0", "model/x-kinetree"),
    "picture.svg": ("<svg xmlns='http://www.w3.org/2000/svg'/>", "image/svg+xml"),
}
ASK = "import sys\nfrom PySide6.QtCore import QMimeDatabase\nd=QMimeDatabase()\nfor f in sys.argv[1:]: print(d.mimeTypeForFile(f).name())"


@pytest.mark.skipif(shutil.which("update-mime-database") is None, reason="shared-mime-info is not installed")
def test_models_are_told_by_their_content(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    packages = tmp_path / "data" / "mime" / "packages"
    packages.mkdir(parents=True)
    shutil.copy(FOLDER / "kinetree.xml", packages)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    done = subprocess.run(["update-mime-database", str(packages.parent)], capture_output=True, text=True, check=True)
    assert not done.stderr.strip()
    paths = []
    for name, (text, _) in FILES.items():
        paths.append(tmp_path / name)
        paths[-1].write_text(text, encoding="latin-1")
    asked = subprocess.run([sys.executable, "-c", ASK, *map(str, paths)], capture_output=True, text=True, check=True)
    told = dict(zip(FILES, asked.stdout.split(), strict=True))
    assert told == {name: kind for name, (_, kind) in FILES.items()}


@pytest.mark.skipif(shutil.which("desktop-file-validate") is None, reason="desktop-file-utils is not installed")
def test_the_desktop_entry_is_valid(tmp_path: Path) -> None:
    text = (FOLDER / "kinetree.desktop").read_text(encoding="utf-8")
    for name, value in (("@RUN@", "/opt/kinetree/run"), ("@TRY@", "/opt/kinetree/run")):
        assert name in text
        text = text.replace(name, value)
    (tmp_path / "kinetree.desktop").write_text(text)
    done = subprocess.run(["desktop-file-validate", str(tmp_path / "kinetree.desktop")], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "")


def test_entry_and_types_name_each_other() -> None:
    entry = (FOLDER / "kinetree.desktop").read_text(encoding="utf-8")
    mime = (FOLDER / "kinetree.xml").read_text(encoding="utf-8")
    types = next(line for line in entry.splitlines() if line.startswith("MimeType=")).removeprefix("MimeType=")
    for name in filter(None, types.split(";")):
        assert f'<mime-type type="{name}">' in mime
    for icon in ("kinetree", "kinetree-model"):
        assert (FOLDER / f"{icon}.svg").exists()


@pytest.mark.parametrize("icon", ["kinetree", "kinetree-model"])
@pytest.mark.parametrize("size", [16, 32, 256])
def test_icons_can_be_drawn(icon: str, size: int, qapp: object) -> None:
    from PySide6.QtGui import QIcon

    image = QIcon(str(FOLDER / f"{icon}.svg")).pixmap(size, size).toImage()
    assert image.width() >= size
    colours = {
        image.pixelColor(x, y).name()
        for x in range(0, size, max(1, size // 16))
        for y in range(0, size, max(1, size // 16))
    }
    assert len(colours) > 8
