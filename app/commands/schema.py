"""Print the schema of MJCF with its Motphys extensions, for other editors."""

from __future__ import annotations

import sys

from kinetree.app.commands.common import writable
from kinetree.app.terminal import UsageError, fail
from kinetree.engine import mjcf, storage
from kinetree.engine.translation import tr


def add_arguments(parser) -> None:
    parser.add_argument("--xsd", action="store_true", help=tr("as an XML Schema (the only format there is)"))
    parser.add_argument("-o", "--output", metavar="FILE", help=tr("write it to a file instead of standard output"))


def run(options) -> int:
    if not options.xsd:
        raise UsageError(tr("schema: choose a format: --xsd"))

    data = mjcf.xsd.to_xsd()
    if options.output is None:
        sys.stdout.buffer.write(data)
        sys.stdout.flush()
        return 0
    problem = writable(options.output)
    if problem:
        return fail(f"schema: {problem}")

    try:
        storage.saving.write(options.output, data)
    except OSError as error:
        return fail(
            tr("schema: {output} cannot be written: {reason}", output=options.output, reason=error.strerror or error)
        )
    return 0
