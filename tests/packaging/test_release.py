"""packaging/release, but for the parts that fetch packages: tables against the sources, launchers, and a Debian package of
a payload of a few small files."""

from __future__ import annotations

import ast
import plistlib
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from types import ModuleType

import pytest

import kinetree
from tests.packaging.wheel import ROOT

EPOCH = 1767312000
RECIPES = ROOT / "packaging" / "recipes"


@pytest.fixture(autouse=True)
def release(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT / "packaging"))
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(EPOCH))
    import release

    return release


def qt_modules(folder: Path) -> set[str]:
    """The modules of PySide6 that the sources in a folder import."""
    found = set()
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module == "PySide6":
                found |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("PySide6."):
                found.add(node.module.split(".")[1])
            elif isinstance(node, ast.Import):
                found |= {alias.name.split(".")[1] for alias in node.names if alias.name.startswith("PySide6.")}
    return found


def test_the_parts_of_qt_that_are_kept_are_those_that_are_imported() -> None:
    from release import qt

    used = set().union(*(qt_modules(ROOT / name) for name in ("app", "engine", "renderer")))
    assert {"QtCore", "QtWidgets", "QtSvg"} <= used
    by_others = {name for name, reason in qt.MODULES.items() if reason == "pyqtgraph" or reason.startswith("loaded by")}
    assert set(qt.MODULES) - by_others == used - by_others


def test_the_tables_have_every_library_that_the_window_needs() -> None:
    from release import debian, system

    sys.path.insert(0, str(ROOT / "packaging"))
    try:
        import bootstrap
    finally:
        sys.path.remove(str(ROOT / "packaging"))
    told = {*debian.everything(), *(word for words in system.depends() for word in words.split(" | "))}
    # Qt's own copy of the wheel is linked without it.
    assert set(bootstrap.WINDOW_LIBRARIES.values()) - told == {"libxcb-xinerama0"}


def test_debian_packages_are_pinned() -> None:
    from release import debian

    assert set(debian.locked()) == set(debian.everything())
    assert all(re.fullmatch("[0-9a-f]{64}", digest) for _, digest in debian.locked().values())


def test_a_payload_has_all_of_the_lock_and_pip() -> None:
    from release import packages

    names = re.findall(r"^([\w.-]+)==", packages.pinned(), re.MULTILINE)
    run = re.findall(r"^([\w.-]+)==", (ROOT / "packaging" / "run.lock").read_text(encoding="utf-8"), re.MULTILINE)
    assert names == [*run, "pip"]


# ---- launchers -------------------------------------------------------------------------------------------------------


def launched(program: Path, environment: dict[str, str]) -> dict[str, str]:
    """The environment that a launcher gives the interpreter: its variables, and its arguments as "arguments"."""
    done = subprocess.run([program, "a b", "c"], env=environment, capture_output=True, text=True, check=True)
    return dict(line.split("=", 1) for line in done.stdout.splitlines())


@pytest.fixture
def programs(tmp_path: Path) -> Path:
    """The launchers beside an interpreter that says how it was called."""
    from release import interpreter, launchers

    folder = tmp_path / "un packed" / "bin"
    folder.mkdir(parents=True)
    launchers.write(folder.parent)
    (folder / interpreter.NAME).write_text('#!/bin/sh\nIFS="|"\necho "arguments=$*"\nenv\n')
    (folder / interpreter.NAME).chmod(0o755)
    return folder


def test_launchers_shut_the_users_python_out(programs: Path) -> None:
    user = {"PATH": "/usr/bin:/bin", "PYTHONPATH": "/ros", "PYTHONHOME": "/other", "PYTHONSTARTUP": "/x"}
    told = launched(programs / "kinetree-gui", user)
    assert told["arguments"] == "-m|kinetree.app.gui|a b|c"
    assert {name for name in told if name.startswith("PYTHON")} == {"PYTHONNOUSERSITE", "PYTHONSAFEPATH"}
    assert told["KINETREE_COMMAND"] == str(programs / "kinetree")


def test_a_launcher_in_path_is_called_by_its_name(programs: Path, tmp_path: Path) -> None:
    links = tmp_path / "links"
    links.mkdir()
    (links / "kinetree").symlink_to(programs / "kinetree")
    told = launched(links / "kinetree", {"PATH": f"{links}:/usr/bin:/bin"})
    assert told["arguments"] == "-m|kinetree|a b|c"
    assert "KINETREE_COMMAND" not in told


