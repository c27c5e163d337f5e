"""Builds wheel and sdist: setuptools, after the translations were compiled (packaging/catalogues.py). Both are written
again so that equal sources give equal bytes (packaging/reproducible.py)."""

import os

import catalogues
import reproducible
from setuptools import build_meta
from setuptools.build_meta import *  # noqa: F403 - the hooks that need nothing compiled

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def compile_catalogues():
    # By way of the package: in a checkout it holds links, in an sdist the folders themselves.
    catalogues.make(os.path.join(ROOT, "kinetree", "resources", "locale"))


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """The hook of PEP 517."""
    compile_catalogues()
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
