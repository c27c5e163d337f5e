"""XPath 1.0 queries over a tree: an expression to the nodes and attributes that it selects, with lxml.

    select(document.merged, "//geom[@type='box' and not(@material)]")
    Selector(document.merged).select("//body[joint]/@name")    # several queries of one tree

An expression comes from a user and is bounded: it reads no file and no network, has only the functions of XPath itself
(no regular expressions, no extensions), and one whose work would grow beyond MAX_VISITS elements is refused.
"""

from __future__ import annotations

import re
from typing import Any

from lxml import etree  # pyright: ignore[reportAttributeAccessIssue]: lxml carries no types

from kinetree.engine.document.tree import Attribute, Node
from kinetree.engine.translation import marked, tr

MAX_LENGTH = 2000
"""Longer expressions are refused."""

MAX_VISITS = 50_000_000
"""Elements that an expression may look at, by a rough estimate: about a second."""

_UNFIT_NAME = re.compile(r"[^\w.-]")
_UNFIT_TEXT = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_LITERAL = re.compile(r"\"[^\"]*\"|'[^']*'")
# Steps that look at elements all over the tree for each element that they start from, and brackets.
_WORK = re.compile(
    r"(?:\b(?:and|or|div|mod)\b|(?<![\w.\])*/\s]))\s*(?P<anywhere>//)|(?P<axis>\b(?:following|preceding)(?:-sibling)?\s*::)|[\[\]]"
)
_REASONS = {
    "XPATH_UNDEF_PREFIX_ERROR": marked("names have no prefix in a model: leave out what stands before the colon"),
    "XPATH_UNKNOWN_FUNC_ERROR": marked(
        "there is no such function: XPath 1.0 has contains, starts-with, count, not and others"
    ),
    "XPATH_UNDEF_VARIABLE_ERROR": marked('there are no variables: write a text in quotes, such as @name="arm"'),
    "XPATH_UNFINISHED_LITERAL_ERROR": marked("a quote is not closed"),
}


class XPathError(ValueError):
    """An expression that cannot be used; str() says why. `position` is the number of characters before the mistake,
    None where it is not known."""

    def __init__(self, message: str, position: int | None = None) -> None:
        self.position = position
        super().__init__(message)


def select(root: Node, expression: str) -> list[Node | Attribute]:
    """Results of an expression in the tree of `root`, in the order of the tree. Raises XPathError."""
    return Selector(root).select(expression)


class Selector:
    """Queries of one tree."""

    def __init__(self, root: Node) -> None:
        self._nodes: dict[etree._Element, Node] = {}
        # lxml's elements are the same objects for as long as they are referred to: the keys of _nodes do that.
        self._top = self._made(root, None)
        stack = [(root, self._top)]
        while stack:
            node, element = stack.pop()
            made = [(child, self._made(child, element)) for child in node.children]
            stack += [item for item in made if item[0].children]
        self._tree = etree.ElementTree(self._top)

    def __len__(self) -> int:
        return len(self._nodes)

    def select(self, expression: str) -> list[Node | Attribute]:
        """Results of an expression, in the order of the tree: elements, and attributes if it asks for these. Raises
        XPathError for an expression that is wrong, is too much work, or gives something else.
        """
        if len(expression) > MAX_LENGTH:
            raise XPathError(tr("the expression is longer than {most} characters", most=MAX_LENGTH))
        if not expression.strip():
            raise XPathError(tr("the expression is empty: write one such as //geom[@name]"))
        if _UNFIT_TEXT.search(expression):
            raise XPathError(tr("the expression has a character that XML does not allow"))
        try:
            query = etree.XPath(expression, regexp=False)
            self._check_work(expression)
            found = query(self._tree)
        except etree.XPathError as error:
            raise _explained(error, expression) from None
        if not isinstance(found, list):
            kind = {bool: tr("true or false"), float: tr("a number")}.get(type(found), tr("a text"))
            raise XPathError(
                tr("the expression gives {kind}: write one that selects elements, such as //geom[@name]", kind=kind)
            )
        result = [self._ours(item) for item in found]
        return [item for item in result if item is not None]

    def _made(self, node: Node, parent: etree._Element | None) -> etree._Element:
        attributes = {attribute.name: attribute.value for attribute in node.attributes}
        tag = node.tag or "none"
        try:
            element = etree.Element(tag, attributes) if parent is None else etree.SubElement(parent, tag, attributes)
        except ValueError:  # names and characters that our scanner lets pass and XML does not
            tag = _fit_name(tag)
            attributes = {_fit_name(name): _UNFIT_TEXT.sub("\ufffd", value) for name, value in attributes.items()}
            element = etree.Element(tag, attributes) if parent is None else etree.SubElement(parent, tag, attributes)
        if node.subtree.text:
            element.text = _UNFIT_TEXT.sub("\ufffd", node.text)
        self._nodes[element] = node
        return element

    def _ours(self, item: Any) -> Node | Attribute | None:
        if isinstance(item, etree._Element):
            return self._nodes[item]
        if getattr(item, "is_attribute", False):
            node = self._nodes[item.getparent()]
            return next((a for a in node.attributes if _fit_name(a.name) == item.attrname), None)
        if getattr(item, "is_text", False):
            return self._nodes[item.getparent()]
        raise XPathError(tr("the expression selects neither elements nor attributes"))

    def _check_work(self, expression: str) -> None:
        depth, power = 0, 1
        for match in _WORK.finditer(_LITERAL.sub("''", expression)):
            depth += (match[0] == "[") - (match[0] == "]")
            if match["anywhere"]:
                power = max(power, depth + 1)
            elif match["axis"]:
                power = max(power, depth + 2)
        if len(self) ** power > MAX_VISITS:
            raise XPathError(
                tr(
                    "the expression is too much work for a model of {count} elements: avoid //, following:: and "
                    "preceding:: inside brackets, or begin them with a dot, as in [.//geom]",
                    count=len(self),
                )
            )


def _fit_name(name: str) -> str:
    fit = _UNFIT_NAME.sub("_", name)
    return fit if re.match(r"[^\W\d]|_", fit) else f"_{fit}"


def _explained(error: etree.XPathError, expression: str) -> XPathError:
    entry = getattr(error.error_log, "last_error", None)
    if entry is None:
        return XPathError(tr("{expression}: not an XPath expression", expression=expression))
    kind = entry.type_name
    if kind in _REASONS:
        return XPathError(f"{expression}: {tr(_REASONS[kind])}")
    if kind == "XPATH_EXPR_ERROR":
        position = len(expression.encode()[: entry.column].decode(errors="ignore"))
        rest = expression[position:]
        where = tr('at "{text}"', text=rest[:20]) if rest.strip() else tr("at its end: something is missing")
        return XPathError(
            tr("{expression}: not an XPath expression {where}", expression=expression, where=where), position
        )
    return XPathError(f"{expression}: {str(error).lower() or tr('not an XPath expression')}")
