"""docs/editors.md: what is to be copied from it reads as JSON and TOML, and every editor starts the server."""

import json
import re
import tomllib

from tests.conftest import ROOT

PAGE = (ROOT / "docs" / "editors.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", PAGE, re.DOTALL)


def test_configurations_can_be_read() -> None:
    kinds = [kind for kind, _ in BLOCKS]
    assert kinds == ["lua", "elisp", "json", "toml"]
    (kate,) = (json.loads(text) for kind, text in BLOCKS if kind == "json")
    assert kate["servers"]["xml"]["command"] == ["kinetree", "lsp"]
    (helix,) = (tomllib.loads(text) for kind, text in BLOCKS if kind == "toml")
    assert helix["language-server"]["kinetree"] == {"command": "kinetree", "args": ["lsp"]}
    assert helix["language"][0]["language-servers"] == ["kinetree"]


def test_every_editor_starts_the_server() -> None:
    assert all("lsp" in text for kind, text in BLOCKS)
    assert all(text.count("(") == text.count(")") for _, text in BLOCKS)
