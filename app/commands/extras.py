"""List, install or remove extras: large packages that few features need.

kinetree extras                    all extras: whether they are there, what they are for, how large they are
kinetree extras install NAME ...   fetch extras into the folder of the user, with pip
kinetree extras remove NAME ...    remove what was fetched
"""

from __future__ import annotations

import sys
from collections.abc import Callable

from kinetree import app
from kinetree.app.terminal import UsageError, command, fail, printable
from kinetree.engine import extras
from kinetree.engine.extras.places import ExtraError, ExtraSource, FoundExtra
from kinetree.engine.extras.table import EXTRAS, Extra
from kinetree.engine.extras.wheels import download_size, size_text
from kinetree.engine.platforms.system import HERE
from kinetree.engine.progress import reported
from kinetree.engine.translation import tr


def add_arguments(parser) -> None:
    app.commands.arguments.takes(
        parser.add_argument("what", metavar="WHAT", nargs="?", default="list", help=tr("list, install or remove")),
        ACTIONS,
    )
    app.commands.arguments.takes(
        parser.add_argument("names", metavar="NAME", nargs="*", help=tr("extras, or all")), [*EXTRAS, "all"]
    )


def run(options) -> int:
    action = ACTIONS.get(options.what)
    if action is None:
        raise UsageError(tr("extras: {what!r} is not one of {names}", what=options.what, names=", ".join(ACTIONS)))
    if options.what != "list" and not options.names:
        raise UsageError(tr("extras: name an extra: {names}", names=", ".join([*EXTRAS, "all"])))
    chosen: list[Extra] = []
    for name in options.names:
        if name != "all" and name not in EXTRAS:
            raise UsageError(
                tr("extras: there is no extra {name!r}: {names}", name=name, names=", ".join([*EXTRAS, "all"]))
            )
        chosen += EXTRAS.values() if name == "all" else [EXTRAS[name]]
    return action(list(dict.fromkeys(chosen)) or list(EXTRAS.values()))


def show(chosen: list[Extra]) -> int:
    """List extras and their purpose."""
    width = max(len(extra.name) for extra in chosen)
    for extra in chosen:
        size, found = download_size(extra), extras.places.found_anywhere(extra)
        if size is None:
            told = tr("does not exist for this system")
        elif found is None:
            told = tr(
                "not installed: {size} to download, {disk} MB on the disk", size=size_text(size), disk=extra.disk[HERE]
            )
        else:
            told = state(found)
        print(printable(f"{extra.name:<{width}}  {told}"))
        print(printable(f"{'':<{width}}  {tr(extra.purpose)}"))
    return 0


def state(found: FoundExtra) -> str:
    """Where an extra is, in a few words."""
    if found.source is ExtraSource.FETCHED:
        return tr("installed in {path}", path=found.path)
    if found.source is ExtraSource.SYSTEM:
        return tr("not needed: {path} does the same", path=found.path)
    return tr("part of this environment: {path}", path=found.path)


def install(chosen: list[Extra]) -> int:
    """Fetch extras that are not there."""
    for extra in chosen:
        found = extras.places.found(extra)
        if found is not None:
            print(printable(f"{extra.name}: {state(found)}"))
            continue
        size = download_size(extra)
        if size is not None:
            told = tr(
                "fetching {packages} from the package index: {size}",
                packages=", ".join(f"{pin.package} {pin.version}" for pin in extras.wheels.pins(extra)),
                size=size_text(size),
            )
            print(printable(f"{extra.name}: {told}"), flush=True)
        try:
            with reported(_report):
                folder = extras.installing.install(extra)
        except ExtraError as error:
            _end_line()
            return fail(f"extras: {error}")
        except BaseException:
            _end_line()
            raise
        _end_line()
        print(printable(f"{extra.name}: {tr('installed in {path}', path=folder)}"))
    return 0


def remove(chosen: list[Extra]) -> int:
    """Remove extras that were fetched."""
    for extra in chosen:
        try:
            removed = extras.places.remove(extra)
        except ExtraError as error:
            return fail(f"extras: {error}")
        found = extras.places.found(extra)
        if removed:
            print(f"{extra.name}: {tr('removed')}")
        elif found is not None:
            told = tr(
                "not removed: it is part of this environment, in which `{command}` cannot change anything",
                command=command("extras"),
            )
            print(printable(f"{extra.name}: {told}"))
        else:
            print(f"{extra.name}: {tr('was not installed')}")
    return 0


ACTIONS: dict[str, Callable[[list[Extra]], int]] = {"list": show, "install": install, "remove": remove}


def _report(fraction: float) -> None:
    """Show the progress where somebody looks at it."""
    if sys.stderr.isatty():
        print(f"\r{fraction:4.0%}", end="", file=sys.stderr, flush=True)


def _end_line() -> None:
    if sys.stderr.isatty():
        print("\r    \r", end="", file=sys.stderr, flush=True)
