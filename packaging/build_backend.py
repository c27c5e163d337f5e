"""Builds the wheel: setuptools, after the translations were compiled (packaging/catalogues.py)."""

import catalogues
from setuptools import build_meta
from setuptools.build_meta import *  # noqa: F403 - the hooks that need nothing compiled


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """The hook of PEP 517."""
    catalogues.make()
    return build_meta.build_wheel(wheel_directory, config_settings, metadata_directory)


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    """The hook of PEP 660."""
    catalogues.make()
    return build_meta.build_editable(wheel_directory, config_settings, metadata_directory)
