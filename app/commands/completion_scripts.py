"""The scripts of `kinetree completion`, made from the parsers of all commands.

A script has all commands, options and words in it. Only names of models are asked for while the user types, by
`kinetree completion --names BEGIN`, which imports next to nothing.
"""

from __future__ import annotations

import argparse
import shlex
from dataclasses import dataclass
from itertools import chain

from kinetree.app.commands.arguments import Taken, actions_of, taken
from kinetree.app.commands.parsers import COMMANDS, command_parser, window_parser
from kinetree.engine.library.folder import EXTENSIONS
from kinetree.engine.translation import tr

PROGRAM = "kinetree"


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a command: its strings, whether a value follows, and the kind of this value."""

    strings: tuple[str, ...]
    has_value: bool
    taken: Taken
    metavar: str
    help: str
    repeats: bool


@dataclass(frozen=True, slots=True)
class Command:
    """A command, "" for the window: what it does, its options, and its arguments in order. `repeats`: the last argument
    may come several times."""

    name: str
    help: str
    options: tuple[Option, ...]
    arguments: tuple[Taken, ...]
    repeats: bool


def commands() -> list[Command]:
    """The window, then all commands."""
    return [
        _command("", "", window_parser()),
        *(_command(name, tr(COMMANDS[name]), command_parser(name)) for name in COMMANDS),
    ]


def _command(name: str, help: str, parser: argparse.ArgumentParser) -> Command:
    options, arguments, repeats = [], [], False
    for action in actions_of(parser):
        if not action.option_strings:
            arguments.append(taken(action))
            repeats = action.nargs in ("*", "+")
            continue
        told = " ".join((action.help or "").replace("%%", "%").split())
        several = "append" in type(action).__name__.lower()
        options.append(
            Option(
                tuple(action.option_strings), action.nargs != 0, taken(action), str(action.metavar or ""), told, several
            )
        )
    return Command(name, help, tuple(options), tuple(arguments), repeats)


def script(shell: str) -> str:
    """The script for a shell: "bash", "zsh" or "fish"."""
    made = {"bash": _bash, "zsh": _zsh, "fish": _fish}[shell](commands())
    return f"# Completion of {PROGRAM} in {shell}, made by `{PROGRAM} completion {shell}`.\n{made}"


# ---- bash ------------------------------------------------------------------------------------------------------------

_BASH = """
_kinetree_files() {
    local path
    while IFS= read -r path; do COMPREPLY+=("$path"); done < <(compgen -d -- "$1")
    while IFS= read -r path; do
        case "$path" in @PATTERNS@) [ -d "$path" ] || COMPREPLY+=("$path") ;; esac
    done < <(compgen -f -- "$1")
    compopt -o filenames 2>/dev/null
}
_kinetree_models() {
    local name
    _kinetree_files "$1"
    while IFS= read -r name; do COMPREPLY+=("$name"); done < <("${COMP_WORDS[0]}" completion --names "$1" 2>/dev/null)
}
_kinetree() {
    local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" command="" path head
    local -i number=0 k
    COMPREPLY=()
    # Bash splits words at "=" and ":"; `done_` is the part of the word that it keeps.
    local line="${COMP_LINE:0:COMP_POINT}" whole done_=""
    whole="${line##*[[:space:]]}"
    case "$whole" in
        --*=*) before="${whole%%=*}" word="${whole#*=}" ;;
        *[=:]*) line="${line%"$whole"}"; line="${line%"${line##*[![:space:]]}"}"; before="${line##*[[:space:]]}"
            case "$word" in [=:]) word="" ;; esac
            done_="${whole%"$word"}" word="$whole" ;;
    esac
    [ "$COMP_CWORD" -gt 1 ] && case "${COMP_WORDS[1]}" in @COMMANDS@) command="${COMP_WORDS[1]}" ;; esac
    local options words="" kind="" lists="" valued
    case "$command" in
@OPTIONS@
    esac
    for ((k = 1; k < COMP_CWORD; k++)); do
        case "${COMP_WORDS[k]}" in
            [=:]) k+=1 ;;
            -*) case " $valued " in *" ${COMP_WORDS[k]} "*) k+=1; [ "${COMP_WORDS[k]}" = "=" ] && k+=1 ;; esac ;;
            *) number+=1 ;;
        esac
    done
    case "$command $before" in