# ---- the Debian package ----------------------------------------------------------------------------------------------


@pytest.fixture
def deb(tmp_path: Path) -> Path:
    from release.deb import write
    from release.licences import Part

    payload = tmp_path / "payload"
    files = {
        "bin/kinetree": "program",
        "share/zsh/site-functions/_kinetree": "completion",
        "share/applications/kinetree.desktop": "entry",
        "THIRD_PARTY/LIST.txt": "licences",
        "sbom.cdx.json": "{}",
        f"lib/{'long' * 30}.py": "pass",
    }
    for name, text in files.items():
        (payload / name).parent.mkdir(parents=True, exist_ok=True)
        (payload / name).write_text(text)
    (payload / "bin/kinetree").chmod(0o700)
    (tmp_path / "scratch").mkdir()
    return write(payload, [Part("numpy", "1", "BSD", "pypi")], tmp_path, tmp_path / "scratch", 0)


@pytest.mark.skipif(shutil.which("dpkg-deb") is None, reason="dpkg is not installed")
def test_dpkg_reads_the_package(deb: Path) -> None:
    from release import system

    assert deb.name == f"kinetree_{kinetree.__version__}_amd64.deb"

    def ask(option: str, *more: str) -> str:
        done = subprocess.run(
            ["dpkg-deb", option, deb, *more], capture_output=True, text=True, env={"TZ": "UTC", "PATH": "/usr/bin:/bin"}
        )
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout

    assert ask("--field", "Version").strip() == kinetree.__version__
    assert ask("--field", "Depends").strip() == ", ".join(system.depends())
    listed = [line.split(None, 5) for line in ask("--contents").splitlines()]
    assert {fields[1] for fields in listed} == {"root/root"}
    assert {fields[3] for fields in listed} == {"2026-01-02"}
    modes = {fields[5].split(" ")[0]: fields[0] for fields in listed}
    assert modes["./usr/lib/kinetree/bin/kinetree"] == "-rwxr-xr-x"
    assert modes[f"./usr/lib/kinetree/lib/{'long' * 30}.py"] == "-rw-r--r--"
    assert modes["./usr/bin/kinetree"].startswith("l")
    assert "./usr/share/zsh/vendor-completions/_kinetree" in modes
    assert "./usr/share/doc/kinetree/copyright" in modes
    assert not [name for name in modes if name.startswith("./usr/lib/kinetree/share")]


def test_equal_trees_give_equal_bytes(tmp_path: Path) -> None:
    import reproducible

    packed = []
    for folder, names in (("one", ["b", "a/x", "a.txt"]), ("two", ["a.txt", "a/x", "b"])):
        for name in names:
            path = tmp_path / folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(name)
            path.chmod(0o640 if folder == "one" else 0o644)
        (tmp_path / folder / "link").symlink_to("b")
        with (tmp_path / f"{folder}.tar").open("wb") as file:
            reproducible.write_tar(file, reproducible.entries(str(tmp_path / folder), "root"))
        packed.append((tmp_path / f"{folder}.tar").read_bytes())
    assert packed[0] == packed[1]


# ---- recipes ---------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def recipes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The recipes, filled in, beside a made-up sdist."""
    folder = tmp_path_factory.mktemp("recipes")
    (folder / f"kinetree-{kinetree.__version__}.tar.gz").write_bytes(b"sdist")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "packaging"))
        patch.setenv("SOURCE_DATE_EPOCH", str(EPOCH))
        from release.recipes import write

        write(folder)
    return folder / "recipes"


def test_no_recipe_repeats_the_version_or_the_name_of_the_application() -> None:
    from release import metainfo

    files = [path for path in [*RECIPES.rglob("*"), ROOT / ".github" / "workflows" / "release.yml"] if path.is_file()]
    assert len(files) > 8
    repeated = [
        f"{path.relative_to(ROOT)}: {word}"
        for path in files
        for word in (kinetree.__version__, metainfo.ID)
        if word in path.name or re.search(rf"(?<![\w.]){re.escape(word)}(?![\w.])", path.read_text(encoding="utf-8"))
    ]
    assert not repeated


