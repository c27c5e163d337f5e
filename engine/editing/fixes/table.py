"""The table of quick fixes: for the code of a finding, the functions that make its fixes.

The first fix of a finding is the one that "Fix" applies. A function yields nothing where it has no fix for
the place. Its first line of documentation is that of the fix in docs/checks.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from kinetree.engine.diagnostics import Diagnostic
from kinetree.engine.document.document import Document
from kinetree.engine.editing.fixes import numbers, structure, syntax, words
from kinetree.engine.editing.fixes.fix import FindingPlace, Fix, Shared

FixRow = tuple[Callable[[FindingPlace], Iterator[Fix]], ...]

FIXES: dict[str, FixRow] = {
    # checks
    "implausible-size": (numbers.in_millimetres,),
    "angle-unit": (numbers.other_unit,),
    "rest-outside-range": (numbers.reference, numbers.widened),
    "keyframe-outside-range": (numbers.within_ranges,),
    "redundant-inertial": (structure.without_element,),
    "mass-ignored": (structure.without_attribute,),
    "range-off": (structure.without_range,),
    "unused-class": (structure.without_element,),
    "unused-asset": (structure.without_element,),
    "open-mesh": (numbers.mass_of_hull,),
    "overlap-at-rest": (structure.excluded,),
    "below-ground": (numbers.raised,),
    "never-collides": (numbers.colliding,),
    "zero-friction": (numbers.one_dimension,),
    "stiff-contact": (numbers.longer_time,),
    "unstable-servo": (structure.implicit,),
    "actuator-range": (numbers.control_range,),
    "idle-actuator": (numbers.gear,),
    "idle-sensor": (structure.magnetic_field,),
    "sensors-off": (structure.without_attribute,),
    "loop-parent-child": (structure.without_element,),
    "redundant-exclude": (structure.without_element,),
    "unknown-switch": (words.meant,),
    # warnings and remarks of the compiler
    "empty-range": (numbers.swapped,),
    "ignored-element": (structure.into_world,),
    "limited-continuous": (structure.revolute,),
    "visuals-discarded": (structure.with_visuals,),
    # errors
    "bad-choice": (words.meant,),
    "bad-colour": (words.meant,),
    "bad-inertia": (numbers.repaired_inertia, numbers.balanced),
    "bad-range": (numbers.swapped,),
    "exclusive-attributes": (structure.without_attribute,),
    "include-repeated": (structure.without_element,),
    "misplaced-element": (words.meant, structure.into_section),
    "missing-file": (words.meant,),
    "missing-name": (words.a_name,),
    "no-mass": (numbers.bounded,),
    "not-a-number": (numbers.without_commas,),
    "repeated-class": (words.another_name,),
    "repeated-name": (words.another_name,),
    "undefined-class": (words.meant, words.declared_class, words.without_reference),
    "undefined-plugin": (words.meant, words.declared_plugin),
    "undefined-reference": (words.meant,),
    "unknown-attribute": (words.meant, words.without),
    "unknown-element": (words.meant,),
    "unlimited-range": (numbers.limited,),
    "xml-attribute-without-value": (syntax.removed,),
    "xml-bad-attribute": (syntax.removed,),
    "xml-bad-end-tag": (syntax.end_tag,),
    "xml-duplicate-attribute": (syntax.without_second,),
    "xml-less-than-in-value": (syntax.less_than,),
    "xml-mismatched-tag": (syntax.other_end_tag,),
    "xml-misplaced-declaration": (syntax.removed,),
    "xml-missing-quotes": (syntax.quotes,),
    "xml-missing-space": (syntax.space,),
    "xml-space-in-tag": (syntax.without_space,),
    "xml-stray-ampersand": (syntax.ampersand,),
    "xml-stray-end-tag": (syntax.removed,),
    "xml-text-outside-root": (syntax.commented,),
    "xml-unclosed-element": (syntax.end_of_element,),
    "xml-unclosed-tag": (syntax.closed_tag,),
    "xml-unknown-declaration": (syntax.removed,),
    "xml-unterminated-value": (syntax.closing_quote,),
}


def fixes_of(item: Diagnostic, document: Document) -> list[Fix]:
    """The fixes of a finding about the present text of a document, the best one first."""
    return _fixes(item, Shared(document))


def fixes_of_all(items: Iterable[Diagnostic], document: Document) -> list[Fix]:
    """The first fix of each of several findings, where they have one, to be carried out together."""
    shared = Shared(document)
    found = [next(iter(_fixes(item, shared)), None) for item in items]
    return [fix for fix in found if fix is not None]


def _fixes(item: Diagnostic, shared: Shared) -> list[Fix]:
    row = FIXES.get(item.code)
    place = FindingPlace.of(item, shared) if row is not None else None
    return [] if row is None or place is None else [fix for make in row for fix in make(place)]
