"""Compiles translations: `kinetree.po`, which a translator edits, to `kinetree.mo`, which the program reads.

    python packaging/catalogues.py [FOLDER]     compiles every catalogue that has changed; FOLDER: resources/locale

`./run`, `./test` and pytest do this before they start. Standard library only: the environment of `./run` has no Babel.
A `.mo` gets the time stamp of its `.po`, so that one look at both shows whether it is up to date, whatever the clock
said. Sentences without a translation, or with a fuzzy one, are left out: gettext answers with the English sentence.
"""

import os
import sys

FOLDER = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "resources", "locale")
NAME = "kinetree"
ESCAPES = {"n": "\n", "t": "\t", "r": "\r", '"': '"', "\\": "\\"}
KEYWORDS = ("msgctxt", "msgid", "msgid_plural", "msgstr")
MAGIC = 0x950412DE


class Malformed(ValueError):
    """A .po file that cannot be read: file, line, what is wrong and what to write instead."""


def stale(folder: str = FOLDER) -> list[str]:
    """The .po files whose .mo is missing or was made from another version of them."""
    try:
        languages = sorted(os.listdir(folder))
    except OSError:
        return []
    files = [os.path.join(folder, language, "LC_MESSAGES", f"{NAME}.po") for language in languages]
    return [path for path in files if _time(path) is not None and _time(path) != _time(compiled_path(path))]


def make(folder: str = FOLDER) -> list[str]:
    """Compile every catalogue that has changed; returns their paths. Raises Malformed and OSError."""
    changed = stale(folder)
    for path in changed:
        compile_file(path)
    return changed


def compiled_path(path: str) -> str:
    """Where the compiled form of a .po file is."""
    return path[: -len("po")] + "mo"


def compile_file(path: str) -> None:
    """Write the .mo beside a .po file, in one move: another process may read it. Raises Malformed and OSError."""
    when = os.stat(path).st_mtime_ns
    with open(path, "rb") as file:
        made = binary(translations(file.read(), path))
    target = compiled_path(path)
    unfinished = f"{target}.{os.getpid()}"
    try:
        with open(unfinished, "wb") as file:
            file.write(made)
        os.utime(unfinished, ns=(when, when))
        os.replace(unfinished, target)
    finally:
        if os.path.exists(unfinished):
            os.remove(unfinished)


def _time(path: str) -> int | None:
    try:
        return os.stat(path).st_mtime_ns
    except OSError:
        return None


# ---- reading a .po file ----------------------------------------------------------------------------------------------


def translations(source: bytes, path: str) -> dict[str, str]:
    """The bytes of a .po file -> {key: translation} as a .mo has them: a plural's forms are joined by NUL."""
    try:
        text = source.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = source.count(b"\n", 0, error.start) + 1
        raise Malformed(f"{path}:{line}: this is not UTF-8; save the file in UTF-8") from None
    found: dict[str, str] = {}
    for entry in _entries(text, path):
        _add(found, entry)
    return found


def _add(found: dict[str, str], entry: dict[str, str]) -> None:
    """Add one entry of the file, if it is translated in all of its forms."""
    if "msgid" not in entry:
        return
    forms = [entry[key] for key in sorted((key for key in entry if key.startswith("msgstr")), key=_form)]
    is_head = entry["msgid"] == ""
    if not forms or not all(forms) or (entry.get("fuzzy") and not is_head):
        return
    key = "\0".join(entry[part] for part in ("msgid", "msgid_plural") if part in entry)
    if "msgctxt" in entry:
        key = f"{entry['msgctxt']}\x04{key}"
    found[key] = "\0".join(forms)


def _form(keyword: str) -> int:
    """msgstr[2] -> 2."""
    return int(keyword.partition("[")[2].rstrip("]") or 0)


def _entries(text: str, path: str) -> list[dict[str, str]]:
    """The entries of the file, each as {keyword: text}; a fuzzy one has the key "fuzzy"."""
    done: list[dict[str, str]] = []
    entry: dict[str, str] = {}
    keyword = ""
    for number, line in enumerate(text.split("\n"), 1):
        line = line.strip()
        if line.startswith("#"):
            if keyword.startswith("msgstr"):  # comments stand before their entry
                done.append(entry)
                entry, keyword = {}, ""
            if line.startswith("#,") and "fuzzy" in line:
                entry["fuzzy"] = line
        elif not line.startswith('"') and line:
            word, _, rest = line.partition(" ")
            base = word.partition("[")[0]
            if base not in KEYWORDS or (base != word and not word[len(base) + 1 : -1].isdigit()):
                raise Malformed(f"{path}:{number}: {word!r} is no keyword; write one of {', '.join(KEYWORDS)}")
            if base in ("msgctxt", "msgid") and keyword.startswith("msgstr"):
                done.append(entry)
                entry = {}
            if word in entry:
                raise Malformed(f"{path}:{number}: a second {word}; remove one, or the line that both belong to")
            keyword = word
            entry[word] = _unquoted(rest.strip(), path, number)
        elif line:
            if not keyword:
                raise Malformed(f"{path}:{number}: a text without a keyword; write msgid or msgstr before it")
            entry[keyword] += _unquoted(line, path, number)
    return [*done, entry]


def _unquoted(text: str, path: str, number: int) -> str:
    """The content of a quoted string."""
    if len(text) < 2 or text[0] != '"' or text[-1] != '"':
        raise Malformed(f"{path}:{number}: a text needs a quotation mark at both ends")
    inner = text[1:-1]
    if "\\" not in inner and '"' not in inner:
        return inner
    result: list[str] = []
    at = 0
    while at < len(inner):
        letter = inner[at]
        if letter == "\\":
            at += 1
            known = ESCAPES.get(inner[at : at + 1])
            if known is None:
                raise Malformed(f"{path}:{number}: unknown escape \\{inner[at : at + 1]}; write \\\\ for a backslash")
            letter = known
        elif letter == '"':
            raise Malformed(f'{path}:{number}: a quotation mark inside a text; write \\"')
        result.append(letter)
        at += 1
    return "".join(result)


# ---- writing a .mo file ----------------------------------------------------------------------------------------------


def binary(found: dict[str, str]) -> bytes:
    """A .mo file in GNU's format: a head, tables of (length, offset) of keys and translations, then the texts."""
    import struct

    pairs = sorted((key.encode(), text.encode()) for key, text in found.items())
    head, row = 7 * 4, 8
    offset = head + 2 * row * len(pairs)
    tables: list[bytes] = []
    texts: list[bytes] = []
    for column in (0, 1):
        for pair in pairs:
            tables.append(struct.pack("<2I", len(pair[column]), offset))
            texts.append(pair[column] + b"\0")
            offset += len(pair[column]) + 1
    start = struct.pack("<7I", MAGIC, 0, len(pairs), head, head + row * len(pairs), 0, head + 2 * row * len(pairs))
    return b"".join([start, *tables, *texts])


def main(arguments: list[str]) -> int:
    """Compile what has changed; 1 if a catalogue cannot be read or written."""
    try:
        for path in make(*arguments[:1]):
            print(f"compiled {compiled_path(path)}")
    except (Malformed, OSError) as problem:
        print(f"catalogues.py: {problem}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
