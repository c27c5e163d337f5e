"""Every model of the corpus that the reference refuses is refused here, at the line where the mistake is."""

from __future__ import annotations

import re
from pathlib import Path

import mujoco
import pytest

import kinetree
from kinetree.engine.diagnostics import Severity
from kinetree.engine.model import unsupported
from tests.corpus import listed

TABLE = {
    path: {int(line) for line in lines.split(",")}
    for path, lines in (
        row.split()
        for row in (Path(__file__).resolve().parent / "refused.txt").read_text().splitlines()
        if not row.startswith("#")
    )
}


def errors(path) -> list:
    with pytest.raises(kinetree.ModelError) as caught:
        kinetree.load(path)
    return [item for item in caught.value.diagnostics if item.severity is Severity.ERROR]


@pytest.mark.parametrize("name", TABLE)
def test_line(name, shared):
    path = shared / "corpus" / name
    found = errors(path)
    real = [item for item in found if item.code != unsupported.REFUSED]
    if not real:
        pytest.xfail(f"not read yet: {found[0].message}")
    assert real[0].line in TABLE[name], "\n".join(map(str, found))
    for item in real:
        assert item.message[0] not in " '\"" or "; " in item.message or ": " in item.message
        assert not re.search(r"Kinetree failed|traceback|exception", item.message, re.IGNORECASE)
        assert item.end_line and (item.end_line, item.end_column) > (item.line, item.column)


def test_table_is_complete(shared):
    """Every model that the indexes list as refused, and none that the reference reads."""
    refused = {row.place for row in listed(shared / "corpus") if not row.loads.endswith("yes")}
    assert set(TABLE) == refused


def test_reference_refuses(shared):
    for name in TABLE:
        with pytest.raises(ValueError):
            mujoco.MjModel.from_xml_path(str(shared / "corpus" / name))
