"""Writes the pages that are made from tables: see the package."""

import sys

from tests.documentation.pages import PAGES, ROOT


def main(arguments: list[str]) -> int:
    """Write what has changed, or with --check only say so."""
    if arguments not in ([], ["--check"]):
        print("usage: python -m tests.documentation [--check]", file=sys.stderr)
        return 2
    changed = {name: text for name, make in PAGES.items() if _present(name) != (text := make())}
    for name, text in changed.items():
        if not arguments:
            (ROOT / name).write_text(text, encoding="utf-8")
        print(f"{name} {'is out of date' if arguments else 'written'}")
    return 1 if arguments and changed else 0


def _present(name: str) -> str:
    path = ROOT / name
    return path.read_text(encoding="utf-8") if path.exists() else ""


sys.exit(main(sys.argv[1:]))
