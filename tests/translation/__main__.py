"""Brings the catalogues in line with the sources, or lists what is not translated: see the package."""

import sys

from tests.translation import catalogues, pseudo

COMMANDS = ("follow", "missing", "pseudo")


def main(arguments: list[str]) -> int:
    """Do what the command line says; 2 for one that it does not know."""
    command = arguments[0] if arguments else "follow"
    if command not in COMMANDS or len(arguments) > 1:
        print(f"usage: python -m tests.translation [{'|'.join(COMMANDS)}]", file=sys.stderr)
        return 2
    present = catalogues.template()
    if command == "follow":
        catalogues.TEMPLATE.write_text(catalogues.text_of(present), encoding="utf-8")
        catalogues.follow(catalogues.files(), present)
        catalogues.COMPILER["make"]()
    elif command == "pseudo":
        pseudo.write(catalogues.FOLDER)
    for path in catalogues.files():
        state = catalogues.state(path, present)
        print(state.line)
        for text, files in state.missing.items() if command == "missing" else ():
            print(f"  {text!r}  ({', '.join(files)})")
        for text in state.gone if command == "missing" else ():
            print(f"  gone: {text!r}")
    return 0


sys.exit(main(sys.argv[1:]))
