"""Parser: a text to the subtree of its root element, and what is wrong with the text.

Any text is accepted. Malformed XML gives reports and the best tree that can be had, so that an editor keeps
its outline while a tag is being typed.
"""

from __future__ import annotations

from collections.abc import Callable

from kinetree.engine.diagnostics import Severity
from kinetree.engine.document import scanner
from kinetree.engine.document.subtree import LINE, NO_END, Report, Subtree, Syntax, resolve, stray_ampersands
from kinetree.engine.progress import reached
from kinetree.engine.translation import tr

MAX_DEPTH = 499
"""Deepest nesting of elements, the root being 1: the reference refuses more."""

MAX_REPORTS = 100
"""Errors, and warnings, that are listed for one file. After that many errors the rest of the text is
skipped."""

STEP = 1 << 16
"""Characters after which the parser says how far it is."""

# The scanner's findings about tokens that depend on all of the text after them, or it on them.
_FAR = {
    "xml-unknown-declaration",
    "xml-unterminated-cdata",
    "xml-unterminated-comment",
    "xml-unterminated-declaration",
    "xml-unterminated-instruction",
    "xml-unterminated-value",
}
_TERMINATORS = {scanner.COMMENT: "-->", scanner.CDATA: "]]>", scanner.DOCTYPE: ">"}


def parse_text(text: str) -> Syntax:
    """The parse of a text. Never fails; raises Cancelled where it is not wanted any more (see
    `kinetree.engine.progress`)."""
    nul = text.find("\0")
    builder = Builder(text if nul < 0 else text[:nul])
    whole = nul >= 0
    try:
        builder.build()
        if nul >= 0:
            builder.nul(nul)
        else:
            builder.finish()
    except EnoughReports:
        whole = True
        builder.reports.append(
            Report(
                Severity.INFO,
                0,
                0,
                "xml-too-many-errors",
                tr("there are {most} errors: the rest of the file was not looked at", most=MAX_REPORTS),
            )
        )
    builder.close_all()
    root = builder.roots[0] if builder.roots else None
    return Syntax(root, builder.reports, whole or builder.whole or root is None, builder.doctype)


class EnoughReports(Exception):
    """There are MAX_REPORTS errors."""


class LeftElement(Exception):
    """An end tag closes an element around the one that is parsed again."""


