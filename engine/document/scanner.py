"""Scanner: a text as XML tokens with offsets, tolerant of errors.

Every character of the text belongs to exactly one token, or is white space between tokens. A well-formed tag
costs one match of one regular expression; only a malformed one takes the slow path, which reports what is
wrong, once, and goes on at a sensible place. Whatever the text, the scan ends, in time proportional to the
text's length.

What is an error and what only a warning follows the reference: mujoco 3.3.4 reads some things that XML
forbids (no space between attributes, "<" and a bare "&" in a value, text before the root element); those are
warnings. Nothing is ever fetched, and no entity but XML's five and character references is ever expanded.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from kinetree.engine.translation import marked, tr

START = 0
"""<tag ...>"""
EMPTY = 1
"""<tag .../>"""
END = 2
"""</tag>"""
UNCLOSED = 3
"""A start tag whose ">" is missing"""
TEXT = 4
"""Character data that is not only white space"""
COMMENT = 5
CDATA = 6
INSTRUCTION = 7
"""<?...?>, the XML declaration included"""
DOCTYPE = 8
"""<!DOCTYPE ...> or another <!...>"""

AttributeToken = tuple[str, int, int, int]
"""(name, start of the name, start of the value, end of the value); the value without its quotes"""

Token = tuple[int, int, int, str, int, "list[AttributeToken] | tuple[int, int]"]
"""(kind, start, end, name, start of the name, attributes); the last three say something for tags only. The
attributes of a well-formed tag are the stretch of the text that has them: see `attributes` and
`names_and_values`."""

Report = Callable[[bool, int, int, str, str], None]
"""report(is_error, start, end, code, message)"""

_S = r"[ \t\r\n\v\f]"
# A name starts with a letter, "_", ":" or any character beyond ASCII, and goes on with these, digits, "-"
# and ".". Written as what is not allowed, which is ASCII only: that compiles fifty times faster.
_NAME = r"[^\x00-9;-@\[-^`{-\x7f][^\x00-,/;-@\[-^`{-\x7f]*"

# In each of these the alternatives and repeated classes exclude each other at their first character, so that
# a failing match costs time proportional to its length.
_TAG = re.compile(rf"""<(?:({_NAME})((?:{_S}+{_NAME}{_S}*={_S}*(?:"[^"<]*"|'[^'<]*'))*){_S}*(/?)>|/({_NAME}){_S}*>)""")
_ATTRIBUTE = re.compile(rf"""({_NAME}){_S}*={_S}*(?:"([^"]*)"|'([^']*)')""")
_NAME_AT = re.compile(_NAME)
_SPACE_AT = re.compile(rf"{_S}*")
_EQUALS_AT = re.compile(rf"{_S}*={_S}*")
# One attribute without a value may stand there, as while its name is being typed.
_AFTER_VALUE = re.compile(rf"""(?:{_S}+{_NAME}(?=[ \t\r\n\v\f/>]))?{_S}*(?:/?>|\?>|{_NAME}{_S}*={_S}*["'])""")
_UNQUOTED = re.compile(r"""(?:[^ \t\r\n\v\f<>"'/]|/(?!>))+""")
_GARBAGE = re.compile(r"""[!#-&(-.0-9;=?@\[-^`{-~\x00-\x08\x0e-\x1f\x7f]+|[^<>]""")
_VALUE_BREAK = re.compile(r"[<>=\r\n]")
_ANGLE = re.compile(r"[<>]")
_DOCTYPE = re.compile(
    r"""<!DOCTYPE[^\[>]*(?:\[(?:[^\]"'<]|"[^"]*"|'[^']*'|<!--(?:[^-]|-(?!->))*-->|<(?!!--))*\][^>]*)?>"""
)
_ENTITY = re.compile(r"<!ENTITY\s+(?:%\s+)?([^\s\"'>]{1,60})")


def _after(pattern: re.Pattern[str], text: str, position: int) -> int:
    """Where a match at a position ends; the position itself if there is none."""
    found = pattern.match(text, position)
    return position if found is None else found.end()


def is_name(text: str) -> bool:
    """Whether `text` can be the name of an element or attribute."""
    return _NAME_AT.fullmatch(text) is not None


def attributes(text: str, start: int, end: int) -> list[AttributeToken]:
    """The attributes in a stretch of a well-formed tag."""
    result = []
    for found in _ATTRIBUTE.finditer(text, start, end):
        _, name, first, second = found.regs
        result.append((found[1], name[0], *(first if first[0] >= 0 else second)))
    return result


names_and_values = _ATTRIBUTE.findall
"""names_and_values(text, start, end): (name, value in double quotes, value in single quotes) of the same
attributes; one of the two is empty."""


def scan(text: str, report: Report, position: int = 0, doctype_seen: bool = False) -> Iterator[Token]:
    """The tokens of `text` from a token boundary on, in order. Malformed places are reported as the scan
    meets them, before their token."""
    find = text.find
    tag_match = _TAG.match
    end_of_text = len(text)
    none: list[AttributeToken] = []
    while True:
        start = find("<", position)
        if start != position:
            stop = end_of_text if start < 0 else start
            if not text[position:stop].isspace() and stop > position:
                yield TEXT, position, stop, "", position, none
            if start < 0:
                return
        match = tag_match(text, start)
        if match is not None:
            position = match.end()
            name = match[1]
            if name is None:
                yield END, start, position, match[4], start + 2, none
                continue
            yield (EMPTY if match[3] else START), start, position, name, start + 1, match.span(2)
            continue
        token = _markup(text, start, doctype_seen, report)
        doctype_seen = doctype_seen or token[0] == DOCTYPE
        position = token[2]
        yield token


def _markup(text: str, start: int, doctype_seen: bool, report: Report) -> Token:
    """The token at a "<" that is not a well-formed start or end tag."""
    if text.startswith("<!--", start):
        return _until(text, start, 4, "-->", COMMENT, marked("comment"), report)
    if text.startswith("<![CDATA[", start):
        return _until(text, start, 9, "]]>", CDATA, marked("CDATA section"), report)
    if text.startswith("<!", start):
        return _declaration(text, start, doctype_seen, report)
    if text.startswith("<?", start):
        return _instruction(text, start, report)
    if text.startswith("</", start):
        return _end_tag(text, start, report)
    name_start = _after(_SPACE_AT, text, start + 1)
    name = _NAME_AT.match(text, name_start)
    if name is None:
        report(
            True,
            start,
            start + 1,
            "xml-stray-less-than",
            tr('a "<" that does not start a tag: write &lt; for the character, or remove it'),
        )
        return TEXT, start, start + 1, "", start, []
    if name_start > start + 1:
        report(
            False,
            start,
            name.end(),
            "xml-space-in-tag",
            tr('there is white space between "<" and "{name}": remove it, other XML readers refuse it', name=name[0]),
        )
    attributes, end, closing = _attributes(text, start, name.end(), name[0], report)
    kind = EMPTY if closing == "/>" else START if closing == ">" else UNCLOSED
    return kind, start, end, name[0], name_start, attributes


def _until(text: str, start: int, skip: int, terminator: str, kind: int, what: str, report: Report) -> Token:
    found = text.find(terminator, start + skip)
    if found >= 0:
        return kind, start, found + len(terminator), "", start, []
    report(
        True,
        start,
        start + skip,
        "xml-unterminated-comment" if kind == COMMENT else "xml-unterminated-cdata",
        tr(
            'this {what} never ends, the rest of the file belongs to it: write "{terminator}" where it should end',
            what=tr(what),
            terminator=terminator,
        ),
    )
    return kind, start, len(text), "", start, []


def _declaration(text: str, start: int, doctype_seen: bool, report: Report) -> Token:
    # Only the first is looked at closely: the search for the end of its brackets can reach far ahead in vain.
    match = None if doctype_seen else _DOCTYPE.match(text, start)
    if match is not None:
        entity = _ENTITY.search(text, start, match.end())
        if entity is not None:
            report(
                True,
                entity.start(),
                entity.end(),
                "xml-entity-declaration",
                tr(
                    'the entity "{entity}" is declared here, and declared entities are not supported: write its '
                    "text where it is used and remove the declaration",
                    entity=entity[1],
                ),
            )
        else:
            report(
                False,
                start,
                start + 9,
                "xml-doctype",
                tr("a document type is not used, and no external file that it names is read: remove it"),
            )
        return DOCTYPE, start, match.end(), "", start, []
    found = text.find(">", start)
    if found < 0:
        report(
            True,
            start,
            start + 2,
            "xml-unterminated-declaration",
            tr('a declaration that never ends: write ">" where it should end, or remove it'),
        )
        return DOCTYPE, start, len(text), "", start, []
    report(
        False,
        start,
        found + 1,
        "xml-unknown-declaration",
        tr('this "<!" declaration means nothing in a model and is skipped: remove it (a comment is <!-- ... -->)'),
    )
    return DOCTYPE, start, found + 1, "", start, []


def _instruction(text: str, start: int, report: Report) -> Token:
    found = text.find("?>", start + 2)
    if found >= 0:
        return INSTRUCTION, start, found + 2, "", start, []
    report(
        True,
        start,
        start + 2,
        "xml-unterminated-instruction",
        tr('this "<?" never ends: write "?>" where it should end'),
    )
    found = text.find(">", start + 2)
    return INSTRUCTION, start, found + 1 if found >= 0 else len(text), "", start, []


def _end_tag(text: str, start: int, report: Report) -> Token:
    name_start = _after(_SPACE_AT, text, start + 2)
    name = _NAME_AT.match(text, name_start)
    if name is None:
        found = _ANGLE.search(text, start + 2)
        end = len(text) if found is None else found.start() + (found[0] == ">")
        report(
            True,
            start,
            end,
            "xml-bad-end-tag",
            tr("an end tag without the name of an element: write </name>, or remove it"),
        )
        return END, start, end, "", start, []
    if name_start > start + 2:
        report(
            True,
            start,
            name.end(),
            "xml-bad-end-tag",
            tr("there is white space before the name of this end tag: write </{name}>", name=name[0]),
        )
    rest = _after(_SPACE_AT, text, name.end())
    found = _ANGLE.search(text, rest)
    if found is None or found[0] == "<":
        report(
            True,
            start,
            name.end(),
            "xml-unclosed-tag",
            tr('this end tag has no ">": write </{name}>', name=name[0]),
        )
        return END, start, name.end(), name[0], name_start, []
    if rest < found.start():
        # The reference reads attributes here, and drops them; anything else it refuses.
        remains = text[rest : found.start()]
        harmless = _ATTRIBUTE.sub("", remains).isspace() or not _ATTRIBUTE.sub("", remains)
        report(
            not harmless,
            rest,
            found.start(),
            "xml-bad-end-tag",
            tr("an end tag holds nothing but its name: write </{name}>", name=name[0]),
        )
    return END, start, found.end(), name[0], name_start, []


def _attributes(
    text: str, start: int, position: int, tag: str, report: Report
) -> tuple[list[AttributeToken], int, str]:
    """The attributes of a malformed start tag: (attributes, end of the tag, ">" or "/>" or "" if it is
    missing)."""
    attributes: list[AttributeToken] = []
    garbage_reported = False
    runs_on = False
    tag_end = position
    while True:
        spaced = _after(_SPACE_AT, text, position)
        if text.startswith(">", spaced):
            return attributes, spaced + 1, ">"
        if text.startswith("/>", spaced):
            return attributes, spaced + 2, "/>"
        if spaced >= len(text) or text[spaced] == "<":
            if not runs_on:
                report(
                    True,
                    start,
                    tag_end,
                    "xml-unclosed-tag",
                    tr('the tag <{tag}> has no ">": end it with ">" or "/>"', tag=tag),
                )
            return attributes, tag_end, ""
        name = _NAME_AT.match(text, spaced)
        if name is None:
            end = _after(_GARBAGE, text, spaced)
            if not garbage_reported:
                report(
                    True,
                    spaced,
                    end,
                    "xml-bad-attribute",
                    tr(
                        '{quoted} does not belong in the tag <{tag}>: attributes are written name="value"',
                        quoted=_quoted(text[spaced:end]),
                        tag=tag,
                    ),
                )
            garbage_reported = True
            position = tag_end = end
            continue
        equals = _EQUALS_AT.match(text, name.end())
        if equals is None:
            report(
                True,
                name.start(),
                name.end(),
                "xml-attribute-without-value",
                tr('the attribute "{name}" has no value: write {name}="value", or remove it', name=name[0]),
            )
            position = tag_end = name.end()
            continue
        if spaced == position and attributes:
            report(
                False,
                name.start(),
                name.end(),
                "xml-missing-space",
                tr('there is no white space before the attribute "{name}": add a space', name=name[0]),
            )
        attribute, position = _value(text, name, equals.end(), tag, report)
        tag_end = position
        if attribute is not None:
            attributes.append(attribute)
            # A value without its closing quote was reported; that the tag is cut off there as well is no
            # news.
            runs_on = position == attribute[3] and text[attribute[2] - 1] in "\"'"


def _value(
    text: str, name: re.Match[str], position: int, tag: str, report: Report
) -> tuple[AttributeToken | None, int]:
    """The attribute whose value starts at `position`, and where to go on."""
    quote = text[position : position + 1]
    if quote not in ('"', "'") or not quote:
        unquoted = _UNQUOTED.match(text, position)
        if unquoted is None:
            report(
                True,
                name.start(),
                position,
                "xml-attribute-without-value",
                tr('the attribute "{name}" has no value: write {name}="value", or remove it', name=name[0]),
            )
            return None, max(position, name.end() + 1)
        report(
            True,
            unquoted.start(),
            unquoted.end(),
            "xml-missing-quotes",
            tr(
                'the value of the attribute "{name}" is not in quotes: write {name}="{shown}"',
                name=name[0],
                shown=_shown(unquoted[0]),
            ),
        )
        return (name[0], name.start(), unquoted.start(), unquoted.end()), unquoted.end()
    start = position + 1
    end = text.find(quote, start)
    less = text.find("<", start, end) if end >= 0 else -1
    # A quote that was forgotten makes the value run on to the next quote in the text. It is taken as
    # forgotten where what follows that quote could not follow a value.
    if end < 0 or (_AFTER_VALUE.match(text, end + 1) is None and _VALUE_BREAK.search(text, start, end)):
        last = _forgotten_end(text, start, end if end >= 0 else len(text))
        report(
            True,
            position,
            last,
            "xml-unterminated-value",
            tr(
                'the value of the attribute "{name}" has no closing quote: write {quote} after it',
                name=name[0],
                quote=quote,
            ),
        )
        return (name[0], name.start(), start, last), last
    if less >= 0:
        report(
            False,
            less,
            less + 1,
            "xml-less-than-in-value",
            tr('a "<" in a value: write &lt;, other XML readers refuse it'),
        )
    return (name[0], name.start(), start, end), end + 1


def _forgotten_end(text: str, start: int, end: int) -> int:
    """Where a value without a closing quote most likely ends: before the next attribute, the end of the tag
    or the end of the line."""
    position = start
    while True:
        found = _VALUE_BREAK.search(text, position, end)
        if found is None:
            return end
        before = text[position : found.start()]
        if found[0] == "=":
            words = before.rstrip().rsplit(None, 1)
            if len(words) == 2 and is_name(words[1]):
                return position + len(words[0])
            position = found.end()
            continue
        if found[0] == ">" and before.endswith("/"):
            before = before[:-1]
        return position + len(before.rstrip())


def _shown(text: str) -> str:
    return text if len(text) <= 40 else text[:37] + "..."


def _quoted(text: str) -> str:
    return f'"{_shown(text)}"' if '"' not in text else f"'{_shown(text)}'"
