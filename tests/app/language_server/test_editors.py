"""The settings for other editors (`resources/editors`), in the real editors where they are installed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.patience import LIMIT, wait_for

FOLDER = ROOT / "resources" / "editors"
TEXT = """<mujoco>
  <asset><material name="red"/></asset>
  <worldbody>
    <geom name="é" siz="1" material="red"/>
  </worldbody>
</mujoco>
"""
PLACE = (4, 11)  # of `name`, from 1
BLOCKS = {
    "kinetree.lua": "lua",
    "kinetree.el": "elisp",
    "kate.json": "json",
    "helix.toml": "toml",
}


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """A model with an error, in a folder whose name has spaces and a quote."""
    path = tmp_path / "the robot's folder" / "a model.xml"
    path.parent.mkdir()
    path.write_text(TEXT, encoding="utf-8")
    return path


@pytest.fixture
def kinetree(tmp_path: Path, monkeypatch) -> Path:
    """A folder on the PATH with the program `kinetree`, which writes the arguments of a jump to the file `jump`."""
    folder = tmp_path / "bin"
    folder.mkdir()
    program = folder / "kinetree"
    program.write_text(
        f"""#!/bin/sh
if [ "$1" = --goto ]; then printf '%s\\n' "$@" > '{folder}/part'; mv '{folder}/part' '{folder}/jump'; exit; fi
PYTHONPATH='{ROOT}' exec '{sys.executable}' -m kinetree "$@"
"""
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    for name in ("HOME", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))
        (tmp_path / name).mkdir()
    return folder


def check(found: dict, jump: Path, model: Path) -> None:
    """Check the problems, completions and definition that an editor got, and the jump."""
    assert any("siz" in message for message in found["problems"])
    assert "size" in found["offers"]
    assert found["definition"] == 2
    wait_for(jump.exists)
    assert jump.read_text().splitlines() == ["--goto", f"{model}:{PLACE[0]}:{PLACE[1]}"]


def run(command: list[str], folder: Path) -> None:
    done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=LIMIT)
    assert done.returncode == 0, done.stdout + done.stderr


LUA = """
local found = { problems = {}, offers = {} }
local ok, said = pcall(function()
  local limit = %d
  local function until_(condition) assert(vim.wait(limit, condition, 20), "too late") end
  until_(function() return #vim.diagnostic.get(0) > 0 end)
  for _, each in ipairs(vim.diagnostic.get(0)) do table.insert(found.problems, each.message) end
  local function ask(method, line, column)
    vim.api.nvim_win_set_cursor(0, { line, column })
    local answers = vim.lsp.buf_request_sync(0, method, vim.lsp.util.make_position_params(0, "utf-16"), limit)
    for _, answer in pairs(answers) do if answer.result then return answer.result end end
  end
  local offers = ask("textDocument/completion", 4, 10)
  for _, each in ipairs(offers.items or offers) do table.insert(found.offers, each.label) end
  local places = ask("textDocument/definition", 4, 39)
  local place = places[1] or places
  found.definition = (place.range or place.targetSelectionRange).start.line + 1
  vim.api.nvim_win_set_cursor(0, { 4, 10 })
  vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes("<leader>k", true, true, true), "mx", false)
end)
found.said = tostring(said)
vim.fn.writefile({ vim.json.encode(found) }, os.getenv("FOUND"))
vim.cmd(ok and "qa!" or "cq!")
"""


@pytest.mark.slow("starts Neovim and the language server")
@pytest.mark.skipif(shutil.which("nvim") is None, reason="Neovim is not installed")
def test_neovim(kinetree, model, tmp_path, monkeypatch):
    script = tmp_path / "test.lua"
    script.write_text(LUA % (LIMIT * 1000))
    monkeypatch.setenv("FOUND", str(tmp_path / "found.json"))
    settings = FOLDER / "kinetree.lua"
    run(["nvim", "--headless", "-u", str(settings), "-n", "+filetype on", str(model), "-S", str(script)], tmp_path)
    check(json.loads((tmp_path / "found.json").read_text()), kinetree / "jump", model)


ELISP = """
(setq eglot-sync-connect t eglot-connect-timeout %(limit)d eglot-autoshutdown t make-backup-files nil)
(load "%(settings)s")
(require 'eglot)
(require 'json)
(defun until (condition)
  (let ((end (+ (float-time) %(limit)d)))
    (while (not (funcall condition))
      (when (> (float-time) end) (error "too late"))
      (accept-process-output nil 0.05))))
(find-file (getenv "MODEL"))
(apply #'eglot (eglot--guess-contact)) ; eglot-ensure waits for a command of the user
(until (lambda () (and (eglot-current-server) (flymake-diagnostics))))
(let (problems offers definition)
  (setq problems (mapcar #'flymake-diagnostic-text (flymake-diagnostics)))
  (goto-char (point-min)) (search-forward "<geom ")
  (let* ((table (nth 2 (eglot-completion-at-point))))
    (setq offers (mapcar #'substring-no-properties (all-completions "" table))))
  (search-forward "material=\\"re")
  (xref-find-definitions (xref-backend-identifier-at-point 'eglot))
  (setq definition (line-number-at-pos))
  (goto-char (point-min)) (search-forward "<geom ")
  (execute-kbd-macro (kbd "C-c k"))
  (with-temp-file (getenv "FOUND")
    (insert (json-encode `((problems . ,(vconcat problems)) (offers . ,(vconcat offers)) (definition . ,definition))))))
(kill-emacs 0)
"""


@pytest.mark.slow("starts Emacs and the language server")
@pytest.mark.skipif(shutil.which("emacs") is None, reason="Emacs is not installed")
def test_emacs(kinetree, model, tmp_path, monkeypatch):
    has_eglot = subprocess.run(["emacs", "--batch", "--eval", "(require 'eglot)"], capture_output=True)
    if has_eglot.returncode:
        pytest.skip("Emacs has no Eglot: it is part of Emacs 29, or the package elpa-eglot")
    script = tmp_path / "test.el"
    script.write_text(ELISP % {"limit": LIMIT, "settings": FOLDER / "kinetree.el"})
    monkeypatch.setenv("FOUND", str(tmp_path / "found.json"))
    monkeypatch.setenv("MODEL", str(model))
    run(["emacs", "--batch", "-l", str(script)], tmp_path)
    check(json.loads((tmp_path / "found.json").read_text()), kinetree / "jump", model)


# ---- files that their editors only read --------------------------------------------------------------------------------


def test_kate_and_helix_start_the_server():
    kate = json.loads((FOLDER / "kate.json").read_text())
    assert kate["servers"]["xml"]["command"] == ["kinetree", "lsp"]
    helix = tomllib.loads((FOLDER / "helix.toml").read_text())
    assert helix["language-server"]["kinetree"] == {"command": "kinetree", "args": ["lsp"]}


@pytest.mark.parametrize("name", BLOCKS)
def test_the_page_shows_each_file_as_it_is(name):
    page = (ROOT / "docs" / "editors.md").read_text(encoding="utf-8")
    text = (FOLDER / name).read_text(encoding="utf-8")
    assert f"```{BLOCKS[name]}\n{text}```\n" in page, f"copy resources/editors/{name} into docs/editors.md"


def test_every_file_is_on_the_page():
    assert {path.name for path in FOLDER.iterdir()} == set(BLOCKS)
