"""Builds wheel and sdist: setuptools, after the translations (packaging/catalogues.py) and the kernels
(packaging/kernels.py) were compiled. Both are written again so that equal sources give equal bytes
(packaging/reproducible.py).

Kernels that are there already, as in a source distribution, are taken as they are if they were made from these sources.
Else they are compiled for this machine, or as `--config-settings kernels=all|here|none` says.
"""

import hashlib
import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import catalogues
import reproducible
from setuptools import build_meta
from setuptools.build_meta import *  # noqa: F403 - the hooks that need nothing compiled

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "kinetree"  # in a checkout it holds links, in an sdist the folders themselves
KERNELS = PACKAGE / "resources" / "kernels"
COMPILER = ("numba", "numpy", "scipy")


def compile_catalogues():
    catalogues.make(str(PACKAGE / "resources" / "locale"))


def get_requires_for_build_wheel(config_settings=None):
    """The hook of PEP 517."""
    needed = build_meta.get_requires_for_build_wheel(config_settings)
    if choice(config_settings) != "none" and not have_kernels(config_settings):
        project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        needed += [row for row in project["dependencies"] if re.match(r"[\w-]+", row)[0] in COMPILER]
    return needed


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """The hook of PEP 517."""
    compile_catalogues()
    if not have_kernels(config_settings):
        command = [sys.executable, str(ROOT / "packaging" / "kernels.py"), "--targets", choice(config_settings)]
        path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
        subprocess.run(command, cwd=ROOT, env={**os.environ, "PYTHONPATH": path}, check=True)
    name = build_meta.build_wheel(wheel_directory, config_settings, metadata_directory)
    reproducible.repack_zip(os.path.join(wheel_directory, name))
    return name


def build_sdist(sdist_directory, config_settings=None):
    """The hook of PEP 517. Leaves out the files of setuptools that nothing reads."""
    name = build_meta.build_sdist(sdist_directory, config_settings)
    reproducible.repack_tar_gz(
        os.path.join(sdist_directory, name),
        lambda path: ".egg-info/" not in path and not path.endswith("/setup.cfg"),
    )
    return name


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    """The hook of PEP 660."""
    compile_catalogues()
    return build_meta.build_editable(wheel_directory, config_settings, metadata_directory)


def choice(config_settings):
    """The processors to compile for, as packaging/kernels.py takes them."""
    return (config_settings or {}).get("kernels") or "here"


def have_kernels(config_settings):
    """Whether compiled kernels are there that were made from these sources, and nothing else is asked for."""
    files = sorted(KERNELS.glob("*.kernels"))
    return bool(files) and not (config_settings or {}).get("kernels") and all(map(_is_fresh, files))


def _is_fresh(path):
    """Whether a file of kernels was made from the sources that are here (engine/jit/shipped.py)."""
    try:
        sources = json.loads(path.read_bytes().split(b"\n", 2)[1])["sources"]
        return all(
            hashlib.sha256(name.encode() + b"\0" + (PACKAGE / name).read_bytes()).hexdigest() == made
            for name, (made, _) in sources.items()
        )
    except (OSError, ValueError, LookupError):
        return False
