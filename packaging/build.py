"""Builds the packages of Kinetree into dist/.

    python3 packaging/build.py [wheel sdist archive deb recipes ...] [--out FOLDER] [--check] [--level N]

Without names, all of them. wheel, sdist and recipes can be built on any system; archive and .deb on Debian 12 (amd64),
which gives them its Python. `--check` builds twice, in different folders, and compares the bytes: wheel and sdist, or
the kinds that are named. `lock` pins the newest packages of Debian in packaging/debian.lock.

The tools come from packaging/build.lock into an environment in build/, made at the first call.
"""

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path

import bootstrap

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / "build"
ENVIRONMENT = WORK / "environment"
LOCK = ROOT / "packaging" / "build.lock"
KINDS: tuple[str, ...] = ("wheel", "sdist", "archive", "deb", "recipes")


def say(text: str) -> None:
    print(f"build: {text}", file=sys.stderr, flush=True)


def pins_of_the_compiler() -> str:
    """The lines of run.lock for the packages that compile the kernels of a wheel."""
    text = LOCK.with_name("run.lock").read_text(encoding="utf-8")
    return bootstrap.part_of(text, bootstrap.COMPILER)


def enter_environment(arguments: list[str]) -> int:
    """Make the environment of the tools if it is missing or older than its lock, and run this file in it."""
    programs = ENVIRONMENT / ("Scripts" if os.name == "nt" else "bin")
    stamp = ENVIRONMENT / "stamp"
    wanted = f"{sys.version}\n{LOCK.read_text(encoding='utf-8')}\n{pins_of_the_compiler()}"
    if not stamp.exists() or stamp.read_text(encoding="utf-8") != wanted:
        say(f"making {ENVIRONMENT} with the tools")
        shutil.rmtree(ENVIRONMENT, ignore_errors=True)
        venv.create(ENVIRONMENT, with_pip=True)
        pip = [str(programs / "python"), "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
        options = ["--require-hashes", "--no-deps", "--only-binary", ":all:"]
        compiler = ENVIRONMENT / "compiler.lock"
        compiler.write_text(pins_of_the_compiler(), encoding="utf-8")
        subprocess.run([*pip, *options, "-r", str(LOCK), "-r", str(compiler)], check=True)
        stamp.write_text(wanted, encoding="utf-8")
    path = f"{programs}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
    environment = os.environ | {"KINETREE_BUILD": "1", "PATH": path}
    return subprocess.run([str(programs / "python"), __file__, *arguments], env=environment).returncode


def parse(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="packaging/build.py", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("kind", nargs="*", help=f"of {', '.join(KINDS)}, or lock (default: all but lock)")
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="the folder to write to (default: dist)")
    parser.add_argument("--check", action="store_true", help="build twice and compare the bytes")
    parser.add_argument("--level", type=int, default=9, help="of xz, 0 to 9: 1 for a trial takes a tenth of the time")
    options = parser.parse_args(arguments)
    for kind in options.kind:
        if kind not in (*KINDS, "lock"):
            parser.error(f"{kind}: choose from {', '.join(KINDS)}, lock")
    return options


def main(arguments: list[str]) -> int:
    options = parse(arguments)
    if "KINETREE_BUILD" not in os.environ:
        return enter_environment(arguments)
    from release import debian, source

    try:
        if options.kind == ["lock"]:
            debian.lock()
            say(f"wrote {debian.LOCK.relative_to(ROOT)}")
            return 0
        os.environ["SOURCE_DATE_EPOCH"] = str(source.epoch())
        if not source.is_committed():
            say("there are changes that are not committed: what is built is the last commit and these")
        kinds = options.kind or (["wheel", "sdist"] if options.check else list(KINDS))
        made = build(kinds, options.out.resolve(), options.level)
        return compare(kinds, made, options.level) if options.check else 0
    except source.CannotBuild as problem:
        say(str(problem))
        return 1


def build(kinds: list[str], out: Path, level: int) -> list[Path]:
    """Build these kinds into a folder; returns the files, and lists them with their hashes in SHA256SUMS there."""
    from release import archive, deb, distributions, payload, recipes, source

    began = time.monotonic()
    out.mkdir(parents=True, exist_ok=True)
    made = []
    WORK.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=WORK) as folder:
        scratch = Path(folder)
        wheel = None
        sources = source.copy(scratch / "sources")  # a build leaves files there
        for kind in ("wheel", "sdist"):
            if (kind == "sdist" and kind not in kinds) or kinds == ["recipes"]:
                continue
            say("the wheel, with kernels for all processors" if kind == "wheel" else "the sdist")
            file = distributions.build(kind, sources, scratch / "distributions")
            if kind in kinds:
                made.append(Path(shutil.copy2(file, out)))
            wheel = file if kind == "wheel" else wheel
        if {"archive", "deb"} & set(kinds):
            assert wheel is not None, "built above"
            (scratch / "unpacked").mkdir()
            contents = payload.make(scratch / "payload", wheel, WORK / "debian", scratch / "unpacked", say)
            say(f"it needs glibc {'.'.join(map(str, contents.glibc))}; its largest packages, unpacked:")
            for name, size in sorted(contents.sizes.items(), key=lambda item: -item[1])[:12]:
                say(f"  {name}: {size / 1e6:.1f} MB")
            if "archive" in kinds:
                say("the archive")
                made.append(archive.write(contents.folder, out, level))
            if "deb" in kinds:
                say("the Debian package")
                made.append(deb.write(contents.folder, contents.parts, out, scratch, level))
        if "recipes" in kinds:
            made += recipes.write(out)
    for path in made:
        say(f"{path.name}: {path.stat().st_size} bytes")
    sums = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(out)}\n" for path in sorted(made)]
    (out / "SHA256SUMS").write_text("".join(sums), encoding="utf-8")
    say(f"{out}: {len(made)} files in {time.monotonic() - began:.0f} s")
    return made


def compare(kinds: list[str], made: list[Path], level: int) -> int:
    """Build again in another folder; 1 if a file has other bytes."""
    with tempfile.TemporaryDirectory() as folder:
        again = build(kinds, Path(folder), level)
        different = [one.name for one, two in zip(made, again, strict=True) if one.read_bytes() != two.read_bytes()]
    for name in different:
        say(f"{name}: the second build has other bytes")
    if not different:
        say("the second build has the same bytes")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
