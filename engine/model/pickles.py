"""Pickles of Model and Data: which version wrote them, and what other versions say to them."""

from __future__ import annotations

import hashlib
import pickle
from functools import cache

from kinetree.engine.model.fields import TABLES

VERSION = 1
"""Of what a pickle holds besides the fields."""
REMEDY = {"Model": "make it again with kinetree.load", "Data": "make it again with kinetree.Data"}


@cache
def fingerprint(kind: str) -> bytes:
    """Hash of the table of fields of Model or Data."""
    rows = [(f.name, f.dtype, f.shape, f.kind) for f in TABLES[kind]]
    return hashlib.blake2b(repr(rows).encode(), digest_size=16).digest()


def stamp(kind: str) -> tuple[int, str]:
    """Header of a pickle of Model or Data."""
    return VERSION, fingerprint(kind).hex()


def check_stamp(kind: str, found: tuple[int, str]) -> None:
    """Raise UnpicklingError for a pickle of another version of Kinetree."""
    if tuple(found) != stamp(kind):
        theirs, ours = (f"{version}-{fields[:8]}" for version, fields in (found, stamp(kind)))
        raise pickle.UnpicklingError(
            f"this pickle of a {kind} is of another version of Kinetree (layout {theirs}, here {ours}): {REMEDY[kind]}"
        )
