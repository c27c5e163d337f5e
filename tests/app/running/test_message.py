"""Requests as they are sent: nothing else is read as one."""

import json
from dataclasses import asdict

import pytest

from kinetree.app.running.message import FilePlace, Request, request_for, request_of


def test_a_request_arrives_as_it_was_sent():
    odd = "/tmp/a b\n\udcff ü.xml"  # not UTF-8 on the disk
    sent = request_for(FilePlace(odd, 3, 4), True, {"XDG_ACTIVATION_TOKEN": "t", "DESKTOP_STARTUP_ID": "s"})
    assert sent == Request(odd, 3, 4, True, "t", "s")
    line = sent.line_of_json()
    assert b"\n" not in line and request_of(line) == sent


WHOLE = asdict(Request("/a.xml"))


@pytest.mark.parametrize(
    "line",
    [
        "",
        "[]",
        "{}",
        "[" * 60000,
        json.dumps({**WHOLE, "path": "a.xml"}),
        json.dumps({**WHOLE, "path": "/a\0.xml"}),
        json.dumps({**WHOLE, "path": 3}),
        json.dumps({**WHOLE, "line": -1}),
        json.dumps({**WHOLE, "line": True}),
        json.dumps({**WHOLE, "line": 1.5}),
        json.dumps({**WHOLE, "column": 2**31}),
        json.dumps({**WHOLE, "command": "rm"}),
        "\xff",
    ],
)
def test_what_is_no_request_is_refused(line):
    with pytest.raises(ValueError):
        request_of(line.encode("latin-1"))
