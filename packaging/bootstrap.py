"""The bootstrap behind `./run` and `./test`: standard library only, and no import that a warm start does not need.

    python -I -S bootstrap.py run [KINETREE ARGS]
    python -I -S bootstrap.py test [--full | PYTEST ARGS]

Looks for the system libraries that the command needs, installs the packages of the lock file into `.venv`, and starts
the program in it. Everything it says goes to standard error. A stamp in `.venv` holds the lock file that was installed,
so that a start with everything in place costs one read and one comparison.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
VENV = os.path.join(ROOT, ".venv")
VENV_PYTHON = os.path.join(VENV, "bin", "python")
PACKAGE = os.path.join(ROOT, "kinetree")
UNFINISHED = os.path.join(VENV, "unfinished")  # stands while pip works: an interrupted install starts over
MACHINE = os.uname().machine if hasattr(os, "uname") else ""
TAG = f"{sys.implementation.cache_tag} {sys.platform} {MACHINE} linked\n"

# Libraries that the dynamic linker must find -> their Debian packages.
GL_LIBRARIES = {"libEGL.so.1": "libegl1", "libGL.so.1": "libgl1"}
WINDOW_LIBRARIES = GL_LIBRARIES | {
    "libbrotlidec.so.1": "libbrotli1",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libgssapi_krb5.so.2": "libgssapi-krb5-2",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-xinerama.so.0": "libxcb-xinerama0",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libxkbcommon.so.0": "libxkbcommon0",
}
TEST_PROGRAMS = {
    "Xvfb": "xvfb",
    "xdotool": "xdotool",
    "update-mime-database": "shared-mime-info",
    "desktop-file-validate": "desktop-file-utils",
}
COMPILER = ("llvmlite", "numba", "numpy", "scipy")  # what compiles the physics: installed first
MEGABYTES = {"run": 220, "test": 430}  # what pip fetches on Linux
TEST_PROCESSES = 8  # at most: each takes up to 2 GB of memory
# The whole suite runs one part after the other, each in new processes: none of them gets larger than 2 GB.
WINDOWS = ["tests/app", "tests/renderer", "tests/images"]
TEST_PARTS = [
    ["tests/app/panels"],
    [*WINDOWS, "--ignore=tests/app/panels"],
    ["tests/engine"],
    ["tests", *(f"--ignore={folder}" for folder in [*WINDOWS, "tests/engine"])],
]
NEEDS_NOTHING = {
    "check",
    "convert",
    "bench",
    "lsp",
    "schema",
    "extras",
    "register",
    "unregister",
    "-h",
    "--help",
    "-V",
    "--version",
}


class CannotGoOn(Exception):
    """A missing requirement, with its remedy, for the user."""


def say(text: str) -> None:
    print(f"kinetree: {text}", file=sys.stderr, flush=True)


# ---- what the system has -------------------------------------------------------------------------------------------


def missing_libraries(sonames: dict[str, str]) -> list[str]:
    """The sonames that the dynamic linker cannot find. Its cache is asked first; a name that is not in it is loaded."""
    try:
        with open("/etc/ld.so.cache", "rb") as file:
            cache = file.read()
    except OSError:
        cache = b""
    missing = []
    for soname in sonames:
        if b"\0" + soname.encode() + b"\0" in cache:
            continue
        import ctypes

        try:
            ctypes.CDLL(soname)
        except OSError:
            missing.append(soname)
    return missing


def has_gl_driver(software: bool) -> bool:
    """Is there a Mesa driver (software=True: the software rasterizer), or another maker's?"""
    import glob

    name = "swrast_dri.so" if software else "*_dri.so"
    if any(glob.glob(f"{lib}/{name}") for lib in ("/usr/lib/*/dri", "/usr/lib64/dri", "/usr/lib/dri")):
        return True
    return not software and any("nvidia" in path for path in glob.glob("/usr/share/glvnd/egl_vendor.d/*.json"))


def has_program(name: str) -> bool:
    return any(os.access(os.path.join(d, name), os.X_OK) for d in os.environ.get("PATH", os.defpath).split(":"))


