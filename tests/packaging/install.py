"""Installs the wheel into fresh environments and uses everything that an installation has.

    python -m tests.packaging.install [PYTHON ...] [--keep FOLDER]

PYTHON: interpreters, such as python3.12; without any, the one that runs this. For each it makes an environment with all
dependencies (it needs a package index, and minutes), and tries from an unrelated folder: the command line, the language
server, the window on a virtual screen, and `import kinetree`. It says what works, and exits with 1 where something does
not. `--keep FOLDER` keeps the environments and a picture of each window there.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Container
from pathlib import Path

from tests import screen
from tests.packaging.wheel import build, top_level
from tests.patience import LIMIT, wait_for

SCRIPT = """
import kinetree, pathlib
model = kinetree.load(MODEL)
data = kinetree.Data(model)
kinetree.step(model, data, nstep=10)
picture = kinetree.render(model, data, 160, 120)
assert abs(data.time - 10 * model.opt.timestep) < 1e-9 and picture.shape == (120, 160, 3) and picture.std() > 5
print(pathlib.Path(kinetree.__file__).parent)
"""
GRAB = """
import sys
from PySide6.QtGui import QGuiApplication
application = QGuiApplication([])
image = application.primaryScreen().grabWindow(0).toImage()
image.save(sys.argv[1])
colours = {image.pixel(x, y) for x in range(0, image.width(), 4) for y in range(0, image.height(), 4)}
print(len(colours))
"""
COLOURS = 1000
"""More than any window has without a model in it."""


class Failed(Exception):
    """A failed step, with the output of the program."""


def run(command: list[str], folder: Path, environment: dict[str, str]) -> str:
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=6 * LIMIT)
    if done.returncode != 0:
        raise Failed(f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
    return done.stdout


class Installation:
    """An environment with the wheel in it, and a folder to work in that has nothing of ours."""

    def __init__(self, python: str, wheel: Path, folder: Path):
        self.folder, self.venv, self.elsewhere = folder, folder / "venv", folder / "elsewhere"
        self.elsewhere.mkdir(parents=True)
        self.use_home(folder, self.venv / "bin")
        self.python = str(self.venv / "bin" / "python")
        self.call([python, "-I", "-m", "venv", str(self.venv)])
        (self.site,) = self.venv.glob("lib/python3.*/site-packages")
        install = [self.python, "-m", "pip", "install", "--quiet", "--only-binary", ":all:"]
        self.call([*install, "--no-deps", str(wheel)])
        self.ours = {path.name for path in self.site.iterdir() if "kinetree" in path.name}
        self.call([*install, str(wheel)])
        self.model = str(self.site / "kinetree" / "resources" / "models" / "walker.xml")

    def use_home(self, folder: Path, programs: Path) -> None:
        """Set the environment: an empty home, and these programs first."""
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        self.environment |= {"HOME": str(folder / "home"), "XDG_CACHE_HOME": str(folder / "cache"), "LANGUAGE": "en"}
        self.environment["PATH"] = f"{programs}{os.pathsep}{os.environ['PATH']}"

    def call(self, command: list[str]) -> str:
        return run(command, self.elsewhere, self.environment)

    def names(self) -> str:
        (record,) = self.site.glob("kinetree-*.dist-info/RECORD")
        found = top_level(line.split(",")[0] for line in record.read_text(encoding="utf-8").splitlines())
        if found != {"kinetree"}:
            raise Failed(f"other names in site-packages: {sorted(found - {'kinetree'})}")
        return "kinetree alone"

    def help(self) -> str:
        return self.call(["kinetree", "--help"]).splitlines()[0]

    def check(self) -> str:
        return self.call(["kinetree", "check", self.model]).strip() or "nothing found"

    def render(self) -> str:
        picture = self.folder / "render.png"
        self.call(["kinetree", "render", self.model, "-o", str(picture)])
        return f"{picture.stat().st_size} bytes"

    def script(self) -> str:
        return self.call([self.python, "-c", SCRIPT.replace("MODEL", repr(self.model))]).strip()

    def language_server(self) -> str:
        ask = {"jsonrpc": "2.0", "id": 1, "method": "initialize"}
        ask["params"] = {"processId": None, "rootUri": None, "capabilities": {}}
        text = json.dumps(ask).encode()
        with subprocess.Popen(
            ["kinetree", "lsp"], cwd=self.elsewhere, env=self.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as server:
            assert server.stdin is not None and server.stdout is not None
            try:
                server.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(text), text))
                server.stdin.flush()
                size = 0
                while line := server.stdout.readline().strip():
                    name, _, value = line.partition(b":")
                    size = int(value) if name.lower() == b"content-length" else size
                answer = json.loads(server.stdout.read(size) or b"{}")
            finally:
                server.kill()
        capabilities = answer.get("result", {}).get("capabilities", {})
        if "completionProvider" not in capabilities:
            raise Failed(f"the language server answered {answer}")
        return f"{len(capabilities)} capabilities"

    def window(self) -> str:
        if shutil.which("Xvfb") is None:
            raise Failed("Xvfb is missing (Debian: apt-get install xvfb)")
        server, display = screen.start("1280x900x24")
        screen.put_on(self.environment, display)
        picture = self.folder / "window.png"
        log = self.folder / "window.log"
        with (
            log.open("w") as output,
            subprocess.Popen(
                ["kinetree", self.model], cwd=self.elsewhere, env=self.environment, stdout=output, stderr=output
            ) as window,
        ):
            try:

                def shows_the_model() -> bool:
                    if window.poll() is not None:
                        raise Failed(f"the window ended with {window.returncode}:\n{log.read_text()}")
                    return int(self.call([self.python, "-c", GRAB, str(picture)])) > COLOURS

                wait_for(shows_the_model, told="the window shows no model")
            finally:
                window.kill()
                window.wait()
                screen.stop(server)
        return str(picture)


TRIES: dict[str, Callable[[Installation], str]] = {
    "names in site-packages": Installation.names,
    "kinetree --help": Installation.help,
    "kinetree check": Installation.check,
    "kinetree render": Installation.render,
    "kinetree lsp": Installation.language_server,
    "import kinetree": Installation.script,
    "window": Installation.window,
}


def attempt(python: str, wheel: Path, folder: Path) -> bool:
    """Install for one interpreter and try everything; whether all of it works."""
    print(f"{python}: {run([python, '-V'], Path(), dict(os.environ)).strip()}", flush=True)
    try:
        installation = Installation(python, wheel, folder)
    except Failed as problem:
        print(f"  installation: FAILED: {problem}", flush=True)
        return False
    return attempt_all(installation)


def attempt_all(installation: Installation, left_out: Container[str] = ()) -> bool:
    """Try everything but the steps that are left out; whether all of it works."""
    good = True
    for name, use in TRIES.items():
        if name in left_out:
            continue
        try:
            print(f"  {name}: {use(installation)}", flush=True)
        except (Failed, AssertionError) as problem:
            good = False
            print(f"  {name}: FAILED: {problem}", flush=True)
    return good


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.packaging.install", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("python", nargs="*", default=[sys.executable])
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as scratch:
        folder = (options.keep or Path(scratch)).resolve()
        wheel = build(options.python[0], folder)
        print(f"{wheel.name}: {wheel.stat().st_size} bytes", flush=True)
        good = [attempt(python, wheel, folder / f"{number}") for number, python in enumerate(options.python)]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
