"""The page that knows the newest version of Kinetree."""

from __future__ import annotations

import json
from typing import NamedTuple

from kinetree.app.updates.version import Version

MOST = 4 << 20
"""Bytes of an answer that are read: the answer of an index lists all files of all versions."""


class ReleaseSource(NamedTuple):
    """A page: its address, and the host that the user is told."""

    address: str
    host: str


SOURCE = ReleaseSource("https://pypi.org/pypi/kinetree/json", "pypi.org")
"""The index of Python packages, in its JSON format. This row is the only address that the program knows."""


class Nonsense(ValueError):
    """The answer is not of the known form."""


def newest(answer: bytes) -> Version:
    """The newest version in an answer: the greatest one that is no preview and was not withdrawn. Raises Nonsense."""
    try:
        found = json.loads(answer)
        known = {str(found["info"]["version"])}
        releases = found.get("releases") or {}
        known |= {name for name, files in releases.items() if any(not each.get("yanked") for each in files)}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise Nonsense from None
    versions = [version for name in known if (version := Version.of(name)) is not None and not version.is_preview]
    if not versions:
        raise Nonsense
    return max(versions)
