"""Messages about texts that are no expressions: the first mistake, with its place.

Python's parser decides whether a text is an expression. Where it refuses one, `explain` follows the order of values and
operators token by token, and names the first token that breaks it. The messages of Python's parser are about programs,
and are never shown.
"""

from __future__ import annotations

import keyword
import re
from typing import NamedTuple

from kinetree.engine.translation import marked, tr

DEEPEST = 200
"""Brackets within each other that Python's parser takes."""

_TOKEN = re.compile(
    r"""(?P<space>\s+)
    |(?P<string>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')
    |(?P<torn>["'].*)
    |(?P<number>(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d+)?)
    |(?P<word>[^\W\d]\w*)
    |(?P<operator>\*\*|//|<=|>=|==|!=|<<|>>|&&|\|\||:=|[-+*/%<>&|^~@])
    |(?P<open>[(\[{])
    |(?P<close>[)\]}])
    |(?P<mark>[.,:=])
    |(?P<other>.)""",
    re.VERBOSE | re.DOTALL,
)
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_BINARY = {"and", "or", "in", "is", "if", "else"}
_SIGNS = {"+", "-", "~"}
_INSTEAD = {"&&": "and", "||": "or", "!": "not", "×": "*", "·": "*", "÷": "/", "−": "-", "²": "**2", "³": "**3"}
"""Signs of other languages, and the operators of expressions."""
_VALUE = marked("a value is missing before {token}")


class InvalidSyntax(ValueError):
    """A text that is no expression. start, end: where, in characters from 0, the end excluded."""

    def __init__(self, message: str, start: int, end: int):
        super().__init__(message)
        self.message, self.start, self.end = message, start, max(end, start + 1)


class _Token(NamedTuple):
    kind: str
    text: str
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def explain(text: str, offset: int = 0) -> InvalidSyntax:
    """The first thing that is wrong with a text that Python's parser refused at `offset`, in characters from 0."""
    tokens = [
        _Token(str(found.lastgroup), found[0], found.start())
        for found in _TOKEN.finditer(text)
        if found.lastgroup != "space"
    ]
    found = _Order(text, tokens).first_problem()
    if found is not None:
        return found
    escaped = next((each for each in tokens if each.kind == "string" and "\\" in each.text), None)
    if escaped is not None:
        return InvalidSyntax(
            tr("the \\ in this text begins nothing that is known; write \\\\ for the character itself"),
            escaped.start,
            escaped.end,
        )
    start = max(0, min(offset, len(text) - 1))
    return InvalidSyntax(tr("this cannot be read here; write it like 2 * qpos[0] + norm(qvel)"), start, start + 1)


