"""Convert a model of any format to canonical MJCF, with everything expanded, or to the binary .kmodel."""

from __future__ import annotations

import os

from kinetree.app.commands.arguments import add_model, add_seed, seed_of
from kinetree.app.commands.common import load, writable
from kinetree.app.terminal import UsageError, fail
from kinetree.engine.diagnostics import CannotSave
from kinetree.engine.storage.saving import FORMATS, format_of, save, unknown_extension
from kinetree.engine.translation import tr

KNOWN = ", ".join(f"{extension} ({text})" for extension, text in FORMATS.items())


def add_arguments(parser) -> None:
    add_model(parser, "input", metavar="IN", help=tr("model file or name: MJCF, URDF or x_xy"))
    parser.add_argument(
        "output", metavar="OUT", help=tr("output file; its extension chooses the format: {formats}", formats=KNOWN)
    )
    parser.add_argument("--force", action="store_true", help=tr("replace OUT if it exists"))
    add_seed(parser)


def run(options) -> int:
    output = options.output
    if format_of(output) is None:
        raise UsageError(f"convert: {output!r}: {unknown_extension(output)}")
    problem = writable(output)
    if problem:
        return fail(f"convert: {problem}")
    if os.path.exists(output) and not options.force:
        return fail(tr("convert: {output} exists: choose another name, or replace it with --force", output=output))
    model = load(options.input, seed_of(options))
    if model is None:
        return 1
    try:
        save(model, output)
    except CannotSave as error:
        return fail(f"convert: {error}")
    except OSError as error:
        return fail(tr("convert: {output} cannot be written: {reason}", output=output, reason=error.strerror or error))
    return 0
