"""The wheel has everything that the program reads, under one name. It is built without a network."""

import configparser
import sys
import zipfile
from pathlib import Path

import pytest

from kinetree.engine.jit.targets import here
from tests.documentation import help
from tests.documentation.links import links
from tests.packaging.wheel import ROOT, build, top_level

LEFT_OUT = {"kinetree.pot", "kinetree.po", ".gitignore"}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    folder = tmp_path_factory.mktemp("wheel")
    with zipfile.ZipFile(build(sys.executable, folder, "--no-build-isolation", "--no-index")) as opened:
        yield opened


def test_no_other_name_lands_in_site_packages(wheel: zipfile.ZipFile) -> None:
    assert top_level(wheel.namelist()) == {"kinetree"}


def test_every_file_that_the_program_reads_is_in_it(wheel: zipfile.ZipFile) -> None:
    folders = ("app", "engine", "renderer", "resources", "shaders")
    files = [path for folder in folders for path in (ROOT / folder).rglob("*") if path.is_file()]
    ours = {
        f"kinetree/{path.relative_to(ROOT).as_posix()}"
        for path in files
        if "__pycache__" not in path.parts
        and "en_XA" not in path.parts
        and path.name not in LEFT_OUT
        and path.suffix != ".kernels"  # the wheel has its own: compiled for this machine
    }
    assert len(ours) > 500
    assert ours <= set(wheel.namelist())
    assert f"kinetree/resources/kernels/{here().label}.kernels" in wheel.namelist()


def test_the_pages_that_the_window_shows_are_in_it_with_their_pictures(wheel: zipfile.ZipFile) -> None:
    names = set(wheel.namelist())
    pages = [page for _, pages in help.sections() for _, page in pages]
    wanted = {f"kinetree/docs/{page}" for page in pages}
    for page in pages:
        file = ROOT / "docs" / page
        targets = [target.partition("#")[0] for target in links(file.read_text(encoding="utf-8"))]
        pictures = [file.parent / target for target in targets if target.endswith((".webp", ".png"))]
        wanted |= {f"kinetree/docs/{each.resolve().relative_to(ROOT / 'docs').as_posix()}" for each in pictures}
    assert len(wanted) > 50 and wanted <= names
    size = sum(each.compress_size for each in wheel.infolist() if each.filename.startswith("kinetree/docs/"))
    assert size < 1_500_000


def test_the_translations_are_in_it_compiled(wheel: zipfile.ZipFile) -> None:
    catalogues = [name for name in wheel.namelist() if name.endswith("/LC_MESSAGES/kinetree.mo")]
    languages = {path.name for path in (ROOT / "resources" / "locale").iterdir() if path.is_dir()} - {"en_XA"}
    assert {name.split("/")[-3] for name in catalogues} == languages
    assert not [name for name in wheel.namelist() if name.endswith((".po", ".pot"))]


def test_it_has_the_command_and_the_dependencies(wheel: zipfile.ZipFile) -> None:
    (folder,) = {name.partition("/")[0] for name in wheel.namelist() if ".dist-info/" in name}
    entry_points = configparser.ConfigParser()
    entry_points.read_string(wheel.read(f"{folder}/entry_points.txt").decode())
    assert dict(entry_points["console_scripts"]) == {"kinetree": "kinetree.app.main:main"}
    assert dict(entry_points["gui_scripts"]) == {"kinetree-gui": "kinetree.app.gui:main"}
    metadata = wheel.read(f"{folder}/METADATA").decode()
    assert "\nRequires-Python: <3.15,>=3.11\n" in metadata
    assert "\nRequires-Dist: numba==0.68.1\n" in metadata


def test_names_beside_the_package_are_found() -> None:
    record = ["kinetree/a.py", "kinetree-1.dist-info/RECORD", "../../bin/kinetree", "other.py", "engine/x.py"]
    assert top_level(record) == {"kinetree", "other.py", "engine"}
    assert Path(ROOT / "kinetree").is_dir()
