"""Makes pictures by name: see the package."""

from __future__ import annotations

import argparse
import sys

from tests.benchmark.window import display
from tests.pictures import examples, features, film, gallery, tutorial

PICTURES = {
    "film": film.film,
    **features.PICTURES,
    **tutorial.PICTURES,
    **gallery.PICTURES,
    "examples": examples.examples,
}


def main() -> int:
    parser = argparse.ArgumentParser(description="Makes the pictures of docs/images.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="a picture, or the beginning of several names")
    parser.add_argument("--list", action="store_true", help="only print the names")
    arguments = parser.parse_args()
    wanted = [name for name in PICTURES if not arguments.names or name.startswith(tuple(arguments.names))]
    if arguments.list:
        print(*wanted, sep="\n")
    elif not wanted:
        parser.error(f"no picture begins with {', '.join(arguments.names)}: see --list")
    else:
        with display():
            for name in wanted:
                PICTURES[name]()
            sys.stdout.flush()
    return 0


sys.exit(main())