@VALUES@
        *)
            case "$word" in -*) COMPREPLY=($(compgen -W "$options" -- "$word")); return ;; esac
            case "$command $number" in
@ARGUMENTS@
            esac
            ;;
    esac
    case "$kind" in
        models) _kinetree_models "$word" ;;
        files)
            while IFS= read -r path; do COMPREPLY+=("$path"); done < <(compgen -f -- "$word")
            compopt -o filenames 2>/dev/null
            ;;
    esac
    [ -n "$words" ] || return
    head=""
    if [ -n "$lists" ]; then case "$word" in *,*) head="${word%,*},"; word="${word##*,}" ;; esac; fi
    for path in $(compgen -W "$words" -- "$word"); do
        path="$head$path"
        COMPREPLY+=("${path#"$done_"}")
        case "$path" in *[:=]) compopt -o nospace 2>/dev/null ;; esac
    done
}
complete -F _kinetree kinetree
"""


def _bash(all_commands: list[Command]) -> str:
    options, values, arguments = [], [], []
    for each in all_commands:
        strings = " ".join(chain.from_iterable(option.strings for option in each.options))
        valued = " ".join(chain.from_iterable(option.strings for option in each.options if option.has_value))
        options.append(
            f"        {shlex.quote(each.name)}) options={shlex.quote(strings)} valued={shlex.quote(valued)} ;;"
        )
        for option in each.options:
            if option.has_value:
                patterns = "|".join(shlex.quote(f"{each.name} {string}") for string in option.strings)
                values.append(f"        {patterns}) {_bash_values(option.taken)} ;;")
        first = 1 if each.name else 0
        for number, told in enumerate(each.arguments, first):
            is_last = number - first == len(each.arguments) - 1
            pattern = (
                f"{shlex.quote(each.name + ' ')}*" if is_last and each.repeats else shlex.quote(f"{each.name} {number}")
            )
            names = f"; words={shlex.quote(' '.join(COMMANDS))}" if not each.name else ""
            arguments.append(f"                {pattern}) {_bash_values(told)}{names} ;;")
    patterns = "|".join(f"*{extension}" for extension in EXTENSIONS)
    return (
        _BASH.lstrip()
        .replace("@PATTERNS@", patterns)
        .replace("@COMMANDS@", "|".join(COMMANDS))
        .replace("@OPTIONS@", "\n".join(options))
        .replace("@VALUES@", "\n".join(values))
        .replace("@ARGUMENTS@", "\n".join(arguments))
    )


def _bash_values(told: Taken) -> str:
    if told.models or told.files:
        return f"kind={'models' if told.models else 'files'}"
    lists = "; lists=yes" if told.in_lists else ""
    return f"words={shlex.quote(' '.join(told.words))}{lists}" if told.words else ":"


# ---- zsh -------------------------------------------------------------------------------------------------------------

_ZSH = """
_kinetree_models() {
    local -a names
    names=(${(f)"$($words[1] completion --names "$PREFIX" 2>/dev/null)"})
    (( $#names )) && compadd -V names -a names
    _path_files -g '*.(@EXTENSIONS@)(-.)'
    _path_files -/
}
_kinetree_first() {
    local -a commands
    commands=(
@COMMANDS@
    )
    _describe -t commands @COMMAND@ commands
    _kinetree_models
}
_kinetree() {
    if (( CURRENT > 2 )) && [[ -n "${words[2]}" ]]; then
        case "${words[2]}" in
@CASES@
        esac
    fi
    _arguments -S @WINDOW@
}
if [ "$funcstack[1]" = "_kinetree" ]; then _kinetree "$@"; else compdef _kinetree kinetree; fi
"""


def _zsh(all_commands: list[Command]) -> str:
    window, *others = all_commands
    cases = []
    for each in others:
        specs = _zsh_options(each)
        for number, told in enumerate(each.arguments, 2):
            last = number - 2 == len(each.arguments) - 1
            place = "*" if last and each.repeats else str(number)
            specs.append(shlex.quote(f"{place}:{'MODEL' if told.models else 'argument'}:{_zsh_values(told)}"))
        body = " \\\n                ".join(["_arguments -S", "'1:command:'", *specs])
        cases.append(f"            {each.name})\n                {body}\n                return ;;")
    specs = [*_zsh_options(window), shlex.quote(f"1:{tr('command or model')}:_kinetree_first")]
    told = [f"        {shlex.quote(each.name + ':' + each.help)}" for each in others]
    return f"#compdef {PROGRAM}\n" + _ZSH.replace(
        "@EXTENSIONS@", "|".join(extension[1:] for extension in EXTENSIONS)
    ).replace("@COMMANDS@", "\n".join(told)).replace("@COMMAND@", shlex.quote(tr("command"))).replace(
        "@CASES@", "\n".join(cases)
    ).replace("@WINDOW@", " \\\n        ".join(specs))


def _zsh_options(command: Command) -> list[str]:
    specs = []
    for option in command.options:
        help = option.help
        for letter in "\\[]:":
            help = help.replace(letter, "\\" + letter)
        value = f":{option.metavar}:{_zsh_values(option.taken)}" if option.has_value else ""
        others = "" if option.repeats else f"({' '.join(option.strings)})"
        for string in option.strings:
            equals = "=" if option.has_value and string.startswith("--") else ""
            repeat = "*" if option.repeats else ""
            specs.append(shlex.quote(f"{others}{repeat}{string}{equals}[{help}]{value}"))
    return specs


def _zsh_values(told: Taken) -> str:
    if told.models:
        return "_kinetree_models"
    if told.files:
        return "_files"
    words = " ".join(word.replace(":", "\\:") for word in told.words)
    return f"_sequence -s , compadd - {words}" if told.in_lists else f"({words})" if words else " "


# ---- fish ------------------------------------------------------------------------------------------------------------

_FISH = """
function __kinetree_command
    set -l words (commandline -opc)
    if contains -- "$words[2]" @COMMANDS@
        test "$argv[1]" = "$words[2]"
    else
        test -z "$argv[1]"
    end
end
function __kinetree_first
    test (count (commandline -opc)) -eq 1
end
function __kinetree_models
    set -l words (commandline -opc)
    command $words[1] completion --names (commandline -ct) 2>/dev/null
    for extension in @EXTENSIONS@
        __fish_complete_suffix $extension
    end | string match -r '^[^\\t]*(?:/|@PATTERN@)(?:\\t.*)?$'
end
function __kinetree_list
    set -l head (string match -r '^.*,' -- (commandline -ct))
    printf "$head%s\\n" $argv
end
complete -c kinetree -f
"""


def _fish(all_commands: list[Command]) -> str:
    extensions = "|".join(extension.replace(".", "\\.") for extension in EXTENSIONS)
    lines = [
        _FISH.lstrip()
        .replace("@COMMANDS@", " ".join(COMMANDS))
        .replace("@EXTENSIONS@", " ".join(EXTENSIONS))
        .replace("@PATTERN@", extensions)
    ]
    for each in all_commands:
        condition = f'complete -c {PROGRAM} -n "__kinetree_command {each.name}"'
        if each.name:
            lines.append(f"complete -c {PROGRAM} -n __kinetree_first -a {each.name} -d {shlex.quote(each.help)}\n")
        for option in each.options:
            flags = "".join(
                f" -{'l' if string.startswith('--') else 's'} {string.lstrip('-')}" for string in option.strings
            )
            value = (" -r -F" if option.taken.files else f" -x{_fish_values(option.taken)}") if option.has_value else ""
            lines.append(f"{condition}{flags}{value} -d {shlex.quote(option.help[:100])}\n")
        for told in dict.fromkeys(each.arguments):
            lines.append(f"{condition} {'-F' if told.files else _fish_values(told)}\n")
    return "".join(lines)


def _fish_values(told: Taken) -> str:
    if told.models:
        return " -a '(__kinetree_models)'"
    words = " ".join(told.words)
    if told.in_lists:
        return f" -a '(__kinetree_list {words})'"
    return f" -a {shlex.quote(words)}" if words else ""
