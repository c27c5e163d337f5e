"""Small models, one a line, as `NAME: TEXT`; a file for each area. Both sides compile a text to the same model, or
refuse it.

The name says what is special about a model: elements with the attributes that matter; `refused` where both refuse it.
"""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).resolve().parent


def read(path: Path) -> dict[str, str]:
    """Name -> text. Lines that begin with # are comments."""
    found: dict[str, str] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            name, separator, text = line.partition(": ")
            assert separator and name not in found, f"{path.name}: {line[:60]}"
            found[name] = text
    return found


CASES = {f"{path.stem}/{name}": text for path in sorted(FOLDER.glob("*.txt")) for name, text in read(path).items()}
