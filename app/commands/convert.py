"""Convert a model of any format to canonical MJCF, with everything expanded, or to the binary .kmodel."""

from __future__ import annotations

import os

from app.commands.common import add_seed, load, seed_of, writable
from app.terminal import UsageError, fail
from engine.diagnostics import CannotSave
from engine.storage.saving import FORMATS, format_of, save, unknown_extension

KNOWN = ", ".join(f"{extension} ({text})" for extension, text in FORMATS.items())


def add_arguments(parser) -> None:
    parser.add_argument("input", metavar="IN", help="model file: MJCF, URDF or x_xy")
    parser.add_argument("output", metavar="OUT", help=f"output file; its extension chooses the format: {KNOWN}")
    parser.add_argument("--force", action="store_true", help="replace OUT if it exists")
    add_seed(parser)


def run(options) -> int:
    output = options.output
    if format_of(output) is None:
        raise UsageError(f"convert: {output!r}: {unknown_extension(output)}")
    problem = writable(output)
    if problem:
        return fail(f"convert: {problem}")
    if os.path.exists(output) and not options.force:
        return fail(f"convert: {output} exists: choose another name, or replace it with --force")
    model = load(options.input, seed_of(options))
    if model is None:
        return 1
    try:
        save(model, output)
    except CannotSave as error:
        return fail(f"convert: {error}")
    except OSError as error:
        return fail(f"convert: {output} cannot be written: {error.strerror or error}")
    return 0
