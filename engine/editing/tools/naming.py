"""Chooses free names for mirrored elements: the name of the other side.

naming = Naming.of_copy(names_of(document), sides, fresh, {each.id for each in limb})
naming.add([("body", "left_leg"), ("joint", "left_knee"), ("geom", "toe")], "_mirrored")
naming.new["body", "left_leg"]          "right_leg"
naming.note()                           a sentence about names that could not be those of the other side
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import TYPE_CHECKING

from kinetree.engine.editing.fresh_names import FreshNames
from kinetree.engine.editing.structure import name_taken
from kinetree.engine.editing.tools.sides import NameSides
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.engine.assist.names import Names
    from kinetree.engine.document.tree import Node

SHOWN = 12
"""Names that a note lists."""


class Naming:
    """Chooses the names of a copy on the other side. A name is the same in all namespaces.

    new       (namespace, name) -> name of the copy
    numbered  name -> name of the copy that is not simply that of the other side, as that is taken
    """

    def __init__(self, sides: NameSides, fresh: FreshNames, taken: Callable[[str, str], Node | None]) -> None:
        """`taken(namespace, name)`: the element outside of the copied ones that already has a name."""
        self.sides, self.fresh, self.taken = sides, fresh, taken
        self.new: dict[tuple[str, str], str] = {}
        self.numbered: dict[str, str] = {}

    @classmethod
    def of_copy(cls, names: Names, sides: NameSides, fresh: FreshNames, copied: Collection[int]) -> Naming:
        """For a copy of the elements with the ids `copied`: a name is taken if another element has it."""

        def taken(space: str, name: str) -> Node | None:
            return next((each.node for each in names.declaring(space, name) if each.node.id not in copied), None)

        return cls(sides, fresh, taken)

    def add(self, declared: Iterable[tuple[str, str]], suffix: str) -> None:
        """Choose the names of some elements. `suffix`: of names without a side, where the limb has none either. Raises
        CannotEdit for a name of the other side that an element outside of the limb has: the limb is there already."""
        spaces: dict[str, list[str]] = {}
        for space, name in declared:
            spaces.setdefault(name, []).append(space)
        # Names that say a side come first: "leg_left" becomes "leg_right" even where there is a "leg".
        for name in sorted(spaces, key=lambda each: self.sides.other(each) == each):
            wanted = self.other(name, suffix)
            if wanted == self.sides.other(name):
                for space in spaces[name]:
                    node = self.taken(space, wanted)
                    if node is not None:
                        raise name_taken(space, wanted, node)
            new = self.fresh.take_in(spaces[name], wanted)
            self.new.update({(space, name): new for space in spaces[name]})
            if new != wanted:
                self.numbered[name] = new

    def other(self, name: str, suffix: str) -> str:
        """The name on the other side, taken or not."""
        wanted = self.sides.other(name)
        return wanted if wanted != name else name + (suffix if self.sides.suffix is None else self.sides.suffix)

    @property
    def names(self) -> dict[str, str]:
        """Name -> name of the copy, whatever has it."""
        return {name: new for (_, name), new in self.new.items()}

    def note(self) -> list[str]:
        """Sentences for the user about the names."""
        if not self.numbered:
            return []
        shown = ", ".join(f"{name} → {new}" for name, new in list(self.numbered.items())[:SHOWN])
        if len(self.numbered) > SHOWN:
            shown = tr("{names} and others", names=shown)
        return [tr("some names of the other side are taken, so that the copy has others: {names}", names=shown)]
