"""Reparse: the parse of an edited text from the parse of the text before, with work in proportion to the
edit.

What an edit can change is found from the outside in. An edit inside a start tag changes that element alone,
if the tag stays one of the same name. An edit between the children of an element is read again from the end
of the child before it until the reading meets a child that was there before, at the place where it now is;
from there on, everything is as it was. Where this does not work out (an end tag was inserted, say), the
element around is tried in the same way, and after a few of these the whole text is parsed: `reparse` then
returns None.

The result is the same as that of `parse_text`, tree and reports, except that subtrees are shared and
elements keep their ids.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from typing import NamedTuple

from kinetree.engine.diagnostics import Severity
from kinetree.engine.document import scanner
from kinetree.engine.document.edit import Edit
from kinetree.engine.document.parser import MAX_REPORTS, Builder, EnoughReports, LeftElement
from kinetree.engine.document.subtree import LINE, NO_END, Report, Subtree, Syntax

_OPEN = {"xml-unclosed-tag", "xml-unterminated-value"}
"""Codes of errors about a start tag without ">", which may also lack a quote. It may be closed by an end tag anywhere
in the element around it."""

_ASTRAY = {"xml-bad-end-tag", "xml-mismatched-tag", "xml-stray-end-tag", "xml-unclosed-element"}
"""Codes of errors about end tags that close another element than the innermost one. Which one that is depends on the
start tags without ">" before them."""

MAX_ATTEMPTS = 4
"""After so many elements in which an edit could not be confined, the whole text is parsed."""

Placed = tuple[Subtree, int, int]
"""(subtree, its offset, id of its parent)"""


class Reparsed(NamedTuple):
    """Result of parsing a text again after an edit.

    syntax   the parse of the text after the edit
    removed  the outermost subtrees that are no longer part of it, with offsets in the text before
    added    the outermost subtrees that were read again, with offsets in the text after, in order
    """

    syntax: Syntax
    removed: list[Placed]
    added: list[Placed]


class Shift:
    """Places of a text before some edits, which are sorted, and after them."""

    def __init__(self, edits: Iterable[Edit]) -> None:
        self.edits = list(edits)
        self.starts = [edit.start for edit in self.edits]
        self.ends: list[int] = []
        """Where the text of each edit ends in the text after."""
        self.before = [0]
        """How far places move that have so many edits before them."""
        for start, end, text in self.edits:
            self.ends.append(start + self.before[-1] + len(text))
            self.before.append(self.before[-1] + len(text) - (end - start))

    def character(self, offset: int) -> int | None:
        """Where a character is after the edits; None if it was replaced."""
        count = bisect_right(self.starts, offset)
        if count and self.edits[count - 1].end > offset:
            return None
        return offset + self.before[count]

    def kept(self, offset: int) -> int:
        """Where a character is that no edit replaces."""
        return offset + self.before[bisect_right(self.starts, offset)]

    def boundary(self, offset: int) -> int:
        """Where a place between two characters, the end of something, is after the edits. What is inserted
        right there comes after it."""
        return offset + self.before[bisect_left(self.starts, offset)]


def reparse(old: Syntax, before: str, text: str, shift: Shift) -> Reparsed | None:
    """The parse of `text`, which is the text of `old`, `before`, after some edits; None where only parsing
    all of it can tell."""
    if old.whole or old.root is None or any("\0" in edit.text for edit in shift.edits):
        return None
    try:
        return _Reparse(old, before, text, shift).run()
    except (_NotConfined, LeftElement, EnoughReports):
        return None


class _NotConfined(Exception):
    """The edits change more than the element at hand."""


class _Reparse:
    """One call of `reparse`.

    before   the text before the edits
    dropped  stretches [from, to) of the text before in which tokens were read again
    """

    def __init__(self, old: Syntax, before: str, text: str, shift: Shift) -> None:
        self.old = old
        self.before = before
        self.text = text
        self.shift = shift
        self.edits = shift.edits
        self.removed: list[Placed] = []
        self.added: list[Placed] = []
        self.dropped: list[tuple[int, int]] = []
        self.reports: list[Report] = []
        self.same: dict[int, bool] = {}
        """Tokens that depend on text far behind them, by offset before: whether they are as they were."""
        self.attempts = 0
        self.reported = {report.time for report in old.reports}
        self.any_open = any(report.code in _OPEN for report in old.reports)

    def run(self) -> Reparsed:
        root = self.old.root
        assert root is not None
        start, end = root.gap, root.gap + root.width
        first, last = 0, len(self.edits)
        while first < last and self.edits[first].end <= start:
            first += 1
        while last > first and self.edits[last - 1].start >= end:
            last -= 1
        inside = self.edits[first:last]
        if inside and not (root.matched and inside[0].start > start and inside[-1].end < end):
            raise _NotConfined
        doctype = self.prolog(start) if first else self.old.doctype
        gap = self.shift.kept(start)
        if inside:
            root = self.element(root, start, first, last, [], [])
        if root.gap != gap:
            root = root.copy(gap)
        if last < len(self.edits):
            self.epilog(root, end)
        return Reparsed(Syntax(root, self.all_reports(), False, doctype), self.removed, self.added)

    # Around the root element

    def prolog(self, start: int) -> bool:
        """Read what stands before the root element; whether a document type does."""
        target = self.shift.kept(start)
        builder = Builder(self.text)
        reached = builder.build(0, lambda kind, position, name: position == target)
        codes = {report.code for report in self.old.reports}
        if not reached or builder.roots or builder.leading or "xml-text-outside-root" in codes or builder.whole:
            raise _NotConfined
        self.take(builder, 0, start, target)
        return builder.doctype

    def epilog(self, root: Subtree, end: int) -> None:
        """Read what stands after the root element."""
        if not root.matched:
            raise _NotConfined
        position = self.shift.boundary(end)
        builder = Builder(self.text, end=position)
        builder.roots.append(root)
        builder.doctype = True  # one here sends the next edit to the whole text
        builder.build(position)
        if builder.whole:
            raise _NotConfined
        builder.finish()
        self.take(builder, end, NO_END, NO_END)

    # Elements

    def element(
        self, old: Subtree, start: int, first: int, last: int, chain: list[Subtree], places: list[int]
    ) -> Subtree:
        """The element after the edits [first, last), which are all inside it.

        start   where it was
        chain   the elements around it, and where they are now: `places`

        Raises _NotConfined if the edits affect the surrounding elements.
        """
        head, tail = start + old.head, start + old.tail
        content = first
        while content < last and self.edits[content].start < head:
            content += 1
        if any(edit.end >= head for edit in self.edits[first:content]):
            raise _NotConfined
        if any(edit.end > tail for edit in self.edits[content:last]):
            raise _NotConfined
        made = old.copy()
        place = self.shift.kept(start)
        if content > first:
            self.start_tag(old, made, start, place)
        if content < last:
            _Content(self, old, made, start, place, [*chain, old], [*places, place]).read(content, last)
        else:
            longer = made.head - old.head
            made.text = [(start + longer, end + longer, literal) for start, end, literal in old.text]
            if longer:
                made._starts = [start + longer for start in old.starts]
        made.tail = self.shift.kept(tail) - place
        made.width = made.tail + old.width - old.tail
        return made

    def start_tag(self, old: Subtree, made: Subtree, start: int, place: int) -> None:
        """Read a start tag again whose edits lie within it. The tag may be malformed, before and after, as while a
        value is typed, if the same ">" ends it.
        """
        builder = Builder(self.text)
        token = next(scanner.scan(self.text, builder.scanned, place))
        kind, _, end, name, name_start, found = token
        closing = self.shift.character(start + old.head - 1)
        if any(report.time == start > report.start for report in self.old.reports):
            raise _NotConfined  # one about text before the root element
        if kind != scanner.START or name != old.tag or end - 1 != closing:
            raise _NotConfined
        builder.time = place
        builder.stamp(place, end)
        made.proper = type(found) is tuple
        made.name_at = name_start - place
        made.head = end - place
        builder.read_attributes(made, found, place, True)
        self.take(builder, start, start + 1, NO_END)

    def take(self, builder: Builder, start: int, end: int, until: int) -> None:
        """Replace the reports about the tokens of a stretch of the text before by those of a builder about
        tokens before `until`."""
        self.dropped.append((start, end))
        self.reports += [report for report in builder.reports if report.time < until]

    def attempt(self, *arguments) -> Subtree | None:
        """Parse the edited element again; None, without changes, if the edits cannot be confined to it."""
        lists = (self.removed, self.added, self.dropped, self.reports)
        lengths = [len(each) for each in lists]
        try:
            return self.element(*arguments)
        except (_NotConfined, LeftElement):
            self.attempts += 1
            if self.attempts >= MAX_ATTEMPTS:
                raise
            for each, length in zip(lists, lengths):
                del each[length:]
            return None

    # Reports

    def all_reports(self) -> list[Report]:
        """The reports about the whole text after the edits."""
        if not self.old.reports and not self.reports:
            return []
        kept = [self.moved(report) for report in self.old.reports if not self.is_dropped(report.time)]
        result = sorted(kept + self.reports, key=lambda report: report.time)
        errors = sum(report.severity is Severity.ERROR for report in result)
        if max(errors, len(result) - errors) >= MAX_REPORTS:
            raise _NotConfined
        return result

    def is_dropped(self, time: int) -> bool:
        return any(start <= time < end for start, end in self.dropped)

    def moved(self, report: Report) -> Report:
        """A report about a token that was not read again."""
        shift = self.shift
        touched = any(edit.start < report.reach and edit.end > report.time for edit in self.edits)
        if touched and not (report.reach >= NO_END and self.is_same(report.time)):
            raise _NotConfined
        start, time = shift.character(report.start), shift.character(report.time)
        line_of = shift.character(report.line_of) if LINE in report.message else 0
        if start is None or time is None or line_of is None:
            raise _NotConfined
        reach = report.reach if report.reach >= NO_END else shift.boundary(report.reach)
        end = shift.boundary(report.end)
        return report._replace(start=start, end=end, line_of=line_of, time=time, reach=reach)

    def is_same(self, time: int) -> bool:
        """Whether a token of the old text that was not read again reads the same in the new text, given its old place.
        A value without its closing quote depends on the next quote, wherever that is."""
        if time not in self.same:
            now = self.shift.character(time)
            self.same[time] = now is not None and self.token(self.before, time) == self.token(self.text, now)
        return self.same[time]

    def token(self, text: str, place: int) -> tuple:
        """The token at a place and what the scanner reports about it, with offsets from that place."""
        reports: list[tuple] = []

        def report(is_error: bool, start: int, end: int, code: str, message: str) -> None:
            reports.append((is_error, start - place, end - place, code, message))

        kind, _, end, _, _, found = next(scanner.scan(text, report, place, self.old.doctype))
        places = [offset - place for each in found for offset in each[1:]] if type(found) is list else []
        return kind, text[place:end], places, reports


class _Content:
    """Content of an element between its tags, after edits.

    old, made      the element before and after
    start, place   where it was and where it is
    chain, places  the elements around its children, itself last, and where they are
    """

    def __init__(
        self,
        run: _Reparse,
        old: Subtree,
        made: Subtree,
        start: int,
        place: int,
        chain: list[Subtree],
        places: list[int],
    ) -> None:
        self.run = run
        self.old = old
        self.made = made
        self.start = start
        self.place = place
        self.chain = chain
        self.places = places
        self.children: list[Subtree] = []
        self.starts: list[int] = []
        self.done = 0
        """How many of the old children have been dealt with."""
        self.gap: int | None = None
        """The gap before the next of them, if it is another than before."""
        self.text: list[tuple[int, int, bool]] = []
        self.stretches: list[tuple[int, int]] = []

    def read(self, edit: int, last: int) -> None:
        """Set the children and the text of `made`, after the edits [edit, last)."""
        edits, old, run = self.run.edits, self.old, self.run
        while edit < last:
            offset = edits[edit].start - self.start
            index = bisect_left(old.starts, offset) - 1  # the last child that starts before the edit
            first = index + 1
            if index >= 0 and self.is_open(index):
                first = index  # what is typed behind a tag without ">" belongs to it
            elif index >= 0 and offset < old.starts[index] + old.children[index].width:
                first = index
                start = self.start + old.starts[index]
                end = start + old.children[index].width
                after = edit
                while after < last and edits[after].end < end:
                    after += 1
                straddled = after < last and edits[after].start < end
                if old.children[index].matched and after > edit and not straddled:
                    arguments = (old.children[index], start, edit, after, self.chain, self.places)
                    child = run.attempt(*arguments)
                    if child is not None:
                        self.keep(index)
                        self.add(child)
                        self.made.includes += child.includes - old.children[index].includes
                        edit = after
                        continue
            self.keep(first)
            edit = self.stretch(first, edit, last)
        self.keep(len(old.children))
        self.made.children = self.children
        self.made._starts = self.starts
        if old.text or self.text:
            self.made.text = self.all_text()

    def is_open(self, index: int) -> bool:
        """Whether something is wrong with the tag of an old child that has no end tag."""
        child = self.old.children[index]
        return not child.matched and self.start + self.old.starts[index] in self.run.reported

    def keep(self, end: int) -> None:
        """Take the old children up to a number as they are."""
        if self.done < end and self.gap is not None:
            self.add(self.old.children[self.done])
        if self.done < end:
            self.children += self.old.children[self.done : end]
            starts = self.old.starts[self.done : end]
            moved = self.now(starts[0]) - starts[0]
            self.starts += [start + moved for start in starts] if moved else starts
            self.done = end

    def add(self, child: Subtree) -> None:
        """Take one child, in place of the next of the old ones."""
        self.children.append(child if self.gap is None else child.copy(self.gap))
        self.starts.append(self.now(self.old.starts[self.done]))
        self.gap = None
        self.done += 1

    def now(self, offset: int) -> int:
        """Where the "<" of an old child is, counted from the start of the element as `offset` was."""
        return self.run.shift.kept(self.start + offset) - self.place

    def stretch(self, first: int, edit: int, last: int) -> int:
        """Read again from the end of the child before the child number `first` until the text is as it was;
        the number of the first edit behind that."""
        run, old, shift, start = self.run, self.old, self.run.shift, self.start
        starts, tail = old.starts, start + old.tail
        before = old.head if first == 0 else starts[first - 1] + old.children[first - 1].width
        position = reading = shift.boundary(start + before)
        if self.gap is not None:  # the stretch before this one ended here
            before = starts[first]
            reading = shift.kept(start + before)
            position = reading - self.gap
        holder = Subtree(old.tag, 0, 0, 0, True)
        builder = Builder(run.text, [*self.chain[:-1], holder], self.places[:], position)
        builder.doctype = run.old.doctype
        index, first_edit = -1, edit

        def stop(kind: int, position: int, name: str) -> bool:
            nonlocal edit, index
            while edit < len(shift.ends) and shift.ends[edit] <= position:
                edit += 1
            was = position - shift.before[edit]
            if edit < len(shift.ends) and shift.starts[edit] <= was:
                return False  # inside the text of an edit
            if edit == first_edit:
                return False  # before the edits
            if kind == scanner.END:
                if name != old.tag or any(node.tag == name for node in builder.stack[builder.base :]):
                    return False
                if was != tail or edit < last:
                    raise _NotConfined
                index = len(starts)
                return True
            found = bisect_left(starts, was - start)
            if found == len(starts) or starts[found] != was - start:
                return False
            if len(builder.stack) > builder.base and not (edit >= last and self.closes_later(builder, was)):
                return False
            index = found
            return True

        if not builder.build(reading, stop) or builder.whole:
            raise _NotConfined
        until = builder.time
        while len(builder.stack) > builder.base:
            builder.dissolve()
        end = tail if index == len(starts) else start + starts[index]
        if run.any_open and (
            any(report.code in _ASTRAY for report in builder.reports) or self.any_wrong(end, start + old.width)
        ):
            raise _NotConfined
        self.stretches.append((before, end - start))
        run.take(builder, start + before, end, until)
        for child, offset in zip(old.children[first:index], starts[first:index]):
            run.removed.append((child, start + offset, old.id))
            self.made.includes -= child.includes
        for child in holder.children:
            position += child.gap
            run.added.append((child, position, old.id))
            self.starts.append(position - self.place)
            position += child.width
            self.made.includes += child.includes
        self.text += holder.text
        self.children += holder.children
        self.done = index
        self.gap = until - position
        return edit

    def closes_later(self, builder: Builder, was: int) -> bool:
        """Whether the start tags without ">" that are open count as closed where the element ends, if the
        text from a place of the text before on is as it was: that is so if nothing is wrong with it."""
        opened = {node.tag for node in builder.stack[builder.base :]}
        wrong = self.any_wrong(was, self.start + self.old.width)
        return self.old.tag not in opened and not wrong and len(builder.stack) < 400

    def any_wrong(self, start: int, end: int) -> bool:
        """Whether anything was reported about a stretch of the text before."""
        return any(start <= report.time < end for report in self.run.old.reports)

    def all_text(self) -> list[tuple[int, int, bool]]:
        """The character data directly in the element."""
        shift, kept = self.run.shift, []
        for start, end, literal in self.old.text:
            if not any(first <= start < last for first, last in self.stretches):
                first = shift.kept(self.start + start) - self.place
                kept.append((first, first + end - start, literal))
        return sorted(kept + self.text)
