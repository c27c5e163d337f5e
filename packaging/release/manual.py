"""Prints the manual page kinetree(1), made from the parsers of the command line.

    python packaging/release/manual.py > kinetree.1

It is run by an interpreter that has Kinetree installed.
"""

from __future__ import annotations

import argparse
import os
import re
import time

from kinetree import __version__
from kinetree.app.commands import parsers

HEAD = """.TH KINETREE 1 "{date}" "Kinetree {version}" "User Commands"
.SH NAME
kinetree, kinetree\\-gui \\- open, simulate, see and edit robot and physics models
.SH SYNOPSIS
{synopsis}
.SH DESCRIPTION
{description}
.PP
Without a command it opens the window.
.B kinetree\\-gui
does the same, and tells of a start that fails in a message box, for menus and file managers.
.SH OPTIONS
{options}
.SH COMMANDS
.B kinetree
.I COMMAND
.B \\-\\-help
describes a command, too.
{commands}
.SH EXIT STATUS
.TP
.B 0
Success.
.TP
.B 1
Something failed, or a model has errors; a message on standard error says what, and what to do.
.TP
.B 2
The command line is wrong.
.SH ENVIRONMENT
.TP
.BR LANGUAGE ", " LC_ALL ", " LC_MESSAGES ", " LANG
The language of the interface and of all messages, unless the settings name one.
.TP
.BR XDG_CONFIG_HOME ", " XDG_CACHE_HOME ", " XDG_DATA_HOME ", " XDG_STATE_HOME
The folders below which settings, compiled kernels and other files of the user are.
.TP
.B QT_QPA_PLATFORM
How Qt reaches the screen:
.BR xcb " or " wayland .
.SH FILES
.TP
.I ~/.cache/kinetree
Compiled kernels and pictures of models. They are made again when they are missing.
.SH EXAMPLES
.TP
.B kinetree robot.urdf
Open a model.
.TP
.B kinetree check robot.xml
List its errors and warnings.
.TP
.B kinetree render robot.xml \\-o picture.png
Draw a picture without a screen.
.SH SEE ALSO
.BR xdg\\-mime (1)
"""


def quoted(text: str) -> str:
    """Text for roff: backslashes, hyphens that are typed, and lines that would be taken for requests."""
    text = " ".join(text.split()).replace("\\", "\\e").replace("-", "\\-")
    # A hyphen inside a word of prose is one; those of options are minus signs.
    text = re.sub(r"(?<=[A-Za-z])\\-(?=[a-z])", "-", text)
    text = text.replace("'", "\\(aq").replace("`", "\\(ga").replace("^", "\\(ha").replace("~", "\\(ti")
    return f"\\&{text}" if text.startswith(".") else text


def literal(text: str) -> str:
    """A word that is typed as it stands."""
    return quoted(text).replace("\\-", "-").replace("-", "\\-")


def value_of(action: argparse.Action) -> str:
    """The value of an option or argument as usage lines show it."""
    if action.nargs == 0:
        return ""
    names = action.metavar or (action.dest.upper() if action.option_strings else action.dest)
    shown = " ".join(names) if isinstance(names, tuple) else str(names)
    if action.choices is not None and action.metavar is None:
        shown = "{" + ",".join(map(str, action.choices)) + "}"
    return shown


def heading(action: argparse.Action) -> str:
    """The line of an option or argument."""
    value = value_of(action)
    if not action.option_strings:
        return f"\\fI{literal(value)}\\fR"
    flags = [f"\\fB{literal(flag)}\\fR" for flag in action.option_strings]
    return ", ".join(flags) + (f" \\fI{literal(value)}\\fR" if value else "")


def explained(action: argparse.Action) -> str:
    """The help of an option."""
    words = dict(vars(action), prog="kinetree")
    return quoted((action.help or "") % words) if action.help else ""


def options(parser: argparse.ArgumentParser) -> str:
    """One entry for each argument and option."""
    shown = [action for action in parser._actions if action.help is not argparse.SUPPRESS]
    ordered = [action for action in shown if not action.option_strings]
    ordered += [action for action in shown if action.option_strings]
    return "\n".join(f".TP\n{heading(action)}\n{explained(action)}" for action in ordered)


def usage(parser: argparse.ArgumentParser) -> str:
    """The usage line, wherever the terminal would break it."""
    text = " ".join(parser.format_usage().split()).partition(": ")[2]
    program = parser.prog
    return f"\\fB{literal(program)}\\fR {literal(text.removeprefix(program).strip())}"


def command(name: str) -> str:
    parser = parsers.command_parser(name)
    epilog = f"\n.PP\n{quoted(parser.epilog)}" if parser.epilog else ""
    return f".SS {name}\n{usage(parser)}\n.PP\n{quoted(parser.description or '')}{epilog}\n{options(parser)}"


def page() -> str:
    """The whole page."""
    when = time.gmtime(int(os.environ.get("SOURCE_DATE_EPOCH") or time.time()))
    window = parsers.window_parser()
    synopsis = f"{usage(window)}\n.br\n\\fBkinetree\\fR \\fICOMMAND\\fR [\\fIARGUMENT\\fR ...]"
    return HEAD.format(
        date=time.strftime("%Y-%m-%d", when),
        version=__version__,
        synopsis=synopsis,
        description=quoted(window.description or ""),
        options=options(window),
        commands="\n".join(command(name) for name in parsers.COMMANDS),
    )


if __name__ == "__main__":
    print(page(), end="")
