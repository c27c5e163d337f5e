"""`./run` in a made-up checkout: a folder with the real bootstrap, a lock file of one made-up wheel, and an app that
tells how it was started. pip works without a network there."""

import base64
import hashlib
import importlib.util
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import types
import zipfile
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from tests.patience import LIMIT, wait_for

ROOT = Path(__file__).resolve().parents[2]
APP = "import json, os, sys\nimport tinything\nprint(json.dumps([sys.argv[1:], os.getcwd(), sys.path, tinything.VERSION]))\n"


def make_wheel(folder: Path, version: str) -> str:
    """A wheel of one module; returns its line for a lock file."""
    name = f"tinything-{version}-py3-none-any.whl"
    info = f"tinything-{version}.dist-info"
    files = {
        "tinything.py": f"VERSION = {version!r}\n",
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: tinything\nVersion: {version}\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = ""
    for path, text in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()
        record += f"{path},sha256={digest},{len(text)}\n"
    files[f"{info}/RECORD"] = record + f"{info}/RECORD,,\n"
    with zipfile.ZipFile(folder / name, "w") as wheel:
        for path, text in files.items():
            wheel.writestr(path, text)
    digest = hashlib.sha256((folder / name).read_bytes()).hexdigest()
    return f"tinything=={version} \\\n    --hash=sha256:{digest}\n"


class Checkout:
    def __init__(self, folder: Path) -> None:
        self.root = folder / "check out"  # a space in the path, as users have
        self.wheels = folder / "wheels"
        self.wheels.mkdir()
        (self.root / "packaging").mkdir(parents=True)
        (self.root / "kinetree").mkdir()
        (self.root / "kinetree" / "__main__.py").write_text(APP)
        (self.root / "kinetree" / "__init__.py").touch()
        for name in ("run", "pyproject.toml"):
            shutil.copy2(ROOT / name, self.root)
        for name in ("bootstrap.py", "catalogues.py", "python.sh"):
            shutil.copy2(ROOT / "packaging" / name, self.root / "packaging")
        self.lock("1.0")

    def lock(self, version: str) -> None:
        (self.root / "packaging" / "run.lock").write_text(make_wheel(self.wheels, version))

    def start(self, *arguments: str, cwd: Path | None = None) -> subprocess.Popen:
        environment = {key: value for key, value in os.environ.items() if not key.startswith(("PIP_", "PYTHON"))}
        environment |= {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(self.wheels), "PYTHON": sys.executable}
        environment["PYTHONPATH"] = "/nowhere"  # what some other software's set-up script leaves behind
        return subprocess.Popen(
            [str(self.root / "run"), *arguments],
            cwd=cwd,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def run(self, *arguments: str, cwd: Path | None = None) -> tuple[int, str, str]:
        process = self.start(*arguments, cwd=cwd)
        out, err = process.communicate(timeout=LIMIT)
        return process.returncode, out, err


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path)


@pytest.fixture
def bootstrap() -> ModuleType:
    spec = importlib.util.spec_from_file_location("bootstrap", ROOT / "packaging" / "bootstrap.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow("makes environments with pip")
def test_installs_once_starts_quickly_and_follows_the_lock(checkout: Checkout, tmp_path: Path) -> None:
    code, out, err = checkout.run("--version")
    assert code == 0, err
    assert "making .venv" in err
    assert json.loads(out)[3] == "1.0"

    elsewhere = tmp_path / "elsewhere"
    (elsewhere / "kinetree").mkdir(parents=True)  # must not be taken for ours
    (elsewhere / "kinetree" / "__main__.py").write_text("raise SystemExit('the wrong kinetree')")
    code, out, err = checkout.run("check", "a model.xml", "--flag", cwd=elsewhere)
    assert (code, err) == (0, "")
    arguments, folder, path, _ = json.loads(out)
    assert arguments == ["check", "a model.xml", "--flag"]
    assert folder == str(elsewhere)
    assert not any(Path(entry).resolve() == checkout.root for entry in path)  # `engine` is no module of its own
    assert str(elsewhere) not in path
    assert "/nowhere" not in path

    checkout.lock("2.0")
    code, out, err = checkout.run("--version")
    assert code == 0, err
    assert json.loads(out)[3] == "2.0"
    assert "making .venv" not in err


@pytest.mark.slow("makes environments with pip")
def test_an_interrupted_set_up_starts_over(checkout: Checkout) -> None:
    process = checkout.start("--version")
    unfinished = checkout.root / ".venv" / "unfinished"
    wait_for(unfinished.exists)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    assert unfinished.exists()
    code, out, err = checkout.run("--version")
    assert code == 0, err
    assert "recreating" in err
    assert json.loads(out)[3] == "1.0"
    assert not unfinished.exists()


@pytest.mark.slow("makes environments with pip")
def test_two_at_once_install_once(checkout: Checkout) -> None:
    processes = [checkout.start("--version") for _ in range(2)]
    results = [(*process.communicate(timeout=LIMIT), process.returncode) for process in processes]
    assert [code for _, _, code in results] == [0, 0], results
    assert sum("installing" in err for _, err, _ in results) == 1


@pytest.mark.slow("makes environments with pip")
def test_a_wrong_hash_is_refused_in_pips_words(checkout: Checkout) -> None:
    lock = checkout.root / "packaging" / "run.lock"
    lock.write_text(lock.read_text().replace("sha256:", "sha256:00")[:-3] + "\n")
    code, out, err = checkout.run("--version")
    assert code == 1
    assert out == ""
    assert "could not install" in err
    assert "Traceback" not in err
    checkout.lock("1.0")
    assert checkout.run("--version")[0] == 0


def test_without_a_supported_python_it_says_so(checkout: Checkout, tmp_path: Path) -> None:
    folder = tmp_path / "bin"
    folder.mkdir()
    for tool in ("sh", "dirname", "readlink"):
        (folder / tool).symlink_to(shutil.which(tool))
    (folder / "python3.11").symlink_to("/bin/false")
    forget_usr_bin(checkout)
    done = subprocess.run([str(checkout.root / "run")], env={"PATH": str(folder)}, capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr.startswith(f"kinetree: needs Python 3.{OLDEST} to 3.{ABOVE - 1}, and found none")
    assert len(done.stderr.splitlines()) == 1


# ---- which interpreter -----------------------------------------------------------------------------------------------

SUPPORTED = re.search(r'requires-python = ">=3\.(\d+),<3\.(\d+)"', (ROOT / "pyproject.toml").read_text())
OLDEST, ABOVE = map(int, SUPPORTED.groups())

WORKS = f'#!/bin/sh\nexec "{sys.executable}" "$@"\n'
SLOW = f'#!/bin/sh\nsleep 0.5\necho "a slow shim"\nexec "{sys.executable}" "$@"\n'
NOT_INSTALLED = "#!/bin/sh\necho 'pyenv: python: command not found' >&2\nexit 127\n"
PRETENDS = """#!/bin/sh
while [ "$1" != -c ]; do shift; done
exec "{python}" -c "import collections, sys
V = collections.namedtuple('V', 'major minor micro releaselevel serial')
sys.version_info = V({version})
sys.implementation.name, sys.abiflags = {build}
$2"
"""
"""An interpreter that says of itself that it is another one."""


def pretends(version: str = "3, 12, 0, 'final', 0", build: str = "'cpython', ''") -> str:
    return PRETENDS.format(python=sys.executable, version=version, build=build)


def forget_usr_bin(checkout: Checkout) -> None:
    """The files of this machine's /usr/bin must not matter."""
    path = checkout.root / "packaging" / "python.sh"
    path.write_text(path.read_text().replace("/usr/bin/python3", "/nowhere/python3"))


def chosen(checkout: Checkout, programs: dict[str, str], python: str = "") -> str:
    """The name of the program that python.sh takes, where PATH has these."""
    forget_usr_bin(checkout)
    folder = checkout.root.parent / "bin"
    folder.mkdir()
    for name, text in programs.items():
        (folder / name).write_text(text)
        (folder / name).chmod(0o755)
    for tool in ("sleep", "sh"):
        (folder / tool).symlink_to(shutil.which(tool))
    done = subprocess.run(
        [shutil.which("sh"), "-c", '. "$root/packaging/python.sh"; echo "$python"'],
        env={"PATH": str(folder), "root": str(checkout.root), "PYTHON": python and str(folder / python)},
        capture_output=True,
        text=True,
    )
    assert done.stderr == "" or not done.stdout, done.stderr
    return done.stdout.strip().removeprefix(f"{checkout.root}/").removeprefix(f"{folder}/")


@pytest.mark.parametrize(
    ("programs", "expected"),
    [
        ({"python3.12": WORKS, "python3.13": WORKS, "python3": WORKS}, "python3.13"),
        ({"python3.12": WORKS, "python3.13": NOT_INSTALLED}, "python3.12"),
        ({"python3.11": WORKS, "python3.12": SLOW}, "python3.12"),
        ({"python3.13": "no program\n", "python3": WORKS}, "python3"),
        ({"python3.12": WORKS, "python3.99": WORKS}, "python3.12"),
        ({"python3": pretends()}, "python3"),
        ({"python3": pretends("3, 10, 9, 'final', 0")}, ""),
        ({"python3": pretends("3, 99, 0, 'final', 0")}, ""),
        ({"python3": pretends("4, 12, 0, 'final', 0")}, ""),
        ({"python3.13": pretends(build="'cpython', 't'"), "python3.12": WORKS}, "python3.12"),
        ({"python3": pretends(build="'pypy', ''")}, ""),
    ],
    ids=[
        "the newest",
        "a shim of a version that is not installed",
        "a slow shim",
        "a file that does not run",
        "a version that we do not know",
        "only python3",
        "too old",
        "too new",
        "another language",
        "without the lock",
        "PyPy",
    ],
)
def test_the_newest_supported_interpreter_is_taken(checkout: Checkout, programs, expected: str) -> None:
    assert chosen(checkout, programs) == expected


@pytest.mark.parametrize(("text", "expected"), [(WORKS, "mine"), (NOT_INSTALLED, "python3.12")])
def test_the_one_that_the_user_names_comes_first(checkout: Checkout, text: str, expected: str) -> None:
    assert chosen(checkout, {"mine": text, "python3.12": WORKS}, python="mine") == expected


@pytest.mark.parametrize(
    ("text", "stamped", "expected"),
    [
        (WORKS, True, ".venv/bin/python"),
        (WORKS, False, ".venv/bin/python"),
        (pretends("3, 10, 9, 'final', 0"), False, "python3.13"),
        (NOT_INSTALLED, False, "python3.13"),
        (None, True, "python3.13"),
    ],
    ids=["ready", "unfinished", "of a version no longer supported", "its Python is gone", "its link leads nowhere"],
)
def test_an_environment_that_works_is_kept(checkout: Checkout, text: str | None, stamped: bool, expected: str) -> None:
    python = checkout.root / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    if text is None:
        python.symlink_to("/nowhere/python3.11")
    else:
        python.write_text(text)
        python.chmod(0o755)
    if stamped:
        (checkout.root / ".venv" / "stamp-run").touch()
    assert chosen(checkout, {"python3.13": WORKS}) == expected


def test_an_environment_of_another_version_does_not_serve_this_one(
    bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert bootstrap.works(sys.executable)
    assert bootstrap.wanted_stamp("run").startswith(sys.implementation.cache_tag + " ")
    monkeypatch.setattr(sys, "implementation", types.SimpleNamespace(cache_tag="cpython-310"))
    assert not bootstrap.works(sys.executable)
    assert not bootstrap.works("/nowhere/python")


# ---- the parts -------------------------------------------------------------------------------------------------------


def test_what_a_command_line_needs(bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISPLAY", ":5")
    assert bootstrap.wants("run", []) == "window"
    assert bootstrap.wants("run", ["model.xml"]) == "window"
    assert bootstrap.wants("run", ["render", "model.xml"]) == "offscreen"
    assert bootstrap.wants("run", ["check", "model.xml"]) == "nothing"
    assert bootstrap.wants("run", ["--version"]) == "nothing"
    assert bootstrap.wants("test", ["--version"]) == "test"
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    assert bootstrap.wants("run", ["model.xml"]) == "nothing"


def test_the_suites_check_types_and_use_all_processors_and_a_single_file_does_not(
    bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[list[str]] = []
    monkeypatch.setattr(bootstrap, "wait_for", lambda command: steps.append(command[1:]) or 0)
    monkeypatch.setattr(bootstrap, "processors", lambda: 2)
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    everything = ["-m", "pytest", "--numprocesses", "2", "--dist", "worksteal"]
    in_parts = [[*everything, *part] for part in bootstrap.TEST_PARTS]
    for arguments, last in (([], [[*everything, "--quick"]]), (["--full"], in_parts)):
        steps.clear()
        assert bootstrap.test(arguments) == 0
        assert [step[1:3] for step in steps[:2]] == [["ruff", "format"], ["ruff", "check"]]
        assert steps[2:] == [["-m", "basedpyright"], ["-m", "tests.warm"], *last]
    assert "PYTHONDONTWRITEBYTECODE" not in os.environ
    assert bootstrap.test(["tests/test_layers.py"]) == 0
    assert steps[-1] == ["-m", "pytest", "tests/test_layers.py"]
    assert steps[-2][1] == "ruff"
    assert bootstrap.parallel(1) == []
    assert bootstrap.parallel(64) == ["--numprocesses", str(bootstrap.TEST_PROCESSES), "--dist", "worksteal"]


def test_each_test_is_in_one_part(bootstrap: ModuleType) -> None:
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        above = {each.as_posix() for each in path.relative_to(ROOT).parents}
        parts = [
            part
            for part in bootstrap.TEST_PARTS
            if above & set(part) and not above & {word.removeprefix("--ignore=") for word in part if word[0] == "-"}
        ]
        assert len(parts) == 1, path


def test_ci_runs_everything_and_repeats_nothing(
    bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    assert (ROOT / ".ci" / "run").read_text().splitlines()[-1].endswith('/test" --full')
    runs: list[list[str]] = []
    monkeypatch.setenv("CI", "true")
    monkeypatch.setattr(bootstrap, "wait_for", lambda command: runs.append(command) or int("pytest" in command))
    assert bootstrap.test(["--full"]) == 1
    tests = [tuple(command) for command in runs if "pytest" in command]
    assert len(tests) == len(set(tests)) == len(bootstrap.TEST_PARTS), "a part that fails is not repeated"
    assert "kinetree: FAILED: pytest" in capfd.readouterr().err


def test_a_damaged_translation_is_told_and_the_program_starts_without_it(
    bootstrap: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    (tmp_path / "packaging").mkdir()
    shutil.copy2(ROOT / "packaging" / "catalogues.py", tmp_path / "packaging")
    po = tmp_path / "resources" / "locale" / "de" / "LC_MESSAGES" / "kinetree.po"
    po.parent.mkdir(parents=True)
    po.write_text('msgid "a"\nmsgstr "b\n')
    monkeypatch.setattr(bootstrap, "ROOT", str(tmp_path))
    monkeypatch.delitem(sys.modules, "catalogues", raising=False)
    path = list(sys.path)
    bootstrap.make_catalogues()
    assert f"{po}:2: a text needs a quotation mark at both ends" in capsys.readouterr().err
    po.write_text('msgid "a"\nmsgstr "b"\n')
    bootstrap.make_catalogues()
    assert po.with_suffix(".mo").exists() and capsys.readouterr().err == ""
    assert sys.path == path
    monkeypatch.delitem(sys.modules, "catalogues")


def test_libraries_are_really_looked_for(bootstrap: ModuleType) -> None:
    assert bootstrap.missing_libraries({"libc.so.6": "libc6"}) == []
    assert bootstrap.missing_libraries({"libnothing-of-the-kind.so.9": "x"}) == ["libnothing-of-the-kind.so.9"]


@pytest.mark.parametrize(("tools", "start"), [({"apt-get", "sudo"}, "sudo sh -c '"), ({"apt-get"}, 'su -c "')])
def test_who_is_not_root_gets_the_line_to_type(
    bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch, tools: set[str], start: str
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr(bootstrap, "has_program", tools.__contains__)
    with pytest.raises(bootstrap.CannotGoOn) as problem:
        bootstrap.apt_get(["libegl1", "libgl1"])
    line = str(problem.value).splitlines()[-1]
    assert line.startswith(start)
    assert "apt-get install -y --no-install-recommends libegl1 libgl1" in line


def test_no_apt_get_names_the_packages(bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bootstrap, "has_program", lambda name: False)
    with pytest.raises(bootstrap.CannotGoOn, match="libegl1"):
        bootstrap.apt_get(["libegl1"])


def test_the_design_lists_the_same_libraries(bootstrap: ModuleType, shared: Path) -> None:
    design = (shared / "design.md").read_text(encoding="utf-8")
    row = next(line for line in design.splitlines() if "needs from Debian:" in line)
    wanted = {word.strip(".;") for word in row.split("needs from Debian:")[1].split() if word.startswith("lib")}
    assert wanted <= set(bootstrap.WINDOW_LIBRARIES.values()) | {"libgl1-mesa-dri"}


def test_nothing_but_the_standard_library_at_the_start(tiny: Callable[[str], Path]) -> None:
    """The quick way through: what a start with everything in place may load."""
    code = "import sys; sys.argv=['b']; import runpy; runpy.run_path(sys.stdin.read().strip()); print(*sorted(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code],
        input=str(ROOT / "packaging" / "bootstrap.py"),
        capture_output=True,
        text=True,
        check=True,
    )
    assert not {"subprocess", "ctypes", "hashlib", "fcntl", "shutil"} & set(done.stdout.split())