def wants(command: str, arguments: list[str]) -> str:
    """System requirements of this command line: "nothing", "offscreen", "window" or "test"."""
    if command == "test":
        return "test"
    first = arguments[0] if arguments else ""
    if first in NEEDS_NOTHING:
        return "nothing"
    if first == "render":
        return "offscreen"
    has_display = any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"))
    return "window" if has_display else "nothing"  # with no display the program says so, and how to render


def missing_packages(need: str) -> list[str]:
    """Debian packages to install, sorted."""
    packages = set()
    if sys.platform != "linux":
        return []
    if need != "nothing":
        libraries = GL_LIBRARIES if need == "offscreen" else WINDOW_LIBRARIES
        packages.update(libraries[name] for name in missing_libraries(libraries))
        if not has_gl_driver(software=need == "test"):
            packages.add("libgl1-mesa-dri")
    if need == "test":
        packages.update(package for program, package in TEST_PROGRAMS.items() if not has_program(program))
    return sorted(packages)


def apt_get(packages: list[str]) -> None:
    """Install as root, or raise CannotGoOn with the line to type."""
    names = " ".join(packages)
    if not has_program("apt-get"):
        raise CannotGoOn(f"these Debian packages, or your system's equal of them, are missing: {names}")
    if os.geteuid() != 0:
        line = f"apt-get update && apt-get install -y --no-install-recommends {names}"
        line = f"sudo sh -c '{line}'" if has_program("sudo") else f'su -c "{line}"'
        raise CannotGoOn(
            f"system packages are missing, and only root may install them. Type this, then try again:\n{line}"
        )
    import subprocess

    say(f"installing system packages: {names}")
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8"}
    command = ["apt-get", "-qq", "-o", "DPkg::Lock::Timeout=300", "-o", "Dpkg::Use-Pty=0"]

    def call(words: list[str]) -> subprocess.CompletedProcess:
        return subprocess.run(
            words,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        )

    updated = call([*command, "update"])
    install = [*command, "install", "-y", "--no-install-recommends", *packages]
    done = call(install)
    if done.returncode != 0:  # an apt-get that was cut off half-way leaves this to do
        call(["dpkg", "--configure", "-a"])
        done = call(install)
    if done.returncode != 0:
        output = (updated.stdout if updated.returncode else "") + done.stdout
        raise CannotGoOn(f"{output.strip()}\napt-get could not install {names}: see its output above")


# ---- the environment -----------------------------------------------------------------------------------------------


def lock_path(name: str) -> str:
    return os.path.join(ROOT, "packaging", f"{name}.lock")


def stamp_path(name: str) -> str:
    return os.path.join(VENV, f"stamp-{name}")


def read(path: str) -> str | None:
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except OSError:
        return None


def wanted_stamp(name: str) -> str:
    return TAG + (read(lock_path(name)) or "")


def is_ready(name: str) -> bool:
    return read(stamp_path(name)) == wanted_stamp(name) and os.access(VENV_PYTHON, os.X_OK)


def base_python() -> str:
    """The interpreter that `.venv` is made from, also when `.venv`'s own runs this file."""
    return getattr(sys, "_base_executable", None) or sys.executable


def has_ensurepip() -> bool:
    import importlib.util

    return importlib.util.find_spec("ensurepip") is not None


def works(python: str) -> bool:
    """Does it run, with pip, and is it of the version that runs this file (./run starts `.venv`'s own where it can)?"""
    import subprocess

    code = f"import pip, sys; sys.exit(sys.implementation.cache_tag != {sys.implementation.cache_tag!r})"
    try:
        return subprocess.run([python, "-I", "-c", code], capture_output=True).returncode == 0
    except OSError:
        return False