class Builder:
    """Tokens to subtrees, with a stack of the elements that are open.

    To parse a part of a text again, give it the elements around that part: `stack`, where they start
    (`starts`), and where the sibling before that part ends, or the start tag (`end`). They are not changed,
    except that the innermost one gets the children and the text that are found.
    """

    __slots__ = (
        "base",
        "doctype",
        "ends",
        "errors",
        "fresh",
        "leading",
        "reports",
        "roots",
        "stack",
        "starts",
        "stray",
        "text",
        "time",
        "truncated",
        "unclosed",
        "warnings",
        "whole",
    )

    def __init__(
        self, text: str, stack: list[Subtree] | None = None, starts: list[int] | None = None, end: int = 0
    ) -> None:
        self.text = text
        self.roots: list[Subtree] = []
        self.stack: list[Subtree] = stack or []
        self.starts: list[int] = starts or []
        self.base = len(self.stack)
        # Where the last child ends: first that of the text itself, then of each open element.
        self.ends = [end] * (self.base + 1)
        # Elements for which something was reported already, so that their end is not reported again.
        self.unclosed: set[Subtree] = set()
        self.stray: set[Subtree] = set()
        self.leading: tuple[int, int] | None = None
        """Text before the root element."""
        self.truncated = False
        """Whether the text ends within a comment or the like."""
        self.reports: list[Report] = []
        self.errors = self.warnings = 0
        self.time = 0
        self.fresh = 0
        """How many of the reports are by the scanner about the token that comes next."""
        self.whole = False
        self.doctype = False

    def report(self, is_error: bool, start: int, end: int, code: str, message: str, line_of: int = 0) -> None:
        """Add a report. Raises EnoughReports."""
        if is_error:
            self.errors += 1
            severity = Severity.ERROR
        elif self.warnings < MAX_REPORTS:
            self.warnings += 1
            severity = Severity.WARNING
        else:
            self.whole = True
            return
        self.reports.append(Report(severity, start, end, code, message, line_of, self.time))
        if self.errors >= MAX_REPORTS:
            raise EnoughReports

    def scanned(self, is_error: bool, start: int, end: int, code: str, message: str) -> None:
        """Add a report of the scanner about the token that it is to give next."""
        before = len(self.reports)
        self.report(is_error, start, end, code, message)
        self.fresh += len(self.reports) - before

    def stamp(self, time: int, end: int) -> None:
        """Complete the scanner's reports about a token that starts and ends there."""
        first = len(self.reports) - self.fresh
        far = any(report.code in _FAR for report in self.reports[first:])
        after = -1 if far else self.text.find("<", end)
        reach = NO_END if after < 0 else after + 1
        self.reports[first:] = [report._replace(time=time, reach=reach) for report in self.reports[first:]]
        self.fresh = 0

    def build(
        self,
        position: int = 0,
        stop: Callable[[int, int, str], bool] | None = None,
    ) -> bool:
        """Read the text from `position`. `stop(kind, start, name)` is asked at each tag that is directly in
        the innermost element given, and ends the reading; False if that never happened. Raises LeftElement,
        EnoughReports."""
        text, stack, starts, ends, base = self.text, self.stack, self.starts, self.ends, self.base
        resolving = "&" in text or "\r" in text
        # The reference allows "<?...?>" only before everything else, comments included.
        prolog = not base and not self.roots
        too_deep = False
        told = position + STEP
        parent = stack[-1] if stack else None
        for kind, start, end, name, name_start, found in scanner.scan(text, self.scanned, position, self.doctype):
            self.time = start
            if start >= told:
                told = start + STEP
                reached(start / len(text))
            if self.fresh:
                self.stamp(start, end)
            if stop is not None and kind <= scanner.UNCLOSED and self.is_settled() and stop(kind, start, name):
                return True
            if kind != scanner.INSTRUCTION:
                prolog = False
            if kind <= scanner.END:
                if kind == scanner.END:
                    if stack and name == stack[-1].tag and len(stack) > base:
                        node = stack.pop()
                        place = starts.pop()
                        ends.pop()
                        ends[-1] = end
                        node.tail = start - place
                        node.width = end - place
                        node.matched = True
                        parent = stack[-1] if stack else None
                        if node.includes and parent is not None:
                            parent.includes += node.includes
                    elif stop is not None and name and self.at_base(name) and stop(kind, start, name):
                        return True
                    elif not self.end_tag(name, start, end):
                        return False
                    else:
                        parent = stack[-1] if stack else None
                    continue
            elif kind != scanner.UNCLOSED:
                self.other(kind, start, end, prolog)
                continue
            node = Subtree(name, start - ends[-1], name_start - start, end - start, type(found) is tuple)
            self.read_attributes(node, found, start, resolving)
            if parent is not None:
                parent.children.append(node)
            else:
                if self.roots:
                    self.another_root(node, start)
                elif self.leading is not None:
                    self.outside(False, *self.leading)
                self.roots.append(node)
            if name == "include":
                node.includes = 1
            if kind != scanner.EMPTY:
                stack.append(node)
                starts.append(start)
                ends.append(end)
                parent = node
                if kind == scanner.UNCLOSED:
                    self.unclosed.add(node)
                    self.truncated = not text[end:].strip() if len(text) - end < 1000 else False
                if len(stack) > MAX_DEPTH and not too_deep:
                    too_deep = True
                    self.too_deep(start, end)
            else:
                ends[-1] = end
                if node.includes and parent is not None:
                    parent.includes += 1
                if len(stack) >= MAX_DEPTH and not too_deep:
                    too_deep = True
                    self.too_deep(start, end)
        return False

    def read_attributes(self, node: Subtree, found, start: int, resolving: bool) -> None:
        """Set the attributes of an element that starts at `start`, from its token.
                `resolving`: the values may contain references or other line breaks than "
        ".
        """
        text = self.text
        node.located = type(found) is not tuple or resolving
        if not node.located:
            node.values = values = scanner.names_and_values(text, *found) if found[0] != found[1] else []
        else:
            if type(found) is tuple:
                found = scanner.attributes(text, *found)
            for attribute in found:
                self.ampersands(attribute[2], attribute[3])
            node.values = values = [
                (name, resolve(text[first:last]), (name_start - start, first - start, last - start))
                for name, name_start, first, last in found
            ]
        if len(values) > 1 and len({value[0] for value in values}) != len(values):
            self.duplicates(node, start)

    def other(self, kind: int, start: int, end: int, prolog: bool) -> None:
        """Everything that is not a tag."""
        text = self.text
        if kind == scanner.TEXT:
            self.ampersands(start, end)
            whole = text[start:end]
            start, end = start + len(whole) - len(whole.lstrip()), start + len(whole.rstrip())
            if self.stack:
                self.character_data(start, end, False)
            elif not self.roots:
                self.leading = self.leading or (start, end)
            elif whole != "<":
                self.outside(True, start, end)
        elif kind == scanner.INSTRUCTION:
            if not prolog:
                self.report(
                    True,
                    start,
                    end,
                    "xml-misplaced-declaration",
                    tr('a "<?...?>" declaration may only stand at the start of the file: move or remove it'),
                )
        else:
            if kind == scanner.DOCTYPE:
                self.whole = self.whole or bool(self.roots) or self.base > 0
                self.doctype = True
            terminator = _TERMINATORS[kind]
            self.truncated = end == len(text) and not text.endswith(terminator)
            if kind == scanner.CDATA and self.stack:
                self.character_data(start + 9, end if self.truncated else end - 3, True)

    def character_data(self, start: int, end: int, literal: bool) -> None:
        place = self.starts[-1]
        node = self.stack[-1]
        node.text = [*node.text, (start - place, end - place, literal)]

    def outside(self, after: bool, start: int, end: int) -> None:
        # The reference reads a file with text before its root element, and refuses one with text after it.
        self.report(
            after,
            start,
            end,
            "xml-text-outside-root",
            tr("text after the root element: remove it or make it a comment")
            if after
            else tr("text before the root element: remove it or make it a comment"),
        )

    def ampersands(self, start: int, end: int) -> None:
        if self.text.find("&", start, end) < 0:
            return
        for first, last in stray_ampersands(self.text, start, end):
            self.report(
                False,
                first,
                last,
                "xml-stray-ampersand",
                tr('this "&" does not start a known entity and is read as it is: write &amp; for the character'),
            )

    def duplicates(self, node: Subtree, start: int) -> None:
        if not node.located:
            found = scanner.attributes(self.text, start + node.name_at + len(node.tag), start + node.head)
            node.located = True
            node.values = [
                (name, self.text[first:last], (name_start - start, first - start, last - start))
                for name, name_start, first, last in found
            ]
        seen: dict[str, tuple] = {}
        for value in node.values:
            name = value[0]
            if name not in seen:
                seen[name] = value
                continue
            place = start + value[2][0]
            self.report(
                True,
                place,
                place + len(name),
                "xml-duplicate-attribute",
                tr('the attribute "{name}" is there twice in <{tag}>: remove one of them', name=name, tag=node.tag),
            )
        node.values = list(seen.values())

    def another_root(self, node: Subtree, start: int) -> None:
        self.report(
            False,
            start,
            start + node.head,
            "xml-second-root",
            tr(
                "a second root element, <{tag}>, which is not read: a file holds one root element, remove it",
                tag=node.tag,
            ),
        )

    def too_deep(self, start: int, end: int) -> None:
        self.whole = True
        self.report(
            True,
            start,
            end,
            "xml-too-deep",
            tr("elements are nested more than {most} deep here: make the model flatter", most=MAX_DEPTH),
        )

    def is_settled(self) -> bool:
        """Whether everything inside the innermost element that was given is closed, or is a start tag
        without ">"."""
        return all(node in self.unclosed for node in self.stack[self.base :])

    def at_base(self, name: str) -> bool:
        """Whether an end tag closes the innermost element that was given."""
        while len(self.stack) > self.base and self.stack[-1] in self.unclosed and self.stack[-1].tag != name:
            self.dissolve()
        return len(self.stack) == self.base

    def end_tag(self, name: str, start: int, end: int) -> bool:
        """An end tag that does not match the innermost open element. False: the reading ends here."""
        stack, unclosed = self.stack, self.unclosed
        if not name:
            # A nameless end tag was reported by the scanner; it is taken for the one that is due.
            if stack:
                self.pop(start, end)
            return True
        # A start tag without ">" may have been meant as <tag/>: where it has no end tag, its children move
        # up.
        while stack and stack[-1] in unclosed and stack[-1].tag != name:
            self.dissolve()
        if not stack:
            if self.roots:
                self.report(
                    False,
                    start,
                    end,
                    "xml-stray-end-tag",
                    tr("the end tag </{name}> has no start tag, and nothing after it is read: remove it", name=name),
                )
                return False
            self.report(
                True,
                start,
                end,
                "xml-stray-end-tag",
                tr("the end tag </{name}> has no start tag: remove it", name=name),
            )
            return True
        if stack[-1].tag == name:
            top = stack[-1]
            self.pop(start, end)
            top.matched = True
            return True
        if any(node.tag == name for node in stack):
            self.close_to(name, name, start, end)
            return True
        # A slip in the name of the end tag: it closes the nearest element of about that name.
        near = range(len(stack) - 1, max(len(stack) - 21, -1), -1)
        index = next((index for index in near if _similar(name, stack[index].tag)), None)
        if index is not None:
            meant = stack[index]
            self.report(
                True,
                start,
                end,
                "xml-mismatched-tag",
                tr(
                    "the end tag </{name}> does not match <{tag}> in line {line_number}: write </{tag}>",
                    name=name,
                    tag=meant.tag,
                    line_number=LINE,
                ),
                self.starts[index],
            )
            self.close_to(meant.tag, name, start, end)
            return True
        top = stack[-1]
        self.stray.add(top)
        self.report(
            True,
            start,
            end,
            "xml-mismatched-tag",
            tr(
                "the end tag </{name}> does not match <{tag}>, which was opened in line {line_number}: write "
                "</{tag}>, or remove it if it is one too many",
                name=name,
                tag=top.tag,
                line_number=LINE,
            ),
            self.starts[-1],
        )
        return True

    def close_to(self, tag: str, written: str, start: int, end: int) -> None:
        """Close the innermost open element of that tag with an end tag, and those inside it without one."""
        while self.stack[-1].tag != tag:
            node = self.stack[-1]
            if node not in self.unclosed and node not in self.stray:
                self.report(
                    True,
                    self.starts[-1],
                    self.starts[-1] + node.head,
                    "xml-unclosed-element",
                    tr(
                        "the element <{tag}> is not closed: write </{tag}> before </{written}> in line "
                        '{line_number}, or end its tag with "/>"',
                        tag=node.tag,
                        written=written,
                        line_number=LINE,
                    ),
                    start,
                )
            self.pop(start, start)
        self.pop(start, end)

    def pop(self, tail: int, end: int) -> None:
        if len(self.stack) <= self.base:
            raise LeftElement
        node, place = self.stack.pop(), self.starts.pop()
        self.ends.pop()
        self.ends[-1] = end
        node.tail = tail - place
        node.width = end - place
        if self.stack:
            self.stack[-1].includes += node.includes

    def dissolve(self) -> None:
        """Close the innermost element as if it were written <tag/>; its children become its siblings."""
        node, place, last = self.stack.pop(), self.starts.pop(), self.ends.pop()
        self.ends[-1] = last
        if not self.stack:
            node.tail = node.width = last - place
            return
        parent = self.stack[-1]
        shift = place - self.starts[-1]
        parent.children.extend(node.children)
        parent.text = [*parent.text, *((start + shift, end + shift, raw) for start, end, raw in node.text)]
        parent.includes += node.includes
        node.includes = int(node.tag == "include")
        node.text, node.children = (), []

    def finish(self) -> None:
        """Report the errors at the end of the text."""
        text = self.text
        self.time = len(text)
        if not self.roots:
            if not text or text.isspace():
                self.report(
                    True, 0, 0, "xml-empty-file", tr("the file is empty: a model needs a root element, <mujoco>")
                )
            elif not self.errors:
                found = tr("no element") if self.leading is None else tr("no XML")
                self.report(
                    True,
                    0,
                    0,
                    "xml-no-root",
                    tr(
                        "there is {found} in this file: a model needs a root element, <mujoco>, <robot> or <x_xy>",
                        found=found,
                    ),
                )
            return
        reported = self.unclosed | self.stray
        pending = [place for place, node in enumerate(self.stack) if node not in reported]
        if not pending or self.truncated:
            return
        tags = "".join(f"</{self.stack[place].tag}>" for place in reversed(pending[-8:]))
        node, start = self.stack[pending[-1]], self.starts[pending[-1]]
        self.report(
            True,
            start,
            start + node.head,
            "xml-unclosed-element",
            tr("the text ends inside the element <{tag}>: write {tags} where it should end", tag=node.tag, tags=tags),
        )

    def nul(self, position: int) -> None:
        """The text was cut off at a NUL, as the reference does: an error within the root element, harmless
        after it."""
        self.time = position
        self.report(
            not self.roots or bool(self.stack),
            position,
            position + 1,
            "xml-nul-character",
            tr("a NUL character ends the text here, what follows is not read: remove it"),
        )

    def close_all(self) -> None:
        """Close what is still open at the end of the text."""
        length = len(self.text)
        while self.stack:
            if self.stack[-1] in self.unclosed and len(self.stack) > 1:
                self.dissolve()
            else:
                self.pop(length, length)


def _similar(one: str, other: str) -> bool:
    """Whether two names differ by a slip of the finger: case, order, or one or two characters."""
    if sorted(one.lower()) == sorted(other.lower()):
        return True
    longest = max(len(one), len(other))
    if longest > 40 or min(len(one), len(other)) < 3:
        return False
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        previous, row[0] = row[0], i
        for j, b in enumerate(other, 1):
            previous, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, previous + (a != b))
    return row[-1] <= (2 if longest > 5 else 1)
