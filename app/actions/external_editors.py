"""How the text editors are started that "Open in External Editor" knows."""

from __future__ import annotations

from dataclasses import dataclass

from kinetree.engine.translation import marked


@dataclass(frozen=True, slots=True)
class ExternalEditor:
    """One editor.

    name     of the setting
    command  program and arguments; `{file}`, `{line}` and `{column}` (both from 1) stand for the place, `{vim}` for the
             path as an expression of Vim and `{server}` for where Neovim listens. No shell reads them.
    is_brief whether the program hands the place on to a running editor and ends: then its exit status counts
    remedy   what to do where the program is not found, or refuses
    """

    name: str
    command: tuple[str, ...]
    is_brief: bool
    remedy: str


COMMANDS: tuple[ExternalEditor, ...] = (
    ExternalEditor(
        "code", ("code", "-g", "{file}:{line}:{column}"), True,
        marked("Install VS Code, or in its command palette choose “Shell Command: Install 'code' command in PATH”."),
    ),
    ExternalEditor(
        "codium", ("codium", "-g", "{file}:{line}:{column}"), True, marked("Install VSCodium."),
    ),
    ExternalEditor(
        "neovim",
        (
            "nvim", "--server", "{server}", "--remote-expr",
            "[execute('drop ' .. fnameescape({vim})), cursor({line}, {column})]",
        ),
        True, marked("Start Neovim with the settings of docs/editors.md, so that it listens."),
    ),
    ExternalEditor("kate", ("kate", "-l", "{line}", "-c", "{column}", "{file}"), False, marked("Install Kate.")),
    ExternalEditor(
        "emacs", ("emacsclient", "-n", "+{line}:{column}", "{file}"), True,
        marked("Start Emacs with (server-start), or run `emacs --daemon`."),
    ),
    ExternalEditor(
        "sublime", ("subl", "{file}:{line}:{column}"), True, marked("Install Sublime Text."),
    ),
    ExternalEditor(
        "helix", ("x-terminal-emulator", "-e", "hx", "{file}:{line}:{column}"), False,
        marked("Install Helix and a terminal."),
    ),
)  # fmt: skip
"""One for each of `EDITORS` in `app/settings/table.py`."""

EDITOR_BY_NAME: dict[str, ExternalEditor] = {row.name: row for row in COMMANDS}
