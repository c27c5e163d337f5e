"""Highlighter: colours and underlines of the lines that are on the screen, and of no others.

Before the editor paints, the lines that it is going to paint are looked at: one whose tokens have changed since it got
its colours gets new ones. The scan begins just before the first line on the screen. So a change costs the same in a
text of ten lines and of ten thousand.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from PySide6.QtGui import QFont, QTextBlock, QTextBlockUserData, QTextCharFormat, QTextLayout

from kinetree.app.panels.writing.source.lexer import Lexer, Token, TokenKind
from kinetree.app.panels.writing.source.look import formats, underlines
from kinetree.app.panels.writing.source.positions import TextPositions
from kinetree.app.panels.writing.source.problems import TextProblem
from kinetree.app.panels.writing.source.shown_text import ShownText, next_shown
from kinetree.app.settings.theme import Theme
from kinetree.engine.assist.colours import colour_of

LONGEST = 20_000
"""Characters of a line that get colours."""

Meaning = Callable[[int, str], TokenKind | None]
"""meaning(offset, name): what the value of the attribute of that name, which stands at that offset, is; None for a
value that is no name"""


class ColourValue(NamedTuple):
    """A value of a line that is a colour: [start, end) of the line, and red, green, blue and opacity from 0 to 1."""

    start: int
    end: int
    rgba: tuple[float, float, float, float]


class _Done(QTextBlockUserData):
    """Data of a line of text: the state that its colours were computed for."""

    def __init__(self, key: tuple, swatches: Sequence[ColourValue]):
        super().__init__()
        self.key, self.swatches = key, swatches


def swatches_of(block: QTextBlock) -> Sequence[ColourValue]:
    """The colours among the values of a line that is on the screen."""
    done = block.userData()
    return done.swatches if isinstance(done, _Done) else ()


class Highlighter:
    """Colours the visible lines of one text."""

    def __init__(self, shown: ShownText, theme: Theme):
        self._shown = shown
        self._lexer = Lexer("")
        self._epoch = 0
        self.swatch_room = 0.0  # pixels between a quote and the numbers of a colour
        self.problems: Callable[[int, int], Sequence[TextProblem]] = lambda start, end: ()
        self.meaning: Meaning = lambda offset, name: None
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        self._formats, self._underlines = formats(theme), underlines(theme)
        self.refresh()

    def refresh(self) -> None:
        """Colour all lines again: the theme or the meaning of names has changed."""
        self._epoch += 1

    def ensure(self, first: QTextBlock, count: int) -> None:
        """Give colours to the `count` visible lines from `first` on."""
        shown = self._shown
        if self._lexer.text is not shown.text:
            self._lexer = Lexer(shown.text)
        block = first
        with shown.changing():
            while block.isValid() and count > 0:
                if block.isVisible():
                    count -= 1
                    start, end = shown.line(block)
                    tokens = self._lexer.line(start, min(end, start + LONGEST))
                    problems = tuple(
                        (max(item.start - start, 0), min(item.end, end) - start, item.severity)
                        for item in self.problems(start, end)
                    )
                    key = (self._epoch, block.text(), tokens, problems)
                    done = block.userData()
                    if not isinstance(done, _Done) or done.key != key:
                        block.setUserData(_Done(key, self._colour(block, start, end, tokens, problems)))
                block = next_shown(block)

    def _colour(
        self, block: QTextBlock, start: int, end: int, tokens: list[Token], problems: tuple
    ) -> list[ColourValue]:
        """Give colours to a line, which is [start, end) of the text."""
        text = self._shown.text[start:end]  # as it is: the block has other characters for some
        found, swatches = self._with_names(tokens, text, start)
        units = TextPositions(text).position if not text.isascii() else None
        ranges = [self._range(token[0], token[1], self._formats[token[2]], units) for token in found]
        for low, high, severity in problems:
            if high <= low:
                low, high = max(min(low, len(text) - 1), 0), min(low + 1, len(text))
            ranges += _underlined(low, high, found, self._formats, self._underlines[severity], units)
        room = QTextCharFormat(self._formats[TokenKind.VALUE])
        room.setFontLetterSpacingType(QFont.SpacingType.AbsoluteSpacing)
        room.setFontLetterSpacing(self.swatch_room)
        ranges += [self._range(each.start - 1, each.start, room, units) for each in swatches]
        block.layout().setFormats(ranges)
        # Qt has noted a change of the document now, and would report it with the next one.
        self._shown.document.markContentsDirty(block.position(), block.length() - 1)
        return swatches

    def _with_names(self, found: list[Token], text: str, start: int) -> tuple[list[Token], list[ColourValue]]:
        """The tokens, with values that are names marked as such, and the values that are colours."""
        result: list[Token] = []
        swatches: list[ColourValue] = []
        kind, quote, opened = None, False, 0
        for token in found:
            if token[2] is TokenKind.ATTRIBUTE:
                kind, quote = self.meaning(start + token[0], text[token[0] : token[1]]), False
            elif token[2] in (TokenKind.VALUE, TokenKind.NUMBER) and kind is not None:
                is_quote = token[1] - token[0] == 1 and text[token[0]] in "\"'"
                if is_quote and quote:
                    rgba = colour_of(text[opened : token[0]]) if kind is TokenKind.COLOUR else None
                    if rgba is not None:
                        swatches.append(ColourValue(opened, token[0], rgba))
                    kind = None
                elif is_quote:
                    opened = token[1]
                elif kind is not TokenKind.COLOUR:
                    token = (token[0], token[1], kind)
                quote = quote or is_quote
            result.append(token)
        return result, swatches

    @staticmethod
    def _range(start: int, end: int, format: QTextCharFormat, units) -> QTextLayout.FormatRange:
        result = QTextLayout.FormatRange()
        if units is not None:
            start, end = units(start), units(end)
        result.start, result.length, result.format = start, end - start, format
        return result


def _underlined(low, high, found, table, underline, units):
    """Ranges with an underline that keep the colours of the tokens. Qt draws the last range that covers a place."""
    result = []
    place = low
    for start, end, kind in [token for token in found if token[1] > low and token[0] < high]:
        if start > place:
            result.append(Highlighter._range(place, start, underline, units))
        both = QTextCharFormat(table[kind])
        both.merge(underline)
        result.append(Highlighter._range(max(start, low), min(end, high), both, units))
        place = min(end, high)
    if place < high:
        result.append(Highlighter._range(place, high, underline, units))
    return result