class _Order:
    """Follows the order of values and operators through the tokens of a text."""

    def __init__(self, text: str, tokens: list[_Token]):
        self.text, self.tokens = text, tokens
        self.brackets: list[tuple[_Token, bool]] = []  # open ones, and whether each follows a value: a call, an index
        self.has_value = False  # whether a value ends here
        self.ifs: list[_Token] = []  # without else yet
        self.problem: InvalidSyntax | None = None

    def first_problem(self) -> InvalidSyntax | None:
        before: _Token | None = None
        for token in self.tokens:
            getattr(self, f"take_{token.kind}")(token, before)
            if self.problem is not None:
                return self.problem
            before = token
        if self.brackets:
            token, _ = self.brackets[-1]
            self.fail(tr("this {token} is never closed", token=token.text), token)
        elif not self.has_value and before is not None:
            self.fail(self._after(before), before)
        elif self.ifs:
            self.fail(tr("an if needs an else: a if condition else b"), self.ifs[-1])
        return self.problem

    def fail(self, message: str, token: _Token, end: int = 0) -> None:
        self.problem = InvalidSyntax(message, token.start, end or token.end)

    def _after(self, token: _Token) -> str:
        if token.text == ".":
            return tr("the name of a field is missing after the dot")
        return tr("a value is missing after {token}", token=token.text)

    def _value(self, token: _Token, before: _Token | None) -> None:
        if self.has_value and before is not None:
            message = tr("an operator is missing between {one} and {other}", one=before.text, other=token.text)
            self.problem = InvalidSyntax(message, before.start, token.end)
        self.has_value = True

    # ---- a token of each kind ------------------------------------------------------------------------------

    take_string = _value

    def take_torn(self, token: _Token, _before: _Token | None) -> None:
        self.fail(tr("this name has no {mark} at its end", mark=token.text[0]), token)

    def take_number(self, token: _Token, before: _Token | None) -> None:
        whole = re.match(r"[\w.]+", self.text[token.start :])
        written = whole[0] if whole else token.text
        has_zeros = re.fullmatch(r"0+[1-9][\d_]*", token.text) is not None
        if written != token.text or has_zeros or re.search(r"__|_$|_\.|\._", token.text):
            if re.fullmatch(r"\d+(and|or|if|else|in|is)", written):
                return self._value(token, before)
            remedy = tr("; leave the leading zeros out") if has_zeros else ""
            return self.fail(
                tr("{number} is not a number{remedy}", number=written, remedy=remedy), token, token.start + len(written)
            )
        return self._value(token, before)

    def take_word(self, token: _Token, before: _Token | None) -> None:
        word = token.text
        if before is not None and before.text == ".":
            self.has_value = True
        elif word in _BINARY:
            self._operator(token)
            if word == "if":
                self.ifs.append(token)
            elif word == "else":
                if not self.ifs and self.problem is None:
                    self.fail(tr("this else has no if: a if condition else b"), token)
                self.ifs = self.ifs[:-1]
        elif word == "not":
            pass  # before a value, or in "not in", which is refused later
        elif keyword.iskeyword(word) and word not in ("True", "False", "None", "lambda", "for", "await", "yield"):
            self.fail(tr("{word} is a word of Python, and no quantity", word=word), token)
        else:
            self._value(token, before)

    def _operator(self, token: _Token) -> None:
        if not self.has_value and token.text not in _SIGNS:
            self.fail(tr(_VALUE, token=token.text), token)
        self.has_value = False

    def take_operator(self, token: _Token, _before: _Token | None) -> None:
        if token.text in _INSTEAD:
            return self._write_instead(token)
        if token.text == ":=":
            return self._no_assignment(token)
        return self._operator(token)

    def take_open(self, token: _Token, before: _Token | None) -> None:
        if len(self.brackets) >= DEEPEST:
            return self.fail(tr("too many nested brackets; split it into several"), token)
        if self.has_value and token.text == "{":
            return self._value(token, before)
        self.brackets.append((token, self.has_value))
        self.has_value = False
        return None

    def take_close(self, token: _Token, before: _Token | None) -> None:
        if not self.brackets:
            return self.fail(tr("this {token} closes nothing", token=token.text), token)
        opened, follows_value = self.brackets.pop()
        if token.text != _CLOSING[opened.text]:
            return self.fail(
                tr("this {token} stands where {wanted} should close the {opened} of column {column}", token=token.text,
                   wanted=_CLOSING[opened.text], opened=opened.text, column=opened.start + 1),
                token,
            )  # fmt: skip
        if before is opened and opened.text == "[" and follows_value:
            return self.fail(tr("there is no index between [ and ]"), opened, token.end)
        if not self.has_value and before is not opened and before is not None and before.text not in (",", ":"):
            return self.fail(self._after(before), before)
        self.has_value = True
        return None

    def take_mark(self, token: _Token, before: _Token | None) -> None:
        if token.text == "=":
            return self._no_assignment(token)
        if token.text == ":" and not any(opened.text in "[{" for opened, _ in self.brackets):
            return self.fail(tr("a : stands only in brackets, as in qpos[0:3]"), token)
        if token.text != ":" and not self.has_value:
            return self.fail(tr(_VALUE, token=token.text), token)
        self.has_value = False
        return None

    def take_other(self, token: _Token, _before: _Token | None) -> None:
        if token.text in _INSTEAD:
            return self._write_instead(token)
        shown = token.text if token.text.isprintable() else repr(token.text)[1:-1]
        return self.fail(tr("{character} has no meaning here", character=shown), token)

    def _write_instead(self, token: _Token) -> None:
        self.fail(tr("write {wanted} in place of {token}", wanted=_INSTEAD[token.text], token=token.text), token)

    def _no_assignment(self, token: _Token) -> None:
        self.fail(tr("= assigns, and an expression only reads; compare with =="), token)