def test_recipes_are_complete(recipes: Path) -> None:
    import hashlib

    from release import metainfo

    files = [path for path in recipes.rglob("*") if path.is_file()]
    assert not [path for path in files if re.search("@[A-Z_]+@", path.read_text(encoding="utf-8") + path.name)]
    conda = (recipes / "conda" / "recipe.yaml").read_text(encoding="utf-8")
    assert f'version: "{kinetree.__version__}"' in conda
    assert hashlib.sha256(b"sdist").hexdigest() in conda
    assert "    - numba ==0.68.1\n" in conda
    assert "      - kinetree-gui = kinetree.app.gui:main\n" in conda
    assert (recipes / "flatpak" / f"{metainfo.ID}.yml").exists()
    assert (recipes / "windows" / "run.lock").read_bytes() == (ROOT / "packaging" / "run.lock").read_bytes()


def test_a_name_that_is_not_known_is_refused() -> None:
    from release.recipes import fill
    from release.source import CannotBuild

    assert fill("kinetree-@VERSION@", {"VERSION": "1.2"}) == "kinetree-1.2"
    with pytest.raises(CannotBuild, match="@NONSENSE@"):
        fill("@NONSENSE@", {"VERSION": "1.2"})


def test_recipes_parse(recipes: Path) -> None:
    assert plistlib.loads((recipes / "macos" / "Info.plist").read_bytes())["CFBundleVersion"] == kinetree.__version__
    assert plistlib.loads((recipes / "macos" / "entitlements.plist").read_bytes())
    package = ElementTree.parse(recipes / "windows" / "kinetree.wxs").getroot()[0]
    assert package.get("Version") == kinetree.__version__
    for script in recipes.rglob("*.sh"):
        subprocess.run(["sh", "-n", script], check=True)
        assert script.stat().st_mode & 0o100


# ---- files for the desktop -------------------------------------------------------------------------------------------


def test_the_metadata_agree_with_the_desktop_entry(tmp_path: Path) -> None:
    from release import metainfo

    desktop = (ROOT / "resources" / "desktop" / "kinetree.desktop").read_text(encoding="utf-8")
    path = tmp_path / f"{metainfo.ID}.metainfo.xml"
    path.write_text(metainfo.text(desktop), encoding="utf-8")
    root = ElementTree.parse(path).getroot()
    types = [element.text for element in root.iter("mediatype")]
    assert f"MimeType={';'.join(map(str, types))};" in desktop
    release = root.find("releases/release")
    assert release is not None
    assert release.attrib == {"version": kinetree.__version__, "date": "2026-01-02"}
    if shutil.which("appstreamcli"):
        done = subprocess.run(["appstreamcli", "validate", "--no-net", path], capture_output=True, text=True)
        assert done.returncode == 0, done.stdout


@pytest.fixture(scope="module")
def manual(tmp_path_factory: pytest.TempPathFactory) -> Path:
    program = ROOT / "packaging" / "release" / "manual.py"
    environment = {
        "LANGUAGE": "en",
        "KINETREE_COMMAND": "kinetree",
        "PYTHONPATH": str(ROOT),
        "SOURCE_DATE_EPOCH": str(EPOCH),
    }
    done = subprocess.run([sys.executable, program], env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    path = tmp_path_factory.mktemp("manual") / "kinetree.1"
    path.write_text(done.stdout, encoding="utf-8")
    return path


def test_the_manual_has_every_command_and_option(manual: Path) -> None:
    from kinetree.app.commands import parsers

    text = manual.read_text(encoding="utf-8")
    assert f'"2026-01-02" "Kinetree {kinetree.__version__}"' in text
    for name in parsers.COMMANDS:
        section = text.partition(f"\n.SS {name}\n")[2].partition("\n.S")[0]
        for flag in parsers.command_parser(name)._option_string_actions:
            assert f"\\fB{flag.replace('-', chr(92) + '-')}\\fR" in section, f"{name} {flag}"


@pytest.mark.parametrize("checker", [["mandoc", "-T", "lint", "-W", "warning"], ["man", "--warnings", "--local-file"]])
def test_the_manual_is_well_formed(manual: Path, checker: list[str]) -> None:
    if shutil.which(checker[0]) is None:
        pytest.skip(f"{checker[0]} is not installed")
    done = subprocess.run(
        [*checker, manual], capture_output=True, text=True, env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"}
    )
    assert done.stderr == ""
    assert done.returncode == 0
    assert checker[0] == "man" or done.stdout == ""