def prepare(name: str) -> None:
    """Make `.venv` match `packaging/<name>.lock`. One process at a time; safe to interrupt at any point."""
    import fcntl
    import shutil
    import subprocess

    if not os.access(ROOT, os.W_OK) or (os.path.isdir(VENV) and not os.access(VENV, os.W_OK)):
        raise CannotGoOn(f"may not write {VENV}: run ./{name} once as the owner of this folder")
    handle = os.open(ROOT, os.O_RDONLY)  # the lock is on the folder itself: nothing to clean up
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            say("another ./run or ./test is setting up the environment: waiting for it")
            fcntl.flock(handle, fcntl.LOCK_EX)
        if is_ready(name):
            return
        if os.path.exists(UNFINISHED) or not works(VENV_PYTHON):
            if os.path.lexists(VENV):
                say("recreating .venv: the last set-up did not finish, or its Python is gone or not supported")
            else:
                say("making .venv")
            shutil.rmtree(VENV, ignore_errors=True)
            os.makedirs(VENV)
            with open(UNFINISHED, "w"):
                pass
            made = subprocess.run(
                [base_python(), "-I", "-m", "venv", VENV],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
            )
            if made.returncode != 0:
                raise CannotGoOn(
                    f"{(made.stdout + made.stderr).strip()}\ncould not make {VENV}: the reason stands above"
                )
        for stamp in ("run", "test"):  # not true any more once pip starts
            if os.path.exists(stamp_path(stamp)):
                os.remove(stamp_path(stamp))
        with open(UNFINISHED, "w"):
            pass
        if part_of(read(lock_path(name)) or "", COMPILER):
            pip_install(name, COMPILER)
        link_package()
        with Compiling() as compiler:
            pip_install(name)
            compiler.wait(everything=name == "test")
        for stamp in {"run", name}:  # test.lock holds all of run.lock: a test sees to that
            with open(stamp_path(stamp), "w", encoding="utf-8") as file:
                file.write(wanted_stamp(stamp))
        os.remove(UNFINISHED)
    finally:
        os.close(handle)


def link_package() -> None:
    """Make this checkout what `import kinetree` finds in `.venv`, from any folder."""
    import glob

    (folder,) = glob.glob(os.path.join(VENV, "lib", "python3.*", "site-packages"))
    link = os.path.join(folder, "kinetree")
    if os.path.lexists(link):
        os.remove(link)
    os.symlink(os.path.relpath(PACKAGE, folder), link)


def part_of(lock: str, packages: Sequence[str]) -> str:
    """The lines of a lock file for some of its packages."""
    kept, inside = [], False
    for line in lock.splitlines(keepends=True):
        if not line.startswith((" ", "#")):
            inside = line.partition("==")[0] in packages
        if inside:
            kept.append(line)
    return "".join(kept)


def pip_install(name: str, packages: Sequence[str] = ()) -> None:
    """Install what `packaging/<name>.lock` lists, or just these packages of it."""
    import subprocess

    lock = lock_path(name)
    if packages:
        lock = os.path.join(VENV, "compiler.lock")
        with open(lock, "w", encoding="utf-8") as file:
            file.write(part_of(read(lock_path(name)) or "", packages))
    else:
        count = sum(1 for line in wanted_stamp(name).splitlines() if "==" in line and not line.startswith(("#", " ")))
        say(f"installing {count} Python packages into .venv (once; {MEGABYTES[name]} MB or so to fetch)")
    command = [VENV_PYTHON, "-I", "-m", "pip", "--no-input", "--disable-pip-version-check", "install"]
    command += ["--require-hashes", "--no-deps", "--only-binary", ":all:", "--progress-bar", "off"]
    command += ["--root-user-action", "ignore", "--no-warn-script-location", "-r", lock]
    output = []
    with subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        env={key: value for key, value in os.environ.items() if not key.startswith("PYTHON")},
    ) as pip:
        assert pip.stdout is not None, "started with a pipe"
        for line in pip.stdout:
            output.append(line)
            words = line.split()
            if words[:1] in (["Downloading"], ["Installing"]):
                say("  " + line.strip()[:100])
    if pip.returncode != 0:
        text = "".join(output[-20:]).strip()
        raise CannotGoOn(
            f"{text}\ncould not install the Python packages: see pip's output above; fix the problem and run again"
        )


class Compiling:
    """A process that compiles the physics, from the packages that it needs, while pip fetches the others.

    It goes on when this one ends. Without it, or where it fails, the program compiles what is missing.
    """

    def __init__(self) -> None:
        import subprocess

        self._process = subprocess.Popen(
            [VENV_PYTHON, os.path.join(ROOT, "packaging", "kernels.py"), "--into-cache"],
            cwd=ROOT,
            env=environment(ROOT),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def wait(self, everything: bool) -> None:
        """Until what the first models need is compiled, or everything."""
        assert self._process.stdout is not None, "started with a pipe"
        told = -20
        for line in self._process.stdout:
            done, total, first = map(int, line.split())
            if not everything and done >= first:
                return
            if done >= told + 20:
                told = done
                say(f"compiling the physics (once): {done} of {total if everything else first}")

    def __enter__(self) -> Compiling:
        return self

    def __exit__(self, kind: object, *_failure: object) -> None:
        if kind is not None:
            self._process.kill()


def make_catalogues() -> None:
    """Compile the translations that have changed. The program starts without them too, in English."""
    folder = os.path.join(ROOT, "packaging")
    sys.path.insert(0, folder)
    try:
        import catalogues

        catalogues.make()
    except (OSError, ValueError) as problem:
        say(f"a translation could not be compiled, so that its language is missing or older: {problem}")
    finally:
        sys.path.remove(folder)


def environment(*folders: str) -> dict[str, str]:
    """These folders and `.venv` alone on the import path, whatever the caller's shell has set; worker processes
    inherit it."""
    ours = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "PYTHONHOME")}
    return ours | {"PYTHONPATH": os.pathsep.join(folders), "PYTHONSAFEPATH": "1"}


# ---- the two commands ----------------------------------------------------------------------------------------------


def ensure(command: str, arguments: list[str]) -> None:
    packages = missing_packages(wants(command, arguments))
    ready = is_ready(command)
    if not ready and not works(VENV_PYTHON) and not has_ensurepip():
        packages.append(f"python3.{sys.version_info.minor}-venv")
    if packages:
        apt_get(packages)
    if not ready:
        prepare(command)
    make_catalogues()


def run(arguments: list[str]) -> int:
    os.execve(VENV_PYTHON, [VENV_PYTHON, "-m", "kinetree", *arguments], environment())


def test(arguments: list[str]) -> int:
    """With no arguments the quick suite, with --full everything, with others pytest with these."""
    steps = [["-m", "ruff", "format", "--check", "."], ["-m", "ruff", "check", "."]]
    if arguments in ([], ["--full"]):  # types too, and on all processors, the kernels compiled first
        steps += [["-m", "basedpyright"], ["-m", "tests.warm"]]
        common = parallel(processors()) + ([] if arguments else ["--quick"])
        steps += [["-m", "pytest", *common, *parts] for parts in (TEST_PARTS if arguments else [[]])]
    else:
        steps.append(["-m", "pytest", *arguments])
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # the suite starts the program a hundred times
    failed = []
    for step in steps:
        say(" ".join(["python", *step]))
        code = wait_for([VENV_PYTHON, *step])
        if code != 0:
            failed.append(" ".join(step[1:3]) if step[1] == "ruff" else step[1])
        if code in (2, -2):  # a Ctrl-C: pytest has closed in order
            break
    if failed:
        say(f"FAILED: {', '.join(dict.fromkeys(failed))}")
    return 1 if failed else 0


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def parallel(count: int) -> list[str]:
    """pytest's arguments that make use of so many processors: one test process for each, with a screen of its own."""
    if count < 2:
        return []
    return ["--numprocesses", str(min(count, TEST_PROCESSES)), "--dist", "worksteal"]


def wait_for(command: list[str]) -> int:
    """Run it in the checkout. A Ctrl-C reaches the child too, which ends in its own way."""
    import subprocess

    with subprocess.Popen(command, cwd=ROOT, env=environment(ROOT)) as child:
        while True:
            try:
                return child.wait()
            except KeyboardInterrupt:
                continue


def main(arguments: list[str]) -> int:
    command, rest = arguments[0], arguments[1:]
    if sys.platform == "win32":
        say("this is for Linux and macOS; on Windows use `pip install .` in an environment of your own")
        return 1
    try:
        ensure(command, rest)
        return {"run": run, "test": test}[command](rest)
    except CannotGoOn as problem:
        say(str(problem))
    except KeyboardInterrupt:
        say("interrupted; run it again to go on")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
